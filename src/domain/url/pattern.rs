//! Patterns and parts of URLs → membership and canonical text. A pattern is a box: scheme × host × port × path, each of its
//! own. Must not know how cells are found.

use super::{SPECIAL, Url, default_port, glob, is_scheme, path};
use crate::domain::host::{self, HostAtom, canonical_host_pattern};
use crate::domain::matcher::{Reading, Test};
use crate::domain::tree::Tree;
use crate::domain::{Atom, Bound, Decimal, Kind, Membership, NumberKind, Part, Set, Value, Work};

/// The pieces of a pattern in canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pieces<'a> {
    pub(super) scheme: &'a str,
    pub(super) host: &'a str,
    /// As written, else the scheme's own.
    pub(super) port: Option<u16>,
    pub(super) path: &'a str,
}

/// The pieces of a canonical pattern.
pub(super) fn pieces(pattern: &str) -> Option<Pieces<'_>> {
    let (scheme, rest) = pattern.split_once("://")?;
    let (authority, path) = super::cut_before(rest, &['/']);
    let (host, port) = super::split_port(authority)?;
    let port = match port {
        Some(digits) => Some(super::read_port(digits)?),
        None => default_port(scheme),
    };
    Some(Pieces { scheme, host, port, path: if path.is_empty() { "/" } else { path } })
}

/// What a set over URLs is made of, ready to be asked.
#[derive(Clone, Debug)]
pub(in crate::domain) enum UrlAtom {
    /// A pattern.
    Pattern { scheme: Box<str>, host: HostAtom, port: Option<u16>, path: Box<Test> },
    /// A set over the scheme or the path.
    Text(Part, Tree<Test>),
    /// A set over the host.
    Host(Tree<Option<HostAtom>>),
    /// A set over the port.
    Port(Tree<Test>),
    /// Of another kind.
    Foreign,
}

/// The type whose atoms speak of texts.
const TEXT: Kind = Kind::Text { by_pattern: true };

impl UrlAtom {
    /// Compiles one atom.
    pub(in crate::domain) fn compile(atom: &Atom, work: &mut Work) -> Result<UrlAtom, Bound> {
        Ok(match atom {
            Atom::Url(pattern) => match pieces(pattern) {
                Some(pieces) => UrlAtom::Pattern {
                    scheme: pieces.scheme.into(),
                    host: HostAtom::pattern(pieces.host),
                    port: pieces.port,
                    path: Box::new(Test::compile(&TEXT, &glob::paths(pieces.path), work)?),
                },
                None => UrlAtom::Foreign,
            },
            Atom::Part(Part::Host, set) => UrlAtom::Host(host::tree(set)?),
            Atom::Part(Part::Port, set) => {
                let port = Kind::Number(NumberKind::Int);
                UrlAtom::Port(Tree::compile(set, &mut |atom| Test::compile(&port, atom, work))?)
            }
            Atom::Part(part @ (Part::Scheme | Part::Path), set) => {
                UrlAtom::Text(*part, Tree::compile(&over_text(set), &mut |atom| Test::compile(&TEXT, atom, work))?)
            }
            _ => UrlAtom::Foreign, // of another kind
        })
    }

    /// Whether the URL lies in it.
    pub(in crate::domain) fn read(&self, url: &Url<'_>, reading: Reading) -> Membership {
        match self {
            UrlAtom::Pattern { scheme, host, port, path } => Membership::of(
                url.scheme.eq_ignore_ascii_case(scheme)
                    && host.holds(&url.host)
                    && url.port == *port
                    && path.read_text(&url.path).is_in(),
            ),
            UrlAtom::Text(Part::Scheme, tree) => read_scheme(tree, url.scheme),
            UrlAtom::Text(_, tree) => tree.read(&|test| test.read_text(&url.path)),
            UrlAtom::Host(tree) => {
                tree.read(&|atom| Membership::of(atom.as_ref().is_some_and(|atom| atom.holds(&url.host))))
            }
            UrlAtom::Port(tree) => match url.port {
                Some(port) => {
                    let port = Value::Number(Decimal::from_i64(i64::from(port)));
                    tree.read(&|test| test.read(&port, reading))
                }
                None => tree.read(&|_| Membership::Out),
            },
            UrlAtom::Foreign => Membership::Out,
        }
    }
}

fn read_scheme(tree: &Tree<Test>, scheme: &str) -> Membership {
    if scheme.bytes().any(|b| b.is_ascii_uppercase()) {
        let lower = scheme.to_ascii_lowercase();
        return tree.read(&|test| test.read_text(&lower));
    }
    tree.read(&|test| test.read_text(scheme))
}

/// A set over the part `path`, whose globs are those of file paths, as a set over text.
pub(super) fn over_text(set: &Set) -> Set {
    match set {
        Set::Any | Set::Never => set.clone(),
        Set::Atom(Atom::Path(pattern)) => Set::Atom(glob::by_segment(pattern)),
        Set::Atom(atom) => Set::Atom(atom.clone()),
        Set::Not(inner) => Set::Not(Box::new(over_text(inner))),
        Set::And(parts) => Set::And(parts.iter().map(over_text).collect()),
        Set::Or(parts) => Set::Or(parts.iter().map(over_text).collect()),
    }
}

/// The canonical form of a URL pattern, or why it is none: `scheme://host[:port][/path]`, the host as in
/// [`canonical_host_pattern`], the port only if it is not the scheme's own, `*` and `**` in the path. Without a path: `/`.
pub fn canonical_url_pattern(text: &str) -> Result<Box<str>, Box<str>> {
    let (scheme, rest) = text.split_once("://").ok_or("a URL begins with `scheme://`")?;
    if !is_scheme(scheme) {
        return Err("the scheme is one or more letters and digits, such as https".into());
    }
    let scheme = scheme.to_ascii_lowercase();
    if scheme == "file" {
        return Err("a file URL has no host; take an argument of type path".into());
    }
    if let Some(odd) = rest.chars().find(|c| matches!(c, '?' | '#' | '\\')) {
        return Err(format!(
            "`{odd}` cannot stand here: a pattern has scheme, host, port and path; query and fragment are free"
        )
        .into());
    }
    let (authority, path) = super::cut_before(rest, &['/']);
    if authority.contains('@') {
        return Err("a user name or password in a URL is ambiguous, so no such URL is ever permitted".into());
    }
    let (host, port) = super::split_port(authority).ok_or("the host and port cannot be told apart")?;
    let host = canonical_host_pattern(host)?;
    let port = match port {
        None | Some("") => None,
        Some(digits) => Some(super::read_port(digits).ok_or("the port is a number up to 65535")?),
    };
    let port = port.filter(|port| !SPECIAL.contains(&(scheme.as_str(), *port)));
    let port = port.map_or_else(String::new, |port| format!(":{port}"));
    Ok(format!("{scheme}://{host}{port}{}", canonical_path(path)?).into())
}

fn canonical_path(written: &str) -> Result<String, Box<str>> {
    if let Some(segment) = written.split('/').find(|segment| segment.contains("**") && *segment != "**") {
        return Err(format!("`**` stands for whole segments: write `*` within `{segment}`, or `/**/` around it").into());
    }
    match path::canonical(&path::encoded(written)) {
        Some(path) => Ok(path.into_owned()),
        None => Err("after a percent sign stand two hexadecimal digits that spell no letter, digit, `-`, `.`, `_`, `~`, `/` or `\\`: \
             such a spelling is ambiguous, so no such URL is ever permitted"
            .into()),
    }
}
