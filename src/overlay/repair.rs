//! A clause that widens → what of it the base leaves: as a clause, and as text. Knows no witnesses.
//!
//! A row is met with each of the base's rows over the same paths, a limit with what the base lets it be; so the repair passes
//! the proof, and no greater one does.

use super::limit::{self, Room};
use super::narrow::{ClauseRef, Context, mentioned, projections};
use super::stack::{row_permit, shape, under_limits, values_only};
use super::words::{in_words, render_slot};
use super::{binding, reach, simple, spot};
use crate::diag::Edit;
use crate::domain::{Bound, Lift, Member, Product, Shape, Slot, Step, Stopped, Value, Work, lift, slot_cells};
use crate::policy::{Clause, LimitSetting, LimitValue, Row, ToolRef};

/// What is left of a clause.
pub(super) enum Mended {
    /// Nothing.
    Nothing,
    /// These rows instead of the one.
    Rows(Vec<Row>),
    /// This value instead.
    Limit(LimitSetting),
}

/// A repair as text.
pub(super) struct Text {
    /// What may be written.
    pub words: String,
    /// Where, if it stands in one place.
    pub edit: Option<Edit>,
}

/// What is left of `clause`.
pub(super) fn mend(cx: &Context<'_>, clause: ClauseRef<'_>, work: &mut Work) -> Result<Mended, Stopped> {
    match clause {
        ClauseRef::Row(tool, row) => mend_row(cx, tool, row, work),
        ClauseRef::Limit(setting) => mend_limit(cx, setting, work),
        ClauseRef::Tool(..) => Ok(Mended::Nothing),
    }
}

fn mend_row(cx: &Context<'_>, tool: ToolRef, row: &Row, work: &mut Work) -> Result<Mended, Stopped> {
    let shape = shape(cx.policy, cx.policy.tool(tool));
    let mut rows: Vec<(Row, Product)> = Vec::new();
    for projection in projections(cx, &shape, tool, &mentioned(row), work)?.iter().flatten() {
        let met = met(&shape, row, projection, work)?;
        let mut under = Vec::new();
        for permit in under_limits(cx.policy, cx.overlay, tool, vec![row_permit(&met)]) {
            under.push(shape.is_empty(&permit.product, work)?);
        }
        if under.iter().any(|empty| !empty) {
            let product = row_permit(&met).product;
            add(&shape, &mut rows, met, product, work)?;
        }
    }
    let rows: Vec<Row> = rows.into_iter().map(|(row, _)| row).collect();
    Ok(if rows.is_empty() { Mended::Nothing } else { Mended::Rows(rows) })
}

/// Adds a row unless another holds it; drops those that it holds.
fn add(
    shape: &Shape<'_>,
    rows: &mut Vec<(Row, Product)>,
    row: Row,
    product: Product,
    work: &mut Work,
) -> Result<(), Stopped> {
    for (_, other) in rows.iter() {
        if shape.escape(&product, &[other], work)?.is_none() {
            return Ok(());
        }
    }
    let mut kept = Vec::new();
    for (other, held) in rows.drain(..) {
        if shape.escape(&held, &[&product], work)?.is_some() {
            kept.push((other, held));
        }
    }
    kept.push((row, product));
    *rows = kept;
    Ok(())
}

/// The row with each mentioned argument met with what `projection` demands of it.
fn met(shape: &Shape<'_>, row: &Row, projection: &Product, work: &mut Work) -> Result<Row, Stopped> {
    let mut met = row.clone();
    let all = row_permit(row).product;
    for (argument, demand) in projection.slots() {
        let (Some(member), Some(own)) = (shape.members.get(argument), all.slot(argument)) else { continue };
        let clauses = met.clauses.iter_mut().filter(|c| c.argument == argument);
        say(member, own, demand, clauses.collect(), work).map_err(|bound| Stopped::Sets(vec![argument], bound))?;
    }
    Ok(met)
}

/// Makes the clauses on one argument demand the meet of what they demand and of `demand`; their words are emptied where
/// clauses on the same paths cannot say it.
fn say(member: &Member, own: &Slot, demand: &Slot, clauses: Vec<&mut Clause>, work: &mut Work) -> Result<(), Bound> {
    let whole = simple::meet(member, own, demand, work)?;
    let mut words = Vec::new();
    let mut said = Slot::ANY;
    for clause in &clauses {
        let (slot, text) = if clause.steps.is_empty() {
            (whole.clone(), render_slot(member, &whole))
        } else {
            at_its_place(member, own, demand, &clause.steps, work)?.unwrap_or((Slot::ANY, String::new()))
        };
        said = simple::meet(member, &said, &slot, work)?;
        words.push(text);
    }
    let sayable = lies_in(member, &said, &whole, work)?;
    for (index, (clause, text)) in clauses.into_iter().zip(words).enumerate() {
        clause.permitted = if sayable { text.into() } else { Box::default() };
        // The clauses on one argument meet, so it is enough that the first demands all.
        if index == 0 {
            clause.slot = whole.clone();
        }
    }
    Ok(())
}

/// What a clause on a part of an argument may say, with the demand that this makes on the whole.
fn at_its_place(
    member: &Member,
    own: &Slot,
    demand: &Slot,
    steps: &[Step],
    work: &mut Work,
) -> Result<Option<(Slot, String)>, Bound> {
    let Some(spot) = spot::member_at(member, steps) else { return Ok(None) };
    let (own, demand) = (reach::along(member, steps, own, work)?, reach::along(member, steps, demand, work)?);
    let there = values_only(simple::meet(&spot, &own, &demand, work)?.values);
    Ok(Some((lift(member, steps, &there, Lift::Clause), render_slot(&spot, &there))))
}

/// Whether `inner` lies in `outer`.
fn lies_in(member: &Member, inner: &Slot, outer: &Slot, work: &mut Work) -> Result<bool, Bound> {
    Ok(slot_cells(member, &[inner, outer], work)?.iter().all(|cell| cell.vector.get(1) || !cell.vector.get(0)))
}

fn mend_limit(cx: &Context<'_>, setting: &LimitSetting, work: &mut Work) -> Result<Mended, Stopped> {
    let member = limit::member(cx.policy.limit(setting.limit));
    let own = match &setting.value {
        LimitValue::Set(slot) => slot.clone(),
        LimitValue::Many => return Ok(below(cx, setting)),
        LimitValue::Bound(value) => return Ok(spelled_out(cx, setting, value)),
        LimitValue::Single => return Ok(Mended::Nothing),
    };
    let stopped = |bound| Stopped::Sets(Vec::new(), bound);
    let met = match limit::room(cx, setting.limit, work)? {
        Room::Declared(slots) => {
            slots.iter().try_fold(own, |own, slot| simple::meet(&member, &own, slot, work)).map_err(stopped)?
        }
        Room::Reached(slots) => simple::meet(&member, &own, &any_of(slots), work).map_err(stopped)?,
    };
    let shape = Shape { members: vec![&member], namings: Vec::new() };
    let mut product = Product::default();
    product.demand(0, met.clone());
    if shape.is_empty(&product, work)? {
        return Ok(Mended::Nothing);
    }
    let permitted = render_slot(&member, &met).into();
    Ok(Mended::Limit(LimitSetting { value: LimitValue::Set(met), permitted, ..setting.clone() }))
}

/// The base's `p:rest`, instead of its bare rest.
fn spelled_out(cx: &Context<'_>, setting: &LimitSetting, value: &Value) -> Mended {
    let bare_of = |bound: &Value| match (&cx.policy.limit(setting.limit).within, bound, value) {
        (Some(within), Value::Text(bound), Value::Text(value)) => {
            binding::split(within, bound).is_some_and(|(_, rest)| *rest == **value)
        }
        _no_resource => false,
    };
    let bound = cx.base.settings(setting.limit).into_iter().find(|(_, s)| match &s.value {
        LimitValue::Bound(bound) => bare_of(bound),
        LimitValue::Set(_) | LimitValue::Many | LimitValue::Single => false,
    });
    match bound {
        Some((_, below)) => {
            Mended::Limit(LimitSetting { value: below.value.clone(), permitted: below.permitted.clone(), ..setting.clone() })
        }
        None => Mended::Nothing,
    }
}

fn any_of(slots: Vec<Slot>) -> Slot {
    let absent = slots.iter().any(|slot| slot.absent);
    let values = crate::domain::Set::Or(slots.into_iter().map(|slot| slot.values).collect());
    Slot { absent, ..values_only(values) }
}

/// What the base fixes, instead of `many`.
fn below(cx: &Context<'_>, setting: &LimitSetting) -> Mended {
    let fixed = |s: &LimitValue| matches!(s, LimitValue::Single | LimitValue::Bound(_));
    let settings = cx.base.settings(setting.limit);
    match settings.iter().rev().find(|(_, s)| fixed(&s.value)) {
        Some((_, below)) => {
            let value = below.value.clone();
            Mended::Limit(LimitSetting { value, permitted: below.permitted.clone(), ..setting.clone() })
        }
        None => Mended::Nothing,
    }
}

/// The repair in the policy's language; `None`: nothing is left.
pub(super) fn text(cx: &Context<'_>, clause: ClauseRef<'_>, mended: &Mended) -> Option<Text> {
    match (clause, mended) {
        (ClauseRef::Limit(_), Mended::Limit(setting)) => {
            let words = setting.permitted.to_string();
            let edit = Edit { span: setting.span, replacement: words.clone() };
            Some(Text { words, edit: Some(edit) })
        }
        (ClauseRef::Row(tool, row), Mended::Rows(rows)) => {
            let sayable = rows.iter().flat_map(|row| &row.clauses).all(|clause| !clause.permitted.is_empty());
            sayable.then(|| rows_text(cx, tool, row, rows))
        }
        (ClauseRef::Tool(..), _)
        | (_, Mended::Nothing)
        | (ClauseRef::Limit(_), Mended::Rows(_))
        | (ClauseRef::Row(..), Mended::Limit(_)) => None,
    }
}

/// One clause changed: the clause; else the rows.
fn rows_text(cx: &Context<'_>, tool: ToolRef, row: &Row, rows: &[Row]) -> Text {
    let alone = |clause: &Clause| row.clauses.iter().filter(|c| c.whole == clause.whole).count() == 1;
    if let [only] = rows
        && let Some((_, after)) = single_change(row, only)
        && alone(after)
    {
        let words = clause_text(after);
        let edit = Edit { span: after.whole, replacement: words.clone() };
        return Text { words, edit: Some(edit) };
    }
    let name = &cx.policy.tool(tool).name;
    let lines: Vec<String> = rows.iter().map(|row| row_text(name, row)).collect();
    let shared = cx.overlay.spoken(tool).is_some_and(|u| u.rows.iter().filter(|r| r.whole == row.whole).count() > 1);
    let edit = (!shared).then(|| Edit { span: row.whole, replacement: lines.join("\n        ") });
    Text { words: lines.join("; "), edit }
}

/// The one clause in which two rows differ.
fn single_change<'r>(before: &'r Row, after: &'r Row) -> Option<(&'r Clause, &'r Clause)> {
    let mut changed =
        before.clauses.iter().zip(&after.clauses).filter(|(b, a)| b.slot != a.slot || b.permitted != a.permitted);
    match (changed.next(), changed.next()) {
        (Some(change), None) => Some(change),
        _none_or_several => None,
    }
}

fn clause_text(clause: &Clause) -> String {
    in_words(&clause.path, &clause.permitted)
}

fn row_text(tool: &str, row: &Row) -> String {
    let clauses: Vec<String> = row.clauses.iter().map(clause_text).collect();
    let body = if clauses.is_empty() { String::new() } else { format!(" {{ {} }}", clauses.join("; ")) };
    let approval = if row.approval { " with approval" } else { "" };
    let opaque = if row.accepting_opaque { " accepting opaque" } else { "" };
    format!("allow {tool}{body}{approval}{opaque}")
}
