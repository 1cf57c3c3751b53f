//! One call against the layers: which limits and rows hold, whether it is coherent, its grade.

use crate::json::Json;
use crate::member::{self, Point, Polarity, Tri, both};
use crate::places;
use crate::situation::{InForce, Role, Rows, Setting, Situation, names, split};
use bailiwick::domain::Step;
use bailiwick::policy::{Clause, LimitRef, LimitValue, ListWay, Place, Row, Tool, ToolRef};
use std::collections::BTreeMap;

/// What a call is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Not permitted.
    Refuse,
    /// Permitted with approval.
    Ask,
    /// Permitted.
    Allow,
}

/// A tool under a situation and the session's facts.
#[derive(Clone, Debug)]
pub struct Gate<'p> {
    /// The layers.
    pub situation: &'p Situation<'p>,
    /// Which tool.
    pub id: ToolRef,
    /// The tool.
    pub tool: &'p Tool,
    /// What the session binds.
    pub session: Vec<(LimitRef, Json)>,
    /// The limits whose binding by the session is refused: that is said after the rows.
    pub refused: Vec<LimitRef>,
    /// What the host found behind the paths of the call.
    pub resolved: BTreeMap<String, String>,
}

/// Why a call is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The code of decision.md.
    pub code: &'static str,
    /// The limit, if one decides.
    pub limit: Option<LimitRef>,
}

impl<'p> Gate<'p> {
    /// A tool with nothing from the session.
    pub fn bare(situation: &'p Situation<'p>, id: ToolRef) -> Gate<'p> {
        Gate { situation, id, tool: situation.policy.tool(id), session: vec![], refused: vec![], resolved: BTreeMap::new() }
    }

    /// What layers and session set `limit` to.
    pub fn settings(&self, limit: LimitRef) -> Vec<Setting<'p>> {
        let session = self.session.iter().filter(|(l, _)| *l == limit).map(|(_, v)| Setting::Bound(v.clone()));
        self.situation.settings(limit).into_iter().chain(session).collect()
    }

    /// The values `limit` is bound to.
    pub fn bound(&self, limit: LimitRef) -> Vec<Json> {
        self.settings(limit).into_iter().filter_map(|s| if let Setting::Bound(v) = s { Some(v) } else { None }).collect()
    }

    /// Whether a layer left `limit` blank and nobody filled it in, though the tool has an argument under it.
    fn is_blank(&self, limit: LimitRef) -> bool {
        if self.refused.contains(&limit) || !self.tool.places.iter().any(|p| p.limit == limit) {
            return false;
        }
        let settings = self.settings(limit);
        settings.iter().any(|s| matches!(s, Setting::Single)) && !settings.iter().any(|s| matches!(s, Setting::Bound(_)))
    }

    /// The rows of every layer that has any, or `None` if a layer permits nothing.
    pub fn layers_of_rows(&self) -> Option<Vec<(InForce<'p>, Vec<&'p Row>)>> {
        let mut all = Vec::new();
        for layer in &self.situation.layers {
            match self.situation.rows(*layer, self.id) {
                Rows::None => return None,
                Rows::Free => {}
                Rows::These(rows) => all.push((*layer, rows)),
            }
        }
        Some(all)
    }

    /// The opaque argument, and the limit that it reaches, for whose sake an agent's row is void: a limit that is set over
    /// that agent.
    pub fn void(&self, layer: &InForce, row: &Row) -> Option<(usize, LimitRef)> {
        let set = |l: LimitRef| !self.situation.settings_over(l, layer.height).is_empty();
        let reached = self.tool.channels.iter().filter(|c| set(c.limit)).min_by_key(|c| c.limit);
        reached.filter(|_| layer.role == Role::Ceiling && !row.accepting_opaque).map(|c| (c.argument, c.limit))
    }

    /// Every clause of the tool's rows, in all layers.
    pub fn clauses(&self) -> Vec<&'p Clause> {
        let rows = self.layers_of_rows().unwrap_or_default();
        rows.into_iter().flat_map(|(_, rows)| rows).flat_map(|r| &r.clauses).collect()
    }

    /// Whether a limit in force or a clause of a row speaks of the argument.
    pub fn governed(&self, argument: usize) -> bool {
        let limited = self.tool.places.iter().any(|p| p.argument == argument && !self.settings(p.limit).is_empty());
        limited || self.clauses().iter().any(|c| c.argument == argument)
    }

    /// The call, and the call with the paths that the host found.
    fn spellings(&self, call: &[Point]) -> Vec<Vec<Point>> {
        let mut found = call.to_vec();
        for (i, argument) in self.tool.arguments.iter().enumerate() {
            if let Point::Value(v) = &call[i] {
                let at = format!("/{}", places::escape(&argument.member.name));
                found[i] = Point::Value(places::resolve(&argument.member.ty, v, &at, &self.resolved));
            }
        }
        if found == call { vec![found] } else { vec![call.to_vec(), found] }
    }

    /// Whether one clause holds.
    pub fn clause(&self, clause: &Clause, call: &[Point]) -> Tri {
        let member = &self.tool.arguments[clause.argument].member;
        both(|w| member::in_slot(member, &clause.slot, &call[clause.argument], w, Polarity::Permits))
    }

    /// What a row refuses of a call, by argument.
    fn failing(&self, layer: &InForce, row: &Row, call: &[Point]) -> BTreeMap<usize, Refusal> {
        let mut failing: BTreeMap<usize, Refusal> = BTreeMap::new();
        for clause in &row.clauses {
            let code = match self.clause(clause, call) {
                Tri::In => continue,
                Tri::Ambiguous => "ambiguous",
                Tri::Out => "row",
            };
            let kept = failing.entry(clause.argument).or_insert(Refusal { code, limit: None });
            if code == "ambiguous" {
                kept.code = code;
            }
        }
        for list in self.sizes_implied(layer, row) {
            let member = &self.tool.arguments[list.argument].member;
            if places::is_empty_at(member, &list.steps, &call[list.argument]) {
                failing.entry(list.argument).or_insert(Refusal { code: "row", limit: None });
            }
        }
        if let Some((argument, limit)) = self.void(layer, row) {
            failing.insert(argument, Refusal { code: "opaque", limit: Some(limit) });
        }
        failing
    }

    /// The lists that may not be empty under a row, because its layer's limits imply `size 1..` there and another row of the
    /// layer alone says otherwise.
    pub fn sizes_implied(&self, layer: &InForce, row: &Row) -> Vec<ListWay> {
        let Rows::These(rows) = self.situation.rows(*layer, self.id) else { return vec![] };
        let set = layer.layer.uses.iter().flat_map(|u| &u.limits);
        let set: Vec<LimitRef> =
            set.filter(|s| matches!(s.value, LimitValue::Set(_) | LimitValue::Bound(_))).map(|s| s.limit).collect();
        let cut = |list: &&ListWay| {
            let on = |p: &&Place| set.contains(&p.limit) && p.argument == list.argument && p.steps.starts_with(&list.steps);
            self.tool.places.iter().any(|p| on(&p))
        };
        let others = rows.iter().flat_map(|r| &r.sizes_admitting_zero);
        others.filter(cut).filter(|list| !row.sizes_admitting_zero.contains(list)).cloned().collect()
    }

    /// Whether `limit` holds, in every layer, at every place.
    pub fn limit(&self, limit: LimitRef, call: &[Point]) -> Tri {
        let session = self.session.iter().filter(|(l, _)| *l == limit).map(|(_, v)| (Setting::Bound(v.clone()), vec![]));
        let settings = self.situation.settings_for(limit, self.id).into_iter().chain(session);
        let answers = settings.flat_map(|(setting, free)| {
            let mut answers = Vec::new();
            for (index, place) in self.tool.places.iter().enumerate() {
                if place.limit == limit {
                    answers.push(self.at_place(index, place, (&setting, &free), call));
                } else if self.situation.policy.limit(place.limit).within.as_ref().is_some_and(|w| w.limit == limit) {
                    answers.push(self.named_at(place, limit, &setting, call));
                }
            }
            answers
        });
        member::all(answers.collect::<Vec<_>>())
    }

    fn at_place(&self, index: usize, place: &Place, (setting, free): (&Setting, &[ListWay]), call: &[Point]) -> Tri {
        let free: Vec<Vec<Step>> =
            free.iter().filter(|list| list.argument == place.argument).map(|list| list.steps.clone()).collect();
        let member = &self.tool.arguments[place.argument].member;
        let point = &call[place.argument];
        match setting {
            Setting::Single => Tri::In,
            Setting::Set(slot) => both(|w| {
                let test = |ty: &_, v: &Json| member::holds(ty, &slot.values, v, w, Polarity::Permits);
                places::every(member, &place.steps, point, slot.absent, &free, &test)
            }),
            Setting::Bound(value) => {
                let test = |ty: &_, v: &Json| Tri::of(self.is_bound(index, ty, v, value));
                places::every(member, &place.steps, point, false, &free, &test)
            }
        }
    }

    /// What texts at `place` name must lie in what `limit` is set to.
    fn named_at(&self, place: &Place, limit: LimitRef, setting: &Setting, call: &[Point]) -> Tri {
        let policy = self.situation.policy;
        let member = &self.tool.arguments[place.argument].member;
        let test = |_: &_, v: &Json| match (split(policy, place.limit, v.text().unwrap_or("")).0, setting) {
            (None, _) | (_, Setting::Single) => Tri::In,
            (Some(name), Setting::Set(slot)) => names(&policy.limit(limit).ty, &slot.values, &name),
            (Some(name), Setting::Bound(value)) => Tri::of(value.text() == Some(&name)),
        };
        match &call[place.argument] {
            Point::Absent | Point::Unspecified => Tri::In,
            value @ Point::Value(_) => places::every_named(member, &place.steps, value, &test),
        }
    }

    /// The argument that texts at a place name, if the tool has one.
    pub fn named_by(&self, place: usize) -> Option<usize> {
        self.tool.couplings.iter().find(|c| c.place == place).map(|c| c.named)
    }

    /// Whether `given` is the bound resource.
    fn is_bound(&self, index: usize, ty: &bailiwick::domain::Type, given: &Json, bound: &Json) -> bool {
        let limit = self.tool.places[index].limit;
        if self.situation.policy.limit(limit).within.is_none() {
            return places::canonical(ty, given) == places::canonical(ty, bound);
        }
        let (Some(given), Some(bound)) = (given.text(), bound.text()) else { return false };
        let (name, rest) = split(self.situation.policy, limit, given);
        let (bound_name, bound_rest) = split(self.situation.policy, limit, bound);
        // A bare spelling of a bound `p:rest` is no settled call: with p, or with p left open, it is forwarded as `p:rest`.
        rest == bound_rest && (bound_name.is_none() || name == bound_name)
    }

    /// Whether what texts name and what is said beside them agree: the limits they are within, where they do not.
    pub fn incoherent(&self, call: &[Point]) -> Option<LimitRef> {
        let policy = self.situation.policy;
        let clash = |c: &&bailiwick::policy::Coupling| {
            let place = &self.tool.places[c.place];
            let member = &self.tool.arguments[place.argument].member;
            let (Point::Value(Json::Str(said)), value @ Point::Value(_)) = (&call[c.named], &call[place.argument]) else {
                return false;
            };
            let agrees =
                |_: &_, v: &Json| Tri::of(split(policy, place.limit, v.text().unwrap_or("")).0.is_none_or(|n| n == *said));
            places::every_named(member, &place.steps, value, &agrees) != Tri::In
        };
        let governed =
            |c: &&bailiwick::policy::Coupling| self.governed(c.named) || self.governed(self.tool.places[c.place].argument);
        let found = self.tool.couplings.iter().filter(clash).find(governed)?;
        policy.limit(self.tool.places[found.place].limit).within.as_ref().map(|w| w.limit)
    }

    /// The grade of a call: the worse of the call as it came and the call with the paths that the host found.
    pub fn grade(&self, call: &[Point]) -> Grade {
        self.spellings(call).iter().map(|spelled| self.grade_of(spelled)).min().unwrap_or(Grade::Refuse)
    }

    fn grade_of(&self, call: &[Point]) -> Grade {
        let cut =
            self.situation.limits_of(self.tool).into_iter().any(|l| self.is_blank(l) || self.limit(l, call) != Tri::In);
        let Some(layers) = self.layers_of_rows().filter(|_| !cut && self.incoherent(call).is_none()) else {
            return Grade::Refuse;
        };
        let best = |(layer, rows): &(InForce, Vec<&Row>)| {
            let hold = rows.iter().filter(|r| self.failing(layer, r, call).is_empty());
            hold.map(|r| if r.approval { Grade::Ask } else { Grade::Allow }).max().unwrap_or(Grade::Refuse)
        };
        layers.iter().map(best).min().unwrap_or(Grade::Allow)
    }

    /// The limit that refuses a call, first in vocabulary order.
    pub fn cutting_limit(&self, call: &[Point]) -> Option<Refusal> {
        let limits = self.situation.limits_of(self.tool);
        let cut = |l: LimitRef| match self.limit(l, call) {
            _ if self.is_blank(l) => Some(Refusal { code: "unbound", limit: Some(l) }),
            Tri::In => None,
            Tri::Ambiguous => Some(Refusal { code: "ambiguous", limit: Some(l) }),
            Tri::Out => Some(Refusal { code: "limit", limit: Some(l) }),
        };
        limits.into_iter().find_map(cut)
    }

    /// What decides on a call that is refused, and how far it came: past how many limits, to which stage, and how close a
    /// row was.
    pub fn refusal(&self, call: &[Point]) -> (Refusal, Reached) {
        let spellings = self.spellings(call);
        let refused = spellings.iter().find(|spelled| self.grade_of(spelled) == Grade::Refuse);
        self.refusal_of(refused.map_or(call, Vec::as_slice))
    }

    fn refusal_of(&self, call: &[Point]) -> (Refusal, Reached) {
        if let Some(refusal) = self.cutting_limit(call) {
            let limits = self.situation.limits_of(self.tool);
            let passed = limits.iter().position(|l| Some(*l) == refusal.limit).unwrap_or(0);
            return (refusal, (0, passed, 0, false));
        }
        if let Some(limit) = self.incoherent(call) {
            return (Refusal { code: "incoherent", limit: Some(limit) }, (1, 0, 0, false));
        }
        let mut closest: Option<BTreeMap<usize, Refusal>> = None;
        for (layer, rows) in self.layers_of_rows().unwrap_or_default() {
            let failing: Vec<_> = rows.iter().map(|r| self.failing(&layer, r, call)).collect();
            if failing.iter().any(BTreeMap::is_empty) {
                continue;
            }
            for row in failing {
                if closest.as_ref().is_none_or(|c| closeness(&row) < closeness(c)) {
                    closest = Some(row);
                }
            }
        }
        let closest = closest.unwrap_or_default();
        let first = closest.values().next().cloned().unwrap_or(Refusal { code: "row", limit: None });
        let (_, argument, plain) = closeness(&closest);
        (first, (2, usize::MAX - closest.len(), argument, !plain))
    }
}

/// How far a call came: limits, coherence or rows; how many limits, or how close a row; there, in which argument it failed
/// first, and whether it is ambiguous.
pub type Reached = (usize, usize, usize, bool);

/// Of rows the one that fails in fewest arguments decides; of several, the one whose first is first; then an ambiguous one.
fn closeness(failing: &BTreeMap<usize, Refusal>) -> (usize, usize, bool) {
    let (argument, code) = failing.first_key_value().map_or((0, "row"), |(argument, refusal)| (*argument, refusal.code));
    (failing.len(), argument, code != "ambiguous")
}
