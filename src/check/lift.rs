//! A demand at the end of a path → the demand on the whole argument.
//!
//! A clause on a member demands every `optional` thing on its way; what `or absent` and `or null` admit names nothing and
//! passes. A path through `each` implies `size 1..` unless the row or the type admits the empty list. A row that speaks of
//! some alternatives of a union excludes those that it does not mention.

use super::paths::{part_type, undeclared};
use super::sets::{self, type_admits_empty};
use crate::domain::{Atom, Kind, Member, Presence, Rest, Set, Size, Slot, Step, Type};
use std::collections::{BTreeMap, BTreeSet};

/// What all clauses of one row say together about lists and unions: by path from the argument's name on.
#[derive(Default)]
pub struct Row {
    /// Lists that may be empty because a clause says so.
    pub admits_empty: BTreeSet<Vec<Step>>,
    /// Alternatives that some clause mentions.
    pub mentioned: BTreeMap<Vec<Step>, BTreeSet<u32>>,
}

impl Row {
    /// Notes the alternatives that a way goes through, and those that a set at its end names.
    pub fn mention(&mut self, way: &[Step], set: &Set) {
        let named = named(set);
        if !named.is_empty() {
            self.mentioned.entry(way.to_vec()).or_default().extend(named);
        }
        for (at, step) in way.iter().enumerate() {
            if let Step::Alternative(index) = step {
                self.mentioned.entry(way[..at].to_vec()).or_default().insert(*index);
            }
        }
    }
}

/// The demand on `member` itself that `slot` is at the end of `way[so_far..]`; `way` begins with the member's own step.
pub fn lift(row: &Row, member: &Member, way: &[Step], so_far: usize, slot: &Slot) -> Slot {
    let last = !way[so_far..].iter().any(|step| matches!(step, Step::Field(_)));
    Slot {
        values: lift_set(row, &member.ty, way, so_far, slot),
        null: if last { slot.null } else { member.ty.null },
        absent: if last { slot.absent } else { member.presence == Presence::OrAbsent },
    }
}

fn lift_set(row: &Row, ty: &Type, way: &[Step], so_far: usize, slot: &Slot) -> Set {
    let Some(step) = way.get(so_far) else { return at_end(row, ty, way, slot) };
    let inside = |ty: &Type| Box::new(lift_set(row, ty, way, so_far + 1, slot));
    let may_be_empty = || type_admits_empty(ty) || row.admits_empty.contains(&way[..so_far]);
    match (step, &ty.kind) {
        (Step::Field(name), Kind::Record { members, rest }) => {
            let member = match (members.iter().find(|member| member.name == *name), rest) {
                (Some(member), _) => member.clone(),
                (None, Rest::Typed(ty)) => undeclared(name, ty),
                (None, Rest::Closed | Rest::Open) => return Set::Never,
            };
            Set::Atom(Atom::Field(name.clone(), Box::new(lift(row, &member, way, so_far + 1, slot))))
        }
        (Step::Each, Kind::List(element)) => {
            let size = if may_be_empty() { Set::Any } else { sets::at_least_one() };
            sets::all([Set::Atom(Atom::Each(inside(element))), size])
        }
        (Step::OneOrEach, Kind::OneOrList(element)) => {
            let size = Size { low: u64::from(!may_be_empty()), high: None };
            Set::Atom(Atom::OneOrEach(inside(element), size))
        }
        (Step::Keys, Kind::Map(_)) => Set::Atom(Atom::Keys(inside(&super::literals::word_type()))),
        (Step::Values, Kind::Map(value)) => Set::Atom(Atom::Values(inside(value))),
        (Step::Part(part), Kind::Url { .. } | Kind::Email) => Set::Atom(Atom::Part(*part, inside(&part_type(*part)))),
        (Step::Alternative(index), Kind::Union(types)) => {
            let Some(alternative) = types.get(*index as usize) else { return Set::Never };
            let own = Set::Atom(Atom::Alternative(*index, inside(alternative)));
            sets::any(std::iter::once(own).chain(others(row, &way[..so_far], &BTreeSet::from([*index]))))
        }
        _ => Set::Never, // a path that was resolved on this type never comes here
    }
}

fn at_end(row: &Row, ty: &Type, way: &[Step], slot: &Slot) -> Set {
    match &ty.kind {
        Kind::Union(types) => {
            let own = spoken_of(&slot.values, types.len());
            sets::any(std::iter::once(slot.values.clone()).chain(others(row, way, &own)))
        }
        _ => slot.values.clone(),
    }
}

/// The alternatives that other clauses of the row mention: free here, and cut by those.
fn others(row: &Row, at: &[Step], own: &BTreeSet<u32>) -> Vec<Set> {
    let mentioned = row.mentioned.get(at).into_iter().flatten();
    mentioned
        .filter(|index| !own.contains(index))
        .map(|index| Set::Atom(Atom::Alternative(*index, Box::new(Set::Any))))
        .collect()
}

/// The alternatives that a set over the union itself names; `any` names none.
fn named(set: &Set) -> BTreeSet<u32> {
    match set {
        Set::Atom(Atom::Alternative(index, _)) => BTreeSet::from([*index]),
        Set::And(sets) | Set::Or(sets) => sets.iter().flat_map(named).collect(),
        Set::Any | Set::Never | Set::Not(_) | Set::Atom(_) => BTreeSet::new(),
    }
}

/// The alternatives that a set over the union itself decides about.
fn spoken_of(set: &Set, count: usize) -> BTreeSet<u32> {
    match set {
        Set::Atom(Atom::Alternative(index, _)) => BTreeSet::from([*index]),
        Set::And(sets) | Set::Or(sets) => sets.iter().flat_map(|set| spoken_of(set, count)).collect(),
        Set::Never => BTreeSet::new(),
        Set::Any | Set::Not(_) | Set::Atom(_) => (0..u32::try_from(count).unwrap_or(u32::MAX)).collect(),
    }
}
