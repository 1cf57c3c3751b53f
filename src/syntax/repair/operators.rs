//! Operators of other languages, and ours in the wrong place: `=` in a row, `==`, `!=`, `&&`, `||`, `..=`.

use super::{Guess, Site};
use crate::diag::Code;
use crate::syntax::draft::Change;
use crate::syntax::grammar::Rule;
use crate::syntax::token::{Token, TokenKind};

pub(super) fn guesses(site: &Site<'_>) -> Vec<Guess> {
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
            guesses.push(Guess::new(finding, format!("write `{mark}`"), vec![Change::new(range.clone(), mark)]));
        }
    }
    if site.expects(Rule::kw_in) {
        let negated = if found.kind == TokenKind::NotEquals { "any except " } else { "" };
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
        guesses.push(Guess::new(finding, "write `in`", changes));
    }
    guesses
}

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
                replaced(found.start..next.end, "the complement of a set is `any except` it", "in any except")
            }
            _ => Vec::new(), // something else
        },
        _ => Vec::new(), // a word like any other
    }
}
