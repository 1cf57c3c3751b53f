//! The meaning of a compiled set, as the run side reads it: ids instead of names, one layer per declaration. No text for
//! people and no places in sources: those are in [`super::texts`], under an [`OriginId`].

use crate::domain::{Member, Slot, Step, Type, Value};
use serde::{Deserialize, Serialize};

/// All that `decide` reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The connectors, by name.
    pub connectors: Vec<Connector>,
    /// The agents, by name.
    pub agents: Vec<Agent>,
    /// The overlays, by name.
    pub overlays: Vec<Overlay>,
    /// The boundaries, by name.
    pub boundaries: Vec<Boundary>,
    /// The deployment, if there is one.
    pub deployment: Option<Deployment>,
}

/// Index into [`super::texts::Texts::origins`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OriginId(pub u32);

/// A tool: indices of its connector and of itself in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ToolId(pub usize, pub usize);

/// A limit: indices of its connector and of itself in it. Their order is vocabulary order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LimitId(pub usize, pub usize);

/// A connector's closed world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connector {
    /// Its name.
    pub name: Box<str>,
    /// The limits, in the order of the vocabulary.
    pub limits: Vec<Limit>,
    /// The tools, in the order of the vocabulary.
    pub tools: Vec<Tool>,
}

/// A limit that layers may declare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// Its name.
    pub name: Box<str>,
    /// Whether one value or a set is declared.
    pub shape: LimitShape,
    /// What it speaks of.
    pub ty: Type,
    /// What prefixes of its texts name.
    pub within: Option<Within>,
}

/// `set of` or `one of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LimitShape {
    /// `set of`.
    Set,
    /// `one of`.
    One,
}

/// `within L by prefix`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Within {
    /// The limit that the prefix falls under.
    pub limit: LimitId,
    /// What stands between prefix and rest.
    pub separator: Box<str>,
    /// The values that a prefix can name.
    pub values: Vec<Box<str>>,
}

/// A tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name.
    pub name: Box<str>,
    /// Whether undeclared arguments are forwarded.
    pub undeclared: Undeclared,
    /// The effects as written.
    pub effects: Vec<EffectRule>,
    /// The capability it needs.
    pub capability: Box<str>,
    /// Whether it calls another tool of its connector.
    pub dispatch: Option<Dispatch>,
    /// The arguments, in the order of the vocabulary.
    pub arguments: Vec<Member>,
    /// Where limits bite, in the order of the vocabulary.
    pub places: Vec<Place>,
    /// Which arguments name which.
    pub couplings: Vec<Coupling>,
    /// Opaque arguments that reach what a limit guards.
    pub channels: Vec<Channel>,
}

/// What becomes of arguments that the vocabulary does not declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Undeclared {
    /// The call is malformed.
    Refused,
    /// They are forwarded (`open`).
    Forwarded,
}

/// Indices of the arguments that carry the inner tool's name and its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dispatch {
    /// The inner tool's name.
    pub name: usize,
    /// The inner tool's arguments.
    pub arguments: usize,
}

/// What a call may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Only reads.
    Reads,
    /// Changes something.
    Mutates,
    /// Changes something for good.
    Irreversible,
    /// Reaches beyond the machine or account.
    ReachesOutside,
}

/// An effect and when it is in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffectRule {
    /// Which.
    pub effect: Effect,
    /// The argument and the slot it must lie in; `None`: always.
    pub when: Option<(usize, Slot)>,
}

/// A place in a tool's arguments that a limit cuts; see [`crate::domain::Step`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The argument.
    pub argument: usize,
    /// The way into it.
    pub steps: Vec<Step>,
    /// The limit.
    pub limit: LimitId,
}

/// The texts at a place may name a value of another argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coupling {
    /// Index into [`Tool::places`] of the text that names; its limit has a [`Within`].
    pub place: usize,
    /// The argument that is named.
    pub named: usize,
}

/// An opaque argument that reaches what a limit guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Channel {
    /// The argument.
    pub argument: usize,
    /// The limit.
    pub limit: LimitId,
}

/// A creator's ceiling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// Its name.
    pub name: Box<str>,
    /// The agent that it is under.
    pub parent: Option<usize>,
    /// What it says; what it does not mention is refused.
    pub layer: Layer,
    /// Whether it was settled when the table was made, for each tool, that the agent without overlays permits some call or
    /// none. If so, that is asked of a tool at its first call.
    pub settled: bool,
}

/// A narrowing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overlay {
    /// Its name.
    pub name: Box<str>,
    /// The agent at the end of the chain of bases.
    pub agent: usize,
    /// The overlay it is on, which is applied as well.
    pub on: Option<usize>,
    /// What it says; what it does not mention is allowed.
    pub layer: Layer,
}

/// A cap on every agent, or on some.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boundary {
    /// Its name.
    pub name: Box<str>,
    /// The agents it covers; `None`: all.
    pub agents: Option<Vec<usize>>,
    /// What it says; what it does not mention is allowed.
    pub layer: Layer,
}

/// What one declaration says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// By connector.
    pub uses: Vec<Use>,
    /// `without provider p`.
    pub without_providers: Vec<(Box<str>, OriginId)>,
}

/// What one declaration says about one connector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Use {
    /// The connector.
    pub connector: usize,
    /// The closed list of its tools, if there is one.
    pub tools: Option<Vec<usize>>,
    /// Tools withheld.
    pub without: Vec<(usize, OriginId)>,
    /// The rows, by tool, then in the order of the text.
    pub rows: Vec<Row>,
    /// The limits set, by limit.
    pub limits: Vec<LimitSetting>,
    /// The connector's name in the source.
    pub origin: OriginId,
}

/// A product of sets over one tool's arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Which tool of the connector.
    pub tool: usize,
    /// The clauses; they meet.
    pub clauses: Vec<Clause>,
    /// Allow, or ask (`with approval`).
    pub grade: RowGrade,
    /// Whether it stands although an opaque argument reaches what a limit guards.
    pub opaque: Opaque,
    /// The lists, by argument and way, that it gives a size that admits 0: there a limit of its declaration implies no
    /// `size 1..`. Sorted.
    pub sizes_admitting_zero: Vec<(usize, Vec<Step>)>,
    /// The tool's name in the source.
    pub origin: OriginId,
}

/// What a row gives to the calls it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowGrade {
    /// `with approval`.
    Ask,
    /// No approval is needed.
    Allow,
}

/// Whether a row says `accepting opaque`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Opaque {
    /// It does.
    Accepted,
    /// It does not.
    Unsaid,
}

/// One clause of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// The argument.
    pub argument: usize,
    /// The way into it.
    pub steps: Vec<Step>,
    /// The demand on the whole argument.
    pub slot: Slot,
    /// The set in the source.
    pub origin: OriginId,
}

/// A limit set by a layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSetting {
    /// Which.
    pub limit: LimitId,
    /// To what.
    pub value: LimitValue,
    /// The value in the source.
    pub origin: OriginId,
}

/// What a limit is set to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LimitValue {
    /// A set; `absent` of the slot is `or absent`.
    Set(Slot),
    /// No demand.
    Many,
    /// A blank to be bound.
    Single,
    /// One value, a resource where the limit has a [`Within`].
    Bound(Value),
}

/// The operator's declaration. Lists are in the order of the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deployment {
    /// The providers.
    pub providers: Vec<Provider>,
    /// The fallbacks.
    pub fallbacks: Vec<Fallback>,
    /// The modes beside `normal`, and what they block.
    pub modes: Vec<(Box<str>, Vec<Effect>)>,
    /// Effects that require consent.
    pub consent: Vec<Effect>,
}

/// Who can execute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// Its name.
    pub name: Box<str>,
    /// Its type.
    pub ty: ProviderType,
    /// Whether it may be selected at all.
    pub state: Enabled,
    /// What it offers.
    pub offers: Vec<Offer>,
}

/// Whether the deployment disables a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Enabled {
    /// It may be selected.
    Enabled,
    /// `disabled`.
    Disabled,
}

/// Types of providers, in the order of priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderType {
    /// EdgeBound.
    Edge,
    /// RequestScopedMcp.
    RequestMcp,
    /// ServerRuntime.
    Server,
    /// ServerControlPlane.
    ControlPlane,
    /// GatewayRelay.
    Gateway,
}

/// One offered capability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// The capability.
    pub capability: Box<str>,
    /// Tools it is no offer for.
    pub except: Vec<ToolId>,
    /// The digest that every tool it covers must state.
    pub pinned: Option<Box<str>>,
}

/// A declared fallback for one capability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fallback {
    /// The capability.
    pub capability: Box<str>,
    /// The providers, in order.
    pub chain: Vec<usize>,
    /// The states that start it.
    pub when: Vec<FallbackWhen>,
}

/// A state that starts a fallback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FallbackWhen {
    /// Offline or unknown.
    Offline,
    /// Degraded.
    Degraded,
}

impl Use {
    /// The rows of one tool, in the order of the text.
    pub fn rows_of(&self, tool: usize) -> &[Row] {
        let start = self.rows.partition_point(|row| row.tool < tool);
        let end = self.rows.partition_point(|row| row.tool <= tool);
        self.rows.get(start..end).unwrap_or_default()
    }
}

impl Model {
    /// The tool `id`.
    pub fn tool(&self, id: ToolId) -> Option<&Tool> {
        self.connectors.get(id.0)?.tools.get(id.1)
    }

    /// The limit `id`.
    pub fn limit(&self, id: LimitId) -> Option<&Limit> {
        self.connectors.get(id.0)?.limits.get(id.1)
    }

    /// `connector.limit`.
    pub fn limit_name(&self, id: LimitId) -> String {
        let connector = self.connectors.get(id.0);
        let limit = connector.and_then(|c| c.limits.get(id.1));
        match (connector, limit) {
            (Some(connector), Some(limit)) => format!("{}.{}", connector.name, limit.name),
            _ => String::new(),
        }
    }

    /// The tool of this name in the connector of that name.
    pub fn find_tool(&self, connector: &str, tool: &str) -> Option<ToolId> {
        let c = self.connectors.iter().position(|c| &*c.name == connector)?;
        let t = self.connectors.get(c)?.tools.iter().position(|t| &*t.name == tool)?;
        Some(ToolId(c, t))
    }

    /// The limit `connector.limit`.
    pub fn find_limit(&self, name: &str) -> Option<LimitId> {
        self.connectors.iter().enumerate().find_map(|(c, connector)| {
            let rest = name.strip_prefix(&*connector.name)?.strip_prefix('.')?;
            let l = connector.limits.iter().position(|l| &*l.name == rest)?;
            Some(LimitId(c, l))
        })
    }
}
