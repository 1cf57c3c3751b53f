//! Two slots → their meet in the plainest words: one of the two where it lies in the other, values counted out, ranges cut.
//! Knows no layers.

use crate::domain::{Atom, Bound, Comparison, Decimal, Member, Range, Set, Slot, Value, Work, cells};

/// The meet of two slots of one member.
pub(super) fn meet(member: &Member, a: &Slot, b: &Slot, work: &mut Work) -> Result<Slot, Bound> {
    let values = meet_sets(member, &a.values, &b.values, work)?;
    Ok(Slot { values, null: a.null && b.null, absent: a.absent && b.absent })
}

fn meet_sets(member: &Member, a: &Set, b: &Set, work: &mut Work) -> Result<Set, Bound> {
    let found = cells(&member.ty, &[a, b], work)?;
    if found.iter().all(|cell| cell.vector.get(1) || !cell.vector.get(0)) {
        return Ok(a.clone());
    }
    if found.iter().all(|cell| cell.vector.get(0) || !cell.vector.get(1)) {
        return Ok(b.clone());
    }
    if let Some(set) = counted(member, a, b, work)? {
        return Ok(set);
    }
    Ok(match (a, b) {
        (Set::Atom(Atom::Numbers(a)), Set::Atom(Atom::Numbers(b))) => Set::Atom(Atom::Numbers(cut(a, b))),
        (Set::Atom(Atom::Times(a)), Set::Atom(Atom::Times(b))) => Set::Atom(Atom::Times(cut(a, b))),
        (Set::Atom(_) | Set::Any | Set::Never | Set::Not(_) | Set::And(_) | Set::Or(_), _) => {
            Set::And(vec![a.clone(), b.clone()])
        }
    })
}

/// Where one side lists values: those that the other admits.
fn counted(member: &Member, a: &Set, b: &Set, work: &mut Work) -> Result<Option<Set>, Bound> {
    let (list, other) = match (a, b) {
        (Set::Atom(Atom::OneOf(list)), other) | (other, Set::Atom(Atom::OneOf(list))) => (list, other),
        (Set::Atom(_) | Set::Any | Set::Never | Set::Not(_) | Set::And(_) | Set::Or(_), _) => return Ok(None),
    };
    let mut kept: Vec<Value> = Vec::new();
    for value in list {
        let one = Set::Atom(Atom::OneOf(vec![value.clone()]));
        if cells(&member.ty, &[&one, other], work)?.iter().any(|c| c.vector.get(0) && c.vector.get(1)) {
            kept.push(value.clone());
        }
    }
    Ok(Some(if kept.is_empty() { Set::Never } else { Set::Atom(Atom::OneOf(kept)) }))
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
