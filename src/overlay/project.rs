//! A product and the paths that a clause mentions → the products that speak of these paths alone and hold whatever some
//! completion of the rest makes the first product hold. Knows no layers.

use super::part;
use crate::domain::{Atom, Naming, Product, Set, Shape, Slot, Step, Stopped, Value, Work};
use std::collections::BTreeMap;

/// Paths, by argument; a path without steps is the whole argument.
pub(super) type Mentioned = BTreeMap<usize, Vec<Vec<Step>>>;

/// The projection of `product`, which is not empty, on `mentioned`.
pub(super) fn onto(
    shape: &Shape<'_>,
    product: &Product,
    mentioned: &Mentioned,
    work: &mut Work,
) -> Result<Vec<Product>, Stopped> {
    let mut found = vec![Product::default()];
    for dimension in shape.dimensions() {
        if !dimension.iter().any(|argument| mentioned.contains_key(argument)) {
            continue;
        }
        let view = Dimension { shape, arguments: &dimension, product, mentioned };
        let alternatives = view.project(work)?;
        found = found.iter().flat_map(|f| alternatives.iter().map(|a| f.meet(a))).collect();
    }
    Ok(found)
}

struct Dimension<'a> {
    shape: &'a Shape<'a>,
    arguments: &'a [usize],
    product: &'a Product,
    mentioned: &'a Mentioned,
}

/// For a named argument that is not mentioned: the name it is taken to have; `None`: it is no name and goes with everything.
type Taken = BTreeMap<usize, Option<Box<str>>>;

impl Dimension<'_> {
    fn project(&self, work: &mut Work) -> Result<Vec<Product>, Stopped> {
        let mut found: Vec<Product> = Vec::new();
        for taken in self.assignments(work)? {
            if let Some(product) = self.beside(&taken, work)?
                && !found.contains(&product)
            {
                found.push(product);
            }
        }
        Ok(merge(found))
    }

    fn namings(&self) -> impl Iterator<Item = &Naming> {
        self.shape.namings.iter().filter(|n| self.arguments.contains(&n.namer))
    }

    /// Every way to fix the named arguments that are not mentioned, as far as it matters.
    fn assignments(&self, work: &mut Work) -> Result<Vec<Taken>, Stopped> {
        let mut found = vec![Taken::new()];
        let named: BTreeMap<usize, &Naming> = self.namings().map(|n| (n.named, n)).collect();
        for (argument, naming) in named.into_iter().filter(|(argument, _)| !self.mentioned.contains_key(argument)) {
            let names = self.possible(argument, naming, work)?;
            found = found
                .iter()
                .flat_map(|taken| {
                    names.iter().map(|name| {
                        let mut taken = taken.clone();
                        taken.insert(argument, name.clone());
                        taken
                    })
                })
                .collect();
        }
        Ok(found)
    }

    /// The names that the slot of a named argument admits; only `None`, if it admits what is no name.
    fn possible(&self, argument: usize, naming: &Naming, work: &mut Work) -> Result<Vec<Option<Box<str>>>, Stopped> {
        let Some(slot) = self.product.slot(argument) else { return Ok(vec![None]) };
        let stopped = |bound| Stopped::Sets(vec![argument], bound);
        let Some(member) = self.shape.members.get(argument) else { return Ok(Vec::new()) };
        let all: Vec<Slot> = naming.names.iter().map(|(name, _)| is(name)).collect();
        let mut slots = vec![slot];
        slots.extend(&all);
        let cells = crate::domain::slot_cells(member, &slots, work).map_err(stopped)?;
        let admitted = || cells.iter().filter(|cell| cell.vector.get(0));
        let free = |point| point == &crate::domain::Point::Unspecified;
        if admitted().any(|cell| free(&cell.point) || (1..slots.len()).all(|i| !cell.vector.get(i))) {
            return Ok(vec![None]);
        }
        let names = naming.names.iter().enumerate();
        let admitted_names = names.filter(|(i, _)| admitted().any(|cell| cell.vector.get(i + 1)));
        Ok(admitted_names.map(|(_, (name, _))| Some(name.clone())).collect())
    }

    /// What is left of the mentioned arguments beside `taken`; `None`: nothing.
    fn beside(&self, taken: &Taken, work: &mut Work) -> Result<Option<Product>, Stopped> {
        let mut found = Product::default();
        for argument in self.arguments {
            let mut own = Product::default();
            if let Some(slot) = self.product.slot(*argument) {
                own.demand(*argument, slot.clone());
            }
            for naming in self.namings().filter(|n| n.namer == *argument) {
                if let Some(Some(name)) = taken.get(&naming.named)
                    && let Some((_, coherent)) = naming.names.iter().find(|(n, _)| n == name)
                {
                    own.demand(*argument, coherent.clone());
                }
            }
            match self.mentioned.get(argument) {
                Some(paths) => self.keep(*argument, paths, &own, &mut found, work)?,
                None if self.shape.is_empty(&own, work)? => return Ok(None),
                None => self.refuse_unnamable(*argument, &own, &mut found, work)?,
            }
        }
        Ok(Some(found))
    }

    /// Demands of a mentioned argument what `own` demands of its mentioned parts.
    fn keep(
        &self,
        argument: usize,
        paths: &[Vec<Step>],
        own: &Product,
        found: &mut Product,
        work: &mut Work,
    ) -> Result<(), Stopped> {
        let (Some(slot), Some(member)) = (own.slot(argument), self.shape.members.get(argument)) else { return Ok(()) };
        let paths: Vec<&[Step]> = paths.iter().map(Vec::as_slice).collect();
        let values = part::cylinder(&member.ty, &slot.values, &paths, work).map_err(|b| Stopped::Sets(vec![argument], b))?;
        found.demand(argument, Slot { values, ..slot.clone() });
        Ok(())
    }

    /// Where a namer is not mentioned and what it may name is: the names beside which nothing is left of it are refused.
    fn refuse_unnamable(&self, namer: usize, own: &Product, found: &mut Product, work: &mut Work) -> Result<(), Stopped> {
        let mentioned = |n: &&Naming| n.namer == namer && self.mentioned.contains_key(&n.named);
        for naming in self.namings().filter(mentioned) {
            let mut refused = Vec::new();
            for (name, coherent) in &naming.names {
                let mut beside = own.clone();
                beside.demand(namer, coherent.clone());
                if self.shape.is_empty(&beside, work)? {
                    refused.push(is(name).values);
                }
            }
            if !refused.is_empty() {
                let values = Set::Not(Box::new(Set::Or(refused)));
                found.demand(naming.named, Slot { values, null: true, absent: true });
            }
        }
        Ok(())
    }
}

/// Exactly the text `name`.
fn is(name: &str) -> Slot {
    Slot { values: Set::Atom(Atom::OneOf(vec![Value::Text(name.into())])), null: false, absent: false }
}

/// Alternatives that differ in one argument alone are one.
fn merge(products: Vec<Product>) -> Vec<Product> {
    let one = |p: &Product| {
        let mut slots = p.slots();
        match (slots.next(), slots.next()) {
            (Some((argument, slot)), None) => Some((argument, slot.clone())),
            _none_or_several => None,
        }
    };
    let mut all: Vec<(usize, Slot)> = Vec::new();
    for product in &products {
        match one(product) {
            Some(slot) => all.push(slot),
            None => return products,
        }
    }
    let Some((argument, first)) = all.first().cloned() else { return products };
    let alike = |(a, s): &(usize, Slot)| *a == argument && s.null == first.null && s.absent == first.absent;
    if products.len() < 2 || !all.iter().all(alike) {
        return products;
    }
    let mut merged = Product::default();
    let values = Set::Or(all.into_iter().map(|(_, slot)| slot.values).collect());
    merged.demand(argument, Slot { values, ..first });
    vec![merged]
}
