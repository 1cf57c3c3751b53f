//! A value and a composite kind → whether it has that shape, all its parts well-formed; where and why not. Must not know
//! scalars.

use super::formed::well_formed as value_is_well_formed;
use super::{Fault, Kind, Member, PointRef, Presence, Rest, Type, Value, argv, disjoint};

#[cfg(test)]
mod tests;

/// Whether `value` has the shape of `kind`.
pub(super) fn well_formed(kind: &Kind, value: &Value) -> Result<(), Fault> {
    match (kind, value) {
        (Kind::List(element) | Kind::OneOrList(element), Value::List(items)) => each(element, items),
        (Kind::List(_), _) => Err(Fault::new("a list")),
        (Kind::OneOrList(one), value) => value_is_well_formed(one, value),
        (Kind::Argv, Value::List(items)) => each(&argv::WORD, items),
        (Kind::Argv, _) => Err(Fault::new("a list of strings")),
        (Kind::Map(of), Value::Object(members)) => {
            members.iter().try_for_each(|(key, value)| value_is_well_formed(of, value).map_err(|fault| fault.under(key)))
        }
        (Kind::Map(_), _) => Err(Fault::new("an object")),
        (Kind::Record { members, rest }, Value::Object(found)) => record(members, rest, found),
        (Kind::Record { .. }, _) => Err(Fault::new("an object")),
        (Kind::Union(alternatives), value) => union(alternatives, value),
        _ => Err(Fault::new("a list or an object")), // scalars are judged elsewhere
    }
}

fn each(element: &Type, items: &[Value]) -> Result<(), Fault> {
    items
        .iter()
        .enumerate()
        .try_for_each(|(index, item)| value_is_well_formed(element, item).map_err(|fault| fault.under(index)))
}

fn record(members: &[Member], rest: &Rest, found: &[(Box<str>, Value)]) -> Result<(), Fault> {
    for member in members {
        let written = found.iter().find(|(name, _)| *name == member.name).map(|(_, value)| value);
        match (written, &member.presence) {
            (None, Presence::Required) => {
                return Err(Fault::new(format!("a member `{}`", member.name)));
            }
            (None, Presence::Optional | Presence::OrAbsent | Presence::Defaulted(_)) => {}
            (Some(value), _) => match member.point(Some(value)) {
                PointRef::Unspecified => {}
                PointRef::Value(_) | PointRef::Absent => {
                    value_is_well_formed(&member.ty, value).map_err(|fault| fault.under(&member.name))?;
                }
            },
        }
    }
    let others = found.iter().filter(|(name, _)| members.iter().all(|member| member.name != *name));
    for (name, value) in others {
        match rest {
            Rest::Closed => return Err(Fault::new(no_such_member(members)).under(name)),
            Rest::Open => {}
            Rest::Typed(ty) => value_is_well_formed(ty, value).map_err(|fault| fault.under(name))?,
        }
    }
    Ok(())
}

fn no_such_member(members: &[Member]) -> String {
    let names: Vec<String> = members.iter().map(|member| format!("`{}`", member.name)).collect();
    if names.is_empty() { "no member".to_owned() } else { format!("no such member; the members are {}", names.join(", ")) }
}

/// The fault of the one alternative that the value can only mean, if there is one.
fn union(alternatives: &[Type], value: &Value) -> Result<(), Fault> {
    let mut faults = Vec::new();
    for alternative in alternatives {
        match value_is_well_formed(alternative, value) {
            Ok(()) => return Ok(()),
            Err(fault) => faults.push((fault, alternative)),
        }
    }
    let of_kind = |ty: &Type| disjoint::is_of_json_kind(ty, value) && disjoint::literals_agree(ty, value);
    let mut meant = faults.into_iter().filter(|(_, ty)| of_kind(ty)).map(|(fault, _)| fault);
    match (meant.next(), meant.next()) {
        (Some(only), None) => Err(only),
        (Some(_), Some(_)) | (None, _) => Err(Fault::new("a value of one of the alternatives")),
    }
}
