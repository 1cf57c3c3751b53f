//! Verdicts → the JSON document of `verify`. Knows no proofs.

use super::verdict::{OverlayVerdict, Quote, Widening};
use crate::digest::compact;
use crate::source::Sources;

/// What `verify` prints as JSON: each verdict with what resolves its spans.
pub fn verdicts_json(verdicts: &[(&OverlayVerdict, &Sources)]) -> String {
    let holds = verdicts.iter().all(|(verdict, _)| verdict.holds);
    let overlays: Vec<String> = verdicts.iter().map(|(verdict, sources)| overlay(verdict, sources)).collect();
    format!("{{\"format\":1,\"holds\":{holds},\"overlays\":[{}]}}", overlays.join(","))
}

fn overlay(verdict: &OverlayVerdict, sources: &Sources) -> String {
    let widens: Vec<String> = verdict.widens.iter().map(|widening| clause(widening, sources)).collect();
    format!(
        r#"{{"name":{},"on":{},"holds":{},"proved":{},"widens":[{}]}}"#,
        text(&verdict.name),
        text(&verdict.on),
        verdict.holds,
        verdict.proved,
        widens.join(",")
    )
}

/// The witness is written by hand, so that its numbers stay exact.
fn clause(widening: &Widening, sources: &Sources) -> String {
    let optional = |words: Option<&str>| words.map_or_else(|| "null".to_owned(), text);
    format!(
        r#"{{"connector":{},"tool":{},"witness":{},"permitted_by":{},"refused_by":{},"repair":{}}}"#,
        text(&widening.connector),
        optional(widening.tool.as_deref()),
        compact(&widening.witness),
        quote(&widening.permitted_by, sources),
        quote(&widening.refused_by, sources),
        optional(widening.repair.as_deref())
    )
}

fn quote(quote: &Quote, sources: &Sources) -> String {
    let at = sources.location(quote.span);
    format!(
        r#"{{"text":{},"source":{{"file":{},"line":{},"column":{}}}}}"#,
        text(&quote.text),
        text(&at.file),
        at.line,
        at.column
    )
}

fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
