//! Is a value well-formed for a type, whatever the policy? Read off language.md 2, kind by kind.

use crate::host::{self, Reading};
use crate::json::Json;
use crate::member::{self, Polarity, Tri, World};
use crate::number::Num;
use crate::{time, web};
use bailiwick::domain::{Kind, Member, NumberKind, Presence, Rest, Type};

/// Whether `value` is one of `ty`.
pub fn well_formed(ty: &Type, value: &Json) -> bool {
    if *value == Json::Null && ty.kind != Kind::OpaqueJson {
        return ty.null;
    }
    of_kind(&ty.kind, value) && ty.refinement.as_ref().is_none_or(|set| refined(ty, set, value))
}

/// A refinement is asked of exact values; what two readers may read differently lies in none.
fn refined(ty: &Type, set: &bailiwick::domain::Set, value: &Json) -> bool {
    member::holds(ty, set, value, World::Exact, Polarity::Permits) == Tri::In
}

fn of_kind(kind: &Kind, value: &Json) -> bool {
    match (kind, value) {
        (Kind::OpaqueJson, _) => true,
        (Kind::Bool, Json::Bool(_)) => true,
        (Kind::Enum(values), v) => values.iter().any(|w| Json::from(w) == *v),
        (Kind::Number(NumberKind::Decimal), Json::Num(_)) => true,
        (Kind::Number(NumberKind::Int64), Json::Num(n)) => integral_within(n, "-9223372036854775808", "9223372036854775807"),
        (Kind::Number(NumberKind::Int), Json::Num(n)) => integral_within(n, "-9007199254740991", "9007199254740991"),
        (Kind::Text { .. } | Kind::OpaqueText, Json::Str(_)) => true,
        (Kind::Host, Json::Str(s)) => host::read(s) != Reading::Not,
        (Kind::Url { bare }, Json::Str(s)) => !matches!(web::read_url(s, *bare), web::UrlReading::Not),
        (Kind::Path { .. }, Json::Str(s)) => !s.contains('\0'),
        (Kind::Email, Json::Str(s)) => web::read_email(s).is_some(),
        (Kind::Ip, Json::Str(s)) => s.parse::<std::net::IpAddr>().is_ok(),
        (Kind::Time(kind), Json::Str(s)) => time::seconds(*kind, s).is_some(),
        (Kind::List(element), Json::List(items)) => items.iter().all(|i| well_formed(element, i)),
        (Kind::OneOrList(element), Json::List(items)) => items.iter().all(|i| well_formed(element, i)),
        (Kind::OneOrList(element), one) => well_formed(element, one),
        (Kind::Argv, Json::List(items)) => items.iter().all(|i| i.text().is_some()),
        (Kind::Map(element), Json::Obj(members)) => members.iter().all(|(_, v)| well_formed(element, v)),
        (Kind::Record { members, rest }, Json::Obj(given)) => record(members, rest, given),
        (Kind::Union(alternatives), v) => alternatives.iter().any(|a| well_formed(a, v)),
        _ => false, // a value of another JSON kind
    }
}

fn integral_within(number: &Num, low: &str, high: &str) -> bool {
    let bound = |text: &str| Num::parse(text).expect("a number");
    number.is_integral() && *number >= bound(low) && *number <= bound(high)
}

fn record(members: &[Member], rest: &Rest, given: &[(String, Json)]) -> bool {
    let there = |m: &Member| given.iter().any(|(n, _)| **n == *m.name);
    let required = members.iter().all(|m| m.presence != Presence::Required || there(m));
    required
        && given.iter().all(|(name, value)| match members.iter().find(|m| *m.name == **name) {
            Some(member) => member_formed(member, value),
            None => match rest {
                Rest::Closed => false,
                Rest::Open => true,
                Rest::Typed(ty) => well_formed(ty, value),
            },
        })
}

/// Whether what is given for a member (or argument) is well-formed: a value, or the wildcard.
pub fn member_formed(member: &Member, value: &Json) -> bool {
    (member.wildcard && value.text() == Some("all")) || well_formed(&member.ty, value)
}
