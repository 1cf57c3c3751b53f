//! Sets over one type → the truth vectors that some value realises, each with its lightest witness. Sets are Boolean
//! combinations of atoms: vectors over atoms come from the kind's own file, here they are evaluated and merged.

use super::weight::{compact, weight};
use super::{
    Atom, Bits, Bound, Kind, Set, Type, Value, Work, argv, email, finite, host, interval, list, map, path, record, text,
    time, union, url,
};
use std::collections::{BTreeMap, HashMap};

/// The values of one truth vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Which of the sets hold.
    pub vector: Bits,
    /// A lightest value of the cell (see [`weight`]); ties by text where the kind can tell.
    pub witness: Value,
    /// The witness's weight.
    pub weight: u64,
    /// Whether the witness is the only value of the cell.
    pub singleton: bool,
}

/// Every truth vector over `sets` that some well-formed value of `ty` (null aside) realises, ordered by vector. Exact:
/// a vector is listed iff a value has it. Numbers are read exactly. A value that two readers may read differently lies only
/// in sets that demand nothing.
///
/// # Errors
/// [`Bound`]: the work would be too much.
pub fn cells(ty: &Type, sets: &[&Set], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let judged: Vec<_> = sets.iter().map(|set| path::judged(ty, set)).collect();
    let sets: Vec<&Set> = judged.iter().map(AsRef::as_ref).collect();
    let mut found = Cells::new();
    for cell in clear_cells(ty, &sets, work)? {
        found.offer_cell(cell);
    }
    if ty.refinement.as_ref().is_none_or(indifferent)
        && let Some(example) = ambiguous_example(&ty.kind)
    {
        let vector = sets.iter().enumerate().filter(|(_, set)| indifferent(set)).map(|(index, _)| index).collect();
        found.offer_many(vector, Value::Text(example.into()));
    }
    Ok(found.into_vec())
}

/// As [`cells`] for sets that have been judged as part of a whole, over the values that all readers read alike. For
/// elements, members and parts.
pub(crate) fn clear_cells(ty: &Type, sets: &[&Set], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let mut atoms = Atoms::default();
    let formulas: Vec<Formula> = sets.iter().map(|set| atoms.formula(set)).collect();
    let universe = ty.refinement.as_ref().map_or(Formula::Any, |set| atoms.formula(set));
    let mut found = Cells::new();
    for cell in kind_cells(ty, &atoms.list, work)? {
        work.spend(formulas.len(), "truth vectors")?;
        if universe.holds(&cell.vector) {
            let vector =
                formulas.iter().enumerate().filter(|(_, set)| set.holds(&cell.vector)).map(|(index, _)| index).collect();
            found.offer_cell(Cell { vector, ..cell });
        }
    }
    Ok(found.into_vec())
}

/// The cells over atoms: each kind in its own file.
fn kind_cells(ty: &Type, atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    match &ty.kind {
        Kind::Bool => finite::cells(&ty.kind, &[Value::Bool(true), Value::Bool(false)], atoms, work),
        Kind::Enum(values) => finite::cells(&ty.kind, values, atoms, work),
        Kind::Number(number) => interval::cells(*number, atoms, work),
        Kind::Text { .. } | Kind::OpaqueText => text::cells(atoms, work),
        Kind::Path { .. } => path::cells(atoms, work),
        Kind::Time(kind) => time::cells(*kind, atoms, work),
        Kind::OpaqueJson => opaque_cells(),
        Kind::Host => host::cells(atoms, work),
        Kind::Ip => host::address_cells(atoms, work),
        Kind::Url { .. } => url::cells(atoms, work),
        Kind::Email => email::cells(atoms, work),
        Kind::List(element) => list::cells(element, list::longest(ty.refinement.as_ref()), atoms, work),
        Kind::OneOrList(one) => list::one_or_list_cells(one, atoms, work),
        Kind::Argv => argv::cells(list::longest(ty.refinement.as_ref()), atoms, work),
        Kind::Map(value) => map::cells(value, atoms, work),
        Kind::Record { members, rest } => record::cells(members, rest, atoms, work),
        Kind::Union(alternatives) => union::cells(alternatives, atoms, work),
    }
}

/// No atom speaks of opaque JSON.
fn opaque_cells() -> Result<Vec<Cell>, Bound> {
    let mut cells = Cells::new();
    cells.offer_many(Bits::EMPTY, Value::Number(super::Decimal::zero()));
    Ok(cells.into_vec())
}

/// A well-formed value that two readers may read differently, for kinds that have such.
pub(super) fn ambiguous_example(kind: &Kind) -> Option<&'static str> {
    match kind {
        Kind::Path { .. } => Some("~"),
        Kind::Time(kind) => time::ambiguous_example(*kind),
        Kind::Host => Some("\u{e9}"),
        Kind::Url { .. } => Some("https://a@a"),
        Kind::Email => Some("\u{e9}@a"),
        Kind::Bool
        | Kind::Enum(_)
        | Kind::Number(_)
        | Kind::Text { .. }
        | Kind::Ip
        | Kind::List(_)
        | Kind::OneOrList(_)
        | Kind::Argv
        | Kind::Map(_)
        | Kind::Record { .. }
        | Kind::Union(_)
        | Kind::OpaqueText
        | Kind::OpaqueJson => None,
    }
}

/// Whether even an ambiguous value lies in the set: it demands nothing.
pub(super) fn indifferent(set: &Set) -> bool {
    match set {
        Set::Any => true,
        Set::Never | Set::Atom(_) => false,
        Set::Not(inner) => refuses_all(inner),
        Set::And(parts) => parts.iter().all(indifferent),
        Set::Or(parts) => parts.iter().any(indifferent),
    }
}

/// Whether the set says *never* without looking.
fn refuses_all(set: &Set) -> bool {
    match set {
        Set::Never => true,
        Set::Any | Set::Atom(_) => false,
        Set::Not(inner) => indifferent(inner),
        Set::And(parts) => parts.iter().any(refuses_all),
        Set::Or(parts) => parts.iter().all(refuses_all),
    }
}

/// Collects cells: one for each vector, the lightest witness kept, singletons told from others.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    by_vector: BTreeMap<Bits, Cell>,
}

impl Cells {
    /// None yet.
    pub(crate) fn new() -> Cells {
        Cells::default()
    }

    /// One value. Each value may be offered once.
    pub(crate) fn offer(&mut self, vector: Bits, witness: Value) {
        let weight = weight(&witness);
        self.offer_cell(Cell { vector, witness, weight, singleton: true });
    }

    /// One value that stands for several of its vector.
    pub(crate) fn offer_many(&mut self, vector: Bits, witness: Value) {
        let weight = weight(&witness);
        self.offer_cell(Cell { vector, witness, weight, singleton: false });
    }

    /// A cell, disjoint from every other offered.
    pub(crate) fn offer_cell(&mut self, cell: Cell) {
        match self.by_vector.get_mut(&cell.vector) {
            None => {
                self.by_vector.insert(cell.vector.clone(), cell);
            }
            Some(kept) => {
                let lighter = cell.weight < kept.weight
                    || cell.weight == kept.weight && compact(&cell.witness) < compact(&kept.witness);
                if lighter {
                    *kept = cell;
                }
                kept.singleton = false;
            }
        }
    }

    /// By vector.
    pub(crate) fn into_vec(self) -> Vec<Cell> {
        self.by_vector.into_values().collect()
    }
}

/// The distinct atoms of some sets, in the order of their first occurrence.
#[derive(Default)]
pub(crate) struct Atoms<'a> {
    /// The atoms.
    pub(crate) list: Vec<&'a Atom>,
    index: HashMap<&'a Atom, usize>,
}

/// A set over the indices of atoms.
#[derive(Debug)]
pub(crate) enum Formula {
    /// Every value.
    Any,
    /// No value.
    Never,
    /// Those of the atom.
    Atom(usize),
    /// The complement.
    Not(Box<Formula>),
    /// The meet.
    And(Vec<Formula>),
    /// The union.
    Or(Vec<Formula>),
}

impl<'a> Atoms<'a> {
    /// `set` over the list, which grows by the atoms that are new.
    pub(crate) fn formula(&mut self, set: &'a Set) -> Formula {
        match set {
            Set::Any => Formula::Any,
            Set::Never => Formula::Never,
            Set::Atom(atom) => {
                let next = self.list.len();
                let index = *self.index.entry(atom).or_insert(next);
                if index == next {
                    self.list.push(atom);
                }
                Formula::Atom(index)
            }
            Set::Not(inner) => Formula::Not(Box::new(self.formula(inner))),
            Set::And(parts) => Formula::And(parts.iter().map(|part| self.formula(part)).collect()),
            Set::Or(parts) => Formula::Or(parts.iter().map(|part| self.formula(part)).collect()),
        }
    }
}

impl Formula {
    /// Whether it holds where exactly `atoms` do.
    pub(crate) fn holds(&self, atoms: &Bits) -> bool {
        match self {
            Formula::Any => true,
            Formula::Never => false,
            Formula::Atom(index) => atoms.get(*index),
            Formula::Not(inner) => !inner.holds(atoms),
            Formula::And(parts) => parts.iter().all(|part| part.holds(atoms)),
            Formula::Or(parts) => parts.iter().any(|part| part.holds(atoms)),
        }
    }
}

#[cfg(test)]
mod tests;
