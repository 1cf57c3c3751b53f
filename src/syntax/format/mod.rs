//! Text → the same text in canonical layout. Comments are kept, line breaks between clauses too; indentation, blanks, columns,
//! semicolons and blank lines are not the author's. A text that does not parse is refused.

mod layout;
mod roles;

use super::cut;
use super::draft::Draft;
use super::grammar;
use super::parse;
use super::token::{Token, TokenKind, tokens};
use crate::diag::{Diagnostic, Severity};
use crate::source::FileId;
use roles::Roles;

/// The text in canonical layout.
///
/// # Errors
/// The findings, with spans in a file of id 0, if the text cannot be read.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    parse::on_deep_stack(&|| {
        let (_, found) = parse::read(FileId::default(), text);
        let errors: Vec<Diagnostic> = found.into_iter().filter(|d| d.severity == Severity::Error).collect();
        if errors.is_empty() { Ok(laid_out(text)) } else { Err(errors) }
    })
}

/// A text that parses, in canonical layout.
fn laid_out(text: &str) -> String {
    let all = tokens(text);
    let mut roles = Roles::default();
    for piece in cut::cut(text, &all) {
        let piece = &all[piece.tokens];
        let (Some(first), Some(last)) = (piece.first(), piece.last()) else { continue };
        let draft = Draft::new(text.get(first.start..last.end).unwrap_or(""), first.start);
        if let Ok(node) = grammar::declaration(&draft) {
            roles.collect(node, first.start);
        }
    }
    let visible: Vec<Token> = all.into_iter().filter(|t| t.kind != TokenKind::Blank).collect();
    layout::lines(text, &visible, &roles)
}

#[cfg(test)]
mod tests;
