//! The laws of the surface over the shipped policies: what is permitted validates against the schema shown, and what
//! validates is permitted, in every profile. Calls are every combination of the argument values that the policies' own
//! tests name.

use bailiwick::digest::compact;
use bailiwick::domain::Value;
use bailiwick::driver::{Input, Loader, Options, compile};
use bailiwick::eval::{Call, Code, Decision, Facts, Handle, Status};
use bailiwick::surface::Profile;
use jsonschema::Validator;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

struct Files;

impl Loader for Files {
    fn load(&mut self, path: &str, from: &Input) -> Result<Input, String> {
        let file = Path::new(&from.identity).parent().expect("a directory").join(path);
        Ok(input(&file))
    }
}

fn input(file: &Path) -> Input {
    let text = fs::read_to_string(file).expect("a policy");
    Input { name: file.display().to_string(), identity: file.display().to_string(), text }
}

fn shipped() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found: Vec<PathBuf> = fs::read_dir(root.join("stdlib-policies"))
        .expect("the library")
        .map(|entry| entry.expect("an entry").path().join("example.bwk"))
        .collect();
    found.push(root.join("examples/quickstart/policy.bwk"));
    found.sort();
    found
}

/// For each tool, the values that tests give each argument.
type Pools = BTreeMap<(String, String), BTreeMap<String, BTreeSet<String>>>;

#[derive(Default)]
struct Counts {
    permitted: usize,
    refused: usize,
}

#[test]
fn schemas_show_what_is_permitted_and_nothing_else() {
    let mut counts = Counts::default();
    for file in shipped() {
        let built = compile(vec![input(&file)], &mut Files, &Options::default());
        let (table, policy) = (built.table.expect("a table"), built.policy.expect("a policy"));
        let mut pools = Pools::new();
        for case in policy.tests.iter().flat_map(|test| &test.cases) {
            let vocabulary = policy.vocabulary(case.tool.vocabulary);
            let tool = &vocabulary.tools[case.tool.tool];
            let pool = pools.entry((vocabulary.name.to_string(), tool.name.to_string())).or_default();
            let Value::Object(members) = &case.arguments else { continue };
            for (name, value) in members {
                pool.entry(name.to_string()).or_default().insert(compact(value));
            }
        }
        for test in &policy.tests {
            let overlays: Vec<&str> = test.overlays.iter().map(|o| &*policy.overlays[o.0].name).collect();
            let handle = table.handle(&policy.agents[test.agent.0].name, &overlays, &[]).expect("a handle");
            for profile in Profile::ALL {
                check_surface(&handle, profile, &pools, &mut counts);
            }
        }
    }
    assert!(counts.permitted > 400 && counts.refused > 1_000, "{} permitted, {} refused", counts.permitted, counts.refused);
}

fn check_surface(handle: &Handle, profile: Profile, pools: &Pools, counts: &mut Counts) {
    let surface = handle.surface(&Facts::none(), profile).expect("a surface");
    let document: serde_json::Value = serde_json::from_str(&compact(&surface.document())).expect("JSON");
    for ((connector, tool), pool) in pools {
        let entry = document["tools"]
            .as_array()
            .expect("tools")
            .iter()
            .find(|e| e["connector"] == **connector && e["name"] == **tool);
        assert_eq!(entry.is_none(), handle.is_hidden(connector, tool).expect("a tool"), "{connector}.{tool}");
        let Some(entry) = entry else { continue };
        let schema = entry.get("inputSchema").or_else(|| entry.get("parameters")).expect("a schema");
        let validator = jsonschema::options().build(schema).expect("a schema that compiles");
        let exact = document["availability"][format!("{connector}.{tool}")]["inexact"].is_null();
        for arguments in combinations(pool) {
            let call = Call { connector, tool, arguments: arguments.as_bytes() };
            let decision = handle.decide(&call, &Facts::none());
            check_laws(&validator, &arguments, &decision, exact, counts);
        }
    }
}

/// Objects with each choice of a value, or of none, for each argument; at most so many.
fn combinations(pool: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut objects = vec![Vec::<String>::new()];
    for (name, values) in pool {
        let mut more = objects.clone();
        for object in &objects {
            for value in values {
                let mut object = object.clone();
                object.push(format!("{}:{value}", serde_json::Value::from(name.as_str())));
                more.push(object);
            }
        }
        more.truncate(2_000);
        objects = more;
    }
    objects.into_iter().map(|members| format!("{{{}}}", members.join(","))).collect()
}

fn check_laws(validator: &Validator, raw: &str, decision: &Decision, exact: bool, counts: &mut Counts) {
    let raw_value: serde_json::Value = serde_json::from_str(raw).expect("JSON");
    match (&decision.status, &decision.arguments) {
        (Status::Ready, Some(forwarded)) => {
            counts.permitted += 1;
            let settled: serde_json::Value = serde_json::from_str(&compact(forwarded.value())).expect("JSON");
            assert!(validator.is_valid(&settled), "permitted and not shown: {raw} settled to {settled}");
        }
        _ if exact && refused_for_good(decision) => {
            counts.refused += 1;
            assert!(!validator.is_valid(&raw_value) || !is_canonical(raw), "shown and not permitted: {raw}");
        }
        _ => {}
    }
}

/// Whether the arguments are why, and not the facts.
fn refused_for_good(decision: &Decision) -> bool {
    let by_arguments = |code: Code| {
        matches!(code, Code::Arguments | Code::Limit | Code::Row | Code::Incoherent | Code::Unspecified | Code::Ambiguous)
    };
    decision.because.first().is_some_and(|because| by_arguments(because.code))
}

/// Whether no value has another spelling: paths, hosts and the like are written as they are compared.
fn is_canonical(raw: &str) -> bool {
    !["..", "//.", "/./", "~", "@evil", "HTTPS", "A@CORP"].iter().any(|spelling| raw.contains(spelling))
}
