//! Sets over a place inside an argument → slots over the whole argument: what a row's clause or a limit's value demands of
//! it. Must not know rows, limits or their names.

use super::{Atom, Kind, Member, Presence, Set, Size, Slot, Step, Type};

/// Who demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lift {
    /// A row's clause: everything optional on its way must be there. Other alternatives of a union pass it; that a row
    /// excludes those it does not mention is [`mentioned_alternatives`].
    Clause,
    /// A limit's value, at every point of its place: absence of something optional on the way passes if the slot admits
    /// absence.
    Limit,
}

/// The demand `said` on the place at the end of `steps`, as a demand on the whole of `member`.
///
/// `said.null` and `said.absent` are what the policy *says* (`or null`, `or absent`, or the clauses `null` and `absent`
/// alone, whose values are [`Set::Never`]); they speak of the innermost argument or member on the way, never of an element.
/// What names nothing (null of `or null`, absence of `or absent`) passes as the language has it, unless the demand is
/// one of these points alone. An `each`, as a step or in the set, demands one element unless the set or the type gives a
/// size that admits 0. A step that the type does not have demands nothing: types are checked before.
pub fn lift(member: &Member, steps: &[Step], said: &Slot, why: Lift) -> Slot {
    lift_beside(member, steps, said, why, &[])
}

/// As [`lift`], for a clause beside others of the same row on the same argument: a size that another clause gives for the
/// list on the way counts as well.
pub fn lift_beside(member: &Member, steps: &[Step], said: &Slot, why: Lift, beside: &[(&[Step], &Set)]) -> Slot {
    if is_bare(&said.values) {
        return lift_point(member, steps, said, why);
    }
    let demand = Demand { said, why, beside, way: Vec::new() };
    demand.on_member(member, steps)
}

/// The points alone (`absent`, `null`) of the innermost member of the way.
fn lift_point(member: &Member, steps: &[Step], said: &Slot, why: Lift) -> Slot {
    match steps.iter().rposition(|step| matches!(step, Step::Field(_))) {
        None => {
            Slot { values: Set::Never, null: said.null && member.ty.null, absent: said.absent && member.may_be_absent() }
        }
        Some(last) => {
            let way = steps.get(..=last).unwrap_or(steps);
            Demand { said, why, beside: &[], way: Vec::new() }.on_member(member, way)
        }
    }
}

fn is_bare(values: &Set) -> bool {
    *values == Set::Never
}

struct Demand<'a> {
    said: &'a Slot,
    why: Lift,
    beside: &'a [(&'a [Step], &'a Set)],
    way: Vec<Step>,
}

impl Demand<'_> {
    fn on_member(mut self, member: &Member, steps: &[Step]) -> Slot {
        self.member(member, steps)
    }

    fn member(&mut self, member: &Member, steps: &[Step]) -> Slot {
        let innermost = !steps.iter().any(|step| matches!(step, Step::Field(_)));
        let bare = innermost && is_bare(&self.said.values);
        let names_nothing = member.presence == Presence::OrAbsent && !bare;
        let said_absent = self.said.absent && (innermost || self.why == Lift::Limit);
        Slot {
            values: self.values(&member.ty, steps),
            null: member.ty.null && (!bare || self.said.null),
            absent: names_nothing || (member.may_be_absent() && said_absent),
        }
    }

    fn values(&mut self, ty: &Type, steps: &[Step]) -> Set {
        let Some((step, rest)) = steps.split_first() else {
            return self.with_implied_size(ty, implied(ty, &self.said.values));
        };
        self.way.push(step.clone());
        let set = self.step(ty, step, rest);
        self.way.pop();
        match step {
            Step::Each => self.with_implied_size(ty, set),
            Step::Field(_) | Step::OneOrEach | Step::Keys | Step::Values | Step::Part(_) | Step::Alternative(_) => set,
        }
    }

    fn step(&mut self, ty: &Type, step: &Step, rest: &[Step]) -> Set {
        match (step, &ty.kind) {
            (Step::Field(name), Kind::Record { members, .. }) => match members.iter().find(|m| m.name == *name) {
                Some(member) => Set::Atom(Atom::Field(name.clone(), Box::new(self.member(member, rest)))),
                None => Set::Any,
            },
            (Step::Each, Kind::List(element)) => each(self.values(element, rest)),
            (Step::Each, Kind::Argv) => each(self.values(&super::argv::WORD, rest)),
            (Step::OneOrEach, Kind::OneOrList(element)) => {
                let size = if gives_zero(ty.refinement.as_ref()) { EVERY_SIZE } else { NOT_EMPTY };
                Set::Atom(Atom::OneOrEach(Box::new(self.values(element, rest)), size))
            }
            (Step::Keys, Kind::Map(_)) => Set::Atom(Atom::Keys(Box::new(self.values(&super::argv::WORD, rest)))),
            (Step::Values, Kind::Map(value)) => Set::Atom(Atom::Values(Box::new(self.values(value, rest)))),
            (Step::Part(part), Kind::Url { .. } | Kind::Email) => {
                Set::Atom(Atom::Part(*part, Box::new(self.said.values.clone())))
            }
            (Step::Alternative(index), Kind::Union(alternatives)) => self.alternative(*index, alternatives, rest),
            _ => Set::Any, // the type has no such step
        }
    }

    /// The alternative in the set, or any other.
    fn alternative(&mut self, index: u32, alternatives: &[Type], rest: &[Step]) -> Set {
        let mut parts = Vec::new();
        for (at, alternative) in (0_u32..).zip(alternatives) {
            let set = if at == index { self.values(alternative, rest) } else { Set::Any };
            parts.push(Set::Atom(Atom::Alternative(at, Box::new(set))));
        }
        Set::Or(parts)
    }

    /// At a list of which elements are spoken: at least one, unless a size that admits 0 is given.
    fn with_implied_size(&self, ty: &Type, set: Set) -> Set {
        let beside = self.beside.iter().any(|(steps, set)| *steps == self.way.as_slice() && gives_zero(Some(set)));
        match &ty.kind {
            Kind::List(_) | Kind::Argv if speaks_of_elements(&set) && !beside && !gives_zero(ty.refinement.as_ref()) => {
                not_empty(set)
            }
            _ => set, // no list
        }
    }
}

const EVERY_SIZE: Size = Size { low: 0, high: None };
const NOT_EMPTY: Size = Size { low: 1, high: None };

fn each(set: Set) -> Set {
    Set::Atom(Atom::Each(Box::new(set)))
}

/// The set, met with `size 1..` unless it gives a size itself that admits 0, or says so already.
fn not_empty(set: Set) -> Set {
    let size = Set::Atom(Atom::Size(NOT_EMPTY));
    if gives_zero(Some(&set)) {
        return set;
    }
    match set {
        Set::And(parts) if parts.contains(&size) => Set::And(parts),
        Set::And(mut parts) => {
            parts.push(size);
            Set::And(parts)
        }
        set => Set::And(vec![set, size]),
    }
}

/// Whether the set gives a size that admits 0.
fn gives_zero(set: Option<&Set>) -> bool {
    any_atom(set, &|atom| matches!(atom, Atom::Size(size) if size.low == 0))
}

/// Whether the set speaks of the elements of a list.
fn speaks_of_elements(set: &Set) -> bool {
    any_atom(Some(set), &|atom| matches!(atom, Atom::Each(_)))
}

fn any_atom(set: Option<&Set>, is: &dyn Fn(&Atom) -> bool) -> bool {
    match set {
        None | Some(Set::Any | Set::Never) => false,
        Some(Set::Atom(atom)) => is(atom),
        Some(Set::Not(inner)) => any_atom(Some(inner), is),
        Some(Set::And(parts) | Set::Or(parts)) => parts.iter().any(|part| any_atom(Some(part), is)),
    }
}

/// Sizes that `each` inside the elements of `set` implies.
fn implied(ty: &Type, set: &Set) -> Set {
    match set {
        Set::Any | Set::Never => set.clone(),
        Set::Atom(atom) => Set::Atom(implied_in_atom(ty, atom)),
        Set::Not(inner) => Set::Not(Box::new(implied(ty, inner))),
        Set::And(parts) => Set::And(parts.iter().map(|part| implied(ty, part)).collect()),
        Set::Or(parts) => Set::Or(parts.iter().map(|part| implied(ty, part)).collect()),
    }
}

fn implied_in_atom(ty: &Type, atom: &Atom) -> Atom {
    let inner = |ty: &Type, set: &Set| Box::new(implied_at(ty, set));
    match (atom, &ty.kind) {
        (Atom::Each(set), Kind::List(element)) => Atom::Each(inner(element, set)),
        (Atom::Values(set), Kind::Map(value)) => Atom::Values(inner(value, set)),
        (Atom::OneOrEach(set, size), Kind::OneOrList(element)) => Atom::OneOrEach(inner(element, set), *size),
        (Atom::Alternative(index, set), Kind::Union(alternatives)) => {
            let alternative = usize::try_from(*index).ok().and_then(|index| alternatives.get(index));
            Atom::Alternative(*index, alternative.map_or_else(|| set.clone(), |ty| inner(ty, set)))
        }
        (Atom::Field(name, slot), Kind::Record { members, .. }) => {
            let member = members.iter().find(|member| member.name == *name);
            let values = member.map_or_else(|| slot.values.clone(), |member| implied_at(&member.ty, &slot.values));
            Atom::Field(name.clone(), Box::new(Slot { values, null: slot.null, absent: slot.absent }))
        }
        _ => atom.clone(), // it has no elements
    }
}

/// As [`implied`], at a place of its own: a list there must not be empty either.
fn implied_at(ty: &Type, set: &Set) -> Set {
    let set = implied(ty, set);
    match &ty.kind {
        Kind::List(_) | Kind::Argv if speaks_of_elements(&set) && !gives_zero(ty.refinement.as_ref()) => not_empty(set),
        _ => set, // no list
    }
}

/// What a row demands of an argument beside its clauses: where its paths go into alternatives of a union, the value is of
/// one of those; [`Slot::ANY`] where none does. Meet it with the clauses.
pub fn mentioned_alternatives(member: &Member, paths: &[&[Step]]) -> Slot {
    let values = mentioned(&member.ty, paths);
    if values == Set::Any { Slot::ANY } else { Slot { values, null: true, absent: true } }
}

fn mentioned(ty: &Type, paths: &[&[Step]]) -> Set {
    let after = |step: &Step| -> Vec<&[Step]> {
        paths
            .iter()
            .filter_map(|path| path.split_first().filter(|(first, _)| *first == step).map(|(_, rest)| rest))
            .collect()
    };
    match &ty.kind {
        Kind::Union(alternatives) => {
            let named: Vec<(u32, Vec<&[Step]>, &Type)> = (0_u32..)
                .zip(alternatives)
                .map(|(index, alternative)| (index, after(&Step::Alternative(index)), alternative))
                .filter(|(_, rest, _)| !rest.is_empty())
                .collect();
            let all = named.len() == alternatives.len();
            let parts: Vec<Set> =
                named.into_iter().map(|(index, rest, ty)| (index, mentioned(ty, &rest))).map(alternative_set).collect();
            if parts.is_empty() || (all && parts.iter().all(demands_nothing)) { Set::Any } else { Set::Or(parts) }
        }
        Kind::Record { members, .. } => meet(members.iter().filter_map(|member| {
            match mentioned(&member.ty, &after(&Step::Field(member.name.clone()))) {
                Set::Any => None,
                values => {
                    let slot = Slot { values, null: true, absent: true };
                    Some(Set::Atom(Atom::Field(member.name.clone(), Box::new(slot))))
                }
            }
        })),
        Kind::List(element) => inside(mentioned(element, &after(&Step::Each)), Atom::Each),
        Kind::OneOrList(element) => {
            inside(mentioned(element, &after(&Step::OneOrEach)), |set| Atom::OneOrEach(set, EVERY_SIZE))
        }
        Kind::Map(value) => inside(mentioned(value, &after(&Step::Values)), Atom::Values),
        _ => Set::Any, // nothing inside has alternatives
    }
}

fn alternative_set((index, set): (u32, Set)) -> Set {
    Set::Atom(Atom::Alternative(index, Box::new(set)))
}

fn demands_nothing(set: &Set) -> bool {
    matches!(set, Set::Atom(Atom::Alternative(_, inner)) if **inner == Set::Any)
}

fn inside(set: Set, atom: impl Fn(Box<Set>) -> Atom) -> Set {
    if set == Set::Any { Set::Any } else { Set::Atom(atom(Box::new(set))) }
}

fn meet(parts: impl Iterator<Item = Set>) -> Set {
    let mut parts: Vec<Set> = parts.collect();
    match parts.len() {
        0 => Set::Any,
        1 => parts.pop().unwrap_or(Set::Any),
        _ => Set::And(parts),
    }
}
