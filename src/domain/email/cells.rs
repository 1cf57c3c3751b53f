//! Sets over emails → the truth vectors that some email realises: boxes over local part and domain.

use super::pieces;
use crate::domain::boxes::{Boxes, sides};
use crate::domain::cells::{Cell, clear_cells};
use crate::domain::{Atom, Bound, Kind, Part, Pattern, PatternNode, Set, Type, Value, Work};

/// The vectors over `atoms`.
pub(in crate::domain) fn cells(atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let (places, demands): (Vec<usize>, Vec<(Set, Set)>) =
        atoms.iter().enumerate().filter_map(|(at, atom)| demand(atom).map(|demand| (at, demand))).unzip();
    let locals: Vec<&Set> = demands.iter().map(|(local, _)| local).collect();
    let domains: Vec<&Set> = demands.iter().map(|(_, domain)| domain).collect();
    let locals = sides(clear_cells(&local_part(), &locals, work)?, str::to_owned);
    let domains = clear_cells(&domain(), &domains, work)?;
    let domains = sides(domains, |domain| format!("@{domain}"));
    let found = Boxes::start(demands.len()).beside(&locals, work)?.beside(&domains, work)?;
    let cells = found.into_cells().into_iter();
    Ok(cells
        .map(|cell| Cell { vector: cell.vector.iter().filter_map(|bit| places.get(bit).copied()).collect(), ..cell })
        .collect())
}

/// What an atom demands of the local part and of the domain.
fn demand(atom: &Atom) -> Option<(Set, Set)> {
    match atom {
        Atom::Email(pattern) => pieces(pattern).map(|(local, domain)| {
            let local = local.map_or(Set::Any, |local| Set::Atom(Atom::OneOf(vec![Value::Text(local.into())])));
            (local, Set::Atom(Atom::Host(domain.into())))
        }),
        Atom::Part(Part::Local, set) => Some(((**set).clone(), Set::Any)),
        Atom::Part(Part::Host, set) => Some((Set::Any, (**set).clone())),
        _ => None, // atoms over other kinds hold of no email
    }
}

/// Hosts but IPv6 addresses: brackets make a literal, which is ambiguous.
fn domain() -> Type {
    let v6 = Set::Atom(Atom::Cidr("::/0".into()));
    Type { kind: Kind::Host, null: false, refinement: Some(Set::Not(Box::new(v6))) }
}

/// Atoms of RFC 5322 joined by dots.
fn local_part() -> Type {
    let ranges =
        [('!', '!'), ('#', '\''), ('*', '+'), ('-', '-'), ('/', '9'), ('=', '='), ('?', '?'), ('A', 'Z'), ('^', '~')];
    let atom = PatternNode::Repeat { min: 1, max: None, node: Box::new(PatternNode::Class(ranges.to_vec())) };
    let dot = PatternNode::Class(vec![('.', '.')]);
    let further = PatternNode::Concat(vec![dot, atom.clone()]);
    let tree = PatternNode::Concat(vec![atom, PatternNode::Repeat { min: 0, max: None, node: Box::new(further) }]);
    let refinement = Some(Set::Atom(Atom::Matches(Pattern { source: "local part".into(), tree })));
    Type { kind: Kind::Text { by_pattern: true }, null: false, refinement }
}
