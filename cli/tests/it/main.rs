//! The binary as scripts see it: output, streams, exit codes; the README's promises; real input.

mod admit;
mod banking;
mod commands;
mod inputs;
mod lint;
mod proxy;
mod readme;
mod schemas;
mod servers;
mod shipped;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What came of a run.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// The project's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("cli/ has a parent").to_owned()
}

/// Runs the binary in `directory` with `input` on standard input.
pub fn run_in(directory: &Path, arguments: &[&str], input: &str) -> Run {
    run_bytes(directory, arguments, input.as_bytes().to_vec())
}

/// As [`run_in`], with bytes.
pub fn run_bytes(directory: &Path, arguments: &[&str], input: Vec<u8>) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bailiwick"))
        .args(arguments)
        .current_dir(directory)
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A command that does not read its input closes it early; that is no fault of the test.
    let writer = std::thread::spawn(move || stdin.write_all(&input).is_ok());
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer ends");
    Run {
        code: output.status.code().expect("no signal"),
        out: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
        err: String::from_utf8(output.stderr).expect("UTF-8 on stderr"),
    }
}

/// Runs the binary at the project's root.
pub fn run(arguments: &[&str]) -> Run {
    run_in(&root(), arguments, "")
}
