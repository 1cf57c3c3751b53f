//! Membership by structural recursion and policies by enumeration: the oracle. Shares only data types with the proof.

use super::world::limit_ref;
use crate::domain::{Atom, Comparison, Member, Point, Range, Set, Slot, Step, Value};
use crate::policy::*;

pub fn holds(set: &Set, value: &Value) -> bool {
    match set {
        Set::Any => true,
        Set::Never => false,
        Set::Not(inner) => !holds(inner, value),
        Set::And(parts) => parts.iter().all(|p| holds(p, value)),
        Set::Or(parts) => parts.iter().any(|p| holds(p, value)),
        Set::Atom(atom) => atom_holds(atom, value),
    }
}

fn atom_holds(atom: &Atom, value: &Value) -> bool {
    match (atom, value) {
        (Atom::OneOf(values), value) => values.contains(value),
        (Atom::Numbers(range), Value::Number(n)) => in_range(range, n),
        (Atom::Prefix(p), Value::Text(t)) => t.starts_with(&**p),
        (Atom::Suffix(p), Value::Text(t)) => t.ends_with(&**p),
        (Atom::Each(set), Value::List(items)) => items.iter().all(|v| holds(set, v)),
        (Atom::Size(size), Value::List(items)) => {
            items.len() as u64 >= size.low && size.high.is_none_or(|h| items.len() as u64 <= h)
        }
        (Atom::Field(name, slot), Value::Object(members)) => match members.iter().find(|(n, _)| n == name) {
            Some((_, Value::Null)) => slot.null,
            Some((_, value)) => holds(&slot.values, value),
            None => slot.absent,
        },
        other => panic!("the oracle does not know {other:?}"),
    }
}

fn in_range(range: &Range<crate::domain::Decimal>, n: &crate::domain::Decimal) -> bool {
    let open = |end: &Comparison| *end == Comparison::Exclusive;
    let low = range.low.as_ref().is_none_or(|(low, end)| n > low || n == low && !open(end));
    let high = range.high.as_ref().is_none_or(|(high, end)| n < high || n == high && !open(end));
    low && high
}

/// `universe`: every point of the member that the oracle looks at; complete for finite types.
pub fn slot_holds(slot: &Slot, point: &Point, universe: &[Point]) -> bool {
    match point {
        Point::Value(Value::Null) => slot.null,
        Point::Value(value) => holds(&slot.values, value),
        Point::Absent => slot.absent,
        Point::Unspecified => universe.iter().all(|p| match p {
            Point::Value(value) => holds(&slot.values, value),
            Point::Absent | Point::Unspecified => true,
        }),
    }
}

/// The tools of a world with every point of every argument.
pub struct Universe {
    pub points: Vec<Vec<Vec<Point>>>,
    /// By tool: every coherent call.
    pub calls: Vec<Vec<Vec<Point>>>,
}

impl Universe {
    pub fn new(vocabulary: &Vocabulary, of: impl Fn(&Member) -> Vec<Point>) -> Universe {
        let points: Vec<Vec<Vec<Point>>> =
            vocabulary.tools.iter().map(|t| t.arguments.iter().map(|a| of(&a.member)).collect()).collect();
        let calls = vocabulary.tools.iter().zip(&points).map(|(tool, points)| {
            let all = points.iter().fold(vec![Vec::new()], |all: Vec<Vec<Point>>, points| {
                all.iter()
                    .flat_map(|c| points.iter().map(move |p| [c.as_slice(), std::slice::from_ref(p)].concat()))
                    .collect()
            });
            all.into_iter().filter(|call| coherent(vocabulary, tool, call)).collect()
        });
        let calls = calls.collect();
        Universe { points, calls }
    }
}

/// `p` and `rest`.
fn split<'t>(within: &Within, text: &'t str) -> Option<(&'t str, &'t str)> {
    let (p, rest) = text.split_once(&*within.separator)?;
    within.values.iter().any(|v| **v == *p).then_some((p, rest))
}

fn coherent(vocabulary: &Vocabulary, tool: &Tool, call: &[Point]) -> bool {
    tool.couplings.iter().all(|coupling| {
        let place = &tool.places[coupling.place];
        let within = vocabulary.limits[place.limit.limit].within.as_ref().unwrap();
        match (&call[place.argument], &call[coupling.named]) {
            (Point::Value(Value::Text(text)), Point::Value(Value::Text(named))) => {
                split(within, text).is_none_or(|(p, _)| p == &**named)
            }
            _free => true,
        }
    })
}

/// What stands at the end of `steps`.
pub fn at(point: &Point, steps: &[Step]) -> Vec<Value> {
    let Point::Value(value) = point else { return Vec::new() };
    steps.iter().fold(vec![value.clone()], |values, step| {
        values
            .into_iter()
            .flat_map(|value| match (step, value) {
                (Step::Each, Value::List(items)) => items,
                (Step::Field(name), Value::Object(members)) => {
                    members.into_iter().filter(|(n, _)| n == name).map(|(_, v)| v).collect()
                }
                (step, value) => panic!("no {step:?} in {value:?}"),
            })
            .collect()
    })
}

pub struct Oracle<'a> {
    pub vocabulary: &'a Vocabulary,
    pub universe: &'a Universe,
}

impl Oracle<'_> {
    /// Whether a layer's limits let the call to `tool` pass.
    pub fn limits(&self, layer: &Layer, tool: usize, call: &[Point]) -> bool {
        let settings = || layer.uses.iter().flat_map(|u| &u.limits);
        let setting = |limit: LimitRef| settings().find(|s| s.limit == limit).map(|s| &s.value);
        self.vocabulary.tools[tool].places.iter().all(|place| {
            let values = at(&call[place.argument], &place.steps);
            let own = match setting(place.limit) {
                None | Some(LimitValue::Many | LimitValue::Single) => true,
                Some(LimitValue::Set(slot)) => self.under(tool, place, slot, &call[place.argument], &values),
                Some(LimitValue::Bound(bound)) => self.bound(tool, place, bound, call),
            };
            let within = self.vocabulary.limits[place.limit.limit].within.as_ref();
            let named = within.is_none_or(|within| match setting(within.limit) {
                Some(LimitValue::Set(slot)) => values.iter().all(|value| match value {
                    Value::Text(text) => {
                        split(within, text).is_none_or(|(p, _)| holds(&slot.values, &Value::Text(p.into())))
                    }
                    _other => true,
                }),
                _none => true,
            });
            own && named
        })
    }

    fn under(&self, tool: usize, place: &Place, slot: &Slot, point: &Point, values: &[Value]) -> bool {
        match point {
            Point::Value(Value::List(items)) if items.is_empty() => false,
            Point::Value(_) => values.iter().all(|v| holds(&slot.values, v)),
            Point::Absent => slot.absent,
            Point::Unspecified => slot_holds(slot, point, &self.universe.points[tool][place.argument]),
        }
    }

    fn bound(&self, tool: usize, place: &Place, bound: &Value, call: &[Point]) -> bool {
        let limit = &self.vocabulary.limits[place.limit.limit];
        let (Value::Text(bound), Point::Value(Value::Text(text))) = (bound, &call[place.argument]) else { return false };
        let within = limit.within.as_ref().unwrap();
        let named = self.vocabulary.tools[tool].couplings.iter().map(|c| &call[c.named]).next();
        match split(within, bound) {
            None => text == bound || split(within, text).is_some_and(|(_, rest)| *rest == **bound),
            Some((p, rest)) => {
                let beside = named.is_none_or(|n| *n == Point::Value(Value::Text(p.into())));
                text == bound || **text == *rest && beside
            }
        }
    }

    pub fn row(&self, row: &Row, call: &[Point]) -> bool {
        row.clauses.iter().all(|c| slot_holds(&c.slot, &call[c.argument], &self.universe.points[row.tool][c.argument]))
    }

    pub fn agent(&self, layer: &Layer, tool: usize, call: &[Point]) -> bool {
        let rows = || layer.uses.iter().flat_map(|u| &u.rows).filter(|r| r.tool == tool);
        self.limits(layer, tool, call) && rows().any(|row| self.row(row, call))
    }

    pub fn overlay(&self, layer: &Layer, tool: usize, call: &[Point]) -> bool {
        let rows: Vec<&Row> = layer.uses.iter().flat_map(|u| &u.rows).filter(|r| r.tool == tool).collect();
        let named = |list: &[ListedTool]| list.iter().any(|l| l.tool == tool);
        let spoken = &layer.uses[0];
        let open = spoken.tools.as_ref().is_none_or(|list| named(list) || !rows.is_empty()) && !named(&spoken.without);
        open && self.limits(layer, tool, call) && (rows.is_empty() || rows.iter().any(|row| self.row(row, call)))
    }
}

/// What a row's words see of a call: the whole arguments it mentions, or the values at the paths.
pub fn key(row: &Row, call: &[Point]) -> Vec<String> {
    row.clauses
        .iter()
        .map(|c| match &call[c.argument] {
            Point::Value(_) if !c.steps.is_empty() => format!("{:?}", at(&call[c.argument], &c.steps)),
            point => format!("{point:?}"),
        })
        .collect()
}

/// A limit under the oracle's eyes: what some permitted call has at its places, and nothing else there.
pub fn reached(oracle: &Oracle<'_>, layer: &Layer, limit: usize, value: &Value) -> bool {
    let vocabulary = oracle.vocabulary;
    (0..vocabulary.tools.len()).any(|tool| {
        oracle.universe.calls[tool].iter().filter(|call| oracle.agent(layer, tool, call)).any(|call| {
            vocabulary.tools[tool].places.iter().any(|place| {
                let there = at(&call[place.argument], &place.steps);
                if place.limit == limit_ref(limit) {
                    return !there.is_empty() && there.iter().all(|v| v == value);
                }
                let within = vocabulary.limits[place.limit.limit].within.as_ref();
                let Some(within) = within.filter(|w| w.limit == limit_ref(limit)) else { return false };
                there.iter().any(|v| match v {
                    Value::Text(text) => match split(within, text) {
                        Some((p, _)) => Value::Text(p.into()) == *value,
                        // What a bare text leaves open, the argument beside it says.
                        None => vocabulary.tools[tool].couplings.is_empty(),
                    },
                    _other => false,
                })
            })
        })
    })
}

/// Whether `layer` permits any call to a tool with an argument under `limit`, or with one that names under it.
pub fn speaks(oracle: &Oracle<'_>, layer: &Layer, limit: usize) -> bool {
    let vocabulary = oracle.vocabulary;
    let under = |place: &Place| {
        let within = vocabulary.limits[place.limit.limit].within.as_ref();
        place.limit == limit_ref(limit) || within.is_some_and(|w| w.limit == limit_ref(limit))
    };
    let bites = |tool: &usize| vocabulary.tools[*tool].places.iter().any(under);
    let mut tools = (0..vocabulary.tools.len()).filter(bites);
    tools.any(|tool| oracle.universe.calls[tool].iter().any(|call| oracle.agent(layer, tool, call)))
}
