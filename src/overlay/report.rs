//! Failures of the proof → diagnostics and verdicts. Knows no sets.

use super::narrow::{ClauseRef, Context, Failure, Outcome};
use super::repair::{self, Mended, Text};
use super::verdict::{OverlayVerdict, Quote, Widening};
use super::witness::{self, Show};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{Stopped, Work};
use crate::source::Span;

/// Whether failures are errors, or warnings about what is dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// They refuse the policy.
    Error,
    /// They say what clamp does.
    Clamped,
}

/// The verdict on one overlay; a diagnostic for each failure.
pub(super) fn tell(
    cx: &Context<'_>,
    failures: &[Failure<'_>],
    tone: Tone,
    work: &mut Work,
    sink: &mut Sink,
) -> OverlayVerdict {
    let mut verdict = OverlayVerdict {
        name: cx.overlay.name.into(),
        on: cx.base.name().into(),
        holds: failures.is_empty(),
        proved: true,
        widens: Vec::new(),
        undecided: Vec::new(),
        span: cx.overlay.span,
    };
    for failure in failures {
        match &failure.outcome {
            Outcome::Widens(show) => {
                let mended = repair::mend(cx, failure.clause, work).unwrap_or(Mended::Nothing);
                let text = repair::text(cx, failure.clause, &mended);
                sink.push(widens(cx, failure.clause, show, text.as_ref(), tone));
                verdict.widens.push(widening(cx, show, text));
            }
            Outcome::Undecided(stopped) => {
                verdict.proved = false;
                let quote = quote(cx, failure.clause);
                sink.push(undecided(cx, failure.clause, &quote, stopped));
                verdict.undecided.push(quote);
            }
        }
    }
    verdict
}

fn widening(cx: &Context<'_>, show: &Show, text: Option<Text>) -> Widening {
    let (repair, edit) = text.map_or((None, None), |text| (Some(text.words), text.edit));
    Widening {
        connector: cx.policy.vocabulary(show.vocabulary).name.clone(),
        tool: show.tool.map(|tool| cx.policy.tool(tool).name.clone()),
        witness: show.arguments.clone(),
        permitted_by: show.permitted_by.clone(),
        refused_by: show.refused_by.clone(),
        repair,
        edit,
    }
}

fn widens(cx: &Context<'_>, clause: ClauseRef<'_>, show: &Show, text: Option<&Text>, tone: Tone) -> Diagnostic {
    let call = witness::spelled(cx.policy, show);
    let (overlay, base) = (cx.overlay.name, cx.base.name());
    let (code, verb) = match tone {
        Tone::Error => (Code::WIDENS, "widens"),
        Tone::Clamped => (Code::CLAMPED, "is cut to"),
    };
    let message = match tone {
        Tone::Error => format!("overlay `{overlay}` {verb} `{base}`: its words permit `{call}`"),
        Tone::Clamped => format!("overlay `{overlay}` {verb} what `{base}` permits; its words would permit `{call}`"),
    };
    let mut found = Diagnostic::new(code, show.permitted_by.span, message)
        .label(format!("`{}` permits it", show.permitted_by.text))
        .also(show.refused_by.span, format!("`{}`: `{base}` refuses it", show.refused_by.text));
    found = match text {
        Some(text) => found.help(format!("write `{}`", text.words)),
        None => found.help(nothing_left(cx, clause, tone)),
    };
    match text.and_then(|text| text.edit.as_ref().map(|edit| (text, edit))) {
        Some((text, edit)) => found.fix(format!("write `{}`", text.words), edit.span, edit.replacement.clone()),
        None => found,
    }
}

fn nothing_left(cx: &Context<'_>, clause: ClauseRef<'_>, tone: Tone) -> String {
    let base = cx.base.name();
    let what = match clause {
        ClauseRef::Row(tool, _) | ClauseRef::Tool(tool, _) => cx.policy.tool(tool).name.to_string(),
        ClauseRef::Limit(setting) => cx.policy.limit_name(setting.limit),
    };
    match tone {
        Tone::Error => format!("nothing of it is left under `{base}`: leave it out, and `{base}` decides about `{what}`"),
        Tone::Clamped => format!("nothing of it is left under `{base}`, so `{base}` decides about `{what}`"),
    }
}

/// The clause in a person's words.
pub(super) fn quote(cx: &Context<'_>, clause: ClauseRef<'_>) -> Quote {
    match clause {
        ClauseRef::Row(tool, row) => Quote { text: format!("allow {}", cx.policy.tool(tool).name), span: row.span },
        ClauseRef::Tool(tool, listed) => Quote { text: format!("tools {}", cx.policy.tool(tool).name), span: listed.span },
        ClauseRef::Limit(setting) => {
            let text = format!("{} = {}", cx.policy.limit_name(setting.limit), setting.permitted);
            Quote { text, span: setting.span }
        }
    }
}

fn undecided(cx: &Context<'_>, clause: ClauseRef<'_>, quote: &Quote, stopped: &Stopped) -> Diagnostic {
    let (overlay, base) = (cx.overlay.name, cx.base.name());
    let message =
        format!("overlay `{overlay}` is not proved to narrow `{base}`: `{}` takes too many combinations", quote.text);
    let mut found = Diagnostic::new(Code::NOT_PROVED, quote.span, message);
    match stopped {
        Stopped::Sets(arguments, bound) => {
            found = found.note(format!("the bound that was hit: {}{}", bound, of_arguments(cx, clause, arguments)));
        }
        Stopped::Combinations(rows) => {
            for span in multiplying(cx, clause, rows) {
                found = found.also(span, "this row multiplies");
            }
        }
    }
    found.help("split the row, or write its sets in the words of the base's row")
}

fn of_arguments(cx: &Context<'_>, clause: ClauseRef<'_>, arguments: &[usize]) -> String {
    let ClauseRef::Row(tool, _) = clause else { return String::new() };
    let tool = cx.policy.tool(tool);
    let names: Vec<String> =
        arguments.iter().filter_map(|a| tool.arguments.get(*a)).map(|a| format!("`{}`", a.member.name)).collect();
    if names.is_empty() { String::new() } else { format!(" over {}", names.join(", ")) }
}

/// The base's rows that multiply most.
fn multiplying(cx: &Context<'_>, clause: ClauseRef<'_>, rows: &[usize]) -> Vec<Span> {
    let (ClauseRef::Row(tool, _) | ClauseRef::Tool(tool, _)) = clause else { return Vec::new() };
    let permits = cx.base.rows(tool).unwrap_or_default();
    rows.iter().filter_map(|row| permits.get(row.checked_sub(1)?)).map(|permit| permit.span).collect()
}
