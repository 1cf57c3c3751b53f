//! JSON trees → canonical text and SHA-256 digests. Knows no policies, and no room's own value types: a tree shows itself
//! through [`Node`].
//!
//! Canonical text is RFC 8785 (members sorted by UTF-16 code units, no white space, the shortest escapes), but numbers are
//! exact decimals without exponent, so equal values, and only they, have equal texts.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

use sha2::{Digest as _, Sha256};
use std::cmp::Ordering;

/// What one node of a JSON tree is.
pub enum View<'a, N> {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number, as a plain decimal: no exponent, no leading or trailing zeros.
    Number(String),
    /// A string.
    Text(&'a str),
    /// An array.
    List(&'a [N]),
    /// An object; keys are distinct.
    Object(&'a [(Box<str>, N)]),
}

/// A JSON tree that can be written canonically.
pub trait Node: Sized {
    /// What this node is.
    fn view(&self) -> View<'_, Self>;
}

/// `"sha256:"` and 64 hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let mut text = String::from("sha256:");
    for byte in sha256_bytes(bytes) {
        text.extend(HEX.get(usize::from(byte >> 4)));
        text.extend(HEX.get(usize::from(byte & 15)));
    }
    text
}

/// The 32 bytes of the SHA-256.
pub fn sha256_bytes(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The digest of the canonical text of a tree.
pub fn digest<N: Node>(node: &N) -> String {
    sha256(canonical(node).as_bytes())
}

/// The canonical text of a tree.
pub fn canonical<N: Node>(node: &N) -> String {
    write(node, Members::Sorted)
}

/// The text of a tree with its members in the order they have, otherwise canonical.
pub fn compact<N: Node>(node: &N) -> String {
    write(node, Members::AsTheyStand)
}

#[derive(Clone, Copy)]
enum Members {
    Sorted,
    AsTheyStand,
}

/// What is still to be written, last first: the depth of a tree costs heap, never stack.
enum Todo<'a, N> {
    Node(&'a N),
    Key(&'a str),
    Raw(char),
}

fn write<N: Node>(node: &N, members: Members) -> String {
    let mut out = String::new();
    let mut todo = vec![Todo::Node(node)];
    while let Some(next) = todo.pop() {
        match next {
            Todo::Raw(c) => out.push(c),
            Todo::Key(key) => {
                write_text(key, &mut out);
                out.push(':');
            }
            Todo::Node(node) => write_node(node.view(), members, &mut out, &mut todo),
        }
    }
    out
}

fn write_node<'a, N: Node>(view: View<'a, N>, members: Members, out: &mut String, todo: &mut Vec<Todo<'a, N>>) {
    match view {
        View::Null => out.push_str("null"),
        View::Bool(true) => out.push_str("true"),
        View::Bool(false) => out.push_str("false"),
        View::Number(text) => out.push_str(&text),
        View::Text(text) => write_text(text, out),
        View::List(items) => {
            out.push('[');
            todo.push(Todo::Raw(']'));
            for (index, item) in items.iter().enumerate().rev() {
                todo.push(Todo::Node(item));
                if index > 0 {
                    todo.push(Todo::Raw(','));
                }
            }
        }
        View::Object(object) => {
            out.push('{');
            todo.push(Todo::Raw('}'));
            let mut sorted: Vec<&(Box<str>, N)> = object.iter().collect();
            if matches!(members, Members::Sorted) {
                sorted.sort_by(|a, b| utf16_order(&a.0, &b.0));
            }
            for (index, (key, value)) in sorted.into_iter().enumerate().rev() {
                todo.push(Todo::Node(value));
                todo.push(Todo::Key(key));
                if index > 0 {
                    todo.push(Todo::Raw(','));
                }
            }
        }
    }
}

fn utf16_order(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// Appends `text` as a JSON string with the shortest escapes.
pub fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{9}' => out.push_str("\\t"),
            '\u{a}' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\u{d}' => out.push_str("\\r"),
            '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests;
