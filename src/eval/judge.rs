//! Settled arguments under a plan → the grade, or which clauses refuse, in vocabulary order. Changes nothing, and knows no
//! facts but what the session binds.

use super::decision::{Because, Code};
use super::demand::{Demand, named};
use super::locate::locate;
use super::plan::{Factor, Naming, Plan, PlanClause, PlanRow};
use super::walk::texts_at;
use crate::domain::{Membership, Point, Value, slot_contains};
use crate::table::Table;
use crate::table::model::{LimitId, OriginId, RowGrade, Tool};
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
    /// At the rows of a declaration, of which the best fails in so many arguments.
    Rows(usize, Reverse<usize>),
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
        let of_limits = limits.into_iter().filter_map(move |item| judge.limit_refusal(&item, points));
        let of_namings = self.incoherent(points).map(|because| Refusal { rank: Rank::Incoherent, because });
        let of_rows =
            self.plan.factors.iter().enumerate().filter_map(move |(index, factor)| judge.row_refusal(index, factor, points));
        of_limits.chain(of_namings).chain(of_rows)
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

    fn row_refusal(&self, index: usize, factor: &Factor, points: &[Point]) -> Option<Refusal> {
        if best(factor, points).is_some() {
            return None;
        }
        let (failing, row) = factor.rows.iter().map(|row| (failing(row, points), row)).min_by_key(|(count, _)| *count)?;
        let rank = Rank::Rows(index, Reverse(failing));
        let because = match row.void {
            Some((limit, argument)) => {
                let mut because = Because::bare(Code::Opaque);
                because.limit = Some(limit);
                because.path = self.tool.arguments.get(argument).map(|member| format!("/{}", member.name));
                because.source = Some(row.origin);
                because
            }
            None => self.clause_refusal(row, points)?,
        };
        Some(Refusal { rank, because })
    }

    fn clause_refusal(&self, row: &PlanRow, points: &[Point]) -> Option<Because> {
        let refuses = |c: &&PlanClause| !test(points, c.clause.argument, &c.test).is_in();
        let refusing = row.clauses.iter().find(refuses)?;
        let clause = &refusing.clause;
        let code = code(test(points, clause.argument, &refusing.test), Code::Row)?;
        let mut because = self.at(points, clause.argument, &clause.steps, &refusing.test, code);
        because.source = Some(clause.origin);
        because.permitted = self.permitted(clause.origin);
        Some(because)
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

/// In how many arguments a row fails; a void one fails in its opaque argument too.
fn failing(row: &PlanRow, points: &[Point]) -> usize {
    let refuses = |c: &&PlanClause| !test(points, c.clause.argument, &c.test).is_in();
    let mut arguments: Vec<usize> = row.clauses.iter().filter(refuses).map(|c| c.clause.argument).collect();
    arguments.extend(row.void.map(|(_, argument)| argument));
    arguments.sort_unstable();
    arguments.dedup();
    arguments.len()
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
