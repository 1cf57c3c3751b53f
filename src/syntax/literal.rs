//! The spelling of strings and numbers → their values. Knows nothing of where they stand.

use crate::domain::Decimal;
use std::ops::Range;

/// What is wrong inside a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slip {
    /// Bytes of the literal.
    pub range: Range<usize>,
    pub message: String,
    /// Title and replacement for the range.
    pub fix: Option<(String, String)>,
}

/// A JSON string with its quotes → its value, and what is wrong with it (left out of the value).
pub(super) fn decode(literal: &str) -> (String, Vec<Slip>) {
    let inner = literal.strip_prefix('"').and_then(|l| l.strip_suffix('"')).unwrap_or(literal);
    if !inner.contains(['\\', '\t']) {
        return (inner.to_owned(), Vec::new());
    }
    let mut value = String::with_capacity(inner.len());
    let mut slips = Vec::new();
    let mut rest = inner;
    while let Some(first) = rest.chars().next() {
        let at = 1 + inner.len() - rest.len();
        let length = match first {
            '\\' => escape(rest, &mut value).unwrap_or_else(|(length, message, fix)| {
                slips.push(Slip { range: at..at + length, message, fix });
                length
            }),
            '\t' => {
                let fix = Some(("write `\\t`".to_owned(), "\\t".to_owned()));
                slips.push(Slip { range: at..at + 1, message: "a tab inside a string is written `\\t`".to_owned(), fix });
                1
            }
            other => {
                value.push(other);
                other.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or("");
    }
    (value, slips)
}

type Wrong = (usize, String, Option<(String, String)>);

/// The escape at the start of `rest` appended to `value`; its length, or what is wrong with that many bytes.
fn escape(rest: &str, value: &mut String) -> Result<usize, Wrong> {
    let kind = rest.chars().nth(1);
    let plain = match kind {
        Some('"') => '"',
        Some('\\') => '\\',
        Some('/') => '/',
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('u') => return unicode(rest, value),
        other => {
            let length = 1 + other.map_or(0, char::len_utf8);
            let written = rest.get(..length).unwrap_or(rest);
            let message = format!("`{written}` is no escape of JSON");
            return Err((length, message, Some(("write the backslash as `\\\\`".to_owned(), format!("\\{written}")))));
        }
    };
    value.push(plain);
    Ok(2)
}

fn unicode(rest: &str, value: &mut String) -> Result<usize, Wrong> {
    let unit = |at: usize| {
        let digits = rest.get(at..at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u32::from_str_radix(digits, 16).ok()
    };
    let Some(high) = unit(2) else {
        return Err((2, "`\\u` is followed by four hexadecimal digits".to_owned(), None));
    };
    if let Some(scalar) = char::from_u32(high) {
        value.push(scalar);
        return Ok(6);
    }
    let low = rest.get(6..8).filter(|m| *m == "\\u").and_then(|_| unit(8));
    match low {
        Some(low @ 0xDC00..=0xDFFF) if high < 0xDC00 => {
            let scalar = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            value.extend(char::from_u32(scalar));
            Ok(12)
        }
        _ => Err((6, format!("`{}` is half of a surrogate pair: no character", rest.get(..6).unwrap_or("")), None)),
    }
}

/// A number as the grammar writes it → its exact value, or why there is none.
pub(super) fn number(text: &str) -> Result<Decimal, String> {
    Decimal::parse(text).map_err(|error| {
        let shown: String = text.chars().take(24).collect();
        let dots = if shown.len() < text.len() { "…" } else { "" };
        format!("`{shown}{dots}` is no number here: {error}")
    })
}
