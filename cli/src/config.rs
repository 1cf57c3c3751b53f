//! `bailiwick.toml`, found upward from the first file → boundaries that always apply, import roots, lint levels.

use crate::exit::CommandError;
use bailiwick::diag::{Diagnostic, Severity};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What the project says for every command.
#[derive(Debug, Default)]
pub struct Config {
    /// Files whose boundaries are always in force.
    pub boundaries: Vec<PathBuf>,
    /// Where an import that is not relative is looked for.
    pub import_roots: Vec<PathBuf>,
    /// Levels of lints, by code or slug.
    pub lints: BTreeMap<String, LintLevel>,
}

/// How a lint counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LintLevel {
    /// Not shown.
    Allow,
    /// Shown.
    Warn,
    /// Fails the run.
    Deny,
}

impl Config {
    /// The findings for a command whose question is another one: those allowed are left out; those denied stay warnings, for
    /// only `check` and `lint` answer no to them.
    pub fn shown(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        found.into_iter().filter(|d| d.severity == Severity::Error || self.level(d) != Some(LintLevel::Allow)).collect()
    }

    /// The findings under the levels set here: those allowed are left out, those denied are errors. Errors stay errors.
    pub fn judged(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let judge = |mut d: Diagnostic| match (d.severity, self.level(&d)) {
            (Severity::Warning, Some(LintLevel::Allow)) => None,
            (Severity::Warning, Some(LintLevel::Deny)) => {
                d.severity = Severity::Error;
                Some(d)
            }
            (Severity::Warning, Some(LintLevel::Warn) | None) | (Severity::Error, _) => Some(d),
        };
        found.into_iter().filter_map(judge).collect()
    }

    fn level(&self, found: &Diagnostic) -> Option<LintLevel> {
        self.lints.get(found.code.id()).or_else(|| self.lints.get(found.code.slug())).copied()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    boundaries: Vec<PathBuf>,
    #[serde(default)]
    import_roots: Vec<PathBuf>,
    #[serde(default)]
    lints: BTreeMap<String, LintLevel>,
}

/// The nearest `bailiwick.toml` at or above the directory of `first`; without one, nothing is said.
pub fn find(first: &Path) -> Result<Config, CommandError> {
    let start = std::path::absolute(first).unwrap_or_else(|_| first.to_owned());
    for directory in start.ancestors() {
        let path = directory.join("bailiwick.toml");
        if path.is_file() {
            return read(&path, directory);
        }
    }
    Ok(Config::default())
}

fn read(path: &Path, directory: &Path) -> Result<Config, CommandError> {
    let text = fs::read_to_string(path).map_err(|source| CommandError::Read { path: path.to_owned(), source })?;
    let written: Written = toml::from_str(&text).map_err(|source| CommandError::Config { path: path.to_owned(), source })?;
    for name in written.lints.keys() {
        if bailiwick::diag::find_code(name).is_none() {
            return Err(CommandError::usage(format!("`{}` sets a level for `{name}`, which is no rule", path.display())));
        }
    }
    let here = |paths: Vec<PathBuf>| paths.into_iter().map(|p| directory.join(p)).collect();
    Ok(Config { boundaries: here(written.boundaries), import_roots: here(written.import_roots), lints: written.lints })
}
