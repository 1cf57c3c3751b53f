//! Parsed → checked → proved → table: the passes in their order, each run on whatever the one before left.

use super::reading::{Input, Loader, Parsed, read};
use crate::check::check;
use crate::diag::{Diagnostic, Sink};
use crate::eval::settle;
use crate::overlay::{self, OnWiden, OverlayVerdict, Progress};
use crate::policy::Policy;
use crate::source::Sources;
use crate::table::{LoadError, Table, build};
use std::sync::Arc;

/// How to compile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What to do with a clause of an overlay that widens.
    pub on_widen: OnWiden,
}

impl Options {
    pub(super) fn of_proof(&self) -> overlay::Options {
        overlay::Options { on_widen: self.on_widen }
    }
}

/// The proof once more, of a table that was compiled: what [`compile`] says of the overlays, without the sources.
///
/// # Errors
/// [`LoadError`]: the table does not carry what the proof needs.
pub fn verify_table(table: &Table, options: &Options, progress: &Progress) -> Result<Built, LoadError> {
    let basis = table.basis()?;
    let mut sink = Sink::default();
    let proof = overlay::verify_watched((*basis.policy).clone(), &options.of_proof(), progress, &mut sink);
    let sources = basis.sources.clone();
    let policy = proof.verified.map(|verified| verified.policy().clone());
    Ok(Built { sources, found: sink.into_sorted(), overlays: Some(proof.overlays), policy, table: None })
}

/// What compiling leaves. Whatever is `None` or missing could not be made; `found` says why.
#[derive(Debug, Default)]
pub struct Built {
    /// The texts.
    pub sources: Sources,
    /// Everything found, sorted by file, place and code.
    pub found: Vec<Diagnostic>,
    /// What the narrowing proof says of each overlay; `None`: it was not reached.
    pub overlays: Option<Vec<OverlayVerdict>>,
    /// The policy as verified.
    pub policy: Option<Arc<Policy>>,
    /// The table.
    pub table: Option<Table>,
}

/// Compiles the inputs and everything they import.
pub fn compile(inputs: Vec<Input>, loader: &mut dyn Loader, options: &Options) -> Built {
    compile_watched(inputs, loader, options, &Progress::default())
}

/// As [`compile`], for somebody who looks at how far the proof has come meanwhile.
pub fn compile_watched(inputs: Vec<Input>, loader: &mut dyn Loader, options: &Options, progress: &Progress) -> Built {
    let Parsed { sources, files, mut sink, .. } = read(inputs, loader);
    let policy = check(&sources, &files, &mut sink);
    let mut built = Built { sources, ..Built::default() };
    if let Some(policy) = policy.filter(|_| !sink.has_errors()) {
        let verification = overlay::verify_watched(policy, &options.of_proof(), progress, &mut sink);
        built.overlays = Some(verification.overlays);
        if let Some(verified) = verification.verified.filter(|_| !sink.has_errors()) {
            built.table = Some(settle(build(&verified, &built.sources)));
            built.policy = Some(verified.policy().clone());
        }
    }
    built.found = sink.into_sorted();
    built
}

/// Compiles the overlay called `overlay` alone, as if it stood on an agent that permits everything: what it is written on
/// plays no part, so it may widen that. The table is missing where the policy is wrong or has no such overlay.
pub fn compile_alone(inputs: Vec<Input>, loader: &mut dyn Loader, overlay: &str) -> Built {
    let Parsed { sources, files, mut sink, .. } = read(inputs, loader);
    let policy = check(&sources, &files, &mut sink);
    let mut built = Built { sources, ..Built::default() };
    if let Some(policy) = policy.filter(|_| !sink.has_errors()) {
        let alone = overlay::alone(&policy, overlay);
        built.policy = Some(Arc::new(policy));
        let verified = alone.and_then(|alone| overlay::verify(alone, &overlay::Options::default(), &mut sink).verified);
        built.table = verified.map(|verified| build(&verified, &built.sources));
    }
    built.found = sink.into_sorted();
    built
}
