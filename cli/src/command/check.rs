//! `check`: policies → what is wrong with them. The findings are the result.

use crate::arguments::{Check, FindingFormat};
use crate::exit::{CommandError, Exit};
use crate::input::{self, FileLoader};
use crate::output::Output;
use bailiwick::driver;

pub fn run(arguments: &Check, output: &Output) -> Result<Exit, CommandError> {
    let (inputs, config) = input::sources(&arguments.files.files)?;
    let parsed = driver::read(inputs, &mut FileLoader::new(&config));
    let failed = parsed.sink.has_errors();
    let found = parsed.sink.into_sorted();
    output.findings(&found, &parsed.sources, arguments.format)?;
    if found.is_empty() && arguments.format == FindingFormat::Human {
        output.progress("no errors");
    }
    Ok(if failed { Exit::No } else { Exit::Yes })
}
