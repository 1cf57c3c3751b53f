//! Many host patterns in one set → one look-up, whatever their number. Must not know what else is in the set.

use super::{Host, HostAtom};
use crate::domain::texts::Texts;
use crate::domain::tree::Tree;
use crate::domain::{Atom, Bound, Set, ip};

/// From how many patterns on a union of them is looked up rather than walked.
const FEW: usize = 8;

/// Names, names of which something is below, and blocks of addresses.
#[derive(Clone, Debug)]
pub(in crate::domain) struct Listed {
    names: Texts,
    tops: Texts,
    blocks: Box<[ip::Block]>,
}

impl Listed {
    fn new(atoms: Vec<HostAtom>) -> Listed {
        let (mut names, mut tops, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        for atom in atoms {
            match atom {
                HostAtom::Name(name) => names.push(name),
                HostAtom::Below(top) => tops.push(top),
                HostAtom::Blocks(more) => blocks.extend(more),
                HostAtom::Class(_) | HostAtom::Listed(_) => {}
            }
        }
        Listed { names: Texts::new(names), tops: Texts::new(tops), blocks: blocks.into() }
    }

    /// Whether one of the patterns holds the host.
    pub(super) fn holds(&self, host: &Host<'_>) -> bool {
        match host {
            Host::Name(name) if name.bytes().any(|b| b.is_ascii_uppercase()) => self.has_name(&name.to_ascii_lowercase()),
            Host::Name(name) => self.has_name(name),
            Host::Address(address) => self.blocks.iter().any(|block| block.contains(*address)),
        }
    }
}

impl Listed {
    /// A name in lower case.
    fn has_name(&self, name: &str) -> bool {
        let dots = name.bytes().enumerate().filter(|(_, b)| *b == b'.').map(|(dot, _)| dot);
        let is_below = |dot: usize| dot > 0 && name.get(dot.saturating_add(1)..).is_some_and(|top| self.tops.contains(top));
        self.names.contains(name) || dots.into_iter().any(is_below)
    }
}

/// A set over hosts, its long unions of patterns as one atom each.
pub(in crate::domain) fn tree(set: &Set) -> Result<Tree<Option<HostAtom>>, Bound> {
    let mut atom = |atom: &Atom| Ok(HostAtom::new(atom));
    Ok(match set {
        Set::Or(parts) if parts.iter().filter(|part| is_pattern(part)).count() >= FEW => {
            let (patterns, others): (Vec<&Set>, Vec<&Set>) = parts.iter().partition(|part| is_pattern(part));
            let listed = patterns.into_iter().filter_map(|part| match part {
                Set::Atom(atom) => HostAtom::new(atom),
                Set::Any | Set::Never | Set::Not(_) | Set::And(_) | Set::Or(_) => None,
            });
            let listed = Tree::Atom(Some(HostAtom::Listed(Listed::new(listed.collect()))));
            let others = others.into_iter().map(tree);
            Tree::Or(std::iter::once(Ok(listed)).chain(others).collect::<Result<_, _>>()?)
        }
        Set::Or(parts) => Tree::Or(parts.iter().map(tree).collect::<Result<_, _>>()?),
        Set::And(parts) => Tree::And(parts.iter().map(tree).collect::<Result<_, _>>()?),
        Set::Not(inner) => Tree::Not(Box::new(tree(inner)?)),
        Set::Any | Set::Never | Set::Atom(_) => Tree::compile(set, &mut atom)?,
    })
}

fn is_pattern(set: &Set) -> bool {
    matches!(set, Set::Atom(Atom::Host(_) | Atom::Cidr(_)))
}
