//! Lists, and `T or list`: sets over them → cells. Must not know what the elements are.

use super::cells::{Cell, Cells, clear_cells};
use super::sequence::{Sequence, Shape, sequences};
use super::weight::weight;
use super::{Atom, Bits, Bound, Set, Size, Type, Value, Work};

/// The vectors over `atoms` that some list of at most `longest` `element`s realises.
pub(super) fn cells(element: &Type, longest: u64, atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let speaks = |atom: &Atom| match atom {
        Atom::Each(set) => Some(((**set).clone(), ANY_SIZE)),
        Atom::Size(size) => Some((Set::Any, *size)),
        _ => None, // atoms over other kinds hold of no list
    };
    let mut out = Cells::new();
    add_lists(element, longest, atoms, speaks, work, &mut out)?;
    Ok(out.into_vec())
}

/// The vectors over `atoms` that some `element`, or some list of them, realises.
pub(super) fn one_or_list_cells(element: &Type, atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let speaks = |atom: &Atom| match atom {
        Atom::OneOrEach(set, size) => Some(((**set).clone(), *size)),
        _ => None, // atoms over other kinds hold of neither
    };
    let mut out = Cells::new();
    let (places, sets): (Vec<usize>, Vec<Set>) =
        atoms.iter().enumerate().filter_map(|(at, atom)| speaks(atom).map(|(set, _)| (at, set))).unzip();
    for cell in clear_cells(element, &sets.iter().collect::<Vec<_>>(), work)? {
        out.offer_cell(Cell { vector: cell.vector.iter().filter_map(|bit| places.get(bit).copied()).collect(), ..cell });
    }
    add_lists(element, u64::MAX, atoms, speaks, work, &mut out)?;
    Ok(out.into_vec())
}

/// Every size.
const ANY_SIZE: Size = Size { low: 0, high: None };

/// `speaks`: what an atom demands of each element, and of the size.
fn add_lists(
    element: &Type,
    longest: u64,
    atoms: &[&Atom],
    speaks: impl Fn(&Atom) -> Option<(Set, Size)>,
    work: &mut Work,
    out: &mut Cells,
) -> Result<(), Bound> {
    let demands: Vec<(usize, Set, Size)> =
        atoms.iter().enumerate().filter_map(|(at, atom)| speaks(atom).map(|(set, size)| (at, set, size))).collect();
    let sets: Vec<&Set> = demands.iter().map(|(_, set, _)| set).collect();
    let tail = with_null(element, sets.len(), clear_cells(element, &sets, work)?);
    let cuts: Vec<u64> = demands.iter().flat_map(|(_, _, size)| cuts(*size)).collect();
    let shape = Shape { heads: &[], tail: &tail, width: sets.len(), cuts: &cuts, longest };
    for found in sequences(&shape, work)? {
        let vector = demands
            .iter()
            .enumerate()
            .filter(|(bit, (_, _, size))| found.vector.get(*bit) && size.contains_length(found.length))
            .map(|(_, (at, _, _))| *at)
            .collect();
        out.offer_cell(cell(vector, found));
    }
    Ok(())
}

/// A list as a cell.
pub(super) fn cell(vector: Bits, found: Sequence) -> Cell {
    cell_of(vector, Value::List(found.items), found.single)
}

/// A cell with that witness.
pub(super) fn cell_of(vector: Bits, witness: Value, singleton: bool) -> Cell {
    let weight = weight(&witness);
    Cell { vector, witness, weight, singleton }
}

/// Null, where an element may be null, names nothing: it lies in each of `width` sets.
pub(super) fn with_null(element: &Type, width: usize, cells: Vec<Cell>) -> Vec<Cell> {
    if !element.null {
        return cells;
    }
    let mut out = Cells::new();
    cells.into_iter().for_each(|cell| out.offer_cell(cell));
    out.offer_cell(cell_of(Bits::full(width), Value::Null, true));
    out.into_vec()
}

/// The most that a refinement admits, as far as it says so plainly; so that no longer list need be written out.
pub(super) fn longest(refinement: Option<&Set>) -> u64 {
    match refinement {
        Some(Set::Atom(Atom::Size(size))) => size.high.unwrap_or(u64::MAX),
        Some(Set::And(parts)) => parts.iter().map(|part| longest(Some(part))).min().unwrap_or(u64::MAX),
        Some(Set::Atom(_) | Set::Any | Set::Never | Set::Not(_) | Set::Or(_)) | None => u64::MAX,
    }
}

/// The lengths at which a size begins and ceases to hold.
pub(super) fn cuts(size: Size) -> impl Iterator<Item = u64> {
    std::iter::once(size.low).chain(size.high.and_then(|high| high.checked_add(1)))
}
