//! A plan → the products of slots whose union is what it permits: one row of each declaration, limits met. Knows no call.

use super::demand::Demand;
use super::plan::{Plan, PlanRow};
use crate::domain::Product;
use crate::table::model::RowGrade;

/// A product and what it gives.
#[derive(Clone, Debug)]
pub(crate) struct Graded {
    /// The calls.
    pub(crate) product: Product,
    /// The worst grade of its rows.
    pub(crate) grade: RowGrade,
}

/// The products of `plan` with `extra` demands met, empty ones among them; `None`: more than `most`.
pub(crate) fn products(plan: &Plan, extra: &[Demand], most: usize) -> Option<Vec<Graded>> {
    let mut limits = Product::default();
    for demand in plan.demands.iter().chain(extra) {
        limits.demand(demand.argument, demand.slot.clone());
    }
    let mut products = vec![Graded { product: limits, grade: RowGrade::Allow }];
    for factor in &plan.factors {
        let rows: Vec<&PlanRow> = factor.rows.iter().filter(|row| row.void.is_none()).collect();
        if products.len().saturating_mul(rows.len()) > most {
            return None;
        }
        products = products.iter().flat_map(|graded| rows.iter().map(|row| with(graded, row))).collect();
    }
    Some(products)
}

fn with(graded: &Graded, row: &PlanRow) -> Graded {
    let mut product = graded.product.clone();
    row.clauses.iter().for_each(|c| product.demand(c.clause.argument, c.clause.slot.clone()));
    let grade = match (graded.grade, row.grade) {
        (RowGrade::Allow, RowGrade::Allow) => RowGrade::Allow,
        (RowGrade::Ask, _) | (_, RowGrade::Ask) => RowGrade::Ask,
    };
    Graded { product, grade }
}
