//! Parsed → checked → proved → table: the passes in their order, each run on whatever the one before left.

use super::reading::{Input, Loader, Parsed, read};
use crate::check::check;
use crate::diag::Diagnostic;
use crate::eval::settle;
use crate::overlay::{self, OnWiden, OverlayVerdict};
use crate::policy::Policy;
use crate::source::Sources;
use crate::table::{Table, build};
use std::sync::Arc;

/// How to compile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What to do with a clause of an overlay that widens.
    pub on_widen: OnWiden,
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
    let Parsed { sources, files, mut sink, .. } = read(inputs, loader);
    let policy = check(&sources, &files, &mut sink);
    let mut built = Built { sources, ..Built::default() };
    if let Some(policy) = policy.filter(|_| !sink.has_errors()) {
        let verification = overlay::verify(policy, &overlay::Options { on_widen: options.on_widen }, &mut sink);
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
