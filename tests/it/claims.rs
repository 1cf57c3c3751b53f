//! Descriptions, each put into one policy: which claims `lint` finds contradicted, against what people say of the same sentences.

use bailiwick::diag::Diagnostic;
use bailiwick::driver::{self, Input, NoImports};
use bailiwick::lint::Levels;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Case {
    agent: String,
    text: String,
    expect: Vec<String>,
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/claims")
}

/// The slugs of claims, without `claim-`, that the description gets in the agent's place.
fn found(world: &str, case: &Case) -> Vec<String> {
    let mark = format!("\"{}\"", case.agent.to_uppercase());
    assert!(world.contains(&mark), "no agent {}", case.agent);
    let text = world.replace(&mark, &serde_json::to_string(&case.text).expect("JSON"));
    let input = Input { name: "world.bwk".to_owned(), identity: "world.bwk".to_owned(), text };
    let linted = driver::lint(vec![input], &mut NoImports, &Levels::default());
    let errors: Vec<&Diagnostic> = linted.found.iter().filter(|d| d.code.id().starts_with('E')).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let claims = linted.found.iter().filter_map(|d| d.code.slug().strip_prefix("claim-"));
    let mut claims: Vec<String> = claims.map(str::to_owned).collect();
    claims.sort();
    claims
}

#[derive(Default)]
struct Score {
    right: usize,
    wrong: Vec<String>,
    missed: Vec<String>,
}

#[test]
fn what_is_found_is_right_and_what_is_missed_is_told() {
    let world = fs::read_to_string(directory().join("world.bwk")).expect("the policy");
    let mut paths: Vec<PathBuf> = fs::read_dir(directory()).expect("claims").flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "jsonl"));
    paths.sort();
    let mut sentences = 0;
    for path in paths {
        let text = fs::read_to_string(&path).expect("cases");
        let mut score = Score::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let case: Case =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{}: {error}: {line}", path.display()));
            sentences += 1;
            let mut expected = case.expect.clone();
            for slug in found(&world, &case) {
                match expected.iter().position(|e| *e == slug) {
                    Some(at) => {
                        expected.remove(at);
                        score.right += 1;
                    }
                    None => score.wrong.push(format!("{}: {slug}: {}", case.agent, case.text)),
                }
            }
            score.missed.extend(expected.iter().map(|slug| format!("{}: {slug}: {}", case.agent, case.text)));
        }
        let Score { right, wrong, missed } = score;
        let percent = |part: usize, rest: usize| 100.0 * part as f64 / (part + rest).max(1) as f64;
        let (precision, recall) = (percent(right, wrong.len()), percent(right, missed.len()));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        println!(
            "{name}: precision {precision:.1} %, recall {recall:.1} % ({right} right, {} wrong, {} missed)",
            wrong.len(),
            missed.len()
        );
        missed.iter().for_each(|missed| println!("  missed {missed}"));
        assert!(precision >= 98.0, "{name}: precision {precision:.1} %, found wrongly:\n  {}", wrong.join("\n  "));
    }
    assert!(sentences >= 80, "{sentences} sentences");
}
