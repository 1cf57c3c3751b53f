//! A Ready decision and the bytes of its call → the bytes to forward: as they came, but for what was rewritten.

use super::decision::{Decision, Forwarded};
use crate::call::splice::{Changes, splice};
use crate::digest::compact;
use crate::domain::Value;

impl Decision {
    /// The arguments to forward, as text: `raw`, the bytes that were decided, with what was rewritten put in and every other
    /// byte as it came. `None` where nothing is to be forwarded.
    pub fn forward(&self, raw: &[u8]) -> Option<String> {
        let forwarded = self.arguments.as_ref()?;
        let Ok(text) = std::str::from_utf8(raw) else { return Some(compact(forwarded.value())) };
        match forwarded {
            Forwarded::AsCame(_) => Some(text.to_owned()),
            Forwarded::Rewritten(settled) => {
                let new = |path: &String| Some((path.clone(), compact(at(settled, path)?)));
                let changes: Changes = self.rewrites.iter().filter_map(|rewrite| new(&rewrite.path)).collect();
                Some(splice(text, &changes))
            }
        }
    }
}

/// What stands at a JSON pointer.
fn at<'v>(value: &'v Value, pointer: &str) -> Option<&'v Value> {
    pointer.split('/').skip(1).try_fold(value, |value, key| match value {
        Value::Object(members) => {
            let name = key.replace("~1", "/").replace("~0", "~");
            members.iter().find(|(member, _)| **member == *name).map(|(_, value)| value)
        }
        Value::List(items) => items.get(key.parse::<usize>().ok()?),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => None,
    })
}
