//! One declaration's limits and rows → which lists under a limit may be empty. A limit implies `size 1..` unless the row that
//! it cuts gives a size that admits 0; where some row of the declaration does, its other rows get the implied size as a
//! clause. Knows no call.

use super::plan::{PlanClause, PlanRow};
use super::stack::Declaration;
use crate::domain::{Bound, SlotMatcher, Step, Work, lift_one_element};
use crate::table::model::{Clause, LimitValue, Model, Row, Tool, ToolId};

/// The rows of `declaration` for the tool, in the order of the text.
fn rows(model: &Model, declaration: Declaration, id: ToolId) -> &[Row] {
    let uses = declaration.layer(model).map(|layer| layer.uses.as_slice()).unwrap_or_default();
    uses.iter().find(|used| used.connector == id.0).map(|used| used.rows_of(id.1)).unwrap_or_default()
}

/// The lists, by argument and way, that some row of `declaration` lets be empty.
pub(super) fn free(model: &Model, declaration: Declaration, id: ToolId) -> Vec<(usize, Vec<Step>)> {
    let mut free: Vec<(usize, Vec<Step>)> =
        rows(model, declaration, id).iter().flat_map(|row| row.sizes_admitting_zero.iter().cloned()).collect();
    free.sort();
    free.dedup();
    free
}

/// Gives the row the sizes that the limits of its declaration imply, and that other rows were spared.
pub(super) fn imply(
    model: &Model,
    declaration: Declaration,
    tool: &Tool,
    (row, plan): (&Row, &mut PlanRow),
    free: &[(usize, Vec<Step>)],
    work: &mut Work,
) -> Result<(), Bound> {
    let uses = declaration.layer(model).map(|layer| layer.uses.as_slice()).unwrap_or_default();
    for setting in uses.iter().flat_map(|used| &used.limits) {
        match setting.value {
            LimitValue::Many | LimitValue::Single => continue,
            LimitValue::Set(_) | LimitValue::Bound(_) => {}
        }
        for place in tool.places.iter().filter(|place| place.limit == setting.limit) {
            let Some(member) = tool.arguments.get(place.argument) else { continue };
            let on = |(argument, way): &&(usize, Vec<Step>)| *argument == place.argument && place.steps.starts_with(way);
            for own in free.iter().filter(on).filter(|own| !row.sizes_admitting_zero.contains(own)) {
                let Some(step) = place.steps.get(own.1.len()) else { continue };
                let slot = lift_one_element(member, &own.1, step);
                let test = SlotMatcher::compile(member, &slot, work)?;
                let clause = Clause { argument: place.argument, steps: place.steps.clone(), slot, origin: setting.origin };
                plan.clauses.push(PlanClause { clause, test });
            }
        }
    }
    plan.clauses.sort_by_key(|c| c.clause.argument);
    Ok(())
}
