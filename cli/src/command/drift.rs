//! `drift`: a vocabulary and what a server offers now → how they differ.

use crate::arguments::{Drift, DriftFormat};
use crate::compiled;
use crate::exit::{CommandError, Exit};
use crate::input;
use crate::output::Output;
use crate::render::visible;
use bailiwick::import::{self, Change};
use serde_json::{Value, json};

pub fn run(arguments: &Drift, output: &Output) -> Result<Exit, CommandError> {
    if input::is_stdin(&arguments.vocabulary) && input::is_stdin(&arguments.tools) {
        return Err(CommandError::usage("standard input cannot be the vocabulary and the listing at once"));
    }
    let files = std::slice::from_ref(&arguments.vocabulary);
    let bytes = input::bytes(&arguments.tools)?;
    let Some(compiled) = compiled::from_files(files, output)? else { return Ok(Exit::NoAnswer) };
    let connector = compiled.connector(arguments.connector.as_deref())?;
    let failed = |error| CommandError::usage(format!("`{}`: {error}", arguments.tools.display()));
    let listing = import::read_listing(&bytes).map_err(failed)?;
    let said = pin(arguments)?;
    let changes = import::drift(connector, &listing, said.as_deref());
    output.result(&match arguments.format {
        DriftFormat::Human => human(&changes),
        DriftFormat::Json => {
            let changes: Vec<Value> = changes.iter().map(change).collect();
            let document = json!({ "format": 1, "drift": !changes.is_empty(), "connector": &*connector.name,
                "digest": listing.digest, "pinned": said, "changes": changes });
            format!("{document}\n")
        }
        DriftFormat::Sarif => format!("{}\n", sarif(arguments, &changes)),
    })?;
    Ok(if changes.is_empty() { Exit::Yes } else { Exit::No })
}

/// The digest at the head of the vocabulary, where it is a text that `import` made.
fn pin(arguments: &Drift) -> Result<Option<String>, CommandError> {
    if input::is_stdin(&arguments.vocabulary) || arguments.vocabulary.is_dir() {
        return Ok(None);
    }
    let text = String::from_utf8(input::bytes(&arguments.vocabulary)?).unwrap_or_default();
    Ok(import::pinned(&text).map(str::to_owned))
}

fn human(changes: &[Change]) -> String {
    match changes {
        [] => "no difference\n".to_owned(),
        changes => changes.iter().map(|change| format!("{}\n", visible(&change.to_string()))).collect(),
    }
}

fn change(change: &Change) -> Value {
    let said = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
    json!({ "change": change.kind.name(), "tool": said(&change.tool), "argument": said(&change.argument),
        "vocabulary": said(&change.vocabulary), "server": said(&change.server) })
}

fn sarif(arguments: &Drift, changes: &[Change]) -> Value {
    let mut rules: Vec<&str> = changes.iter().map(|change| change.kind.name()).collect();
    rules.sort_unstable();
    rules.dedup();
    let uri = arguments.vocabulary.to_string_lossy().replace('\\', "/");
    let result = |change: &Change| {
        json!({ "ruleId": change.kind.name(), "level": "error", "message": { "text": change.to_string() },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri }, "region": { "startLine": 1 } } }] })
    };
    let results: Vec<Value> = changes.iter().map(result).collect();
    let rules: Vec<Value> = rules.iter().map(|id| json!({ "id": id })).collect();
    let driver = json!({ "name": "bailiwick", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    json!({ "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "results": results }] })
}
