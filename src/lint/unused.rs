//! Declarations that nothing uses: a `let`, an enum, a limit that no argument is limited by, a capability that no tool needs, a
//! skill that no agent has, an import of the library of which nothing is named.

use super::Subject;
use crate::diag::{Code, Diagnostic, Sink};
use crate::policy::{LimitRef, VocabularyId};
use crate::source::Span;
use crate::syntax::ast::{Import, Item};
use crate::syntax::{TokenKind, tokens};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn find(subject: &Subject<'_>, found: &mut Sink) {
    let words = words(subject);
    let used = |name: &str| words.get(name).is_some_and(|count| *count > 1);
    for item in subject.files.iter().filter(|f| subject.is_given(f.file)).flat_map(|file| &file.items) {
        match item {
            Item::Let(it) if !used(&it.name.text) => {
                let found_here = one("`let`", &it.name.text, it.name.span);
                found.push(found_here.fix("remove it", whole_lines(subject, it.span), ""));
            }
            Item::Vocabulary(it) => {
                let unused = it.enums.iter().filter(|one| !used(&one.name.text));
                unused.for_each(|unused| found.push(one("enum", &unused.name.text, unused.name.span)));
            }
            Item::Let(_)
            | Item::Agent(_)
            | Item::Overlay(_)
            | Item::Boundary(_)
            | Item::Test(_)
            | Item::Deployment(_)
            | Item::Skill(_) => {}
        }
    }
    limits(subject, found);
    capabilities(subject, found);
    for skill in &subject.policy.skills {
        if !subject.policy.agents.iter().any(|agent| agent.skills.contains(&skill.name)) {
            found.push(one("skill", &skill.name, skill.span));
        }
    }
    imports(subject, &words, found);
}

fn one(kind: &str, name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::UNUSED_DECLARATION, span, format!("nothing uses the {kind} `{name}`")).help("remove it")
}

/// How often each word, bare or quoted, stands in the texts that were given.
fn words(subject: &Subject<'_>) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for (_, source) in subject.sources.iter().take(subject.given) {
        for token in tokens(&source.text) {
            if matches!(token.kind, TokenKind::Word | TokenKind::Text) {
                *words.entry(token.of(&source.text).trim_matches('"').to_owned()).or_default() += 1;
            }
        }
    }
    words
}

fn limits(subject: &Subject<'_>, found: &mut Sink) {
    let mut used: BTreeSet<LimitRef> = BTreeSet::new();
    for vocabulary in &subject.policy.vocabularies {
        used.extend(vocabulary.limits.iter().filter_map(|limit| limit.within.as_ref()).map(|within| within.limit));
        for tool in &vocabulary.tools {
            used.extend(tool.places.iter().map(|place| place.limit));
            used.extend(tool.channels.iter().map(|channel| channel.limit));
        }
    }
    for (index, vocabulary) in subject.policy.vocabularies.iter().enumerate() {
        for (limit, declared) in vocabulary.limits.iter().enumerate() {
            if !used.contains(&LimitRef { vocabulary: VocabularyId(index), limit }) {
                let message = format!("no argument is `limited by {}`: whoever sets it limits nothing", declared.name);
                let found_here = Diagnostic::new(Code::UNUSED_DECLARATION, declared.span, message);
                found.push(found_here.help("say `limited by` where the argument is declared, or remove the limit"));
            }
        }
    }
}

fn capabilities(subject: &Subject<'_>, found: &mut Sink) {
    let needed: BTreeSet<&str> =
        subject.policy.vocabularies.iter().flat_map(|v| &v.tools).map(|tool| &*tool.capability).collect();
    for item in subject.files.iter().flat_map(|file| &file.items) {
        let Item::Vocabulary(vocabulary) = item else { continue };
        for capability in &vocabulary.capabilities {
            let parts: Vec<&str> = capability.parts.iter().map(|part| part.text.as_str()).collect();
            let name = parts.join(".");
            if !needed.contains(name.as_str()) {
                found.push(one("capability", &name, capability.span));
            }
        }
    }
}

/// Imports of the library whose connectors no given text names.
fn imports(subject: &Subject<'_>, words: &BTreeMap<String, usize>, found: &mut Sink) {
    for file in subject.files.iter().filter(|f| subject.is_given(f.file)) {
        for import in &file.imports {
            let Import::Library(name) = import else { continue };
            let Some(short) = name.parts.last() else { continue };
            let text = format!("std/{}.bwk", short.text);
            let library = subject.files.iter().find(|f| subject.sources.get(f.file).is_some_and(|s| *s.name == *text));
            let Some(library) = library else { continue };
            let named = |item: &Item| match item {
                // The import itself has the word once, wherever it stands.
                Item::Vocabulary(v) => words.get(&v.name.text).is_some_and(|count| *count > imported(subject, &v.name.text)),
                _ => true, // whatever else it brings is in force by itself
            };
            if !library.items.iter().any(named) {
                let found_here = one("import", &format!("std.{}", short.text), name.span);
                found.push(found_here.fix("remove it", whole_lines(subject, name.span), ""));
            }
        }
    }
}

/// How often the word stands in imports.
fn imported(subject: &Subject<'_>, word: &str) -> usize {
    let imports = subject.files.iter().filter(|f| subject.is_given(f.file)).flat_map(|file| &file.imports);
    let words = imports.map(|import| match import {
        Import::Library(name) => name.parts.iter().filter(|part| part.text == word).count(),
        Import::Path(_) => 0,
    });
    words.sum()
}

/// The span with all of its first and last line, where nothing else stands there but a comment behind it.
fn whole_lines(subject: &Subject<'_>, span: Span) -> Span {
    let Some(source) = subject.sources.get(span.file) else { return span };
    let (first, last) = (source.line_of(span.start), source.line_of(span.end.saturating_sub(1).max(span.start)));
    let start = source.line_start(first);
    let end = source.line_start(last + 1);
    let before = source.text.get(start as usize..span.start as usize).unwrap_or("").trim();
    let after = source.text.get(span.end as usize..end as usize).unwrap_or("").trim();
    let alone = matches!(before, "" | "import") && (after.is_empty() || after.starts_with("//"));
    if alone { Span { file: span.file, start, end } } else { span }
}
