//! A JSON text and new texts for some of its places → the same text with these put in, every other byte as it came. Knows no
//! values and no types; the text has been read before.

use std::collections::BTreeMap;
use std::ops::Range;

/// New texts, by JSON pointer. A place that is not there is a new last member of the object that it would stand in.
pub(crate) type Changes = BTreeMap<String, String>;

/// An array or object that is open.
struct Open {
    /// How long the pointer to it is.
    length: usize,
    /// The index of the element that comes; `None`: an object.
    index: Option<usize>,
    /// Whether a change around it replaces it whole.
    replaced: bool,
    /// Where it begins.
    start: usize,
    members: usize,
}

/// One pass over a text.
struct Pass<'a> {
    text: &'a str,
    at: usize,
    pointer: String,
    open: Vec<Open>,
    left: Changes,
    edits: Vec<(Range<usize>, String)>,
}

/// `text` with `changes` put in.
pub(crate) fn splice(text: &str, changes: &Changes) -> String {
    let mut pass = Pass { text, at: 0, pointer: String::new(), open: Vec::new(), left: changes.clone(), edits: Vec::new() };
    while pass.step().is_some() {}
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    pass.edits.sort_by_key(|(span, _)| (span.start, span.end));
    for (span, new) in pass.edits {
        out.push_str(text.get(from..span.start).unwrap_or_default());
        out.push_str(&new);
        from = span.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

impl Pass<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Takes one token; `None`: the text ends.
    fn step(&mut self) -> Option<()> {
        match self.peek()? {
            b' ' | b'\t' | b'\n' | b'\r' | b':' => self.at = self.at.saturating_add(1),
            b',' => {
                self.at = self.at.saturating_add(1);
                self.next_element();
            }
            b'{' => self.opens(None),
            b'[' => self.opens(Some(0)),
            b'}' | b']' => self.closes(),
            _ => self.scalar_or_name(),
        }
        Some(())
    }

    fn next_element(&mut self) {
        if let Some(open) = self.open.last_mut() {
            self.pointer.truncate(open.length);
            if let Some(index) = &mut open.index {
                *index = index.saturating_add(1);
                self.pointer.push('/');
                self.pointer.push_str(&index.to_string());
            }
        }
    }

    fn opens(&mut self, index: Option<usize>) {
        let replaced = self.left.contains_key(&self.pointer) || self.is_replaced();
        self.open.push(Open { length: self.pointer.len(), index, replaced, start: self.at, members: 0 });
        if index.is_some() {
            self.pointer.push_str("/0");
        }
        self.at = self.at.saturating_add(1);
    }

    fn is_replaced(&self) -> bool {
        self.open.last().is_some_and(|open| open.replaced)
    }

    fn closes(&mut self) {
        let Some(open) = self.open.pop() else {
            self.at = self.at.saturating_add(1);
            return;
        };
        self.pointer.truncate(open.length);
        if open.index.is_none() && !open.replaced {
            self.new_members(open.members);
        }
        self.at = self.at.saturating_add(1);
        self.value_ends(open.start);
    }

    /// What is left for the object that closes here.
    fn new_members(&mut self, members: usize) {
        let parent = format!("{}/", self.pointer);
        let of_this = |pointer: &&String| pointer.strip_prefix(&parent).is_some_and(|name| !name.contains('/'));
        let mine: Vec<String> = self.left.keys().filter(of_this).cloned().collect();
        let mut text = String::new();
        for pointer in mine {
            let Some(new) = self.left.remove(&pointer) else { continue };
            let name = pointer.get(parent.len()..).unwrap_or_default().replace("~1", "/").replace("~0", "~");
            text.push_str(if members == 0 && text.is_empty() { "" } else { "," });
            text.push_str(&crate::domain::quoted(&name));
            text.push(':');
            text.push_str(&new);
        }
        if !text.is_empty() {
            self.edits.push((self.at..self.at, text));
        }
    }

    /// The value from `start` to here has been passed.
    fn value_ends(&mut self, start: usize) {
        if self.is_replaced() {
            return;
        }
        if let Some(new) = self.left.remove(&self.pointer) {
            self.edits.push((start..self.at, new));
        }
    }

    fn scalar_or_name(&mut self) {
        let start = self.at;
        self.at = if self.peek() == Some(b'"') { self.string_end() } else { self.word_end() };
        let names_member = self.open.last().is_some_and(|open| open.index.is_none() && self.pointer.len() == open.length);
        match self.open.last_mut() {
            Some(open) if names_member => {
                open.members = open.members.saturating_add(1);
                let written = self.text.get(start..self.at).unwrap_or_default();
                let name = match super::read(written.as_bytes(), super::Bounds::default()) {
                    Ok(crate::domain::Value::Text(name)) => name,
                    Ok(_) | Err(_) => "".into(), // a member's name is a string
                };
                self.pointer.push('/');
                self.pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
            Some(_) | None => self.value_ends(start),
        }
    }

    fn string_end(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at.saturating_add(1)..).unwrap_or_default();
        let mut escaped = false;
        let end = rest.iter().position(|byte| {
            let ends = *byte == b'"' && !escaped;
            escaped = *byte == b'\\' && !escaped;
            ends
        });
        end.map_or(self.text.len(), |end| self.at.saturating_add(end).saturating_add(2))
    }

    fn word_end(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
        rest.iter().position(ends).map_or(self.text.len(), |end| self.at.saturating_add(end.max(1)))
    }
}

#[cfg(test)]
mod tests;
