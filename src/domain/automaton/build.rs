//! A pattern's tree → a nondeterministic automaton → a deterministic one, by sets of states.

use super::{Automaton, Classes};
use crate::domain::{Bound, PatternNode, Work};
use std::collections::HashMap;

/// A state of the nondeterministic automaton.
enum State {
    /// One scalar of the class with this index, then the state.
    Class(usize, usize),
    /// Any of these, for nothing.
    Split(Vec<usize>),
    /// The text may end here.
    End,
}

/// How deep a pattern's tree may be.
const MAX_DEPTH: usize = 256;

/// The deterministic automaton of `tree`, complete, not minimal.
pub(super) fn deterministic(tree: &PatternNode, work: &mut Work) -> Result<Automaton, Bound> {
    let too_large = || Bound::new(&format!("a pattern of more than {} states", work.pattern_states));
    let most = work.pattern_states.saturating_mul(4);
    if size(tree, MAX_DEPTH).is_none_or(|size| size > most) {
        return Err(too_large());
    }
    let mut builder = Builder { states: vec![State::End], classes: Vec::new(), class_index: HashMap::new() };
    let start = builder.add(tree, 0);
    let (classes, members) = partition(&builder.classes);
    let mut subsets = Subsets { builder: &builder, members: &members, most, found: Vec::new(), index: HashMap::new() };
    let start = subsets.intern(vec![start]).ok_or_else(too_large)?;
    let mut next: Vec<u16> = Vec::new();
    let mut place = 0;
    while let Some(set) = subsets.found.get(place).cloned() {
        work.spend(set.len().saturating_mul(classes.count()).saturating_add(1), "a pattern")?;
        let targets = subsets.targets(&set, classes.count());
        for target in targets {
            next.push(
                subsets
                    .intern(target)
                    .ok_or_else(|| Bound::new(&format!("a pattern of more than {} states", work.pattern_states)))?,
            );
        }
        place = place.saturating_add(1);
    }
    let accepting = subsets.found.iter().map(|set| set.contains(&0)).collect();
    Ok(Automaton { classes, next: next.into(), accepting, start, dead: None })
}

/// How many states the tree needs at most; `None`: far too many, or too deep.
fn size(tree: &PatternNode, depth: usize) -> Option<usize> {
    let depth = depth.checked_sub(1)?;
    let sum = |parts: &[PatternNode]| {
        parts.iter().try_fold(1usize, |sum, part| size(part, depth).and_then(|size| sum.checked_add(size)))
    };
    match tree {
        PatternNode::Empty => Some(1),
        PatternNode::Class(_) => Some(1),
        PatternNode::Concat(parts) | PatternNode::Alternate(parts) => sum(parts),
        PatternNode::Repeat { min, max, node } => {
            let copies = usize::try_from(max.unwrap_or(min.saturating_add(1)).max(*min)).ok()?;
            size(node, depth)?.checked_add(1)?.checked_mul(copies)?.checked_add(1)
        }
    }
}

struct Builder {
    /// State 0 is the end.
    states: Vec<State>,
    classes: Vec<Vec<(char, char)>>,
    class_index: HashMap<Vec<(char, char)>, usize>,
}

impl Builder {
    fn push(&mut self, state: State) -> usize {
        self.states.push(state);
        self.states.len().saturating_sub(1)
    }

    /// The states of `tree` before `next`; the first of them.
    fn add(&mut self, tree: &PatternNode, next: usize) -> usize {
        match tree {
            PatternNode::Empty => next,
            PatternNode::Class(ranges) => {
                let class = self.class(ranges);
                self.push(State::Class(class, next))
            }
            PatternNode::Concat(parts) => parts.iter().rev().fold(next, |next, part| self.add(part, next)),
            PatternNode::Alternate(parts) => {
                let starts = parts.iter().map(|part| self.add(part, next)).collect();
                self.push(State::Split(starts))
            }
            PatternNode::Repeat { min, max, node } => self.repeat(*min, *max, node, next),
        }
    }

    fn repeat(&mut self, min: u32, max: Option<u32>, node: &PatternNode, next: usize) -> usize {
        let mut first = match max {
            None => {
                let again = self.push(State::Split(vec![next]));
                let body = self.add(node, again);
                if let Some(State::Split(ways)) = self.states.get_mut(again) {
                    ways.push(body);
                }
                again
            }
            Some(max) => (min..max).fold(next, |rest, _| {
                let body = self.add(node, rest);
                self.push(State::Split(vec![body, next]))
            }),
        };
        for _ in 0..min {
            first = self.add(node, first);
        }
        first
    }

    fn class(&mut self, ranges: &[(char, char)]) -> usize {
        if let Some(index) = self.class_index.get(ranges) {
            return *index;
        }
        let index = self.classes.len();
        self.classes.push(ranges.to_vec());
        self.class_index.insert(ranges.to_vec(), index);
        index
    }
}

/// The coarsest partition of the scalars that all classes respect, and for each class the parts it consists of.
fn partition(classes: &[Vec<(char, char)>]) -> (Classes, Vec<Vec<usize>>) {
    let mut edges = vec![0u32];
    for (low, high) in classes.iter().flatten() {
        edges.extend([u32::from(*low), u32::from(*high).saturating_add(1)]);
    }
    edges.sort_unstable();
    edges.dedup();
    // The ranges of a class are sorted and disjoint, but cheap to ask even if they were not.
    let holds = |class: &Vec<(char, char)>, at: u32| {
        class.iter().any(|(low, high)| (u32::from(*low)..=u32::from(*high)).contains(&at))
    };
    let mut members = vec![Vec::new(); classes.len()];
    let mut by_signature: HashMap<Vec<usize>, u16> = HashMap::new();
    let mut starts: Vec<(u32, u16)> = Vec::new();
    for edge in edges.into_iter().filter(|edge| *edge <= u32::from(char::MAX)) {
        let signature: Vec<usize> =
            classes.iter().enumerate().filter(|(_, class)| holds(class, edge)).map(|(index, _)| index).collect();
        let next = u16::try_from(by_signature.len()).unwrap_or(u16::MAX);
        let part = *by_signature.entry(signature.clone()).or_insert(next);
        if part == next {
            for class in signature {
                if let Some(parts) = members.get_mut(class) {
                    parts.push(usize::from(part));
                }
            }
        }
        if starts.last().is_none_or(|(_, last)| *last != part) {
            starts.push((edge, part));
        }
    }
    (Classes::new(starts), members)
}

struct Subsets<'a> {
    builder: &'a Builder,
    members: &'a [Vec<usize>],
    most: usize,
    found: Vec<Vec<usize>>,
    index: HashMap<Vec<usize>, u16>,
}

impl Subsets<'_> {
    /// The number of the set of states that `set` reaches for nothing; `None`: one too many.
    fn intern(&mut self, set: Vec<usize>) -> Option<u16> {
        let closed = self.closure(set);
        if let Some(state) = self.index.get(&closed) {
            return Some(*state);
        }
        if self.found.len() >= self.most {
            return None;
        }
        let state = u16::try_from(self.found.len()).ok()?;
        self.found.push(closed.clone());
        self.index.insert(closed, state);
        Some(state)
    }

    fn closure(&self, set: Vec<usize>) -> Vec<usize> {
        let mut todo = set;
        let mut seen = std::collections::HashSet::new();
        let mut closed = Vec::new();
        while let Some(state) = todo.pop() {
            if !seen.insert(state) {
                continue;
            }
            match self.builder.states.get(state) {
                Some(State::Split(ways)) => todo.extend(ways),
                Some(State::Class(..) | State::End) => closed.push(state),
                None => {}
            }
        }
        closed.sort_unstable();
        closed
    }

    /// Where the set leads, by class.
    fn targets(&self, set: &[usize], classes: usize) -> Vec<Vec<usize>> {
        let mut targets = vec![Vec::new(); classes];
        for state in set {
            let Some(State::Class(class, next)) = self.builder.states.get(*state) else {
                continue;
            };
            for part in self.members.get(*class).into_iter().flatten() {
                if let Some(target) = targets.get_mut(*part) {
                    target.push(*next);
                }
            }
        }
        targets
    }
}
