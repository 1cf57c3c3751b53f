//! What clauses demand of whole arguments: sizes that `each` implies, what lies on the way, points, unions.

use super::tests::{clean, read, said};
use crate::domain::{Point, SlotMatcher, Value, Work, slot_contains};
use crate::policy::Policy;

/// Whether the last row of the policy's first agent admits `given` (JSON; `""`: absent) for the tool's first argument.
fn admits(policy: &Policy, given: &str) -> bool {
    let row = policy.agents[0].layer.uses[0].rows.last().expect("a row");
    let member = &policy.vocabularies[0].tools[row.tool].arguments[0].member;
    let point = if given.is_empty() {
        Point::Absent
    } else {
        let value: Value = crate::call::read(given.as_bytes(), crate::call::Bounds::default()).expect("JSON");
        crate::domain::well_formed(&member.ty, &value).unwrap_or_else(|fault| panic!("{given}: {fault:?}"));
        Point::Value(value)
    };
    row.clauses.iter().all(|clause| {
        let matcher = SlotMatcher::compile(member, &clause.slot, &mut Work::new()).expect("small");
        slot_contains(&matcher, &point).is_in()
    })
}

/// One argument `x` of type `ty` and a row over it: which values it admits, and which not.
fn check_row(ty: &str, clauses: &str, admitted: &[&str], refused: &[&str]) {
    let text = format!("vocabulary v {{ tool t {{ x: {ty} }} }}\nagent a {{ use v {{ allow t {{ {clauses} }} }} }}\n");
    let policy = clean(&text);
    for given in admitted {
        assert!(admits(&policy, given), "`{clauses}` over `{ty}` admits {given:?}");
    }
    for given in refused {
        assert!(!admits(&policy, given), "`{clauses}` over `{ty}` refuses {given:?}");
    }
}

#[test]
fn scalars() {
    check_row("decimal", "x in 0.01..500.00", &["0.01", "500", "5e1"], &["0", "500.001"]);
    check_row("decimal", "x < 5; x >= 1", &["1", "4.999"], &["5", "0.9"]);
    check_row("int", "x in { 1, 2.0 } or >= 10", &["1", "2", "10"], &["3"]);
    check_row("bool", "x in { true }", &["true"], &["false"]);
    check_row(
        "text",
        "x prefix \"a\" length 2..3 except { \"ab\" }",
        &["\"ac\"", "\"abc\""],
        &["\"ab\"", "\"a\"", "\"b\"", "\"abcd\""],
    );
    check_row("text by pattern", "x matches \"inv_[0-9]+\"", &["\"inv_1\""], &["\"inv_\"", "\"xinv_1\""]);
    check_row("{ read, write, 1, -1 }", "x in { read, -1 }", &["\"read\"", "-1"], &["\"write\"", "1"]);
}

#[test]
fn names_of_places() {
    check_row(
        "host",
        "x in { \"*.example.org\" } or loopback",
        &["\"a.example.org\"", "\"127.0.0.1\""],
        &["\"example.org\""],
    );
    check_row("url", "x.host in { \"example.com\" }", &["\"https://example.com/a?b\""], &["\"https://www.example.com/\""]);
    check_row(
        "url",
        "x in { \"https://example.com/docs/**\" }",
        &["\"https://example.com/docs/a\""],
        &["\"https://example.com/\""],
    );
    check_row(
        "path",
        "x in { \"/work/./**\" } except { \"/work/secret/**\" }",
        &["\"/work/a\""],
        &["\"/work/secret/b\"", "\"work/a\""],
    );
    check_row("email", "x in { \"*@corp.test\" }", &["\"a@corp.test\""], &["\"a@x.corp.test\""]);
    check_row("email", "x.local in { \"a\" }; x.host in { \"corp.test\" }", &["\"a@corp.test\""], &["\"b@corp.test\""]);
    check_row("ip", "x in { \"10.0.0.0/8\" } or loopback", &["\"10.1.2.3\"", "\"::1\""], &["\"11.0.0.0\""]);
}

#[test]
fn days_are_whole() {
    let day = "x in 2026-11-01..2026-11-30";
    check_row("datetime", day, &["\"2026-11-30T23:59:59\"", "\"2026-11-01 00:00\""], &["\"2026-12-01T00:00:00\""]);
    check_row("datetime", "x <= 2026-11-30", &["\"2026-11-30T23:59\""], &["\"2026-12-01T00:00\""]);
    check_row("datetime", "x > 2026-11-30", &["\"2026-12-01T00:00\""], &["\"2026-11-30T23:59\""]);
    check_row("datetime", "x in { 2026-11-30 }", &["\"2026-11-30T10:00\""], &["\"2026-12-01T00:00\""]);
    check_row("date", day, &["\"2026-11-30\""], &["\"2026-12-01\""]);
    check_row("instant", "x < 2026-11-30T10:00:00Z", &["\"2026-11-30T10:59:59+01:00\""], &["\"2026-11-30T10:00:00Z\""]);
}

#[test]
fn an_empty_list_passes_only_where_a_size_says_so() {
    check_row("list of text", "x each in { \"a\" }", &["[\"a\"]", "[\"a\", \"a\"]"], &["[]", "[\"b\"]", "[\"a\", \"b\"]"]);
    check_row("list of text", "x each in { \"a\" } size 0..1", &["[]", "[\"a\"]"], &["[\"a\", \"a\"]"]);
    check_row("list of text", "x.each in { \"a\" }", &["[\"a\"]"], &["[]"]);
    check_row("list of text", "x.each in { \"a\" }; x size 0..1", &["[]", "[\"a\"]"], &["[\"a\", \"a\"]"]);
    check_row("list of text", "x in any except each in { \"a\" }", &["[\"b\"]"], &["[]", "[\"a\"]"]);
    check_row("list of text size 0..2", "x each in { \"a\" }", &["[]", "[\"a\"]"], &["[\"b\"]"]);
    check_row(
        "list of record { p: path }",
        "x.each.p in { \"/w/**\" }",
        &["[{\"p\": \"/w/a\"}]"],
        &["[]", "[{\"p\": \"/x\"}]"],
    );
    check_row("text or list", "x in { \"a\" }", &["\"a\"", "[\"a\"]"], &["[]", "\"b\"", "[\"a\", \"b\"]"]);
    check_row("text or list", "x in { \"a\" } size 0..1", &["\"a\"", "[]", "[\"a\"]"], &["[\"a\", \"a\"]"]);
    check_row("text or list", "x each in { \"a\" }", &["\"a\"", "[\"a\"]"], &["[]", "\"b\""]);
    check_row("map of int", "x.keys in { \"a\" }; x.values <= 5", &["{}", "{\"a\": 5}"], &["{\"b\": 5}", "{\"a\": 6}"]);
    check_row(
        "argv",
        "x in [ { \"git\" }, { \"log\", \"status\" }, .. ]",
        &["[\"git\", \"log\", \"-p\"]"],
        &["[\"git\"]", "[\"nice\", \"git\"]"],
    );
    check_row("argv", "x each in { \"a\" }", &["[\"a\"]"], &["[]", "[\"b\"]"]);
}

#[test]
fn elements_are_judged_together() {
    let ty = "list of record { path: path; mode: { read, write } }";
    let set = "x.each in { path in { \"/a/**\" }; mode in { read } } or { path in { \"/b/**\" }; mode in { write } }";
    let (a, b) = ("{\"path\": \"/a/x\", \"mode\": \"read\"}", "{\"path\": \"/b/x\", \"mode\": \"write\"}");
    let mixed = "{\"path\": \"/a/x\", \"mode\": \"write\"}";
    let list = |items: &[&str]| format!("[{}]", items.join(", "));
    check_row(ty, set, &[&list(&[a]), &list(&[a, b])], &[&list(&[mixed]), &list(&[a, mixed]), "[]"]);
}

#[test]
fn absent_and_null_are_points_of_their_own() {
    check_row("text optional", "x in { \"a\" }", &["\"a\""], &["", "\"b\""]);
    check_row("text optional", "x in { \"a\" } or absent", &["\"a\"", ""], &["\"b\""]);
    check_row("text optional", "x absent", &[""], &["\"a\""]);
    check_row("text or absent", "x in { \"a\" }", &["\"a\"", ""], &["\"b\""]);
    check_row("text or null", "x in { \"a\" }", &["\"a\"", "null"], &["\"b\""]);
    check_row("text or null", "x null", &["null"], &["\"a\""]);
    check_row("list of text optional", "x each in { \"a\" } or absent", &["", "[\"a\"]"], &["[]"]);
    check_row("record { p: text optional }", "x.p in { \"a\" }", &["{\"p\": \"a\"}"], &["{}", "{\"p\": \"b\"}"]);
    check_row("record { p: text optional }", "x.p in { \"a\" } or absent", &["{\"p\": \"a\"}", "{}"], &["{\"p\": \"b\"}"]);
    check_row("record { p: text } optional", "x.p in { \"a\" }", &["{\"p\": \"a\"}"], &["", "{\"p\": \"b\"}"]);
    check_row("record { p: text } or absent", "x.p in { \"a\" }", &["{\"p\": \"a\"}", ""], &["{\"p\": \"b\"}"]);
}

#[test]
fn undeclared_members_of_one_type_can_be_spoken_of() {
    let ty = "record { a: int; .. : text }";
    check_row(ty, "x.b in { \"a\" }", &["{\"a\": 1, \"b\": \"a\"}"], &["{\"a\": 1}", "{\"a\": 1, \"b\": \"c\"}"]);
}

#[test]
fn a_row_excludes_the_alternatives_it_does_not_mention() {
    let ty = "union { record { kind: \"file\"; path: path }, record { kind: \"url\"; url: url }, int }";
    let (file, url) = ("{\"kind\": \"file\", \"path\": \"/w/a\"}", "{\"kind\": \"url\", \"url\": \"https://a.test/\"}");
    let elsewhere = "{\"kind\": \"file\", \"path\": \"/etc\"}";
    check_row(ty, "x.path in { \"/w/**\" }", &[file], &[url, elsewhere, "1"]);
    let both = "x.path in { \"/w/**\" }; x.url.host in { \"a.test\" }";
    check_row(ty, both, &[file, url], &[elsewhere, "1", "{\"kind\": \"url\", \"url\": \"https://b.test/\"}"]);
    check_row(ty, "x.kind in { \"url\" }", &[url], &[file, "1"]);
    check_row(ty, "x.kind in { \"url\", \"file\" }", &[url, file], &["1"]);
    check_row(ty, "x in 1..5", &["3"], &[file, url, "6"]);
    check_row(ty, "x in 1..5; x.path in { \"/w/**\" }", &["3", file], &[url, "6", elsewhere]);
    check_row("union { int, { auto, none } }", "x in { auto, 3 }", &["\"auto\"", "3"], &["\"none\"", "4"]);
}

#[test]
fn what_is_not_of_the_language_is_one_finding() {
    let broken = "vocabulary v { tool t { x: text } }\nagent a { use v { allow t { x in { \"a\" } } }\nagent b { use v { tools t } }\n";
    let (policy, found) = read(broken);
    assert!(policy.is_none());
    assert_eq!(found.len(), 1, "{:?}", said(&found));
    let missing = "vocabulary v { tool t { x: ] } }\nagent a { use v { allow t { y in { \"a\" } } } }\n";
    let (policy, found) = read(missing);
    assert!(policy.is_none());
    assert_eq!(found.len(), 1, "the vocabulary is broken, so nobody can tell what the agent means: {:?}", said(&found));
}
