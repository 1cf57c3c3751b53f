//! The only sequencer of passes: texts → findings, policy, proof, table. Knows no IO, no command line, no socket: imports
//! come through a [`Loader`].

mod library;
mod lints;
mod passes;
mod reading;

pub use library::{library, library_names};
pub use lints::{Linted, lint};
pub use passes::{Built, Options, compile, compile_alone};
pub use reading::{Input, Loader, NoImports, Parsed, read};

#[cfg(test)]
mod tests;
