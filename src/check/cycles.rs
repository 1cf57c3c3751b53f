//! Declarations that lean on each other in a ring. Knows only names.

use crate::diag::{Code, Diagnostic, Sink};
use crate::source::Span;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeSet;

/// That `from` leans on `to`, and where it says so.
pub struct Edge {
    /// Index of the one that leans.
    pub from: usize,
    /// Index of the other.
    pub to: usize,
    /// The name of the other, where it is written.
    pub span: Span,
}

/// Reports each ring once, with its path; gives everything that is part of one, and an order in which all others come
/// after what they lean on.
pub fn report(code: Code, names: &[&str], edges: &[Edge], verb: &str, sink: &mut Sink) -> (BTreeSet<usize>, Vec<usize>) {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let nodes: Vec<NodeIndex> = names.iter().map(|_| graph.add_node(())).collect();
    for edge in edges {
        graph.add_edge(nodes[edge.from], nodes[edge.to], ());
    }
    let (mut ringed, mut order) = (BTreeSet::new(), Vec::new());
    for part in tarjan_scc(&graph) {
        let members: BTreeSet<usize> = part.iter().map(|node| node.index()).collect();
        order.extend(members.iter().copied());
        let Some(path) = ring(&members, edges) else { continue };
        ringed.extend(members);
        let mut words: Vec<&str> = path.iter().map(|edge| names[edge.from]).collect();
        words.push(names[path[0].from]);
        let message = format!("`{}` {verb} itself: {}", words[0], words.join(" → "));
        let mut found = Diagnostic::new(code, path[0].span, message);
        for edge in &path[1..] {
            found = found.also(edge.span, format!("`{}` {verb} `{}`", names[edge.from], names[edge.to]));
        }
        sink.push(found);
    }
    (ringed, order)
}

/// A ring through the first member that has one.
fn ring<'e>(members: &BTreeSet<usize>, edges: &'e [Edge]) -> Option<Vec<&'e Edge>> {
    let start = *members.first()?;
    let mut path: Vec<&Edge> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut at = start;
    while seen.insert(at) {
        let inside = |edge: &&Edge| edge.from == at && members.contains(&edge.to);
        let home = edges.iter().filter(inside).find(|edge| edge.to == start);
        let edge = home.or_else(|| edges.iter().filter(inside).find(|edge| !seen.contains(&edge.to)))?;
        path.push(edge);
        if edge.to == start {
            return Some(path);
        }
        at = edge.to;
    }
    None
}
