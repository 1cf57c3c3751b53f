//! The binary: arguments → a command → an exit code. All IO of the project lives in this package.

mod arguments;
mod calls;
mod command;
mod compiled;
mod config;
mod exit;
mod input;
mod output;
mod proxy;
mod render;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = arguments::Arguments::parse();
    let output = output::Output::new(&arguments);
    let exit = match command::run(arguments.command, &output) {
        Ok(exit) => exit,
        Err(error) => {
            output.error(&error);
            exit::Exit::NoAnswer
        }
    };
    exit.into()
}
