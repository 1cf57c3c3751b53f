//! `init`: an empty directory → a small policy that works, with its tests and calls to try.

use crate::arguments::Init;
use crate::exit::{CommandError, Exit};
use crate::output::Output;
use std::fs;
use std::path::Path;

/// What a new policy consists of.
const FILES: &[(&str, &str)] = &[
    ("vocabulary.bwk", include_str!("../../template/vocabulary.bwk")),
    ("policy.bwk", include_str!("../../template/policy.bwk")),
    ("calls.jsonl", include_str!("../../template/calls.jsonl")),
];

pub fn run(arguments: &Init, output: &Output) -> Result<Exit, CommandError> {
    let directory = &arguments.directory;
    if crate::input::is_stdin(directory) {
        return Err(CommandError::usage("`init` writes a directory, and `-` is none (for a directory of that name: `./-`)"));
    }
    let failed = |path: &Path, source| CommandError::Write { path: path.to_owned(), source };
    fs::create_dir_all(directory).map_err(|e| failed(directory, e))?;
    let mut entries = fs::read_dir(directory).map_err(|source| CommandError::Read { path: directory.clone(), source })?;
    if entries.next().is_some() {
        return Err(CommandError::usage(format!("`{}` is not empty; nothing was written", directory.display())));
    }
    for (name, text) in FILES {
        let path = directory.join(name);
        fs::write(&path, text).map_err(|e| failed(&path, e))?;
        output.result(&format!("{}\n", path.display()))?;
    }
    let shown = directory.display();
    output.progress(&format!(
        "try:  bailiwick test {shown}\n      bailiwick eval {shown} --agent bookkeeper --calls {shown}/calls.jsonl"
    ));
    Ok(Exit::Yes)
}
