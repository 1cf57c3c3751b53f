//! The only sequencer of passes: texts → findings, policy, proof, table. Knows no IO, no command line, no socket: imports
//! come through a [`Loader`].

mod admit;
mod certificate;
mod library;
mod lints;
mod passes;
mod reading;

pub use admit::{Admission, Widening, admit};
pub use certificate::{CertificateError, certificate, replay_certificate};
pub use library::{library, library_names};
pub use lints::{Linted, lint};
pub use passes::{Built, Options, compile, compile_alone, compile_watched, verify_table};
pub use reading::{Input, Loader, NoImports, Parsed, read};

#[cfg(test)]
mod tests;
