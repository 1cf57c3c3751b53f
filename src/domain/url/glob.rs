//! Globs over the paths of URLs, and all such paths → patterns over text. Here a segment may be empty: `/a/` is not `/a`.
//! Must not know schemes or hosts.

use super::path::{encoded as encoded_text, is_agreed, is_path_byte};
use crate::domain::{Atom, Pattern, PatternNode, Set};

/// The paths that match a glob: `*` within a segment, `**` any number of whole segments.
pub(super) fn paths(glob: &str) -> Atom {
    let segments = glob.strip_prefix('/').unwrap_or(glob).split('/');
    let tree = PatternNode::Concat(segments.map(segment).collect());
    Atom::Matches(Pattern { source: glob.into(), tree })
}

/// The paths that a glob over file paths holds: compared by segment, so `/a/` and `//a` are `/a`. No path of a URL is
/// relative.
pub(super) fn by_segment(glob: &str) -> Atom {
    let segments: Vec<&str> = glob.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
    if !glob.starts_with('/') && segments.first() != Some(&"**") {
        return Atom::OneOf(Vec::new());
    }
    let slashes = || PatternNode::Repeat { min: 1, max: None, node: Box::new(literal('/')) };
    let some = || PatternNode::Repeat { min: 1, max: None, node: Box::new(not_slash()) };
    let parts = segments.iter().map(|segment| match *segment {
        "**" => many(concat([slashes(), some()])),
        segment if segment.bytes().all(|b| b == b'*') => concat([slashes(), some()]),
        segment => concat(std::iter::once(slashes()).chain(within(&encoded_text(segment)))),
    });
    let tree = concat(parts.chain([many(literal('/'))]));
    Atom::Matches(Pattern { source: glob.into(), tree })
}

fn within(segment: &str) -> Vec<PatternNode> {
    segment.chars().map(|c| if c == '*' { many(not_slash()) } else { literal(c) }).collect()
}

fn segment(text: &str) -> PatternNode {
    if text == "**" {
        return many(concat([literal('/'), many(not_slash())]));
    }
    concat(std::iter::once(literal('/')).chain(within(text)))
}

/// Every path in canonical form.
pub(super) fn every_path() -> Set {
    let segment = || many(PatternNode::Alternate(vec![plain(), encoded()]));
    let any = || concat([literal('/'), segment()]);
    let dots = PatternNode::Alternate(vec![literal('.'), concat([literal('.'), literal('.')])]);
    let dotted = concat([many(any()), literal('/'), dots, many(any())]);
    let path = concat([any(), many(any())]);
    Set::And(vec![matches("url path", path), Set::Not(Box::new(matches("url path with dots", dotted)))])
}

/// Every scheme in canonical form that can have a host: not `file`, which WHATWG reads in its own way.
pub(super) fn every_scheme() -> Set {
    let letter = PatternNode::Class(vec![('a', 'z')]);
    let further = PatternNode::Class(vec![('+', '+'), ('-', '.'), ('0', '9'), ('a', 'z')]);
    let file = Set::Atom(Atom::OneOf(vec![super::text_value("file")]));
    Set::And(vec![matches("url scheme", concat([letter, many(further)])), Set::Not(Box::new(file))])
}

pub(in crate::domain) fn matches(name: &str, tree: PatternNode) -> Set {
    Set::Atom(Atom::Matches(Pattern { source: name.into(), tree }))
}

fn plain() -> PatternNode {
    class((0..=127_u8).filter(|b| is_path_byte(*b) && *b != b'/'))
}

/// `%` and two capital hexadecimal digits that readers agree on.
fn encoded() -> PatternNode {
    let by_high = (0..16_u8).filter_map(|high| {
        let low: Vec<u8> = (0..16_u8).filter(|low| is_agreed(high, *low)).filter_map(digit).collect();
        if low.is_empty() { None } else { Some(concat([literal('%'), class(digit(high)), class(low)])) }
    });
    PatternNode::Alternate(by_high.collect())
}

fn digit(value: u8) -> Option<u8> {
    char::from_digit(u32::from(value), 16).and_then(|c| u8::try_from(c.to_ascii_uppercase()).ok())
}

/// One of these ASCII characters, in ascending order.
fn class(bytes: impl IntoIterator<Item = u8>) -> PatternNode {
    let mut ranges: Vec<(char, char)> = Vec::new();
    for b in bytes {
        let c = char::from(b);
        match ranges.last_mut() {
            Some((_, high)) if u32::from(*high).saturating_add(1) == u32::from(c) => *high = c,
            Some(_) | None => ranges.push((c, c)),
        }
    }
    PatternNode::Class(ranges)
}

fn literal(c: char) -> PatternNode {
    PatternNode::Class(vec![(c, c)])
}

fn not_slash() -> PatternNode {
    PatternNode::Class(vec![('\0', '.'), ('0', char::MAX)])
}

fn many(node: PatternNode) -> PatternNode {
    PatternNode::Repeat { min: 0, max: None, node: Box::new(node) }
}

fn concat(parts: impl IntoIterator<Item = PatternNode>) -> PatternNode {
    PatternNode::Concat(parts.into_iter().collect())
}
