//! Cells of positions and of a tail → the vectors that some sequence realises, where a set holds of a sequence if it holds
//! of every element: the meet of the elements' vectors, by exact length. Shared by lists and argument vectors.
//!
//! With n sets, a sequence needs at most n elements of the tail to refute all that it refutes, so from some length on the
//! vectors do not change; longer sequences are padded with the lightest element that refutes nothing more.

use super::cells::Cell;
use super::{Bits, Bound, Value, Work, compact};
use std::collections::BTreeMap;

/// Sequences whose lengths no size tells apart, and which lie in the same sets.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    /// The sets that hold of every element (at its position).
    pub(super) vector: Bits,
    /// A length of the class.
    pub(super) length: u64,
    /// The lightest.
    pub(super) items: Vec<Value>,
    /// Whether it is the only one.
    pub(super) single: bool,
}

/// Positions, and what may follow them.
pub(super) struct Shape<'a> {
    /// Cells of the first positions.
    pub(super) heads: &'a [Vec<Cell>],
    /// Cells of every further position.
    pub(super) tail: &'a [Cell],
    /// How many sets the vectors speak of.
    pub(super) width: usize,
    /// Lengths from which some size holds, or no longer does.
    pub(super) cuts: &'a [u64],
    /// The longest that the type admits.
    pub(super) longest: u64,
}

/// The sequences of every length class.
pub(super) fn sequences(shape: &Shape<'_>, work: &mut Work) -> Result<Vec<Sequence>, Bound> {
    let core = shape.heads.len().saturating_add(shape.width.max(2));
    let longest = usize::try_from(shape.longest).unwrap_or(usize::MAX);
    let heads: Vec<Vec<Element<'_>>> = shape.heads.iter().map(|cells| elements(cells)).collect();
    let tail = elements(shape.tail);
    let mut out = Vec::new();
    let mut level = start(shape.width);
    for length in 0..=core.min(longest) {
        out.extend(level.iter().map(|(vector, run)| run.sequence(vector, length, run.single)));
        if length < core {
            level = extend(&level, heads.get(length).unwrap_or(&tail), work)?;
        }
    }
    if core < longest {
        let mut starts: Vec<usize> = shape.cuts.iter().map(|cut| usize::try_from(*cut).unwrap_or(usize::MAX)).collect();
        starts.extend([core.saturating_add(1), longest.saturating_add(1)]);
        starts.retain(|start| *start > core && *start <= longest.saturating_add(1));
        starts.sort_unstable();
        starts.dedup();
        pad(&level, core, &tail, &starts, work, &mut out)?;
    }
    Ok(out)
}

/// The lightest so far with one vector.
#[derive(Clone)]
struct Run<'a> {
    weight: u64,
    text: String,
    items: Vec<&'a Value>,
    single: bool,
}

struct Element<'a> {
    cell: &'a Cell,
    text: String,
}

impl Run<'_> {
    fn sequence(&self, vector: &Bits, length: usize, single: bool) -> Sequence {
        Sequence {
            vector: vector.clone(),
            length: u64::try_from(length).unwrap_or(u64::MAX),
            items: self.items.iter().map(|item| (*item).clone()).collect(),
            single,
        }
    }
}

fn elements(cells: &[Cell]) -> Vec<Element<'_>> {
    cells.iter().map(|cell| Element { cell, text: compact(&cell.witness) }).collect()
}

fn start<'a>(width: usize) -> BTreeMap<Bits, Run<'a>> {
    let empty = Run { weight: 0, text: String::new(), items: Vec::new(), single: true };
    BTreeMap::from([(Bits::full(width), empty)])
}

fn extend<'a>(
    level: &BTreeMap<Bits, Run<'a>>,
    elements: &[Element<'a>],
    work: &mut Work,
) -> Result<BTreeMap<Bits, Run<'a>>, Bound> {
    let mut next: BTreeMap<Bits, Run<'a>> = BTreeMap::new();
    for (vector, run) in level {
        for element in elements {
            work.product(next.len(), "lists")?;
            let single = run.single && element.cell.singleton;
            let longer = run.push(element, single);
            match next.entry(vector.and(&element.cell.vector)) {
                std::collections::btree_map::Entry::Vacant(place) => drop(place.insert(longer)),
                std::collections::btree_map::Entry::Occupied(mut place) => {
                    let best = place.get_mut();
                    if (longer.weight, &longer.text) < (best.weight, &best.text) {
                        *best = longer;
                    }
                    best.single = false;
                }
            }
        }
    }
    Ok(next)
}

impl<'a> Run<'a> {
    fn push(&self, element: &Element<'a>, single: bool) -> Run<'a> {
        let mut items = self.items.clone();
        items.push(&element.cell.witness);
        let text = if self.text.is_empty() { element.text.clone() } else { format!("{},{}", self.text, element.text) };
        Run { weight: self.weight.saturating_add(element.cell.weight), text, items, single }
    }
}

/// The classes of lengths beyond `core`: each from one of the starts to the next.
fn pad<'a>(
    level: &BTreeMap<Bits, Run<'a>>,
    core: usize,
    tail: &[Element<'a>],
    starts: &[usize],
    work: &mut Work,
    out: &mut Vec<Sequence>,
) -> Result<(), Bound> {
    for (start, end) in starts.iter().zip(starts.iter().skip(1)) {
        let one_length = *end == start.saturating_add(1);
        let missing = start.saturating_sub(core);
        work.product(missing, "elements of a list")?;
        for (vector, run) in level {
            let padding = tail
                .iter()
                .filter(|element| element.cell.vector.covers(vector))
                .min_by(|a, b| (a.cell.weight, &a.text).cmp(&(b.cell.weight, &b.text)));
            if let Some(padding) = padding {
                work.spend(missing, "elements of a list")?;
                let mut longer = run.clone();
                longer.items.extend(std::iter::repeat_n(&padding.cell.witness, missing));
                out.push(longer.sequence(vector, *start, one_length && run.single));
            }
        }
    }
    Ok(())
}
