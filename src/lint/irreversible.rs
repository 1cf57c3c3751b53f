//! A row that lets something irreversible pass without a person: `allow send_money { amount <= 500 }` where the vocabulary says
//! `irreversible`. Not one whose every call is reversible (`irreversible when op in { purge }`, and the row says
//! `op in { list }`), nor one that a parent or a boundary makes ask.

use super::{Subject, granted};
use crate::diag::{Code, Diagnostic, Sink};
use crate::overlay::{Effective, Granted};
use crate::policy::{AgentId, Effect, Tool, ToolRef};

pub(super) fn find(subject: &Subject<'_>, agent: AgentId, effective: &Effective<'_>, found: &mut Sink) {
    let name = &subject.policy.agents[agent.0].name;
    for tool in granted::tools(subject.policy, agent) {
        let declared = subject.policy.tool(tool);
        if !declared.effects.iter().any(|rule| rule.effect == Effect::Irreversible) {
            continue;
        }
        let mut told = Vec::new();
        for row in effective.rows(tool).unwrap_or_default().iter().filter(|row| !row.approval) {
            if !told.contains(&row.span) && irreversible(declared, tool, row, effective) {
                told.push(row.span);
                let message = format!("`{name}` may call `{}`, which is irreversible, without approval", declared.name);
                let found_here = Diagnostic::new(Code::IRREVERSIBLE_WITHOUT_APPROVAL, row.span, message);
                found.push(found_here.also(declared.span, "irreversible").help("add `with approval` to the row"));
            }
        }
    }
}

/// Whether some call of the row is irreversible.
pub(super) fn irreversible(declared: &Tool, tool: ToolRef, row: &Granted, effective: &Effective<'_>) -> bool {
    let rules = declared.effects.iter().filter(|rule| rule.effect == Effect::Irreversible);
    rules.into_iter().any(|rule| match &rule.when {
        None => true,
        Some((argument, slot)) => effective.meets(tool, row, &[(*argument, slot.clone())]).unwrap_or(false),
    })
}
