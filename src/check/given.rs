//! `given { … }` of a test: the facts that exist, in the shape that they have, naming what is declared. At the host an odd fact
//! counts as unavailable and refuses; in a test it is a slip.

use super::formed;
use super::{Known, literals, spell};
use crate::diag::{Code, Diagnostic, Sink, nearest};
use crate::syntax::ast::{Json, JsonKind, Name};

const FACTS: [&str; 11] = [
    "mode",
    "consent",
    "approvals",
    "providers",
    "bindings",
    "resolved_paths",
    "routes",
    "on_behalf_of",
    "generation",
    "listing_generation",
    "overlays",
];

const STATES: [&str; 4] = ["ready", "degraded", "offline", "unknown"];

/// Reports every fact that does not exist, or whose value does not.
pub fn check(known: &Known, given: &[(Name, Json)], sink: &mut Sink) {
    literals::distinct_members(given, sink);
    for (name, value) in given {
        let unavailable = matches!(text(value), Some("unavailable"));
        match name.text.as_str() {
            unknown if !FACTS.contains(&unknown) => {
                sink.push(spell::unknown(Code::UNKNOWN_FACT, name, format!("there is no fact `{}`", name.text), &FACTS));
            }
            _ if unavailable => {}
            "mode" => mode(known, value, sink),
            "consent" => consent(known, value, sink),
            "approvals" => list(value, "approvals", sink, approval),
            "providers" => members(value, "providers", sink, |name, value, sink| provider(known, name, value, sink)),
            "bindings" => members(value, "bindings", sink, |name, value, sink| binding(known, name, value, sink)),
            "resolved_paths" => members(value, "resolved_paths", sink, |_, value, sink| must_be_text(value, "a path", sink)),
            "routes" => members(value, "routes", sink, |_, value, sink| {
                if let Some(text) = texted(value, "a provider", sink) {
                    declared_provider(known, &named(text, value), sink);
                }
            }),
            "on_behalf_of" => must_be_text(value, "an agent's name", sink),
            "generation" | "listing_generation" if matches!(value.kind, JsonKind::Number(_)) => {}
            "generation" | "listing_generation" => sink.push(shape(value, "a number")),
            _ => sink.push(shape(value, "`unavailable`: it says that the host cannot tell which are in force")),
        }
    }
}

fn text(value: &Json) -> Option<&str> {
    match &value.kind {
        JsonKind::Text(text) | JsonKind::Word(text) => Some(text),
        JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::List(_) | JsonKind::Object(_) => None,
    }
}

fn named(text: &str, value: &Json) -> Name {
    Name { text: text.to_owned(), span: value.span, quoted: matches!(value.kind, JsonKind::Text(_)) }
}

fn shape(value: &Json, expected: &str) -> Diagnostic {
    Diagnostic::new(Code::BAD_FACT, value.span, format!("this fact has another shape: {expected} stands here"))
}

fn texted<'j>(value: &'j Json, expected: &str, sink: &mut Sink) -> Option<&'j str> {
    let found = text(value);
    if found.is_none() {
        sink.push(shape(value, expected));
    }
    found
}

fn must_be_text(value: &Json, expected: &str, sink: &mut Sink) {
    let _ = texted(value, expected, sink);
}

fn list(value: &Json, what: &str, sink: &mut Sink, item: impl Fn(&Json, &mut Sink)) {
    match &value.kind {
        JsonKind::List(items) => items.iter().for_each(|it| item(it, sink)),
        _ => sink.push(shape(value, &format!("a list of {what}"))), // of another shape
    }
}

fn members(value: &Json, what: &str, sink: &mut Sink, member: impl Fn(&Name, &Json, &mut Sink)) {
    match &value.kind {
        JsonKind::Object(members) => members.iter().for_each(|(name, value)| member(name, value, sink)),
        _ => sink.push(shape(value, &format!("an object of {what}, `{{ … }}`"))), // of another shape
    }
}

/// A mode of the deployment; where there is none, any word is one that it could declare.
fn mode(known: &Known, value: &Json, sink: &mut Sink) {
    let Some(text) = texted(value, "a mode", sink) else { return };
    let Some(deployment) = known.names.deployment else { return };
    let all: Vec<&str> = deployment.modes.iter().map(|mode| mode.name.text.as_str()).chain(["normal"]).collect();
    if !all.contains(&text) {
        sink.push(spell::unknown(Code::BAD_FACT, &named(text, value), format!("no mode is called `{text}`"), &all));
    }
}

fn consent(known: &Known, value: &Json, sink: &mut Sink) {
    list(value, "connectors", sink, |item, sink| {
        if let Some(text) = texted(item, "a connector", sink) {
            let _ = known.names.vocabulary(&named(text, item), sink);
        }
    });
}

/// `{ digest: "sha256:…", table: "sha256:…" }`
fn approval(item: &Json, sink: &mut Sink) {
    members(item, "`digest` and `table`", sink, |name, value, sink| {
        keys("an approval", name, &["digest", "table"], sink);
        must_be_text(value, "a digest", sink);
    });
}

fn keys(of: &str, name: &Name, all: &[&str], sink: &mut Sink) {
    if !all.contains(&name.text.as_str()) {
        sink.push(spell::unknown(Code::BAD_FACT, name, format!("{of} has no `{}`", name.text), all));
    }
}

/// The state, or `{ state: …, reason: "…", tools: { "connector.tool": { native: "…", digest: "…" } } }`.
fn provider(known: &Known, name: &Name, value: &Json, sink: &mut Sink) {
    declared_provider(known, name, sink);
    let JsonKind::Object(_) = &value.kind else { return state(value, sink) };
    members(value, "", sink, |name, value, sink| match name.text.as_str() {
        "state" => state(value, sink),
        "reason" => must_be_text(value, "a reason", sink),
        "tools" => members(value, "tools", sink, |tool, contract, sink| {
            contracted(known, tool, sink);
            members(contract, "`native` and `digest`", sink, |name, value, sink| {
                keys("a contract", name, &["native", "digest"], sink);
                must_be_text(value, "a string", sink);
            });
        }),
        _ => keys("a provider", name, &["state", "reason", "tools"], sink),
    });
}

fn state(value: &Json, sink: &mut Sink) {
    let Some(text) = texted(value, "a provider's state", sink) else { return };
    if !STATES.contains(&text) {
        let message = format!("a provider is never `{text}`");
        sink.push(spell::unknown(Code::BAD_FACT, &named(text, value), message, &STATES));
    }
}

fn declared_provider(known: &Known, name: &Name, sink: &mut Sink) {
    let Some(deployment) = known.names.deployment else { return };
    let all: Vec<&str> = deployment.providers.iter().map(|provider| provider.name.text.as_str()).collect();
    if !all.contains(&name.text.as_str()) {
        sink.push(spell::unknown(Code::UNKNOWN_PROVIDER, name, format!("no provider is called `{}`", name.text), &all));
    }
}

/// `"connector.tool"`
fn contracted(known: &Known, name: &Name, sink: &mut Sink) {
    let tools = known.vocabularies.iter().flat_map(|v| v.tools.iter().map(move |tool| format!("{}.{}", v.name, tool.name)));
    qualified(known, Code::UNKNOWN_TOOL, "tool", name, tools.collect(), sink);
}

/// `"connector.limit"` and a value that it may be bound to.
fn binding(known: &Known, name: &Name, value: &Json, sink: &mut Sink) {
    let limits = known
        .vocabularies
        .iter()
        .flat_map(|v| v.limits.iter().map(move |limit| (format!("{}.{}", v.name, limit.name), limit)));
    let limits: Vec<_> = limits.filter(|(_, limit)| limit.one).collect();
    match limits.iter().find(|(called, _)| *called == name.text) {
        Some((_, limit)) if super::agree::is_hole(&limit.ty) => {}
        Some((_, limit)) => sink.extend(formed::no_value(&limit.ty, value)),
        None => {
            let all = limits.into_iter().map(|(called, _)| called).collect();
            qualified(known, Code::UNKNOWN_LIMIT, "`one of` limit", name, all, sink);
        }
    }
}

fn qualified(known: &Known, code: Code, what: &str, name: &Name, all: Vec<String>, sink: &mut Sink) {
    let connector = name.text.split('.').next().unwrap_or("");
    if all.contains(&name.text) || known.names.excused(connector) {
        return;
    }
    let found = Diagnostic::new(code, name.span, format!("no {what} is called `{}`", name.text));
    sink.push(match nearest(&name.text, all.iter().map(String::as_str)) {
        Some(near) => found.suggest(near, name.span, spell::quoted(near.word)),
        None => found.help(format!("{what}s are named with their connector here: `\"connector.name\"`")),
    });
}
