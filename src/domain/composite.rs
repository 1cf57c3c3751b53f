//! Sets over lists, argument vectors, maps, records and unions → compiled tests of values. Must not know scalars.

use super::matcher::{Matcher, Reading};
use super::seen::Seen;
use super::slot::SlotMatcher;
use super::{Atom, Bound, Kind, Member, Membership, Set, Size, Type, Value, Work, argv, well_formed};

/// A compiled atom over a composite kind.
#[derive(Clone, Debug)]
pub(crate) enum Composite {
    /// Each element of a list or argument vector.
    Each(Box<Matcher>),
    /// So many elements, strings or members.
    Size(Size),
    /// Each key of a map.
    Keys(Box<Matcher>),
    /// Each value of a map.
    Values(Box<Matcher>),
    /// A member of a record.
    Field(Box<(Member, SlotMatcher)>),
    /// Strings by position, and the rest.
    Argv(Box<[Matcher]>, Option<Box<Matcher>>),
    /// A value of one alternative of a union.
    Alternative(Box<(Type, Matcher)>),
    /// One, or each of a list.
    OneOrEach(Box<Matcher>, Size),
}

impl Composite {
    /// Compiles `atom` over values of `kind`; none if it is not one over such values.
    pub(crate) fn compile(kind: &Kind, atom: &Atom, work: &mut Work) -> Result<Option<Composite>, Bound> {
        let mut part = |ty: &Type, set: &Set| Matcher::of_judged(ty, set, work);
        Ok(Some(match (atom, kind) {
            (Atom::Each(set), Kind::List(element)) => Composite::Each(Box::new(part(element, set)?)),
            (Atom::Each(set), Kind::Argv) => Composite::Each(Box::new(part(&argv::WORD, set)?)),
            (Atom::Size(size), Kind::List(_) | Kind::Argv | Kind::Map(_)) => Composite::Size(*size),
            (Atom::Keys(set), Kind::Map(_)) => Composite::Keys(Box::new(part(&argv::WORD, set)?)),
            (Atom::Values(set), Kind::Map(value)) => Composite::Values(Box::new(part(value, set)?)),
            (Atom::Argv(heads, tail), Kind::Argv) => Composite::Argv(
                heads.iter().map(|set| part(&argv::WORD, set)).collect::<Result<_, _>>()?,
                tail.as_ref().map(|set| part(&argv::WORD, set).map(Box::new)).transpose()?,
            ),
            (Atom::OneOrEach(set, size), Kind::OneOrList(one)) => Composite::OneOrEach(Box::new(part(one, set)?), *size),
            (Atom::Alternative(index, set), Kind::Union(alternatives)) => {
                match usize::try_from(*index).ok().and_then(|index| alternatives.get(index)) {
                    Some(ty) => Composite::Alternative(Box::new((ty.clone(), part(ty, set)?))),
                    None => return Ok(None),
                }
            }
            (Atom::Field(name, slot), Kind::Record { members, rest }) => {
                let declared = members.iter().find(|member| member.name == *name);
                let Some(member) = declared.cloned().or_else(|| rest.member(name)) else { return Ok(None) };
                let slot = SlotMatcher::of_judged(&member, slot, work)?;
                Composite::Field(Box::new((member, slot)))
            }
            _ => return Ok(None), // an atom of another kind
        }))
    }

    /// Whether `value` lies in it.
    pub(crate) fn read(&self, value: &Value, reading: Reading) -> Membership {
        match (self, value) {
            (Composite::Each(set), Value::List(items)) => each(set, items, reading),
            (Composite::Size(size), Value::List(items)) => Membership::of(size.contains(items.len())),
            (Composite::Size(size), Value::Object(members)) => Membership::of(size.contains(members.len())),
            (Composite::Keys(set), Value::Object(members)) => {
                Membership::all(members.iter().map(|(key, _)| set.read_text(key, reading)))
            }
            (Composite::Values(set), Value::Object(members)) => {
                Membership::all(members.iter().map(|(_, value)| set.read(value, reading)))
            }
            (Composite::Field(field), Value::Object(members)) => {
                let (member, slot) = &**field;
                let written = members.iter().find(|(name, _)| *name == member.name).map(|(_, value)| value);
                slot.read(member.point(written), reading)
            }
            (Composite::Argv(heads, tail), Value::List(items)) => argv(heads, tail.as_deref(), items, reading),
            (Composite::Alternative(alternative), value) => {
                let (ty, set) = &**alternative;
                if well_formed(ty, value).is_ok() { set.read(value, reading) } else { Membership::Out }
            }
            (Composite::OneOrEach(set, size), Value::List(items)) => {
                if size.contains(items.len()) {
                    each(set, items, reading)
                } else {
                    Membership::Out
                }
            }
            (Composite::OneOrEach(set, _), value) => set.read(value, reading),
            (
                Composite::Each(_)
                | Composite::Size(_)
                | Composite::Keys(_)
                | Composite::Values(_)
                | Composite::Field(_)
                | Composite::Argv(..),
                _,
            ) => Membership::Out,
        }
    }
}

impl Composite {
    /// Whether a scalar lies in it: of these kinds only `T or list` has scalars that are told apart without their types.
    pub(crate) fn read_seen(&self, seen: &Seen<'_>, reading: Reading) -> Membership {
        match self {
            Composite::OneOrEach(set, _) => set.read_seen(seen, reading),
            Composite::Each(_)
            | Composite::Size(_)
            | Composite::Keys(_)
            | Composite::Values(_)
            | Composite::Field(_)
            | Composite::Argv(..)
            | Composite::Alternative(_) => Membership::Out,
        }
    }
}

fn each(set: &Matcher, items: &[Value], reading: Reading) -> Membership {
    Membership::all(items.iter().map(|item| set.read(item, reading)))
}

fn argv(heads: &[Matcher], tail: Option<&Matcher>, items: &[Value], reading: Reading) -> Membership {
    let (Some(first), Some(rest)) = (items.get(..heads.len()), items.get(heads.len()..)) else {
        return Membership::Out;
    };
    if tail.is_none() && !rest.is_empty() {
        return Membership::Out;
    }
    let positions = heads.iter().zip(first).map(|(set, item)| set.read(item, reading));
    let further = rest.iter().filter_map(|item| tail.map(|set| set.read(item, reading)));
    Membership::all(positions.chain(further))
}
