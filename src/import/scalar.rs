//! Schemas of strings and numbers, and single values, → types. Must not know objects and alternatives.

use super::merge::Keywords;
use super::notes::Topic;
use super::pattern;
use super::schema::{Meaning, Reading, find, plain};
use crate::domain::{
    Atom, Comparison, Decimal, Kind, Matcher, Member, NumberKind, Presence, Range, Rest, Set, Size, Type, Value, Work,
    is_empty,
};
use crate::syntax::pattern::parse_pattern;

/// The largest whole number that every reader of JSON has.
const SAFE: i64 = (1 << 53) - 1;

/// `{ type: string }`
pub(super) fn string(reading: &mut Reading, keywords: &Keywords) -> Meaning {
    let mut sets = Vec::new();
    let Some(length) = counts(reading, keywords, "minLength", "maxLength") else { return Meaning::Never };
    if length != Size::ANY {
        sets.push(Set::Atom(Atom::Length(length)));
    }
    let sources: Vec<&Value> = match find(keywords, "pattern") {
        Some(Value::List(all)) => all.iter().collect(),
        one => one.into_iter().collect(),
    };
    for source in sources {
        match source {
            Value::Text(source) => sets.extend(matching(reading, source)),
            _ => reading.note(Topic::Wider, "`pattern` is no string"),
        }
    }
    let kind = Kind::Text { by_pattern: false };
    unless_empty(Type { kind, null: false, refinement: met(sets) })
}

/// The type, if some value is of it.
fn unless_empty(ty: Type) -> Meaning {
    let empty =
        ty.refinement.as_ref().is_some_and(|set| is_empty(&plain(ty.kind.clone()), set, &mut Work::new()) == Ok(true));
    if empty { Meaning::Never } else { Meaning::Of(ty) }
}

/// The meet of the sets; none of them: no refinement.
pub(super) fn met(mut sets: Vec<Set>) -> Option<Set> {
    match (sets.pop(), sets.is_empty()) {
        (None, _) => None,
        (Some(only), true) => Some(only),
        (Some(last), false) => {
            sets.push(last);
            Some(Set::And(sets))
        }
    }
}

/// The texts in which the pattern is found; `None`, and noted, where the language cannot say so. A pattern that is found
/// everywhere says nothing.
pub(super) fn matching(reading: &mut Reading, source: &str) -> Option<Set> {
    let written = match pattern::whole(source) {
        Ok(text) if text.split('|').any(|way| matches!(way, ".*" | ".*.*")) => return None,
        Ok(text) => text,
        Err(why) => {
            reading.note(Topic::Wider, format!("the pattern {source:?} cannot be said in this language: {why}"));
            return None;
        }
    };
    let set = Set::Atom(Atom::Matches(parse_pattern(&written).ok()?));
    match Matcher::compile(&plain(Kind::Text { by_pattern: true }), &set, &mut Work::new()) {
        Ok(_) => Some(set),
        Err(_) => {
            reading.note(Topic::Wider, format!("the pattern {source:?} is too large for this language"));
            None
        }
    }
}

/// A range of counts; `None` where no count lies in it.
pub(super) fn counts(reading: &mut Reading, keywords: &Keywords, low: &str, high: &str) -> Option<Size> {
    let least = count(reading, keywords, low).unwrap_or(0);
    let most = count(reading, keywords, high);
    (most.is_none_or(|most| least <= most)).then_some(Size { low: least, high: most })
}

fn count(reading: &mut Reading, keywords: &Keywords, name: &str) -> Option<u64> {
    let value = find(keywords, name)?;
    let read = match value {
        Value::Number(number) => number.to_i64().and_then(|n| u64::try_from(n).ok()),
        _ => None, // no number
    };
    if read.is_none() {
        reading.note(Topic::Wider, format!("`{name}` is no count that can be read"));
    }
    read
}

/// `{ type: number }` or `{ type: integer }`
pub(super) fn number(reading: &mut Reading, name: &str, keywords: &Keywords) -> Meaning {
    let multiple = multiple(reading, keywords);
    let whole = name == "integer" || multiple == Multiple::Whole;
    let (mut low, mut high) = (bound(reading, keywords, Side::Low), bound(reading, keywords, Side::High));
    if !whole {
        let range = Range { low, high };
        let refinement = (range.low.is_some() || range.high.is_some()).then_some(Set::Atom(Atom::Numbers(range)));
        return unless_empty(Type { kind: Kind::Number(NumberKind::Decimal), null: false, refinement });
    }
    low = low.map(|end| whole_end(end, Side::Low));
    high = high.map(|end| whole_end(end, Side::High));
    if let (Some((low, _)), Some((high, _))) = (&low, &high)
        && low > high
    {
        return Meaning::Never;
    }
    let beyond =
        |end: &Option<(Decimal, Comparison)>| end.as_ref().and_then(|(n, _)| n.to_i64()).is_some_and(|n| n.abs() > SAFE);
    let wide = beyond(&low) || beyond(&high) || find(keywords, "format") == Some(&Value::Text("int64".into()));
    let kind = if wide { NumberKind::Int64 } else { NumberKind::Int };
    let (least, most) = if wide { (i64::MIN, i64::MAX) } else { (-SAFE, SAFE) };
    let range = Range {
        low: low.filter(|(end, _)| *end > Decimal::from_i64(least)),
        high: high.filter(|(end, _)| *end < Decimal::from_i64(most)),
    };
    let refinement = (range.low.is_some() || range.high.is_some()).then_some(Set::Atom(Atom::Numbers(range)));
    unless_empty(Type { kind: Kind::Number(kind), null: false, refinement })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Multiple {
    Free,
    Whole,
}

fn multiple(reading: &mut Reading, keywords: &Keywords) -> Multiple {
    match find(keywords, "multipleOf") {
        None => Multiple::Free,
        Some(Value::Number(number)) if *number == Decimal::from_i64(1) => Multiple::Whole,
        Some(Value::Number(number)) => {
            reading.note(Topic::Wider, format!("`multipleOf` {number} cannot be said in this language"));
            if number.is_integral() { Multiple::Whole } else { Multiple::Free }
        }
        Some(_) => {
            reading.note(Topic::Wider, "`multipleOf` is no number");
            Multiple::Free
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Low,
    High,
}

/// The stricter of the two keywords of one side; `exclusiveMinimum: true` is how draft 4 writes it.
fn bound(reading: &mut Reading, keywords: &Keywords, side: Side) -> Option<(Decimal, Comparison)> {
    let (inclusive, exclusive) = match side {
        Side::Low => ("minimum", "exclusiveMinimum"),
        Side::High => ("maximum", "exclusiveMaximum"),
    };
    let mut ends = Vec::new();
    let draft_4 = find(keywords, exclusive) == Some(&Value::Bool(true));
    match find(keywords, inclusive) {
        Some(Value::Number(end)) if draft_4 => ends.push((end.clone(), Comparison::Exclusive)),
        Some(Value::Number(end)) => ends.push((end.clone(), Comparison::Inclusive)),
        Some(_) => reading.note(Topic::Wider, format!("`{inclusive}` is no number")),
        None => {}
    }
    match find(keywords, exclusive) {
        Some(Value::Number(end)) => ends.push((end.clone(), Comparison::Exclusive)),
        Some(Value::Bool(_)) | None => {}
        Some(_) => reading.note(Topic::Wider, format!("`{exclusive}` is no number")),
    }
    let stricter = |a: &(Decimal, Comparison), b: &(Decimal, Comparison)| match (a.0 == b.0, side) {
        (true, _) => a.1 == Comparison::Exclusive,
        (false, Side::Low) => a.0 > b.0,
        (false, Side::High) => a.0 < b.0,
    };
    ends.into_iter().reduce(|a, b| if stricter(&a, &b) { a } else { b })
}

/// The end as a whole number that is in: `> 0` is `>= 1`, `>= 0.5` is `>= 1`.
fn whole_end((end, how): (Decimal, Comparison), side: Side) -> (Decimal, Comparison) {
    let floor = if end.is_integral() { end.to_i64() } else { floor_of(&end) };
    let Some(floor) = floor else { return (end, how) };
    let out = end.is_integral() && how == Comparison::Exclusive;
    let moved = match (side, end.is_integral()) {
        (Side::Low, true) => floor.checked_add(i64::from(out)),
        (Side::Low, false) => floor.checked_add(1),
        (Side::High, true) => floor.checked_sub(i64::from(out)),
        (Side::High, false) => Some(floor),
    };
    moved.map_or((end, how), |moved| (Decimal::from_i64(moved), Comparison::Inclusive))
}

/// The greatest whole number below a number that is none.
fn floor_of(number: &Decimal) -> Option<i64> {
    let text = number.absolute().to_string();
    let whole: i64 = text.split('.').next()?.parse().ok()?;
    if number.is_negative() { whole.checked_neg()?.checked_sub(1) } else { Some(whole) }
}

/// `record { .. }`
pub(super) fn any_object() -> Type {
    plain(Kind::Record { members: Vec::new(), rest: Rest::Open })
}

/// The type of one value alone; `None` where the language has none.
pub(super) fn exactly(value: &Value) -> Option<Type> {
    match value {
        Value::Bool(_) | Value::Number(_) | Value::Text(_) => Some(plain(Kind::Enum(vec![value.clone()]))),
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| {
                    let ty = exactly(value)?;
                    Some(Member { name: name.clone(), ty, presence: Presence::Required, wildcard: false })
                })
                .collect::<Option<Vec<_>>>()?;
            Some(plain(Kind::Record { members, rest: Rest::Closed }))
        }
        Value::List(items) if items.is_empty() => Some(Type {
            refinement: Some(Set::Atom(Atom::Size(Size { low: 0, high: Some(0) }))),
            ..plain(Kind::List(Box::new(plain(Kind::Bool))))
        }),
        Value::Null | Value::List(_) => None,
    }
}
