//! A policy → the proofs of all that its overlays say; a policy and such proofs → whether they prove it. Knows no JSON.

use super::certify::prove;
use super::checker::{self, Node};
use super::claim::{Claim, Row, claims};
use super::crew;
use super::narrow::{Context, clauses};
use super::stack::{Bases, Factor};
use crate::domain::Work;
use crate::policy::{OverlayId, Policy};
use serde::{Deserialize, Serialize};

/// The proof of one overlay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverlayProof {
    /// The overlay.
    pub name: Box<str>,
    /// What it is on.
    pub on: Box<str>,
    /// By clause: limits, `tools`, rows.
    pub clauses: Vec<ClauseProof>,
}

/// The proof of one clause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClauseProof {
    /// The clause in words.
    pub clause: String,
    /// All that it claims: together they are what has to hold.
    pub claims: Vec<ProvedClaim>,
}

/// One claim with its proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProvedClaim {
    /// The names of the arguments, which are numbered from 0 in all that follows.
    pub arguments: Vec<Box<str>>,
    /// What the clause permits.
    pub left: Row,
    /// What its base permits on the paths that the clause mentions: the claim is that these hold all of `left`.
    pub right: Vec<Row>,
    /// The tree, in prefix order.
    pub proof: Vec<Node>,
}

/// Why proofs do not prove a policy's overlays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateFault {
    /// An overlay of the policy has no proof, or a proof no overlay.
    #[error("the proofs are not of this policy's overlays: {0}")]
    Overlays(String),
    /// A clause says or claims something else than what is proved.
    #[error("overlay `{overlay}`: what is proved is not what `{clause}` claims")]
    Claims {
        /// The overlay.
        overlay: String,
        /// The clause.
        clause: String,
    },
    /// A proof does not hold.
    #[error("overlay `{overlay}`: the proof of `{clause}` does not hold: {why}")]
    Proof {
        /// The overlay.
        overlay: String,
        /// The clause.
        clause: String,
        /// What is wrong.
        why: String,
    },
    /// What a clause claims, or its proof, is beyond the bounds on work.
    #[error("overlay `{overlay}`: no proof of `{clause}` within the bounds")]
    Undecided {
        /// The overlay.
        overlay: String,
        /// The clause.
        clause: String,
    },
}

/// The proofs of all overlays of `policy`, in order.
///
/// # Errors
/// [`CertificateFault::Undecided`] for the first clause that is not proved.
pub fn certify(policy: &Policy) -> Result<Vec<OverlayProof>, CertificateFault> {
    let bases = Bases::new(policy);
    crew::each(policy.overlays.len(), |at| one(policy, OverlayId(at), &bases)).into_iter().collect()
}

fn one(policy: &Policy, overlay: OverlayId, bases: &Bases<'_>) -> Result<OverlayProof, CertificateFault> {
    let proved = |claim: Claim| {
        let proof = prove(&claim).ok()?;
        let arguments = names(&claim);
        Some(ProvedClaim { arguments, left: claim.left, right: claim.right, proof })
    };
    let declared = &policy.overlays[overlay.0];
    let mut found = Vec::new();
    for (clause, claims) in all_claims(policy, overlay, bases)? {
        let undecided = || CertificateFault::Undecided { overlay: declared.name.to_string(), clause: clause.clone() };
        let claims = claims.into_iter().map(proved).collect::<Option<Vec<_>>>().ok_or_else(undecided)?;
        found.push(ClauseProof { clause, claims });
    }
    Ok(OverlayProof { name: declared.name.clone(), on: bases.of(overlay).name().into(), clauses: found })
}

fn names(claim: &Claim) -> Vec<Box<str>> {
    claim.members.iter().map(|member| member.name.clone()).collect()
}

/// What every clause of the overlay claims, with its words.
fn all_claims(
    policy: &Policy,
    overlay: OverlayId,
    bases: &Bases<'_>,
) -> Result<Vec<(String, Vec<Claim>)>, CertificateFault> {
    let mut work = Work::new();
    let declared = &policy.overlays[overlay.0];
    let cx = Context { policy, overlay: Factor::overlay(declared), base: bases.of(overlay) };
    let mut found = Vec::new();
    for clause in clauses(&cx) {
        let quote = super::report::quote(&cx, clause).text;
        let undecided = |_| CertificateFault::Undecided { overlay: declared.name.to_string(), clause: quote.clone() };
        let all = claims(&cx, clause, &mut work).map_err(undecided)?;
        found.push((quote, all));
    }
    Ok(found)
}

/// Replays `proofs` as those of the overlays of `policy`: the number of claims that they prove.
///
/// What a clause claims is worked out anew, by the rule and without the search; then every proof is replayed against it.
///
/// # Errors
/// [`CertificateFault`]: the first thing that is wrong.
pub fn check_certificate(policy: &Policy, proofs: &[OverlayProof]) -> Result<usize, CertificateFault> {
    let bases = Bases::new(policy);
    let of_policy: Vec<(&str, &str)> =
        (0..policy.overlays.len()).map(|at| (&*policy.overlays[at].name, bases.of(OverlayId(at)).name())).collect();
    let of_proofs: Vec<(&str, &str)> = proofs.iter().map(|proof| (&*proof.name, &*proof.on)).collect();
    if of_policy != of_proofs {
        let differs = of_policy.iter().zip(&of_proofs).find(|(a, b)| a != b).map(|((name, _), _)| format!("`{name}`"));
        return Err(CertificateFault::Overlays(differs.unwrap_or_else(|| "one side has more".to_owned())));
    }
    let counts = crew::each(proofs.len(), |at| replay(policy, OverlayId(at), &bases, &proofs[at]));
    counts.into_iter().sum()
}

fn replay(policy: &Policy, overlay: OverlayId, bases: &Bases<'_>, proof: &OverlayProof) -> Result<usize, CertificateFault> {
    let all = all_claims(policy, overlay, bases)?;
    let of_clause = |clause: &str| CertificateFault::Claims { overlay: proof.name.to_string(), clause: clause.to_owned() };
    if all.len() != proof.clauses.len() {
        return Err(of_clause("all of it"));
    }
    let mut count = 0;
    for ((clause, claims), proved) in all.iter().zip(&proof.clauses) {
        if *clause != proved.clause || claims.len() != proved.claims.len() {
            return Err(of_clause(clause));
        }
        for (claim, proved) in claims.iter().zip(&proved.claims) {
            if names(claim) != proved.arguments || claim.left != proved.left || claim.right != proved.right {
                return Err(of_clause(clause));
            }
            checker::replay(claim, &proved.proof).map_err(|fault| CertificateFault::Proof {
                overlay: proof.name.to_string(),
                clause: clause.clone(),
                why: fault.to_string(),
            })?;
            count += 1;
        }
    }
    Ok(count)
}
