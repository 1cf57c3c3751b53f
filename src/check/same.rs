//! The same unknown name at several places is one mistake: it is told once, with all its places.

use crate::diag::{Code, Diagnostic, Severity, Sink};
use crate::source::{Sources, Span};
use std::collections::BTreeMap;

/// In how many lines with errors a name is looked for.
const MAX_LINES: usize = 200;
/// How many further places are shown.
const MAX_PLACES: usize = 8;

/// The findings, those about one unknown name joined in the first of them, with the fixes for all its places. A name that stands
/// in a line that could not be read as it was meant, as in `repotext : opaque`, is not told where it is used: it may be declared
/// there.
pub fn told_once(sources: &Sources, before: &Sink, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let misread = found.iter().filter(|d| matches!(d.code, Code::UNKNOWN_TYPE | Code::BAD_TYPE));
    let errors = before.iter().filter(|d| d.severity == Severity::Error).chain(misread);
    let lines: Vec<&str> = errors.take(MAX_LINES).map(|d| line(sources, d.primary.span)).collect();
    let mut first: BTreeMap<(Code, String), (usize, usize)> = BTreeMap::new();
    let mut told: Vec<Diagnostic> = Vec::new();
    for finding in &found {
        if !NAMES.contains(&finding.code) {
            told.push(finding.clone());
            continue;
        }
        let name = sources.text(finding.primary.span).trim_matches('"');
        let own = line(sources, finding.primary.span);
        if name.len() > 1 && lines.iter().any(|line| !std::ptr::eq(*line, own) && line.contains(name)) {
            continue;
        }
        // An agent, and an agent or overlay, that is not there.
        let message = finding.message.replace("agent or overlay", "agent").replace("no overlay", "no agent");
        let (at, more) = first.entry((finding.code, message)).and_modify(|(_, more)| *more += 1).or_insert((told.len(), 0));
        match told.get_mut(*at) {
            None => told.push(finding.clone()),
            Some(same) => join(same, finding, *more),
        }
    }
    told
}

/// The line on which something begins.
fn line(sources: &Sources, span: Span) -> &str {
    sources.get(span.file).map_or("", |source| source.line_text(source.line_of(span.start)))
}

/// The codes of names that nothing declares.
const NAMES: [Code; 9] = [
    Code::UNKNOWN_NAME,
    Code::UNKNOWN_CONNECTOR,
    Code::UNKNOWN_TOOL,
    Code::UNKNOWN_ARGUMENT,
    Code::UNKNOWN_LIMIT,
    Code::UNKNOWN_TYPE,
    Code::UNKNOWN_DECLARATION,
    Code::UNKNOWN_CAPABILITY,
    Code::UNKNOWN_PROVIDER,
];

fn join(first: &mut Diagnostic, other: &Diagnostic, more: usize) {
    if more <= MAX_PLACES {
        first.secondary.push(crate::diag::Label { span: other.primary.span, text: "and here".to_owned() });
    }
    for (mine, theirs) in first.fixes.iter_mut().zip(&other.fixes) {
        mine.edits.extend(theirs.edits.iter().cloned());
        mine.edits.sort();
        mine.edits.dedup();
    }
}
