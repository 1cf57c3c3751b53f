//! Sets as written, over a known type → domain sets: the Boolean part, unions, `T or list`, names.

use super::agree::{called, is_hole, same};
use super::{Known, atoms, literals, spell, warnings};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{self, Atom, Class, Kind, Set, Size, Type, Work};
use crate::syntax::ast::{self, SetExpr, SetKind};

/// What a set is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Part of a type: `matches` is always allowed, and no size is implied.
    Refinement,
    /// A row, a limit, a selector, a `let`.
    Policy,
    /// A clause of a row in which another clause gives a size that admits 0.
    PolicyAdmittingEmpty,
}

impl Purpose {
    /// The purpose of a set over what is inside: a size speaks of one list alone.
    pub fn inside(self) -> Purpose {
        match self {
            Purpose::Refinement => Purpose::Refinement,
            Purpose::Policy | Purpose::PolicyAdmittingEmpty => Purpose::Policy,
        }
    }
}

/// The set that the whole expression writes over `ty`; `None` when that could not be told (and was reported).
///
/// `each` implies `size 1..` unless the expression or the type gives a size that admits 0.
pub fn root(known: &Known, expr: &SetExpr, ty: &Type, purpose: Purpose, sink: &mut Sink) -> Option<Set> {
    warnings::mixed_operators(known, expr, sink);
    if is_hole(ty) {
        return None;
    }
    match &ty.kind {
        Kind::OneOrList(inner) => one_or_list(known, expr, ty, inner, purpose, sink),
        Kind::List(_) | Kind::Argv if implies_size(expr, ty, purpose) => {
            Some(all([node(known, expr, ty, purpose, sink)?, at_least_one()]))
        }
        _ => node(known, expr, ty, purpose, sink),
    }
}

/// `size 1..`.
pub fn at_least_one() -> Set {
    Set::Atom(Atom::Size(Size { low: 1, high: None }))
}

fn implies_size(expr: &SetExpr, ty: &Type, purpose: Purpose) -> bool {
    purpose == Purpose::Policy && speaks_of_elements(expr) && !admits_empty(expr) && !type_admits_empty(ty)
}

fn speaks_of_elements(expr: &SetExpr) -> bool {
    matches!(expr.kind, SetKind::Each(_)) || parts(expr).any(speaks_of_elements)
}

/// Whether `size 0..` or its like is written, at this level of the value.
pub fn admits_empty(expr: &SetExpr) -> bool {
    let zero = |literal: &ast::Literal| matches!(&literal.kind, ast::LiteralKind::Number(n) if n.is_zero());
    match &expr.kind {
        SetKind::Size(range) => range.low.as_ref().is_none_or(zero),
        _ => parts(expr).any(admits_empty),
    }
}

/// Whether the refinement of a list type gives a size that admits 0.
pub fn type_admits_empty(ty: &Type) -> bool {
    fn says(set: &Set) -> bool {
        match set {
            Set::Atom(Atom::Size(size)) => size.low == 0,
            Set::And(sets) | Set::Or(sets) => sets.iter().any(says),
            Set::Any | Set::Never | Set::Atom(_) | Set::Not(_) => false,
        }
    }
    ty.refinement.as_ref().is_some_and(says)
}

/// The operands of a Boolean combination.
fn parts(expr: &SetExpr) -> impl Iterator<Item = &SetExpr> {
    let parts: Vec<&SetExpr> = match &expr.kind {
        SetKind::And(parts) | SetKind::Beside(parts) | SetKind::Or(parts) => parts.iter().collect(),
        SetKind::Except(a, b) => vec![a, b],
        SetKind::Parenthesised(inner) => vec![inner],
        _ => Vec::new(), // every other kind is a leaf
    };
    parts.into_iter()
}

fn node(known: &Known, expr: &SetExpr, ty: &Type, purpose: Purpose, sink: &mut Sink) -> Option<Set> {
    let many = |exprs: &[SetExpr], sink: &mut Sink| -> Option<Vec<Set>> {
        let sets: Vec<Option<Set>> = exprs.iter().map(|e| node(known, e, ty, purpose, sink)).collect();
        sets.into_iter().collect()
    };
    match &expr.kind {
        SetKind::Any => Some(Set::Any),
        SetKind::Parenthesised(inner) => node(known, inner, ty, purpose, sink),
        SetKind::And(exprs) | SetKind::Beside(exprs) => many(exprs, sink).map(all),
        SetKind::Or(exprs) => many(exprs, sink).map(any),
        SetKind::Except(a, b) => {
            let (a, b) = (node(known, a, ty, purpose, sink), node(known, b, ty, purpose, sink));
            Some(all([a?, not(b?)]))
        }
        SetKind::Absent | SetKind::Null => {
            sink.push(misplaced_point(known, expr));
            None
        }
        SetKind::Name(name) => match &ty.kind {
            Kind::Union(types)
                if known.lets.get(&name.text).is_none_or(|l| l.as_ref().is_some_and(|l| !same(&l.ty, ty))) =>
            {
                alternatives(known, expr, ty, types, purpose, sink)
            }
            _ => named(known, name, ty, purpose, sink),
        },
        _ => match &ty.kind {
            Kind::Union(types) => alternatives(known, expr, ty, types, purpose, sink),
            _ => atoms::leaf(known, expr, ty, purpose, sink),
        },
    }
}

fn misplaced_point(known: &Known, expr: &SetExpr) -> Diagnostic {
    let word = spell::as_written(known.sources, expr.span);
    let word = if word.is_empty() { if expr.kind == SetKind::Null { "null" } else { "absent" } } else { &word };
    Diagnostic::new(Code::MISPLACED_POINT, expr.span, format!("`{word}` is no value, and cannot stand inside a set"))
        .help(format!("it ends a clause: `… or {word}`, and speaks of the argument itself"))
}

/// A leaf over a union: the alternatives it can speak of.
fn alternatives(known: &Known, expr: &SetExpr, ty: &Type, types: &[Type], purpose: Purpose, sink: &mut Sink) -> Option<Set> {
    let SetKind::Values(literals) = &expr.kind else {
        return first_fitting(types, sink, |alternative, sink| root(known, expr, alternative, purpose, sink));
    };
    let sets: Vec<Option<Set>> = literals
        .iter()
        .map(|literal| {
            first_fitting(types, sink, |alternative, sink| match &alternative.kind {
                Kind::Record { .. } | Kind::Map(_) | Kind::List(_) | Kind::Argv => {
                    sink.push(Diagnostic::new(
                        Code::TYPE_MISMATCH,
                        literal.span,
                        format!("a scalar is no value of `{}`", called(ty)),
                    ));
                    None
                }
                _ => literals::values(std::slice::from_ref(literal), alternative, sink),
            })
        })
        .collect();
    sets.into_iter().collect::<Option<Vec<Set>>>().map(any)
}

/// What `lower` makes of each alternative that it can speak of; what it has against the most promising one, if none.
fn first_fitting(types: &[Type], sink: &mut Sink, mut lower: impl FnMut(&Type, &mut Sink) -> Option<Set>) -> Option<Set> {
    let mut sets = Vec::new();
    let mut complaints: Vec<Vec<Diagnostic>> = Vec::new();
    for (at, alternative) in types.iter().enumerate() {
        let mut quiet = Sink::default();
        match lower(alternative, &mut quiet) {
            Some(set) => sets.push(Set::Atom(Atom::Alternative(u32::try_from(at).unwrap_or(u32::MAX), Box::new(set)))),
            None => complaints.push(quiet.into_sorted()),
        }
    }
    if sets.is_empty() {
        let of_another_kind = |found: &Vec<Diagnostic>| found.iter().all(|d| d.code == Code::TYPE_MISMATCH);
        complaints.sort_by_key(of_another_kind);
        sink.extend(complaints.into_iter().next().unwrap_or_default());
        return None;
    }
    Some(any(sets))
}

/// `T or list`: one set over T, met by the one value or by every element; sizes stand beside it.
fn one_or_list(known: &Known, expr: &SetExpr, ty: &Type, inner: &Type, purpose: Purpose, sink: &mut Sink) -> Option<Set> {
    let mut beside = Vec::new();
    flatten(expr, &mut beside);
    let mut size = if purpose != Purpose::Policy || type_admits_empty(ty) { 0.. } else { 1.. };
    let (mut low, mut high, mut sized) = (0u64, None::<u64>, false);
    let (mut elements, mut wholes, mut failed) = (Vec::new(), Vec::new(), false);
    for part in beside {
        let set = match &part.kind {
            SetKind::Size(range) => match atoms::size(range, sink) {
                Some(found) => {
                    sized = true;
                    low = low.max(found.low);
                    high = [high, found.high].into_iter().flatten().min();
                    continue;
                }
                None => None,
            },
            SetKind::Name(name)
                if known.lets.get(&name.text).is_some_and(|l| l.as_ref().is_some_and(|l| same(&l.ty, ty))) =>
            {
                let whole = named(known, name, ty, purpose, sink);
                failed |= whole.is_none();
                wholes.extend(whole);
                continue;
            }
            SetKind::Each(inside) => root(known, inside, inner, purpose.inside(), sink),
            _ => root(known, part, inner, purpose.inside(), sink),
        };
        failed |= set.is_none();
        elements.extend(set);
    }
    if sized {
        size = low..;
    }
    if failed {
        return None;
    }
    if elements.is_empty() && !wholes.is_empty() && !sized {
        return Some(all(wholes));
    }
    let size = Size { low: size.start, high };
    wholes.push(Set::Atom(Atom::OneOrEach(Box::new(all(elements)), size)));
    Some(all(wholes))
}

fn flatten<'e>(expr: &'e SetExpr, into: &mut Vec<&'e SetExpr>) {
    match &expr.kind {
        SetKind::And(exprs) | SetKind::Beside(exprs) => exprs.iter().for_each(|e| flatten(e, into)),
        SetKind::Parenthesised(inner) if matches!(inner.kind, SetKind::And(_) | SetKind::Beside(_)) => flatten(inner, into),
        _ => into.push(expr),
    }
}

/// The class of hosts and addresses that `name` names.
pub fn class(name: &str) -> Option<Class> {
    Some(match name {
        "loopback" => Class::Loopback,
        "private" => Class::Private,
        "link_local" => Class::LinkLocal,
        "public" => Class::Public,
        _ => return None,
    })
}

fn named(known: &Known, name: &ast::Name, ty: &Type, purpose: Purpose, sink: &mut Sink) -> Option<Set> {
    if let (Some(class), false) = (class(&name.text), name.quoted) {
        if matches!(ty.kind, Kind::Host | Kind::Ip) {
            return Some(Set::Atom(Atom::Class(class)));
        }
        let message = format!("`{}` is a class of hosts and addresses, and this is `{}`", name.text, called(ty));
        let found = Diagnostic::new(Code::TYPE_MISMATCH, name.span, message);
        sink.push(match ty.kind {
            Kind::Url { .. } | Kind::Email => found.help(format!("speak of its host: `… .host in {}`", name.text)),
            _ => found,
        });
        return None;
    }
    match known.lets.get(&name.text) {
        Some(found) => of_let(name, found.as_ref()?, ty, purpose, sink),
        None => {
            if !known.names.excused(&name.text) {
                sink.push(unknown_name(known, name, ty));
            }
            None
        }
    }
}

fn of_let(name: &ast::Name, found: &super::lets::Meant, ty: &Type, purpose: Purpose, sink: &mut Sink) -> Option<Set> {
    if !same(&found.ty, ty) {
        let message = format!("`{}` is a set over `{}`, and this is `{}`", name.text, called(&found.ty), called(ty));
        sink.push(Diagnostic::new(Code::TYPE_MISMATCH, name.span, message).also(found.span, "declared here"));
        return None;
    }
    if purpose != Purpose::Refinement && ty.kind == (Kind::Text { by_pattern: false }) && atoms::has_pattern(&found.set) {
        sink.push(atoms::pattern_not_allowed(name.span).also(found.span, "`matches` stands in this `let`"));
        return None;
    }
    Some(found.set.clone())
}

fn unknown_name(known: &Known, name: &ast::Name, ty: &Type) -> Diagnostic {
    let found = Diagnostic::new(Code::UNKNOWN_NAME, name.span, format!("nothing is called `{}` here", name.text));
    let braces = |word: String| {
        let title = format!("write `{{ {word} }}`");
        found.clone().help("a set of values stands in braces").fix(title, name.span, format!("{{ {word} }}"))
    };
    match &ty.kind {
        Kind::Enum(values) if values.iter().any(|v| matches!(v, crate::domain::Value::Text(t) if **t == *name.text)) => {
            return braces(spell::name(&name.text));
        }
        _ => {}
    }
    let mut all: Vec<&str> = known.lets.names().collect();
    if matches!(ty.kind, Kind::Host | Kind::Ip) {
        all.extend(["public", "private", "loopback", "link_local"]);
    }
    spell::unknown(Code::UNKNOWN_NAME, name, found.message.clone(), &all)
}

/// The meet.
pub fn all(sets: impl IntoIterator<Item = Set>) -> Set {
    let mut flat = Vec::new();
    for set in sets {
        match set {
            Set::Any => {}
            Set::And(inner) => flat.extend(inner),
            Set::Never => return Set::Never,
            Set::Atom(_) | Set::Not(_) | Set::Or(_) => flat.push(set),
        }
    }
    match flat.len() {
        0 => Set::Any,
        1 => flat.swap_remove(0),
        _ => Set::And(flat),
    }
}

/// The union.
pub fn any(sets: impl IntoIterator<Item = Set>) -> Set {
    let mut flat = Vec::new();
    for set in sets {
        match set {
            Set::Never => {}
            Set::Or(inner) => flat.extend(inner),
            Set::Any => return Set::Any,
            Set::Atom(_) | Set::Not(_) | Set::And(_) => flat.push(set),
        }
    }
    match flat.len() {
        0 => Set::Never,
        1 => flat.swap_remove(0),
        _ => Set::Or(flat),
    }
}

/// The complement.
pub fn not(set: Set) -> Set {
    match set {
        Set::Any => Set::Never,
        Set::Never => Set::Any,
        Set::Not(inner) => *inner,
        Set::Atom(_) | Set::And(_) | Set::Or(_) => Set::Not(Box::new(set)),
    }
}

/// Whether no value of the type is in the set. Where that takes more work than there is, it counts as not empty: the proof
/// says so later, with the clauses that multiply.
pub fn is_empty(ty: &Type, set: &Set) -> bool {
    let by_cells = || domain::is_empty(ty, set, &mut Work::new()).unwrap_or(false);
    match set {
        Set::Any => ty.refinement.is_some() && by_cells(),
        Set::Never => true,
        Set::Or(parts) => parts.iter().all(|part| is_empty(ty, part)),
        Set::Atom(Atom::OneOf(values)) => values.iter().all(|value| domain::well_formed(ty, value).is_err()),
        Set::Atom(_) | Set::Not(_) | Set::And(_) => by_cells(),
    }
}

/// Whether every value of the type is in the set; within the same bound.
pub fn is_whole(ty: &Type, set: &Set) -> bool {
    *set == Set::Any || domain::is_whole(ty, set, &mut Work::new()).unwrap_or(false)
}
