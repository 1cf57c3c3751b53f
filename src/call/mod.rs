//! JSON bytes → a [`Value`], strictly, in one pass: RFC 8259, UTF-8, no duplicate member at any depth, bounded depth and
//! size. What two readers could read differently is an error. Knows no types and no policies.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod read;
mod scan;
pub(crate) mod splice;

use crate::digest::{Node, View};
use crate::domain::{NumberError, Value};

pub use read::read;
pub(crate) use scan::{Odd, Scan, Token};

/// The bounds of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How deep arrays and objects may nest; at most 1,024 whatever is set, since a tree's end costs stack.
    pub depth: usize,
    /// How many bytes a text may have.
    pub size: usize,
}

impl Default for Bounds {
    /// Depth 64, 1 MiB.
    fn default() -> Bounds {
        Bounds { depth: 64, size: 1 << 20 }
    }
}

/// Why a text is not read, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why} at byte {offset}")]
pub struct ReadError {
    /// The byte offset, from 0.
    pub offset: usize,
    /// What is wrong there.
    pub why: Why,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// More bytes than [`Bounds::size`].
    #[error("more than {0} bytes")]
    Size(usize),
    /// Deeper than [`Bounds::depth`].
    #[error("nested more than {0} deep")]
    Depth(usize),
    /// Not UTF-8.
    #[error("not UTF-8")]
    Encoding,
    /// The text ends too soon.
    #[error("the text ends too soon")]
    Ends,
    /// Another character than these.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A member name that the object has already.
    #[error("duplicate member {0:?}")]
    Duplicate(Box<str>),
    /// A control character in a string.
    #[error("an unescaped control character in a string")]
    Control,
    /// Not an escape.
    #[error("not an escape sequence")]
    Escape,
    /// Half of a surrogate pair.
    #[error("a lone surrogate")]
    Surrogate,
    /// Not a number, or beyond what readers agree on.
    #[error("{0}")]
    Number(#[from] NumberError),
}

impl Node for Value {
    fn view(&self) -> View<'_, Value> {
        match self {
            Value::Null => View::Null,
            Value::Bool(value) => View::Bool(*value),
            Value::Number(number) => View::Number(number.to_string()),
            Value::Text(text) => View::Text(text),
            Value::List(items) => View::List(items),
            Value::Object(members) => View::Object(members),
        }
    }
}

#[cfg(test)]
mod tests;
