//! Findings → JSON, `"format": 1`; its schema is docs/schemas/diagnostics.schema.json.

use super::{Place, place, severity_word};
use crate::diag::{Diagnostic, Fix, Label};
use crate::source::Sources;
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    diagnostics: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    code: &'static str,
    slug: &'static str,
    severity: &'static str,
    message: &'a str,
    location: Place<'a>,
    label: &'a str,
    related: Vec<Related<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
    fixes: Vec<FixEntry<'a>>,
}

#[derive(Serialize)]
struct Related<'a> {
    location: Place<'a>,
    message: &'a str,
}

#[derive(Serialize)]
struct FixEntry<'a> {
    title: &'a str,
    machine_applicable: bool,
    edits: Vec<EditEntry<'a>>,
}

#[derive(Serialize)]
struct EditEntry<'a> {
    location: Place<'a>,
    replacement: &'a str,
}

/// One JSON document with every finding.
pub fn json(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let diagnostics = diagnostics.iter().map(|d| entry(d, sources)).collect();
    serde_json::to_string(&Document { format: 1, diagnostics }).unwrap_or_default()
}

fn entry<'a>(d: &'a Diagnostic, sources: &'a Sources) -> Entry<'a> {
    let related = |l: &'a Label| Related { location: place(l.span, sources), message: &l.text };
    Entry {
        code: d.code.id(),
        slug: d.code.slug(),
        severity: severity_word(d.severity),
        message: &d.message,
        location: place(d.primary.span, sources),
        label: &d.primary.text,
        related: d.secondary.iter().map(related).collect(),
        notes: &d.notes,
        help: d.help.as_deref(),
        fixes: d.fixes.iter().map(|f| fix(f, sources)).collect(),
    }
}

fn fix<'a>(fix: &'a Fix, sources: &'a Sources) -> FixEntry<'a> {
    let edits = fix.edits.iter();
    FixEntry {
        title: &fix.title,
        machine_applicable: fix.machine_applicable,
        edits: edits.map(|e| EditEntry { location: place(e.span, sources), replacement: &e.replacement }).collect(),
    }
}
