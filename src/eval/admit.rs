//! A tool, arguments and facts → whether the policy permits the call, in the order in which it is settled: hidden,
//! malformed, then facts, mode, consent, limits, rows, inner call, bindings. Knows no providers and no approvals.

use super::Handle;
use super::decision::{Because, Code, Obligation};
use super::facts::Facts;
use super::gates::{self, Depends};
use super::judge::{Judge, Refusal};
use super::obligation::{Places, places};
use super::settle::{Change, Completion, Spelled, complete, in_order, spell};
use super::walk::{Key, put};
use crate::domain::{Point, Value};
use crate::table::model::{Dispatch, Effect, RowGrade, ToolId};

/// How many reasons are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reasons {
    /// The deciding one.
    Deciding,
    /// All of them.
    All,
}

/// Whether a call came from outside or from a dispatching tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// From outside.
    Outer,
    /// From a dispatching tool: it may not dispatch again.
    Inner,
}

/// What the policy makes of a call.
#[derive(Debug)]
pub(crate) enum Admission {
    /// No call to the tool is permitted.
    Hidden,
    /// The arguments are none.
    Malformed(Box<Because>),
    /// Some call is permitted, and not this one.
    Blocked(Vec<Because>),
    /// It is permitted, approval aside.
    Permitted(Box<Permitted>),
}

/// A call that the policy permits.
#[derive(Debug)]
pub(crate) struct Permitted {
    /// Allow, or ask.
    pub(crate) grade: RowGrade,
    /// What changes on the way.
    pub(crate) changes: Vec<Change>,
    /// What the host must still do.
    pub(crate) obligations: Vec<Obligation>,
    /// What the call may do.
    pub(crate) effects: Vec<Effect>,
}

/// What a call is admitted by.
#[derive(Clone, Copy)]
pub(crate) struct Admitting<'a> {
    pub(crate) handle: &'a Handle,
    pub(crate) facts: &'a Facts,
    pub(crate) reasons: Reasons,
    /// Where its arguments stand in the arguments of the outer call.
    pub(crate) prefix: &'a [Key],
    pub(crate) level: Level,
}

/// Arguments as far as they could be settled.
struct Settled {
    points: Vec<Point>,
    changes: Vec<Change>,
    grade: Option<RowGrade>,
    refusals: Vec<Because>,
    places: Places,
}

impl Admitting<'_> {
    /// What the policy makes of a call to `id` with the members of `object` as arguments.
    pub(crate) fn admit(&self, id: ToolId, object: &[(Box<str>, Value)]) -> Admission {
        let table = &self.handle.table;
        let (Some(plan), Some(tool)) = (self.handle.plan(id), table.model().tool(id)) else { return Admission::Hidden };
        let session = self.handle.session_of(plan, self.facts);
        let judge = Judge { table, tool, plan, session: &session };
        let spelled = match spell(&judge, object) {
            Ok(spelled) => spelled,
            Err(because) => return Admission::Malformed(because),
        };
        let mut settled = self.settle(&judge, spelled);
        let inner = tool.dispatch.map(|dispatch| self.inner(id, dispatch, &settled.points, judge.tool));
        let effects = match &inner {
            Some(inner) => inner.as_ref().map(|inner| inner.effects.clone()).unwrap_or_default(),
            None => gates::effects(plan, &settled.points),
        };
        let refused = self.refused(&judge, &mut settled, inner.as_ref(), &effects);
        match settled.grade {
            Some(grade) if refused.is_empty() => self.permitted(settled, grade, inner.flatten(), effects),
            _ => Admission::Blocked(refused), // some gate or clause refuses
        }
    }

    /// The reasons against the call, in order; the deciding one alone unless all are wanted.
    fn refused(
        &self,
        judge: &Judge<'_>,
        settled: &mut Settled,
        inner: Option<&Option<Box<Permitted>>>,
        effects: &[Effect],
    ) -> Vec<Because> {
        let model = self.handle.table.model();
        let connector = model.connectors.get(judge.plan.tool.0).map_or("", |c| &c.name);
        let depends =
            Depends { plan: judge.plan, effects, has_path: settled.places.has_path, routed: self.handle.is_routed() };
        let mut reasons = gates::unavailable(model, self.facts, &depends);
        reasons.extend(gates::mode(model, self.facts, effects));
        reasons.extend(gates::consent(model, self.facts, connector, effects));
        reasons.append(&mut settled.refusals);
        if inner.is_some_and(Option::is_none) {
            reasons.push(Because::bare(Code::InnerCall));
        }
        reasons.extend(
            judge.session.refused.iter().map(|limit| Because { limit: Some(*limit), ..Because::bare(Code::BindingRefused) }),
        );
        if self.reasons == Reasons::Deciding {
            reasons.truncate(1);
        }
        reasons
    }

    fn permitted(
        &self,
        settled: Settled,
        grade: RowGrade,
        inner: Option<Box<Permitted>>,
        effects: Vec<Effect>,
    ) -> Admission {
        let mut permitted = Permitted { grade, changes: settled.changes, obligations: settled.places.obligations, effects };
        if let Some(inner) = inner {
            if inner.grade == RowGrade::Ask {
                permitted.grade = RowGrade::Ask;
            }
            permitted.obligations.extend(inner.obligations);
            permitted.obligations.sort_unstable();
            permitted.obligations.dedup();
            permitted.changes.extend(inner.changes);
        }
        Admission::Permitted(Box::new(permitted))
    }

    /// Both spellings of a call must be permitted: as it came, and with the paths that the host found.
    fn grade(&self, judge: &Judge<'_>, points: &[Point]) -> (Option<RowGrade>, Places) {
        let places = places(judge, points, self.prefix, self.found());
        let grade = judge.grade(points).and_then(|grade| match &places.resolved {
            None => Some(grade),
            Some(resolved) => match (grade, judge.grade(resolved)?) {
                (RowGrade::Allow, RowGrade::Allow) => Some(RowGrade::Allow),
                (RowGrade::Ask, _) | (_, RowGrade::Ask) => Some(RowGrade::Ask),
            },
        });
        (grade, places)
    }

    fn found(&self) -> &[(Box<str>, Box<str>)] {
        self.facts.resolved_paths.known().map(Vec::as_slice).unwrap_or_default()
    }

    fn refusals(&self, judge: &Judge<'_>, points: &[Point]) -> Vec<Refusal> {
        let wanted = match self.reasons {
            Reasons::Deciding => 1,
            Reasons::All => usize::MAX,
        };
        let places = places(judge, points, self.prefix, self.found());
        let mut refusals: Vec<Refusal> = judge.refusals(points).take(wanted).collect();
        if refusals.is_empty()
            && let Some(resolved) = &places.resolved
        {
            refusals = judge.refusals(resolved).take(wanted).collect();
        }
        refusals
    }

    fn settle(&self, judge: &Judge<'_>, spelled: Spelled) -> Settled {
        let (grade, places) = self.grade(judge, &spelled.points);
        if grade.is_some() {
            return Settled { points: spelled.points, changes: spelled.changes, grade, refusals: Vec::new(), places };
        }
        let permitted = |points: &[Point]| self.grade(judge, points).0.is_some();
        let refusals = |points: &[Point]| self.refusals(judge, points);
        match complete(judge, &spelled, &permitted, &refusals) {
            Some(Completion::One(values)) => self.filled(judge, spelled, values),
            Some(Completion::Several(because)) => Settled::refused(spelled, vec![*because], places),
            Some(Completion::None(refusing)) if !refusing.is_empty() => {
                Settled::refused(spelled, refusing.into_iter().map(|refusal| refusal.because).collect(), places)
            }
            Some(Completion::None(_)) | None => {
                let refusing = refusals(&spelled.points).into_iter().map(|refusal| refusal.because).collect();
                Settled::refused(spelled, refusing, places)
            }
        }
    }

    /// The call with the only values that are permitted.
    fn filled(&self, judge: &Judge<'_>, spelled: Spelled, values: Vec<(usize, Value)>) -> Settled {
        let Spelled { mut points, mut changes, wildcards } = spelled;
        for (argument, value) in values {
            let Some(member) = judge.tool.arguments.get(argument) else { continue };
            let limit = judge.demands().find(|demand| demand.argument == argument).map(|demand| demand.limit);
            changes.push(Change {
                keys: vec![Key::Member(member.name.clone())],
                from: wildcards.contains(&argument).then(|| Value::Text("all".into())),
                to: value.clone(),
                because: super::decision::RewriteReason::OnlyValue(limit),
            });
            if let Some(point) = points.get_mut(argument) {
                *point = Point::Value(value);
            }
        }
        in_order(judge, &mut changes);
        let (grade, places) = self.grade(judge, &points);
        Settled { points, changes, grade, refusals: Vec::new(), places }
    }

    /// The inner call of a dispatch, where it is permitted; its changes are those of the outer call.
    fn inner(
        &self,
        id: ToolId,
        dispatch: Dispatch,
        points: &[Point],
        tool: &crate::table::model::Tool,
    ) -> Option<Box<Permitted>> {
        if self.level == Level::Inner {
            return None;
        }
        let Some(Point::Value(Value::Text(name))) = points.get(dispatch.name) else { return None };
        let connector = self.handle.table.model().connectors.get(id.0)?;
        let inner = connector.tools.iter().position(|t| t.name == *name)?;
        let key = Key::Member(tool.arguments.get(dispatch.arguments)?.name.clone());
        let (given, object) = match points.get(dispatch.arguments)? {
            Point::Value(Value::Object(members)) => (true, members.clone()),
            Point::Absent => (false, Vec::new()),
            Point::Value(_) | Point::Unspecified => return None,
        };
        let mut prefix = self.prefix.to_vec();
        prefix.push(key.clone());
        let admitting = Admitting { prefix: &prefix, level: Level::Inner, reasons: Reasons::Deciding, ..*self };
        match admitting.admit(ToolId(id.0, inner), &object) {
            Admission::Permitted(mut permitted) => {
                permitted.changes = outer_changes(permitted.changes, &key, given);
                Some(permitted)
            }
            Admission::Hidden | Admission::Malformed(_) | Admission::Blocked(_) => None,
        }
    }
}

/// Changes of the inner arguments as changes of the outer ones; omitted arguments are put in whole.
fn outer_changes(inner: Vec<Change>, key: &Key, given: bool) -> Vec<Change> {
    if given || inner.is_empty() {
        let below = |mut change: Change| {
            change.keys.insert(0, key.clone());
            change
        };
        return inner.into_iter().map(below).collect();
    }
    let mut whole = Value::Object(Vec::new());
    let because = inner.first().map_or(super::decision::RewriteReason::Default, |change| change.because);
    inner.iter().for_each(|change| put(&mut whole, &change.keys, change.to.clone()));
    vec![Change { keys: vec![key.clone()], from: None, to: whole, because }]
}

impl Settled {
    fn refused(spelled: Spelled, refusals: Vec<Because>, places: Places) -> Settled {
        Settled { points: spelled.points, changes: spelled.changes, grade: None, refusals, places }
    }
}
