//! `diff`: two policies → what is newly permitted and newly refused, each with a call that shows it.

use crate::arguments::{Diff as Arguments, DiffFormat};
use crate::compiled;
use crate::exit::{CommandError, Exit};
use crate::output::Output;
use crate::render::visible;
use bailiwick::diff::{Change, Difference, Given, Verdict, diff, verdict};
use bailiwick::digest::compact;

pub fn run(arguments: &Arguments, output: &Output) -> Result<Exit, CommandError> {
    let Some(old) = compiled::from_files(std::slice::from_ref(&arguments.old), output)? else { return Ok(Exit::NoAnswer) };
    let Some(new) = compiled::from_files(std::slice::from_ref(&arguments.new), output)? else { return Ok(Exit::NoAnswer) };
    let differences =
        diff(&old.table, &new.table, arguments.agent.as_deref()).map_err(|error| CommandError::usage(error.to_string()))?;
    let verdict = verdict(&differences);
    output.result(&match arguments.format {
        DiffFormat::Human => human(&differences, verdict),
        DiffFormat::Md => markdown(&differences, verdict),
        DiffFormat::Json => document(&differences, verdict),
    })?;
    Ok(match verdict {
        Verdict::Equal => Exit::Yes,
        Verdict::Narrower if arguments.narrowing => Exit::Yes,
        Verdict::Narrower => Exit::No,
        Verdict::Wider => Exit::Widens,
    })
}

fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Equal => "equal",
        Verdict::Narrower => "narrower",
        Verdict::Wider => "wider",
    }
}

fn given(given: Given) -> &'static str {
    match given {
        Given::Refuse => "refuse",
        Given::Ask => "ask",
        Given::Allow => "allow",
    }
}

/// What is newly permitted first: that is what a reviewer looks for.
fn human(differences: &[Difference], verdict: Verdict) -> String {
    let mut text = String::new();
    for (change, title) in [(Change::NewlyPermitted, "newly permitted"), (Change::NewlyRefused, "newly refused")] {
        let of_change: Vec<&Difference> = differences.iter().filter(|d| d.change == change).collect();
        if of_change.is_empty() {
            continue;
        }
        text.push_str(&format!("{title}\n"));
        for difference in of_change {
            text.push_str(&line(difference));
        }
    }
    text + &format!("{}\n", name(verdict))
}

fn line(difference: &Difference) -> String {
    let selector = match &difference.selector {
        Some((argument, value)) => format!(" ({argument} {})", compact(value)),
        None => String::new(),
    };
    let tool = format!("{}.{}{selector}", difference.connector, difference.tool);
    let (from, to) = (given(difference.from), given(difference.to));
    let witness = compact(&difference.witness);
    format!("  {}: {}  {from} -> {to}, as in {}\n", visible(&difference.agent), visible(&tool), visible(&witness))
}

/// What a reviewer reads in a minute: the verdict, then what is newly permitted, then what is newly refused.
fn markdown(differences: &[Difference], verdict: Verdict) -> String {
    let said = match verdict {
        Verdict::Equal => "**Equal.** Every call is decided as before.",
        Verdict::Narrower => "**Only narrower.** Nothing is permitted that was not.",
        Verdict::Wider => "**Wider.** Some calls are permitted that were not, or no longer ask.",
    };
    let mut text = format!("{said}\n");
    for (change, title) in [(Change::NewlyPermitted, "Newly permitted"), (Change::NewlyRefused, "Newly refused")] {
        let of_change: Vec<&Difference> = differences.iter().filter(|d| d.change == change).collect();
        if of_change.is_empty() {
            continue;
        }
        text.push_str(&format!("\n### {title}\n\n| agent | tool | before | after | for example |\n|---|---|---|---|---|\n"));
        for d in of_change {
            let tool = match &d.selector {
                Some((argument, value)) => format!("{}.{}, {argument} {}", d.connector, d.tool, compact(value)),
                None => format!("{}.{}", d.connector, d.tool),
            };
            let (from, to) = (given(d.from), given(d.to));
            let cells = [code(&d.agent), code(&tool), from.to_owned(), to.to_owned(), code(&compact(&d.witness))];
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
    }
    text
}

/// A code span in a cell of a table: longer fences where there are backticks, bars escaped.
fn code(text: &str) -> String {
    let text = visible(text).replace('|', "\\|");
    let fence = "`".repeat(text.split(|c| c != '`').map(str::len).max().unwrap_or(0) + 1);
    match fence.len() {
        1 => format!("`{text}`"),
        _longer => format!("{fence} {text} {fence}"),
    }
}

/// Written by hand, so that the numbers of a witness stay exact.
fn document(differences: &[Difference], verdict: Verdict) -> String {
    let changes: Vec<String> = differences
        .iter()
        .map(|d| {
            let change = match d.change {
                Change::NewlyPermitted => "newly_permitted",
                Change::NewlyRefused => "newly_refused",
            };
            let text = |text: &str| serde_json::Value::from(text).to_string();
            let selector = match &d.selector {
                Some((argument, value)) => format!("{{{}:{}}}", text(argument), compact(value)),
                None => "null".to_owned(),
            };
            format!(
                r#"{{"agent":{},"connector":{},"tool":{},"selector":{selector},"change":"{change}","from":"{}","to":"{}","witness":{}}}"#,
                text(&d.agent),
                text(&d.connector),
                text(&d.tool),
                given(d.from),
                given(d.to),
                compact(&d.witness)
            )
        })
        .collect();
    format!("{{\"format\":1,\"verdict\":\"{}\",\"changes\":[{}]}}\n", name(verdict), changes.join(","))
}
