//! Proofs that are written down: there is one exactly where the search proves, it replays, and no proof that was tampered with
//! does.

use super::super::certify::prove;
use super::super::checker::{Node, replay};
use super::super::claim::{Claim, Row, claims};
use super::super::narrow::{self, ClauseRef, Context};
use super::super::stack::{Base as Effective, Factor, base_factors};
use super::random::{any_policy, cases, world};
use super::*;
use crate::domain::{Kind, Member, Presence, Type, Work};
use crate::policy::LimitValue;

/// Whether the clauses are the same one.
fn same(a: ClauseRef<'_>, b: ClauseRef<'_>) -> bool {
    match (a, b) {
        (ClauseRef::Row(_, a), ClauseRef::Row(_, b)) => std::ptr::eq(a, b),
        (ClauseRef::Limit(a), ClauseRef::Limit(b)) => std::ptr::eq(a, b),
        (ClauseRef::Tool(_, a), ClauseRef::Tool(_, b)) => std::ptr::eq(a, b),
        (ClauseRef::Row(..) | ClauseRef::Limit(_) | ClauseRef::Tool(..), _) => false,
    }
}

/// Every leaf under another name, and every node left out.
fn mutants(claim: &Claim, proof: &[Node]) -> Vec<Vec<Node>> {
    let mut found = Vec::new();
    for (at, node) in proof.iter().enumerate() {
        let mut shorter = proof.to_vec();
        shorter.remove(at);
        found.push(shorter);
        if let Node::Row(row) = node {
            for other in (0..=claim.right.len()).filter(|other| other != row) {
                let mut renamed = proof.to_vec();
                renamed[at] = Node::Row(other);
                found.push(renamed);
            }
        }
    }
    found
}

#[derive(Default, Debug)]
struct Count {
    proofs: usize,
    named: usize,
    mutants: usize,
    refused: usize,
}

fn check_policy(policy: &Policy, count: &mut Count) {
    let mut work = Work::new();
    let base = Effective::new(policy, base_factors(policy, OverlayId(0)));
    let cx = Context { policy, overlay: Factor::overlay(&policy.overlays[0]), base: &base };
    let failures = narrow::failures(&cx, &mut work);
    for clause in narrow::clauses(&cx) {
        let all = claims(&cx, clause, &mut work).expect("small");
        let fails = failures.iter().any(|failure| same(failure.clause, clause));
        let silent = matches!(clause, ClauseRef::Limit(l) if matches!(l.value, LimitValue::Many | LimitValue::Single));
        let proofs: Vec<_> = all.iter().map(prove).collect();
        assert!(silent || fails == proofs.iter().any(Result::is_err), "{fails}: {all:#?}");
        count.refused += usize::from(fails);
        for (claim, proof) in all.iter().zip(proofs) {
            let Ok(proof) = proof else { continue };
            assert_eq!(replay(claim, &proof), Ok(()), "{claim:#?} {proof:?}");
            count.proofs += 1;
            count.named += usize::from(proof.iter().any(|node| matches!(node, Node::Named(_))));
            for mutant in mutants(claim, &proof) {
                assert!(replay(claim, &mutant).is_err(), "{claim:#?} {proof:?} {mutant:?}");
                count.mutants += 1;
            }
        }
    }
}

#[test]
fn there_is_a_proof_exactly_where_the_search_proves_and_no_mutant_of_it_is_one() {
    let world = world();
    let mut count = Count::default();
    for seed in 0..cases(120) {
        let mut dice = random::Dice(seed as u64 * 7_919 + 13);
        check_policy(&any_policy(&mut dice, &world), &mut count);
    }
    assert!(count.proofs > 50 && count.named > 0 && count.refused > 20, "{count:?}");
    assert!(count.mutants > count.proofs, "{count:?}");
}

/// Values of an argument in the small claims.
const VALUES: [&str; 4] = ["a", "b", "c", "d"];

fn subset(dice: &mut random::Dice, percent: usize) -> Vec<&'static str> {
    VALUES.into_iter().filter(|_| dice.often(percent)).collect()
}

/// Unions of products over three arguments, most of which need every row: a proof exists exactly where counting finds no call
/// that is left out.
#[test]
fn unions_that_need_every_row_have_proofs() {
    let member = |name: &str| Member {
        name: name.into(),
        ty: Type { kind: Kind::Enum(VALUES.iter().map(|v| text(v)).collect()), null: false, refinement: None },
        presence: Presence::Required,
        wildcard: false,
    };
    let members: Vec<Member> = ["x", "y", "z"].into_iter().map(member).collect();
    let row = |sets: &[Vec<&str>]| Row(sets.iter().enumerate().map(|(at, set)| (at, values(one_of(set)))).collect());
    let (mut proofs, mut splits, mut none, mut mutated) = (0usize, 0usize, 0usize, 0usize);
    for seed in 0..cases(300) {
        let mut dice = random::Dice(seed as u64 * 104_729 + 7);
        let mut sets = |percent: usize| -> Vec<Vec<&'static str>> { (0..3).map(|_| subset(&mut dice, percent)).collect() };
        let (left, right) = (sets(55), (0..2 + seed % 5).map(|_| sets(75)).collect::<Vec<_>>());
        let within = |sets: &[Vec<&str>], call: [&str; 3]| sets.iter().zip(call).all(|(set, value)| set.contains(&value));
        let calls = VALUES.iter().flat_map(|x| VALUES.iter().flat_map(move |y| VALUES.iter().map(move |z| [*x, *y, *z])));
        let escapes = calls.into_iter().any(|call| within(&left, call) && !right.iter().any(|row| within(row, call)));
        let rows = right.iter().map(|sets| row(sets)).collect();
        let claim = Claim { members: members.clone(), namings: Vec::new(), left: row(&left), right: rows };
        let proof = prove(&claim);
        assert_eq!(proof.is_err(), escapes, "{claim:#?} {proof:?}");
        let Ok(proof) = proof else {
            none += 1;
            continue;
        };
        assert_eq!(replay(&claim, &proof), Ok(()), "{claim:#?} {proof:?}");
        proofs += 1;
        splits += usize::from(proof.len() > 1);
        for mutant in mutants(&claim, &proof) {
            assert!(replay(&claim, &mutant).is_err(), "{claim:#?} {proof:?} {mutant:?}");
            mutated += 1;
        }
    }
    assert!(proofs > 60 && splits > 20 && none > 60 && mutated > 300, "{proofs} {splits} {none} {mutated}");
}
