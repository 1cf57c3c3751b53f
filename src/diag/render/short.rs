//! Findings → one line each, as compilers print them: `file:line:column: error[E0200]: message`.

use super::{place, sentence, severity_word};
use crate::diag::Diagnostic;
use crate::source::Sources;

/// One line per finding, each ended by a newline.
pub fn short(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let line = |d: &Diagnostic| {
        let at = place(d.primary.span, sources);
        let severity = severity_word(d.severity);
        format!("{}:{}:{}: {severity}[{}]: {}\n", at.file, at.line, at.column, d.code.id(), flat(&sentence(d)))
    };
    diagnostics.iter().map(line).collect()
}

/// Line ends would break the format.
fn flat(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
