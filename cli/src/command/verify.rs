//! `verify`: overlays → whether each narrows, and where not, a call that shows it. Never exits 1: a no is 3.

use crate::arguments::{OnWiden, ResultFormat, Verify};
use crate::exit::{CommandError, Exit};
use crate::input::{self, FileLoader};
use crate::output::Output;
use bailiwick::diag::{Diagnostic, did_you_mean};
use bailiwick::digest::compact;
use bailiwick::driver::{self, Built, Options};
use bailiwick::overlay::{self, OverlayVerdict, Quote, Widening};
use bailiwick::source::{Sources, Span};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

pub fn run(arguments: &Verify, output: &Output) -> Result<Exit, CommandError> {
    let (inputs, config) = input::sources(&arguments.files.files)?;
    let on_widen = match arguments.on_widen {
        OnWiden::Reject => overlay::OnWiden::Reject,
        OnWiden::Clamp => overlay::OnWiden::Clamp,
    };
    let mut built = driver::compile(inputs, &mut FileLoader::new(&config), &Options { on_widen });
    built.found = config.shown(built.found);
    let Some(all) = &built.overlays else {
        output.asides(&built.found, &built.sources);
        return Ok(Exit::NoAnswer);
    };
    let asked = select(all, &arguments.overlays)?;
    output.asides(&spoken_of(&built, all, &asked), &built.sources);
    match arguments.format {
        ResultFormat::Human => output.result(&human(&asked, arguments.on_widen))?,
        ResultFormat::Json => output.result(&document(&asked, &built.sources)?)?,
    }
    Ok(exit(&asked, arguments.on_widen))
}

fn exit(asked: &[&OverlayVerdict], on_widen: OnWiden) -> Exit {
    let widens = asked.iter().any(|o| !o.widens.is_empty());
    let undecided = asked.iter().any(|o| !o.proved);
    match (widens, undecided, on_widen) {
        (true, _, OnWiden::Reject) => Exit::Widens,
        (_, true, _) => Exit::NoAnswer,
        (true, false, OnWiden::Clamp) | (false, false, _) => Exit::Yes,
    }
}

fn select<'a>(all: &'a [OverlayVerdict], names: &[String]) -> Result<Vec<&'a OverlayVerdict>, CommandError> {
    if names.is_empty() {
        return Ok(all.iter().collect());
    }
    let find = |name: &String| {
        all.iter().find(|o| *o.name == **name).ok_or_else(|| {
            let best = did_you_mean(name, all.iter().map(|o| &*o.name));
            let hint = best.map_or_else(String::new, |best| format!("; did you mean `{best}`?"));
            CommandError::usage(format!("there is no overlay `{name}`{hint}"))
        })
    };
    names.iter().map(find).collect()
}

/// The findings, without those inside overlays that were not asked for.
fn spoken_of(built: &Built, all: &[OverlayVerdict], asked: &[&OverlayVerdict]) -> Vec<Diagnostic> {
    let others: Vec<Span> = all.iter().filter(|o| !asked.iter().any(|a| a.name == o.name)).flat_map(spans).collect();
    built.found.iter().filter(|d| !others.contains(&d.primary.span)).cloned().collect()
}

fn spans(overlay: &OverlayVerdict) -> impl Iterator<Item = Span> {
    let clauses = overlay.widens.iter().map(|w| w.permitted_by.span);
    clauses.chain(overlay.undecided.iter().map(|q| q.span))
}

fn human(asked: &[&OverlayVerdict], on_widen: OnWiden) -> String {
    let mut text = String::new();
    for overlay in asked {
        let verdict = match (overlay.holds, overlay.widens.is_empty(), on_widen) {
            (true, _, _) => "narrows",
            (false, false, OnWiden::Reject) => "widens",
            (false, false, OnWiden::Clamp) => "was cut to what its base permits",
            (false, true, _) => "was not proved",
        };
        text.push_str(&format!("{} on {}: {verdict}\n", overlay.name, overlay.on));
    }
    if asked.is_empty() {
        text.push_str("no overlays\n");
    }
    text
}

/// What the command prints as JSON.
#[derive(Serialize)]
struct Document<'a> {
    format: u8,
    holds: bool,
    overlays: Vec<Proved<'a>>,
}

#[derive(Serialize)]
struct Proved<'a> {
    name: &'a str,
    on: &'a str,
    holds: bool,
    proved: bool,
    widens: Vec<Clause<'a>>,
}

#[derive(Serialize)]
struct Clause<'a> {
    connector: &'a str,
    tool: Option<&'a str>,
    /// As it is: a number that a double cannot hold is not rounded.
    witness: Box<RawValue>,
    permitted_by: Value,
    refused_by: Value,
    repair: Option<&'a str>,
}

fn document(asked: &[&OverlayVerdict], sources: &Sources) -> Result<String, CommandError> {
    let unwritable = |e| CommandError::usage(format!("the proof cannot be written: {e}"));
    let mut overlays = Vec::new();
    for overlay in asked {
        let clauses = overlay.widens.iter().map(|widening| clause(widening, sources));
        let widens = clauses.collect::<Result<_, _>>().map_err(unwritable)?;
        let OverlayVerdict { name, on, holds, proved, .. } = overlay;
        overlays.push(Proved { name, on, holds: *holds, proved: *proved, widens });
    }
    let document = Document { format: 1, holds: asked.iter().all(|o| o.holds), overlays };
    Ok(serde_json::to_string(&document).map_err(unwritable)? + "\n")
}

fn clause<'a>(widening: &'a Widening, sources: &Sources) -> Result<Clause<'a>, serde_json::Error> {
    Ok(Clause {
        connector: &widening.connector,
        tool: widening.tool.as_deref(),
        witness: RawValue::from_string(compact(&widening.witness))?,
        permitted_by: quote(&widening.permitted_by, sources),
        refused_by: quote(&widening.refused_by, sources),
        repair: widening.repair.as_deref(),
    })
}

fn quote(quote: &Quote, sources: &Sources) -> Value {
    let at = sources.location(quote.span);
    json!({ "text": quote.text, "source": { "file": &*at.file, "line": at.line, "column": at.column } })
}
