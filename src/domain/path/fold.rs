//! `path ignoring case`: what an `except` names, it names in every case; what a permission names, only as written.

use super::super::{Atom, Kind, Rest, Set, Slot, Type};
use std::borrow::Cow;

/// Whether two letters differ in case at most.
pub(super) fn same(a: char, b: char) -> bool {
    a == b || a.to_lowercase().eq(b.to_lowercase()) || a.to_uppercase().eq(b.to_uppercase())
}

/// The letters that differ from `letter` in case at most, sorted.
pub(super) fn variants(letter: char) -> Vec<char> {
    let mut variants = match letter {
        'k' | 'K' => vec!['K', 'k', '\u{212a}'],
        's' | 'S' => vec!['S', 's', '\u{17f}'],
        c if c.is_ascii() => vec![c.to_ascii_uppercase(), c.to_ascii_lowercase()],
        // Case beyond ASCII has no inverse table in the standard library; every letter with case is below this.
        c => ('\0'..='\u{1ffff}').filter(|other| same(c, *other)).collect(),
    };
    variants.sort_unstable();
    variants.dedup();
    variants
}

/// `set` as it is judged for a value of `ty`: under an odd number of complements, globs over a `path ignoring case` hold in
/// every case. A set is judged as a whole, once: what comes out is an ordinary Boolean combination.
pub(crate) fn judged<'a>(ty: &Type, set: &'a Set) -> Cow<'a, Set> {
    if ignores_case(ty) { Cow::Owned(judge(ty, set, Side::Permits)) } else { Cow::Borrowed(set) }
}

/// Whether a set stands under an even or an odd number of complements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Permits,
    Excepts,
}

fn ignores_case(ty: &Type) -> bool {
    matches!(ty.kind, Kind::Path { ignore_case: true }) || ty.inside().into_iter().any(|(_, ty)| ignores_case(ty))
}

fn judge(ty: &Type, set: &Set, side: Side) -> Set {
    let other = match side {
        Side::Permits => Side::Excepts,
        Side::Excepts => Side::Permits,
    };
    match set {
        Set::Any => Set::Any,
        Set::Never => Set::Never,
        Set::Not(inner) => Set::Not(Box::new(judge(ty, inner, other))),
        Set::And(parts) => Set::And(parts.iter().map(|part| judge(ty, part, side)).collect()),
        Set::Or(parts) => Set::Or(parts.iter().map(|part| judge(ty, part, side)).collect()),
        Set::Atom(atom) => Set::Atom(judge_atom(ty, atom, side)),
    }
}

fn judge_atom(ty: &Type, atom: &Atom, side: Side) -> Atom {
    let inner = |ty: &Type, set: &Set| Box::new(judge(ty, set, side));
    match (&ty.kind, atom) {
        (Kind::Path { ignore_case: true }, Atom::Path(glob)) if side == Side::Excepts => Atom::PathAnyCase(glob.clone()),
        (Kind::List(of), Atom::Each(set)) => Atom::Each(inner(of, set)),
        (Kind::OneOrList(of), Atom::OneOrEach(set, size)) => Atom::OneOrEach(inner(of, set), *size),
        (Kind::Map(of), Atom::Values(set)) => Atom::Values(inner(of, set)),
        (Kind::Union(alternatives), Atom::Alternative(index, set)) => {
            let of = usize::try_from(*index).ok().and_then(|index| alternatives.get(index));
            of.map_or_else(|| atom.clone(), |of| Atom::Alternative(*index, inner(of, set)))
        }
        (Kind::Record { members, rest }, Atom::Field(name, slot)) => {
            let of = members.iter().find(|member| member.name == *name).map(|member| &member.ty);
            let of = of.or(if let Rest::Typed(ty) = rest { Some(&**ty) } else { None });
            let values = of.map_or_else(|| slot.values.clone(), |of| judge(of, &slot.values, side));
            Atom::Field(name.clone(), Box::new(Slot { values, ..**slot }))
        }
        _ => atom.clone(), // no other atom holds a path
    }
}
