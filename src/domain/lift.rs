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
    member_slot(member, steps, said, why)
}

/// Whether the demand is `absent` or `null` alone.
fn is_point(said: &Slot, why: Lift) -> bool {
    said.values == Set::Never && why == Lift::Clause
}

fn member_slot(member: &Member, steps: &[Step], said: &Slot, why: Lift) -> Slot {
    let innermost = !steps.iter().any(|step| matches!(step, Step::Field(_)));
    let point = innermost && is_point(said, why);
    let passes = why != Lift::Carried;
    let names_nothing = passes && member.presence == Presence::OrAbsent && !point;
    let said_absent = passes && said.absent && (innermost || why == Lift::Limit);
    Slot {
        values: values(&member.ty, steps, said, why),
        null: passes && member.ty.null && (!point || said.null),
        absent: names_nothing || (member.may_be_absent() && said_absent),
    }
}

fn values(ty: &Type, steps: &[Step], said: &Slot, why: Lift) -> Set {
    let Some((step, rest)) = steps.split_first() else { return said.values.clone() };
    let inside = |ty: &Type| Box::new(values(ty, rest, said, why));
    match (step, &ty.kind) {
        (Step::Field(name), Kind::Record { members, rest: others }) => {
            let declared = members.iter().find(|member| member.name == *name);
            match declared.cloned().or_else(|| others.member(name)) {
                Some(member) => Set::Atom(Atom::Field(name.clone(), Box::new(member_slot(&member, rest, said, why)))),
                None => Set::Never,
            }
        }
        (Step::Each, Kind::List(element)) => each(inside(element), sizes(ty, why)),
        (Step::Each, Kind::Argv) => each(inside(&argv::WORD), sizes(ty, why)),
        (Step::OneOrEach, Kind::OneOrList(element)) => Set::Atom(Atom::OneOrEach(inside(element), sizes(ty, why))),
        (Step::Keys, Kind::Map(_)) => members(Atom::Keys(inside(&argv::WORD)), why),
        (Step::Values, Kind::Map(value)) => members(Atom::Values(inside(value)), why),
        (Step::Part(part), Kind::Url { .. } | Kind::Email) => Set::Atom(Atom::Part(*part, Box::new(said.values.clone()))),
        (Step::Alternative(index), Kind::Union(alternatives)) => {
            let demands = (0_u32..).zip(alternatives).map(|(at, alternative)| {
                let other = if why == Lift::Carried { Set::Never } else { Set::Any };
                let demand = if at == *index { inside(alternative) } else { Box::new(other) };
                Set::Atom(Atom::Alternative(at, demand))
            });
            Set::Or(demands.collect())
        }
        _ => Set::Never, // no such step
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

/// One element or more, or any number where the refinement gives a size that admits 0.
fn sizes(ty: &Type, why: Lift) -> Size {
    let admits_zero = why != Lift::Carried && ty.refinement.as_ref().is_some_and(gives_zero);
    if admits_zero { Size::ANY } else { Size { low: 1, high: None } }
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
