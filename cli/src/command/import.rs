//! `import`: what a server offers → a vocabulary on standard output, and on standard error what a person should know of it.

use crate::arguments::{Import, ImportMcp};
use crate::exit::{CommandError, Exit};
use crate::input;
use crate::output::Output;
use crate::render::visible;
use bailiwick::import::{self, Advise, Note};

pub fn run(arguments: &Import, output: &Output) -> Result<Exit, CommandError> {
    match arguments {
        Import::Mcp(arguments) => mcp(arguments, output),
    }
}

fn mcp(arguments: &ImportMcp, output: &Output) -> Result<Exit, CommandError> {
    let failed = |error| CommandError::usage(format!("`{}`: {error}", arguments.tools.display()));
    let listing = import::read_listing(&input::bytes(&arguments.tools)?).map_err(failed)?;
    let advise = if arguments.suggest { Advise::InComments } else { Advise::Silent };
    let made = import::vocabulary(&listing, &arguments.name, advise).map_err(failed)?;
    output.result(&made.text)?;
    output.progress(&report(listing.tools.len(), &made.notes));
    Ok(Exit::Yes)
}

/// The remarks under their headings, in the order of the tools.
fn report(tools: usize, notes: &[Note]) -> String {
    let mut lines = vec![format!("{tools} tool{}", if tools == 1 { "" } else { "s" })];
    let mut topics: Vec<_> = notes.iter().map(|note| note.topic).collect();
    topics.sort_unstable();
    topics.dedup();
    for topic in topics {
        lines.push(format!("{}:", topic.heading()));
        let own: Vec<&Note> = notes.iter().filter(|note| note.topic == topic).collect();
        lines.extend(grouped(&own).iter().map(|line| format!("  {}", visible(line))));
    }
    lines.join("\n")
}

/// What is said of many tools alike is said once.
fn grouped(notes: &[&Note]) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, note) in notes.iter().enumerate() {
        let alike = |other: &&&Note| other.place.is_empty() && note.place.is_empty() && other.text == note.text;
        if notes.iter().take(at).any(|other| alike(&other)) {
            continue;
        }
        let tools: Vec<&str> = notes.iter().filter(alike).map(|note| &*note.tool).collect();
        match tools.as_slice() {
            [] | [_] => lines.push(note.to_string()),
            tools => lines.push(format!("{} ({} tools): {}", tools.join(", "), tools.len(), note.text)),
        }
    }
    lines
}
