//! Findings and a file of known ones → those that are new. A file that is not there is written, and hides nothing in the run that
//! writes it: a path with a slip in it can never make a pipeline green. Errors are never known.

use crate::exit::CommandError;
use crate::output::Output;
use bailiwick::diag::{Diagnostic, Level, fingerprints};
use bailiwick::source::Sources;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Baseline {
    format: u32,
    findings: Vec<Known>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    /// What it is known by.
    fingerprint: String,
    /// For people.
    rule: String,
    /// For people.
    file: String,
    /// For people.
    message: String,
}

/// The findings that the file does not know.
pub fn unknown(
    path: &Path,
    found: Vec<Diagnostic>,
    sources: &Sources,
    output: &Output,
) -> Result<Vec<Diagnostic>, CommandError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            write(path, &found, sources, output)?;
            return Ok(found);
        }
        Err(source) => return Err(CommandError::Read { path: path.to_owned(), source }),
    };
    let known: Baseline = serde_json::from_str(&text)
        .map_err(|error| CommandError::usage(format!("`{}` is no baseline: {error}", path.display())))?;
    if known.format != 1 {
        let message = format!("`{}` has format {}; this program knows format 1", path.display(), known.format);
        return Err(CommandError::usage(message));
    }
    let mut left: BTreeSet<&str> = known.findings.iter().map(|one| one.fingerprint.as_str()).collect();
    let marks = fingerprints(&found, sources);
    let mut new = Vec::new();
    for (one, mark) in found.into_iter().zip(marks) {
        if one.code.level() == Level::Error || !left.remove(mark.as_str()) {
            new.push(one);
        }
    }
    if !left.is_empty() {
        let count = left.len();
        output.progress(&format!("{count} of the findings in `{}` are gone: delete it and run again", path.display()));
    }
    Ok(new)
}

fn write(path: &Path, found: &[Diagnostic], sources: &Sources, output: &Output) -> Result<(), CommandError> {
    let marks = fingerprints(found, sources);
    let lints = found.iter().zip(marks).filter(|(one, _)| one.code.level() != Level::Error);
    let known = |(one, fingerprint): (&Diagnostic, String)| Known {
        fingerprint,
        rule: one.code.slug().to_owned(),
        file: one.location(sources).file.to_string(),
        message: one.message.clone(),
    };
    let baseline = Baseline { format: 1, findings: lints.map(known).collect() };
    let text = serde_json::to_string_pretty(&baseline).unwrap_or_default() + "\n";
    super::fix::replace(path, &text)?;
    let count = baseline.findings.len();
    output.progress(&format!("wrote {count} findings to `{}`; from the next run on they are known", path.display()));
    Ok(())
}
