//! Misspelt words of the language, and words of other languages: `deny`, `use` in an overlay.

use super::{Certainty, Guess, Site};
use crate::diag::{Code, Diagnostic, did_you_mean};
use crate::syntax::draft::Change;
use crate::syntax::nouns;
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words::WORDS;

/// Words with which other languages forbid.
const DENY: &[&str] = &["deny", "forbid", "refuse", "disallow", "prohibit", "reject", "block", "exclude"];
/// Words with which other languages permit.
const ALLOW: &[&str] = &["permit", "grant", "enable", "accept"];

pub(super) fn guesses(site: &Site<'_>) -> Vec<Guess> {
    let mut guesses = foreign(site);
    guesses.extend(connector_before_name(site));
    // The word that was not expected, then those before it on its line, the nearest first.
    let line: Vec<Token> = site.tokens[..site.tokens.len().min(site.at + 1)]
        .iter()
        .rev()
        .enumerate()
        .take_while(|(back, t)| *back == 0 || t.kind != TokenKind::Newline)
        .map(|(_, t)| *t)
        .filter(|t| t.kind == TokenKind::Word)
        .take(6)
        .collect();
    for token in line {
        let given = site.of(&token);
        let expected: Vec<&str> = expected_words(site).collect();
        let near: Vec<&str> = match WORDS.iter().any(|(_, word)| *word == given) {
            // A word of ours in the place of another: `tool` for `tools`.
            true => near(given).into_iter().filter(|word| one_letter(given, word)).collect(),
            false => did_you_mean(given, expected.iter().copied()).into_iter().chain(near(given)).collect(),
        };
        let mut tried: Vec<&str> = Vec::new();
        for word in near {
            if !tried.contains(&word) {
                tried.push(word);
                guesses.push(misspelt(site, &token, word));
            }
        }
    }
    guesses
}

fn expected_words<'a>(site: &'a Site<'_>) -> impl Iterator<Item = &'static str> + 'a {
    site.failure.expected.iter().filter_map(|rule| WORDS.iter().find(|(r, _)| r == rule)).map(|(_, word)| *word)
}

/// Whether one word is the other with one letter more or less.
fn one_letter(a: &str, b: &str) -> bool {
    a.len().abs_diff(b.len()) == 1 && (a.starts_with(b) || b.starts_with(a))
}

/// The words near to one, nearest first, at most three.
fn near(given: &str) -> Vec<&'static str> {
    let mut left: Vec<&'static str> = WORDS.iter().map(|(_, word)| *word).filter(|word| *word != given).collect();
    let mut near = Vec::new();
    while let Some(word) = did_you_mean(given, left.iter().copied()) {
        near.push(word);
        left.retain(|w| *w != word);
        if near.len() == 3 {
            break;
        }
    }
    near
}

fn misspelt(site: &Site<'_>, token: &Token, word: &str) -> Guess {
    let range = token.start..token.end;
    let finding = site
        .guess(Code::UNKNOWN_WORD, &range, format!("`{}` is no word of the language here", site.of(token)))
        .help(format!("did you mean `{word}`?"));
    let guess = Guess::new(finding, format!("write `{word}`"), vec![Change::new(range, word)]);
    if SHORT.contains(&word) { guess.for_a_person() } else { guess }
}

/// Words so short that many others are near to them, and what they say decides how much is permitted.
const SHORT: &[&str] = &["or", "and", "any", "all", "many", "open", "none", "null"];

/// A did-you-mean for the plain message: near, but not enough to go on reading.
pub(super) fn suggestion(site: &Site<'_>, finding: Diagnostic) -> Diagnostic {
    let Some(token) = site.found().filter(|t| t.kind == TokenKind::Word) else { return finding };
    match did_you_mean(site.of(token), expected_words(site)) {
        Some(word) => finding.help(format!("did you mean `{word}`?")),
        None => finding,
    }
}

/// The first token of the clause in which the grammar gave up.
fn clause_start(site: &Site<'_>) -> usize {
    let ends = |t: &Token| {
        matches!(t.kind, TokenKind::Newline | TokenKind::Semicolon | TokenKind::OpenBrace | TokenKind::CloseBrace)
    };
    site.tokens[..site.at].iter().rposition(ends).map_or(0, |i| i + 1)
}

fn foreign(site: &Site<'_>) -> Vec<Guess> {
    let start = clause_start(site);
    let Some(first) = site.tokens.get(start).filter(|t| t.kind == TokenKind::Word) else { return Vec::new() };
    let range = first.start..first.end;
    let kind = site.tokens.iter().find(|t| t.kind == TokenKind::Word).map(|t| site.of(t));
    match site.of(first) {
        word if DENY.contains(&word) && kind != Some("deployment") => deny(site, start, kind),
        "tools" | "without" | "allow" if site.found().is_some_and(|t| t.kind == TokenKind::Star) => star(site),
        word if ALLOW.contains(&word) => vec![misspelt(site, first, "allow")],
        "use" if matches!(kind, Some("overlay" | "boundary")) => {
            let end = site.tokens.get(start + 1).map_or(range.end, |t| t.start);
            let finding = site
                .guess(Code::EXTRA_MARK, &range, "an overlay or boundary names the connector without `use`")
                .note("`terminal { … }`: only agents and skills `use` a connector");
            vec![Guess::new(finding, "remove `use`", vec![Change::new(range.start..end, "")])]
        }
        _ => Vec::new(), // a word like any other
    }
}

/// `tools *`: a list names what it means.
fn star(site: &Site<'_>) -> Vec<Guess> {
    let Some(star) = site.found() else { return Vec::new() };
    let finding = site
        .guess(Code::FOREIGN_OPERATOR, &(star.start..star.end), "a list of tools names each of them: there is no `*` here")
        .note("so that a tool that the connector gains is not permitted unseen");
    vec![Guess::unoffered(finding, vec![Change::new(star.start..star.end, "none")])]
}

/// `tools bank.get_balance`, `bank.payees = …`: inside the braces of a connector its tools and limits stand by their names.
fn connector_before_name(site: &Site<'_>) -> Option<Guess> {
    let start = clause_start(site);
    site.found().filter(|t| t.kind == TokenKind::Dot)?;
    let (before, next) = (site.tokens.get(site.at.checked_sub(1)?)?, site.tokens.get(site.at + 1)?);
    let named = |t: &Token| matches!(t.kind, TokenKind::Word | TokenKind::Text);
    let first = site.tokens.get(start)?;
    let listed = matches!(site.of(first), "tools" | "allow" | "without");
    if before.kind != TokenKind::Word || !named(next) || !(listed || first.start == before.start) {
        return None;
    }
    let connector = connector_around(site, start)?;
    let message = format!("a name stands here without its connector: `{}`", site.of(next));
    let finding = site.guess(Code::EXTRA_MARK, &(before.start..site.found()?.end), message);
    let title = format!("write `{}`", site.of(next));
    let guess = Guess::new(finding, title, vec![Change::new(before.start..next.start, "")]);
    // Of another connector it is another tool.
    Some(if connector == site.of(before) { guess } else { guess.for_a_person() })
}

/// The word before the brace in which token `at` stands.
fn connector_around<'a>(site: &'a Site<'_>, at: usize) -> Option<&'a str> {
    let mut depth = 0usize;
    for i in (0..at).rev() {
        match site.tokens[i].kind {
            kind if kind.opener().is_some() => depth += 1,
            kind if kind.opens() && depth == 0 => {
                return site.tokens.get(i.checked_sub(1)?).filter(|t| t.kind == TokenKind::Word).map(|t| site.of(t));
            }
            kind if kind.opens() => depth -= 1,
            _ => {} // between brackets
        }
    }
    None
}

/// `deny t`: in an overlay or boundary it is `without t`; in an agent there is nothing to say.
fn deny(site: &Site<'_>, start: usize, kind: Option<&str>) -> Vec<Guess> {
    let first = site.tokens[start];
    let range = first.start..first.end;
    let word = site.of(&first);
    let end = statement_end(&site.tokens, start);
    let has_clauses = site.tokens[start..end].iter().any(|t| t.kind == TokenKind::OpenBrace);
    let finding = site
        .guess(Code::NO_DENY, &range, format!("there is no `{word}`: what no row allows is refused"))
        .note("a policy says what may be; to leave something out of a set write `any except { … }`");
    let last = site.tokens[start..end].last().map_or(first.end, |t| t.end);
    let removal = vec![Change::new(first.start..last, "")];
    if has_clauses {
        return vec![Guess::unoffered(finding.help("write the row of what is allowed"), removal)];
    }
    if matches!(kind, Some("overlay" | "boundary")) {
        let finding = finding.help("write `without` to withhold a tool");
        return vec![Guess::new(finding, "write `without`", vec![Change::new(range, "without")])];
    }
    let finding = finding.help("leave the tool out of `tools`");
    let title = Some("remove it".to_owned());
    vec![Guess { finding, changes: removal, title, certain: Certainty::ForAPerson }]
}

/// One past the last token of the statement that begins at `start`.
fn statement_end(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            kind if kind.opens() => depth += 1,
            kind if kind.opener().is_some() && depth == 0 => return i,
            kind if kind.opener().is_some() => depth -= 1,
            TokenKind::Newline | TokenKind::Semicolon if depth == 0 => return i,
            _ => {} // inside
        }
    }
    tokens.len()
}

/// The text of a rule that is always written the same: a word or a mark.
pub(super) fn fixed_text(rule: crate::syntax::grammar::Rule) -> Option<&'static str> {
    WORDS.iter().find(|(r, _)| *r == rule).map(|(_, word)| *word).or_else(|| nouns::mark(rule))
}
