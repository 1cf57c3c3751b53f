//! Records: sets over the members → cells, as a product of the members' slots. Must not know what the members are.

use super::cells::{Cell, Cells};
use super::list::cell_of;
use super::slot::{PointCell, slot_cells};
use super::{Atom, Bits, Bound, Member, Point, Rest, Slot, Value, Work};
use std::collections::BTreeSet;

/// The vectors over `atoms` that some record realises.
pub(super) fn cells(members: &[Member], rest: &Rest, atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let mut products = vec![Product { vector: Bits::EMPTY, members: Vec::new(), single: matches!(rest, Rest::Closed) }];
    for member in members.iter().chain(&undeclared(members, rest, atoms)) {
        let points = member_cells(member, atoms, work)?;
        let mut next = Vec::new();
        for product in &products {
            for point in &points {
                work.product(next.len(), "records")?;
                next.push(product.with(member, point));
            }
        }
        products = next;
    }
    let mut out = Cells::new();
    for product in products {
        out.offer_cell(cell_of(product.vector, Value::Object(product.members), product.single));
    }
    Ok(out.into_vec())
}

struct Product {
    vector: Bits,
    members: Vec<(Box<str>, Value)>,
    single: bool,
}

impl Product {
    fn with(&self, member: &Member, point: &PointCell) -> Product {
        let mut members = self.members.clone();
        if let Point::Value(value) = &point.point {
            members.push((member.name.clone(), value.clone()));
        }
        Product { vector: self.vector.or(&point.vector), members, single: self.single && point.singleton }
    }
}

/// The members that atoms speak of though none declares them: each an optional one of the type of the rest.
fn undeclared(members: &[Member], rest: &Rest, atoms: &[&Atom]) -> Vec<Member> {
    let names: BTreeSet<&str> = atoms
        .iter()
        .filter_map(|atom| match atom {
            Atom::Field(name, _) if members.iter().all(|member| member.name != *name) => Some(&**name),
            _ => None, // of a member, or of another kind
        })
        .collect();
    names.into_iter().filter_map(|name| rest.member(name)).collect()
}

/// The cells of one member over the atoms that speak of it, in the atoms' numbers.
fn member_cells(member: &Member, atoms: &[&Atom], work: &mut Work) -> Result<Vec<PointCell>, Bound> {
    let (places, slots): (Vec<usize>, Vec<&Slot>) = atoms
        .iter()
        .enumerate()
        .filter_map(|(at, atom)| match atom {
            Atom::Field(name, slot) if *name == member.name => Some((at, &**slot)),
            _ => None, // of another member, or of another kind
        })
        .unzip();
    let mut cells = slot_cells(member, &slots, work)?;
    for cell in &mut cells {
        cell.vector = cell.vector.iter().filter_map(|bit| places.get(bit).copied()).collect();
    }
    Ok(cells)
}
