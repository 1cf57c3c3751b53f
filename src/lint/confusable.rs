//! Names that look alike: `send_money` and `sendMoney`, `"GB29NWBK6O"` and `"GB29NWBK60"`, a Cyrillic letter inside a Latin word. A
//! person who reviews takes one for the other. `read_file` and `read_files` differ for everybody.

use super::Subject;
use super::written::{admitting, sets, texts};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{Atom, Kind, Value};
use crate::source::Span;
use std::collections::BTreeMap;
use unicode_security::skeleton;

pub(super) fn find(subject: &Subject<'_>, found: &mut Sink) {
    let policy = subject.policy;
    scope("connector", policy.vocabularies.iter().map(|v| (&*v.name, v.span)), found);
    let agents = policy.agents.iter().map(|a| (&*a.name, a.span));
    scope("agent or overlay", agents.chain(policy.overlays.iter().map(|o| (&*o.name, o.span))), found);
    scope("boundary", policy.boundaries.iter().map(|b| (&*b.name, b.span)), found);
    for vocabulary in policy.vocabularies.iter().filter(|v| subject.is_given(v.span.file)) {
        scope("tool", vocabulary.tools.iter().map(|t| (&*t.name, t.span)), found);
        scope("limit", vocabulary.limits.iter().map(|l| (&*l.name, l.span)), found);
        for tool in &vocabulary.tools {
            scope("argument", tool.arguments.iter().map(|a| (&*a.member.name, a.span)), found);
            for argument in &tool.arguments {
                if let Kind::Enum(values) = &argument.member.ty.kind {
                    literals(values, argument.span, found);
                }
            }
        }
        for info in &vocabulary.enums {
            let values: Vec<Value> = info.values.iter().map(|(value, _)| value.clone()).collect();
            literals(&values, info.span, found);
        }
    }
    for written in sets(policy) {
        admitting(written.values, &mut |atom| {
            if let Atom::OneOf(values) = atom {
                literals(values, written.span, found);
            }
        });
    }
}

/// Names of one kind, in one space.
fn scope<'a>(kind: &str, names: impl Iterator<Item = (&'a str, Span)>, found: &mut Sink) {
    let mut seen: BTreeMap<String, (&str, Span)> = BTreeMap::new();
    let mut names: Vec<(&str, Span)> = names.collect();
    // The later in the text is the one that could have been called otherwise.
    names.sort_by_key(|(_, span)| *span);
    for (name, span) in names {
        if let Some(letter) = stranger(name) {
            found.push(mixed(name, letter, span));
        }
        let plain: String = name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect();
        match seen.get(&look(&plain)) {
            Some((other, first)) if *other != name => {
                let message = format!("the {kind} `{name}` looks like `{other}`: a reader takes one for the other");
                let found_here = Diagnostic::new(Code::CONFUSABLE_NAMES, span, message).also(*first, "the other one");
                found.push(found_here.help("give one of them a name of its own"));
            }
            Some(_) => {}
            None => drop(seen.insert(look(&plain), (name, span))),
        }
    }
}

/// Values of one set.
fn literals(values: &[Value], span: Span, found: &mut Sink) {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for text in texts(values) {
        if let Some(letter) = stranger(text) {
            found.push(mixed(text, letter, span));
        }
        match seen.get(&look(text)) {
            Some(other) => {
                let message = format!("`{text}` and `{other}` look alike in one set");
                found.push(Diagnostic::new(Code::CONFUSABLE_NAMES, span, message).help("make sure that both are meant"));
            }
            None => drop(seen.insert(look(text), text)),
        }
    }
}

fn mixed(text: &str, letter: char, span: Span) -> Diagnostic {
    let message = format!("`{text}` has the letter U+{:04X}, which looks Latin and is not", u32::from(letter));
    Diagnostic::new(Code::CONFUSABLE_NAMES, span, message).help("type it again, if the Latin letter is meant")
}

/// What a reader sees: UTS 39.
fn look(text: &str) -> String {
    skeleton(text).collect()
}

/// A letter of another script that looks like a Latin one, in a text that has Latin ones.
fn stranger(text: &str) -> Option<char> {
    if text.is_ascii() || !text.chars().any(|c| c.is_ascii_alphabetic()) {
        return None;
    }
    text.chars().find(|c| {
        let latin = matches!(u32::from(*c), 0..=0x24F | 0x1E00..=0x1EFF);
        !latin && c.is_alphabetic() && skeleton(&c.to_string()).all(|seen| seen.is_ascii_alphabetic())
    })
}
