//! What came of a command → the exit code that scripts may rely on, and why a command could not go on.

use std::path::PathBuf;
use std::process::ExitCode;

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: clean, permitted, holds, equal.
    Yes,
    /// 1: the question was answered *no*.
    No,
    /// 2: no answer: usage, IO, not proved within the bound, or the policy does not compile.
    NoAnswer,
    /// 3: it widens.
    Widens,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Yes => 0,
            Exit::No => 1,
            Exit::NoAnswer => 2,
            Exit::Widens => 3,
        })
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// A file could not be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file could not be written.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Standard output is closed or full.
    #[error("cannot write to standard output")]
    Output(#[source] std::io::Error),
    /// A file is not UTF-8.
    #[error("`{name}` is not UTF-8: byte {offset} begins no character")]
    Encoding {
        /// Which.
        name: String,
        /// The first byte that is wrong.
        offset: usize,
    },
    /// The configuration is wrong.
    #[error("`{}` is not a configuration that Bailiwick can read", path.display())]
    Config {
        /// Which.
        path: PathBuf,
        /// Why.
        source: toml::de::Error,
    },
    /// There is no certificate, or one that proves nothing.
    #[error("the certificate `{}`", path.display())]
    Certificate {
        /// Which.
        path: PathBuf,
        /// Why.
        source: Box<bailiwick::driver::CertificateError>,
    },
    /// Anything else that was asked for and cannot be done.
    #[error("{0}")]
    Usage(String),
}

impl CommandError {
    /// A message on what was asked for.
    pub fn usage(text: impl Into<String>) -> CommandError {
        CommandError::Usage(text.into())
    }
}
