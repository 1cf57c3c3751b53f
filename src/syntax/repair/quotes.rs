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
    let Some(open) = open(site) else { return bare(site) };
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

/// `targets = tmux:main`, `{ https://a.test/x }`, `{ --all }`: a text that stands without quotes. A `//` in it begins a comment.
fn bare(site: &Site<'_>) -> Vec<Guess> {
    let found = site.found().map_or(site.text().len(), |t| t.start);
    let commented = crate::syntax::token::tokens(site.text());
    let addresses = commented.windows(2).filter(|w| w[0].kind == TokenKind::Colon && w[1].kind == TokenKind::Comment);
    let places = addresses.map(|w| w[0].start).take(MAX_PLACES).chain([found]);
    let mut guesses = Vec::new();
    for run in places.filter_map(|at| bare_text(site.text(), at)).filter(|run| !is_dotted(&site.text()[run.clone()])) {
        // `backend:tmux:main` may be a name and its value.
        let starts = site.text()[run.clone()].match_indices(':').map(|(i, _)| run.start + i + 1);
        for start in std::iter::once(run.start).chain(starts).filter(|start| *start < run.end) {
            guesses.push(quoted(site, start..run.end));
        }
    }
    guesses.truncate(MAX_PLACES);
    guesses
}

/// `{ example.com }`: it may also be a tool with its connector, which is thought of first.
pub(super) fn dotted(site: &Site<'_>) -> Vec<Guess> {
    let found = site.found().map_or(site.text().len(), |t| t.start);
    bare_text(site.text(), found).map(|run| quoted(site, run)).into_iter().collect()
}

fn is_dotted(run: &str) -> bool {
    run.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.') && run.starts_with(|c: char| !c.is_ascii_digit())
}

fn quoted(site: &Site<'_>, range: std::ops::Range<usize>) -> Guess {
    let written = &site.text()[range.clone()];
    let finding = site
        .guess(Code::MISSING_MARK, &range, format!("quotes are missing around {}", shown(written)))
        .note("only names, numbers and dates stand without");
    let change = Change::new(range, format!("\"{written}\""));
    Guess::new(finding, "quote it", vec![change])
}

/// What stands around `at` without blanks, brackets, commas, quotes or operators, if it is more than a name, number or range.
pub(in crate::syntax) fn bare_text(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let ends = |c: char| c.is_whitespace() || c.is_control() || ",;{}[]()\"'<>=#“”„«»‘’".contains(c);
    let start = text.get(..at)?.rfind(ends).map_or(0, |i| i + text[i..].chars().next().map_or(1, char::len_utf8));
    let end = text.get(at..)?.find(ends).map_or(text.len(), |i| at + i);
    let run = text.get(start..end)?;
    let name = run.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let worded = run.contains(|c: char| c.is_ascii_alphabetic()) || run.matches('.').count() > 1;
    let whole = !run.contains("..") && !run.ends_with([':', '.', '-']) && !run.starts_with([':', '.']);
    (!name && worded && whole && run.len() <= 200).then_some(start..end)
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
