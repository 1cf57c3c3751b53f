//! Settled arguments → what the host must still do, and the arguments as the host found them behind paths. Judges nothing.

use super::decision::Obligation;
use super::judge::Judge;
use super::search::Addresses;
use super::walk::{Key, Visitor, Way, pointer, walk};
use crate::domain::{Atom, Kind, Matcher, Part, Point, Set, Type, Value, Work};

/// What the governed places of a call come to.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// What the host must still do.
    pub(crate) obligations: Vec<Obligation>,
    /// The arguments with the paths that the host found; `None`: it found no other.
    pub(crate) resolved: Option<Vec<Point>>,
    /// Whether a governed path is among the arguments.
    pub(crate) has_path: bool,
}

/// Looks at every governed place of `points`; `found`: JSON pointer, below `prefix`, to what the host found.
pub(crate) fn places(judge: &Judge<'_>, points: &[Point], prefix: &[Key], found: &[(Box<str>, Box<str>)]) -> Places {
    let mut places = Places::default();
    let mut resolved = points.to_vec();
    for (index, member) in judge.tool.arguments.iter().enumerate() {
        if let Some(Point::Value(value)) = resolved.get_mut(index) {
            let mut look = Look { judge, argument: index, prefix, found, places: &mut places };
            walk(&member.ty, value, &Way::argument(&member.name), &mut look);
        }
    }
    places.obligations.sort_unstable();
    places.obligations.dedup();
    if resolved != points {
        places.resolved = Some(resolved);
    }
    places
}

struct Look<'a, 'j> {
    judge: &'a Judge<'j>,
    argument: usize,
    prefix: &'a [Key],
    found: &'a [(Box<str>, Box<str>)],
    places: &'a mut Places,
}

impl Look<'_, '_> {
    fn governs(&self, way: &Way) -> Option<Addresses> {
        let of_session =
            self.judge.session.demands.iter().any(|d| d.argument == self.argument && way.steps.starts_with(&d.steps));
        let of_plan = self.judge.plan.governs(self.argument, &way.steps);
        if of_session { Some(Addresses::Some) } else { of_plan }
    }
}

impl Visitor for Look<'_, '_> {
    fn leaf(&mut self, ty: &Type, value: &Value, way: &Way) -> Option<Value> {
        let addresses = self.governs(way)?;
        match &ty.kind {
            Kind::Path { .. } => {
                self.places.has_path = true;
                let keys: Vec<Key> = self.prefix.iter().chain(&way.keys).cloned().collect();
                let here = pointer(&keys);
                match self.found.iter().find(|(pointer, _)| **pointer == *here) {
                    Some((_, found)) => return Some(Value::Text(found.clone())),
                    None => self.places.obligations.push(Obligation::ResolveBeneath),
                }
            }
            Kind::Url { .. } => {
                self.places.obligations.push(Obligation::RecheckOnRedirect);
                if addresses == Addresses::Some && is_name(ty, value) {
                    self.places.obligations.push(Obligation::RecheckResolvedAddress);
                }
            }
            Kind::Host if addresses == Addresses::Some && is_name(ty, value) => {
                self.places.obligations.push(Obligation::RecheckResolvedAddress);
            }
            _ => {} // other kinds oblige to nothing
        }
        None
    }

    fn filled(&mut self, _: &Value, _: &Way) {}
}

/// Whether the host of a url or host is a name and no address.
fn is_name(ty: &Type, value: &Value) -> bool {
    let block = |cidr: &str| Set::Atom(Atom::Cidr(cidr.into()));
    let addresses = Set::Or(vec![block("0.0.0.0/0"), block("::/0")]);
    let addresses = match &ty.kind {
        Kind::Url { .. } => Set::Atom(Atom::Part(Part::Host, Box::new(addresses))),
        _ => addresses, // a host is one already
    };
    // What cannot be told is treated as a name: one obligation too many, never one too few.
    !Matcher::compile(ty, &addresses, &mut Work::new()).is_ok_and(|matcher| matcher.test(value).is_in())
}
