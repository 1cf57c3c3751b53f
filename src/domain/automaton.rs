//! A pattern's tree → a small deterministic automaton over classes of scalars: membership in one pass without allocation,
//! and steps for products. Knows no syntax of patterns.

mod build;
mod minimise;

use super::{Bound, PatternNode, Work};

/// A complete, minimal deterministic automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Automaton {
    classes: Classes,
    /// `next[state × classes + class]`.
    next: Box<[u16]>,
    accepting: Box<[bool]>,
    start: u16,
    /// The state from which nothing is accepted any more.
    dead: Option<u16>,
}

/// A partition of the scalars into classes that the automaton does not tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Classes {
    ascii: Box<[u16]>,
    /// The first scalar of each interval, ascending from 0, and its class.
    starts: Box<[(u32, u16)]>,
    count: usize,
}

impl Automaton {
    /// The automaton of `tree`.
    ///
    /// # Errors
    /// [`Bound`]: more states than a pattern may have.
    pub(crate) fn compile(tree: &PatternNode, work: &mut Work) -> Result<Automaton, Bound> {
        minimise::minimal(build::deterministic(tree, work)?, work)
    }

    /// Whether the whole of `text` matches.
    pub(crate) fn accepts(&self, text: &str) -> bool {
        let mut state = self.start;
        for c in text.chars() {
            state = self.step(state, c);
            if self.dead == Some(state) {
                return false;
            }
        }
        self.is_accepting(state)
    }

    /// The state to begin in.
    pub(crate) fn start(&self) -> u16 {
        self.start
    }

    /// The state after one more scalar.
    pub(crate) fn step(&self, state: u16, c: char) -> u16 {
        self.target(state, self.classes.of(c))
    }

    /// Whether a text that ends in `state` matches.
    pub(crate) fn is_accepting(&self, state: u16) -> bool {
        self.accepting.get(usize::from(state)).copied().unwrap_or(false)
    }

    /// Whether no text that has reached `state` can match.
    pub(crate) fn is_dead(&self, state: u16) -> bool {
        self.dead == Some(state)
    }

    /// The classes of scalars.
    pub(crate) fn classes(&self) -> &Classes {
        &self.classes
    }

    /// How many states there are.
    pub(crate) fn states(&self) -> usize {
        self.accepting.len()
    }

    fn target(&self, state: u16, class: u16) -> u16 {
        let place = usize::from(state).saturating_mul(self.classes.count).saturating_add(usize::from(class));
        self.next.get(place).copied().unwrap_or(0)
    }
}

impl Classes {
    /// The partition whose intervals begin at `starts` (ascending from 0) with the classes beside them.
    pub(crate) fn new(starts: Vec<(u32, u16)>) -> Classes {
        let count = starts.iter().map(|(_, class)| usize::from(*class).saturating_add(1)).max().unwrap_or(0);
        let mut classes = Classes { ascii: Box::default(), starts: starts.into(), count };
        classes.ascii = (0u8..128).map(|byte| classes.searched(char::from(byte))).collect();
        classes
    }

    /// The class of a scalar.
    pub(crate) fn of(&self, c: char) -> u16 {
        match usize::try_from(u32::from(c)).ok().and_then(|place| self.ascii.get(place)) {
            Some(class) => *class,
            None => self.searched(c),
        }
    }

    /// How many classes there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The first scalar of each interval.
    pub(crate) fn starts(&self) -> impl Iterator<Item = u32> + '_ {
        self.starts.iter().map(|(start, _)| *start)
    }

    fn searched(&self, c: char) -> u16 {
        let after = self.starts.partition_point(|(start, _)| *start <= u32::from(c));
        after.checked_sub(1).and_then(|place| self.starts.get(place)).map_or(0, |(_, class)| *class)
    }
}

#[cfg(test)]
mod tests;
