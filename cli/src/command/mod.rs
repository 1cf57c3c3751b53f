//! One file per verb: arguments → work in the library → results and an exit code.

mod check;
mod completions;
mod explain;
mod init;

use crate::arguments::Command;
use crate::exit::{CommandError, Exit};
use crate::output::Output;

/// Runs the command.
pub fn run(command: Command, output: &Output) -> Result<Exit, CommandError> {
    match command {
        Command::Init(arguments) => init::run(&arguments, output),
        Command::Check(arguments) => check::run(&arguments, output),
        Command::Explain(arguments) => explain::run(&arguments, output),
        Command::Completions(arguments) => completions::run(&arguments, output),
        _ => Err(CommandError::usage("this command is not built yet")),
    }
}
