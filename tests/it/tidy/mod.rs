//! The house rules that a machine can check: headers, import order, budgets, codes and their pages.

mod rust_text;

use rust_text::{functions, uncommented};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms in the order of src/lib.rs: an import may only point up.
const ROOMS: &[&str] = &[
    "source", "diag", "digest", "domain", "syntax", "policy", "check", "overlay", "lint", "table", "call", "eval", "diff",
    "surface", "explain", "import", "suite", "driver",
];

/// Where a panic would be a hole: the rooms that run inside the host's process.
const RUN_SIDE: &[&str] = &["digest", "domain", "table", "call", "eval", "surface", "explain", "diff"];

const FILE_LINES: usize = 700;
const FUNCTION_LINES: usize = 80;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every `.rs` file below the directories, by path, relative to the root.
fn rust_files(directories: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for directory in directories {
        collect(&root().join(directory), &mut found);
    }
    found.sort();
    found
}

fn collect(directory: &Path, found: &mut Vec<(PathBuf, String)>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries {
        let path = entry.expect("a directory entry").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path).expect("a source file is UTF-8");
            found.push((path.strip_prefix(root()).expect("below the root").to_owned(), text));
        }
    }
}

fn is_test(path: &Path) -> bool {
    path.iter().any(|part| {
        let part = part.to_string_lossy();
        part == "tests" || part == "laws" || part == "tests.rs" || part.ends_with("_tests.rs") || part == "benches"
    })
}

/// `src/domain/set.rs` → `domain`.
fn room(path: &Path) -> Option<String> {
    let part = path.strip_prefix("src").ok()?.iter().next()?;
    Some(part.to_string_lossy().trim_end_matches(".rs").to_owned())
}

fn report(kind: &str, faults: &[String]) {
    assert!(faults.is_empty(), "{kind}:\n  {}", faults.join("\n  "));
}

#[test]
fn every_file_says_what_it_is() {
    let files = rust_files(&["src", "cli", "reference", "tests", "benches"]);
    let bare = files.iter().filter(|(path, text)| !text.starts_with("//!") && !path.starts_with("benches/peers"));
    let faults: Vec<String> = bare.map(|(path, _)| path.display().to_string()).collect();
    report("these files do not open with `//!`", &faults);
}

#[test]
fn imports_point_up() {
    let mut faults = Vec::new();
    for (path, text) in rust_files(&["src"]) {
        let Some(own) = room(&path).and_then(|r| ROOMS.iter().position(|x| *x == r)) else { continue };
        if is_test(&path) {
            continue;
        }
        let text = uncommented(&text);
        let product = text.split("#[cfg(test)]").next().unwrap_or(&text);
        for (at, other) in ROOMS.iter().enumerate().skip(own + 1) {
            if product.contains(&format!("crate::{other}::")) || product.contains(&format!("crate::{other};")) {
                faults.push(format!(
                    "{}: `{}` imports `{other}`, which stands {} below",
                    path.display(),
                    ROOMS[own],
                    at - own
                ));
            }
        }
    }
    report("an import may only point up", &faults);
}

#[test]
fn rooms_are_declared_in_order() {
    let text = fs::read_to_string(root().join("src/lib.rs")).expect("src/lib.rs");
    let declared: Vec<usize> = text
        .lines()
        .filter_map(|l| l.trim().strip_prefix("pub mod ")?.strip_suffix(';'))
        .map(|name| {
            ROOMS.iter().position(|r| *r == name).unwrap_or_else(|| panic!("`{name}` is no room of the import table"))
        })
        .collect();
    assert!(declared.is_sorted(), "src/lib.rs lists the rooms in the order of the import table");
}

#[test]
fn files_and_functions_keep_their_budgets() {
    let mut faults = Vec::new();
    for (path, text) in rust_files(&["src", "cli/src", "reference/src"]) {
        if is_test(&path) {
            continue;
        }
        let lines = text.lines().count();
        if lines > FILE_LINES {
            faults.push(format!("{}: {lines} lines, at most {FILE_LINES}", path.display()));
        }
        for function in functions(&text) {
            if function.lines > FUNCTION_LINES {
                let (name, line, lines) = (&function.name, function.line, function.lines);
                faults.push(format!("{}:{line}: `{name}` has {lines} lines, at most {FUNCTION_LINES}", path.display()));
            }
        }
    }
    report("over budget", &faults);
}

#[test]
fn the_run_side_cannot_panic() {
    let mut faults = Vec::new();
    for (path, text) in rust_files(&["src"]) {
        let runs = room(&path).is_some_and(|r| RUN_SIDE.contains(&r.as_str()));
        if !runs || is_test(&path) || path.ends_with("table/build.rs") || path.starts_with("src/table/build") {
            continue;
        }
        let text = uncommented(&text);
        let product = text.split("#[cfg(test)]").next().unwrap_or(&text);
        for (number, line) in product.lines().enumerate() {
            for word in [".unwrap()", ".expect(", "panic!(", "unreachable!(", "assert!("] {
                if line.contains(word) && !line.contains("debug_assert!(") {
                    faults.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
                }
            }
        }
    }
    report("the run side must not be able to panic", &faults);
}

#[test]
fn no_room_for_odds_and_ends() {
    let odd = ["utils", "util", "helpers", "helper", "common", "misc"];
    let files = rust_files(&["src", "cli", "reference"]);
    let faults: Vec<String> = files
        .iter()
        .filter(|(path, _)| path.iter().any(|p| odd.contains(&p.to_string_lossy().trim_end_matches(".rs"))))
        .map(|(path, _)| path.display().to_string())
        .collect();
    report("a file is named for what it turns into what", &faults);
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let mut faults = Vec::new();
    for code in bailiwick::diag::all_codes() {
        let heading = code.page().lines().next().unwrap_or("");
        if !heading.starts_with(&format!("# {}", code.id())) {
            faults.push(format!("docs/errors/{}.md does not open with `# {}`", code.id(), code.id()));
        }
    }
    for entry in fs::read_dir(root().join("docs/errors")).expect("docs/errors") {
        let name = entry.expect("a directory entry").file_name().to_string_lossy().into_owned();
        let id = name.trim_end_matches(".md");
        if bailiwick::diag::find_code(id).is_none() {
            faults.push(format!("docs/errors/{name} belongs to no code"));
        }
    }
    report("codes and pages", &faults);
}

/// Codes that no single text under tests/ui can provoke, and where they are tested.
const TESTED_ELSEWHERE: &[(&str, &str)] = &[
    ("E0008", "a file of more than ten megabytes: tests/it/hostile.rs"),
    ("E0009", "nesting that a program writes: tests/it/hostile.rs"),
    ("E0290", "imports are read by the driver: src/driver/tests.rs"),
    ("W0105", "said only where clamping is asked for: tests/it/proof.rs"),
];

#[test]
fn every_page_has_substance() {
    let mut faults = Vec::new();
    for code in bailiwick::diag::all_codes() {
        let body: Vec<&str> = code.page().lines().skip(1).filter(|line| !line.trim().is_empty()).collect();
        if body.len() < 5 {
            faults.push(format!("docs/errors/{}.md says little: {} lines", code.id(), body.len()));
        }
        if !body.iter().any(|line| line.starts_with("```") || line.starts_with("    ")) {
            faults.push(format!("docs/errors/{}.md has no example", code.id()));
        }
    }
    report("pages", &faults);
}

#[test]
fn every_code_is_provoked_by_a_test() {
    let mut marks = String::new();
    for room in ["syntax", "check", "overlay", "lint", "admit"] {
        for entry in fs::read_dir(root().join("tests/ui").join(room)).expect("a room's files") {
            let text = fs::read_to_string(entry.expect("a directory entry").path()).expect("a policy is UTF-8");
            marks.extend(text.split("//~").skip(1).filter_map(|mark| mark.lines().next()).map(|mark| format!("{mark}\n")));
        }
    }
    let mut faults = Vec::new();
    for id in bailiwick::diag::all_codes().map(|code| code.id()) {
        let elsewhere = TESTED_ELSEWHERE.iter().any(|(code, _)| *code == id);
        match (marks.contains(id), elsewhere) {
            (false, false) => faults.push(format!("{id}: no text under tests/ui provokes it")),
            (true, true) => faults.push(format!("{id}: tested under tests/ui after all")),
            (true, false) | (false, true) => {}
        }
    }
    for (id, place) in TESTED_ELSEWHERE {
        let path = place.rsplit(' ').next().unwrap_or(place);
        let text = fs::read_to_string(root().join(path)).unwrap_or_default();
        if !text.contains(&format!("\"{id}\"")) {
            faults.push(format!("{id}: {path} does not speak of it"));
        }
    }
    report("codes and tests", &faults);
}

#[test]
fn codes_are_sorted_and_their_slugs_distinct() {
    let ids: Vec<&str> = bailiwick::diag::all_codes().map(|c| c.id()).collect();
    assert!(ids.is_sorted_by(|a, b| a < b), "src/diag/codes.rs is sorted by id: {ids:?}");
    let mut slugs: Vec<&str> = bailiwick::diag::all_codes().map(|c| c.slug()).collect();
    slugs.sort_unstable();
    assert!(slugs.is_sorted_by(|a, b| a < b), "two codes share a slug: {slugs:?}");
}
