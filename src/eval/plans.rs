//! The plans of a handle, each made at the first call that needs it. Whether every tool's is settled is known before: from
//! the table, or by making those of the tools that the agent has rows for. Knows no call.

use super::plan::{Plan, PlanError, Shown, plan};
use super::stack::Stack;
use crate::domain::Work;
use crate::table::model::{Model, ToolId};
use std::sync::OnceLock;

/// A plan for each tool of a model.
#[derive(Debug, Default)]
pub(super) struct Plans {
    stack: Stack,
    /// By connector: the number of its first tool.
    starts: Box<[usize]>,
    /// By number; inside none: hidden.
    plans: Box<[OnceLock<Option<Box<Plan>>>]>,
}

impl Plans {
    /// The plans of a stack.
    ///
    /// # Errors
    /// Whether some tool permits a call is not settled within the bound on work.
    pub(super) fn new(model: &Model, stack: &Stack) -> Result<Plans, String> {
        let mut starts = Vec::with_capacity(model.connectors.len());
        let mut count = 0_usize;
        for connector in &model.connectors {
            starts.push(count);
            count = count.saturating_add(connector.tools.len());
        }
        let mut cells = Vec::new();
        cells.resize_with(count, OnceLock::new);
        let plans = Plans { stack: stack.clone(), starts: starts.into(), plans: cells.into() };
        let settled = stack.overlays.is_empty()
            && stack.agents.first().and_then(|agent| model.agents.get(*agent)).is_some_and(|agent| agent.settled);
        if !settled {
            plans.make_all(model)?;
        }
        Ok(plans)
    }

    /// Makes the plans of all tools that may have one.
    fn make_all(&self, model: &Model) -> Result<(), String> {
        for id in self.candidates(model) {
            let made = match plan(model, &self.stack, id, &mut Work::new()) {
                Ok(Shown::Some(plan)) => Some(plan),
                Ok(Shown::None) => None,
                Err(PlanError::Bound(bound)) => return Err(bound.to_string()),
                Err(PlanError::Unsettled(what)) => return Err(what),
            };
            if let Some(cell) = self.cell(id) {
                // Nobody else has it yet.
                cell.set(made).unwrap_or_default();
            }
        }
        Ok(())
    }

    /// The tools that the ceiling has rows for; every other is hidden. Without a ceiling: all.
    fn candidates(&self, model: &Model) -> Vec<ToolId> {
        let ceiling = self.stack.agents.first().and_then(|agent| model.agents.get(*agent));
        let mut tools: Vec<ToolId> = match ceiling {
            Some(agent) => {
                let uses = agent.layer.uses.iter();
                uses.flat_map(|used| used.rows.iter().map(|row| ToolId(used.connector, row.tool))).collect()
            }
            None => {
                let connectors = model.connectors.iter().enumerate();
                connectors.flat_map(|(c, connector)| (0..connector.tools.len()).map(move |t| ToolId(c, t))).collect()
            }
        };
        tools.dedup();
        tools
    }

    fn cell(&self, id: ToolId) -> Option<&OnceLock<Option<Box<Plan>>>> {
        self.plans.get(self.starts.get(id.0)?.saturating_add(id.1))
    }

    /// The plan of a tool; none: it is hidden.
    #[inline]
    pub(super) fn get(&self, model: &Model, id: ToolId) -> Option<&Plan> {
        let cell = self.cell(id)?;
        match cell.get() {
            Some(plan) => plan.as_deref(),
            None => self.make(model, id, cell),
        }
    }

    #[cold]
    fn make<'a>(&'a self, model: &Model, id: ToolId, cell: &'a OnceLock<Option<Box<Plan>>>) -> Option<&'a Plan> {
        let made = || match plan(model, &self.stack, id, &mut Work::new()) {
            Ok(Shown::Some(plan)) => Some(plan),
            // Not settled only in a table that says of itself what is not so: nothing is permitted then.
            Ok(Shown::None) | Err(_) => None,
        };
        cell.get_or_init(made).as_deref()
    }
}

/// Notes for each agent of a table whether all that it permits without overlays is settled: a handle of it is then ready at
/// once, and its tools are looked at when they are called.
#[cfg(feature = "compile")]
pub fn settle(table: crate::table::Table) -> crate::table::Table {
    let model = table.model();
    let settled = |agent: &crate::table::model::Agent| {
        Stack::new(model, &agent.name, &[]).is_ok_and(|stack| {
            let plans = Plans { stack, ..Plans::default() };
            plans.candidates(model).into_iter().all(|id| plan(model, &plans.stack, id, &mut Work::new()).is_ok())
        })
    };
    let all: Vec<bool> = model.agents.iter().map(settled).collect();
    table.with_settled(&all)
}
