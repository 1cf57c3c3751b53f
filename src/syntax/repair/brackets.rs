//! Brackets that are not closed, or close nothing: found from the tokens and their indentation.

use super::{Guess, Site};
use crate::diag::{Code, Diagnostic};
use crate::syntax::draft::Change;
use crate::syntax::token::{Token, TokenKind};

/// What does not balance.
enum Fault {
    /// Openers that nothing closes, the outermost first.
    Unclosed(Vec<usize>),
    /// A closer where nothing is open.
    Unopened(usize),
    /// An opener and a closer of another kind.
    Mismatched(usize, usize),
}

fn fault(tokens: &[Token]) -> Option<Fault> {
    let mut open: Vec<usize> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        if token.kind.opens() {
            open.push(i);
        } else if let Some(opener) = token.kind.opener() {
            match open.pop() {
                None => return Some(Fault::Unopened(i)),
                Some(o) if tokens[o].kind != opener => return Some(Fault::Mismatched(o, i)),
                Some(_) => {}
            }
        }
    }
    (!open.is_empty()).then_some(Fault::Unclosed(open))
}

fn closer(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::OpenBrace => "}",
        TokenKind::OpenBracket => "]",
        _ => ")", // the third opener
    }
}

/// The message where no change helps.
pub(super) fn unbalanced(site: &Site<'_>) -> Option<Diagnostic> {
    match fault(&site.tokens)? {
        Fault::Unclosed(open) => open.last().map(|i| unclosed(site, *i)),
        Fault::Unopened(i) => Some(unopened(site, i)),
        Fault::Mismatched(o, i) => Some(mismatched(site, o, i)),
    }
}

fn unclosed(site: &Site<'_>, opener: usize) -> Diagnostic {
    let token = &site.tokens[opener];
    site.guess(Code::UNCLOSED_BRACKET, &(token.start..token.end), format!("this `{}` is never closed", site.of(token)))
}

fn unopened(site: &Site<'_>, i: usize) -> Diagnostic {
    let token = &site.tokens[i];
    site.guess(Code::UNOPENED_BRACKET, &(token.start..token.end), format!("this `{}` closes nothing", site.of(token)))
}

fn mismatched(site: &Site<'_>, opener: usize, i: usize) -> Diagnostic {
    let (open, close) = (&site.tokens[opener], &site.tokens[i]);
    let message = format!("`{}` is closed by `{}`", site.of(open), site.of(close));
    let finding = site.guess(Code::UNOPENED_BRACKET, &(close.start..close.end), message);
    finding.also(site.span(&(open.start..open.end)), "opened here")
}

pub(super) fn guesses(site: &Site<'_>) -> Vec<Guess> {
    match fault(&site.tokens) {
        None => Vec::new(),
        Some(Fault::Unopened(i)) => {
            let token = site.tokens[i];
            let mut guesses = not_opened_on_a_line(site);
            guesses.extend(not_opened(site));
            guesses.push(Guess::new(unopened(site, i), "remove it", vec![Change::new(token.start..token.end, "")]));
            guesses
        }
        Some(Fault::Mismatched(o, i)) => {
            let token = site.tokens[i];
            let right = closer(site.tokens[o].kind);
            let replaced = Change::new(token.start..token.end, right);
            let mut guesses = vec![Guess::new(mismatched(site, o, i), format!("write `{right}`"), vec![replaced])];
            let closed = Change::new(token.start..token.start, format!("{right} "));
            guesses.push(Guess::new(unclosed(site, o), format!("close it with `{right}`"), vec![closed]));
            guesses
        }
        Some(Fault::Unclosed(open)) => close(site, &open),
    }
}

/// The openers that may be the one that was forgotten, the likeliest first, each with the place where it should be closed.
fn close(site: &Site<'_>, open: &[usize]) -> Vec<Guess> {
    let mut guesses = Vec::new();
    let mut add = |opener: usize, at: usize, text: String| {
        let title = format!("close it with `{}`", text.trim());
        guesses.push(Guess::new(unclosed(site, opener), title, vec![Change::new(at..at, text)]));
    };
    let outermost = open.first().copied().unwrap_or(0);
    let openers: Vec<usize> = (outermost..site.tokens.len()).filter(|i| site.tokens[*i].kind.opens()).take(200).collect();
    for opener in openers.iter().copied() {
        if let Some(at) = end_of_one_line(site, opener) {
            add(opener, at, format!(" {}", closer(site.tokens[opener].kind)));
        }
    }
    for opener in openers.iter().copied() {
        if let Some(at) = before_dedent(site, opener) {
            let indent = indent(site, site.tokens[opener].start);
            add(opener, at, format!("\n{}{}", " ".repeat(indent), closer(site.tokens[opener].kind)));
        }
    }
    let end = site.text().trim_end().len().max(site.last().end);
    for opener in open.iter().rev().copied() {
        let indent = " ".repeat(indent(site, site.tokens[opener].start));
        add(opener, end, format!("\n{indent}{}", closer(site.tokens[opener].kind)));
    }
    if open.len() > 1 {
        let all: String = open.iter().rev().map(|i| format!("\n{}", closer(site.tokens[*i].kind))).collect();
        add(open[open.len() - 1], end, all);
    }
    guesses
}

/// Where a bracket that is not the last token of its line, and not closed on it, would be closed on that line.
fn end_of_one_line(site: &Site<'_>, opener: usize) -> Option<usize> {
    let rest = &site.tokens[opener + 1..];
    let line = &rest[..rest.iter().position(|t| t.kind == TokenKind::Newline).unwrap_or(rest.len())];
    let last = line.last()?;
    let mut depth = 1usize;
    for token in line {
        if token.kind.opens() {
            depth += 1;
        } else if token.kind.opener().is_some() {
            depth = depth.checked_sub(1).filter(|d| *d > 0)?;
        }
    }
    (!last.kind.opens()).then_some(last.end)
}

/// The end of the line before the first one that is indented no deeper than the opener's and does not begin with a closer.
fn before_dedent(site: &Site<'_>, opener: usize) -> Option<usize> {
    let own = indent(site, site.tokens[opener].start);
    let mut last = site.tokens[opener].end;
    let mut first_of_line = false;
    for token in &site.tokens[opener + 1..] {
        if token.kind == TokenKind::Newline {
            first_of_line = true;
            continue;
        }
        if first_of_line {
            let depth = indent(site, token.start);
            if depth < own || (depth == own && token.kind.opener().is_none()) {
                return Some(last);
            }
            if depth == own {
                return None; // closed as it should be
            }
        }
        first_of_line = false;
        last = token.end;
    }
    None
}

/// Lines that a closing brace below, equally indented, would close, if only they ended in an opening one.
fn not_opened(site: &Site<'_>) -> Vec<Guess> {
    let mut guesses = Vec::new();
    // The last token of the nearest line above, by its indentation.
    let mut above: std::collections::BTreeMap<usize, Token> = std::collections::BTreeMap::new();
    for line in site.tokens.split(|t| t.kind == TokenKind::Newline) {
        let (Some(first), Some(last)) = (line.first(), line.last()) else { continue };
        let depth = indent(site, first.start);
        let head = above.get(&depth).filter(|t| first.kind == TokenKind::CloseBrace && !t.kind.opens());
        if let Some(head) = head {
            let message = format!("`{{` is missing after `{}`", site.of(head));
            let finding = site.guess(Code::MISSING_MARK, &(head.start..head.end), message);
            guesses.push(Guess::new(finding, "write `{`", vec![Change::new(head.end..head.end, " {")]));
        }
        if first.kind == TokenKind::CloseBrace {
            above.remove(&depth);
        } else {
            above.insert(depth, *last);
        }
    }
    guesses.truncate(40);
    guesses
}

/// Places on a line that closes more than it opens, where the missing brace may stand: where a set begins, then after a name.
fn not_opened_on_a_line(site: &Site<'_>) -> Vec<Guess> {
    let mut guesses = Vec::new();
    for line in site.tokens.split(|t| t.kind == TokenKind::Newline) {
        let Some(end) = unopened_on_a_line(line) else { continue };
        let begins_set =
            |i: &usize| matches!(site.of(&line[*i - 1]), "in" | "=" | "or" | "and" | "except" | "any" | "[" | ",");
        let after_name = |i: &usize| matches!(line[*i - 1].kind, TokenKind::Word | TokenKind::Text);
        let sets = (1..end).rev().filter(begins_set);
        let names = (1..end).rev().filter(|i| !begins_set(i)).filter(after_name);
        for i in sets.chain(names).take(20) {
            let token = &line[i];
            let message = format!("`{{` is missing before `{}`", super::marks::shown(site, token));
            let finding = site.guess(Code::MISSING_MARK, &(token.start..token.end), message);
            guesses.push(Guess::new(finding, "write `{`", vec![Change::new(token.start..token.start, "{ ")]));
        }
    }
    guesses.truncate(60);
    guesses
}

/// The first brace of a line, not its first token, that closes what the line did not open.
fn unopened_on_a_line(line: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    for (i, token) in line.iter().enumerate() {
        if token.kind.opens() {
            depth += 1;
        } else if token.kind.opener().is_some() {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return (i > 0 && token.kind == TokenKind::CloseBrace).then_some(i),
            }
        }
    }
    None
}

/// The blanks before the first token of the line that holds `offset`.
fn indent(site: &Site<'_>, offset: usize) -> usize {
    let line = site.text()[..offset].rsplit('\n').next().unwrap_or("");
    line.len() - line.trim_start().len()
}
