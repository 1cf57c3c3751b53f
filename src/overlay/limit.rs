//! A limit that an overlay sets → whether its value lies inside what the base declares, or, where the base declares none,
//! inside what the base's rows permit under it in all tools together. Knows no rows of the overlay.

use super::binding::{self, Bare};
use super::narrow::{Context, allowed_alone, tools_under};
use super::project::{self, Mentioned};
use super::reach;
use super::stack::{Permit, shape, values_only};
use super::witness::{self, Show};
use crate::domain::{
    Call, Lift, Member, Point, Presence, Product, Set, Shape, Slot, Stopped, Value, Work, lift, slot_cells,
};
use crate::policy::{Coupling, Limit, LimitRef, LimitSetting, LimitValue, Place, ToolRef};

/// What the base lets a limit be.
pub(super) enum Room {
    /// Every one of these, together.
    Declared(Vec<Slot>),
    /// Any of these: what its rows permit.
    Reached(Vec<Slot>),
}

/// The limit's values as a dimension of their own; absence stands for `or absent`.
pub(super) fn member(limit: &Limit) -> Member {
    Member { name: limit.name.clone(), ty: limit.ty.clone(), presence: Presence::Optional, wildcard: false }
}

pub(super) fn check(cx: &Context<'_>, setting: &LimitSetting, work: &mut Work) -> Result<Option<Show>, Stopped> {
    if speaks_of_nothing(cx, setting.limit) {
        return Ok(None);
    }
    let Some(value) = promised(cx, setting) else {
        return if setting.value == LimitValue::Many { loosened(cx, setting, work) } else { Ok(None) };
    };
    let escaped = escape(cx, setting.limit, &value, work)?;
    let Some(point) = escaped else { return Ok(None) };
    let found = call_with(cx, setting.limit, &point, work)?;
    Ok(Some(witness::of_limit(cx, setting, found, work)))
}

/// Whether the base neither declares the limit nor permits a call with an argument under it: then words about it promise
/// nothing, as no call could show otherwise.
pub(super) fn speaks_of_nothing(cx: &Context<'_>, limit: LimitRef) -> bool {
    let permitted = |tool: &ToolRef| cx.base.rows(*tool).map_or(true, |rows| !rows.is_empty());
    cx.base.settings(limit).is_empty() && !tools_under(cx, limit).iter().any(permitted)
}

/// What the words of the setting permit; `None`: a blank, or no demand.
pub(super) fn promised(cx: &Context<'_>, setting: &LimitSetting) -> Option<Slot> {
    match &setting.value {
        LimitValue::Single | LimitValue::Many => None,
        LimitValue::Set(slot) => Some(slot.clone()),
        LimitValue::Bound(value) => Some(values_only(reach::exactly(&cx.policy.limit(setting.limit).ty, value))),
    }
}

/// `many` over a base that is single or bound: a call to a tool that has the argument.
fn loosened(cx: &Context<'_>, setting: &LimitSetting, work: &mut Work) -> Result<Option<Show>, Stopped> {
    let fixed = |s: &LimitValue| matches!(s, LimitValue::Single | LimitValue::Bound(_));
    let below = cx.base.settings(setting.limit);
    let Some((_, below)) = below.iter().find(|(_, s)| fixed(&s.value)) else { return Ok(None) };
    let other = match &below.value {
        LimitValue::Bound(value) => Set::Not(Box::new(reach::exactly(&cx.policy.limit(setting.limit).ty, value))),
        LimitValue::Single | LimitValue::Many | LimitValue::Set(_) => Set::Any,
    };
    let member = member(cx.policy.limit(setting.limit));
    let slot = values_only(other);
    let cells = slot_cells(&member, &[&slot], work).map_err(|b| Stopped::Sets(Vec::new(), b))?;
    let Some(cell) = cells.into_iter().find(|c| c.vector.get(0)) else { return Ok(None) };
    let found = call_with(cx, setting.limit, &cell.point, work)?;
    Ok(Some(witness::of_limit(cx, setting, found, work)))
}

/// The lightest value of `value` that the base gives no room to.
fn escape(cx: &Context<'_>, limit: LimitRef, value: &Slot, work: &mut Work) -> Result<Option<Point>, Stopped> {
    let member = member(cx.policy.limit(limit));
    let shape = Shape { members: vec![&member], namings: Vec::new() };
    let right = right(cx, limit, work)?;
    let right: Vec<&Product> = right.iter().collect();
    let found = shape.escape(&of_slot(value), &right, work)?;
    Ok(found.and_then(|call| call.points.into_iter().next()))
}

fn of_slot(slot: &Slot) -> Product {
    let mut product = Product::default();
    product.demand(0, slot.clone());
    product
}

/// What the base lets the limit be, as products whose union it is.
pub(super) fn right(cx: &Context<'_>, limit: LimitRef, work: &mut Work) -> Result<Vec<Product>, Stopped> {
    Ok(match room(cx, limit, work)? {
        Room::Declared(slots) => {
            let mut all = Product::default();
            slots.iter().for_each(|slot| all.demand(0, slot.clone()));
            vec![all]
        }
        Room::Reached(slots) => slots.iter().map(of_slot).collect(),
    })
}

/// What the base lets the limit be.
pub(super) fn room(cx: &Context<'_>, limit: LimitRef, work: &mut Work) -> Result<Room, Stopped> {
    let declared: Vec<Slot> = cx
        .base
        .settings(limit)
        .into_iter()
        .filter_map(|(_, setting)| match &setting.value {
            LimitValue::Set(slot) => Some(slot.clone()),
            LimitValue::Bound(value) => Some(values_only(bound(cx, limit, value))),
            LimitValue::Single | LimitValue::Many => None,
        })
        .collect();
    if declared.is_empty() { reached(cx, limit, work).map(Room::Reached) } else { Ok(Room::Declared(declared)) }
}

/// The values that mean the bound one: of `p:rest` also the bare rest, where the base permits p alone; of a bare value also
/// every `p:value`.
fn bound(cx: &Context<'_>, limit: LimitRef, value: &Value) -> Set {
    let declared = cx.policy.limit(limit);
    let (Some(within), Value::Text(text)) = (&declared.within, value) else {
        return reach::exactly(&declared.ty, value);
    };
    let spelled = |text: String| Value::Text(text.into());
    match binding::split(within, text) {
        None => {
            let named = within.values.iter().map(|p| spelled(format!("{p}{}{text}", within.separator)));
            binding::one_of(named.chain([value.clone()]))
        }
        Some((name, rest)) => {
            let sets: Vec<&Slot> = cx
                .base
                .settings(within.limit)
                .into_iter()
                .filter_map(|(_, s)| if let LimitValue::Set(slot) = &s.value { Some(slot) } else { None })
                .collect();
            let ty = &cx.policy.limit(within.limit).ty;
            let permitted = |p: &str| sets.iter().all(|slot| binding::admits(ty, &slot.values, p));
            // Where nothing beside a text names p, the bare rest means the same resource.
            let unnamed = !tools_under(cx, limit).iter().any(|tool| names_beside(cx, *tool, limit).is_some());
            let alone = unnamed || within.values.iter().all(|p| *p == name || !permitted(p));
            binding::one_of(alone.then(|| spelled(rest.to_owned())).into_iter().chain([value.clone()]))
        }
    }
}

/// The argument that names p beside a text under `limit`, if the tool has one.
fn names_beside(cx: &Context<'_>, tool: ToolRef, limit: LimitRef) -> Option<usize> {
    let declared = cx.policy.tool(tool);
    let of_limit = |c: &&crate::policy::Coupling| declared.places.get(c.place).is_some_and(|place| place.limit == limit);
    declared.couplings.iter().find(of_limit).map(|coupling| coupling.named)
}

/// The names that `point`, a bare spelling of what the base binds as `p:point`, must not stand beside to be another resource;
/// with those that the base permits first.
fn other_names(cx: &Context<'_>, limit: LimitRef, point: &Point) -> Vec<Value> {
    let (Some(within), Point::Value(Value::Text(text))) = (&cx.policy.limit(limit).within, point) else { return Vec::new() };
    let settings = cx.base.settings(limit);
    let bound = settings.iter().find_map(|(_, setting)| match &setting.value {
        LimitValue::Bound(Value::Text(bound)) => binding::split(within, bound).filter(|(_, rest)| **rest == **text),
        LimitValue::Bound(_) | LimitValue::Set(_) | LimitValue::Many | LimitValue::Single => None,
    });
    let Some((name, _)) = bound else { return Vec::new() };
    let others = within.values.iter().filter(|value| **value != name);
    others.map(|value| Value::Text(value.clone())).collect()
}

/// What the base's rows permit under the limit, row by row and place by place.
fn reached(cx: &Context<'_>, limit: LimitRef, work: &mut Work) -> Result<Vec<Slot>, Stopped> {
    let mut found: Vec<Slot> = Vec::new();
    for tool in tools_under(cx, limit) {
        for permit in cx.base.rows(tool)? {
            for place in &cx.policy.tool(tool).places {
                for slot in reached_at(cx, limit, tool, permit, place, work)? {
                    if !found.contains(&slot) {
                        found.push(slot);
                    }
                }
            }
        }
    }
    Ok(found)
}

/// What one row permits of the limit at one place: the values there, or those that the texts there name.
fn reached_at(
    cx: &Context<'_>,
    limit: LimitRef,
    tool: ToolRef,
    permit: &Permit,
    place: &Place,
    work: &mut Work,
) -> Result<Vec<Slot>, Stopped> {
    let naming = cx.policy.limit(place.limit).within.as_ref().filter(|within| within.limit == limit);
    let declared = cx.policy.tool(tool);
    let Some(argument) = declared.arguments.get(place.argument) else { return Ok(Vec::new()) };
    if place.limit != limit && naming.is_none() {
        return Ok(Vec::new());
    }
    let shape = shape(cx.policy, declared);
    let whole = Mentioned::from([(place.argument, vec![Vec::new()])]);
    let mut found = Vec::new();
    for product in project::onto(&shape, &permit.product, &whole, work)? {
        let slot = product.slot(place.argument).cloned().unwrap_or(Slot::ANY);
        let stopped = |bound| Stopped::Sets(vec![place.argument], bound);
        let there = reach::along(&argument.member, &place.steps, &slot, work).map_err(stopped)?;
        match naming {
            None => found.push(there),
            Some(within) => {
                let ty = &cx.policy.limit(place.limit).ty;
                let coupled = |c: &Coupling| declared.places.get(c.place) == Some(place);
                let bare = if declared.couplings.iter().any(coupled) { Bare::LeftToNamed } else { Bare::Everything };
                found.push(values_only(binding::named_by(ty, within, &there.values, bare, work).map_err(stopped)?));
            }
        }
    }
    Ok(found)
}

/// A call that the overlay alone permits, with `point` wherever the limit bites in some tool.
fn call_with(cx: &Context<'_>, limit: LimitRef, point: &Point, work: &mut Work) -> Result<Option<(ToolRef, Call)>, Stopped> {
    let ty = &cx.policy.limit(limit).ty;
    let slot = match point {
        Point::Value(value) => values_only(reach::exactly(ty, value)),
        Point::Absent | Point::Unspecified => Slot { values: Set::Never, null: false, absent: true },
    };
    let others = other_names(cx, limit, point);
    for tool in tools_under(cx, limit) {
        let declared = cx.policy.tool(tool);
        let shape = shape(cx.policy, declared);
        for place in declared.places.iter().filter(|place| place.limit == limit) {
            let mut there = Product::default();
            match names_beside(cx, tool, limit) {
                _no_bare_spelling if others.is_empty() => {}
                Some(named) => there.demand(named, values_only(binding::one_of(others.clone()))),
                None => continue,
            }
            // What lies in the one value alone: absence and null would pass by without it.
            let lifted = lift(&declared.arguments[place.argument].member, &place.steps, &slot, Lift::Limit);
            there.demand(place.argument, Slot { null: slot.null, absent: slot.absent, ..lifted });
            if let Some(call) = allowed_alone(cx, &shape, tool, &there, work)? {
                return Ok(Some((tool, call)));
            }
        }
    }
    Ok(None)
}
