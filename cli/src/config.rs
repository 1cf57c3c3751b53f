//! `bailiwick.toml`, found upward from the first file → boundaries that always apply, import roots, lint levels.

use crate::exit::CommandError;
use bailiwick::diag::Diagnostic;
use bailiwick::lint::{Levels, LintLevel};
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
    pub lints: Levels,
}

impl Config {
    /// The findings for a command whose question is another one: those allowed are left out; those denied stay warnings, for
    /// only `lint` answers no to them.
    pub fn shown(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        found.into_iter().filter(|d| self.lints.of(d.code) != Some(LintLevel::Allow)).collect()
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
    let mut lints = Levels::default();
    for (name, level) in &written.lints {
        let refused = |error| CommandError::usage(format!("`{}`, [lints]: {error}", path.display()));
        lints.set(name, *level).map_err(refused)?;
    }
    let here = |paths: Vec<PathBuf>| paths.into_iter().map(|p| directory.join(p)).collect();
    Ok(Config { boundaries: here(written.boundaries), import_roots: here(written.import_roots), lints })
}
