//! `check`: policies → what is wrong with them, the narrowing proof included: errors only, lints are `lint`'s. The findings
//! are the result.

use crate::arguments::{Check, FindingFormat};
use crate::exit::{CommandError, Exit};
use crate::input::{self, FileLoader};
use crate::output::Output;
use bailiwick::diag::{Diagnostic, Severity};
use bailiwick::driver::{self, Options};

pub fn run(arguments: &Check, output: &Output) -> Result<Exit, CommandError> {
    let (inputs, config) = input::sources(&arguments.files.files)?;
    let built = driver::compile(inputs, &mut FileLoader::new(&config), &Options::default());
    let found: Vec<Diagnostic> = built.found.into_iter().filter(|d| d.severity == Severity::Error).collect();
    output.findings(&found, &built.sources, arguments.format)?;
    if found.is_empty() && arguments.format == FindingFormat::Human {
        output.progress("no errors");
    }
    Ok(if found.is_empty() { Exit::Yes } else { Exit::No })
}
