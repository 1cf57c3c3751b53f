//! `lint`: policies → errors and lints together, each at its level; `--fix` mends what a machine may, `--baseline` shows only what is
//! new. The findings are the result.

mod baseline;
mod fix;

use crate::arguments::{FindingFormat, Lint};
use crate::exit::{CommandError, Exit};
use crate::input::{self, FileLoader};
use crate::output::Output;
use bailiwick::diag::Severity;
use bailiwick::driver::{self, Linted};
use bailiwick::lint::{Levels, LintLevel};

pub fn run(arguments: &Lint, output: &Output) -> Result<Exit, CommandError> {
    let run = asked(arguments)?;
    let mut linted = lint(arguments, &run)?;
    if arguments.fix {
        linted = fix::fix(arguments, &run, linted, output)?;
    }
    let Linted { sources, found, .. } = linted;
    let shown = match &arguments.baseline {
        Some(path) => baseline::unknown(path, found, &sources, output)?,
        None => found,
    };
    output.findings(&shown, &sources, arguments.format)?;
    if shown.is_empty() && arguments.format == FindingFormat::Human {
        output.progress("nothing found");
    }
    let failed = shown.iter().any(|d| d.severity == Severity::Error);
    Ok(if failed { Exit::No } else { Exit::Yes })
}

/// What the command line says of rules.
fn asked(arguments: &Lint) -> Result<Levels, CommandError> {
    let mut levels = Levels::default();
    let said =
        [(&arguments.allow, LintLevel::Allow), (&arguments.warn, LintLevel::Warn), (&arguments.deny, LintLevel::Deny)];
    for (rules, level) in said {
        for rule in rules.iter() {
            levels.set(rule, level).map_err(|error| CommandError::usage(error.to_string()))?;
        }
    }
    Ok(levels)
}

/// Reads everything again and lints it.
fn lint(arguments: &Lint, run: &Levels) -> Result<Linted, CommandError> {
    let (inputs, config) = input::sources(&arguments.files.files)?;
    Ok(driver::lint(inputs, &mut FileLoader::new(&config), &config.lints.under(run)))
}
