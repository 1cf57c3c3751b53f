//! The renderers: positions in scalars, escapes, fixes.

use super::*;
use crate::diag::Code;

fn example() -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add("a b:c.bwk", "é ammount <= 5\nagent x\n");
    let found = Diagnostic::new(Code::UNKNOWN_NAME, Span::new(file, 3, 10), "no argument `ammount`,\nhere: 50%")
        .did_you_mean("ammount", ["amount"])
        .also(Span::new(file, 22, 23), "of this agent");
    (sources, vec![found])
}

#[test]
fn short_is_one_line_per_finding() {
    let (sources, found) = example();
    let text = short(&found, &sources);
    assert_eq!(text, "a b:c.bwk:1:3: error[E0200]: no argument `ammount`, here: 50%; did you mean `amount`?\n");
}

#[test]
fn github_escapes_what_its_commands_reserve() {
    let (sources, found) = example();
    let text = github(&found, &sources);
    assert!(text.starts_with("::error file=a b%3Ac.bwk,line=1,col=3,endLine=1,endColumn=10,title=E0200 unknown-name::"));
    assert!(text.contains("`ammount`,%0Ahere: 50%25"), "{text}");
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn json_carries_places_related_and_fixes() {
    let (sources, found) = example();
    let value: serde_json::Value = serde_json::from_str(&json(&found, &sources)).expect("json");
    assert_eq!(value["format"], 1);
    let entry = &value["diagnostics"][0];
    assert_eq!(entry["location"]["column"], 3);
    assert_eq!(entry["related"][0]["location"]["line"], 2);
    assert_eq!(entry["fixes"][0]["edits"][0]["replacement"], "amount");
}

#[test]
fn sarif_names_its_rules_and_counts_code_points() {
    let (sources, found) = example();
    let value: serde_json::Value = serde_json::from_str(&sarif(&found, &sources)).expect("json");
    let run = &value["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "E0200");
    let result = &run["results"][0];
    assert_eq!(result["ruleIndex"], 0);
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20b%3Ac.bwk");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startColumn"], 3);
}
