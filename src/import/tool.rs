//! One tool of a server → its arguments, effects and text. Must not know other tools.

use super::advice;
use super::choice;
use super::listing::{ServerTool, get};
use super::notes::{Note, Topic};
use super::schema::{Meaning, Reading, find};
use super::write::{self, Writer};
use crate::domain::{Kind, Member, Presence, Rest, Value};

/// A tool as it will stand in the vocabulary.
pub(super) struct ToolText {
    /// Its name.
    pub name: Box<str>,
    /// Its arguments.
    pub arguments: Vec<Member>,
    /// Whether undeclared arguments are forwarded.
    pub open: Undeclared,
    /// The effects, as clauses.
    pub effects: Vec<String>,
    /// What was remarked.
    pub notes: Vec<Note>,
    docs: write::Docs,
    description: Option<Box<str>>,
}

/// What becomes of arguments that nobody declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undeclared {
    /// Refused.
    Refused,
    /// Forwarded.
    Forwarded,
}

/// Reads one tool.
pub(super) fn read(tool: &ServerTool) -> ToolText {
    let mut reading = Reading::new(&tool.name, &tool.schema);
    let (arguments, rest) = arguments(&mut reading, &tool.schema);
    let open = match rest {
        Some(Rest::Open) => Undeclared::Forwarded,
        Some(Rest::Closed) | None => Undeclared::Refused,
        Some(Rest::Typed(_)) => {
            reading.note(Topic::Narrower, "arguments that the schema only types, and does not name, are refused");
            Undeclared::Refused
        }
    };
    if open == Undeclared::Forwarded {
        reading.note(Topic::Decide, "it takes arguments that nobody declares: keep `open`, or declare what is used");
    }
    let effects = effects(&mut reading, tool, &arguments);
    advice::on(&mut reading, &arguments);
    ToolText {
        name: tool.name.clone(),
        arguments,
        open,
        effects,
        notes: reading.notes,
        docs: reading.docs,
        description: tool.description.clone(),
    }
}

fn arguments(reading: &mut Reading, schema: &Value) -> (Vec<Member>, Option<Rest>) {
    let meaning = match schema {
        Value::Object(keywords) if ["$ref", "allOf", "anyOf", "oneOf"].iter().all(|k| find(keywords, k).is_none()) => {
            let members = reading.members(keywords);
            if find(keywords, "type").is_some_and(|ty| *ty != Value::Text("object".into())) {
                reading.note(Topic::Assumed, "the `type` of its arguments is not \"object\", though they always are one");
            }
            reading.whole(keywords);
            return members.map_or_else(|| never(reading), |found| (found.members, found.rest));
        }
        _ => reading.meaning(schema), // combined from several
    };
    let parts = match meaning {
        Meaning::Of(ty) if ty.refinement.is_some() => {
            reading.note(Topic::Wider, "which arguments go together cannot be said of a tool");
            ty.kind
        }
        Meaning::Of(ty) => ty.kind,
        Meaning::Null | Meaning::Never => return never(reading),
    };
    match parts {
        Kind::Record { members, rest } => (members, Some(rest)),
        Kind::Union(types) => laid_out(reading, types),
        _ => {
            reading.note(Topic::Wider, "its arguments are described by no object: any are forwarded");
            (Vec::new(), Some(Rest::Open))
        }
    }
}

/// Alternatives of whole argument objects: every argument of any of them.
fn laid_out(reading: &mut Reading, types: Vec<crate::domain::Type>) -> (Vec<Member>, Option<Rest>) {
    reading.note(Topic::Wider, "which of several sets of arguments is meant cannot be said of a tool: all are declared");
    let records: Vec<(Vec<Member>, Rest)> = types
        .into_iter()
        .filter_map(|ty| match ty.kind {
            Kind::Record { members, rest } => Some((members, rest)),
            _ => None, // arguments are always an object
        })
        .collect();
    let mut members: Vec<Member> = Vec::new();
    for member in records.iter().flat_map(|(members, _)| members) {
        if members.iter().any(|known| known.name == member.name) {
            continue;
        }
        let own: Vec<Option<&Member>> = records.iter().map(|(all, _)| all.iter().find(|m| m.name == member.name)).collect();
        let types = own.iter().flatten().map(|m| Meaning::Of(m.ty.clone())).collect();
        let Meaning::Of(ty) = choice::any_of(reading, types) else { continue };
        let needed = own.iter().all(|m| m.is_some_and(|m| m.presence == Presence::Required));
        let presence = if needed { Presence::Required } else { Presence::Optional };
        members.push(Member { name: member.name.clone(), ty, presence, wildcard: false });
    }
    let open = records.iter().any(|(_, rest)| *rest == Rest::Open);
    (members, Some(if open { Rest::Open } else { Rest::Closed }))
}

/// A tool that no call can satisfy, as its schema has it.
fn never(reading: &mut Reading) -> (Vec<Member>, Option<Rest>) {
    reading.note(Topic::Wider, "its schema admits no arguments at all; here it takes none");
    (Vec::new(), Some(Rest::Closed))
}

/// Effects from the hints: a hint that says more is believed, one that says less only where none contradicts it.
fn effects(reading: &mut Reading, tool: &ServerTool, arguments: &[Member]) -> Vec<String> {
    let hints = tool.hints;
    let outside = if hints.open_world == Some(true) { ", reaches_outside" } else { "" };
    match (hints.read_only, hints.destructive) {
        (Some(true), Some(true)) => {
            reading.note(Topic::Decide, "it says both that it only reads and that it destroys: taken as irreversible");
            return vec![format!("irreversible{outside}")];
        }
        (Some(true), _) => {
            if let Some(word) = mutating_word(&tool.name) {
                reading.note(Topic::Decide, format!("it says that it only reads, but is called `{word}`"));
            }
            return vec![format!("reads{outside}")];
        }
        (Some(false), _) | (None, Some(_)) => {}
        (None, None) => reading.note(Topic::Assumed, "it does not say whether it reads or changes: it counts as mutating"),
    }
    let destroys = hints.destructive == Some(true);
    let changes = if destroys { "mutates, irreversible" } else { "mutates" };
    let Some((selector, reads, rest)) = selector(arguments) else { return vec![format!("{changes}{outside}")] };
    reading.note(
        Topic::Decide,
        format!("`{selector}` selects what it does: {} read, by their names; all others change", reads.join(", ")),
    );
    let name = write::name(selector);
    let mut clauses = vec![format!("reads when {name} in {{ {} }}", reads.join(", "))];
    if destroys {
        clauses.push(format!("irreversible when {name} in {{ {} }}", rest.join(", ")));
    }
    clauses.extend((!outside.is_empty()).then(|| "reaches_outside".to_owned()));
    clauses
}

/// Words that begin the name of what changes something.
const CHANGES: [&str; 14] = [
    "create", "delete", "remove", "update", "write", "set", "put", "patch", "insert", "drop", "send", "install", "execute",
    "edit",
];
/// Words that begin the name of what only reads.
const READS: [&str; 12] =
    ["get", "list", "read", "search", "show", "describe", "find", "count", "view", "status", "lookup", "help"];
/// Names of arguments that select an operation.
const SELECTORS: [&str; 7] = ["action", "operation", "op", "method", "mode", "command", "verb"];

fn first_word(name: &str) -> String {
    let start: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
    let end = start.char_indices().skip(1).find(|(_, c)| c.is_ascii_uppercase()).map_or(start.len(), |(at, _)| at);
    start.get(..end).unwrap_or(&start).to_ascii_lowercase()
}

fn mutating_word(name: &str) -> Option<String> {
    Some(first_word(name)).filter(|word| CHANGES.contains(&word.as_str()))
}

/// The argument that selects an operation, its values that read and those that do not; where both occur.
fn selector(arguments: &[Member]) -> Option<(&str, Vec<String>, Vec<String>)> {
    arguments.iter().find_map(|member| {
        let Kind::Enum(values) = &member.ty.kind else { return None };
        if !SELECTORS.contains(&member.name.to_ascii_lowercase().as_str()) || member.ty.null {
            return None;
        }
        let texts: Vec<&str> = values.iter().filter_map(super::listing::text).collect();
        let (reads, rest): (Vec<&str>, Vec<&str>) =
            texts.iter().copied().partition(|value| READS.contains(&first_word(value).as_str()));
        let written = |all: Vec<&str>| all.into_iter().map(write::value).collect::<Vec<_>>();
        let both = texts.len() == values.len() && !reads.is_empty() && !rest.is_empty();
        both.then(|| (&*member.name, written(reads), written(rest)))
    })
}

impl Reading<'_> {
    /// What the root of a schema says beside its members, and a tool cannot.
    fn whole(&mut self, keywords: &super::merge::Keywords) {
        self.unsaid(keywords);
        let others = ["propertyNames", "patternProperties", "minProperties", "maxProperties"];
        for keyword in others.iter().filter(|keyword| find(keywords, keyword).is_some()) {
            self.note(Topic::Wider, format!("`{keyword}` of all arguments together cannot be said of a tool"));
        }
        if get(self.root, "additionalProperties").is_none() {
            self.note(Topic::Narrower, "the schema does not close its arguments: undeclared ones are refused all the same");
        }
    }
}

impl ToolText {
    /// A tool of this name with one of the arguments, and nothing else.
    pub fn alone(&self, at: usize) -> ToolText {
        ToolText {
            name: self.name.clone(),
            arguments: self.arguments.get(at).cloned().into_iter().collect(),
            open: self.open,
            effects: Vec::new(),
            notes: Vec::new(),
            docs: write::Docs::new(),
            description: None,
        }
    }

    /// Lets an argument be any value.
    pub fn open_up(&mut self, at: usize) {
        let Some(argument) = self.arguments.get_mut(at) else { return };
        argument.ty = super::schema::anything();
        if let Presence::Defaulted(_) = argument.presence {
            argument.presence = Presence::Optional;
        }
        let place = argument.name.to_string();
        let text = "what its schema says does not fit into this language: any value is admitted".to_owned();
        self.notes.push(Note { tool: self.name.to_string(), place, topic: Topic::Wider, text });
    }

    /// The lines of the tool. `advise`: with comments for a person.
    pub fn text(&self, advise: Advise, describe: Describe) -> String {
        let docs = match describe {
            Describe::All => self.docs.clone(),
            Describe::Tools => write::Docs::new(),
        };
        let advice = match advise {
            Advise::Silent => Default::default(),
            Advise::InComments => advice::by_place(&self.notes),
        };
        let writer = Writer { docs: &docs, advice: &advice };
        let mut out = String::new();
        for line in advice.get("").into_iter().flatten() {
            out.push_str(&write::prose(line, "//"));
        }
        if let Some(description) = &self.description {
            out.push_str(&write::prose(description, "///"));
        }
        out.push_str(&format!("tool {} {{\n", write::name(&self.name)));
        self.effects.iter().for_each(|clause| out.push_str(&format!("{clause}\n")));
        if self.open == Undeclared::Forwarded {
            out.push_str("open\n");
        }
        self.arguments.iter().for_each(|argument| out.push_str(&writer.member(argument, &[])));
        out + "}\n"
    }
}

/// Whether what a person should decide stands in comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advise {
    /// Only in the report.
    Silent,
    /// Above what it speaks of, too.
    InComments,
}

/// What of the server's prose is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Describe {
    /// Tools, arguments and members.
    All,
    /// Tools alone.
    Tools,
}
