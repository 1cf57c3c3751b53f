//! A scalar as it stands in a call → whether it is of its kind, and whether it lies in compiled sets: read once for all
//! questions, borrowed, without allocating. The same answers as for a [`Value`]. Knows no JSON and no policies.

use super::email::{self, Email};
use super::host::{self, Host};
use super::matcher::Reading;
use super::number::Short;
use super::spelling::Spelling;
use super::url::{self, Bare, Url};
use super::{Kind, Membership, Value, canonical, ip, path, time};
use std::net::IpAddr;

/// A point of a call, borrowed.
#[derive(Clone, Debug)]
pub(crate) enum Seen<'a> {
    /// Not there, and not defaulted.
    Absent,
    /// Left to the provider.
    Unspecified,
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number of few digits.
    Number(Short),
    /// A string.
    Text(&'a str),
    /// A path without a dot segment, an empty segment, or anything that two readers may read differently.
    PlainPath(&'a str),
    /// A host.
    Host(Host<'a>),
    /// An address.
    Ip(IpAddr),
    /// A URL.
    Url(Url<'a>),
    /// An email.
    Email(Email<'a>),
    /// A string of a kind that is read as a whole, which two readers may read differently.
    Ambiguous,
    /// A default.
    Value(&'a Value),
}

/// Whether a governed value may have to be spelled in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// It is spelled as it is forwarded.
    Canonical,
    /// It may have another form.
    Other,
}

/// A string of the scalar kind, read; none: it is none of that kind. Refinements and closed lists are not asked here.
pub(crate) fn see<'a>(kind: &Kind, text: &'a str) -> Option<(Seen<'a>, Form)> {
    match kind {
        Kind::Text { .. } | Kind::OpaqueText | Kind::OpaqueJson | Kind::Enum(_) => Some((Seen::Text(text), Form::Canonical)),
        Kind::Path { .. } => see_path(text),
        Kind::Url { bare } => see_url(text, Bare::of(*bare)),
        Kind::Host => {
            let form = if host::is_plain(text) { Form::Canonical } else { Form::Other };
            parsed(host::read(text), form, Seen::Host)
        }
        Kind::Email => parsed(email::read(text), Form::Other, Seen::Email),
        Kind::Ip => ip::read(text).map(|address| (Seen::Ip(address), Form::Canonical)),
        Kind::Time(kind) => time::read(*kind, text).map(|_| (Seen::Text(text), Form::Canonical)),
        Kind::OneOrList(of) => see(&of.kind, text),
        Kind::Bool | Kind::Number(_) | Kind::List(_) | Kind::Argv | Kind::Map(_) | Kind::Record { .. } | Kind::Union(_) => {
            None
        }
    }
}

fn see_path(text: &str) -> Option<(Seen<'_>, Form)> {
    if path::is_plain(text) {
        return Some((Seen::PlainPath(text), Form::Canonical));
    }
    (!text.contains('\0')).then_some((Seen::Text(text), Form::Other))
}

fn see_url(text: &str, bare: Bare) -> Option<(Seen<'_>, Form)> {
    match url::plain(text) {
        Some(url) => Some((Seen::Url(url), Form::Canonical)),
        None => parsed(url::read(text, bare), Form::Other, Seen::Url),
    }
}

fn parsed<'a, T>(spelling: Spelling<T>, form: Form, seen: impl Fn(T) -> Seen<'a>) -> Option<(Seen<'a>, Form)> {
    match spelling {
        Spelling::Plain(value) => Some((seen(value), form)),
        Spelling::Ambiguous => Some((Seen::Ambiguous, Form::Canonical)),
        Spelling::Malformed => None,
    }
}

/// Whether what is forwarded of a governed `text` is spelled in another way than it came.
pub(crate) fn is_respelled(ty: &super::Type, text: &str) -> bool {
    let value = Value::Text(text.into());
    canonical(ty, &value).is_some_and(|to| to != value)
}

impl Seen<'_> {
    /// Whether it is a host, or a url with one, that is a name and no address.
    pub(crate) fn has_name(&self) -> bool {
        match self {
            Seen::Host(host) => matches!(host, Host::Name(_)),
            Seen::Url(url) => matches!(url.host, Host::Name(_)),
            Seen::Absent
            | Seen::Unspecified
            | Seen::Null
            | Seen::Bool(_)
            | Seen::Number(_)
            | Seen::Text(_)
            | Seen::PlainPath(_)
            | Seen::Ip(_)
            | Seen::Email(_)
            | Seen::Ambiguous
            | Seen::Value(_) => false,
        }
    }
}

impl super::matcher::Matcher {
    /// As [`super::Matcher::test`].
    pub(crate) fn test_seen(&self, seen: &Seen<'_>) -> Membership {
        match self.read_seen(seen, Reading::Exact) {
            Membership::In if self.has_doubles() => match self.read_seen(seen, Reading::Double) {
                Membership::In => Membership::In,
                Membership::Out | Membership::Ambiguous => Membership::Ambiguous,
            },
            exact => exact,
        }
    }
}

impl super::matcher::Matcher {
    /// As [`super::Matcher::test_exactly`].
    pub(crate) fn test_seen_exactly(&self, seen: &Seen<'_>) -> Membership {
        self.read_seen(seen, Reading::Exact)
    }
}

impl super::SlotMatcher {
    /// As [`super::SlotMatcher::test`].
    pub(crate) fn test_seen(&self, seen: &Seen<'_>) -> Membership {
        match seen {
            Seen::Null => Membership::of(self.admits_null()),
            Seen::Absent => Membership::of(self.admits_absent()),
            Seen::Unspecified => Membership::of(self.is_whole()),
            Seen::Value(value) => self.test(super::PointRef::Value(value)),
            value => self.values().test_seen(value),
        }
    }
}
