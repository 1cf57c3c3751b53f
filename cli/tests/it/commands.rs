//! Each command: what it prints where, and its exit code.

use crate::{run, run_in};
use std::fs;

#[test]
fn help_teaches_and_version_names_the_format() {
    let help = run(&["--help"]);
    assert_eq!(help.code, 0);
    assert!(help.out.contains("bailiwick init my-policy"), "{}", help.out);
    let version = run(&["--version"]);
    assert!(version.out.starts_with("bailiwick 0.1.0 (table format BWT1"), "{}", version.out);
    for verb in ["init", "check", "lint", "compile", "eval", "table", "verify", "why", "explain", "test", "fmt"] {
        let help = run(&[verb, "--help"]);
        assert!(help.code == 0 && help.out.contains("Example"), "`{verb} --help` has an example");
    }
}

#[test]
fn usage_errors_exit_2() {
    for arguments in [&["check"][..], &["eval", "x.bwk", "--format", "xml"], &["nonsense"], &["check", "missing.bwk"]] {
        let run = run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.out.is_empty() && !run.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn explain_prints_pages_and_suggests() {
    let page = run(&["explain", "widens"]);
    assert!(page.code == 0 && page.out.starts_with("# E0500"), "{}", page.out);
    assert_eq!(run(&["explain", "e0500"]).out, page.out);
    let unknown = run(&["explain", "wident"]);
    assert!(unknown.code == 2 && unknown.err.contains("`widens`"), "{}", unknown.err);
}

#[test]
fn completions_are_scripts() {
    let script = run(&["completions", "bash"]);
    assert!(script.code == 0 && script.out.contains("_bailiwick"), "{}", script.out);
}

#[test]
fn init_makes_a_policy_that_passes_and_refuses_a_full_directory() {
    let place = tempfile::tempdir().expect("a directory");
    let made = run_in(place.path(), &["init", "new"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    for arguments in [&["check", "new"][..], &["test", "new"], &["fmt", "new", "--check"], &["verify", "new"]] {
        let run = run_in(place.path(), arguments, "");
        assert_eq!(run.code, 0, "{arguments:?}: {}{}", run.out, run.err);
    }
    let again = run_in(place.path(), &["init", "new"], "");
    assert!(again.code == 2 && again.err.contains("not empty"), "{}", again.err);
    let calls = run_in(place.path(), &["eval", "new", "--calls", "new/calls.jsonl"], "");
    let states: Vec<&str> = calls.out.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert_eq!(states, ["Ready", "Ready", "PolicyBlocked", "Malformed"], "{}", calls.out);
    assert_eq!(calls.code, 1);
}

#[test]
fn check_reports_on_stdout_in_every_format() {
    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("a.bwk"), "import std.terminl\n").expect("writable");
    for (format, start) in
        [("short", "a.bwk:1:8: error[E0290]"), ("github", "::error file=a.bwk"), ("json", "{"), ("sarif", "{")]
    {
        let run = run_in(place.path(), &["check", "a.bwk", "--format", format], "");
        assert_eq!(run.code, 1, "{format}: {}", run.err);
        assert!(run.out.starts_with(start), "{format}: {}", run.out);
    }
    let human = run_in(place.path(), &["check", "a.bwk"], "");
    assert!(human.out.contains("did you mean `std.terminal`?"), "{}", human.out);
    assert!(!human.out.contains('\u{1b}'), "no colours without a terminal");
    let colored = run_in(place.path(), &["check", "a.bwk", "--color", "always"], "");
    assert!(colored.out.contains('\u{1b}'), "colours when asked for");
}

#[test]
fn the_witness_of_a_widening_is_permitted_by_its_overlay_alone() {
    let verified = run(&["verify", "examples/widening", "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&verified.out).expect("JSON");
    let widened = answer["overlays"].as_array().expect("overlays").iter().find(|o| o["holds"] == false).expect("one");
    let clause = &widened["widens"][0];
    let call =
        serde_json::json!({ "connector": clause["connector"], "tool": clause["tool"], "arguments": clause["witness"] });
    let directory = tempfile::tempdir().expect("a directory");
    let calls = directory.path().join("calls.jsonl");
    std::fs::write(&calls, call.to_string()).expect("written");
    let calls = calls.display().to_string();
    let overlay = widened["name"].as_str().expect("a name");
    let alone = run(&["eval", "examples/widening", "--overlay-alone", overlay, "--calls", &calls]);
    assert_eq!(alone.code, 0, "{}{}", alone.out, alone.err);
    let base = run(&["eval", "examples/quickstart", "--agent", "bill_payer", "--calls", &calls]);
    assert_eq!(base.code, 1, "{}{}", base.out, base.err);
    let unknown = run(&["eval", "examples/widening", "--overlay-alone", "generos", "--calls", &calls]);
    assert!(unknown.code == 2 && unknown.err.contains("did you mean `generous`"), "{}", unknown.err);
}

#[test]
fn diff_answers_in_its_exit_code() {
    let directory = tempfile::tempdir().expect("a directory");
    let policy = std::fs::read_to_string(crate::root().join("examples/quickstart/policy.bwk")).expect("a policy");
    let narrowed = directory.path().join("narrowed.bwk");
    std::fs::write(&narrowed, policy.replace("0.01..500.00", "0.01..400.00")).expect("written");
    let narrowed = narrowed.display().to_string();
    let codes = |arguments: &[&str]| run(&[&["diff"], arguments].concat()).code;
    let old = "examples/quickstart/policy.bwk";
    assert_eq!(codes(&[old, old]), 0);
    assert_eq!(codes(&[old, &narrowed]), 1);
    assert_eq!(codes(&[old, &narrowed, "--narrowing"]), 0);
    assert_eq!(codes(&[&narrowed, old]), 3);
    assert_eq!(codes(&[&narrowed, old, "--narrowing"]), 3);
    assert_eq!(codes(&[old, "missing.bwk"]), 2);
    assert_eq!(codes(&[old, old, "--agent", "nobody"]), 2);
    let told = run(&["diff", &narrowed, old, "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&told.out).expect("JSON");
    assert_eq!((&answer["format"], &answer["verdict"]), (&1.into(), &"wider".into()));
    assert_eq!(answer["changes"][0]["change"], "newly_permitted", "{answer}");
}

const SMALL: &str = "vocabulary bank {
    tool send {
        mutates
        amount: decimal
    }
}

agent payer {
    use bank { allow send { amount <= 9007199254740993.25 } }
}

overlay more on payer {
    bank { allow send { amount <= 9007199254740993.5 } }
}
";

#[test]
fn a_witness_is_printed_exactly_and_verify_never_exits_1() {
    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("a.bwk"), SMALL).expect("writable");
    let run = run_in(place.path(), &["verify", "a.bwk", "--format", "json"], "");
    assert_eq!(run.code, 3, "{}", run.err);
    let witness = run.out.split("\"witness\":").nth(1).expect("a witness");
    assert!(witness.starts_with("{\"amount\":9007199254740993."), "{witness}");
    fs::write(place.path().join("b.bwk"), "agent a { use nothing { tools x } }").expect("writable");
    assert_eq!(run_in(place.path(), &["verify", "b.bwk"], "").code, 2);
}

#[test]
fn the_boundaries_of_the_project_are_in_force_on_standard_input_too() {
    let place = tempfile::tempdir().expect("a directory");
    let policy = SMALL.split("overlay").next().expect("some");
    fs::create_dir(place.path().join("rules")).expect("writable");
    fs::write(place.path().join("rules/b.bwk"), "boundary b { bank { allow send { amount <= 5 } } }").expect("writable");
    fs::write(place.path().join("bailiwick.toml"), "boundaries = [\"rules/b.bwk\"]\n").expect("writable");
    let call = "{\"connector\":\"bank\",\"tool\":\"send\",\"arguments\":{\"amount\":6}}";
    fs::write(place.path().join("calls.jsonl"), call).expect("writable");
    let run = run_in(place.path(), &["eval", "-", "--calls", "calls.jsonl"], policy);
    assert!(run.code == 1 && run.out.starts_with("PolicyBlocked"), "{}{}", run.out, run.err);
}

#[test]
fn what_is_forwarded_is_byte_for_byte_what_came() {
    let place = tempfile::tempdir().expect("a directory");
    let policy = "vocabulary v {\n    tool t {\n        reads\n        n: decimal\n        p: path optional\n        m: int = 5\n        x: json opaque optional\n    }\n}\n\
        agent free { use v { tools t } }\nagent a { use v { allow t { p in { \"/w/**\" }; m <= 9 } } }\n";
    fs::write(place.path().join("p.bwk"), policy).expect("a policy");
    let forwarded = |agent: &str, arguments: &str| {
        let call = format!("{{\"connector\":\"v\",\"tool\":\"t\",\"arguments\":{arguments}}}");
        let run = run_in(place.path(), &["eval", "p.bwk", "--agent", agent, "--format", "json"], &call);
        let from = run.out.find(",\"arguments\":").unwrap_or_else(|| panic!("{}{}", run.out, run.err)) + 13;
        run.out[from..run.out.find(",\"rewrites\"").expect("rewrites")].to_owned()
    };
    let came = "{ \"n\" : 1.50e+1, \"x\":{\"\\u0061\": [ 1E3 ,-0.0 ]}, \"p\": \"/w//\\u0061\" }";
    assert_eq!(forwarded("free", came), came);
    let spelled = "{ \"n\" : 1.50e+1, \"x\":{\"\\u0061\": [ 1E3 ,-0.0 ]}, \"p\": \"/w/a\" ,\"m\":5}";
    assert_eq!(forwarded("a", came), spelled);
}
