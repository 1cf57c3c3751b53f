//! Failing closed: each fact missing, unavailable, of another shape, and unknown; each status of a provider; what the caller
//! hears of each refusing state; and when to stop retrying.

use bailiwick::driver::{Input, NoImports, Options, compile};
use bailiwick::eval::{Call, Decision, DenialTracker, Facts, Handle, Retry};
use bailiwick::explain::{decision_json, message};
use bailiwick::surface::{Profile, Surface};
use bailiwick::table::Table;

const POLICY: &str = r#"
vocabulary mail {
    capability mail.send
    limit accounts: one of text noun "account"
    limit folders: set of path
    tool send {
        mutates
        needs mail.send
        to: email
        account: text optional limited by accounts
    }
    tool look {
        reads
        needs mail.send
        to: email
    }
    tool save {
        reads
        needs mail.send
        folder: path limited by folders
    }
    tool pay {
        reads
        needs mail.send
        to: email
    }
    tool gone {
        reads
        needs mail.send
    }
}
agent clerk {
    use mail {
        tools send, look, save
        allow pay { to in { "*@corp.test" } } with approval
        accounts = single
        folders  = { "/inbox/**" }
    }
}
deployment d {
    provider laptop: edge   { offers mail.send }
    provider cloud:  server { offers mail.send }
    fallback mail.send: laptop -> cloud when degraded announce "sending from the cloud"
    mode plan { block mutates }
    consent required for mutates
}
"#;

const SEND: (&str, &str) = ("send", r#"{"to":"a@corp.test","account":"main"}"#);
const LOOK: (&str, &str) = ("look", r#"{"to":"a@corp.test"}"#);
const SAVE: (&str, &str) = ("save", r#"{"folder":"/inbox/a"}"#);
const PAY: (&str, &str) = ("pay", r#"{"to":"a@corp.test"}"#);

fn table(text: &str) -> Table {
    let input = Input { name: "p.bwk".to_owned(), identity: "p.bwk".to_owned(), text: text.to_owned() };
    compile(vec![input], &mut NoImports, &Options::default()).table.expect("a table")
}

fn clerk() -> Handle {
    table(POLICY).handle("clerk", &[], &[]).expect("a handle")
}

fn decide(handle: &Handle, (tool, arguments): (&str, &str), facts: &str) -> Decision {
    let facts = Facts::read(facts.as_bytes()).expect("JSON");
    handle.decide(&Call { connector: "mail", tool, arguments: arguments.as_bytes() }, &facts)
}

fn said(decision: &Decision) -> String {
    let code = decision.because.first().map(|because| format!(" {}", because.code)).unwrap_or_default();
    format!("{}{code}", decision.status.name())
}

/// The facts under which every call but `pay` is Ready, with `key` as `value`, or without it.
fn facts(key: &str, value: Option<&str>) -> String {
    let mut all = vec![
        ("providers", r#"{"laptop":"ready"}"#),
        ("consent", r#"["mail"]"#),
        ("bindings", r#"{"mail.accounts":"main"}"#),
        ("mode", "\"normal\""),
        ("generation", "8"),
        ("listing_generation", "7"),
        ("on_behalf_of", "\"lead\""),
        ("resolved_paths", r#"{"/folder":"/inbox/a"}"#),
    ];
    all.retain(|(k, _)| *k != key);
    all.extend(value.map(|value| (key, value)));
    format!("{{{}}}", all.iter().map(|(k, v)| format!("\"{k}\":{v}")).collect::<Vec<_>>().join(","))
}

const READY: &str = "Ready";
const CLOSED: &str = "PolicyBlocked facts-unavailable";

/// By fact: the call that depends on it, what it comes to without the fact, and a value of another shape.
const TABLE: [(&str, (&str, &str), &str, &str); 10] = [
    ("providers", LOOK, "MissingRuntimeBinding", "[]"),
    ("mode", LOOK, READY, "{}"),
    ("consent", SEND, "PolicyBlocked consent", r#"{"mail":true}"#),
    ("bindings", SEND, "PolicyBlocked unbound", r#"["mail.accounts"]"#),
    ("resolved_paths", SAVE, READY, r#"{"/folder":1}"#),
    ("generation", LOOK, READY, "\"8\""),
    ("overlays", LOOK, READY, "[]"),
    ("routes", LOOK, READY, r#"{"mail.send":1}"#),
    ("approvals", PAY, "PolicyBlocked approval", r#"[{"digest":"x"}]"#),
    ("nosuch", LOOK, READY, "1"),
];

#[test]
fn every_fact_missing_unavailable_or_of_another_shape() {
    let handle = clerk();
    for (key, call, missing, other) in TABLE {
        assert_eq!(said(&decide(&handle, call, &facts(key, None))), missing, "without {key}");
        assert_eq!(said(&decide(&handle, call, &facts(key, Some("\"unavailable\"")))), CLOSED, "{key} unavailable");
        let odd = decide(&handle, call, &facts(key, Some(other)));
        assert_eq!(said(&odd), CLOSED, "{key} as {other}");
        let told = message(&handle, &odd).expect("a message");
        assert!(told.contains(&format!("`{key}`")), "{told}");
    }
}

#[test]
fn what_does_not_depend_on_a_fact_goes_on_without_it() {
    let handle = clerk();
    for (key, call) in [
        ("consent", LOOK),
        ("approvals", LOOK),
        ("bindings", LOOK),
        ("resolved_paths", LOOK),
        ("on_behalf_of", SEND),
        ("listing_generation", SEND),
    ] {
        assert_eq!(said(&decide(&handle, call, &facts(key, Some("\"unavailable\"")))), READY, "{key} unavailable");
    }
}

#[test]
fn every_status_of_a_provider() {
    let handle = clerk();
    for (laptop, expected) in [
        (r#""ready""#, "Ready by laptop"),
        (r#""degraded""#, "Ready by laptop"),
        (r#"{"state":"degraded","reason":"slow link"}"#, "Ready by laptop"),
        (r#""offline""#, "ProviderOffline by laptop"),
        (r#""unknown""#, "ProviderOffline by laptop"),
        (r#""READY""#, "ProviderOffline by laptop"),
        (r#""unavailable""#, "ProviderOffline by laptop"),
        ("null", "ProviderOffline by laptop"),
        ("{}", "ProviderOffline by laptop"),
        (r#"{"state":"ready","since":1}"#, "ProviderOffline by laptop"),
    ] {
        let decision =
            decide(&handle, LOOK, &facts("providers", Some(&format!(r#"{{"laptop":{laptop},"nobody":"ready"}}"#))));
        let by = decision.provider.as_ref().map_or("nobody", |p| &p.id);
        assert_eq!(format!("{} by {by}", decision.status.name()), expected, "{laptop}");
    }
    let both = |laptop: &str| facts("providers", Some(&format!(r#"{{"laptop":"{laptop}","cloud":"ready"}}"#)));
    let offline = decide(&handle, LOOK, &both("offline"));
    assert_eq!(said(&offline), "ProviderOffline", "the fallback is for degraded alone");
    let degraded = decide(&handle, LOOK, &both("degraded"));
    assert_eq!(degraded.fallback_from.as_deref(), Some("laptop"));
    assert_eq!(message(&handle, &degraded).as_deref(), Some("sending from the cloud"));
}

#[test]
fn each_refusing_state_says_what_applied_and_what_to_do() {
    let handle = clerk();
    let alone = table(
        &POLICY
            .replace("offers mail.send", "offers mail.other")
            .replace("capability mail.send", "capability mail.send\n    capability mail.other")
            .replace("fallback mail.send: laptop -> cloud when degraded announce \"sending from the cloud\"", ""),
    );
    let alone = alone.handle("clerk", &[], &[]).expect("a handle");
    let told = |handle: &Handle, call, facts: &str| {
        let decision = decide(handle, call, facts);
        (decision.status.name(), message(handle, &decision).expect("a message"))
    };
    let usual = facts("", None);
    for ((status, message), words) in [
        (told(&handle, ("look", r#"{"to":"x"}"#), &usual), ["Malformed", "`to`", "\"x\""]),
        (told(&handle, ("gone", "{}"), &usual), ["Hidden", "no tool", "`mail.gone`"]),
        (told(&handle, ("save", r#"{"folder":"/etc"}"#), &usual), ["PolicyBlocked", "mail.folders", "/inbox/**"]),
        (told(&alone, LOOK, &usual), ["Unsupported", "No provider offers", "`mail.look`"]),
        (told(&handle, LOOK, &facts("providers", None)), ["MissingRuntimeBinding", "`laptop`", "Connect it first"]),
        (
            told(&handle, LOOK, &facts("providers", Some(r#"{"laptop":{"state":"offline","reason":"lid closed"}}"#))),
            ["ProviderOffline", "`laptop`", "lid closed"],
        ),
    ] {
        assert_eq!(status, words[0]);
        assert!(words[1..].iter().all(|word| message.contains(word)), "{status}: {message}");
    }
}

#[test]
fn a_hidden_tool_and_an_unknown_one_read_the_same() {
    let hidden = clerk();
    let unknown = table(&POLICY.replace("    tool gone {\n        reads\n        needs mail.send\n    }\n", ""));
    let unknown = unknown.handle("clerk", &[], &[]).expect("a handle");
    for arguments in ["{}", r#"{"x":1}"#] {
        let (a, b) = (decide(&hidden, ("gone", arguments), "{}"), decide(&unknown, ("gone", arguments), "{}"));
        assert_eq!((said(&a).as_str(), said(&b).as_str()), ("Hidden hidden", "Malformed unknown-tool"));
        assert_eq!(message(&hidden, &a), message(&unknown, &b));
        let read = |handle: &Handle, decision: &Decision| -> serde_json::Value {
            serde_json::from_str(&decision_json(handle, decision)).expect("JSON")
        };
        let (a, b) = (read(&hidden, &a), read(&unknown, &b));
        assert_eq!(a["user_visible_message"], b["user_visible_message"]);
        assert_eq!(a["candidates"], b["candidates"]);
    }
}

#[test]
fn an_approval_is_for_one_call_under_one_table() {
    let handle = clerk();
    let asked = decide(&handle, PAY, &facts("", None));
    let digest = asked.args_digest.clone().expect("a digest");
    let given =
        |digest: &str, table: &str| facts("approvals", Some(&format!(r#"[{{"digest":"{digest}","table":"{table}"}}]"#)));
    let right = given(&digest, handle.table().digest());
    assert_eq!(said(&decide(&handle, PAY, &right)), READY);
    assert_eq!(said(&decide(&handle, ("pay", r#"{"to":"b@corp.test"}"#), &right)), "PolicyBlocked approval");
    assert_eq!(said(&decide(&handle, PAY, &given(&digest, "sha256:other"))), "PolicyBlocked approval");
    assert_eq!(said(&decide(&handle, PAY, &given("sha256:other", handle.table().digest()))), "PolicyBlocked approval");
}

#[test]
fn identical_refusals_are_counted_and_change_nothing() {
    let handle = clerk();
    let mut tracker = DenialTracker::new(2);
    let blocked = facts("consent", None);
    let mut note = |arguments: &str, facts: &str| {
        let call = Call { connector: "mail", tool: "send", arguments: arguments.as_bytes() };
        let decision = handle.decide(&call, &Facts::read(facts.as_bytes()).expect("JSON"));
        tracker.note(&handle, &call, &decision)
    };
    assert_eq!(note(SEND.1, &blocked), Retry::Allowed { refused: 1 });
    assert_eq!(note(r#"{"to":"b@corp.test","account":"main"}"#, &blocked), Retry::Allowed { refused: 1 });
    assert_eq!(note(r#"{ "account":"main", "to":"a@corp.test" }"#, &blocked), Retry::Stop { refused: 2 });
    assert_eq!(note(SEND.1, &facts("bindings", None)), Retry::Allowed { refused: 1 }, "another reason");
    assert_eq!(note(SEND.1, &facts("", None)), Retry::NotRefused);
}

#[test]
fn the_resident_bytes_depend_on_no_fact_but_bindings() {
    let handle = clerk();
    let shown = |facts: &str, profile| -> Surface {
        handle.surface(&Facts::read(facts.as_bytes()).expect("JSON"), profile).expect("a surface")
    };
    for profile in Profile::ALL {
        let plain = shown("{}", profile);
        for (key, _, _, other) in TABLE.iter().filter(|(key, ..)| *key != "bindings") {
            for value in [other, "\"unavailable\""] {
                let changed = shown(&format!("{{\"{key}\":{value}}}"), profile);
                assert_eq!(plain.tools, changed.tools, "{key} {value}");
            }
        }
        assert_ne!(plain.tools, shown(r#"{"bindings":{"mail.accounts":"main"}}"#, profile).tools);
    }
}

#[test]
fn what_hosts_share_may_cross_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Table>();
    shared::<Handle>();
    shared::<Facts>();
    shared::<Decision>();
    shared::<Surface>();
    shared::<DenialTracker>();
}
