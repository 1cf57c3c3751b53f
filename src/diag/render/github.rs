//! Findings → workflow commands of GitHub Actions, which show them in the diff.
//!
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>

use super::{place, sentence, severity_word};
use crate::diag::Diagnostic;
use crate::source::Sources;

/// One `::error …` or `::warning …` line per finding.
pub fn github(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let line = |d: &Diagnostic| {
        let at = place(d.primary.span, sources);
        format!(
            "::{} file={},line={},col={},endLine={},endColumn={},title={}::{}\n",
            severity_word(d.severity),
            property(at.file),
            at.line,
            at.column,
            at.end_line,
            at.end_column,
            property(&format!("{} {}", d.code.id(), d.code.slug())),
            data(&sentence(d)),
        )
    };
    diagnostics.iter().map(line).collect()
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
