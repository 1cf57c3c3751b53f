//! Rows and their clauses: paths resolved, sets lowered, each clause lifted to its whole argument.

use super::lift::{self, Row};
use super::paths::{self, Target};
use super::sets::{self, Purpose};
use super::{Known, agree, spell};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{Atom, Kind, Member, Presence, Set, Slot, Step, Type};
use crate::policy;
use crate::source::Span;
use crate::syntax::ast::{self, SetExpr, SetKind};
use std::collections::BTreeSet;

/// Whose members the first names of paths are.
#[derive(Clone, Copy)]
pub enum Owner<'a> {
    /// The arguments of the tool of this name.
    Tool(&'a str),
    /// The members of a record.
    Record,
}

/// The rows that one `allow` makes, one for each of its tools.
pub fn lower(known: &Known, vocabulary: policy::VocabularyId, row: &ast::Row, sink: &mut Sink) -> Vec<policy::Row> {
    let mut reported = BTreeSet::new();
    let mut rows = Vec::new();
    for name in &row.tools {
        let Some(tool) = known.names.tool(vocabulary, name, sink) else { continue };
        let declared = &known.vocabularies[vocabulary.0].tools[tool.tool];
        let members: Vec<&Member> = declared.arguments.iter().map(|argument| &argument.member).collect();
        let lowered = clauses(known, &members, Owner::Tool(&declared.name), &row.clauses, &mut reported, sink);
        rows.push(policy::Row {
            tool: tool.tool,
            clauses: lowered.clauses,
            approval: row.approval.is_some(),
            accepting_opaque: row.accepting_opaque.is_some(),
            sizes_admitting_zero: lowered.sizes_admitting_zero,
            span: name.span,
            whole: row.span,
        });
    }
    rows
}

/// The set of records that satisfy all clauses.
pub fn record_set(known: &Known, clauses: &[ast::Clause], ty: &Type, sink: &mut Sink) -> Option<Set> {
    let Kind::Record { members, .. } = &ty.kind else { return None };
    let members: Vec<&Member> = members.iter().collect();
    let mut reported = BTreeSet::new();
    let lowered = self::clauses(known, &members, Owner::Record, clauses, &mut reported, sink);
    let field =
        |clause: policy::Clause| Set::Atom(Atom::Field(members[clause.argument].name.clone(), Box::new(clause.slot)));
    reported.is_empty().then(|| sets::all(lowered.clauses.into_iter().map(field)))
}

/// One clause, resolved and with its set, before it is lifted.
struct Heard<'a> {
    clause: &'a ast::Clause,
    argument: usize,
    steps: Vec<Step>,
    slot: Slot,
}

/// The clauses of one row, and what they say together.
pub struct Lowered {
    /// Each clause.
    pub clauses: Vec<policy::Clause>,
    /// The lists that some clause gives a size that admits 0.
    pub sizes_admitting_zero: Vec<policy::ListWay>,
}

/// Every clause lowered; those whose span is in `reported` are passed over, and those that fail are added to it.
pub fn clauses(
    known: &Known,
    members: &[&Member],
    owner: Owner,
    clauses: &[ast::Clause],
    reported: &mut BTreeSet<Span>,
    sink: &mut Sink,
) -> Lowered {
    let mut row = Row::default();
    let mut resolved = Vec::new();
    let mut sizes = BTreeSet::new();
    for clause in clauses.iter().filter(|clause| !reported.contains(&clause.span)).collect::<Vec<_>>() {
        match find(members, owner, &clause.path) {
            Ok((argument, targets)) => {
                if sets::admits_empty(&clause.set) {
                    row.admits_empty.extend(targets.iter().map(|target| way(members[argument], &target.steps)));
                    sizes.extend(targets.iter().map(|target| policy::ListWay { argument, steps: target.steps.clone() }));
                }
                resolved.push((clause, argument, targets));
            }
            Err(found) => {
                reported.insert(clause.span);
                sink.extend(found.map(|found| *found));
            }
        }
    }
    let mut heard = Vec::new();
    for (clause, argument, targets) in resolved {
        match slots(known, clause, members[argument], &targets, &row, sink) {
            Some(slots) => heard.extend(slots.into_iter().map(|(steps, slot)| Heard { clause, argument, steps, slot })),
            None => drop(reported.insert(clause.span)),
        }
    }
    for one in &heard {
        row.mention(&way(members[one.argument], &one.steps), &one.slot.values);
    }
    let clauses = heard.into_iter().map(|one| finished(known, members, &row, one)).collect();
    Lowered { clauses, sizes_admitting_zero: sizes.into_iter().collect() }
}

fn way(member: &Member, steps: &[Step]) -> Vec<Step> {
    std::iter::once(Step::Field(member.name.clone())).chain(steps.iter().cloned()).collect()
}

fn finished(known: &Known, members: &[&Member], row: &Row, one: Heard) -> policy::Clause {
    let member = members[one.argument];
    let way = way(member, &one.steps);
    policy::Clause {
        argument: one.argument,
        path: spell::dotted(&one.clause.path.steps).into(),
        slot: lift::lift(row, member, &way, 1, &one.slot),
        steps: one.steps,
        permitted: spell::as_written(known.sources, one.clause.set.span),
        span: one.clause.set.span,
        whole: one.clause.span,
    }
}

type Found<'a> = (usize, Vec<Target<'a>>);

/// The argument and the places that a path means; `Err(None)` when it leads into something already reported.
fn find<'a>(members: &[&'a Member], owner: Owner, path: &ast::Path) -> Result<Found<'a>, Option<Box<Diagnostic>>> {
    let Some((first, rest)) = path.steps.split_first() else { return Err(None) };
    let Some(argument) = members.iter().position(|member| *member.name == *first.text) else {
        return Err(Some(Box::new(no_such_argument(members, owner, first))));
    };
    if agree::is_hole(&members[argument].ty) {
        return Err(None);
    }
    let targets = paths::resolve(members[argument], rest).map_err(Some)?;
    if targets.iter().any(|target| agree::is_hole(&target.ty)) { Err(None) } else { Ok((argument, targets)) }
}

fn no_such_argument(members: &[&Member], owner: Owner, name: &ast::Name) -> Diagnostic {
    let all: Vec<&str> = members.iter().map(|member| &*member.name).collect();
    let message = match owner {
        Owner::Tool(tool) => format!("`{tool}` has no argument `{}`", name.text),
        Owner::Record => format!("the record has no member `{}`", name.text),
    };
    spell::unknown(Code::UNKNOWN_ARGUMENT, name, message, &all)
}

/// What a clause demands at each of its places. Places that no literal of it fits are left out: they are excluded.
fn slots(
    known: &Known,
    clause: &ast::Clause,
    member: &Member,
    targets: &[Target],
    row: &Row,
    sink: &mut Sink,
) -> Option<Vec<(Vec<Step>, Slot)>> {
    let spoken = Spoken::of(&clause.set);
    let free = targets.iter().any(|target| row.admits_empty.contains(&way(member, &target.steps)));
    let purpose = if free { Purpose::PolicyAdmittingEmpty } else { Purpose::Policy };
    let set = match (&spoken.set, targets) {
        (None, _) => Some(Set::Never),
        (Some(expr), [only]) => sets::root(known, expr, &only.ty, purpose, sink),
        (Some(expr), _) => {
            let types = targets.iter().map(|target| target.ty.clone().into_owned()).collect();
            sets::root(known, expr, &agree::plain(Kind::Union(types)), purpose, sink)
        }
    };
    let complaints: Vec<Diagnostic> =
        targets.iter().filter_map(|target| impossible_point(&target.member, &spoken)).collect();
    if complaints.len() == targets.len() {
        sink.extend(complaints.into_iter().take(1));
        return None;
    }
    let set = set?;
    let slots = targets.iter().enumerate().filter_map(|(at, target)| {
        let values = if targets.len() == 1 { set.clone() } else { projected(&set, at) };
        let slot = spoken.slot(values, &target.member);
        let excluded = slot.values == Set::Never && !slot.absent && !slot.null;
        (targets.len() == 1 || !excluded).then(|| (target.steps.clone(), slot))
    });
    Some(slots.collect())
}

/// What a set over the union of several places says of one.
fn projected(set: &Set, at: usize) -> Set {
    match set {
        Set::Atom(Atom::Alternative(index, inner)) if *index as usize == at => (**inner).clone(),
        Set::Atom(_) => Set::Never,
        Set::Any | Set::Never => set.clone(),
        Set::Not(inner) => sets::not(projected(inner, at)),
        Set::And(sets) => sets::all(sets.iter().map(|set| projected(set, at))),
        Set::Or(sets) => sets::any(sets.iter().map(|set| projected(set, at))),
    }
}

/// A clause's set, and the points that end it.
pub struct Spoken {
    /// What is left without the points; `None`: the points alone.
    pub set: Option<SetExpr>,
    /// `or absent`.
    pub absent: Option<Span>,
    /// `or null`.
    pub null: Option<Span>,
}

impl Spoken {
    /// Takes the points off the end of a set expression.
    pub fn of(expr: &SetExpr) -> Spoken {
        let mut spoken = Spoken { set: None, absent: None, null: None };
        let mut rest = Vec::new();
        spoken.take(expr, &mut rest);
        spoken.set = match rest.len() {
            0 => None,
            1 => rest.pop().cloned(),
            _ => Some(SetExpr { kind: SetKind::Or(rest.into_iter().cloned().collect()), span: expr.span }),
        };
        spoken
    }

    fn take<'e>(&mut self, expr: &'e SetExpr, rest: &mut Vec<&'e SetExpr>) {
        match &expr.kind {
            SetKind::Absent => self.absent = Some(expr.span),
            SetKind::Null => self.null = Some(expr.span),
            SetKind::Or(parts) => parts.iter().for_each(|part| self.take(part, rest)),
            _ => rest.push(expr),
        }
    }

    /// The demand on a member: what `or absent` and `or null` of its type admit lies in every set.
    pub fn slot(&self, values: Set, member: &Member) -> Slot {
        let names_nothing = self.set.is_some();
        Slot {
            values,
            null: member.ty.null && (names_nothing || self.null.is_some()),
            absent: match member.presence {
                Presence::OrAbsent => names_nothing || self.absent.is_some(),
                Presence::Optional => self.absent.is_some(),
                Presence::Required | Presence::Defaulted(_) => false,
            },
        }
    }
}

/// `absent` of what is always there, `null` of what is never null.
fn impossible_point(member: &Member, spoken: &Spoken) -> Option<Diagnostic> {
    if let Some(span) = spoken.absent {
        let why = match member.presence {
            Presence::Required => "must always be given",
            Presence::Defaulted(_) => "is never absent: leaving it out is one more spelling of its default",
            Presence::Optional | Presence::OrAbsent => "",
        };
        if !why.is_empty() {
            return Some(Diagnostic::new(Code::IMPOSSIBLE_POINT, span, format!("`{}` {why}", member.name)));
        }
    }
    let span = spoken.null.filter(|_| !member.ty.null)?;
    let message = format!("`{}` is never null: its type does not say `or null`", member.name);
    Some(Diagnostic::new(Code::IMPOSSIBLE_POINT, span, message))
}
