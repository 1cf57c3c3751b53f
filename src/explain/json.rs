//! Decision → JSON, names and shapes as decision.md fixes them.

use super::message::message;
use crate::digest::compact;
use crate::domain::{Decimal, Value, quoted};
use crate::eval::{Because, Candidate, Decision, Handle, Obligation, Rewrite, RewriteReason, Routed};
use crate::table::Table;
use crate::table::model::LimitId;

/// One line of JSON: the members of decision.md and `format`.
pub fn decision_json(handle: &Handle, decision: &Decision) -> String {
    compact(&decision_value(handle, decision))
}

/// As [`decision_json`], with the arguments to forward as text: the bytes `raw` that were decided, where nothing was rewritten
/// (line ends between tokens as spaces, so that it stays one line).
pub fn decision_line(handle: &Handle, decision: &Decision, raw: &[u8]) -> String {
    let Value::Object(members) = decision_value(handle, decision) else { return decision_json(handle, decision) };
    let member = |(name, value): (Box<str>, Value)| {
        let forwarded = if *name == *"arguments" { decision.forward(raw) } else { None };
        let value = forwarded.map_or_else(|| compact(&value), |text| text.replace(['\n', '\r'], " "));
        format!("{}:{value}", quoted(&name))
    };
    format!("{{{}}}", members.into_iter().map(member).collect::<Vec<_>>().join(","))
}

/// The decision as a JSON object, in the order of decision.md.
pub fn decision_value(handle: &Handle, decision: &Decision) -> Value {
    let table = handle.table();
    let reached = decision.provider.as_ref().filter(|p| p.route == Routed::Selected);
    let rewrites = decision.rewrites.iter().map(|rewrite| rewrite_json(table, rewrite));
    let because = decision.because.iter().map(|because| because_json(table, because));
    let id = decision.provider.as_ref().map(|p| &*p.id);
    let candidates = decision.candidates.iter().map(|candidate| candidate_json(candidate, id));
    let obligations = decision.obligations.iter().copied().map(Obligation::name).map(text);
    let members = [
        ("format", Value::Number(Decimal::from_i64(1))),
        ("admission_status", text(decision.status.name())),
        ("capability", or_null(decision.capability.as_deref().map(text))),
        ("connector", text(&decision.connector)),
        ("tool_name", text(&decision.tool_name)),
        ("provider_type", or_null(decision.provider.as_ref().map(|p| text(p.ty.name())))),
        ("provider_id", or_null(id.map(text))),
        ("execution_owner", or_null(id.map(text))),
        ("route", or_null(reached.map(|p| text(p.ty.route())))),
        ("runtime_binding_status", text(decision.binding.name())),
        ("fallback_policy", text(decision.fallback.name())),
        ("fallback_from", or_null(decision.fallback_from.as_deref().map(text))),
        ("degraded_reason", or_null(decision.degraded_reason.as_deref().map(text))),
        ("offline_reason", or_null(decision.offline_reason.as_deref().map(text))),
        ("user_visible_message", or_null(message(handle, decision).as_deref().map(text))),
        ("trace_fields", trace(handle, decision)),
        ("arguments", or_null(decision.arguments.as_ref().map(|arguments| arguments.value().clone()))),
        ("rewrites", Value::List(rewrites.collect())),
        ("because", Value::List(because.collect())),
        ("obligations", Value::List(obligations.collect())),
        ("candidates", Value::List(candidates.collect())),
        ("args_digest", or_null(decision.args_digest.as_deref().map(text))),
        ("generation", or_null(decision.generation.clone().map(Value::Number))),
        ("listing_generation", or_null(decision.listing_generation.clone().map(Value::Number))),
        ("table_digest", text(table.digest())),
    ];
    // What to forward is said only where there is something to forward.
    let said = members.into_iter().filter(|(name, _)| *name != "arguments" || decision.arguments.is_some());
    Value::Object(said.map(|(name, value)| (name.into(), value)).collect())
}

/// One reason as `{code, limit, path, permitted, given, source}`.
pub fn because_json(table: &Table, because: &Because) -> Value {
    let source = because.source.and_then(|id| table.texts().origin(id)).map(|origin| {
        object([
            ("file", text(table.texts().file(origin))),
            ("line", Value::Number(Decimal::from_i64(origin.line.into()))),
            ("column", Value::Number(Decimal::from_i64(origin.column.into()))),
        ])
    });
    object([
        ("code", text(because.code.name())),
        ("limit", or_null(because.limit.map(|limit| limit_json(table, limit)))),
        ("path", or_null(because.path.as_deref().map(text))),
        ("permitted", or_null(because.permitted.as_deref().map(text))),
        ("given", or_null(because.given.clone())),
        ("source", or_null(source)),
    ])
}

fn limit_json(table: &Table, limit: LimitId) -> Value {
    text(&table.model().limit_name(limit))
}

fn rewrite_json(table: &Table, rewrite: &Rewrite) -> Value {
    let because = match rewrite.because {
        RewriteReason::Bound(limit) | RewriteReason::Spelling(limit) | RewriteReason::OnlyValue(Some(limit)) => {
            table.model().limit_name(limit)
        }
        RewriteReason::Default => "default".to_owned(),
        RewriteReason::Canonical => "canonical".to_owned(),
        RewriteReason::OnlyValue(None) => "row".to_owned(),
    };
    object([
        ("path", text(&rewrite.path)),
        ("from", or_null(rewrite.from.clone())),
        ("to", rewrite.to.clone()),
        ("because", text(&because)),
    ])
}

fn candidate_json(candidate: &Candidate, provider: Option<&str>) -> Value {
    object([
        ("provider_id", text(&candidate.provider_id)),
        ("selected", Value::Bool(provider == Some(&*candidate.provider_id))),
        ("reason", text(candidate.reason.name())),
    ])
}

fn trace(handle: &Handle, decision: &Decision) -> Value {
    object([
        ("agent", text(handle.agent())),
        ("overlays", Value::List(handle.overlays().map(text).collect())),
        ("on_behalf_of", or_null(decision.on_behalf_of.as_deref().map(text))),
        ("code", or_null(decision.because.first().map(|because| text(because.code.name())))),
    ])
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn or_null(value: Option<Value>) -> Value {
    value.unwrap_or(Value::Null)
}
