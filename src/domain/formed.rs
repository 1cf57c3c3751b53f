//! A value and a type → well-formed or not, and where and why not. The same for anybody, whatever the policy.

use super::url::{self, Bare};
use super::{Kind, Matcher, NumberKind, TimeKind, Type, Value, Work, email, host, interval, ip, shape, time};

/// Why a value is not well-formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where in the value: a JSON pointer (RFC 6901), empty for the value itself.
    pub path: String,
    /// What is expected there: `a whole number`.
    pub expected: String,
}

impl Fault {
    /// Something else than `expected` stands here.
    pub fn new(expected: impl Into<String>) -> Fault {
        Fault { path: String::new(), expected: expected.into() }
    }

    /// The fault, seen from one level further out.
    #[must_use]
    pub fn under(self, step: impl std::fmt::Display) -> Fault {
        let step = step.to_string().replace('~', "~0").replace('/', "~1");
        Fault { path: format!("/{step}{}", self.path), ..self }
    }
}

/// Whether `value` is a value of `ty`, its refinement included.
///
/// # Errors
/// [`Fault`]: where it is not, and what is expected there.
pub fn well_formed(ty: &Type, value: &Value) -> Result<(), Fault> {
    if ty.null && *value == Value::Null {
        return Ok(());
    }
    of_kind(&ty.kind, value)?;
    let Some(refinement) = &ty.refinement else {
        return Ok(());
    };
    // A refinement too large to compile is refused where it is written; here it holds of nothing.
    let holds = Matcher::compile(ty, refinement, &mut Work::new()).is_ok_and(|matcher| matcher.test_exactly(value).is_in());
    if holds { Ok(()) } else { Err(Fault::new(super::render_set(&Type { refinement: None, ..ty.clone() }, refinement))) }
}

fn of_kind(kind: &Kind, value: &Value) -> Result<(), Fault> {
    match kind {
        Kind::List(_) | Kind::OneOrList(_) | Kind::Argv | Kind::Map(_) | Kind::Record { .. } | Kind::Union(_) => {
            shape::well_formed(kind, value)
        }
        scalar if is_of_kind(scalar, value) => Ok(()),
        scalar => Err(Fault::new(noun(scalar))),
    }
}

/// Whether `value` is of a scalar kind, refinements aside. No composite is.
pub(crate) fn is_of_kind(kind: &Kind, value: &Value) -> bool {
    match kind {
        Kind::Bool => matches!(value, Value::Bool(_)),
        Kind::Enum(values) => values.contains(value),
        Kind::Number(number) => matches!(value, Value::Number(value) if interval::well_formed(*number, value)),
        Kind::Text { .. } | Kind::OpaqueText => matches!(value, Value::Text(_)),
        Kind::Path { .. } => text_is(value, |text| !text.contains('\0')),
        Kind::Time(time) => text_is(value, |text| time::read(*time, text).is_some()),
        Kind::OpaqueJson => true,
        Kind::Host => text_is(value, |text| host::read(text).is_well_formed()),
        Kind::Url { bare } => text_is(value, |text| url::read(text, Bare::of(*bare)).is_well_formed()),
        Kind::Email => text_is(value, |text| email::read(text).is_well_formed()),
        Kind::Ip => text_is(value, |text| ip::read(text).is_some()),
        Kind::List(_) | Kind::OneOrList(_) | Kind::Argv | Kind::Map(_) | Kind::Record { .. } | Kind::Union(_) => false,
    }
}

/// What is expected of a value of the kind.
fn noun(kind: &Kind) -> String {
    let noun = match kind {
        Kind::Enum(values) => return one_of(values),
        Kind::Bool => "true or false",
        Kind::Number(number) => number_noun(*number),
        Kind::Text { .. } | Kind::OpaqueText => "a string",
        Kind::Path { .. } => "a file path, a string without NUL",
        Kind::Time(time) => time_noun(*time),
        Kind::OpaqueJson => "a value",
        Kind::Host => "a host name or address",
        Kind::Url { .. } => "an absolute URL",
        Kind::Email => "one email address, `name@example.com`",
        Kind::Ip => "an IPv4 or IPv6 address",
        Kind::List(_) | Kind::OneOrList(_) | Kind::Argv => "a list",
        Kind::Map(_) | Kind::Record { .. } => "an object",
        Kind::Union(_) => "a value of one of the alternatives",
    };
    noun.to_owned()
}

fn text_is(value: &Value, is: impl Fn(&str) -> bool) -> bool {
    matches!(value, Value::Text(text) if is(text))
}

/// `one of "a", "b"`; a long list is cut.
fn one_of(values: &[Value]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<String> = values.iter().take(SHOWN).map(super::compact).collect();
    match (shown.as_slice(), values.len().checked_sub(SHOWN)) {
        ([only], _) => only.clone(),
        (_, Some(left)) if left > 0 => format!("one of {} and {left} more", shown.join(", ")),
        _ => format!("one of {}", shown.join(", ")),
    }
}

fn number_noun(number: NumberKind) -> &'static str {
    match number {
        NumberKind::Int => "a whole number within ±(2^53−1)",
        NumberKind::Int64 => "a whole number of 64 bits, within −2^63..2^63−1",
        NumberKind::Decimal => "a number",
    }
}

fn time_noun(time: TimeKind) -> &'static str {
    match time {
        TimeKind::Instant => "an instant as RFC 3339 writes it, `2026-11-30T12:00:00Z`",
        TimeKind::DateTime => "a date and time without zone, `2026-11-30T12:00:00`",
        TimeKind::Date => "a date, `2026-11-30`",
    }
}
