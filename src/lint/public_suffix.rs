//! A wildcard over a public suffix: `"*.co.uk"`, `"*.github.io"`, `"*@*.com"`. Anybody may register a name there, so the set
//! holds hosts of strangers. `"*.example.co.uk"` is one owner's.

use super::Subject;
use super::written::{admitting, literal, sets};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::Atom;

pub(super) fn find(subject: &Subject<'_>, found: &mut Sink) {
    for written in sets(subject.policy) {
        admitting(written.values, &mut |atom| {
            if let Some(suffix) = wildcard(atom).filter(|suffix| is_public(suffix)) {
                let span = literal(subject.sources, written.span, |text| {
                    let host = text.split_once("*.").map_or("", |(_, host)| host);
                    host.split(['/', ':']).next() == Some(suffix)
                });
                let message = format!("`*.{suffix}` holds the hosts of everybody who registers a name under `{suffix}`");
                let help = format!("name the owner: `*.example.{suffix}`");
                found.push(Diagnostic::new(Code::PUBLIC_SUFFIX, span, message).help(help));
            }
        });
    }
}

/// What stands after `*.` in the host of a pattern.
fn wildcard(atom: &Atom) -> Option<&str> {
    let host = match atom {
        Atom::Host(pattern) => pattern,
        Atom::Url(pattern) => {
            let (_, rest) = pattern.split_once("://")?;
            let host = rest.split('/').next().unwrap_or(rest);
            host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit())).map_or(host, |(host, _)| host)
        }
        Atom::Email(pattern) => pattern.rsplit_once('@')?.1,
        _ => return None, // every other kind of atom has no host
    };
    host.strip_prefix("*.")
}

/// Whether the list of public suffixes has it: names that it does not know (`corp`, `test`) are private.
fn is_public(name: &str) -> bool {
    psl::suffix(name.as_bytes()).is_some_and(|suffix| suffix.is_known() && suffix.as_bytes() == name.as_bytes())
}
