//! The bytes of a `tools/list` result, or of a capture of one → the tools, as the server says them. Knows no vocabulary.

use super::ImportError;
use crate::call::{self, Bounds};
use crate::digest::digest;
use crate::domain::Value;
use std::collections::BTreeSet;

/// Listings nest no deeper and are no larger than this.
const BOUNDS: Bounds = Bounds { depth: 200, size: 64 << 20 };
/// The longest name of a tool or argument, in characters.
const MAX_NAME: usize = 256;

/// One tool of a server.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerTool {
    /// Its name.
    pub name: Box<str>,
    /// What the server says it does.
    pub description: Option<Box<str>>,
    /// Its `inputSchema`, an object.
    pub schema: Value,
    /// `readOnlyHint` and its like, where they are Booleans.
    pub hints: Hints,
    /// The digest of the tool as it stands in the list: RFC 8785, numbers as exact decimals.
    pub digest: String,
}

/// What a server claims about a tool's effects; nothing checks it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// `readOnlyHint`
    pub read_only: Option<bool>,
    /// `destructiveHint`
    pub destructive: Option<bool>,
    /// `openWorldHint`
    pub open_world: Option<bool>,
}

/// What a server offers.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// The server's name and version, where the capture tells.
    pub server: Option<String>,
    /// The tools, in the server's order.
    pub tools: Vec<ServerTool>,
    /// The digest of all tools, whatever their order: RFC 8785, numbers as exact decimals.
    pub digest: String,
}

/// The member of an object.
pub(super) fn get<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    match value {
        Value::Object(members) => members.iter().find(|(key, _)| &**key == name).map(|(_, value)| value),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => None,
    }
}

/// The text, if it is one.
pub(super) fn text(value: &Value) -> Option<&str> {
    if let Value::Text(text) = value { Some(text) } else { None }
}

/// The listing in `bytes`: `{"tools": […]}`, a JSON-RPC response that has it as `result`, the array alone, or the lines of a
/// session in which such responses stand, one for each page.
///
/// # Errors
/// [`ImportError`]: no strict JSON, no such list, or a tool that is none.
pub fn read(bytes: &[u8]) -> Result<Listing, ImportError> {
    let documents = documents(bytes)?;
    let lists: Vec<&[Value]> = documents.iter().filter_map(list).collect();
    if lists.is_empty() {
        return Err(ImportError::NoTools);
    }
    let items = lists.into_iter().flatten().enumerate();
    let tools = items.map(|(at, item)| tool(at, item)).collect::<Result<Vec<_>, _>>()?;
    let mut names = BTreeSet::new();
    if let Some(twice) = tools.iter().find(|tool| !names.insert(&tool.name)) {
        return Err(ImportError::Twice(twice.name.to_string()));
    }
    let mut digests: Vec<&str> = tools.iter().map(|tool| tool.digest.as_str()).collect();
    digests.sort_unstable();
    let digest = digest(&Value::List(digests.into_iter().map(|text| Value::Text(text.into())).collect()));
    Ok(Listing { server: documents.iter().find_map(server), tools, digest })
}

/// One document, or one a line.
fn documents(bytes: &[u8]) -> Result<Vec<Value>, ImportError> {
    let whole = match call::read(bytes, BOUNDS) {
        Ok(document) => return Ok(vec![document]),
        Err(error) => ImportError::Json(error),
    };
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|l| !l.is_empty()).collect();
    if lines.len() < 2 || !lines.iter().all(|line| line.starts_with(b"{") && line.ends_with(b"}")) {
        return Err(whole);
    }
    lines.into_iter().map(|line| call::read(line, BOUNDS).map_err(ImportError::Json)).collect()
}

fn list(document: &Value) -> Option<&[Value]> {
    let inside = get(document, "result").unwrap_or(document);
    match (inside, get(inside, "tools")) {
        (Value::List(items), _) | (_, Some(Value::List(items))) => Some(items),
        _ => None, // a message of another kind
    }
}

fn server(document: &Value) -> Option<String> {
    let info = get(get(document, "initialize").or_else(|| get(document, "result"))?, "serverInfo")?;
    let name = text(get(info, "name")?)?;
    Some(match get(info, "version").and_then(text) {
        Some(version) => format!("{name} {version}"),
        None => name.to_owned(),
    })
}

fn tool(at: usize, item: &Value) -> Result<ServerTool, ImportError> {
    let wrong = |why: String| ImportError::Tool { at, why };
    let name = match get(item, "name") {
        Some(Value::Text(name)) if name.is_empty() => return Err(wrong("its name is empty".to_owned())),
        Some(Value::Text(name)) if name.chars().count() > MAX_NAME => {
            return Err(wrong(format!("its name has more than {MAX_NAME} characters")));
        }
        Some(Value::Text(name)) => name.clone(),
        Some(_) => return Err(wrong("its `name` is no string".to_owned())),
        None => return Err(wrong("it has no `name`".to_owned())),
    };
    let schema = match get(item, "inputSchema") {
        Some(schema @ Value::Object(_)) => schema.clone(),
        Some(_) => return Err(wrong(format!("the `inputSchema` of `{name}` is no object"))),
        None => return Err(wrong(format!("`{name}` has no `inputSchema`"))),
    };
    Ok(ServerTool {
        name,
        description: get(item, "description").and_then(text).map(Into::into),
        schema,
        hints: hints(get(item, "annotations")),
        digest: digest(item),
    })
}

fn hints(annotations: Option<&Value>) -> Hints {
    let hint = |name: &str| match annotations.and_then(|all| get(all, name)) {
        Some(Value::Bool(it)) => Some(*it),
        _ => None, // missing, or of a shape that says nothing
    };
    Hints { read_only: hint("readOnlyHint"), destructive: hint("destructiveHint"), open_world: hint("openWorldHint") }
}
