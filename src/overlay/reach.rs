//! A slot of an argument and a way into it → what may stand at its end. Knows no limits.

use super::conjunct::{Literal, conjuncts, meet, union};
use super::part::{in_alternative, slots_of};
use crate::domain::{
    Atom, Bound, Comparison, Kind, Member, Range, Set, Size, Slot, Step, TimeKind, Type, Value, Work, is_empty, parse_time,
};

/// The values x such that the slot admits an argument in which everything at the end of `steps` is x.
pub(super) fn along(member: &Member, steps: &[Step], slot: &Slot, work: &mut Work) -> Result<Slot, Bound> {
    let values = in_type(&member.ty, steps, &slot.values, work)?;
    Ok(Slot { values, null: false, absent: slot.absent })
}

fn in_type(ty: &Type, steps: &[Step], set: &Set, work: &mut Work) -> Result<Set, Bound> {
    let within = match &ty.refinement {
        Some(refinement) => Set::And(vec![set.clone(), refinement.clone()]),
        None => set.clone(),
    };
    let Some((step, rest)) = steps.split_first() else { return Ok(within) };
    if let (Step::Alternative(index), Kind::Union(alternatives)) = (step, &ty.kind) {
        let Some(alternative) = alternatives.get(*index as usize) else { return Ok(Set::Never) };
        return in_type(alternative, rest, &in_alternative(&within, *index), work);
    }
    let mut found = Vec::new();
    for literals in conjuncts(&within)? {
        if !is_empty(ty, &meet(&literals), work)? {
            found.push(one_step(ty, step, rest, &literals, work)?);
        }
    }
    Ok(union(found))
}

/// One step into a meet that is not empty, then the rest.
fn one_step(ty: &Type, step: &Step, rest: &[Step], literals: &[Literal], work: &mut Work) -> Result<Set, Bound> {
    match (step, &ty.kind) {
        (Step::Field(name), Kind::Record { members, .. }) => {
            let Some(member) = members.iter().find(|m| m.name == *name) else { return Ok(Set::Never) };
            let slot = slots_of(literals).remove(name).unwrap_or(Slot::ANY);
            in_type(&member.ty, rest, &slot.values, work)
        }
        (Step::Part(part), _) => Ok(all(literals, |atom| match atom {
            Atom::Part(of, set) if of == part => Some((**set).clone()),
            _other_component => None,
        })),
        (Step::Each, Kind::List(element)) => {
            if only_empty(ty, literals, work)? {
                return Ok(Set::Never);
            }
            let set = all(literals, |atom| if let Atom::Each(set) = atom { Some((**set).clone()) } else { None });
            in_type(element, rest, &set, work)
        }
        (Step::OneOrEach, Kind::OneOrList(element)) => {
            let set = all(literals, |atom| if let Atom::OneOrEach(set, _) = atom { Some((**set).clone()) } else { None });
            in_type(element, rest, &set, work)
        }
        (Step::Values, Kind::Map(value)) => {
            if only_empty(ty, literals, work)? {
                return Ok(Set::Never);
            }
            let set = all(literals, |atom| if let Atom::Values(set) = atom { Some((**set).clone()) } else { None });
            in_type(value, rest, &set, work)
        }
        (Step::Keys, Kind::Map(_)) => {
            let one = Literal::Is(Atom::Size(Size { low: 1, high: Some(1) }));
            let with_one: Vec<Literal> = literals.iter().cloned().chain([one]).collect();
            if is_empty(ty, &meet(&with_one), work)? {
                return Ok(Set::Never);
            }
            Ok(all(literals, |atom| if let Atom::Keys(set) = atom { Some((**set).clone()) } else { None }))
        }
        (Step::Field(_) | Step::Each | Step::OneOrEach | Step::Keys | Step::Values | Step::Alternative(_), _) => {
            Err(Bound::new("a way into a value that its type does not have"))
        }
    }
}

/// The meet of what the literals say of one component; a complement says the complement.
fn all(literals: &[Literal], of: impl Fn(&Atom) -> Option<Set>) -> Set {
    let sets = literals.iter().filter_map(|literal| {
        let set = of(literal.atom())?;
        Some(match literal {
            Literal::Is(_) => set,
            Literal::IsNot(_) => Set::Not(Box::new(set)),
        })
    });
    let mut sets: Vec<Set> = sets.collect();
    match sets.len() {
        0 => Set::Any,
        1 => sets.remove(0),
        _several => Set::And(sets),
    }
}

/// Whether nothing but an empty list or map satisfies the literals.
fn only_empty(ty: &Type, literals: &[Literal], work: &mut Work) -> Result<bool, Bound> {
    let some = Literal::Is(Atom::Size(Size { low: 1, high: None }));
    let with_some: Vec<Literal> = literals.iter().cloned().chain([some]).collect();
    is_empty(ty, &meet(&with_some), work)
}

/// The set of exactly `value`, a literal of `ty` in canonical form.
pub(super) fn exactly(ty: &Type, value: &Value) -> Set {
    let atom = match (&ty.kind, value) {
        (Kind::Host, Value::Text(text)) => Atom::Host(text.clone()),
        (Kind::Path { .. }, Value::Text(text)) => Atom::Path(text.clone()),
        (Kind::Email, Value::Text(text)) => Atom::Email(text.clone()),
        (Kind::Url { .. }, Value::Text(text)) => Atom::Url(text.clone()),
        (Kind::Ip, Value::Text(text)) => {
            let bits = if text.contains(':') { 128 } else { 32 };
            Atom::Cidr(format!("{text}/{bits}").into())
        }
        (Kind::Time(kind), Value::Text(text)) => moment(*kind, text).unwrap_or_else(|| Atom::OneOf(vec![value.clone()])),
        // Everything else is compared as it stands.
        (_other, value) => Atom::OneOf(vec![value.clone()]),
    };
    Set::Atom(atom)
}

fn moment(kind: TimeKind, text: &str) -> Option<Atom> {
    let seconds = parse_time(kind, text)?;
    let end = || Some((seconds.clone(), Comparison::Inclusive));
    Some(Atom::Times(Range { low: end(), high: end() }))
}
