//! `let` names → sets, each after those it names.

use super::agree::is_hole;
use super::cycles::{self, Edge};
use super::sets::{self, Purpose};
use super::{Known, types};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{Set, Type};
use crate::policy::{self, Policy};
use crate::source::Span;
use crate::syntax::ast::{self, ArgvTail, SetExpr, SetKind};
use std::collections::BTreeMap;

/// What a `let` means.
pub struct Meant {
    /// The type that its set is over.
    pub ty: Type,
    /// The set.
    pub set: Set,
    /// Its name in the source.
    pub span: Span,
}

/// All `let` names; `None` for one that was reported.
#[derive(Default)]
pub struct Lets<'a> {
    by_name: BTreeMap<&'a str, Option<Meant>>,
}

impl<'a> Lets<'a> {
    /// What `name` means: nothing of the kind, a reported one, or a set.
    pub fn get(&self, name: &str) -> Option<&Option<Meant>> {
        self.by_name.get(name)
    }

    /// Those that `policy` has.
    pub fn of(policy: &'a Policy) -> Lets<'a> {
        let meant = |it: &policy::Let| Meant { ty: it.ty.clone(), set: it.set.clone(), span: it.span };
        Lets { by_name: policy.lets.iter().map(|it| (&*it.name, Some(meant(it)))).collect() }
    }

    /// All that mean something, in the order of their names.
    pub fn lowered(self) -> Vec<policy::Let> {
        let meant = |(name, meant): (&str, Option<Meant>)| {
            let Meant { ty, set, span } = meant?;
            Some(policy::Let { name: name.into(), ty, set, span })
        };
        self.by_name.into_iter().filter_map(meant).collect()
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.by_name.keys().copied()
    }
}

/// Adds the `let`s of the run to `known.lets`.
pub fn lower(known: &mut Known, sink: &mut Sink) {
    let lets: Vec<&ast::Let> = known.names.lets.values().copied().collect();
    let names: Vec<&str> = lets.iter().map(|it| it.name.text.as_str()).collect();
    let mut edges = Vec::new();
    for (from, it) in lets.iter().enumerate() {
        let mut used = Vec::new();
        mentioned(&it.set, &mut used);
        it.ty.refinement.iter().for_each(|set| mentioned(set, &mut used));
        edges.extend(used.into_iter().filter_map(|name| {
            let to = names.binary_search(&name.text.as_str()).ok()?;
            Some(Edge { from, to, span: name.span })
        }));
    }
    let (ringed, order) = cycles::report(Code::CYCLE, &names, &edges, "is made of", sink);
    known.lets.by_name.extend(lets.iter().map(|it| (it.name.text.as_str(), None)));
    for at in order {
        let meant = if ringed.contains(&at) { None } else { one(known, lets[at], sink) };
        known.lets.by_name.insert(&lets[at].name.text, meant);
    }
}

fn one(known: &Known, it: &ast::Let, sink: &mut Sink) -> Option<Meant> {
    if sets::class(&it.name.text).is_some() {
        let message = format!("`{}` is a class of hosts and addresses: a `let` needs another name", it.name.text);
        sink.push(Diagnostic::new(Code::RESERVED_NAME, it.name.span, message));
        return None;
    }
    let ty = types::lower(known, None, &it.ty, sink);
    if is_hole(&ty) {
        return None;
    }
    let set = sets::root(known, &it.set, &ty, Purpose::Policy, sink)?;
    if sets::is_empty(&ty, &set) {
        sink.push(Diagnostic::new(Code::NO_VALUE, it.set.span, format!("`{}` holds no value at all", it.name.text)));
        return None;
    }
    Some(Meant { ty, set, span: it.name.span })
}

/// Every name in a set expression.
fn mentioned<'e>(expr: &'e SetExpr, into: &mut Vec<&'e ast::Name>) {
    match &expr.kind {
        SetKind::Name(name) => into.push(name),
        SetKind::Each(inner) | SetKind::Keys(inner) | SetKind::MapValues(inner) | SetKind::Parenthesised(inner) => {
            mentioned(inner, into)
        }
        SetKind::And(parts) | SetKind::Beside(parts) | SetKind::Or(parts) => {
            parts.iter().for_each(|part| mentioned(part, into))
        }
        SetKind::Except(a, b) => [a, b].into_iter().for_each(|part| mentioned(part, into)),
        SetKind::Argv(parts, tail) => {
            parts.iter().for_each(|part| mentioned(part, into));
            if let ArgvTail::Each(part) = tail {
                mentioned(part, into);
            }
        }
        SetKind::Record(clauses) => clauses.iter().for_each(|clause| mentioned(&clause.set, into)),
        SetKind::Any
        | SetKind::Absent
        | SetKind::Null
        | SetKind::Values(_)
        | SetKind::Literal(_)
        | SetKind::Range(..)
        | SetKind::Compare(..)
        | SetKind::Prefix(_)
        | SetKind::Suffix(_)
        | SetKind::Matches(_)
        | SetKind::Length(_)
        | SetKind::Size(_) => {}
    }
}
