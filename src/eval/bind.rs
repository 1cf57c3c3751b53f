//! What a session binds → which bindings hold, and what they demand of one tool. Knows no call.

use super::demand::{Demand, carrying, demands};
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

impl Bindings {
    /// Whether nothing is bound.
    pub(crate) fn is_empty(&self) -> bool {
        self.held.is_empty() && self.refused.is_empty()
    }
}

impl Handle {
    /// Judges what the session binds, for each tool.
    pub(super) fn bind(&mut self, mut bindings: Vec<(&str, LimitId, Value)>) {
        // An object's members have no order: they are judged by name.
        bindings.sort_by_key(|(name, _, _)| *name);
        let known: Vec<(LimitId, Value)> = bindings.into_iter().map(|(_, limit, value)| (limit, value)).collect();
        let mut tools: Vec<ToolId> = known.iter().flat_map(|(limit, _)| self.tools_under(*limit)).collect();
        tools.sort_unstable();
        tools.dedup();
        let plans = tools.into_iter().filter_map(|id| self.plan(id));
        let judged = plans.map(|plan| (plan.tool, self.judge_bindings(plan, Bindings::default(), &known)));
        self.bindings = judged.collect();
    }

    /// The tools that have an argument under the limit.
    fn tools_under(&self, limit: LimitId) -> impl Iterator<Item = ToolId> {
        let connectors = self.table.model().connectors.iter().enumerate();
        let tools =
            connectors.flat_map(|(c, connector)| connector.tools.iter().enumerate().map(move |(t, tool)| (c, t, tool)));
        tools.filter(move |(_, _, tool)| tool.places.iter().any(|place| place.limit == limit)).map(|(c, t, _)| ToolId(c, t))
    }

    /// `before`, and each of `more` that binds an argument of the tool, where the policy and what is bound before permit it.
    fn judge_bindings(&self, plan: &Plan, before: Bindings, more: &[(LimitId, Value)]) -> Bindings {
        let mut bindings = before;
        for (limit, value) in more.iter().filter(|(limit, _)| plan.one_of.contains(limit)) {
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

    /// Whether some tool that takes the value would then still permit a call that carries it: one in which it is null or left
    /// out, or a list is empty, takes no binding. True where no tool takes it.
    fn permits(&self, before: &Bindings, limit: LimitId, value: &Value) -> bool {
        let formed = self.table.model().limit(limit).is_some_and(|l| well_formed(&l.ty, value).is_ok());
        if !formed || *value == Value::Null {
            return false;
        }
        let mut taken = self.tools_under(limit).filter_map(|id| self.plan(id)).peekable();
        if taken.peek().is_none() {
            return true;
        }
        let bound = [before.held.as_slice(), &[(limit, value.clone())]].concat();
        taken.any(|plan| {
            let Some(tool) = self.table.model().tool(plan.tool) else { return false };
            let Some(extra) = self.bound_demands(plan.tool, &bound) else { return false };
            let carried = carrying(self.table.model(), tool, (limit, value), &mut Work::new()).unwrap_or_default();
            carried.into_iter().any(|one| {
                let extra = [extra.as_slice(), &[one]].concat();
                search::is_empty(tool, plan, &extra, &mut Work::new()) == Ok(false)
            })
        })
    }

    fn bound_demands(&self, id: ToolId, bound: &[(LimitId, Value)]) -> Option<Vec<Demand>> {
        let model = self.table.model();
        let tool = model.tool(id)?;
        let mut all = Vec::new();
        for (limit, value) in bound {
            let value = LimitValue::Bound(value.clone());
            all.extend(demands(model, tool, (*limit, &value), None, &[], &mut Work::new()).ok()?);
        }
        all.sort_by_key(|demand| demand.limit);
        Some(all)
    }

    /// What the handle's bindings and those of the facts come to for one tool.
    pub(crate) fn session_of(&self, plan: &Plan, facts: &Facts) -> Session {
        let mut named: Vec<_> = facts.bindings.known().map(Vec::as_slice).unwrap_or_default().iter().collect();
        named.sort_by(|a, b| a.0.cmp(&b.0));
        let limit = |(name, value): &(Box<str>, Value)| Some((bindable(self.table.model(), name)?, value.clone()));
        // With one that is misnamed the fact is of another shape: none of it counts.
        let known: Vec<(LimitId, Value)> = named.into_iter().map(limit).collect::<Option<_>>().unwrap_or_default();
        let own = self.bindings.get(&plan.tool).cloned().unwrap_or_default();
        self.session(plan, &self.judge_bindings(plan, own, &known))
    }

    /// What the bindings come to for one tool. A demand that is too large to compile refuses its limit.
    fn session(&self, plan: &Plan, bindings: &Bindings) -> Session {
        if bindings.held.is_empty() && bindings.refused.is_empty() {
            return Session::default();
        }
        let (bound, refused) = (bindings.held.clone(), bindings.refused.clone());
        match self.bound_demands(plan.tool, &bound) {
            Some(demands) => Session { demands, bound, refused },
            None => {
                Session { demands: Vec::new(), refused: bound.iter().map(|(limit, _)| *limit).collect(), bound: Vec::new() }
            }
        }
    }
}
