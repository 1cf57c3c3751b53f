//! Types as written → types as meant.

use super::agree::{hole, is_hole, plain};
use super::sets::{self, Purpose};
use super::{Known, agree, names, spell, tools};
use crate::diag::{Code, Diagnostic, Near, Sink, nearest};
use crate::domain::{self, Kind, NumberKind, Rest, Set, TimeKind, Type, Value};
use crate::policy::VocabularyId;
use crate::source::Span;
use crate::syntax::ast;
use std::collections::HashSet;

/// The built-in types that are one word.
pub const BUILT_IN: [&str; 13] =
    ["bool", "int", "int64", "decimal", "text", "host", "url", "path", "email", "ip", "instant", "datetime", "date"];

/// The type that `expr` writes, in the vocabulary `home`; a hole where that could not be told (and was reported).
pub fn lower(known: &Known, home: Option<VocabularyId>, expr: &ast::TypeExpr, sink: &mut Sink) -> Type {
    let mut ty = kind(known, home, expr, sink);
    if let Some(found) = range_of_nothing(known, expr) {
        sink.push(found);
        return hole();
    }
    if is_hole(&ty) || expr.refinement.is_empty() {
        return ty;
    }
    if matches!(ty.kind, Kind::OpaqueText | Kind::OpaqueJson) {
        let span = joined(&expr.refinement);
        let message = format!("nothing can be said of what is opaque: `{}` takes no refinement", agree::called(&ty));
        sink.push(Diagnostic::new(Code::OPAQUE_SET, span, message));
        return ty;
    }
    let sets: Vec<Set> =
        expr.refinement.iter().filter_map(|set| sets::root(known, set, &ty, Purpose::Refinement, sink)).collect();
    if sets.len() != expr.refinement.len() {
        return hole();
    }
    let set = sets::all(ty.refinement.take().into_iter().chain(sets));
    if sets::is_empty(&ty, &set) {
        let message = "no value is of this type: the refinement leaves nothing";
        sink.push(Diagnostic::new(Code::NO_VALUE, joined(&expr.refinement), message));
        return hole();
    }
    ty.refinement = Some(set);
    ty
}

/// `lines: 1..100`: read as the literal 1 and a range, where a number's type is missing.
fn range_of_nothing(known: &Known, expr: &ast::TypeExpr) -> Option<Diagnostic> {
    let (ast::TypeKind::Values(literals), [first, ..]) = (&expr.kind, expr.refinement.as_slice()) else { return None };
    let [ast::Literal { kind: ast::LiteralKind::Number(_), span }] = literals.as_slice() else { return None };
    let range = known.sources.text(first.span);
    if !range.starts_with("..") || span.end != first.span.start {
        return None;
    }
    let written = span.to(first.span);
    let message = format!("a type is missing before `{}`", known.sources.text(written));
    let ty =
        if known.sources.text(written).contains(['.', 'e']) && range.matches('.').count() > 2 { "decimal" } else { "int" };
    let at = Span { end: written.start, ..written };
    Some(Diagnostic::new(Code::BAD_TYPE, written, message).help(format!("write `{ty}` before it")).fix(
        format!("write `{ty}`"),
        at,
        format!("{ty} "),
    ))
}

fn joined(sets: &[ast::SetExpr]) -> Span {
    let first = sets.first().map(|set| set.span).unwrap_or_default();
    sets.iter().fold(first, |span, set| span.to(set.span))
}

fn kind(known: &Known, home: Option<VocabularyId>, expr: &ast::TypeExpr, sink: &mut Sink) -> Type {
    match &expr.kind {
        ast::TypeKind::Named(name) => named(known, home, name, sink),
        ast::TypeKind::TextByPattern => plain(Kind::Text { by_pattern: true }),
        ast::TypeKind::TextOpaque => plain(Kind::OpaqueText),
        ast::TypeKind::JsonOpaque => plain(Kind::OpaqueJson),
        ast::TypeKind::PathIgnoringCase => plain(Kind::Path { ignore_case: true }),
        ast::TypeKind::UrlOrBare => plain(Kind::Url { bare: true }),
        ast::TypeKind::Values(literals) => values(literals, expr.span, sink),
        ast::TypeKind::ListOf(inner) => wrapped(Kind::List, lower(known, home, inner, sink)),
        ast::TypeKind::MapOf(inner) => wrapped(Kind::Map, lower(known, home, inner, sink)),
        ast::TypeKind::OrList(inner) => or_list(lower(known, home, inner, sink), inner.span, sink),
        ast::TypeKind::OrNull(inner) => or_null(lower(known, home, inner, sink), expr.span, sink),
        ast::TypeKind::Record { members, rest } => record(known, home, members, rest.as_ref(), sink),
        ast::TypeKind::Union(types) => union(known, home, types, sink),
    }
}

fn wrapped(kind: impl FnOnce(Box<Type>) -> Kind, inner: Type) -> Type {
    if is_hole(&inner) { hole() } else { plain(kind(Box::new(inner))) }
}

fn named(known: &Known, home: Option<VocabularyId>, name: &ast::Dotted, sink: &mut Sink) -> Type {
    match name.parts.as_slice() {
        [one] => match home.and_then(|home| known.enums.get(home, &one.text)) {
            Some(values) => plain(Kind::Enum(values.to_vec())),
            None => built_in(&one.text).map_or_else(|| unknown(known, home, one, sink), plain),
        },
        [connector, one] => {
            let Some(vocabulary) = known.names.vocabulary(connector, sink) else { return hole() };
            match known.enums.get(vocabulary, &one.text) {
                Some(values) => plain(Kind::Enum(values.to_vec())),
                None => {
                    let all = known.enums.of(vocabulary);
                    let message = format!("connector `{}` has no enum `{}`", connector.text, one.text);
                    sink.push(spell::unknown(Code::UNKNOWN_TYPE, one, message, &all));
                    hole()
                }
            }
        }
        _ => {
            let message = format!("`{}` names no type", spell::dotted(&name.parts));
            sink.push(Diagnostic::new(Code::UNKNOWN_TYPE, name.span, message));
            hole()
        }
    }
}

fn built_in(name: &str) -> Option<Kind> {
    Some(match name {
        "bool" => Kind::Bool,
        "int" => Kind::Number(NumberKind::Int),
        "int64" => Kind::Number(NumberKind::Int64),
        "decimal" => Kind::Number(NumberKind::Decimal),
        "text" => Kind::Text { by_pattern: false },
        "host" => Kind::Host,
        "url" => Kind::Url { bare: false },
        "path" => Kind::Path { ignore_case: false },
        "email" => Kind::Email,
        "ip" => Kind::Ip,
        "instant" => Kind::Time(TimeKind::Instant),
        "datetime" => Kind::Time(TimeKind::DateTime),
        "date" => Kind::Time(TimeKind::Date),
        "argv" => Kind::Argv,
        _ => return None,
    })
}

/// Words from other languages for our types.
fn foreign(name: &str) -> Option<&'static str> {
    Some(match name {
        "string" | "str" | "String" => "text",
        "boolean" => "bool",
        "integer" | "i32" | "i64" | "uint" => "int",
        "number" | "float" | "double" => "decimal",
        "uri" | "URL" => "url",
        "hostname" | "domain" => "host",
        "timestamp" => "instant",
        "json" | "object" => "json opaque",
        _ => return None,
    })
}

fn unknown(known: &Known, home: Option<VocabularyId>, name: &ast::Name, sink: &mut Sink) -> Type {
    let message = format!("no type is called `{}`", name.text);
    let found = Diagnostic::new(Code::UNKNOWN_TYPE, name.span, message);
    let elsewhere = known.enums.named(&name.text);
    if let (None, [vocabulary]) = (home, elsewhere.as_slice()) {
        let full = format!("{}.{}", spell::name(vocabulary), spell::name(&name.text));
        sink.push(found.help(format!("enums are named with their connector here: `{full}`")).fix(
            format!("write `{full}`"),
            name.span,
            full.clone(),
        ));
        return hole();
    }
    let own = home.map(|home| known.enums.of(home)).unwrap_or_default();
    let all: Vec<&str> = own.iter().copied().chain(BUILT_IN).chain(["argv"]).collect();
    let meant = foreign(&name.text).map(|word| Near { word, alone: true });
    sink.push(match meant.or_else(|| nearest(&name.text, all.iter().copied())) {
        Some(near) => found.suggest(near, name.span, near.word),
        None => found.note(format!("the built-in types are {}", all.join(", "))),
    });
    hole()
}

/// An inline closed list; a literal is a type too.
pub fn values(literals: &[ast::Literal], span: Span, sink: &mut Sink) -> Type {
    let mut values: Vec<Value> = Vec::new();
    let mut seen: HashSet<Value> = HashSet::new();
    for literal in literals {
        match closed_value(literal) {
            Ok(value) if !seen.insert(value.clone()) => {
                let message = format!("`{}` stands here a second time", agree::value_called(&value));
                sink.push(Diagnostic::new(Code::DUPLICATE, literal.span, message));
            }
            Ok(value) => values.push(value),
            Err(found) => sink.push(*found),
        }
    }
    if literals.is_empty() {
        sink.push(Diagnostic::new(Code::NO_VALUE, span, "a closed list needs at least one value"));
    }
    plain(Kind::Enum(values))
}

/// The value of a closed list that `literal` writes.
pub fn closed_value(literal: &ast::Literal) -> Result<Value, Box<Diagnostic>> {
    match &literal.kind {
        ast::LiteralKind::Text(text) | ast::LiteralKind::Word(text) => Ok(Value::Text(text.as_str().into())),
        ast::LiteralKind::Number(number) => Ok(Value::Number(number.clone())),
        ast::LiteralKind::Bool(it) => Ok(Value::Bool(*it)),
        ast::LiteralKind::Null => Err(Box::new(
            Diagnostic::new(Code::BAD_TYPE, literal.span, "`null` is no value of a closed list")
                .help("write `or null` after the type"),
        )),
        ast::LiteralKind::Time(text) => {
            let found =
                Diagnostic::new(Code::BAD_TYPE, literal.span, format!("`{text}` is a date, and no value of a closed list"));
            Err(Box::new(found.fix("write a string", literal.span, spell::quoted(text))))
        }
    }
}

fn or_list(inner: Type, span: Span, sink: &mut Sink) -> Type {
    if is_hole(&inner) {
        return hole();
    }
    if inner.null {
        let message = format!("`{}` cannot be followed by `or list`", agree::called(&inner));
        sink.push(Diagnostic::new(Code::BAD_TYPE, span, message).help("write `or null` last"));
        return hole();
    }
    if may_be_array(&inner.kind) {
        let message = format!("`or list` cannot follow `{}`, which may be an array itself", agree::called(&inner));
        sink.push(Diagnostic::new(Code::BAD_TYPE, span, message));
        return hole();
    }
    plain(Kind::OneOrList(Box::new(inner)))
}

/// Whether some value of the kind is a JSON array.
fn may_be_array(kind: &Kind) -> bool {
    match kind {
        Kind::List(_) | Kind::OneOrList(_) | Kind::Argv | Kind::OpaqueJson => true,
        Kind::Union(types) => types.iter().any(|ty| may_be_array(&ty.kind)),
        Kind::Bool
        | Kind::Enum(_)
        | Kind::Number(_)
        | Kind::Text { .. }
        | Kind::Host
        | Kind::Url { .. }
        | Kind::Path { .. }
        | Kind::Email
        | Kind::Ip
        | Kind::Time(_)
        | Kind::Map(_)
        | Kind::Record { .. }
        | Kind::OpaqueText => false,
    }
}

fn or_null(inner: Type, span: Span, sink: &mut Sink) -> Type {
    if is_hole(&inner) {
        return hole();
    }
    if inner.null || inner.kind == Kind::OpaqueJson {
        let message = format!("`{}` may be null already", agree::called(&inner));
        sink.push(Diagnostic::new(Code::BAD_TYPE, span, message));
    }
    Type { null: true, ..inner }
}

fn record(
    known: &Known,
    home: Option<VocabularyId>,
    members: &[ast::Member],
    rest: Option<&(Option<Box<ast::TypeExpr>>, Span)>,
    sink: &mut Sink,
) -> Type {
    names::distinct("member", members.iter().map(|member| &member.name), sink);
    let members = members.iter().map(|member| tools::member(known, home, member, sink)).collect();
    let rest = match rest {
        None => Rest::Closed,
        Some((None, _)) => Rest::Open,
        Some((Some(ty), _)) => Rest::Typed(Box::new(lower(known, home, ty, sink))),
    };
    plain(Kind::Record { members, rest })
}

fn union(known: &Known, home: Option<VocabularyId>, types: &[ast::TypeExpr], sink: &mut Sink) -> Type {
    let lowered: Vec<Type> = types.iter().map(|ty| lower(known, home, ty, sink)).collect();
    if lowered.iter().any(is_hole) {
        return hole();
    }
    if let [_] | [] = types {
        let span = types.first().map(|ty| ty.span).unwrap_or_default();
        sink.push(Diagnostic::new(Code::BAD_TYPE, span, "a union needs at least two alternatives"));
        return hole();
    }
    for (at, later) in lowered.iter().enumerate() {
        for (before, earlier) in lowered[..at].iter().enumerate() {
            if !domain::disjoint(earlier, later) {
                let message = format!("a value may be both `{}` and `{}`", agree::called(earlier), agree::called(later));
                sink.push(
                    Diagnostic::new(Code::NOT_DISJOINT, types[at].span, message)
                        .also(types[before].span, "the other alternative")
                        .help("give both a required member with a literal type: `kind: \"file\"` and `kind: \"url\"`"),
                );
                return hole();
            }
        }
    }
    plain(Kind::Union(lowered))
}
