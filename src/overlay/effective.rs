//! An agent, or an overlay with all it is on → what a call may be when the boundaries over it are met as well. For reviewers:
//! the proof asks for the base without boundaries. Knows no syntax.

use super::stack::{Base, Factor, agent_factors, base_factors, permits, shape};
use crate::domain::{Product, Slot, Work};
use crate::policy::{AgentId, LimitRef, OverlayId, Policy, ToolRef};
use crate::source::Span;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// One product of calls that is permitted.
#[derive(Clone, Debug)]
pub struct Granted {
    /// What it admits.
    pub product: Product,
    /// It asks for approval.
    pub approval: bool,
    /// The ceiling's row in the source.
    pub span: Span,
}

/// What a stack of declarations leaves, tool by tool, when it is asked for.
pub struct Effective<'a> {
    policy: &'a Policy,
    factors: Vec<Factor<'a>>,
    in_force: BTreeSet<LimitRef>,
    known: RefCell<BTreeMap<ToolRef, Option<Vec<Granted>>>>,
}

impl<'a> Effective<'a> {
    /// An agent with its parents and the boundaries over them.
    pub fn of_agent(policy: &'a Policy, agent: AgentId) -> Effective<'a> {
        Effective::new(policy, agent, agent_factors(policy, agent))
    }

    /// An overlay with all it is on, and the boundaries over it.
    pub fn of_overlay(policy: &'a Policy, overlay: OverlayId) -> Option<Effective<'a>> {
        let declared = policy.overlays.get(overlay.0)?;
        let mut factors = base_factors(policy, overlay);
        factors.push(Factor::overlay(declared));
        Some(Effective::new(policy, declared.agent, factors))
    }

    fn new(policy: &'a Policy, agent: AgentId, mut factors: Vec<Factor<'a>>) -> Effective<'a> {
        let mut covered = vec![agent];
        let mut at = agent;
        while let Some(parent) = policy.agents.get(at.0).and_then(|a| a.parent) {
            covered.push(parent);
            at = parent;
        }
        let over = policy
            .boundaries
            .iter()
            .filter(|boundary| boundary.agents.as_ref().is_none_or(|list| list.iter().any(|agent| covered.contains(agent))));
        factors.extend(over.map(Factor::boundary));
        let in_force = super::stack::in_force(&factors);
        Effective { policy, factors, in_force, known: RefCell::default() }
    }

    /// The limits that something in the stack sets to less than everything.
    pub fn in_force(&self) -> &BTreeSet<LimitRef> {
        &self.in_force
    }

    /// What is permitted of `tool`, nothing empty; `None`: it could not be settled within the bounds.
    pub fn rows(&self, tool: ToolRef) -> Option<Vec<Granted>> {
        if let Some(known) = self.known.borrow().get(&tool) {
            return known.clone();
        }
        let rows = self.settle(tool);
        self.known.borrow_mut().insert(tool, rows.clone());
        rows
    }

    fn settle(&self, tool: ToolRef) -> Option<Vec<Granted>> {
        // The ceiling stands first: what it does not have, nothing below it has.
        let first = self.factors.first()?;
        if permits(self.policy, *first, tool, &self.in_force).is_none_or(|rows| rows.is_empty()) {
            return Some(Vec::new());
        }
        let base = Base::new(self.policy, self.factors.clone());
        let rows = base.rows(tool).ok()?;
        let granted =
            |row: &super::stack::Permit| Granted { product: row.product.clone(), approval: row.approval, span: row.span };
        Some(rows.iter().map(granted).collect())
    }

    /// Whether some call of `row` to `tool` lies in all of `slots`, by argument; `None`: not settled within the bounds.
    pub fn meets(&self, tool: ToolRef, row: &Granted, slots: &[(usize, Slot)]) -> Option<bool> {
        let mut product = row.product.clone();
        slots.iter().for_each(|(argument, slot)| product.demand(*argument, slot.clone()));
        let shape = shape(self.policy, self.policy.tool(tool));
        shape.is_empty(&product, &mut Work::new()).ok().map(|empty| !empty)
    }

    /// For each declaration in the stack, the ceiling first, whether it demands something of the tool's argument at `steps`
    /// in every row, or by a limit.
    pub fn speaks_of(&self, tool: ToolRef, argument: usize, steps: &[crate::domain::Step]) -> bool {
        let touches = |other: &[crate::domain::Step]| other.iter().zip(steps).all(|(a, b)| a == b);
        let limited = self
            .policy
            .tool(tool)
            .places
            .iter()
            .any(|place| place.argument == argument && touches(&place.steps) && self.in_force.contains(&place.limit));
        let in_rows = |factor: &Factor<'a>| {
            let rows: Vec<_> =
                factor.spoken(tool).into_iter().flat_map(|u| &u.rows).filter(|r| r.tool == tool.tool).collect();
            let spoken = |row: &&crate::policy::Row| {
                row.clauses.iter().any(|clause| clause.argument == argument && touches(&clause.steps))
            };
            !rows.is_empty() && rows.iter().all(spoken)
        };
        limited || self.factors.iter().skip(1).any(in_rows)
    }
}
