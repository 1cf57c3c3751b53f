//! Operators of other languages, and ours in the wrong place: `=` in a row, `==`, `!=`, `&&`, `||`, `..=`.

use super::{Guess, Site};
use crate::diag::{Code, Diagnostic};
use crate::syntax::draft::Change;
use crate::syntax::grammar::Rule;
use crate::syntax::token::{Token, TokenKind};

pub(super) fn guesses(site: &Site<'_>) -> Vec<Guess> {
    let mut guesses = negated(site);
    guesses.extend(foreign(site));
    guesses
}

/// `in not { … }`, `not a in { … }`: what is left out of a set is `any except` it.
fn negated(site: &Site<'_>) -> Vec<Guess> {
    let around = site.tokens.get(site.at.saturating_sub(1)..(site.at + 1).min(site.tokens.len())).unwrap_or(&[]);
    let Some(not) = around.iter().find(|t| matches!(site.of(t), "not" | "!")) else { return Vec::new() };
    if site.tokens.iter().find(|t| t.start > not.start).is_some_and(|t| site.of(t) == "in") {
        return Vec::new(); // `not in` is one operator
    }
    let range = not.start..not.end;
    let finding = || site.guess(Code::FOREIGN_OPERATOR, &range, "the complement of a set is `any except` it");
    let here = vec![Change::new(range.clone(), "any except")];
    let mut guesses = vec![Guess::new(finding(), "write `any except`", here)];
    let rest = site.tokens.iter().filter(|t| t.start > not.start).take_while(|t| t.kind != TokenKind::Newline);
    if let Some(within) = rest.clone().find(|t| site.of(t) == "in")
        && let Some(next) = rest.clone().next()
    {
        let moved = vec![Change::new(not.start..next.start, ""), Change::new(within.end..within.end, " any except")];
        guesses.push(Guess::new(finding(), "write `in any except`", moved));
    }
    let at = site.tokens.iter().position(|t| t.start > not.start).unwrap_or(site.tokens.len());
    let alone = lone_operand(site, at);
    guesses.into_iter().map(|guess| if alone { guess } else { guess.for_a_person() }).collect()
}

fn foreign(site: &Site<'_>) -> Vec<Guess> {
    let Some(found) = site.found().copied() else { return Vec::new() };
    match found.kind {
        TokenKind::Equals | TokenKind::EqualsEquals | TokenKind::NotEquals | TokenKind::Colon => equality(site, &found),
        TokenKind::Word => words(site, &found),
        TokenKind::AndAnd => replacements(
            site,
            &found,
            &[(";", "clauses of a row are separated by a newline or `;`"), (" and", "sets meet by `and`")],
        ),
        TokenKind::OrOr => {
            replacements(site, &found, &[("or", "sets are joined by `or`; to permit a call in two ways, write two rows")])
        }
        TokenKind::DotDotEquals | TokenKind::Ellipsis => replacements(site, &found, &[("..", "`a..b` holds both ends")]),
        TokenKind::TurnedComparison => {
            let right = if site.of(&found) == "=<" { "<=" } else { ">=" };
            let right = if site.expects(Rule::arrow) { "->" } else { right };
            replacements(site, &found, &[(right, "")])
        }
        TokenKind::Comma => replacements(site, &found, &[(";", "clauses are separated by a newline or `;`")]),
        TokenKind::Semicolon => replacements(site, &found, &[(",", "lists are separated by commas")]),
        _ => Vec::new(), // no operator
    }
}

/// One guess per replacement of the token, with a note on why.
fn replacements(site: &Site<'_>, found: &Token, with: &[(&str, &str)]) -> Vec<Guess> {
    let range = found.start..found.end;
    let mut guesses = Vec::new();
    for (text, note) in with {
        let right = text.trim();
        let mut finding = site
            .guess(Code::FOREIGN_OPERATOR, &range, format!("`{}` does not belong here", site.of(found)))
            .help(format!("write `{right}`"));
        if !note.is_empty() {
            finding = finding.note(*note);
        }
        // A semicolon stands at the word before it, a word apart from it.
        let start = match right {
            ";" | "," => site.before().map_or(range.start, |t| t.end),
            _ => range.start, // apart
        };
        guesses.push(Guess::new(finding, format!("write `{right}`"), vec![Change::new(start..range.end, right)]));
    }
    guesses
}

/// `=`, `==`, `!=`, `:` where another of them, or `in`, belongs.
fn equality(site: &Site<'_>, found: &Token) -> Vec<Guess> {
    let range = found.start..found.end;
    let written = site.of(found);
    let mut guesses = Vec::new();
    for (rule, mark) in [(Rule::equals, "="), (Rule::colon, ":")] {
        if site.expects(rule) && written != mark {
            let finding = site.guess(Code::FOREIGN_OPERATOR, &range, format!("`{mark}` belongs here, not `{written}`"));
            guesses.extend(match found.kind {
                TokenKind::NotEquals if mark == "=" => limit_is_not(site, found, finding),
                TokenKind::NotEquals => None, // a type is never denied
                _ => Some(Guess::new(finding, format!("write `{mark}`"), vec![Change::new(range.clone(), mark)])),
            });
        }
    }
    if site.expects(Rule::kw_in) {
        let (negated, right) = match found.kind {
            TokenKind::NotEquals => ("any except ", "in any except"),
            _ => ("", "in"), // it says what may be
        };
        let message = format!("a clause says `in`, not `{written}`");
        let example = "`amount in { 5 }`, `amount in 1..10`, `amount <= 10`";
        let finding = site.guess(Code::FOREIGN_OPERATOR, &range, message).note(format!("clauses are {example}"));
        let before = if site.text()[..range.start].ends_with([' ', '\t']) { "" } else { " " };
        let after = if site.text()[range.end..].starts_with([' ', '\t']) { "" } else { " " };
        let changes = match lone_literal(site) {
            Some(value) => vec![
                Change::new(range.start..value.start, format!("{before}in {negated}{{ ")),
                Change::new(value.end..value.end, " }"),
            ],
            None => vec![Change::new(range.clone(), format!("{before}in{after}{}", negated.trim_end()))],
        };
        let guess = Guess::new(finding, format!("write `{right}`"), changes);
        guesses.push(if negated.is_empty() || lone_operand(site, site.at + 1) { guess } else { guess.for_a_person() });
    }
    guesses
}

/// `payees != friends` for a limit: everything but them, never them.
fn limit_is_not(site: &Site<'_>, found: &Token, finding: Diagnostic) -> Option<Guess> {
    let next = site.tokens.get(site.at + 1)?;
    if matches!(site.of(next), "many" | "single") {
        return None;
    }
    let finding = finding.note("what is left out of a set is `any except` it");
    let changes = match lone_literal(site).filter(|t| t.kind != TokenKind::Word || matches!(site.of(t), "true" | "false")) {
        Some(value) => {
            vec![Change::new(found.start..value.start, "= any except { "), Change::new(value.end..value.end, " }")]
        }
        None => vec![Change::new(found.start..next.start, "= any except ")],
    };
    let guess = Guess::new(finding, "write `= any except`", changes);
    Some(if lone_operand(site, site.at + 1) { guess } else { guess.for_a_person() })
}

/// Whether what begins at token `from` is one set, up to the end of its clause: `any except A or B` is not `any except (A or B)`.
fn lone_operand(site: &Site<'_>, from: usize) -> bool {
    let mut depth = 0usize;
    let mut rest = site.tokens.get(from..).unwrap_or(&[]).iter().peekable();
    while let Some(token) = rest.next() {
        let goes_on = || rest.clone().find(|t| t.kind != TokenKind::Newline);
        match token.kind {
            kind if kind.opens() => depth += 1,
            kind if kind.opener().is_some() && depth == 0 => return true,
            kind if kind.opener().is_some() => depth -= 1,
            TokenKind::Semicolon if depth == 0 => return true,
            TokenKind::Newline if depth == 0 => {
                return goes_on().is_none_or(|t| !matches!(site.of(t), "or" | "and" | "except"));
            }
            TokenKind::Word if depth == 0 && JOINING.contains(&site.of(token)) => return false,
            TokenKind::AndAnd | TokenKind::OrOr if depth == 0 => return false,
            _ => {} // part of the set
        }
    }
    true
}

/// Words after which a set is more than its first operand.
const JOINING: &[&str] = &["or", "and", "except", "prefix", "suffix", "matches", "length", "size", "each", "keys", "values"];

/// The one literal that follows, which must stand in braces.
fn lone_literal(site: &Site<'_>) -> Option<Token> {
    let rest = &site.tokens[site.at + 1..];
    let literal = rest.first().filter(|t| {
        let set = matches!(site.of(t), "any" | "public" | "private" | "loopback" | "link_local");
        matches!(t.kind, TokenKind::Text | TokenKind::Number | TokenKind::Time) || (t.kind == TokenKind::Word && !set)
    });
    let ranged =
        rest.get(1).is_some_and(|t| matches!(t.kind, TokenKind::DotDot | TokenKind::DotDotEquals | TokenKind::Ellipsis));
    literal.copied().filter(|_| !ranged)
}

/// `in` where a limit is set, `not in`, `is` in a row.
fn words(site: &Site<'_>, found: &Token) -> Vec<Guess> {
    let range = found.start..found.end;
    let replaced = |range: std::ops::Range<usize>, message: &str, right: &str| {
        let finding = site.guess(Code::FOREIGN_OPERATOR, &range, message);
        vec![Guess::new(finding, format!("write `{right}`"), vec![Change::new(range.clone(), right)])]
    };
    match site.of(found) {
        "in" if site.expects(Rule::equals) => replaced(range, "a limit is set with `=`, not `in`", "="),
        "is" if site.expects(Rule::kw_in) => replaced(range, "a clause says `in`, not `is`", "in"),
        "not" if site.expects(Rule::kw_in) => match site.tokens.get(site.at + 1) {
            Some(next) if site.of(next) == "in" => {
                let guesses = replaced(found.start..next.end, "the complement of a set is `any except` it", "in any except");
                match lone_operand(site, site.at + 2) {
                    true => guesses,
                    false => guesses.into_iter().map(Guess::for_a_person).collect(),
                }
            }
            _ => Vec::new(), // something else
        },
        _ => Vec::new(), // a word like any other
    }
}
