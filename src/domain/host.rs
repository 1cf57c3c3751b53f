//! Host names and addresses: text → what it names, as WHATWG reads it; patterns and classes → membership. Must not know
//! URLs, emails or policies.

use super::spelling::Spelling;
use super::{Atom, Class, ip};
use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

mod cells;
mod listed;
#[cfg(test)]
mod tests;

pub(super) use cells::{address_cells, cells};
pub(super) use listed::{Listed, tree};

/// Octets of a label, and of a whole name without its trailing dot (RFC 1035).
const LABEL: usize = 63;
const NAME: usize = 253;

/// What a host names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Host<'a> {
    /// A name in A-labels, without its trailing dot, in the case in which it was written.
    Name(Cow<'a, str>),
    /// An address. An IPv4-mapped one is the IPv4 address, wherever it is compared.
    Address(IpAddr),
}

/// Reads a host. What WHATWG rejects is malformed. Ambiguous is what is spelled in other than ASCII or with percent signs,
/// an IPv4 address that others than WHATWG do not take for that one (`0x7f.1`, `127.1`), and names that no resolver can
/// look up as they stand: empty labels, more than 63 octets in one or 253 in all.
pub(super) fn read(text: &str) -> Spelling<Host<'_>> {
    if let Some(inner) = text.strip_prefix('[') {
        let address = inner.strip_suffix(']').and_then(|v6| v6.parse::<Ipv6Addr>().ok());
        return address.map_or(Spelling::Malformed, |v6| Spelling::Plain(Host::Address(IpAddr::V6(v6))));
    }
    let name = text.strip_suffix('.').unwrap_or(text);
    if !text.is_ascii() || !is_name(name) {
        return if url::Host::parse(text).is_ok() { Spelling::Ambiguous } else { Spelling::Malformed };
    }
    if name.rsplit('.').next().is_some_and(is_number) {
        return read_v4(name);
    }
    if name.split('.').any(is_encoded) {
        return match url::Host::parse(name) {
            Ok(url::Host::Domain(read)) => Spelling::Plain(Host::Name(Cow::Owned(read))),
            Ok(url::Host::Ipv4(_) | url::Host::Ipv6(_)) | Err(_) => Spelling::Malformed,
        };
    }
    Spelling::Plain(Host::Name(Cow::Borrowed(name)))
}

/// Whether the text is a host name in canonical form, of letters, digits, hyphens and dots alone.
pub(super) fn is_plain(text: &str) -> bool {
    let mut label = 0_usize;
    let mut odd = text.len() > NAME;
    let mut first = b' ';
    for (at, b) in text.bytes().enumerate() {
        if b == b'.' {
            odd |= label == 0 || label > LABEL;
            label = 0;
        } else {
            if label == 0 {
                first = b;
                odd |= b == b'x' && text.get(at..).is_some_and(|label| label.starts_with("xn--"));
            }
            odd |= !(b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
            label = label.saturating_add(1);
        }
    }
    // A last label that begins with a digit may be a number.
    !odd && label > 0 && label <= LABEL && !first.is_ascii_digit()
}

/// A host whose last label is a number is an IPv4 address or nothing. `text` has lost its trailing dot.
fn read_v4(text: &str) -> Spelling<Host<'_>> {
    if let Ok(v4) = text.parse::<Ipv4Addr>() {
        return Spelling::Plain(Host::Address(IpAddr::V4(v4)));
    }
    if url::Host::parse(text).is_ok() { Spelling::Ambiguous } else { Spelling::Malformed }
}

/// Labels of 1 to 63 octets, 253 in all, none of WHATWG's forbidden domain code points.
fn is_name(name: &str) -> bool {
    name.len() <= NAME
        && name.split('.').all(|label| !label.is_empty() && label.len() <= LABEL)
        && name.bytes().all(|b| !is_forbidden(b))
}

fn is_forbidden(b: u8) -> bool {
    b <= b' ' || b == 0x7f || b"#%/:<>?@[\\]^|".contains(&b)
}

/// What WHATWG takes for a number: all digits, or `0x` and hexadecimal digits.
fn is_number(label: &str) -> bool {
    let hexadecimal = label.strip_prefix("0x").or_else(|| label.strip_prefix("0X"));
    label.bytes().all(|b| b.is_ascii_digit())
        || hexadecimal.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn is_encoded(label: &str) -> bool {
    label.get(..4).is_some_and(|head| head.eq_ignore_ascii_case("xn--"))
}

/// The canonical form of a host that every reader takes alike.
pub(super) fn canonical(text: &str) -> Option<String> {
    read(text).plain().map(|host| host.text())
}

impl Host<'_> {
    /// The canonical text: lower case, A-labels, no trailing dot; addresses as WHATWG writes them.
    pub(super) fn text(&self) -> String {
        match self {
            Host::Name(name) => name.to_ascii_lowercase(),
            Host::Address(IpAddr::V4(v4)) => v4.to_string(),
            Host::Address(IpAddr::V6(v6)) => url::Host::<&str>::Ipv6(*v6).to_string(),
        }
    }

    /// Its class.
    pub(super) fn class(&self) -> Class {
        match self {
            Host::Address(address) => ip::class(*address),
            Host::Name(name) => name_class(name),
        }
    }
}

/// `localhost` and below: loopback. Single labels and what is under `.local`, `.internal`, `.home.arpa`: private.
fn name_class(name: &str) -> Class {
    if is_or_is_below(name, "localhost") {
        Class::Loopback
    } else if !name.contains('.') || PRIVATE.iter().any(|top| is_or_is_below(name, top)) {
        Class::Private
    } else {
        Class::Public
    }
}

/// The names whose subtrees are private.
const PRIVATE: [&str; 3] = ["local", "internal", "home.arpa"];

fn is_or_is_below(name: &str, top: &str) -> bool {
    name.eq_ignore_ascii_case(top) || is_below(name, top)
}

/// Whether `name` is one or more labels before `top`.
fn is_below(name: &str, top: &str) -> bool {
    let Some(cut) = name.len().checked_sub(top.len()) else { return false };
    match (name.get(..cut), name.get(cut..)) {
        (Some(head), Some(tail)) => head.len() > 1 && head.ends_with('.') && tail.eq_ignore_ascii_case(top),
        (Some(_) | None, _) => false,
    }
}

/// What a set over hosts is made of, ready to be asked.
#[derive(Clone, Debug)]
pub(super) enum HostAtom {
    /// This name.
    Name(Box<str>),
    /// One or more labels before this name.
    Below(Box<str>),
    /// Addresses in these blocks.
    Blocks(Vec<ip::Block>),
    /// Hosts of a class.
    Class(Class),
    /// Any of many names, subtrees and blocks.
    Listed(Listed),
}

impl HostAtom {
    /// The atom, if it is one over hosts or addresses.
    pub(super) fn new(atom: &Atom) -> Option<HostAtom> {
        match atom {
            Atom::Host(pattern) => Some(HostAtom::pattern(pattern)),
            Atom::Class(class) => Some(HostAtom::Class(*class)),
            Atom::Cidr(text) => {
                Some(HostAtom::Blocks(ip::Block::read(text).ok().map(|(block, _)| block).into_iter().collect()))
            }
            _ => None, // of another kind
        }
    }

    /// A host pattern in canonical form.
    pub(super) fn pattern(pattern: &str) -> HostAtom {
        if let Some(top) = pattern.strip_prefix("*.") {
            return HostAtom::Below(top.into());
        }
        match read(pattern).plain() {
            Some(Host::Address(address)) => HostAtom::Blocks(vec![ip::Block::one(address)]),
            Some(Host::Name(_)) | None => HostAtom::Name(pattern.into()),
        }
    }

    /// Whether the host lies in it.
    pub(super) fn holds(&self, host: &Host<'_>) -> bool {
        match (self, host) {
            (HostAtom::Name(own), Host::Name(name)) => name.eq_ignore_ascii_case(own),
            (HostAtom::Below(top), Host::Name(name)) => is_below(name, top),
            (HostAtom::Blocks(blocks), Host::Address(address)) => blocks.iter().any(|b| b.contains(*address)),
            (HostAtom::Class(class), host) => host.class() == *class,
            (HostAtom::Listed(listed), host) => listed.holds(host),
            (HostAtom::Name(_) | HostAtom::Below(_), Host::Address(_)) | (HostAtom::Blocks(_), Host::Name(_)) => false,
        }
    }
}

/// The canonical form of a host pattern (`*.` may stand before a name; U-labels become A-labels); or why it is none.
pub fn canonical_host_pattern(text: &str) -> Result<Box<str>, Box<str>> {
    let (star, name) = match text.strip_prefix("*.") {
        Some(rest) => ("*.", rest),
        None => ("", text),
    };
    if name.contains('*') {
        return Err("`*.` stands only before a whole name: *.example.com".into());
    }
    let Ok(encoded) = url::Host::parse(name).map(|host| host.to_string()) else {
        return Err("it is no host name or address".into());
    };
    match read(&encoded).plain() {
        Some(Host::Address(_)) if !star.is_empty() => Err("nothing is below an address".into()),
        Some(host) => Ok(format!("{star}{}", host.text()).into()),
        None => Err("a label has 1 to 63 characters, a name at most 253".into()),
    }
}
