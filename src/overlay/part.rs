//! A set and paths into its type → the cylinder over these paths: what agrees there with something in the set. Exact where
//! it answers; says so where it cannot.
//!
//! Elimination, not enumeration: a set falls into meets of literals, each about one component; in a meet the components are
//! independent, so what is not mentioned need only be possible.

use super::conjunct::{Literal, conjuncts, meet, union};
use crate::domain::{Atom, Bound, Kind, Member, Part, Rest, Set, Slot, Step, Type, Work, is_empty};
use std::collections::BTreeMap;

/// The values that agree, at `paths`, with some value of `set`, as a set that speaks of these paths alone.
pub(super) fn cylinder(ty: &Type, set: &Set, paths: &[&[Step]], work: &mut Work) -> Result<Set, Bound> {
    if paths.iter().any(|path| path.is_empty()) || *set == Set::Any && ty.refinement.is_none() {
        return Ok(set.clone());
    }
    let within = match &ty.refinement {
        Some(refinement) => Set::And(vec![set.clone(), refinement.clone()]),
        None => set.clone(),
    };
    if paths.is_empty() {
        return Ok(if is_empty(ty, set, work)? { Set::Never } else { Set::Any });
    }
    if let Kind::Union(alternatives) = &ty.kind {
        return union_cylinder(alternatives, &within, paths, work);
    }
    let mut found = Vec::new();
    for literals in conjuncts(&within)? {
        if !is_empty(ty, &meet(&literals), work)? {
            found.push(of_meet(ty, &literals, paths, work)?);
        }
    }
    Ok(union(found))
}

/// The cylinder of a meet that is not empty.
fn of_meet(ty: &Type, literals: &[Literal], paths: &[&[Step]], work: &mut Work) -> Result<Set, Bound> {
    match &ty.kind {
        Kind::Record { members, rest } => record(members, rest, literals, paths, work),
        Kind::Url { .. } | Kind::Email => Ok(parts(literals, paths)),
        Kind::List(element) => list(element, literals, paths, work),
        Kind::OneOrList(element) => one_or_list(element, literals, paths, work),
        Kind::Map(value) => map(value, literals, paths, work),
        Kind::Union(_)
        | Kind::Bool
        | Kind::Enum(_)
        | Kind::Number(_)
        | Kind::Text { .. }
        | Kind::Host
        | Kind::Path { .. }
        | Kind::Ip
        | Kind::Time(_)
        | Kind::Argv
        | Kind::OpaqueText
        | Kind::OpaqueJson => Ok(meet(literals)),
    }
}

/// The ways on after `step`, if any begins with it.
fn after<'p>(paths: &[&'p [Step]], step: &Step) -> Vec<&'p [Step]> {
    paths.iter().filter_map(|path| path.split_first()).filter(|(s, _)| *s == step).map(|(_, rest)| rest).collect()
}

/// The demands that literals make on each member of a record, as one slot each.
pub(super) fn slots_of(literals: &[Literal]) -> BTreeMap<Box<str>, Slot> {
    let mut slots: BTreeMap<Box<str>, Slot> = BTreeMap::new();
    for literal in literals {
        let Atom::Field(name, slot) = literal.atom() else { continue };
        let demand = match literal {
            Literal::Is(_) => (**slot).clone(),
            Literal::IsNot(_) => {
                Slot { values: Set::Not(Box::new(slot.values.clone())), null: !slot.null, absent: !slot.absent }
            }
        };
        let before = slots.remove(name).unwrap_or(Slot::ANY);
        let values = Set::And(vec![before.values, demand.values]);
        let met = Slot { values, null: before.null && demand.null, absent: before.absent && demand.absent };
        slots.insert(name.clone(), met);
    }
    slots
}

fn record(members: &[Member], rest: &Rest, literals: &[Literal], paths: &[&[Step]], work: &mut Work) -> Result<Set, Bound> {
    let mut kept = Vec::new();
    for (name, slot) in slots_of(literals) {
        let on = after(paths, &Step::Field(name.clone()));
        if on.is_empty() {
            continue;
        }
        let member = members.iter().find(|m| m.name == name);
        let slot = match (member, rest) {
            (Some(member), _) => Slot { values: cylinder(&member.ty, &slot.values, &on, work)?, ..slot },
            (None, Rest::Typed(ty)) => Slot { values: cylinder(ty, &slot.values, &on, work)?, ..slot },
            (None, Rest::Closed | Rest::Open) => slot,
        };
        kept.push(Set::Atom(Atom::Field(name, Box::new(slot))));
    }
    Ok(if kept.is_empty() { Set::Any } else { Set::And(kept) })
}

fn parts(literals: &[Literal], paths: &[&[Step]]) -> Set {
    let mentioned = |part: &Part| paths.contains(&[Step::Part(*part)].as_slice());
    meet(literals.iter().filter(|literal| matches!(literal.atom(), Atom::Part(part, _) if mentioned(part))))
}

/// Each element by itself; what some element must not be holds of one element, so at most one such literal is answered.
fn list(element: &Type, literals: &[Literal], paths: &[&[Step]], work: &mut Work) -> Result<Set, Bound> {
    let on = after(paths, &Step::Each);
    let every = every(literals, |atom| if let Atom::Each(set) = atom { Some(set) } else { None });
    let mut kept: Vec<Set> = vec![Set::Atom(Atom::Each(Box::new(cylinder(element, &every, &on, work)?)))];
    let mut refuted = 0;
    for literal in literals {
        match literal {
            Literal::Is(Atom::Each(_)) => {}
            Literal::IsNot(Atom::Each(set)) => {
                refuted += 1;
                let outside = Set::And(vec![every.clone(), Set::Not(set.clone())]);
                let outside = cylinder(element, &outside, &on, work)?;
                let none = Set::Atom(Atom::Each(Box::new(Set::Not(Box::new(outside)))));
                kept.push(Set::Not(Box::new(none)));
            }
            // Sizes are kept: a projection of a list has as many elements.
            other => kept.push(other.set()),
        }
    }
    if refuted > 1 {
        return Err(Bound::new("complements of several sets over the elements of one list"));
    }
    Ok(Set::And(kept))
}

/// The meet of all sets that must hold of every element.
fn every<'l>(literals: &'l [Literal], of: impl Fn(&'l Atom) -> Option<&'l Set>) -> Set {
    let sets = literals.iter().filter_map(|literal| match literal {
        Literal::Is(atom) => of(atom).cloned(),
        Literal::IsNot(_) => None,
    });
    Set::And(sets.collect())
}

fn one_or_list(element: &Type, literals: &[Literal], paths: &[&[Step]], work: &mut Work) -> Result<Set, Bound> {
    let on = after(paths, &Step::OneOrEach);
    let every = every(literals, |atom| if let Atom::OneOrEach(set, _) = atom { Some(set) } else { None });
    let every = cylinder(element, &every, &on, work)?;
    let mut kept = Vec::new();
    for literal in literals {
        match literal {
            Literal::Is(Atom::OneOrEach(_, size)) => {
                kept.push(Set::Atom(Atom::OneOrEach(Box::new(every.clone()), *size)));
            }
            Literal::IsNot(Atom::OneOrEach(..)) => {
                return Err(Bound::new("the complement of a set over one value or each element"));
            }
            other => kept.push(other.set()),
        }
    }
    Ok(if kept.is_empty() { Set::Any } else { Set::And(kept) })
}

fn map(value: &Type, literals: &[Literal], paths: &[&[Step]], work: &mut Work) -> Result<Set, Bound> {
    let (keys, values) = (after(paths, &Step::Keys), after(paths, &Step::Values));
    let whole = |on: &[&[Step]]| on.iter().any(|path| path.is_empty());
    let all_values = every(literals, |atom| if let Atom::Values(set) = atom { Some(set) } else { None });
    let mut kept = Vec::new();
    for literal in literals {
        match literal {
            Literal::Is(Atom::Keys(_)) if whole(&keys) => kept.push(literal.set()),
            // Finitely many keys bound the size even where keys are not mentioned.
            Literal::Is(Atom::Keys(_)) => return Err(Bound::new("keys of a map that a clause on its values leaves open")),
            Literal::Is(Atom::Values(_)) => {}
            Literal::IsNot(Atom::Keys(_) | Atom::Values(_)) => {
                return Err(Bound::new("the complement of a set over the entries of a map"));
            }
            other => kept.push(other.set()),
        }
    }
    let possible = if values.is_empty() {
        if is_empty(value, &all_values, work)? { Set::Never } else { Set::Any }
    } else {
        cylinder(value, &all_values, &values, work)?
    };
    kept.push(Set::Atom(Atom::Values(Box::new(possible))));
    Ok(Set::And(kept))
}

/// Which alternative a value is of stays visible; below the mentioned ones, the cylinder.
fn union_cylinder(alternatives: &[Type], set: &Set, paths: &[&[Step]], work: &mut Work) -> Result<Set, Bound> {
    let mut found = Vec::new();
    for (index, ty) in (0u32..).zip(alternatives) {
        let own = in_alternative(set, index);
        let on = after(paths, &Step::Alternative(index));
        let seen = cylinder(ty, &own, &on, work)?;
        if seen != Set::Never {
            found.push(Set::Atom(Atom::Alternative(index, Box::new(seen))));
        }
    }
    Ok(union(found))
}

/// What `set` over a union says of alternative `index`.
pub(super) fn in_alternative(set: &Set, index: u32) -> Set {
    match set {
        Set::Any | Set::Never => set.clone(),
        Set::Atom(Atom::Alternative(of, inner)) if *of == index => (**inner).clone(),
        Set::Atom(Atom::Alternative(..)) => Set::Never,
        Set::Atom(_) => set.clone(),
        Set::Not(inner) => Set::Not(Box::new(in_alternative(inner, index))),
        Set::And(parts) => Set::And(parts.iter().map(|part| in_alternative(part, index)).collect()),
        Set::Or(parts) => Set::Or(parts.iter().map(|part| in_alternative(part, index)).collect()),
    }
}
