//! A claim and the proof of it in a certificate → whether the proof is one. Replays; searches nothing, and shares no code with
//! what searched: neither the dimensions and their cells nor the branching. Of a type it knows what [`slot_cells`] says of a
//! handful of slots of *one* argument: which of them hold together somewhere.
//!
//! A proof is a tree in prefix order. A path through it says of arguments that they lie in, or outside, the slot of some row, or
//! that a named argument is one value. The tree is a proof when every leaf is true of all calls on its path: the row that it
//! names holds them, or there are none. Since each split is into what lies in a slot and what does not, nothing is left out.

use super::claim::Claim;
use crate::domain::{Atom, Bound, Point, PointCell, Set, Slot, Value, Work, slot_cells};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;

/// One step of a proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Node {
    /// A leaf: the first row that holds all calls here.
    Row(usize),
    /// A leaf: there is no call here, since nothing is left of this argument.
    Empty(usize),
    /// Two trees follow: for the calls whose argument lies in the slot of the row, and for the others.
    Split {
        /// The argument.
        argument: usize,
        /// The row.
        row: usize,
    },
    /// A tree follows for each value that can be named, and one for what is none of them.
    Named(usize),
}

/// What a path says of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Word {
    /// It lies in the slot of this row.
    In(usize),
    /// It lies outside.
    Outside(usize),
    /// Under this naming it is the value.
    Is(usize, usize),
    /// It is none of the values.
    IsNot(usize, usize),
    /// It may stand beside the value.
    Beside(usize, usize),
}

/// What is said of arguments, in the order of saying.
pub(super) type Path = Vec<(usize, Said)>;

/// A word, for those who only pass it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Said(Word);

impl Said {
    /// The naming that it is about, if it is about one.
    pub(super) fn naming(self) -> Option<usize> {
        match self.0 {
            Word::Is(naming, _) | Word::IsNot(naming, _) | Word::Beside(naming, _) => Some(naming),
            Word::In(_) | Word::Outside(_) => None,
        }
    }
}

/// Why a proof is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// This node says what is not true.
    Untrue(usize),
    /// This node speaks of what is not there.
    Nowhere(usize),
    /// The tree ends before all is proved.
    Short,
    /// Nodes are left over.
    Long,
    /// Whether this node is true cannot be told within the bounds.
    Untold(usize, Bound),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Untrue(node) => write!(f, "step {node} is not true"),
            Fault::Nowhere(node) => write!(f, "step {node} speaks of what is not there"),
            Fault::Short => f.write_str("the proof ends before all is proved"),
            Fault::Long => f.write_str("steps are left over"),
            Fault::Untold(node, bound) => write!(f, "step {node} cannot be told: {bound}"),
        }
    }
}

/// Whether `proof` proves `claim`.
pub(super) fn replay(claim: &Claim, proof: &[Node]) -> Result<(), Fault> {
    let mut facts = Facts::new(claim);
    let mut open: Vec<Path> = vec![Vec::new()];
    for (at, node) in proof.iter().enumerate() {
        let path = open.pop().ok_or(Fault::Long)?;
        let told = |answer: Result<bool, Bound>| match answer {
            Ok(true) => Ok(()),
            Ok(false) => Err(Fault::Untrue(at)),
            Err(bound) => Err(Fault::Untold(at, bound)),
        };
        match node {
            Node::Row(row) if *row < claim.right.len() => told(facts.is_first(&path, *row))?,
            Node::Empty(argument) if *argument < claim.members.len() => told(facts.is_empty(&path, *argument))?,
            Node::Split { argument, row } => open.extend(split(claim, &path, *argument, *row).ok_or(Fault::Nowhere(at))?),
            Node::Named(naming) => open.extend(named(claim, &path, *naming).ok_or(Fault::Nowhere(at))?),
            Node::Row(_) | Node::Empty(_) => return Err(Fault::Nowhere(at)),
        }
    }
    if open.is_empty() { Ok(()) } else { Err(Fault::Short) }
}

fn and(path: &Path, more: &[(usize, Word)]) -> Path {
    path.iter().copied().chain(more.iter().map(|(argument, word)| (*argument, Said(*word)))).collect()
}

/// The two paths of a split, the one to be proved first last.
pub(super) fn split(claim: &Claim, path: &Path, argument: usize, row: usize) -> Option<Vec<Path>> {
    claim.members.get(argument)?;
    claim.right.get(row)?.slot(argument)?;
    Some(vec![and(path, &[(argument, Word::Outside(row))]), and(path, &[(argument, Word::In(row))])])
}

/// The paths of a naming, the one to be proved first last. Beside a value stands only what is coherent with it.
pub(super) fn named(claim: &Claim, path: &Path, naming: usize) -> Option<Vec<Path>> {
    let declared = claim.namings.get(naming)?;
    let values = 0..declared.names.len();
    let none: Vec<(usize, Word)> = values.clone().map(|value| (declared.named, Word::IsNot(naming, value))).collect();
    let one = |value| {
        let is = (declared.named, Word::Is(naming, value));
        and(path, &[is, (declared.namer, Word::Beside(naming, value))])
    };
    Some(std::iter::once(and(path, &none)).chain(values.rev().map(one)).collect())
}

/// An argument, what the path says of it, and the row that is asked about.
type Question = (usize, Vec<Word>, Option<usize>);

/// What is true of the arguments of one claim; each question is asked once.
pub(super) struct Facts<'c> {
    claim: &'c Claim,
    known: HashMap<Question, Result<bool, Bound>>,
}

impl<'c> Facts<'c> {
    pub(super) fn new(claim: &'c Claim) -> Facts<'c> {
        Facts { claim, known: HashMap::new() }
    }

    /// Whether `row` holds every call on the path, and none before it does.
    fn is_first(&mut self, path: &Path, row: usize) -> Result<bool, Bound> {
        for before in 0..row {
            // A row that cannot be told to hold them does not count as one that does.
            if self.holds(path, before).unwrap_or(false) {
                return Ok(false);
            }
        }
        self.holds(path, row)
    }

    /// Whether `row` holds every call on the path.
    pub(super) fn holds(&mut self, path: &Path, row: usize) -> Result<bool, Bound> {
        for argument in 0..self.claim.members.len() {
            if !self.inside(path, argument, row)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether all that the path leaves of the argument lies in the row's slot.
    pub(super) fn inside(&mut self, path: &Path, argument: usize, row: usize) -> Result<bool, Bound> {
        let Some(slot) = self.claim.right.get(row).and_then(|row| row.slot(argument)) else { return Ok(true) };
        if self.claim.left.slot(argument) == Some(slot) {
            return Ok(true);
        }
        self.ask(path, argument, Some(row))
    }

    /// Whether nothing that the path leaves of the argument lies in the row's slot.
    pub(super) fn outside(&mut self, path: &Path, argument: usize, row: usize) -> Result<bool, Bound> {
        match self.claim.right.get(row).and_then(|row| row.slot(argument)) {
            Some(_) => self.ask(&and(path, &[(argument, Word::In(row))]), argument, None),
            None => Ok(false),
        }
    }

    /// How many questions there were.
    pub(super) fn asked(&self) -> usize {
        self.known.len()
    }

    /// Whether the path leaves nothing of the argument.
    pub(super) fn is_empty(&mut self, path: &Path, argument: usize) -> Result<bool, Bound> {
        self.ask(path, argument, None)
    }

    /// Whether what the path leaves of the argument lies in the row's slot; `None`: in no slot at all.
    fn ask(&mut self, path: &Path, argument: usize, row: Option<usize>) -> Result<bool, Bound> {
        let mut words: Vec<Word> = path.iter().filter(|(at, _)| *at == argument).map(|(_, said)| said.0).collect();
        words.sort_by_key(|word| format!("{word:?}"));
        words.dedup();
        let key = (argument, words, row);
        if let Some(answer) = self.known.get(&key) {
            return answer.clone();
        }
        let answer = told(self.claim, argument, &key.1, row);
        self.known.insert(key, answer.clone());
        answer
    }
}

fn told(claim: &Claim, argument: usize, words: &[Word], row: Option<usize>) -> Result<bool, Bound> {
    let Some(member) = claim.members.get(argument) else { return Ok(false) };
    let left = claim.left.slot(argument).cloned().unwrap_or(Slot::ANY);
    let mut slots = vec![left];
    slots.extend(words.iter().map(|word| slot_of(claim, argument, *word)));
    if let Some(row) = row {
        slots.push(claim.right.get(row).and_then(|row| row.slot(argument)).cloned().unwrap_or(Slot::ANY));
    }
    // What is unspecified may stand beside everything, so it must not be taken for a value that may not.
    slots.extend(every_beside(claim, argument));
    let slots: Vec<&Slot> = slots.iter().collect();
    let cells = slot_cells(member, &slots, &mut Work::new())?;
    let left_over = cells.iter().filter(|cell| {
        let said = |(at, word): (usize, &Word)| is_true(*word, cell, at + 1);
        cell.vector.get(0) && words.iter().enumerate().all(said)
    });
    Ok(left_over.into_iter().all(|cell| row.is_some() && cell.vector.get(words.len() + 1)))
}

fn is_true(word: Word, cell: &PointCell, at: usize) -> bool {
    match word {
        Word::In(_) | Word::Is(..) => cell.vector.get(at),
        Word::Outside(_) | Word::IsNot(..) => !cell.vector.get(at),
        Word::Beside(..) => cell.vector.get(at) || cell.point == Point::Unspecified,
    }
}

fn slot_of(claim: &Claim, argument: usize, word: Word) -> Slot {
    let value = |naming: usize, value: usize| claim.namings.get(naming).and_then(|it| it.names.get(value));
    let found = match word {
        Word::In(row) | Word::Outside(row) => claim.right.get(row).and_then(|row| row.slot(argument)).cloned(),
        Word::Is(naming, at) | Word::IsNot(naming, at) => value(naming, at).map(|(name, _)| {
            let values = Set::Atom(Atom::OneOf(vec![Value::Text(name.clone())]));
            Slot { values, null: false, absent: false }
        }),
        Word::Beside(naming, at) => value(naming, at).map(|(_, beside)| beside.clone()),
    };
    found.unwrap_or(Slot::ANY)
}

/// What may stand beside each value that the argument can name.
fn every_beside(claim: &Claim, argument: usize) -> Vec<Slot> {
    let names = claim.namings.iter().filter(|naming| naming.namer == argument);
    names.flat_map(|naming| naming.names.iter().map(|(_, beside)| beside.clone())).collect()
}
