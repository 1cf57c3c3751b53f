//! Which of a list of sets hold: a small bit set. Up to 64 sets cost no allocation. Knows nothing of what the sets are.

use std::cmp::Ordering;

/// A set of small indices. Equal sets are equal, whatever they were made for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits {
    first: u64,
    /// The words after the first; the last of them is not zero.
    rest: Vec<u64>,
}

impl Bits {
    /// No index.
    pub const EMPTY: Bits = Bits { first: 0, rest: Vec::new() };

    /// The indices below `count`.
    pub fn full(count: usize) -> Bits {
        (0..count).collect()
    }

    /// Whether `index` is in.
    pub fn get(&self, index: usize) -> bool {
        self.word(index / 64) >> (index % 64) & 1 == 1
    }

    /// Puts `index` in.
    pub fn insert(&mut self, index: usize) {
        let bit = 1u64 << (index % 64);
        match (index / 64).checked_sub(1) {
            None => self.first |= bit,
            Some(place) => {
                if self.rest.len() <= place {
                    self.rest.resize(place.saturating_add(1), 0);
                }
                if let Some(word) = self.rest.get_mut(place) {
                    *word |= bit;
                }
            }
        }
    }

    /// Whether none is in.
    pub fn is_empty(&self) -> bool {
        self.first == 0 && self.rest.is_empty()
    }

    /// How many are in.
    pub fn count(&self) -> u32 {
        self.rest.iter().map(|word| word.count_ones()).fold(self.first.count_ones(), u32::saturating_add)
    }

    /// Those in, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rest.len().saturating_add(1).saturating_mul(64)).filter(|index| self.get(*index))
    }

    /// Those in both.
    #[must_use]
    pub fn and(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a & b)
    }

    /// Those in either.
    #[must_use]
    pub fn or(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a | b)
    }

    /// Those in `self` and not in `other`.
    #[must_use]
    pub fn minus(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a & !b)
    }

    /// Whether all of `other` are in `self`.
    pub fn covers(&self, other: &Bits) -> bool {
        other.minus(self).is_empty()
    }

    fn word(&self, place: usize) -> u64 {
        match place.checked_sub(1) {
            None => self.first,
            Some(place) => self.rest.get(place).copied().unwrap_or(0),
        }
    }

    fn zip(&self, other: &Bits, op: impl Fn(u64, u64) -> u64) -> Bits {
        let longest = self.rest.len().max(other.rest.len());
        let mut rest: Vec<u64> =
            (1..longest.saturating_add(1)).map(|place| op(self.word(place), other.word(place))).collect();
        while rest.last() == Some(&0) {
            rest.pop();
        }
        Bits { first: op(self.first, other.first), rest }
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Bits {
        let mut bits = Bits::EMPTY;
        for index in indices {
            bits.insert(index);
        }
        bits
    }
}

impl Ord for Bits {
    /// Any total order that depends on the sets alone.
    fn cmp(&self, other: &Bits) -> Ordering {
        self.rest
            .len()
            .cmp(&other.rest.len())
            .then_with(|| self.rest.iter().rev().cmp(other.rest.iter().rev()))
            .then_with(|| self.first.cmp(&other.first))
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Bits) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
