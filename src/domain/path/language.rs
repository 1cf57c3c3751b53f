//! Globs → patterns over canonical paths, and from their product the cells. The canonical spelling of a path is a text
//! without `.`, `..`, `//`, backslash and NUL, without a leading `~` or drive. The start of a relative path is written `.`;
//! in the patterns it is the empty text, which no segment is.

use super::super::automaton::Automaton;
use super::super::cells::Cells;
use super::super::product::{Part, Product};
use super::super::{Atom, Bound, Cell, PatternNode, Value, Work};
use super::{Case, Glob, Root, Segment, fold};

/// The cells of paths over `atoms`, with canonical witnesses.
pub(crate) fn cells(atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let mut parts = vec![Part::Universe(Automaton::compile(&universe(), work)?)];
    for (index, atom) in atoms.iter().enumerate() {
        let glob = match atom {
            Atom::Path(glob) => Glob::exact(glob),
            Atom::PathAnyCase(glob) => Glob::any_case(glob),
            _ => continue, // no path lies in an atom of another kind
        };
        parts.push(Part::Pattern(index, Automaton::compile(&pattern(&glob), work)?));
    }
    let mut cells = Cells::new();
    for class in Product::new(parts, 2).classes(&[], 2, work)? {
        let written = |text: String| if text.is_empty() { ".".into() } else { text.into() };
        let mut paths = class.texts.into_iter().map(|text| Value::Text(written(text)));
        match (paths.next(), paths.next()) {
            (Some(only), None) => cells.offer(class.vector, only),
            (Some(first), Some(_)) => cells.offer_many(class.vector, first),
            (None, _) => {}
        }
    }
    Ok(cells.into_vec())
}

/// The canonical paths that match the glob, within the canonical paths.
fn pattern(glob: &Glob) -> PatternNode {
    let segments: Vec<&Segment> = glob.segments.iter().rev().collect();
    match glob.root {
        Root::Absolute => absolute(&segments, glob.case),
        Root::Relative => relative(&segments, glob.case),
        Root::Either => either([absolute(&segments, glob.case), relative(&segments, glob.case)]),
    }
}

fn absolute(segments: &[&Segment], case: Case) -> PatternNode {
    match segments {
        [] => letter('/'),
        [Segment::Any] => {
            let segment = || then([letter('/'), some_segment()]);
            either([letter('/'), then([segment(), any_number(segment())])])
        }
        _ => below(segments, case), // adjacent `**` are one, so some segment is named
    }
}

fn relative(segments: &[&Segment], case: Case) -> PatternNode {
    match segments.split_first() {
        None => PatternNode::Empty,
        Some((Segment::One(glob), rest)) => then([one_segment(glob, case), below(rest, case)]),
        // Adjacent `**` are one, so a named segment follows, or nothing.
        Some((Segment::Any, rest)) => match rest.split_first() {
            None => either([PatternNode::Empty, then([some_segment(), any_number(then([letter('/'), some_segment()]))])]),
            Some(_) => then([any_number(then([some_segment(), letter('/')])), relative(rest, case)]),
        },
    }
}

/// The segments, a slash before each.
fn below(segments: &[&Segment], case: Case) -> PatternNode {
    PatternNode::Concat(
        segments
            .iter()
            .map(|segment| match segment {
                Segment::Any => any_number(then([letter('/'), some_segment()])),
                Segment::One(glob) => then([letter('/'), one_segment(glob, case)]),
            })
            .collect(),
    )
}

/// One segment of a glob. A segment is never empty.
fn one_segment(glob: &str, case: Case) -> PatternNode {
    if glob.bytes().all(|byte| byte == b'*') {
        return some_segment();
    }
    PatternNode::Concat(
        glob.chars()
            .map(|c| match (c, case) {
                ('*', _) => any_number(within()),
                (c, Case::Told) => letter(c),
                (c, Case::Ignored) => PatternNode::Class(fold::variants(c).into_iter().map(|c| (c, c)).collect()),
            })
            .collect(),
    )
}

/// All canonical paths.
fn universe() -> PatternNode {
    let named = || segment(outside(&[(NUL, NUL), ('.', '.'), ('/', '/'), ('\\', '\\')]));
    let more = || any_number(then([letter('/'), named()]));
    let absolute = either([letter('/'), then([letter('/'), named(), more()])]);
    let head = either([
        segment(outside(&[(NUL, NUL), ('.', '.'), ('/', '/'), ('A', 'Z'), ('\\', '\\'), ('a', 'z'), ('~', '~')])),
        then([
            PatternNode::Class(vec![('A', 'Z'), ('a', 'z')]),
            either([
                PatternNode::Empty,
                then([outside(&[(NUL, NUL), ('/', '/'), (':', ':'), ('\\', '\\')]), any_number(within())]),
            ]),
        ]),
    ]);
    either([absolute, PatternNode::Empty, then([head, more()])])
}

/// Segments that begin with `first`, or with a dot, but for `.` and `..`.
fn segment(first: PatternNode) -> PatternNode {
    let no_dot = outside(&[(NUL, NUL), ('.', '.'), ('/', '/'), ('\\', '\\')]);
    either([
        then([first, any_number(within())]),
        then([letter('.'), no_dot, any_number(within())]),
        then([letter('.'), letter('.'), some_segment()]),
    ])
}

const NUL: char = '\0';

/// A character of a segment.
fn within() -> PatternNode {
    outside(&[(NUL, NUL), ('/', '/'), ('\\', '\\')])
}

fn some_segment() -> PatternNode {
    then([within(), any_number(within())])
}

/// Every scalar but those of the sorted, disjoint `ranges`.
fn outside(ranges: &[(char, char)]) -> PatternNode {
    let before = |c: char| char::from_u32(u32::from(c).saturating_sub(1)).unwrap_or('\u{d7ff}');
    let after = |c: char| char::from_u32(u32::from(c).saturating_add(1)).unwrap_or('\u{e000}');
    let mut classes = Vec::new();
    let mut from = Some(NUL);
    for (low, high) in ranges {
        if let Some(start) = from.filter(|start| start < low) {
            classes.push((start, before(*low)));
        }
        from = (*high != char::MAX).then(|| after(*high));
    }
    classes.extend(from.map(|start| (start, char::MAX)));
    PatternNode::Class(classes)
}

fn letter(c: char) -> PatternNode {
    PatternNode::Class(vec![(c, c)])
}

fn then<const N: usize>(parts: [PatternNode; N]) -> PatternNode {
    PatternNode::Concat(parts.into())
}

fn either<const N: usize>(parts: [PatternNode; N]) -> PatternNode {
    PatternNode::Alternate(parts.into())
}

fn any_number(node: PatternNode) -> PatternNode {
    PatternNode::Repeat { min: 0, max: None, node: Box::new(node) }
}
