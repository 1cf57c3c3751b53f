//! Raw arguments → settled ones: spelled out, and what was left open filled where only one value is permitted. Knows no
//! facts but what the session binds.

use super::decision::{Because, Code, Rewrite, RewriteReason};
use super::demand::named;
use super::judge::{Judge, Refusal};
use super::walk::{Key, Visitor, Way, pointer, walk};
use crate::domain::{Default, Member, Point, PointRef, Presence, Slot, Step, Type, Value, canonical, well_formed};
use crate::table::model::{LimitId, Undeclared};

/// Arguments spelled out: what is compared, and what changes on the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelled {
    /// What each declared argument is.
    pub(crate) points: Vec<Point>,
    /// The changes of what is forwarded.
    pub(crate) changes: Vec<Change>,
    /// The arguments whose wildcard was given.
    pub(crate) wildcards: Vec<usize>,
}

/// One change of what is forwarded.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) keys: Vec<Key>,
    pub(crate) from: Option<Value>,
    pub(crate) to: Value,
    pub(crate) because: RewriteReason,
}

impl Change {
    /// The change as the decision reports it, below `prefix`.
    pub(crate) fn rewrite(&self, prefix: &[Key]) -> Rewrite {
        let keys: Vec<Key> = prefix.iter().chain(&self.keys).cloned().collect();
        Rewrite { path: pointer(&keys), from: self.from.clone(), to: self.to.clone(), because: self.because }
    }
}

/// Spells the arguments out: bound values, defaults, bound spellings, canonical forms.
pub(crate) fn spell(judge: &Judge<'_>, object: &[(Box<str>, Value)]) -> Result<Spelled, Box<Because>> {
    let declared = |name: &str| judge.tool.arguments.iter().any(|member| &*member.name == name);
    if judge.tool.undeclared == Undeclared::Refused
        && let Some((name, value)) = object.iter().find(|(name, _)| !declared(name))
    {
        return Err(malformed(&format!("/{name}"), Some(value), "the tool declares no such argument"));
    }
    let mut spelled = Spelled::default();
    for (index, member) in judge.tool.arguments.iter().enumerate() {
        let given = object.iter().find(|(name, _)| *name == member.name).map(|(_, value)| value);
        let point = match given {
            Some(value) => {
                let point = present(member, value)?;
                spelled.wildcards.extend((point == Point::Unspecified).then_some(index));
                point
            }
            None => omitted(judge, index, member, &mut spelled.changes)?,
        };
        spelled.points.push(point);
    }
    resource_spellings(judge, &mut spelled);
    for (index, member) in judge.tool.arguments.iter().enumerate() {
        if let Some(Point::Value(value)) = spelled.points.get_mut(index) {
            let mut forms = Forms { judge, argument: index, changes: &mut spelled.changes };
            walk(&member.ty, value, &Way::argument(&member.name), &mut forms);
        }
    }
    in_order(judge, &mut spelled.changes);
    Ok(spelled)
}

/// Changes in the order of the vocabulary's arguments.
pub(crate) fn in_order(judge: &Judge<'_>, changes: &mut [Change]) {
    changes.sort_by_key(|change| match change.keys.first() {
        Some(Key::Member(name)) => judge.tool.arguments.iter().position(|member| member.name == *name),
        Some(Key::Index(_)) | None => None,
    });
}

fn malformed(path: &str, given: Option<&Value>, detail: &str) -> Box<Because> {
    let mut because = Because::with(Code::Arguments, detail);
    because.path = Some(path.to_owned());
    because.given = given.cloned();
    Box::new(because)
}

fn present(member: &Member, value: &Value) -> Result<Point, Box<Because>> {
    if let PointRef::Unspecified = member.point(Some(value)) {
        return Ok(Point::Unspecified);
    }
    match well_formed(&member.ty, value) {
        Ok(()) => Ok(Point::Value(value.clone())),
        Err(fault) => {
            Err(malformed(&format!("/{}{}", member.name, fault.path), Some(value), &format!("expected {}", fault.expected)))
        }
    }
}

fn omitted(judge: &Judge<'_>, index: usize, member: &Member, changes: &mut Vec<Change>) -> Result<Point, Box<Because>> {
    let mut change = |to: &Value, because| {
        changes.push(Change { keys: vec![Key::Member(member.name.clone())], from: None, to: to.clone(), because });
        Point::Value(to.clone())
    };
    if let Some((limit, value)) = judge.session.filling(judge.tool, judge.plan, index) {
        return Ok(change(value, RewriteReason::Bound(*limit)));
    }
    Ok(match &member.presence {
        Presence::Required => {
            return Err(malformed(&format!("/{}", member.name), None, "the argument is missing"));
        }
        Presence::Optional | Presence::OrAbsent => Point::Absent,
        Presence::Defaulted(Default::Unspecified) => Point::Unspecified,
        Presence::Defaulted(Default::Value(default)) if judge.governs_argument(index) => {
            change(default, RewriteReason::Default)
        }
        Presence::Defaulted(Default::Value(default)) => Point::Value(default.clone()),
    })
}

/// A bare spelling of a bound `p:rest` becomes it, while what names p is left open, is p, or is no argument of the tool.
fn resource_spellings(judge: &Judge<'_>, spelled: &mut Spelled) {
    let bound: Vec<&(LimitId, Value)> = judge.plan.bound.iter().chain(&judge.session.bound).collect();
    for naming in &judge.plan.namings {
        for (_, value) in bound.iter().filter(|(limit, _)| *limit == naming.limit) {
            let Value::Text(full) = value else { continue };
            let Some((index, rest)) = named(&naming.within, full) else { continue };
            let beside = naming.named.and_then(|beside| spelled.points.get(beside));
            let agrees = match beside {
                None | Some(Point::Unspecified) => true,
                Some(Point::Value(Value::Text(text))) => naming.within.values.get(index) == Some(text),
                Some(Point::Value(_) | Point::Absent) => false,
            };
            let Some(member) = judge.tool.arguments.get(naming.namer).filter(|_| agrees) else { continue };
            let Some(Point::Value(value)) = spelled.points.get_mut(naming.namer) else { continue };
            let mut visitor = Spellings { naming, rest, full, changes: &mut spelled.changes };
            walk(&member.ty, value, &Way::argument(&member.name), &mut visitor);
        }
    }
}

struct Spellings<'a> {
    naming: &'a super::plan::Naming,
    rest: &'a str,
    full: &'a str,
    changes: &'a mut Vec<Change>,
}

impl Visitor for Spellings<'_> {
    fn leaf(&mut self, _: &Type, value: &Value, way: &Way) -> Option<Value> {
        let here = way.steps == self.naming.steps;
        match value {
            Value::Text(text) if here && **text == *self.rest => {
                let to = Value::Text(self.full.into());
                let because = RewriteReason::Spelling(self.naming.limit);
                self.changes.push(Change { keys: way.keys.clone(), from: Some(value.clone()), to: to.clone(), because });
                Some(to)
            }
            _ => None, // another value, or not one of the texts that name
        }
    }

    fn filled(&mut self, _: &Value, _: &Way) {}
}

/// Canonical forms and nested defaults.
struct Forms<'a, 'j> {
    judge: &'a Judge<'j>,
    argument: usize,
    changes: &'a mut Vec<Change>,
}

impl Forms<'_, '_> {
    fn governs(&self, steps: &[Step]) -> bool {
        let of_session =
            || self.judge.session.demands.iter().any(|d| d.argument == self.argument && steps.starts_with(&d.steps));
        self.judge.plan.governs(self.argument, steps).is_some() || of_session()
    }
}

impl Visitor for Forms<'_, '_> {
    fn leaf(&mut self, ty: &Type, value: &Value, way: &Way) -> Option<Value> {
        if !self.governs(&way.steps) {
            return None;
        }
        let to = canonical(ty, value).filter(|to| to != value)?;
        let because = RewriteReason::Canonical;
        self.changes.push(Change { keys: way.keys.clone(), from: Some(value.clone()), to: to.clone(), because });
        Some(to)
    }

    fn filled(&mut self, value: &Value, way: &Way) {
        if self.governs(&way.steps) {
            let because = RewriteReason::Default;
            self.changes.push(Change { keys: way.keys.clone(), from: None, to: value.clone(), because });
        }
    }
}

/// What filling the open choices comes to.
pub(crate) enum Completion {
    /// The only permitted values, by argument.
    One(Vec<(usize, Value)>),
    /// None is permitted: what refuses where the call gets furthest.
    None(Vec<Refusal>),
    /// Several are.
    Several(Box<Because>),
}

const MOST: usize = 4_096;

/// Fills the arguments that were left open and of which something in force speaks. `permitted`: whether a filled call is;
/// `refusals`: what refuses it.
pub(crate) fn complete(
    judge: &Judge<'_>,
    spelled: &Spelled,
    permitted: &dyn Fn(&[Point]) -> bool,
    refusals: &dyn Fn(&[Point]) -> Vec<Refusal>,
) -> Option<Completion> {
    let open: Vec<usize> = (0..spelled.points.len())
        .filter(|index| spelled.points.get(*index) == Some(&Point::Unspecified) && judge.governs_argument(*index))
        .collect();
    if open.is_empty() {
        return None;
    }
    let mut choices = Vec::new();
    let mut combinations = 1usize;
    for argument in &open {
        let values = super::choice::choices(judge, *argument)?;
        combinations = combinations.saturating_mul(values.len());
        choices.push(values);
    }
    if combinations > MOST {
        let taken: Vec<(usize, Vec<Value>)> = open.iter().map(|argument| (*argument, Vec::new())).collect();
        return Some(Completion::Several(Box::new(several(judge, spelled, &taken))));
    }
    Some(try_all(judge, spelled, (&open, &choices), permitted, refusals))
}

fn try_all(
    judge: &Judge<'_>,
    spelled: &Spelled,
    (open, choices): (&[usize], &[Vec<super::choice::Choice>]),
    permitted: &dyn Fn(&[Point]) -> bool,
    refusals: &dyn Fn(&[Point]) -> Vec<Refusal>,
) -> Completion {
    let mut found: Vec<Vec<&super::choice::Choice>> = Vec::new();
    let mut furthest: Vec<Refusal> = Vec::new();
    for combination in product(choices) {
        let mut points = spelled.points.clone();
        for (argument, choice) in open.iter().zip(&combination) {
            if let Some(point) = points.get_mut(*argument) {
                *point = Point::Value(choice.value.clone());
            }
        }
        if !judge.is_coherent(&points) {
            continue;
        }
        if permitted(&points) {
            found.push(combination);
        } else if found.is_empty() {
            let refusing = refusals(&points);
            let rank = |refusals: &[Refusal]| refusals.first().map(|refusal| refusal.rank);
            if furthest.is_empty() || rank(&refusing) > rank(&furthest) {
                furthest = refusing;
            }
        }
    }
    match found.as_slice() {
        [] => Completion::None(furthest),
        [one] if one.iter().all(|choice| choice.singleton) => {
            Completion::One(open.iter().copied().zip(one.iter().map(|choice| choice.value.clone())).collect())
        }
        several_found => {
            let taken = open.iter().enumerate().map(|(at, argument)| {
                let mut values: Vec<Value> = Vec::new();
                for choice in several_found.iter().filter_map(|combination| combination.get(at)) {
                    if choice.singleton && !values.contains(&choice.value) {
                        values.push(choice.value.clone());
                    }
                }
                let all_named = several_found.iter().filter_map(|c| c.get(at)).all(|choice| choice.singleton);
                (*argument, if all_named { values } else { Vec::new() })
            });
            Completion::Several(Box::new(several(judge, spelled, &taken.collect::<Vec<_>>())))
        }
    }
}

/// Every combination of one choice each, the first argument slowest.
fn product(choices: &[Vec<super::choice::Choice>]) -> Vec<Vec<&super::choice::Choice>> {
    let mut all: Vec<Vec<&super::choice::Choice>> = vec![Vec::new()];
    for values in choices {
        all = all
            .iter()
            .flat_map(|chosen| values.iter().map(|value| chosen.iter().copied().chain([value]).collect()))
            .collect();
    }
    all
}

/// "Pass `backend` explicitly: one of …". An argument whose permitted values are more than can be named has none here.
fn several(judge: &Judge<'_>, spelled: &Spelled, taken: &[(usize, Vec<Value>)]) -> Because {
    let mut because = Because::bare(Code::Unspecified);
    let Some((argument, values)) = taken.iter().find(|(_, values)| values.len() != 1) else { return because };
    let demand = judge.demands().find(|demand| demand.argument == *argument);
    because.limit = demand.map(|demand| demand.limit);
    because.source = demand.and_then(|demand| demand.origin);
    because.path = judge.tool.arguments.get(*argument).map(|member| format!("/{}", member.name));
    if spelled.wildcards.contains(argument) {
        because.given = Some(Value::Text("all".into()));
    }
    if !values.is_empty() {
        let values: Vec<String> = values.iter().map(value_text).collect();
        because.permitted = Some(values.join(", "));
    }
    because
}

/// A value as people write it: a text without quotes where nothing is lost.
pub(crate) fn value_text(value: &Value) -> String {
    match value {
        Value::Text(text) if !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) => {
            text.to_string()
        }
        other => crate::digest::compact(other),
    }
}

/// The slots in force on one argument.
pub(crate) fn slots_on<'a>(judge: &Judge<'a>, argument: usize) -> Vec<&'a Slot> {
    let of_limits =
        judge.plan.demands.iter().chain(&judge.session.demands).filter(|d| d.argument == argument).map(|d| &d.slot);
    let clauses = judge.plan.factors.iter().flat_map(|f| &f.rows).flat_map(|r| &r.clauses);
    let of_rows = clauses.filter(|c| c.clause.argument == argument).map(|c| &c.clause.slot);
    of_limits.chain(of_rows).collect()
}
