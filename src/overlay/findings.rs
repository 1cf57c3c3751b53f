//! What only the algebra can tell of declarations that are not wrong: rows that nothing satisfies or that others cover,
//! overlays that change nothing, layers that together permit nothing. Knows no syntax, and finds no errors.
//!
//! A bound that is hit here is no finding: nothing is claimed that was not settled.

use super::crew;
use super::stack::{
    Base, Bases, Factor, Permit, Silence, agent_factors, in_force, permits, row_permit, shape, tools, under_limits,
};
use super::verdict::OverlayVerdict;
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{Product, Set, Stopped, Work, is_empty};
use crate::policy::{AgentId, Clause, LimitValue, OverlayId, Policy, Row, ToolRef};
use std::collections::BTreeSet;

/// Overlays on one agent that are compared two by two.
const PAIRS_OF: usize = 24;

/// Pushes every finding on `policy`; `verdicts` by overlay.
pub(super) fn find(policy: &Policy, verdicts: &[OverlayVerdict], sink: &mut Sink) {
    let agents = policy.agents.iter().map(Factor::agent);
    for factor in agents.chain(policy.boundaries.iter().map(Factor::boundary)) {
        rows(policy, factor, &mut Work::new(), sink);
    }
    let bases = Bases::new(policy);
    let of_overlays = crew::each(policy.overlays.len(), |at| {
        let mut found = Sink::default();
        // Of an overlay that widens enough has been said.
        if verdicts.get(at).is_some_and(|verdict| verdict.holds) {
            find_one(policy, OverlayId(at), &bases, &mut found);
        } else {
            rows(policy, Factor::overlay(&policy.overlays[at]), &mut Work::new(), &mut found);
        }
        found
    });
    of_overlays.into_iter().for_each(|found| sink.extend(found.into_sorted()));
    for id in (0..policy.agents.len()).map(AgentId) {
        pairs(policy, id, &mut Work::new(), sink);
    }
}

/// Pushes every finding on one overlay that holds.
pub(super) fn find_one(policy: &Policy, id: OverlayId, bases: &Bases<'_>, sink: &mut Sink) {
    let work = &mut Work::new();
    rows(policy, Factor::overlay(&policy.overlays[id.0]), work, sink);
    overlay(policy, id, bases.of(id), work, sink);
}

/// How many pairs of rows of a declaration are compared: a lint is not worth the square of a hundred thousand rows.
const MAX_PAIRS: usize = 100_000;

/// Rows of one declaration: those that nothing satisfies, those that another covers.
fn rows(policy: &Policy, factor: Factor<'_>, work: &mut Work, sink: &mut Sink) {
    let mut pairs = 0;
    for spoken in &factor.layer.uses {
        for (index, row) in spoken.rows.iter().enumerate() {
            let tool = ToolRef { vocabulary: spoken.vocabulary, tool: row.tool };
            if never_matches(policy, factor, tool, row, work).unwrap_or(false) {
                sink.push(never(policy, factor, tool, row));
                continue;
            }
            // The rows stand in the order of tools.
            let first = spoken.rows.partition_point(|r| r.tool < row.tool);
            let same = spoken.rows[first..].iter().take_while(|r| r.tool == row.tool);
            let others = same.enumerate().map(|(i, r)| (first + i, r)).filter(|(i, _)| *i != index);
            let others = others.take_while(|_| {
                pairs += 1;
                pairs <= MAX_PAIRS
            });
            let covering = others.filter(|(_, other)| row.approval || !other.approval).find(|(i, other)| {
                let inside = |a: &Row, b: &Row, work: &mut Work| covers(policy, tool, a, b, work).unwrap_or(false);
                // Of two equal rows, the later one is dead.
                let same_grade = row.approval == other.approval;
                inside(other, row, work) && (*i < index || !same_grade || !inside(row, other, work))
            });
            if let Some((_, other)) = covering {
                let name = &policy.tool(tool).name;
                let message =
                    format!("this row for `{name}` adds nothing: another row of `{}` permits all of it", factor.name);
                let found = Diagnostic::new(Code::DEAD_ROW, row.span, message).also(other.span, "this row permits it all");
                sink.push(found.help("leave the row out"));
            }
        }
    }
}

fn never_matches(policy: &Policy, factor: Factor<'_>, tool: ToolRef, row: &Row, work: &mut Work) -> Result<bool, Stopped> {
    let shape = shape(policy, policy.tool(tool));
    for permit in under_limits(policy, factor, tool, vec![row_permit(row)]) {
        if !shape.is_empty(&permit.product, work)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn never(policy: &Policy, factor: Factor<'_>, tool: ToolRef, row: &Row) -> Diagnostic {
    let name = &policy.tool(tool).name;
    if let Some((argument, [before @ .., last])) = emptied(policy, tool, row).as_ref().map(|(a, c)| (a, c.as_slice())) {
        let message =
            format!("no call to `{name}` can satisfy this row of `{}`: nothing is left of `{argument}`", factor.name);
        let found = Diagnostic::new(Code::NEVER_MATCHES, last.span, message).label("never matches");
        return before.iter().fold(found, |found, clause| found.also(clause.span, "together with this"));
    }
    let message = format!("no call to `{name}` can satisfy this row of `{}`", factor.name);
    let limits = factor.limits().filter(|s| policy.tool(tool).places.iter().any(|place| place.limit == s.limit));
    let found = Diagnostic::new(Code::NEVER_MATCHES, row.span, message).label("never matches");
    limits.fold(found, |found, setting| {
        let words = format!("`{} = {}` cuts it", policy.limit_name(setting.limit), setting.permitted);
        found.also(setting.span, words)
    })
}

/// The first argument of which the row's own clauses leave nothing, and the clauses that do it.
fn emptied<'p>(policy: &'p Policy, tool: ToolRef, row: &'p Row) -> Option<(&'p str, Vec<&'p Clause>)> {
    policy.tool(tool).arguments.iter().enumerate().find_map(|(at, argument)| {
        let clauses: Vec<&Clause> = row.clauses.iter().filter(|clause| clause.argument == at).collect();
        let empty = |clauses: &[&Clause]| {
            let values = Set::And(clauses.iter().map(|clause| clause.slot.values.clone()).collect());
            let pointless = !clauses.iter().all(|c| c.slot.null) && !clauses.iter().all(|c| c.slot.absent);
            pointless && is_empty(&argument.member.ty, &values, &mut Work::new()).unwrap_or(false)
        };
        let count = (1..=clauses.len()).find(|count| empty(&clauses[..*count]))?;
        Some((&*argument.member.name, clauses[..count].to_vec()))
    })
}

/// Whether every call in `inner` lies in `outer`.
fn covers(policy: &Policy, tool: ToolRef, outer: &Row, inner: &Row, work: &mut Work) -> Result<bool, Stopped> {
    let shape = shape(policy, policy.tool(tool));
    Ok(shape.escape(&row_permit(inner).product, &[&row_permit(outer).product], work)?.is_none())
}

/// An overlay that leaves its base as it is, or leaves nothing of it.
fn overlay(policy: &Policy, id: OverlayId, base: &Base<'_>, work: &mut Work, sink: &mut Sink) {
    let Some(declared) = policy.overlays.get(id.0) else { return };
    let own = Factor::overlay(declared);
    if tools(policy).all(|tool| base.rows(tool).is_ok_and(<[Permit]>::is_empty)) {
        return;
    }
    if changes_nothing(policy, own, base, work).unwrap_or(false) {
        let message = format!("overlay `{}` changes nothing: `{}` permits no more than it does", own.name, base.name());
        sink.push(Diagnostic::new(Code::CHANGES_NOTHING, own.span, message).help("leave it out, or narrow something"));
        return;
    }
    let mut stack = base.factors.clone();
    stack.push(own);
    if nothing_left(policy, &stack, work).unwrap_or(false) {
        let message = format!("overlay `{}` and `{}` together permit nothing", own.name, base.name());
        let below = base.factors.first().map_or(own.span, |f| f.span);
        sink.push(Diagnostic::new(Code::NOTHING_LEFT, own.span, message).also(below, "no call passes both"));
    }
}

/// Whether the overlay's factor holds all that its base permits, with the same grades and the same bindings.
fn changes_nothing(policy: &Policy, own: Factor<'_>, base: &Base<'_>, work: &mut Work) -> Result<bool, Stopped> {
    if !own.layer.without_providers.is_empty() {
        return Ok(false);
    }
    for setting in own.limits() {
        let below = base.settings(setting.limit);
        let fixed = |value: &LimitValue| matches!(value, LimitValue::Single | LimitValue::Bound(_));
        let same =
            below.iter().any(|(_, s)| s.value == setting.value || setting.value == LimitValue::Single && fixed(&s.value));
        if fixed(&setting.value) && !same {
            return Ok(false);
        }
    }
    for tool in tools(policy) {
        let Some(own) = permits(policy, own, tool, &base.in_force) else { continue };
        let shape = shape(policy, policy.tool(tool));
        for row in base.rows(tool)? {
            let holds: Vec<&Product> = own.iter().filter(|p| row.approval || !p.approval).map(|p| &p.product).collect();
            if shape.escape(&row.product, &holds, work)?.is_some() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether no tool has a call that every layer permits.
pub(super) fn nothing_left(policy: &Policy, stack: &[Factor<'_>], work: &mut Work) -> Result<bool, Stopped> {
    let in_force = in_force(stack);
    for tool in tools(policy) {
        if !tool_empty(policy, stack, tool, &in_force, work)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether no call to `tool` is permitted by every layer of `stack`, without expanding the stack.
pub(super) fn tool_empty(
    policy: &Policy,
    stack: &[Factor<'_>],
    tool: ToolRef,
    in_force: &BTreeSet<crate::policy::LimitRef>,
    work: &mut Work,
) -> Result<bool, Stopped> {
    let unions: Vec<Vec<Permit>> = stack.iter().filter_map(|f| permits(policy, *f, tool, in_force)).collect();
    if unions.is_empty() || stack.iter().all(|f| f.silence == Silence::Allows) {
        return Ok(false);
    }
    let unions: Vec<Vec<&Product>> = unions.iter().map(|u| u.iter().map(|p| &p.product).collect()).collect();
    Ok(shape(policy, policy.tool(tool)).common(&unions, work)?.is_none())
}

/// Overlays on one agent of which each leaves something and two together leave nothing.
fn pairs(policy: &Policy, agent: AgentId, work: &mut Work, sink: &mut Sink) {
    let of_agent = policy.overlays.iter().filter(|o| o.agent == agent && o.base == crate::policy::Base::Agent(agent));
    let below = agent_factors(policy, agent);
    let with = |more: &[Factor<'_>], work: &mut Work| {
        let stack: Vec<Factor<'_>> = below.iter().copied().chain(more.iter().copied()).collect();
        nothing_left(policy, &stack, work).unwrap_or(true)
    };
    let candidates: Vec<Factor<'_>> = of_agent.map(Factor::overlay).take(PAIRS_OF).collect();
    let alive: Vec<Factor<'_>> = candidates.into_iter().filter(|f| !with(&[*f], work)).collect();
    for (index, first) in alive.iter().enumerate() {
        for second in alive.iter().skip(index + 1) {
            let stack: Vec<Factor<'_>> = below.iter().copied().chain([*first, *second]).collect();
            if nothing_left(policy, &stack, work).unwrap_or(false) {
                let message = format!("overlays `{}` and `{}` together permit nothing", first.name, second.name);
                let found = Diagnostic::new(Code::NOTHING_LEFT, second.span, message);
                sink.push(found.also(first.span, "no call passes both").note("each alone leaves something"));
            }
        }
    }
}
