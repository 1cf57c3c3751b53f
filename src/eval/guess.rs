//! A plan → a call that it permits, guessed from the literals of its sets and then tried: where one holds, nothing needs to
//! be searched. Proves nothing by failing.

use super::demand::Demand;
use super::judge::test;
use super::plan::{Factor, Plan, PlanRow};
use crate::domain::{Atom, Comparison, Decimal, Kind, Part, Point, Presence, Set, SlotMatcher, Value, well_formed};
use crate::table::model::Tool;

/// Rows of a declaration that are tried.
const ROWS: usize = 4;
/// Values of one argument that are tried.
const VALUES: usize = 24;

/// Whether some call that was guessed is permitted by the rows and limits of `plan` and by `extra`. False says nothing.
pub(crate) fn permits(tool: &Tool, plan: &Plan, extra: &[Demand]) -> bool {
    (0..ROWS).any(|turn| {
        let rows: Option<Vec<&PlanRow>> = plan.factors.iter().map(|factor| row(factor, turn)).collect();
        rows.is_some_and(|rows| permits_by(tool, plan, extra, &rows))
    })
}

/// A row that stands: another by each turn, as long as there are some.
fn row(factor: &Factor, turn: usize) -> Option<&PlanRow> {
    let standing = || factor.rows.iter().filter(|row| row.void.is_none());
    standing().nth(turn).or_else(|| standing().next_back())
}

fn permits_by(tool: &Tool, plan: &Plan, extra: &[Demand], rows: &[&PlanRow]) -> bool {
    let mut points: Vec<Point> = Vec::with_capacity(tool.arguments.len());
    for (argument, member) in tool.arguments.iter().enumerate() {
        let limits = plan.demands.iter().chain(extra).filter(|demand| demand.argument == argument);
        let mut tests: Vec<&SlotMatcher> = limits.clone().map(|demand| &demand.test).collect();
        let clauses = rows.iter().flat_map(|row| &row.clauses).filter(|clause| clause.clause.argument == argument);
        tests.extend(clauses.clone().map(|clause| &clause.test));
        // What is asked here is the slot: it may admit less than the test that was compiled of it.
        let may_be_absent = limits.clone().all(|demand| demand.slot.absent);
        let mut values = Vec::new();
        for set in limits.map(|demand| &demand.slot.values).chain(clauses.map(|clause| &clause.clause.slot.values)) {
            suggest(&member.ty.kind, set, &mut values);
        }
        ordinary(&member.ty.kind, &mut values);
        let holds = |point: &Point| tests.iter().all(|slot| test(std::slice::from_ref(point), 0, slot).is_in());
        let absent = match member.presence {
            Presence::Optional | Presence::OrAbsent if may_be_absent => Some(Point::Absent),
            Presence::Optional | Presence::OrAbsent | Presence::Required | Presence::Defaulted(_) => None,
        };
        let formed =
            values.into_iter().take(VALUES).filter(|value| well_formed(&member.ty, value).is_ok()).map(Point::Value);
        match absent.into_iter().chain(formed).find(holds) {
            Some(point) => points.push(point),
            None => return false,
        }
    }
    // Texts that name another argument are for the search.
    plan.namings.iter().all(|naming| naming.named.is_none())
}

fn text(text: impl Into<Box<str>>) -> Value {
    Value::Text(text.into())
}

/// A few values of the kind.
fn ordinary(kind: &Kind, values: &mut Vec<Value>) {
    match kind {
        Kind::Bool => values.extend([Value::Bool(true), Value::Bool(false)]),
        Kind::Enum(all) => values.extend(all.iter().take(VALUES).cloned()),
        Kind::Number(_) => values.extend([0, 1].map(|n| Value::Number(Decimal::from_i64(n)))),
        Kind::Text { .. } | Kind::OpaqueText | Kind::OpaqueJson => values.extend([text("a"), text("")]),
        Kind::Path { .. } => values.extend([text("/a"), text("a")]),
        Kind::Host => values.push(text("a.example")),
        Kind::Url { .. } => values.push(text("https://a.example/")),
        Kind::Email => values.push(text("a@a.example")),
        Kind::Ip => values.push(text("192.0.2.1")),
        Kind::Time(_) => values.extend([text("2026-01-01T00:00:00Z"), text("2026-01-01T00:00:00"), text("2026-01-01")]),
        Kind::List(of) | Kind::OneOrList(of) => listed(of, values),
        Kind::Argv => values.push(Value::List(Vec::new())),
        Kind::Map(_) => values.push(Value::Object(Vec::new())),
        Kind::Record { .. } | Kind::Union(_) => {}
    }
}

fn listed(of: &crate::domain::Type, values: &mut Vec<Value>) {
    let mut elements = Vec::new();
    ordinary(&of.kind, &mut elements);
    values.extend(elements.into_iter().take(1).map(|element| Value::List(vec![element])));
    values.push(Value::List(Vec::new()));
}

/// Values that the literals of a set suggest.
fn suggest(kind: &Kind, set: &Set, values: &mut Vec<Value>) {
    match set {
        Set::And(parts) | Set::Or(parts) => parts.iter().take(VALUES).for_each(|part| suggest(kind, part, values)),
        Set::Atom(atom) => suggest_atom(kind, atom, values),
        Set::Any | Set::Never | Set::Not(_) => {}
    }
}

fn suggest_atom(kind: &Kind, atom: &Atom, values: &mut Vec<Value>) {
    let filled = |pattern: &str| text(pattern.replace("**", "a").replace('*', "a"));
    match atom {
        Atom::OneOf(listed) => values.extend(listed.iter().take(VALUES).cloned()),
        Atom::Numbers(range) => {
            let ends = [&range.low, &range.high].into_iter().flatten().filter(|(_, how)| *how == Comparison::Inclusive);
            values.extend(ends.map(|(end, _)| Value::Number(end.clone())));
        }
        Atom::Prefix(prefix) => values.push(text(format!("{prefix}a"))),
        Atom::Suffix(suffix) => values.push(text(suffix.clone())),
        Atom::Host(pattern) | Atom::Url(pattern) | Atom::Email(pattern) => values.push(filled(pattern)),
        Atom::Path(glob) => values.push(filled(glob)),
        Atom::Part(Part::Host, hosts) => {
            let mut found = Vec::new();
            suggest(&Kind::Host, hosts, &mut found);
            let whole = |host: &Value| match (kind, host) {
                (Kind::Url { .. }, Value::Text(host)) => Some(text(format!("https://{host}/"))),
                (Kind::Email, Value::Text(host)) => Some(text(format!("a@{host}"))),
                _ => None, // no other kind has hosts
            };
            values.extend(found.iter().filter_map(whole));
        }
        Atom::Each(set) | Atom::OneOrEach(set, _) => {
            let of = match kind {
                Kind::List(of) | Kind::OneOrList(of) => &of.kind,
                _ => return, // no elements
            };
            let mut elements = Vec::new();
            suggest(of, set, &mut elements);
            values.extend(elements.into_iter().map(|element| Value::List(vec![element])));
        }
        // The search finds values of these.
        Atom::Times(_)
        | Atom::Length(_)
        | Atom::Matches(_)
        | Atom::Class(_)
        | Atom::Cidr(_)
        | Atom::Part(..)
        | Atom::PathAnyCase(_)
        | Atom::Size(_)
        | Atom::Keys(_)
        | Atom::Values(_)
        | Atom::Field(..)
        | Atom::Argv(..)
        | Atom::Alternative(..) => {}
    }
}
