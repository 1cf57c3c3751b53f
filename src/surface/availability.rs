//! A shown tool and the facts → whether some call to it could run now, and if not, what stands in the way. Asks the same
//! gates and the same routing as a decision.

use super::branch::Asked;
use crate::domain::Point;
use crate::eval::gates::{self, Depends};
use crate::eval::route::{Route, route};
use crate::eval::{Code, Facts, Handle};
use crate::table::model::{Effect, RowGrade, ToolId};

/// `ready`, a code, or a state.
pub(super) fn status(handle: &Handle, id: ToolId, asked: &Asked<'_>, facts: &Facts) -> &'static str {
    let model = handle.table().model();
    let connector = model.connectors.get(id.0).map_or("", |c| &c.name);
    let possible = effects(asked);
    let stopped = |effects: &[Effect]| -> Option<Code> {
        let depends = Depends { plan: asked.plan, effects, has_path: false, routed: handle.is_routed() };
        if !gates::unavailable(model, facts, &depends).is_empty() {
            return Some(Code::FactsUnavailable);
        }
        gates::mode(model, facts, effects).or_else(|| gates::consent(model, facts, connector, effects)).map(|b| b.code)
    };
    let gate = possible.iter().map(|effects| stopped(effects)).min_by_key(Option::is_some).flatten();
    if let Some(code) = gate {
        return code.name();
    }
    if !asked.session.refused.is_empty() {
        return Code::BindingRefused.name();
    }
    if asked.plan.unbound.iter().any(|(limit, _)| asked.session.bound.iter().all(|(bound, _)| bound != limit)) {
        return Code::Unbound.name();
    }
    match route(handle, id, facts) {
        Route::Blocked(refused) => refused.because.code.name(),
        Route::Open(open) if open.status != crate::eval::Status::Ready => open.status.name(),
        Route::Open(_) if always_asks(asked) => Code::Approval.name(),
        Route::Open(_) => "ready",
    }
}

/// The effects of calls, by what their selectors can choose.
fn effects(asked: &Asked<'_>) -> Vec<Vec<Effect>> {
    let nothing: Vec<Point> = asked.tool.arguments.iter().map(|_| Point::Unspecified).collect();
    let mut possible = vec![gates::effects(asked.plan, &nothing)];
    if asked.plan.effects.iter().any(|rule| rule.when.is_some()) {
        for rule in asked.plan.effects.iter().filter(|rule| rule.when.is_some()) {
            let always = asked.plan.effects.iter().filter(|other| other.when.is_none()).map(|other| other.effect);
            let mut chosen: Vec<Effect> = always.chain([rule.effect]).collect();
            if rule.effect != Effect::Reads {
                chosen.push(Effect::Mutates);
            }
            chosen.sort_unstable();
            chosen.dedup();
            possible.push(chosen);
        }
    }
    possible
}

/// Whether every call waits for approval.
fn always_asks(asked: &Asked<'_>) -> bool {
    asked.plan.factors.iter().any(|factor| {
        factor.rows.iter().filter(|row| row.void.is_none()).all(|row| match row.grade {
            RowGrade::Ask => true,
            RowGrade::Allow => false,
        })
    })
}
