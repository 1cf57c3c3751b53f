//! What a session binds → which bindings hold, and what they demand of one tool. Knows no call.

use super::demand::{Demand, demands};
use super::judge::Session;
use super::plan::Plan;
use super::search;
use super::{Facts, Handle};
use crate::domain::{Value, Work, well_formed};
use crate::table::model::{LimitId, LimitShape, LimitValue, Model, ToolId};

/// The limit of one value that is called so.
pub(crate) fn bindable(model: &Model, name: &str) -> Option<LimitId> {
    let id = model.find_limit(name)?;
    model.limit(id).filter(|limit| limit.shape == LimitShape::One).map(|_| id)
}

/// Bindings that were judged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    held: Vec<(LimitId, Value)>,
    refused: Vec<LimitId>,
}

impl Handle {
    /// `before`, and each of `more` where the policy and what is bound before permit it.
    pub(super) fn judge_bindings(&self, before: Bindings, more: &[(LimitId, Value)]) -> Bindings {
        let mut bindings = before;
        for (limit, value) in more {
            if bindings.held.contains(&(*limit, value.clone())) {
                continue;
            }
            if self.permits(&bindings, *limit, value) {
                bindings.held.push((*limit, value.clone()));
            } else {
                bindings.refused.push(*limit);
            }
        }
        bindings
    }

    /// The handle's own bindings and those of the facts.
    fn bindings(&self, of_facts: &[(LimitId, Value)]) -> Bindings {
        self.judge_bindings(self.bindings.clone(), of_facts)
    }

    /// Whether some tool that takes the value would then still permit a call; true where no tool takes it.
    fn permits(&self, before: &Bindings, limit: LimitId, value: &Value) -> bool {
        let formed = self.table.model().limit(limit).is_some_and(|l| well_formed(&l.ty, value).is_ok());
        if !formed || *value == Value::Null {
            return false;
        }
        let takes = |plan: &&Plan| plan.one_of.contains(&limit);
        let plans = self.plans.iter().flatten().flatten().map(|plan| &**plan);
        let mut taken = plans.filter(takes).peekable();
        if taken.peek().is_none() {
            return true;
        }
        let bound = [before.held.as_slice(), &[(limit, value.clone())]].concat();
        taken.any(|plan| {
            let Some(tool) = self.table.model().tool(plan.tool) else { return false };
            let extra = self.bound_demands(plan.tool, &bound);
            extra.is_some_and(|extra| search::is_empty(tool, plan, &extra, &mut Work::new()) == Ok(false))
        })
    }

    fn bound_demands(&self, id: ToolId, bound: &[(LimitId, Value)]) -> Option<Vec<Demand>> {
        let model = self.table.model();
        let tool = model.tool(id)?;
        let mut all = Vec::new();
        for (limit, value) in bound {
            let value = LimitValue::Bound(value.clone());
            all.extend(demands(model, tool, (*limit, &value), None, &mut Work::new()).ok()?);
        }
        all.sort_by_key(|demand| demand.limit);
        Some(all)
    }

    /// What the handle's bindings and those of the facts come to for one tool.
    pub(super) fn session_of(&self, plan: &Plan, facts: &Facts) -> Session {
        let named = facts.bindings.known().map(Vec::as_slice).unwrap_or_default();
        let limit = |(name, value): &(Box<str>, Value)| Some((bindable(self.table.model(), name)?, value.clone()));
        let known: Vec<(LimitId, Value)> = named.iter().filter_map(limit).collect();
        self.session(plan, &self.bindings(&known))
    }

    /// What the bindings come to for one tool. A demand that is too large to compile refuses its limit.
    fn session(&self, plan: &Plan, bindings: &Bindings) -> Session {
        let of_tool = |limit: &LimitId| plan.one_of.contains(limit);
        let bound: Vec<(LimitId, Value)> = bindings.held.iter().filter(|(limit, _)| of_tool(limit)).cloned().collect();
        let refused: Vec<LimitId> = bindings.refused.iter().copied().filter(of_tool).collect();
        match self.bound_demands(plan.tool, &bindings.held) {
            Some(demands) => Session { demands, bound, refused },
            None => {
                Session { demands: Vec::new(), refused: bound.iter().map(|(limit, _)| *limit).collect(), bound: Vec::new() }
            }
        }
    }
}
