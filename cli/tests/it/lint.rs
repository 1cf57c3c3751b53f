//! `lint` as pipelines see it: levels, formats, baseline, fixes, and the script that every pipeline runs.

use crate::{root, run, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Two lints (a `let` that nothing uses, with a fix; effects that nobody declares), and otherwise clean.
const POLICY: &str = "\
language 1

let unused: text = { \"a\" }

vocabulary v {
    /// Pays.
    tool pay { amount: int }
}

agent a {
    describe \"Pays.\"
    use v { allow pay { amount <= 5 } }
}

test a {
    v.pay(amount: 5) is Ready
}
";

fn place(files: &[(&str, &str)]) -> TempDir {
    let place = tempfile::tempdir().expect("a directory");
    files.iter().for_each(|(name, text)| fs::write(place.path().join(name), text).expect("writable"));
    place
}

fn codes(out: &str) -> Vec<&str> {
    out.lines().filter_map(|line| line.split('[').nth(1)?.split(']').next()).collect()
}

#[test]
fn levels_come_from_the_file_the_project_and_the_run() {
    let place = place(&[("p.bwk", POLICY)]);
    let lint = |more: &[&str]| run_in(place.path(), &[&["lint", "p.bwk", "--format", "short"], more].concat(), "");
    let plain = lint(&[]);
    assert_eq!((plain.code, codes(&plain.out)), (0, vec!["W0300", "W0212"]), "{}", plain.out);
    let denied = lint(&["-D", "warnings", "-A", "unused-declaration"]);
    assert_eq!((denied.code, codes(&denied.out)), (1, vec!["W0212"]), "{}", denied.out);
    assert!(denied.out.contains("error[W0212]"), "{}", denied.out);
    fs::write(place.path().join("bailiwick.toml"), "[lints]\nW0212 = \"deny\"\n").expect("writable");
    assert_eq!(lint(&[]).code, 1);
    assert_eq!(lint(&["-W", "undeclared-effects"]).code, 0, "the run beats the project");
    let reasoned = POLICY.replace("    /// Pays.", "    // lint: allow undeclared-effects: nobody knows\n    /// Pays.");
    fs::write(place.path().join("p.bwk"), reasoned).expect("writable");
    let allowed = lint(&["-D", "undeclared-effects", "-A", "unused-declaration"]);
    assert!(allowed.code == 0 && allowed.out.is_empty(), "the reason beats the run: {}", allowed.out);
}

#[test]
fn an_unknown_rule_is_a_usage_error_with_its_neighbour() {
    let place = place(&[("p.bwk", POLICY)]);
    let run = run_in(place.path(), &["lint", "p.bwk", "-D", "unused-declaratio"], "");
    assert!(run.code == 2 && run.err.contains("did you mean `unused-declaration`"), "{}", run.err);
    assert!(run_in(place.path(), &["lint", "p.bwk", "-A", "widens"], "").err.contains("always counts"));
    fs::write(place.path().join("bailiwick.toml"), "[lints]\ndead-rows = \"deny\"\n").expect("writable");
    let run = run_in(place.path(), &["lint", "p.bwk"], "");
    assert!(run.code == 2 && run.err.contains("`dead-row`"), "{}", run.err);
}

fn sarif(place: &Path) -> Value {
    let run = run_in(place, &["lint", "p.bwk", "-D", "warnings", "--format", "sarif"], "");
    assert_eq!(run.code, 1, "{}", run.err);
    serde_json::from_str(&run.out).expect("SARIF is written before a failing exit")
}

fn fingerprints(log: &Value) -> Vec<(Value, Value)> {
    let results = log["runs"][0]["results"].as_array().expect("results");
    results.iter().map(|r| (r["ruleId"].clone(), r["partialFingerprints"]["primaryLocationLineHash"].clone())).collect()
}

#[test]
fn sarif_is_of_its_schema_and_fingerprints_stay_when_lines_move() {
    // Two patterns, of members that we do not write, have a bracket too many.
    let text = include_str!("sarif/sarif-schema-2.1.0.json").replace("{2}]?$", "{2}$");
    let schema: Value = serde_json::from_str(&text).expect("the schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let place = place(&[("p.bwk", POLICY)]);
    let log = sarif(place.path());
    let faults: Vec<String> = validator.iter_errors(&log).map(|e| format!("{e} at {}", e.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(!validator.is_valid(&serde_json::json!({ "version": "2.1.0" })), "the schema says no to others");
    let run = &log["runs"][0];
    let help = run["tool"]["driver"]["rules"][0]["helpUri"].as_str().expect("a help URI");
    assert!(help.starts_with("https://") && help.ends_with("W0212.md"), "{help}");
    let fixes: Vec<&Value> = run["results"].as_array().expect("results").iter().filter(|r| !r["fixes"].is_null()).collect();
    assert_eq!(fixes.len(), 1);
    let moved = POLICY.replace("let unused", "// a comment\n\n\nlet   unused").replace("vocabulary", "\n\nvocabulary");
    fs::write(place.path().join("p.bwk"), moved).expect("writable");
    assert_eq!(fingerprints(&log), fingerprints(&sarif(place.path())));
    let other = POLICY.replace("unused", "idle");
    fs::write(place.path().join("p.bwk"), other).expect("writable");
    assert_ne!(fingerprints(&log), fingerprints(&sarif(place.path())));
}

#[test]
fn a_baseline_hides_what_it_knows_and_a_missing_one_hides_nothing() {
    let place = place(&[("p.bwk", POLICY)]);
    let lint =
        || run_in(place.path(), &["lint", "p.bwk", "-D", "warnings", "--format", "short", "--baseline", "known.json"], "");
    let first = lint();
    assert!(first.code == 1 && codes(&first.out).len() == 2 && first.err.contains("wrote 2"), "{}{}", first.out, first.err);
    let second = lint();
    assert!(second.code == 0 && second.out.is_empty(), "{}", second.out);
    let more = POLICY.replace("    /// Pays.\n", "").replace("let unused", "\nlet unused");
    fs::write(place.path().join("p.bwk"), more).expect("writable");
    let third = lint();
    assert_eq!((third.code, codes(&third.out)), (1, vec!["W0301"]), "{}", third.out);
    fs::write(place.path().join("p.bwk"), POLICY.replace("let unused: text = { \"a\" }\n", "")).expect("writable");
    assert!(lint().err.contains("1 of the findings"), "what is gone is told");
    fs::write(place.path().join("p.bwk"), POLICY.replace("amount <= 5", "amoun <= 5")).expect("writable");
    let error = lint();
    assert!(error.code == 1 && codes(&error.out).contains(&"E0204"), "errors are never known: {}", error.out);
    fs::write(place.path().join("known.json"), "{}").expect("writable");
    assert_eq!(lint().code, 2);
}

#[test]
fn fixes_mend_what_they_can_and_change_no_meaning() {
    let stale = "// lint: allow plain-http: it was once\n";
    let policy = format!("{stale}{}", POLICY.replace("amount <= 5 }", "amoun <= 5 }")).replacen("language 1\n", "", 1);
    let place = place(&[("p.bwk", &format!("language 1\n{policy}"))]);
    let fixed = run_in(place.path(), &["lint", "p.bwk", "--fix", "--format", "short"], "");
    let text = fs::read_to_string(place.path().join("p.bwk")).expect("the policy");
    assert!(
        text.contains("amount <= 5") && !text.contains("unused") && !text.contains("plain-http"),
        "{text}\n{}",
        fixed.err
    );
    assert_eq!(codes(&fixed.out), ["W0212"], "{}", fixed.out);
    assert!(fixed.err.contains("3 fixed in 1 file"), "{}", fixed.err);
    let again = run_in(place.path(), &["lint", "p.bwk", "--fix"], "");
    assert!(again.err.contains("0 fixed") && fs::read_to_string(place.path().join("p.bwk")).expect("the policy") == text);
    assert_eq!(fs::read_dir(place.path()).expect("the directory").count(), 1, "nothing is left behind");
    assert_eq!(run_in(place.path(), &["lint", "-", "--fix"], POLICY).code, 2);
}

#[test]
fn a_broken_declaration_leaves_the_rest_its_lints() {
    let broken = format!("{POLICY}\nagent b {{\n    use v {{ allow pay {{ amoun <= 5 }} }}\n}}\nagent c {{ use }}\n");
    let place = place(&[("p.bwk", &broken)]);
    let run = run_in(place.path(), &["lint", "p.bwk", "--format", "short"], "");
    let found = codes(&run.out);
    assert!(run.code == 1 && found.contains(&"E0204") && found.contains(&"W0212"), "{}", run.out);
    assert!(
        !run.out.contains("W0500") && !run.out.contains("W0300"),
        "what hangs on all is not told of a part: {}",
        run.out
    );
    assert_eq!(run.out, run_in(place.path(), &["lint", "p.bwk", "--format", "short"], "").out);
}

#[test]
fn lints_of_imported_texts_are_theirs() {
    let place = place(&[
        ("v.bwk", "vocabulary v { tool pay { amount: int } }\n"),
        ("p.bwk", "import \"./v.bwk\"\nagent a { use v { tools pay } }\n"),
    ]);
    let one = run_in(place.path(), &["lint", "p.bwk", "--format", "short"], "");
    assert!(!one.out.contains("v.bwk"), "{}", one.out);
    assert!(run_in(place.path(), &["lint", ".", "--format", "short"], "").out.contains("v.bwk"));
}

#[test]
fn the_shipped_policies_have_no_lints_and_few_exceptions() {
    let mut exceptions = 0;
    let policies = fs::read_dir(root().join("stdlib-policies")).expect("the library");
    for entry in policies.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()) {
        let run = run(&["lint", &entry.display().to_string(), "-D", "warnings", "--format", "short"]);
        assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
        for file in fs::read_dir(&entry).expect("a policy").flatten() {
            exceptions += fs::read_to_string(file.path()).expect("UTF-8").matches("// lint: allow").count();
        }
    }
    assert!(exceptions <= 10, "{exceptions} exceptions");
}

/// The script, in `directory`, with the binary under test.
fn review(directory: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> (i32, String) {
    let output = Command::new(root().join("ci/review-policies"))
        .args(arguments)
        .envs(environment.iter().copied())
        .env("BAILIWICK", env!("CARGO_BIN_EXE_bailiwick"))
        .current_dir(directory)
        .output()
        .expect("the script starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().expect("no signal"), text)
}

#[test]
fn the_script_lints_tests_and_writes_sarif_before_it_fails() {
    let place = place(&[("p.bwk", POLICY)]);
    let (code, text) = review(place.path(), &["lint", "p.bwk"], &[("BAILIWICK_FORMAT", "github")]);
    assert!(code == 0 && text.contains("::warning file=p.bwk") && text.contains("1 passed"), "{text}");
    let files = [("BAILIWICK_LINT", "-D warnings"), ("BAILIWICK_SARIF", "out.sarif"), ("BAILIWICK_JUNIT", "out.xml")];
    let (code, text) = review(place.path(), &["lint", "p.bwk"], &files);
    assert_eq!(code, 1, "{text}");
    assert!(fs::read_to_string(place.path().join("out.sarif")).expect("SARIF").contains("\"2.1.0\""));
    assert!(fs::read_to_string(place.path().join("out.xml")).expect("JUnit").contains("<testsuite"));
    fs::write(place.path().join("p.bwk"), POLICY.replace("is Ready", "is Hidden")).expect("writable");
    assert_eq!(review(place.path(), &["lint", "p.bwk"], &[]).0, 1, "a failing test fails");
    assert_eq!(review(place.path(), &["fmt", "p.bwk"], &[]).0, 0);
    assert_eq!(review(place.path(), &["nonsense", "p.bwk"], &[]).0, 2);
}

#[test]
fn the_script_compares_with_a_revision() {
    let place = place(&[("p.bwk", POLICY)]);
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false"];
        let status = Command::new("git").args(identity).args(arguments).current_dir(place.path()).output().expect("git");
        assert!(status.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&status.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "base"]);
    let (code, text) = review(place.path(), &["diff", "HEAD", "p.bwk"], &[]);
    assert!(code == 0 && text.contains("**Equal.**"), "{text}");
    fs::write(place.path().join("p.bwk"), POLICY.replace("<= 5", "<= 7")).expect("writable");
    let (code, text) = review(place.path(), &["diff", "HEAD", "p.bwk"], &[]);
    assert!(code == 3 && text.contains("### Newly permitted") && text.contains("{\"amount\":6}"), "{text}");
    assert_eq!(review(place.path(), &["diff", "HEAD", "p.bwk"], &[("BAILIWICK_MAY_WIDEN", "yes")]).0, 0);
    fs::write(place.path().join("new.bwk"), POLICY).expect("writable");
    assert!(review(place.path(), &["diff", "HEAD", "new.bwk"], &[]).1.contains("everything is new"));
}

#[test]
fn what_pipelines_are_given_runs_the_script() {
    for file in ["action.yml", ".pre-commit-hooks.yaml", "ci/gitlab.yml", "docs/ci.md"] {
        let text = fs::read_to_string(root().join(file)).expect("a file");
        assert!(text.contains("review-policies"), "{file}");
    }
}

#[test]
fn the_review_that_is_shown_is_what_diff_says() {
    let diff = run(&["diff", "examples/review/base", "examples/review/branch", "--format", "md"]);
    assert_eq!(diff.code, 3, "{}", diff.err);
    let readme = fs::read_to_string(root().join("examples/review/README.md")).expect("the example");
    assert!(readme.contains(diff.out.trim()), "examples/review/README.md does not show:\n{}", diff.out);
}
