//! A tool's arguments and which of them name which → dimensions; products of slots over them → is one inside the union of
//! others, do several unions have a call in common. Knows no limits, layers or names of tools.
//!
//! A dimension is one argument, or an argument together with those that can name it: its values are then the coherent ones.
//! Products are independent between dimensions, so [`super::search`] need only choose one cell in each.

use super::search::{self, Candidate};
use super::{Atom, Bits, Bound, Member, Point, Set, Slot, Step, Value, Work, slot_cells};
use std::collections::BTreeMap;

/// The arguments of one tool.
#[derive(Clone, Debug, Default)]
pub struct Shape<'a> {
    /// In the order of the vocabulary.
    pub members: Vec<&'a Member>,
    /// Which name which.
    pub namings: Vec<Naming>,
}

/// Texts in argument `namer` may name a value of argument `named`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    /// The argument that is named.
    pub named: usize,
    /// The argument that names.
    pub namer: usize,
    /// Each value that can be named, with what the namer may be beside it. Beside anything else it may be anything.
    pub names: Vec<(Box<str>, Slot)>,
}

impl Naming {
    /// The naming by `prefix` + `separator` of one of `values`, by the texts that `steps` leads to.
    pub fn new(named: usize, namer: usize, steps: &[Step], separator: &str, values: &[Box<str>]) -> Naming {
        let prefix = |value: &str| Set::Atom(Atom::Prefix(format!("{value}{separator}").into()));
        let names = values.iter().map(|value| {
            let others: Vec<Set> = values.iter().filter(|other| *other != value).map(|other| prefix(other)).collect();
            let coherent = if others.is_empty() { Set::Any } else { Set::Not(Box::new(Set::Or(others))) };
            (value.clone(), Slot { values: at_every(steps, coherent), null: true, absent: true })
        });
        Naming { named, namer, names: names.collect() }
    }
}

/// The values in which everything that `steps` leads to lies in `set`; nothing there: it does.
pub(crate) fn at_every(steps: &[Step], set: Set) -> Set {
    let Some((step, rest)) = steps.split_first() else { return set };
    let inner = Box::new(at_every(rest, set));
    match step {
        Step::Field(name) => {
            let slot = Slot { values: *inner, null: true, absent: true };
            Set::Atom(Atom::Field(name.clone(), Box::new(slot)))
        }
        Step::Each => Set::Atom(Atom::Each(inner)),
        Step::OneOrEach => Set::Atom(Atom::OneOrEach(inner, super::Size { low: 0, high: None })),
        Step::Keys => Set::Atom(Atom::Keys(inner)),
        Step::Values => Set::Atom(Atom::Values(inner)),
        Step::Part(part) => Set::Atom(Atom::Part(*part, inner)),
        Step::Alternative(index) => Set::Or(vec![
            Set::Not(Box::new(Set::Atom(Atom::Alternative(*index, Box::new(Set::Any))))),
            Set::Atom(Atom::Alternative(*index, inner)),
        ]),
    }
}

/// A product of slots: what it does not mention may be anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Product {
    slots: BTreeMap<usize, Slot>,
}

impl Product {
    /// Demands `slot` of `argument` as well.
    pub fn demand(&mut self, argument: usize, slot: Slot) {
        match self.slots.get_mut(&argument) {
            Some(before) => *before = before.meet(&slot),
            None => {
                self.slots.insert(argument, slot);
            }
        }
    }

    /// What both admit.
    #[must_use]
    pub fn meet(&self, other: &Product) -> Product {
        let mut met = self.clone();
        other.slots.iter().for_each(|(argument, slot)| met.demand(*argument, slot.clone()));
        met
    }

    /// The demand on `argument`, if any.
    pub fn slot(&self, argument: usize) -> Option<&Slot> {
        self.slots.get(&argument)
    }

    /// The arguments it mentions, with the demands.
    pub fn slots(&self) -> impl Iterator<Item = (usize, &Slot)> {
        self.slots.iter().map(|(argument, slot)| (*argument, slot))
    }

    fn agrees_on(&self, other: &Product, dimension: &[usize]) -> bool {
        dimension.iter().all(|argument| other.slot(*argument).is_none() || other.slot(*argument) == self.slot(*argument))
    }
}

/// One call: a point per argument, in the order of the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// By argument.
    pub points: Vec<Point>,
    /// The sum of the points' weights.
    pub weight: u64,
}

/// A bound was hit: not proved and not refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The sets over these arguments have too many cells.
    Sets(Vec<usize>, Bound),
    /// Too many combinations; these products (indices into what was asked) multiply most.
    Combinations(Vec<usize>),
}

/// One cell of a dimension.
#[derive(Clone, Debug)]
struct Cell {
    /// The products it lies in.
    inside: Bits,
    points: Vec<(usize, Point)>,
    weight: u64,
}

impl<'a> Shape<'a> {
    /// The dimensions, each as its arguments in order: an argument alone, or with those that it names or is named by.
    pub fn dimensions(&self) -> Vec<Vec<usize>> {
        let mut leader: Vec<usize> = (0..self.members.len()).collect();
        for naming in &self.namings {
            let (Some(a), Some(b)) = (leader.get(naming.named).copied(), leader.get(naming.namer).copied()) else {
                continue;
            };
            leader.iter_mut().filter(|l| **l == a.max(b)).for_each(|l| *l = a.min(b));
        }
        let mut dimensions: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (argument, leader) in leader.into_iter().enumerate() {
            dimensions.entry(leader).or_default().push(argument);
        }
        dimensions.into_values().collect()
    }

    /// Whether `left` holds no call that all of `right` together do not hold: `None`, else the lightest such call.
    ///
    /// # Errors
    /// [`Stopped`] when a bound on work was hit first; products are then counted from 0 for `left`.
    pub fn escape(&self, left: &Product, right: &[&Product], work: &mut Work) -> Result<Option<Call>, Stopped> {
        let dimensions = self.dimensions();
        let Some(live) = self.live(&dimensions, left, right, work)? else { return Ok(None) };
        let mut products = vec![left];
        products.extend(live.iter().filter_map(|index| right.get(*index)));
        let mut cells = Vec::with_capacity(dimensions.len());
        for dimension in &dimensions {
            let mut of_left = self.cells(dimension, &products, work)?;
            of_left.retain(|cell| cell.inside.get(0));
            cells.push(of_left);
        }
        let refutes = |cell: &Cell| (0..live.len()).filter(|i| !cell.inside.get(i.saturating_add(1))).collect();
        let candidates: Vec<Vec<Candidate>> = cells
            .iter()
            .map(|cells| cells.iter().map(|c| Candidate { refutes: refutes(c), weight: c.weight }).collect())
            .collect();
        match search::lightest(&candidates, live.len()) {
            Ok(chosen) => Ok(chosen.map(|chosen| self.call(&cells, &chosen))),
            Err(search::TooMany(rows)) => {
                let original = rows.iter().filter_map(|row| live.get(*row)).map(|row| row.saturating_add(1));
                Err(Stopped::Combinations(original.collect()))
            }
        }
    }

    /// Whether `product` holds no call.
    ///
    /// # Errors
    /// [`Stopped`] when a bound on work was hit first.
    pub fn is_empty(&self, product: &Product, work: &mut Work) -> Result<bool, Stopped> {
        for dimension in self.dimensions() {
            if dimension.iter().all(|argument| product.slot(*argument).is_none()) {
                continue;
            }
            if !self.cells(&dimension, &[product], work)?.iter().any(|cell| cell.inside.get(0)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A call that lies in some product of every union; `None`: there is none. Not the lightest of all, but the lightest
    /// in the products that were chosen.
    ///
    /// # Errors
    /// [`Stopped`] when a bound on work was hit first; products are then counted through all unions.
    pub fn common(&self, unions: &[Vec<&Product>], work: &mut Work) -> Result<Option<Call>, Stopped> {
        let products: Vec<&Product> = unions.iter().flatten().copied().collect();
        let mut cells = Vec::new();
        for dimension in self.dimensions() {
            cells.push(self.cells(&dimension, &products, work)?);
        }
        let inside: Vec<Vec<Bits>> = cells.iter().map(|d| d.iter().map(|c| c.inside.clone()).collect()).collect();
        let mut next = 0usize..;
        let indices: Vec<Vec<usize>> = unions.iter().map(|u| next.by_ref().take(u.len()).collect()).collect();
        match search::consistent(&inside, &indices) {
            Ok(chosen) => Ok(chosen.map(|chosen| self.call(&cells, &chosen))),
            Err(search::TooMany(rows)) => Err(Stopped::Combinations(rows)),
        }
    }

    /// The right products that `left` neither lies in nor is disjoint from; `None`: left lies in one, or is empty.
    fn live(
        &self,
        dimensions: &[Vec<usize>],
        left: &Product,
        right: &[&Product],
        work: &mut Work,
    ) -> Result<Option<Vec<usize>>, Stopped> {
        if self.is_empty(left, work)? {
            return Ok(None);
        }
        let mut live = Vec::new();
        'rows: for (index, product) in right.iter().enumerate() {
            let mut covers = true;
            for dimension in dimensions.iter().filter(|d| !left.agrees_on(product, d)) {
                // A bound on two sets alone says nothing yet: the row stays, and the joint question decides.
                let Ok(cells) = self.cells(dimension, &[left, product], work) else {
                    covers = false;
                    continue;
                };
                let of_left = || cells.iter().filter(|cell| cell.inside.get(0));
                if !of_left().any(|cell| cell.inside.get(1)) {
                    continue 'rows;
                }
                covers &= of_left().all(|cell| cell.inside.get(1));
            }
            if covers {
                return Ok(None);
            }
            live.push(index);
        }
        Ok(Some(live))
    }

    /// The cells of one dimension, lightest first: which products hold there, each with its lightest coherent witness.
    fn cells(&self, dimension: &[usize], products: &[&Product], work: &mut Work) -> Result<Vec<Cell>, Stopped> {
        let stopped = |bound| Stopped::Sets(dimension.to_vec(), bound);
        let all = Cell { inside: Bits::full(products.len()), points: Vec::new(), weight: 0 };
        let mut partial: Vec<(Cell, Vec<Named>)> = vec![(all, Vec::new())];
        for argument in dimension {
            let own = self.argument_cells(*argument, products, work).map_err(stopped)?;
            let mut next = Vec::new();
            for (cell, named) in &partial {
                for (addition, naming) in own.iter().filter(|(_, naming)| coherent(named, naming)) {
                    work.product(next.len(), "a dimension").map_err(stopped)?;
                    let mut named = named.clone();
                    named.extend(naming.iter().cloned());
                    next.push((cell.with(addition), named));
                }
            }
            partial = next;
        }
        let mut lightest: BTreeMap<Bits, Cell> = BTreeMap::new();
        for (cell, _) in partial {
            match lightest.get(&cell.inside) {
                Some(before) if !cell.lighter_than(before) => {}
                _lighter_or_new => {
                    lightest.insert(cell.inside.clone(), cell);
                }
            }
        }
        let mut cells: Vec<Cell> = lightest.into_values().collect();
        cells.sort_by(|a, b| a.weight.cmp(&b.weight).then_with(|| a.text().cmp(&b.text())));
        Ok(cells)
    }

    /// The cells of one argument, fine enough to tell what it names or is named by.
    fn argument_cells(
        &self,
        argument: usize,
        products: &[&Product],
        work: &mut Work,
    ) -> Result<Vec<(Cell, Vec<Named>)>, Bound> {
        let Some(member) = self.members.get(argument) else { return Ok(Vec::new()) };
        let mut slots: Vec<&Slot> = Vec::new();
        let mut place: BTreeMap<usize, usize> = BTreeMap::new();
        for (index, slot) in products.iter().enumerate().filter_map(|(i, p)| Some((i, p.slot(argument)?))) {
            let known = slots.iter().position(|s| *s == slot).unwrap_or_else(|| {
                slots.push(slot);
                slots.len().saturating_sub(1)
            });
            place.insert(index, known);
        }
        let ends = self.ends(argument);
        let own = slots.len();
        slots.extend(ends.iter().flat_map(|end| &end.slots));
        let cells = slot_cells(member, &slots, work)?;
        let inside = |bits: &Bits| {
            (0..products.len()).filter(|product| place.get(product).is_none_or(|slot| bits.get(*slot))).collect()
        };
        Ok(cells
            .into_iter()
            .map(|cell| {
                let naming = self.named(&ends, own, &cell.vector, &cell.point);
                let points = vec![(argument, cell.point)];
                (Cell { inside: inside(&cell.vector), points, weight: cell.weight }, naming)
            })
            .collect())
    }

    /// The namings that `argument` takes part in, with the slots that tell its side.
    fn ends(&self, argument: usize) -> Vec<End> {
        let mut ends = Vec::new();
        for (index, naming) in self.namings.iter().enumerate() {
            if naming.named == argument {
                let is = |name: &str| Slot {
                    values: Set::Atom(Atom::OneOf(vec![Value::Text(name.into())])),
                    null: false,
                    absent: false,
                };
                let slots = naming.names.iter().map(|(name, _)| is(name)).collect();
                ends.push(End { naming: index, side: Side::Named, slots });
            }
            if naming.namer == argument {
                let slots = naming.names.iter().map(|(_, slot)| slot.clone()).collect();
                ends.push(End { naming: index, side: Side::Namer, slots });
            }
        }
        ends
    }

    fn named(&self, ends: &[End], first: usize, vector: &Bits, witness: &Point) -> Vec<Named> {
        let mut next = first..;
        ends.iter()
            .map(|end| {
                let all = end.slots.len();
                let bits: Bits =
                    next.by_ref().take(all).enumerate().filter(|(_, b)| vector.get(*b)).map(|(i, _)| i).collect();
                // What is no named value goes with everything, and what is left to the provider names nothing.
                let free = *witness == Point::Unspecified || end.side == Side::Named && bits.is_empty();
                let bits = if free { Bits::full(all) } else { bits };
                Named { naming: end.naming, bits, all }
            })
            .collect()
    }

    fn call(&self, cells: &[Vec<Cell>], chosen: &[usize]) -> Call {
        let mut points = vec![Point::Absent; self.members.len()];
        let mut weight = 0u64;
        for cell in cells.iter().zip(chosen).filter_map(|(cells, index)| cells.get(*index)) {
            weight = weight.saturating_add(cell.weight);
            for (argument, point) in &cell.points {
                if let Some(slot) = points.get_mut(*argument) {
                    *slot = point.clone();
                }
            }
        }
        Call { points, weight }
    }
}

/// One side of a naming.
struct End {
    naming: usize,
    side: Side,
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Named,
    Namer,
}

/// What one side of a naming says: of the names, those it is (the named side) or goes with (the namer's).
#[derive(Clone, Debug)]
struct Named {
    naming: usize,
    bits: Bits,
    all: usize,
}

/// Whether two arguments of one dimension agree on the names they share: a value goes with the names it is; what is no
/// named value goes with everything.
fn coherent(before: &[Named], addition: &[Named]) -> bool {
    addition
        .iter()
        .all(|a| before.iter().filter(|b| b.naming == a.naming).all(|b| a.all == 0 || !a.bits.and(&b.bits).is_empty()))
}

impl Cell {
    fn with(&self, addition: &Cell) -> Cell {
        let mut points = self.points.clone();
        points.extend(addition.points.iter().cloned());
        let weight = self.weight.saturating_add(addition.weight);
        Cell { inside: self.inside.and(&addition.inside), points, weight }
    }

    fn lighter_than(&self, other: &Cell) -> bool {
        self.weight < other.weight || self.weight == other.weight && self.text() < other.text()
    }

    fn text(&self) -> String {
        format!("{:?}", self.points)
    }
}
