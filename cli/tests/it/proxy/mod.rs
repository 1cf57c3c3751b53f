//! The proxy between a scripted client and a scripted server: what the server sees, and what the client gets.

mod fake;

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const POLICY: &str = r#"
vocabulary files {
    limit roots: set of path
    tool read {
        reads
        path: path limited by roots
        depth: int 1..9 = 3
    }
    tool remove { mutates; path: path limited by roots }
    tool ping { reads }
}
agent reader { use files { tools read, ping; roots = { "ROOT/ws/**", "ws/**" } } }
"#;

fn tools() -> Value {
    json!([
        { "name": "read", "title": "Read", "inputSchema": { "type": "object", "properties": {
            "path": { "type": "string" }, "depth": { "type": "integer", "minimum": 1, "maximum": 9, "default": 3 } },
            "required": ["path"] }, "_meta": { "kept": true } },
        { "name": "remove", "inputSchema": {
            "type": "object", "properties": { "path": { "type": "string" } }, "required": ["path"] } },
        { "name": "ping", "inputSchema": { "type": "object" } },
        { "name": "format_disk", "inputSchema": { "type": "object" } }
    ])
}

/// A session under way.
struct Talk {
    place: tempfile::TempDir,
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

/// What is left of a session.
struct Over {
    code: Option<i32>,
    err: String,
    seen: Vec<String>,
}

fn start(script: &str, tools: &Value, options: &[&str]) -> Talk {
    let place = tempfile::tempdir().expect("a directory");
    let root = place.path().canonicalize().expect("a path");
    fs::create_dir(root.join("ws")).expect("writable");
    fs::write(root.join("ws/a.txt"), "a").expect("writable");
    let policy = POLICY.replace("ROOT", &root.display().to_string());
    fs::write(root.join("policy.bwk"), policy).expect("writable");
    let server = std::env::current_exe().expect("this test").display().to_string();
    let fake = ["--", &server, "proxy::fake::the_fake_server", "--exact", "--nocapture"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_bailiwick"))
        .args([&["proxy", "policy.bwk"], options, &fake[..]].concat())
        .current_dir(&root)
        .envs([("BAILIWICK_FAKE", script), ("BAILIWICK_TOOLS", &tools.to_string()), ("BAILIWICK_SEEN", "seen.jsonl")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the proxy starts");
    let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("piped")));
    Talk { place, child, to, from }
}

impl Talk {
    fn say(&mut self, line: &str) {
        let to = self.to.as_mut().expect("still open");
        let _ = to.write_all(format!("{line}\n").as_bytes()).and_then(|()| to.flush());
    }

    /// The next message; noise of the test runner is skipped.
    fn hear(&mut self) -> Value {
        let mut line = String::new();
        while self.from.read_line(&mut line).expect("text") > 0 {
            if line.starts_with(['{', '[']) {
                return serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
            }
            line.clear();
        }
        Value::Null
    }

    fn ask(&mut self, line: &str) -> Value {
        self.say(line);
        self.hear()
    }

    fn call(&mut self, tool: &str, arguments: &str) -> Value {
        self.ask(&format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        ))
    }

    fn path(&self) -> &Path {
        self.place.path()
    }

    fn end(mut self) -> Over {
        drop(self.to.take());
        let output = self.child.wait_with_output().expect("the proxy ends");
        let seen = fs::read_to_string(self.place.path().join("seen.jsonl")).unwrap_or_default();
        Over {
            code: output.status.code(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            seen: seen.lines().map(str::to_owned).collect(),
        }
    }
}

#[test]
fn the_list_is_the_servers_own_narrowed() {
    let mut talk = start("echo", &tools(), &[]);
    let said = talk.ask(r#"{"jsonrpc":"2.0","id":"l","method":"tools/list","params":{}}"#);
    let list = said["result"]["tools"].as_array().expect("tools");
    let names: Vec<&str> = list.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["read", "ping"], "hidden and unknown tools are not listed");
    assert_eq!((&list[0]["title"], &list[0]["_meta"]["kept"]), (&json!("Read"), &json!(true)));
    assert!(list[0]["inputSchema"]["properties"]["path"].to_string().contains("/ws"), "the schema shows the roots: {said}");
    assert_eq!(said["result"]["_meta"], json!({ "x": 1.0e2 }));
    let over = talk.end();
    assert!(over.code == Some(0) && over.err.contains("drift: format_disk"), "{}", over.err);
}

/// K11-3: the server takes one more argument than the vocabulary knows.
#[test]
fn an_argument_that_the_vocabulary_does_not_know_is_malformed_and_told_once() {
    let mut drifted = tools();
    drifted[0]["inputSchema"]["properties"]["cc"] = json!({ "type": "array", "items": { "type": "string" } });
    let mut talk = start("echo", &drifted, &[]);
    for _ in 0..2 {
        let list = talk.ask(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
        assert!(list["result"]["tools"][0]["inputSchema"]["properties"]["cc"].is_null(), "{list}");
    }
    let refused = talk.call("read", r#"{"path":"ws/a.txt","cc":["z@x.test"]}"#);
    assert_eq!(refused["result"]["_meta"]["bailiwick/refusal"]["status"], json!("Malformed"), "{refused}");
    let over = talk.end();
    assert_eq!((over.seen.len(), over.err.matches("drift: read, cc").count()), (2, 1), "{}", over.err);
}

#[test]
fn pages_are_narrowed_one_by_one() {
    let mut talk = start("pages", &tools(), &[]);
    let first = talk.ask(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    assert_eq!((first["result"]["tools"].as_array().map(Vec::len), &first["result"]["nextCursor"]), (Some(1), &json!("2")));
    let second = talk.ask(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}"#);
    assert_eq!(second["result"], json!({ "tools": [] }));
    assert_eq!(talk.end().code, Some(0));
}

#[test]
fn what_is_permitted_passes_byte_for_byte_or_rewritten() {
    let mut talk = start("echo", &tools(), &[]);
    let odd = r#" {"id":7 ,"method":"tools/call","jsonrpc":"2.0","params":{"name":"ping", "arguments":{} ,"_meta":{"progressToken":1}}}"#;
    assert_eq!(
        talk.ask(odd)["result"]["content"][0]["text"].as_str().map(|text| text.contains("progressToken")),
        Some(true)
    );
    let settled = talk.call("read", r#"{"path" : "ws/./a.txt" , "depth":4.0}"#);
    let text = settled["result"]["content"][0]["text"].as_str().expect("a text").to_owned();
    assert!(text.contains(r#""path":"ws/a.txt""#), "{text}");
    let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;
    talk.say(cancelled);
    let over = talk.end();
    assert_eq!((over.code, over.seen.len()), (Some(0), 3), "{}", over.err);
    assert_eq!((&*over.seen[0], &*over.seen[2]), (odd, cancelled));
    // What is not rewritten comes as it was written.
    assert!(over.seen[1].contains(r#"{"path" : "ws/a.txt" , "depth":4.0}"#), "{}", over.seen[1]);
}

/// The server never sees any of these.
#[test]
fn what_is_not_permitted_never_reaches_the_server() {
    let mut talk = start("echo", &tools(), &[]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc", talk.path().join("ws/out")).expect("a link");
    let refused = talk.call("read", r#"{"path":"/etc/passwd"}"#);
    assert_eq!((&refused["id"], &refused["result"]["isError"]), (&json!(7), &json!(true)));
    let reason = &refused["result"]["_meta"]["bailiwick/refusal"];
    assert_eq!((&reason["code"], &reason["because"][0]["limit"]), (&json!("limit"), &json!("files.roots")), "{refused}");
    assert!(reason["because"][0]["source"].is_null(), "where the policy stands is nobody's business");
    for arguments in [
        r#"{"path":"ws/out/passwd"}"#,
        r#"{"path":"ws/../../etc/passwd"}"#,
        r#"{"path":"ws/a.txt","path":"/etc/passwd"}"#,
        r#"{"path":"ws/a.txt","depth":10}"#,
        r#"{"path":"ws/a.txt","cc":1}"#,
        r#"{"path":1}"#,
        "[]",
    ] {
        let refused = talk.call("read", arguments);
        assert_eq!(refused["result"]["isError"], json!(true), "{arguments}: {refused}");
    }
    let hidden = talk.call("remove", r#"{"path":"ws/a.txt"}"#).to_string();
    let unknown = talk.call("remote", r#"{"path":"ws/a.txt"}"#).to_string();
    assert_eq!(hidden, unknown.replace("remote", "remove"), "hidden and unknown are the same to the client");
    let call = r#""params":{"name":"read","arguments":{"path":"ws/a.txt"}}"#;
    let errors = [
        ("{".to_owned(), -32700),
        (format!(r#"{{"jsonrpc":"2.0","id":1,"meth\u006fd":"tools/call",{call}}}"#), -32600),
        (format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools\/call",{call}}}"#), -32600),
        (format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call",{call}}}"#), -32600),
        (format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call",{call}}}"#), -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#.to_owned(), -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}"#.to_owned(), -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","Arguments":{}}}"#.to_owned(), -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#.to_owned(), -32602),
        ("[]".to_owned(), -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":2}}"#.to_owned(), -32600),
    ];
    for (line, code) in errors {
        assert_eq!(talk.ask(&line)["error"]["code"], json!(code), "{line}");
    }
    let batch = format!(
        r#"[{{"jsonrpc":"2.0","id":1,"method":"tools/call",{call}}},{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"remove","arguments":{{"path":"ws/a.txt"}}}}}}]"#
    );
    let answers = talk.ask(&batch);
    assert_eq!((answers.as_array().map(Vec::len), &answers[1]["id"]), (Some(2), &json!(2)), "{answers}");
    talk.say(&format!(r#"{{"jsonrpc":"2.0","method":"tools/call",{call}}}"#));
    talk.say(r#"{"jsonrpc":"2.0","method":"notifications/other"}"#);
    talk.say(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(17 << 20)));
    assert_eq!(talk.hear()["error"]["code"], json!(-32600));
    talk.to.as_mut().expect("open").write_all(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).expect("written");
    let over = talk.end();
    assert_eq!((over.code, over.seen), (Some(0), Vec::<String>::new()), "{}", over.err);
    assert!(over.err.contains("ended inside a message") && over.err.contains("more than 16777216 bytes"), "{}", over.err);
}

#[test]
fn a_batch_of_permitted_calls_goes_on_whole() {
    let mut talk = start("echo", &tools(), &["--pass", "resources"]);
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"resources/list"}]"#;
    let answers = talk.ask(batch);
    assert_eq!(answers[0]["result"]["tools"].as_array().map(Vec::len), Some(2), "{answers}");
    assert_eq!(answers[1]["result"], json!({ "said": "resources/list" }));
    assert_eq!(talk.end().seen, [batch]);
}

#[test]
fn in_shadow_everything_passes_and_is_written_down() {
    let mut talk = start("echo", &tools(), &["--shadow", "--log", "log.jsonl", "--log-arguments"]);
    talk.call("remove", r#"{"path":"/etc/passwd"}"#);
    talk.call("read", r#"{"path":"ws/a.txt"}"#);
    let list = talk.ask(r#"{"jsonrpc":"2.0","id":"l","method":"tools/list"}"#);
    assert_eq!(list["result"]["tools"].as_array().map(Vec::len), Some(4));
    let log = fs::read_to_string(talk.path().join("log.jsonl")).expect("a log");
    assert_eq!(crate::schemas::check_documents("log", &log), 2);
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&lines[0]["permitted"], &lines[0]["carried_out"]), (&json!(false), &json!(true)), "{log}");
    assert_eq!((&lines[1]["permitted"], &lines[1]["arguments"]), (&json!(true), &json!(r#"{"path":"ws/a.txt"}"#)), "{log}");
    assert_eq!(talk.end().seen.len(), 3);
}

#[test]
fn the_log_has_digests_and_refusals() {
    let mut talk = start("echo", &tools(), &["--log", "log.jsonl"]);
    talk.call("read", r#"{"path":"/etc/passwd"}"#);
    talk.ask("{");
    let log = fs::read_to_string(talk.path().join("log.jsonl")).expect("a log");
    assert_eq!(crate::schemas::check_documents("log", &log), 2);
    assert!(!log.contains("passwd") && log.contains("sha256:"), "{log}");
    assert_eq!(talk.end().seen.len(), 0);
}

#[test]
fn a_server_that_fails_ends_the_session_with_a_report() {
    for (script, report) in [("dies", "the server ended"), ("half", "ended inside a message")] {
        let mut talk = start(script, &tools(), &[]);
        talk.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping"}}"#);
        assert_eq!(talk.hear(), Value::Null, "{script}: the stream ends");
        let over = talk.end();
        assert!(over.code == Some(2) && over.err.contains(report), "{script}: {:?} {}", over.code, over.err);
    }
    let missing = crate::run(&[
        "proxy",
        "examples/quickstart",
        "--agent",
        "bill_payer",
        "--connector",
        "bank",
        "--",
        "no-such-server",
    ]);
    assert!(missing.code == 2 && missing.err.contains("no-such-server"), "{}", missing.err);
}

#[test]
fn fifty_megabytes_pass_and_a_client_that_does_not_read_is_left() {
    let mut talk = start("huge", &tools(), &["--patience", "1"]);
    let said = talk.ask(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping"}}"#);
    assert_eq!(said["result"]["content"][0]["text"].as_str().map(str::len), Some(50 << 20));
    talk.say(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ping"}}"#);
    let code = talk.child.wait().expect("it ends by itself").code();
    let over = talk.end();
    assert!(code == Some(2) && over.err.contains("the client has taken nothing for 1 s"), "{code:?} {}", over.err);
}

#[test]
fn a_server_that_does_not_read_is_left() {
    let mut talk = start("deaf", &tools(), &["--patience", "1", "--shadow"]);
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(1 << 20));
    talk.say(&long);
    talk.say(&long);
    let over = talk.end();
    assert_eq!(over.code, Some(2), "{}", over.err);
}
