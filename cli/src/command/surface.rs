//! `surface`: an agent under facts → the tools that a model sees, with narrowed schemas, and what could run now.

use crate::arguments::{ResultFormat, Surface as Arguments, SurfaceProfile};
use crate::compiled;
use crate::exit::{CommandError, Exit};
use crate::input;
use crate::output::Output;
use crate::render::visible;
use bailiwick::digest::compact;
use bailiwick::surface::{Profile, Surface};

pub fn run(arguments: &Arguments, output: &Output) -> Result<Exit, CommandError> {
    let policy = arguments.files.files.iter().any(|path| input::is_stdin(path));
    let facts = arguments.facts.as_deref().is_some_and(input::is_stdin);
    input::read_once(&[(policy, "the policy"), (facts, "the facts")])?;
    let Some(compiled) = compiled::from_files(&arguments.files.files, output)? else { return Ok(Exit::NoAnswer) };
    let Some(handle) = compiled.handle(&arguments.applied, &arguments.bindings, output)? else { return Ok(Exit::NoAnswer) };
    let facts = compiled::facts(arguments.facts.as_deref())?;
    let profile = match arguments.profile {
        SurfaceProfile::Mcp => Profile::Mcp,
        SurfaceProfile::Openai => Profile::OpenAi,
        SurfaceProfile::Gemini => Profile::Gemini,
    };
    let surface = handle.surface(&facts, profile).map_err(|error| CommandError::usage(error.to_string()))?;
    output.result(&match arguments.format {
        ResultFormat::Human => human(&surface),
        ResultFormat::Json => compact(&surface.document()) + "\n",
    })?;
    Ok(Exit::Yes)
}

fn human(surface: &Surface) -> String {
    let mut text = String::new();
    for entry in &surface.entries() {
        let state = if entry.deferred { "deferred, " } else { "" };
        text.push_str(&format!("{}  {state}{}\n", visible(entry.name), entry.availability.status));
        if let Some(reason) = &entry.availability.inexact {
            text.push_str(&format!("    inexact: {}\n", visible(reason)));
        }
        for argument in &entry.arguments {
            let required = if argument.required { "" } else { " (may be left out)" };
            text.push_str(&format!("    {}{required}: {}\n", visible(argument.name), visible(&compact(argument.schema))));
        }
    }
    text
}
