//! Findings → one line each, as compilers print them: `file:line:column: error[E0200]: message`.

use super::{place, sentence, severity_word};
use crate::diag::Diagnostic;
use crate::source::Sources;

/// One line per finding, each ended by a newline.
pub fn short(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let line = |d: &Diagnostic| {
        let at = place(d.primary.span, sources);
        let severity = severity_word(d.severity);
        format!("{}:{}:{}: {severity}[{}]: {}\n", flat(at.file), at.line, at.column, d.code.id(), flat(&sentence(d)))
    };
    diagnostics.iter().map(line).collect()
}

/// Line ends would break the format, and controls the terminal.
fn flat(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\r' | '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}
