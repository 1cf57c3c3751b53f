//! Email addresses: one addr-spec → local part and domain; patterns and parts → membership. Must not know hosts' patterns or
//! policies.

use super::host::{self, Host, HostAtom, canonical_host_pattern};
use super::matcher::Test;
use super::spelling::Spelling;
use super::tree::Tree;
use super::{Atom, Bound, Kind, Membership, Part, Work};

mod cells;
#[cfg(test)]
mod tests;

pub(super) use cells::cells;

/// What sets over emails speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Email<'a> {
    /// The local part, whose case counts.
    pub(super) local: &'a str,
    /// The domain.
    pub(super) domain: Host<'a>,
}

/// Reads an addr-spec of RFC 5322. Ambiguous are quoted local parts, address literals, other than ASCII, and domains that
/// are ambiguous as hosts.
pub(super) fn read(text: &str) -> Spelling<Email<'_>> {
    let Some((local, domain)) = text.rsplit_once('@') else { return Spelling::Malformed };
    let dots = if is_dot_atom(local) {
        Spelling::Plain(())
    } else if is_quoted(local) {
        Spelling::Ambiguous
    } else {
        Spelling::Malformed
    };
    match (dots, read_domain(domain)) {
        (Spelling::Malformed, _) | (_, Spelling::Malformed) => Spelling::Malformed,
        (Spelling::Plain(()), Spelling::Plain(host)) if text.is_ascii() => Spelling::Plain(Email { local, domain: host }),
        (Spelling::Plain(()) | Spelling::Ambiguous, _) => Spelling::Ambiguous,
    }
}

fn read_domain(text: &str) -> Spelling<Host<'_>> {
    if let Some(literal) = text.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        let address = literal.strip_prefix("IPv6:").unwrap_or(literal);
        return if super::ip::read(address).is_some() { Spelling::Ambiguous } else { Spelling::Malformed };
    }
    if text.bytes().any(|b| b.is_ascii() && !b.is_ascii_alphanumeric() && !b"-_.".contains(&b)) {
        return Spelling::Malformed;
    }
    host::read(text)
}

/// Atoms of RFC 5322 joined by dots; RFC 6532 adds what is not ASCII.
fn is_dot_atom(text: &str) -> bool {
    text.split('.').all(|atom| !atom.is_empty() && atom.chars().all(|c| !c.is_ascii() || is_atom_char(c)))
}

fn is_atom_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c)
}

/// A quoted string without a bare quote inside.
fn is_quoted(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return false };
    let mut escaped = false;
    for c in inner.chars() {
        if c.is_control() || (c == '"' && !escaped) {
            return false;
        }
        escaped = c == '\\' && !escaped;
    }
    !escaped
}

/// The canonical form of an email that every reader takes alike: the domain's canonical form, the local part as it is.
pub(super) fn canonical(text: &str) -> Option<String> {
    read(text).plain().map(|email| format!("{}@{}", email.local, email.domain.text()))
}

/// What a set over emails is made of, ready to be asked.
#[derive(Clone, Debug)]
pub(super) enum EmailAtom {
    /// A pattern; no local part is any.
    Pattern { local: Option<Box<str>>, domain: HostAtom },
    /// A set over the local part.
    Local(Tree<Test>),
    /// A set over the domain.
    Domain(Tree<Option<HostAtom>>),
    /// Of another kind.
    Foreign,
}

impl EmailAtom {
    /// Compiles one atom.
    pub(super) fn compile(atom: &Atom, work: &mut Work) -> Result<EmailAtom, Bound> {
        Ok(match atom {
            Atom::Email(pattern) => match pieces(pattern) {
                Some((local, domain)) => {
                    EmailAtom::Pattern { local: local.map(Into::into), domain: HostAtom::pattern(domain) }
                }
                None => EmailAtom::Foreign,
            },
            Atom::Part(Part::Local, set) => {
                let text = Kind::Text { by_pattern: true };
                EmailAtom::Local(Tree::compile(set, &mut |atom| Test::compile(&text, atom, work))?)
            }
            Atom::Part(Part::Host, set) => EmailAtom::Domain(host::tree(set)?),
            _ => EmailAtom::Foreign, // of another kind
        })
    }

    /// Whether the email lies in it.
    pub(super) fn read(&self, email: &Email<'_>) -> Membership {
        match self {
            EmailAtom::Pattern { local, domain } => {
                Membership::of(local.as_ref().is_none_or(|local| **local == *email.local) && domain.holds(&email.domain))
            }
            EmailAtom::Local(tree) => tree.read(&|test| test.read_text(email.local)),
            EmailAtom::Domain(tree) => {
                tree.read(&|atom| Membership::of(atom.as_ref().is_some_and(|atom| atom.holds(&email.domain))))
            }
            EmailAtom::Foreign => Membership::Out,
        }
    }
}

/// Local part (none: any) and host pattern of a canonical pattern.
fn pieces(pattern: &str) -> Option<(Option<&str>, &str)> {
    pattern.rsplit_once('@').map(|(local, domain)| (if local == "*" { None } else { Some(local) }, domain))
}

/// The canonical form of an email pattern, or why it is none: a local part or `*`, `@`, and a host pattern.
pub fn canonical_email_pattern(text: &str) -> Result<Box<str>, Box<str>> {
    let (local, domain) = text.rsplit_once('@').ok_or("an email pattern is `local@domain`, such as *@corp.test")?;
    if local != "*" && local.contains('*') {
        return Err("the local part is exact, or `*` alone".into());
    }
    if !local.is_ascii() || !is_dot_atom(local) {
        return Err("the local part is letters, digits and the like, joined by single dots".into());
    }
    let domain = canonical_host_pattern(domain)?;
    let bare = domain.strip_prefix("*.").unwrap_or(&domain);
    match read_domain(bare) {
        Spelling::Plain(_) => Ok(format!("{local}@{domain}").into()),
        Spelling::Ambiguous | Spelling::Malformed => {
            Err("the domain is a host name, without brackets or odd characters".into())
        }
    }
}
