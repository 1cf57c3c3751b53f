//! Two slots → their meet in the plainest words: one of the two where it lies in the other, values counted out, ranges cut,
//! element by element. Knows no layers.

use crate::domain::{Atom, Bound, Comparison, Decimal, Kind, Member, Range, Set, Size, Slot, Type, Value, Work, cells};

/// The meet of two slots of one member.
pub(super) fn meet(member: &Member, a: &Slot, b: &Slot, work: &mut Work) -> Result<Slot, Bound> {
    let (x, y) = (plain(&member.ty, &a.values, work)?, plain(&member.ty, &b.values, work)?);
    let values = meet_sets(&member.ty, &x, &y, work)?;
    Ok(Slot { values, null: a.null && b.null, absent: a.absent && b.absent })
}

/// A meet of several parts, part by part.
fn plain(ty: &Type, set: &Set, work: &mut Work) -> Result<Set, Bound> {
    match set {
        Set::And(parts) => parts.iter().try_fold(Set::Any, |all, part| meet_sets(ty, &all, &plain(ty, part, work)?, work)),
        Set::Any | Set::Never | Set::Atom(_) | Set::Not(_) | Set::Or(_) => Ok(set.clone()),
    }
}

/// The meet of two sets over one type.
fn meet_sets(ty: &Type, a: &Set, b: &Set, work: &mut Work) -> Result<Set, Bound> {
    let found = cells(ty, &[a, b], work)?;
    if !found.iter().any(|cell| cell.vector.get(0) && cell.vector.get(1)) {
        return Ok(Set::Never);
    }
    if found.iter().all(|cell| cell.vector.get(1) || !cell.vector.get(0)) {
        return Ok(a.clone());
    }
    if found.iter().all(|cell| cell.vector.get(0) || !cell.vector.get(1)) {
        return Ok(b.clone());
    }
    match (a, b) {
        (Set::Or(parts), other) | (other, Set::Or(parts)) => distributed(ty, parts, other, work),
        (Set::Atom(Atom::OneOf(list)), other) | (other, Set::Atom(Atom::OneOf(list))) => counted(ty, list, other, work),
        (Set::Atom(Atom::Numbers(a)), Set::Atom(Atom::Numbers(b))) => Ok(Set::Atom(Atom::Numbers(cut(a, b)))),
        (Set::Atom(Atom::Times(a)), Set::Atom(Atom::Times(b))) => Ok(Set::Atom(Atom::Times(cut(a, b)))),
        (Set::Atom(Atom::Values(a)), Set::Atom(Atom::Values(b))) => match &ty.kind {
            Kind::Map(value) => Ok(Set::Atom(Atom::Values(Box::new(meet_sets(value, a, b, work)?)))),
            // Of no other kind is this said.
            _no_map => Ok(Set::Never),
        },
        // What has no length in common lies side by side: one value alone may lie in both.
        (Set::Atom(Atom::OneOrEach(a, of_a)), Set::Atom(Atom::OneOrEach(b, of_b))) if meets(narrower(*of_a, *of_b)) => {
            match &ty.kind {
                Kind::OneOrList(element) => {
                    let both = meet_sets(element, a, b, work)?;
                    Ok(Set::Atom(Atom::OneOrEach(Box::new(both), narrower(*of_a, *of_b))))
                }
                // Of no other kind is this said.
                _one => Ok(Set::Never),
            }
        }
        (a, b) => match (&ty.kind, Elements::of(a), Elements::of(b)) {
            (Kind::List(element), Some(a), Some(b)) => Ok(a.meet(&b, element, work)?.set()),
            // Of other kinds, both demands stand side by side.
            _side_by_side => Ok(Set::And(vec![a.clone(), b.clone()])),
        },
    }
}

/// The meet of each part with `other`.
fn distributed(ty: &Type, parts: &[Set], other: &Set, work: &mut Work) -> Result<Set, Bound> {
    let mut kept: Vec<Set> = Vec::new();
    for part in parts {
        let met = meet_sets(ty, part, other, work)?;
        if met != Set::Never && !kept.contains(&met) {
            kept.push(met);
        }
    }
    Ok(if kept.len() == 1 { kept.remove(0) } else { Set::Or(kept) })
}

/// The values of the list that `other` admits.
fn counted(ty: &Type, list: &[Value], other: &Set, work: &mut Work) -> Result<Set, Bound> {
    let mut kept: Vec<Value> = Vec::new();
    for value in list {
        let one = Set::Atom(Atom::OneOf(vec![value.clone()]));
        if cells(ty, &[&one, other], work)?.iter().any(|c| c.vector.get(0) && c.vector.get(1)) {
            kept.push(value.clone());
        }
    }
    Ok(Set::Atom(Atom::OneOf(kept)))
}

/// A set over lists that says one thing of every element, and one of the size.
struct Elements {
    each: Set,
    size: Size,
}

impl Elements {
    fn of(set: &Set) -> Option<Elements> {
        let any = || Elements { each: Set::Any, size: Size { low: 0, high: None } };
        match set {
            Set::Atom(Atom::Each(each)) => Some(Elements { each: (**each).clone(), ..any() }),
            Set::Atom(Atom::Size(size)) => Some(Elements { size: *size, ..any() }),
            Set::And(parts) => parts.iter().try_fold(any(), |all, part| {
                let part = Elements::of(part)?;
                let each = match (all.each, part.each) {
                    (Set::Any, each) | (each, Set::Any) => each,
                    (a, b) => Set::And(vec![a, b]),
                };
                Some(Elements { each, size: narrower(all.size, part.size) })
            }),
            Set::Any => Some(any()),
            Set::Never | Set::Not(_) | Set::Or(_) | Set::Atom(_) => None,
        }
    }

    fn meet(&self, other: &Elements, element: &Type, work: &mut Work) -> Result<Elements, Bound> {
        let each = meet_sets(element, &self.each, &other.each, work)?;
        Ok(Elements { each, size: narrower(self.size, other.size) })
    }

    fn set(self) -> Set {
        Set::And(vec![Set::Atom(Atom::Each(Box::new(self.each))), Set::Atom(Atom::Size(self.size))])
    }
}

fn narrower(a: Size, b: Size) -> Size {
    let high = match (a.high, b.high) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    Size { low: a.low.max(b.low), high }
}

/// Whether some length lies in the size.
fn meets(size: Size) -> bool {
    size.high.is_none_or(|high| size.low <= high)
}

/// What lies in both ranges.
fn cut(a: &Range<Decimal>, b: &Range<Decimal>) -> Range<Decimal> {
    Range { low: tighter(&a.low, &b.low, |x, y| x > y), high: tighter(&a.high, &b.high, |x, y| x < y) }
}

type End = Option<(Decimal, Comparison)>;

fn tighter(a: &End, b: &End, beyond: fn(&Decimal, &Decimal) -> bool) -> End {
    match (a, b) {
        (None, end) | (end, None) => end.clone(),
        (Some((x, _)), Some((y, _))) if beyond(x, y) => a.clone(),
        (Some((x, _)), Some((y, _))) if beyond(y, x) => b.clone(),
        (Some((_, Comparison::Exclusive)), Some(_)) => a.clone(),
        (Some((_, Comparison::Inclusive)), Some(_)) => b.clone(),
    }
}
