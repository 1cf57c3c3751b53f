//! JSON or JSON Lines → calls, one at a time, so that a long-lived pipe is answered line by line. What stands inside `arguments`
//! is not looked at here: its bytes go to the evaluator as they came.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::BufRead;

/// One call as it was given.
#[derive(Debug)]
pub struct GivenCall {
    /// The connector.
    pub connector: String,
    /// The tool.
    pub tool: String,
    /// The arguments, byte for byte.
    pub arguments: Box<RawValue>,
    /// Echoed in the decision, `null` too.
    pub id: Option<Box<RawValue>>,
    /// Facts that replace the run's as a whole; an object.
    pub facts: Option<Box<RawValue>>,
}

/// The members of an object in their order, none looked into, repeated ones kept.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Members, D::Error> {
        from.deserialize_map(Collect)
    }
}

struct Collect;

impl<'de> Visitor<'de> for Collect {
    type Value = Members;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

/// A call, or why a line is not usable.
pub struct Item {
    /// The line it begins on, from 1.
    pub line: usize,
    /// The call.
    pub call: Result<GivenCall, String>,
}

/// Calls from a reader.
pub struct Calls<R> {
    reader: R,
    line: usize,
    first: bool,
    ready: std::vec::IntoIter<Item>,
}

impl<R: BufRead> Calls<R> {
    /// Calls as they come from `reader`.
    pub fn new(reader: R) -> Calls<R> {
        Calls { reader, line: 0, first: true, ready: Vec::new().into_iter() }
    }

    /// The next call; `None` at the end.
    ///
    /// # Errors
    /// The reader's own.
    pub fn next(&mut self) -> std::io::Result<Option<Item>> {
        loop {
            if let Some(item) = self.ready.next() {
                return Ok(Some(item));
            }
            let mut bytes = Vec::new();
            if self.reader.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            if bytes.trim_ascii().is_empty() {
                continue;
            }
            let first = std::mem::replace(&mut self.first, false);
            if first && incomplete(&bytes) {
                self.whole(bytes)?;
                continue;
            }
            return Ok(Some(Item { line: self.line, call: parse(&bytes) }));
        }
    }

    /// The first line is no value by itself: the input may be one value over many lines; if not, it is lines after all.
    fn whole(&mut self, mut bytes: Vec<u8>) -> std::io::Result<()> {
        let start = self.line;
        self.reader.read_to_end(&mut bytes)?;
        let items = match serde_json::from_slice::<&RawValue>(&bytes) {
            Ok(value) => vec![Item { line: start, call: parse(value.get().as_bytes()) }],
            Err(_) => {
                let lines = bytes.split(|b| *b == b'\n').enumerate();
                let used = lines.filter(|(_, l)| !l.trim_ascii().is_empty());
                used.map(|(i, l)| Item { line: start + i, call: parse(l) }).collect()
            }
        };
        self.ready = items.into_iter();
        Ok(())
    }
}

fn incomplete(bytes: &[u8]) -> bool {
    serde_json::from_slice::<&RawValue>(bytes).is_err_and(|e| e.is_eof())
}

fn parse(bytes: &[u8]) -> Result<GivenCall, String> {
    let told =
        |why: String| format!("{why}; a call is {{\"connector\", \"tool\", \"arguments\"}} with optional \"id\", \"facts\"");
    let raw: &RawValue = serde_json::from_slice(bytes).map_err(|e| told(not_json(&e)))?;
    if !raw.get().starts_with('{') {
        return Err(told("it is no object".to_owned()));
    }
    let Members(members) = serde_json::from_str(raw.get()).map_err(|e| told(not_json(&e)))?;
    given(members).map_err(told)
}

fn not_json(error: &serde_json::Error) -> String {
    match error.is_eof() {
        true => "it is no JSON: it ends too soon".to_owned(),
        false => format!("it is no JSON, from column {} on", error.column()),
    }
}

fn given(members: Vec<(String, Box<RawValue>)>) -> Result<GivenCall, String> {
    let mut found: BTreeMap<String, Box<RawValue>> = BTreeMap::new();
    for (name, value) in members {
        if !["connector", "tool", "arguments", "id", "facts"].contains(&name.as_str()) {
            return Err(format!("a call has no `{name}`"));
        }
        if found.insert(name.clone(), value).is_some() {
            return Err(format!("`{name}` stands there twice"));
        }
    }
    let mut take = |name: &str| found.remove(name).ok_or_else(|| format!("`{name}` is missing"));
    let text = |name: &str, value: &RawValue| {
        serde_json::from_str::<String>(value.get()).map_err(|_| format!("`{name}` is no text"))
    };
    let connector = text("connector", &take("connector")?)?;
    let tool = text("tool", &take("tool")?)?;
    let arguments = take("arguments")?;
    let (id, facts) = (take("id").ok(), take("facts").ok());
    if facts.as_ref().is_some_and(|facts| !facts.get().starts_with('{')) {
        return Err("`facts` is no object".to_owned());
    }
    Ok(GivenCall { connector, tool, arguments, id, facts })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(usize, Option<String>)> {
        let mut calls = Calls::new(text.as_bytes());
        let mut found = Vec::new();
        while let Some(item) = calls.next().expect("no IO") {
            found.push((item.line, item.call.ok().map(|c| format!("{}.{}{}", c.connector, c.tool, c.arguments))));
        }
        found
    }

    #[test]
    fn lines_are_calls_and_blank_lines_are_nothing() {
        let text = "{\"connector\":\"a\",\"tool\":\"b\",\"arguments\":{\"x\": 1.0}}\n\n{\"connector\":\"a\",\"tool\":\"c\",\"arguments\":{}}";
        assert_eq!(all(text), [(1, Some("a.b{\"x\": 1.0}".to_owned())), (3, Some("a.c{}".to_owned()))]);
    }

    #[test]
    fn one_value_may_stand_on_many_lines() {
        let text = "{\n  \"connector\": \"a\",\n  \"tool\": \"b\",\n  \"arguments\": {\n  }\n}\n";
        assert_eq!(all(text), [(1, Some("a.b{\n  }".to_owned()))]);
    }

    #[test]
    fn a_list_is_no_call() {
        assert_eq!(all("[\"a\", \"b\", {}]\n[\"a\", \"b\", {}, 1, {}]\n"), [(1, None), (2, None)]);
    }

    #[test]
    fn an_unusable_line_does_not_hide_the_next() {
        let good = "{\"connector\":\"a\",\"tool\":\"b\",\"arguments\":{\"x\":1,\"x\":2}}";
        let text = format!(
            "{{\"connector\"\n{good}\n[]\n{{\"connector\":\"a\",\"connector\":\"b\",\"tool\":\"b\",\"arguments\":{{}}}}\n{good}"
        );
        let found = all(&text);
        let usable: Vec<bool> = found.iter().map(|(_, c)| c.is_some()).collect();
        assert_eq!(usable, [false, true, false, false, true]);
        assert_eq!(
            found[1].1.as_deref(),
            Some("a.b{\"x\":1,\"x\":2}"),
            "members inside arguments are the evaluator's matter"
        );
    }
}
