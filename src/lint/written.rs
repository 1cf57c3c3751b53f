//! A policy → every set that its agents, overlays and boundaries write, with its place; and the atoms that a set admits by.
//! Knows no rule.

use crate::domain::{Atom, Set, Slot, Value};
use crate::policy::{Layer, LimitValue, Policy};
use crate::source::{Sources, Span};
use crate::syntax::{TokenKind, tokens};

/// One set as a layer writes it.
pub(super) struct Written<'p> {
    /// The set in the source.
    pub span: Span,
    /// What it admits.
    pub values: &'p Set,
}

/// Every set in rows and limits, in the order of the policy.
pub(super) fn sets(policy: &Policy) -> impl Iterator<Item = Written<'_>> {
    let layers = layers(policy);
    layers.flat_map(|layer| &layer.uses).flat_map(|said| {
        let clauses = said.rows.iter().flat_map(|row| &row.clauses);
        let clauses = clauses.map(|clause| Written { span: clause.span, values: &clause.slot.values });
        let limits = said.limits.iter().filter_map(|setting| match &setting.value {
            LimitValue::Set(Slot { values, .. }) => Some(Written { span: setting.span, values }),
            LimitValue::Many | LimitValue::Single | LimitValue::Bound(_) => None,
        });
        clauses.chain(limits)
    })
}

/// The layers of every declaration.
pub(super) fn layers(policy: &Policy) -> impl Iterator<Item = &Layer> {
    let agents = policy.agents.iter().map(|agent| &agent.layer);
    let overlays = policy.overlays.iter().map(|overlay| &overlay.layer);
    agents.chain(overlays).chain(policy.boundaries.iter().map(|boundary| &boundary.layer))
}

/// Calls `each` with every atom that admits something: not those under a complement.
pub(super) fn admitting(set: &Set, each: &mut dyn FnMut(&Atom)) {
    let mut waiting = vec![(set, true)];
    while let Some((set, admits)) = waiting.pop() {
        match set {
            Set::Any | Set::Never => {}
            Set::Not(inner) => waiting.push((inner, !admits)),
            Set::And(parts) | Set::Or(parts) => waiting.extend(parts.iter().rev().map(|part| (part, admits))),
            Set::Atom(atom) => {
                if admits {
                    each(atom);
                }
                waiting.extend(inside(atom).into_iter().map(|set| (set, admits)));
            }
        }
    }
}

/// The sets inside an atom.
fn inside(atom: &Atom) -> Vec<&Set> {
    match atom {
        Atom::Part(_, set)
        | Atom::Each(set)
        | Atom::Keys(set)
        | Atom::Values(set)
        | Atom::Alternative(_, set)
        | Atom::OneOrEach(set, _) => vec![set],
        Atom::Field(_, slot) => vec![&slot.values],
        Atom::Argv(sets, tail) => sets.iter().chain(tail.as_deref()).collect(),
        Atom::OneOf(_)
        | Atom::Numbers(_)
        | Atom::Times(_)
        | Atom::Prefix(_)
        | Atom::Suffix(_)
        | Atom::Length(_)
        | Atom::Matches(_)
        | Atom::Host(_)
        | Atom::Class(_)
        | Atom::Cidr(_)
        | Atom::Url(_)
        | Atom::Path(_)
        | Atom::PathAnyCase(_)
        | Atom::Email(_)
        | Atom::Size(_) => Vec::new(),
    }
}

/// The texts of a list of values.
pub(super) fn texts(values: &[Value]) -> impl Iterator<Item = &str> {
    values.iter().filter_map(|value| match value {
        Value::Text(text) => Some(&**text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Object(_) => None,
    })
}

/// The literal inside `span` of which `is_it` holds, in lower case and without quotes; all of `span` where there is none (it stands
/// in a `let`).
pub(super) fn literal(sources: &Sources, span: Span, is_it: impl Fn(&str) -> bool) -> Span {
    let text = sources.text(span);
    let start = span.start as usize;
    let all = tokens(text);
    let found = all.iter().find(|token| {
        matches!(token.kind, TokenKind::Text | TokenKind::Word)
            && is_it(token.of(text).to_ascii_lowercase().trim_matches('"'))
    });
    found.map_or(span, |token| Span::new(span.file, start + token.start, start + token.end))
}
