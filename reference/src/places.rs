//! Walks into an argument's value along steps, and the canonical spelling of what stands there.

use crate::formed::well_formed;
use crate::host::{self, Reading};
use crate::json::Json;
use crate::member::{self, Point, Tri, declared};
use crate::{path, web};
use bailiwick::domain::{Atom, Default, Kind, Member, Part, Presence, Set, Step, Type};
use std::cell::Cell;
use std::collections::BTreeMap;

/// A question to the value at the end of a walk.
pub type Test<'t> = dyn Fn(&Type, &Json) -> Tri + 't;

/// Whether `test` holds at every point of a limit's place. Absence of something optional on the way passes only if
/// `absent`; an empty list only if its type gives a size that admits 0, or if it stands at one of the ways `free`.
pub fn every(member: &Member, steps: &[Step], point: &Point, absent: bool, free: &[Vec<Step>], test: &Test) -> Tri {
    let walk = Walk { steps, absent, empty: Empty::Counts, free, test };
    walk.member(member, 0, point)
}

/// The same where nothing is demanded but of what is there.
pub fn every_named(member: &Member, steps: &[Step], point: &Point, test: &Test) -> Tri {
    let walk = Walk { steps, absent: true, empty: Empty::Passes, free: &[], test };
    walk.member(member, 0, point)
}

/// Whether somewhere at the end of `way` stands an empty list.
pub fn is_empty_at(member: &Member, way: &[Step], point: &Point) -> bool {
    let empty = Json::List(vec![]);
    every_named(member, way, point, &|_, v| Tri::of(*v != empty)) != Tri::In
}

/// Whether anything but null stands at the place.
pub fn carries(member: &Member, steps: &[Step], point: &Point) -> bool {
    let found = Cell::new(false);
    let look = |_: &Type, _: &Json| {
        found.set(true);
        Tri::In
    };
    every_named(member, steps, point, &look);
    found.get()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Empty {
    Counts,
    Passes,
}

struct Walk<'a> {
    steps: &'a [Step],
    absent: bool,
    empty: Empty,
    free: &'a [Vec<Step>],
    test: &'a Test<'a>,
}

impl Walk<'_> {
    fn member(&self, member: &Member, at: usize, point: &Point) -> Tri {
        match (point, self.empty) {
            (Point::Value(v), _) => self.value(&member.ty, at, v),
            (Point::Absent | Point::Unspecified, Empty::Passes) => Tri::In,
            (Point::Absent, Empty::Counts) => Tri::of(self.absent || member.presence == Presence::OrAbsent),
            (Point::Unspecified, Empty::Counts) => Tri::Out,
        }
    }

    fn value(&self, ty: &Type, at: usize, value: &Json) -> Tri {
        if *value == Json::Null && ty.null {
            return Tri::In;
        }
        let Some(step) = self.steps.get(at) else { return (self.test)(ty, value) };
        let each = |t: &Type, items: &[Json]| {
            if items.is_empty() {
                let free = self.free.iter().any(|way| *way == self.steps[..at]);
                Tri::of(self.empty == Empty::Passes || free || admits_none(ty))
            } else {
                member::all(items.iter().map(|i| self.value(t, at + 1, i)))
            }
        };
        match (step, &ty.kind, value) {
            (Step::Each | Step::OneOrEach, Kind::List(t) | Kind::OneOrList(t), Json::List(items)) => each(t, items),
            (Step::OneOrEach, Kind::OneOrList(t), one) => self.value(t, at + 1, one),
            (Step::Keys, Kind::Map(_), Json::Obj(members)) => {
                let text = Type { kind: Kind::Text { by_pattern: true }, null: false, refinement: None };
                member::all(members.iter().map(|(k, _)| self.value(&text, at + 1, &Json::str(k))))
            }
            (Step::Values, Kind::Map(t), Json::Obj(members)) => {
                member::all(members.iter().map(|(_, v)| self.value(t, at + 1, v)))
            }
            (Step::Field(name), Kind::Record { members, rest: others }, Json::Obj(_)) => {
                match declared(members, others, name) {
                    Some(inner) => self.member(&inner, at + 1, &member::point(&inner, value.get(name))),
                    None => Tri::In,
                }
            }
            (Step::Alternative(index), Kind::Union(alternatives), v) => {
                match alternatives.iter().position(|a| well_formed(a, v)) {
                    Some(found) if found == *index as usize => self.value(&alternatives[found], at + 1, v),
                    Some(_) | None => Tri::In,
                }
            }
            (Step::Part(Part::Host), Kind::Url { bare }, Json::Str(s)) => match web::read_url(s, *bare) {
                web::UrlReading::Is(url) => {
                    web::host_of(&url).map_or(Tri::Out, |h| (self.test)(&host_type(), &Json::Str(host::text(&h))))
                }
                web::UrlReading::Ambiguous | web::UrlReading::Not => Tri::Ambiguous,
            },
            (Step::Part(Part::Host), Kind::Email, Json::Str(s)) => match web::read_email(s) {
                Some((_, Reading::Is(h))) => (self.test)(&host_type(), &Json::Str(host::text(&h))),
                Some((_, Reading::Ambiguous | Reading::Not)) | None => Tri::Ambiguous,
            },
            _ => Tri::In, // a value of another shape has nothing there
        }
    }
}

fn host_type() -> Type {
    Type { kind: Kind::Host, null: false, refinement: None }
}

/// Whether the type itself gives a size, and admits 0.
fn admits_none(ty: &Type) -> bool {
    fn sizes(set: &Set) -> Vec<bool> {
        match set {
            Set::Atom(Atom::Size(size)) => vec![member::in_size(size, 0)],
            Set::And(parts) | Set::Or(parts) => parts.iter().flat_map(sizes).collect(),
            Set::Any | Set::Never | Set::Not(_) | Set::Atom(_) => vec![],
        }
    }
    let sizes = ty.refinement.as_ref().map(sizes).unwrap_or_default();
    !sizes.is_empty() && sizes.into_iter().all(|s| s)
}

/// The canonical spelling of a governed string; other values as they are.
pub fn canonical(ty: &Type, value: &Json) -> Json {
    let Json::Str(s) = value else { return value.clone() };
    let spelled = match &ty.kind {
        Kind::Path { .. } => path::canonical(s),
        Kind::Host => {
            if let Reading::Is(h) = host::read(s) {
                Some(host::text(&h))
            } else {
                None
            }
        }
        Kind::Email => match web::read_email(s) {
            Some((local, Reading::Is(h))) => Some(format!("{local}@{}", host::text(&h))),
            Some((_, Reading::Ambiguous | Reading::Not)) | None => None,
        },
        Kind::Url { bare } if !*bare || web::has_scheme(s) => {
            if let web::UrlReading::Is(url) = web::read_url(s, *bare) {
                Some(url.to_string())
            } else {
                None
            }
        }
        _ => None, // no other kind has spellings
    };
    spelled.map_or_else(|| value.clone(), Json::Str)
}

/// The value with everything at the governed `locations` in canonical spelling, and governed defaults put in.
pub fn canonical_at(ty: &Type, value: &Json, here: &[Step], locations: &[Vec<Step>]) -> Json {
    let at = |step: Step| [here, &[step]].concat();
    let within = |t: &Type, v: &Json, step: Step| canonical_at(t, v, &at(step), locations);
    match (&ty.kind, value) {
        (Kind::List(t), Json::List(items)) => Json::List(items.iter().map(|i| within(t, i, Step::Each)).collect()),
        (Kind::OneOrList(t), Json::List(items)) => Json::List(items.iter().map(|i| within(t, i, Step::OneOrEach)).collect()),
        (Kind::OneOrList(t), one) => within(t, one, Step::OneOrEach),
        (Kind::Map(t), Json::Obj(members)) => {
            Json::Obj(members.iter().map(|(k, v)| (k.clone(), within(t, v, Step::Values))).collect())
        }
        (Kind::Record { members, rest }, Json::Obj(given)) => {
            let spelled = |(k, v): &(String, Json)| match declared(members, rest, k) {
                Some(m) => (k.clone(), within(&m.ty, v, Step::Field(m.name.clone()))),
                None => (k.clone(), v.clone()),
            };
            let mut all: Vec<(String, Json)> = given.iter().map(spelled).collect();
            for m in members.iter().filter(|m| value.get(&m.name).is_none()) {
                if let Presence::Defaulted(Default::Value(v)) = &m.presence
                    && is_governed(&at(Step::Field(m.name.clone())), locations)
                {
                    all.push((m.name.to_string(), Json::from(v)));
                }
            }
            Json::Obj(all)
        }
        (Kind::Union(alternatives), v) => match alternatives.iter().position(|a| well_formed(a, v)) {
            Some(i) => within(&alternatives[i], v, Step::Alternative(i as u32)),
            None => v.clone(),
        },
        (_, v) if is_governed(here, locations) => canonical(ty, v),
        (_, v) => v.clone(),
    }
}

/// Whether something speaks of the place, or of what it stands in.
fn is_governed(here: &[Step], locations: &[Vec<Step>]) -> bool {
    locations.iter().any(|location| here.starts_with(location))
}

/// A member name as a step of a JSON pointer.
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The value with every path that the host found put in its place.
pub fn resolve(ty: &Type, value: &Json, at: &str, found: &BTreeMap<String, String>) -> Json {
    let items = |t: &Type, items: &[Json]| {
        Json::List(items.iter().enumerate().map(|(i, v)| resolve(t, v, &format!("{at}/{i}"), found)).collect())
    };
    match (&ty.kind, value) {
        (Kind::Path { .. }, Json::Str(_)) => found.get(at).map_or_else(|| value.clone(), Json::str),
        (Kind::List(t) | Kind::OneOrList(t), Json::List(given)) => items(t, given),
        (Kind::OneOrList(t), one) => resolve(t, one, at, found),
        (Kind::Map(t), Json::Obj(given)) => {
            Json::Obj(given.iter().map(|(k, v)| (k.clone(), resolve(t, v, &format!("{at}/{}", escape(k)), found))).collect())
        }
        (Kind::Record { members, rest }, Json::Obj(given)) => {
            let resolved = |(k, v): &(String, Json)| match declared(members, rest, k) {
                Some(m) => (k.clone(), resolve(&m.ty, v, &format!("{at}/{}", escape(k)), found)),
                None => (k.clone(), v.clone()),
            };
            Json::Obj(given.iter().map(resolved).collect())
        }
        (Kind::Union(alternatives), v) => match alternatives.iter().find(|a| well_formed(a, v)) {
            Some(a) => resolve(a, v, at, found),
            None => v.clone(),
        },
        _ => value.clone(), // no path in it
    }
}

/// The pointers of the governed strings of the kinds that `wanted` picks.
pub fn pointers(
    ty: &Type,
    value: &Json,
    at: &str,
    here: &[Step],
    locations: &[Vec<Step>],
    wanted: &dyn Fn(&Kind) -> bool,
) -> Vec<(String, Json)> {
    let inner = |t: &Type, v: &Json, name: &str, step: Step| {
        pointers(t, v, &format!("{at}/{}", escape(name)), &[here, &[step]].concat(), locations, wanted)
    };
    match (&ty.kind, value) {
        (kind, Json::Str(_)) if wanted(kind) => {
            if is_governed(here, locations) {
                vec![(at.to_owned(), value.clone())]
            } else {
                vec![]
            }
        }
        (Kind::List(t), Json::List(items)) => {
            items.iter().enumerate().flat_map(|(i, v)| inner(t, v, &i.to_string(), Step::Each)).collect()
        }
        (Kind::OneOrList(t), Json::List(items)) => {
            items.iter().enumerate().flat_map(|(i, v)| inner(t, v, &i.to_string(), Step::OneOrEach)).collect()
        }
        (Kind::OneOrList(t), one) => pointers(t, one, at, &[here, &[Step::OneOrEach]].concat(), locations, wanted),
        (Kind::Map(t), Json::Obj(given)) => given.iter().flat_map(|(k, v)| inner(t, v, k, Step::Values)).collect(),
        (Kind::Record { members, rest }, Json::Obj(given)) => {
            let typed = given.iter().filter_map(|(k, v)| declared(members, rest, k).map(|m| (m, v)));
            typed.flat_map(|(m, v)| inner(&m.ty, v, &m.name, Step::Field(m.name.clone()))).collect()
        }
        (Kind::Union(alternatives), v) => match alternatives.iter().position(|a| well_formed(a, v)) {
            Some(i) => {
                pointers(&alternatives[i], v, at, &[here, &[Step::Alternative(i as u32)]].concat(), locations, wanted)
            }
            None => vec![],
        },
        _ => vec![], // nothing of that kind in it
    }
}
