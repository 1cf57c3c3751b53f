//! Every policy that is shipped: no error, canonical layout, its own tests pass, its overlays narrow.

use crate::{root, run};
use std::fs;

/// Directories that hold one policy each.
fn shipped() -> Vec<String> {
    let mut found = vec!["examples/quickstart".to_owned(), "examples/banking".to_owned()];
    for entry in fs::read_dir(root().join("stdlib-policies")).expect("stdlib-policies") {
        let name = entry.expect("a directory entry").file_name().to_string_lossy().into_owned();
        found.push(format!("stdlib-policies/{name}"));
    }
    found.sort();
    found
}

#[test]
fn shipped_policies_check_pass_and_are_laid_out() {
    let mut faults = Vec::new();
    for policy in shipped() {
        for arguments in [&["check", &policy][..], &["fmt", &policy, "--check"], &["test", &policy], &["verify", &policy]] {
            let run = run(arguments);
            if run.code != 0 {
                faults.push(format!("{}: exit {}\n{}{}", arguments.join(" "), run.code, run.out, run.err));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_library_is_what_stands_in_its_directory() {
    let mut names: Vec<&str> = bailiwick::driver::library_names().collect();
    names.sort_unstable();
    let directories: Vec<String> =
        shipped().iter().filter_map(|p| p.strip_prefix("stdlib-policies/").map(str::to_owned)).collect();
    assert_eq!(names, directories, "src/driver/library.rs lists every directory of stdlib-policies");
}

#[test]
fn the_example_that_widens_is_refused_with_its_witness() {
    let run = run(&["verify", "examples/widening", "--format", "json"]);
    assert_eq!(run.code, 3, "{}", run.err);
    let answer: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let widened =
        answer["overlays"].as_array().expect("overlays").iter().find(|o| o["name"] == "generous").expect("generous");
    assert_eq!((&answer["holds"], &widened["holds"]), (&false.into(), &false.into()));
    assert_eq!(widened["widens"][0]["tool"], "send_money");
    assert!(widened["widens"][0]["witness"]["amount"].as_f64().expect("a number") > 500.0, "{widened}");
}
