//! When two types speak of the same values, refinements and spellings apart; and what a type is called in messages.

use crate::domain::{Kind, Member, NumberKind, Rest, TimeKind, Type, Value};

/// A type of which an error was reported already: nobody speaks of it again.
pub fn hole() -> Type {
    Type { kind: Kind::Enum(Vec::new()), null: false, refinement: None }
}

/// Whether this is the type of something already reported, at any depth.
pub fn is_hole(ty: &Type) -> bool {
    match &ty.kind {
        Kind::Enum(values) => values.is_empty(),
        Kind::List(inner) | Kind::OneOrList(inner) | Kind::Map(inner) => is_hole(inner),
        Kind::Bool
        | Kind::Number(_)
        | Kind::Text { .. }
        | Kind::Host
        | Kind::Url { .. }
        | Kind::Path { .. }
        | Kind::Email
        | Kind::Ip
        | Kind::Time(_)
        | Kind::Argv
        | Kind::Record { .. }
        | Kind::Union(_)
        | Kind::OpaqueText
        | Kind::OpaqueJson => false,
    }
}

/// A kind without refinement or null.
pub fn plain(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

/// The same type: refinements, `or null`, `or bare`, `by pattern`, `ignoring case` apart.
pub fn same(a: &Type, b: &Type) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Enum(x), Kind::Enum(y)) => x.len() == y.len() && x.iter().all(|value| y.contains(value)),
        (Kind::Text { .. }, Kind::Text { .. })
        | (Kind::Url { .. }, Kind::Url { .. })
        | (Kind::Path { .. }, Kind::Path { .. }) => true,
        (Kind::List(x), Kind::List(y)) | (Kind::OneOrList(x), Kind::OneOrList(y)) | (Kind::Map(x), Kind::Map(y)) => {
            same(x, y)
        }
        (Kind::Record { members: x, rest: xr }, Kind::Record { members: y, rest: yr }) => {
            x.len() == y.len() && x.iter().zip(y).all(|(a, b)| same_member(a, b)) && same_rest(xr, yr)
        }
        (Kind::Union(x), Kind::Union(y)) => x.len() == y.len() && x.iter().zip(y).all(|(a, b)| same(a, b)),
        (x, y) => x == y,
    }
}

fn same_member(a: &Member, b: &Member) -> bool {
    a.name == b.name && same(&a.ty, &b.ty)
}

fn same_rest(a: &Rest, b: &Rest) -> bool {
    match (a, b) {
        (Rest::Typed(x), Rest::Typed(y)) => same(x, y),
        (x, y) => x == y,
    }
}

/// What a type is called: `int`, `list of text`, `{ read, write }`.
pub fn called(ty: &Type) -> String {
    let name = match &ty.kind {
        Kind::Bool => "bool".to_owned(),
        Kind::Enum(values) => format!("{{ {} }}", values_called(values)),
        Kind::Number(kind) => number_called(*kind).to_owned(),
        Kind::Text { by_pattern } => if *by_pattern { "text by pattern" } else { "text" }.to_owned(),
        Kind::Host => "host".to_owned(),
        Kind::Url { bare } => if *bare { "url or bare" } else { "url" }.to_owned(),
        Kind::Path { ignore_case } => if *ignore_case { "path ignoring case" } else { "path" }.to_owned(),
        Kind::Email => "email".to_owned(),
        Kind::Ip => "ip".to_owned(),
        Kind::Time(kind) => time_called(*kind).to_owned(),
        Kind::List(inner) => format!("list of {}", called(inner)),
        Kind::OneOrList(inner) => format!("{} or list", called(inner)),
        Kind::Argv => "argv".to_owned(),
        Kind::Map(inner) => format!("map of {}", called(inner)),
        Kind::Record { members, .. } => {
            let names: Vec<&str> = members.iter().map(|member| &*member.name).collect();
            format!("record {{ {} }}", names.join("; "))
        }
        Kind::Union(types) => format!("union {{ {} }}", types.iter().map(called).collect::<Vec<_>>().join(", ")),
        Kind::OpaqueText => "text opaque".to_owned(),
        Kind::OpaqueJson => "json opaque".to_owned(),
    };
    if ty.null { format!("{name} or null") } else { name }
}

fn number_called(kind: NumberKind) -> &'static str {
    match kind {
        NumberKind::Int => "int",
        NumberKind::Int64 => "int64",
        NumberKind::Decimal => "decimal",
    }
}

fn time_called(kind: TimeKind) -> &'static str {
    match kind {
        TimeKind::Instant => "instant",
        TimeKind::DateTime => "datetime",
        TimeKind::Date => "date",
    }
}

/// The values of a closed list as they would be written; at most eight.
pub fn values_called(values: &[Value]) -> String {
    let mut words: Vec<String> = values.iter().take(8).map(value_called).collect();
    if values.len() > 8 {
        words.push(format!("… {} in all", values.len()));
    }
    words.join(", ")
}

/// A scalar as a person writes it.
pub fn value_called(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(it) => it.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => super::spell::name(text),
        Value::List(_) => "[…]".to_owned(),
        Value::Object(_) => "{…}".to_owned(),
    }
}
