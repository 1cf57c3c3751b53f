//! Values made of texts side by side, and sets that are boxes over them → cells: the meet of the components' vectors, kept
//! lightest after each component. Shared by URLs and emails. Knows no component.

use super::cells::{Cell, Cells};
use super::{Bits, Bound, Value, Work};
use std::collections::BTreeMap;

/// One component's text and the boxes whose side it lies in.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) vector: Bits,
    pub(super) text: String,
    pub(super) single: bool,
}

/// Values so far: the boxes that still hold, the lightest text, whether it is the only one.
#[derive(Debug)]
pub(super) struct Boxes {
    found: BTreeMap<Bits, (String, bool)>,
}

impl Boxes {
    /// None yet.
    pub(super) fn none() -> Boxes {
        Boxes { found: BTreeMap::new() }
    }

    /// The empty text, in all of `width` boxes.
    pub(super) fn start(width: usize) -> Boxes {
        Boxes { found: BTreeMap::from([(Bits::full(width), (String::new(), true))]) }
    }

    /// With each side of a further component behind.
    pub(super) fn beside(&self, sides: &[Side], work: &mut Work) -> Result<Boxes, Bound> {
        let mut next = Boxes::none();
        for (vector, (text, single)) in &self.found {
            for side in sides {
                work.product(next.found.len(), "URLs and emails")?;
                next.add(vector.and(&side.vector), format!("{text}{}", side.text), *single && side.single);
            }
        }
        Ok(next)
    }

    /// Values disjoint from those so far.
    pub(super) fn join(&mut self, others: Boxes) {
        others.found.into_iter().for_each(|(vector, (text, single))| self.add(vector, text, single));
    }

    fn add(&mut self, vector: Bits, text: String, single: bool) {
        match self.found.get_mut(&vector) {
            None => drop(self.found.insert(vector, (text, single))),
            Some((kept, only)) => {
                if (text.len(), &text) < (kept.len(), kept) {
                    *kept = text;
                }
                *only = false;
            }
        }
    }

    /// As cells of texts.
    pub(super) fn into_cells(self) -> Vec<Cell> {
        let mut out = Cells::new();
        for (vector, (text, single)) in self.found {
            if single {
                out.offer(vector, Value::Text(text.into()));
            } else {
                out.offer_many(vector, Value::Text(text.into()));
            }
        }
        out.into_vec()
    }
}

/// Cells of texts as sides.
pub(super) fn sides(cells: Vec<Cell>, spell: impl Fn(&str) -> String) -> Vec<Side> {
    cells
        .into_iter()
        .filter_map(|cell| match &cell.witness {
            Value::Text(text) => Some(Side { text: spell(text), vector: cell.vector, single: cell.singleton }),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Object(_) => None,
        })
        .collect()
}
