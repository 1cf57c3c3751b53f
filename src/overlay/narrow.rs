//! One overlay and its base → the clauses that do not narrow: with the call that shows it, or with the bound that was hit.
//!
//! The rule is language.md's, clause by clause: a row, met with the overlay's own limits, lies on the paths it mentions
//! inside the union of the projections of the base's rows; a limit inside the value its base declares, or inside what the
//! base's rows permit under it; a tool in `tools` has a row.

use super::limit;
use super::project::{self, Mentioned};
use super::stack::{Base, Factor, Permit, Reason, permits, row_permit, shape, tools, under_limits};
use super::witness::{self, Show};
use crate::domain::{Call, Product, Shape, Stopped, Work};
use crate::policy::{LimitSetting, ListedTool, Policy, Row, ToolRef, Use, VocabularyId};
use std::collections::BTreeSet;

/// What the proof works with.
pub(super) struct Context<'a> {
    pub policy: &'a Policy,
    pub overlay: Factor<'a>,
    pub base: &'a Base<'a>,
}

/// A clause of an overlay.
#[derive(Clone, Copy)]
pub(super) enum ClauseRef<'a> {
    Row(ToolRef, &'a Row),
    Limit(&'a LimitSetting),
    Tool(ToolRef, &'a ListedTool),
}

/// A clause that was not shown to narrow.
pub(super) struct Failure<'a> {
    pub clause: ClauseRef<'a>,
    pub outcome: Outcome,
}

/// How it failed.
pub(super) enum Outcome {
    /// It widens.
    Widens(Show),
    /// A bound was hit.
    Undecided(Stopped),
}

/// The clauses of the overlay that do not narrow: limits, `tools`, rows, each in the order of the text.
pub(super) fn failures<'a>(cx: &Context<'a>, work: &mut Work) -> Vec<Failure<'a>> {
    let mut found = limits_and_tools(cx, work);
    found.extend(rows(cx, work));
    found
}

/// Every clause of the overlay, in the order of [`failures`].
pub(super) fn clauses<'a>(cx: &Context<'a>) -> Vec<ClauseRef<'a>> {
    let limits = cx.overlay.limits().chain(cx.overlay.idle_limits()).map(ClauseRef::Limit);
    let mut found: Vec<ClauseRef<'a>> = limits.collect();
    found.extend(listed(cx));
    for (vocabulary, spoken) in uses(cx) {
        found.extend(spoken.rows.iter().map(|row| ClauseRef::Row(ToolRef { vocabulary, tool: row.tool }, row)));
    }
    found
}

/// The tools of `tools` lines. One that a row adds to the list answers for itself, in the row.
fn listed<'a>(cx: &Context<'a>) -> Vec<ClauseRef<'a>> {
    let mut found = Vec::new();
    for (vocabulary, spoken) in uses(cx) {
        let by_row = |listed: &&ListedTool| spoken.rows.iter().any(|row| row.tool == listed.tool);
        let alone = spoken.tools.iter().flatten().filter(|listed| !by_row(listed));
        found.extend(alone.map(|listed| ClauseRef::Tool(ToolRef { vocabulary, tool: listed.tool }, listed)));
    }
    found
}

/// Only the limits and `tools`.
pub(super) fn limits_and_tools<'a>(cx: &Context<'a>, work: &mut Work) -> Vec<Failure<'a>> {
    let mut found = Vec::new();
    for setting in cx.overlay.limits().chain(cx.overlay.idle_limits()) {
        push(&mut found, ClauseRef::Limit(setting), limit::check(cx, setting, work));
    }
    for clause in listed(cx) {
        if let ClauseRef::Tool(tool, listed) = clause {
            push(&mut found, clause, check_tool(cx, tool, listed, work));
        }
    }
    found
}

/// Only the rows.
pub(super) fn rows<'a>(cx: &Context<'a>, work: &mut Work) -> Vec<Failure<'a>> {
    let mut found = Vec::new();
    for (vocabulary, spoken) in uses(cx) {
        for row in &spoken.rows {
            let tool = ToolRef { vocabulary, tool: row.tool };
            push(&mut found, ClauseRef::Row(tool, row), check_row(cx, tool, row, work));
        }
    }
    found
}

fn uses<'a>(cx: &Context<'a>) -> impl Iterator<Item = (VocabularyId, &'a Use)> {
    cx.overlay.layer.uses.iter().map(|spoken| (spoken.vocabulary, spoken))
}

fn push<'a>(found: &mut Vec<Failure<'a>>, clause: ClauseRef<'a>, verdict: Result<Option<Show>, Stopped>) {
    match verdict {
        Ok(None) => {}
        Ok(Some(show)) => found.push(Failure { clause, outcome: Outcome::Widens(show) }),
        Err(stopped) => found.push(Failure { clause, outcome: Outcome::Undecided(stopped) }),
    }
}

/// The paths that a row mentions.
pub(super) fn mentioned(row: &Row) -> Mentioned {
    let mut paths = Mentioned::new();
    for clause in &row.clauses {
        paths.entry(clause.argument).or_default().push(clause.steps.clone());
    }
    paths
}

/// The base's rows for `tool`, each projected on what `row` mentions.
pub(super) fn projections(
    cx: &Context<'_>,
    shape: &Shape<'_>,
    tool: ToolRef,
    mentioned: &Mentioned,
    work: &mut Work,
) -> Result<Vec<Vec<Product>>, Stopped> {
    let rows = cx.base.rows(tool)?;
    rows.iter().map(|permit| project::onto(shape, &permit.product, mentioned, work)).collect()
}

/// What the words of `row` permit: met with the overlay's limits; with those on the mentioned arguments alone where the
/// others leave nothing.
pub(super) fn promised(
    cx: &Context<'_>,
    shape: &Shape<'_>,
    tool: ToolRef,
    row: &Row,
    work: &mut Work,
) -> Result<Vec<Product>, Stopped> {
    let alone = row_permit(row);
    let mentioned = mentioned(row);
    let mut found = Vec::new();
    for permit in under_limits(cx.policy, cx.overlay, tool, vec![alone]) {
        if shape.is_empty(&permit.product, work)? {
            found.push(on_mentioned(&permit, &mentioned));
        } else {
            found.push(permit.product);
        }
    }
    Ok(found)
}

/// The demands on the mentioned arguments alone.
fn on_mentioned(permit: &Permit, mentioned: &Mentioned) -> Product {
    let mut product = Product::default();
    let on = |reason: &&Reason| {
        let paths = mentioned.get(&reason.argument);
        paths.is_some_and(|paths| paths.iter().any(|p| p.starts_with(&reason.steps) || reason.steps.starts_with(p)))
    };
    for reason in permit.reasons.iter().filter(on) {
        product.demand(reason.argument, reason.slot.clone());
    }
    product
}

fn check_row(cx: &Context<'_>, tool: ToolRef, row: &Row, work: &mut Work) -> Result<Option<Show>, Stopped> {
    let shape = shape(cx.policy, cx.policy.tool(tool));
    let mentioned = mentioned(row);
    let projections = projections(cx, &shape, tool, &mentioned, work)?;
    let right: Vec<&Product> = projections.iter().flatten().collect();
    let mut lightest: Option<Call> = None;
    for left in promised(cx, &shape, tool, row, work)? {
        lightest = lighter(lightest, shape.escape(&left, &right, work)?);
    }
    Ok(lightest.map(|call| witness::of_row(cx, tool, row, &call, work)))
}

/// The lighter of two calls, the first of equals.
fn lighter(a: Option<Call>, b: Option<Call>) -> Option<Call> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.weight < a.weight { b } else { a }),
        (a, b) => a.or(b),
    }
}

fn check_tool(cx: &Context<'_>, tool: ToolRef, listed: &ListedTool, work: &mut Work) -> Result<Option<Show>, Stopped> {
    if !cx.base.rows(tool)?.is_empty() {
        return Ok(None);
    }
    let shape = shape(cx.policy, cx.policy.tool(tool));
    let call = allowed_alone(cx, &shape, tool, &Product::default(), work)?;
    Ok(Some(witness::of_tool(cx, tool, listed, call.as_ref())))
}

/// A call to `tool` that the overlay alone permits and that lies in `also`.
pub(super) fn allowed_alone(
    cx: &Context<'_>,
    shape: &Shape<'_>,
    tool: ToolRef,
    also: &Product,
    work: &mut Work,
) -> Result<Option<Call>, Stopped> {
    let own = permits(cx.policy, cx.overlay, tool, &BTreeSet::new());
    let products = own.map_or_else(|| vec![Product::default()], |own| own.into_iter().map(|p| p.product).collect());
    let mut lightest = None;
    for product in products {
        lightest = lighter(lightest, shape.escape(&product.meet(also), &[], work)?);
    }
    Ok(lightest)
}

/// The tools that have a place under `limit`, those the base has rows for first.
pub(super) fn tools_under(cx: &Context<'_>, limit: crate::policy::LimitRef) -> Vec<ToolRef> {
    let names = |other| cx.policy.limit(other).within.as_ref().is_some_and(|within| within.limit == limit);
    let bites = |tool: &ToolRef| cx.policy.tool(*tool).places.iter().any(|place| place.limit == limit || names(place.limit));
    let mut found: Vec<ToolRef> = tools(cx.policy).filter(bites).collect();
    found.sort_by_key(|tool| cx.base.rows(*tool).is_ok_and(<[Permit]>::is_empty));
    found
}
