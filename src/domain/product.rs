//! Several automata walked together, breadth first: for each combination of acceptances the shortest texts that reach it.
//! The alphabet is the classes that no automaton tells apart, the letters outside all of them among these. Lengths are
//! levels of the walk, not states.

mod walk;

use self::walk::{Front, Step, Walk};
use super::automaton::Automaton;
use super::words::{Beginnings, Endings};
use super::{Bits, Bound, Work};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// One of the automata.
pub(crate) enum Part {
    /// Prefixes, all in one tree.
    Beginnings(Beginnings),
    /// Suffixes, all in one tree.
    Endings(Endings),
    /// A pattern, which decides this atom.
    Pattern(usize, Automaton),
    /// What every text must match.
    Universe(Automaton),
}

/// The walk's question.
pub(crate) struct Product {
    parts: Vec<Part>,
    alphabet: Vec<Vec<char>>,
    states: Vec<Box<[u32]>>,
    index: HashMap<Box<[u32]>, u32>,
    next: Vec<Option<Box<[u32]>>>,
}

/// The texts of one combination.
#[derive(Debug)]
pub(crate) struct Class {
    /// Which atoms the automata accept.
    pub(crate) vector: Bits,
    /// How many thresholds of length the texts have reached.
    pub(crate) reached: usize,
    /// The shortest texts, as many as were wanted, or all there are.
    pub(crate) texts: Vec<String>,
}

/// The longest text that is written out as a witness.
const LONGEST: u64 = 1 << 22;

impl Product {
    /// The product of `parts`, with up to `want` letters of each class.
    pub(crate) fn new(parts: Vec<Part>, want: usize) -> Product {
        let alphabet = alphabet(&parts, want);
        let start: Box<[u32]> = parts.iter().map(Part::start).collect();
        Product { parts, alphabet, states: vec![start.clone()], index: HashMap::from([(start, 0)]), next: vec![None] }
    }

    /// For each combination of acceptances and of thresholds reached, up to `want` shortest texts.
    ///
    /// # Errors
    /// [`Bound`]: too many states, or a text too long to write out.
    pub(crate) fn classes(mut self, thresholds: &[u64], want: usize, work: &mut Work) -> Result<Vec<Class>, Bound> {
        let mut walk = Walk::new(want);
        let mut front: Front = BTreeMap::from([(0, vec![Step { trail: 0, from: (0, 0), letter: '\0' }])]);
        let (mut level, mut rested) = (0u64, 0usize);
        let last = thresholds.last().copied().unwrap_or(0);
        if last > LONGEST {
            return Err(Bound::new(&format!("a text of more than {LONGEST} characters as an example")));
        }
        while level < last && !front.is_empty() {
            let reached = thresholds.partition_point(|threshold| *threshold <= level);
            self.collect(&mut walk, &front, reached);
            let next = self.advance(&mut walk, &front, work)?;
            level = level.saturating_add(1);
            let edge = thresholds.iter().copied().find(|threshold| *threshold > level).unwrap_or(last);
            let at_rest = next.len() == front.len()
                && next.iter().zip(&front).all(|((a, steps), (b, before))| a == b && steps.len() == before.len());
            rested = if at_rest && !thresholds.contains(&level) { rested.saturating_add(1) } else { 0 };
            front = next;
            // Since the last threshold each level has given one text more to all that is accepted: enough, so what is
            // skipped is not missed.
            if rested > want && edge > level.saturating_add(1) {
                walk.repeat(&mut front, edge.saturating_sub(level));
                level = edge;
            }
        }
        self.spread(&mut walk, front, thresholds.len(), work)?;
        walk.classes(work)
    }

    /// Beyond the last threshold only the states matter: each is visited until `want` texts have reached it.
    fn spread(&mut self, walk: &mut Walk, front: Front, reached: usize, work: &mut Work) -> Result<(), Bound> {
        let mut visits: HashMap<u32, usize> = HashMap::new();
        let mut queue: VecDeque<(u32, u32)> = VecDeque::new();
        for (state, steps) in front {
            for step in steps {
                let count = visits.entry(state).or_default();
                *count = count.saturating_add(1);
                queue.push_back((state, step.trail));
            }
        }
        while let Some((state, trail)) = queue.pop_front() {
            work.spend(1, "a product of texts")?;
            walk.accept(self.vector(state), reached, trail);
            let targets = self.targets(state, work)?;
            for (letters, target) in self.alphabet.iter().zip(&targets) {
                if self.is_dead(*target) {
                    continue;
                }
                for letter in letters {
                    let count = visits.entry(*target).or_default();
                    if *count >= walk.want {
                        break;
                    }
                    *count = count.saturating_add(1);
                    queue.push_back((*target, walk.extend(trail, *letter)));
                }
            }
        }
        Ok(())
    }

    fn collect(&self, walk: &mut Walk, front: &Front, reached: usize) {
        for (state, steps) in front {
            for step in steps {
                walk.accept(self.vector(*state), reached, step.trail);
            }
        }
    }

    /// The front of texts that are longer by one.
    fn advance(&mut self, walk: &mut Walk, front: &Front, work: &mut Work) -> Result<Front, Bound> {
        let mut next: Front = BTreeMap::new();
        for (state, steps) in front {
            work.spend(steps.len(), "a product of texts")?;
            let targets = self.targets(*state, work)?;
            for (letters, target) in self.alphabet.iter().zip(&targets) {
                if self.is_dead(*target) {
                    continue;
                }
                let reached = next.entry(*target).or_default();
                let ways = steps.iter().enumerate().flat_map(|(place, step)| letters.iter().map(move |c| (place, step, *c)));
                for (place, step, letter) in ways.take(walk.want.saturating_sub(reached.len())) {
                    reached.push(Step { trail: walk.extend(step.trail, letter), from: (*state, place), letter });
                }
            }
        }
        Ok(next)
    }

    /// Where `state` leads, by class of letters.
    fn targets(&mut self, state: u32, work: &mut Work) -> Result<Box<[u32]>, Bound> {
        let place = usize::try_from(state).unwrap_or(usize::MAX);
        if let Some(Some(known)) = self.next.get(place) {
            return Ok(known.clone());
        }
        let from = self.states.get(place).cloned().unwrap_or_default();
        let mut targets = Vec::with_capacity(self.alphabet.len());
        for class in 0..self.alphabet.len() {
            let letter = self.alphabet.get(class).and_then(|letters| letters.first()).copied().unwrap_or('\0');
            let to: Box<[u32]> = self.parts.iter().zip(&from).map(|(part, state)| part.step(*state, letter)).collect();
            targets.push(self.intern(to, work)?);
        }
        let targets: Box<[u32]> = targets.into();
        if let Some(slot) = self.next.get_mut(place) {
            *slot = Some(targets.clone());
        }
        Ok(targets)
    }

    fn intern(&mut self, state: Box<[u32]>, work: &mut Work) -> Result<u32, Bound> {
        if let Some(number) = self.index.get(&state) {
            return Ok(*number);
        }
        work.product(self.states.len().saturating_add(1), "a product of texts")?;
        let number = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
        self.index.insert(state.clone(), number);
        self.states.push(state);
        self.next.push(None);
        Ok(number)
    }

    fn parts_of(&self, state: u32) -> impl Iterator<Item = (&Part, u32)> {
        let states = self.states.get(usize::try_from(state).unwrap_or(usize::MAX)).map_or(&[][..], |states| states);
        self.parts.iter().zip(states.iter().copied())
    }

    /// The atoms accepted in `state`; `None`: it is outside the universe.
    fn vector(&self, state: u32) -> Option<Bits> {
        let mut vector = Bits::EMPTY;
        for (part, state) in self.parts_of(state) {
            match part {
                Part::Beginnings(tree) => vector = vector.or(&tree.holds(state)),
                Part::Endings(tree) => vector = vector.or(&tree.holds(state)),
                Part::Pattern(atom, automaton) if automaton.is_accepting(narrow(state)) => vector.insert(*atom),
                Part::Pattern(..) => {}
                Part::Universe(automaton) if automaton.is_accepting(narrow(state)) => {}
                Part::Universe(_) => return None,
            }
        }
        Some(vector)
    }

    fn is_dead(&self, state: u32) -> bool {
        self.parts_of(state).any(|(part, state)| match part {
            Part::Universe(automaton) => automaton.is_dead(narrow(state)),
            Part::Beginnings(_) | Part::Endings(_) | Part::Pattern(..) => false,
        })
    }
}

impl Part {
    fn start(&self) -> u32 {
        match self {
            Part::Beginnings(_) | Part::Endings(_) => 0,
            Part::Pattern(_, automaton) | Part::Universe(automaton) => automaton.start().into(),
        }
    }

    fn step(&self, state: u32, letter: char) -> u32 {
        match self {
            Part::Beginnings(tree) => tree.step(state, letter),
            Part::Endings(tree) => tree.step(state, letter),
            Part::Pattern(_, automaton) | Part::Universe(automaton) => automaton.step(narrow(state), letter).into(),
        }
    }

    /// Where the part's behaviour may change, as first scalars of intervals.
    fn edges(&self) -> Vec<u32> {
        let around = |letters: &BTreeSet<char>| {
            letters.iter().copied().flat_map(|c| [u32::from(c), u32::from(c).saturating_add(1)]).collect()
        };
        match self {
            Part::Beginnings(tree) => around(tree.letters()),
            Part::Endings(tree) => around(tree.letters()),
            Part::Pattern(_, automaton) | Part::Universe(automaton) => automaton.classes().starts().collect(),
        }
    }

    /// What the part sees of a letter.
    fn sees(&self, letter: char) -> u32 {
        let among = |letters: &BTreeSet<char>| {
            if letters.contains(&letter) { u32::from(letter).saturating_add(1) } else { 0 }
        };
        match self {
            Part::Beginnings(tree) => among(tree.letters()),
            Part::Endings(tree) => among(tree.letters()),
            Part::Pattern(_, automaton) | Part::Universe(automaton) => automaton.classes().of(letter).into(),
        }
    }
}

/// Automata number their states in 16 bits.
fn narrow(state: u32) -> u16 {
    u16::try_from(state).unwrap_or(u16::MAX)
}

/// Up to `want` letters of each class that some part can tell from others, the plainest first.
fn alphabet(parts: &[Part], want: usize) -> Vec<Vec<char>> {
    let mut edges: Vec<u32> = std::iter::once(0).chain(parts.iter().flat_map(Part::edges)).collect();
    edges.sort_unstable();
    edges.dedup();
    let ends = edges.iter().skip(1).copied().chain([u32::from(char::MAX).saturating_add(1)]);
    let mut classes: BTreeMap<Vec<u32>, Vec<char>> = BTreeMap::new();
    for (start, end) in edges.iter().copied().zip(ends) {
        let letters = plainest(start, end, want);
        if let Some(first) = letters.first() {
            classes.entry(parts.iter().map(|part| part.sees(*first)).collect()).or_default().extend(letters);
        }
    }
    let mut alphabet: Vec<Vec<char>> = classes.into_values().collect();
    for letters in &mut alphabet {
        letters.sort_by_key(|letter| plainness(*letter));
        letters.truncate(want);
    }
    alphabet.sort_by_key(|letters| letters.first().map(|letter| plainness(*letter)));
    alphabet
}

/// The scalars from the plainest on: letters, digits, signs, blanks, the rest, what cannot be seen last.
const PLAIN: [(char, char); 18] = [
    ('a', 'z'),
    ('0', '9'),
    ('A', 'Z'),
    ('-', '-'),
    ('_', '_'),
    ('.', '.'),
    ('/', '/'),
    ('!', ','),
    (':', '@'),
    ('[', '^'),
    ('`', '`'),
    ('{', '~'),
    (' ', ' '),
    ('\u{a1}', '\u{ac}'),
    ('\u{ae}', '\u{d7ff}'),
    ('\u{e000}', char::MAX),
    ('\u{7f}', '\u{a0}'),
    ('\0', '\u{1f}'),
];

/// The place of a letter in [`PLAIN`].
fn plainness(letter: char) -> (usize, char) {
    let rank = PLAIN.iter().position(|(low, high)| (*low..=*high).contains(&letter)).unwrap_or(PLAIN.len());
    (rank, letter)
}

/// Up to `want` scalars of `start..end`, the plainest first.
fn plainest(start: u32, end: u32, want: usize) -> Vec<char> {
    PLAIN
        .iter()
        .flat_map(|(low, high)| u32::from(*low).max(start)..=u32::from(*high).min(end.saturating_sub(1)))
        .filter_map(char::from_u32)
        .take(want)
        .collect()
}
