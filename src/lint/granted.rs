//! An agent → the tools that its own words give it, each once, in the order of the vocabulary. Knows no rule.

use crate::policy::{AgentId, Policy, Row, ToolRef};

/// The tools for which the agent has a row.
pub(super) fn tools(policy: &Policy, agent: AgentId) -> Vec<ToolRef> {
    let mut tools: Vec<ToolRef> = rows(policy, agent).map(|(tool, _)| tool).collect();
    tools.sort();
    tools.dedup();
    tools
}

/// The agent's own rows.
pub(super) fn rows(policy: &Policy, agent: AgentId) -> impl Iterator<Item = (ToolRef, &Row)> {
    let uses = policy.agents.get(agent.0).into_iter().flat_map(|agent| &agent.layer.uses);
    uses.flat_map(|said| said.rows.iter().map(|row| (ToolRef { vocabulary: said.vocabulary, tool: row.tool }, row)))
}
