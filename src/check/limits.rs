//! `limit = value` of a layer.

use super::agree::{called, is_hole};
use super::rows::Spoken;
use super::sets::{self, Purpose};
use super::{Known, literals, spell, warnings};
use crate::diag::{Code, Diagnostic, Sink, nearest};
use crate::domain::{self, Kind, Member, Presence, Step, Type, Value};
use crate::policy::{self, LimitRef, LimitValue, VocabularyId};
use crate::source::Span;
use crate::syntax::ast::{self, LiteralKind, SetExpr, SetKind};

/// Adds the setting to `layer`, or to its idle limits when it is the whole type.
pub fn lower(
    known: &Known,
    vocabulary: VocabularyId,
    setting: &ast::LimitSetting,
    layer: &mut policy::Use,
    sink: &mut Sink,
) {
    let Some(limit) = known.names.limit(vocabulary, &setting.limit, sink) else { return };
    let declared = &known.limits[limit.vocabulary.0][limit.limit];
    let first = layer.limits.iter().find(|other| other.limit == limit).map(|other| other.span);
    let first = first.or_else(|| layer.idle_limits.iter().find(|other| other.limit == limit).map(|other| other.span));
    if let Some(first) = first {
        let message = format!("limit `{}` is set a second time", setting.limit.text);
        sink.push(Diagnostic::new(Code::DUPLICATE, setting.limit.span, message).also(first, "the first value is here"));
        return;
    }
    if is_hole(&declared.ty) {
        return;
    }
    let span = value_span(&setting.value);
    let value = match (&setting.value, declared.one) {
        (ast::LimitValue::Many(_), true) => Some(LimitValue::Many),
        (ast::LimitValue::Single(_), true) => Some(LimitValue::Single),
        (ast::LimitValue::Set(expr), true) => bound(known, declared, expr, sink).map(LimitValue::Bound),
        (ast::LimitValue::Many(span) | ast::LimitValue::Single(span), false) => {
            let message = format!("`{}` is a `set of` limit: it takes a set of `{}`", declared.name, called(&declared.ty));
            sink.push(Diagnostic::new(Code::LIMIT_VALUE, *span, message).also(declared.span, "declared here"));
            None
        }
        (ast::LimitValue::Set(expr), false) => match set(known, limit, expr, sink) {
            Some(Some(value)) => Some(value),
            Some(None) => {
                let whole = crate::domain::Slot { values: crate::domain::Set::Any, null: false, absent: false };
                let value = LimitValue::Set(whole);
                let permitted = spell::as_written(known.sources, span);
                layer.idle_limits.push(policy::LimitSetting { limit, value, permitted, span });
                warnings::permits_everything(known, limit, setting, sink);
                None
            }
            None => None,
        },
    };
    if let Some(value) = value {
        let permitted = spell::as_written(known.sources, span);
        layer.limits.push(policy::LimitSetting { limit, value, permitted, span });
    }
}

fn value_span(value: &ast::LimitValue) -> Span {
    match value {
        ast::LimitValue::Many(span) | ast::LimitValue::Single(span) => *span,
        ast::LimitValue::Set(expr) => expr.span,
    }
}

/// The set a limit is set to; `Some(None)` when it is the whole type, and no limit.
#[allow(clippy::option_option, reason = "wrong, idle, or a demand")]
fn set(known: &Known, limit: LimitRef, expr: &SetExpr, sink: &mut Sink) -> Option<Option<LimitValue>> {
    let declared = &known.limits[limit.vocabulary.0][limit.limit];
    let spoken = Spoken::of(expr);
    let Some(inner) = &spoken.set else {
        let message = format!("`{}` is set to no value at all", declared.name);
        sink.push(
            Diagnostic::new(Code::NO_VALUE, expr.span, message).help("withhold the tools that have the argument instead"),
        );
        return None;
    };
    let values = sets::root(known, inner, &declared.ty, Purpose::Policy, sink)?;
    if sets::is_empty(&declared.ty, &values) {
        let message = format!("`{}` is set to no value at all", declared.name);
        sink.push(
            Diagnostic::new(Code::NO_VALUE, inner.span, message).help("withhold the tools that have the argument instead"),
        );
        return None;
    }
    if sets::is_whole(&declared.ty, &values) {
        return Some(None);
    }
    if let Some(span) = spoken.absent
        && !may_be_absent(known, limit)
    {
        let message = format!("nothing that `{}` limits can be absent without naming nothing", declared.name);
        sink.push(Diagnostic::new(Code::IMPOSSIBLE_POINT, span, message));
        return None;
    }
    let slot = domain::Slot { values, null: true, absent: spoken.absent.is_some() };
    Some(Some(LimitValue::Set(slot)))
}

/// Whether something `optional` lies on the way to a place that the limit cuts.
fn may_be_absent(known: &Known, limit: LimitRef) -> bool {
    known.vocabularies.iter().flat_map(|vocabulary| &vocabulary.tools).any(|tool| {
        let here = tool.places.iter().filter(|place| place.limit == limit);
        here.into_iter().any(|place| optional_on(&tool.arguments[place.argument].member, &place.steps))
    })
}

fn optional_on(member: &Member, steps: &[Step]) -> bool {
    if member.presence == Presence::Optional {
        return true;
    }
    let mut at = &member.ty;
    for (index, step) in steps.iter().enumerate() {
        match (step, &at.kind) {
            (Step::Field(name), Kind::Record { members, .. }) => {
                let inner = members.iter().find(|member| member.name == *name);
                return inner.is_some_and(|inner| optional_on(inner, &steps[index + 1..]));
            }
            (Step::Each, Kind::List(inner))
            | (Step::OneOrEach, Kind::OneOrList(inner))
            | (Step::Values, Kind::Map(inner)) => at = inner,
            (Step::Alternative(index), Kind::Union(types)) => match types.get(*index as usize) {
                Some(inner) => at = inner,
                None => return false,
            },
            _ => return false, // a part, or the end
        }
    }
    false
}

/// The one value a `one of` limit is bound to.
fn bound(known: &Known, limit: &policy::Limit, expr: &SetExpr, sink: &mut Sink) -> Option<Value> {
    let word = |text: &str, span: Span| ast::Literal { kind: LiteralKind::Word(text.to_owned()), span };
    let literal = match &expr.kind {
        SetKind::Literal(literal) => literal.clone(),
        SetKind::Name(name) if matches!(limit.ty.kind, Kind::Enum(_)) => word(&name.text, name.span),
        SetKind::Values(values) if values.len() == 1 => {
            let written = spell::as_written(known.sources, values[0].span);
            let message = format!("`{}` is a `one of` limit: it is bound to a value, not to a set", limit.name);
            sink.push(Diagnostic::new(Code::LIMIT_VALUE, expr.span, message).fix(
                format!("write `{written}`"),
                expr.span,
                written.as_ref(),
            ));
            return None;
        }
        _ => {
            let message = format!("`{}` is a `one of` limit: it takes `many`, `single` or one value", limit.name);
            let found = Diagnostic::new(Code::LIMIT_VALUE, expr.span, message).also(limit.span, "declared here");
            sink.push(match &expr.kind {
                SetKind::Name(name) => match nearest(&name.text, ["many", "single"]) {
                    Some(near) => found.suggest(near, name.span, near.word),
                    None if literals::takes_strings(&limit.ty.kind) => {
                        let quoted = spell::quoted(&name.text);
                        let mut found = found.help("strings stand in quotes").fix("quote it", name.span, quoted);
                        found.doubt();
                        found
                    }
                    None => found,
                },
                _ => found, // no word
            });
            return None;
        }
    };
    match value(&literal, &limit.ty) {
        Ok(value) => Some(value),
        Err(found) => {
            sink.push(*found);
            None
        }
    }
}

/// A literal as a value of the type (not as a pattern).
fn value(literal: &ast::Literal, ty: &Type) -> Result<Value, Box<Diagnostic>> {
    if matches!(ty.kind, Kind::Bool | Kind::Enum(_) | Kind::Number(_) | Kind::Text { .. }) {
        return literals::scalar(literal, ty);
    }
    let (LiteralKind::Text(text) | LiteralKind::Time(text)) = &literal.kind else {
        return Err(Box::new(literals::wrong(literal, ty)));
    };
    let value = Value::Text(text.as_str().into());
    match domain::well_formed(ty, &value) {
        Ok(()) => Ok(value),
        Err(fault) => {
            let message = format!("`{text}` is no value of `{}`", called(ty));
            Err(Box::new(
                Diagnostic::new(Code::BAD_LITERAL, literal.span, message).note(format!("it must be {}", fault.expected)),
            ))
        }
    }
}
