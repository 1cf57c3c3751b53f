//! Decisions over policies written as text, for what the portable cases do not reach: selectors of effects, consent, modes,
//! approval, dispatch, opaque channels, nested values, canonical forms, what the host found, layers over each other.

use bailiwick::call::{Bounds, read};
use bailiwick::check::check;
use bailiwick::diag::Sink;
use bailiwick::digest::{canonical, compact};
use bailiwick::eval::{Call, Decision, Facts, Handle, Status};
use bailiwick::explain::{decision_json, message};
use bailiwick::overlay::{Options, verify};
use bailiwick::source::Sources;
use bailiwick::syntax;
use bailiwick::table::Table;
use bailiwick::table::build::build;

fn table(text: &str) -> Table {
    let mut sources = Sources::default();
    let mut sink = Sink::default();
    let file = sources.add("policy.bwk", text);
    let parsed = syntax::parse(&sources, file, &mut sink);
    let policy = check(&sources, &[parsed], &mut sink);
    let verified = policy.and_then(|policy| verify(policy, &Options::default(), &mut sink).verified);
    let table = verified.map(|verified| build(&verified, &sources));
    let found = sink.into_sorted();
    let told = || found.iter().map(|d| format!("{}: {}", sources.text(d.primary.span), d.message)).collect::<Vec<_>>();
    let table = table.unwrap_or_else(|| panic!("{:#?}", told()));
    // Every table in these tests has been through its bytes.
    Table::load(&table.to_bytes().expect("not deep")).expect("its own bytes")
}

fn decide(handle: &Handle, call: &str, facts: &str) -> Decision {
    let (tool, arguments) = call.split_once(' ').unwrap_or((call, "{}"));
    let (connector, tool) = tool.split_once('.').expect("connector.tool");
    let facts = Facts::read(facts.as_bytes()).expect("facts are JSON");
    handle.decide(&Call { connector, tool, arguments: arguments.as_bytes() }, &facts)
}

fn json(text: &str) -> String {
    canonical(&read(text.as_bytes(), Bounds::default()).expect("JSON"))
}

/// Checks the state and, of a refusal, `code` or `code@limit` or `code@/path`; of a Ready call, what is forwarded.
fn check_decision(handle: &Handle, call: &str, facts: &str, expected: &str) -> Decision {
    let decision = decide(handle, call, facts);
    let got = match (&decision.arguments, decision.because.first()) {
        (Some(arguments), _) => format!("Ready {}", canonical(arguments.value())),
        (None, Some(because)) => {
            let limit = because.limit.map(|limit| handle.table().model().limit_name(limit));
            let at = limit.or_else(|| because.path.clone().filter(|_| expected.contains('@')));
            let at = at.filter(|_| expected.contains('@')).map_or(String::new(), |at| format!("@{at}"));
            format!("{} {}{at}", decision.status.name(), because.code)
        }
        (None, None) => decision.status.name().to_owned(),
    };
    let expected = match expected.strip_prefix("Ready ") {
        Some(arguments) => format!("Ready {}", json(arguments)),
        None => expected.to_owned(),
    };
    assert_eq!(got, expected, "{call} under {facts}: {}", decision_json(handle, &decision));
    decision
}

const BANK: &str = r#"
vocabulary bank {
    capability bank.read
    capability bank.send
    tool balance {
        reads
        needs bank.read
    }
    tool send {
        mutates, irreversible
        needs bank.send
        to:     text
        amount: decimal
    }
    tool book {
        reads when operation in { get, list }
        needs bank.read
        operation: { get, list, put } = list
    }
}
agent payer {
    use bank {
        tools balance, book
        allow send { to in { "a" }; amount <= 100 }
        allow send { to in { "a", "b" }; amount <= 1000 } with approval
    }
}
overlay small on payer { bank { allow send { amount <= 20 } } }
boundary house { bank { allow send { amount <= 500 } } }
deployment production {
    provider desk: edge { offers bank.read, bank.send }
    mode plan { block mutates }
    consent required for mutates
}
"#;

const DESK: &str = r#""providers":{"desk":"ready"}"#;

#[test]
fn gates_stand_in_their_order() {
    let handle = table(BANK).handle("payer", &[], &[]).expect("a handle");
    let facts = |more: &str| format!("{{{DESK}{more}}}");
    let send = r#"bank.send {"to":"a","amount":5}"#;
    check_decision(&handle, "bank.balance", &facts(""), "Ready {}");
    check_decision(&handle, send, &facts(""), "PolicyBlocked consent");
    check_decision(&handle, send, &facts(r#","consent":["mail"]"#), "PolicyBlocked consent");
    check_decision(&handle, send, &facts(r#","consent":"unavailable""#), "PolicyBlocked facts-unavailable");
    let given = r#","consent":["bank"]"#;
    check_decision(&handle, send, &facts(given), r#"Ready {"to":"a","amount":5}"#);
    check_decision(&handle, send, &facts(&format!("{given},\"mode\":\"plan\"")), "PolicyBlocked mode");
    check_decision(&handle, send, &facts(&format!("{given},\"mode\":\"plans\"")), "PolicyBlocked mode");
    check_decision(&handle, "bank.balance", &facts(r#","mode":"plan""#), "Ready {}");
    check_decision(&handle, "bank.balance", r#"{"providers":"unavailable"}"#, "PolicyBlocked facts-unavailable");
    check_decision(&handle, "bank.balance", "{}", "MissingRuntimeBinding");
    let reason = decide(&handle, r#"bank.send {"to":"c","amount":5}"#, &facts(given));
    assert_eq!(message(&handle, &reason).as_deref(), Some("Refused: `to` is \"c\"; permitted is \"a\"."));
}

#[test]
fn effects_follow_the_argument_that_selects_them() {
    let handle = table(BANK).handle("payer", &[], &[]).expect("a handle");
    let facts = format!("{{{DESK}}}");
    check_decision(&handle, "bank.book", &facts, "Ready {}");
    check_decision(&handle, r#"bank.book {"operation":"get"}"#, &facts, r#"Ready {"operation":"get"}"#);
    check_decision(&handle, r#"bank.book {"operation":"put"}"#, &facts, "PolicyBlocked consent");
}

#[test]
fn grades_are_the_best_of_rows_and_the_worst_of_declarations() {
    let table = table(BANK);
    let handle = table.handle("payer", &[], &[]).expect("a handle");
    let facts = |more: &str| format!("{{{DESK},\"consent\":[\"bank\"]{more}}}");
    let send = |to: &str, amount: &str| format!("bank.send {{\"to\":\"{to}\",\"amount\":{amount}}}");
    check_decision(&handle, &send("a", "1e2"), &facts(""), r#"Ready {"to":"a","amount":100}"#);
    check_decision(&handle, &send("a", "600"), &facts(""), "PolicyBlocked row@/amount");
    check_decision(&handle, &send("a", "100.00000000000000001"), &facts(""), "PolicyBlocked approval");
    let asked = check_decision(&handle, &send("b", "5"), &facts(""), "PolicyBlocked approval");
    let approve =
        |digest: &str, table: &str| facts(&format!(",\"approvals\":[{{\"digest\":\"{digest}\",\"table\":\"{table}\"}}]"));
    let digest = asked.args_digest.expect("a digest to approve");
    check_decision(&handle, &send("b", "5.00"), &approve(&digest, table.digest()), r#"Ready {"to":"b","amount":5}"#);
    check_decision(&handle, &send("b", "6"), &approve(&digest, table.digest()), "PolicyBlocked approval");
    check_decision(&handle, &send("b", "5"), &approve(&digest, "sha256:other"), "PolicyBlocked approval");
    check_decision(&handle, &send("b", "5"), &facts(r#","approvals":"unavailable""#), "PolicyBlocked facts-unavailable");
    let small = table.handle("payer", &["small"], &[]).expect("a handle");
    check_decision(&small, &send("a", "20"), &facts(""), r#"Ready {"to":"a","amount":20}"#);
    check_decision(&small, &send("a", "20.5"), &facts(""), "PolicyBlocked row@/amount");
    check_decision(&small, &send("b", "20"), &facts(""), "PolicyBlocked approval");
}

const ROUTER: &str = r#"
vocabulary router {
    capability router.use
    tool call {
        needs router.use
        dispatches name, arguments
        name:      text
        arguments: json opaque optional
    }
    tool look {
        reads
        needs router.use
        path:  path
        lines: int 1..100 = 10
    }
    tool wipe { mutates; needs router.use }
}
agent a {
    use router {
        tools call
        allow look { path in { "/work/**" }; lines <= 50 }
    }
}
agent asks {
    use router {
        tools call
        allow look { path in { "/work/**" } } with approval
    }
}
"#;

#[test]
fn a_dispatched_call_is_settled_like_any_other() {
    let table = table(ROUTER);
    let handle = table.handle("a", &[], &[]).expect("a handle");
    let call = |inner: &str| format!("router.call {inner}");
    let ready = check_decision(
        &handle,
        &call(r#"{"name":"look","arguments":{"path":"/work/x/../y"}}"#),
        "{}",
        r#"Ready {"name":"look","arguments":{"path":"/work/y","lines":10}}"#,
    );
    let paths: Vec<&str> = ready.rewrites.iter().map(|rewrite| &*rewrite.path).collect();
    assert_eq!(paths, ["/arguments/path", "/arguments/lines"]);
    let mut refusals = Vec::new();
    for inner in [
        r#"{"name":"look","arguments":{"path":"/etc/passwd"}}"#,
        r#"{"name":"look","arguments":{"path":7}}"#,
        r#"{"name":"look","arguments":[]}"#,
        r#"{"name":"look"}"#,
        r#"{"name":"wipe"}"#,
        r#"{"name":"nothing"}"#,
        r#"{"name":"call","arguments":{"name":"look","arguments":{"path":"/work/x"}}}"#,
    ] {
        let decision = check_decision(&handle, &call(inner), "{}", "PolicyBlocked inner-call");
        refusals.push(message(&handle, &decision));
    }
    refusals.dedup();
    assert_eq!(refusals.len(), 1, "the same words whatever the reason");
    let found = r#"{"resolved_paths":{"/arguments/path":"/etc/x"}}"#;
    check_decision(&handle, &call(r#"{"name":"look","arguments":{"path":"/work/x"}}"#), found, "PolicyBlocked inner-call");
    let asks = table.handle("asks", &[], &[]).expect("a handle");
    check_decision(&asks, &call(r#"{"name":"look","arguments":{"path":"/work/x"}}"#), "{}", "PolicyBlocked approval");
}

const FILES: &str = r#"
vocabulary fs {
    limit roots: set of path noun "directory"
    tool edit {
        mutates
        edits: list of record { path: path limited by roots; mode: { read, write } = read; note: text opaque optional }
    }
    tool shell {
        mutates
        command: text opaque reaches roots
    }
    tool copy {
        mutates
        from: path limited by roots
        to:   path limited by roots
    }
}
agent editor { use fs { tools edit, copy; roots = { "/work/**" } } }
agent free { use fs { tools edit, copy; allow shell } }
boundary walls on free { fs { roots = { "/work/**" } } }
"#;

#[test]
fn limits_bite_at_every_depth_and_name_the_place() {
    let handle = table(FILES).handle("editor", &[], &[]).expect("a handle");
    let inside = r#"fs.edit {"edits":[{"path":"/work/a/./b"},{"path":"/work","mode":"write"}]}"#;
    let ready =
        check_decision(&handle, inside, "{}", r#"Ready {"edits":[{"path":"/work/a/b"},{"path":"/work","mode":"write"}]}"#);
    assert_eq!(ready.obligations.iter().map(|o| o.name()).collect::<Vec<_>>(), ["resolve_beneath"]);
    let outside = r#"fs.edit {"edits":[{"path":"/work/a"},{"path":"/etc/b"}]}"#;
    let blocked = check_decision(&handle, outside, "{}", "PolicyBlocked limit@fs.roots");
    assert_eq!(blocked.because[0].path.as_deref(), Some("/edits/1/path"));
    assert_eq!(blocked.because[0].given.as_ref().map(compact).as_deref(), Some("\"/etc/b\""));
    assert!(message(&handle, &blocked).is_some_and(|m| m.contains("\"/etc/b\" names a directory this agent may not use")));
    check_decision(&handle, r#"fs.edit {"edits":[{"path":"~/b"}]}"#, "{}", "PolicyBlocked ambiguous@fs.roots");
    check_decision(&handle, r#"fs.edit {"edits":[]}"#, "{}", "PolicyBlocked limit@fs.roots");
    let malformed =
        check_decision(&handle, r#"fs.edit {"edits":[{"path":"/work","mode":"x"}]}"#, "{}", "Malformed arguments");
    assert_eq!(malformed.because[0].path.as_deref(), Some("/edits/0/mode"));
}

#[test]
fn what_the_host_found_is_asked_too() {
    let handle = table(FILES).handle("editor", &[], &[]).expect("a handle");
    let call = r#"fs.copy {"from":"/work/a","to":"/work/b"}"#;
    let both = r#"{"resolved_paths":{"/from":"/work/c","/to":"/work/d"}}"#;
    let ready = check_decision(&handle, call, both, r#"Ready {"from":"/work/a","to":"/work/b"}"#);
    assert!(ready.obligations.is_empty());
    let one = decide(&handle, call, r#"{"resolved_paths":{"/from":"/work/c"}}"#);
    assert_eq!(one.obligations.len(), 1);
    check_decision(&handle, call, r#"{"resolved_paths":{"/to":"/etc/d"}}"#, "PolicyBlocked limit@fs.roots");
    check_decision(&handle, call, r#"{"resolved_paths":"unavailable"}"#, "PolicyBlocked facts-unavailable");
}

#[test]
fn an_opaque_channel_is_closed_by_a_limit_from_outside() {
    let handle = table(FILES).handle("free", &[], &[]).expect("a handle");
    check_decision(&handle, r#"fs.shell {"command":"cat /etc/passwd"}"#, "{}", "Hidden hidden");
}

const WEB: &str = r#"
vocabulary web {
    tool fetch { reads, reaches_outside; url: url }
    tool ping { reads; host: host }
}
agent docs { use web { allow fetch { url in { "https://*.example.com/**" } }; allow ping { host in public } } }
agent any_host { use web { allow fetch { url.scheme in { "https" } }; tools ping } }
"#;

#[test]
fn urls_oblige_and_take_their_canonical_form() {
    let table = table(WEB);
    let docs = table.handle("docs", &[], &[]).expect("a handle");
    let names = |decision: &Decision| decision.obligations.iter().map(|o| o.name()).collect::<Vec<_>>();
    let shouted = check_decision(
        &docs,
        r#"web.fetch {"url":"HTTPS://DOCS.example.com:443/a"}"#,
        "{}",
        r#"Ready {"url":"https://docs.example.com/a"}"#,
    );
    assert_eq!(names(&shouted), ["recheck_on_redirect", "recheck_resolved_address"]);
    check_decision(
        &docs,
        r#"web.fetch {"url":"https://docs.example.com@evil.test/"}"#,
        "{}",
        "PolicyBlocked ambiguous@/url",
    );
    let name = check_decision(&docs, r#"web.ping {"host":"Example.com."}"#, "{}", r#"Ready {"host":"example.com"}"#);
    assert_eq!(names(&name), ["recheck_resolved_address"]);
    let address = check_decision(&docs, r#"web.ping {"host":"8.8.8.8"}"#, "{}", r#"Ready {"host":"8.8.8.8"}"#);
    assert!(address.obligations.is_empty());
    let any = table.handle("any_host", &[], &[]).expect("a handle");
    let fetched = check_decision(&any, r#"web.fetch {"url":"https://x.test/"}"#, "{}", r#"Ready {"url":"https://x.test/"}"#);
    assert_eq!(names(&fetched), ["recheck_on_redirect"]);
    // Nothing governs the host: it is forwarded as it came.
    check_decision(&any, r#"web.ping {"host":"Example.com."}"#, "{}", r#"Ready {"host":"Example.com."}"#);
}

const FAMILY: &str = r#"
vocabulary jobs { tool run { mutates; count: int; kind: { a, b, c } = unspecified } }
agent parent { use jobs { allow run { count in 1..10 } } }
agent child under parent { use jobs { allow run { count in 5..100; kind in { a, b } } } }
overlay tight on parent { jobs { allow run { count in 1..6 } } }
overlay tighter on tight { jobs { allow run { count in 1..5 } } }
overlay first on child { jobs { allow run { kind in { a } } } }
agent stranger { use jobs { tools run } }
"#;

#[test]
fn layers_meet_whatever_their_order() {
    let table = table(FAMILY);
    let run = |count: u32, kind: &str| format!("jobs.run {{\"count\":{count},\"kind\":\"{kind}\"}}");
    let child = table.handle("child", &[], &[]).expect("a handle");
    check_decision(&child, &run(7, "a"), "{}", r#"Ready {"count":7,"kind":"a"}"#);
    check_decision(&child, &run(11, "a"), "{}", "PolicyBlocked row@/count");
    check_decision(&child, &run(4, "a"), "{}", "PolicyBlocked row@/count");
    check_decision(&child, r#"jobs.run {"count":7}"#, "{}", "PolicyBlocked unspecified@/kind");
    let one = table.handle("child", &["first"], &[]).expect("a handle");
    check_decision(&one, r#"jobs.run {"count":7}"#, "{}", r#"Ready {"count":7,"kind":"a"}"#);
    for overlays in [["first", "tighter"], ["tighter", "first"]] {
        let handle = table.handle("child", &overlays, &[]).expect("a handle");
        check_decision(&handle, r#"jobs.run {"count":5}"#, "{}", r#"Ready {"count":5,"kind":"a"}"#);
        check_decision(&handle, r#"jobs.run {"count":6}"#, "{}", "PolicyBlocked row@/count");
        assert_eq!(handle.overlays().collect::<Vec<_>>(), ["first", "tight", "tighter"]);
    }
    let foreign = table.handle("stranger", &["first"], &[]).expect_err("not its overlay");
    assert_eq!(foreign.to_string(), "overlay `first` is on `child`, which is neither `stranger` nor a parent of it");
    let below = table.handle("parent", &["first"], &[]).expect_err("not its overlay");
    assert_eq!(below.to_string(), "overlay `first` is on `child`, which is neither `parent` nor a parent of it");
}

#[test]
fn explained_decisions_give_every_reason() {
    let handle = table(FAMILY).handle("child", &["tight"], &[]).expect("a handle");
    let call = Call { connector: "jobs", tool: "run", arguments: br#"{"count":50,"kind":"c"}"# };
    let facts = Facts::read(br#"{"mode":"plan"}"#).expect("facts");
    let all = handle.decide_explained(&call, &facts);
    let codes: Vec<&str> = all.because.iter().map(|because| because.code.name()).collect();
    assert_eq!(codes, ["mode", "row", "row", "row"]);
    assert_eq!(handle.decide(&call, &facts).because, all.because[..1]);
    let why = handle.why(&call, &facts);
    assert_eq!(why.decision.status, Status::PolicyBlocked);
    let spoken: Vec<&str> = why.declarations.iter().map(|d| &*d.name).collect();
    assert_eq!(spoken, ["agent child", "agent parent", "overlay tight"]);
    assert!(why.declarations.iter().flat_map(|d| &d.rows).all(|row| !row.holds));
}

const PLACES: &str = r#"
vocabulary net {
    capability net.x
    limit hosts: set of host
    tool fetch {
        reads
        needs net.x
        url: url limited by hosts
        to: list of email optional
        env: map of text or absent
        argv: argv
        f: record { owner: text optional; tags: list of text }
        u: union { text, record { kind: "a"; v: int }, record { kind: "b"; w: bool } }
        ip: ip
    }
}
agent a {
    describe "x"
    use net {
        hosts = (public or { "*.corp.test", "10.0.0.1", "[::1]", "bucket" }) except { "bad.corp.test" }
        allow fetch {
            url in { "https://*.example.com/docs/**", "s3://bucket/**" }
            url.path in { "/docs/**" }
            to each in { "*@corp.test" } or absent
            env.keys in { "PATH" }
            argv in [ { "git" }, { "status", "log" }, .. ]
            f.owner in { "me" } or absent
            f.tags each in { "x" }
            u.v in 1..5
            ip in { "10.0.0.0/8" }
        }
    }
}
"#;

#[test]
fn every_composite_kind_is_decided_place_by_place() {
    let table = table(PLACES);
    let handle = table.handle("a", &[], &[]).expect("the agent is there");
    let check = |url: &str, argv: &str, rest: &str, expected: &str| {
        let call = format!(
            r#"net.fetch {{"url":"{url}","argv":{argv},"f":{{"tags":["x"]}},"u":{{"kind":"a","v":3}},"ip":"10.1.1.1"{rest}}}"#
        );
        let decision = decide(&handle, &call, "{}");
        let code = decision.because.first().map(|b| format!("{} {}", b.code, b.path.clone().unwrap_or_default()));
        let forwarded = decision.arguments.as_ref().map(|a| canonical(a.value()));
        let url = forwarded.as_deref().and_then(|text| text.split("\"url\":\"").nth(1)?.split('"').next());
        assert_eq!(url.map(str::to_owned).or(code).as_deref(), Some(expected), "{call}");
    };
    let (docs, git) = ("https://a.example.com/docs", r#"["git","log","-1"]"#);
    check(docs, git, "", docs);
    check("HTTPS://A.Example.com./docs/../docs/y", git, "", "https://a.example.com/docs/y");
    check("s3://bucket/docs/1", git, "", "s3://bucket/docs/1");
    check("https://a.example.com@evil.test/docs", git, "", "ambiguous /url");
    check("https://a.example.com/x", git, "", "row /url");
    check("https://[::ffff:127.0.0.1]/docs", git, "", "limit /url");
    check(docs, r#"["git","push"]"#, "", "row /argv");
    check(docs, r#"["git"]"#, "", "row /argv");
    check(docs, git, r#","to":["b@other.test"]"#, "row /to");
    check(docs, git, r#","to":["b@CORP.test"]"#, docs);
    check(docs, git, r#","env":{"PATH":"x"}"#, docs);
    check(docs, git, r#","env":{"PATH":"x","LD_PRELOAD":"y"}"#, "row /env");
}

#[test]
fn a_binding_that_differs_from_the_one_in_force_is_refused_also_where_null_or_absence_name_nothing() {
    let world = |argument: &str| {
        table(&format!(
            "vocabulary v {{\n limit names: one of text\n tool t {{\n reads\n n: {argument} limited by names\n }}\n}}\n\
             agent a {{ use v {{ tools t; names = \"inv_1\" }} }}"
        ))
    };
    let (one, list) = (r#"{"n": "inv_1"}"#, r#"{"n": ["inv_1"]}"#);
    let arguments = [
        ("text or null", one),
        ("text or absent", one),
        ("text optional", one),
        ("text", one),
        ("list of text optional", list),
        ("list of text size 0..2", list),
        ("text or list size 0..2", list),
    ];
    for (argument, given) in arguments {
        let table = world(argument);
        let handle = table.handle("a", &[], &[]).expect("a handle");
        let facts = r#"{"bindings": {"v.names": "inv_2"}}"#;
        check_decision(&handle, &format!("v.t {given}"), facts, "PolicyBlocked binding-refused");
        let facts = r#"{"bindings": {"v.names": "inv_1"}}"#;
        check_decision(&handle, &format!("v.t {given}"), facts, &format!("Ready {given}"));
    }
}

/// A tool whose target a binding fills, under a row.
fn bound_to_y(row: &str) -> Handle {
    let text = format!(
        "vocabulary v {{\n enum B {{ ka, kb }}\n limit kinds: set of B\n limit targets: one of text within kinds by prefix \":\"\n \
         tool t {{\n reads\n kind: B optional limited by kinds\n target: text limited by targets\n n: decimal optional\n }}\n}}\n\
         agent a {{ use v {{ allow t {{ {row} }}; targets = \"y\" }} }}"
    );
    table(&text).handle("a", &[], &[]).expect("a handle")
}

#[test]
fn the_surface_requires_what_the_binding_cannot_fill() {
    let required = |handle: &Handle| {
        let surface = handle.surface(&Facts::none(), bailiwick::surface::Profile::Mcp).expect("a surface");
        compact(&surface.document()).contains(r#""required":["target"]"#)
    };
    // Left out, the target becomes "y", which is too short for the row.
    let long = bound_to_y("target in length 2..; kind in { ka, kb } or absent");
    check_decision(&long, "v.t {}", "{}", "PolicyBlocked row");
    check_decision(&long, r#"v.t {"target": "ka:y"}"#, "{}", r#"Ready {"target": "ka:y"}"#);
    assert!(required(&long));
    // Beside a text that names a value, the argument that it names may be left out, and contradicts it only as another value.
    let schema = compact(&long.surface(&Facts::none(), bailiwick::surface::Profile::Mcp).expect("a surface").document());
    assert!(schema.contains(r#"{"properties":{"kind":false,"#), "{schema}");
    let any = bound_to_y("kind in { ka, kb } or absent");
    check_decision(&any, "v.t {}", "{}", r#"Ready {"target": "y"}"#);
    assert!(!required(&any));
}

#[test]
fn a_verdict_forwards_every_byte_that_is_not_rewritten() {
    let handle = bound_to_y("kind in { ka, kb } or absent");
    let call = Call { connector: "v", tool: "t", arguments: br#"{ "n" : 1.50 }"# };
    let facts = Facts::none();
    let verdict = handle.verdict(&call, &facts);
    assert_eq!(verdict.status(), Status::Ready);
    let forwarded = verdict.arguments().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let forwarded = forwarded.expect("arguments");
    assert!(forwarded.contains(r#""n" : 1.50"#) && forwarded.contains(r#""target":"y""#), "{forwarded}");
}
