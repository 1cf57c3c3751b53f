//! A boundary and what it covers → what it takes from each agent and overlay. Boundaries need no proof: they are always met.

use super::crew;
use super::findings::tool_empty;
use super::stack::{Base, Factor, Permit, agent_factors, base_factors, in_force, permits, shape, tools};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{Product, Stopped, Work};
use crate::policy::{AgentId, Boundary, OverlayId, Policy, ToolRef};
use crate::source::Span;

/// What a boundary takes from an agent, or from an overlay with all it is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundaryReport {
    /// The boundary.
    pub boundary: Box<str>,
    /// The agent or overlay.
    pub from: Box<str>,
    /// Tools, as `connector.tool`, of which nothing is left.
    pub lost: Vec<String>,
    /// Tools of which less is left, or of which some calls now ask.
    pub narrowed: Vec<String>,
    /// Tools of which all is left.
    pub kept: Vec<String>,
}

/// The reports on every boundary of `policy`; a warning for each agent and overlay of which nothing is left.
pub(super) fn reports(policy: &Policy, sink: &mut Sink) -> Vec<BoundaryReport> {
    let mut questions: Vec<(&Boundary, &str, Span, Vec<Factor<'_>>)> = Vec::new();
    for boundary in &policy.boundaries {
        let covers = |agent: AgentId| boundary.agents.as_ref().is_none_or(|list| list.contains(&agent));
        for (index, agent) in policy.agents.iter().enumerate().filter(|(i, _)| covers(AgentId(*i))) {
            questions.push((boundary, &agent.name, agent.span, agent_factors(policy, AgentId(index))));
        }
        for (index, overlay) in policy.overlays.iter().enumerate().filter(|(_, o)| covers(o.agent)) {
            let mut stack = base_factors(policy, OverlayId(index));
            stack.push(Factor::overlay(overlay));
            questions.push((boundary, &overlay.name, overlay.span, stack));
        }
    }
    let answers = crew::each(questions.len(), |at| {
        let (boundary, name, span, stack) = &questions[at];
        let mut found = Sink::default();
        (report(policy, boundary, name, *span, stack.clone(), &mut found), found)
    });
    let reports = answers.into_iter().filter_map(|(report, found)| {
        sink.extend(found.into_sorted());
        report
    });
    reports.collect()
}

enum Taken {
    All,
    Some,
    Nothing,
}

fn report(
    policy: &Policy,
    boundary: &Boundary,
    name: &str,
    span: Span,
    stack: Vec<Factor<'_>>,
    sink: &mut Sink,
) -> Option<BoundaryReport> {
    let work = &mut Work::new();
    let base = Base::new(policy, stack);
    let mut report = BoundaryReport {
        boundary: boundary.name.clone(),
        from: name.into(),
        lost: Vec::new(),
        narrowed: Vec::new(),
        kept: Vec::new(),
    };
    for tool in tools(policy).filter(|tool| base.rows(*tool).is_ok_and(|rows| !rows.is_empty())) {
        let words = format!("{}.{}", policy.vocabulary(tool.vocabulary).name, policy.tool(tool).name);
        match taken(policy, boundary, &base, tool, work).ok()? {
            Taken::All => report.lost.push(words),
            Taken::Some => report.narrowed.push(words),
            Taken::Nothing => report.kept.push(words),
        }
    }
    if report.kept.is_empty() && report.narrowed.is_empty() && !report.lost.is_empty() {
        let message = format!("boundary `{}` leaves nothing of `{name}`", boundary.name);
        let found = Diagnostic::new(Code::BOUNDARY_TAKES_ALL, boundary.span, message);
        sink.push(found.also(span, "every tool of it is lost").note(format!("lost: {}", report.lost.join(", "))));
    }
    Some(report)
}

fn taken(policy: &Policy, boundary: &Boundary, base: &Base<'_>, tool: ToolRef, work: &mut Work) -> Result<Taken, Stopped> {
    let own = Factor::boundary(boundary);
    let mut stack = base.factors.clone();
    stack.push(own);
    let in_force = in_force(&stack);
    if tool_empty(policy, &stack, tool, &in_force, work)? {
        return Ok(Taken::All);
    }
    let Some(permits) = permits(policy, own, tool, &in_force) else { return Ok(Taken::Nothing) };
    let shape = shape(policy, policy.tool(tool));
    for row in base.rows(tool)? {
        let graded = |p: &&Permit| row.approval || !p.approval;
        let holds: Vec<&Product> = permits.iter().filter(graded).map(|p| &p.product).collect();
        if shape.escape(&row.product, &holds, work)?.is_some() {
            return Ok(Taken::Some);
        }
    }
    Ok(Taken::Nothing)
}
