//! The tree as meant: names resolved to ids, sets to [`crate::domain`] sets, every path lowered to its argument. What the
//! narrowing proof, the table and the reference evaluator read. Knows no syntax.
//!
//! Every list is sorted by name unless its documentation says otherwise, so equal meanings give equal trees.

mod spans;

pub use spans::Shown;

use crate::domain::{Member, Set, Slot, Step, Type, Value};
use crate::source::Span;
use serde::{Deserialize, Serialize};

/// All declarations of a compiled set.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Policy {
    /// The connectors.
    pub vocabularies: Vec<Vocabulary>,
    /// The sets that have a name of their own: what an overlay that comes later may still say.
    pub lets: Vec<Let>,
    /// The ceilings.
    pub agents: Vec<Agent>,
    /// The overlays.
    pub overlays: Vec<Overlay>,
    /// The boundaries.
    pub boundaries: Vec<Boundary>,
    /// At most one.
    pub deployment: Option<Deployment>,
    /// The skills.
    pub skills: Vec<Skill>,
    /// The policy's own tests, in the order of files and text.
    pub tests: Vec<Test>,
}

/// A set with a name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Let {
    /// Its name.
    pub name: Box<str>,
    /// The type that its set is over.
    pub ty: Type,
    /// The set.
    pub set: Set,
    /// Its name in the source.
    pub span: Span,
}

/// Index into [`Policy::vocabularies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VocabularyId(pub usize);

/// Index into [`Policy::agents`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AgentId(pub usize);

/// Index into [`Policy::overlays`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OverlayId(pub usize);

/// A tool of a vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ToolRef {
    /// The connector.
    pub vocabulary: VocabularyId,
    /// Index into [`Vocabulary::tools`].
    pub tool: usize,
}

/// A limit of a vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LimitRef {
    /// The vocabulary that declares it.
    pub vocabulary: VocabularyId,
    /// Index into [`Vocabulary::limits`].
    pub limit: usize,
}

/// A connector's closed world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Vocabulary {
    /// Its name.
    pub name: Box<str>,
    /// `///` text.
    pub doc: Option<Box<str>>,
    /// Named enums, for claims.
    pub enums: Vec<EnumInfo>,
    /// The limits, in the order of the text.
    pub limits: Vec<Limit>,
    /// The capabilities, in the order of the text.
    pub capabilities: Vec<Box<str>>,
    /// The tools, in the order of the text.
    pub tools: Vec<Tool>,
    /// Its name in the source.
    pub span: Span,
}

/// What prose may say for the values of a named enum.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EnumInfo {
    /// Its name.
    pub name: Box<str>,
    /// Value and the words that claim it, in the order of the text.
    pub values: Vec<(Value, Vec<Box<str>>)>,
    /// Its name in the source.
    pub span: Span,
}

/// A limit that layers may declare.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Limit {
    /// Its name.
    pub name: Box<str>,
    /// `///` text.
    pub doc: Option<Box<str>>,
    /// `one of` rather than `set of`.
    pub one: bool,
    /// What it speaks of.
    pub ty: Type,
    /// `noun "…"`.
    pub noun: Option<Box<str>>,
    /// `within L by prefix ":"`.
    pub within: Option<Within>,
    /// Its name in the source.
    pub span: Span,
}

/// A text `p` + separator + `rest`, with `p` one of `values`, names `p` in the limit `limit`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Within {
    /// The limit that `p` falls under. Its type is an enum of texts.
    pub limit: LimitRef,
    /// The separator.
    pub separator: Box<str>,
    /// The values of that limit's type, in the order of the vocabulary.
    pub values: Vec<Box<str>>,
}

/// A tool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: Box<str>,
    /// `///` text.
    pub doc: Option<Box<str>>,
    /// The words that claim it.
    pub claims: Vec<Box<str>>,
    /// Undeclared arguments are forwarded.
    pub open: bool,
    /// The effects as written. Neither reads nor mutates in force for a call: it mutates. Irreversible implies mutates.
    pub effects: Vec<EffectRule>,
    /// The one capability it needs: as declared, or `connector.tool`.
    pub capability: Box<str>,
    /// Indices of the arguments that carry the inner tool's name and its arguments.
    pub dispatch: Option<Dispatch>,
    /// The arguments, in the order of the text.
    pub arguments: Vec<Argument>,
    /// Where limits bite, in the order of the text.
    pub places: Vec<Place>,
    /// Which arguments name which, for dimensions and coherence.
    pub couplings: Vec<Coupling>,
    /// Opaque arguments that reach what a limit guards.
    pub channels: Vec<Channel>,
    /// Its name in the source.
    pub span: Span,
}

/// `dispatches name, arguments`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispatch {
    /// The argument whose text is the inner tool's name.
    pub name: usize,
    /// The argument whose object is the inner tool's arguments.
    pub arguments: usize,
}

/// An effect of a tool.
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EffectRule {
    /// Which.
    pub effect: Effect,
    /// Index of an argument and the slot it must lie in; `None`: always.
    pub when: Option<(usize, Slot)>,
    /// The words that claim it.
    pub claims: Vec<Box<str>>,
}

/// An argument of a tool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Argument {
    /// Name, type, presence.
    pub member: Member,
    /// `///` text.
    pub doc: Option<Box<str>>,
    /// Its name in the source.
    pub span: Span,
}

/// A place in a tool's arguments that a limit cuts.
///
/// The limit's value must hold at every point there: absence of an `optional` thing on the way is admitted only if the
/// value says `or absent`; `or absent` absence, null and other alternatives of a union name nothing and pass; an empty list
/// passes only if the type gives a size that admits 0, an empty map always. A limit over hosts speaks of
/// the host of a url or email: then the last step is [`Step::Part`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Index of the argument.
    pub argument: usize,
    /// The way into it.
    pub steps: Vec<Step>,
    /// The limit.
    pub limit: LimitRef,
}

/// Argument `namer`'s texts (at its place) may name a value of argument `named`: both are one dimension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coupling {
    /// Index into [`Tool::places`] of the text that names.
    pub place: usize,
    /// Index of the argument that is named, a scalar of the type of the limit `within`.
    pub named: usize,
}

/// An opaque argument that `reaches` a limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// Index of the argument.
    pub argument: usize,
    /// The limit.
    pub limit: LimitRef,
}

/// A creator's ceiling.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Agent {
    /// Its name.
    pub name: Box<str>,
    /// `under PARENT`; acyclic.
    pub parent: Option<AgentId>,
    /// `describe` joined.
    pub describe: Option<Prose>,
    /// `welcome` joined.
    pub welcome: Option<Prose>,
    /// Names of the skills it has.
    pub skills: Vec<Box<str>>,
    /// Its rows and limits. What it does not mention is refused.
    pub layer: Layer,
    /// Its name in the source.
    pub span: Span,
}

/// Prose that claims are read from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Prose {
    /// The text.
    pub text: Box<str>,
    /// Where.
    pub span: Span,
}

/// A narrowing of an agent or of another overlay.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Overlay {
    /// Its name.
    pub name: Box<str>,
    /// What it is on; acyclic.
    pub base: Base,
    /// The agent at the end of the chain of bases.
    pub agent: AgentId,
    /// `describe` joined.
    pub describe: Option<Prose>,
    /// `welcome` joined.
    pub welcome: Option<Prose>,
    /// Its rows and limits. What it does not mention is allowed.
    pub layer: Layer,
    /// Its name in the source.
    pub span: Span,
}

/// What an overlay is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Base {
    /// An agent.
    Agent(AgentId),
    /// Another overlay, which is applied as well.
    Overlay(OverlayId),
}

/// A cap on every agent, or on some.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Boundary {
    /// Its name.
    pub name: Box<str>,
    /// `on a, b`; `None`: every agent.
    pub agents: Option<Vec<AgentId>>,
    /// Its rows and limits. What it does not mention is allowed.
    pub layer: Layer,
    /// Its name in the source.
    pub span: Span,
}

/// What one declaration says: one factor of the meet.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Layer {
    /// By vocabulary.
    pub uses: Vec<Use>,
    /// `without provider p`, with the name's place.
    pub without_providers: Vec<(Box<str>, Span)>,
}

/// What one declaration says about one connector.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Use {
    /// The connector.
    pub vocabulary: VocabularyId,
    /// The closed list that `tools` lines make (in an overlay or boundary, tools with rows belong to it too); `None`: no
    /// such line. In an agent these tools have a row without clauses in `rows` as well.
    pub tools: Option<Vec<ListedTool>>,
    /// `without t`.
    pub without: Vec<ListedTool>,
    /// The rows, by tool, then in the order of the text.
    pub rows: Vec<Row>,
    /// The limits set here. A limit set to the whole of its type is dropped (it is no limit) and stands in `idle_limits`.
    pub limits: Vec<LimitSetting>,
    /// Limits set to the whole of their type: no limits, but words that an overlay is held to.
    pub idle_limits: Vec<LimitSetting>,
    /// The connector's name in the source.
    pub span: Span,
}

/// A tool named in a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListedTool {
    /// Index into the vocabulary's tools.
    pub tool: usize,
    /// Where it is named.
    pub span: Span,
}

/// A product of sets over one tool's arguments.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Index into the vocabulary's tools.
    pub tool: usize,
    /// The clauses, in the order of the text; those on one argument meet.
    pub clauses: Vec<Clause>,
    /// `with approval`: its grade is ask.
    pub approval: bool,
    /// `accepting opaque`.
    pub accepting_opaque: bool,
    /// The lists that it gives a size that admits 0, sorted: there a limit of its declaration implies no `size 1..`.
    pub sizes_admitting_zero: Vec<ListWay>,
    /// The tool's name in the source.
    pub span: Span,
    /// All of it in the source, from `allow` (for repairs); rows made from one text for several tools share it.
    pub whole: Span,
}

/// A list in a tool's arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ListWay {
    /// Index of the argument.
    pub argument: usize,
    /// The way to the list.
    pub steps: Vec<Step>,
}

/// One clause of a row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Clause {
    /// Index of the argument.
    pub argument: usize,
    /// The way into it, for projections and messages.
    pub steps: Vec<Step>,
    /// The path as written: `edits.each.path`.
    pub path: Box<str>,
    /// The demand on the *whole argument* (the set lifted along `steps`; implied sizes and excluded alternatives included).
    pub slot: Slot,
    /// The set as written, for messages: `{ "a", "b" }`.
    pub permitted: Box<str>,
    /// The set in the source.
    pub span: Span,
    /// Path and set in the source (for repairs).
    pub whole: Span,
}

/// A limit set by a layer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LimitSetting {
    /// Which.
    pub limit: LimitRef,
    /// To what.
    pub value: LimitValue,
    /// The value as written, for messages.
    pub permitted: Box<str>,
    /// The value in the source.
    pub span: Span,
}

/// What a limit is set to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LimitValue {
    /// A set over the limit's type; `absent` of the slot is `or absent`.
    Set(Slot),
    /// `many`: no demand (but over `single` it widens).
    Many,
    /// `single`: a blank to be bound.
    Single,
    /// One value: a resource for limits with `within`.
    Bound(Value),
}

/// The operator's declaration. Lists are in the order of the text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Deployment {
    /// Its name.
    pub name: Box<str>,
    /// The providers.
    pub providers: Vec<Provider>,
    /// The fallbacks.
    pub fallbacks: Vec<Fallback>,
    /// The modes beside `normal`.
    pub modes: Vec<Mode>,
    /// Effects that require consent.
    pub consent: Vec<Effect>,
    /// The surface.
    pub surface: Surface,
    /// Its name in the source.
    pub span: Span,
}

/// Who can execute.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Provider {
    /// Its name.
    pub name: Box<str>,
    /// Its type.
    pub ty: ProviderType,
    /// Never selected.
    pub disabled: bool,
    /// What it offers.
    pub offers: Vec<Offer>,
    /// Its name in the source.
    pub span: Span,
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Offer {
    /// The capability.
    pub capability: Box<str>,
    /// Tools it is not an offer for.
    pub except: Vec<ToolRef>,
    /// The digest every tool it covers must state.
    pub pinned: Option<Box<str>>,
}

impl Offer {
    /// Whether `capability` is offered: by its name, or by a pattern such as `github.*`.
    pub fn covers(&self, capability: &str) -> bool {
        match self.capability.strip_suffix('*') {
            Some(prefix) if prefix.ends_with('.') => capability.starts_with(prefix),
            Some(_) | None => *self.capability == *capability,
        }
    }
}

/// A declared fallback for one capability.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fallback {
    /// The capability.
    pub capability: Box<str>,
    /// Indices of the providers, in order.
    pub chain: Vec<usize>,
    /// `when offline` (unknown included).
    pub offline: bool,
    /// `when degraded`.
    pub degraded: bool,
    /// `announce`.
    pub announce: Option<Box<str>>,
}

/// A mode and the effects it blocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mode {
    /// Its name.
    pub name: Box<str>,
    /// The effects.
    pub blocks: Vec<Effect>,
}

/// What the deployment says about the surface.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Surface {
    /// In bytes of compact JSON.
    pub budget: Option<u64>,
    /// Shown first, in this order.
    pub resident: Vec<ToolRef>,
    /// Shown last, by name only.
    pub deferred: Vec<ToolRef>,
}

/// A packaged way of working.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Skill {
    /// Its name.
    pub name: Box<str>,
    /// `version`.
    pub version: Option<Box<str>>,
    /// `instructions` joined.
    pub instructions: Option<Box<str>>,
    /// The tools it needs.
    pub tools: Vec<ToolRef>,
    /// The limits that must be declared.
    pub requires: Vec<LimitRef>,
    /// Its resources.
    pub resources: Vec<Box<str>>,
    /// Its name in the source.
    pub span: Span,
}

/// A test of the policy's own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Test {
    /// The agent.
    pub agent: AgentId,
    /// The overlays applied, in the order written.
    pub overlays: Vec<OverlayId>,
    /// The facts, as the JSON object of decision.md.
    pub given: Value,
    /// The cases.
    pub cases: Vec<TestCase>,
    /// The agent's name in the source.
    pub span: Span,
}

/// One call and what must come of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TestCase {
    /// The tool.
    pub tool: ToolRef,
    /// The arguments, an object.
    pub arguments: Value,
    /// The state's name: one of the seven and `Malformed`.
    pub state: Box<str>,
    /// `by X`: a limit's qualified name, a gate, or a code.
    pub by: Option<Box<str>>,
    /// Exactly what must be forwarded.
    pub forwards: Option<Value>,
    /// The call as written.
    pub text: Box<str>,
    /// All of it in the source.
    pub span: Span,
}

impl Policy {
    /// The vocabulary `id`.
    pub fn vocabulary(&self, id: VocabularyId) -> &Vocabulary {
        &self.vocabularies[id.0]
    }

    /// The tool `tool`.
    pub fn tool(&self, tool: ToolRef) -> &Tool {
        &self.vocabularies[tool.vocabulary.0].tools[tool.tool]
    }

    /// The limit `limit`.
    pub fn limit(&self, limit: LimitRef) -> &Limit {
        &self.vocabularies[limit.vocabulary.0].limits[limit.limit]
    }

    /// `connector.limit`.
    pub fn limit_name(&self, limit: LimitRef) -> String {
        format!("{}.{}", self.vocabularies[limit.vocabulary.0].name, self.limit(limit).name)
    }
}
