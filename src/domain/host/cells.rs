//! Sets over hosts → the truth vectors that some host realises: the nodes of a trie of labels and a fresh label below each,
//! and the ranges of addresses.

use super::{Host, HostAtom, NAME, PRIVATE, ip, read};
use crate::domain::cells::{Cell, Cells};
use crate::domain::spelling::Spelling;
use crate::domain::{Atom, Bits, Bound, Class, Value, Work};
use std::collections::BTreeSet;
use std::net::IpAddr;

/// The vectors over `atoms`.
pub(in crate::domain) fn cells(atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let compiled: Vec<Option<HostAtom>> = atoms.iter().map(|atom| HostAtom::new(atom)).collect();
    let mut out = Cells::new();
    add_names(&compiled, work, &mut out)?;
    add_addresses(&compiled, |address| Host::Address(address).text(), work, &mut out)?;
    Ok(out.into_vec())
}

/// The vectors over `atoms` that some address realises: for the type of addresses alone.
pub(in crate::domain) fn address_cells(atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let compiled: Vec<Option<HostAtom>> = atoms.iter().map(|atom| HostAtom::new(atom)).collect();
    let mut out = Cells::new();
    add_addresses(&compiled, |address| address.to_string(), work, &mut out)?;
    Ok(out.into_vec())
}

fn add_names(atoms: &[Option<HostAtom>], work: &mut Work, out: &mut Cells) -> Result<(), Bound> {
    let nodes = nodes(atoms);
    let labels: BTreeSet<&str> = nodes.iter().flat_map(|node| node.split('.')).collect();
    let fresh = fresh_label(&labels);
    let single = fresh.clone();
    let double = format!("{fresh}.{fresh}");
    let mut add = |name: String, many: bool| -> Result<(), Bound> {
        work.spend(1, "hosts")?;
        if let Spelling::Plain(host @ Host::Name(_)) = read(&name) {
            let vector = vector(atoms, &host);
            if many {
                out.offer_many(vector, Value::Text(name.into()));
            } else {
                out.offer(vector, Value::Text(name.into()));
            }
        }
        Ok(())
    };
    add(single, true)?;
    add(double, true)?;
    for node in &nodes {
        add((*node).to_owned(), false)?;
        if node.len().saturating_add(fresh.len()) < NAME {
            add(format!("{fresh}.{node}"), true)?;
        }
    }
    Ok(())
}

/// Every name in the patterns and classes, and all above it.
fn nodes(atoms: &[Option<HostAtom>]) -> BTreeSet<&str> {
    let mut nodes = BTreeSet::new();
    for atom in atoms.iter().flatten() {
        match atom {
            HostAtom::Name(name) | HostAtom::Below(name) => add_path(name, &mut nodes),
            HostAtom::Class(_) => {
                add_path("localhost", &mut nodes);
                PRIVATE.iter().for_each(|top| add_path(top, &mut nodes));
            }
            HostAtom::Blocks(_) | HostAtom::Listed(_) => {}
        }
    }
    nodes
}

fn add_path<'a>(name: &'a str, nodes: &mut BTreeSet<&'a str>) {
    let mut rest = Some(name);
    while let Some(node) = rest {
        nodes.insert(node);
        rest = node.split_once('.').map(|(_, above)| above);
    }
}

/// The first of a, b, … z, aa, … that is none of the labels.
fn fresh_label(labels: &BTreeSet<&str>) -> String {
    let mut number = 0_usize;
    loop {
        let label = label(number);
        if !labels.contains(label.as_str()) {
            return label;
        }
        number = number.saturating_add(1);
    }
}

fn label(mut number: usize) -> String {
    let mut letters = Vec::new();
    loop {
        let place = u32::try_from(number % 26).unwrap_or(0);
        letters.push(char::from_u32(u32::from('a').saturating_add(place)).unwrap_or('a'));
        match (number / 26).checked_sub(1) {
            Some(rest) => number = rest,
            None => return letters.iter().rev().collect(),
        }
    }
}

fn vector(atoms: &[Option<HostAtom>], host: &Host<'_>) -> Bits {
    atoms
        .iter()
        .enumerate()
        .filter(|(_, atom)| atom.as_ref().is_some_and(|atom| atom.holds(host)))
        .map(|(index, _)| index)
        .collect()
}

fn add_addresses(
    atoms: &[Option<HostAtom>],
    spell: impl Fn(IpAddr) -> String,
    work: &mut Work,
    out: &mut Cells,
) -> Result<(), Bound> {
    let classes = [Class::Loopback, Class::LinkLocal, Class::Private];
    let cuts: Vec<ip::Block> = atoms
        .iter()
        .flatten()
        .flat_map(|atom| match atom {
            HostAtom::Blocks(blocks) => blocks.clone(),
            HostAtom::Class(_) => classes.iter().flat_map(|class| ip::blocks(*class)).copied().collect(),
            HostAtom::Name(_) | HostAtom::Below(_) | HostAtom::Listed(_) => Vec::new(),
        })
        .collect();
    for segment in ip::segments(&cuts) {
        work.spend(1, "hosts")?;
        let host = Host::Address(segment.lightest);
        let (vector, witness) = (vector(atoms, &host), Value::Text(spell(segment.lightest).into()));
        if segment.single {
            out.offer(vector, witness);
        } else {
            out.offer_many(vector, witness);
        }
    }
    Ok(())
}
