//! URLs: text → scheme, host, port and path, where WHATWG and RFC 3986 agree on them. Must not know policies, queries or
//! fragments.

use super::host::{self, Host};
use super::spelling::Spelling;
use super::{Set, Value};
use std::borrow::Cow;

mod cells;
mod glob;
mod path;
mod pattern;
#[cfg(test)]
mod tests;

pub(super) use cells::cells;
pub(super) use pattern::UrlAtom;
pub use pattern::canonical_url_pattern;

/// How a value without `scheme://` is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    /// It is no URL.
    Refused,
    /// As `https://` and the value.
    Https,
}

impl Bare {
    /// As the type has it.
    pub(super) fn of(admitted: bool) -> Bare {
        if admitted { Bare::Https } else { Bare::Refused }
    }
}

/// What sets over URLs speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Url<'a> {
    /// In the case in which it was written.
    pub(super) scheme: &'a str,
    pub(super) host: Host<'a>,
    /// As written, else the scheme's; none where the scheme has none.
    pub(super) port: Option<u16>,
    /// In canonical form, never empty.
    pub(super) path: Cow<'a, str>,
}

/// Reads a URL. What WHATWG rejects is malformed; ambiguous is userinfo, a backslash, a control character, a scheme without
/// a host behind it, and every spelling of which RFC 3986 would take another host or path, or none.
pub(super) fn read(text: &str, bare: Bare) -> Spelling<Url<'_>> {
    match agreed(text, bare) {
        Some(url) => Spelling::Plain(url),
        None => match ::url::Url::parse(&absolute(text, bare)) {
            Ok(_) => Spelling::Ambiguous,
            Err(_) => Spelling::Malformed,
        },
    }
}

/// A URL in canonical form, of the schemes and characters that nearly all have; none: another, or not to be told here.
pub(super) fn plain(text: &str) -> Option<Url<'_>> {
    let (scheme, own, rest) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
        (Some(rest), _) => ("https", 443, rest),
        (None, Some(rest)) => ("http", 80, rest),
        (None, None) => return None,
    };
    let cut = rest.bytes().position(|b| b == b'/')?;
    let (authority, rest) = rest.split_at_checked(cut)?;
    let (name, port) = match authority.bytes().position(|b| b == b':') {
        None => (authority, own),
        Some(colon) => {
            let digits = authority.get(colon.saturating_add(1)..)?;
            let port = read_port(digits).filter(|port| *port != own && !digits.starts_with('0'))?;
            (authority.get(..colon)?, port)
        }
    };
    let end = rest.bytes().position(|b| matches!(b, b'?' | b'#')).unwrap_or(rest.len());
    let (path, tail) = rest.split_at_checked(end)?;
    let is_plain = host::is_plain(name) && path::is_plain(path) && tail.bytes().all(path::is_plain_tail);
    is_plain.then_some(Url { scheme, host: Host::Name(Cow::Borrowed(name)), port: Some(port), path: Cow::Borrowed(path) })
}

/// The text with its scheme.
fn absolute(text: &str, bare: Bare) -> Cow<'_, str> {
    match bare {
        Bare::Https if !has_scheme(text) => Cow::Owned(format!("https://{text}")),
        Bare::Https | Bare::Refused => Cow::Borrowed(text),
    }
}

fn has_scheme(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme))
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// The URL, if every reader takes it so.
fn agreed(text: &str, bare: Bare) -> Option<Url<'_>> {
    if text.bytes().any(|b| b.is_ascii_control() || b == b'\\') || text.starts_with(' ') || text.ends_with(' ') {
        return None;
    }
    let (scheme, rest) = match text.split_once("://").filter(|(scheme, _)| is_scheme(scheme)) {
        Some(parts) => parts,
        None if bare == Bare::Https => ("https", text),
        None => return None,
    };
    if scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let (authority, rest) = cut_before(rest, &['/', '?', '#']);
    let (written_path, _) = cut_before(rest, &['?', '#']);
    let (host_text, port_text) = split_port(authority)?;
    let host = agreed_host(scheme, host_text)?;
    let port = match port_text {
        None | Some("") => default_port(scheme),
        Some(digits) => Some(read_port(digits)?),
    };
    Some(Url { scheme, host, port, path: path::canonical(written_path)? })
}

fn cut_before<'a>(text: &'a str, at: &[char]) -> (&'a str, &'a str) {
    text.find(at).and_then(|index| text.split_at_checked(index)).unwrap_or((text, ""))
}

/// Host and port of an authority without userinfo.
fn split_port(authority: &str) -> Option<(&str, Option<&str>)> {
    if authority.contains('@') {
        return None;
    }
    let after_address = authority.rfind(']').map_or(0, |index| index.saturating_add(1));
    let (head, tail) = authority.split_at_checked(after_address)?;
    match tail.split_once(':') {
        None => Some((authority, None)),
        Some((name, port)) if head.is_empty() || name.is_empty() => {
            Some((if head.is_empty() { name } else { head }, Some(port)))
        }
        Some(_) => None,
    }
}

/// The host, if RFC 3986 has a host there and takes it for the same.
fn agreed_host<'a>(scheme: &str, text: &'a str) -> Option<Host<'a>> {
    let regular = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&b);
    if !text.starts_with('[') && !text.bytes().all(regular) {
        return None;
    }
    // WHATWG folds the case of the hosts of the schemes it knows alone.
    if !is_special(scheme) && text.bytes().any(|b| b.is_ascii_uppercase()) {
        return None;
    }
    host::read(text).plain()
}

fn read_port(digits: &str) -> Option<u16> {
    if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// The schemes that WHATWG knows, and their ports.
const SPECIAL: [(&str, u16); 5] = [("http", 80), ("ws", 80), ("https", 443), ("wss", 443), ("ftp", 21)];

fn default_port(scheme: &str) -> Option<u16> {
    SPECIAL.iter().find(|(name, _)| name.eq_ignore_ascii_case(scheme)).map(|(_, port)| *port)
}

fn is_special(scheme: &str) -> bool {
    default_port(scheme).is_some()
}

/// The canonical form of a URL that every reader takes alike: as WHATWG writes it, without a trailing dot of the host, and
/// with percent signs before capital letters. A bare value stays as it is.
pub(super) fn canonical(text: &str, bare: Bare) -> Option<String> {
    let read = read(text, bare).plain()?;
    if bare == Bare::Https && !has_scheme(text) {
        return Some(text.to_owned());
    }
    let whole = ::url::Url::parse(text).ok()?;
    let port = read.port.filter(|port| Some(*port) != default_port(read.scheme));
    let mut out = format!("{}://{}", read.scheme.to_ascii_lowercase(), read.host.text());
    if let Some(port) = port {
        out.push_str(&format!(":{port}"));
    }
    // Of the other schemes an empty path stays so.
    if !whole.path().is_empty() {
        out.push_str(&read.path);
    }
    if let Some(query) = whole.query() {
        out.push('?');
        out.push_str(query);
    }
    if let Some(fragment) = whole.fragment() {
        out.push('#');
        out.push_str(fragment);
    }
    Some(out)
}

/// A set over ports, asked of a URL that has none: no number lies in any of its atoms.
fn holds_of_no_port(set: &Set) -> bool {
    super::tree::holds_of_nothing(set)
}

fn text_value(text: &str) -> Value {
    Value::Text(text.into())
}
