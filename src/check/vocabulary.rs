//! Vocabularies: enums, limits, capabilities; the tools are in their own file.

use super::agree::{is_hole, plain};
use super::{Known, names, spell, tools, types};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{Kind, Type, Value};
use crate::policy::{self, VocabularyId};
use crate::syntax::ast;
use std::collections::BTreeMap;

/// The values of every named enum.
#[derive(Default)]
pub struct Enums<'a> {
    by_vocabulary: Vec<BTreeMap<&'a str, Vec<Value>>>,
    names: Vec<&'a str>,
}

impl<'a> Enums<'a> {
    /// Those that `policy` has.
    pub fn of_policy(policy: &'a policy::Policy) -> Enums<'a> {
        let values = |it: &policy::EnumInfo| it.values.iter().map(|(value, _)| value.clone()).collect();
        let of = |it: &'a policy::Vocabulary| it.enums.iter().map(|it| (&*it.name, values(it))).collect();
        Enums {
            by_vocabulary: policy.vocabularies.iter().map(of).collect(),
            names: policy.vocabularies.iter().map(|it| &*it.name).collect(),
        }
    }

    /// The values of the enum `name` of a connector.
    pub fn get(&self, vocabulary: VocabularyId, name: &str) -> Option<&[Value]> {
        self.by_vocabulary[vocabulary.0].get(name).map(Vec::as_slice)
    }

    /// The names of a connector's enums.
    pub fn of(&self, vocabulary: VocabularyId) -> Vec<&'a str> {
        self.by_vocabulary[vocabulary.0].keys().copied().collect()
    }

    /// The connectors that have an enum `name`.
    pub fn named(&self, name: &str) -> Vec<&'a str> {
        self.by_vocabulary.iter().zip(&self.names).filter(|(enums, _)| enums.contains_key(name)).map(|(_, v)| *v).collect()
    }
}

/// All enums of all vocabularies.
pub fn enums<'a>(known: &Known<'a>, sink: &mut Sink) -> Enums<'a> {
    let mut enums = Enums::default();
    for vocabulary in &known.names.vocabularies {
        let kept = names::distinct("enum", vocabulary.enums.iter().map(|it| &it.name), sink);
        let mut map = BTreeMap::new();
        for declared in kept.into_iter().map(|at| &vocabulary.enums[at]) {
            reserved(&declared.name, sink);
            claims(declared, sink);
            let literals: Vec<ast::Literal> = declared.values.iter().map(|value| value.value.clone()).collect();
            let Type { kind: Kind::Enum(values), .. } = types::values(&literals, declared.name.span, sink) else { continue };
            map.entry(declared.name.text.as_str()).or_insert(values);
        }
        enums.by_vocabulary.push(map);
        enums.names.push(&vocabulary.name.text);
    }
    enums
}

/// One word claims one value.
fn claims(declared: &ast::EnumDecl, sink: &mut Sink) {
    let mut seen: BTreeMap<String, crate::source::Span> = BTreeMap::new();
    for claim in declared.values.iter().flat_map(|value| &value.claims) {
        if let Some(first) = seen.get(&claim.value.to_lowercase()) {
            let message = format!("{} is claimed a second time in `{}`", spell::quoted(&claim.value), declared.name.text);
            let found = Diagnostic::new(Code::DUPLICATE, claim.span, message).also(*first, "the first is here");
            sink.push(found.note("a word that claims two values tells nobody which one is meant"));
        } else {
            seen.insert(claim.value.to_lowercase(), claim.span);
        }
    }
}

fn reserved(name: &ast::Name, sink: &mut Sink) {
    if types::BUILT_IN.contains(&name.text.as_str()) || name.text == "argv" {
        let message = format!("`{}` is a built-in type: an enum needs another name", name.text);
        sink.push(Diagnostic::new(Code::RESERVED_NAME, name.span, message));
    }
}

/// The limits of all vocabularies, in the order of the text.
pub fn limits(known: &Known, sink: &mut Sink) -> Vec<Vec<policy::Limit>> {
    let mut all: Vec<Vec<policy::Limit>> = Vec::new();
    for (at, vocabulary) in known.names.vocabularies.iter().enumerate() {
        let kept = names::distinct("limit", vocabulary.limits.iter().map(|limit| &limit.name), sink);
        let mut nowhere = Sink::default();
        let lower =
            |(index, limit)| declared(known, VocabularyId(at), limit, names::muted(&kept, index, sink, &mut nowhere));
        all.push(vocabulary.limits.iter().enumerate().map(lower).collect());
    }
    let mut withins = Vec::new();
    for (at, vocabulary) in known.names.vocabularies.iter().enumerate() {
        for (index, limit) in vocabulary.limits.iter().enumerate() {
            if let Some(within) = &limit.within {
                let ty = &all[at][index].ty;
                withins.push((at, index, self::within(known, &all, VocabularyId(at), within, ty, limit, sink)));
            }
        }
    }
    for (at, index, within) in withins {
        all[at][index].within = within;
    }
    all
}

fn declared(known: &Known, home: VocabularyId, limit: &ast::LimitDecl, sink: &mut Sink) -> policy::Limit {
    let mut ty = types::lower(known, Some(home), &limit.ty, sink);
    if matches!(ty.kind, Kind::OpaqueText | Kind::OpaqueJson) {
        let message = format!("nothing can be said of what is opaque, so `{}` could never be set", limit.name.text);
        sink.push(Diagnostic::new(Code::OPAQUE_SET, limit.ty.span, message));
        ty = super::agree::hole();
    }
    policy::Limit {
        name: limit.name.text.as_str().into(),
        doc: limit.doc.as_deref().map(Into::into),
        one: limit.cardinality == ast::Cardinality::One,
        ty,
        noun: limit.noun.as_ref().map(|noun| noun.value.as_str().into()),
        within: None,
        span: limit.name.span,
    }
}

/// `within L by prefix ":"`: this limit is over texts, L over an enum of texts.
fn within(
    known: &Known,
    all: &[Vec<policy::Limit>],
    home: VocabularyId,
    within: &ast::Within,
    ty: &Type,
    limit: &ast::LimitDecl,
    sink: &mut Sink,
) -> Option<policy::Within> {
    let target = known.names.limit_in_reach(Some(home), &within.limit, sink)?;
    let named = &all[target.vocabulary.0][target.limit];
    if is_hole(ty) || is_hole(&named.ty) {
        return None;
    }
    if !matches!(ty.kind, Kind::Text { .. }) {
        let message =
            format!("only texts can name a value by a prefix: `{}` is over `{}`", limit.name.text, super::agree::called(ty));
        sink.push(Diagnostic::new(Code::BAD_WITHIN, limit.ty.span, message));
        return None;
    }
    let Some(values) = enum_texts(&named.ty) else {
        let message = format!(
            "`{}` is over `{}`: a prefix can only name the values of an enum of texts",
            named.name,
            super::agree::called(&named.ty)
        );
        sink.push(Diagnostic::new(Code::BAD_WITHIN, within.limit.span, message).also(named.span, "declared here"));
        return None;
    };
    if within.separator.value.is_empty() {
        sink.push(Diagnostic::new(Code::BAD_WITHIN, within.separator.span, "the separator is empty"));
        return None;
    }
    let separator = within.separator.value.as_str();
    let prefixes: Vec<String> = values.iter().map(|value| format!("{value}{separator}")).collect();
    for (at, prefix) in prefixes.iter().enumerate() {
        if let Some((other, _)) = prefixes.iter().enumerate().find(|(i, p)| *i != at && p.starts_with(prefix.as_str())) {
            let message = format!(
                "a text that begins with `{}` would name both `{}` and `{}`",
                prefixes[other], values[at], values[other]
            );
            sink.push(Diagnostic::new(Code::BAD_WITHIN, within.separator.span, message).help("use another separator"));
            return None;
        }
    }
    Some(policy::Within { limit: target, separator: separator.into(), values })
}

fn enum_texts(ty: &Type) -> Option<Vec<Box<str>>> {
    let Kind::Enum(values) = &ty.kind else { return None };
    values.iter().map(|value| if let Value::Text(text) = value { Some(text.clone()) } else { None }).collect()
}

/// All vocabularies, in the order of their names.
pub fn vocabularies(known: &Known, sink: &mut Sink) -> Vec<policy::Vocabulary> {
    let capabilities = capabilities(known, sink);
    known
        .names
        .vocabularies
        .iter()
        .enumerate()
        .map(|(at, vocabulary)| {
            let kept = names::distinct("tool", vocabulary.tools.iter().map(|tool| &tool.name), sink);
            let home = VocabularyId(at);
            let mut nowhere = Sink::default();
            let lower = |(index, tool)| {
                tools::lower(known, home, tool, &capabilities, names::muted(&kept, index, sink, &mut nowhere))
            };
            let tools = vocabulary.tools.iter().enumerate().map(lower).collect();
            policy::Vocabulary {
                name: vocabulary.name.text.as_str().into(),
                doc: vocabulary.doc.as_deref().map(Into::into),
                enums: enum_infos(known, home, vocabulary),
                limits: known.limits[at].clone(),
                capabilities: vocabulary.capabilities.iter().map(|name| spell::dotted(&name.parts).into()).collect(),
                tools,
                span: vocabulary.name.span,
            }
        })
        .collect()
}

/// Every declared capability; one that stands twice in a vocabulary is reported.
fn capabilities(known: &Known, sink: &mut Sink) -> Vec<String> {
    let mut all = Vec::new();
    for vocabulary in &known.names.vocabularies {
        let mut seen: BTreeMap<String, crate::source::Span> = BTreeMap::new();
        for name in &vocabulary.capabilities {
            let text = spell::dotted(&name.parts);
            match seen.get(&text) {
                Some(first) => sink.push(
                    Diagnostic::new(Code::DUPLICATE, name.span, format!("capability `{text}` stands here a second time"))
                        .also(*first, "the first is here"),
                ),
                None => drop(seen.insert(text, name.span)),
            }
        }
        all.extend(seen.into_keys());
    }
    all.sort();
    all.dedup();
    all
}

fn enum_infos(known: &Known, home: VocabularyId, vocabulary: &ast::Vocabulary) -> Vec<policy::EnumInfo> {
    let mut infos: Vec<policy::EnumInfo> = vocabulary
        .enums
        .iter()
        .map(|declared| policy::EnumInfo {
            name: declared.name.text.as_str().into(),
            values: declared
                .values
                .iter()
                .filter_map(|value| {
                    let claims = value.claims.iter().map(|claim| claim.value.as_str().into()).collect();
                    types::closed_value(&value.value).ok().map(|value| (value, claims))
                })
                .collect(),
            span: declared.name.span,
        })
        .collect();
    infos.sort_by(|a, b| a.name.cmp(&b.name));
    let _ = (known, home, plain as fn(Kind) -> Type);
    infos
}
