//! How heavy a value is, and its text: what *lightest witness* means. Knows no sets.

use super::Value;

/// The weight of a value: the length of its compact JSON text in scalars, escapes counted as one and numbers written
/// plainly. It adds up: a list weighs its brackets, commas and elements.
pub fn weight(value: &Value) -> u64 {
    match value {
        Value::Null | Value::Bool(true) => 4,
        Value::Bool(false) => 5,
        Value::Number(number) => count(number.to_string().len()),
        Value::Text(text) => text_weight(text),
        Value::List(items) => joined(items.iter().map(weight)),
        Value::Object(members) => {
            joined(members.iter().map(|(key, value)| text_weight(key).saturating_add(1).saturating_add(weight(value))))
        }
    }
}

/// The compact JSON text of a value, numbers plain. Ties of weight are broken by it.
pub fn compact(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value);
    out
}

/// `text` as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(2));
    quote(&mut out, text);
    out
}

fn count(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

fn text_weight(text: &str) -> u64 {
    count(text.chars().count()).saturating_add(2)
}

fn joined(parts: impl Iterator<Item = u64>) -> u64 {
    let (mut sum, mut number) = (0u64, 0u64);
    for part in parts {
        sum = sum.saturating_add(part);
        number = number.saturating_add(1);
    }
    sum.saturating_add(number.saturating_sub(1)).saturating_add(2)
}

fn write(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::Text(text) => quote(out, text),
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(out, item);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (key, item)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                quote(out, key);
                out.push(':');
                write(out, item);
            }
            out.push('}');
        }
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Controls, and what would turn the reading direction of a message or a policy.
            c if c.is_control()
                || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
