//! A pattern as JSON Schema means it (ECMA-262, found anywhere in the text) → a pattern of this language (the whole text).
//! Knows no schema.

use crate::syntax::pattern::parse_pattern;
use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{
    AssertionKind, Ast, ClassBracketed, ClassPerl, ClassPerlKind, ClassSet, ClassSetItem, GroupKind, RepetitionKind,
    RepetitionRange,
};

/// How deep groups may nest.
const NESTING: u32 = 40;
/// How many ways to write out the anchors of a pattern.
const MAX_WAYS: usize = 64;
/// What ECMA-262 calls white space and line ends.
const SPACE: &str = r"\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}";
/// All but that.
const NO_SPACE: &str = r"\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}";
/// What `.` does not stand for.
const LINE_ENDS: &str = r"\n\r\x{2028}\x{2029}";

/// The pattern of whole texts in which `source` is found.
///
/// # Errors
/// Why this language has no such pattern.
pub fn whole(source: &str) -> Result<String, String> {
    let prepared = prepare(source);
    let parsed = ParserBuilder::new().nest_limit(NESTING).build().parse(&prepared);
    let ast = parsed.map_err(|error| reason(error.kind()))?;
    let mut ways: Vec<String> = Vec::new();
    for sequence in sequences(&ast)? {
        let text = Written { source: &prepared }.sequence(&sequence)?;
        if !ways.contains(&text) {
            ways.push(text);
        }
    }
    let text = ways.join("|");
    parse_pattern(&text).map_err(|(_, why)| why)?;
    Ok(text)
}

fn reason(kind: &regex_syntax::ast::ErrorKind) -> String {
    use regex_syntax::ast::ErrorKind;
    match kind {
        ErrorKind::UnsupportedLookAround => "it looks ahead or behind".to_owned(),
        ErrorKind::UnsupportedBackreference => "it refers back to a group".to_owned(),
        other => other.to_string(), // its own words are for people
    }
}

/// ECMA's spelling where this parser reads another meaning: in classes `[`, `&&`, `--`, `~~` are characters; `[]` and `[^]`;
/// `\cX`; escapes of characters that need none.
fn prepare(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut chars = source.chars().peekable();
    let mut in_class = false;
    while let Some(c) = chars.next() {
        match (c, in_class) {
            ('\\', _) => escape(&mut out, &mut chars),
            ('[', false) => {
                let negated = chars.next_if_eq(&'^').is_some();
                if chars.next_if_eq(&']').is_some() {
                    out.push_str(if negated { r"[\x{0}-\x{10ffff}]" } else { r"[^\x{0}-\x{10ffff}]" });
                } else {
                    out.push_str(if negated { "[^" } else { "[" });
                    in_class = true;
                }
            }
            (']', true) => {
                out.push(']');
                in_class = false;
            }
            ('[' | '&' | '~' | '#', true) => out.extend(['\\', c]),
            ('-', true) if chars.peek() == Some(&'-') => out.push_str("\\-"),
            (']', false) => out.push_str("\\]"),
            ('{', false) if !counts(&mut chars.clone()) => out.push_str("\\{"),
            _ => out.push(c),
        }
    }
    out
}

fn escape(out: &mut String, chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.next() {
        Some('c') if chars.peek().is_some_and(char::is_ascii_alphabetic) => {
            let letter = chars.next().map_or(0, |c| u32::from(c) % 32);
            out.push_str(&format!("\\x{{{letter:x}}}"));
        }
        Some(c @ ('/' | '"' | '\'' | '@' | '%' | ',' | ':' | ';' | '=' | '!' | '`' | '_' | ' ' | '<' | '>')) => out.push(c),
        Some(c @ ('A' | 'z' | 'Z' | 'a' | 'Q' | 'E' | 'G')) => out.push(c), // ECMA without `u`: the letter itself
        Some(c @ ('u' | 'p' | 'P')) if chars.peek() == Some(&'{') => {
            out.extend(['\\', c]);
            while let Some(inside) = chars.next_if(|inside| *inside != '}') {
                out.push(inside);
            }
        }
        Some(c) => out.extend(['\\', c]),
        None => out.push('\\'),
    }
}

/// Whether what follows a brace makes it a count: `3}`, `3,}`, `3,5}`.
fn counts(after: &mut dyn Iterator<Item = char>) -> bool {
    let inside: String = after.take_while(|c| *c != '}').take(20).collect();
    let (low, high) = inside.split_once(',').unwrap_or((&inside, ""));
    !low.is_empty() && low.chars().chain(high.chars()).all(|c| c.is_ascii_digit())
}

/// One way through the top of a pattern: what follows what, anchors among it.
type Sequence<'a> = Vec<&'a Ast>;

/// The alternatives at the top, groups opened where an anchor stands in them.
fn sequences(ast: &Ast) -> Result<Vec<Sequence<'_>>, String> {
    match ast {
        Ast::Alternation(all) => gathered(all.asts.iter().map(sequences)),
        Ast::Concat(all) => {
            let mut ways: Vec<Sequence<'_>> = vec![Vec::new()];
            for part in &all.asts {
                let parts = if anchored(part) { sequences(part)? } else { vec![vec![part]] };
                ways = ways.iter().flat_map(|way| parts.iter().map(move |more| [&way[..], more].concat())).collect();
                if ways.len() > MAX_WAYS {
                    return Err("its anchors stand in too many alternatives".to_owned());
                }
            }
            Ok(ways)
        }
        Ast::Group(group) if anchored(&group.ast) => sequences(&group.ast),
        other => Ok(vec![vec![other]]), // one element
    }
}

fn gathered<'a>(parts: impl Iterator<Item = Result<Vec<Sequence<'a>>, String>>) -> Result<Vec<Sequence<'a>>, String> {
    Ok(parts.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Whether an assertion stands in it, groups of alternatives included.
fn anchored(ast: &Ast) -> bool {
    match ast {
        Ast::Assertion(_) => true,
        Ast::Group(group) => anchored(&group.ast),
        Ast::Alternation(all) => all.asts.iter().any(anchored),
        Ast::Concat(all) => all.asts.iter().any(anchored),
        _ => false, // a repeated assertion is refused where it is written
    }
}

fn is_start(ast: &Ast) -> bool {
    matches!(ast, Ast::Assertion(it) if it.kind == AssertionKind::StartLine)
}

fn is_end(ast: &Ast) -> bool {
    matches!(ast, Ast::Assertion(it) if it.kind == AssertionKind::EndLine)
}

/// Writes a tree of the parser in the spelling of this language.
struct Written<'a> {
    source: &'a str,
}

impl Written<'_> {
    fn sequence(&self, parts: &[&Ast]) -> Result<String, String> {
        let start = parts.iter().take_while(|part| is_start(part)).count();
        let middle = parts.get(start..).unwrap_or_default();
        let end = middle.iter().rev().take_while(|part| is_end(part)).count();
        let middle = middle.get(..middle.len().saturating_sub(end)).unwrap_or_default();
        let mut text = String::from(if start == 0 { ".*" } else { "" });
        let alone = start > 0 && end > 0 && middle.len() == 1;
        for part in middle {
            match part {
                Ast::Alternation(_) if alone => text.push_str(&self.of(part)?),
                Ast::Alternation(_) => text.push_str(&format!("({})", self.of(part)?)),
                _ => text.push_str(&self.of(part)?), // one element
            }
        }
        text.push_str(if end == 0 { ".*" } else { "" });
        Ok(text)
    }

    fn of(&self, ast: &Ast) -> Result<String, String> {
        Ok(match ast {
            Ast::Empty(_) => String::new(),
            Ast::Literal(literal) => self.slice(&literal.span),
            Ast::Dot(_) => format!("[^{LINE_ENDS}]"),
            Ast::ClassPerl(class) if class.kind == ClassPerlKind::Space => {
                format!("[{}{SPACE}]", if class.negated { "^" } else { "" })
            }
            Ast::ClassPerl(class) => self.slice(&class.span),
            Ast::ClassBracketed(class) => self.class(class)?,
            Ast::Repetition(repetition) => {
                let inner = match &*repetition.ast {
                    Ast::Assertion(_) => return Err("an anchor is repeated".to_owned()),
                    inner => self.of(inner)?,
                };
                format!("{inner}{}", count(&repetition.op.kind))
            }
            Ast::Group(group) => match &group.kind {
                GroupKind::NonCapturing(flags) if !flags.items.is_empty() => return Err("it has flags".to_owned()),
                GroupKind::CaptureIndex(_) | GroupKind::CaptureName { .. } | GroupKind::NonCapturing(_) => {
                    format!("({})", self.of(&group.ast)?)
                }
            },
            Ast::Alternation(all) => all.asts.iter().map(|a| self.of(a)).collect::<Result<Vec<_>, _>>()?.join("|"),
            Ast::Concat(all) => all.asts.iter().map(|a| self.of(a)).collect::<Result<Vec<_>, _>>()?.concat(),
            Ast::Assertion(it) => {
                return Err(match it.kind {
                    AssertionKind::WordBoundary | AssertionKind::NotWordBoundary => "it asks for the edge of a word",
                    _ => "an anchor stands in its middle", // of a kind that ends or begins a text
                }
                .to_owned());
            }
            Ast::ClassUnicode(_) => return Err("it names a class of Unicode".to_owned()),
            Ast::Flags(_) => return Err("it has flags".to_owned()),
        })
    }

    fn slice(&self, span: &regex_syntax::ast::Span) -> String {
        self.source.get(span.start.offset..span.end.offset).unwrap_or_default().to_owned()
    }

    fn class(&self, class: &ClassBracketed) -> Result<String, String> {
        let ClassSet::Item(item) = &class.kind else { return Err("a class has operators".to_owned()) };
        let inside = match item {
            ClassSetItem::Union(union) => union.items.iter().map(|i| self.item(i)).collect::<Result<Vec<_>, _>>()?.concat(),
            one => self.item(one)?, // a single item
        };
        Ok(format!("[{}{inside}]", if class.negated { "^" } else { "" }))
    }

    fn item(&self, item: &ClassSetItem) -> Result<String, String> {
        match item {
            ClassSetItem::Perl(class) if class.kind == ClassPerlKind::Space => Ok(space(class).to_owned()),
            ClassSetItem::Unicode(_) => Err("it names a class of Unicode".to_owned()),
            ClassSetItem::Ascii(_) | ClassSetItem::Bracketed(_) => Err("a class stands in a class".to_owned()),
            plain => Ok(self.slice(plain.span())), // a character or a range
        }
    }
}

fn space(class: &ClassPerl) -> &'static str {
    if class.negated { NO_SPACE } else { SPACE }
}

/// Whole texts are meant, so a lazy repetition is a greedy one.
fn count(kind: &RepetitionKind) -> String {
    match kind {
        RepetitionKind::ZeroOrOne => "?".to_owned(),
        RepetitionKind::ZeroOrMore => "*".to_owned(),
        RepetitionKind::OneOrMore => "+".to_owned(),
        RepetitionKind::Range(RepetitionRange::Exactly(n)) => format!("{{{n}}}"),
        RepetitionKind::Range(RepetitionRange::AtLeast(n)) => format!("{{{n},}}"),
        RepetitionKind::Range(RepetitionRange::Bounded(low, high)) => format!("{{{low},{high}}}"),
    }
}
