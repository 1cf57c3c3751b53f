//! Two neighbours in the wrong order: `acme overlay on a`, `targets "a" =`.

use super::{Guess, Site};
use crate::diag::Code;
use crate::syntax::draft::Change;
use crate::syntax::token::TokenKind;

/// Each two neighbours on a line near the failure, exchanged.
pub(super) fn guesses(site: &Site<'_>) -> Vec<Guess> {
    let last = (site.at + 1).min(site.tokens.len().saturating_sub(1));
    (site.at.saturating_sub(1).max(1)..=last).filter_map(|i| swapped(site, i)).collect()
}

fn swapped(site: &Site<'_>, i: usize) -> Option<Guess> {
    let (a, b) = (site.tokens.get(i - 1)?, site.tokens.get(i)?);
    let between = site.text().get(a.end..b.start)?;
    if site.of(a) == site.of(b) || a.kind == TokenKind::Newline || b.kind == TokenKind::Newline {
        return None;
    }
    let shown = |token| super::marks::shown(site, token);
    let message = format!("`{}` and `{}` are exchanged", shown(a), shown(b));
    let finding = site.guess(Code::EXTRA_MARK, &(a.start..b.end), message);
    let text = format!("{}{between}{}", site.of(b), site.of(a));
    Some(Guess::new(finding, "exchange them", vec![Change::new(a.start..b.end, text)]))
}
