//! One call → every clause that speaks to it, and whether it holds: the data behind `bailiwick why`.

use super::judge::{Judge, test};
use super::plan::PlanRow;
use super::settle::spell;
use super::{Call, Decision, Facts, Handle};
use crate::call::read;
use crate::domain::{Membership, Point, Value};
use crate::table::model::{LimitId, OriginId, RowGrade};

/// Everything that speaks to one call.
#[derive(Clone, Debug)]
pub struct Why {
    /// The decision, with every reason.
    pub decision: Decision,
    /// The limits, in vocabulary order.
    pub limits: Vec<SpokenLimit>,
    /// The rows of each declaration that has any for the tool.
    pub declarations: Vec<SpokenDeclaration>,
}

/// A limit's demand on one argument.
#[derive(Clone, Debug)]
pub struct SpokenLimit {
    /// The limit.
    pub limit: LimitId,
    /// The argument.
    pub argument: Box<str>,
    /// Whether it holds.
    pub holds: Membership,
    /// Where it was set; `None`: by the session.
    pub origin: Option<OriginId>,
}

/// One declaration's rows.
#[derive(Clone, Debug)]
pub struct SpokenDeclaration {
    /// `agent tmux_operator`.
    pub name: String,
    /// Its rows, in the order of the text.
    pub rows: Vec<SpokenRow>,
}

/// One row.
#[derive(Clone, Debug)]
pub struct SpokenRow {
    /// What it gives.
    pub grade: RowGrade,
    /// Whether it holds.
    pub holds: bool,
    /// Where it is written.
    pub origin: OriginId,
    /// Its clauses.
    pub clauses: Vec<SpokenClause>,
}

/// One clause.
#[derive(Clone, Debug)]
pub struct SpokenClause {
    /// The argument.
    pub argument: Box<str>,
    /// Whether it holds.
    pub holds: Membership,
    /// Where it is written.
    pub origin: OriginId,
}

impl Handle {
    /// Every clause that speaks to the call. Clauses are asked of the arguments as forwarded where the call is Ready, else
    /// of the arguments as spelled out; of a hidden tool or malformed call there are none.
    pub fn why(&self, call: &Call<'_>, facts: &Facts) -> Why {
        let decision = self.decide_explained(call, facts);
        let mut why = Why { decision, limits: Vec::new(), declarations: Vec::new() };
        let Some(id) = self.table.model().find_tool(call.connector, call.tool) else { return why };
        let (Some(plan), Some(tool)) = (self.plan(id), self.table.model().tool(id)) else { return why };
        let arguments = match &why.decision.arguments {
            Some(forwarded) => forwarded.value().clone(),
            None => match read(call.arguments, self.bounds) {
                Ok(arguments) => arguments,
                Err(_) => return why,
            },
        };
        let Value::Object(members) = arguments else { return why };
        let session = self.session_of(plan, facts);
        let judge = Judge { table: &self.table, tool, plan, session: &session };
        let Ok(spelled) = spell(&judge, &members) else { return why };
        why.limits = limits(&judge, &spelled.points);
        why.declarations = plan
            .factors
            .iter()
            .map(|factor| SpokenDeclaration {
                name: factor.declaration.name(self.table.model()),
                rows: factor.rows.iter().map(|row| spoken(&judge, row, &spelled.points)).collect(),
            })
            .collect();
        why
    }
}

fn limits(judge: &Judge<'_>, points: &[Point]) -> Vec<SpokenLimit> {
    let spoken = judge.demands().map(|demand| SpokenLimit {
        limit: demand.limit,
        argument: name(judge, demand.argument),
        holds: test(points, demand.argument, &demand.test),
        origin: demand.origin,
    });
    let mut limits: Vec<SpokenLimit> = spoken.collect();
    limits.sort_by_key(|limit| limit.limit);
    limits
}

fn spoken(judge: &Judge<'_>, row: &PlanRow, points: &[Point]) -> SpokenRow {
    let clauses: Vec<SpokenClause> = row
        .clauses
        .iter()
        .map(|c| SpokenClause {
            argument: name(judge, c.clause.argument),
            holds: test(points, c.clause.argument, &c.test),
            origin: c.clause.origin,
        })
        .collect();
    let holds = row.void.is_none() && clauses.iter().all(|clause| clause.holds.is_in());
    SpokenRow { grade: row.grade, holds, origin: row.origin, clauses }
}

fn name(judge: &Judge<'_>, argument: usize) -> Box<str> {
    judge.tool.arguments.get(argument).map_or_else(|| "".into(), |member| member.name.clone())
}
