//! An overlay that widens → what is left of it: limits and `tools` first, then rows under what is left of the limits. Where
//! nothing is left of a limit, of `tools`, or of all rows for one tool, the overlay says nothing there.

use super::narrow::{ClauseRef, Context, Failure, Outcome, limits_and_tools, rows};
use super::repair::{Mended, mend};
use super::report::{self, Tone};
use super::stack::{Factor, Permit};
use super::verdict::OverlayVerdict;
use crate::diag::Sink;
use crate::domain::Work;
use crate::policy::{Layer, LimitSetting, Overlay, Row, ToolRef, VocabularyId};

/// The verdict on the overlay as written, and its layer as cut, if anything was.
pub(super) fn clamp(
    cx: &Context<'_>,
    overlay: &Overlay,
    work: &mut Work,
    sink: &mut Sink,
) -> (OverlayVerdict, Option<Layer>) {
    let first = limits_and_tools(cx, work);
    let mut verdict = report::tell(cx, &first, Tone::Clamped, work, sink);
    let mut layer = cut_limits_and_tools(cx, &overlay.layer, &first, work);
    let half = Overlay { layer: layer.clone(), ..overlay.clone() };
    let then =
        Context { overlay: Factor::overlay(&half), ..Context { policy: cx.policy, overlay: cx.overlay, base: cx.base } };
    let second = rows(&then, work);
    let of_rows = report::tell(&then, &second, Tone::Clamped, work, sink);
    cut_rows(&then, &mut layer, &second, work);
    let changed = !first.is_empty() || !second.is_empty();
    verdict.holds &= of_rows.holds;
    verdict.proved &= of_rows.proved;
    verdict.widens.extend(of_rows.widens);
    verdict.undecided.extend(of_rows.undecided);
    (verdict, changed.then_some(layer))
}

fn cut_limits_and_tools(cx: &Context<'_>, layer: &Layer, failures: &[Failure<'_>], work: &mut Work) -> Layer {
    let mut cut = layer.clone();
    for failure in failures.iter().filter(|f| matches!(f.outcome, Outcome::Widens(_))) {
        let mended = mend(cx, failure.clause, work).unwrap_or(Mended::Nothing);
        match failure.clause {
            ClauseRef::Limit(setting) => replace_limit(&mut cut, setting, mended),
            ClauseRef::Tool(tool, _) => drop_tool(&mut cut, tool),
            ClauseRef::Row(..) => {}
        }
    }
    cut
}

fn replace_limit(layer: &mut Layer, setting: &LimitSetting, mended: Mended) {
    for spoken in &mut layer.uses {
        let idle = spoken.idle_limits.iter().any(|l| l.limit == setting.limit);
        spoken.idle_limits.retain(|l| l.limit != setting.limit);
        match &mended {
            // Cut, it is a limit after all.
            Mended::Limit(left) if idle => spoken.limits.push(left.clone()),
            Mended::Limit(left) => {
                spoken.limits.iter_mut().filter(|l| l.limit == setting.limit).for_each(|l| *l = left.clone());
            }
            Mended::Nothing | Mended::Rows(_) => spoken.limits.retain(|l| l.limit != setting.limit),
        }
        spoken.limits.sort_by_key(|l| l.limit);
    }
}

fn drop_tool(layer: &mut Layer, tool: ToolRef) {
    for spoken in layer.uses.iter_mut().filter(|u| u.vocabulary == tool.vocabulary) {
        let left = spoken.tools.as_mut().map(|list| {
            list.retain(|listed| listed.tool != tool.tool);
            list.len()
        });
        if left == Some(0) {
            spoken.tools = None;
        }
    }
}

fn cut_rows(cx: &Context<'_>, layer: &mut Layer, failures: &[Failure<'_>], work: &mut Work) {
    let mut gone = Vec::new();
    for spoken in &mut layer.uses {
        let vocabulary = spoken.vocabulary;
        let before: Vec<usize> = spoken.rows.iter().map(|row| row.tool).collect();
        spoken.rows = spoken.rows.iter().flat_map(|row| left_of(cx, vocabulary, row, failures, work)).collect();
        let left = |tool: &usize| spoken.rows.iter().any(|row| row.tool == *tool);
        gone.extend(before.into_iter().filter(|tool| !left(tool)).map(|tool| ToolRef { vocabulary, tool }));
    }
    // Where the rows of a tool that the base lacks are gone, `tools` says nothing of it either.
    let lacks = |tool: &ToolRef| cx.base.rows(*tool).is_ok_and(<[Permit]>::is_empty);
    gone.iter().filter(|tool| lacks(tool)).for_each(|tool| drop_tool(layer, *tool));
}

/// The row, or what is left of it if it fails.
fn left_of(cx: &Context<'_>, vocabulary: VocabularyId, row: &Row, failures: &[Failure<'_>], work: &mut Work) -> Vec<Row> {
    let same = |failure: &&Failure<'_>| match failure.clause {
        ClauseRef::Row(tool, failed) => {
            tool.vocabulary == vocabulary && failed.span == row.span && failed.whole == row.whole
        }
        ClauseRef::Limit(_) | ClauseRef::Tool(..) => false,
    };
    let Some(failure) = failures.iter().find(same).filter(|f| matches!(f.outcome, Outcome::Widens(_))) else {
        return vec![row.clone()];
    };
    match mend(cx, failure.clause, work).unwrap_or(Mended::Nothing) {
        Mended::Rows(rows) => rows,
        Mended::Nothing | Mended::Limit(_) => Vec::new(),
    }
}
