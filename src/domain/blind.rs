//! A set over a composite → whether it looks at anything inside that two readers may read differently. What it looks at
//! there lies in no set, so such a set does not hold the whole type. Must not know what the sets mean.

use super::cells::{ambiguous_example, indifferent};
use super::{Atom, Kind, Rest, Set, Type};

/// Whether no ambiguous part of a composite value can matter to `set`; of a scalar its own cells tell.
pub(super) fn is_blind_inside(ty: &Type, set: &Set) -> bool {
    match set {
        Set::Any | Set::Never => true,
        Set::Not(inner) => is_blind_inside(ty, inner),
        Set::And(parts) | Set::Or(parts) => parts.iter().all(|part| is_blind_inside(ty, part)),
        Set::Atom(atom) => is_blind_atom(&ty.kind, atom),
    }
}

fn is_blind_atom(kind: &Kind, atom: &Atom) -> bool {
    match (kind, atom) {
        (Kind::List(element), Atom::Each(set)) | (Kind::OneOrList(element), Atom::OneOrEach(set, _)) => {
            is_blind(element, set)
        }
        (Kind::Map(value), Atom::Values(set)) => is_blind(value, set),
        (Kind::Record { members, rest }, Atom::Field(name, slot)) => {
            match (members.iter().find(|m| m.name == *name), rest) {
                (Some(member), _) => is_blind(&member.ty, &slot.values),
                (None, Rest::Typed(ty)) => is_blind(ty, &slot.values),
                (None, Rest::Open | Rest::Closed) => true,
            }
        }
        (Kind::Union(alternatives), Atom::Alternative(index, set)) => {
            let alternative = usize::try_from(*index).ok().and_then(|index| alternatives.get(index));
            alternative.is_none_or(|ty| is_blind(ty, set))
        }
        // Sizes, keys and words are read alike by all.
        _read_alike => true,
    }
}

/// Whether no ambiguous value of `ty`, nor one inside such a value, can matter to `set`.
fn is_blind(ty: &Type, set: &Set) -> bool {
    let ambiguous = ambiguous_example(&ty.kind).is_some() && ty.refinement.as_ref().is_none_or(indifferent);
    indifferent(set) || !ambiguous && is_blind_inside(ty, set)
}
