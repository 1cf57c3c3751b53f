//! Sets of texts: literals, prefixes, suffixes, patterns and lengths → the texts of each truth vector, the shortest first.

use super::cells::Cells;
use super::finite::tests;
use super::matcher::Test;
use super::product::{Part, Product};
use super::words::{Beginnings, Endings};
use super::{Atom, Bits, Bound, Cell, Kind, Size, Value, Work};
use std::collections::{BTreeMap, BTreeSet};

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
/// Listed texts are judged one by one, all others by a walk that knows no lists: thousands of literals cost no states.
///
/// # Errors
/// [`Bound`]: the product of the atoms is too large.
pub(crate) fn distinct(atoms: &[&Atom], want: usize, work: &mut Work) -> Result<Vec<(Bits, Vec<String>)>, Bound> {
    let tests = tests(&Kind::Text { by_pattern: true }, atoms, work)?;
    let listed: BTreeSet<&str> = atoms.iter().flat_map(|atom| listed(atom)).collect();
    let mut found: BTreeMap<Bits, Vec<String>> = BTreeMap::new();
    for text in &listed {
        work.spend(tests.len(), "a list of texts")?;
        let holds = |test: &Test| test.read_text(text).is_in();
        let vector = tests.iter().enumerate().filter(|(_, test)| holds(test)).map(|(index, _)| index).collect();
        found.entry(vector).or_default().push((*text).to_owned());
    }
    for (vector, texts) in unlisted(atoms, &tests, &listed, want, work)? {
        found.entry(vector).or_default().extend(texts);
    }
    for texts in found.values_mut() {
        texts.sort_by_cached_key(|text| text.chars().count());
        texts.truncate(want);
    }
    Ok(found.into_iter().collect())
}

/// Up to `want` texts of each vector that are not among `listed`.
fn unlisted(
    atoms: &[&Atom],
    tests: &[Test],
    listed: &BTreeSet<&str>,
    want: usize,
    work: &mut Work,
) -> Result<Vec<(Bits, Vec<String>)>, Bound> {
    let thresholds = thresholds(atoms);
    let most = listed.len().saturating_add(want);
    let mut ask = want;
    loop {
        let classes = Product::new(parts(atoms, tests), ask).classes(&thresholds, ask, work)?;
        let mut enough = true;
        let mut found = Vec::new();
        for class in classes {
            let vector = class.vector.or(&lengths(atoms, &thresholds, class.reached));
            let all = class.texts.len() < ask;
            let texts: Vec<String> = class.texts.into_iter().filter(|text| !listed.contains(&**text)).take(want).collect();
            enough = enough && (all || texts.len() == want);
            if !texts.is_empty() {
                found.push((vector, texts));
            }
        }
        if enough || ask >= most {
            return Ok(found);
        }
        ask = ask.saturating_mul(2).min(most);
    }
}

/// The texts that an atom lists.
fn listed(atom: &Atom) -> impl Iterator<Item = &str> {
    let values = if let Atom::OneOf(values) = atom { values.as_slice() } else { &[] };
    values.iter().filter_map(|value| match value {
        Value::Text(text) => Some(&**text),
        _ => None, // values of other kinds are no text
    })
}

/// The automata of the atoms, lists and lengths aside.
fn parts(atoms: &[&Atom], tests: &[Test]) -> Vec<Part> {
    let numbered = || atoms.iter().copied().enumerate();
    let prefixes = numbered().filter_map(|(index, atom)| match atom {
        Atom::Prefix(prefix) => Some((index, &**prefix)),
        _ => None, // not a prefix
    });
    let suffixes = numbered().filter_map(|(index, atom)| match atom {
        Atom::Suffix(suffix) => Some((index, &**suffix)),
        _ => None, // not a suffix
    });
    let mut parts = vec![Part::Beginnings(Beginnings::new(prefixes)), Part::Endings(Endings::new(suffixes))];
    for (index, test) in tests.iter().enumerate() {
        if let Test::Matches(automaton) = test {
            parts.push(Part::Pattern(index, (**automaton).clone()));
        }
    }
    parts
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
