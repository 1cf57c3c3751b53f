//! The values that a test passes: each must be a value of its argument's type, unless the test says that the call is malformed.

use super::agree::{called, is_hole};
use super::{literals, spell};
use crate::diag::{Code, Diagnostic, Sink, nearest};
use crate::domain::{self, Kind, Type, Value};
use crate::policy;
use crate::syntax::ast::{Json, JsonKind, Name};

/// Reports what is no value of its argument; what no argument is called was reported before.
pub fn arguments<'a>(tool: &policy::Tool, given: impl Iterator<Item = &'a (Name, Json)>, sink: &mut Sink) {
    for (name, json) in given {
        let Some(argument) = tool.arguments.iter().find(|argument| *argument.member.name == *name.text) else { continue };
        let member = &argument.member;
        let value = literals::json(json);
        if is_hole(&member.ty) || (member.wildcard && value == Value::Text("all".into())) {
            continue;
        }
        sink.extend(no_value(&member.ty, json).map(|found| found.note("a call with it is `Malformed`: a test may say so")));
    }
}

/// What is wrong with a value of a policy's JSON as a value of `ty`.
pub fn no_value(ty: &Type, json: &Json) -> Option<Diagnostic> {
    let fault = domain::well_formed(ty, &literals::json(json)).err()?;
    let (mut at, mut inner) = (json, Some(ty));
    for step in fault.path.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        at = inside(at, &step).unwrap_or(at);
        inner = inner.and_then(|ty| part(ty, &step));
    }
    let shown = literals::json(at);
    let message = match inner {
        Some(ty) => format!("`{}` is no value of `{}`", super::agree::value_called(&shown), called(ty)),
        None => format!("`{}` is no value here", super::agree::value_called(&shown)),
    };
    let found = Diagnostic::new(Code::UNKNOWN_VALUE, at.span, message).note(format!("the type asks for {}", fault.expected));
    let (JsonKind::Text(text) | JsonKind::Word(text)) = &at.kind else { return Some(found) };
    let Some(near) = inner.and_then(|ty| nearest(text, texts(ty))) else { return Some(found) };
    let quoted = matches!(at.kind, JsonKind::Text(_));
    let written = if quoted { spell::quoted(near.word) } else { spell::name(near.word) };
    Some(found.suggest(near, at.span, written))
}

fn inside<'j>(json: &'j Json, step: &str) -> Option<&'j Json> {
    match &json.kind {
        JsonKind::List(items) => items.get(step.parse::<usize>().ok()?),
        JsonKind::Object(members) => members.iter().find(|(name, _)| name.text == step).map(|(_, value)| value),
        JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::Text(_) | JsonKind::Word(_) => None,
    }
}

fn part<'t>(ty: &'t Type, step: &str) -> Option<&'t Type> {
    match &ty.kind {
        Kind::List(inner) | Kind::OneOrList(inner) | Kind::Map(inner) => Some(inner),
        Kind::Record { members, .. } => members.iter().find(|member| *member.name == *step).map(|member| &member.ty),
        _ => None, // scalars have no parts; of a union nobody can say which alternative was meant
    }
}

/// The texts of a closed list.
fn texts(ty: &Type) -> Vec<&str> {
    match &ty.kind {
        Kind::Enum(values) => {
            values.iter().filter_map(|v| if let Value::Text(text) = v { Some(&**text) } else { None }).collect()
        }
        Kind::OneOrList(inner) => texts(inner),
        _ => Vec::new(), // nothing else has a closed list
    }
}
