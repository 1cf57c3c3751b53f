//! `fmt`: policies → the same in canonical layout, in place or as a filter; `--check` only asks.

use crate::arguments::{FindingFormat, Fmt};
use crate::exit::{CommandError, Exit};
use crate::input;
use crate::output::Output;
use bailiwick::diag::Diagnostic;
use bailiwick::driver::Input;
use bailiwick::source::Sources;
use bailiwick::syntax;
use std::fs;

pub fn run(arguments: &Fmt, output: &Output) -> Result<Exit, CommandError> {
    let mut exit = Exit::Yes;
    for path in input::expand(&arguments.files.files)? {
        let source = input::source(&path)?;
        let formatted = match syntax::format(&source.text) {
            Ok(formatted) => formatted,
            Err(found) => {
                unreadable(&source, &found, arguments, output)?;
                exit = if arguments.check { Exit::No } else { Exit::NoAnswer };
                continue;
            }
        };
        if arguments.check {
            if formatted != source.text {
                output.result(&format!("{} is laid out otherwise\n", source.name))?;
                exit = Exit::No;
            }
        } else if path.as_os_str() == "-" {
            output.result(&formatted)?;
        } else if formatted != source.text {
            fs::write(&path, formatted).map_err(|source| CommandError::Write { path: path.clone(), source })?;
            output.progress(&format!("laid out {}", source.name));
        }
    }
    Ok(exit)
}

fn unreadable(source: &Input, found: &[Diagnostic], arguments: &Fmt, output: &Output) -> Result<(), CommandError> {
    let mut sources = Sources::default();
    sources.add(source.name.as_str(), source.text.as_str());
    if arguments.check {
        return output.findings(found, &sources, FindingFormat::Human);
    }
    output.asides(found, &sources);
    Ok(())
}
