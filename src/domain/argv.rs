//! Argument vectors: sets over positions and tails → cells. Must not know what the strings mean.

use super::cells::{Cell, Cells, clear_cells};
use super::list::{cell, cuts};
use super::sequence::{Shape, sequences};
use super::{Atom, Bound, Kind, Set, Size, Type, Work};

/// The type of each string.
pub(super) const WORD: Type = Type { kind: Kind::Text { by_pattern: true }, null: false, refinement: None };

/// What one atom demands: sets by position, of every further word, and of the number of words.
struct Demand {
    at: usize,
    heads: Vec<Set>,
    tail: Set,
    size: Size,
}

/// The vectors over `atoms` that some argument vector of at most `longest` strings realises.
pub(super) fn cells(longest: u64, atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let demands: Vec<Demand> = atoms.iter().enumerate().filter_map(|(at, atom)| demand(at, atom)).collect();
    let positions = demands.iter().map(|demand| demand.heads.len()).max().unwrap_or(0);
    let heads = (0..positions).map(|place| place_cells(&demands, place, work)).collect::<Result<Vec<_>, _>>()?;
    let tail = place_cells(&demands, positions, work)?;
    let cuts: Vec<u64> = demands.iter().flat_map(|demand| cuts(demand.size)).collect();
    let shape = Shape { heads: &heads, tail: &tail, width: demands.len(), cuts: &cuts, longest };
    let mut out = Cells::new();
    for found in sequences(&shape, work)? {
        let vector = demands
            .iter()
            .enumerate()
            .filter(|(bit, demand)| found.vector.get(*bit) && demand.size.contains_length(found.length))
            .map(|(_, demand)| demand.at)
            .collect();
        out.offer_cell(cell(vector, found));
    }
    Ok(out.into_vec())
}

fn place_cells(demands: &[Demand], place: usize, work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let sets: Vec<&Set> = demands.iter().map(|demand| demand.heads.get(place).unwrap_or(&demand.tail)).collect();
    clear_cells(&WORD, &sets, work)
}

fn demand(at: usize, atom: &Atom) -> Option<Demand> {
    match atom {
        Atom::Argv(heads, tail) => Some(Demand {
            at,
            heads: heads.clone(),
            tail: tail.as_deref().cloned().unwrap_or(Set::Any),
            size: argv_size(heads.len(), tail.is_some()),
        }),
        Atom::Each(set) => Some(Demand { at, heads: Vec::new(), tail: (**set).clone(), size: Size { low: 0, high: None } }),
        Atom::Size(size) => Some(Demand { at, heads: Vec::new(), tail: Set::Any, size: *size }),
        _ => None, // atoms over other kinds hold of no argument vector
    }
}

fn argv_size(heads: usize, open: bool) -> Size {
    let low = u64::try_from(heads).unwrap_or(u64::MAX);
    Size { low, high: (!open).then_some(low) }
}
