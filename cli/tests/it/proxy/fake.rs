//! A server for the proxy's tests: this very test binary, started with `BAILIWICK_FAKE` set. It writes down every line it
//! gets, and answers as its script says. What the test runner itself prints before is noise that a client skips.

use serde_json::{Value, json};
use std::fs::OpenOptions;
use std::io::{BufRead, Write};

/// Does nothing in an ordinary run.
#[test]
fn the_fake_server() {
    let Ok(script) = std::env::var("BAILIWICK_FAKE") else { return };
    match script.as_str() {
        "deaf" => loop {
            std::thread::park();
        },
        "half" => say("{\"jsonrpc\":\"2.0\",\"id\":1,\"res"),
        script => serve(script),
    }
    std::process::exit(if script == "half" { 7 } else { 0 });
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn serve(script: &str) {
    say("\n");
    let path = std::env::var("BAILIWICK_SEEN").expect("where to write what came");
    let tools: Value = serde_json::from_str(&std::env::var("BAILIWICK_TOOLS").expect("tools")).expect("JSON");
    let mut seen = OpenOptions::new().create(true).append(true).open(path).expect("writable");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        seen.write_all(format!("{line}\n").as_bytes()).expect("written");
        let message: Value = serde_json::from_str(&line).unwrap_or_default();
        let all = message.as_array().cloned().unwrap_or_else(|| vec![message.clone()]);
        let answers: Vec<Value> = all.iter().filter_map(|one| answer(one, &tools, script)).collect();
        match (message.is_array(), answers.first()) {
            (_, None) => {}
            (true, Some(_)) => say(&format!("{}\n", Value::Array(answers))),
            (false, Some(answer)) => say(&format!("{answer}\n")),
        }
    }
}

fn answer(message: &Value, tools: &Value, script: &str) -> Option<Value> {
    let id = message.get("id")?;
    let result = match (message["method"].as_str()?, script) {
        ("tools/call", "dies") => std::process::exit(7),
        ("tools/call", "huge") => json!({ "content": [{ "type": "text", "text": "x".repeat(50 << 20) }] }),
        ("tools/call", _) => json!({ "content": [{ "type": "text", "text": message["params"].to_string() }] }),
        ("tools/list", "pages") => match message["params"]["cursor"].as_str() {
            None => json!({ "tools": [tools[0]], "nextCursor": "2" }),
            Some(_) => json!({ "tools": [tools[1]] }),
        },
        ("tools/list", _) => json!({ "tools": tools, "_meta": { "x": 1.0e2 } }),
        (method, _) => json!({ "said": method }),
    };
    Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}
