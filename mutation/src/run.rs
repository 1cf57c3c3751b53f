//! A tree with switches → built test programs, and what they say of each mutant.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What the mutants are tried against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Against {
    /// The generated tuples that both evaluators decide.
    Differential,
    /// The ordinary tests of the library and the reference.
    Tests,
}

impl Against {
    fn cargo(self) -> &'static [&'static str] {
        match self {
            Against::Differential => &["-p", "bailiwick-reference", "--test", "it"],
            Against::Tests => &["-p", "bailiwick", "--lib", "--test", "it", "-p", "bailiwick-reference", "--test", "it"],
        }
    }

    fn filter(self) -> &'static [&'static str] {
        match self {
            Against::Differential => &["differential"],
            Against::Tests => &[],
        }
    }
}

/// Programs, or the numbers of the mutants that do not compile.
pub enum Built {
    /// The test programs, each with the folder it is to be run in.
    Programs(Vec<(PathBuf, PathBuf)>),
    /// These do not compile.
    Refused(BTreeSet<usize>),
}

/// Builds the tests of `tree`.
///
/// # Errors
/// What cargo says, where no mutant is to blame.
pub fn build(tree: &Path, target: &Path, against: Against) -> Result<Built, String> {
    let output = Command::new("cargo")
        .args(["test", "--no-run", "--locked", "--message-format=json", "--quiet"])
        .args(against.cargo())
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", target)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| e.to_string())?;
    let (mut programs, mut refused, mut others) = (Vec::new(), BTreeSet::new(), Vec::new());
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        match message["reason"].as_str() {
            Some("compiler-artifact") => {
                let home = message["manifest_path"].as_str().and_then(|p| Path::new(p).parent()).unwrap_or(tree);
                programs.extend(message["executable"].as_str().map(|p| (PathBuf::from(p), home.to_owned())));
            }
            Some("compiler-message") if message["message"]["level"] == "error" => {
                let blamed = blamed(tree, &message["message"]);
                if blamed.is_empty() {
                    others.extend(message["message"]["rendered"].as_str().map(str::to_owned));
                }
                refused.extend(blamed);
            }
            _ => {} // warnings, build scripts
        }
    }
    match (output.status.success(), refused.is_empty()) {
        (true, _) => Ok(Built::Programs(programs)),
        (false, false) => Ok(Built::Refused(refused)),
        (false, true) => Err(others.join("\n")),
    }
}

/// The mutants on the lines that an error speaks of.
fn blamed(tree: &Path, message: &Value) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for span in message["spans"].as_array().into_iter().flatten() {
        let (Some(file), Some(from), Some(to)) =
            (span["file_name"].as_str(), span["line_start"].as_u64(), span["line_end"].as_u64())
        else {
            continue;
        };
        let text = std::fs::read_to_string(tree.join(file)).unwrap_or_default();
        let lines = text.lines().skip(from.saturating_sub(1) as usize).take((to - from + 1) as usize);
        found.extend(lines.flat_map(numbers));
    }
    found
}

fn numbers(line: &str) -> Vec<usize> {
    line.split("crate::mutant(").skip(1).filter_map(|rest| rest.split(')').next()?.parse().ok()).collect()
}

/// Whether some test program fails with the mutant on; one that takes longer than `limit` fails.
///
/// # Errors
/// A program that cannot be started.
pub fn is_found(
    programs: &[(PathBuf, PathBuf)],
    against: Against,
    mutant: usize,
    cases: usize,
    limit: Duration,
) -> Result<bool, String> {
    for (program, home) in programs {
        let mut child = Command::new(program)
            .args(against.filter())
            .current_dir(home)
            .env("MUTANT", mutant.to_string())
            .env("BAILIWICK_CASES", cases.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("{}: {e}", program.display()))?;
        let began = Instant::now();
        loop {
            match child.try_wait().map_err(|e| e.to_string())? {
                Some(status) if status.success() => break,
                Some(_) => return Ok(true),
                None if began.elapsed() > limit => {
                    child.kill().map_err(|e| e.to_string())?;
                    child.wait().map_err(|e| e.to_string())?;
                    return Ok(true);
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
    Ok(false)
}
