//! Findings → SARIF 2.1.0, for code-scanning services.
//!
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>

use super::{Place, place, sentence, severity_word};
use crate::diag::{Code, Diagnostic, Fix, Label, fingerprints};
use crate::source::Sources;
use serde_json::{Value, json};

/// Where the project and its pages are.
const HOME: &str = "https://github.com/bailiwick-policy/bailiwick";

/// One SARIF log with one run.
pub fn sarif(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut rules: Vec<Code> = diagnostics.iter().map(|d| d.code).collect();
    rules.sort_by_key(|c| c.id());
    rules.dedup();
    let marks = fingerprints(diagnostics, sources);
    let results = diagnostics.iter().zip(&marks).map(|(d, mark)| result(d, mark, &rules, sources));
    let results: Vec<Value> = results.collect();
    let rules: Vec<Value> = rules.iter().map(|c| rule(*c)).collect();
    let driver = json!({
        "name": "bailiwick",
        "version": env!("CARGO_PKG_VERSION"),
        "informationUri": HOME,
        "rules": rules,
    });
    let run = json!({ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results });
    json!({ "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run] }).to_string()
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.id(),
        "name": code.slug(),
        "shortDescription": { "text": code.summary() },
        "helpUri": format!("{HOME}/blob/main/docs/errors/{}.md", code.id()),
        "help": { "text": code.page(), "markdown": code.page() },
        "defaultConfiguration": { "level": severity_word(code.severity()) },
    })
}

fn result(d: &Diagnostic, mark: &str, rules: &[Code], sources: &Sources) -> Value {
    let mut result = json!({
        "ruleId": d.code.id(),
        "ruleIndex": rules.iter().position(|c| *c == d.code),
        "level": severity_word(d.severity),
        "message": { "text": sentence(d) },
        "locations": [{ "physicalLocation": physical(&place(d.primary.span, sources)) }],
        // The name under which code scanning services keep findings together when lines move.
        "partialFingerprints": { "primaryLocationLineHash": mark },
    });
    if !d.secondary.is_empty() {
        result["relatedLocations"] = d.secondary.iter().map(|l| related(l, sources)).collect();
    }
    if !d.fixes.is_empty() {
        result["fixes"] = d.fixes.iter().map(|f| fix(f, sources)).collect();
    }
    result
}

fn related(label: &Label, sources: &Sources) -> Value {
    json!({ "physicalLocation": physical(&place(label.span, sources)), "message": { "text": label.text } })
}

fn fix(fix: &Fix, sources: &Sources) -> Value {
    let change = |e: &crate::diag::Edit| {
        let at = place(e.span, sources);
        json!({
            "artifactLocation": { "uri": uri(at.file) },
            "replacements": [{ "deletedRegion": region(&at), "insertedContent": { "text": e.replacement } }],
        })
    };
    json!({ "description": { "text": fix.title }, "artifactChanges": fix.edits.iter().map(change).collect::<Vec<_>>() })
}

fn physical(at: &Place<'_>) -> Value {
    json!({ "artifactLocation": { "uri": uri(at.file) }, "region": region(at) })
}

fn region(at: &Place<'_>) -> Value {
    json!({ "startLine": at.line, "startColumn": at.column, "endLine": at.end_line, "endColumn": at.end_column })
}

/// A relative path as a URI reference: what may not stand in a path is percent-encoded.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path).replace('\\', "/");
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=@".contains(&b);
    let encode = |b: u8| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") };
    path.bytes().map(encode).collect()
}
