//! Scalar kinds → the keywords that every value of the kind obeys; parts of URLs and emails → expressions.

use super::ecma;
use super::json::{Object, text};
use crate::domain::{Atom, Decimal, Kind, NumberKind, Part, TimeKind, Value};

/// The largest integer that every reader has exactly: 2^53 − 1.
const LARGEST: i64 = 9_007_199_254_740_991;

/// Whether numbers of the kind are integral.
pub(super) fn is_whole(kind: NumberKind) -> bool {
    match kind {
        NumberKind::Int | NumberKind::Int64 => true,
        NumberKind::Decimal => false,
    }
}

/// What the kind alone demands.
pub(super) fn base(kind: &Kind) -> Object {
    let of_type = |name: &str| Object::default().with("type", text(name));
    match kind {
        Kind::Bool => of_type("boolean"),
        Kind::Number(number) => of_type(if is_whole(*number) { "integer" } else { "number" }),
        Kind::Time(TimeKind::Instant) => of_type("string").with("format", text("date-time")),
        Kind::Time(TimeKind::Date) => of_type("string").with("format", text("date")),
        Kind::Text { .. }
        | Kind::Host
        | Kind::Url { .. }
        | Kind::Path { .. }
        | Kind::Email
        | Kind::Ip
        | Kind::Time(TimeKind::DateTime)
        | Kind::OpaqueText => of_type("string"),
        Kind::Enum(_)
        | Kind::List(_)
        | Kind::OneOrList(_)
        | Kind::Argv
        | Kind::Map(_)
        | Kind::Record { .. }
        | Kind::Union(_)
        | Kind::OpaqueJson => Object::default(),
    }
}

/// The bounds of the kind, where the sets have set none.
pub(super) fn close(kind: &Kind, schema: &mut Object) {
    let (lowest, highest) = match kind {
        Kind::Number(NumberKind::Int) => (-LARGEST, LARGEST),
        Kind::Number(NumberKind::Int64) => (i64::MIN, i64::MAX),
        _unbounded => return,
    };
    if schema.get("minimum").is_none() && schema.get("exclusiveMinimum").is_none() {
        schema.set("minimum", Value::Number(Decimal::from_i64(lowest)));
    }
    if schema.get("maximum").is_none() && schema.get("exclusiveMaximum").is_none() {
        schema.set("maximum", Value::Number(Decimal::from_i64(highest)));
    }
}

/// The expression of whole values whose part lies in `atom`; `None`: there is none.
pub(super) fn part_expression(kind: &Kind, part: Part, atom: &Atom) -> Option<String> {
    let words = |values: &[Value]| {
        let words: Option<Vec<String>> = values
            .iter()
            .map(|value| match value {
                Value::Text(t) => Some(ecma::literal(t)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Object(_) => None,
            })
            .collect();
        Some(format!("(?:{})", words?.join("|")))
    };
    match (kind, part, atom) {
        (Kind::Url { .. }, Part::Scheme, Atom::OneOf(values)) => Some(format!("^{}:", words(values)?)),
        (Kind::Url { .. }, Part::Host, Atom::Host(pattern)) => {
            Some(format!("^[a-z][a-z0-9+.\\-]*://{}(?::[0-9]+)?(?:[/?#]|$)", ecma::host_part(pattern)))
        }
        (Kind::Email, Part::Host, Atom::Host(pattern)) => Some(format!("@{}$", ecma::host_part(pattern))),
        (Kind::Email, Part::Local, Atom::OneOf(values)) => Some(format!("^{}@", words(values)?)),
        _no_expression => None,
    }
}
