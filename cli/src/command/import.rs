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
        let own = notes.iter().filter(|note| note.topic == topic);
        lines.extend(own.map(|note| format!("  {}", visible(&note.to_string()))));
    }
    lines.join("\n")
}
