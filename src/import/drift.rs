//! A vocabulary and what a server offers now → how they differ. What a person wrote more exactly than the server says it (a
//! `path` for a string, a limit, what is opaque) is no difference. Must not know texts of policies.

use super::listing::{Listing, ServerTool};
use super::tool::{self, Undeclared as Open};
use super::write;
use crate::domain::{Default, Kind, Member, Presence, Rest, Type, compact};
use crate::table::model::{Connector, Effect, Tool, Undeclared};

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What changed.
    pub kind: ChangeKind,
    /// The tool.
    pub tool: String,
    /// The argument and the way into it, `edits.path`; empty: the tool.
    pub argument: String,
    /// What the vocabulary says; empty: nothing.
    pub vocabulary: String,
    /// What the server says; empty: nothing.
    pub server: String,
}

/// Kinds of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// The server has a tool that the vocabulary has not.
    NewTool,
    /// The server no longer has the tool.
    GoneTool,
    /// The server takes an argument that the vocabulary has not.
    NewArgument,
    /// The server no longer takes the argument.
    GoneArgument,
    /// The values that are taken differ.
    Values,
    /// Whether it may be left out, or what that means, differs.
    Presence,
    /// Whether undeclared arguments are taken differs.
    Undeclared,
    /// The server says that the tool does more than the vocabulary says.
    Effects,
    /// The list is not the pinned one, but differs in nothing that a vocabulary says: descriptions, titles and the like.
    Prose,
}

impl ChangeKind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::NewTool => "tool_new",
            ChangeKind::GoneTool => "tool_gone",
            ChangeKind::NewArgument => "argument_new",
            ChangeKind::GoneArgument => "argument_gone",
            ChangeKind::Values => "values_changed",
            ChangeKind::Presence => "presence_changed",
            ChangeKind::Undeclared => "undeclared_changed",
            ChangeKind::Effects => "effects_changed",
            ChangeKind::Prose => "prose_changed",
        }
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Change { tool, argument, vocabulary, server, .. } = self;
        match self.kind {
            ChangeKind::NewTool => write!(f, "{tool}: the vocabulary does not have this tool"),
            ChangeKind::GoneTool => write!(f, "{tool}: the server does not have this tool"),
            ChangeKind::NewArgument => {
                write!(f, "{tool}, {argument}: the vocabulary does not have it; the server: {server}")
            }
            ChangeKind::GoneArgument => {
                write!(f, "{tool}, {argument}: the server does not have it; the vocabulary: {vocabulary}")
            }
            ChangeKind::Values | ChangeKind::Presence => {
                write!(f, "{tool}, {argument}: the vocabulary says {vocabulary}; the server: {server}")
            }
            ChangeKind::Undeclared | ChangeKind::Effects => {
                write!(f, "{tool}: the vocabulary says {vocabulary}; the server: {server}")
            }
            ChangeKind::Prose => f.write_str(
                "the list is not the one pinned, but differs in nothing that a vocabulary says: read its descriptions again",
            ),
        }
    }
}

/// How the connector and the listing differ: tools in the vocabulary's order, then new ones. `pinned`: the digest that the
/// vocabulary was made from.
pub fn drift(connector: &Connector, listing: &Listing, pinned: Option<&str>) -> Vec<Change> {
    let mut found = Vec::new();
    for tool in &connector.tools {
        match listing.tools.iter().find(|offered| offered.name == tool.name) {
            Some(offered) => of_tool(tool, offered, &mut found),
            None => found.push(whole(ChangeKind::GoneTool, &tool.name)),
        }
    }
    for offered in &listing.tools {
        if !connector.tools.iter().any(|tool| tool.name == offered.name) {
            found.push(whole(ChangeKind::NewTool, &offered.name));
        }
    }
    if found.is_empty() && pinned.is_some_and(|pinned| pinned != listing.digest) {
        let said = pinned.unwrap_or_default().to_owned();
        found.push(Change { vocabulary: said, server: listing.digest.clone(), ..whole(ChangeKind::Prose, "") });
    }
    found
}

/// The digest in the comment that `import` writes at the head of a vocabulary.
pub fn pinned(vocabulary: &str) -> Option<&str> {
    let line = vocabulary.lines().find(|line| line.starts_with("//") && line.contains("tools/list"))?;
    let at = line.find("sha256:")?;
    line.get(at..at + "sha256:".len() + 64)
}

fn whole(kind: ChangeKind, tool: &str) -> Change {
    Change { kind, tool: tool.to_owned(), argument: String::new(), vocabulary: String::new(), server: String::new() }
}

fn of_tool(tool: &Tool, offered: &ServerTool, found: &mut Vec<Change>) {
    let made = tool::read(offered);
    members(&tool.name, "", &tool.arguments, &made.arguments, found);
    let says =
        |forwards: bool| if forwards { "undeclared arguments are forwarded" } else { "undeclared arguments are refused" };
    let (ours, theirs) = (tool.undeclared == Undeclared::Forwarded, made.open == Open::Forwarded);
    if ours && !theirs {
        let change = whole(ChangeKind::Undeclared, &tool.name);
        found.push(Change { vocabulary: says(ours).to_owned(), server: says(theirs).to_owned(), ..change });
    }
    let has = |effect: Effect| tool.effects.iter().any(|rule| rule.effect == effect);
    let reads = has(Effect::Reads) && !has(Effect::Mutates) && !has(Effect::Irreversible);
    let hints = offered.hints;
    let more = match (hints.read_only, hints.destructive) {
        (_, Some(true)) if !has(Effect::Irreversible) => Some("it destroys"),
        (Some(false), _) if reads && tool.effects.iter().all(|rule| rule.when.is_none()) => Some("it does not only read"),
        _ => None, // it says no more than the vocabulary
    };
    if let Some(more) = more {
        let said = if reads { "it reads" } else { "it can be undone" };
        let change = whole(ChangeKind::Effects, &tool.name);
        found.push(Change { vocabulary: said.to_owned(), server: more.to_owned(), ..change });
    }
}

fn members(tool: &str, way: &str, ours: &[Member], theirs: &[Member], found: &mut Vec<Change>) {
    let place = |name: &str| if way.is_empty() { name.to_owned() } else { format!("{way}.{name}") };
    let change = |kind, name: &str, vocabulary: String, server: String| Change {
        kind,
        tool: tool.to_owned(),
        argument: place(name),
        vocabulary,
        server,
    };
    for own in ours {
        let Some(other) = theirs.iter().find(|other| other.name == own.name) else {
            found.push(change(ChangeKind::GoneArgument, &own.name, said(&own.ty), String::new()));
            continue;
        };
        types(tool, &place(&own.name), &own.ty, &other.ty, found);
        let (mine, yours) = (presence(&own.presence), presence(&other.presence));
        if mine != yours && own.presence != Presence::Defaulted(Default::Unspecified) {
            found.push(change(ChangeKind::Presence, &own.name, mine, yours));
        }
    }
    for other in theirs.iter().filter(|other| !ours.iter().any(|own| own.name == other.name)) {
        found.push(change(ChangeKind::NewArgument, &other.name, String::new(), said(&other.ty)));
    }
}

fn presence(presence: &Presence) -> String {
    match presence {
        Presence::Required => "required".to_owned(),
        Presence::Optional | Presence::OrAbsent => "optional".to_owned(),
        Presence::Defaulted(Default::Unspecified) => "unspecified where left out".to_owned(),
        Presence::Defaulted(Default::Value(value)) => format!("{} where left out", compact(value)),
    }
}

/// Where both say something of the values, they must say the same.
fn types(tool: &str, way: &str, own: &Type, other: &Type, found: &mut Vec<Change>) {
    let before = found.len();
    let same = own.null == other.null && kinds(tool, way, own, other, found);
    if !same && found.len() == before {
        found.push(Change {
            kind: ChangeKind::Values,
            tool: tool.to_owned(),
            argument: way.to_owned(),
            vocabulary: said(own),
            server: said(other),
        });
    }
}

fn kinds(tool: &str, way: &str, own: &Type, other: &Type, found: &mut Vec<Change>) -> bool {
    match (&own.kind, &other.kind) {
        (Kind::OpaqueJson, _) => true,
        (Kind::Text { .. }, Kind::Text { .. }) => own.refinement == other.refinement,
        (
            Kind::Host | Kind::Url { .. } | Kind::Path { .. } | Kind::Email | Kind::Ip | Kind::Time(_) | Kind::OpaqueText,
            Kind::Text { .. },
        ) => true,
        (Kind::Argv, Kind::List(of)) => matches!(of.kind, Kind::Text { .. }),
        (Kind::Enum(ours), Kind::Enum(theirs)) => {
            ours.len() == theirs.len() && ours.iter().all(|value| theirs.contains(value))
        }
        (Kind::List(mine), Kind::List(yours))
        | (Kind::OneOrList(mine), Kind::OneOrList(yours))
        | (Kind::Map(mine), Kind::Map(yours)) => {
            types(tool, way, mine, yours, found);
            own.refinement == other.refinement
        }
        (Kind::Record { members: mine, rest }, Kind::Record { members: yours, rest: other_rest }) => {
            members(tool, way, mine, yours, found);
            let rests = match (rest, other_rest) {
                (Rest::Typed(mine), Rest::Typed(yours)) => {
                    types(tool, way, mine, yours, found);
                    true
                }
                (mine, yours) => mine == yours,
            };
            rests && own.refinement == other.refinement
        }
        (Kind::Union(mine), Kind::Union(yours)) if mine.len() == yours.len() => {
            mine.iter().zip(yours).for_each(|(mine, yours)| types(tool, way, mine, yours, found));
            true
        }
        (mine, yours) => mine == yours && own.refinement == other.refinement,
    }
}

/// The type in the words of the language, on one line.
fn said(ty: &Type) -> String {
    let (docs, advice) = (write::Docs::new(), std::collections::BTreeMap::new());
    let member = Member { name: "x".into(), ty: ty.clone(), presence: Presence::Required, wildcard: false };
    let written = write::Writer { docs: &docs, advice: &advice }.member(&member, &[]);
    let line = write::shown(written.trim_start_matches("x: ").trim_end()).replace('\n', " ");
    match line.char_indices().nth(200) {
        Some((at, _)) => format!("{} …", line.get(..at).unwrap_or(&line)),
        None => line,
    }
}
