//! Findings, and what comments in the texts say of rules → the findings that count, each at its level.
//!
//! ```text
//! // lint: allow irreversible-without-approval: refunds are undone by the bank on request
//! ```
//!
//! At the end of a line it speaks of that line; on a line of its own of the next line with code, and where that line opens a
//! brace, of all up to the closing one; above `language` of the whole file. `warn` and `deny` stand in the same place. The
//! reason is part of it: without one the comment says nothing, and is a finding itself.

use super::Extent;
use super::levels::{Levels, LintLevel, at, rule};
use crate::diag::{Code, Diagnostic, Sink};
use crate::source::{FileId, Sources, Span};
use crate::syntax::{Token, TokenKind, tokens};

/// One rule that a comment speaks of.
struct Said {
    code: Code,
    level: LintLevel,
    file: FileId,
    /// First and last line, from 0.
    lines: (usize, usize),
    /// The rule's name in the comment.
    span: Span,
    /// The comment; with its line where it stands alone.
    whole: Span,
    used: bool,
}

/// The findings at their levels; what comments hide is left out, and what they say in vain is found as well. `given`: how
/// many texts, from the first, were given.
pub fn judge(found: Vec<Diagnostic>, sources: &Sources, given: usize, levels: &Levels, extent: Extent) -> Vec<Diagnostic> {
    let mut sink = Sink::default();
    let mut said = Vec::new();
    for (file, source) in sources.iter().take(given) {
        if source.text.contains("lint:") {
            read(file, &source.text, sources, &mut said, &mut sink);
        }
    }
    let mut judged = Sink::default();
    judged.extend(found.into_iter().filter_map(|d| one(d, sources, levels, &mut said)));
    if extent == Extent::Whole {
        unused(&said, sources, levels, &mut sink);
    }
    let own = sink.into_sorted();
    judged.extend(own.into_iter().filter_map(|d| one(d, sources, levels, &mut said)));
    judged.into_sorted()
}

fn one(found: Diagnostic, sources: &Sources, levels: &Levels, said: &mut [Said]) -> Option<Diagnostic> {
    let Some(mut level) = levels.of(found.code) else { return Some(found) };
    let span = found.primary.span;
    let line = sources.get(span.file).map_or(0, |source| source.line_of(span.start));
    let speaks = |s: &&mut Said| s.code == found.code && s.file == span.file && (s.lines.0..=s.lines.1).contains(&line);
    // The innermost counts.
    if let Some(inner) = said.iter_mut().filter(speaks).min_by_key(|s| s.lines.1 - s.lines.0) {
        inner.used = true;
        level = inner.level;
    }
    at(level, found)
}

fn unused(said: &[Said], sources: &Sources, levels: &Levels, sink: &mut Sink) {
    for one in said.iter().filter(|s| !s.used && levels.of(s.code) != Some(LintLevel::Allow)) {
        let message = format!("`{}` finds nothing here", one.code.slug());
        let found = Diagnostic::new(Code::UNUSED_SUPPRESSION, one.span, message);
        let alone = said.iter().filter(|s| s.whole == one.whole).all(|s| !s.used);
        let first = said.iter().find(|s| s.whole == one.whole).is_some_and(|s| s.span == one.span);
        let found = match (alone, first) {
            (true, true) => found.fix("remove the comment", removed(one.whole, sources), ""),
            (true, false) | (false, _) => found.help("take the rule out of the comment"),
        };
        sink.push(found);
    }
}

/// A comment alone on its line goes with the line; one behind code with the blanks before it.
fn removed(comment: Span, sources: &Sources) -> Span {
    let Some(source) = sources.get(comment.file) else { return comment };
    let line = source.line_of(comment.start);
    let start = source.line_start(line) as usize;
    let before = source.text.get(start..comment.start as usize).unwrap_or("");
    if before.trim().is_empty() {
        let end = comment.end as usize;
        let rest = source.text.get(end..).unwrap_or("");
        let line_end = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
        return Span::new(comment.file, start, end + line_end);
    }
    Span::new(comment.file, start + before.trim_end().len(), comment.end as usize)
}

/// Reads the comments of one text.
fn read(file: FileId, text: &str, sources: &Sources, said: &mut Vec<Said>, sink: &mut Sink) {
    let tokens = tokens(text);
    for (index, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Comment) {
        let Some(body) = token.of(text).strip_prefix("//").map(str::trim_start) else { continue };
        let Some(body) = body.strip_prefix("lint:") else { continue };
        let offset = token.end - body.len();
        let whole = Span::new(file, token.start, token.end);
        match comment(file, body, offset, whole) {
            Ok((level, rules)) => {
                let lines = reach(&tokens, index, text, file, sources);
                said.extend(rules.into_iter().map(|(code, span)| Said {
                    code,
                    level,
                    file,
                    lines,
                    span,
                    whole,
                    used: false,
                }));
            }
            Err(found) => sink.push(*found),
        }
    }
}

const FORM: &str = "it is written `// lint: allow RULE: why it is right here`";

/// The level and the rules that a comment names.
type Heard = (LintLevel, Vec<(Code, Span)>);

/// `allow RULE, RULE: REASON`, from `offset` on.
fn comment(file: FileId, body: &str, offset: usize, whole: Span) -> Result<Heard, Box<Diagnostic>> {
    let bad = |span: Span, message: String| Err(Box::new(Diagnostic::new(Code::BAD_SUPPRESSION, span, message).help(FORM)));
    let at = |part: &str| {
        let start = offset + (part.as_ptr() as usize - body.as_ptr() as usize);
        Span::new(file, start, start + part.len())
    };
    let word = body.split_whitespace().next().unwrap_or("");
    let level = match word {
        "allow" => LintLevel::Allow,
        "warn" => LintLevel::Warn,
        "deny" => LintLevel::Deny,
        "" => return bad(whole, "this says nothing of any rule".to_owned()),
        other => return bad(at(word), format!("`{other}` is no level: it is `allow`, `warn` or `deny`")),
    };
    let rest = body.trim_start().strip_prefix(word).unwrap_or("");
    let (names, reason) = rest.split_once(':').unwrap_or((rest, ""));
    let mut rules = Vec::new();
    for name in names.split(',').map(str::trim) {
        if name.is_empty() {
            return bad(whole, format!("`{word}` names no rule"));
        }
        match rule(name) {
            Ok(code) => rules.push((code, at(name))),
            Err(error) => return bad(at(name), error.to_string()),
        }
    }
    if reason.trim().is_empty() {
        return bad(at(names.trim()), format!("why is `{}` right here? A reason must follow", names.trim()));
    }
    Ok((level, rules))
}

/// The lines that the comment at `index` speaks of.
fn reach(all: &[Token], index: usize, text: &str, file: FileId, sources: &Sources) -> (usize, usize) {
    let line_of = |offset: usize| {
        let span = Span::new(file, offset, offset);
        sources.get(file).map_or(0, |source| source.line_of(span.start))
    };
    let own = line_of(all[index].start);
    let is_code = |t: &Token| !t.kind.is_trivia() && t.kind != TokenKind::Newline;
    if all[..index].iter().rev().take_while(|t| t.kind != TokenKind::Newline).any(is_code) {
        return (own, own);
    }
    let Some(next) = (index..all.len()).find(|i| is_code(&all[*i])) else { return (own, own) };
    if all[next].of(text) == "language" {
        return (0, usize::MAX);
    }
    let line = line_of(all[next].start);
    let mut depth = 0usize;
    let mut last = line;
    for token in all[next..].iter() {
        if token.kind == TokenKind::Newline && depth == 0 {
            break;
        }
        depth = match token.kind {
            TokenKind::OpenBrace => depth + 1,
            TokenKind::CloseBrace => depth.saturating_sub(1),
            _ => depth, // nothing else holds lines together
        };
        last = line_of(token.start);
    }
    (own, last)
}
