//! `completions`: the command line's own description → a script for a shell.

use crate::arguments::{Arguments, Completions};
use crate::exit::{CommandError, Exit};
use crate::output::Output;
use clap::CommandFactory;

pub fn run(arguments: &Completions, output: &Output) -> Result<Exit, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "bailiwick", &mut script);
    output.bytes(&script)?;
    Ok(Exit::Yes)
}
