//! The given reports as policies: each means something whole, and each that is meant to fail does, at one token.

use bailiwick::check::check;
use bailiwick::diag::Sink;
use bailiwick::source::Sources;
use std::fs;
use std::path::Path;

/// Code, suggestion and token of every finding on a file.
fn findings(path: &Path) -> Vec<(String, String, String)> {
    let mut sources = Sources::default();
    let text = fs::read_to_string(path).expect("a policy");
    let file = sources.add(path.display().to_string(), text.as_str());
    let mut sink = Sink::default();
    let parsed = bailiwick::syntax::parse(&sources, file, &mut sink);
    let policy = check(&sources, &[parsed], &mut sink);
    let found = sink.into_sorted();
    assert_eq!(policy.is_some(), found.is_empty(), "{}: {found:#?}", path.display());
    found
        .iter()
        .map(|d| {
            let fix = d.fixes.first().and_then(|fix| fix.edits.first()).map(|edit| edit.replacement.clone());
            (d.code.id().to_owned(), fix.unwrap_or_default(), sources.text(d.primary.span).to_owned())
        })
        .collect()
}

#[test]
fn the_reports_check() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policies/cases");
    let mut paths: Vec<_> = fs::read_dir(directory).expect("the cases").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(paths.len() >= 20, "the cases are all there");
    for path in paths {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let wanted = match name.as_str() {
            "K13-5" => vec![("E0204", "amount", "ammount")],
            "K17-1" => vec![("E0204", "commandPrefix", "commandPrefixx")],
            "K17-3" => vec![("E0204", "amount", "amoun")],
            _ => Vec::new(),
        };
        let wanted: Vec<_> = wanted.into_iter().map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned())).collect();
        assert_eq!(findings(&path), wanted, "{name}");
    }
}
