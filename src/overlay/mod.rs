//! A policy → the same policy, *verified*: every overlay shown to narrow what it is on, or cut until it does. Also what only
//! a proof can find: rows that nothing satisfies, overlays that change nothing, layers that together permit nothing.
//!
//! Knows no syntax; every question about sets is the domain's.

mod alone;
mod binding;
mod boundary;
mod clamp;
mod conjunct;
mod effective;
mod findings;
mod limit;
mod narrow;
mod part;
mod project;
mod reach;
mod repair;
mod report;
mod simple;
mod spot;
mod stack;
mod verdict;
mod witness;
mod words;

pub use alone::alone;
pub use boundary::BoundaryReport;
pub use effective::{Effective, Granted};
pub use verdict::{OverlayVerdict, Quote, Widening};

use crate::diag::Sink;
use crate::domain::Work;
use crate::policy::{OverlayId, Policy};
use narrow::Context;
use report::Tone;
use stack::{Base, Factor, base_factors, chain};
use std::sync::Arc;

/// A policy whose overlays were shown to narrow. Only [`verify`] makes one.
#[derive(Clone, Debug)]
pub struct Verified {
    policy: Arc<Policy>,
}

impl Verified {
    /// The policy, clamped where that was asked for.
    pub fn policy(&self) -> &Arc<Policy> {
        &self.policy
    }
}

/// What to do with an overlay that widens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnWiden {
    /// Refuse the policy.
    #[default]
    Reject,
    /// Drop what is outside, with a warning for each clause.
    Clamp,
}

/// How to verify.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What to do with an overlay that widens.
    pub on_widen: OnWiden,
}

/// What [`verify`] found.
#[derive(Clone, Debug)]
pub struct Verification {
    /// By overlay, in the order of the policy.
    pub overlays: Vec<OverlayVerdict>,
    /// What each boundary takes, by boundary, agents before overlays.
    pub boundaries: Vec<BoundaryReport>,
    /// The policy, if every overlay was shown to narrow or was cut until it did.
    pub verified: Option<Verified>,
}

/// Proves that every overlay of `policy` narrows what it is on; pushes a diagnostic for each clause that does not.
pub fn verify(policy: Policy, options: &Options, sink: &mut Sink) -> Verification {
    let mut policy = policy;
    let mut verdicts: Vec<Option<OverlayVerdict>> = vec![None; policy.overlays.len()];
    for id in bases_first(&policy) {
        let (verdict, clamped) = {
            let view = &policy;
            let mut work = Work::new();
            let base = Base::new(view, base_factors(view, id), &mut work);
            let cx = Context { policy: view, overlay: Factor::overlay(&view.overlays[id.0]), base: &base };
            match options.on_widen {
                OnWiden::Reject => {
                    let failures = narrow::failures(&cx, &mut work);
                    (report::tell(&cx, &failures, Tone::Error, &mut work, sink), None)
                }
                OnWiden::Clamp => clamp::clamp(&cx, &view.overlays[id.0], &mut work, sink),
            }
        };
        if let Some(layer) = clamped {
            policy.overlays[id.0].layer = layer;
        }
        verdicts[id.0] = Some(verdict);
    }
    let overlays: Vec<OverlayVerdict> = verdicts.into_iter().flatten().collect();
    let clamped = options.on_widen == OnWiden::Clamp;
    findings::find(&policy, &overlays, &mut Work::new(), sink);
    let boundaries = boundary::reports(&policy, &mut Work::new(), sink);
    let passes = overlays.iter().all(|verdict| verdict.proved && (clamped || verdict.holds));
    Verification { overlays, boundaries, verified: passes.then(|| Verified { policy: Arc::new(policy) }) }
}

/// Every overlay, those that others are on first.
fn bases_first(policy: &Policy) -> Vec<OverlayId> {
    let mut ids: Vec<OverlayId> = (0..policy.overlays.len()).map(OverlayId).collect();
    ids.sort_by_key(|id| (chain(policy, *id).len(), *id));
    ids
}

#[cfg(test)]
mod tests;
