//! The text of a pattern → its tree. ASCII `\d \w \s`, `.` is any scalar, the whole value is meant: no anchors, look-around,
//! flags, back-references, Unicode classes. Knows no automaton.

use crate::domain::{Pattern, PatternNode};
use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{
    Ast, ClassBracketed, ClassPerl, ClassPerlKind, ClassSet, ClassSetItem, GroupKind, Repetition, RepetitionKind,
    RepetitionRange, Span,
};
use std::ops::Range;

/// The longest pattern, in bytes.
const MAX_SOURCE: usize = 4_096;
/// The largest count of a repetition. What it multiplies to is the automaton's to bound.
const MAX_COUNT: u32 = 4_096;
/// The largest number of nodes of a tree, repetitions written out.
const MAX_NODES: u64 = 65_536;
/// How deep groups may nest.
const MAX_NESTING: u32 = 64;

/// What is wrong, and where in the pattern's bytes.
pub type PatternError = (Range<usize>, String);

/// The pattern that `source` writes.
///
/// # Errors
/// The bytes of `source` that must change, and why: not a regular expression, or one that this language does not have.
pub fn parse_pattern(source: &str) -> Result<Pattern, PatternError> {
    if source.len() > MAX_SOURCE {
        let message = format!("the pattern has {} bytes, at most {MAX_SOURCE} are read", source.len());
        return Err((0..source.len(), message));
    }
    let ast = ParserBuilder::new().nest_limit(MAX_NESTING).build().parse(source).map_err(|error| {
        let range = bytes(error.span());
        (range, error.kind().to_string())
    })?;
    let tree = node(&ast)?;
    if written_out(&tree) > MAX_NODES {
        return Err((0..source.len(), "the pattern is too large once its repetitions are written out".to_owned()));
    }
    Ok(Pattern { source: source.into(), tree })
}

fn bytes(span: &Span) -> Range<usize> {
    span.start.offset..span.end.offset
}

fn refuse<T>(span: &Span, message: &str) -> Result<T, PatternError> {
    Err((bytes(span), message.to_owned()))
}

fn node(ast: &Ast) -> Result<PatternNode, PatternError> {
    match ast {
        Ast::Empty(_) => Ok(PatternNode::Empty),
        Ast::Literal(literal) => Ok(PatternNode::Class(vec![(literal.c, literal.c)])),
        Ast::Dot(_) => Ok(PatternNode::Class(vec![('\0', char::MAX)])),
        Ast::ClassPerl(class) => Ok(PatternNode::Class(perl(class))),
        Ast::ClassBracketed(class) => bracketed(class),
        Ast::Repetition(repetition) => repeated(repetition),
        Ast::Group(group) => match &group.kind {
            GroupKind::CaptureIndex(_) => node(&group.ast),
            GroupKind::NonCapturing(flags) if flags.items.is_empty() => node(&group.ast),
            GroupKind::NonCapturing(flags) => refuse(&flags.span, "a pattern has no flags"),
            GroupKind::CaptureName { .. } => refuse(&group.span, "groups have no names: write `( … )`"),
        },
        Ast::Alternation(all) => Ok(PatternNode::Alternate(all.asts.iter().map(node).collect::<Result<_, _>>()?)),
        Ast::Concat(all) => Ok(PatternNode::Concat(all.asts.iter().map(node).collect::<Result<_, _>>()?)),
        Ast::Assertion(assertion) => {
            refuse(&assertion.span, "a pattern speaks of the whole value: it has no anchors and no look-around")
        }
        Ast::ClassUnicode(class) => {
            refuse(&class.span, "there are no Unicode classes: write the characters, as in `[a-zäöü]`")
        }
        Ast::Flags(flags) => refuse(&flags.span, "a pattern has no flags"),
    }
}

fn repeated(repetition: &Repetition) -> Result<PatternNode, PatternError> {
    if !repetition.greedy {
        return refuse(&repetition.op.span, "the whole value is meant: a lazy repetition means the same without `?`");
    }
    let (min, max) = match &repetition.op.kind {
        RepetitionKind::ZeroOrOne => (0, Some(1)),
        RepetitionKind::ZeroOrMore => (0, None),
        RepetitionKind::OneOrMore => (1, None),
        RepetitionKind::Range(RepetitionRange::Exactly(n)) => (*n, Some(*n)),
        RepetitionKind::Range(RepetitionRange::AtLeast(n)) => (*n, None),
        RepetitionKind::Range(RepetitionRange::Bounded(low, high)) => (*low, Some(*high)),
    };
    if min.max(max.unwrap_or(0)) > MAX_COUNT {
        let message = format!("a repetition counts to {MAX_COUNT} at most; `length` has no such bound");
        return Err((bytes(&repetition.op.span), message));
    }
    Ok(PatternNode::Repeat { min, max, node: Box::new(node(&repetition.ast)?) })
}

fn bracketed(class: &ClassBracketed) -> Result<PatternNode, PatternError> {
    let mut ranges = Vec::new();
    match &class.kind {
        ClassSet::Item(item) => collect(item, &mut ranges)?,
        ClassSet::BinaryOp(operation) => {
            return refuse(&operation.span, "classes have no operators: escape `&`, `-`, `~` where two stand together");
        }
    }
    let ranges = normal(ranges);
    Ok(PatternNode::Class(if class.negated { complement(&ranges) } else { ranges }))
}

fn collect(item: &ClassSetItem, ranges: &mut Vec<(char, char)>) -> Result<(), PatternError> {
    match item {
        ClassSetItem::Empty(_) => {}
        ClassSetItem::Literal(literal) => ranges.push((literal.c, literal.c)),
        ClassSetItem::Range(range) => ranges.push((range.start.c, range.end.c)),
        ClassSetItem::Perl(class) => ranges.extend(perl(class)),
        ClassSetItem::Union(union) => union.items.iter().try_for_each(|item| collect(item, ranges))?,
        ClassSetItem::Ascii(class) => {
            return refuse(&class.span, "there are no named classes: write the characters, as in `[a-zA-Z]`");
        }
        ClassSetItem::Unicode(class) => return refuse(&class.span, "there are no Unicode classes: write the characters"),
        ClassSetItem::Bracketed(class) => return refuse(&class.span, "classes do not nest: escape `[` as `\\[`"),
    }
    Ok(())
}

fn perl(class: &ClassPerl) -> Vec<(char, char)> {
    let ranges = match class.kind {
        ClassPerlKind::Digit => vec![('0', '9')],
        ClassPerlKind::Space => vec![('\t', '\r'), (' ', ' ')],
        ClassPerlKind::Word => vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
    };
    if class.negated { complement(&ranges) } else { ranges }
}

/// Sorted and disjoint, neighbours joined.
fn normal(mut ranges: Vec<(char, char)>) -> Vec<(char, char)> {
    ranges.sort_unstable();
    let mut joined: Vec<(char, char)> = Vec::new();
    for (low, high) in ranges {
        match joined.last_mut() {
            Some(last) if after(last.1).is_none_or(|next| low <= next) => last.1 = last.1.max(high),
            _ => joined.push((low, high)), // the first, or one with a gap before it
        }
    }
    joined
}

/// The scalars in none of the ranges, which are sorted and disjoint.
fn complement(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let mut gaps = Vec::new();
    let mut next = Some('\0');
    for (low, high) in ranges {
        gaps.extend(next.zip(before(*low)).filter(|(start, end)| start <= end));
        next = after(*high);
    }
    gaps.extend(next.map(|start| (start, char::MAX)));
    gaps
}

/// The scalar after `c`; surrogates are none.
fn after(c: char) -> Option<char> {
    if c == '\u{d7ff}' { Some('\u{e000}') } else { char::from_u32(u32::from(c) + 1) }
}

fn before(c: char) -> Option<char> {
    if c == '\u{e000}' { Some('\u{d7ff}') } else { u32::from(c).checked_sub(1).and_then(char::from_u32) }
}

/// How many nodes the tree has with every repetition written out.
fn written_out(tree: &PatternNode) -> u64 {
    match tree {
        PatternNode::Empty | PatternNode::Class(_) => 1,
        PatternNode::Concat(all) | PatternNode::Alternate(all) => all.iter().map(written_out).fold(1, u64::saturating_add),
        PatternNode::Repeat { min, max, node } => written_out(node).saturating_mul(u64::from(max.unwrap_or(*min).max(1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(source: &str) -> Vec<(char, char)> {
        match parse_pattern(source).map(|p| p.tree) {
            Ok(PatternNode::Class(ranges)) => ranges,
            other => panic!("{source}: {other:?}"),
        }
    }

    #[test]
    fn classes_are_ascii_sorted_and_disjoint() {
        assert_eq!(ranges(r"\d"), [('0', '9')]);
        assert_eq!(ranges(r"[z-za-yb-c]"), [('a', 'z')]);
        assert_eq!(ranges(r"[^\x00-\u{d7ff}]"), [('\u{e000}', char::MAX)]);
        assert_eq!(ranges("."), [('\0', char::MAX)]);
        assert_eq!(ranges(r"[\D\d]"), [('\0', char::MAX)]);
        assert_eq!(ranges(r"[^\D\d]"), []);
    }

    #[test]
    fn what_the_language_does_not_have_is_refused_where_it_stands() {
        let refused = |source: &str| parse_pattern(source).map(|_| ()).expect_err(source).0;
        assert_eq!(refused("^a"), 0..1);
        assert_eq!(refused(r"a\b"), 1..3);
        assert_eq!(refused(r"\pL"), 0..3);
        assert_eq!(refused("(?i)a"), 0..4);
        assert_eq!(refused("(?:a)(?i:b)").start, 7);
        assert_eq!(refused("ab*?"), 2..4);
        assert_eq!(refused("[[:alpha:]]"), 1..10);
        assert_eq!(refused("a{5000}"), 1..7);
        assert!(parse_pattern("(((a{100}){100}){100})").is_err());
        assert!(parse_pattern(&"(".repeat(5000)).is_err());
        assert!(parse_pattern(&format!("{}a{}", "(".repeat(2000), ")".repeat(2000))).is_err());
        for source in ["(a", r"\1", "(?=a)", "a{2,1}", "[b-a]", "*"] {
            refused(source);
        }
    }
}
