//! JSON → [`Facts`]: what the host knows at the moment of a call. Knows the shapes of decision.md, and no table: whether a
//! mode or provider exists is asked later.

use crate::call::{self, Bounds, ReadError};
use crate::domain::{Decimal, Value};

/// What the host knows at the moment of a call. Everything is optional.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The mode; absent: `normal`.
    pub mode: Fact<Box<str>>,
    /// Connectors consented to.
    pub consent: Fact<Vec<Box<str>>>,
    /// Approvals given.
    pub approvals: Fact<Vec<Approval>>,
    /// Providers by name.
    pub providers: Fact<Vec<(Box<str>, ProviderFact)>>,
    /// Values bound by the session, by `connector.limit`.
    pub bindings: Fact<Vec<(Box<str>, Value)>>,
    /// What the host found behind paths, by JSON pointer into the arguments.
    pub resolved_paths: Fact<Vec<(Box<str>, Box<str>)>>,
    /// Explicit bindings of capabilities to providers.
    pub routes: Fact<Vec<(Box<str>, Box<str>)>>,
    /// For whom the agent acts; never adds anything.
    pub on_behalf_of: Fact<Box<str>>,
    /// The host's generation of the table.
    pub generation: Fact<Decimal>,
    /// The generation that the caller's listing came from.
    pub listing_generation: Fact<Decimal>,
    /// Only ever unavailable: the host cannot tell which overlays are in force.
    pub overlays: Fact<()>,
    /// Keys that decision.md does not know.
    pub unknown: Vec<Box<str>>,
}

/// One fact.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Fact<T> {
    /// Not given.
    #[default]
    Absent,
    /// Given.
    Known(T),
    /// `"unavailable"`, or of another shape.
    Unavailable(Unavailable),
}

/// Why a fact is unavailable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// The host says so.
    Said,
    /// Its value has another shape.
    Shape,
}

/// An approval given for one call under one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// The call's `args_digest`.
    pub digest: Box<str>,
    /// The table's digest.
    pub table: Box<str>,
}

/// What the host knows of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderFact {
    /// Its state.
    pub state: ProviderState,
    /// Why it is in it.
    pub reason: Option<Box<str>>,
    /// What it states of tools, by `connector.tool`.
    pub tools: Vec<(Box<str>, Contract)>,
}

/// The states of a provider with a runtime binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderState {
    /// Ready.
    Ready,
    /// Works, but not well.
    Degraded,
    /// Does not answer.
    Offline,
    /// Nobody knows.
    Unknown,
}

/// What a provider states of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Its native identity.
    pub native: Option<Box<str>>,
    /// The digest of its schema.
    pub digest: Option<Box<str>>,
}

impl<T> Fact<T> {
    /// The fact, if it is given and readable.
    pub fn known(&self) -> Option<&T> {
        match self {
            Fact::Known(fact) => Some(fact),
            Fact::Absent | Fact::Unavailable(_) => None,
        }
    }

    /// Whether it is unavailable.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Fact::Unavailable(_))
    }

    fn read(value: &Value, shape: impl FnOnce(&Value) -> Option<T>) -> Fact<T> {
        match value {
            Value::Text(text) if &**text == "unavailable" => Fact::Unavailable(Unavailable::Said),
            other => shape(other).map_or(Fact::Unavailable(Unavailable::Shape), Fact::Known),
        }
    }
}

impl Facts {
    /// Stands among the unknown keys for facts that have none, because they are no object.
    pub(crate) const NO_OBJECT: &'static str = "(not an object)";

    /// No facts at all.
    pub fn none() -> Facts {
        Facts::default()
    }

    /// Reads the facts' JSON object.
    ///
    /// # Errors
    /// [`ReadError`] when the bytes are no strict JSON. A text that is no object counts as facts with an unknown key.
    pub fn read(bytes: &[u8]) -> Result<Facts, ReadError> {
        call::read(bytes, Bounds::default()).map(|value| Facts::from_value(&value))
    }

    /// The facts in a JSON object that has been read. Anything else than an object refuses every call.
    pub fn from_value(value: &Value) -> Facts {
        let mut facts = Facts::default();
        match value {
            Value::Object(members) => members.iter().for_each(|(key, value)| facts.take(key, value)),
            _ => facts.unknown.push(Facts::NO_OBJECT.into()), // whatever else it is
        }
        facts
    }

    fn take(&mut self, key: &str, value: &Value) {
        match key {
            "mode" => self.mode = Fact::read(value, text),
            "consent" => self.consent = Fact::read(value, |v| list(v, text)),
            "approvals" => self.approvals = Fact::read(value, |v| list(v, approval)),
            "providers" => self.providers = Fact::read(value, |v| object(v, |v| Some(provider(v)))),
            "bindings" => self.bindings = Fact::read(value, |v| object(v, |v| Some(v.clone()))),
            "resolved_paths" => self.resolved_paths = Fact::read(value, |v| object(v, text)),
            "routes" => self.routes = Fact::read(value, |v| object(v, text)),
            "on_behalf_of" => self.on_behalf_of = Fact::read(value, text),
            "generation" => self.generation = Fact::read(value, number),
            "listing_generation" => self.listing_generation = Fact::read(value, number),
            "overlays" => self.overlays = Fact::read(value, |_| None),
            unknown => self.unknown.push(unknown.into()),
        }
    }
}

fn text(value: &Value) -> Option<Box<str>> {
    match value {
        Value::Text(text) => Some(text.clone()),
        _ => None, // of another shape
    }
}

fn number(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => Some(number.clone()),
        _ => None, // of another shape
    }
}

fn list<T>(value: &Value, item: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    match value {
        Value::List(items) => items.iter().map(item).collect(),
        _ => None, // of another shape
    }
}

fn object<T>(value: &Value, member: impl Fn(&Value) -> Option<T>) -> Option<Vec<(Box<str>, T)>> {
    match value {
        Value::Object(members) => members.iter().map(|(k, v)| Some((k.clone(), member(v)?))).collect(),
        _ => None, // of another shape
    }
}

fn member<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    match value {
        Value::Object(members) => members.iter().find(|(n, _)| &**n == name).map(|(_, v)| v),
        _ => None, // no object has members
    }
}

fn only(value: &Value, names: &[&str]) -> Option<()> {
    match value {
        Value::Object(members) => members.iter().all(|(n, _)| names.contains(&&**n)).then_some(()),
        _ => None, // of another shape
    }
}

fn approval(value: &Value) -> Option<Approval> {
    only(value, &["digest", "table"])?;
    Some(Approval { digest: text(member(value, "digest")?)?, table: text(member(value, "table")?)? })
}

/// A provider's entry. An unlisted state or another shape is a provider `unknown`.
fn provider(value: &Value) -> ProviderFact {
    let unknown = ProviderFact { state: ProviderState::Unknown, reason: None, tools: Vec::new() };
    match value {
        Value::Text(name) => ProviderFact { state: state(name), ..unknown },
        other => provider_object(other).unwrap_or(unknown),
    }
}

fn provider_object(value: &Value) -> Option<ProviderFact> {
    only(value, &["state", "reason", "tools"])?;
    let reason = match member(value, "reason") {
        None | Some(Value::Null) => None,
        Some(reason) => Some(text(reason)?),
    };
    let tools = match member(value, "tools") {
        None => Vec::new(),
        Some(tools) => object(tools, contract)?,
    };
    Some(ProviderFact { state: state(&text(member(value, "state")?)?), reason, tools })
}

fn contract(value: &Value) -> Option<Contract> {
    only(value, &["native", "digest"])?;
    let part = |name| match member(value, name) {
        None => Some(None),
        Some(value) => text(value).map(Some),
    };
    Some(Contract { native: part("native")?, digest: part("digest")? })
}

fn state(name: &str) -> ProviderState {
    match name {
        "ready" => ProviderState::Ready,
        "degraded" => ProviderState::Degraded,
        "offline" => ProviderState::Offline,
        _ => ProviderState::Unknown, // an unlisted state
    }
}
