//! A type → its text in a vocabulary, records over lines with what the server says of their members. Must not know schemas.

use crate::domain::{
    Atom, Comparison, Decimal, Default, Kind, Member, NumberKind, Presence, Range, Rest, Set, Size, TimeKind, Type, Value,
    compact, quoted, render_set,
};
use std::collections::BTreeMap;

/// The longest record on one line, and the longest line of prose.
const WIDTH: usize = 100;
/// The longest description that is kept, in characters.
const MAX_PROSE: usize = 6_000;

/// What the server says of members, by their way.
pub(super) type Docs = BTreeMap<String, Option<Box<str>>>;

/// A name, quoted where it must be.
pub(super) fn name(text: &str) -> String {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let plain = starts && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plain { text.to_owned() } else { literal(text) }
}

/// A string literal, what hides in it escaped.
pub(super) fn literal(text: &str) -> String {
    shown(&quoted(text))
}

/// The text with characters that hide or break lines written as escapes. They stand in strings only: prose is cleaned.
pub(super) fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if hides(c) && c != '\n' {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// Controls, line ends, and what cannot be seen or turns the direction of a line.
fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}')
        || matches!(c, '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Lines of documentation, `lead` before each. No line of it can be anything else.
pub(super) fn prose(text: &str, lead: &str) -> String {
    let cut: String = text.chars().take(MAX_PROSE).collect();
    let cut = if cut.len() < text.len() { cut + " …" } else { cut };
    let mut lines: Vec<String> = Vec::new();
    for line in cut.split(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']) {
        let clean: String = line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !hides(*c)).collect();
        wrapped(clean.trim_end(), &mut lines);
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
    let mut out = String::new();
    for line in lines.iter().skip(first) {
        out.push_str(format!("{lead} {line}").trim_end());
        out.push('\n');
    }
    out
}

/// Breaks a line between words; what follows keeps its indentation.
fn wrapped(line: &str, lines: &mut Vec<String>) {
    let indent: String = line.chars().take_while(|c| *c == ' ').collect();
    let mut current = indent.clone();
    let mut empty = true;
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        if !empty && current.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut current, indent.clone()));
            empty = true;
        }
        if !empty {
            current.push(' ');
        }
        current.push_str(word);
        empty = false;
    }
    lines.push(if empty { String::new() } else { current });
}

/// Writes members: arguments of a tool, or members of a record.
pub(super) struct Writer<'a> {
    /// What the server says of them.
    pub docs: &'a Docs,
    /// Comments for a person, by the way of what they speak of.
    pub advice: &'a BTreeMap<String, Vec<String>>,
}

impl Writer<'_> {
    /// The lines of one member: comments, documentation, declaration.
    pub fn member(&self, member: &Member, way: &[&str]) -> String {
        let way: Vec<&str> = way.iter().copied().chain([&*member.name]).collect();
        let path = way.join(".");
        let mut out = String::new();
        for advice in self.advice.get(&path).into_iter().flatten() {
            out.push_str(&prose(advice, "//"));
        }
        if let Some(Some(doc)) = self.docs.get(&path) {
            out.push_str(&prose(doc, "///"));
        }
        out.push_str(&format!("{}: {}", name(&member.name), self.suffixed(member, &way)));
        out.push('\n');
        out
    }

    fn suffixed(&self, member: &Member, way: &[&str]) -> String {
        let ty = self.ty(&member.ty, way);
        let null = if member.ty.null { " or null" } else { "" };
        let presence = match &member.presence {
            Presence::Required => String::new(),
            Presence::Optional => " optional".to_owned(),
            Presence::OrAbsent => " or absent".to_owned(),
            Presence::Defaulted(Default::Unspecified) => " = unspecified".to_owned(),
            Presence::Defaulted(Default::Value(value)) => format!(" = {}", default(&member.ty, value)),
        };
        format!("{ty}{null}{presence}")
    }

    /// The type, null aside.
    fn ty(&self, ty: &Type, way: &[&str]) -> String {
        let kind = match &ty.kind {
            Kind::Bool => "bool".to_owned(),
            Kind::Enum(_) => return closed_list(ty),
            Kind::Number(kind) => {
                match kind {
                    NumberKind::Int => "int",
                    NumberKind::Int64 => "int64",
                    NumberKind::Decimal => "decimal",
                }
            }
            .to_owned(),
            Kind::Text { by_pattern } => if *by_pattern { "text by pattern" } else { "text" }.to_owned(),
            Kind::Host => "host".to_owned(),
            Kind::Url { bare } => if *bare { "url or bare" } else { "url" }.to_owned(),
            Kind::Path { ignore_case } => if *ignore_case { "path ignoring case" } else { "path" }.to_owned(),
            Kind::Email => "email".to_owned(),
            Kind::Ip => "ip".to_owned(),
            Kind::Time(kind) => {
                match kind {
                    TimeKind::Instant => "instant",
                    TimeKind::DateTime => "datetime",
                    TimeKind::Date => "date",
                }
            }
            .to_owned(),
            Kind::List(of) => format!("list of {}", self.inner(of, way)),
            Kind::Map(of) => format!("map of {}", self.inner(of, way)),
            Kind::OneOrList(of) => format!("{} or list", self.inner(of, way)),
            Kind::Argv => "argv".to_owned(),
            Kind::Record { members, rest } => self.record(members, rest, way),
            Kind::Union(parts) => self.union(parts, way),
            Kind::OpaqueText => "text opaque".to_owned(),
            Kind::OpaqueJson => "json opaque".to_owned(),
        };
        match &ty.refinement {
            None => kind,
            Some(set) => format!("{kind} {}", refinement(ty, set)),
        }
    }

    /// A type behind `of` or before `or list`, in parentheses where its words would be read as the whole's.
    fn inner(&self, ty: &Type, way: &[&str]) -> String {
        let text = self.ty(ty, way);
        let scalar = match &ty.kind {
            Kind::List(_) | Kind::Map(_) | Kind::Argv | Kind::Record { .. } | Kind::Union(_) => ty.refinement.is_none(),
            Kind::OneOrList(_) => false,
            Kind::Bool
            | Kind::Enum(_)
            | Kind::Number(_)
            | Kind::Text { .. }
            | Kind::Host
            | Kind::Url { .. }
            | Kind::Path { .. }
            | Kind::Email
            | Kind::Ip
            | Kind::Time(_)
            | Kind::OpaqueText
            | Kind::OpaqueJson => ty.refinement.as_ref().is_none_or(|set| words(set).is_some()),
        };
        match (ty.null, scalar) {
            (true, _) => format!("({text} or null)"),
            (false, true) => text,
            (false, false) => format!("({text})"),
        }
    }

    fn record(&self, members: &[Member], rest: &Rest, way: &[&str]) -> String {
        let mut lines: Vec<String> = members.iter().map(|member| self.member(member, way)).collect();
        match rest {
            Rest::Closed => {}
            Rest::Open => lines.push("..\n".to_owned()),
            Rest::Typed(ty) => {
                let null = if ty.null { " or null" } else { "" };
                lines.push(format!(".. : {}{null}\n", self.ty(ty, way)));
            }
        }
        let plain = lines.iter().all(|line| line.lines().count() == 1);
        let length: usize = lines.iter().map(|line| line.chars().count() + 1).sum();
        match (lines.is_empty(), plain && lines.len() <= 4 && length <= WIDTH) {
            (true, _) => "record { }".to_owned(),
            (false, true) => format!("record {{ {} }}", lines.concat().trim_end().replace('\n', "; ")),
            (false, false) => format!("record {{\n{}}}", lines.concat()),
        }
    }

    fn union(&self, parts: &[Type], way: &[&str]) -> String {
        let texts: Vec<String> =
            parts.iter().map(|ty| format!("{}{}", self.ty(ty, way), if ty.null { " or null" } else { "" })).collect();
        let length: usize = texts.iter().map(|text| text.chars().count() + 2).sum();
        if length <= WIDTH && !texts.iter().any(|text| text.contains('\n')) {
            return format!("union {{ {} }}", texts.join(", "));
        }
        format!("union {{\n{}\n}}", texts.join(",\n"))
    }
}

/// `{ a, b }`, or a literal that is a type.
fn closed_list(ty: &Type) -> String {
    let Kind::Enum(values) = &ty.kind else { return String::new() };
    match values.as_slice() {
        [value] => compact(value),
        values => render_set(ty, &Set::Atom(Atom::OneOf(values.to_vec()))),
    }
}

/// A value of a closed list: bare where it can be.
pub(super) fn value(text: &str) -> String {
    let reserved = matches!(text, "true" | "false" | "null" | "any" | "absent" | "all" | "unspecified");
    if reserved { literal(text) } else { name(text) }
}

/// A value of a closed list stands as it does there; everything else as JSON.
fn default(ty: &Type, value: &Value) -> String {
    match (&ty.kind, value) {
        (Kind::Enum(_), Value::Text(text)) => self::value(text),
        _ => compact(value), // JSON
    }
}

fn refinement(ty: &Type, set: &Set) -> String {
    words(set).unwrap_or_else(|| format!("in ({})", render_set(&Type { refinement: None, ..ty.clone() }, set)))
}

/// The set as words side by side, where it is that.
fn words(set: &Set) -> Option<String> {
    match set {
        Set::And(parts) => parts.iter().map(words).collect::<Option<Vec<_>>>().map(|words| words.join(" ")),
        Set::Atom(Atom::Numbers(range)) => Some(numbers(range)),
        Set::Atom(Atom::Length(size)) => Some(format!("length {}", count(*size))),
        Set::Atom(Atom::Size(size)) => Some(format!("size {}", count(*size))),
        Set::Atom(Atom::Matches(pattern)) => Some(format!("matches {}", quoted(&pattern.source))),
        Set::Atom(Atom::Keys(keys)) => {
            let ty = Type { kind: Kind::Text { by_pattern: true }, null: false, refinement: None };
            Some(format!("keys in ({})", render_set(&ty, keys)))
        }
        Set::Atom(_) | Set::Any | Set::Never | Set::Not(_) | Set::Or(_) => None,
    }
}

fn numbers(range: &Range<Decimal>) -> String {
    use Comparison::{Exclusive, Inclusive};
    match (&range.low, &range.high) {
        (Some((low, Inclusive)), Some((high, Inclusive))) => format!("{low}..{high}"),
        (Some((low, Inclusive)), None) => format!("{low}.."),
        (None, Some((high, Inclusive))) => format!("..{high}"),
        (low, high) => {
            let low = low.as_ref().map(|(end, how)| format!("{} {end}", if *how == Inclusive { ">=" } else { ">" }));
            let high = high.as_ref().map(|(end, how)| format!("{} {end}", if *how == Exclusive { "<" } else { "<=" }));
            low.into_iter().chain(high).collect::<Vec<_>>().join(" ")
        }
    }
}

fn count(size: Size) -> String {
    match size.high {
        Some(high) if high == size.low => high.to_string(),
        Some(high) => format!("{}..{high}", size.low),
        None => format!("{}..", size.low),
    }
}
