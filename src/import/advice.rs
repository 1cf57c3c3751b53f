//! Arguments → what a person should decide about them: free text that looks like a path, a URL, a query, a command;
//! dispatchers; open objects. Names are looked at and never believed: nothing here changes a type.

use super::notes::{Note, Topic};
use super::schema::Reading;
use crate::domain::{Kind, Member, Rest, Type};
use std::collections::BTreeMap;

/// Words in a name, and what to consider.
const MEANINGS: &[(&[&str], &str)] = &[
    (
        &["path", "paths", "file", "files", "dir", "directory", "folder", "filename", "filepath", "cwd"],
        "looks like a file path: consider `path limited by` a limit `set of path`",
    ),
    (
        &["url", "urls", "uri", "href", "link", "endpoint", "webhook"],
        "looks like a URL: consider `url` and a limit over hosts",
    ),
    (&["host", "hostname", "domain", "domains"], "looks like a host: consider `host` and a limit"),
    (&["email", "emails", "recipient", "recipients", "cc", "bcc"], "looks like an address: consider `email` and a limit"),
    (
        &["sql", "query", "statement", "pipeline", "jql", "cypher", "filter"],
        "looks like a query: consider `text opaque` and `reaches`, as nothing can be said of what it gets at",
    ),
    (
        &["command", "cmd", "script", "code", "shell", "function", "expression", "args"],
        "looks like a command or code: consider `text opaque` and `reaches`, or `argv`",
    ),
    (
        &[
            "repo",
            "repository",
            "owner",
            "org",
            "project",
            "workspace",
            "database",
            "collection",
            "bucket",
            "channel",
            "namespace",
            "cluster",
            "table",
        ],
        "looks like the resource it works on: consider a limit",
    ),
    (&["amount", "price", "total", "cost"], "looks like money: consider bounds"),
];

/// Remarks on the arguments of one tool.
pub(super) fn on(reading: &mut Reading, arguments: &[Member]) {
    dispatcher(reading, arguments);
    arguments.iter().for_each(|argument| member(reading, argument));
}

fn dispatcher(reading: &mut Reading, arguments: &[Member]) {
    let named = |names: &[&str], kind: &dyn Fn(&Kind) -> bool| {
        arguments.iter().find(|a| names.contains(&&*a.name.to_ascii_lowercase()) && kind(&a.ty.kind)).map(|a| a.name.clone())
    };
    let text = |kind: &Kind| matches!(kind, Kind::Text { .. } | Kind::Enum(_));
    let object = |kind: &Kind| match kind {
        Kind::OpaqueJson | Kind::Map(_) => true,
        Kind::Record { members, rest } => members.is_empty() && *rest != Rest::Closed,
        _ => false, // names its members, or is no object
    };
    let name = named(&["command", "tool", "tool_name", "toolname", "name", "action", "operation", "method"], &text);
    let inside = named(&["parameters", "params", "arguments", "args", "input", "payload", "body"], &object);
    if let (Some(name), Some(inside)) = (name, inside) {
        reading.note(
            Topic::Decide,
            format!(
                "it looks like a dispatcher: `{name}` may name another tool and `{inside}` its arguments; see `dispatches`"
            ),
        );
    }
}

fn member(reading: &mut Reading, member: &Member) {
    reading.enter(&member.name);
    of_type(reading, &member.name, &member.ty);
    reading.leave();
}

fn of_type(reading: &mut Reading, name: &str, ty: &Type) {
    match &ty.kind {
        Kind::Text { .. } if ty.refinement.is_none() => {
            if let Some(remark) = meaning(name) {
                reading.note(Topic::Decide, remark);
            }
        }
        Kind::List(of) | Kind::OneOrList(of) | Kind::Map(of) => of_type(reading, name, of),
        Kind::Union(parts) => parts.iter().for_each(|part| of_type(reading, name, part)),
        Kind::Record { members, rest } => {
            if *rest == Rest::Open {
                reading.note(Topic::Decide, "an open object: what else stands in it is forwarded unseen");
            }
            members.iter().for_each(|inner| member(reading, inner));
        }
        Kind::OpaqueJson => reading.note(Topic::Decide, "any value at all: nothing can be said of it as it stands"),
        _ => {} // closed lists, numbers and the like say what they admit
    }
}

fn meaning(name: &str) -> Option<&'static str> {
    let mut words: Vec<String> = vec![String::new()];
    for c in name.chars() {
        let cut = !c.is_ascii_alphanumeric()
            || (c.is_ascii_uppercase() && words.last().is_some_and(|w| !w.ends_with(|l: char| l.is_ascii_uppercase())));
        if cut {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_ascii_alphanumeric(), words.last_mut()) {
            word.push(c);
        }
    }
    let words: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    MEANINGS.iter().find(|(known, _)| has(known)).map(|(_, remark)| *remark)
}

/// What to decide, by the way of what it speaks of.
pub(super) fn by_place(notes: &[Note]) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for note in notes.iter().filter(|note| note.topic == Topic::Decide) {
        all.entry(note.place.clone()).or_default().push(format!("decide: {}", note.text));
    }
    all
}
