//! Sets over URLs → the truth vectors that some URL realises. Every atom is a box over scheme, port, host and path; a
//! component's vectors are taken over all boxes, so several patterns in one set stay several.

use super::pattern::{Pieces, over_text, pieces};
use super::{SPECIAL, glob, holds_of_no_port};
use crate::domain::boxes::{Boxes, Side, sides};
use crate::domain::cells::{Cell, clear_cells};
use crate::domain::{Atom, Bits, Bound, Comparison, Decimal, Kind, NumberKind, Part, Range, Set, Type, Value, Work};

/// The vectors over `atoms`.
pub(in crate::domain) fn cells(atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let (places, sides_of): (Vec<usize>, Vec<UrlBox>) =
        atoms.iter().enumerate().filter_map(|(at, atom)| url_box(atom).map(|sides| (at, sides))).unzip();
    let hosts = component(&Kind::Host, None, &sides_of, |sides| &sides.host, work)?;
    let text = Kind::Text { by_pattern: true };
    let paths = component(&text, Some(glob::every_path()), &sides_of, |sides| &sides.path, work)?;
    let mut out = Boxes::none();
    for (port, schemes) in schemes_by_port() {
        let universe = Set::And(vec![glob::every_scheme(), schemes]);
        let schemes = component(&text, Some(universe), &sides_of, |sides| &sides.scheme, work)?;
        let schemes: Vec<Side> =
            schemes.into_iter().map(|side| Side { text: format!("{}://", side.text), ..side }).collect();
        let ports = ports(port, &sides_of, work)?;
        let found = Boxes::start(sides_of.len()).beside(&schemes, work)?.beside(&hosts, work)?;
        out.join(found.beside(&ports, work)?.beside(&paths, work)?);
    }
    let cells = out.into_cells().into_iter().map(|cell| Cell {
        vector: cell.vector.iter().filter_map(|bit| places.get(bit).copied()).collect(),
        singleton: false, // query and fragment are free
        ..cell
    });
    Ok(cells.collect())
}

/// What one atom demands of each component.
struct UrlBox {
    scheme: Set,
    host: Set,
    port: PortSide,
    path: Set,
}

enum PortSide {
    /// The scheme's own, or none.
    Default,
    /// A set of numbers.
    In(Set),
}

fn url_box(atom: &Atom) -> Option<UrlBox> {
    let any = || UrlBox { scheme: Set::Any, host: Set::Any, port: PortSide::In(Set::Any), path: Set::Any };
    match atom {
        Atom::Url(pattern) => pieces(pattern).map(|pieces| pattern_box(pattern, &pieces)),
        Atom::Part(Part::Scheme, set) => Some(UrlBox { scheme: (**set).clone(), ..any() }),
        Atom::Part(Part::Host, set) => Some(UrlBox { host: (**set).clone(), ..any() }),
        Atom::Part(Part::Port, set) => Some(UrlBox { port: PortSide::In((**set).clone()), ..any() }),
        Atom::Part(Part::Path, set) => Some(UrlBox { path: over_text(set), ..any() }),
        _ => None, // atoms over other kinds hold of no URL
    }
}

fn pattern_box(pattern: &str, pieces: &Pieces<'_>) -> UrlBox {
    // A canonical pattern has a port only if it is not the scheme's own.
    let written = super::split_port(pattern.split('/').nth(2).unwrap_or_default()).and_then(|(_, port)| port);
    let port = match (written, pieces.port) {
        (Some(_), Some(port)) => PortSide::In(one_port(port)),
        (Some(_), None) | (None, _) => PortSide::Default,
    };
    UrlBox {
        scheme: Set::Atom(Atom::OneOf(vec![Value::Text(pieces.scheme.into())])),
        host: Set::Atom(Atom::Host(pieces.host.into())),
        port,
        path: Set::Atom(glob::paths(pieces.path)),
    }
}

fn component(
    kind: &Kind,
    universe: Option<Set>,
    boxes: &[UrlBox],
    side: impl Fn(&UrlBox) -> &Set,
    work: &mut Work,
) -> Result<Vec<Side>, Bound> {
    let sets: Vec<&Set> = boxes.iter().map(side).collect();
    let ty = Type { kind: kind.clone(), null: false, refinement: universe };
    Ok(sides(clear_cells(&ty, &sets, work)?, str::to_owned))
}

/// The schemes by the port they have of their own; last those that have none.
fn schemes_by_port() -> Vec<(Option<u16>, Set)> {
    let mut ports: Vec<u16> = SPECIAL.iter().map(|(_, port)| *port).collect();
    ports.sort_unstable();
    ports.dedup();
    let named = |keep: &dyn Fn(u16) -> bool| {
        let names = SPECIAL.iter().filter(|(_, port)| keep(*port));
        let mut names: Vec<Value> = names.map(|(name, _)| Value::Text((*name).into())).collect();
        names.sort_by_cached_key(crate::domain::compact);
        Set::Atom(Atom::OneOf(names))
    };
    let mut out: Vec<(Option<u16>, Set)> = ports.iter().map(|port| (Some(*port), named(&|other| other == *port))).collect();
    out.push((None, Set::Not(Box::new(named(&|_| true)))));
    out
}

/// What may stand between host and path: nothing, or a colon and a port.
fn ports(default: Option<u16>, boxes: &[UrlBox], work: &mut Work) -> Result<Vec<Side>, Bound> {
    let own = default.map_or(Set::Never, one_port);
    let demands: Vec<&Set> = boxes
        .iter()
        .map(|sides| match &sides.port {
            PortSide::Default => &own,
            PortSide::In(set) => set,
        })
        .chain([&own])
        .collect();
    let port = Type { kind: Kind::Number(NumberKind::Int), null: false, refinement: Some(every_port()) };
    let mut out = Vec::new();
    for cell in clear_cells(&port, &demands, work)? {
        let Value::Number(number) = &cell.witness else { continue };
        let text = if cell.vector.get(boxes.len()) { String::new() } else { format!(":{number}") };
        let vector = cell.vector.iter().filter(|bit| *bit < boxes.len()).collect();
        out.push(Side { vector, text, single: cell.singleton });
    }
    if default.is_none() {
        let vector: Bits =
            boxes.iter().enumerate().filter(|(_, sides)| no_port_in(&sides.port)).map(|(bit, _)| bit).collect();
        out.push(Side { vector, text: String::new(), single: true });
    }
    Ok(out)
}

fn no_port_in(side: &PortSide) -> bool {
    match side {
        PortSide::Default => true,
        PortSide::In(set) => holds_of_no_port(set),
    }
}

fn one_port(port: u16) -> Set {
    Set::Atom(Atom::OneOf(vec![Value::Number(Decimal::from_i64(i64::from(port)))]))
}

fn every_port() -> Set {
    let end = |port: i64| Some((Decimal::from_i64(port), Comparison::Inclusive));
    Set::Atom(Atom::Numbers(Range { low: end(0), high: end(i64::from(u16::MAX)) }))
}
