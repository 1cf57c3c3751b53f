//! Findings with fixes that a machine may apply → files mended. All that fit together are tried at once, then linted again: what
//! brings new findings, or changes what a policy means that had a meaning, is taken back. Files change as a whole or not at all.

use super::lint;
use crate::arguments::Lint;
use crate::exit::CommandError;
use crate::input::{self, FileLoader};
use crate::output::Output;
use bailiwick::diag::{Diagnostic, Edit, Level};
use bailiwick::driver::{self, Input, Linted};
use bailiwick::lint::Levels;
use bailiwick::source::FileId;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Fixes may uncover others; after so many rounds enough is mended.
const ROUNDS: usize = 8;

/// What is read, and what is said of rules.
struct Run {
    inputs: Vec<Input>,
    loader: FileLoader,
    levels: Levels,
}

/// Applies fixes, writes the files, and gives what is left.
pub fn fix(arguments: &Lint, run: &Levels, linted: Linted, output: &Output) -> Result<Linted, CommandError> {
    if arguments.files.files.iter().any(|file| input::is_stdin(file)) {
        return Err(CommandError::usage("`--fix` rewrites files; standard input is none"));
    }
    let (inputs, config) = input::sources(&arguments.files.files)?;
    let before = inputs.clone();
    let mut at = Run { inputs, loader: FileLoader::new(&config), levels: config.lints.under(run) };
    let mut now = linted;
    let mut applied = 0usize;
    for _ in 0..ROUNDS {
        let Some((inputs, after, count)) = round(&mut at, &now) else { break };
        (at.inputs, now, applied) = (inputs, after, applied + count);
    }
    let mut files = 0usize;
    for (old, new) in before.iter().zip(&at.inputs).filter(|(old, new)| old.text != new.text) {
        replace(Path::new(&old.identity), &new.text)?;
        files += 1;
    }
    output.progress(&format!("{applied} fixed in {files} {}", if files == 1 { "file" } else { "files" }));
    lint(arguments, run)
}

/// The inputs after one more round, with what is left and how many fixes it took; `None`: nothing gets better.
fn round(at: &mut Run, now: &Linted) -> Option<(Vec<Input>, Linted, usize)> {
    let fixes = fixes(now);
    let all: Vec<&Vec<Edit>> = fixes.iter().collect();
    if let Some((inputs, after)) = attempt(at, now, &all) {
        return Some((inputs, after, all.len()));
    }
    let mut kept: Vec<&Vec<Edit>> = Vec::new();
    let mut best = None;
    for one in &fixes {
        kept.push(one);
        match attempt(at, now, &kept) {
            Some(better) => best = Some((better.0, better.1, kept.len())),
            None => drop(kept.pop()),
        }
    }
    best
}

/// The edits of fixes that a machine may apply, no two of which touch.
fn fixes(now: &Linted) -> Vec<Vec<Edit>> {
    let mut taken: Vec<Edit> = Vec::new();
    let mut fixes = Vec::new();
    let offered = now.found.iter().filter_map(|d| d.fixes.iter().find(|fix| fix.machine_applicable));
    for fix in offered {
        let ours = fix.edits.iter().all(|edit| (edit.span.file.0 as usize) < now.given);
        let free = fix.edits.iter().all(|edit| taken.iter().all(|other| apart(edit, other)));
        if ours && free {
            taken.extend(fix.edits.iter().cloned());
            fixes.push(fix.edits.clone());
        }
    }
    fixes
}

fn apart(a: &Edit, b: &Edit) -> bool {
    a.span.file != b.span.file || a.span.end < b.span.start || b.span.end < a.span.start
}

/// The inputs with the fixes, and what is left, if that is better.
fn attempt(at: &mut Run, now: &Linted, fixes: &[&Vec<Edit>]) -> Option<(Vec<Input>, Linted)> {
    if fixes.is_empty() {
        return None;
    }
    let mut by_file: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    for edit in fixes.iter().flat_map(|edits| edits.iter()) {
        by_file.entry(edit.span.file).or_default().push(edit);
    }
    let mut inputs = at.inputs.clone();
    for (file, mut edits) in by_file {
        let name = now.sources.get(file)?.name.clone();
        let input = inputs.iter_mut().find(|input| *input.name == *name)?;
        edits.sort();
        for edit in edits.iter().rev() {
            input.text.get(edit.span.range())?;
            input.text.replace_range(edit.span.range(), &edit.replacement);
        }
    }
    let after = driver::lint(inputs.clone(), &mut at.loader, &at.levels);
    (is_better(&now.found, &after.found) && same_meaning(at, &inputs)).then_some((inputs, after))
}

/// Whether there is less to find, and nothing is found more often than before. Where an error is gone more is known of the rest, so
/// only errors are compared then.
fn is_better(before: &[Diagnostic], after: &[Diagnostic]) -> bool {
    let errors = |found: &[Diagnostic]| found.iter().filter(|d| d.code.level() == Level::Error).count();
    let count = |found: &[Diagnostic], one: &Diagnostic| found.iter().filter(|d| d.code == one.code).count();
    let mended = errors(after) < errors(before);
    let compared = after.iter().filter(|one| !mended || one.code.level() == Level::Error);
    let worse = compared.into_iter().any(|one| count(after, one) > count(before, one));
    !worse && (mended || after.len() < before.len())
}

/// Whether a policy that compiled means the same as before.
fn same_meaning(at: &mut Run, inputs: &[Input]) -> bool {
    let mut digest = |inputs: Vec<Input>| {
        let built = driver::compile(inputs, &mut at.loader, &driver::Options::default());
        built.table.map(|table| table.digest().to_owned())
    };
    match digest(at.inputs.clone()) {
        Some(before) => digest(inputs.to_vec()) == Some(before),
        None => true,
    }
}

/// Writes the text beside the file and puts it in its place; links are followed, permissions kept.
pub fn replace(path: &Path, text: &str) -> Result<(), CommandError> {
    let failed = |source| CommandError::Write { path: path.to_owned(), source };
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let beside: PathBuf = target.with_file_name(name);
    let written = fs::write(&beside, text).and_then(|()| match fs::metadata(&target) {
        Ok(old) => fs::set_permissions(&beside, old.permissions()),
        Err(_) => Ok(()), // a new file has no permissions to keep
    });
    let placed = written.and_then(|()| fs::rename(&beside, &target));
    if placed.is_err() {
        let _ = fs::remove_file(&beside);
    }
    placed.map_err(failed)
}
