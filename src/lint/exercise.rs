//! What no test of the policy's own exercises: an agent without any test, a row of which no test's call is, a limit that refuses
//! no test's call. A row exercises nothing when it only names tools (`tools a, b`): there is no edge to be tested.

use super::{Coverage, Subject};
use crate::diag::{Code, Diagnostic, Sink};
use crate::policy::{AgentId, Layer, LimitSetting, LimitValue, Row};
use crate::source::Span;
use std::collections::BTreeSet;

pub(super) fn find(subject: &Subject<'_>, found: &mut Sink) {
    let policy = subject.policy;
    let tested: BTreeSet<AgentId> = policy.tests.iter().map(|test| test.agent).collect();
    for (_, agent) in policy.agents.iter().enumerate().filter(|(i, _)| !tested.contains(&AgentId(*i))) {
        let message = format!("no test speaks of agent `{}`", agent.name);
        let help = format!("write `test {} {{ … }}`: a call that passes, and one just outside each edge", agent.name);
        found.push(Diagnostic::new(Code::UNTESTED_AGENT, agent.span, message).help(help));
    }
    let Some(coverage) = &subject.coverage else { return };
    let of_tested = policy.agents.iter().enumerate().filter(|(i, _)| tested.contains(&AgentId(*i))).map(|(_, a)| &a.layer);
    let overlays = policy.overlays.iter().filter(|o| tested.contains(&o.agent)).map(|o| &o.layer);
    let boundaries = policy.boundaries.iter().filter(|_| !tested.is_empty()).map(|b| &b.layer);
    for layer in of_tested.chain(overlays).chain(boundaries) {
        of_layer(subject, layer, coverage, found);
    }
}

fn of_layer(subject: &Subject<'_>, layer: &Layer, coverage: &Coverage, found: &mut Sink) {
    let rows = layer.uses.iter().flat_map(|said| &said.rows).filter(|row| has_edges(subject, row));
    for row in rows {
        if let Some(what) = name(&coverage.rows, row.span) {
            let message = format!("no test's call satisfies this row ({what})");
            found.push(Diagnostic::new(Code::UNTESTED_ROW, row.span, message).help("add a case that passes by it"));
        }
    }
    // A blank to be filled refuses everything until it is.
    let is_blank = |setting: &&LimitSetting| setting.value == LimitValue::Single;
    for setting in layer.uses.iter().flat_map(|said| &said.limits).filter(|setting| !is_blank(setting)) {
        if let Some(what) = name(&coverage.limits, setting.span) {
            let message = format!("no test's call is refused by this limit ({what})");
            found.push(Diagnostic::new(Code::UNTESTED_LIMIT, setting.span, message).help("add a case just outside it"));
        }
    }
}

/// A row written with `allow`, not one that a list of tools makes.
fn has_edges(subject: &Subject<'_>, row: &Row) -> bool {
    subject.sources.text(row.whole).starts_with("allow")
}

fn name(unexercised: &[super::Unexercised], span: Span) -> Option<&str> {
    unexercised.iter().find(|one| one.span == span).map(|one| one.what.as_str())
}
