//! Several types → the one type of their values: alike ones once, closed lists joined, `T or list` seen, overlapping ones
//! laid over each other. Must not know schemas' keywords.

use super::hull;
use super::schema::{Meaning, Reading, plain};
use crate::domain::{Kind, Rest, Type, Value, disjoint, well_formed};

/// Every value that one of the meanings admits.
pub(super) fn any_of(reading: &mut Reading, meanings: Vec<Meaning>) -> Meaning {
    let mut null = false;
    let mut types: Vec<Type> = Vec::new();
    let nothing = meanings.is_empty();
    for meaning in meanings {
        match meaning {
            Meaning::Null => null = true,
            Meaning::Never => {}
            Meaning::Of(ty) => {
                null |= ty.null;
                flatten(ty, &mut types);
            }
        }
    }
    if nothing || types.is_empty() {
        return if null { Meaning::Null } else { Meaning::Never };
    }
    if let Some(any) = types.iter().find(|ty| ty.kind == Kind::OpaqueJson) {
        return Meaning::Of(Type { null: false, ..any.clone() });
    }
    let ty = joined(reading, types);
    Meaning::Of(Type { null: null && ty.kind != Kind::OpaqueJson, ..ty })
}

/// The alternatives of unions one by one, none of them null.
fn flatten(ty: Type, types: &mut Vec<Type>) {
    match ty.kind {
        Kind::Union(parts) => parts.into_iter().for_each(|part| flatten(part, types)),
        kind => types.push(Type { kind, null: false, refinement: ty.refinement }), // one alternative
    }
}

fn joined(reading: &mut Reading, types: Vec<Type>) -> Type {
    let types = absorbed(one_closed_list(types));
    let mut types = match one_or_list(types) {
        Ok(ty) => return ty,
        Err(types) => types,
    };
    while let Some((first, second)) = overlap(&types) {
        let kind = hull::shape(&types[first]);
        let (cluster, rest): (Vec<_>, Vec<_>) =
            types.into_iter().enumerate().partition(|(at, ty)| *at == first || *at == second || hull::joins(kind, ty));
        let cluster: Vec<Type> = cluster.into_iter().map(|(_, ty)| ty).collect();
        types = rest.into_iter().map(|(_, ty)| ty).collect();
        let laid = hull::over(reading, cluster);
        if laid.kind == Kind::OpaqueJson {
            return laid;
        }
        flatten(laid, &mut types);
        types = one_closed_list(types);
    }
    match (types.pop(), types.is_empty()) {
        (Some(only), true) => only,
        (Some(last), false) => {
            types.push(last);
            plain(Kind::Union(types))
        }
        (None, _) => super::schema::anything(),
    }
}

/// Two alternatives of which the language cannot see that no value is of both.
fn overlap(types: &[Type]) -> Option<(usize, usize)> {
    types.iter().enumerate().find_map(|(at, later)| {
        types.iter().take(at).position(|earlier| !disjoint(earlier, later)).map(|before| (before, at))
    })
}

/// All closed lists as one, in place of the first, without the values that another alternative has.
fn one_closed_list(types: Vec<Type>) -> Vec<Type> {
    let mut values: Vec<Value> = Vec::new();
    let mut place = None;
    let mut others: Vec<Type> = Vec::new();
    for ty in types {
        match ty.kind {
            Kind::Enum(more) => {
                place.get_or_insert(others.len());
                more.into_iter().for_each(|value| {
                    if !values.contains(&value) {
                        values.push(value);
                    }
                });
            }
            kind => others.push(Type { kind, ..ty }), // any other
        }
    }
    values.retain(|value| !others.iter().any(|ty| well_formed(ty, value).is_ok()));
    if let (Some(place), false) = (place, values.is_empty()) {
        let both = values.len() == 2 && values.iter().all(|value| matches!(value, Value::Bool(_)));
        others.insert(place, plain(if both { Kind::Bool } else { Kind::Enum(values) }));
    }
    others
}

/// Without those whose values another one has.
fn absorbed(types: Vec<Type>) -> Vec<Type> {
    let mut kept: Vec<Type> = Vec::new();
    for ty in types {
        if kept.iter().any(|other| includes(other, &ty)) {
            continue;
        }
        kept.retain(|other| !includes(&ty, other));
        kept.push(ty);
    }
    kept
}

/// Whether it is plain that every value of `b` is one of `a`.
fn includes(a: &Type, b: &Type) -> bool {
    if a.kind == b.kind && (a.refinement.is_none() || a.refinement == b.refinement) {
        return true;
    }
    match (&a.kind, &b.kind) {
        (Kind::Record { members, rest: Rest::Open }, Kind::Record { .. } | Kind::Map(_)) => {
            members.is_empty() && a.refinement.is_none()
        }
        (Kind::Number(crate::domain::NumberKind::Decimal), Kind::Number(_)) => a.refinement.is_none(),
        (Kind::List(of), Kind::List(other)) => {
            a.refinement.is_none() && (of.kind == Kind::OpaqueJson || includes(of, other))
        }
        _ => false, // not plain
    }
}

/// A type and the lists of it: `T or list`.
fn one_or_list(mut types: Vec<Type>) -> Result<Type, Vec<Type>> {
    let [a, b] = types.as_slice() else { return Err(types) };
    let lists = |list: &Type, one: &Type| matches!(&list.kind, Kind::List(of) if **of == *one) && list.refinement.is_none();
    let one = match (lists(a, b), lists(b, a)) {
        (true, _) => 1,
        (_, true) => 0,
        (false, false) => return Err(types),
    };
    let one = types.swap_remove(one);
    if matches!(one.kind, Kind::List(_) | Kind::OneOrList(_) | Kind::Union(_)) {
        types.push(one);
        return Err(types);
    }
    Ok(plain(Kind::OneOrList(Box::new(one))))
}
