//! Questions about sets of one type: is it empty, is it the whole type, does it lie in another; each by its cells.

use super::blind::is_blind_inside;
use super::{Bound, Cell, Set, Type, Value, Work, cells};

/// Whether no value of `ty` (null aside) lies in `set`.
///
/// # Errors
/// [`Bound`]: the work would be too much.
pub fn is_empty(ty: &Type, set: &Set, work: &mut Work) -> Result<bool, Bound> {
    Ok(witness(ty, set, work)?.is_none())
}

/// Whether every value of `ty` lies in `set`.
///
/// # Errors
/// [`Bound`]: the work would be too much.
pub fn is_whole(ty: &Type, set: &Set, work: &mut Work) -> Result<bool, Bound> {
    Ok(is_blind_inside(ty, set) && cells(ty, &[set], work)?.iter().all(|cell| cell.vector.get(0)))
}

/// Whether every value of `inner` lies in `outer`.
///
/// # Errors
/// [`Bound`]: the work would be too much.
pub fn includes(ty: &Type, outer: &Set, inner: &Set, work: &mut Work) -> Result<bool, Bound> {
    Ok(counterexample(ty, outer, inner, work)?.is_none())
}

/// A lightest value of `inner` that does not lie in `outer`.
///
/// # Errors
/// [`Bound`]: the work would be too much.
pub fn counterexample(ty: &Type, outer: &Set, inner: &Set, work: &mut Work) -> Result<Option<Value>, Bound> {
    let found = cells(ty, &[inner, outer], work)?;
    Ok(found.into_iter().find(|cell| cell.vector.get(0) && !cell.vector.get(1)).map(|cell| cell.witness))
}

/// A lightest value of `set`.
///
/// # Errors
/// [`Bound`]: the work would be too much.
pub fn witness(ty: &Type, set: &Set, work: &mut Work) -> Result<Option<Value>, Bound> {
    Ok(permitted(ty, set, work)?.map(|cell| cell.witness))
}

/// The cell of the values of `set`, if there are any: its witness, and whether that is the only one.
///
/// # Errors
/// [`Bound`]: the work would be too much.
pub fn permitted(ty: &Type, set: &Set, work: &mut Work) -> Result<Option<Cell>, Bound> {
    Ok(cells(ty, &[set], work)?.into_iter().find(|cell| cell.vector.get(0)))
}
