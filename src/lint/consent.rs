//! A deployment in which tools that change things need no consent: it says nothing of `consent required for mutates`, and an
//! agent has a tool that mutates and does not ask approval for every call.

use super::Subject;
use crate::diag::{Code, Diagnostic, Sink};
use crate::overlay::Effective;
use crate::policy::{AgentId, Effect, Tool, ToolRef};

pub(super) fn find(subject: &Subject<'_>, agents: &[(AgentId, Effective<'_>)], found: &mut Sink) {
    let Some(deployment) = subject.policy.deployment.as_ref() else { return };
    let required = |effect| deployment.consent.contains(&effect);
    let mut first = None;
    let mut others = 0usize;
    for (id, effective) in agents {
        for tool in super::granted::tools(subject.policy, *id) {
            let declared = subject.policy.tool(tool);
            let rows = effective.rows(tool).unwrap_or_default();
            if mutates(declared) && !rows.iter().all(|row| row.approval) && !covered(declared, &required) {
                others += usize::from(first.is_some());
                first = first.or(Some((*id, tool)));
            }
        }
    }
    if let Some((agent, tool)) = first {
        let agent = &subject.policy.agents[agent.0];
        let more = if others == 0 { String::new() } else { format!(", and {others} more") };
        let message = format!(
            "deployment `{}` requires no consent where `{}` may change things: {}{more}",
            deployment.name,
            agent.name,
            name(subject, tool)
        );
        let found_here = Diagnostic::new(Code::MUTATES_WITHOUT_CONSENT, deployment.span, message);
        found.push(found_here.also(agent.span, "this agent").help("add `consent required for mutates`"));
    }
}

fn name(subject: &Subject<'_>, tool: ToolRef) -> String {
    format!("`{}.{}`", subject.policy.vocabulary(tool.vocabulary).name, subject.policy.tool(tool).name)
}

/// Whether some call of the tool may change something.
fn mutates(tool: &Tool) -> bool {
    let always_reads = tool.effects.iter().any(|rule| rule.effect == Effect::Reads && rule.when.is_none());
    let says = |effect| tool.effects.iter().any(|rule| rule.effect == effect);
    says(Effect::Mutates) || says(Effect::Irreversible) || !always_reads
}

/// Whether the consent that is required speaks of all calls of the tool that change something.
fn covered(tool: &Tool, required: &impl Fn(Effect) -> bool) -> bool {
    let always = |effect| tool.effects.iter().any(|rule| rule.effect == effect && rule.when.is_none());
    required(Effect::Mutates)
        || (required(Effect::Irreversible) && always(Effect::Irreversible))
        || (required(Effect::ReachesOutside) && always(Effect::ReachesOutside))
}
