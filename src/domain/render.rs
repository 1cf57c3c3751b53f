//! A set → policy text that means it: for messages, and for repairs that can be pasted. Writable with `and`, `or`, `except`
//! and parentheses alone.

use super::{Atom, Class, Comparison, Decimal, Kind, Range, Set, Size, Slot, Type, Value, compact, quoted, time_text};

/// The set as it can be written for a value of `ty` after `in`.
pub fn render_set(ty: &Type, set: &Set) -> String {
    written(ty, set).text
}

/// The set as it can be written where only one word or one bracket may stand: after `each in`.
pub(crate) fn render_primary(ty: &Type, set: &Set) -> String {
    written(ty, set).bracketed()
}

/// A text, and whether it holds together without parentheses.
struct Written {
    text: String,
    bond: Bond,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bond {
    /// A bracket or a name.
    Primary,
    /// One word with what belongs to it: `prefix "a"`.
    Word,
    /// Several, joined by `or`, `and` or `except`.
    Joined,
}

impl Written {
    fn primary(text: impl Into<String>) -> Written {
        Written { text: text.into(), bond: Bond::Primary }
    }

    fn word(text: impl Into<String>) -> Written {
        Written { text: text.into(), bond: Bond::Word }
    }

    fn joined(parts: impl IntoIterator<Item = String>, by: &str) -> Written {
        let parts: Vec<String> = parts.into_iter().collect();
        let bond = if parts.len() > 1 { Bond::Joined } else { Bond::Word };
        Written { text: parts.join(by), bond }
    }

    /// As an operand of `or`, `and`, `except`.
    fn operand(self) -> String {
        if self.bond == Bond::Joined { format!("({})", self.text) } else { self.text }
    }

    fn bracketed(self) -> String {
        if self.bond == Bond::Primary { self.text } else { format!("({})", self.text) }
    }
}

fn written(ty: &Type, set: &Set) -> Written {
    match set {
        Set::Any => Written::primary("any"),
        Set::Never => Written { text: "any except any".to_owned(), bond: Bond::Joined },
        Set::Atom(atom) => atom_text(ty, atom),
        Set::Not(inner) => Written { text: format!("any except {}", written(ty, inner).operand()), bond: Bond::Joined },
        Set::Or(parts) => union(ty, parts),
        Set::And(parts) => meet(ty, parts),
    }
}

/// Literals of the parts in one pair of braces, then the rest.
fn union(ty: &Type, parts: &[Set]) -> Written {
    if parts.is_empty() {
        return written(ty, &Set::Never);
    }
    let (mut listed, mut others) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Set::Atom(atom) => match literals(ty, atom) {
                Some(texts) => listed.extend(texts),
                None => others.push(atom_text(ty, atom).operand()),
            },
            Set::Any | Set::Never | Set::Not(_) | Set::And(_) | Set::Or(_) => others.push(written(ty, part).operand()),
        }
    }
    match (listed.is_empty(), others.is_empty()) {
        (false, true) => Written::primary(braces(&listed)),
        (false, false) => Written::joined(std::iter::once(braces(&listed)).chain(others), " or "),
        (true, _) => Written::joined(others, " or "),
    }
}

/// What is met with `and`, what is excluded with `except`.
fn meet(ty: &Type, parts: &[Set]) -> Written {
    let (mut met, mut excluded) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Set::Any => {}
            Set::Not(inner) => excluded.push(written(ty, inner).operand()),
            Set::Never | Set::Atom(_) | Set::And(_) | Set::Or(_) => met.push(written(ty, part)),
        }
    }
    if excluded.is_empty() {
        return match (met.pop(), met.is_empty()) {
            (None, _) => Written::primary("any"),
            (Some(only), true) => only,
            (Some(last), false) => {
                met.push(last);
                Written::joined(met.into_iter().map(Written::operand), " and ")
            }
        };
    }
    let head = match (met.pop(), met.is_empty()) {
        (None, _) => "any".to_owned(),
        (Some(only), true) => only.operand(),
        (Some(last), false) => {
            met.push(last);
            format!("({})", Written::joined(met.into_iter().map(Written::operand), " and ").text)
        }
    };
    Written::joined(std::iter::once(head).chain(excluded), " except ")
}

fn braces(texts: &[String]) -> String {
    format!("{{ {} }}", texts.join(", "))
}

/// The texts of an atom that is written in braces.
fn literals(ty: &Type, atom: &Atom) -> Option<Vec<String>> {
    match atom {
        Atom::OneOf(values) if values.is_empty() => None,
        Atom::OneOf(values) => Some(values.iter().map(|value| literal(ty, value)).collect()),
        Atom::Host(text)
        | Atom::Cidr(text)
        | Atom::Url(text)
        | Atom::Path(text)
        | Atom::PathAnyCase(text)
        | Atom::Email(text) => Some(vec![quoted(text)]),
        Atom::Numbers(_)
        | Atom::Times(_)
        | Atom::Prefix(_)
        | Atom::Suffix(_)
        | Atom::Length(_)
        | Atom::Matches(_)
        | Atom::Class(_)
        | Atom::Part(..)
        | Atom::Each(_)
        | Atom::Size(_)
        | Atom::Keys(_)
        | Atom::Values(_)
        | Atom::Field(..)
        | Atom::Argv(..)
        | Atom::Alternative(..)
        | Atom::OneOrEach(..) => None,
    }
}

/// A value of a closed list by its name, where that is no word of the language; any other as JSON.
fn literal(ty: &Type, value: &Value) -> String {
    match (&ty.kind, value) {
        (Kind::Enum(_), Value::Text(text)) if is_name(text) => text.to_string(),
        _ => compact(value), // JSON
    }
}

fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let reserved = matches!(text, "true" | "false" | "null" | "any" | "absent" | "all");
    starts && !reserved && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn atom_text(ty: &Type, atom: &Atom) -> Written {
    if let Some(texts) = literals(ty, atom) {
        return Written::primary(braces(&texts));
    }
    match atom {
        Atom::OneOf(_) => written(ty, &Set::Never),
        Atom::Numbers(range) => range_text(range, &|number| number.to_string()),
        Atom::Times(range) => match &ty.kind {
            Kind::Time(kind) => range_text(range, &|time| time_text(*kind, time).unwrap_or_else(|| time.to_string())),
            _ => range_text(range, &|time| time.to_string()), // of no time, so it cannot be written
        },
        Atom::Prefix(text) => Written::word(format!("prefix {}", quoted(text))),
        Atom::Suffix(text) => Written::word(format!("suffix {}", quoted(text))),
        Atom::Length(size) => Written::word(format!("length {}", size_text(*size))),
        Atom::Matches(pattern) => Written::word(format!("matches {}", quoted(&pattern.source))),
        Atom::Class(class) => Written::primary(class_name(*class)),
        Atom::Part(_, set) => written(&bare_text(), set),
        Atom::Each(set) => Written::word(format!("each in {}", render_primary(&element(ty), set))),
        Atom::Size(size) => Written::word(format!("size {}", size_text(*size))),
        Atom::Keys(set) => Written::word(format!("keys in {}", render_primary(&bare_text(), set))),
        Atom::Values(set) => Written::word(format!("values in {}", render_primary(&element(ty), set))),
        Atom::Field(name, slot) => Written::primary(format!("{{ {} }}", field_text(ty, name, slot))),
        Atom::Argv(heads, tail) => argv_text(heads, tail.as_deref()),
        Atom::Alternative(index, set) => match &ty.kind {
            Kind::Union(alternatives) => match usize::try_from(*index).ok().and_then(|index| alternatives.get(index)) {
                Some(alternative) => written(alternative, set),
                None => written(ty, &Set::Never),
            },
            _ => written(ty, &Set::Never), // of no union, so it holds of nothing
        },
        Atom::OneOrEach(set, size) => one_or_each_text(ty, set, *size),
        Atom::Host(_) | Atom::Cidr(_) | Atom::Url(_) | Atom::Path(_) | Atom::PathAnyCase(_) | Atom::Email(_) => {
            written(ty, &Set::Any) // literals, written above
        }
    }
}

fn one_or_each_text(ty: &Type, set: &Set, size: Size) -> Written {
    let inner = written(&element(ty), set);
    if size == (Size { low: 1, high: None }) {
        return inner;
    }
    Written::word(format!("{} size {}", inner.bracketed(), size_text(size)))
}

fn range_text(range: &Range<Decimal>, text: &dyn Fn(&Decimal) -> String) -> Written {
    let low = range.low.as_ref().map(|(end, how)| (text(end), *how));
    let high = range.high.as_ref().map(|(end, how)| (text(end), *how));
    match (low, high) {
        (None, None) => Written::primary("any"),
        (Some((low, Comparison::Inclusive)), Some((high, Comparison::Inclusive))) if low == high && !low.contains(':') => {
            Written::primary(braces(&[low]))
        }
        (Some((low, Comparison::Inclusive)), Some((high, Comparison::Inclusive))) => {
            Written::primary(format!("{low}..{high}"))
        }
        (Some((low, how)), None) => Written::word(format!("{}{low}", at_least(how))),
        (None, Some((high, how))) => Written::word(format!("{}{high}", at_most(how))),
        (Some((low, from)), Some((high, to))) => {
            Written::joined([format!("{}{low}", at_least(from)), format!("{}{high}", at_most(to))], " and ")
        }
    }
}

fn at_least(how: Comparison) -> &'static str {
    match how {
        Comparison::Inclusive => ">= ",
        Comparison::Exclusive => "> ",
    }
}

fn at_most(how: Comparison) -> &'static str {
    match how {
        Comparison::Inclusive => "<= ",
        Comparison::Exclusive => "< ",
    }
}

fn size_text(size: Size) -> String {
    match size.high {
        Some(high) => format!("{}..{high}", size.low),
        None => format!("{}..", size.low),
    }
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Loopback => "loopback",
        Class::Private => "private",
        Class::LinkLocal => "link_local",
        Class::Public => "public",
    }
}

fn field_text(ty: &Type, name: &str, slot: &Slot) -> String {
    let member = match &ty.kind {
        Kind::Record { members, .. } => members.iter().find(|member| *member.name == *name).map(|member| &member.ty),
        _ => None, // of no record
    };
    let member = member.cloned().unwrap_or_else(bare_text);
    let name = if is_name(name) { name.to_owned() } else { quoted(name) };
    if slot.values == Set::Never {
        return match (slot.absent, slot.null) {
            (true, true) => format!("{name} absent or null"),
            (true, false) => format!("{name} absent"),
            (false, true) => format!("{name} null"),
            (false, false) => format!("{name} in any except any"),
        };
    }
    let null = if slot.null && member.null { " or null" } else { "" };
    let absent = if slot.absent { " or absent" } else { "" };
    format!("{name} in {}{null}{absent}", written(&member, &slot.values).operand())
}

fn argv_text(heads: &[Set], tail: Option<&Set>) -> Written {
    let mut items: Vec<String> = heads.iter().map(|head| render_set(&bare_text(), head)).collect();
    items.extend(tail.map(|tail| match tail {
        Set::Any => "..".to_owned(),
        Set::Never | Set::Atom(_) | Set::Not(_) | Set::And(_) | Set::Or(_) => {
            format!(".. each in {}", render_primary(&bare_text(), tail))
        }
    }));
    Written::primary(format!("[ {} ]", items.join(", ")))
}

fn bare_text() -> Type {
    Type { kind: Kind::Text { by_pattern: true }, null: false, refinement: None }
}

/// What a list, a map or `T or list` holds; text for an argument vector.
fn element(ty: &Type) -> Type {
    match &ty.kind {
        Kind::List(of) | Kind::OneOrList(of) | Kind::Map(of) => (**of).clone(),
        _ => bare_text(), // words of an argument vector
    }
}

#[cfg(test)]
mod tests;
