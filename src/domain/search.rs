//! Boxes over one tool's dimensions → is one inside the union of others, do several unions meet: with the lightest call
//! that shows it. Knows of a type only which truth vectors it realises; knows no limits, layers or names.
//!
//! A counterexample to *left inside the union of right* chooses one cell per dimension such that left holds in all of them
//! and every right row fails in some. `lightest` finds the lightest by uniform-cost search over (rows refuted, dimensions
//! used), branching on the row with fewest refuters; `consistent` chooses one row of each union by backtracking with
//! propagation. Both count nodes, never time, so a verdict is the same everywhere.

use super::Bits;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// Nodes that one search may open.
pub const NODES: usize = 200_000;

/// Rows that a stack of layers may expand to.
pub const ROWS: usize = 4_096;

/// One thing a dimension can be: the rows it refutes, and its weight.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The right rows that fail here.
    pub(crate) refutes: Bits,
    /// Of its witness.
    pub(crate) weight: u64,
}

/// More nodes than [`NODES`]: these rows have the most ways to be refuted, so they multiply most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TooMany(pub(crate) Vec<usize>);

/// A choice of one candidate per dimension that refutes all of `rows` rows, the lightest; `None`: there is none.
///
/// Candidates of one dimension stand in the order of preference among equal weights.
pub(crate) fn lightest(dimensions: &[Vec<Candidate>], rows: usize) -> Result<Option<Vec<usize>>, TooMany> {
    let mut useful = Vec::with_capacity(dimensions.len());
    for candidates in dimensions {
        let kept = undominated(candidates);
        if kept.is_empty() {
            return Ok(None);
        }
        useful.push(kept);
    }
    let found = Search { dimensions: useful, goal: Bits::full(rows), rows }.run()?;
    Ok(found.map(|(chosen, search)| search.indices(&chosen)))
}

/// Index and candidate, lightest first, without those that another beats in both respects.
fn undominated(candidates: &[Candidate]) -> Vec<(usize, Candidate)> {
    let mut order: Vec<(usize, &Candidate)> = candidates.iter().enumerate().collect();
    order.sort_by_key(|(index, c)| (c.weight, *index));
    let mut kept: Vec<(usize, Candidate)> = Vec::new();
    for (index, candidate) in order {
        if !kept.iter().any(|(_, k)| k.refutes.covers(&candidate.refutes)) {
            kept.push((index, candidate.clone()));
        }
    }
    kept
}

/// What has been chosen so far: by dimension, an index into its useful candidates.
type Chosen = Vec<Option<usize>>;

struct Search {
    dimensions: Vec<Vec<(usize, Candidate)>>,
    goal: Bits,
    rows: usize,
}

impl Search {
    fn run(self) -> Result<Option<(Chosen, Search)>, TooMany> {
        let start: Chosen = vec![None; self.dimensions.len()];
        let mut heap = BinaryHeap::from([Reverse((0u64, 0usize, start))]);
        let mut seen: HashSet<(Bits, Bits)> = HashSet::new();
        let mut opened = 0usize;
        while let Some(Reverse((cost, _, chosen))) = heap.pop() {
            let (refuted, used) = self.state(&chosen);
            if !seen.insert((refuted.clone(), used)) {
                continue;
            }
            let free = refuted.or(&self.free(&chosen));
            if free.covers(&self.goal) {
                return Ok(Some((chosen, self)));
            }
            let Some(refuters) = self.branch(&free, &chosen) else { continue };
            for (dimension, candidate) in refuters {
                opened = opened.saturating_add(1);
                if opened > NODES {
                    return Err(TooMany(self.multipliers()));
                }
                let mut next = chosen.clone();
                if let Some(slot) = next.get_mut(dimension) {
                    *slot = Some(candidate);
                }
                heap.push(Reverse((cost.saturating_add(self.extra(dimension, candidate)), opened, next)));
            }
        }
        Ok(None)
    }

    /// What the chosen candidates refute, and which dimensions they are of.
    fn state(&self, chosen: &Chosen) -> (Bits, Bits) {
        let (mut refuted, mut used) = (Bits::EMPTY, Bits::EMPTY);
        for (dimension, choice) in chosen.iter().enumerate() {
            if let Some(candidate) = choice.and_then(|c| self.dimensions.get(dimension)?.get(c)) {
                refuted = refuted.or(&candidate.1.refutes);
                used.insert(dimension);
            }
        }
        (refuted, used)
    }

    /// What the lightest candidates of the dimensions not used refute at no cost.
    fn free(&self, chosen: &Chosen) -> Bits {
        let mut free = Bits::EMPTY;
        for (candidates, choice) in self.dimensions.iter().zip(chosen) {
            if let (None, Some((_, lightest))) = (choice, candidates.first()) {
                free = free.or(&lightest.refutes);
            }
        }
        free
    }

    /// The refuters, in dimensions not used, of the row with fewest; `None`: some row has none left.
    fn branch(&self, refuted: &Bits, chosen: &Chosen) -> Option<Vec<(usize, usize)>> {
        let mut best: Option<Vec<(usize, usize)>> = None;
        for row in (0..self.rows).filter(|row| !refuted.get(*row)) {
            let refuters = self.refuters(row, chosen);
            if refuters.is_empty() {
                return None;
            }
            if best.as_ref().is_none_or(|b| refuters.len() < b.len()) {
                best = Some(refuters);
            }
        }
        best
    }

    fn refuters(&self, row: usize, chosen: &Chosen) -> Vec<(usize, usize)> {
        let open = self.dimensions.iter().zip(chosen).enumerate().filter(|(_, (_, choice))| choice.is_none());
        open.flat_map(|(dimension, (candidates, _))| {
            let able = candidates.iter().enumerate().filter(move |(_, (_, c))| c.refutes.get(row));
            able.map(move |(index, _)| (dimension, index))
        })
        .collect()
    }

    /// What choosing this costs above the lightest candidate of its dimension.
    fn extra(&self, dimension: usize, candidate: usize) -> u64 {
        let weight = |index: usize| self.dimensions.get(dimension).and_then(|d| d.get(index)).map_or(0, |(_, c)| c.weight);
        weight(candidate).saturating_sub(weight(0))
    }

    /// The two rows with most refuters.
    fn multipliers(&self) -> Vec<usize> {
        let open = vec![None; self.dimensions.len()];
        let mut rows: Vec<usize> = (0..self.rows).collect();
        rows.sort_by_key(|row| Reverse(self.refuters(*row, &open).len()));
        rows.truncate(2);
        rows
    }

    /// The caller's index of the candidate chosen in each dimension.
    fn indices(&self, chosen: &Chosen) -> Vec<usize> {
        let pick = |(candidates, choice): (&Vec<(usize, Candidate)>, &Option<usize>)| {
            candidates.get(choice.unwrap_or(0)).map_or(0, |(index, _)| *index)
        };
        self.dimensions.iter().zip(chosen).map(pick).collect()
    }
}

/// One cell of a dimension for [`consistent`]: the boxes it lies in.
pub(crate) type Inside = Bits;

/// A choice of one cell per dimension that lies, for every union, in one box of it (`unions` holds indices of boxes);
/// `None`: the unions have no call in common. Cells stand in the order of preference.
pub(crate) fn consistent(dimensions: &[Vec<Inside>], unions: &[Vec<usize>]) -> Result<Option<Vec<usize>>, TooMany> {
    let open: Vec<Vec<usize>> = dimensions.iter().map(|cells| (0..cells.len()).collect()).collect();
    let mut stack = vec![(open, unions.to_vec())];
    let mut opened = 0usize;
    while let Some((open, unions)) = stack.pop() {
        let Some((open, mut unions)) = propagate(dimensions, open, unions) else { continue };
        let narrowest = unions.iter().enumerate().filter(|(_, u)| u.len() > 1).min_by_key(|(_, u)| u.len()).map(|(i, _)| i);
        let Some(at) = narrowest else {
            return Ok(open.iter().map(|cells| cells.first().copied()).collect());
        };
        let rows = unions.swap_remove(at);
        for row in rows.iter().rev() {
            opened = opened.saturating_add(1);
            if opened > NODES {
                return Err(TooMany(rows));
            }
            let mut next = unions.clone();
            next.push(vec![*row]);
            stack.push((open.clone(), next));
        }
    }
    Ok(None)
}

/// Cells that are open per dimension, and boxes that are open per union.
type Open = (Vec<Vec<usize>>, Vec<Vec<usize>>);

/// Drops boxes without an open cell in some dimension and cells outside a union's only box, until nothing changes; `None`:
/// a union or a dimension has nothing left.
fn propagate(dimensions: &[Vec<Inside>], mut open: Vec<Vec<usize>>, mut unions: Vec<Vec<usize>>) -> Option<Open> {
    loop {
        let before = (size(&open), size(&unions));
        for union in &mut unions {
            union.retain(|row| dimensions.iter().zip(&open).all(|(cells, open)| holds_somewhere(cells, open, *row)));
            match union.as_slice() {
                [] => return None,
                [only] => keep(dimensions, &mut open, *only),
                _several => {}
            }
        }
        if open.iter().any(Vec::is_empty) {
            return None;
        }
        if (size(&open), size(&unions)) == before {
            return Some((open, unions));
        }
    }
}

fn size(lists: &[Vec<usize>]) -> usize {
    lists.iter().map(Vec::len).fold(0, usize::saturating_add)
}

fn holds_somewhere(cells: &[Inside], open: &[usize], row: usize) -> bool {
    open.iter().any(|cell| cells.get(*cell).is_some_and(|c| c.get(row)))
}

fn keep(dimensions: &[Vec<Inside>], open: &mut [Vec<usize>], row: usize) {
    for (cells, open) in dimensions.iter().zip(open) {
        open.retain(|cell| cells.get(*cell).is_some_and(|c| c.get(row)));
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
