//! A set → the meets of atoms and complements of atoms whose union it is. URL and email patterns fall into their parts, so
//! that every atom speaks of one component. Knows no paths.

use crate::domain::{Atom, Bound, Part, Set, Value};

/// Meets that one set may fall into.
const MEETS: usize = 512;

/// An atom, or its complement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    Is(Atom),
    IsNot(Atom),
}

impl Literal {
    /// As a set.
    pub(super) fn set(&self) -> Set {
        match self {
            Literal::Is(atom) => Set::Atom(atom.clone()),
            Literal::IsNot(atom) => Set::Not(Box::new(Set::Atom(atom.clone()))),
        }
    }

    /// The atom.
    pub(super) fn atom(&self) -> &Atom {
        match self {
            Literal::Is(atom) | Literal::IsNot(atom) => atom,
        }
    }
}

/// The meet of all.
pub(super) fn meet<'l>(literals: impl IntoIterator<Item = &'l Literal>) -> Set {
    let mut parts: Vec<Set> = literals.into_iter().map(Literal::set).collect();
    match parts.len() {
        0 => Set::Any,
        1 => parts.remove(0),
        _several => Set::And(parts),
    }
}

/// The union of all.
pub(super) fn union(mut parts: Vec<Set>) -> Set {
    parts.dedup();
    if parts.contains(&Set::Any) {
        return Set::Any;
    }
    match parts.len() {
        0 => Set::Never,
        1 => parts.remove(0),
        _several => Set::Or(parts),
    }
}

/// The meets whose union is `set`.
pub(super) fn conjuncts(set: &Set) -> Result<Vec<Vec<Literal>>, Bound> {
    spread(set, Sign::Is)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Is,
    IsNot,
}

impl Sign {
    fn other(self) -> Sign {
        match self {
            Sign::Is => Sign::IsNot,
            Sign::IsNot => Sign::Is,
        }
    }
}

fn spread(set: &Set, sign: Sign) -> Result<Vec<Vec<Literal>>, Bound> {
    match (set, sign) {
        (Set::Any, Sign::Is) | (Set::Never, Sign::IsNot) => Ok(vec![Vec::new()]),
        (Set::Any, Sign::IsNot) | (Set::Never, Sign::Is) => Ok(Vec::new()),
        (Set::Not(inner), sign) => spread(inner, sign.other()),
        (Set::And(parts), Sign::Is) | (Set::Or(parts), Sign::IsNot) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let next = spread(part, sign)?;
                if all.len().saturating_mul(next.len()) > MEETS {
                    return Err(Bound::new("a set of more than 512 alternatives over the parts of a value"));
                }
                all = all.iter().flat_map(|a| next.iter().map(move |b| [a.as_slice(), b].concat())).collect();
            }
            Ok(all)
        }
        (Set::Or(parts), Sign::Is) | (Set::And(parts), Sign::IsNot) => {
            let all: Result<Vec<_>, Bound> = parts.iter().map(|part| spread(part, sign)).collect();
            Ok(all?.concat())
        }
        (Set::Atom(atom), sign) => match parts_of(atom) {
            Some(parts) => spread(&parts, sign),
            None => Ok(vec![vec![match sign {
                Sign::Is => Literal::Is(atom.clone()),
                Sign::IsNot => Literal::IsNot(atom.clone()),
            }]]),
        },
    }
}

/// The parts of a URL or email pattern, as a meet.
fn parts_of(atom: &Atom) -> Option<Set> {
    let part = |part, set| Set::Atom(Atom::Part(part, Box::new(set)));
    let text = |text: &str| Set::Atom(Atom::OneOf(vec![Value::Text(text.into())]));
    match atom {
        Atom::Email(pattern) => {
            let (local, domain) = pattern.rsplit_once('@')?;
            let local = if local == "*" { Set::Any } else { text(local) };
            Some(Set::And(vec![part(Part::Local, local), part(Part::Host, Set::Atom(Atom::Host(domain.into())))]))
        }
        Atom::Url(pattern) => {
            let (scheme, rest) = pattern.split_once("://")?;
            let (authority, path) = rest.find('/').map_or((rest, "/"), |at| rest.split_at(at));
            let after_host = authority.rfind(']').map_or(0, |at| at + 1);
            let colon = authority.get(after_host..)?.find(':').map(|at| at + after_host);
            let (host, port) = colon.map_or((authority, None), |at| (&authority[..at], Some(&authority[at + 1..])));
            Some(Set::And(vec![
                part(Part::Scheme, text(scheme)),
                part(Part::Host, Set::Atom(Atom::Host(host.into()))),
                port_of(scheme, port),
                part(Part::Path, Set::Atom(Atom::Path(path.into()))),
            ]))
        }
        // Every other atom speaks of one component.
        _single => None,
    }
}

/// The port as written, else the scheme's own, else none at all.
fn port_of(scheme: &str, written: Option<&str>) -> Set {
    let own = match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ftp" => Some(21),
        _other => None,
    };
    let number = written.and_then(|port| port.parse().ok()).or(own);
    let demand = |set| Set::Atom(Atom::Part(Part::Port, Box::new(set)));
    match number {
        Some(number) => demand(Set::Atom(Atom::OneOf(vec![Value::Number(crate::domain::Decimal::from_i64(number))]))),
        None => Set::Not(Box::new(demand(Set::Any))),
    }
}
