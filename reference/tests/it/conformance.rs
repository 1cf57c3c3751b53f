//! The portable cases, by the reference alone.

use crate::compile;
use bailiwick::policy::{AgentId, OverlayId, Policy};
use bailiwick_reference::{Decision, Json, Question, Situation, decide};

fn suite(name: &str) -> Json {
    let path = format!("{}/../tests/conformance/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).expect("a suite");
    bailiwick_reference::json::read(&bytes).expect("a suite is JSON")
}

fn items(value: Option<&Json>) -> Vec<Json> {
    if let Some(Json::List(items)) = value { items.clone() } else { vec![] }
}

fn texts(value: Option<&Json>) -> Vec<String> {
    items(value).iter().filter_map(Json::text).map(str::to_owned).collect()
}

/// The situation of an agent and overlays by name.
pub fn situation<'p>(policy: &'p Policy, agent: &str, overlays: &[String]) -> Situation<'p> {
    let agent = AgentId(policy.agents.iter().position(|a| *a.name == *agent).expect("an agent"));
    let overlay = |name: &String| OverlayId(policy.overlays.iter().position(|o| *o.name == **name).expect("an overlay"));
    Situation::new(policy, agent, &overlays.iter().map(overlay).collect::<Vec<_>>())
}

fn arguments(call: &Json) -> Vec<u8> {
    match (call.get("raw"), call.get("arguments")) {
        (Some(raw), _) => raw.text().expect("raw is text").as_bytes().to_vec(),
        (None, Some(arguments)) => arguments.canonical().into_bytes(),
        (None, None) => b"{}".to_vec(),
    }
}

fn by_holds(by: &str, decision: &Decision) -> bool {
    let gate = if by == "unavailable" { "facts-unavailable" } else { by };
    decision.code == Some(gate) || decision.limit.as_deref() == Some(by)
}

/// What of the expectation does not hold.
fn misses(expected: &Json, decision: &Decision) -> Vec<String> {
    let Json::Obj(members) = expected else { return vec!["no expectation".to_owned()] };
    let wrong = |(key, value): &(String, Json)| match key.as_str() {
        "status" => value.text() != Some(decision.status),
        "by" => !value.text().is_some_and(|by| by_holds(by, decision)),
        "arguments" => decision.arguments.as_ref().map(Json::canonical) != Some(value.canonical()),
        "provider_id" => value.text() != decision.provider_id.as_deref(),
        "route" => value.text() != decision.route,
        "fallback_from" => value.text() != decision.fallback_from.as_deref(),
        _ => false, // what the reference does not say
    };
    members.iter().filter(|m| wrong(m)).map(|(k, v)| format!("{k} is not {}", v.canonical())).collect()
}

fn check_suite(name: &str) {
    let suite = suite(name);
    let sources = suite.get("policies").expect("policies");
    let mut failures = Vec::new();
    let mut decided = 0;
    for case in items(suite.get("cases")) {
        let id = case.get("id").and_then(Json::text).expect("an id");
        let (Some(call), None) = (case.get("call"), case.get("on_widen")) else { continue };
        if call.get("op").is_some() {
            continue;
        }
        let files: Vec<String> = texts(case.get("files")).iter().map(|f| texts(sources.get(f)).join("\n")).collect();
        let (policy, _) = match compile::policy(&files) {
            Ok(found) => found,
            Err(errors) => {
                failures.push(format!("{id}: {errors:?}"));
                continue;
            }
        };
        let situation =
            situation(&policy, case.get("agent").and_then(Json::text).expect("an agent"), &texts(case.get("overlays")));
        let facts = case.get("facts").cloned().unwrap_or(Json::Obj(vec![]));
        let name = |k| call.get(k).and_then(Json::text).expect("a name");
        let bytes = arguments(call);
        let question =
            Question { connector: name("connector"), tool: name("tool"), arguments: &bytes, facts: &facts, table: "" };
        let decision = decide(&situation, &question);
        decided += 1;
        let wrong = misses(case.get("expect").expect("an expectation"), &decision);
        if !wrong.is_empty() {
            failures.push(format!("{id}: {wrong:?} in {decision:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(decided >= 10, "only {decided} cases of {name} were decided");
}

#[test]
fn terminal_cases_come_out_right() {
    check_suite("terminal");
}

#[test]
fn reported_cases_come_out_right() {
    check_suite("reports");
}

#[test]
fn provider_cases_come_out_right() {
    check_suite("providers");
}

#[test]
fn semantic_cases_come_out_right() {
    check_suite("semantics");
}
