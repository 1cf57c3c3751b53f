//! A failure of the grammar → one finding in the user's words, and where it can be told what was meant, the change that mends
//! it. A change is offered only if the declaration can then be read on.

use super::draft::{Change, Draft};
use super::grammar::Failure;
use super::nouns;
use super::token::tokens;
use crate::diag::{Code, Diagnostic};
use crate::source::{FileId, Span};

/// What was found, and what to read instead (in the draft's offsets).
pub(super) struct Mended {
    pub finding: Diagnostic,
    pub changes: Option<Vec<Change>>,
}

/// Explains a failure and mends it if it can be told how.
pub(super) fn mend(draft: &Draft, file: FileId, failure: &Failure) -> Mended {
    let tokens = tokens(&draft.text);
    let at = tokens.iter().position(|t| t.start >= failure.at && !t.kind.is_trivia());
    let found = at.map_or("the end of the declaration".to_owned(), |i| nouns::found(&tokens[i], &draft.text));
    let expected = nouns::expected(&failure.expected);
    let span = at.map_or(span(draft, file, draft.text.len(), draft.text.len()), |i| {
        span(draft, file, tokens[i].start, tokens[i].end)
    });
    let finding = Diagnostic::new(Code::SYNTAX, span, format!("expected {expected}, found {found}"));
    Mended { finding, changes: None }
}

fn span(draft: &Draft, file: FileId, start: usize, end: usize) -> Span {
    Span::new(file, draft.start(start), draft.end(end).max(draft.start(start)))
}
