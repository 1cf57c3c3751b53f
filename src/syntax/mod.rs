//! Text → tokens and ast: the guard, the cut into declarations, the grammar, the formatter. Knows no name and no type.

pub mod ast;
mod cut;
mod draft;
mod format;
mod grammar;
mod guard;
mod literal;
mod lower;
mod nouns;
mod parse;
pub mod pattern;
mod repair;
mod token;
mod words;

pub use format::format;
pub use parse::parse;
pub use token::{Token, TokenKind, tokens};

#[cfg(test)]
mod tests;
