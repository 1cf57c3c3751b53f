//! One word or mark too few, or too many.

use super::words::fixed_text;
use super::{Guess, Site};
use crate::diag::Code;
use crate::syntax::draft::Change;
use crate::syntax::grammar::Rule;
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words::WORDS;

/// Not guessed as missing: that an operator is missing says nothing about which.
const NEVER_MISSING: &[Rule] = &[
    Rule::star,
    Rule::dot,
    Rule::dotdot,
    Rule::at_most,
    Rule::at_least,
    Rule::less,
    Rule::greater,
    Rule::kw_or,
    Rule::kw_and,
    Rule::kw_except,
    Rule::kw_any,
    Rule::kw_absent,
    Rule::kw_null,
    Rule::kw_true,
    Rule::kw_false,
    Rule::kw_disabled,
    Rule::kw_none,
    Rule::kw_many,
    Rule::kw_single,
    Rule::kw_optional,
    Rule::kw_open,
    Rule::kw_reads,
    Rule::kw_mutates,
    Rule::kw_irreversible,
    Rule::kw_all,
    Rule::kw_reaches_outside,
    Rule::kw_unspecified,
    Rule::kw_prefix,
    Rule::kw_suffix,
    Rule::kw_matches,
    Rule::kw_length,
    Rule::kw_size,
    Rule::kw_each,
    Rule::kw_keys,
    Rule::kw_values,
];

pub(super) fn guesses(site: &Site<'_>) -> Vec<Guess> {
    let mut guesses = missing_declaration(site);
    guesses.extend(comma_after_claims(site));
    let mut expected: Vec<Rule> = site.failure.expected.clone();
    expected.sort_by_key(|rule| (priority(*rule), *rule));
    expected.dedup();
    for rule in expected {
        if let Some(text) = fixed_text(rule).filter(|_| !NEVER_MISSING.contains(&rule)) {
            guesses.extend(missing(site, rule, text));
        }
    }
    guesses.extend(too_many(site));
    guesses
}

/// What is most often forgotten comes first.
fn priority(rule: Rule) -> usize {
    let order = [Rule::comma, Rule::semicolon, Rule::colon, Rule::equals, Rule::kw_in];
    order.iter().position(|r| *r == rule).unwrap_or(order.len())
}

/// `acme on operator { … }`: what is declared is not said.
fn missing_declaration(site: &Site<'_>) -> Vec<Guess> {
    let Some(first) = site.found().filter(|t| t.kind == TokenKind::Word && site.before().is_none()) else {
        return Vec::new();
    };
    let missing = |word: &&str| {
        let message = format!("`{word}` is missing before `{}`", shown(site, first));
        let finding = site.guess(Code::MISSING_MARK, &(first.start..first.end), message);
        let change = Change::new(first.start..first.start, format!("{word} "));
        Guess::new(finding, format!("write `{word}`"), vec![change]).for_a_person()
    };
    ["agent", "overlay", "vocabulary", "deployment", "skill", "boundary", "test", "let"].iter().map(missing).collect()
}

/// The text before the token that was found; a comma, semicolon or closing bracket right after the one before.
fn missing(site: &Site<'_>, rule: Rule, text: &str) -> Option<Guess> {
    let before = site.before()?;
    if site.of(before) == text && text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None; // it stands there: what is missing is a name before it
    }
    let after_a_word = WORDS.iter().any(|(_, word)| *word == site.of(before));
    if after_a_word && matches!(rule, Rule::equals | Rule::colon) {
        return None;
    }
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let found_name = site.found().is_some_and(|t| matches!(t.kind, TokenKind::Word | TokenKind::Text));
    let found_set = site.found().is_some_and(|t| t.kind.opens() || matches!(t.kind, TokenKind::Number | TokenKind::Time));
    let paired = matches!(rule, Rule::kw_claimed | Rule::kw_limited) && site.found().is_none_or(|t| site.of(t) != "by");
    if is_word && (paired || !(found_name || found_set)) {
        return None;
    }
    let title = format!("write `{text}`");
    if matches!(rule, Rule::comma | Rule::semicolon | Rule::rparen | Rule::rbracket | Rule::rbrace) {
        let range = before.start..before.end;
        let finding = site.guess(Code::MISSING_MARK, &range, format!("`{text}` is missing after `{}`", shown(site, before)));
        let guess = Guess::new(finding, title, vec![Change::new(before.end..before.end, text)]);
        return Some(if grouped(site, before) { guess.for_a_person() } else { guess });
    }
    let found = site.found().filter(|t| t.kind != TokenKind::Newline);
    let place = found.map_or(before.start..before.end, |t| t.start..t.end);
    let message = match found {
        Some(token) => format!("`{text}` is missing before `{}`", shown(site, token)),
        None => format!("`{text}` is missing after `{}`", shown(site, before)),
    };
    let at = match (rule, found) {
        (Rule::colon, _) | (_, None) => before.end,
        (_, Some(token)) => token.start,
    };
    let inserted = match (rule, found) {
        (Rule::colon, _) => text.to_owned(),
        (_, None) => format!(" {text}"),
        (_, Some(_)) => format!("{text} "),
    };
    let finding = site.guess(Code::MISSING_MARK, &place, message);
    Some(Guess::new(finding, title, vec![Change::new(at..at, inserted)]))
}

/// `tmux claimed by "tmux", kitty`: the comma goes on with the words, so that a value is found where a string belongs.
fn comma_after_claims(site: &Site<'_>) -> Option<Guess> {
    let comma = site.before().filter(|t| t.kind == TokenKind::Comma && site.expects(Rule::string))?;
    let found = site.found().filter(|t| t.kind != TokenKind::Newline)?;
    let range = comma.start..comma.end;
    let finding = site
        .guess(Code::EXTRA_MARK, &range, "a comma after `claimed by` goes on with its words")
        .note("only the end of the line ends them");
    let line = site.text()[..comma.start].rsplit('\n').next().unwrap_or("");
    let indent = &line[..line.len() - line.trim_start().len()];
    let same_line = !site.text()[comma.end..found.start].contains('\n');
    let change = match same_line {
        true => Change::new(comma.start..found.start, format!("\n{indent}")),
        false => Change::new(range, ""),
    };
    Some(Guess::new(finding, "end the line there", vec![change]))
}

/// The token that was found, or the comma before it, removed.
fn too_many(site: &Site<'_>) -> Vec<Guess> {
    let mut guesses = Vec::new();
    let comma = site.before_line().filter(|t| t.kind == TokenKind::Comma);
    let named = [Rule::ident, Rule::name, Rule::set_name, Rule::string].iter().any(|rule| site.expects(*rule));
    let found = site.found().copied().filter(|t| t.kind != TokenKind::Dot || !named).filter(|t| {
        use TokenKind::{Colon, Comma, Dot, DotDot, Equals, Minus, Semicolon, Star, Word};
        let stray = matches!(t.kind, Comma | Semicolon | Colon | Dot | DotDot | Equals | Minus | Star);
        stray || (t.kind == Word && site.before().is_some_and(|b| site.of(b) == site.of(t)))
    });
    for token in comma.into_iter().chain(found) {
        let range = token.start..token.end;
        let finding = site.guess(Code::EXTRA_MARK, &range, format!("one `{}` too many", shown(site, &token)));
        let guess = Guess::new(finding, "remove it", vec![Change::new(range, "")]);
        guesses.push(match in_a_number(site, &token) {
            true => Guess {
                finding: guess.finding.note("a number is written without separators, its fraction after a `.`: `1000.50`"),
                ..guess
            }
            .for_a_person(),
            false => guess,
        });
    }
    guesses
}

/// `1,5`, `1.000,50`, `- 5`: without the mark, the number is another.
fn in_a_number(site: &Site<'_>, token: &Token) -> bool {
    let text = site.text();
    let after = text.get(token.end..).unwrap_or("");
    match token.kind {
        TokenKind::Minus => after.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '.'),
        _ => {
            let joined = |c: char| c.is_ascii_alphanumeric() || c == '_';
            text.get(..token.start).unwrap_or("").ends_with(joined) && after.starts_with(joined)
        }
    }
}

/// `5 000`: perhaps two numbers, perhaps one.
fn grouped(site: &Site<'_>, before: &Token) -> bool {
    let group = |t: &Token| t.kind == TokenKind::Number && t.end - t.start >= 3;
    before.kind == TokenKind::Number && site.found().is_some_and(group)
}

impl Site<'_> {
    /// The comma that made the line before go on, or the token right before the failure.
    fn before_line(&self) -> Option<Token> {
        let line = self.tokens.get(..self.at)?.iter().rposition(|t| t.kind == TokenKind::Newline);
        let last = line.and_then(|i| self.tokens[..i].iter().rev().find(|t| t.kind != TokenKind::Newline));
        match self.before() {
            Some(token) if token.kind == TokenKind::Comma => Some(*token),
            _ => last.copied(), // perhaps the comma above
        }
    }
}

pub(super) fn shown(site: &Site<'_>, token: &Token) -> String {
    let written = site.of(token);
    let start: String = written.chars().take(30).collect();
    if start.len() < written.len() { format!("{start}…") } else { start }
}
