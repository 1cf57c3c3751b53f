//! Cells of hosts, addresses, URLs, emails and composites against enumeration: no vector missed, none invented, no lighter
//! witness in the universe, no wrong singleton.

use super::*;
use std::collections::BTreeMap;

/// A small generator of its own (splitmix64), so that a seed means the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }
}

/// More than in the ordinary run in the proportion in which `BAILIWICK_CASES` exceeds 100,000.
fn rounds(ordinary: usize) -> usize {
    let asked: usize = std::env::var("BAILIWICK_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    ordinary * asked.max(100_000) / 100_000
}

fn ty(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn int(n: i64) -> Value {
    Value::Number(Decimal::from_i64(n))
}

fn one_of(values: &[Value]) -> Set {
    let mut values = values.to_vec();
    values.sort_by_cached_key(compact);
    values.dedup();
    Set::Atom(Atom::OneOf(values))
}

/// Combines what `atom` makes, at most `depth` deep.
fn combined(random: &mut Random, depth: usize, atom: &dyn Fn(&mut Random) -> Set) -> Set {
    if depth == 0 || random.below(100) < 45 {
        return atom(random);
    }
    match random.below(4) {
        0 => Set::Not(Box::new(combined(random, depth - 1, atom))),
        1 => Set::And(vec![combined(random, depth - 1, atom), combined(random, depth - 1, atom)]),
        _ => Set::Or(vec![combined(random, depth - 1, atom), combined(random, depth - 1, atom)]),
    }
}

/// The check. The universe holds one spelling of each value.
fn check_cells(name: &str, ty: &Type, universe: &[Value], cases: usize, atom: &dyn Fn(&mut Random) -> Set) {
    let mut random = Random(name.bytes().map(u64::from).sum());
    for value in universe {
        assert_eq!(well_formed(ty, value), Ok(()), "{name}: {}", compact(value));
    }
    for _ in 0..rounds(cases) {
        let sets: Vec<Set> = (0..random.below(4) + 1).map(|_| combined(&mut random, 1, atom)).collect();
        check_case(name, ty, universe, &sets);
    }
}

fn check_case(name: &str, ty: &Type, universe: &[Value], sets: &[Set]) {
    let mut work = Work::new();
    let found = cells(ty, &sets.iter().collect::<Vec<_>>(), &mut work).unwrap();
    let matchers: Vec<Matcher> = sets.iter().map(|set| Matcher::compile(ty, set, &mut work).unwrap()).collect();
    let vector = |value: &Value| -> Bits {
        matchers.iter().enumerate().filter(|(_, m)| m.test_exactly(value).is_in()).map(|(index, _)| index).collect()
    };
    for cell in &found {
        assert_eq!(well_formed(ty, &cell.witness), Ok(()), "{name}: {}", compact(&cell.witness));
        assert_eq!(vector(&cell.witness), cell.vector, "{name}: {} over {sets:?}", compact(&cell.witness));
        assert_eq!(weight(&cell.witness), cell.weight, "{name}: {}", compact(&cell.witness));
    }
    let mut seen: BTreeMap<Bits, (usize, u64, &Value)> = BTreeMap::new();
    for value in universe {
        let (count, lightest, which) = seen.entry(vector(value)).or_insert((0, u64::MAX, value));
        *count += 1;
        if weight(value) < *lightest {
            (*lightest, *which) = (weight(value), value);
        }
    }
    for (bits, (count, lightest, which)) in seen {
        let cell = found.iter().find(|cell| cell.vector == bits);
        let cell = cell.unwrap_or_else(|| panic!("{name}: missed {} over {sets:?}", compact(which)));
        assert!(
            cell.weight <= lightest,
            "{name}: {} is lighter than {} over {sets:?}",
            compact(which),
            compact(&cell.witness)
        );
        assert!(!(cell.singleton && count > 1), "{name}: {} is not the only one over {sets:?}", compact(&cell.witness));
    }
}

/// All sequences of up to `longest` of the items.
fn sequences(items: &[Value], longest: usize) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        last =
            last.iter().flat_map(|head| items.iter().map(move |item| [head.clone(), vec![item.clone()]].concat())).collect();
        all.extend(last.clone());
    }
    all
}

fn size(random: &mut Random) -> Size {
    let low = random.below(3) as u64;
    Size { low, high: (random.below(2) == 0).then(|| low + random.below(3) as u64) }
}

fn letters() -> Type {
    ty(Kind::Enum(["p", "q", "r"].map(text).to_vec()))
}

fn some_letters(random: &mut Random) -> Set {
    let values: Vec<Value> = ["p", "q", "r"].iter().filter(|_| random.below(2) == 0).map(|v| text(v)).collect();
    one_of(&values)
}

fn some_numbers(random: &mut Random) -> Set {
    let low = random.below(4) as i64 - 1;
    let end = |n: i64| Some((Decimal::from_i64(n), Comparison::Inclusive));
    match random.below(3) {
        0 => one_of(&[int(low), int(low + 2)]),
        1 => Set::Atom(Atom::Numbers(Range { low: end(low), high: None })),
        _ => Set::Atom(Atom::Numbers(Range { low: end(low), high: end(low + random.below(3) as i64) })),
    }
}

fn boxed(set: Set) -> Box<Set> {
    Box::new(set)
}

fn hosts() -> Vec<Value> {
    let mut hosts: Vec<String> = ["a", "b", "c", "local", "localhost"].map(String::from).to_vec();
    for _ in 0..2 {
        let longer: Vec<String> =
            hosts.iter().flat_map(|top| ["a", "b", "c"].map(|label| format!("{label}.{top}"))).collect();
        hosts.extend(longer);
    }
    hosts.sort();
    hosts.dedup();
    let addresses = [
        "127.0.0.1",
        "10.0.0.1",
        "10.0.0.2",
        "169.254.1.1",
        "8.8.8.8",
        "8.8.4.4",
        "[::1]",
        "[fe80::1]",
        "[fd00::1]",
        "[2606:4700::1]",
        "192.168.0.1",
        "11.0.0.0",
        "0.0.0.0",
        "1.0.0.0",
    ];
    hosts.iter().map(String::as_str).chain(addresses).map(text).collect()
}

fn some_host(random: &mut Random) -> Set {
    let patterns = [
        "a",
        "*.a",
        "b.a",
        "*.b.a",
        "a.b",
        "*.b",
        "b",
        "*.c.b.a",
        "10.0.0.1",
        "[::1]",
        "*.a.localhost",
        "8.8.8.8",
        "x.local",
    ];
    let classes = [Class::Loopback, Class::Private, Class::LinkLocal, Class::Public];
    if random.below(4) == 0 {
        Set::Atom(Atom::Class(random.pick(&classes)))
    } else {
        Set::Atom(Atom::Host(random.pick(&patterns).into()))
    }
}

#[test]
fn hosts_and_addresses() {
    check_cells("host", &ty(Kind::Host), &hosts(), 150, &some_host);
    let addresses = ["127.0.0.1", "10.0.0.1", "10.0.0.2", "10.1.0.0", "8.8.8.8", "::1", "fe80::1", "2001:db8::1", "2606::"];
    let blocks =
        ["10.0.0.0/8", "10.0.0.0/31", "10.0.0.1/32", "0.0.0.0/0", "::/0", "2001:db8::/32", "fe80::/10", "8.0.0.0/5"];
    check_cells("ip", &ty(Kind::Ip), &addresses.map(text), 150, &|random| match random.below(4) {
        0 => Set::Atom(Atom::Class(random.pick(&[Class::Loopback, Class::Private, Class::LinkLocal, Class::Public]))),
        _ => Set::Atom(Atom::Cidr(random.pick(&blocks).into())),
    });
}

#[test]
fn emails() {
    let locals = ["a", "b", "c.d", "A"];
    let domains = ["a", "b", "b.a", "c.b.a", "c.a", "10.0.0.1"];
    let universe: Vec<Value> =
        locals.iter().flat_map(|local| domains.map(|domain| text(&format!("{local}@{domain}")))).collect();
    let patterns = ["a@a", "*@a", "*@*.a", "b@*.a", "c.d@b.a", "*@b", "a@10.0.0.1"];
    check_cells("email", &ty(Kind::Email), &universe, 300, &|random| match random.below(4) {
        0 => Set::Atom(Atom::Part(Part::Host, boxed(some_host(random)))),
        1 => Set::Atom(Atom::Part(Part::Local, boxed(Set::Atom(Atom::Prefix((random.pick(&["a", "c", "c."])).into()))))),
        _ => Set::Atom(Atom::Email(random.pick(&patterns).into())),
    });
}

#[test]
fn urls() {
    let mut universe = Vec::new();
    for scheme in ["https", "http", "s3"] {
        for host in ["a", "z", "z.a", "b.a", "z.b.a", "127.0.0.1", "[::1]"] {
            for port in ["", ":8080", ":443"] {
                for path in ["/", "/a", "/z", "/a/", "/a/b", "/a/z/b", "/z//z"] {
                    universe.push(text(&format!("{scheme}://{host}{port}{path}")));
                }
            }
        }
    }
    let patterns = [
        "https://a/",
        "https://*.a/**",
        "https://*.a/a/**",
        "http://b.a/*",
        "s3://a/**",
        "https://a:8080/**",
        "https://z/a*/**",
        "http://127.0.0.1/**",
        "https://*.b.a/**/b",
        "http://a:443/a",
    ];
    check_cells("url", &ty(Kind::Url { bare: false }), &universe, 40, &|random| match random.below(8) {
        0 => Set::Atom(Atom::Part(Part::Host, boxed(some_host(random)))),
        1 => Set::Atom(Atom::Part(Part::Port, boxed(one_of(&[int(443), int(random.pick(&[80, 8080]))])))),
        2 => Set::Atom(Atom::Part(Part::Scheme, boxed(one_of(&[text(random.pick(&["https", "s3", "ftp"]))])))),
        3 => Set::Atom(Atom::Part(Part::Path, boxed(Set::Atom(Atom::Path(random.pick(&["/a/**", "/*", "/**/b"]).into()))))),
        _ => Set::Atom(Atom::Url(random.pick(&patterns).into())),
    });
}

fn each_or_size(random: &mut Random, element: &dyn Fn(&mut Random) -> Set) -> Set {
    let sized = Set::Atom(Atom::Size(size(random)));
    match random.below(4) {
        0 => sized,
        1 => Set::Atom(Atom::Each(boxed(element(random)))),
        _ => Set::And(vec![Set::Atom(Atom::Each(boxed(element(random)))), sized]),
    }
}

#[test]
fn lists() {
    let of_letters: Vec<Value> = sequences(&["p", "q", "r"].map(text), 5).into_iter().map(Value::List).collect();
    check_cells("list", &ty(Kind::List(Box::new(letters()))), &of_letters, 200, &|random| {
        each_or_size(random, &some_letters)
    });
    let numbers: Vec<Value> = (-2..6).map(int).collect();
    let of_numbers: Vec<Value> = sequences(&numbers, 3).into_iter().map(Value::List).collect();
    let ints = ty(Kind::Number(NumberKind::Int));
    check_cells("list of int", &ty(Kind::List(Box::new(ints))), &of_numbers, 200, &|random| {
        each_or_size(random, &some_numbers)
    });
}

#[test]
fn a_list_that_its_type_bounds_need_not_be_written_out_beyond() {
    let bounded = Set::Atom(Atom::Size(Size { low: 1, high: Some(1_000_000) }));
    let list = Type { refinement: Some(bounded), ..ty(Kind::List(Box::new(letters()))) };
    let each = Set::Atom(Atom::Each(boxed(one_of(&[text("p")]))));
    let found = cells(&list, &[&each], &mut Work::new()).unwrap();
    assert_eq!(found.iter().map(|cell| compact(&cell.witness)).collect::<Vec<_>>(), ["[\"q\"]", "[\"p\"]"]);
    let at_most_two = Type { refinement: Some(Set::Atom(Atom::Size(Size { low: 1, high: Some(1) }))), ..list };
    let only = permitted(&at_most_two, &each, &mut Work::new()).unwrap().unwrap();
    assert!(only.singleton);
}

#[test]
fn lists_of_what_may_be_null() {
    let or_null = Type { null: true, ..letters() };
    let items = [text("p"), text("q"), text("r"), Value::Null];
    let universe: Vec<Value> = sequences(&items, 4).into_iter().map(Value::List).collect();
    check_cells("list or null", &ty(Kind::List(Box::new(or_null))), &universe, 200, &|random| {
        each_or_size(random, &some_letters)
    });
}

#[test]
fn one_or_list() {
    let mut universe: Vec<Value> = sequences(&["p", "q", "r"].map(text), 4).into_iter().map(Value::List).collect();
    universe.extend(["p", "q", "r"].map(text));
    check_cells("or list", &ty(Kind::OneOrList(Box::new(letters()))), &universe, 200, &|random| {
        Set::Atom(Atom::OneOrEach(boxed(some_letters(random)), size(random)))
    });
}

#[test]
fn argument_vectors() {
    let universe: Vec<Value> = sequences(&["p", "q", "r"].map(text), 5).into_iter().map(Value::List).collect();
    check_cells("argv", &ty(Kind::Argv), &universe, 150, &|random| {
        let heads = (0..random.below(3)).map(|_| some_letters(random)).collect();
        let tail = match random.below(3) {
            0 => None,
            1 => Some(boxed(Set::Any)),
            _ => Some(boxed(some_letters(random))),
        };
        if random.below(5) == 0 { Set::Atom(Atom::Size(size(random))) } else { Set::Atom(Atom::Argv(heads, tail)) }
    });
}

fn maps(keys: &[&str], values: &[Value], most: usize) -> Vec<Value> {
    let mut all: Vec<Vec<(Box<str>, Value)>> = vec![Vec::new()];
    for key in keys {
        let longer: Vec<_> = all
            .iter()
            .filter(|members| members.len() < most)
            .flat_map(|members| values.iter().map(move |v| [members.clone(), vec![((*key).into(), v.clone())]].concat()))
            .collect();
        all.extend(longer);
    }
    all.into_iter().map(Value::Object).collect()
}

#[test]
fn maps_have_distinct_keys() {
    let universe = maps(&["", "a", "b", "z", "aa", "ab"], &["p", "q", "r"].map(text), 3);
    let keys = [
        one_of(&[text("a")]),
        one_of(&[text("a"), text("b")]),
        Set::Atom(Atom::Prefix("a".into())),
        Set::Atom(Atom::Length(Size { low: 1, high: Some(1) })),
    ];
    check_cells("map", &ty(Kind::Map(Box::new(letters()))), &universe, 100, &|random| match random.below(5) {
        0 => Set::Atom(Atom::Size(size(random))),
        1 | 2 => Set::Atom(Atom::Keys(boxed(random.pick(&keys)))),
        _ => Set::Atom(Atom::Values(boxed(some_letters(random)))),
    });
}

fn member(name: &str, ty: Type, presence: Presence) -> Member {
    Member { name: name.into(), ty, presence, wildcard: false }
}

fn field(name: &str, values: Set, random: &mut Random) -> Set {
    let slot = Slot { values, null: random.below(2) == 0, absent: random.below(2) == 0 };
    Set::Atom(Atom::Field(name.into(), Box::new(slot)))
}

fn record() -> (Type, Vec<Value>) {
    let or_null = Type { null: true, ..letters() };
    let members = vec![
        member("a", letters(), Presence::Required),
        member("b", or_null, Presence::Optional),
        member("c", ty(Kind::Bool), Presence::Defaulted(Default::Unspecified)),
    ];
    let mut universe = Vec::new();
    for a in ["p", "q", "r"].map(text) {
        for b in [None, Some(Value::Null), Some(text("p")), Some(text("q")), Some(text("r"))] {
            for c in [None, Some(Value::Bool(true)), Some(Value::Bool(false))] {
                let mut found = vec![("a".into(), a.clone())];
                found.extend(b.clone().map(|b| ("b".into(), b)));
                found.extend(c.map(|c| ("c".into(), c)));
                universe.push(Value::Object(found));
            }
        }
    }
    (ty(Kind::Record { members, rest: Rest::Closed }), universe)
}

fn some_field(random: &mut Random) -> Set {
    match random.below(3) {
        0 => {
            let values = some_letters(random);
            field("a", values, random)
        }
        1 => {
            let values = some_letters(random);
            field("b", values, random)
        }
        _ => {
            let values = one_of(&random.pick(&[vec![Value::Bool(true)], vec![Value::Bool(true), Value::Bool(false)]]));
            field("c", values, random)
        }
    }
}

#[test]
fn records() {
    let (ty, universe) = record();
    check_cells("record", &ty, &universe, 300, &some_field);
}

#[test]
fn lists_of_records() {
    let members = vec![
        member("a", ty(Kind::Enum(vec![text("p"), text("q")])), Presence::Required),
        member("b", ty(Kind::Enum(vec![text("r"), text("w")])), Presence::Required),
    ];
    let element = ty(Kind::Record { members, rest: Rest::Closed });
    let items: Vec<Value> = ["p", "q"]
        .iter()
        .flat_map(|a| ["r", "w"].map(|b| Value::Object(vec![("a".into(), text(a)), ("b".into(), text(b))])))
        .collect();
    let universe: Vec<Value> = sequences(&items, 4).into_iter().map(Value::List).collect();
    check_cells("list of record", &ty(Kind::List(Box::new(element))), &universe, 100, &|random| {
        each_or_size(random, &|random| {
            let a = field("a", one_of(&[text(random.pick(&["p", "q"]))]), random);
            let b = field("b", one_of(&[text(random.pick(&["r", "w"]))]), random);
            match random.below(3) {
                0 => a,
                1 => b,
                _ => Set::Or(vec![Set::And(vec![a.clone(), b.clone()]), Set::Not(Box::new(a))]),
            }
        })
    });
}

#[test]
fn unions() {
    let (record, objects) = record();
    let alternatives = vec![letters(), ty(Kind::Number(NumberKind::Int)), record];
    let mut universe: Vec<Value> = objects;
    universe.extend(["p", "q", "r"].map(text));
    universe.extend((-2..6).map(int));
    check_cells("union", &ty(Kind::Union(alternatives)), &universe, 200, &|random| match random.below(3) {
        0 => Set::Atom(Atom::Alternative(0, boxed(some_letters(random)))),
        1 => Set::Atom(Atom::Alternative(1, boxed(some_numbers(random)))),
        _ => Set::Atom(Atom::Alternative(2, boxed(some_field(random)))),
    });
}
