//! Sets and clauses: as text, and by structural recursion over JSON. Knows nothing of how the language is compiled.

use super::world::{Field, Miss, Point, Sized, Ty};
use serde_json::Value;

#[derive(Clone, Debug)]
pub enum Set {
    Any,
    OneOf(Vec<Value>),
    Range(Option<i64>, Option<i64>),
    Prefix(&'static str),
    Each(Box<Set>),
    Size(usize, Option<usize>),
    Keys(Box<Set>),
    Values(Box<Set>),
    /// `{ k in A; v in B }`
    Members(Vec<(&'static str, Set)>),
    Or(Box<Set>, Box<Set>),
    And(Box<Set>, Box<Set>),
    Except(Box<Set>, Box<Set>),
}

impl Set {
    pub fn text(&self) -> String {
        match self {
            Set::Any => "any".into(),
            Set::OneOf(values) => format!("{{ {} }}", list(values)),
            Set::Range(low, high) => match (low, high) {
                (None, None) => "any".into(),
                _ranges => format!("{}..{}", number(*low), number(*high)),
            },
            Set::Prefix(prefix) => format!("prefix {prefix:?}"),
            Set::Each(set) => format!("each in ({})", set.text()),
            Set::Size(low, high) => format!("size {low}..{}", high.map(|n| n.to_string()).unwrap_or_default()),
            Set::Keys(set) => format!("keys in ({})", set.text()),
            Set::Values(set) => format!("values in ({})", set.text()),
            Set::Members(members) => {
                let one = |(name, set): &(&str, Set)| format!("{name} in ({})", set.text());
                format!("{{ {} }}", members.iter().map(one).collect::<Vec<_>>().join("; "))
            }
            Set::Or(a, b) => format!("({}) or ({})", a.text(), b.text()),
            Set::And(a, b) => format!("({}) and ({})", a.text(), b.text()),
            Set::Except(a, b) => format!("({}) except ({})", a.text(), b.text()),
        }
    }

    pub fn holds(&self, value: &Value) -> bool {
        match self {
            Set::Any => true,
            Set::OneOf(values) => values.contains(value),
            Set::Range(low, high) => {
                value.as_i64().is_some_and(|n| low.is_none_or(|low| low <= n) && high.is_none_or(|high| n <= high))
            }
            Set::Prefix(prefix) => value.as_str().is_some_and(|text| text.starts_with(prefix)),
            Set::Each(set) => value.as_array().is_some_and(|items| items.iter().all(|item| set.holds(item))),
            Set::Size(low, high) => size(value).is_some_and(|n| *low <= n && high.is_none_or(|high| n <= high)),
            Set::Keys(set) => value.as_object().is_some_and(|o| o.keys().all(|key| set.holds(&Value::from(key.as_str())))),
            Set::Values(set) => value.as_object().is_some_and(|o| o.values().all(|value| set.holds(value))),
            Set::Members(members) => members.iter().all(|(name, set)| value.get(name).is_some_and(|v| set.holds(v))),
            Set::Or(a, b) => a.holds(value) || b.holds(value),
            Set::And(a, b) => a.holds(value) && b.holds(value),
            Set::Except(a, b) => a.holds(value) && !b.holds(value),
        }
    }

    /// Whether it speaks of elements, of sizes.
    fn speaks_of(&self) -> (bool, bool) {
        match self {
            Set::Each(_) => (true, false),
            Set::Size(..) => (false, true),
            Set::Or(a, b) | Set::And(a, b) | Set::Except(a, b) => {
                let (a, b) = (a.speaks_of(), b.speaks_of());
                (a.0 || b.0, a.1 || b.1)
            }
            Set::Any | Set::OneOf(_) | Set::Range(..) | Set::Prefix(_) | Set::Keys(_) | Set::Values(_) | Set::Members(_) => {
                (false, false)
            }
        }
    }
}

fn size(value: &Value) -> Option<usize> {
    value.as_array().map(Vec::len).or(value.as_object().map(serde_json::Map::len))
}

fn list(values: &[Value]) -> String {
    values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")
}

fn number(n: Option<i64>) -> String {
    n.map(|n| n.to_string()).unwrap_or_default()
}

/// A clause of a row: what stands at the end of `path` in an argument.
#[derive(Clone, Debug)]
pub struct Clause {
    pub argument: usize,
    /// `each`, `values`, or a member.
    pub path: Vec<&'static str>,
    pub set: Set,
    pub or: Or,
}

/// What a clause admits beside its set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Or {
    Nothing,
    Absent,
    Null,
}

impl Clause {
    pub fn text(&self, argument: &Field) -> String {
        let path: String = self.path.iter().map(|step| format!(".{step}")).collect();
        let or = match self.or {
            Or::Nothing => "",
            Or::Absent => " or absent",
            Or::Null => " or null",
        };
        format!("{}{path} in ({}){or}", argument.name, self.set.text())
    }

    /// `whole`: the values of the argument's type.
    pub fn admits(&self, argument: &Field, point: &Point, whole: &[Point]) -> bool {
        match point {
            // Null of `or null` names nothing, and lies in every set.
            Point::Value(Value::Null) => true,
            Point::Value(value) => self.at(&argument.ty, &self.path, value),
            Point::Absent => argument.may_miss == Miss::NamesNothing || self.or == Or::Absent && self.path.is_empty(),
            Point::Unspecified => whole.iter().all(|point| match point {
                Point::Value(value) => self.at(&argument.ty, &self.path, value),
                Point::Absent | Point::Unspecified => true,
            }),
        }
    }

    fn at(&self, ty: &Ty, path: &[&str], value: &Value) -> bool {
        let Some((step, rest)) = path.split_first() else {
            let (elements, sizes) = self.set.speaks_of();
            let implied = elements && !sizes && matches!(ty, Ty::List(_, Sized::Free));
            return self.set.holds(value) && (!implied || size(value) != Some(0));
        };
        match ty {
            Ty::List(of, sized) => {
                let items = value.as_array().expect("a list");
                (*sized == Sized::UpTo2 || !items.is_empty()) && items.iter().all(|item| self.at(of, rest, item))
            }
            Ty::Map(of, _) => value.as_object().expect("a map").values().all(|value| self.at(of, rest, value)),
            Ty::Record(fields) => {
                let field = fields.iter().find(|f| f.name == *step).expect("a member");
                match value.get(step) {
                    Some(value) => self.at(&field.ty, rest, value),
                    None => self.or == Or::Absent,
                }
            }
            Ty::Words(_) | Ty::Text(_) | Ty::Int(..) | Ty::Bool | Ty::Union(_) => panic!("no path into a scalar"),
        }
    }
}

/// What is seen of a value at `path`: everything there, in order, with what is missing.
pub fn seen(path: &[&str], value: &Value) -> String {
    let Some((step, rest)) = path.split_first() else { return value.to_string() };
    let items: Vec<String> = match (*step, value) {
        ("each", Value::Array(items)) => items.iter().map(|item| seen(rest, item)).collect(),
        ("values", Value::Object(members)) => {
            let mut items: Vec<String> = members.values().map(|value| seen(rest, value)).collect();
            items.sort();
            items
        }
        (name, value) => vec![value.get(name).map_or("missing".to_owned(), |value| seen(rest, value))],
    };
    format!("[{}]", items.join(","))
}
