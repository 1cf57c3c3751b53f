//! A set and paths into its type → the cylinder over these paths: what agrees there with something in the set. Exact where
//! it answers; says so where it cannot.
//!
//! Elimination, not enumeration: a set falls into meets of literals, each about one component; in a meet the components are
//! independent, so what is not mentioned need only be possible.

use super::conjunct::{Literal, conjuncts, meet, union};
use crate::domain::{Atom, Bound, Kind, Member, Part, Rest, Set, Size, Slot, Step, Type, Work, is_empty};
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

/// Each element by itself, and what some element must not be.
fn list(element: &Type, literals: &[Literal], paths: &[&[Step]], work: &mut Work) -> Result<Set, Bound> {
    let on = after(paths, &Step::Each);
    let of = |atom: &Atom| if let Atom::Each(set) = atom { Some((**set).clone()) } else { None };
    let seen = Elements::of(literals, of);
    let each = |set| Set::Atom(Atom::Each(Box::new(set)));
    let mut kept = vec![each(seen.every(element, &on, work)?)];
    kept.extend(seen.some_outside(element, &on, &each, work)?);
    // Sizes are kept: a projection of a list has as many elements.
    kept.extend(literals.iter().filter(|literal| of(literal.atom()).is_none()).map(Literal::set));
    Ok(Set::And(kept))
}

/// What literals demand of the elements of a list or the values of a map.
struct Elements {
    /// Of every one.
    every: Set,
    /// Each of these must not hold of some element.
    refuted: Vec<Set>,
}

impl Elements {
    fn of(literals: &[Literal], of: impl Fn(&Atom) -> Option<Set>) -> Elements {
        let (mut every, mut refuted) = (Vec::new(), Vec::new());
        for literal in literals {
            match (literal, of(literal.atom())) {
                (Literal::Is(_), Some(set)) => every.push(set),
                (Literal::IsNot(_), Some(set)) => refuted.push(set),
                (Literal::Is(_) | Literal::IsNot(_), None) => {}
            }
        }
        Elements { every: Set::And(every), refuted }
    }

    /// The cylinder over `on` of what must hold of every element.
    fn every(&self, element: &Type, on: &[&[Step]], work: &mut Work) -> Result<Set, Bound> {
        cylinder(element, &self.every, on, work)
    }

    /// That some element is outside, for each refuted set, as far as `on` shows it; `each` makes a set over all elements.
    fn some_outside(
        &self,
        element: &Type,
        on: &[&[Step]],
        each: &impl Fn(Set) -> Set,
        work: &mut Work,
    ) -> Result<Vec<Set>, Bound> {
        let mut outside = Vec::new();
        for refuted in &self.refuted {
            outside.push(cylinder(element, &self.outside([refuted]), on, work)?);
        }
        self.one_may_serve_all(element, on, &outside, work)?;
        Ok(outside.into_iter().map(|set| Set::Not(Box::new(each(Set::Not(Box::new(set)))))).collect())
    }

    /// What lies in every set that must hold, and in none of `refuted`.
    fn outside<'s>(&self, refuted: impl IntoIterator<Item = &'s Set>) -> Set {
        let not = refuted.into_iter().map(|set| Set::Not(Box::new(set.clone())));
        Set::And(std::iter::once(self.every.clone()).chain(not).collect())
    }

    /// Where one element is, as far as it is seen, outside several sets, it must be able to be outside all of them at once;
    /// else the elements would have to be counted.
    fn one_may_serve_all(&self, element: &Type, on: &[&[Step]], outside: &[Set], work: &mut Work) -> Result<(), Bound> {
        const COUNTED: &str = "complements of several sets over the elements of one list or map";
        if outside.len() > 6 {
            return Err(Bound::new(COUNTED));
        }
        for group in 1_usize..1 << outside.len() {
            let chosen = |at: &usize| (group >> at) & 1 == 1;
            let members: Vec<usize> = (0..outside.len()).filter(chosen).collect();
            if members.len() < 2 {
                continue;
            }
            let at_once = self.outside(members.iter().filter_map(|at| self.refuted.get(*at)));
            let at_once = cylinder(element, &at_once, on, work)?;
            let mut seen: Vec<Set> = members.iter().filter_map(|at| outside.get(*at).cloned()).collect();
            seen.push(Set::Not(Box::new(at_once)));
            if !is_empty(element, &Set::And(seen), work)? {
                return Err(Bound::new(COUNTED));
            }
        }
        Ok(())
    }
}

/// As a list; one value is its own only element.
fn one_or_list(element: &Type, literals: &[Literal], paths: &[&[Step]], work: &mut Work) -> Result<Set, Bound> {
    let on = after(paths, &Step::OneOrEach);
    let (mut whole, mut open) = (Vec::new(), Vec::new());
    for literal in literals {
        match literal {
            Literal::IsNot(Atom::OneOrEach(set, size)) if *size != ANY_SIZE => open.push((set, *size)),
            other => whole.push(other.clone()),
        }
    }
    let ty = Type { refinement: None, null: false, kind: Kind::OneOrList(Box::new(element.clone())) };
    // Outside a set with a size is whatever has another size, or some element outside.
    let mut found = Vec::new();
    for choice in 0_usize..1 << open.len().min(8) {
        let mut chosen = whole.clone();
        for (at, (set, size)) in open.iter().enumerate() {
            chosen.push(Literal::IsNot(match (choice >> at) & 1 {
                0 => Atom::OneOrEach((*set).clone(), ANY_SIZE),
                _size => Atom::OneOrEach(Box::new(Set::Any), *size),
            }));
        }
        if is_empty(&ty, &meet(&chosen), work)? {
            continue;
        }
        found.push(one_or_list_meet(element, &chosen, &on, work)?);
    }
    if open.len() > 8 {
        return Err(Bound::new("complements of many sets over one value or each element"));
    }
    Ok(union(found))
}

const ANY_SIZE: Size = Size { low: 0, high: None };

fn one_or_list_meet(element: &Type, literals: &[Literal], on: &[&[Step]], work: &mut Work) -> Result<Set, Bound> {
    // The complement of a size alone speaks of no element.
    let of_elements = |literal: &&Literal| match literal {
        Literal::IsNot(Atom::OneOrEach(set, _)) => **set != Set::Any,
        Literal::Is(_) | Literal::IsNot(_) => true,
    };
    let speaking: Vec<Literal> = literals.iter().filter(of_elements).cloned().collect();
    let seen = Elements::of(&speaking, |atom| if let Atom::OneOrEach(set, _) = atom { Some((**set).clone()) } else { None });
    let each = |set| Set::Atom(Atom::OneOrEach(Box::new(set), ANY_SIZE));
    let every = seen.every(element, on, work)?;
    let mut kept = seen.some_outside(element, on, &each, work)?;
    for literal in literals {
        match literal {
            Literal::Is(Atom::OneOrEach(_, size)) => kept.push(Set::Atom(Atom::OneOrEach(Box::new(every.clone()), *size))),
            Literal::IsNot(Atom::OneOrEach(set, _)) if **set != Set::Any => {}
            other => kept.push(other.set()),
        }
    }
    Ok(if kept.is_empty() { Set::Any } else { Set::And(kept) })
}

/// Keys and values of a map, each by themselves: who sees the values alone sees neither the keys nor how many there can be,
/// and the other way round; that there must be an entry, or can be none, is seen.
fn map(value: &Type, literals: &[Literal], paths: &[&[Step]], work: &mut Work) -> Result<Set, Bound> {
    let (keys, values) = (after(paths, &Step::Keys), after(paths, &Step::Values));
    let of = |atom: &Atom| if let Atom::Values(set) = atom { Some((**set).clone()) } else { None };
    let size = |low, high| Set::Atom(Atom::Size(Size { low, high }));
    let ty = Type { refinement: None, null: false, kind: Kind::Map(Box::new(value.clone())) };
    let possible = |set: Set, work: &mut Work| Ok(!is_empty(&ty, &Set::And(vec![meet(literals), set]), work)?);
    let mut kept = Vec::new();
    if !possible(size(1, None), work)? {
        kept.push(size(0, Some(0)));
    }
    if !possible(size(0, Some(0)), work)? {
        kept.push(size(1, None));
    }
    for literal in literals {
        match literal.atom() {
            Atom::Keys(_) if keys.is_empty() => {}
            Atom::Values(_) => {}
            _key_or_size => kept.push(literal.set()),
        }
    }
    if !values.is_empty() {
        let each = |set| Set::Atom(Atom::Values(Box::new(set)));
        let seen = Elements::of(literals, of);
        kept.push(each(seen.every(value, &values, work)?));
        kept.extend(seen.some_outside(value, &values, &each, work)?);
    }
    Ok(if kept.is_empty() { Set::Any } else { Set::And(kept) })
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
