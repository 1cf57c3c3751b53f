//! The pest grammar as a parser, and what its rules are called when people read about them. No pest type leaves this room.

use super::draft::Draft;
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;

/// A node of pest's tree.
pub(super) type Node<'i> = Pair<'i, Rule>;

#[derive(pest_derive::Parser)]
#[grammar = "grammar/bailiwick.pest"]
struct Grammar;

/// Where a text stops being of the grammar, and what could stand there.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    /// In the draft's offsets.
    pub at: usize,
    pub expected: Vec<Rule>,
}

/// Reads one declaration.
pub(super) fn declaration(draft: &Draft) -> Result<Node<'_>, Failure> {
    read(Rule::declaration, &draft.text)
}

/// Reads a whole file at once: what [`declaration`] reads piece by piece.
#[cfg(test)]
pub(super) fn whole_file(text: &str) -> Result<Node<'_>, Failure> {
    read(Rule::file, text)
}

fn read(rule: Rule, text: &str) -> Result<Node<'_>, Failure> {
    let failure = |at, expected| Failure { at, expected };
    let mut nodes = Grammar::parse(rule, text).map_err(|error| {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        match error.variant {
            ErrorVariant::ParsingError { positives, .. } => failure(at, positives),
            ErrorVariant::CustomError { .. } => failure(at, Vec::new()),
        }
    })?;
    nodes.next().ok_or_else(|| failure(0, Vec::new()))
}
