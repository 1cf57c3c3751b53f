//! An argument that was left open → the values it could be filled with, one for each that the sets in force tell apart.

use super::judge::Judge;
use super::settle::slots_on;
use crate::domain::{Atom, Kind, Point, Set, Slot, Value, Work, slot_cells, well_formed};

/// A value that stands for all that the sets in force do not tell from it.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The value.
    pub(crate) value: Value,
    /// Whether it is the only one.
    pub(crate) singleton: bool,
}

/// The choices for `argument`; `None` when they are too many to tell.
pub(crate) fn choices(judge: &Judge<'_>, argument: usize) -> Option<Vec<Choice>> {
    let member = judge.tool.arguments.get(argument)?;
    let finite: Option<Vec<Value>> = match &member.ty.kind {
        Kind::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Kind::Enum(values) => Some(values.clone()),
        _ => None, // of other kinds there are too many to list
    };
    if let Some(values) = finite {
        let formed = values.into_iter().filter(|value| well_formed(&member.ty, value).is_ok());
        return Some(formed.map(|value| Choice { value, singleton: true }).collect());
    }
    let names = naming_slots(judge, argument);
    let slots: Vec<&Slot> = slots_on(judge, argument).into_iter().chain(&names).collect();
    let cells = slot_cells(member, &slots, &mut Work::new()).ok()?;
    let choice = |point: &Point, singleton: bool| match point {
        Point::Value(Value::Null) | Point::Absent | Point::Unspecified => None,
        Point::Value(value) => Some(Choice { value: value.clone(), singleton }),
    };
    Some(cells.iter().filter_map(|cell| choice(&cell.point, cell.singleton)).collect())
}

/// What tells the values apart that name something from those that do not.
fn naming_slots(judge: &Judge<'_>, argument: usize) -> Vec<Slot> {
    let mut slots = Vec::new();
    for naming in &judge.plan.namings {
        for value in &naming.within.values {
            let set = if naming.namer == argument && naming.steps.is_empty() {
                Set::Atom(Atom::Prefix(format!("{value}{}", naming.within.separator).into()))
            } else if naming.named == Some(argument) {
                Set::Atom(Atom::OneOf(vec![Value::Text(value.clone())]))
            } else {
                continue;
            };
            slots.push(Slot { values: set, null: false, absent: false });
        }
    }
    slots
}
