//! Sets over a type → values worth trying: every literal, endpoint and neighbour, instances of every pattern, and some that
//! nothing speaks of.
//!
//! It is a search and no proof: a set that is satisfied only by a value which none of its atoms hints at (say, the meet of
//! three unrelated patterns) would be missed. The generated policies hold no such set, and the worlds written by hand none
//! either; where a composite is tried, its parts are first reduced to one per answer that the sets in play give on them, so
//! combinations are exhausted.

mod strings;

use crate::formed::well_formed;
use crate::json::Json;
use crate::member::{self, Point, Polarity, Tri, World};
use crate::number::Num;
use crate::time;
use bailiwick::domain::{Atom, Default, Kind, Member, Presence, Rest, Set, Size, Slot, Type};
use std::collections::BTreeSet;

/// Longest list of candidates for one type.
const MANY: usize = 600;

/// Values of `ty` (well-formed, null aside) worth trying where `sets` are in play.
pub fn candidates(ty: &Type, sets: &[&Set]) -> Vec<Json> {
    let mut all_sets = sets.to_vec();
    all_sets.extend(ty.refinement.as_ref());
    let mut atoms = Vec::new();
    all_sets.iter().for_each(|s| gather(s, &mut atoms));
    let mut found = of_kind(&ty.kind, &atoms);
    distinct(&mut found);
    found.retain(|v| well_formed(ty, v));
    found.truncate(MANY);
    found
}

/// Of the candidates, one for each combination of answers that `sets` give.
pub fn representatives(ty: &Type, sets: &[&Set]) -> Vec<Json> {
    let mut seen = BTreeSet::new();
    let answers = |v: &Json| -> Vec<(Tri, Tri)> {
        let ask = |s: &&Set, world| member::holds(ty, s, v, world, Polarity::Permits);
        sets.iter().flat_map(|s| parts_of(s)).map(|s| (ask(&s, World::Exact), ask(&s, World::Doubles))).collect()
    };
    // An empty list satisfies every set over elements, and yet no limit on them: it stands for no other.
    let none = |v: &Json| *v == Json::List(vec![]);
    candidates(ty, sets).into_iter().filter(|v| seen.insert((none(v), answers(v)))).collect()
}

/// Whether no value of `ty` lies outside `set`.
pub fn is_whole(ty: &Type, set: &Set) -> bool {
    let inside = |v: &Json| member::holds(ty, set, v, World::Exact, Polarity::Permits) == Tri::In;
    *set == Set::Any || candidates(ty, &[set]).iter().all(inside)
}

/// The points of `member` worth trying where `slots` are in play: one per combination of answers.
pub fn points(member: &Member, slots: &[&Slot]) -> Vec<Point> {
    let sets: Vec<&Set> = slots.iter().map(|s| &s.values).collect();
    let mut points: Vec<Point> = representatives(&member.ty, &sets).into_iter().map(Point::Value).collect();
    if member.ty.null {
        points.push(Point::Value(Json::Null));
    }
    match &member.presence {
        Presence::Optional | Presence::OrAbsent => points.push(Point::Absent),
        Presence::Defaulted(Default::Unspecified) => points.push(Point::Unspecified),
        Presence::Required | Presence::Defaulted(Default::Value(_)) => {}
    }
    if member.wildcard && !points.contains(&Point::Unspecified) {
        points.push(Point::Unspecified);
    }
    points
}

fn gather<'a>(set: &'a Set, atoms: &mut Vec<&'a Atom>) {
    match set {
        Set::Any | Set::Never => {}
        Set::Atom(atom) => atoms.push(atom),
        Set::Not(inner) => gather(inner, atoms),
        Set::And(parts) | Set::Or(parts) => parts.iter().for_each(|p| gather(p, atoms)),
    }
}

/// A set and the sets it is combined of.
fn parts_of(set: &Set) -> Vec<&Set> {
    let mut all = vec![set];
    match set {
        Set::Any | Set::Never | Set::Atom(_) => {}
        Set::Not(inner) => all.extend(parts_of(inner)),
        Set::And(parts) | Set::Or(parts) => parts.iter().for_each(|p| all.extend(parts_of(p))),
    }
    all
}

fn distinct(values: &mut Vec<Json>) {
    let mut seen = BTreeSet::new();
    values.retain(|v| seen.insert(v.canonical()));
}

fn of_kind(kind: &Kind, atoms: &[&Atom]) -> Vec<Json> {
    match kind {
        Kind::Bool => vec![Json::Bool(true), Json::Bool(false)],
        Kind::Enum(values) => values.iter().map(Json::from).collect(),
        Kind::Number(_) => numbers(atoms),
        Kind::Text { .. } => strings::texts(atoms),
        Kind::Host => strings::hosts(atoms),
        Kind::Url { bare } => strings::urls(atoms, *bare),
        Kind::Path { .. } => strings::paths(atoms),
        Kind::Email => strings::emails(atoms),
        Kind::Ip => strings::addresses(atoms),
        Kind::Time(kind) => times(*kind, atoms),
        Kind::OpaqueText => vec![Json::str("x"), Json::str("")],
        Kind::OpaqueJson => vec![Json::str("x"), Json::Null, Json::List(vec![])],
        Kind::List(t) => lists(t, atoms),
        Kind::OneOrList(t) => {
            let mut values = lists(t, atoms);
            values.extend(representatives(t, &elements_of(atoms)));
            values
        }
        Kind::Argv => argvs(atoms),
        Kind::Map(t) => maps(t, atoms),
        Kind::Record { members, rest } => records(members, rest, atoms),
        Kind::Union(alternatives) => unions(alternatives, atoms),
    }
}

fn numbers(atoms: &[&Atom]) -> Vec<Json> {
    let mut ends: Vec<Num> = vec![Num::new(false, "", 0)];
    for atom in atoms {
        match atom {
            Atom::OneOf(values) => {
                ends.extend(values.iter().filter_map(|v| if let Json::Num(n) = Json::from(v) { Some(n) } else { None }))
            }
            Atom::Numbers(range) => {
                ends.extend([&range.low, &range.high].into_iter().flatten().map(|(n, _)| crate::decimal(n)))
            }
            _ => {} // speaks of something else
        }
    }
    let steps = [
        "0",
        "1",
        "-1",
        "0.5",
        "-0.5",
        "0.01",
        "-0.01",
        "0.001",
        "-0.001",
        "0.00000000000000001",
        "-0.00000000000000001",
        "7",
        "-7",
        "1000",
        "-1000",
    ];
    let step = |s: &&str| Num::read(s).expect("a number");
    ends.iter().flat_map(|e| steps.iter().filter_map(|s| e.plus(&step(s))).chain([e.clone()])).map(Json::Num).collect()
}

fn times(kind: bailiwick::domain::TimeKind, atoms: &[&Atom]) -> Vec<Json> {
    let mut ends = vec![0, 1_796_000_000];
    for atom in atoms {
        if let Atom::Times(range) = atom {
            let both = [&range.low, &range.high];
            let seconds = both
                .into_iter()
                .flatten()
                .filter_map(|(n, _)| n.to_string().split('.').next().and_then(|s| s.parse::<i64>().ok()));
            ends.extend(seconds);
        }
    }
    let around = |e: &i64| [0, -1, 1, -86_400, 86_400, 3600, -3600].map(|d| e + d);
    ends.iter().flat_map(around).map(|at| Json::Str(time::text(kind, at))).collect()
}

fn elements_of<'a>(atoms: &[&'a Atom]) -> Vec<&'a Set> {
    atoms.iter().filter_map(|a| if let Atom::Each(s) | Atom::OneOrEach(s, _) = a { Some(&**s) } else { None }).collect()
}

/// The counts at which an answer can change.
fn counts(atoms: &[&Atom]) -> Vec<usize> {
    let mut counts = vec![0, 1, 2];
    for atom in atoms {
        if let Atom::Size(Size { low, high }) | Atom::OneOrEach(_, Size { low, high }) = atom {
            let ends = [Some(*low), *high];
            counts.extend(
                ends.into_iter()
                    .flatten()
                    .flat_map(|n| [n.saturating_sub(1), n, n + 1])
                    .filter(|n| *n < 40)
                    .map(|n| n as usize),
            );
        }
    }
    counts.sort_unstable();
    counts.dedup();
    counts
}

fn lists(element: &Type, atoms: &[&Atom]) -> Vec<Json> {
    let mut ones = representatives(element, &elements_of(atoms));
    if element.null {
        ones.push(Json::Null);
    }
    // Those that most sets hold come first, so that none that all hold is cut off.
    let refused = |v: &Json| {
        let holds = |s: &&&Set| member::holds(element, s, v, World::Exact, Polarity::Permits) != Tri::In;
        elements_of(atoms).iter().filter(holds).count()
    };
    ones.sort_by_cached_key(refused);
    ones.truncate(12);
    let mut lists = vec![Json::List(vec![])];
    for count in counts(atoms) {
        for a in &ones {
            lists.push(Json::List(vec![a.clone(); count]));
            for b in ones.iter().filter(|b| *b != a && count >= 2) {
                let mut items = vec![a.clone(); count];
                items[count - 1] = b.clone();
                lists.push(Json::List(items));
            }
        }
    }
    lists
}

fn argvs(atoms: &[&Atom]) -> Vec<Json> {
    let text = Type { kind: Kind::Text { by_pattern: true }, null: false, refinement: None };
    let mut vectors = vec![vec![], vec![Json::str("zz")]];
    let at = |atom: &Atom, i: usize| -> Vec<Json> {
        let Atom::Argv(heads, tail) = atom else { return vec![] };
        let all: Vec<&Set> = heads.iter().chain(tail.as_deref()).collect();
        heads.get(i).or(tail.as_deref()).map_or(vec![Json::str("zz")], |s| {
            let mut found = representatives(&text, &all);
            found.retain(|v| member::holds(&text, s, v, World::Exact, Polarity::Permits) == Tri::In);
            found.truncate(3);
            found
        })
    };
    for atom in atoms {
        let Atom::Argv(heads, _) = atom else { continue };
        for length in heads.len().saturating_sub(1)..=heads.len() + 2 {
            let mut rows: Vec<Vec<Json>> = vec![vec![]];
            for i in 0..length {
                let mut next: Vec<Json> = at(atom, i);
                next.push(Json::str("zz"));
                rows = rows
                    .iter()
                    .flat_map(|r| next.iter().map(move |n| [r.as_slice(), std::slice::from_ref(n)].concat()))
                    .take(80)
                    .collect();
            }
            vectors.extend(rows);
        }
    }
    vectors.into_iter().map(Json::List).collect()
}

fn maps(value: &Type, atoms: &[&Atom]) -> Vec<Json> {
    let text = Type { kind: Kind::Text { by_pattern: true }, null: false, refinement: None };
    let pick = |keys: bool| -> Vec<&Set> {
        let chosen = |a: &&Atom| matches!((a, keys), (Atom::Keys(_), true) | (Atom::Values(_), false));
        atoms
            .iter()
            .filter(|a| chosen(a))
            .filter_map(|a| if let Atom::Keys(s) | Atom::Values(s) = a { Some(&**s) } else { None })
            .collect()
    };
    let mut keys = candidates(&text, &pick(true));
    keys.truncate(24);
    let values = representatives(value, &pick(false));
    let mut maps = vec![Json::Obj(vec![])];
    let member = |k: &Json, v: &Json| (k.text().unwrap_or("").to_owned(), v.clone());
    for v in values.iter().take(8) {
        maps.extend(keys.iter().map(|k| Json::Obj(vec![member(k, v)])));
        for count in counts(atoms).into_iter().filter(|n| *n >= 2 && *n <= keys.len()) {
            maps.push(Json::Obj(keys.iter().take(count).map(|k| member(k, v)).collect()));
            if let Some(w) = values.iter().find(|w| *w != v) {
                maps.push(Json::Obj(
                    keys.iter().take(count).enumerate().map(|(i, k)| member(k, if i == 0 { w } else { v })).collect(),
                ));
            }
        }
    }
    maps
}

fn records(members: &[Member], rest: &Rest, atoms: &[&Atom]) -> Vec<Json> {
    let mut rows: Vec<Vec<(String, Json)>> = vec![vec![]];
    let mut all = members.to_vec();
    for atom in atoms {
        let Atom::Field(name, _) = atom else { continue };
        if all.iter().all(|m| m.name != *name) {
            all.extend(member::declared(members, rest, name));
        }
    }
    for m in &all {
        let slots: Vec<&Slot> = atoms
            .iter()
            .filter_map(|a| if let Atom::Field(name, slot) = a { (*name == m.name).then_some(&**slot) } else { None })
            .collect();
        let mut choices: Vec<Option<Json>> = points(m, &slots)
            .into_iter()
            .map(|p| match p {
                Point::Value(v) => Some(v),
                Point::Absent | Point::Unspecified => None,
            })
            .collect();
        if slots.is_empty() {
            choices.truncate(2);
        }
        if m.presence != Presence::Required && !choices.contains(&None) {
            choices.push(None);
        }
        let with = |row: &Vec<(String, Json)>, c: &Option<Json>| {
            let mut row = row.clone();
            row.extend(c.clone().map(|v| (m.name.to_string(), v)));
            row
        };
        rows = rows.iter().flat_map(|r| choices.iter().map(move |c| with(r, c))).take(3000).collect();
    }
    if *rest != Rest::Closed {
        let extra: Vec<_> =
            rows.iter().take(4).map(|r| [r.as_slice(), &[("zz".to_owned(), Json::str("x"))]].concat()).collect();
        rows.extend(extra);
    }
    rows.into_iter().map(Json::Obj).collect()
}

fn unions(alternatives: &[Type], atoms: &[&Atom]) -> Vec<Json> {
    let mut values = Vec::new();
    for (i, alternative) in alternatives.iter().enumerate() {
        let sets: Vec<&Set> = atoms
            .iter()
            .filter_map(|a| if let Atom::Alternative(n, s) = a { (*n as usize == i).then_some(&**s) } else { None })
            .collect();
        values.extend(representatives(alternative, &sets));
    }
    values
}
