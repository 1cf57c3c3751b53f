//! A set over hosts, addresses, URLs or emails → a compiled test that reads the string once. Must not know other kinds.

use super::email::{self, EmailAtom};
use super::host::{self, Host, HostAtom};
use super::matcher::Reading;
use super::seen::Seen;
use super::spelling::Spelling;
use super::tree::Tree;
use super::url::{self, Bare, UrlAtom};
use super::{Bound, Kind, Membership, Set, Work, ip};

/// A compiled set over strings that are read as a whole.
#[derive(Clone, Debug)]
pub(crate) enum Parsed {
    /// Hosts.
    Host(Tree<Option<HostAtom>>),
    /// Addresses.
    Ip(Tree<Option<HostAtom>>),
    /// URLs.
    Url(Bare, Tree<UrlAtom>),
    /// Emails.
    Email(Tree<EmailAtom>),
}

impl Parsed {
    /// Compiles `set`, if `kind` is one of these.
    pub(crate) fn compile(kind: &Kind, set: &Set, work: &mut Work) -> Result<Option<Parsed>, Bound> {
        Ok(Some(match kind {
            Kind::Host => Parsed::Host(host::tree(set)?),
            Kind::Ip => Parsed::Ip(host::tree(set)?),
            Kind::Url { bare } => {
                Parsed::Url(Bare::of(*bare), Tree::compile(set, &mut |atom| UrlAtom::compile(atom, work))?)
            }
            Kind::Email => Parsed::Email(Tree::compile(set, &mut |atom| EmailAtom::compile(atom, work))?),
            Kind::Bool
            | Kind::Enum(_)
            | Kind::Number(_)
            | Kind::Text { .. }
            | Kind::Path { .. }
            | Kind::Time(_)
            | Kind::List(_)
            | Kind::OneOrList(_)
            | Kind::Argv
            | Kind::Map(_)
            | Kind::Record { .. }
            | Kind::Union(_)
            | Kind::OpaqueText
            | Kind::OpaqueJson => return Ok(None),
        }))
    }

    /// Whether the string lies in the set. One that is not of the kind counts as ambiguous.
    pub(crate) fn read(&self, text: &str, reading: Reading) -> Membership {
        match self {
            Parsed::Host(tree) => match host::read(text) {
                Spelling::Plain(host) => tree.read(&|atom| holds(atom.as_ref(), &host)),
                Spelling::Ambiguous | Spelling::Malformed => tree.ambiguous(),
            },
            Parsed::Ip(tree) => match ip::read(text) {
                Some(address) => tree.read(&|atom| holds(atom.as_ref(), &Host::Address(address))),
                None => tree.ambiguous(),
            },
            Parsed::Url(bare, tree) => match url::read(text, *bare) {
                Spelling::Plain(url) => tree.read(&|atom| atom.read(&url, reading)),
                Spelling::Ambiguous | Spelling::Malformed => tree.ambiguous(),
            },
            Parsed::Email(tree) => match email::read(text) {
                Spelling::Plain(email) => tree.read(&|atom| atom.read(&email)),
                Spelling::Ambiguous | Spelling::Malformed => tree.ambiguous(),
            },
        }
    }

    /// Whether a string that was read lies in the set.
    pub(crate) fn read_seen(&self, seen: &Seen<'_>, reading: Reading) -> Membership {
        match (self, seen) {
            (Parsed::Url(_, tree), Seen::Url(url)) => tree.read(&|atom| atom.read(url, reading)),
            (Parsed::Host(tree), Seen::Host(host)) => tree.read(&|atom| holds(atom.as_ref(), host)),
            (Parsed::Ip(tree), Seen::Ip(address)) => tree.read(&|atom| holds(atom.as_ref(), &Host::Address(*address))),
            (Parsed::Email(tree), Seen::Email(email)) => tree.read(&|atom| atom.read(email)),
            (Parsed::Url(_, tree), _) => tree.ambiguous(),
            (Parsed::Host(tree) | Parsed::Ip(tree), _) => tree.ambiguous(),
            (Parsed::Email(tree), _) => tree.ambiguous(),
        }
    }
}

fn holds(atom: Option<&HostAtom>, host: &Host<'_>) -> Membership {
    Membership::of(atom.is_some_and(|atom| atom.holds(host)))
}
