//! A claim that holds → a proof that [`super::checker`] replays. Splits where a row holds some of what is left and not all;
//! knows no layers. What it makes counts for nothing until it is replayed.

use super::checker::{Facts, Node, Path, named, split};
use super::claim::Claim;
use crate::domain::{Stopped, search};

/// The proof of `claim`.
///
/// # Errors
/// [`Stopped`]: there is none, or none within the bounds.
pub(super) fn prove(claim: &Claim) -> Result<Vec<Node>, Stopped> {
    let mut facts = Facts::new(claim);
    let mut open: Vec<Path> = vec![Vec::new()];
    let mut nodes = Vec::new();
    while let Some(path) = open.pop() {
        if nodes.len().max(facts.asked()) > search::NODES {
            return Err(Stopped::Combinations(Vec::new()));
        }
        let node = step(claim, &mut facts, &path).ok_or_else(|| Stopped::Combinations(Vec::new()))?;
        let below = match &node {
            Node::Row(_) | Node::Empty(_) => Some(Vec::new()),
            Node::Split { argument, row } => split(claim, &path, *argument, *row),
            Node::Named(naming) => named(claim, &path, *naming),
        };
        open.extend(below.unwrap_or_default());
        nodes.push(node);
    }
    Ok(nodes)
}

/// The next step; `None`: no row holds anything of what is left.
fn step(claim: &Claim, facts: &mut Facts<'_>, path: &Path) -> Option<Node> {
    let arguments = 0..claim.members.len();
    if let Some(argument) = arguments.clone().find(|argument| facts.is_empty(path, *argument).unwrap_or(false)) {
        return Some(Node::Empty(argument));
    }
    let rows = 0..claim.right.len();
    if let Some(row) = rows.clone().find(|row| facts.holds(path, *row).unwrap_or(false)) {
        return Some(Node::Row(row));
    }
    let told = |naming: usize| path.iter().any(|(_, said)| said.naming() == Some(naming));
    if let Some(naming) = (0..claim.namings.len()).find(|naming| !told(*naming) && matters(claim, *naming)) {
        return Some(Node::Named(naming));
    }
    let mut best: Option<(usize, Node)> = None;
    for row in rows {
        if arguments.clone().any(|argument| facts.outside(path, argument, row).unwrap_or(false)) {
            continue;
        }
        let apart: Vec<usize> =
            arguments.clone().filter(|argument| !facts.inside(path, *argument, row).unwrap_or(false)).collect();
        if let Some(argument) = apart.first().copied()
            && best.as_ref().is_none_or(|(fewest, _)| apart.len() < *fewest)
        {
            best = Some((apart.len(), Node::Split { argument, row }));
        }
    }
    best.map(|(_, node)| node)
}

/// Whether something is said of the argument that names, or of the one that is named.
fn matters(claim: &Claim, naming: usize) -> bool {
    let Some(naming) = claim.namings.get(naming) else { return false };
    let mut rows = claim.right.iter().chain(std::iter::once(&claim.left));
    rows.any(|row| row.slot(naming.named).is_some() || row.slot(naming.namer).is_some())
}
