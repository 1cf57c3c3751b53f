//! One mistake, one error: slips made in policies that are right, what is found, and what the offered fixes leave.

mod kinds;
mod mutants;

use bailiwick::diag::{Edit, Severity};
use bailiwick::driver::{Built, Input, NoImports, Options, compile};
use std::path::{Path, PathBuf};

/// An error of a text.
#[derive(Clone, Debug)]
struct Found {
    code: &'static str,
    token: String,
    line: u32,
    message: String,
    fixable: bool,
}

fn built(text: &str) -> Built {
    let input = Input { name: "mutant.bwk".into(), identity: "mutant.bwk".into(), text: text.to_owned() };
    compile(vec![input], &mut NoImports, &Options::default())
}

fn errors(text: &str) -> Vec<Found> {
    let built = built(text);
    let errors = built.found.iter().filter(|d| d.severity == Severity::Error);
    errors
        .map(|d| Found {
            code: d.code.id(),
            token: built.sources.text(d.primary.span).to_owned(),
            line: d.location(&built.sources).line,
            message: d.message.clone(),
            fixable: d.fixes.iter().any(|f| f.machine_applicable),
        })
        .collect()
}

/// The errors left when the fixes that need no judgement are made; `None` where there are none.
fn errors_after_fixes(text: &str) -> Option<Vec<Found>> {
    let built = built(text);
    let errors = built.found.iter().filter(|d| d.severity == Severity::Error);
    let fixes = errors.filter_map(|d| d.fixes.iter().find(|f| f.machine_applicable));
    let mut edits: Vec<&Edit> = fixes.flat_map(|f| &f.edits).collect();
    if edits.is_empty() {
        return None;
    }
    edits.sort();
    edits.dedup();
    let mut mended = text.to_owned();
    for edit in edits.iter().rev() {
        mended.replace_range(edit.span.range(), &edit.replacement);
    }
    Some(self::errors(&mended))
}

/// The shipped policies, and one that uses every rule of the grammar; each without errors.
fn policies() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for directory in ["stdlib-policies", "examples", "tests/policies/slips"] {
        policies_below(&root.join(directory), &mut paths);
    }
    // One that is shipped to show an error.
    paths.retain(|path| !path.ends_with("widening/policy.bwk"));
    let text = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a policy");
        assert!(errors(&text).is_empty(), "{}: {:?}", path.display(), errors(&text));
        (path.display().to_string(), text)
    };
    paths.into_iter().map(text).collect()
}

/// Every policy below a directory, in order.
fn policies_below(below: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(below) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            policies_below(&path, found);
        } else if path.extension().is_some_and(|e| e == "bwk") {
            found.push(path);
        }
    }
    found.sort();
}
