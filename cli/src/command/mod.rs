//! One file per verb: arguments → work in the library → results and an exit code.

mod check;
mod compile;
mod completions;
mod diff;
mod drift;
mod eval;
mod explain;
mod fmt;
mod import;
mod init;
mod lint;
mod proxy;
mod surface;
mod table;
mod test;
mod verify;
mod why;

use crate::arguments::Command;
use crate::exit::{CommandError, Exit};
use crate::output::Output;

/// Runs the command.
pub fn run(command: Command, output: &Output) -> Result<Exit, CommandError> {
    match command {
        Command::Init(arguments) => init::run(&arguments, output),
        Command::Check(arguments) => check::run(&arguments, output),
        Command::Lint(arguments) => lint::run(&arguments, output),
        Command::Fmt(arguments) => fmt::run(&arguments, output),
        Command::Compile(arguments) => compile::run(&arguments, output),
        Command::Surface(arguments) => surface::run(&arguments, output),
        Command::Table(arguments) => table::run(&arguments, output),
        Command::Eval(arguments) => eval::run(&arguments, output),
        Command::Verify(arguments) => verify::run(&arguments, output),
        Command::Diff(arguments) => diff::run(&arguments, output),
        Command::Why(arguments) => why::run(&arguments, output),
        Command::Explain(arguments) => explain::run(&arguments, output),
        Command::Test(arguments) => test::run(&arguments, output),
        Command::Drift(arguments) => drift::run(&arguments, output),
        Command::Proxy(arguments) => proxy::run(&arguments, output),
        Command::Import(arguments) => import::run(&arguments, output),
        Command::Completions(arguments) => completions::run(&arguments, output),
    }
}
