//! What files, standard input and configuration mean: the same for every command, however a policy is given.

use crate::{Run, run_bytes, run_in};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn place(files: &[(&str, &str)]) -> TempDir {
    let place = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        fs::write(place.path().join(name), text).expect("writable");
    }
    place
}

const VOCABULARY: &str = "vocabulary v { tool pay { amount: int } }\n";

const POLICY: &str = "vocabulary v { tool pay { amount: int } }\nagent a { use v { tools pay } }\n";

const CALL: &str = "{\"connector\":\"v\",\"tool\":\"pay\",\"arguments\":{\"amount\":7}}\n";

#[test]
fn a_policy_on_standard_input_is_under_the_configuration_of_the_directory() {
    let boundary = format!("{VOCABULARY}boundary b {{ v {{ allow pay {{ amount <= 5 }} }} }}\n");
    let toml = "boundaries = [\"b.bwk\"]\n";
    let agent = "import \"./b.bwk\"\nagent a { use v { tools pay } }\n";
    let place = place(&[("b.bwk", &boundary), ("bailiwick.toml", toml), ("calls.jsonl", CALL)]);
    let below = place.path().join("below");
    fs::create_dir(&below).expect("writable");
    let agent_below = agent.replace("./b.bwk", "../b.bwk");
    for (directory, text, calls) in [(place.path(), agent, "calls.jsonl"), (&below, &agent_below, "../calls.jsonl")] {
        let eval = run_in(directory, &["eval", "-", "--calls", calls], text);
        assert!(eval.code == 1 && eval.out.starts_with("PolicyBlocked"), "{}{}", eval.out, eval.err);
    }
}

#[test]
fn a_denied_lint_fails_lint_alone() {
    let policy = "vocabulary v { tool pay { amount: int }; tool no { x: bool } }\n\
                  agent a { use v { tools pay; allow no { x in {true} and {false} } } }\ntest a { v.pay(amount: 1) is Ready }\n";
    let policy = policy.replace(';', "\n");
    let place = place(&[("p.bwk", &policy), ("calls.jsonl", CALL)]);
    let code = "W0100";
    fs::write(place.path().join("bailiwick.toml"), format!("[lints]\n{code} = \"deny\"\n")).expect("writable");
    let lint = run_in(place.path(), &["lint", "p.bwk"], "");
    assert!(lint.code == 1 && lint.out.contains("1 error"), "{}", lint.out);
    let check = run_in(place.path(), &["check", "p.bwk"], "");
    assert!(check.code == 0 && check.out.is_empty(), "check shows errors only: {}", check.out);
    let commands: [&[&str]; 5] = [
        &["compile", "p.bwk", "-o", "p.bwt"],
        &["eval", "p.bwk", "--calls", "calls.jsonl"],
        &["table", "p.bwk"],
        &["test", "p.bwk"],
        &["verify", "p.bwk"],
    ];
    for command in commands {
        let run = run_in(place.path(), command, "");
        assert_eq!(run.code, 0, "{command:?}: {}", run.err);
        assert!(run.err.contains(code) && run.err.contains("1 warning") && !run.err.contains("Error"), "{}", run.err);
    }
    fs::write(place.path().join("bailiwick.toml"), format!("[lints]\n{code} = \"allow\"\n")).expect("writable");
    for command in commands {
        assert_eq!(run_in(place.path(), command, "").err.find(code), None, "{command:?}");
    }
}

#[test]
fn a_compound_set_keeps_its_braces_in_messages() {
    let vocabulary = "vocabulary v { limit roots: set of text\n tool t { x: text limited by roots } }\n";
    let call = "{\"connector\":\"v\",\"tool\":\"t\",\"arguments\":{\"x\":\"c\"}}\n";
    for (set, shown) in [
        ("{ \"a\", \"c\" } except { \"c\" }", "(`SET`)".replace('`', "")),
        ("{ \"a}\", \"b\\\"{\" }", "(\"a}\", \"b\\\"{\")".to_owned()),
    ] {
        let shown = shown.replace("SET", set);
        let policy = format!("{vocabulary}agent a {{ use v {{ tools t\n roots = {set} }} }}\n");
        let eval = run_in(place(&[("p.bwk", &policy), ("c", call)]).path(), &["eval", "p.bwk", "--calls", "c"], "");
        assert!(eval.out.contains(&shown), "{shown}: {}{}", eval.out, eval.err);
    }
}

#[test]
fn a_tool_that_no_call_is_left_of_is_not_in_the_table() {
    let policy = "vocabulary v { tool d { x: bool }\n tool e { x: bool } }\n\
                  agent a { use v { tools e\n allow d { x in {true} } } }\nboundary b { v { allow d { x in {false} } } }\n";
    let place = place(&[("p.bwk", policy), ("c", "{\"connector\":\"v\",\"tool\":\"d\",\"arguments\":{\"x\":true}}\n")]);
    let eval = run_in(place.path(), &["eval", "p.bwk", "--calls", "c"], "");
    let table = run_in(place.path(), &["table", "p.bwk", "--format", "json"], "");
    let table: serde_json::Value = serde_json::from_str(&table.out).expect("JSON");
    let tools = |of: &str| -> Vec<String> {
        table[of].as_array().expect("a list").iter().map(|r| r["tool"].as_str().expect("a name").to_owned()).collect()
    };
    assert!(eval.out.starts_with("Hidden"), "{}{}", eval.out, eval.err);
    assert!(!tools("rows").contains(&"d".to_owned()), "{table}");
    assert_eq!(tools("withheld"), ["d"], "{table}");
    assert!(table["withheld"][0]["layer"].is_null(), "{table}");
    let human = run_in(place.path(), &["table", "p.bwk"], "");
    assert!(human.out.contains("v.d  (no call is left)"), "{}", human.out);
}

fn compiled(place: &Path) -> Vec<u8> {
    let compile = run_in(place, &["compile", "p.bwk", "-o", "p.bwt"], "");
    assert_eq!(compile.code, 0, "{}", compile.err);
    fs::read(place.join("p.bwt")).expect("written")
}

#[test]
fn a_compiled_table_may_come_on_standard_input() {
    let place = place(&[("p.bwk", POLICY), ("c", CALL)]);
    let bytes = compiled(place.path());
    let eval = run_bytes(place.path(), &["eval", "-", "--calls", "c"], bytes);
    assert!(eval.code == 0 && eval.out.starts_with("Ready"), "{}{}", eval.out, eval.err);
}

#[test]
fn a_compiled_table_where_sources_are_needed_is_said_to_be_one() {
    let place = place(&[("p.bwk", POLICY), ("c", CALL)]);
    let bytes = compiled(place.path());
    let refused = |run: Run, words: &str| {
        assert!(run.code == 2 && run.out.is_empty() && run.err.contains(words), "{words}: {}{}", run.out, run.err);
    };
    for verb in ["check", "test", "fmt"] {
        refused(run_in(place.path(), &[verb, "p.bwt"], ""), "`p.bwt` is a compiled table; what is needed here");
        refused(run_bytes(place.path(), &[verb, "-"], bytes.clone()), "`<stdin>` is a compiled table; what is needed here");
    }
    refused(
        run_in(place.path(), &["eval", "p.bwk", "p.bwt", "--calls", "c"], ""),
        "`p.bwt` is a compiled table, which is given alone",
    );
    fs::write(place.path().join("empty.bwt"), "").expect("writable");
    refused(run_in(place.path(), &["check", "empty.bwt"], ""), "`empty.bwt` is a compiled table");
    refused(run_in(place.path(), &["eval", "empty.bwt", "--calls", "c"], ""), "`empty.bwt` cannot be used");
}

#[test]
fn a_line_that_is_no_call_is_unusable_in_words_of_the_caller() {
    let place = place(&[("p.bwk", POLICY)]);
    let call = "\"connector\":\"v\",\"tool\":\"pay\",\"arguments\":{\"amount\":7}";
    let lines = [
        ("[\"v\",\"pay\",{\"amount\":7}]".to_owned(), "it is no object"),
        ("7".to_owned(), "it is no object"),
        ("nonsense".to_owned(), "it is no JSON, from column 2 on"),
        ("{\"connector\":\"v\",\"arguments\":{}}".to_owned(), "`tool` is missing"),
        ("{\"connector\":{},\"tool\":\"pay\",\"arguments\":{}}".to_owned(), "`connector` is no text"),
        (format!("{{{call},\"tool\":\"pay\"}}"), "`tool` stands there twice"),
        (format!("{{{call},\"argument\":1}}"), "a call has no `argument`"),
        (format!("{{{call},\"facts\":[]}}"), "`facts` is no object"),
    ];
    for (line, words) in lines {
        let eval =
            run_in(place.path(), &["eval", "p.bwk", "--format", "json"], &format!("{line}\n{{{call},\"id\":null}}\n"));
        assert_eq!(eval.code, 2, "{line}");
        assert!(eval.err.contains(&format!("line 1 is not usable: {words}; a call is")), "{line}: {}", eval.err);
        assert!(!eval.err.contains("expected") && !eval.err.contains("Given"), "{}", eval.err);
        assert!(eval.out.starts_with("{\"id\":null,") && eval.out.lines().count() == 1, "{}", eval.out);
    }
}

#[test]
fn standard_input_is_read_once_and_facts_are_an_object() {
    let place = place(&[("p.bwk", POLICY), ("f", "[]"), ("c", CALL)]);
    let both = run_in(place.path(), &["eval", "p.bwk", "--facts", "-"], CALL);
    assert!(both.code == 2 && both.err.contains("cannot be the facts and the calls at once"), "{}", both.err);
    let policy = run_in(place.path(), &["eval", "-"], POLICY);
    assert!(policy.code == 2 && policy.err.contains("cannot be the policy and the calls at once"), "{}", policy.err);
    let facts = run_in(place.path(), &["eval", "p.bwk", "--facts", "f", "--calls", "c"], "");
    assert!(facts.code == 2 && facts.err.contains("the facts in `f` are no object"), "{}", facts.err);
}

#[test]
fn why_answers_one_call_and_refuses_several() {
    let place = place(&[("p.bwk", POLICY), ("one", CALL), ("two", &CALL.repeat(2))]);
    assert_eq!(run_in(place.path(), &["why", "p.bwk", "--call", "one"], "").code, 0);
    let two = run_in(place.path(), &["why", "p.bwk", "--call", "two"], "");
    assert!(two.code == 2 && two.out.is_empty() && two.err.contains("`why` answers one call"), "{}", two.err);
}
