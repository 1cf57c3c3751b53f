//! A policy → the same policy, *verified*: every overlay shown to narrow what it is on, or cut until it does. Also what only
//! a proof can find: rows that nothing satisfies, overlays that change nothing, layers that together permit nothing.
//!
//! Knows no syntax; every question about sets is the domain's.

mod alone;
mod binding;
mod boundary;
mod certificate;
mod certify;
mod checker;
mod claim;
mod clamp;
mod conjunct;
mod crew;
mod document;
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
pub use certificate::{CertificateFault, ClauseProof, OverlayProof, ProvedClaim, certify, check_certificate};
pub use checker::Node;
pub use claim::Row as ClaimRow;
pub use crew::Progress;
pub use document::verdicts_json;
pub use effective::{Effective, Granted};
pub use verdict::{OverlayVerdict, Quote, Widening};

use crate::diag::Sink;
use crate::domain::Work;
use crate::policy::{Layer, OverlayId, Policy};
use narrow::Context;
use report::Tone;
use stack::{Bases, Factor, chain};
use std::collections::BTreeMap;
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
    verify_watched(policy, options, &Progress::default(), sink)
}

/// As [`verify`], for somebody who looks at `progress` meanwhile.
pub fn verify_watched(policy: Policy, options: &Options, progress: &Progress, sink: &mut Sink) -> Verification {
    let mut policy = policy;
    progress.expect(policy.overlays.len());
    let mut verdicts: Vec<Option<OverlayVerdict>> = vec![None; policy.overlays.len()];
    for level in bases_first(&policy) {
        let bases = Bases::new(&policy);
        let proofs = crew::each(level.len(), |at| {
            let proof = prove(&policy, level[at], &bases, options.on_widen);
            progress.one_more();
            proof
        });
        for (id, proof) in level.into_iter().zip(proofs) {
            sink.extend(proof.found.into_sorted());
            if let Some(layer) = proof.clamped {
                policy.overlays[id.0].layer = layer;
            }
            verdicts[id.0] = Some(proof.verdict);
        }
    }
    let overlays: Vec<OverlayVerdict> = verdicts.into_iter().flatten().collect();
    let clamped = options.on_widen == OnWiden::Clamp;
    findings::find(&policy, &overlays, sink);
    let boundaries = boundary::reports(&policy, sink);
    let passes = overlays.iter().all(|verdict| verdict.proved && (clamped || verdict.holds));
    Verification { overlays, boundaries, verified: passes.then(|| Verified { policy: Arc::new(policy) }) }
}

/// Proves that one overlay of `policy` narrows what it is on, or cuts it; the others were proved before, and none of them is on
/// this one.
pub fn verify_one(
    policy: Policy,
    overlay: OverlayId,
    options: &Options,
    sink: &mut Sink,
) -> (OverlayVerdict, Option<Verified>) {
    let mut policy = policy;
    let Proof { verdict, found, clamped } = prove(&policy, overlay, &Bases::new(&policy), options.on_widen);
    sink.extend(found.into_sorted());
    if let Some(layer) = clamped {
        policy.overlays[overlay.0].layer = layer;
    }
    if verdict.holds {
        findings::find_one(&policy, overlay, &Bases::new(&policy), sink);
    }
    let passes = verdict.proved && (verdict.holds || options.on_widen == OnWiden::Clamp);
    (verdict, passes.then(|| Verified { policy: Arc::new(policy) }))
}

/// What came of one overlay.
struct Proof {
    verdict: OverlayVerdict,
    found: Sink,
    /// What is left of it, if something was cut.
    clamped: Option<Layer>,
}

fn prove(policy: &Policy, overlay: OverlayId, bases: &Bases<'_>, on_widen: OnWiden) -> Proof {
    let mut work = Work::new();
    let mut found = Sink::default();
    let declared = &policy.overlays[overlay.0];
    let cx = Context { policy, overlay: Factor::overlay(declared), base: bases.of(overlay) };
    let (verdict, clamped) = match on_widen {
        OnWiden::Reject => {
            let failures = narrow::failures(&cx, &mut work);
            (report::tell(&cx, &failures, Tone::Error, &mut work, &mut found), None)
        }
        OnWiden::Clamp => clamp::clamp(&cx, declared, &mut work, &mut found),
    };
    Proof { verdict, found, clamped }
}

/// Every overlay, by how many others it is on: those that others are on first.
fn bases_first(policy: &Policy) -> Vec<Vec<OverlayId>> {
    let mut levels: BTreeMap<usize, Vec<OverlayId>> = BTreeMap::new();
    for id in (0..policy.overlays.len()).map(OverlayId) {
        levels.entry(chain(policy, id).len()).or_default().push(id);
    }
    levels.into_values().collect()
}

#[cfg(test)]
mod tests;
