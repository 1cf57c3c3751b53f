//! Literals of points in time → ranges of exact seconds. A day over datetimes means all of it.

use super::agree::{called, plain};
use super::literals;
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{Atom, Comparison, Decimal, Kind, Range, Set, TimeKind, parse_time};
use crate::source::Span;
use crate::syntax::ast::{Literal, LiteralKind, Operator};

const DAY: i64 = 86_400;

/// What a literal means: from a moment to a moment, the second one in (a point) or out (a day).
struct Meant {
    from: Decimal,
    to: Decimal,
    end: Comparison,
}

fn meant(literal: &Literal, kind: TimeKind) -> Result<Meant, Box<Diagnostic>> {
    let ty = plain(Kind::Time(kind));
    let (LiteralKind::Time(text) | LiteralKind::Text(text)) = &literal.kind else {
        return Err(Box::new(literals::wrong(literal, &ty)));
    };
    if let Some(moment) = parse_time(kind, text) {
        return Ok(Meant { from: moment.clone(), to: moment, end: Comparison::Inclusive });
    }
    let day = parse_time(TimeKind::Date, text).and_then(|start| start.to_i64());
    if let (TimeKind::DateTime, Some(start)) = (kind, day) {
        let (from, to) = (Decimal::from_i64(start), Decimal::from_i64(start.saturating_add(DAY)));
        return Ok(Meant { from, to, end: Comparison::Exclusive });
    }
    let found = Diagnostic::new(Code::BAD_LITERAL, literal.span, format!("`{text}` is no `{}`", called(&ty)));
    Err(Box::new(match kind {
        TimeKind::Instant => found.note("an instant has a date, a time and a zone: `2026-11-30T10:00:00Z`"),
        TimeKind::DateTime => found.note("a datetime has no zone: `2026-11-30T10:00:00`, or `2026-11-30` for the whole day"),
        TimeKind::Date => found.note("a date is a day: `2026-11-30`"),
    }))
}

fn set(low: Option<(Decimal, Comparison)>, high: Option<(Decimal, Comparison)>) -> Set {
    Set::Atom(Atom::Times(Range { low, high }))
}

/// A literal in braces.
pub fn member(literal: &Literal, kind: TimeKind) -> Result<Set, Box<Diagnostic>> {
    let meant = meant(literal, kind)?;
    Ok(set(Some((meant.from, Comparison::Inclusive)), Some((meant.to, meant.end))))
}

/// `a..b`, both ends in.
pub fn range(low: Option<&Literal>, high: Option<&Literal>, span: Span, kind: TimeKind, sink: &mut Sink) -> Option<Set> {
    let mut failed = false;
    let mut read = |literal: Option<&Literal>| {
        let result = literal.map(|literal| meant(literal, kind)).transpose();
        result.unwrap_or_else(|found| {
            failed = true;
            sink.push(*found);
            None
        })
    };
    let (from, to) = (read(low), read(high));
    if failed {
        return None;
    }
    if let (Some(first), Some(last)) = (&from, &to)
        && first.from > last.from
    {
        sink.push(Diagnostic::new(
            Code::REVERSED_RANGE,
            span,
            "the range runs backwards: its first end is later than its last",
        ));
        return None;
    }
    Some(set(from.map(|it| (it.from, Comparison::Inclusive)), to.map(|it| (it.to, it.end))))
}

/// `<= t` and its kin.
pub fn compare(operator: Operator, literal: &Literal, kind: TimeKind, sink: &mut Sink) -> Option<Set> {
    let meant = match meant(literal, kind) {
        Ok(meant) => meant,
        Err(found) => {
            sink.push(*found);
            return None;
        }
    };
    let after = match meant.end {
        Comparison::Inclusive => Comparison::Exclusive,
        Comparison::Exclusive => Comparison::Inclusive,
    };
    Some(match operator {
        Operator::Less => set(None, Some((meant.from, Comparison::Exclusive))),
        Operator::AtMost => set(None, Some((meant.to, meant.end))),
        Operator::Greater => set(Some((meant.to, after)), None),
        Operator::AtLeast => set(Some((meant.from, Comparison::Inclusive)), None),
    })
}
