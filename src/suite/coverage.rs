//! What the tests' decisions touched → which rows and limits of the policy are exercised. A row is, when some test's call satisfies it; a
//! limit, when it refuses some test's call.

use crate::domain::Membership;
use crate::eval::why::Why;
use crate::policy::{Layer, Policy};
use crate::source::{Sources, Span};
use crate::table::Table;
use crate::table::model::OriginId;
use std::collections::BTreeSet;

/// What was exercised.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Every row of agents, overlays and boundaries.
    pub rows: Vec<Covered>,
    /// Every limit that they set to something.
    pub limits: Vec<Covered>,
}

/// A row or limit, and whether a test exercises it.
#[derive(Clone, Debug)]
pub struct Covered {
    /// `agent bill_payer: allow bank.send_money`.
    pub what: String,
    /// Where it is written.
    pub span: Span,
    /// Whether a test exercises it.
    pub exercised: bool,
}

impl Coverage {
    /// How many of `covered` are exercised.
    pub fn count(covered: &[Covered]) -> usize {
        covered.iter().filter(|c| c.exercised).count()
    }

    /// What no test exercises, rows first.
    pub fn untested(&self) -> impl Iterator<Item = &Covered> {
        self.rows.iter().chain(&self.limits).filter(|c| !c.exercised)
    }
}

/// File, line, column: what origins of a table and spans of a policy have in common.
type Place = (String, u32, u32);

/// The places that decisions touched.
#[derive(Debug, Default)]
pub(super) struct Exercised {
    rows: BTreeSet<Place>,
    limits: BTreeSet<Place>,
}

impl Exercised {
    pub(super) fn note(&mut self, table: &Table, why: &Why) {
        let held = why.declarations.iter().flat_map(|d| &d.rows).filter(|row| row.holds);
        self.rows.extend(held.filter_map(|row| place(table, row.origin)));
        let refused = why.limits.iter().filter(|limit| limit.holds != Membership::In);
        self.limits.extend(refused.filter_map(|limit| place(table, limit.origin?)));
    }

    pub(super) fn coverage(&self, policy: &Policy, sources: &Sources) -> Coverage {
        let mut coverage = Coverage::default();
        let agents = policy.agents.iter().map(|a| (format!("agent {}", a.name), &a.layer));
        let boundaries = policy.boundaries.iter().map(|b| (format!("boundary {}", b.name), &b.layer));
        let overlays = policy.overlays.iter().map(|o| (format!("overlay {}", o.name), &o.layer));
        for (name, layer) in agents.chain(boundaries).chain(overlays) {
            self.layer(policy, sources, &name, layer, &mut coverage);
        }
        coverage
    }

    fn layer(&self, policy: &Policy, sources: &Sources, name: &str, layer: &Layer, coverage: &mut Coverage) {
        let at = |span: Span| {
            let place = sources.location(span);
            (place.file.to_string(), place.line, place.column)
        };
        for said in &layer.uses {
            let vocabulary = policy.vocabulary(said.vocabulary);
            for row in &said.rows {
                let what = format!("{name}: allow {}.{}", vocabulary.name, vocabulary.tools[row.tool].name);
                coverage.rows.push(Covered { what, span: row.span, exercised: self.rows.contains(&at(row.span)) });
            }
            for setting in &said.limits {
                let what = format!("{name}: {} = {}", policy.limit_name(setting.limit), setting.permitted);
                let exercised = self.limits.contains(&at(setting.span));
                coverage.limits.push(Covered { what, span: setting.span, exercised });
            }
        }
    }
}

fn place(table: &Table, origin: OriginId) -> Option<Place> {
    let origin = table.texts().origin(origin)?;
    Some((table.texts().file(origin).to_owned(), origin.line, origin.column))
}
