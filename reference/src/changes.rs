//! Arguments as they came and as forwarded → what was changed, place by place. Compares; knows no policy.

use crate::json::Json;
use crate::places::escape;

/// One change: JSON pointer, what stood there, what is forwarded.
pub type Change = (String, Option<String>, String);

/// Every change, sorted.
pub fn changes(given: &Json, forwarded: &Json) -> Vec<Change> {
    let mut found = Vec::new();
    compare("", given, forwarded, &mut found);
    found.sort();
    found
}

fn compare(at: &str, given: &Json, forwarded: &Json, out: &mut Vec<Change>) {
    match (given, forwarded) {
        (Json::Obj(_), Json::Obj(members)) => {
            for (name, value) in members {
                let here = format!("{at}/{}", escape(name));
                match given.get(name) {
                    Some(old) => compare(&here, old, value, out),
                    None => out.push((here, None, value.canonical())),
                }
            }
        }
        (Json::List(old), Json::List(new)) if old.len() == new.len() => {
            old.iter().zip(new).enumerate().for_each(|(i, (a, b))| compare(&format!("{at}/{i}"), a, b, out));
        }
        _ if given.canonical() == forwarded.canonical() => {}
        _ => out.push((at.to_owned(), Some(given.canonical()), forwarded.canonical())), // another value there
    }
}
