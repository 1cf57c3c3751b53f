//! Every policy that the documents and the cases show is read whole, without a finding.

use bailiwick::diag::Sink;
use bailiwick::source::Sources;
use bailiwick::syntax::{self, ast};
use std::path::Path;

/// The findings, one line each, and the tree.
fn read(name: &str, text: &str) -> (ast::File, Vec<String>) {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let mut sink = Sink::default();
    let ast = syntax::parse(&sources, file, &mut sink);
    let found = sink.into_sorted();
    let line = |d: &bailiwick::diag::Diagnostic| {
        let at = d.location(&sources);
        format!("{name}:{}:{}: {:?} {}", at.line, at.column, d.code, d.message)
    };
    (ast, found.iter().map(line).collect())
}

fn policies(below: &Path, found: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(below) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            policies(&path, found);
        } else if path.extension().is_some_and(|e| e == "bwk") {
            found.push(path);
        }
    }
    found.sort();
}

#[test]
fn shipped_policies_are_read_whole() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for directory in ["stdlib-policies", "examples", "tests/conformance", "tests/policies"] {
        policies(&root.join(directory), &mut paths);
    }
    assert!(!paths.is_empty());
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a policy is UTF-8");
        let (ast, found) = read(&path.display().to_string(), &text);
        assert!(found.is_empty(), "{found:#?}");
        assert!(ast.broken.is_empty() && !ast.items.is_empty(), "{}", path.display());
    }
}
