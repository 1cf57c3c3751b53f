//! Values that a call may carry, with numbers exact.

use serde::{Deserialize, Serialize};

/// An exact decimal number: `(-1)^negative × 0.DIGITS × 10^exponent`.
///
/// Canonical: no leading and no trailing zero digit; zero has no digits, exponent 0 and is not negative. So equality of the
/// fields is equality of numbers. Serialised as its plain text, and read back within the limits on numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Decimal {
    pub(crate) negative: bool,
    /// ASCII digits, most significant first.
    pub(crate) digits: Box<str>,
    pub(crate) exponent: i32,
}

/// A JSON value with exact numbers. Object members keep the order of the text; keys are distinct.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Value {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number.
    Number(Decimal),
    /// A string of Unicode scalars.
    Text(Box<str>),
    /// An array.
    List(#[serde(deserialize_with = "super::nested::nested")] Vec<Value>),
    /// An object.
    Object(#[serde(deserialize_with = "super::nested::nested")] Vec<(Box<str>, Value)>),
}

/// What an argument (or record member) of a call can be: a value, or one of the three points that are none.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Point {
    /// A value, `null` included where the type admits it.
    Value(Value),
    /// Not there, and not defaulted.
    Absent,
    /// Left to the provider: omitted under `= unspecified`, or the wildcard given.
    Unspecified,
}
