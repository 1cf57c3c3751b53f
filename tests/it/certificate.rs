//! Certificates of the shipped policies: they replay against the table's bytes alone; whatever is moved in them, they do not.

use bailiwick::driver::{Input, NoImports, Options, certificate, compile, replay_certificate};
use bailiwick::table::Table;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The table of a policy, as whoever replays has it: from its bytes.
fn table(path: &Path) -> Table {
    let text = fs::read_to_string(path).expect("a policy");
    let input = Input { name: "policy.bwk".to_owned(), identity: String::new(), text };
    let built = compile(vec![input], &mut NoImports, &Options::default());
    Table::load(&built.table.expect("it compiles").to_bytes().expect("not deep")).expect("a table")
}

fn policies() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let libraries = fs::read_dir(root.join("stdlib-policies")).expect("the library").flatten();
    let mut paths: Vec<PathBuf> = libraries.map(|entry| entry.path().join("example.bwk")).filter(|p| p.exists()).collect();
    paths.extend(["examples/quickstart/policy.bwk", "examples/banking/banking.bwk"].map(|path| root.join(path)));
    paths.sort();
    paths
}

/// A pointer to everything in `value` that is a number, a text or a truth value.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(i, item)| leaves(item, &format!("{at}/{i}"), found)),
        Value::Object(members) => members.iter().for_each(|(name, member)| {
            leaves(member, &format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => found.push(at.to_owned()),
    }
}

/// The value moved by the least that can be.
fn moved(value: &Value) -> Value {
    match value {
        Value::Bool(it) => Value::Bool(!it),
        Value::Number(it) => Value::from(it.as_u64().map_or(1, |it| it + 1)),
        Value::String(it) => Value::from(format!("{it}x")),
        Value::Null | Value::Array(_) | Value::Object(_) => Value::from(7),
    }
}

/// The certificate with every bound moved, every leaf renamed, every step left out, each alone; at most so many of each.
fn mutants(document: &Value, most: usize) -> Vec<Value> {
    let mut found = Vec::new();
    let (mut bounds, mut steps) = (Vec::new(), Vec::new());
    let mut all = Vec::new();
    leaves(document, "", &mut all);
    for pointer in &all {
        if let Some((tree, step)) = pointer.split_once("/proof/") {
            let index: usize = step.split('/').next().and_then(|it| it.parse().ok()).expect("an index");
            steps.push((format!("{tree}/proof"), index));
        }
        bounds.push(pointer.clone());
    }
    steps.dedup();
    for pointer in bounds.iter().step_by((bounds.len() / most).max(1)) {
        let mut mutant = document.clone();
        let value = mutant.pointer_mut(pointer).expect("it was there");
        *value = moved(value);
        found.push(mutant);
    }
    for (tree, index) in steps.iter().step_by((steps.len() / most).max(1)) {
        let mut mutant = document.clone();
        mutant.pointer_mut(tree).and_then(Value::as_array_mut).expect("a tree").remove(*index);
        found.push(mutant);
    }
    found
}

#[test]
fn every_certificate_replays_and_no_mutant_does() {
    let asked: usize = std::env::var("BAILIWICK_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut count = 0;
    for path in policies() {
        let table = table(&path);
        let text = certificate(&table).expect("its overlays are proved");
        let replayed = replay_certificate(&table, text.as_bytes()).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(replayed.iter().all(|verdict| verdict.holds));
        let document: Value = serde_json::from_str(&text).expect("JSON");
        for mutant in mutants(&document, if asked > 0 { 100_000 } else { 40 }) {
            assert!(replay_certificate(&table, mutant.to_string().as_bytes()).is_err(), "{}: {mutant}", path.display());
            count += 1;
        }
    }
    assert!(count > 200, "{count} mutants");
}

#[test]
fn a_certificate_of_another_table_is_refused() {
    let policies = policies();
    let (one, other) = (table(&policies[0]), table(&policies[1]));
    let text = certificate(&one).expect("proved");
    let error = replay_certificate(&other, text.as_bytes()).expect_err("another table's").to_string();
    assert!(error.contains("and this is"), "{error}");
    for wrong in ["", "{}", "[]", &text.replace("\"format\":1", "\"format\":2"), &"[".repeat(9_000)] {
        assert!(replay_certificate(&one, wrong.as_bytes()).is_err());
    }
}
