//! The narrowing proof on texts: verdict, witness, repair; and the repair, applied to the text, proves.

use bailiwick::check::check;
use bailiwick::diag::{Diagnostic, Sink};
use bailiwick::domain::compact;
use bailiwick::overlay::{OnWiden, Options, Verification, verify};
use bailiwick::policy::Policy;
use bailiwick::source::Sources;
use bailiwick::syntax::parse;

/// The policy of a text without errors.
fn policy(text: &str) -> Policy {
    let mut sources = Sources::default();
    let file = sources.add("policy.bwk", text);
    let mut sink = Sink::default();
    let parsed = parse(&sources, file, &mut sink);
    let policy = check(&sources, &[parsed], &mut sink);
    policy.unwrap_or_else(|| panic!("{:#?}\n{text}", sink.into_sorted()))
}

fn verified(text: &str, on_widen: OnWiden) -> (Verification, Vec<Diagnostic>) {
    let mut sink = Sink::default();
    let found = verify(policy(text), &Options { on_widen }, &mut sink);
    (found, sink.into_sorted())
}

fn proves(text: &str) {
    let (found, said) = verified(text, OnWiden::Reject);
    assert!(found.verified.is_some(), "{said:#?}\n{text}");
}

/// The text with the edits of every fix of an error made.
fn mended(text: &str, found: &[Diagnostic]) -> String {
    let errors = found.iter().filter(|d| d.code.id().starts_with('E'));
    let mut edits: Vec<_> = errors.flat_map(|d| &d.fixes).flat_map(|fix| &fix.edits).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut text = text.to_owned();
    edits.iter().for_each(|edit| text.replace_range(edit.span.range(), &edit.replacement));
    text
}

/// Witness and repair of the one clause that widens. A repair that can be made in the text is made, and proves.
fn widens(text: &str) -> (String, Option<String>) {
    let (found, said) = verified(text, OnWiden::Reject);
    assert!(found.verified.is_none(), "said to prove:\n{text}");
    let all: Vec<_> = found.overlays.iter().flat_map(|o| &o.widens).collect();
    let [widening] = all.as_slice() else { panic!("one widening: {all:#?} {said:#?}\n{text}") };
    if widening.edit.is_some() {
        proves(&mended(text, &said));
    }
    let (clamped, told) = verified(text, OnWiden::Clamp);
    assert!(clamped.verified.is_some(), "clamp verifies");
    assert!(told.iter().any(|d| d.code.id() == "W0105"), "clamping is told: {told:#?}");
    (compact(&widening.witness), widening.repair.clone())
}

/// The terminal vocabulary with one agent and one overlay.
fn terminal(ceiling: &str, over: &str) -> String {
    let shown = include_str!("../policies/language.bwk");
    let start = shown.find("vocabulary terminal").expect("the terminal");
    let end = start + shown[start..].find("\n}\n").expect("its end") + 3;
    let (vocabulary, tools) = (&shown[start..end], "tools terminal_list_targets, terminal_capture, terminal_run_command");
    format!(
        "{vocabulary}\nagent a {{ use terminal {{\n{tools}\n{ceiling}\n}} }}\noverlay o on a {{ terminal {{\n{over}\n}} }}\n"
    )
}

#[test]
fn the_languages_examples_prove() {
    let shown = include_str!("../policies/language.bwk");
    let known = |line: &&str| !line.contains("corp_hosts");
    proves(&shown.lines().filter(known).collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_terminal_cases() {
    let t29 = widens(&terminal("backends = { tmux }", "backends = { tmux, kitty, iterm2 }"));
    assert_eq!(t29, (r#"{"backend":"kitty"}"#.into(), Some("{ tmux }".into())));
    let t31 = widens(&terminal("backends = { tmux, kitty }", "backends = { iterm2 }"));
    assert_eq!(t31, (r#"{"backend":"iterm2"}"#.into(), None));
    let (_, t35) = widens(&terminal("targets = single", "targets = many"));
    assert_eq!(t35.as_deref(), Some("single"));
    proves(&terminal("backends = { tmux }\ntargets = single", "targets = \"tmux:main\""));
    proves(&terminal("backends = { tmux }", "targets = \"main\""));
    proves(&terminal("", "backends = { tmux }"));
}

const WORLD: &str = r#"
vocabulary w {
    limit sites: set of host
    tool send {
        mutates
        to:     list of email
        amount: decimal optional
        note:   text = ""
        when:   date optional
    }
    tool fetch {
        reads
        url:   url            limited by sites
        depth: int 1..9 = 1
    }
    tool edit {
        mutates
        edits: list of record { path: path; mode: { read, write } }
        tags:  map of int or absent
    }
    tool run {
        mutates
        argv: argv
        file: path
        how:  record { shell: { sh, bash }; env: text optional } optional
    }
}
"#;

fn world(tool: &str, base: &[&str], over: &str) -> String {
    let rows: Vec<String> = base.iter().map(|row| format!("allow {tool} {{ {row} }}")).collect();
    format!(
        "{WORLD}\nagent a {{ use w {{\n{}\n}} }}\noverlay o on a {{ w {{\nallow {tool} {{ {over} }}\n}} }}\n",
        rows.join("\n")
    )
}

#[test]
fn k13_1() {
    let text = world("send", &["amount <= 100"], "amount <= 500");
    assert_eq!(widens(&text), (r#"{"to":[],"amount":101}"#.into(), Some("amount <= 100".into())));
}

#[test]
fn rows_that_narrow() {
    for (tool, base, over) in [
        ("send", &["amount in 1..5; to each in { \"a@x.test\" }", "amount in 5..9"][..], "amount in 2..7"),
        ("send", &["to each in { \"*@x.test\" }"], "to each in { \"a@x.test\", \"b@x.test\" } size 1..2"),
        ("send", &["when in 2026-01-01..2026-12-31"], "when in { 2026-11-30 }"),
        ("send", &["amount <= 5 or absent"], "amount absent"),
        ("fetch", &["url in { \"https://*.example.com/docs/**\" }"], "url in { \"https://a.example.com/docs/x\" }"),
        ("fetch", &["url in { \"https://*.example.com/docs/**\" }"], "url.host in { \"a.example.com\" }"),
        ("fetch", &["url in { \"https://*.example.com/docs/**\" }; depth <= 3"], "url.path in { \"/docs/a\" }; depth <= 2"),
        ("edit", &["edits.each in { path in { \"/a/**\" }; mode in { read } }"], "edits.each.path in { \"/a/b\" }"),
        ("edit", &["edits.each.path in { \"/a/**\" }; edits.each.mode in { read }"], "edits.each.mode in { read }"),
        ("edit", &["tags.values in 0..9"], "tags.values in 1..2"),
        ("run", &["argv in [ {\"git\"}, {\"status\", \"log\"} ]"], "argv in [ {\"git\"}, {\"log\"} ]"),
        ("run", &["file in { \"/w/**\" }"], "file in { \"/w/*\" } except { \"/w/secret\" }"),
        ("run", &["how.shell in { sh }"], "how.shell in { sh }"),
    ] {
        proves(&world(tool, base, over));
    }
}

#[test]
fn rows_that_widen() {
    for (tool, base, over, witness, repair) in [
        ("send", &["amount in 1..5", "amount in 6..9"][..], "amount in 2..7", r#"{"to":[],"amount":5.1}"#, Some("; ")),
        (
            "send",
            &["to each in { \"*@x.test\" }"],
            "to each in { \"a@x.test\", \"a@y.test\" }",
            r#"{"to":["a@y.test"]}"#,
            Some("a@x.test"),
        ),
        ("send", &["amount <= 5"], "amount <= 5 or absent", r#"{"to":[]}"#, Some("amount <= 5")),
        (
            "fetch",
            &["url.host in { \"*.example.com\" }"],
            "url.host in { \"b.test\", \"a.example.com\" }",
            "//b.test/",
            Some("a.example.com"),
        ),
        (
            "edit",
            &["edits.each.path in { \"/a/**\" }; edits.each.mode in { read }"],
            "edits.each.mode in { read, write }",
            "write",
            Some("read"),
        ),
        ("edit", &["tags.values in 0..9"], "tags.values in 5..12", "10", Some("5..9")),
        ("run", &["argv in [ {\"git\"}, {\"log\"} ]"], "argv in [ {\"git\"}, .. ]", r#"["git"]"#, Some("log")),
        ("run", &["file in { \"/w/**\" } except { \"/w/secret\" }"], "file in { \"/w/*\" }", "/w/secret", Some("/w/*")),
        ("run", &["how.shell in { sh }"], "how.shell in { sh, bash }", "bash", Some("sh")),
    ] {
        let text = world(tool, base, over);
        let (shown, repaired) = widens(&text);
        assert!(shown.contains(witness), "{shown} for {over}");
        let words = repaired.unwrap_or_else(|| panic!("no repair of {over}"));
        assert!(repair.is_some_and(|part| words.contains(part)), "{words} for {over}");
    }
}

#[test]
fn a_limit_over_hosts_is_held_against_what_the_rows_reach() {
    let text = |rows: &str, over: &str| {
        format!("{WORLD}\nagent a {{ use w {{ {rows} }} }}\noverlay o on a {{ w {{ sites = {over} }} }}\n")
    };
    let rows = "allow fetch { url in { \"https://*.example.com/docs/**\" } }";
    proves(&text(rows, "{ \"a.example.com\", \"*.b.example.com\" }"));
    let (witness, repair) = widens(&text(rows, "{ \"a.example.com\", \"b.test\" }"));
    assert!(witness.contains("b.test"), "{witness}");
    assert!(repair.is_some_and(|words| words.contains("a.example.com")));
    let declared = "tools fetch; sites = { \"*.example.com\" }";
    proves(&text(declared, "{ \"a.example.com\" }"));
    widens(&text(declared, "{ \"example.com\" }"));
}

/// A vocabulary with one tool of these arguments, an agent and an overlay with these rows.
fn rows(arguments: &str, ceiling: &str, over: &str) -> String {
    format!(
        "vocabulary v {{\n tool t {{\n reads\n {arguments}\n }}\n}}\n\
         agent a {{\n use v {{ allow t {{ {ceiling} }} }}\n}}\noverlay o on a {{\n v {{ allow t {{ {over} }} }}\n}}\n"
    )
}

#[test]
fn values_of_a_map_are_seen_without_its_keys() {
    let ints = |ceiling, over| rows("m: map of int", ceiling, over);
    proves(&ints(r#"m.keys in { "k", "j" } ; m.values <= 5"#, "m.values in 1..4"));
    let (witness, repair) = widens(&ints(r#"m.keys in { "k" } ; m.values <= 5"#, "m.values in 1..6"));
    assert_eq!(witness, r#"{"m":{"":6}}"#);
    assert_eq!(repair.as_deref(), Some("m.values in 1..5"));
    proves(&ints(r#"m.keys in { "k" } ; m.values <= 5"#, r#"m.keys in { "k" }"#));
    let records =
        |over| rows("m: map of record { p: path; n: int }", r#"m.keys in { "k" } ; m.values.p in { "/w/**" }"#, over);
    proves(&records(r#"m.values.p in { "/w/a" }"#));
    assert!(widens(&records(r#"m.values.p in { "/v/a" }"#)).0.contains("/v/a"));
}

#[test]
fn a_size_of_one_or_a_list_meets_the_ceilings_set() {
    let hosts = |over| rows("h: host or list", r#"h in { "*.corp.test", "ok.test" }"#, over);
    let (witness, repair) = widens(&hosts("h size 0..2"));
    assert_eq!(witness, r#"{"h":[]}"#);
    assert!(repair.as_deref().is_some_and(|repair| repair.ends_with("size 1..2")), "{repair:?}");
}

#[test]
fn words_of_maps_may_stand_in_parentheses() {
    let whole = r#"edits.each.mode in { read }; tags in (keys in { "a" } and values in { 1, 2 })"#;
    let cut = r#"edits.each.mode in { read }; tags in (values in { 1 } and keys in { "a" })"#;
    proves(&world("edit", &[whole], cut));
    widens(&world("edit", &[cut], whole));
}

/// The terminal vocabulary, the agent's words and the overlay's.
fn terminal_of(base: &str, over: &str) -> String {
    let all = terminal("", over);
    all.replace("tools terminal_list_targets, terminal_capture, terminal_run_command", base)
}

#[test]
fn a_bare_target_reaches_what_stands_beside_it() {
    let base = r#"allow terminal_capture { target in { "a" }; backend in { kitty } }"#;
    proves(&terminal_of(base, "backends = { kitty }"));
    let (witness, repair) = widens(&terminal_of(base, "backends = { tmux }"));
    assert!(witness.contains("tmux"), "{witness}");
    assert_eq!(repair, None);
}
