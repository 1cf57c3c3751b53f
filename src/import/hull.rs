//! Types that overlap → one type of the same values: texts and numbers as one set, records with every member and, as a
//! refinement, which members go together. What that cannot say is admitted wider and noted.

use super::choice;
use super::notes::Topic;
use super::scalar::met;
use super::schema::{Meaning, Reading, anything, plain};
use crate::domain::{Atom, Kind, Member, NumberKind, Presence, Rest, Set, Size, Slot, Type, Value};

/// What a type's values are in JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Strings.
    Text,
    /// Numbers.
    Number,
    /// Arrays.
    List,
    /// Objects.
    Object,
    /// Something else, or several of these.
    Other,
}

/// What the values of `ty` are.
pub(super) fn shape(ty: &Type) -> Shape {
    match &ty.kind {
        Kind::Text { .. } => Shape::Text,
        Kind::Number(_) => Shape::Number,
        Kind::List(_) => Shape::List,
        Kind::Record { .. } | Kind::Map(_) => Shape::Object,
        Kind::Enum(values) if values.iter().all(|v| matches!(v, Value::Text(_))) => Shape::Text,
        Kind::Enum(values) if values.iter().all(|v| matches!(v, Value::Number(_))) => Shape::Number,
        _ => Shape::Other, // no import makes the rest, or it overlaps with nothing
    }
}

/// Whether a type is laid over others of a shape together with them.
pub(super) fn joins(with: Shape, ty: &Type) -> bool {
    with != Shape::Other && shape(ty) == with
}

/// One type for all values of the types.
pub(super) fn over(reading: &mut Reading, types: Vec<Type>) -> Type {
    let first = types.first().map_or(Shape::Other, shape);
    if types.iter().any(|ty| shape(ty) != first) {
        reading.note(Topic::Wider, "alternatives that overlap in this way cannot be said: any value is admitted");
        return anything();
    }
    match first {
        Shape::Text => scalars(Kind::Text { by_pattern: false }, types),
        Shape::Number => numbers(reading, types),
        Shape::List => lists(reading, types),
        Shape::Object if types.iter().all(|ty| matches!(ty.kind, Kind::Record { .. })) => records(reading, types),
        Shape::Object => {
            reading.note(Topic::Wider, "alternatives that are maps and overlap cannot be said: any object is admitted");
            super::scalar::any_object()
        }
        Shape::Other => {
            reading.note(Topic::Wider, "alternatives that overlap in this way cannot be said: any value is admitted");
            anything()
        }
    }
}

/// Texts, or numbers of one kind: the union of their sets.
fn scalars(kind: Kind, types: Vec<Type>) -> Type {
    let mut sets = Vec::new();
    for ty in types {
        match (ty.kind, ty.refinement) {
            (Kind::Enum(mut values), _) => {
                values.sort_by(compare);
                sets.push(Set::Atom(Atom::OneOf(values)));
            }
            (_, Some(set)) => sets.push(set),
            (_, None) => return plain(kind),
        }
    }
    Type { kind, null: false, refinement: Some(Set::Or(sets)) }
}

fn compare(a: &Value, b: &Value) -> std::cmp::Ordering {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.cmp(b),
        (a, b) => super::listing::text(a).cmp(&super::listing::text(b)),
    }
}

fn numbers(reading: &mut Reading, types: Vec<Type>) -> Type {
    let kinds: Vec<NumberKind> =
        types.iter().filter_map(|ty| if let Kind::Number(kind) = ty.kind { Some(kind) } else { None }).collect();
    let whole = !kinds.contains(&NumberKind::Decimal)
        && types.iter().all(|ty| !matches!(&ty.kind, Kind::Enum(all) if !all.iter().all(is_whole)));
    let kind = match (whole, kinds.contains(&NumberKind::Int64)) {
        (true, true) => NumberKind::Int64,
        (true, false) => NumberKind::Int,
        (false, _) => NumberKind::Decimal,
    };
    if kind == NumberKind::Decimal && kinds.iter().any(|kind| *kind != NumberKind::Decimal) {
        reading.note(Topic::Wider, "whole numbers beside others: their fractions are admitted too");
    }
    scalars(Kind::Number(kind), types)
}

fn is_whole(value: &Value) -> bool {
    matches!(value, Value::Number(number) if number.is_integral())
}

fn lists(reading: &mut Reading, types: Vec<Type>) -> Type {
    let mut size: Option<Size> = None;
    let mut of = Vec::new();
    for ty in &types {
        let own = match &ty.refinement {
            Some(Set::Atom(Atom::Size(own))) => *own,
            _ => Size::ANY, // no other refinement of lists is made here
        };
        size =
            Some(size.map_or(own, |size| Size {
                low: size.low.min(own.low),
                high: size.high.zip(own.high).map(|(a, b)| a.max(b)),
            }));
        if let Kind::List(inner) = &ty.kind {
            of.push(Meaning::Of((**inner).clone()));
        }
    }
    reading.note(Topic::Wider, "lists of several kinds: their elements may be mixed");
    let of = if let Meaning::Of(ty) = choice::any_of(reading, of) { ty } else { anything() };
    let refinement = size.filter(|size| *size != Size::ANY).map(|size| Set::Atom(Atom::Size(size)));
    Type { kind: Kind::List(Box::new(of)), null: false, refinement }
}

/// One alternative's members and what else it admits.
struct Alternative {
    members: Vec<Member>,
    rest: Rest,
    refinement: Option<Set>,
}

/// Every member of any of them, and which sets of members go together.
fn records(reading: &mut Reading, types: Vec<Type>) -> Type {
    let all: Vec<Alternative> = types
        .into_iter()
        .filter_map(|ty| match ty.kind {
            Kind::Record { members, rest } => Some(Alternative { members, rest, refinement: ty.refinement }),
            _ => None, // the caller gives records alone
        })
        .collect();
    let mut members: Vec<Member> = Vec::new();
    for member in all.iter().flat_map(|one| &one.members) {
        if !members.iter().any(|known| known.name == member.name) {
            members.push(common(reading, &member.name, &all));
        }
    }
    let closed = all.iter().all(|one| one.rest == Rest::Closed);
    let rest = if closed { Rest::Closed } else { Rest::Open };
    if all.iter().any(|one| one.rest != rest) {
        reading.note(Topic::Wider, "alternatives overlap: members that only one of them admits may stand in all");
    }
    let demands: Vec<Option<Set>> = all.iter().map(|one| demand(reading, one, &members)).collect();
    let refinement = demands.into_iter().collect::<Option<Vec<Set>>>().map(Set::Or);
    Type { kind: Kind::Record { members, rest }, null: false, refinement }
}

/// The member as any of the records admits it.
fn common(reading: &mut Reading, name: &str, all: &[Alternative]) -> Member {
    let own: Vec<Option<&Member>> = all.iter().map(|one| one.members.iter().find(|m| &*m.name == name)).collect();
    let free = all.iter().zip(&own).any(|(one, own)| own.is_none() && one.rest != Rest::Closed);
    let types: Vec<Meaning> = own.iter().flatten().map(|member| Meaning::Of(member.ty.clone())).collect();
    let ty = match choice::any_of(reading, types) {
        Meaning::Of(ty) if free => loosened(ty),
        Meaning::Of(ty) => ty,
        Meaning::Null | Meaning::Never => anything(),
    };
    let needed = own.iter().all(|member| member.is_some_and(|m| m.presence == Presence::Required));
    let presence = if needed { Presence::Required } else { Presence::Optional };
    Member { name: name.into(), ty, presence, wildcard: false }
}

/// What a member is that another alternative says nothing of: any of its kind.
fn loosened(ty: Type) -> Type {
    let kind = match shape(&ty) {
        Shape::Text => Kind::Text { by_pattern: false },
        Shape::Number => Kind::Number(NumberKind::Decimal),
        Shape::List | Shape::Object | Shape::Other => return ty,
    };
    Type { kind, null: ty.null, refinement: None }
}

/// What one record asks of the common members; `None`: nothing.
fn demand(reading: &mut Reading, one: &Alternative, members: &[Member]) -> Option<Set> {
    let mut sets: Vec<Set> = one.refinement.iter().cloned().collect();
    for member in members {
        let own = one.members.iter().find(|m| m.name == member.name);
        let slot = match own {
            None if one.rest == Rest::Closed => Slot { values: Set::Never, null: false, absent: true },
            None => continue,
            Some(_) if member.ty.kind == Kind::OpaqueJson => {
                reading.note(Topic::Wider, "alternatives overlap: which member goes with which cannot be told here");
                continue;
            }
            Some(own) => {
                let values = narrower(reading, &own.ty, &member.ty);
                let absent = own.presence != Presence::Required;
                if absent && values == Set::Any && own.ty.null == member.ty.null {
                    continue;
                }
                let required = member.presence == Presence::Required && !absent;
                if required && values == Set::Any && own.ty.null == member.ty.null {
                    continue;
                }
                Slot { values, null: own.ty.null, absent }
            }
        };
        sets.push(Set::Atom(Atom::Field(member.name.clone(), Box::new(slot))));
    }
    met(sets)
}

/// The values of `own` among those of `common`, as far as a set can say it.
fn narrower(reading: &mut Reading, own: &Type, common: &Type) -> Set {
    if own.kind == common.kind && own.refinement == common.refinement {
        return Set::Any;
    }
    match (&own.kind, &common.kind) {
        (Kind::Enum(values), Kind::Enum(_) | Kind::Text { .. } | Kind::Number(_) | Kind::Bool) => {
            let mut values = values.clone();
            values.sort_by(compare);
            Set::Atom(Atom::OneOf(values))
        }
        (Kind::Text { .. } | Kind::Number(_), _) if own.kind == common.kind => own.refinement.clone().unwrap_or(Set::Any),
        _ => {
            reading.note(Topic::Wider, "alternatives overlap: what a member is in one of them cannot be told from another");
            Set::Any
        }
    }
}
