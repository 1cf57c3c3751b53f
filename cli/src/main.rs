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
    let arguments = match arguments::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(said) => return told(&said),
    };
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

/// Help and version are an answer, where they can be written; anything else is none.
fn told(said: &clap::Error) -> ExitCode {
    match (said.print(), said.use_stderr()) {
        (Ok(()), false) => exit::Exit::Yes.into(),
        (Err(error), false) if error.kind() == std::io::ErrorKind::BrokenPipe => exit::Exit::Yes.into(),
        _ => exit::Exit::NoAnswer.into(), // usage, or nobody could read it
    }
}
