//! The reader: a cursor and a stack of what is open. Depth costs heap, never stack.

use super::{Bounds, ReadError, Why};
use crate::domain::{Decimal, Value};
use std::collections::HashSet;

/// Reads one JSON text.
///
/// # Errors
/// [`ReadError`]: where, and why it is no strict JSON (RFC 8259; duplicate members refused at any depth).
pub fn read(bytes: &[u8], bounds: Bounds) -> Result<Value, ReadError> {
    let depth = bounds.depth.min(1_024);
    if bytes.len() > bounds.size {
        return Err(ReadError { offset: bounds.size, why: Why::Size(bounds.size) });
    }
    let text = std::str::from_utf8(bytes).map_err(|e| ReadError { offset: e.valid_up_to(), why: Why::Encoding })?;
    let mut cursor = Cursor { text, at: 0 };
    let mut open: Vec<Open> = Vec::new();
    let mut done = cursor.value(&mut open, depth)?;
    loop {
        done = match (done, open.pop()) {
            (Some(value), None) => return cursor.end().map(|()| value),
            (Some(value), Some(around)) => cursor.after_value(value, around, &mut open, depth)?,
            (None, Some(around)) => {
                open.push(around);
                cursor.value(&mut open, depth)?
            }
            (None, None) => return Err(cursor.error(Why::Ends)),
        };
    }
}

/// An array or object whose end is not read yet.
enum Open {
    List(Vec<Value>),
    Object(Members),
}

/// The members of an object read so far, and the name whose value comes next.
struct Members {
    read: Vec<(Box<str>, Value)>,
    name: Box<str>,
    /// The names, once there are too many to compare one by one.
    names: HashSet<Box<str>>,
}

const FEW: usize = 16;

impl Members {
    fn has(&self, name: &str) -> bool {
        if self.read.len() < FEW { self.read.iter().any(|(n, _)| &**n == name) } else { self.names.contains(name) }
    }

    fn push(&mut self, value: Value) {
        let name = std::mem::take(&mut self.name);
        self.read.push((name, value));
        if self.read.len() == FEW {
            self.names = self.read.iter().map(|(n, _)| n.clone()).collect();
        } else if let (true, Some((name, _))) = (self.read.len() > FEW, self.read.last()) {
            self.names.insert(name.clone());
        }
    }
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn error(&self, why: Why) -> ReadError {
        ReadError { offset: self.at, why }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn step(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.step(1);
        }
    }

    fn expected(&self, what: &'static str) -> ReadError {
        let why = if self.peek().is_none() { Why::Ends } else { Why::Expected(what) };
        self.error(why)
    }

    fn end(&mut self) -> Result<(), ReadError> {
        self.space();
        if self.peek().is_some() { Err(self.error(Why::Expected("the end"))) } else { Ok(()) }
    }

    /// A whole scalar or empty container; `None`: a container was opened and its first value comes next.
    fn value(&mut self, open: &mut Vec<Open>, depth: usize) -> Result<Option<Value>, ReadError> {
        self.space();
        match self.peek() {
            Some(b'{' | b'[') => self.container(open, depth),
            Some(b'"') => Ok(Some(Value::Text(self.string()?))),
            Some(b'-' | b'0'..=b'9') => self.number().map(Some),
            _ => self.literal().map(Some),
        }
    }

    fn container(&mut self, open: &mut Vec<Open>, depth: usize) -> Result<Option<Value>, ReadError> {
        if open.len() >= depth {
            return Err(self.error(Why::Depth(depth)));
        }
        let object = self.peek() == Some(b'{');
        self.step(1);
        self.space();
        match (object, self.peek()) {
            (true, Some(b'}')) => {
                self.step(1);
                Ok(Some(Value::Object(Vec::new())))
            }
            (false, Some(b']')) => {
                self.step(1);
                Ok(Some(Value::List(Vec::new())))
            }
            (true, _) => {
                let members = Members { read: Vec::new(), name: "".into(), names: HashSet::new() };
                open.push(Open::Object(self.name(members)?));
                Ok(None)
            }
            (false, _) => {
                open.push(Open::List(Vec::new()));
                Ok(None)
            }
        }
    }

    /// `"name" :`
    fn name(&mut self, mut members: Members) -> Result<Members, ReadError> {
        self.space();
        if self.peek() != Some(b'"') {
            return Err(self.expected("a member name"));
        }
        let start = self.at;
        let name = self.string()?;
        if members.has(&name) {
            return Err(ReadError { offset: start, why: Why::Duplicate(name) });
        }
        members.name = name;
        self.space();
        if self.peek() != Some(b':') {
            return Err(self.expected("`:`"));
        }
        self.step(1);
        Ok(members)
    }

    /// After a value inside `around`: a comma and more, or the end of `around`, which is a value itself.
    fn after_value(
        &mut self,
        value: Value,
        around: Open,
        open: &mut Vec<Open>,
        depth: usize,
    ) -> Result<Option<Value>, ReadError> {
        self.space();
        let next = self.peek();
        match around {
            Open::List(mut items) => {
                items.push(value);
                match next {
                    Some(b']') => {
                        self.step(1);
                        return Ok(Some(Value::List(items)));
                    }
                    Some(b',') => self.step(1),
                    _ => return Err(self.expected("`,` or `]`")),
                }
                open.push(Open::List(items));
            }
            Open::Object(mut members) => {
                members.push(value);
                match next {
                    Some(b'}') => {
                        self.step(1);
                        return Ok(Some(Value::Object(members.read)));
                    }
                    Some(b',') => self.step(1),
                    _ => return Err(self.expected("`,` or `}`")),
                }
                let members = self.name(members)?;
                open.push(Open::Object(members));
            }
        }
        self.value(open, depth)
    }

    fn literal(&mut self) -> Result<Value, ReadError> {
        for (word, value) in [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)] {
            if self.rest().starts_with(word) {
                self.step(word.len());
                return Ok(value);
            }
        }
        Err(self.expected("a value"))
    }

    fn number(&mut self) -> Result<Value, ReadError> {
        let in_number = |b: &u8| matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = self.rest().bytes().take_while(in_number).count();
        let text = self.rest().get(..length).unwrap_or("");
        let number = Decimal::parse(text).map_err(|why| self.error(why.into()))?;
        self.step(length);
        Ok(Value::Number(number))
    }

    fn string(&mut self) -> Result<Box<str>, ReadError> {
        self.step(1);
        let mut out = String::new();
        loop {
            let plain = self.rest().bytes().take_while(|b| !matches!(b, b'"' | b'\\' | 0..=0x1f)).count();
            out.push_str(self.rest().get(..plain).unwrap_or(""));
            self.step(plain);
            match self.peek() {
                Some(b'"') => {
                    self.step(1);
                    return Ok(out.into());
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.error(Why::Control)),
                None => return Err(self.error(Why::Ends)),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ReadError> {
        let start = self.at;
        self.step(1);
        let simple = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(start),
            Some(_) => return Err(ReadError { offset: start, why: Why::Escape }),
            None => return Err(self.error(Why::Ends)),
        };
        self.step(1);
        Ok(simple)
    }

    /// After `\`, at `u`.
    fn unicode(&mut self, start: usize) -> Result<char, ReadError> {
        let lone = ReadError { offset: start, why: Why::Surrogate };
        let high = self.hex(start)?;
        if !(0xd800..0xe000).contains(&high) {
            return char::from_u32(high).ok_or(lone);
        }
        if high >= 0xdc00 || !self.rest().starts_with("\\u") {
            return Err(lone);
        }
        self.step(1);
        let low = self.hex(start)?;
        char::decode_utf16([high, low].map(|half| u16::try_from(half).unwrap_or(0)))
            .next()
            .and_then(Result::ok)
            .filter(|_| (0xdc00..0xe000).contains(&low))
            .ok_or(lone)
    }

    /// `u` and four hexadecimal digits.
    fn hex(&mut self, start: usize) -> Result<u32, ReadError> {
        let bad = ReadError { offset: start, why: Why::Escape };
        self.step(1);
        let digits = self.rest().get(..4).filter(|t| t.bytes().all(|b| b.is_ascii_hexdigit())).ok_or(bad.clone())?;
        self.step(4);
        u32::from_str_radix(digits, 16).map_err(|_| bad)
    }
}
