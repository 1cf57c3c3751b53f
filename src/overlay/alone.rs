//! One overlay of a policy → a policy in which it stands on an agent that permits everything. So what its words say can be
//! asked without a base, also when they widen the base that it is written on.

use crate::policy::{Agent, AgentId, Base, Layer, Overlay, Policy, Row, Use, VocabularyId};
use crate::source::Span;

/// The policy of the overlay called `name` alone; `None`: there is none. What it is written on, every other overlay, every
/// boundary, skill and test is left out.
pub fn alone(policy: &Policy, name: &str) -> Option<Policy> {
    let overlay = policy.overlays.iter().find(|overlay| *overlay.name == *name)?;
    let written_on = policy.agents.get(overlay.agent.0)?;
    let agent = Agent {
        parent: None,
        describe: None,
        welcome: None,
        skills: Vec::new(),
        layer: everything(policy, overlay.span),
        ..written_on.clone()
    };
    let overlay = Overlay { base: Base::Agent(AgentId(0)), agent: AgentId(0), ..overlay.clone() };
    Some(Policy {
        vocabularies: policy.vocabularies.clone(),
        lets: policy.lets.clone(),
        agents: vec![agent],
        overlays: vec![overlay],
        boundaries: Vec::new(),
        deployment: policy.deployment.clone(),
        skills: Vec::new(),
        tests: Vec::new(),
    })
}

/// A row without clauses for every tool.
fn everything(policy: &Policy, span: Span) -> Layer {
    let uses = policy.vocabularies.iter().enumerate().map(|(index, vocabulary)| Use {
        vocabulary: VocabularyId(index),
        tools: None,
        without: Vec::new(),
        rows: (0..vocabulary.tools.len()).map(|tool| free(tool, span)).collect(),
        limits: Vec::new(),
        idle_limits: Vec::new(),
        span,
    });
    Layer { uses: uses.collect(), without_providers: Vec::new() }
}

fn free(tool: usize, span: Span) -> Row {
    Row {
        tool,
        clauses: Vec::new(),
        approval: false,
        accepting_opaque: true,
        sizes_admitting_zero: Vec::new(),
        span,
        whole: span,
    }
}
