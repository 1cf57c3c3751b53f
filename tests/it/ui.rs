//! What people are told: each file under tests/ui/<room>/ is one policy with the findings it must give, no more and no less.
//!
//! `//~ E0104 [fix] =` on a line: there is a finding E0104 on this line, on the token `=`, with a fix; without `[fix]`, without
//! one. `//~^` speaks of the line above, `//~^^` of the one above that. Where every finding has a fix, all of them applied give
//! a text without findings. A file without marks has no findings.

use bailiwick::check::check;
use bailiwick::diag::{Diagnostic, Edit, Sink};
use bailiwick::driver::{self, Input, NoImports, Options, admit, compile};
use bailiwick::lint::Levels;
use bailiwick::overlay;
use bailiwick::source::{FileId, Sources};
use bailiwick::syntax;
use std::fs;
use std::path::{Path, PathBuf};

/// What the room says about one file.
fn findings(room: &str, sources: &Sources, file: FileId) -> Vec<Diagnostic> {
    let mut sink = Sink::default();
    match room {
        "syntax" => {
            syntax::parse(sources, file, &mut sink);
        }
        "check" => {
            let parsed = syntax::parse(sources, file, &mut sink);
            let _ = check(sources, &[parsed], &mut sink);
        }
        "overlay" => {
            let parsed = syntax::parse(sources, file, &mut sink);
            if let Some(policy) = check(sources, &[parsed], &mut sink) {
                let _ = overlay::verify(policy, &overlay::Options::default(), &mut sink);
            }
        }
        "lint" => {
            let text = sources.get(file).map(|source| source.text.to_string()).unwrap_or_default();
            let name = sources.get(file).map(|source| source.name.to_string()).unwrap_or_default();
            let input = Input { identity: name.clone(), name, text };
            return driver::lint(vec![input], &mut NoImports, &Levels::default()).found;
        }
        "admit" => return admitted(sources, file),
        other => panic!("tests/ui/{other}: no such room"),
    }
    sink.into_sorted()
}

/// What is said of a text that is admitted by itself to a table with a bank.
fn admitted(sources: &Sources, file: FileId) -> Vec<Diagnostic> {
    let bank = "vocabulary bank { tool send_money { mutates; to: text; amount: decimal }\ntool balance { reads } }\n\
                agent payer { use bank { tools balance, send_money } }";
    let input = |text: &str| Input { name: "text".to_owned(), identity: "text".to_owned(), text: text.to_owned() };
    let table = compile(vec![input(bank)], &mut NoImports, &Options::default()).table.expect("it compiles");
    let text = sources.get(file).map_or("", |source| &source.text);
    let mut found = admit(&table, &input(text), &Options::default()).expect("a basis").found;
    // The table's own file is the first there.
    found.iter_mut().for_each(|finding| finding.primary.span.file = file);
    found
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Expected {
    line: usize,
    code: String,
    fix: bool,
    /// Empty: not said.
    token: String,
}

/// The marks of a text, its lines counted from 1.
fn expected(text: &str) -> Vec<Expected> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for mark in line.split("//~").skip(1) {
            let up = mark.chars().take_while(|c| *c == '^').count();
            let mark = mark.trim_start_matches('^').trim();
            let (code, rest) = mark.split_once(' ').unwrap_or((mark, ""));
            let (fix, token) = match rest.trim().strip_prefix("[fix]") {
                Some(token) => (true, token),
                None => (false, rest),
            };
            found.push(Expected { line: number + 1 - up, code: code.to_owned(), fix, token: token.trim().to_owned() });
        }
    }
    found.sort();
    found
}

/// The text with the machine-applicable fixes of all findings made.
fn mended(text: &str, found: &[Diagnostic]) -> String {
    let fixes = found.iter().filter_map(|d| d.fixes.iter().find(|f| f.machine_applicable));
    let mut edits: Vec<&Edit> = fixes.flat_map(|f| &f.edits).collect();
    edits.sort();
    edits.dedup();
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.span.range(), &edit.replacement);
    }
    text
}

fn check_file(room: &str, path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a policy is UTF-8");
    let mut sources = Sources::default();
    let file = sources.add(path.display().to_string(), text.as_str());
    let found = findings(room, &sources, file);
    let mut want = expected(&text);
    let mut faults = Vec::new();
    for finding in &found {
        let line = finding.location(&sources).line as usize;
        let token = sources.text(finding.primary.span);
        let fix = finding.fixes.iter().any(|f| f.machine_applicable);
        let met = want.iter().position(|w| {
            w.line == line && w.code == finding.code.id() && w.fix == fix && (w.token.is_empty() || w.token == token)
        });
        match met {
            Some(at) => drop(want.remove(at)),
            None => faults.push(format!(
                "{}:{line}: not expected: {} on `{token}` (fix: {fix}): {}",
                path.display(),
                finding.code.id(),
                finding.message
            )),
        }
    }
    faults.extend(want.iter().map(|w| format!("{}:{}: not found: {w:?}", path.display(), w.line)));
    if !found.is_empty() && found.iter().all(|d| d.fixes.iter().any(|f| f.machine_applicable)) {
        let text = mended(&text, &found);
        let mut sources = Sources::default();
        let file = sources.add("mended", text.as_str());
        let left = findings(room, &sources, file);
        if !left.is_empty() {
            let left: Vec<&str> = left.iter().map(|d| d.message.as_str()).collect();
            faults.push(format!("{}: the fixes applied leave {left:?} in\n{text}", path.display()));
        }
    }
    faults
}

fn check_room(room: &str) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui").join(room);
    let mut paths: Vec<PathBuf> = fs::read_dir(&directory).expect("a room's files").flatten().map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "bwk"));
    paths.sort();
    assert!(!paths.is_empty());
    let faults: Vec<String> = paths.iter().flat_map(|path| check_file(room, path)).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn syntax() {
    check_room("syntax");
}

#[test]
fn checked() {
    check_room("check");
}

#[test]
fn proved() {
    check_room("overlay");
}

#[test]
fn linted() {
    check_room("lint");
}

#[test]
fn admitted_alone() {
    check_room("admit");
}
