//! Tools: effects, capability, dispatch, arguments and record members with their defaults.

use super::agree::{called, is_hole, value_called};
use super::rows::{self, Owner};
use super::{Known, literals, names, places, sets, spell, types, warnings};
use crate::diag::{Code, Diagnostic, Sink, nearest};
use crate::domain::{self, Default, Kind, Member, Presence, Slot, Type, Value};
use crate::policy::{self, VocabularyId};
use crate::source::Span;
use crate::syntax::ast;
use std::collections::{BTreeMap, BTreeSet};

/// One tool as meant.
pub fn lower(known: &Known, home: VocabularyId, tool: &ast::Tool, capabilities: &[String], sink: &mut Sink) -> policy::Tool {
    if let Some(span) = tool.open {
        warnings::open_tool(tool, span, sink);
    }
    names::distinct("argument", tool.arguments.iter().map(|argument| &argument.name), sink);
    let arguments: Vec<policy::Argument> = tool
        .arguments
        .iter()
        .map(|argument| policy::Argument {
            member: member(known, Some(home), argument, sink),
            doc: argument.doc.as_deref().map(Into::into),
            span: argument.name.span,
        })
        .collect();
    let members: Vec<&Member> = arguments.iter().map(|argument| &argument.member).collect();
    let found = places::of_tool(known, home, tool, &members, sink);
    policy::Tool {
        effects: effects(known, tool, &members, sink),
        capability: capability(known, home, tool, capabilities, sink),
        dispatch: dispatch(tool, &members, sink),
        name: tool.name.text.as_str().into(),
        doc: tool.doc.as_deref().map(Into::into),
        claims: texts(&tool.claims),
        open: tool.open.is_some(),
        places: found.places,
        couplings: found.couplings,
        channels: found.channels,
        arguments,
        span: tool.name.span,
    }
}

fn texts(texts: &[ast::Text]) -> Vec<Box<str>> {
    texts.iter().map(|text| text.value.as_str().into()).collect()
}

/// An argument, or a member of a record.
pub fn member(known: &Known, home: Option<VocabularyId>, member: &ast::Member, sink: &mut Sink) -> Member {
    let ty = types::lower(known, home, &member.ty, sink);
    if let Some(span) = member.wildcard {
        wildcard(&ty, span, member, sink);
    }
    let presence = presence(member, &ty, sink);
    Member { name: member.name.text.as_str().into(), presence, wildcard: member.wildcard.is_some(), ty }
}

fn wildcard(ty: &Type, span: Span, member: &ast::Member, sink: &mut Sink) {
    let all = Value::Text("all".into());
    if !is_hole(ty) && domain::well_formed(ty, &all).is_ok() {
        let message =
            format!("`all` is a value of `{}` already, so it cannot stand for whatever the provider picks", called(ty));
        sink.push(Diagnostic::new(Code::BAD_TYPE, span, message).also(member.ty.span, "this type holds the string \"all\""));
    }
}

fn presence(member: &ast::Member, ty: &Type, sink: &mut Sink) -> Presence {
    if let (Some((_, span)), Some(_)) = (&member.absence, &member.default) {
        let message = format!("`{}` has a default, so it is never absent", member.name.text);
        sink.push(Diagnostic::new(Code::BAD_DEFAULT, *span, message).help("keep the one or the other"));
    }
    match (&member.default, &member.absence) {
        (Some(ast::DefaultExpr::Unspecified(_)), _) => Presence::Defaulted(Default::Unspecified),
        (Some(ast::DefaultExpr::All(span)), _) => {
            if member.wildcard.is_none() {
                let message = format!("`{}` has no wildcard `all`", member.name.text);
                let found = Diagnostic::new(Code::BAD_DEFAULT, *span, message);
                sink.push(found.help("write `or all` after the type, or quote the value: `\"all\"`"));
            }
            Presence::Defaulted(Default::Unspecified)
        }
        (Some(ast::DefaultExpr::Value(json)), _) => match default(json, ty, sink) {
            Some(value) => Presence::Defaulted(Default::Value(value)),
            None => Presence::Optional,
        },
        (None, Some((ast::Absence::Optional, _))) => Presence::Optional,
        (None, Some((ast::Absence::OrAbsent, _))) => Presence::OrAbsent,
        (None, None) => Presence::Required,
    }
}

fn default(json: &ast::Json, ty: &Type, sink: &mut Sink) -> Option<Value> {
    if is_hole(ty) {
        return None;
    }
    if let ast::JsonKind::Word(word) = &json.kind
        && literals::takes_strings(&ty.kind)
    {
        let quoted = spell::quoted(word);
        let found = Diagnostic::new(Code::BAD_DEFAULT, json.span, format!("`{word}` is no value of `{}`", called(ty)));
        if let Some(near) = nearest(word, ["unspecified"]) {
            sink.push(found.suggest(near, json.span, near.word));
            return None;
        }
        sink.push(found.help("strings stand in quotes").fix(format!("write `{quoted}`"), json.span, quoted));
        return None;
    }
    if let ast::JsonKind::Object(members) = &json.kind {
        literals::distinct_members(members, sink);
    }
    let value = literals::json(json);
    match domain::well_formed(ty, &value) {
        Ok(()) => Some(value),
        Err(fault) => {
            let message = format!("the default `{}` is no value of `{}`", value_called(&value), called(ty));
            let found =
                Diagnostic::new(Code::BAD_DEFAULT, json.span, message).note(format!("the type asks for {}", fault.expected));
            sink.push(match (&ty.kind, &value) {
                (Kind::Enum(values), Value::Text(text)) => {
                    let all = values.iter().filter_map(|v| if let Value::Text(text) = v { Some(&**text) } else { None });
                    match nearest(text, all.chain(["unspecified"])) {
                        Some(near) if near.word != "unspecified" => found.suggest(near, json.span, spell::name(near.word)),
                        Some(near) => found.suggest(near, json.span, near.word),
                        None => found,
                    }
                }
                _ => found,
            });
            None
        }
    }
}

/// Every effect clause; one effect without `when` stands once.
fn effects(known: &Known, tool: &ast::Tool, members: &[&Member], sink: &mut Sink) -> Vec<policy::EffectRule> {
    let mut first: BTreeMap<ast::Effect, Span> = BTreeMap::new();
    for clause in tool.effects.iter().filter(|clause| clause.when.is_none()) {
        if let Some(span) = first.insert(clause.effect, clause.span) {
            let message = format!("`{}` stands here a second time", effect_called(clause.effect));
            sink.push(Diagnostic::new(Code::DUPLICATE, clause.span, message).also(span, "the first is here"));
        }
    }
    tool.effects
        .iter()
        .map(|clause| policy::EffectRule {
            effect: effect(clause.effect),
            when: clause.when.as_ref().and_then(|(path, set)| selector(known, tool, members, path, set, sink)),
            claims: texts(&clause.claims),
        })
        .collect()
}

/// `when operation in { get, list }`: the argument, and what it must be.
fn selector(
    known: &Known,
    tool: &ast::Tool,
    members: &[&Member],
    path: &ast::Path,
    set: &ast::SetExpr,
    sink: &mut Sink,
) -> Option<(usize, Slot)> {
    let clause = ast::Clause { path: path.clone(), set: set.clone(), span: path.span.to(set.span) };
    let owner = Owner::Tool(&tool.name.text);
    let lowered = rows::clauses(known, members, owner, &[clause], &mut BTreeSet::new(), sink).clauses;
    let argument = lowered.first()?.argument;
    let mut meet = Slot::ANY;
    for clause in lowered {
        meet.values = sets::all([meet.values, clause.slot.values]);
        meet.null &= clause.slot.null;
        meet.absent &= clause.slot.absent;
    }
    Some((argument, meet))
}

/// As meant.
pub fn effect(effect: ast::Effect) -> policy::Effect {
    match effect {
        ast::Effect::Reads => policy::Effect::Reads,
        ast::Effect::Mutates => policy::Effect::Mutates,
        ast::Effect::Irreversible => policy::Effect::Irreversible,
        ast::Effect::ReachesOutside => policy::Effect::ReachesOutside,
    }
}

/// As written.
pub fn effect_called(effect: ast::Effect) -> &'static str {
    match effect {
        ast::Effect::Reads => "reads",
        ast::Effect::Mutates => "mutates",
        ast::Effect::Irreversible => "irreversible",
        ast::Effect::ReachesOutside => "reaches_outside",
    }
}

/// Exactly one: as written, or `connector.tool`.
fn capability(known: &Known, home: VocabularyId, tool: &ast::Tool, capabilities: &[String], sink: &mut Sink) -> Box<str> {
    let Some((first, more)) = tool.needs.split_first() else {
        let connector = &known.names.vocabularies[home.0].name.text;
        return format!("{connector}.{}", tool.name.text).into();
    };
    for extra in more {
        let message = format!("`{}` needs a second capability", tool.name.text);
        sink.push(
            Diagnostic::new(Code::SEVERAL_CAPABILITIES, extra.span, message)
                .also(first.span, "it needs this one already")
                .note("a tool needs exactly one; none written is `connector.tool`"),
        );
    }
    for name in &tool.needs {
        let text = spell::dotted(&name.parts);
        if capabilities.binary_search(&text).is_err() && !known.names.excused(&text) {
            let all: Vec<&str> = capabilities.iter().map(String::as_str).collect();
            let found = Diagnostic::new(Code::UNKNOWN_CAPABILITY, name.span, format!("no capability is called `{text}`"));
            sink.push(found.did_you_mean(&text, all.iter().copied()));
        }
    }
    spell::dotted(&first.parts).into()
}

/// `dispatches name, arguments`.
fn dispatch(tool: &ast::Tool, members: &[&Member], sink: &mut Sink) -> Option<policy::Dispatch> {
    let (name, arguments) = tool.dispatches.as_ref()?;
    let mut find = |given: &ast::Name| {
        let found = members.iter().position(|member| *member.name == *given.text);
        if found.is_none() {
            let all: Vec<&str> = members.iter().map(|member| &*member.name).collect();
            let message = format!("`{}` has no argument `{}`", tool.name.text, given.text);
            sink.push(spell::unknown(Code::UNKNOWN_ARGUMENT, given, message, &all));
        }
        found
    };
    let (at_name, at_arguments) = (find(name), find(arguments));
    let dispatch = policy::Dispatch { name: at_name?, arguments: at_arguments? };
    let texts = |values: &[Value]| values.iter().all(|value| matches!(value, Value::Text(_)));
    let named = match &members[dispatch.name].ty.kind {
        Kind::Text { .. } => true,
        Kind::Enum(values) => texts(values),
        _ => false, // nothing else is a tool's name
    };
    let object = matches!(members[dispatch.arguments].ty.kind, Kind::OpaqueJson | Kind::Record { .. } | Kind::Map(_));
    if !named && !is_hole(&members[dispatch.name].ty) {
        let message = format!("`{}` carries the inner tool's name, so it must be `text` or an enum of texts", name.text);
        sink.push(Diagnostic::new(Code::BAD_DISPATCH, name.span, message));
    }
    if !object && !is_hole(&members[dispatch.arguments].ty) {
        let message =
            format!("`{}` carries the inner tool's arguments, so it must be an object: `json opaque`", arguments.text);
        sink.push(Diagnostic::new(Code::BAD_DISPATCH, arguments.span, message));
    }
    Some(dispatch)
}
