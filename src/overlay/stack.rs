//! Layers of a policy → what each says about one tool, as products of slots with their reasons; a base → its effective rows.
//! Knows no syntax; asks the domain every question about sets.

use super::binding;
use super::words::in_words;
use crate::domain::{Naming, Product, Set, Shape, Slot, Step, Stopped, Work, lift_limit, lift_of_what_is_there, search};
use crate::policy::{
    Agent, AgentId, Argument, Base as On, Boundary, Clause, Layer, LimitRef, LimitSetting, LimitValue, ListWay, Overlay,
    OverlayId, Place, Policy, Row, Tool, ToolRef, Use,
};
use crate::source::Span;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Why a row holds less than everything at one argument.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    /// Index of the argument.
    pub argument: usize,
    /// The way into it.
    pub steps: Vec<Step>,
    /// The demand on the whole argument.
    pub slot: Slot,
    /// `connector.limit` or the path, and the set: as the policy says it.
    pub text: String,
    /// The set in the source.
    pub span: Span,
    /// Whether a clause of a row or a limit speaks.
    pub speaker: Speaker,
}

/// Who speaks in a [`Reason`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    /// A clause of a row.
    Clause,
    /// A limit.
    Limit(LimitRef),
}

/// One product that a layer, or a stack of layers, permits for one tool.
#[derive(Clone, Debug)]
pub(super) struct Permit {
    /// What it admits.
    pub product: Product,
    /// Why no more.
    pub reasons: Vec<Reason>,
    /// The row's (or, without a row, the layer's) place in the source.
    pub span: Span,
    /// The row asks for approval.
    pub approval: bool,
    /// The lists that the row gives a size that admits 0.
    pub free: Vec<ListWay>,
}

impl Permit {
    fn of_everything(span: Span) -> Permit {
        Permit { product: Product::default(), reasons: Vec::new(), span, approval: false, free: Vec::new() }
    }

    fn demand(&mut self, reason: Reason) {
        self.product.demand(reason.argument, reason.slot.clone());
        self.reasons.push(reason);
    }

    fn meet(&self, other: &Permit) -> Permit {
        let mut reasons = self.reasons.clone();
        reasons.extend(other.reasons.iter().cloned());
        let approval = self.approval || other.approval;
        let free = self.free.clone();
        Permit { product: self.product.meet(&other.product), reasons, span: self.span, approval, free }
    }
}

/// What kind of declaration a layer is: whether silence refuses or allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// An agent: what it does not mention is not there.
    Refuses,
    /// An overlay or boundary.
    Allows,
}

/// One declaration in a stack.
#[derive(Clone, Copy)]
pub(super) struct Factor<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it says.
    pub layer: &'a Layer,
    /// What its silence means.
    pub silence: Silence,
    /// Its name in the source.
    pub span: Span,
}

impl<'a> Factor<'a> {
    pub(super) fn agent(agent: &'a Agent) -> Factor<'a> {
        Factor { name: &agent.name, layer: &agent.layer, silence: Silence::Refuses, span: agent.span }
    }

    pub(super) fn overlay(overlay: &'a Overlay) -> Factor<'a> {
        Factor { name: &overlay.name, layer: &overlay.layer, silence: Silence::Allows, span: overlay.span }
    }

    pub(super) fn boundary(boundary: &'a Boundary) -> Factor<'a> {
        Factor { name: &boundary.name, layer: &boundary.layer, silence: Silence::Allows, span: boundary.span }
    }

    /// What it says of the tool's connector.
    pub(super) fn spoken(&self, tool: ToolRef) -> Option<&'a Use> {
        self.layer.uses.iter().find(|u| u.vocabulary == tool.vocabulary)
    }

    /// The limits it sets.
    pub(super) fn limits(&self) -> impl Iterator<Item = &'a LimitSetting> {
        self.layer.uses.iter().flat_map(|u| &u.limits)
    }

    /// The limits it sets to the whole of their type: words without effect.
    pub(super) fn idle_limits(&self) -> impl Iterator<Item = &'a LimitSetting> {
        self.layer.uses.iter().flat_map(|u| &u.idle_limits)
    }

    /// Its setting of `limit`.
    pub(super) fn limit(&self, limit: LimitRef) -> Option<&'a LimitSetting> {
        self.limits().find(|setting| setting.limit == limit)
    }
}

/// The declarations of `agent` and of its parents, itself first.
pub(super) fn agent_factors(policy: &Policy, agent: AgentId) -> Vec<Factor<'_>> {
    let mut factors = Vec::new();
    let mut next = Some(agent);
    while let Some(agent) = next.and_then(|id| policy.agents.get(id.0)) {
        factors.push(Factor::agent(agent));
        next = agent.parent;
    }
    factors
}

/// The overlays that `overlay` is on, itself first.
pub(super) fn chain(policy: &Policy, overlay: OverlayId) -> Vec<OverlayId> {
    let mut chain = vec![overlay];
    let mut at = overlay;
    while let Some(On::Overlay(below)) = policy.overlays.get(at.0).map(|o| o.base) {
        chain.push(below);
        at = below;
    }
    chain
}

/// The declarations that `overlay` is judged against: its agent, the agent's parents, the overlays it is on.
pub(super) fn base_factors(policy: &Policy, overlay: OverlayId) -> Vec<Factor<'_>> {
    let mut factors = policy.overlays.get(overlay.0).map_or_else(Vec::new, |o| agent_factors(policy, o.agent));
    let below = chain(policy, overlay).into_iter().skip(1).filter_map(|id| policy.overlays.get(id.0));
    factors.extend(below.map(Factor::overlay));
    factors
}

/// Every tool of every vocabulary.
pub(super) fn tools(policy: &Policy) -> impl Iterator<Item = ToolRef> + '_ {
    policy.vocabularies.iter().enumerate().flat_map(|(index, vocabulary)| {
        let vocabulary_id = crate::policy::VocabularyId(index);
        (0..vocabulary.tools.len()).map(move |tool| ToolRef { vocabulary: vocabulary_id, tool })
    })
}

/// The dimensions of a tool.
pub(super) fn shape<'a>(policy: &'a Policy, tool: &'a Tool) -> Shape<'a> {
    let naming = |coupling: &crate::policy::Coupling| {
        let place = tool.places.get(coupling.place)?;
        let within = policy.limit(place.limit).within.as_ref()?;
        Some(Naming::new(coupling.named, place.argument, &place.steps, &within.separator, &within.values))
    };
    Shape {
        members: tool.arguments.iter().map(|a| &a.member).collect(),
        namings: tool.couplings.iter().filter_map(naming).collect(),
    }
}

/// What `factor` says of `tool`; `None`: nothing. `in_force`: the limits that some layer of the stack sets.
pub(super) fn permits(
    policy: &Policy,
    factor: Factor<'_>,
    tool: ToolRef,
    in_force: &BTreeSet<LimitRef>,
) -> Option<Vec<Permit>> {
    let spoken = factor.spoken(tool);
    let rows: Vec<&Row> = spoken.map_or_else(Vec::new, |u| u.rows.iter().filter(|r| r.tool == tool.tool).collect());
    let listed = |list: &[crate::policy::ListedTool]| list.iter().any(|l| l.tool == tool.tool);
    if spoken.is_some_and(|u| listed(&u.without)) {
        return Some(Vec::new());
    }
    if rows.is_empty() {
        let closed = spoken.and_then(|u| u.tools.as_ref()).is_some_and(|list| !listed(list));
        if closed || factor.silence == Silence::Refuses {
            return Some(Vec::new());
        }
        let start = Permit::of_everything(spoken.map_or(factor.span, |u| u.span));
        let cut = under_limits(policy, factor, tool, vec![start]);
        return cut.iter().any(|p| !p.reasons.is_empty()).then_some(cut);
    }
    let declared = policy.tool(tool);
    let void = |row: &Row| {
        let reached = declared.channels.iter().any(|c| in_force.contains(&c.limit));
        factor.silence == Silence::Refuses && reached && !row.accepting_opaque
    };
    let products = rows.into_iter().filter(|row| !void(row)).map(row_permit).collect();
    Some(under_limits(policy, factor, tool, products))
}

/// A row alone, without limits.
pub(super) fn row_permit(row: &Row) -> Permit {
    let mut permit = Permit::of_everything(row.span);
    permit.approval = row.approval;
    permit.free = row.sizes_admitting_zero.clone();
    row.clauses.iter().for_each(|clause| permit.demand(clause_reason(clause)));
    permit
}

fn clause_reason(clause: &Clause) -> Reason {
    Reason {
        argument: clause.argument,
        steps: clause.steps.clone(),
        slot: clause.slot.clone(),
        text: in_words(&clause.path, &clause.permitted),
        span: clause.span,
        speaker: Speaker::Clause,
    }
}

/// Each permit cut by the limits that `factor` sets.
pub(super) fn under_limits(policy: &Policy, factor: Factor<'_>, tool: ToolRef, permits: Vec<Permit>) -> Vec<Permit> {
    let declared = policy.tool(tool);
    let mut cut = permits;
    for (index, place) in declared.places.iter().enumerate() {
        cut = cut.into_iter().flat_map(|permit| cut_at(policy, factor, declared, (index, place), permit)).collect();
    }
    cut
}

/// One permit cut at one place.
fn cut_at(policy: &Policy, factor: Factor<'_>, tool: &Tool, at: (usize, &Place), permit: Permit) -> Vec<Permit> {
    let mut cut = vec![permit];
    for alternatives in cuts(policy, factor, tool, at, &cut.first().map_or_else(Vec::new, |p| p.free.clone())) {
        let with = |permit: &Permit, reasons: &Vec<Reason>| {
            let mut met = permit.clone();
            reasons.iter().for_each(|reason| met.demand(reason.clone()));
            met
        };
        cut = cut.iter().flat_map(|permit| alternatives.iter().map(|reasons| with(permit, reasons))).collect();
    }
    cut
}

/// The limits of `factor` that bite at a place: for each, the alternatives that it leaves (one, but for a bound resource).
/// `free`: the lists that may be empty.
fn cuts(
    policy: &Policy,
    factor: Factor<'_>,
    tool: &Tool,
    (index, place): (usize, &Place),
    free: &[ListWay],
) -> Vec<Vec<Vec<Reason>>> {
    let mut found = Vec::new();
    let Some(argument) = tool.arguments.get(place.argument) else { return found };
    if let Some(setting) = factor.limit(place.limit) {
        let alternatives = match &setting.value {
            LimitValue::Many | LimitValue::Single => None,
            LimitValue::Set(slot) => Some(vec![vec![cut(policy, setting, argument, place, slot, free)]]),
            LimitValue::Bound(value) => Some(binding::alternatives(policy, tool, index, setting, value, free)),
        };
        found.extend(alternatives);
    }
    let within = policy.limit(place.limit).within.as_ref();
    if let Some((within, setting)) = within.and_then(|w| Some((w, factor.limit(w.limit)?)))
        && let LimitValue::Set(slot) = &setting.value
    {
        let named = lift_of_what_is_there(&argument.member, &place.steps, binding::naming_only(policy, within, slot));
        found.push(vec![vec![reason(policy, setting, place, named)]]);
    }
    found
}

/// The demand that `slot`, over the limit's type, makes at `place`.
pub(super) fn cut(
    policy: &Policy,
    setting: &LimitSetting,
    argument: &Argument,
    place: &Place,
    slot: &Slot,
    free: &[ListWay],
) -> Reason {
    let free: Vec<&[Step]> = free.iter().filter(|w| w.argument == place.argument).map(|w| w.steps.as_slice()).collect();
    reason(policy, setting, place, lift_limit(&argument.member, &place.steps, slot, &free))
}

fn reason(policy: &Policy, setting: &LimitSetting, place: &Place, slot: Slot) -> Reason {
    Reason {
        argument: place.argument,
        steps: place.steps.clone(),
        slot,
        text: format!("{} = {}", policy.limit_name(setting.limit), setting.permitted),
        span: setting.span,
        speaker: Speaker::Limit(setting.limit),
    }
}

/// The effective rows for one tool.
type Rows = Result<Vec<Permit>, Stopped>;

/// A stack of declarations with its effective rows, each found when it is first asked for.
pub(super) struct Base<'a> {
    /// The declarations.
    pub factors: Vec<Factor<'a>>,
    /// The limits that some of them sets.
    pub in_force: BTreeSet<LimitRef>,
    policy: &'a Policy,
    /// By vocabulary, by tool.
    rows: Vec<Vec<OnceLock<Rows>>>,
}

impl<'a> Base<'a> {
    /// The stack of `factors`.
    pub(super) fn new(policy: &'a Policy, factors: Vec<Factor<'a>>) -> Base<'a> {
        let in_force = in_force(&factors);
        let rows = policy.vocabularies.iter().map(|v| v.tools.iter().map(|_| OnceLock::new()).collect()).collect();
        Base { factors, in_force, policy, rows }
    }

    /// The rows for `tool`: not empty, none of them twice. Each tool has work of its own, so that what it comes to does not
    /// hang on who asked first.
    pub(super) fn rows(&self, tool: ToolRef) -> Result<&[Permit], Stopped> {
        let Some(rows) = self.rows.get(tool.vocabulary.0).and_then(|tools| tools.get(tool.tool)) else { return Ok(&[]) };
        let found = rows.get_or_init(|| effective(self.policy, &self.factors, tool, &self.in_force, &mut Work::new()));
        found.as_deref().map_err(Stopped::clone)
    }

    /// Every setting of `limit`, with who sets it.
    pub(super) fn settings(&self, limit: LimitRef) -> Vec<(&Factor<'a>, &'a LimitSetting)> {
        self.factors.iter().filter_map(|factor| Some((factor, factor.limit(limit)?))).collect()
    }

    /// The name of what it is: the innermost overlay, or the agent.
    pub(super) fn name(&self) -> &str {
        let overlay = self.factors.iter().find(|f| f.silence == Silence::Allows);
        overlay.or(self.factors.first()).map_or("", |f| f.name)
    }
}

/// The stacks that a policy's overlays are on, each made once however many are on it.
pub(super) struct Bases<'a> {
    policy: &'a Policy,
    agents: Vec<OnceLock<Base<'a>>>,
    overlays: Vec<OnceLock<Base<'a>>>,
}

impl<'a> Bases<'a> {
    pub(super) fn new(policy: &'a Policy) -> Bases<'a> {
        let none = |count| (0..count).map(|_| OnceLock::new()).collect();
        Bases { policy, agents: none(policy.agents.len()), overlays: none(policy.overlays.len()) }
    }

    /// What `overlay` is on.
    pub(super) fn of(&self, overlay: OverlayId) -> &Base<'a> {
        let make = || Base::new(self.policy, base_factors(self.policy, overlay));
        match self.policy.overlays[overlay.0].base {
            On::Agent(agent) => self.agents[agent.0].get_or_init(make),
            On::Overlay(below) => self.overlays[below.0].get_or_init(make),
        }
    }
}

/// The limits that some of `factors` sets to less than everything.
pub(super) fn in_force(factors: &[Factor<'_>]) -> BTreeSet<LimitRef> {
    let limits = factors.iter().flat_map(Factor::limits);
    limits.filter(|setting| setting.value != LimitValue::Many).map(|setting| setting.limit).collect()
}

/// The meet of all factors, expanded: products that are not empty.
fn effective(
    policy: &Policy,
    factors: &[Factor<'_>],
    tool: ToolRef,
    in_force: &BTreeSet<LimitRef>,
    work: &mut Work,
) -> Result<Vec<Permit>, Stopped> {
    let declared = policy.tool(tool);
    let shape = shape(policy, declared);
    let mut rows: Option<Vec<Permit>> = None;
    for factor in factors {
        let Some(permits) = permits(policy, *factor, tool, in_force) else { continue };
        let met = match rows {
            None => permits,
            Some(rows) => rows.iter().flat_map(|row| permits.iter().map(|p| row.meet(p))).collect(),
        };
        let mut kept: Vec<Permit> = Vec::new();
        for permit in met {
            let known = kept.iter().any(|k| k.product == permit.product && (permit.approval || !k.approval));
            if !known && !shape.is_empty(&permit.product, work)? {
                kept.push(permit);
            }
            if kept.len() > search::ROWS {
                return Err(Stopped::Combinations(vec![0, 1]));
            }
        }
        rows = Some(kept);
    }
    Ok(rows.unwrap_or_default())
}

/// `Set::Any` as a slot over a limit's type that admits nothing but values.
pub(super) fn values_only(set: Set) -> Slot {
    Slot { values: set, null: false, absent: false }
}
