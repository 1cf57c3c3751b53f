//! Settled questions → which forms of set, over which types, were asked inside and outside. Counts; judges by the reference.

use crate::gate::Gate;
use crate::json::Json;
use crate::member::{self, Polarity, Tri, World};
use bailiwick::domain::{Atom, Kind, NumberKind, Part, Set, TimeKind, Type};
use std::collections::BTreeMap;

/// By type and form: how many values lay inside, and outside.
pub type Forms = BTreeMap<(&'static str, &'static str), (usize, usize)>;

/// Counts every set in play against the arguments of one call.
pub fn count(gate: &Gate, arguments: &Json, forms: &mut Forms) {
    for (index, argument) in gate.tool.arguments.iter().enumerate() {
        let Some(value) = arguments.get(&argument.member.name) else { continue };
        if !crate::formed::well_formed(&argument.member.ty, value) {
            continue;
        }
        for set in gate.sets_on(index) {
            visit(&argument.member.ty, &set, value, forms);
        }
    }
}

fn visit(ty: &Type, set: &Set, value: &Json, forms: &mut Forms) {
    if *value == Json::Null {
        return;
    }
    let form = match set {
        Set::Any | Set::Never => return,
        Set::Not(inner) => {
            visit(ty, inner, value, forms);
            "except"
        }
        Set::And(parts) => {
            parts.iter().for_each(|p| visit(ty, p, value, forms));
            "and"
        }
        Set::Or(parts) => {
            parts.iter().for_each(|p| visit(ty, p, value, forms));
            "or"
        }
        Set::Atom(atom) => {
            within(ty, atom, value, forms);
            form(atom)
        }
    };
    let inside = member::holds(ty, set, value, World::Exact, Polarity::Permits) == Tri::In;
    let counts = forms.entry((kind(&ty.kind), form)).or_default();
    if inside { counts.0 += 1 } else { counts.1 += 1 }
}

fn within(ty: &Type, atom: &Atom, value: &Json, forms: &mut Forms) {
    match (atom, &ty.kind, value) {
        (Atom::Each(set), Kind::List(t), Json::List(items))
        | (Atom::OneOrEach(set, _), Kind::OneOrList(t), Json::List(items)) => {
            items.iter().for_each(|i| visit(t, set, i, forms));
        }
        (Atom::OneOrEach(set, _), Kind::OneOrList(t), one) => visit(t, set, one, forms),
        (Atom::Values(set), Kind::Map(t), Json::Obj(members)) => members.iter().for_each(|(_, v)| visit(t, set, v, forms)),
        (Atom::Field(name, slot), Kind::Record { members, rest }, _) => {
            if let (Some(m), Some(v)) = (member::declared(members, rest, name), value.get(name)) {
                visit(&m.ty, &slot.values, v, forms);
            }
        }
        (Atom::Alternative(i, set), Kind::Union(types), v) => {
            let chosen = &types[*i as usize];
            if crate::formed::well_formed(chosen, v) {
                visit(chosen, set, v, forms);
            }
        }
        _ => {} // nothing within it
    }
}

fn form(atom: &Atom) -> &'static str {
    match atom {
        Atom::OneOf(_) => "literals",
        Atom::Numbers(_) | Atom::Times(_) => "range",
        Atom::Prefix(_) => "prefix",
        Atom::Suffix(_) => "suffix",
        Atom::Length(_) => "length",
        Atom::Matches(_) => "matches",
        Atom::Host(_) | Atom::Url(_) | Atom::Email(_) => "pattern",
        Atom::Class(_) => "class",
        Atom::Cidr(_) => "block",
        Atom::Part(Part::Scheme, _) => ".scheme",
        Atom::Part(Part::Host, _) => ".host",
        Atom::Part(Part::Port, _) => ".port",
        Atom::Part(Part::Path, _) => ".path",
        Atom::Part(Part::Local, _) => ".local",
        Atom::Path(_) | Atom::PathAnyCase(_) => "glob",
        Atom::Each(_) | Atom::OneOrEach(..) => "each",
        Atom::Size(_) => "size",
        Atom::Keys(_) => "keys",
        Atom::Values(_) => "values",
        Atom::Field(..) => "member",
        Atom::Argv(..) => "positions",
        Atom::Alternative(..) => "alternative",
    }
}

fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Bool => "bool",
        Kind::Enum(_) => "enum",
        Kind::Number(NumberKind::Int) => "int",
        Kind::Number(NumberKind::Int64) => "int64",
        Kind::Number(NumberKind::Decimal) => "decimal",
        Kind::Text { by_pattern: false } => "text",
        Kind::Text { by_pattern: true } => "text by pattern",
        Kind::Host => "host",
        Kind::Url { bare: false } => "url",
        Kind::Url { bare: true } => "url or bare",
        Kind::Path { ignore_case: false } => "path",
        Kind::Path { ignore_case: true } => "path ignoring case",
        Kind::Email => "email",
        Kind::Ip => "ip",
        Kind::Time(TimeKind::Instant) => "instant",
        Kind::Time(TimeKind::DateTime) => "datetime",
        Kind::Time(TimeKind::Date) => "date",
        Kind::OpaqueText => "text opaque",
        Kind::OpaqueJson => "json opaque",
        Kind::List(_) => "list",
        Kind::OneOrList(_) => "one or list",
        Kind::Argv => "argv",
        Kind::Map(_) => "map",
        Kind::Record { .. } => "record",
        Kind::Union(_) => "union",
    }
}
