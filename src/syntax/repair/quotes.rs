//! Strings that are not closed, or not opened: where the quote is missing.

use super::{Guess, Site};
use crate::diag::{Code, Diagnostic};
use crate::syntax::draft::Change;
use crate::syntax::token::{Token, TokenKind};

/// At most so many places are tried.
const MAX_PLACES: usize = 40;

/// The first string that is not closed.
fn open(site: &Site<'_>) -> Option<Token> {
    site.tokens.iter().find(|t| t.kind == TokenKind::OpenText).copied()
}

pub(super) fn unclosed(site: &Site<'_>) -> Option<Diagnostic> {
    let open = open(site)?;
    let finding = site.guess(Code::UNCLOSED_QUOTE, &(open.start..open.end), "this string is not closed");
    Some(finding.note("a string ends on the line on which it begins; adjacent strings of `describe` join"))
}

/// A quote before each mark that may follow a string, and before each word that may begin one, on the line of the open string.
pub(super) fn guesses(site: &Site<'_>) -> Vec<Guess> {
    let Some(open) = open(site) else { return Vec::new() };
    let text = site.text();
    let line_start = text[..open.start].rfind('\n').map_or(0, |i| i + 1);
    let line = &text[line_start..open.end];
    let mut guesses = Vec::new();
    for close in closing_places(line).into_iter().take(MAX_PLACES) {
        let at = line_start + close;
        let Some(quote) = text[line_start..at].rfind('"').map(|i| line_start + i) else { continue };
        if at <= quote + 1 {
            continue;
        }
        let finding = site
            .guess(Code::UNCLOSED_QUOTE, &(quote..at), format!("this string is not closed: {}", shown(&text[quote..at])))
            .label("a `\"` is missing at its end");
        guesses.push(Guess::new(finding, "close it", vec![Change::new(at..at, "\"")]));
    }
    let words = site.tokens.iter().filter(|t| t.kind == TokenKind::Word && t.start >= line_start && t.end <= open.end);
    for word in words.take(MAX_PLACES) {
        let message = format!("the string `{}…` is not opened", site.of(word));
        let finding = site.guess(Code::UNCLOSED_QUOTE, &(word.start..word.end), message);
        guesses.push(Guess::new(finding, "open it", vec![Change::new(word.start..word.start, "\"")]));
    }
    guesses.truncate(MAX_PLACES);
    guesses
}

fn shown(written: &str) -> String {
    let start: String = written.chars().take(30).collect();
    let dots = if start.len() < written.len() { "…" } else { "" };
    format!("`{start}{dots}`")
}

/// Where in the line a string may end: before a mark, before a comment, at the end; without the blanks before.
fn closing_places(line: &str) -> Vec<usize> {
    let mut places = vec![line.trim_end().len()];
    for (i, c) in line.char_indices() {
        if ",}])".contains(c) || line[i..].starts_with(" //") {
            places.push(line[..i].trim_end().len());
        }
    }
    places.dedup();
    places
}
