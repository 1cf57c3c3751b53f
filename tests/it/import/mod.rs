//! Vocabularies made of what servers offer. Over real servers and others made up: the text checks and is laid out, calls
//! that a schema admits are Ready, calls that it does not are refused; an independent validator is the judge.

mod samples;

use bailiwick::driver::{Input, NoImports, Options, compile};
use bailiwick::eval::{Call, Facts, Handle, Status};
use bailiwick::import::{self, Advise, Imported};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The captures, by name.
fn captures() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<PathBuf> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp"))
        .expect("tests/mcp")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    let name = |path: &Path| path.file_stem().expect("a name").to_string_lossy().replace('-', "_");
    files.iter().map(|path| (name(path), fs::read(path).expect("a capture"))).collect()
}

fn imported(name: &str, bytes: &[u8], advise: Advise) -> Imported {
    let listing = import::read_listing(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
    import::vocabulary(&listing, name, advise).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// An agent with all tools of the vocabulary; the vocabulary has no error.
fn everything(name: &str, vocabulary: &str, tools: &[&str]) -> Handle {
    let list: Vec<String> = tools.iter().map(|tool| Value::from(*tool).to_string()).collect();
    let agent = format!("agent all {{ use {name} {{ tools {} }} }}\n", list.join(", "));
    let input = Input { name: name.into(), identity: name.into(), text: format!("{vocabulary}{agent}") };
    let built = compile(vec![input], &mut NoImports, &Options::default());
    let errors: Vec<&str> = built.found.iter().map(|found| &*found.message).collect();
    let table = built.table.unwrap_or_else(|| panic!("{name}: {errors:?}"));
    table.handle("all", &[], &[]).expect("a handle")
}

/// What became of the keywords of one server.
#[derive(Default)]
struct Tally {
    /// Keywords that some value breaks, by the validator.
    narrowing: BTreeSet<String>,
    /// Those of which every such value is refused.
    lost: BTreeMap<String, String>,
    valid: usize,
}

fn check_server(name: &str, bytes: &[u8], tally: &mut Tally) {
    let vocabulary = imported(name, bytes, Advise::Silent).text;
    assert_eq!(bailiwick::syntax::format(&vocabulary).as_deref(), Ok(&*vocabulary), "{name} is laid out");
    let document: Value = serde_json::from_slice(bytes).expect("JSON");
    let tools: Vec<&Value> = document["tools"].as_array().expect("tools").iter().collect();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().expect("a name")).collect();
    let handle = everything(name, &vocabulary, &names);
    for tool in tools {
        check_tool(name, tool, &handle, tally);
    }
}

fn check_tool(server: &str, tool: &Value, handle: &Handle, tally: &mut Tally) {
    let (name, schema) = (tool["name"].as_str().expect("a name"), &tool["inputSchema"]);
    let validator = jsonschema::options()
        .should_validate_formats(false)
        .build(schema)
        .unwrap_or_else(|e| panic!("{server}, {name}: {e}"));
    let decide = |arguments: &Value| {
        let arguments = arguments.to_string();
        let call = Call { connector: server, tool: name, arguments: arguments.as_bytes() };
        handle.decide(&call, &Facts::none()).status
    };
    let mut valid = 0;
    for sample in samples::of(schema, schema, "", 0) {
        if validator.is_valid(&sample.value) {
            valid += 1;
            assert_eq!(decide(&sample.value), Status::Ready, "{server}, {name}: {}", sample.value);
        }
        for broken in sample.broken {
            let place = format!("{server}.{name}{}", broken.keyword);
            let refused = decide(&broken.value) != Status::Ready;
            match (validator.is_valid(&broken.value), refused) {
                (true, true) if broken.keyword == "/additionalProperties" => {} // undeclared arguments are refused by design
                (true, true) => panic!("{place}: refused, though valid: {}", broken.value),
                (true, false) => {}
                (false, true) => drop(tally.narrowing.insert(place)),
                (false, false) => {
                    tally.narrowing.insert(place.clone());
                    tally.lost.insert(place, broken.value.to_string());
                }
            }
        }
    }
    assert!(valid > 0, "{server}, {name}: no valid call was made of {schema}");
    tally.valid += valid;
}

#[test]
fn real_servers_are_held_to_their_schemas() {
    let mut tally = Tally::default();
    for (name, bytes) in captures() {
        check_server(&name, &bytes, &mut tally);
    }
    let counted = |places: &mut dyn Iterator<Item = &String>| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for place in places {
            let keyword = place.rsplit('/').next().unwrap_or_default();
            let keyword = if place.contains("/required/") { "required" } else { keyword };
            *counts.entry(keyword.to_owned()).or_default() += 1;
        }
        counts
    };
    let narrowing = counted(&mut tally.narrowing.iter());
    println!("{} valid calls are Ready; keywords that narrow: {narrowing:?}", tally.valid);
    println!("not held: {:?}", counted(&mut tally.lost.keys()));
    for (place, value) in &tally.lost {
        println!("  {place}: {value}");
    }
    let (all, lost) = (tally.narrowing.len(), tally.lost.len());
    assert!(lost * 100 <= all * 2, "{lost} of {all} keywords that narrow are not held");
}
