//! What a walk through a product has seen: texts as a tree that shares their beginnings, and for each combination of
//! acceptances the first that reached it. Long runs of a walk at rest are kept as one entry and written out only if asked for.

use super::Class;
use crate::domain::{Bits, Bound, Work};
use std::collections::BTreeMap;

/// The texts of one length, by state.
pub(super) type Front = BTreeMap<u32, Vec<Step>>;

/// A text of a front, and how it was made from one of the front before.
#[derive(Clone)]
pub(super) struct Step {
    /// The text.
    pub(super) trail: u32,
    /// The state, and the place among its texts, of the text that is shorter by one.
    pub(super) from: (u32, usize),
    /// The last letter.
    pub(super) letter: char,
}

/// What the walk has seen.
pub(super) struct Walk {
    trail: Vec<Mark>,
    jumps: Vec<Jump>,
    found: BTreeMap<(Bits, usize), Vec<u32>>,
    /// How many texts of each combination are wanted.
    pub(super) want: usize,
}

/// How a text goes on from a shorter one.
enum Mark {
    /// The empty text.
    Start,
    /// One letter more.
    Letter(u32, char),
    /// The text at this place of a front at rest, after as many steps as the jump is long.
    Jumped { jump: usize, state: u32, place: usize },
}

/// A front at rest: each step of it is repeated so many times.
struct Jump {
    times: u64,
    front: Front,
}

impl Walk {
    /// At the empty text.
    pub(super) fn new(want: usize) -> Walk {
        Walk { trail: vec![Mark::Start], jumps: Vec::new(), found: BTreeMap::new(), want }
    }

    /// The text with one more letter.
    pub(super) fn extend(&mut self, trail: u32, letter: char) -> u32 {
        self.mark(Mark::Letter(trail, letter))
    }

    /// Takes the last step of a front that has come to rest `times` more times.
    pub(super) fn repeat(&mut self, front: &mut Front, times: u64) {
        let jump = self.jumps.len();
        self.jumps.push(Jump { times, front: front.clone() });
        for (state, steps) in front {
            for (place, step) in steps.iter_mut().enumerate() {
                step.trail = self.mark(Mark::Jumped { jump, state: *state, place });
            }
        }
    }

    /// Notes a text of a combination; `None`: it is outside the universe.
    pub(super) fn accept(&mut self, vector: Option<Bits>, reached: usize, trail: u32) {
        let Some(vector) = vector else { return };
        let texts = self.found.entry((vector, reached)).or_default();
        if texts.len() < self.want {
            texts.push(trail);
        }
    }

    /// All that was noted, written out.
    ///
    /// # Errors
    /// [`Bound`]: it is too much text.
    pub(super) fn classes(&self, work: &mut Work) -> Result<Vec<Class>, Bound> {
        let mut classes = Vec::with_capacity(self.found.len());
        for ((vector, reached), trails) in &self.found {
            let texts: Vec<String> = trails.iter().map(|trail| self.text(*trail)).collect();
            let length = texts.iter().map(String::len).fold(0usize, usize::saturating_add);
            work.spend(length.div_euclid(64), "long texts")?;
            classes.push(Class { vector: vector.clone(), reached: *reached, texts });
        }
        Ok(classes)
    }

    fn mark(&mut self, mark: Mark) -> u32 {
        self.trail.push(mark);
        u32::try_from(self.trail.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    fn text(&self, trail: u32) -> String {
        let mut letters = Vec::new();
        let mut next = Some(trail);
        while let Some(trail) = next {
            next = match self.trail.get(usize::try_from(trail).unwrap_or(usize::MAX)) {
                None | Some(Mark::Start) => None,
                Some(Mark::Letter(before, letter)) => {
                    letters.push(*letter);
                    Some(*before)
                }
                Some(Mark::Jumped { jump, state, place }) => self.jumped(*jump, (*state, *place), &mut letters),
            };
        }
        letters.into_iter().rev().collect()
    }

    /// Takes the steps of a jump back; the text that it began with.
    fn jumped(&self, jump: usize, mut at: (u32, usize), letters: &mut Vec<char>) -> Option<u32> {
        let jump = self.jumps.get(jump)?;
        let step = |(state, place): (u32, usize)| jump.front.get(&state).and_then(|steps| steps.get(place));
        let mut left = usize::try_from(jump.times).ok()?;
        while left > 0 {
            let taken = step(at)?;
            // A loop takes all that is left at once.
            let times = if taken.from == at { left } else { 1 };
            letters.extend(std::iter::repeat_n(taken.letter, times));
            left = left.saturating_sub(times);
            at = taken.from;
        }
        Some(step(at)?.trail)
    }
}
