//! A word, mark or bracket that stands twice in a row.

use super::{Guess, Site};
use crate::diag::Code;
use crate::syntax::draft::Change;
use crate::syntax::token::TokenKind;

/// How many tokens before the one that was not expected are looked at: the grammar may give up a little later.
const BACK: usize = 4;
/// How many pairs of brackets are looked at.
const MAX_BRACKETS: usize = 40;

/// Each of two equal tokens beside each other, the second removed: near the failure any, elsewhere only brackets, whose balance
/// is missed far from the place.
pub(super) fn guesses(site: &Site<'_>) -> Vec<Guess> {
    let first = site.at.saturating_sub(BACK);
    let last = (site.at + 1).min(site.tokens.len().saturating_sub(1));
    let pair = |i: &usize| {
        let (a, b) = (&site.tokens[*i - 1], &site.tokens[*i]);
        b.kind != TokenKind::Newline && a.kind == b.kind && site.of(a) == site.of(b)
    };
    let bracket = |i: &usize| site.tokens[*i].kind.opens() || site.tokens[*i].kind.opener().is_some();
    let near = (first.max(1)..=last).filter(|i| *i < site.tokens.len()).filter(pair).filter(|i| !bracket(i));
    let brackets = (1..site.tokens.len()).filter(|i| bracket(i)).filter(pair).take(MAX_BRACKETS);
    near.chain(brackets).map(|i| twice(site, i)).collect()
}

fn twice(site: &Site<'_>, i: usize) -> Guess {
    let (first, second) = (&site.tokens[i - 1], &site.tokens[i]);
    let range = second.start..second.end;
    let finding = site.guess(Code::EXTRA_MARK, &range, format!("`{}` stands here twice", super::marks::shown(site, second)));
    Guess::new(finding, "remove it", vec![Change::new(first.end..second.end, "")])
}
