//! Maps: sets over keys, values and sizes → cells. Keys are distinct, so a class of keys is as good as it has keys. Must not
//! know what keys and values mean.

use super::cells::{Atoms, Cell, Cells, Formula, clear_cells};
use super::list::{cell_of, cuts, with_null};
use super::weight::weight;
use super::{Atom, Bits, Bound, Set, Size, Type, Value, Work, text};
use std::collections::BTreeMap;

/// What one atom demands of each key, each value, and the number of members.
struct Demand {
    at: usize,
    keys: Set,
    values: Set,
    size: Size,
}

/// The vectors over `atoms` that some map to `value`s realises.
///
/// With n sets that speak of members, a map needs at most n members to refute all that it refutes; so maps of up to the
/// largest size named and n more realise everything, and as many keys of each class are enough.
pub(super) fn cells(value: &Type, atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let demands: Vec<Demand> = atoms.iter().enumerate().filter_map(|(at, atom)| demand(at, atom)).collect();
    let speaking = demands.iter().filter(|demand| demand.keys != Set::Any || demand.values != Set::Any).count();
    let named = demands.iter().flat_map(|demand| cuts(demand.size)).max().unwrap_or(0);
    let most = usize::try_from(named).unwrap_or(usize::MAX).saturating_add(speaking).saturating_add(2);
    let value_sets: Vec<&Set> = demands.iter().map(|demand| &demand.values).collect();
    let values = with_null(value, value_sets.len(), clear_cells(value, &value_sets, work)?);
    let classes = key_classes(&demands, most, work)?;
    let mut out = Cells::new();
    for (size, level) in (0_u64..).zip(levels(&classes, &values, demands.len(), most, work)?) {
        for (vector, run) in level {
            let vector = demands
                .iter()
                .enumerate()
                .filter(|(bit, demand)| vector.get(*bit) && demand.size.contains_length(size))
                .map(|(_, demand)| demand.at)
                .collect();
            let members = run.members.into_iter().map(|(key, value)| (key.into(), value.clone())).collect();
            out.offer_cell(cell_of(vector, Value::Object(members), run.single));
        }
    }
    Ok(out.into_vec())
}

fn demand(at: usize, atom: &Atom) -> Option<Demand> {
    let any = Size { low: 0, high: None };
    match atom {
        Atom::Keys(set) => Some(Demand { at, keys: (**set).clone(), values: Set::Any, size: any }),
        Atom::Values(set) => Some(Demand { at, keys: Set::Any, values: (**set).clone(), size: any }),
        Atom::Size(size) => Some(Demand { at, keys: Set::Any, values: Set::Any, size: *size }),
        _ => None, // atoms over other kinds hold of no map
    }
}

/// The keys of one vector: the lightest ones, as many as could be needed and one more.
struct Class {
    vector: Bits,
    keys: Vec<Box<str>>,
}

fn key_classes(demands: &[Demand], most: usize, work: &mut Work) -> Result<Vec<Class>, Bound> {
    let want = most.saturating_add(1);
    work.product(want.saturating_mul(want), "members of a map")?;
    let mut atoms = Atoms::default();
    let sets: Vec<Formula> = demands.iter().map(|demand| atoms.formula(&demand.keys)).collect();
    let mut classes: BTreeMap<Bits, Vec<Box<str>>> = BTreeMap::new();
    for (found, keys) in text::distinct(&atoms.list, want, work)? {
        let vector = sets.iter().enumerate().filter(|(_, set)| set.holds(&found)).map(|(bit, _)| bit).collect();
        classes.entry(vector).or_default().extend(keys.into_iter().map(Into::into));
    }
    Ok(classes
        .into_iter()
        .map(|(vector, mut keys)| {
            keys.sort_by_cached_key(|key| (key.chars().count(), key.clone()));
            keys.truncate(want);
            Class { vector, keys }
        })
        .collect())
}

/// The lightest so far of one vector and size.
#[derive(Clone)]
struct Run<'a> {
    weight: u64,
    members: Vec<(&'a str, &'a Value)>,
    single: bool,
}

type Level<'a> = BTreeMap<Bits, Run<'a>>;

/// For each number of members, the vectors of the maps of exactly so many.
fn levels<'a>(
    classes: &'a [Class],
    values: &'a [Cell],
    width: usize,
    most: usize,
    work: &mut Work,
) -> Result<Vec<Level<'a>>, Bound> {
    let empty = Run { weight: 0, members: Vec::new(), single: true };
    let mut levels: Vec<Level<'a>> = vec![BTreeMap::from([(Bits::full(width), empty)])];
    for class in classes {
        for key in &class.keys {
            let with = with_key(&levels, &class.vector, key, values, most, work)?;
            if levels.len() <= most {
                levels.push(Level::new());
            }
            for (level, longer) in levels.iter_mut().skip(1).zip(with) {
                longer.into_iter().for_each(|(vector, run)| better(level, vector, run));
            }
        }
    }
    Ok(levels)
}

/// The maps of the levels with one more key, by the level they came from.
fn with_key<'a>(
    levels: &[Level<'a>],
    class: &Bits,
    key: &'a str,
    values: &'a [Cell],
    most: usize,
    work: &mut Work,
) -> Result<Vec<Level<'a>>, Bound> {
    let key_weight = weight(&Value::Text(key.into()));
    let mut out = Vec::new();
    for level in levels.iter().take(most) {
        let mut longer = Level::new();
        for (vector, run) in level {
            for cell in values {
                work.product(longer.len(), "maps")?;
                let mut members = run.members.clone();
                members.push((key, &cell.witness));
                let weight = run.weight.saturating_add(key_weight).saturating_add(cell.weight).saturating_add(2);
                let single = run.single && cell.singleton;
                better(&mut longer, vector.and(class).and(&cell.vector), Run { weight, members, single });
            }
        }
        out.push(longer);
    }
    Ok(out)
}

fn better<'a>(level: &mut Level<'a>, vector: Bits, run: Run<'a>) {
    match level.entry(vector) {
        std::collections::btree_map::Entry::Vacant(place) => drop(place.insert(run)),
        std::collections::btree_map::Entry::Occupied(mut place) => {
            let kept = place.get_mut();
            if run.weight < kept.weight {
                *kept = run;
            }
            kept.single = false;
        }
    }
}
