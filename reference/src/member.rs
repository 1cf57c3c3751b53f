//! Does a value lie in a set? Atom by atom, as language.md 2 words it. `Ambiguous` is a third answer: a string that two
//! readers may read differently lies in no set and in no complement of one.

use crate::formed::well_formed;
use crate::host::{self, Reading};
use crate::json::Json;
use crate::path::{self, Case};
use crate::web::{self, UrlReading};
use crate::{pattern, time};
use bailiwick::domain::{
    Atom, Comparison, Default, Kind, Member, NumberKind, Part, Presence, Range, Rest, Set, Size, Slot, Type,
};
use std::cmp::Ordering;
use url::Host;

/// Three answers, best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tri {
    /// It does not.
    Out,
    /// Two readers may read it differently.
    Ambiguous,
    /// It does.
    In,
}

impl Tri {
    /// From a plain answer.
    pub fn of(holds: bool) -> Tri {
        if holds { Tri::In } else { Tri::Out }
    }

    fn not(self) -> Tri {
        match self {
            Tri::In => Tri::Out,
            Tri::Ambiguous => Tri::Ambiguous,
            Tri::Out => Tri::In,
        }
    }
}

/// All of them: the worst.
pub fn all(answers: impl IntoIterator<Item = Tri>) -> Tri {
    answers.into_iter().min().unwrap_or(Tri::In)
}

/// Any of them: the best.
fn any(answers: impl IntoIterator<Item = Tri>) -> Tri {
    answers.into_iter().max().unwrap_or(Tri::Out)
}

/// Who reads the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    /// Somebody exact.
    Exact,
    /// Somebody with doubles: every bound and value is rounded to the nearest one.
    Doubles,
}

/// Whether a set permits here or is taken away (`except`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// It permits.
    Permits,
    /// It is taken away.
    Excepts,
}

/// What a member or argument is in a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Point {
    /// A value; null where the type has it.
    Value(Json),
    /// Not there.
    Absent,
    /// Left to the provider.
    Unspecified,
}

/// The point that `given` is for `member`, with a literal default put in.
pub fn point(member: &Member, given: Option<&Json>) -> Point {
    match (given, &member.presence) {
        (Some(v), _) if member.wildcard && v.text() == Some("all") => Point::Unspecified,
        (Some(v), _) => Point::Value(v.clone()),
        (None, Presence::Defaulted(Default::Value(v))) => Point::Value(Json::from(v)),
        (None, Presence::Defaulted(Default::Unspecified)) => Point::Unspecified,
        (None, Presence::Required | Presence::Optional | Presence::OrAbsent) => Point::Absent,
    }
}

/// The member of this name; one that a record with typed others does not declare is one of theirs, and optional.
pub fn declared(members: &[Member], rest: &Rest, name: &str) -> Option<Member> {
    let other = |ty: &Type| Member { name: name.into(), ty: ty.clone(), presence: Presence::Optional, wildcard: false };
    members.iter().find(|m| *m.name == *name).cloned().or_else(|| match rest {
        Rest::Typed(ty) => Some(other(ty)),
        Rest::Closed | Rest::Open => None,
    })
}

/// What both readers of numbers make of it: what the second alone refuses is ambiguous.
pub fn both(test: impl Fn(World) -> Tri) -> Tri {
    match (test(World::Exact), test(World::Doubles)) {
        (Tri::In, Tri::In) => Tri::In,
        (Tri::In, Tri::Ambiguous | Tri::Out) => Tri::Ambiguous,
        (refused, _) => refused,
    }
}

/// Whether a point lies in a slot.
pub fn in_slot(member: &Member, slot: &Slot, point: &Point, world: World, polarity: Polarity) -> Tri {
    match point {
        Point::Absent => Tri::of(slot.absent),
        Point::Unspecified => Tri::of(crate::candidates::is_whole(&member.ty, &slot.values)),
        Point::Value(Json::Null) if member.ty.null => Tri::of(slot.null),
        Point::Value(v) => holds(&member.ty, &slot.values, v, world, polarity),
    }
}

/// Whether a well-formed value lies in a set.
pub fn holds(ty: &Type, set: &Set, value: &Json, world: World, polarity: Polarity) -> Tri {
    let part = |s: &Set| holds(ty, s, value, world, polarity);
    match set {
        Set::Any => Tri::In,
        Set::Never => Tri::Out,
        Set::Not(inner) => {
            let flipped = if polarity == Polarity::Permits { Polarity::Excepts } else { Polarity::Permits };
            holds(ty, inner, value, world, flipped).not()
        }
        Set::And(parts) => all(parts.iter().map(part)),
        Set::Or(parts) => any(parts.iter().map(part)),
        Set::Atom(atom) => in_atom(ty, atom, value, world, polarity),
    }
}

/// An element or member value; null names nothing, so it lies in every set.
fn element(ty: &Type, set: &Set, value: &Json, world: World, polarity: Polarity) -> Tri {
    if *value == Json::Null && ty.null { Tri::In } else { holds(ty, set, value, world, polarity) }
}

fn in_atom(ty: &Type, atom: &Atom, value: &Json, world: World, polarity: Polarity) -> Tri {
    match (&ty.kind, value) {
        (Kind::Bool | Kind::Enum(_) | Kind::Number(_) | Kind::Text { .. }, _) => {
            Tri::of(scalar(&ty.kind, atom, value, world))
        }
        (Kind::Host, Json::Str(s)) => match host::read(s) {
            Reading::Is(h) => Tri::of(in_host(atom, &h)),
            Reading::Ambiguous | Reading::Not => Tri::Ambiguous,
        },
        (Kind::Url { bare }, Json::Str(s)) => match web::read_url(s, *bare) {
            UrlReading::Is(url) => in_url(atom, &url, world, polarity),
            UrlReading::Ambiguous | UrlReading::Not => Tri::Ambiguous,
        },
        (Kind::Email, Json::Str(s)) => match web::read_email(s) {
            Some((local, Reading::Is(domain))) => in_email(atom, &local, &domain, world, polarity),
            Some((_, Reading::Ambiguous | Reading::Not)) | None => Tri::Ambiguous,
        },
        (Kind::Path { ignore_case }, Json::Str(s)) => {
            let case = if *ignore_case && polarity == Polarity::Excepts { Case::Ignored } else { Case::Exact };
            match (path::segments(s), atom) {
                (None, _) => Tri::Ambiguous,
                (Some(p), Atom::Path(glob)) => Tri::of(path::glob(glob, &p, case)),
                (Some(_), _) => Tri::Out, // no other atom speaks of paths
            }
        }
        (Kind::Ip, Json::Str(s)) => Tri::of(s.parse().is_ok_and(|a| in_ip(atom, a))),
        (Kind::Time(kind), Json::Str(s)) => match atom {
            Atom::Times(range) => {
                Tri::of(time::seconds(*kind, s).is_some_and(|at| in_range(range, |end| at.cmp(&crate::decimal(end)))))
            }
            _ => Tri::Out, // no other atom speaks of times
        },
        _ => composite(ty, atom, value, world, polarity),
    }
}

fn scalar(kind: &Kind, atom: &Atom, value: &Json, world: World) -> bool {
    match (atom, value) {
        (Atom::OneOf(values), Json::Num(n)) => values.iter().any(|w| match Json::from(w) {
            Json::Num(m) => compare(kind, n, &m, world) == Ordering::Equal,
            _ => false, // a literal of another JSON kind
        }),
        (Atom::OneOf(values), v) => values.iter().any(|w| Json::from(w) == *v),
        (Atom::Numbers(range), Json::Num(n)) => in_range(range, |end| compare(kind, n, &crate::decimal(end), world)),
        (Atom::Prefix(p), Json::Str(s)) => s.starts_with(&**p),
        (Atom::Suffix(p), Json::Str(s)) => s.ends_with(&**p),
        (Atom::Length(size), Json::Str(s)) => in_size(size, s.chars().count()),
        (Atom::Matches(p), Json::Str(s)) => pattern::matches(&p.tree, s),
        _ => false, // an atom of another kind does not hold
    }
}

fn compare(kind: &Kind, a: &crate::number::Num, b: &crate::number::Num, world: World) -> Ordering {
    match world {
        World::Doubles if *kind != Kind::Number(NumberKind::Int64) => a.double().total_cmp(&b.double()),
        World::Doubles | World::Exact => a.cmp(b),
    }
}

fn in_range<T>(range: &Range<T>, against: impl Fn(&T) -> Ordering) -> bool {
    let low = range.low.as_ref().is_none_or(|(end, kind)| match against(end) {
        Ordering::Greater => true,
        Ordering::Equal => *kind == Comparison::Inclusive,
        Ordering::Less => false,
    });
    let high = range.high.as_ref().is_none_or(|(end, kind)| match against(end) {
        Ordering::Less => true,
        Ordering::Equal => *kind == Comparison::Inclusive,
        Ordering::Greater => false,
    });
    low && high
}

/// Whether a count lies in a size.
pub fn in_size(size: &Size, count: usize) -> bool {
    count as u64 >= size.low && size.high.is_none_or(|h| count as u64 <= h)
}

fn in_host(atom: &Atom, h: &Host<String>) -> bool {
    match atom {
        Atom::Host(p) => host::pattern(p, h),
        Atom::Class(class) => host::class(h) == *class,
        Atom::Cidr(block) => match h {
            Host::Ipv4(v4) => host::cidr(block, (*v4).into()),
            Host::Ipv6(v6) => host::cidr(block, (*v6).into()),
            Host::Domain(_) => false,
        },
        _ => false, // an atom of another kind does not hold
    }
}

fn in_ip(atom: &Atom, address: std::net::IpAddr) -> bool {
    match atom {
        Atom::Class(class) => host::address_class(address) == *class,
        Atom::Cidr(block) => host::cidr(block, address),
        _ => false, // an atom of another kind does not hold
    }
}

/// The set over hosts, of a host already read.
pub fn holds_host(set: &Set, h: &Host<String>) -> bool {
    match set {
        Set::Any => true,
        Set::Never => false,
        Set::Not(inner) => !holds_host(inner, h),
        Set::And(parts) => parts.iter().all(|s| holds_host(s, h)),
        Set::Or(parts) => parts.iter().any(|s| holds_host(s, h)),
        Set::Atom(atom) => in_host(atom, h),
    }
}

fn plain(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

fn in_url(atom: &Atom, url: &url::Url, world: World, polarity: Polarity) -> Tri {
    match atom {
        Atom::Url(p) => Tri::of(web::url_pattern(p, url)),
        Atom::Part(Part::Scheme, set) => {
            holds(&plain(Kind::Text { by_pattern: true }), set, &Json::str(url.scheme()), world, polarity)
        }
        Atom::Part(Part::Host, set) => Tri::of(web::host_of(url).is_some_and(|h| holds_host(set, &h))),
        Atom::Part(Part::Port, set) => url.port_or_known_default().map_or(Tri::Out, |port| {
            holds(&plain(Kind::Number(NumberKind::Int)), set, &Json::num(&port.to_string()), world, polarity)
        }),
        Atom::Part(Part::Path, set) => {
            holds(&plain(Kind::Path { ignore_case: false }), set, &Json::str(url.path()), world, polarity)
        }
        _ => Tri::Out, // an atom of another kind does not hold
    }
}

fn in_email(atom: &Atom, local: &str, domain: &Host<String>, world: World, polarity: Polarity) -> Tri {
    match atom {
        Atom::Email(p) => Tri::of(web::email_pattern(p, local, domain)),
        Atom::Part(Part::Local, set) => {
            holds(&plain(Kind::Text { by_pattern: true }), set, &Json::str(local), world, polarity)
        }
        Atom::Part(Part::Host, set) => Tri::of(holds_host(set, domain)),
        _ => Tri::Out, // an atom of another kind does not hold
    }
}

fn composite(ty: &Type, atom: &Atom, value: &Json, world: World, polarity: Polarity) -> Tri {
    let each = |ty: &Type, set: &Set, items: &[Json]| all(items.iter().map(|i| element(ty, set, i, world, polarity)));
    let text = plain(Kind::Text { by_pattern: true });
    match (&ty.kind, atom, value) {
        (Kind::List(t), Atom::Each(set), Json::List(items)) => each(t, set, items),
        (Kind::OneOrList(t), Atom::OneOrEach(set, size), Json::List(items)) => {
            all([Tri::of(in_size(size, items.len())), each(t, set, items)])
        }
        (Kind::OneOrList(t), Atom::OneOrEach(set, _), one) => element(t, set, one, world, polarity),
        (Kind::List(_) | Kind::Argv | Kind::OneOrList(_), Atom::Size(size), Json::List(items)) => {
            Tri::of(in_size(size, items.len()))
        }
        (Kind::Map(_), Atom::Size(size), Json::Obj(members)) => Tri::of(in_size(size, members.len())),
        (Kind::Map(_), Atom::Keys(set), Json::Obj(members)) => {
            all(members.iter().map(|(k, _)| holds(&text, set, &Json::str(k), world, polarity)))
        }
        (Kind::Map(t), Atom::Values(set), Json::Obj(members)) => {
            all(members.iter().map(|(_, v)| element(t, set, v, world, polarity)))
        }
        (Kind::Argv, Atom::Argv(heads, tail), Json::List(items)) => {
            let fits = items.len() == heads.len() || (items.len() > heads.len() && tail.is_some());
            let sets = heads.iter().chain(std::iter::repeat_with(|| tail.as_deref().unwrap_or(&Set::Never)));
            all([Tri::of(fits)].into_iter().chain(items.iter().zip(sets).map(|(i, s)| holds(&text, s, i, world, polarity))))
        }
        (Kind::Record { members, rest }, Atom::Field(name, slot), Json::Obj(_)) => match declared(members, rest, name) {
            Some(member) => in_slot(&member, slot, &point(&member, value.get(name)), world, polarity),
            None => Tri::Out,
        },
        (Kind::Union(alternatives), Atom::Alternative(index, set), v) => {
            match alternatives.iter().position(|a| well_formed(a, v)) {
                Some(found) if found == *index as usize => holds(&alternatives[found], set, v, world, polarity),
                Some(_) | None => Tri::Out,
            }
        }
        _ => Tri::Out, // an atom of another kind does not hold
    }
}
