//! A policy and a call → what must be decided, as plainly as the documents say it and in no other way.
//!
//! It exists to be compared with the compiled path, so it shares nothing with it but the data types of the policy: its JSON
//! reader, its numbers (digit strings), its paths (splitting), its patterns (walking the tree), its hosts and URLs (the
//! `url` crate) and its settling (trying every completion) are its own. It is slow, and meant to be.

pub mod candidates;
pub mod changes;
pub mod decide;
pub mod facts;
pub mod formed;
pub mod gate;
pub mod generate;
pub mod hidden;
pub mod host;
pub mod json;
pub mod member;
pub mod number;
pub mod path;
pub mod pattern;
pub mod places;
pub mod route;
pub mod settle;
pub mod situation;
pub mod time;
pub mod web;

pub use decide::{Decision, Question, admit, decide};
pub use json::Json;
pub use situation::Situation;

/// The policy's exact number as one of ours, by way of its plain text.
pub fn decimal(n: &bailiwick::domain::Decimal) -> number::Num {
    number::Num::read(&n.to_string()).expect("a decimal prints as a number")
}
