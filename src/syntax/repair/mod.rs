//! A failure of the grammar → one finding in the user's words, and where it can be told what was meant, the change that mends
//! it. What kinds of slip are known is in the files below; a change is offered only if the declaration can then be read on.

mod brackets;
mod marks;
mod operators;
mod quotes;
mod swapped;
mod twice;
mod words;

pub(super) use quotes::bare_text;

use super::draft::{Change, Draft};
use super::grammar::{self, Failure, Rule};
use super::nouns;
use super::token::{Token, TokenKind, tokens};
use crate::diag::{Code, Diagnostic, Edit, Fix};
use crate::source::{FileId, Span};
use std::ops::Range;

/// How many bytes may be read again to try changes, in all of a file: so that a broken file of any size is soon done.
pub(super) struct Effort(pub usize);

/// What was found, and what to read instead (in the draft's offsets).
pub(super) struct Mended {
    pub finding: Diagnostic,
    pub changes: Option<Vec<Change>>,
    /// Where the statement ends that it is about (in the file's offsets): what fails before follows from the same mistake.
    pub until: usize,
    /// Where the last thing ends that could be read before.
    pub after: usize,
}

impl Mended {
    /// Where the finding speaks, and where its fixes change something.
    pub fn places(&self) -> impl Iterator<Item = Span> {
        let edits = self.finding.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        std::iter::once(self.finding.primary.span).chain(edits)
    }
}

/// A slip that may be what happened: what would be said, and what would mend it.
struct Guess {
    finding: Diagnostic,
    changes: Vec<Change>,
    /// What the fix is called; `None`: the change only lets the rest be read, and is not offered.
    title: Option<String>,
    /// False where a person must look at the fix.
    certain: Certainty,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    Certain,
    ForAPerson,
}

/// Where the grammar gave up.
struct Site<'a> {
    draft: &'a Draft,
    file: FileId,
    /// Without trivia.
    tokens: Vec<Token>,
    /// Index of the token that was not expected; one past the last at the end.
    at: usize,
    failure: &'a Failure,
}

/// Explains a failure and mends it if it can be told how.
pub(super) fn mend(draft: &Draft, file: FileId, failure: &Failure, effort: &mut Effort) -> Mended {
    let tokens: Vec<Token> = tokens(&draft.text).into_iter().filter(|t| !t.kind.is_trivia()).collect();
    let at = tokens.iter().position(|t| t.start >= failure.at).unwrap_or(tokens.len());
    let site = Site { draft, file, tokens, at, failure };
    let mut second = None;
    for (guesses, enough) in FAMILIES {
        for guess in guesses(&site) {
            match site.tried(&guess, effort) {
                Outcome::Read => return site.accept(guess),
                Outcome::Further if second.is_none() && *enough == Enough::Further => second = Some(guess),
                Outcome::Further | Outcome::Nothing => {}
            }
        }
    }
    match second {
        Some(guess) => site.accept(guess),
        None => Mended { finding: site.explain(), changes: None, until: site.statement_end(), after: site.after() },
    }
}

/// What must follow from a change for it to be what was meant.
#[derive(PartialEq, Eq)]
enum Enough {
    /// The rest of the declaration can be read.
    Whole,
    /// What follows can be read further.
    Further,
}

/// Where the grammar gave up → what may have been meant.
type Family = fn(&Site<'_>) -> Vec<Guess>;

/// The kinds of slip, in the order in which they are thought of.
const FAMILIES: &[(Family, Enough)] = &[
    (twice::guesses, Enough::Whole),
    (quotes::guesses, Enough::Further),
    (operators::guesses, Enough::Further),
    (words::guesses, Enough::Further),
    (quotes::dotted, Enough::Further),
    (swapped::guesses, Enough::Whole),
    (brackets::guesses, Enough::Further),
    (marks::guesses, Enough::Further),
];

/// What a change leads to.
enum Outcome {
    /// The declaration can be read.
    Read,
    /// It fails later than on this line.
    Further,
    Nothing,
}

impl Site<'_> {
    fn tried(&self, guess: &Guess, effort: &mut Effort) -> Outcome {
        let cost = self.draft.text.len() + 64;
        if effort.0 < cost {
            return Outcome::Nothing;
        }
        effort.0 -= cost;
        let changed = self.draft.with(&guess.changes);
        match grammar::declaration(&changed) {
            Ok(_) => Outcome::Read,
            Err(next) if changed.start(next.at) > self.draft.start(self.line_end(self.failure.at)) => Outcome::Further,
            Err(_) => Outcome::Nothing,
        }
    }

    fn accept(&self, guess: Guess) -> Mended {
        let mut finding = guess.finding;
        if let Some(title) = guess.title {
            let edit = |c: &Change| Edit { span: self.span(&c.range), replacement: c.text.clone() };
            finding.fixes.push(Fix {
                title,
                edits: guess.changes.iter().map(edit).collect(),
                machine_applicable: guess.certain == Certainty::Certain,
            });
        }
        Mended { finding, until: self.statement_end(), after: self.after(), changes: Some(guess.changes) }
    }

    fn after(&self) -> usize {
        self.before().map_or(0, |token| self.draft.end(token.end))
    }

    /// Where the statement ends in which the grammar gave up, with all it has in brackets.
    fn statement_end(&self) -> usize {
        let rest = self.tokens.get(self.at..).unwrap_or(&[]);
        let mut depth = 0usize;
        let mut last = self.failure.at;
        for token in rest {
            match token.kind {
                TokenKind::Newline | TokenKind::Semicolon if depth == 0 && token.start > self.failure.at => break,
                kind if kind.opens() => depth += 1,
                kind if kind.opener().is_some() => depth = depth.saturating_sub(1),
                _ => {} // inside the statement
            }
            last = token.end;
        }
        self.draft.end(last).max(self.draft.start(self.failure.at))
    }

    /// The plain message, where nothing is known of what was meant.
    fn explain(&self) -> Diagnostic {
        if let Some(finding) = quotes::unclosed(self).or_else(|| brackets::unbalanced(self)) {
            return finding;
        }
        let expected = nouns::expected(&self.failure.expected);
        let (found, span) = match self.tokens.get(self.at) {
            Some(token) => (nouns::found(token, self.text()), self.span(&self.place(token))),
            None => ("the end of the declaration".to_owned(), self.span(&self.last())),
        };
        let finding = Diagnostic::new(Code::SYNTAX, span, format!("expected {expected}, found {found}"));
        words::suggestion(self, finding)
    }

    fn text(&self) -> &str {
        &self.draft.text
    }

    fn of(&self, token: &Token) -> &str {
        token.of(&self.draft.text)
    }

    fn span(&self, range: &Range<usize>) -> Span {
        let start = self.draft.start(range.start);
        Span::new(self.file, start, self.draft.end(range.end).max(start))
    }

    /// The token that was not expected, if there is one.
    fn found(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// The last token before the failure that is no line end.
    fn before(&self) -> Option<&Token> {
        self.tokens.get(..self.at)?.iter().rev().find(|t| t.kind != TokenKind::Newline)
    }

    fn expects(&self, rule: Rule) -> bool {
        self.failure.expected.contains(&rule)
    }

    /// Where a token is pointed at: a line end at the token before it.
    fn place(&self, token: &Token) -> Range<usize> {
        match (token.kind, self.before()) {
            (TokenKind::Newline, Some(before)) => before.start..before.end,
            _ => token.start..token.end, // visible itself
        }
    }

    fn last(&self) -> Range<usize> {
        let last = self.tokens.iter().rev().find(|t| t.kind != TokenKind::Newline);
        last.map_or(0..0, |t| t.start..t.end)
    }

    /// The end of the line that holds `offset`.
    fn line_end(&self, offset: usize) -> usize {
        self.text().get(offset..).and_then(|rest| rest.find('\n')).map_or(self.text().len(), |i| offset + i)
    }

    fn guess(&self, code: Code, at: &Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, self.span(at), message)
    }
}

impl Guess {
    fn new(finding: Diagnostic, title: impl Into<String>, changes: Vec<Change>) -> Guess {
        Guess { finding, changes, title: Some(title.into()), certain: Certainty::Certain }
    }

    /// The change may not be what was meant: it is shown, and never made by a program.
    fn for_a_person(self) -> Guess {
        Guess { certain: Certainty::ForAPerson, ..self }
    }

    /// The changes only let the rest be read.
    fn unoffered(finding: Diagnostic, changes: Vec<Change>) -> Guess {
        Guess { finding, changes, title: None, certain: Certainty::ForAPerson }
    }
}
