//! Bounds of automata.

use super::*;
use crate::domain::PatternNode as Node;

fn repeat(node: Node, min: u32, max: Option<u32>) -> Node {
    Node::Repeat { min, max, node: Box::new(node) }
}

fn any() -> Node {
    Node::Class(vec![('\0', char::MAX)])
}

fn states(tree: &Node) -> Option<usize> {
    Automaton::compile(tree, &mut Work::new()).ok().map(|automaton| automaton.states())
}

#[test]
fn ordinary_lengths_are_small() {
    let word = Node::Class(vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]);
    assert_eq!(states(&repeat(word, 1, Some(64))), Some(66));
    assert_eq!(states(&repeat(any(), 0, None)), Some(1));
}

#[test]
fn hostile_patterns_are_refused() {
    let a = || Node::Class(vec![('a', 'a')]);
    let doubling = Node::Concat(vec![repeat(any(), 0, None), a(), repeat(any(), 16, Some(16))]);
    assert_eq!(states(&doubling), None, "2^17 states");
    assert_eq!(states(&repeat(repeat(repeat(a(), 0, Some(1000)), 0, Some(1000)), 0, Some(1000))), None);
    assert_eq!(states(&repeat(a(), 5_000, Some(5_000))), None);
    assert_eq!(states(&repeat(a(), 4_000, Some(4_000))), Some(4_002));
    assert_eq!(states(&repeat(a(), 0, Some(u32::MAX))), None);
    let deep = (0..10_000).fold(a(), |node, _| Node::Concat(vec![node]));
    assert_eq!(states(&deep), None);
    std::mem::forget(deep); // its own drop recurses
}

#[test]
fn loops_over_nothing_end() {
    let tree = repeat(repeat(Node::Empty, 0, None), 0, None);
    let automaton = Automaton::compile(&tree, &mut Work::new()).unwrap();
    assert!(automaton.accepts(""));
    assert!(!automaton.accepts("a"));
    let never = Automaton::compile(&Node::Class(Vec::new()), &mut Work::new()).unwrap();
    assert_eq!((never.accepts(""), never.states()), (false, 1));
}
