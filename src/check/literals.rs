//! Values and patterns in braces, over one type → sets; JSON in policies → values.

use super::agree::{called, plain, value_called, values_called};
use super::{atoms, sets, spell, times};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{self, Atom, Kind, Matcher, NumberKind, Pattern, Set, Type, Value, Work};
use crate::source::Span;
use crate::syntax::ast::{self, Json, JsonKind, Literal, LiteralKind};

/// The type of a word of an argv, and of a map's keys.
pub fn word_type() -> Type {
    plain(Kind::Text { by_pattern: false })
}

/// `{ a, b }`, which is never empty.
pub fn list(literals: &[Literal], ty: &Type, span: Span, sink: &mut Sink) -> Option<Set> {
    if literals.is_empty() {
        sink.push(Diagnostic::new(Code::NO_VALUE, span, "`{ }` permits nothing, and is never written").help(
            "to withhold a tool leave it out (`without`, `tools none`); an argument that must not be given is `absent`",
        ));
        return None;
    }
    values(literals, ty, sink)
}

/// The union of what the literals write.
pub fn values(literals: &[Literal], ty: &Type, sink: &mut Sink) -> Option<Set> {
    let (mut scalars, mut others, mut failed) = (Vec::new(), Vec::new(), false);
    for literal in literals {
        match piece(literal, ty) {
            Ok(Piece::Value(value)) => scalars.push(value),
            Ok(Piece::Set(set)) => others.push(set),
            Err(found) => {
                failed = true;
                sink.push(*found);
            }
        }
    }
    if failed {
        return None;
    }
    if !scalars.is_empty() {
        others.insert(0, Set::Atom(Atom::OneOf(in_order(scalars))));
    }
    Some(sets::any(others))
}

/// Sorted and distinct: Booleans, numbers, texts.
fn in_order(mut values: Vec<Value>) -> Vec<Value> {
    let rank = |value: &Value| match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::Text(_) => 3,
        Value::List(_) | Value::Object(_) => 4,
    };
    values.sort_by(|a, b| match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Number(a), Value::Number(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (a, b) => rank(a).cmp(&rank(b)),
    });
    values.dedup();
    values
}

/// What one literal writes.
enum Piece {
    Value(Value),
    Set(Set),
}

fn piece(literal: &Literal, ty: &Type) -> Result<Piece, Box<Diagnostic>> {
    match &ty.kind {
        Kind::Bool | Kind::Enum(_) | Kind::Number(_) | Kind::Text { .. } => scalar(literal, ty).map(Piece::Value),
        Kind::Host => {
            pattern_text(literal, ty, domain::canonical_host_pattern).map(|text| Piece::Set(Set::Atom(Atom::Host(text))))
        }
        Kind::Url { .. } => {
            pattern_text(literal, ty, domain::canonical_url_pattern).map(|text| Piece::Set(Set::Atom(Atom::Url(text))))
        }
        Kind::Path { .. } => {
            pattern_text(literal, ty, domain::canonical_path_glob).map(|text| Piece::Set(Set::Atom(Atom::Path(text))))
        }
        Kind::Email => {
            pattern_text(literal, ty, domain::canonical_email_pattern).map(|text| Piece::Set(Set::Atom(Atom::Email(text))))
        }
        Kind::Ip => pattern_text(literal, ty, domain::canonical_cidr).map(|text| Piece::Set(Set::Atom(Atom::Cidr(text)))),
        Kind::Time(kind) => times::member(literal, *kind).map(Piece::Set),
        Kind::OneOrList(inner) => piece(literal, inner),
        Kind::List(_)
        | Kind::Argv
        | Kind::Map(_)
        | Kind::Record { .. }
        | Kind::Union(_)
        | Kind::OpaqueText
        | Kind::OpaqueJson => Err(Box::new(wrong(literal, ty))),
    }
}

/// A literal of the wrong type.
pub fn wrong(literal: &Literal, ty: &Type) -> Diagnostic {
    let given = match &literal.kind {
        LiteralKind::Text(text) => spell::quoted(text),
        LiteralKind::Word(word) | LiteralKind::Time(word) => word.clone(),
        LiteralKind::Number(number) => number.to_string(),
        LiteralKind::Bool(it) => it.to_string(),
        LiteralKind::Null => "null".to_owned(),
    };
    let found = Diagnostic::new(Code::TYPE_MISMATCH, literal.span, format!("`{given}` is no `{}`", called(ty)));
    match (&literal.kind, &ty.kind) {
        (LiteralKind::Null, _) => found.help("null is no value: write `or null` at the end of the clause"),
        (LiteralKind::Word(word) | LiteralKind::Time(word), kind) if takes_strings(kind) => {
            let quoted = spell::quoted(word);
            found.help("strings stand in quotes").fix(format!("write `{quoted}`"), literal.span, quoted)
        }
        (LiteralKind::Text(text), Kind::Number(_)) if domain::Decimal::parse(text).is_ok() => {
            found.help("numbers stand without quotes").fix(format!("write `{text}`"), literal.span, text)
        }
        (LiteralKind::Number(number), kind) if takes_strings(kind) => {
            let quoted = spell::quoted(&number.to_string());
            found.help("strings stand in quotes").fix(format!("write `{quoted}`"), literal.span, quoted)
        }
        _ => found.note(atoms::takes(ty)),
    }
}

/// Whether the values are strings without a closed list.
pub fn takes_strings(kind: &Kind) -> bool {
    matches!(kind, Kind::Text { .. } | Kind::Host | Kind::Url { .. } | Kind::Path { .. } | Kind::Email | Kind::Ip)
}

/// A value of a bool, a closed list, a number or a text.
pub fn scalar(literal: &Literal, ty: &Type) -> Result<Value, Box<Diagnostic>> {
    let value = match (&literal.kind, &ty.kind) {
        (LiteralKind::Bool(it), Kind::Bool | Kind::Enum(_)) => Value::Bool(*it),
        (LiteralKind::Number(number), Kind::Number(_) | Kind::Enum(_)) => Value::Number(number.clone()),
        (LiteralKind::Text(text), Kind::Text { .. } | Kind::Enum(_)) => Value::Text(text.as_str().into()),
        (LiteralKind::Word(word) | LiteralKind::Time(word), Kind::Enum(_)) => Value::Text(word.as_str().into()),
        _ => return Err(Box::new(wrong(literal, ty))),
    };
    match &ty.kind {
        Kind::Enum(values) if !values.contains(&value) => Err(Box::new(not_listed(&value, literal, values))),
        Kind::Number(NumberKind::Int | NumberKind::Int64) => whole(value, literal, ty),
        _ => in_type(value, literal.span, ty),
    }
}

fn whole(value: Value, literal: &Literal, ty: &Type) -> Result<Value, Box<Diagnostic>> {
    match &value {
        Value::Number(number) if !number.is_integral() => {
            let message = format!("`{number}` is no whole number, and this is `{}`", called(ty));
            Err(Box::new(Diagnostic::new(Code::TYPE_MISMATCH, literal.span, message)))
        }
        _ => in_type(value, literal.span, ty),
    }
}

fn not_listed(value: &Value, literal: &Literal, values: &[Value]) -> Diagnostic {
    let message = format!("`{}` is none of the values of this list", value_called(value));
    let name = ast::Name {
        text: match value {
            Value::Text(text) => text.to_string(),
            other => value_called(other),
        },
        span: literal.span,
        quoted: matches!(literal.kind, LiteralKind::Text(_)),
    };
    let all: Vec<&str> =
        values.iter().filter_map(|v| if let Value::Text(text) = v { Some(&**text) } else { None }).collect();
    let found = spell::unknown(Code::UNKNOWN_VALUE, &name, message.clone(), &all);
    if found.help.is_some() {
        found
    } else {
        Diagnostic::new(Code::UNKNOWN_VALUE, literal.span, message).note(format!("it has {}", values_called(values)))
    }
}

/// The value, if the type's refinement holds of it.
fn in_type(value: Value, span: Span, ty: &Type) -> Result<Value, Box<Diagnostic>> {
    match domain::well_formed(ty, &value) {
        Ok(()) => Ok(value),
        Err(fault) => {
            let message = format!("`{}` lies outside what `{}` admits here", value_called(&value), called(ty));
            Err(Box::new(
                Diagnostic::new(Code::UNKNOWN_VALUE, span, message).note(format!("the type asks for {}", fault.expected)),
            ))
        }
    }
}

fn pattern_text(
    literal: &Literal,
    ty: &Type,
    canonical: fn(&str) -> Result<Box<str>, Box<str>>,
) -> Result<Box<str>, Box<Diagnostic>> {
    let LiteralKind::Text(text) = &literal.kind else { return Err(Box::new(wrong(literal, ty))) };
    canonical(text).map_err(|why| {
        let message = format!("`{text}` is no pattern of `{}`: {why}", called(ty));
        Box::new(Diagnostic::new(Code::BAD_LITERAL, literal.span, message))
    })
}

/// The pattern that `matches` writes.
pub fn pattern(text: &ast::Text, sink: &mut Sink) -> Option<Pattern> {
    match crate::syntax::pattern::parse_pattern(&text.value) {
        Ok(pattern) => {
            let set = Set::Atom(Atom::Matches(pattern.clone()));
            match Matcher::compile(&word_type(), &set, &mut Work::new()) {
                Ok(_) => Some(pattern),
                Err(bound) => {
                    let message = format!("the pattern is too large: {}", bound.what);
                    sink.push(
                        Diagnostic::new(Code::BAD_PATTERN, text.span, message)
                            .help("repeat less, or write long lengths as `length a..b` beside it"),
                    );
                    None
                }
            }
        }
        Err((range, message)) => {
            sink.push(Diagnostic::new(Code::BAD_PATTERN, inside(text, range), message));
            None
        }
    }
}

/// Where `range` of a string's value stands, when it is written without escapes; else the whole string.
fn inside(text: &ast::Text, range: std::ops::Range<usize>) -> Span {
    let written = (text.span.end as usize).saturating_sub(text.span.start as usize);
    if written != text.value.len() + 2 || range.is_empty() {
        return text.span;
    }
    let start = text.span.start as usize + 1 + range.start;
    Span::new(text.span.file, start, start + range.len())
}

/// A JSON value of a policy, read for `ty`; bare words are strings.
pub fn json(json: &Json) -> Value {
    match &json.kind {
        JsonKind::Null => Value::Null,
        JsonKind::Bool(it) => Value::Bool(*it),
        JsonKind::Number(number) => Value::Number(number.clone()),
        JsonKind::Text(text) | JsonKind::Word(text) => Value::Text(text.as_str().into()),
        JsonKind::List(items) => Value::List(items.iter().map(self::json).collect()),
        JsonKind::Object(members) => object(members),
    }
}

/// An object of named JSON values.
pub fn object(members: &[(ast::Name, Json)]) -> Value {
    Value::Object(members.iter().map(|(name, value)| (name.text.as_str().into(), json(value))).collect())
}

/// Reports members that stand twice in an object, at any depth.
pub fn distinct_members(members: &[(ast::Name, Json)], sink: &mut Sink) {
    super::names::distinct("member", members.iter().map(|(name, _)| name), sink);
    for (_, value) in members {
        distinct_inside(value, sink);
    }
}

fn distinct_inside(json: &Json, sink: &mut Sink) {
    match &json.kind {
        JsonKind::List(items) => items.iter().for_each(|item| distinct_inside(item, sink)),
        JsonKind::Object(members) => distinct_members(members, sink),
        JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::Text(_) | JsonKind::Word(_) => {}
    }
}
