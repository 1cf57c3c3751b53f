//! Findings → texts for programs: json, sarif, github, short. The rendering for people is the command line's.

mod github;
mod json;
mod sarif;
mod short;

pub use github::github;
pub use json::json;
pub use sarif::sarif;
pub use short::short;

use crate::diag::{Diagnostic, Severity};
use crate::source::{Sources, Span};
use serde::Serialize;

/// A stretch of text for people: lines and columns from 1, columns in Unicode scalars, the end exclusive.
#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

fn place(span: Span, sources: &Sources) -> Place<'_> {
    let start = sources.location(span);
    let end = sources.location(Span { start: span.end, ..span });
    let file = sources.get(span.file).map_or("<unknown>", |s| &s.name);
    Place { file, line: start.line, column: start.column, end_line: end.line, end_column: end.column }
}

/// `error` or `warning`.
fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// The message with its help, as one line.
fn sentence(diagnostic: &Diagnostic) -> String {
    match &diagnostic.help {
        Some(help) => format!("{}; {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    }
}

#[cfg(test)]
mod tests;
