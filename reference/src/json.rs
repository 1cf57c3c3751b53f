//! JSON bytes → [`Json`], strictly (language.md 5), by plain recursive descent. Depth is bounded, so recursion is too.

use crate::number::Num;
use bailiwick::domain::Value;

/// A JSON value; members in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Json {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number.
    Num(Num),
    /// A string.
    Str(String),
    /// An array.
    List(Vec<Json>),
    /// An object.
    Obj(Vec<(String, Json)>),
}

impl Json {
    /// The member `name` of an object.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Obj(members) => members.iter().find(|(n, _)| n == name).map(|(_, v)| v),
            Json::Null | Json::Bool(_) | Json::Num(_) | Json::Str(_) | Json::List(_) => None,
        }
    }

    /// The text of a string.
    pub fn text(&self) -> Option<&str> {
        if let Json::Str(s) = self { Some(s) } else { None }
    }

    /// A string.
    pub fn str(text: impl AsRef<str>) -> Json {
        Json::Str(text.as_ref().to_owned())
    }

    /// The number a JSON number text stands for.
    ///
    /// # Panics
    /// If it is none.
    pub fn num(text: &str) -> Json {
        Json::Num(Num::parse(text).expect("a number"))
    }

    /// Compact text; numbers plain; members sorted by their UTF-16 code units (RFC 8785).
    pub fn canonical(&self) -> String {
        match self {
            Json::Null => "null".to_owned(),
            Json::Bool(b) => b.to_string(),
            Json::Num(n) => n.plain(),
            Json::Str(s) => quoted(s),
            Json::List(items) => format!("[{}]", items.iter().map(Json::canonical).collect::<Vec<_>>().join(",")),
            Json::Obj(members) => {
                let mut sorted: Vec<_> = members.iter().collect();
                sorted.sort_by_key(|(n, _)| n.encode_utf16().collect::<Vec<_>>());
                let parts: Vec<_> = sorted.iter().map(|(n, v)| format!("{}:{}", quoted(n), v.canonical())).collect();
                format!("{{{}}}", parts.join(","))
            }
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Json {
        match value {
            Value::Null => Json::Null,
            Value::Bool(b) => Json::Bool(*b),
            Value::Number(n) => Json::Num(crate::decimal(n)),
            Value::Text(s) => Json::str(s),
            Value::List(items) => Json::List(items.iter().map(Json::from).collect()),
            Value::Object(members) => Json::Obj(members.iter().map(|(n, v)| (n.to_string(), Json::from(v))).collect()),
        }
    }
}

/// Reads one JSON text. `None`: not strict JSON, or two readers could read it differently.
pub fn read(bytes: &[u8]) -> Option<Json> {
    if bytes.len() > 1 << 20 {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    reader.blank();
    reader.rest.is_empty().then_some(value)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn blank(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn take(&mut self, token: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(token)?;
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        self.blank();
        match self.rest.chars().next()? {
            '{' => self.object(depth + 1),
            '[' => self.list(depth + 1),
            '"' => self.string().map(Json::Str),
            't' => self.take("true").map(|()| Json::Bool(true)),
            'f' => self.take("false").map(|()| Json::Bool(false)),
            'n' => self.take("null").map(|()| Json::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        self.take("{")?;
        let mut members: Vec<(String, Json)> = Vec::new();
        if depth > 64 {
            return None;
        }
        self.blank();
        if self.take("}").is_some() {
            return Some(Json::Obj(members));
        }
        loop {
            self.blank();
            let name = self.string()?;
            self.blank();
            self.take(":")?;
            let value = self.value(depth)?;
            if members.iter().any(|(n, _)| *n == name) {
                return None;
            }
            members.push((name, value));
            self.blank();
            if self.take("}").is_some() {
                return Some(Json::Obj(members));
            }
            self.take(",")?;
        }
    }

    fn list(&mut self, depth: usize) -> Option<Json> {
        self.take("[")?;
        let mut items = Vec::new();
        if depth > 64 {
            return None;
        }
        self.blank();
        if self.take("]").is_some() {
            return Some(Json::List(items));
        }
        loop {
            items.push(self.value(depth)?);
            self.blank();
            if self.take("]").is_some() {
                return Some(Json::List(items));
            }
            self.take(",")?;
        }
    }

    fn string(&mut self) -> Option<String> {
        self.take("\"")?;
        let mut units: Vec<u16> = Vec::new();
        loop {
            let c = self.rest.chars().next()?;
            self.rest = &self.rest[c.len_utf8()..];
            match c {
                '"' => return String::from_utf16(&units).ok(),
                '\\' => units.push(self.escape()?),
                c if (c as u32) < 0x20 => return None,
                c => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn escape(&mut self) -> Option<u16> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(match c {
            '"' | '\\' | '/' => c as u16,
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'u' => {
                let hex = self.rest.get(..4)?;
                self.rest = &self.rest[4..];
                if !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
                    return None;
                }
                u16::from_str_radix(hex, 16).ok()?
            }
            _ => return None,
        })
    }

    fn number(&mut self) -> Option<Json> {
        let end = self.rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        if !is_number(text) {
            return None;
        }
        Num::parse(text).map(Json::Num)
    }
}

/// The grammar of RFC 8259, section 6.
fn is_number(text: &str) -> bool {
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, power) = text.split_once(['e', 'E']).map_or((text, None), |(m, p)| (m, Some(p)));
    let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(w, f)| (w, Some(f)));
    let power_holds = power.is_none_or(|p| digits(p.strip_prefix(['+', '-']).unwrap_or(p)));
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(digits) && power_holds
}

#[cfg(test)]
mod tests {
    use super::{Json, read};

    #[test]
    fn strict() {
        for good in ["{}", " [1, -0.5e+3] ", r#""\ud83d\ude00""#, "null", r#"{"a":{"b":[]},"c":1}"#] {
            assert!(read(good.as_bytes()).is_some(), "{good}");
        }
        for bad in [
            "",
            "01",
            "1.",
            ".5",
            "+1",
            "[1,]",
            r#"{"a":1,"a":1}"#,
            r#"{"a":{"b":1,"b":2}}"#,
            r#""\ud83d""#,
            "\"\n\"",
            "nul",
            "{} x",
            "1e2000",
        ] {
            assert!(read(bad.as_bytes()).is_none(), "{bad}");
        }
        let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(read(deep(64).as_bytes()).is_some() && read(deep(65).as_bytes()).is_none());
    }

    #[test]
    fn canonical_sorts_and_plains() {
        let text = read(br#"{"b":1.50e1,"a":"\u000a\u00e9"}"#).as_ref().map(Json::canonical);
        assert_eq!(text.as_deref(), Some("{\"a\":\"\\n\u{e9}\",\"b\":15}"));
    }
}
