//! Settled arguments under a plan → the grade, or which clauses refuse, in vocabulary order. Changes nothing, and knows no
//! facts but what the session binds.

use super::decision::{Because, Code};
use super::demand::{Demand, named};
use super::locate::locate;
use super::plan::{Factor, Naming, Plan, PlanClause, PlanRow};
use super::walk::texts_at;
use crate::domain::{Membership, Point, Value, slot_contains};
use crate::table::Table;
use crate::table::model::{LimitId, OriginId, Place, RowGrade, Tool};
use std::cmp::Reverse;

/// What a session binds, as far as one tool is concerned.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// What the bindings demand, in vocabulary order.
    pub(crate) demands: Vec<Demand>,
    /// The bindings that hold.
    pub(crate) bound: Vec<(LimitId, Value)>,
    /// The bindings that the policy does not permit.
    pub(crate) refused: Vec<LimitId>,
}

impl Session {
    /// What an omitted scalar becomes under a bound limit: of several spellings of one resource the one that names more.
    pub(crate) fn filling<'a>(&'a self, tool: &Tool, plan: &'a Plan, argument: usize) -> Option<&'a (LimitId, Value)> {
        let over = |limit: LimitId| {
            let whole = |place: &Place| place.argument == argument && place.steps.is_empty() && place.limit == limit;
            tool.places.iter().any(whole)
        };
        let fitting = || plan.bound.iter().chain(&self.bound).filter(|(limit, _)| over(*limit));
        let names_more = |(limit, value): &&(LimitId, Value)| match value {
            Value::Text(text) => plan.namings.iter().any(|n| n.limit == *limit && named(&n.within, text).is_some()),
            _ => false, // not a resource
        };
        fitting().find(names_more).or_else(|| fitting().next())
    }
}

/// A plan and a session: what arguments are judged by.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub(crate) table: &'a Table,
    pub(crate) tool: &'a Tool,
    pub(crate) plan: &'a Plan,
    pub(crate) session: &'a Session,
}

/// One clause that refuses, and how far a call gets to meet it.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) rank: Rank,
    pub(crate) because: Because,
}

/// How far: later is further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// At a limit, in vocabulary order.
    Limit(LimitId),
    /// Arguments that contradict each other.
    Incoherent,
    /// At the rows: the one told fails in so many arguments, first in this one, and there is or is not ambiguous.
    Rows(Reverse<usize>, usize, bool),
}

enum LimitItem<'a> {
    Demand(&'a Demand),
    Unbound(LimitId, OriginId),
}

impl LimitItem<'_> {
    fn limit(&self) -> LimitId {
        match self {
            LimitItem::Demand(demand) => demand.limit,
            LimitItem::Unbound(limit, _) => *limit,
        }
    }
}

impl<'a> Judge<'a> {
    /// What the declarations together give; `None`: something refuses.
    pub(crate) fn grade(&self, points: &[Point]) -> Option<RowGrade> {
        let holds = |demand: &Demand| test(points, demand.argument, &demand.test).is_in();
        let bound = self.unbound().next().is_none();
        if !bound || !self.demands().all(holds) || !self.is_coherent(points) {
            return None;
        }
        let mut grade = RowGrade::Allow;
        for factor in &self.plan.factors {
            match best(factor, points)? {
                RowGrade::Allow => {}
                RowGrade::Ask => grade = RowGrade::Ask,
            }
        }
        Some(grade)
    }

    /// The clauses that refuse, in vocabulary order: limits, incoherence, rows.
    pub(crate) fn refusals(&self, points: &'a [Point]) -> impl Iterator<Item = Refusal> {
        let mut limits: Vec<LimitItem> = self.demands().map(LimitItem::Demand).collect();
        limits.extend(self.unbound().map(|(limit, origin)| LimitItem::Unbound(limit, origin)));
        limits.sort_by_key(LimitItem::limit);
        let judge = *self;
        let mut of_limits: Vec<Refusal> = limits.iter().filter_map(|item| judge.limit_refusal(item, points)).collect();
        // Of several settings of one limit, what is outside speaks before what cannot be told: so their order is irrelevant.
        of_limits.sort_by_key(|refusal| (refusal.because.limit, refusal.because.code == Code::Ambiguous));
        let of_namings = self.incoherent(points).map(|because| Refusal { rank: Rank::Incoherent, because });
        let of_rows = std::iter::once_with(move || judge.row_refusals(points)).flatten();
        of_limits.into_iter().chain(of_namings).chain(of_rows)
    }

    /// Whether something in force speaks of the argument or of anything in it.
    pub(crate) fn governs_argument(&self, argument: usize) -> bool {
        self.plan.governs_argument(argument) || self.session.demands.iter().any(|d| d.argument == argument)
    }

    /// All that limits demand.
    pub(crate) fn demands(&self) -> impl Iterator<Item = &'a Demand> {
        self.plan.demands.iter().chain(&self.session.demands)
    }

    /// The blanks that nobody filled. One that a session filled with what is not permitted is refused as that.
    fn unbound(&self) -> impl Iterator<Item = (LimitId, OriginId)> {
        let bound = |limit: LimitId| self.session.bound.iter().any(|(b, _)| *b == limit);
        let refused = |limit: LimitId| self.session.refused.contains(&limit);
        self.plan.unbound.iter().copied().filter(move |(limit, _)| !bound(*limit) && !refused(*limit))
    }

    /// Whether no text names what the argument beside it is not.
    pub(crate) fn is_coherent(&self, points: &[Point]) -> bool {
        self.incoherent(points).is_none()
    }

    fn incoherent(&self, points: &[Point]) -> Option<Because> {
        self.plan.namings.iter().find_map(|naming| {
            let beside = naming.named?;
            if !self.governs_argument(naming.namer) && !self.governs_argument(beside) {
                return None;
            }
            let text = contradiction(naming, points, beside)?;
            let name = |index: usize| self.tool.arguments.get(index).map_or("", |m| &m.name);
            let mut because = Because::bare(Code::Incoherent);
            because.limit = Some(naming.within.limit);
            because.path = Some(format!("/{}", name(beside)));
            because.given = match points.get(beside) {
                Some(Point::Value(value)) => Some(value.clone()),
                Some(Point::Absent | Point::Unspecified) | None => None,
            };
            because.detail = Some(format!("{}: {}", name(naming.namer), text));
            Some(because)
        })
    }

    fn limit_refusal(&self, item: &LimitItem<'_>, points: &[Point]) -> Option<Refusal> {
        let rank = Rank::Limit(item.limit());
        let because = match *item {
            LimitItem::Unbound(limit, origin) => {
                let place = self.tool.places.iter().find(|place| place.limit == limit);
                let argument = place.and_then(|place| self.tool.arguments.get(place.argument));
                let mut because = Because::bare(Code::Unbound);
                because.limit = Some(limit);
                because.path = argument.map(|member| format!("/{}", member.name));
                because.source = Some(origin);
                because
            }
            LimitItem::Demand(demand) => {
                let code = code(test(points, demand.argument, &demand.test), Code::Limit)?;
                let mut because = self.at(points, demand.argument, &demand.steps, &demand.test, code);
                because.limit = Some(demand.limit);
                because.source = demand.origin;
                because.permitted = match demand.origin {
                    Some(origin) => self.permitted(origin),
                    None => self.bound_text(demand.limit),
                };
                because
            }
        };
        Some(Refusal { rank, because })
    }

    /// What the rows of each declaration that refuses come to, the closest row first.
    fn row_refusals(&self, points: &[Point]) -> Vec<Refusal> {
        let refusing = self.plan.factors.iter().filter(|factor| best(factor, points).is_none());
        let mut closest: Vec<(Failing<'a>, &'a PlanRow)> = refusing
            .filter_map(|factor| {
                let rows = factor.rows.iter().filter_map(|row| Some((failing(row, points)?, row)));
                rows.min_by_key(|(failing, _)| failing.closeness())
            })
            .collect();
        closest.sort_by_key(|(failing, _)| failing.closeness());
        closest.into_iter().map(|(failing, row)| self.row_refusal(&failing, row, points)).collect()
    }

    fn row_refusal(&self, failing: &Failing<'a>, row: &PlanRow, points: &[Point]) -> Refusal {
        let rank = Rank::Rows(Reverse(failing.arguments), failing.first, failing.code == Code::Ambiguous);
        let because = match failing.clause {
            None => {
                let mut because = Because::bare(Code::Opaque);
                because.limit = row.void.map(|(limit, _)| limit);
                because.path = self.tool.arguments.get(failing.first).map(|member| format!("/{}", member.name));
                because.source = Some(row.origin);
                because
            }
            Some(PlanClause { clause, test, .. }) => {
                let mut because = self.at(points, clause.argument, &clause.steps, test, failing.code);
                because.source = Some(clause.origin);
                because.permitted = self.permitted(clause.origin);
                because
            }
        };
        Refusal { rank, because }
    }

    /// A reason with the place at which `test` fails.
    fn at(
        &self,
        points: &[Point],
        argument: usize,
        steps: &[crate::domain::Step],
        test: &crate::domain::SlotMatcher,
        code: Code,
    ) -> Because {
        let mut because = Because::bare(code);
        let Some(member) = self.tool.arguments.get(argument) else { return because };
        match points.get(argument) {
            Some(Point::Value(value)) => {
                let found = locate(&member.name, value, steps, test);
                because.path = Some(found.path);
                because.given = Some(found.given);
            }
            Some(Point::Absent) => {
                because.path = Some(format!("/{}", member.name));
                because.detail = Some("absent".into());
            }
            Some(Point::Unspecified) | None => {
                because.path = Some(format!("/{}", member.name));
                because.detail = Some("unspecified".into());
            }
        }
        because
    }

    /// The set at `origin`, in the policy's words.
    pub(crate) fn permitted(&self, origin: OriginId) -> Option<String> {
        let text = self.table.texts().origin(origin).map(|o| o.permitted.to_string())?;
        (!text.is_empty()).then_some(text)
    }

    fn bound_text(&self, limit: LimitId) -> Option<String> {
        let bound = self.session.bound.iter().find(|(bound, _)| *bound == limit);
        bound.map(|(_, value)| crate::digest::compact(value))
    }
}

/// Whether the demand on an argument holds.
pub(crate) fn test(points: &[Point], argument: usize, test: &crate::domain::SlotMatcher) -> Membership {
    points.get(argument).map_or(Membership::Out, |point| slot_contains(test, point))
}

fn code(membership: Membership, out: Code) -> Option<Code> {
    match membership {
        Membership::In => None,
        Membership::Out => Some(out),
        Membership::Ambiguous => Some(Code::Ambiguous),
    }
}

/// The best grade of the rows that hold.
fn best(factor: &Factor, points: &[Point]) -> Option<RowGrade> {
    let mut grade = None;
    for row in factor.rows.iter().filter(|row| row.void.is_none()) {
        if row.clauses.iter().all(|c| test(points, c.clause.argument, &c.test).is_in()) {
            match row.grade {
                RowGrade::Allow => return Some(RowGrade::Allow),
                RowGrade::Ask => grade = Some(RowGrade::Ask),
            }
        }
    }
    grade
}

/// How a row fails.
struct Failing<'a> {
    /// In how many arguments; a void row fails in its opaque argument too.
    arguments: usize,
    /// The first of them in vocabulary order: it speaks.
    first: usize,
    /// What it says: `ambiguous` if any clause on it is.
    code: Code,
    /// The clause that says so; `None`: the row is void.
    clause: Option<&'a PlanClause>,
}

impl Failing<'_> {
    /// Less is closer.
    fn closeness(&self) -> (usize, usize, bool) {
        (self.arguments, self.first, self.code != Code::Ambiguous)
    }
}

/// How a row fails; `None`: it does not.
fn failing<'a>(row: &'a PlanRow, points: &[Point]) -> Option<Failing<'a>> {
    let answered = row.clauses.iter().map(|c| (test(points, c.clause.argument, &c.test), c));
    let refusing: Vec<(Code, &PlanClause)> =
        answered.filter_map(|(answer, c)| Some((code(answer, Code::Row)?, c))).collect();
    let mut arguments: Vec<usize> = refusing.iter().map(|(_, c)| c.clause.argument).collect();
    arguments.extend(row.void.map(|(_, argument)| argument));
    arguments.sort_unstable();
    arguments.dedup();
    let first = *arguments.first()?;
    let speaking = refusing.iter().filter(|(_, c)| c.clause.argument == first);
    let told = speaking.min_by_key(|(code, _)| *code != Code::Ambiguous).copied();
    let (code, clause) = told.map_or((Code::Opaque, None), |(code, c)| (code, Some(c)));
    Some(Failing { arguments: arguments.len(), first, code, clause })
}

/// A text that names another value than the argument beside it has.
fn contradiction(naming: &Naming, points: &[Point], beside: usize) -> Option<String> {
    let (Some(Point::Value(namer)), Some(Point::Value(Value::Text(value)))) = (points.get(naming.namer), points.get(beside))
    else {
        return None;
    };
    let mut found = None;
    texts_at(namer, &naming.steps, &mut |text| {
        let other = named(&naming.within, text).and_then(|(index, _)| naming.within.values.get(index));
        if other.is_some_and(|other| other != value) && found.is_none() {
            found = Some(text.to_owned());
        }
    });
    found
}
