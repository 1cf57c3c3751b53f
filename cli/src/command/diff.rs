//! `diff`: two policies → what is newly permitted and newly refused, each with a call that shows it.

use crate::arguments::{Diff as Arguments, ResultFormat};
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
        ResultFormat::Human => human(&differences, verdict),
        ResultFormat::Json => document(&differences, verdict),
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
