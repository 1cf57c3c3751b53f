//! Sets over a place inside an argument → slots over the whole argument: what a limit's value, or a clause that stands
//! alone, demands of it. Must not know rows, limits or their names.

use super::{Atom, Kind, Member, Presence, Rest, Set, Size, Slot, Step, Type, argv};

#[cfg(test)]
mod tests;

/// Who demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lift {
    /// A row's clause by itself: everything optional on its way must be there. What a row says by several clauses together
    /// (sizes that admit 0, alternatives that none mentions) is not seen here.
    Clause,
    /// A limit's value, at every point of its place: absence of something optional on the way passes if the slot admits
    /// absence.
    Limit,
    /// A value that a call must carry: something stands at the place, and all that stands there lies in the slot's values.
    Carried,
}

/// The demand `said` on the place at the end of `steps`, as a demand on the whole of `member`.
///
/// `said.null` and `said.absent` are what the policy *says* (`or null`, `or absent`, or the clauses `null` and `absent`
/// alone, whose values are [`Set::Never`]); they speak of the innermost argument or member on the way, never of an element.
/// What names nothing (null of `or null`, absence of `or absent`, other alternatives of a union, the empty map) passes,
/// unless the demand is a clause of one of these points alone. A list on the way has one element unless its type gives a size that
/// admits 0. Steps that the type does not have admit nothing: types are checked before.
pub fn lift(member: &Member, steps: &[Step], said: &Slot, why: Lift) -> Slot {
    let last_field = steps.iter().rposition(|step| matches!(step, Step::Field(_)));
    let steps = match (is_point(said, why), last_field) {
        (false, _) => steps,
        // A point is one of the member itself, whatever of its elements is named behind it.
        (true, None) => &[],
        (true, Some(last)) => steps.get(..=last).unwrap_or(steps),
    };
    Lifting { steps, said, why, free: &[] }.member(member, 0)
}

/// As [`lift`] for a limit's value, where the lists at the ways `free` may be empty as well: a row gives them such a size.
pub fn lift_limit(member: &Member, steps: &[Step], said: &Slot, free: &[&[Step]]) -> Slot {
    Lifting { steps, said, why: Lift::Limit, free }.member(member, 0)
}

/// That the list through which `step` goes on at the end of `way`, wherever it stands, has an element: what a limit implies
/// for a row that gives no size.
pub fn lift_one_element(member: &Member, way: &[Step], step: &Step) -> Slot {
    let one = Size { low: 1, high: None };
    let values = Set::Atom(match step {
        Step::OneOrEach => Atom::OneOrEach(Box::new(Set::Any), one),
        Step::Each | Step::Field(_) | Step::Keys | Step::Values | Step::Part(_) | Step::Alternative(_) => Atom::Size(one),
    });
    lift_of_what_is_there(member, way, values)
}

/// `values` demanded of whatever stands at the place: absence, null and empty lists pass.
pub fn lift_of_what_is_there(member: &Member, steps: &[Step], values: Set) -> Slot {
    let free: Vec<&[Step]> = (0..steps.len()).filter_map(|length| steps.get(..length)).collect();
    lift_limit(member, steps, &Slot { values, null: true, absent: true }, &free)
}

/// Whether the demand is `absent` or `null` alone.
fn is_point(said: &Slot, why: Lift) -> bool {
    said.values == Set::Never && why == Lift::Clause
}

/// One demand on its way up.
struct Lifting<'a> {
    steps: &'a [Step],
    said: &'a Slot,
    why: Lift,
    free: &'a [&'a [Step]],
}

impl Lifting<'_> {
    /// The demand on `member`, which stands at the end of the first `at` steps.
    fn member(&self, member: &Member, at: usize) -> Slot {
        let innermost = !self.steps.iter().skip(at).any(|step| matches!(step, Step::Field(_)));
        let point = innermost && is_point(self.said, self.why);
        let passes = self.why != Lift::Carried;
        let names_nothing = passes && member.presence == Presence::OrAbsent && !point;
        let said_absent = passes && self.said.absent && (innermost || self.why == Lift::Limit);
        Slot {
            values: self.values(&member.ty, at),
            null: passes && member.ty.null && (!point || self.said.null),
            absent: names_nothing || (member.may_be_absent() && said_absent),
        }
    }

    fn values(&self, ty: &Type, at: usize) -> Set {
        let Some(step) = self.steps.get(at) else { return self.said.values.clone() };
        let next = at.saturating_add(1);
        let inside = |ty: &Type| Box::new(self.values(ty, next));
        match (step, &ty.kind) {
            (Step::Field(name), Kind::Record { members, rest: others }) => {
                let declared = members.iter().find(|member| member.name == *name);
                match declared.cloned().or_else(|| others.member(name)) {
                    Some(member) => Set::Atom(Atom::Field(name.clone(), Box::new(self.member(&member, next)))),
                    None => Set::Never,
                }
            }
            (Step::Each, Kind::List(element)) => each(inside(element), self.sizes(ty, at)),
            (Step::Each, Kind::Argv) => each(inside(&argv::WORD), self.sizes(ty, at)),
            (Step::OneOrEach, Kind::OneOrList(element)) => Set::Atom(Atom::OneOrEach(inside(element), self.sizes(ty, at))),
            (Step::Keys, Kind::Map(_)) => members(Atom::Keys(inside(&argv::WORD)), self.why),
            (Step::Values, Kind::Map(value)) => members(Atom::Values(inside(value)), self.why),
            (Step::Part(part), Kind::Url { .. } | Kind::Email) => {
                Set::Atom(Atom::Part(*part, Box::new(self.said.values.clone())))
            }
            (Step::Alternative(index), Kind::Union(alternatives)) => {
                let demands = (0_u32..).zip(alternatives).map(|(which, alternative)| {
                    let other = if self.why == Lift::Carried { Set::Never } else { Set::Any };
                    let demand = if which == *index { inside(alternative) } else { Box::new(other) };
                    Set::Atom(Atom::Alternative(which, demand))
                });
                Set::Or(demands.collect())
            }
            _ => Set::Never, // no such step
        }
    }

    /// One element or more, or any number where the refinement, or a row, gives a size that admits 0.
    fn sizes(&self, ty: &Type, at: usize) -> Size {
        let free = self.steps.get(..at).is_some_and(|way| self.free.contains(&way));
        let admits_zero = self.why != Lift::Carried && (free || ty.refinement.as_ref().is_some_and(gives_zero));
        if admits_zero { Size::ANY } else { Size { low: 1, high: None } }
    }
}

fn each(set: Box<Set>, size: Size) -> Set {
    let each = Set::Atom(Atom::Each(set));
    if size == Size::ANY { each } else { Set::And(vec![each, Set::Atom(Atom::Size(size))]) }
}

/// A demand on what a map holds; the empty map holds nothing, and passes unless something must be there.
fn members(demand: Atom, why: Lift) -> Set {
    let one = Atom::Size(Size { low: 1, high: None });
    match why {
        Lift::Clause | Lift::Limit => Set::Atom(demand),
        Lift::Carried => Set::And(vec![Set::Atom(demand), Set::Atom(one)]),
    }
}

fn gives_zero(set: &Set) -> bool {
    match set {
        Set::Any | Set::Never => false,
        Set::Atom(atom) => matches!(atom, Atom::Size(size) if size.low == 0),
        Set::Not(inner) => gives_zero(inner),
        Set::And(parts) | Set::Or(parts) => parts.iter().any(gives_zero),
    }
}

impl Rest {
    /// The undeclared member of that name, where such have a type.
    pub(super) fn member(&self, name: &str) -> Option<Member> {
        match self {
            Rest::Typed(ty) => {
                Some(Member { name: name.into(), ty: (**ty).clone(), presence: Presence::Optional, wildcard: false })
            }
            Rest::Closed | Rest::Open => None,
        }
    }
}
