//! Names and sets as a person writes them, for messages and fixes. Knows no meaning.

use crate::diag::{Code, Diagnostic, nearest};
use crate::source::{Sources, Span};
use crate::syntax::ast;

/// Whether `text` can stand as a name without quotes.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_') && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A JSON string literal.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A name, quoted where it must be.
pub fn name(text: &str) -> String {
    if is_identifier(text) { text.to_owned() } else { quoted(text) }
}

/// Names joined by dots, as written.
pub fn dotted(parts: &[ast::Name]) -> String {
    let parts: Vec<String> =
        parts.iter().map(|part| if part.quoted { quoted(&part.text) } else { part.text.clone() }).collect();
    parts.join(".")
}

/// `a`, `b` and `c`, each in backticks; at most eight of them.
pub fn listing<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    let (shown, rest) = words.split_at(words.len().min(8));
    let mut text = shown.join(", ");
    if !rest.is_empty() {
        text.push_str(&format!(" and {} more", rest.len()));
    }
    text
}

/// A finding about the name `given`, with the nearest of `candidates`, or all of them where they are few.
pub fn unknown(code: Code, given: &ast::Name, message: String, candidates: &[&str]) -> Diagnostic {
    let found = Diagnostic::new(code, given.span, message);
    match nearest(&given.text, candidates.iter().copied()) {
        Some(near) => {
            let written = if given.quoted { quoted(near.word) } else { name(near.word) };
            found.suggest(near, given.span, written)
        }
        None if candidates.is_empty() => found,
        None => found.note(format!("there is {}", listing(candidates.iter().copied()))),
    }
}

/// The text of `span` on one line: comments dropped, blanks collapsed.
pub fn as_written(sources: &Sources, span: Span) -> Box<str> {
    let mut out = String::new();
    let mut in_string = false;
    let mut chars = sources.text(span).chars().peekable();
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            match c {
                '\\' => out.extend(chars.next()),
                '"' => in_string = false,
                _ => {}
            }
        } else if c == '/' && chars.peek() == Some(&'/') {
            while chars.next_if(|c| *c != '\n').is_some() {}
        } else if c.is_whitespace() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else {
            in_string = c == '"';
            out.push(c);
        }
    }
    out.trim_end().into()
}
