//! Two types → whether no value is of both, as far as that shows: by kind, by a literal, or by a required member. Must not
//! know unions.

use super::{Kind, Member, Presence, Rest, Type, Value, well_formed};

#[cfg(test)]
mod tests;

/// Whether no value is well-formed for both types: they are of different JSON kinds, or one is a closed list with no value
/// of the other, or a member that one requires is not admitted by the other or is of a disjoint type there. `false`: not
/// shown.
pub fn disjoint(a: &Type, b: &Type) -> bool {
    if a.null && b.null {
        return false;
    }
    let (of_a, of_b) = (json_kinds(&a.kind), json_kinds(&b.kind));
    if !of_a.iter().any(|kind| of_b.contains(kind)) {
        return true;
    }
    match (&a.kind, &b.kind) {
        (Kind::Union(parts), _) => parts.iter().all(|part| disjoint(part, b)),
        (_, Kind::Union(parts)) => parts.iter().all(|part| disjoint(a, part)),
        (Kind::OneOrList(_), Kind::OneOrList(_)) => false, // the empty list
        (Kind::Enum(values), _) => values.iter().all(|value| well_formed(b, value).is_err()),
        (_, Kind::Enum(values)) => values.iter().all(|value| well_formed(a, value).is_err()),
        (Kind::Record { members, rest }, Kind::Record { members: others, rest: other_rest }) => {
            required_tells(members, others, other_rest) || required_tells(others, members, rest)
        }
        (Kind::Record { members, .. }, Kind::Map(value)) | (Kind::Map(value), Kind::Record { members, .. }) => {
            members.iter().any(|member| member.presence == Presence::Required && disjoint(&member.ty, value))
        }
        _ => false, // the same JSON kind, and nothing that tells
    }
}

/// Whether a member that one record requires cannot stand in the other.
fn required_tells(members: &[Member], others: &[Member], rest: &Rest) -> bool {
    members.iter().filter(|member| member.presence == Presence::Required).any(|member| {
        match (others.iter().find(|other| other.name == member.name), rest) {
            (Some(other), _) => disjoint(&member.ty, &other.ty),
            (None, Rest::Closed) => true,
            (None, Rest::Typed(ty)) => disjoint(&member.ty, ty),
            (None, Rest::Open) => false,
        }
    })
}

/// Kinds of JSON values, null aside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Json {
    Bool,
    Number,
    Text,
    List,
    Object,
}

fn json_kinds(kind: &Kind) -> Vec<Json> {
    match kind {
        Kind::Bool => vec![Json::Bool],
        Kind::Enum(values) => values.iter().filter_map(json_kind).collect(),
        Kind::Number(_) => vec![Json::Number],
        Kind::Text { .. }
        | Kind::Host
        | Kind::Url { .. }
        | Kind::Path { .. }
        | Kind::Email
        | Kind::Ip
        | Kind::Time(_)
        | Kind::OpaqueText => vec![Json::Text],
        Kind::List(_) | Kind::Argv => vec![Json::List],
        Kind::OneOrList(one) => {
            let mut kinds = json_kinds(&one.kind);
            kinds.push(Json::List);
            kinds
        }
        Kind::Map(_) | Kind::Record { .. } => vec![Json::Object],
        Kind::Union(parts) => parts.iter().flat_map(|part| json_kinds(&part.kind)).collect(),
        Kind::OpaqueJson => vec![Json::Bool, Json::Number, Json::Text, Json::List, Json::Object],
    }
}

fn json_kind(value: &Value) -> Option<Json> {
    match value {
        Value::Null => None,
        Value::Bool(_) => Some(Json::Bool),
        Value::Number(_) => Some(Json::Number),
        Value::Text(_) => Some(Json::Text),
        Value::List(_) => Some(Json::List),
        Value::Object(_) => Some(Json::Object),
    }
}

/// Whether the value is of a JSON kind of which the type has values.
pub(super) fn is_of_json_kind(ty: &Type, value: &Value) -> bool {
    json_kind(value).is_some_and(|kind| json_kinds(&ty.kind).contains(&kind))
}

/// Whether every literal member that a record requires is there.
pub(super) fn literals_agree(ty: &Type, value: &Value) -> bool {
    match (&ty.kind, value) {
        (Kind::Record { members, .. }, Value::Object(found)) => {
            members.iter().filter(|member| member.presence == Presence::Required).all(|member| match &member.ty.kind {
                Kind::Enum(values) => found.iter().any(|(name, value)| *name == member.name && values.contains(value)),
                _ => true, // no literal
            })
        }
        _ => true, // no record
    }
}
