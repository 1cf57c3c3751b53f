//! Raw arguments → the one call that would be forwarded (language.md 4), by trying every completion.

use crate::candidates;
use crate::gate::{Gate, Grade, Refusal};
use crate::json::Json;
use crate::member::{self, Point};
use crate::places;
use crate::situation::split;
use bailiwick::domain::{Kind, Set, Step};
use std::collections::BTreeSet;

/// A call that is permitted.
#[derive(Clone, Debug)]
pub struct Settled {
    /// What it is compared as.
    pub call: Vec<Point>,
    /// Its grade.
    pub grade: Grade,
}

/// How a call came out of settling.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is forwarded so.
    Permitted(Settled),
    /// It is not permitted; the call as it was spelled out.
    Refused(Vec<Point>, Refusal),
}

impl Gate<'_> {
    /// The locations of an argument of which a limit in force or a row speaks.
    pub fn locations(&self, argument: usize) -> Vec<Vec<Step>> {
        let mut found = Vec::new();
        for place in self.tool.places.iter().filter(|p| p.argument == argument && !self.settings(p.limit).is_empty()) {
            let steps = place.steps.iter().filter(|s| !matches!(s, Step::Part(_)));
            found.push(steps.cloned().collect());
        }
        for clause in self.clauses().into_iter().filter(|c| c.argument == argument) {
            found.push(clause.steps.iter().filter(|s| !matches!(s, Step::Part(_))).cloned().collect());
        }
        found
    }

    /// What an omitted scalar under a bound limit becomes.
    pub fn bound_value(&self, argument: usize) -> Option<Json> {
        let place = self.tool.places.iter().find(|p| p.argument == argument && p.steps.is_empty())?;
        let composite = matches!(
            self.tool.arguments[argument].member.ty.kind,
            Kind::List(_) | Kind::OneOrList(_) | Kind::Map(_) | Kind::Record { .. } | Kind::Argv
        );
        let mut bound = self.bound(place.limit);
        bound.sort_by_key(|v| split(self.situation.policy, place.limit, v.text().unwrap_or("")).0.is_none());
        bound.into_iter().next().filter(|_| !composite)
    }

    /// Step 1: the call with everything that goes without saying said.
    pub fn spell_out(&self, arguments: &Json) -> Vec<Point> {
        let mut call: Vec<Point> = Vec::new();
        for (i, argument) in self.tool.arguments.iter().enumerate() {
            let given = arguments.get(&argument.member.name);
            let bound = if given.is_none() { self.bound_value(i) } else { None };
            call.push(bound.map_or_else(|| member::point(&argument.member, given), Point::Value));
        }
        self.respell(&mut call);
        for (i, argument) in self.tool.arguments.iter().enumerate() {
            if let Point::Value(v) = &call[i] {
                call[i] = Point::Value(places::canonical_at(&argument.member.ty, v, &[], &self.locations(i)));
            }
        }
        call
    }

    /// A bare spelling of a bound `p:rest` becomes `p:rest`, unless the call says another p.
    fn respell(&self, call: &mut [Point]) {
        for (index, place) in self.tool.places.iter().enumerate() {
            for bound in self.bound(place.limit) {
                let Some((Some(name), rest)) = bound.text().map(|b| split(self.situation.policy, place.limit, b)) else {
                    continue;
                };
                let agrees = match self.named_by(index).map(|a| &call[a]) {
                    None | Some(Point::Unspecified) => true,
                    Some(Point::Value(v)) => v.text() == Some(&name),
                    Some(Point::Absent) => false,
                };
                if let (true, Point::Value(v)) = (agrees, &call[place.argument]) {
                    call[place.argument] = Point::Value(replace(v, &place.steps, &Json::str(rest), &bound));
                }
            }
        }
    }

    /// Steps 2 and 3.
    pub fn settle(&self, arguments: &Json) -> Outcome {
        let call = self.spell_out(arguments);
        let permitted = |call: &[Point]| {
            let grade = self.grade(call);
            (grade > Grade::Refuse).then(|| Settled { call: call.to_vec(), grade })
        };
        if let Some(settled) = permitted(&call) {
            return Outcome::Permitted(settled);
        }
        let open: Vec<usize> = (0..call.len()).filter(|i| call[*i] == Point::Unspecified && self.governed(*i)).collect();
        if open.is_empty() {
            let (refusal, _) = self.refusal(&call);
            return Outcome::Refused(call, refusal);
        }
        let completions: Vec<Vec<Point>> =
            self.completions(&call, &open).into_iter().filter(|c| self.incoherent(c).is_none()).collect();
        let mut hold = completions.iter().filter_map(|c| permitted(c));
        match (hold.next(), hold.next()) {
            (Some(only), None) => Outcome::Permitted(only),
            (Some(first), Some(second)) => {
                let differs = open.iter().copied().find(|i| first.call[*i] != second.call[*i]).unwrap_or(open[0]);
                let limit = self
                    .tool
                    .places
                    .iter()
                    .find(|p| p.argument == differs && !self.settings(p.limit).is_empty())
                    .map(|p| p.limit);
                Outcome::Refused(call, Refusal { code: "unspecified", limit })
            }
            (None, _) => {
                let refusal = self.refusal_of_all(&call, &completions);
                Outcome::Refused(call, refusal)
            }
        }
    }

    /// Every way to give the open arguments values, of those worth trying.
    fn completions(&self, call: &[Point], open: &[usize]) -> Vec<Vec<Point>> {
        let mut all = vec![call.to_vec()];
        for argument in open {
            let member = &self.tool.arguments[*argument].member;
            let sets = self.sets_on(*argument);
            let mut values = candidates::candidates(&member.ty, &sets.iter().collect::<Vec<_>>());
            let bound = self.tool.places.iter().filter(|p| p.argument == *argument).flat_map(|p| self.bound(p.limit));
            values.splice(0..0, bound);
            let mut seen = BTreeSet::new();
            values.retain(|v| seen.insert(places::canonical(&member.ty, v).canonical()));
            let with = |c: &Vec<Point>, v: &Json| {
                let mut c = c.clone();
                c[*argument] = Point::Value(places::canonical_at(&member.ty, v, &[], &self.locations(*argument)));
                c
            };
            all = all.iter().flat_map(|c| values.iter().map(move |v| with(c, v))).take(20_000).collect();
        }
        all
    }

    /// The sets that limits and rows ask of an argument as a whole.
    pub fn sets_on(&self, argument: usize) -> Vec<Set> {
        let mut sets: Vec<Set> =
            self.clauses().iter().filter(|c| c.argument == argument).map(|c| c.slot.values.clone()).collect();
        for place in self.tool.places.iter().filter(|p| p.argument == argument) {
            for setting in self.settings(place.limit) {
                if let crate::situation::Setting::Set(slot) = setting {
                    sets.push(lifted(&place.steps, &slot.values));
                }
            }
        }
        sets
    }

    /// What decides where every completion is refused: what refuses the one that comes furthest.
    fn refusal_of_all(&self, call: &[Point], completions: &[Vec<Point>]) -> Refusal {
        let mut furthest: Option<(Refusal, crate::gate::Reached)> = None;
        for completion in completions {
            let found = self.refusal(completion);
            if furthest.as_ref().is_none_or(|(_, reached)| found.1 > *reached) {
                furthest = Some(found);
            }
        }
        let within = self.tool.couplings.iter().find_map(|c| {
            let limit = self.situation.policy.limit(self.tool.places[c.place].limit);
            limit.within.as_ref().map(|w| w.limit)
        });
        let incoherent = || within.map(|limit| Refusal { code: "incoherent", limit: Some(limit) });
        furthest.map(|(refusal, _)| refusal).or_else(incoherent).unwrap_or_else(|| self.refusal(call).0)
    }
}

/// `set` over what the steps lead to, as a set over the whole: for finding candidates only.
pub fn lifted(steps: &[Step], set: &Set) -> Set {
    use bailiwick::domain::{Atom, Size, Slot};
    let Some((step, rest)) = steps.split_first() else { return set.clone() };
    let inner = Box::new(lifted(rest, set));
    Set::Atom(match step {
        Step::Field(name) => Atom::Field(name.clone(), Box::new(Slot { values: *inner, null: true, absent: true })),
        Step::Each => Atom::Each(inner),
        Step::OneOrEach => Atom::OneOrEach(inner, Size { low: 0, high: None }),
        Step::Keys => Atom::Keys(inner),
        Step::Values => Atom::Values(inner),
        Step::Part(part) => Atom::Part(*part, inner),
        Step::Alternative(i) => Atom::Alternative(*i, inner),
    })
}

/// `value` with every text `from` along the steps replaced.
fn replace(value: &Json, steps: &[Step], from: &Json, to: &Json) -> Json {
    match (steps.split_first(), value) {
        (None, v) => {
            if v == from {
                to.clone()
            } else {
                v.clone()
            }
        }
        (Some((Step::Each | Step::OneOrEach, rest)), Json::List(items)) => {
            Json::List(items.iter().map(|i| replace(i, rest, from, to)).collect())
        }
        (Some((Step::OneOrEach | Step::Alternative(_), rest)), v) => replace(v, rest, from, to),
        (Some((Step::Values, rest)), Json::Obj(members)) => {
            Json::Obj(members.iter().map(|(k, v)| (k.clone(), replace(v, rest, from, to))).collect())
        }
        (Some((Step::Field(name), rest)), Json::Obj(members)) => {
            let spelled =
                |(k, v): &(String, Json)| (k.clone(), if **k == **name { replace(v, rest, from, to) } else { v.clone() });
            Json::Obj(members.iter().map(spelled).collect())
        }
        (Some((Step::Field(_) | Step::Each | Step::Values | Step::Keys | Step::Part(_), _)), v) => v.clone(),
    }
}
