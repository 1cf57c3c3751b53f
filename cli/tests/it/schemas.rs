//! Every JSON document that the binary prints is what its schema in docs/schemas/ says, and the schemas say no to others.

use crate::{root, run, run_in};
use serde_json::{Value, json};
use std::fs;

/// The schema, with references to its neighbours replaced by what they refer to.
fn schema(name: &str) -> Value {
    let path = root().join(format!("docs/schemas/{name}.schema.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
    resolve(&mut schema);
    schema
}

fn resolve(node: &mut Value) {
    let neighbour = node["$ref"].as_str().and_then(|r| r.strip_suffix(".schema.json")).map(str::to_owned);
    match (neighbour, node) {
        (Some(name), node) => *node = schema(&name),
        (None, Value::Object(members)) => members.values_mut().for_each(resolve),
        (None, Value::Array(items)) => items.iter_mut().for_each(resolve),
        (None, _) => {}
    }
}

/// Each line is a document of the schema; gives how many there are.
pub fn check_documents(name: &str, text: &str) -> usize {
    let validator = jsonschema::validator_for(&schema(name)).expect("a schema");
    let mut faults = Vec::new();
    for line in text.lines() {
        let document: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{name}: {e} in {line}"));
        faults.extend(validator.iter_errors(&document).map(|e| format!("{} at {}: {line}", e, e.instance_path())));
    }
    assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n"));
    text.lines().count()
}

const QUICKSTART: &[&str] = &["examples/quickstart", "--agent", "tmux_operator", "--overlay", "acme", "--format", "json"];

fn quickstart(verb: &str, more: &[&str]) -> String {
    run(&[&[verb], QUICKSTART, more].concat()).out
}

#[test]
fn decisions() {
    let calls = ["--calls", "examples/quickstart/calls.jsonl"];
    assert_eq!(check_documents("decision", &quickstart("eval", &calls)), 6);
    assert_eq!(check_documents("decision", &quickstart("eval", &[&calls[..], &["--explain"]].concat())), 6);
}

/// Every state, every provider, every reason of the portable cases.
#[test]
fn decisions_of_the_conformance_cases() {
    let mut seen = std::collections::BTreeSet::new();
    for suite in ["terminal", "reports", "providers"] {
        let text = fs::read_to_string(root().join(format!("tests/conformance/{suite}.json"))).expect("a suite");
        let suite: Value = serde_json::from_str(&text).expect("JSON");
        let decided = suite["cases"].as_array().expect("cases").iter().filter(|c| c["call"].is_object());
        for case in decided.filter(|c| c["on_widen"].is_null() && c["bindings"].is_null()) {
            let out = decide_case(&suite["policies"], case);
            assert_eq!(check_documents("decision", &out), 1, "{}", case["id"]);
            let decision: Value = serde_json::from_str(&out).expect("JSON");
            seen.insert(decision["admission_status"].as_str().expect("a state").to_owned());
        }
    }
    assert_eq!(seen.len(), 7, "not every state occurs: {seen:?}");
}

fn decide_case(policies: &Value, case: &Value) -> String {
    let place = tempfile::tempdir().expect("a directory");
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    for name in case["files"].as_array().expect("files").iter().map(text) {
        let lines: Vec<String> = policies[&name].as_array().expect("a policy").iter().map(text).collect();
        fs::write(place.path().join(format!("{name}.bwk")), lines.join("\n") + "\n").expect("writable");
    }
    let arguments = case["call"]["raw"].as_str().map_or_else(|| case["call"]["arguments"].to_string(), str::to_owned);
    let facts = if case["facts"].is_null() { json!({}) } else { case["facts"].clone() };
    let call = format!(
        "{{\"id\":{},\"connector\":{},\"tool\":{},\"facts\":{facts},\"arguments\":{arguments}}}\n",
        case["id"], case["call"]["connector"], case["call"]["tool"]
    );
    let agent = text(&case["agent"]);
    let overlays: Vec<String> = case["overlays"].as_array().map_or_else(Vec::new, |all| all.iter().map(text).collect());
    let mut arguments = vec!["eval", ".", "--agent", &agent, "--calls", "-", "--format", "json", "--explain"];
    overlays.iter().for_each(|o| arguments.extend(["--overlay", o]));
    let run = run_in(place.path(), &arguments, &call);
    assert!(run.code < 2, "{}: {}", case["id"], run.err);
    run.out
}

#[test]
fn proofs() {
    assert_eq!(check_documents("verify", &run(&["verify", "examples/quickstart", "--format", "json"]).out), 1);
    let widening = run(&["verify", "examples/widening", "--format", "json"]);
    assert_eq!(widening.code, 3);
    assert_eq!(check_documents("verify", &widening.out), 1);
    let place = tempfile::tempdir().expect("a directory");
    let policy = "vocabulary v { limit l: set of text; limit m: set of text; tool t { x: text limited by l } }\n\
                  agent a { use v { tools t; l = { \"a\" }; m = { \"a\" } } }\n\
                  overlay o on a { v { l = { \"b\" }; m = { \"b\" } } }\n";
    fs::write(place.path().join("a.bwk"), policy).expect("writable");
    let run = run_in(place.path(), &["verify", "a.bwk", "--format", "json"], "");
    assert_eq!((run.code, check_documents("verify", &run.out)), (3, 1), "{}", run.err);
}

/// Every finding that the UI tests provoke.
#[test]
fn findings() {
    for room in ["syntax", "check", "overlay"] {
        let directory = format!("tests/ui/{room}");
        assert_eq!(check_documents("diagnostics", &run(&["check", &directory, "--format", "json"]).out), 1);
    }
    for policy in ["examples/widening", "examples/quickstart"] {
        assert_eq!(check_documents("diagnostics", &run(&["check", policy, "--format", "json"]).out), 1);
    }
}

#[test]
fn tests_of_a_policy() {
    for policy in ["examples/quickstart", "stdlib-policies/process"] {
        assert_eq!(check_documents("test", &run(&["test", policy, "--format", "json"]).out), 1);
    }
    let place = tempfile::tempdir().expect("a directory");
    let policy = "vocabulary v { tool t { reads } }\nagent a { use v { tools t } }\ntest a { v.t() is Hidden }\n";
    fs::write(place.path().join("a.bwk"), policy).expect("writable");
    let failing = run_in(place.path(), &["test", "a.bwk", "--format", "json"], "");
    assert_eq!((failing.code, check_documents("test", &failing.out)), (1, 1), "{}", failing.err);
}

#[test]
fn tables() {
    assert_eq!(check_documents("table", &quickstart("table", &[])), 1);
    let table = run(&["table", "examples/quickstart", "--agent", "bill_payer", "--format", "json"]);
    assert_eq!(check_documents("table", &table.out), 1, "{}", table.err);
}

#[test]
fn whys() {
    let calls = fs::read_to_string(root().join("examples/quickstart/calls.jsonl")).expect("calls");
    for call in calls.lines() {
        assert_eq!(check_documents("why", &quickstart("why", &["--call", call])), 1, "{call}");
    }
    let pay = r#"{"connector":"bank","tool":"send_money","arguments":{"recipient":"x","amount":1}}"#;
    let why = run(&["why", "examples/quickstart", "--agent", "bill_payer", "--call", pay, "--format", "json"]);
    assert_eq!(check_documents("why", &why.out), 1, "{}", why.err);
}

#[test]
fn certificates() {
    let place = tempfile::tempdir().expect("a directory");
    let out = place.path().join("proof.json").display().to_string();
    for policy in ["examples/quickstart", "stdlib-policies/terminal", "stdlib-policies/web"] {
        let verify = run(&["verify", policy, "--certificate", &out]);
        assert_eq!(verify.code, 0, "{}", verify.err);
        let written = fs::read_to_string(&out).expect("a certificate");
        assert_eq!(check_documents("certificate", &written), 1);
        let replayed = run(&["verify", policy, "--check-certificate", &out, "--format", "json"]);
        assert_eq!((replayed.code, check_documents("verify", &replayed.out)), (0, 1), "{}", replayed.err);
        fs::write(&out, written.replacen("\"row\":0", "\"row\":1", 1)).expect("writable");
        let tampered = run(&["verify", policy, "--check-certificate", &out]);
        assert!(tampered.code == 2 && tampered.err.contains("certificate"), "{}", tampered.err);
    }
    let none = run(&["verify", "examples/widening", "--certificate", &format!("{out}.no")]);
    assert!(none.code == 3 && !std::path::Path::new(&format!("{out}.no")).exists(), "{}", none.err);
}

#[test]
fn comparisons() {
    let place = tempfile::tempdir().expect("a directory");
    let policy = |rows: &str| {
        format!(
            "vocabulary v {{ tool t {{ reads when op in {{ get }}; mutates when op in {{ put }}; op: {{ get, put }} }}\n\
             tool u {{ reads; n: decimal }} }}\nagent a {{ use v {{ {rows} }} }}\n"
        )
    };
    fs::write(place.path().join("old.bwk"), policy("allow u { n <= 1 } with approval")).expect("writable");
    fs::write(place.path().join("new.bwk"), policy("tools t; allow u { n <= 1 }")).expect("writable");
    for (old, new, code) in [("old.bwk", "new.bwk", 3), ("new.bwk", "old.bwk", 1), ("old.bwk", "old.bwk", 0)] {
        let diff = run_in(place.path(), &["diff", old, new, "--format", "json"], "");
        assert_eq!((diff.code, check_documents("diff", &diff.out)), (code, 1), "{}", diff.err);
    }
}

#[test]
fn compiled_tables() {
    let place = tempfile::tempdir().expect("a directory");
    let out = place.path().join("a.bwt").display().to_string();
    let compile = run(&["compile", "examples/quickstart", "-o", &out, "--format", "json"]);
    assert_eq!(check_documents("compile", &compile.out), 1, "{}", compile.err);
}

/// A schema that says yes to everything would pass all of the above.
#[test]
fn schemas_are_closed_and_arguments_belong_to_ready() {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("docs/schemas")).expect("docs/schemas") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        names.push(name.trim_end_matches(".schema.json").to_owned());
    }
    names.sort();
    assert_eq!(
        names,
        ["certificate", "compile", "decision", "diagnostics", "diff", "drift", "log", "table", "test", "verify", "why"]
    );
    for name in &names {
        let validator = jsonschema::validator_for(&schema(name)).expect("a schema");
        assert!(!validator.is_valid(&json!({ "format": 1 })), "{name} requires nothing");
        assert_eq!(schema(name)["additionalProperties"], false, "{name} is open");
    }
    let decision = jsonschema::validator_for(&schema("decision")).expect("a schema");
    let lines = quickstart("eval", &["--calls", "examples/quickstart/calls.jsonl"]);
    for line in lines.lines() {
        let mut turned: Value = serde_json::from_str(line).expect("JSON");
        assert!(decision.is_valid(&turned));
        match turned["admission_status"] == "Ready" {
            true => drop(turned.as_object_mut().expect("an object").remove("arguments")),
            false => turned["arguments"] = json!({}),
        }
        assert!(!decision.is_valid(&turned), "{turned}");
    }
}
