//! Laws of the algebra, tried on generated sets against enumeration and a naive membership that shares no code with the
//! matchers. `BAILIWICK_CASES` raises the number of instances in proportion.

mod engine;
mod naive;
mod patterns;

use super::{Atom, Comparison, Decimal, Pattern, PatternNode, Range, Set, Size, Value};

/// A small, seeded generator: the same instances everywhere.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    pub(super) fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    pub(super) fn word(&mut self, letters: &[char], longest: usize) -> String {
        (0..self.below(longest + 1)).map(|_| self.pick(letters)).collect()
    }
}

/// How many instances a law is tried on: more in the proportion in which `BAILIWICK_CASES` exceeds 100,000.
pub(super) fn cases(ordinary: u64) -> u64 {
    let asked: u64 = std::env::var("BAILIWICK_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    ordinary * asked.max(100_000) / 100_000
}

/// A Boolean combination of atoms.
pub(super) fn some_set(dice: &mut Dice, atom: &mut dyn FnMut(&mut Dice) -> Atom, depth: usize) -> Set {
    match dice.below(if depth == 0 { 4 } else { 9 }) {
        0 if dice.below(4) == 0 => Set::Any,
        8 => Set::Not(Box::new(some_set(dice, atom, depth - 1))),
        4 | 5 => Set::And((0..2).map(|_| some_set(dice, atom, depth - 1)).collect()),
        6 | 7 => Set::Or((0..2).map(|_| some_set(dice, atom, depth - 1)).collect()),
        _ => Set::Atom(atom(dice)),
    }
}

pub(super) fn text_atom(dice: &mut Dice) -> Atom {
    const LETTERS: [char; 2] = ['a', 'b'];
    match dice.below(6) {
        0 | 1 => {
            let mut words: Vec<Box<str>> = (0..=dice.below(3)).map(|_| dice.word(&LETTERS, 3).into()).collect();
            words.sort_unstable();
            words.dedup();
            Atom::OneOf(words.into_iter().map(Value::Text).collect())
        }
        2 => Atom::Prefix(dice.word(&LETTERS, 3).into()),
        3 => Atom::Suffix(dice.word(&LETTERS, 3).into()),
        4 => {
            let low = dice.below(4) as u64 + if dice.below(6) == 0 { 20 } else { 0 };
            let high = (dice.below(3) > 0).then(|| low + dice.below(3) as u64 + if dice.below(4) == 0 { 9 } else { 0 });
            Atom::Length(Size { low, high })
        }
        _ => {
            let tree = some_pattern(dice, 3);
            Atom::Matches(Pattern { source: source(&tree).into(), tree })
        }
    }
}

pub(super) fn some_pattern(dice: &mut Dice, depth: usize) -> PatternNode {
    let class = |dice: &mut Dice| {
        PatternNode::Class(match dice.below(5) {
            0 => vec![('\0', char::MAX)],
            1 => vec![('a', 'b')],
            2 => vec![('b', 'b')],
            3 => vec![('\0', '`'), ('b', char::MAX)],
            _ => vec![('a', 'a')],
        })
    };
    match dice.below(if depth == 0 { 3 } else { 8 }) {
        0 => PatternNode::Empty,
        1 | 2 => class(dice),
        3 | 4 => PatternNode::Concat((0..dice.below(4)).map(|_| some_pattern(dice, depth - 1)).collect()),
        5 => PatternNode::Alternate((0..=dice.below(3)).map(|_| some_pattern(dice, depth - 1)).collect()),
        _ => {
            let min = dice.below(3) as u32;
            let max = (dice.below(2) == 0).then(|| min + dice.below(3) as u32);
            PatternNode::Repeat { min, max, node: Box::new(some_pattern(dice, depth - 1)) }
        }
    }
}

/// The pattern as the `regex` crate reads it.
pub(super) fn source(tree: &PatternNode) -> String {
    match tree {
        PatternNode::Empty => "(?:)".to_owned(),
        PatternNode::Class(ranges) => {
            let range = |(low, high): &(char, char)| format!("\\x{{{:x}}}-\\x{{{:x}}}", *low as u32, *high as u32);
            format!("[{}]", ranges.iter().map(range).collect::<String>())
        }
        PatternNode::Concat(parts) => format!("(?:{})", parts.iter().map(source).collect::<String>()),
        PatternNode::Alternate(parts) => format!("(?:{})", parts.iter().map(source).collect::<Vec<_>>().join("|")),
        PatternNode::Repeat { min, max, node } => {
            let max = max.map(|max| max.to_string()).unwrap_or_default();
            format!("(?:{}){{{min},{max}}}", source(node))
        }
    }
}

pub(super) fn number_atom(dice: &mut Dice) -> Atom {
    let end =
        |dice: &mut Dice| (quarter(dice.below(13) as i64 - 6), dice.pick(&[Comparison::Inclusive, Comparison::Exclusive]));
    match dice.below(3) {
        0 => {
            let mut numbers: Vec<Decimal> = (0..=dice.below(3)).map(|_| quarter(dice.below(13) as i64 - 6)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            Atom::OneOf(numbers.into_iter().map(Value::Number).collect())
        }
        _ => {
            let low = (dice.below(3) > 0).then(|| end(dice));
            let high = (dice.below(3) > 0).then(|| end(dice));
            Atom::Numbers(Range { low, high })
        }
    }
}

/// n / 4.
pub(super) fn quarter(n: i64) -> Decimal {
    Decimal::scaled(n < 0, &(n.unsigned_abs() * 25).to_string(), 2)
}

pub(super) fn glob(dice: &mut Dice) -> Box<str> {
    let mut segments: Vec<&str> = (0..=dice.below(4)).map(|_| dice.pick(&["a", "b", "*", "a*", "**", "*b", "."])).collect();
    segments.retain(|segment| *segment != ".");
    let glob = match (dice.below(3), segments.is_empty()) {
        (0, true) => ".".to_owned(),
        (0, false) => segments.join("/"),
        (1, _) => format!("**/{}", if segments.is_empty() { "a".to_owned() } else { segments.join("/") }),
        _ => format!("/{}", segments.join("/")),
    };
    glob.into()
}
