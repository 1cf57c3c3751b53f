//! Sets of texts: literals, prefixes, suffixes, patterns and lengths → the texts of each truth vector, the shortest first.

use super::automaton::Automaton;
use super::cells::Cells;
use super::product::{Part, Product};
use super::words::{Beginnings, Endings};
use super::{Atom, Bits, Bound, Cell, Size, Value, Work};

/// The cells of texts over `atoms`.
pub(crate) fn cells(atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let mut cells = Cells::new();
    for (vector, texts) in distinct(atoms, 2, work)? {
        let mut texts = texts.into_iter().map(|text| Value::Text(text.into()));
        match (texts.next(), texts.next()) {
            (Some(only), None) => cells.offer(vector, only),
            (Some(first), Some(_)) => cells.offer_many(vector, first),
            (None, _) => {}
        }
    }
    Ok(cells.into_vec())
}

/// For each truth vector over `atoms` up to `want` distinct texts, the shortest first; fewer only if there are no more.
/// For maps, whose keys are distinct.
///
/// # Errors
/// [`Bound`]: the product of the atoms is too large.
pub(crate) fn distinct(atoms: &[&Atom], want: usize, work: &mut Work) -> Result<Vec<(Bits, Vec<String>)>, Bound> {
    let thresholds = thresholds(atoms);
    let product = Product::new(parts(atoms, work)?, want);
    let mut by_vector: std::collections::BTreeMap<Bits, Vec<String>> = std::collections::BTreeMap::new();
    for class in product.classes(&thresholds, want, work)? {
        let vector = class.vector.or(&lengths(atoms, &thresholds, class.reached));
        by_vector.entry(vector).or_default().extend(class.texts);
    }
    for texts in by_vector.values_mut() {
        // Classes of several lengths may share a vector.
        texts.sort_by_cached_key(|text| text.chars().count());
        texts.truncate(want);
    }
    Ok(by_vector.into_iter().collect())
}

/// The automata of the atoms, lengths aside.
fn parts(atoms: &[&Atom], work: &mut Work) -> Result<Vec<Part>, Bound> {
    let numbered = || atoms.iter().copied().enumerate();
    let listed = numbered().flat_map(|(index, atom)| {
        let values = if let Atom::OneOf(values) = atom { values.as_slice() } else { &[] };
        values.iter().filter_map(move |value| match value {
            Value::Text(text) => Some((index, &**text)),
            _ => None, // values of other kinds are no text
        })
    });
    let prefixes = numbered().filter_map(|(index, atom)| match atom {
        Atom::Prefix(prefix) => Some((index, &**prefix)),
        _ => None, // not a prefix
    });
    let suffixes = numbered().filter_map(|(index, atom)| match atom {
        Atom::Suffix(suffix) => Some((index, &**suffix)),
        _ => None, // not a suffix
    });
    let mut parts = vec![Part::Beginnings(Beginnings::new(listed, prefixes)), Part::Endings(Endings::new(suffixes))];
    for (index, atom) in numbered() {
        if let Atom::Matches(pattern) = atom {
            parts.push(Part::Pattern(index, Automaton::compile(&pattern.tree, work)?));
        }
    }
    Ok(parts)
}

fn sizes<'a>(atoms: &'a [&Atom]) -> impl Iterator<Item = (usize, &'a Size)> {
    atoms.iter().enumerate().filter_map(|(index, atom)| match atom {
        Atom::Length(size) => Some((index, size)),
        _ => None, // not a length
    })
}

/// The lengths from which on some length atom answers differently, ascending.
fn thresholds(atoms: &[&Atom]) -> Vec<u64> {
    let ends = |size: &Size| [Some(size.low), size.high.map(|high| high.saturating_add(1))];
    let mut thresholds: Vec<u64> =
        sizes(atoms).flat_map(|(_, size)| ends(size)).flatten().filter(|threshold| *threshold > 0).collect();
    thresholds.sort_unstable();
    thresholds.dedup();
    thresholds
}

/// The length atoms that hold between the last of the first `reached` thresholds and the next.
fn lengths(atoms: &[&Atom], thresholds: &[u64], reached: usize) -> Bits {
    let length = reached.checked_sub(1).and_then(|last| thresholds.get(last)).copied().unwrap_or(0);
    let holds = |size: &Size| size.low <= length && size.high.is_none_or(|high| length <= high);
    sizes(atoms).filter(|(_, size)| holds(size)).map(|(index, _)| index).collect()
}
