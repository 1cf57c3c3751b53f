//! One set word or list of values over one type → atoms. Knows no Boolean combination.

use super::agree::called;
use super::sets::{self, Purpose};
use super::{Known, literals, rows, spell, times};
use crate::diag::{Code, Diagnostic, Edit, Fix, Sink};
use crate::domain::{Atom, Comparison, Decimal, Kind, NumberKind, Range, Set, Size, Type};
use crate::source::Span;
use crate::syntax::ast::{self, ArgvTail, Literal, LiteralKind, Operator, SetExpr, SetKind};

/// The set that a leaf writes over `ty`.
pub fn leaf(known: &Known, expr: &SetExpr, ty: &Type, purpose: Purpose, sink: &mut Sink) -> Option<Set> {
    let inside = purpose.inside();
    match (&expr.kind, &ty.kind) {
        (_, Kind::OpaqueText | Kind::OpaqueJson) => {
            let message = format!("nothing can be said of what is opaque: this is `{}`", called(ty));
            sink.push(Diagnostic::new(Code::OPAQUE_SET, expr.span, message));
            None
        }
        (SetKind::Values(values), _) => literals::list(values, ty, expr.span, sink),
        (SetKind::Literal(literal), _) => {
            sink.push(bare_literal(known, literal, ty));
            None
        }
        (SetKind::Range(low, high), Kind::Number(_) | Kind::Time(_)) => {
            range(low.as_ref(), high.as_ref(), expr.span, ty, sink)
        }
        (SetKind::Compare(operator, literal), Kind::Number(_) | Kind::Time(_)) => compare(*operator, literal, ty, sink),
        (SetKind::Prefix(text), Kind::Text { .. }) => Some(Set::Atom(Atom::Prefix(text.value.as_str().into()))),
        (SetKind::Suffix(text), Kind::Text { .. }) => Some(Set::Atom(Atom::Suffix(text.value.as_str().into()))),
        (SetKind::Length(count), Kind::Text { .. }) => size(count, sink).map(|size| Set::Atom(Atom::Length(size))),
        (SetKind::Matches(text), Kind::Text { by_pattern }) => {
            if purpose != Purpose::Refinement && !by_pattern {
                sink.push(pattern_not_allowed(expr.span));
                return None;
            }
            literals::pattern(text, sink).map(|pattern| Set::Atom(Atom::Matches(pattern)))
        }
        (SetKind::Size(count), Kind::List(_) | Kind::Argv | Kind::Map(_)) => {
            size(count, sink).map(|size| Set::Atom(Atom::Size(size)))
        }
        (SetKind::Each(inner), Kind::List(element)) => {
            sets::root(known, inner, element, inside, sink).map(|set| Set::Atom(Atom::Each(Box::new(set))))
        }
        (SetKind::Each(inner), Kind::Argv) => {
            let set = sets::root(known, inner, &literals::word_type(), inside, sink)?;
            Some(Set::Atom(Atom::Argv(Vec::new(), Some(Box::new(set)))))
        }
        (SetKind::Keys(inner), Kind::Map(_)) => {
            sets::root(known, inner, &literals::word_type(), inside, sink).map(|set| Set::Atom(Atom::Keys(Box::new(set))))
        }
        (SetKind::MapValues(inner), Kind::Map(value)) => {
            sets::root(known, inner, value, inside, sink).map(|set| Set::Atom(Atom::Values(Box::new(set))))
        }
        (SetKind::Argv(positions, tail), Kind::Argv) => argv(known, positions, tail, inside, sink),
        (SetKind::Record(clauses), Kind::Record { .. }) => rows::record_set(known, clauses, ty, sink),
        _ => {
            sink.push(mismatch(expr, ty));
            None
        }
    }
}

/// `matches` where the vocabulary does not say `text by pattern`.
pub fn pattern_not_allowed(span: Span) -> Diagnostic {
    Diagnostic::new(Code::PATTERN_NOT_ALLOWED, span, "`matches` is not open to policies here")
        .note("the vocabulary says `text`; where it says `text by pattern`, rows and limits may use patterns")
        .help("name the values, or use `prefix`, `suffix` and `length`")
}

/// Whether a pattern stands anywhere in the set.
pub fn has_pattern(set: &Set) -> bool {
    match set {
        Set::Atom(Atom::Matches(_)) => true,
        Set::Not(inner) => has_pattern(inner),
        Set::And(sets) | Set::Or(sets) => sets.iter().any(has_pattern),
        Set::Any | Set::Never | Set::Atom(_) => false,
    }
}

fn bare_literal(known: &Known, literal: &Literal, ty: &Type) -> Diagnostic {
    let written = spell::as_written(known.sources, literal.span);
    Diagnostic::new(
        Code::SET_FORM,
        literal.span,
        format!("`{written}` is a value, and a set of `{}` must stand here", called(ty)),
    )
    .fix(format!("write `{{ {written} }}`"), literal.span, format!("{{ {written} }}"))
}

fn mismatch(expr: &SetExpr, ty: &Type) -> Diagnostic {
    let what = match &expr.kind {
        SetKind::Range(..) | SetKind::Compare(..) => "a range",
        SetKind::Prefix(_) => "`prefix`",
        SetKind::Suffix(_) => "`suffix`",
        SetKind::Matches(_) => "`matches`",
        SetKind::Length(_) => "`length`",
        SetKind::Size(_) => "`size`",
        SetKind::Each(_) => "`each`",
        SetKind::Keys(_) => "`keys`",
        SetKind::MapValues(_) => "`values`",
        SetKind::Argv(..) => "a list of positions",
        SetKind::Record(_) => "a set of records",
        _ => "this set", // the rest never comes here
    };
    Diagnostic::new(Code::TYPE_MISMATCH, expr.span, format!("{what} says nothing of `{}`", called(ty))).note(takes(ty))
}

/// What may be said of a type.
pub fn takes(ty: &Type) -> String {
    let takes = match &ty.kind {
        Kind::Bool => "`{ true }` or `{ false }`",
        Kind::Enum(_) => "a list of its values in braces",
        Kind::Number(_) => "`<= n`, `< n`, `>= n`, `> n`, `a..b` and numbers in braces",
        Kind::Text { by_pattern: false } => "strings in braces, `prefix`, `suffix` and `length`",
        Kind::Text { by_pattern: true } => "strings in braces, `prefix`, `suffix`, `length` and `matches`",
        Kind::Host => "host names in braces and the classes `public`, `private`, `loopback`, `link_local`",
        Kind::Url { .. } => "URL patterns in braces; its `.scheme`, `.host`, `.port` and `.path` have sets of their own",
        Kind::Path { .. } => "path patterns in braces",
        Kind::Email => "addresses in braces; its `.local` and `.host` have sets of their own",
        Kind::Ip => "addresses and blocks in braces and the classes `public`, `private`, `loopback`, `link_local`",
        Kind::Time(_) => "`<=`, `<`, `>=`, `>`, `a..b` and times in braces",
        Kind::List(_) => "`each in` a set, and `size`",
        Kind::OneOrList(inner) => return takes(inner) + ", and `size`",
        Kind::Argv => "positions in brackets, `each in` a set, and `size`",
        Kind::Map(_) => "`keys in`, `values in` and `size`",
        Kind::Record { .. } => "clauses in braces; its members have sets of their own",
        Kind::Union(_) => "what its alternatives take",
        Kind::OpaqueText | Kind::OpaqueJson => "nothing",
    };
    format!("`{}` takes {takes}", called(ty))
}

/// `length a..b`, `size n`.
pub fn size(count: &ast::CountRange, sink: &mut Sink) -> Option<Size> {
    let low = match &count.low {
        Some(literal) => whole_number(literal, sink)?,
        None => 0,
    };
    let high = match &count.high {
        Some(literal) => Some(whole_number(literal, sink)?),
        None => None,
    };
    if let (Some(top), Some(first), Some(last)) = (high, &count.low, &count.high)
        && low > top
    {
        sink.push(reversed(first.span, last.span, &low.to_string(), &top.to_string()));
        return None;
    }
    Some(Size { low, high })
}

fn whole_number(literal: &Literal, sink: &mut Sink) -> Option<u64> {
    let number = match &literal.kind {
        LiteralKind::Number(number) => number.to_i64().and_then(|n| u64::try_from(n).ok()),
        LiteralKind::Text(_) | LiteralKind::Word(_) | LiteralKind::Bool(_) | LiteralKind::Null | LiteralKind::Time(_) => {
            None
        }
    };
    if number.is_none() {
        sink.push(Diagnostic::new(Code::TYPE_MISMATCH, literal.span, "a count is a whole number from 0 on"));
    }
    number
}

fn reversed(low: Span, high: Span, first: &str, last: &str) -> Diagnostic {
    let span = low.to(high);
    let message = format!("the range runs backwards: `{first}` is greater than `{last}`");
    let mut found = Diagnostic::new(Code::REVERSED_RANGE, span, message);
    // Perhaps a digit is missing: a person must look.
    found.fixes.push(Fix {
        title: format!("write `{last}..{first}`"),
        edits: vec![Edit { span, replacement: format!("{last}..{first}") }],
        machine_applicable: false,
    });
    found
}

/// `a..b` over numbers or times.
fn range(low: Option<&Literal>, high: Option<&Literal>, span: Span, ty: &Type, sink: &mut Sink) -> Option<Set> {
    if let Kind::Time(kind) = ty.kind {
        return times::range(low, high, span, kind, sink);
    }
    let (from, to) = (bound(low, ty, sink), bound(high, ty, sink));
    let (from, to) = (from?, to?);
    if let (Some(from), Some(to), Some(low), Some(high)) = (&from, &to, low, high)
        && from > to
    {
        sink.push(reversed(low.span, high.span, &from.to_string(), &to.to_string()));
        return None;
    }
    let inclusive = |end: Option<Decimal>| end.map(|end| (end, Comparison::Inclusive));
    Some(Set::Atom(Atom::Numbers(Range { low: inclusive(from), high: inclusive(to) })))
}

#[allow(clippy::option_option, reason = "no bound, a bound, or a bound that was wrong")]
fn bound(literal: Option<&Literal>, ty: &Type, sink: &mut Sink) -> Option<Option<Decimal>> {
    match literal {
        None => Some(None),
        Some(literal) => number(literal, ty, sink).map(Some),
    }
}

/// A number that is a bound over `ty`.
fn number(literal: &Literal, ty: &Type, sink: &mut Sink) -> Option<Decimal> {
    let LiteralKind::Number(number) = &literal.kind else {
        sink.push(literals::wrong(literal, ty));
        return None;
    };
    let whole = matches!(ty.kind, Kind::Number(NumberKind::Int | NumberKind::Int64));
    if whole && !number.is_integral() {
        sink.push(Diagnostic::new(
            Code::TYPE_MISMATCH,
            literal.span,
            format!("`{number}` is no whole number, and this is `{}`", called(ty)),
        ));
        return None;
    }
    Some(number.clone())
}

fn compare(operator: Operator, literal: &Literal, ty: &Type, sink: &mut Sink) -> Option<Set> {
    if let Kind::Time(kind) = ty.kind {
        return times::compare(operator, literal, kind, sink);
    }
    let number = number(literal, ty, sink)?;
    Some(Set::Atom(Atom::Numbers(compared(operator, number))))
}

/// The range that a comparison means.
pub fn compared(operator: Operator, end: Decimal) -> Range<Decimal> {
    match operator {
        Operator::Less => Range { low: None, high: Some((end, Comparison::Exclusive)) },
        Operator::AtMost => Range { low: None, high: Some((end, Comparison::Inclusive)) },
        Operator::Greater => Range { low: Some((end, Comparison::Exclusive)), high: None },
        Operator::AtLeast => Range { low: Some((end, Comparison::Inclusive)), high: None },
    }
}

fn argv(known: &Known, positions: &[SetExpr], tail: &ArgvTail, purpose: Purpose, sink: &mut Sink) -> Option<Set> {
    let word = literals::word_type();
    let sets: Vec<Option<Set>> = positions.iter().map(|set| sets::root(known, set, &word, purpose, sink)).collect();
    let tail = match tail {
        ArgvTail::None => None,
        ArgvTail::Any(_) => Some(Box::new(Set::Any)),
        ArgvTail::Each(set) => Some(Box::new(sets::root(known, set, &word, purpose, sink)?)),
    };
    Some(Set::Atom(Atom::Argv(sets.into_iter().collect::<Option<Vec<Set>>>()?, tail)))
}
