//! Unions: sets over the alternatives → cells, as a disjoint sum. Must not know what the alternatives are.

use super::cells::{Cell, Cells, clear_cells};
use super::{Atom, Bound, Set, Type, Value, Work};

/// The vectors over `atoms` that some value of one of the alternatives realises.
pub(super) fn cells(alternatives: &[Type], atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let mut out = Cells::new();
    for (index, alternative) in (0_u32..).zip(alternatives) {
        let (places, sets): (Vec<usize>, Vec<&Set>) = atoms
            .iter()
            .enumerate()
            .filter_map(|(at, atom)| match atom {
                Atom::Alternative(of, set) if *of == index => Some((at, &**set)),
                _ => None, // of another alternative, or of another kind
            })
            .unzip();
        for cell in clear_cells(alternative, &sets, work)? {
            out.offer_cell(Cell { vector: cell.vector.iter().filter_map(|bit| places.get(bit).copied()).collect(), ..cell });
        }
        if alternative.null {
            out.offer(places.into_iter().collect(), Value::Null);
        }
    }
    Ok(out.into_vec())
}
