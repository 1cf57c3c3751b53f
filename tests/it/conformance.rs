//! The portable cases of tests/conformance: policies and calls as data, and what the answer must be. The format is described there.

use bailiwick::diag::{Severity, Sink};
use bailiwick::digest::canonical;
use bailiwick::domain::{Value as Exact, compact};
use bailiwick::driver::{self, Built, Input, NoImports, Options};
use bailiwick::eval::{Call, Decision, Facts, Handle, Status};
use bailiwick::explain::{decision_json, message};
use bailiwick::overlay::{self, OnWiden, OverlayVerdict};
use bailiwick::policy::Policy;
use bailiwick::suite::decided_by;
use bailiwick::table::Table;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

#[test]
fn terminal() {
    run("terminal");
}

#[test]
fn reports() {
    run("reports");
}

#[test]
fn providers() {
    run("providers");
}

#[test]
fn semantics() {
    run("semantics");
}

#[test]
fn ids_are_unique() {
    let mut seen = BTreeSet::new();
    for suite in ["terminal", "reports", "providers", "semantics"] {
        for case in load(suite)["cases"].as_array().expect("cases") {
            assert!(seen.insert(text(&case["id"])), "{} stands twice", case["id"]);
        }
    }
}

fn load(suite: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/conformance/{suite}.json"));
    let document: Value = serde_json::from_str(&fs::read_to_string(&path).expect("the suite")).expect("JSON");
    assert_eq!(document["format"], 1);
    document
}

fn run(suite: &str) {
    let document = load(suite);
    let cases = document["cases"].as_array().expect("cases");
    let mut built = BTreeMap::new();
    let mut faults = Vec::new();
    for case in cases {
        let key = format!("{} {}", case["files"], case["on_widen"]);
        let built = built.entry(key).or_insert_with(|| compile(&document["policies"], case));
        if let Err(fault) = check_case(&document["policies"], case, built) {
            faults.push(format!("{}: {fault}", text(&case["id"])));
        }
    }
    assert!(faults.is_empty(), "{} of {} cases:\n{}", faults.len(), cases.len(), faults.join("\n"));
}

fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

fn inputs(policies: &Value, case: &Value) -> Vec<Input> {
    let input = |name: &Value| {
        let lines = policies[text(name)].as_array().expect("a policy").iter().map(text);
        let (name, text) = (text(name), lines.collect::<Vec<_>>().join("\n") + "\n");
        Input { identity: name.clone(), name, text }
    };
    case["files"].as_array().expect("files").iter().map(input).collect()
}

fn compile(policies: &Value, case: &Value) -> Built {
    let on_widen = if case["on_widen"] == "clamp" { OnWiden::Clamp } else { OnWiden::Reject };
    driver::compile(inputs(policies, case), &mut NoImports, &Options { on_widen })
}

fn check_case(policies: &Value, case: &Value, built: &Built) -> Result<(), String> {
    let expect = &case["expect"];
    match expect["compile"].as_str() {
        Some("widens") => widens(policies, case, built),
        Some("unknown") => unknown(&text(&expect["suggest"]), built),
        Some(other) => Err(format!("`{other}` is no expectation")),
        None => decides(case, built),
    }
}

fn found(built: &Built) -> String {
    bailiwick::diag::render::short(&built.found, &built.sources)
}

/// The overlay is refused, and the witness shows it: the overlay alone permits the call, the agent does not.
fn widens(policies: &Value, case: &Value, built: &Built) -> Result<(), String> {
    let name = text(&case["expect"]["overlay"]);
    if built.table.is_some() {
        return Err("it compiles".to_owned());
    }
    let overlays = built.overlays.as_ref().ok_or_else(|| format!("the proof was not reached:\n{}", found(built)))?;
    let verdict = overlays.iter().find(|o| *o.name == *name).ok_or("no such overlay")?;
    if verdict.holds || verdict.widens.is_empty() {
        return Err("it narrows".to_owned());
    }
    let errors = built.found.iter().filter(|d| d.severity == Severity::Error);
    if errors.map(|d| d.code.id()).collect::<Vec<_>>() != ["E0500"] {
        return Err(format!("one mistake is one error: {}", found(built)));
    }
    for widening in &verdict.widens {
        let expect = &case["expect"];
        let witness: Value = serde_json::from_str(&compact(&widening.witness)).map_err(|e| e.to_string())?;
        if !expect["witness"].is_null() && expect["witness"] != witness {
            return Err(format!("the witness is {witness}"));
        }
        if !expect["repair"].is_null() && expect["repair"].as_str() != widening.repair.as_deref() {
            return Err(format!("the repair is {:?}", widening.repair));
        }
    }
    replayed(policies, case, verdict)?;
    mended(policies, case, verdict, built)
}

/// Every repair, pasted where it says, proves.
fn mended(policies: &Value, case: &Value, verdict: &OverlayVerdict, built: &Built) -> Result<(), String> {
    let mut inputs = inputs(policies, case);
    let mut edits: Vec<_> = verdict.widens.iter().filter_map(|widening| widening.edit.as_ref()).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    for edit in &edits {
        let name = built.sources.get(edit.span.file).map(|source| source.name.to_string()).ok_or("a file")?;
        let file = inputs.iter_mut().find(|input| input.name == name).ok_or("an input")?;
        file.text.replace_range(edit.span.range(), &edit.replacement);
    }
    let again = driver::compile(inputs, &mut NoImports, &Options::default());
    let left = again.found.iter().filter(|d| d.severity == Severity::Error).count();
    let without = verdict.widens.len() - edits.len();
    if left > without { Err(format!("mended, it is still refused:\n{}", found(&again))) } else { Ok(()) }
}

/// Each witness as a call: the overlay alone decides that it is Ready, what the overlay is on does not.
fn replayed(policies: &Value, case: &Value, verdict: &OverlayVerdict) -> Result<(), String> {
    let alone = driver::compile_alone(inputs(policies, case), &mut NoImports, &verdict.name);
    let base = without_overlays(&alone)?;
    let alone = alone.table.ok_or("the overlay alone does not compile")?;
    let alone = alone.overlay_alone(&verdict.name).map_err(|e| e.to_string())?;
    let base = base.handle(&verdict.on, &[], &[]).map_err(|e| e.to_string())?;
    for widening in &verdict.widens {
        let tool = widening.tool.as_deref().ok_or("the widening names no tool")?;
        let arguments = compact(&widening.witness);
        let call = Call { connector: &widening.connector, tool, arguments: arguments.as_bytes() };
        let facts = Facts::none();
        let (promised, withheld) = (alone.decide(&call, &facts).status, base.decide(&call, &facts).status);
        if promised != Status::Ready || !matches!(withheld, Status::PolicyBlocked | Status::Hidden) {
            return Err(format!("{tool} {arguments}: {promised:?} by the overlay alone, {withheld:?} by what it is on"));
        }
    }
    Ok(())
}

/// The table of the same policy without its overlays, one of which widens.
fn without_overlays(built: &Built) -> Result<Table, String> {
    let mut policy = Policy::clone(built.policy.as_ref().ok_or("there is no policy")?);
    policy.overlays.clear();
    policy.tests.clear();
    let verification = overlay::verify(policy, &overlay::Options::default(), &mut Sink::default());
    let verified = verification.verified.ok_or("the agents alone do not verify")?;
    Ok(bailiwick::table::build(&verified, &built.sources))
}

fn unknown(suggest: &str, built: &Built) -> Result<(), String> {
    let [only] = &built.found[..] else { return Err(format!("one mistake is one error:\n{}", found(built))) };
    let named = only.code.slug().starts_with("unknown-");
    let help = only.help.as_deref().unwrap_or("");
    if named && help.contains(&format!("`{suggest}`")) { Ok(()) } else { Err(found(built)) }
}

fn decides(case: &Value, built: &Built) -> Result<(), String> {
    let table = built.table.as_ref().ok_or_else(|| format!("it does not compile:\n{}", found(built)))?;
    let overlays: Vec<String> = case["overlays"].as_array().expect("overlays").iter().map(text).collect();
    let overlays: Vec<&str> = overlays.iter().map(String::as_str).collect();
    let bindings: Vec<(String, Exact)> = case["bindings"]
        .as_object()
        .map(|b| b.iter().map(|(limit, v)| (limit.clone(), Exact::Text(text(v).into()))).collect())
        .unwrap_or_default();
    let bindings: Vec<(&str, Exact)> = bindings.iter().map(|(limit, v)| (limit.as_str(), v.clone())).collect();
    let handle = table.handle(&text(&case["agent"]), &overlays, &bindings).map_err(|e| e.to_string())?;
    let facts = Facts::read(case["facts"].to_string().as_bytes()).map_err(|e| e.to_string())?;
    let (connector, tool) = (text(&case["call"]["connector"]), text(&case["call"]["tool"]));
    let arguments = case["call"]["raw"].as_str().map_or_else(|| case["call"]["arguments"].to_string(), str::to_owned);
    let decision = handle.decide(&Call { connector: &connector, tool: &tool, arguments: arguments.as_bytes() }, &facts);
    agrees(&case["expect"], &handle, &decision)
}

fn agrees(expect: &Value, handle: &Handle, decision: &Decision) -> Result<(), String> {
    let json: Value = serde_json::from_str(&decision_json(handle, decision)).expect("a decision is JSON");
    let said = message(handle, decision).unwrap_or_default();
    for (member, value) in expect.as_object().expect("an expectation") {
        let holds = match member.as_str() {
            "status" => json["admission_status"] == *value,
            "by" => decided_by(handle.table(), decision, &text(value)),
            "arguments" => {
                let forwarded = decision.arguments.as_ref().map(|f| canonical(f.value()));
                forwarded == Some(canonical(&exact(value)))
            }
            "obligations" => {
                value.as_array().expect("a list").iter().all(|o| json["obligations"].as_array().expect("a list").contains(o))
            }
            "candidates" => value.as_object().expect("an object").iter().all(|(provider, reason)| {
                let candidates = json["candidates"].as_array().expect("a list");
                candidates.iter().any(|c| c["provider_id"] == **provider && c["reason"] == *reason)
            }),
            "message" => said.contains(&text(value)),
            "provider_id" | "route" | "fallback_from" | "degraded_reason" | "generation" | "listing_generation" => {
                json[member] == *value
            }
            other => return Err(format!("`{other}` is no expectation")),
        };
        if !holds {
            return Err(format!("expected {member} {value}, got {json} ({said})"));
        }
    }
    Ok(())
}

fn exact(value: &Value) -> Exact {
    bailiwick::call::read(value.to_string().as_bytes(), bailiwick::call::Bounds::default()).expect("strict JSON")
}
