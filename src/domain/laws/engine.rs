//! Cells and matchers against enumeration.

use super::super::*;
use super::{Dice, cases, glob, naive, number_atom, quarter, some_set, text_atom};
use std::collections::BTreeMap;

fn ty(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

/// Each enumerated value's vector is a cell with a witness no heavier; each cell's witness has the cell's vector; a
/// singleton is alone, and what is not has a second value.
fn check_cells(label: &str, ty: &Type, sets: &[Set], values: &[Value], naive: &dyn Fn(&Set, &Value) -> bool) {
    let refs: Vec<&Set> = sets.iter().collect();
    let cells = cells(ty, &refs, &mut Work::new()).unwrap();
    let vector = |value: &Value| -> Bits { (0..sets.len()).filter(|index| naive(&sets[*index], value)).collect() };
    let mut seen: BTreeMap<Bits, Vec<&Value>> = BTreeMap::new();
    for value in values {
        seen.entry(vector(value)).or_default().push(value);
    }
    for cell in cells.iter().filter(|cell| !is_ambiguous(ty, &cell.witness)) {
        assert_eq!(vector(&cell.witness), cell.vector, "{label}: false witness {:?} for {sets:?}", cell.witness);
        assert_eq!(weight(&cell.witness), cell.weight, "{label}");
        well_formed(ty, &cell.witness).unwrap_or_else(|fault| panic!("{label}: {:?} {fault:?}", cell.witness));
        if cell.singleton {
            let others = seen.get(&cell.vector).into_iter().flatten().filter(|value| ***value != cell.witness).count();
            assert_eq!(others, 0, "{label}: {:?} is not alone in {sets:?}", cell.witness);
        }
    }
    for (vector, values) in seen {
        let cell = cells.iter().find(|cell| cell.vector == vector);
        let cell = cell.unwrap_or_else(|| panic!("{label}: missed {:?} for {sets:?}", values[0]));
        let lightest = values.iter().map(|value| weight(value)).min().unwrap();
        assert!(cell.weight <= lightest, "{label}: {:?} is heavier than {:?} for {sets:?}", cell.witness, values);
    }
}

fn is_ambiguous(ty: &Type, value: &Value) -> bool {
    let something = match ty.kind {
        Kind::Path { .. } => Atom::Path("**".into()),
        Kind::Time(_) => Atom::Times(Range { low: None, high: None }),
        _ => return false,
    };
    Matcher::compile(ty, &Set::Atom(something), &mut Work::new()).unwrap().test(value) == Membership::Ambiguous
}

fn check_matcher(label: &str, ty: &Type, set: &Set, values: &[Value], naive: &dyn Fn(&Set, &Value) -> bool) {
    let matcher = Matcher::compile(ty, set, &mut Work::new()).unwrap();
    for value in values {
        assert_eq!(matcher.test(value), Membership::of(naive(set, value)), "{label}: {value:?} in {set:?}");
    }
}

fn words(letters: &[char], longest: usize) -> Vec<Value> {
    let mut words = vec![String::new()];
    let mut from = 0;
    for _ in 0..longest {
        let until = words.len();
        for index in from..until {
            words.extend(letters.iter().map(|letter| format!("{}{letter}", words[index])).collect::<Vec<_>>());
        }
        from = until;
    }
    words.into_iter().map(|word| Value::Text(word.into())).collect()
}

fn text_of(value: &Value) -> &str {
    let Value::Text(text) = value else { panic!("{value:?}") };
    text
}

#[test]
fn texts() {
    let ty = ty(Kind::Text { by_pattern: true });
    let values = words(&['a', 'b', 'c'], 4);
    for seed in 0..cases(150) {
        let dice = &mut Dice::new(seed);
        let sets: Vec<Set> = (0..=dice.below(4)).map(|_| some_set(dice, &mut text_atom, 2)).collect();
        let naive = |set: &Set, value: &Value| naive::text(set, text_of(value));
        check_cells(&format!("text seed {seed}"), &ty, &sets, &values, &naive);
        check_matcher(&format!("text seed {seed}"), &ty, &sets[0], &values, &naive);
    }
}

#[test]
fn texts_that_are_not_alone_have_another() {
    let ty = ty(Kind::Text { by_pattern: true });
    for seed in 0..cases(150) {
        let dice = &mut Dice::new(seed + 7_000);
        let set = some_set(dice, &mut text_atom, 2);
        let Some(cell) = permitted(&ty, &set, &mut Work::new()).unwrap() else { continue };
        let another = Set::And(vec![set.clone(), Set::Not(Box::new(Set::Atom(Atom::OneOf(vec![cell.witness.clone()]))))]);
        let found = witness(&ty, &another, &mut Work::new()).unwrap();
        assert_eq!(found.is_none(), cell.singleton, "seed {seed}: {set:?} holds {:?} and {found:?}", cell.witness);
    }
}

#[test]
fn distinct_texts_are_as_many_as_there_are() {
    let values = words(&['a', 'b', 'c'], 4);
    for seed in 0..cases(100) {
        let dice = &mut Dice::new(seed + 9_000);
        let atoms: Vec<Atom> = (0..=dice.below(3)).map(|_| text_atom(dice)).collect();
        let refs: Vec<&Atom> = atoms.iter().collect();
        let classes: BTreeMap<Bits, Vec<String>> =
            super::super::text::distinct(&refs, 5, &mut Work::new()).unwrap().into_iter().collect();
        let holds = |atom: &Atom, text: &str| naive::text(&Set::Atom(atom.clone()), text);
        let vector = |text: &str| -> Bits { (0..atoms.len()).filter(|index| holds(&atoms[*index], text)).collect() };
        for (expected, texts) in &classes {
            let mut distinct = texts.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), texts.len(), "seed {seed} {atoms:?} {texts:?}");
            assert!(texts.iter().all(|text| vector(text) == *expected), "seed {seed} {atoms:?} {texts:?}");
        }
        let mut seen: BTreeMap<Bits, usize> = BTreeMap::new();
        values.iter().for_each(|value| *seen.entry(vector(text_of(value))).or_default() += 1);
        for (vector, count) in seen {
            assert!(classes[&vector].len() >= count.min(5), "seed {seed} {atoms:?} {:?} of {count}", classes[&vector]);
        }
    }
}

#[test]
fn numbers() {
    for (label, kind) in [("int", NumberKind::Int), ("int64", NumberKind::Int64), ("decimal", NumberKind::Decimal)] {
        let ty = ty(Kind::Number(kind));
        let step = if kind == NumberKind::Decimal { 1 } else { 16 };
        let values: Vec<Value> = (-48..=48).filter(|n| n % step == 0).map(|n| Value::Number(sixteenth(n))).collect();
        let naive = |set: &Set, value: &Value| {
            let Value::Number(number) = value else { panic!() };
            naive::number(set, (number.to_string().parse::<f64>().unwrap() * 16.0).round() as i64)
        };
        for seed in 0..cases(200) {
            let dice = &mut Dice::new(seed);
            let sets: Vec<Set> = (0..=dice.below(4)).map(|_| some_set(dice, &mut number_atom, 2)).collect();
            check_cells(&format!("{label} seed {seed}"), &ty, &sets, &values, &naive);
            check_matcher(&format!("{label} seed {seed}"), &ty, &sets[0], &values, &naive);
        }
    }
}

/// n / 16.
fn sixteenth(n: i64) -> Decimal {
    Decimal::scaled(n < 0, &(n.unsigned_abs() * 625).to_string(), 4)
}

#[test]
fn times() {
    for kind in [TimeKind::Instant, TimeKind::DateTime] {
        let ty = ty(Kind::Time(kind));
        let values: Vec<Value> =
            (-64..=64).filter_map(|n| time_text(kind, &sixteenth(n))).map(|text| Value::Text(text.into())).collect();
        let naive = |set: &Set, value: &Value| naive::number(set, naive::time(kind, text_of(value)));
        let mut atom = |dice: &mut Dice| {
            let end = |dice: &mut Dice| {
                (quarter(dice.below(13) as i64 - 6), dice.pick(&[Comparison::Inclusive, Comparison::Exclusive]))
            };
            let low = (dice.below(3) > 0).then(|| end(dice));
            let high = (dice.below(3) > 0).then(|| end(dice));
            Atom::Times(Range { low, high })
        };
        for seed in 0..cases(150) {
            let dice = &mut Dice::new(seed);
            let sets: Vec<Set> = (0..=dice.below(3)).map(|_| some_set(dice, &mut atom, 2)).collect();
            check_cells(&format!("{kind:?} seed {seed}"), &ty, &sets, &values, &naive);
            check_matcher(&format!("{kind:?} seed {seed}"), &ty, &sets[0], &values, &naive);
        }
    }
}

#[test]
fn paths() {
    let mut values: Vec<Value> = vec![Value::Text(".".into()), Value::Text("/".into())];
    for word in words(&['a', 'b', 'A', 'c', 'd'], 4).iter().map(text_of).filter(|word| !word.is_empty()) {
        // The letter `d` joins: `adb` is the path `ab` in one segment with a fresh letter, others are segments of one letter.
        let segments: Vec<String> = word.chars().map(|c| if c == 'd' { "ab".to_owned() } else { c.to_string() }).collect();
        values.push(Value::Text(segments.join("/").into()));
        values.push(Value::Text(format!("/{}", segments.join("/")).into()));
    }
    for ignore_case in [false, true] {
        let ty = ty(Kind::Path { ignore_case });
        let naive = |set: &Set, value: &Value| naive::path(set, text_of(value), ignore_case);
        for seed in 0..cases(60) {
            let dice = &mut Dice::new(seed);
            let sets: Vec<Set> =
                (0..=dice.below(3)).map(|_| some_set(dice, &mut |dice| Atom::Path(glob(dice)), 2)).collect();
            check_cells(&format!("path seed {seed}"), &ty, &sets, &values, &naive);
            check_matcher(&format!("path seed {seed}"), &ty, &sets[0], &values, &naive);
        }
    }
}
