//! The bytes of one JSON-RPC message → what it is, its parts as they stand in the bytes. As strict as the reading of
//! arguments: the members are a closed list, each once and spelled without escapes, so that every reader sees the same message.

use bailiwick::call::{self, Bounds};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// How deep a message may nest: arguments, and the envelope around them.
const DEPTH: usize = 72;

/// One message of the client.
#[derive(Debug)]
pub enum Message<'a> {
    /// It wants an answer.
    Request(Request<'a>),
    /// It wants none.
    Notification(Request<'a>),
    /// An answer to the server.
    Response,
}

/// A method with its parameters.
#[derive(Debug)]
pub struct Request<'a> {
    /// The identifier as it stands; empty for a notification.
    pub id: &'a str,
    /// The method.
    pub method: &'a str,
    /// The parameters as they stand.
    pub params: Option<&'a RawValue>,
}

/// A message that is none: the error's code, its reason, and the identifier where that is sure.
#[derive(Debug)]
pub struct Refused<'a> {
    /// JSON-RPC's code.
    pub code: i32,
    /// Why.
    pub why: String,
    /// As it stands.
    pub id: Option<&'a str>,
}

/// Not JSON at all.
pub const PARSE_ERROR: i32 = -32_700;
/// JSON, but no message.
pub const INVALID_REQUEST: i32 = -32_600;
/// A method that is not passed on.
pub const METHOD_NOT_FOUND: i32 = -32_601;
/// Parameters of another shape.
pub const INVALID_PARAMS: i32 = -32_602;

/// The members of an object, each once, their names without escapes.
pub struct Members<'a>(pub Vec<(&'a str, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Members<'a>, D::Error> {
        from.deserialize_map(Collect)
    }
}

struct Collect;

impl<'de> Visitor<'de> for Collect {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object whose member names are written without escapes")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let mut members: Vec<(&str, &RawValue)> = Vec::new();
        while let Some(name) = map.next_key::<&str>()? {
            if members.iter().any(|(known, _)| *known == name) {
                return Err(serde::de::Error::custom(format!("the member `{name}` stands twice")));
            }
            members.push((name, map.next_value()?));
        }
        Ok(Members(members))
    }
}

impl<'a> Members<'a> {
    /// The member.
    pub fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// A member that is none of these.
    pub fn other_than(&self, names: &[&str]) -> Option<&'a str> {
        self.0.iter().map(|(name, _)| *name).find(|name| !names.contains(name))
    }
}

/// The messages of a line: one, or the elements of a batch.
pub enum Line<'a> {
    /// One message.
    One(&'a RawValue),
    /// Several.
    Batch(Vec<&'a RawValue>),
}

/// Splits a line.
pub fn line(text: &str) -> Result<Line<'_>, String> {
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(text).map(Line::Batch).map_err(|e| e.to_string());
    }
    serde_json::from_str(text).map(Line::One).map_err(|e| e.to_string())
}

/// Reads one message.
pub fn message(raw: &RawValue) -> Result<Message<'_>, Refused<'_>> {
    let refuse = |why: String, id| Refused { code: INVALID_REQUEST, why, id };
    let members: Members = serde_json::from_str(raw.get()).map_err(|e| refuse(format!("no message: {e}"), None))?;
    let id = members.get("id").map(|id| id.get());
    let id = match id {
        Some(id) if !is_id(id) => return Err(refuse("`id` is neither a string nor a whole number".to_owned(), None)),
        id => id,
    };
    if members.get("jsonrpc").map(|version| version.get()) != Some("\"2.0\"") {
        return Err(refuse("`jsonrpc` is not \"2.0\"".to_owned(), id));
    }
    let Some(method) = members.get("method") else { return response(&members, raw, id) };
    if let Some(other) = members.other_than(&["jsonrpc", "id", "method", "params"]) {
        return Err(refuse(format!("a request has no member {other:?}"), id));
    }
    let method: &str = serde_json::from_str(method.get())
        .map_err(|_| refuse("`method` is no string that is written without escapes".to_owned(), id))?;
    let params = members.get("params");
    if params.is_some_and(|params| !params.get().starts_with(['{', '['])) {
        return Err(refuse("`params` is no object".to_owned(), id));
    }
    Ok(match id {
        Some(id) => Message::Request(Request { id, method, params }),
        None => Message::Notification(Request { id: "", method, params }),
    })
}

fn response<'a>(members: &Members<'a>, raw: &'a RawValue, id: Option<&'a str>) -> Result<Message<'a>, Refused<'a>> {
    let refuse = |why: String| Refused { code: INVALID_REQUEST, why, id };
    if let Some(other) = members.other_than(&["jsonrpc", "id", "result", "error"]) {
        return Err(refuse(format!("it has no `method`, and a response has no member {other:?}")));
    }
    if id.is_none() || members.get("result").is_some() == members.get("error").is_some() {
        return Err(refuse("neither a request nor a response".to_owned()));
    }
    strict(raw.get()).map_err(|why| Refused { code: INVALID_REQUEST, why, id })?;
    Ok(Message::Response)
}

/// Whether every reader reads the same in it.
pub fn strict(text: &str) -> Result<(), String> {
    call::read(text.as_bytes(), Bounds { depth: DEPTH, size: usize::MAX }).map(drop).map_err(|e| e.to_string())
}

/// A string, or a whole number without fraction and exponent.
fn is_id(id: &str) -> bool {
    let digits = id.strip_prefix('-').unwrap_or(id);
    let number = !digits.is_empty() && digits.len() <= 18 && digits.bytes().all(|byte| byte.is_ascii_digit());
    number || id.starts_with('"') && strict(id).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, (i32, String)> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|e| (PARSE_ERROR, e.to_string()))?;
        match message(raw) {
            Ok(Message::Request(request)) => Ok(format!("{} {}", request.id, request.method)),
            Ok(Message::Notification(request)) => Ok(format!("- {}", request.method)),
            Ok(Message::Response) => Ok("response".to_owned()),
            Err(refused) => Err((refused.code, refused.why)),
        }
    }

    #[test]
    fn a_message_is_read_one_way_or_not_at_all() {
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).as_deref(), Ok("1 ping"));
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":{}}"#).as_deref(), Ok("\"a\" ping"));
        assert_eq!(read(r#"{"jsonrpc":"2.0","method":"x"}"#).as_deref(), Ok("- x"));
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).as_deref(), Ok("response"));
        let odd = [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"meth\u006fd":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"p\u0069ng"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":1}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}"#,
            "3",
            "\"x\"",
        ];
        for text in odd {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
