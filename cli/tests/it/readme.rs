//! The README's console blocks are what the binary prints: each `$ bailiwick …` line is run, its output compared.
//! `BAILIWICK_BLESS=1` writes the real output into the file.

use crate::{root, run_in};
use std::fs;

const FILES: &[&str] = &["README.md"];

#[test]
fn console_blocks_are_real_output() {
    for file in FILES {
        let path = root().join(file);
        let text = fs::read_to_string(&path).expect("the file");
        let fresh = with_real_output(&text);
        if std::env::var_os("BAILIWICK_BLESS").is_some() {
            fs::write(&path, &fresh).expect("writable");
        } else {
            assert!(
                text == fresh,
                "{file} differs from what the binary prints (BAILIWICK_BLESS=1 mends it):\n{}",
                first_difference(&text, &fresh)
            );
        }
    }
}

/// The text with the output in every console block made anew.
fn with_real_output(text: &str) -> String {
    let mut fresh = String::new();
    let mut console = false;
    for line in text.lines() {
        let fence = line.starts_with("```");
        if fence {
            console = line == "```console";
        }
        if fence || !console {
            fresh.push_str(line);
            fresh.push('\n');
        } else if let Some(command) = line.strip_prefix("$ ") {
            fresh.push_str(line);
            fresh.push('\n');
            fresh.push_str(&output(command));
        }
    }
    fresh
}

fn output(command: &str) -> String {
    let words: Vec<&str> = command.split_whitespace().collect();
    let arguments = match words[..] {
        ["bailiwick", ..] => &words[1..],
        ["cargo", "run", "-q", "--", ..] => &words[4..],
        _ => panic!("a console block runs `bailiwick` or `cargo run -q --`, not `{command}`"),
    };
    let run = run_in(&root(), arguments, "");
    let lines = run.out.lines().chain(run.err.lines());
    lines.map(|l| format!("{}\n", l.trim_end())).collect()
}

fn first_difference(old: &str, new: &str) -> String {
    let pair = old.lines().zip(new.lines()).find(|(a, b)| a != b);
    pair.map_or_else(|| "one is longer".to_owned(), |(a, b)| format!("- {a}\n+ {b}"))
}

#[test]
fn policies_in_the_readme_stand_in_the_examples() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let example = fs::read_to_string(root().join("examples/quickstart/policy.bwk")).expect("the example");
    let blocks: Vec<&str> = readme.split("```bailiwick\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 2);
    for block in blocks {
        assert!(example.contains(block), "examples/quickstart/policy.bwk does not have\n{block}");
    }
}
