//! A handle and facts → what the model sees: the tools that are not hidden, each with its schema narrowed to what is
//! permitted, in a fixed order, within a budget. The same plans decide; there is no second list of what is allowed.
//!
//! The resident entries depend on table, agent, overlays, bindings and profile alone: mode, consent, approvals and
//! providers are reported beside them, in [`Surface::availability`].

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod availability;
mod branch;
mod composite;
mod ecma;
mod entry;
mod json;
mod profile;
mod scalar;
mod schema;

pub use profile::Profile;

use crate::digest;
use crate::domain::Value;
use crate::eval::{Facts, Handle};
use crate::table::model::ToolId;
use branch::Asked;
use json::{Object, text};

/// What the model sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// The resident entries: objects as the profile has them, with `connector`.
    pub tools: Vec<Value>,
    /// Entries that are reachable by name: `connector`, `name`, `description` (one line), `digest`.
    pub deferred: Vec<Value>,
    /// By `connector.tool`: those of `tools` in order, then those of `deferred`.
    pub availability: Vec<(Box<str>, Availability)>,
}

/// Whether a shown tool could run now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Availability {
    /// `ready`, a code of a decision, or a state.
    pub status: &'static str,
    /// Why the schema shows more than is permitted; `None`: it shows exactly that.
    pub inexact: Option<Box<str>>,
}

/// A set was too large to be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the schema of `{tool}` is too large to be made: {what}")]
pub struct SurfaceError {
    /// `connector.tool`.
    pub tool: String,
    /// What was too large.
    pub what: String,
}

/// One tool of a surface, as a person reads it.
#[derive(Clone, Debug)]
pub struct Listed<'a> {
    /// `connector.tool`.
    pub name: &'a str,
    /// Whether it is reachable by name only.
    pub deferred: bool,
    /// Whether it could run now.
    pub availability: &'a Availability,
    /// Its arguments, where the entry shows them.
    pub arguments: Vec<ListedArgument<'a>>,
}

/// One argument of a listed tool.
#[derive(Clone, Debug)]
pub struct ListedArgument<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether a call must give it.
    pub required: bool,
    /// Its schema.
    pub schema: &'a Value,
}

impl Surface {
    /// The JSON document: `format`, `tools`, `deferred`, `availability`.
    pub fn document(&self) -> Value {
        let availability = self.availability.iter().fold(Object::default(), |all, (name, availability)| {
            let inexact = availability.inexact.as_deref().map_or(Value::Null, text);
            all.with(name, Object::default().with("status", text(availability.status)).with("inexact", inexact).value())
        });
        Object::default()
            .with("format", json::count(1))
            .with("tools", Value::List(self.tools.clone()))
            .with("deferred", Value::List(self.deferred.clone()))
            .with("availability", availability.value())
            .value()
    }

    /// The tools in order, each with what its entry shows.
    pub fn entries(&self) -> Vec<Listed<'_>> {
        let shown = self.tools.iter().map(Some).chain(std::iter::repeat(None));
        let listed = self.availability.iter().zip(shown);
        listed
            .map(|((name, availability), entry)| Listed {
                name,
                deferred: entry.is_none(),
                availability,
                arguments: entry.map(arguments).unwrap_or_default(),
            })
            .collect()
    }
}

fn member<'a>(object: &'a Value, key: &str) -> Option<&'a Value> {
    match object {
        Value::Object(members) => members.iter().find(|(k, _)| **k == *key).map(|(_, v)| v),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => None,
    }
}

fn arguments(entry: &Value) -> Vec<ListedArgument<'_>> {
    let Some(schema) = member(entry, "inputSchema").or_else(|| member(entry, "parameters")) else { return Vec::new() };
    let Some(Value::Object(properties)) = member(schema, "properties") else { return Vec::new() };
    let required = |name: &str| match member(schema, "required") {
        Some(Value::List(names)) => names.iter().any(|n| matches!(n, Value::Text(t) if **t == *name)),
        Some(_) | None => false,
    };
    properties.iter().map(|(name, schema)| ListedArgument { name, required: required(name), schema }).collect()
}

struct Entry {
    id: ToolId,
    name: Box<str>,
    shown: Value,
    line: Value,
    availability: Availability,
}

impl Handle {
    /// The surface for a profile.
    ///
    /// # Errors
    /// [`SurfaceError`]: a set is too large for the bounds on work.
    pub fn surface(&self, facts: &Facts, profile: Profile) -> Result<Surface, SurfaceError> {
        let said = &self.table().texts().surface;
        let mut entries = Vec::new();
        for id in self.order() {
            if let Some(entry) = self.entry(id, facts, profile)? {
                entries.push(entry);
            }
        }
        let budget = said.budget.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        let mut surface = Surface { tools: Vec::new(), deferred: Vec::new(), availability: Vec::new() };
        let mut later = Vec::new();
        let mut spent = "[]".len();
        let mut full = false;
        for entry in entries {
            let size = digest::compact(&entry.shown).len().saturating_add(usize::from(!surface.tools.is_empty()));
            let resident = said.resident.contains(&entry.id);
            let fits = budget.is_none_or(|budget| spent.saturating_add(size) <= budget);
            full |= !resident && !fits;
            if said.deferred.contains(&entry.id) || full && !resident {
                surface.deferred.push(entry.line);
                later.push((entry.name, entry.availability));
            } else {
                spent = spent.saturating_add(size);
                surface.tools.push(entry.shown);
                surface.availability.push((entry.name, entry.availability));
            }
        }
        surface.availability.extend(later);
        Ok(surface)
    }

    /// The entry of one tool, whatever the budget; `None`: it is hidden, or there is none.
    ///
    /// # Errors
    /// [`SurfaceError`]: a set is too large for the bounds on work.
    pub fn shown(&self, id: ToolId, facts: &Facts, profile: Profile) -> Result<Option<Value>, SurfaceError> {
        Ok(self.entry(id, facts, profile)?.map(|entry| entry.shown))
    }

    /// Residents as named, then the catalogue, then what is deferred, each in catalogue order.
    fn order(&self) -> Vec<ToolId> {
        let said = &self.table().texts().surface;
        let connectors = self.table().model().connectors.iter().enumerate();
        let catalogue: Vec<ToolId> =
            connectors.flat_map(|(c, connector)| (0..connector.tools.len()).map(move |t| ToolId(c, t))).collect();
        let mut order = said.resident.clone();
        let (deferred, open): (Vec<ToolId>, Vec<ToolId>) = catalogue.into_iter().partition(|id| said.deferred.contains(id));
        for id in open.into_iter().chain(deferred) {
            if !order.contains(&id) {
                order.push(id);
            }
        }
        order
    }

    fn entry(&self, id: ToolId, facts: &Facts, profile: Profile) -> Result<Option<Entry>, SurfaceError> {
        let model = self.table().model();
        let (Some(plan), Some(tool), Some(connector)) = (self.plan(id), model.tool(id), model.connectors.get(id.0)) else {
            return Ok(None);
        };
        let session = self.session_of(plan, facts);
        let asked = Asked { tool, plan, session: &session };
        let told = self.table().texts().connectors.get(id.0).and_then(|c| c.tools.get(id.1));
        let name: Box<str> = format!("{}.{}", connector.name, tool.name).into();
        let failed = |bound: crate::domain::Bound| SurfaceError { tool: name.to_string(), what: bound.to_string() };
        let made = entry::parameters(&asked, told, profile).map_err(failed)?;
        let mut description = told.and_then(|t| t.doc.as_deref()).unwrap_or_default().to_owned();
        let line = description.lines().next().unwrap_or_default().to_owned();
        if let Some(reason) = &made.inexact {
            let gap = if description.is_empty() { "" } else { " " };
            description.push_str(&format!("{gap}Not every call that fits this schema is permitted: {reason}."));
        }
        let shown_name = self.shown_name(id, &tool.name);
        let shown = shown(profile, &connector.name, &shown_name, &description, made.schema);
        let line = Object::default()
            .with("connector", text(&connector.name))
            .with("name", text(&shown_name))
            .with("description", text(&line))
            .with("digest", text(&digest::digest(&shown)))
            .value();
        let status = availability::status(self, id, &asked, facts);
        let availability = Availability { status, inexact: made.inexact.map(Into::into) };
        Ok(Some(Entry { id, name, shown, line, availability }))
    }

    /// The tool's name, with its connector's where another shown tool is called so.
    fn shown_name(&self, id: ToolId, name: &str) -> String {
        let model = self.table().model();
        let clashes = model.connectors.iter().enumerate().any(|(c, connector)| {
            connector.tools.iter().enumerate().any(|(t, tool)| {
                let other = ToolId(c, t);
                other != id && *tool.name == *name && self.plan(other).is_some()
            })
        });
        let connector = model.connectors.get(id.0).map_or("", |c| &c.name);
        if clashes { format!("{connector}__{name}") } else { name.to_owned() }
    }
}

fn shown(profile: Profile, connector: &str, name: &str, description: &str, schema: Object) -> Value {
    let object = Object::default().with("connector", text(connector)).with("name", text(name));
    let object = if description.is_empty() { object } else { object.with("description", text(description)) };
    match profile {
        Profile::Mcp => object.with("inputSchema", schema.value()),
        Profile::OpenAi => {
            let strict = is_strict(&schema);
            object.with("parameters", schema.value()).with("strict", Value::Bool(strict))
        }
        Profile::Gemini => object.with("parameters", schema.value()),
    }
    .value()
}

/// Strict mode demands that every property is required and no other admitted; a tool with arguments that may be left out
/// is shown without it.
fn is_strict(schema: &Object) -> bool {
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let properties = match schema.get("properties") {
        Some(Value::Object(members)) => members.len(),
        Some(_) | None => 0,
    };
    let required = match schema.get("required") {
        Some(Value::List(names)) => names.len(),
        Some(_) | None => 0,
    };
    closed && properties == required
}
