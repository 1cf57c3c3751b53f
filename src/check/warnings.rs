//! What is permitted to write and probably not meant, as far as it needs no proof.

use super::{Known, spell};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{Set, Value};
use crate::policy::{self, Base, LimitRef, LimitValue};
use crate::source::Span;
use crate::syntax::ast::{self, SetExpr, SetKind};
use std::collections::BTreeSet;

/// `or`, `and` and `except` side by side are read from left to right; parentheses say so.
pub fn mixed_operators(known: &Known, expr: &SetExpr, sink: &mut Sink) {
    let Some(own) = operator(expr) else {
        match &expr.kind {
            SetKind::Parenthesised(inner) => mixed_operators(known, inner, sink),
            SetKind::Beside(parts) => parts.iter().for_each(|part| mixed_operators(known, part, sink)),
            _ => {} // leaves: what is inside them is an expression of its own
        }
        return;
    };
    let operands: Vec<&SetExpr> = match &expr.kind {
        SetKind::And(parts) | SetKind::Beside(parts) | SetKind::Or(parts) => parts.iter().collect(),
        SetKind::Except(a, b) => vec![a, b],
        _ => return, // `operator` gave none for any other kind
    };
    let points_aside = operands.iter().filter(|part| !matches!(part.kind, SetKind::Absent | SetKind::Null)).count();
    for part in operands {
        match operator(part) {
            Some(other) if other != own && points_aside > 1 => {
                let written = spell::as_written(known.sources, part.span);
                let message = format!("`{other}` and `{own}` stand side by side, and are read from left to right");
                sink.push(Diagnostic::new(Code::MIXED_OPERATORS, expr.span, message).fix(
                    format!("write `({written})`"),
                    part.span,
                    format!("({written})"),
                ));
                return;
            }
            _ => mixed_operators(known, part, sink),
        }
    }
}

/// The operator that makes an expression; words that only stand side by side have none.
fn operator(expr: &SetExpr) -> Option<&'static str> {
    match &expr.kind {
        SetKind::Or(_) => Some("or"),
        SetKind::Except(..) => Some("except"),
        SetKind::And(_) => Some("and"),
        _ => None, // leaves, words side by side, and parentheses, which settle the matter
    }
}

/// A limit set to the whole of its type is no limit.
pub fn permits_everything(known: &Known, limit: LimitRef, setting: &ast::LimitSetting, sink: &mut Sink) {
    let declared = &known.limits[limit.vocabulary.0][limit.limit];
    let message = format!("`{}` is set to everything there is, which is no limit", declared.name);
    let span = match &setting.value {
        ast::LimitValue::Set(expr) => expr.span,
        ast::LimitValue::Many(span) | ast::LimitValue::Single(span) => *span,
    };
    sink.push(
        Diagnostic::new(Code::LIMIT_PERMITS_EVERYTHING, span, message).help("leave it out, or name what is permitted"),
    );
}

/// An open tool forwards what nobody has looked at.
pub fn open_tool(tool: &ast::Tool, span: Span, sink: &mut Sink) {
    let message = format!("`{}` is open: arguments that it does not declare are forwarded unseen", tool.name.text);
    sink.push(
        Diagnostic::new(Code::OPEN_TOOL, span, message).help("declare what it takes, so that policies can speak of it"),
    );
}

/// A bare value is bound where several named ones are permitted: it means another resource for each.
pub fn bare_bindings(
    known: &Known,
    agents: &[policy::Agent],
    overlays: &[policy::Overlay],
    boundaries: &[policy::Boundary],
    sink: &mut Sink,
) {
    let above = |mut agent: Option<policy::AgentId>| {
        let mut layers = Vec::new();
        while let Some(found) = agent.and_then(|id| agents.get(id.0)) {
            layers.push(&found.layer);
            agent = found.parent;
        }
        layers
    };
    for (at, agent) in agents.iter().enumerate() {
        bare_binding(known, &agent.layer, &above(Some(policy::AgentId(at))), sink);
    }
    for overlay in overlays {
        let mut layers = above(Some(overlay.agent));
        let mut at = Some(overlay);
        for _ in 0..overlays.len() {
            let Some(one) = at else { break };
            layers.push(&one.layer);
            at = match one.base {
                Base::Overlay(id) => overlays.get(id.0),
                Base::Agent(_) => None,
            };
        }
        bare_binding(known, &overlay.layer, &layers, sink);
    }
    for boundary in boundaries {
        bare_binding(known, &boundary.layer, &[&boundary.layer], sink);
    }
}

fn bare_binding(known: &Known, layer: &policy::Layer, in_force: &[&policy::Layer], sink: &mut Sink) {
    for setting in layer.uses.iter().flat_map(|it| &it.limits) {
        let declared = &known.limits[setting.limit.vocabulary.0][setting.limit.limit];
        let (LimitValue::Bound(Value::Text(bound)), Some(within)) = (&setting.value, &declared.within) else { continue };
        let named = within
            .values
            .iter()
            .any(|value| bound.strip_prefix(&**value).is_some_and(|rest| rest.starts_with(&*within.separator)));
        let permitted = permitted(within, in_force);
        if !named && permitted.len() > 1 {
            let limit = &known.limits[within.limit.vocabulary.0][within.limit.limit].name;
            let message = format!(
                "`{bound}` is another {} in each of {}",
                declared.noun.as_deref().unwrap_or("resource"),
                spell::listing(permitted.iter().copied())
            );
            let example = permitted.first().copied().unwrap_or_default();
            sink.push(
                Diagnostic::new(Code::BARE_BINDING, setting.span, message)
                    .note(format!("`{limit}` permits more than one value here, and the bound text names none"))
                    .help(format!("name it: \"{example}{}{bound}\"", within.separator)),
            );
        }
    }
}

/// The values of the naming limit that all layers in force leave.
fn permitted<'w>(within: &'w policy::Within, in_force: &[&policy::Layer]) -> Vec<&'w str> {
    let settings =
        in_force.iter().flat_map(|layer| &layer.uses).flat_map(|it| &it.limits).filter(|s| s.limit == within.limit);
    let mut left: BTreeSet<&str> = within.values.iter().map(|value| &**value).collect();
    for setting in settings {
        left.retain(|value| match &setting.value {
            LimitValue::Set(slot) => holds(&slot.values, value),
            LimitValue::Bound(bound) => *bound == Value::Text((*value).into()),
            LimitValue::Many | LimitValue::Single => true,
        });
    }
    within.values.iter().map(|value| &**value).filter(|value| left.contains(value)).collect()
}

/// Membership in a set over an enum.
fn holds(set: &Set, value: &str) -> bool {
    match set {
        Set::Any => true,
        Set::Never => false,
        Set::Atom(crate::domain::Atom::OneOf(values)) => {
            values.iter().any(|it| matches!(it, Value::Text(text) if **text == *value))
        }
        Set::Atom(_) => false,
        Set::Not(inner) => !holds(inner, value),
        Set::And(sets) => sets.iter().all(|set| holds(set, value)),
        Set::Or(sets) => sets.iter().any(|set| holds(set, value)),
    }
}
