//! Prefixes and suffixes as two trees: one that is read from the front (a trie), and one that remembers the longest ending
//! that matters (Aho and Corasick). A hundred of them are a hundred paths, not a product.

use super::Bits;
use std::collections::{BTreeSet, HashMap};

/// A trie of prefixes. States: the nodes; then, for texts that have left the tree, the last node on their
/// way that a prefix ends in.
pub(crate) struct Beginnings {
    next: HashMap<(u32, char), u32>,
    letters: BTreeSet<char>,
    nodes: Vec<Beginning>,
}

#[derive(Clone, Default)]
struct Beginning {
    /// Atoms whose prefix this text or a beginning of it is.
    passed: Bits,
    /// The nearest node up to and including this one that a prefix ends in; the root, if none.
    mark: u32,
}

impl Beginnings {
    /// The tree of `(atom, prefix)`.
    pub(crate) fn new<'a>(prefixes: impl Iterator<Item = (usize, &'a str)>) -> Beginnings {
        let mut tree = Beginnings { next: HashMap::new(), letters: BTreeSet::new(), nodes: vec![Beginning::default()] };
        let mut marked: HashMap<u32, Bits> = HashMap::new();
        for (atom, text) in prefixes {
            let node = tree.insert(text);
            marked.entry(node).or_default().insert(atom);
        }
        tree.letters = tree.next.keys().map(|(_, letter)| *letter).collect();
        tree.pass_down(&marked);
        tree
    }

    /// The state after one more letter.
    pub(crate) fn step(&self, state: u32, letter: char) -> u32 {
        let count = small(self.nodes.len());
        match self.next.get(&(state, letter)) {
            Some(node) => *node,
            None if state >= count => state,
            None => count.saturating_add(self.node(state).map_or(0, |node| node.mark)),
        }
    }

    /// The atoms that hold of texts that end in `state`.
    pub(crate) fn holds(&self, state: u32) -> Bits {
        let node = state.checked_sub(small(self.nodes.len())).unwrap_or(state);
        self.node(node).map_or(Bits::EMPTY, |node| node.passed.clone())
    }

    /// The letters that occur: each is told apart.
    pub(crate) fn letters(&self) -> &BTreeSet<char> {
        &self.letters
    }

    fn node(&self, node: u32) -> Option<&Beginning> {
        self.nodes.get(usize::try_from(node).ok()?)
    }

    fn node_mut(&mut self, node: u32) -> Option<&mut Beginning> {
        self.nodes.get_mut(usize::try_from(node).ok()?)
    }

    fn insert(&mut self, text: &str) -> u32 {
        let mut node = 0;
        for letter in text.chars() {
            let fresh = small(self.nodes.len());
            let to = *self.next.entry((node, letter)).or_insert(fresh);
            if to == fresh {
                self.nodes.push(Beginning::default());
            }
            node = to;
        }
        node
    }

    /// Hands marks and passed prefixes from each node to those below it.
    fn pass_down(&mut self, marked: &HashMap<u32, Bits>) {
        // A node is always numbered after the one above it.
        let mut edges: Vec<(u32, u32)> = self.next.iter().map(|((from, _), to)| (*to, *from)).collect();
        edges.sort_unstable();
        let settle = |tree: &mut Beginnings, node: u32, above: Option<Beginning>| {
            let above = above.unwrap_or_default();
            let own = marked.get(&node);
            if let Some(entry) = tree.node_mut(node) {
                entry.passed = own.map_or_else(|| above.passed.clone(), |own| own.or(&above.passed));
                entry.mark = if own.is_some() { node } else { above.mark };
            }
        };
        settle(self, 0, None);
        for (node, above) in edges {
            let above = self.node(above).cloned();
            settle(self, node, above);
        }
    }
}

/// The suffixes. States: the nodes of the tree of suffixes, each the longest beginning of a suffix that the text ends in.
pub(crate) struct Endings {
    next: HashMap<(u32, char), u32>,
    letters: BTreeSet<char>,
    fail: Vec<u32>,
    holds: Vec<Bits>,
}

impl Endings {
    /// The tree of `(atom, suffix)`.
    pub(crate) fn new<'a>(suffixes: impl Iterator<Item = (usize, &'a str)>) -> Endings {
        let mut tree = Endings { next: HashMap::new(), letters: BTreeSet::new(), fail: vec![0], holds: vec![Bits::EMPTY] };
        for (atom, suffix) in suffixes {
            let mut node = 0;
            for letter in suffix.chars() {
                let fresh = small(tree.fail.len());
                let to = *tree.next.entry((node, letter)).or_insert(fresh);
                if to == fresh {
                    tree.fail.push(0);
                    tree.holds.push(Bits::EMPTY);
                }
                node = to;
            }
            if let Some(holds) = tree.holds.get_mut(at(node)) {
                holds.insert(atom);
            }
        }
        tree.letters = tree.next.keys().map(|(_, letter)| *letter).collect();
        tree.link();
        tree
    }

    /// The state after one more letter.
    pub(crate) fn step(&self, state: u32, letter: char) -> u32 {
        let mut state = state;
        loop {
            match (self.next.get(&(state, letter)), state) {
                (Some(node), _) => return *node,
                (None, 0) => return 0,
                (None, _) => state = self.fail.get(at(state)).copied().unwrap_or(0),
            }
        }
    }

    /// The atoms that hold of texts that end in `state`.
    pub(crate) fn holds(&self, state: u32) -> Bits {
        self.holds.get(at(state)).cloned().unwrap_or_default()
    }

    /// The letters that occur: each is told apart.
    pub(crate) fn letters(&self) -> &BTreeSet<char> {
        &self.letters
    }

    /// Links each node, level by level, to the longest other one that its text ends in.
    fn link(&mut self) {
        let mut below: HashMap<u32, Vec<(char, u32)>> = HashMap::new();
        for ((from, letter), to) in &self.next {
            below.entry(*from).or_default().push((*letter, *to));
        }
        let mut level = vec![0u32];
        while !level.is_empty() {
            let mut next_level = Vec::new();
            for node in level {
                let fail = self.fail.get(at(node)).copied().unwrap_or(0);
                for (letter, child) in below.remove(&node).unwrap_or_default() {
                    let link = if node == 0 { 0 } else { self.step(fail, letter) };
                    let inherited = self.holds(link);
                    if let Some(slot) = self.fail.get_mut(at(child)) {
                        *slot = link;
                    }
                    if let Some(holds) = self.holds.get_mut(at(child)) {
                        *holds = holds.or(&inherited);
                    }
                    next_level.push(child);
                }
            }
            level = next_level;
        }
    }
}

fn small(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

fn at(node: u32) -> usize {
    usize::try_from(node).unwrap_or(usize::MAX)
}
