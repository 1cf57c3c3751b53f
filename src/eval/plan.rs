//! One tool under one stack of declarations → everything a decision about it needs, compiled. Knows no call and no facts.

use super::demand::{Demand, demands};
use super::quick::Program;
use super::stack::{Declaration, Stack};
use super::{search, sizes};
use crate::domain::{Bound, SlotMatcher, Step, Value, Work};
use crate::table::model::{
    Clause, Coupling, Effect, LimitId, LimitShape, LimitValue, Model, Opaque, OriginId, Row, RowGrade, Tool, ToolId, Within,
};

/// A tool that some call may reach.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The tool.
    pub(crate) tool: ToolId,
    /// What limits demand, in vocabulary order.
    pub(crate) demands: Vec<Demand>,
    /// Limits over an argument of it that are `single` and that no declaration binds.
    pub(crate) unbound: Vec<(LimitId, OriginId)>,
    /// What declarations bind, for arguments of it.
    pub(crate) bound: Vec<(LimitId, Value)>,
    /// Limits of one value over an argument of it, declared or not.
    pub(crate) one_of: Vec<LimitId>,
    /// The declarations that have rows for it: one row of each must hold.
    pub(crate) factors: Vec<Factor>,
    /// Which texts name which argument.
    pub(crate) namings: Vec<Naming>,
    /// Where something in force speaks.
    pub(crate) governed: Vec<Governed>,
    /// Its effects.
    pub(crate) effects: Vec<EffectTest>,
    /// What the quick path needs; none: it has none for this tool.
    pub(crate) program: Option<Program>,
}

/// The rows of one declaration.
#[derive(Debug)]
pub(crate) struct Factor {
    /// Whose.
    pub(crate) declaration: Declaration,
    /// The rows, in the order of the text.
    pub(crate) rows: Vec<PlanRow>,
}

/// One row, compiled.
#[derive(Debug)]
pub(crate) struct PlanRow {
    /// What it gives.
    pub(crate) grade: RowGrade,
    /// The limit that an opaque argument reaches and the row does not accept, with the argument.
    pub(crate) void: Option<(LimitId, usize)>,
    /// Its clauses, by argument.
    pub(crate) clauses: Vec<PlanClause>,
    /// Where it is written.
    pub(crate) origin: OriginId,
}

/// One clause, compiled.
#[derive(Debug)]
pub(crate) struct PlanClause {
    /// The clause.
    pub(crate) clause: Clause,
    /// Its test.
    pub(crate) test: SlotMatcher,
}

/// The texts at a place and the argument that they may name.
#[derive(Clone, Debug)]
pub(crate) struct Naming {
    /// The argument that names.
    pub(crate) namer: usize,
    /// The way to its texts.
    pub(crate) steps: Vec<Step>,
    /// The limit over the texts.
    pub(crate) limit: LimitId,
    /// How they name.
    pub(crate) within: Within,
    /// The argument that is named; `None`: none of the tool's.
    pub(crate) named: Option<usize>,
}

/// A place of which something in force speaks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Governed {
    /// The argument.
    pub(crate) argument: usize,
    /// The way into it.
    pub(crate) steps: Vec<Step>,
    /// Whether a decision about the address behind a name may differ from that about the name.
    pub(crate) addresses: search::Addresses,
}

/// An effect and the test of its selector.
#[derive(Debug)]
pub(crate) struct EffectTest {
    /// Which.
    pub(crate) effect: Effect,
    /// The argument and its test; `None`: always.
    pub(crate) when: Option<(usize, SlotMatcher)>,
}

/// Whether a tool is there at all.
#[derive(Debug)]
pub(crate) enum Shown {
    /// Some call to it is permitted.
    Some(Box<Plan>),
    /// None is.
    None,
}

/// Why a plan could not be made.
pub(crate) enum PlanError {
    /// A set is too large.
    Bound(Bound),
    /// Whether anything is permitted was not settled within the bound.
    Unsettled(String),
}

impl From<Bound> for PlanError {
    fn from(bound: Bound) -> PlanError {
        PlanError::Bound(bound)
    }
}

/// The plan of `id` under `stack`.
pub(crate) fn plan(model: &Model, stack: &Stack, id: ToolId, work: &mut Work) -> Result<Shown, PlanError> {
    let Some(tool) = model.tool(id) else { return Ok(Shown::None) };
    let Some(factors) = factors(model, stack, id, tool, work)? else { return Ok(Shown::None) };
    let mut plan = Plan {
        tool: id,
        demands: Vec::new(),
        unbound: Vec::new(),
        bound: Vec::new(),
        one_of: one_of(model, tool),
        factors,
        namings: namings(model, tool),
        governed: Vec::new(),
        effects: effects(tool, work)?,
        program: None,
    };
    limits(model, stack, tool, &mut plan, work)?;
    plan.governed = governed(tool, &plan, work)?;
    plan.program = Program::new(model, tool, &plan);
    match search::is_empty(tool, &plan, &[], work) {
        Ok(true) => Ok(Shown::None),
        Ok(false) => Ok(Shown::Some(Box::new(plan))),
        Err(what) => Err(PlanError::Unsettled(what)),
    }
}

/// The factors of the meet; `None`: some declaration withholds the tool.
fn factors(model: &Model, stack: &Stack, id: ToolId, tool: &Tool, work: &mut Work) -> Result<Option<Vec<Factor>>, Bound> {
    let mut factors = Vec::new();
    for declaration in stack.declarations() {
        let used = declaration.layer(model).and_then(|layer| layer.uses.iter().find(|used| used.connector == id.0));
        let rows: &[Row] = used.map(|used| used.rows_of(id.1)).unwrap_or_default();
        let without = used.is_some_and(|used| used.without.iter().any(|(t, _)| *t == id.1));
        let unlisted = used.is_some_and(|used| used.tools.as_ref().is_some_and(|tools| !tools.contains(&id.1)));
        let ceiling = matches!(declaration, Declaration::Agent(_));
        if without || rows.is_empty() && (ceiling || unlisted) {
            return Ok(None);
        }
        if rows.is_empty() {
            continue;
        }
        let void = void(model, stack, declaration, tool);
        let free = sizes::free(model, declaration, id);
        let plan = |row| {
            let mut plan = plan_row(tool, row, void, work)?;
            sizes::imply(model, declaration, tool, (row, &mut plan), &free, work)?;
            Ok(plan)
        };
        let rows = rows.iter().map(plan).collect::<Result<Vec<_>, Bound>>()?;
        if rows.iter().all(|row| row.void.is_some()) {
            return Ok(None);
        }
        factors.push(Factor { declaration, rows });
    }
    Ok(Some(factors))
}

/// The limit over a ceiling that an opaque argument of the tool reaches, if there is one.
fn void(model: &Model, stack: &Stack, declaration: Declaration, tool: &Tool) -> Option<(LimitId, usize)> {
    let Declaration::Agent(agent) = declaration else { return None };
    let over = stack.over(model, agent);
    let declared = |limit: LimitId| {
        over.iter()
            .filter_map(|d| d.layer(model))
            .flat_map(|layer| &layer.uses)
            .flat_map(|used| &used.limits)
            .any(|setting| setting.limit == limit && setting.value != LimitValue::Many)
    };
    let mut reached: Vec<_> = tool.channels.iter().filter(|c| declared(c.limit)).map(|c| (c.limit, c.argument)).collect();
    reached.sort_unstable();
    reached.first().copied()
}

fn plan_row(tool: &Tool, row: &Row, void: Option<(LimitId, usize)>, work: &mut Work) -> Result<PlanRow, Bound> {
    let mut clauses = Vec::new();
    for clause in &row.clauses {
        let Some(member) = tool.arguments.get(clause.argument) else { continue };
        clauses.push(PlanClause { clause: clause.clone(), test: SlotMatcher::compile(member, &clause.slot, work)? });
    }
    clauses.sort_by_key(|c| c.clause.argument);
    let void = match row.opaque {
        Opaque::Accepted => None,
        Opaque::Unsaid => void,
    };
    Ok(PlanRow { grade: row.grade, void, clauses, origin: row.origin })
}

fn limits(model: &Model, stack: &Stack, tool: &Tool, plan: &mut Plan, work: &mut Work) -> Result<(), Bound> {
    let mut unbound: Vec<(LimitId, OriginId)> = Vec::new();
    for declaration in stack.declarations() {
        let uses = declaration.layer(model).map(|layer| layer.uses.as_slice()).unwrap_or_default();
        let free = sizes::free(model, declaration, plan.tool);
        for setting in uses.iter().flat_map(|used| &used.limits) {
            plan.demands.extend(demands(model, tool, (setting.limit, &setting.value), Some(setting.origin), &free, work)?);
            let bites = tool.places.iter().any(|place| place.limit == setting.limit);
            match &setting.value {
                LimitValue::Bound(value) if bites => plan.bound.push((setting.limit, value.clone())),
                LimitValue::Single if bites => unbound.push((setting.limit, setting.origin)),
                LimitValue::Set(_) | LimitValue::Many | LimitValue::Single | LimitValue::Bound(_) => {}
            }
        }
    }
    plan.demands.sort_by_key(|demand| demand.limit);
    unbound.retain(|(limit, _)| plan.bound.iter().all(|(bound, _)| bound != limit));
    unbound.sort_unstable();
    unbound.dedup_by_key(|(limit, _)| *limit);
    plan.unbound = unbound;
    Ok(())
}

fn one_of(model: &Model, tool: &Tool) -> Vec<LimitId> {
    let one = |limit: LimitId| model.limit(limit).is_some_and(|l| l.shape == LimitShape::One);
    let mut limits: Vec<LimitId> = tool.places.iter().map(|place| place.limit).filter(|limit| one(*limit)).collect();
    limits.sort_unstable();
    limits.dedup();
    limits
}

fn namings(model: &Model, tool: &Tool) -> Vec<Naming> {
    let mut namings = Vec::new();
    for (index, place) in tool.places.iter().enumerate() {
        let Some(within) = model.limit(place.limit).and_then(|l| l.within.clone()) else { continue };
        let of_place = |coupling: &&Coupling| coupling.place == index;
        let mut named: Vec<Option<usize>> = tool.couplings.iter().filter(of_place).map(|c| Some(c.named)).collect();
        if named.is_empty() {
            named.push(None);
        }
        namings.extend(named.into_iter().map(|named| Naming {
            namer: place.argument,
            steps: place.steps.clone(),
            limit: place.limit,
            within: within.clone(),
            named,
        }));
    }
    namings
}

fn governed(tool: &Tool, plan: &Plan, work: &mut Work) -> Result<Vec<Governed>, Bound> {
    let of_limits = plan.demands.iter().map(|d| (d.argument, &d.steps, &d.slot));
    let clauses = plan.factors.iter().flat_map(|f| &f.rows).flat_map(|r| &r.clauses);
    let of_rows = clauses.map(|c| (c.clause.argument, &c.clause.steps, &c.clause.slot));
    let mut found: Vec<Governed> = Vec::new();
    for (argument, steps, slot) in of_limits.chain(of_rows) {
        // A part is no place of its own: what speaks of a url's host governs the url.
        let steps: Vec<Step> = steps.iter().filter(|step| !matches!(step, Step::Part(_))).cloned().collect();
        let addresses = search::addresses(tool, argument, slot, work)?;
        match found.iter_mut().find(|g| g.argument == argument && g.steps == steps) {
            Some(known) => known.addresses = known.addresses.max(addresses),
            None => found.push(Governed { argument, steps, addresses }),
        }
    }
    Ok(found)
}

fn effects(tool: &Tool, work: &mut Work) -> Result<Vec<EffectTest>, Bound> {
    let mut effects = Vec::new();
    for rule in &tool.effects {
        let when = match &rule.when {
            None => None,
            Some((argument, slot)) => {
                let Some(member) = tool.arguments.get(*argument) else { continue };
                Some((*argument, SlotMatcher::compile(member, slot, work)?))
            }
        };
        effects.push(EffectTest { effect: rule.effect, when });
    }
    Ok(effects)
}

impl Plan {
    /// Whether something in force speaks of the place, or of a place around it.
    pub(crate) fn governs(&self, argument: usize, steps: &[Step]) -> Option<search::Addresses> {
        let speaks = |g: &&Governed| g.argument == argument && steps.starts_with(&g.steps);
        self.governed.iter().filter(speaks).map(|g| g.addresses).max()
    }

    /// Whether something in force speaks of the argument or of anything in it.
    pub(crate) fn governs_argument(&self, argument: usize) -> bool {
        self.governed.iter().any(|g| g.argument == argument)
    }
}
