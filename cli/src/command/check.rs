//! `check`: policies → what is wrong with them, the narrowing proof included. The findings are the result.

use crate::arguments::{Check, FindingFormat};
use crate::exit::{CommandError, Exit};
use crate::input::{self, FileLoader};
use crate::output::Output;
use bailiwick::diag::Severity;
use bailiwick::driver::{self, Options};

pub fn run(arguments: &Check, output: &Output) -> Result<Exit, CommandError> {
    let (inputs, config) = input::sources(&arguments.files.files)?;
    let built = driver::compile(inputs, &mut FileLoader::new(&config), &Options::default());
    let found = config.judged(built.found);
    let failed = found.iter().any(|d| d.severity == Severity::Error);
    output.findings(&found, &built.sources, arguments.format)?;
    if found.is_empty() && arguments.format == FindingFormat::Human {
        output.progress("no errors");
    }
    Ok(if failed { Exit::No } else { Exit::Yes })
}
