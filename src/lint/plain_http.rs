//! A permission for plain http: `"http://example.com/**"`, `u.scheme in { "http" }`. Whoever is on the way reads and changes
//! what passes. `"http://localhost:8080/**"` never leaves the machine, and is none.

use super::Subject;
use super::written::{admitting, literal, sets, texts};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{Atom, Part, Set};

pub(super) fn find(subject: &Subject<'_>, found: &mut Sink) {
    for written in sets(subject.policy) {
        admitting(written.values, &mut |atom| {
            if let Some(scheme) = plain(atom) {
                let span = literal(subject.sources, written.span, |text| {
                    text == scheme || text.split_once("://").is_some_and(|(before, rest)| before == scheme && !is_near(rest))
                });
                let message = format!("`{scheme}` is not encrypted: whoever is on the way reads and changes what passes");
                let help = format!("permit `{}` alone", if scheme == "ws" { "wss" } else { "https" });
                found.push(Diagnostic::new(Code::PLAIN_HTTP, span, message).help(help));
            }
        });
    }
}

fn plain(atom: &Atom) -> Option<&'static str> {
    match atom {
        Atom::Url(pattern) => {
            let (scheme, rest) = pattern.split_once("://")?;
            let host = rest.split('/').next().unwrap_or(rest);
            ["http", "ws"].into_iter().find(|plain| *plain == scheme).filter(|_| !is_near(host))
        }
        Atom::Part(Part::Scheme, set) => {
            let mut plain = None;
            admitting(set, &mut |atom| {
                if let Atom::OneOf(values) = atom {
                    plain = plain.or_else(|| ["http", "ws"].into_iter().find(|p| texts(values).any(|text| text == *p)));
                }
            });
            plain.filter(|_| **set != Set::Any)
        }
        _ => None, // every other kind of atom has no scheme
    }
}

/// Whether the host is this machine, by name or address.
fn is_near(host: &str) -> bool {
    let host = host.split('/').next().unwrap_or(host);
    let host = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.split(':').next().unwrap_or(host),
    };
    host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") || host == "::1"
}
