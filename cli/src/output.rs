//! Results to standard output, findings and progress to standard error, in the format and colour asked for.

use crate::arguments::{Arguments, FindingFormat, When};
use crate::exit::CommandError;
use crate::render;
use bailiwick::diag::{Diagnostic, Severity, render as programs};
use bailiwick::overlay::Progress;
use bailiwick::source::Sources;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// At most this many findings are printed for people; a count of the rest follows.
const SHOWN: usize = 50;

/// Where a text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// The result.
    Out,
    /// What happened on the way.
    Err,
}

/// How this run speaks.
pub struct Output {
    color: When,
    quiet: bool,
}

impl Output {
    /// As the arguments say.
    pub fn new(arguments: &Arguments) -> Output {
        Output { color: arguments.color, quiet: arguments.quiet }
    }

    /// Whether to colour what goes to `stream`: <https://no-color.org>.
    pub fn colored(&self, stream: Stream) -> bool {
        match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                let silent = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
                let terminal = match stream {
                    Stream::Out => std::io::stdout().is_terminal(),
                    Stream::Err => std::io::stderr().is_terminal(),
                };
                terminal && !silent
            }
        }
    }

    /// A result, as it stands.
    pub fn result(&self, text: &str) -> Result<(), CommandError> {
        self.bytes(text.as_bytes())
    }

    /// A result in bytes, flushed.
    pub fn bytes(&self, bytes: &[u8]) -> Result<(), CommandError> {
        let mut out = std::io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush()).map_err(CommandError::Output)
    }

    /// Progress, unless quiet.
    pub fn progress(&self, text: &str) {
        if !self.quiet {
            eprintln!("{text}");
        }
    }

    /// Runs a proof, and says on a terminal how far it has come once that takes longer than a moment.
    pub fn watch<T>(&self, proof: impl FnOnce(&Progress) -> T) -> T {
        let progress = Progress::default();
        if self.quiet || !std::io::stderr().is_terminal() {
            return proof(&progress);
        }
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| watched(&progress, &done));
            let proved = proof(&progress);
            done.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
            proved
        })
    }

    /// Something wrong with one line of input; the run goes on.
    pub fn complaint(&self, text: &str) {
        eprintln!("error: {text}");
    }

    /// Why there is no answer.
    pub fn error(&self, error: &CommandError) {
        if let CommandError::Output(source) = error
            && source.kind() == std::io::ErrorKind::BrokenPipe
        {
            return;
        }
        let mut text = error.to_string();
        let mut cause = std::error::Error::source(error);
        while let Some(source) = cause {
            text.push_str(": ");
            text.push_str(source.to_string().trim_end());
            cause = source.source();
        }
        eprintln!("error: {text}");
    }

    /// Findings as the result of the command, in any format.
    pub fn findings(&self, found: &[Diagnostic], sources: &Sources, format: FindingFormat) -> Result<(), CommandError> {
        let kept: Vec<Diagnostic> = found.iter().filter(|d| !self.quiet || d.severity == Severity::Error).cloned().collect();
        let found = &kept[..];
        let text = match format {
            FindingFormat::Human => self.for_people(found, sources, Stream::Out),
            FindingFormat::Json => programs::json(found, sources) + "\n",
            FindingFormat::Sarif => programs::sarif(found, sources) + "\n",
            FindingFormat::Github => programs::github(found, sources),
            FindingFormat::Short => programs::short(found, sources),
        };
        self.result(&text)
    }

    /// Findings on the way to another result: to standard error; quiet keeps errors only.
    pub fn asides(&self, found: &[Diagnostic], sources: &Sources) {
        let kept: Vec<Diagnostic> = found.iter().filter(|d| !self.quiet || d.severity == Severity::Error).cloned().collect();
        eprint!("{}", self.for_people(&kept, sources, Stream::Err));
    }

    fn for_people(&self, found: &[Diagnostic], sources: &Sources, stream: Stream) -> String {
        let mut text = String::new();
        for diagnostic in found.iter().take(SHOWN) {
            text.push_str(&render::excerpt(diagnostic, sources, self.colored(stream)));
            text.push('\n');
        }
        if found.len() > SHOWN {
            text.push_str(&format!("… and {} more\n", found.len() - SHOWN));
        }
        if !found.is_empty() && !self.quiet {
            text.push_str(&tally(found));
        }
        text
    }
}

/// Says on standard error, a few times a second, how far the proof has come; leaves an empty line.
fn watched(progress: &Progress, done: &AtomicBool) {
    let mut shown = "";
    loop {
        std::thread::park_timeout(std::time::Duration::from_millis(200));
        let (through, total) = progress.seen();
        if done.load(Ordering::Relaxed) {
            eprint!("{shown}");
            return;
        }
        if total > 1 {
            eprint!("\r{through} of {total} overlays");
            shown = "\r\u{1b}[K";
        }
    }
}

fn tally(found: &[Diagnostic]) -> String {
    let errors = found.iter().filter(|d| d.severity == Severity::Error).count();
    let warnings = found.len() - errors;
    let count = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    match (errors, warnings) {
        (0, w) => format!("{}\n", count(w, "warning")),
        (e, 0) => format!("{}\n", count(e, "error")),
        (e, w) => format!("{}, {}\n", count(e, "error"), count(w, "warning")),
    }
}
