//! Cells of the simplest kinds, by hand.

use super::super::{Comparison, Decimal, NumberKind, Range, Set, Size, includes, is_empty, is_whole, witness};
use super::*;

fn ty(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

fn text() -> Type {
    ty(Kind::Text { by_pattern: true })
}

fn number(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

fn between(low: Option<&str>, high: Option<&str>) -> Set {
    let end = |text: Option<&str>| text.map(|text| (number(text), Comparison::Inclusive));
    Set::Atom(Atom::Numbers(Range { low: end(low), high: end(high) }))
}

fn one_of(texts: &[&str]) -> Set {
    Set::Atom(Atom::OneOf(texts.iter().map(|text| Value::Text((*text).into())).collect()))
}

fn not(set: Set) -> Set {
    Set::Not(Box::new(set))
}

fn lightest(ty: &Type, set: &Set) -> Option<String> {
    witness(ty, set, &mut Work::new()).unwrap().map(|value| compact(&value))
}

#[test]
fn gaps_of_numbers_have_their_shortest_decimal() {
    let decimal = ty(Kind::Number(NumberKind::Decimal));
    let cases = [
        (between(Some("50"), Some("100")), "50"),
        (Set::And(vec![between(Some("50"), Some("100")), not(between(None, Some("50")))]), "51"),
        (Set::And(vec![not(between(None, Some("0"))), not(between(Some("1"), None))]), "0.1"),
        (Set::And(vec![not(between(None, Some("0.01"))), not(between(Some("0.012"), None))]), "0.011"),
        (between(None, Some("-100")), "-100"),
        (not(between(Some("-100"), None)), "-101"),
        (not(between(Some("-3"), Some("12345"))), "-4"),
        (not(between(None, Some("999"))), "1000"),
        (between(Some("-7"), Some("7")), "0"),
    ];
    for (set, expected) in cases {
        assert_eq!(lightest(&decimal, &set).as_deref(), Some(expected), "{set:?}");
    }
}

#[test]
fn integers_have_no_gap_between_neighbours() {
    let int = ty(Kind::Number(NumberKind::Int));
    let gap = Set::And(vec![not(between(None, Some("1"))), not(between(Some("2"), None))]);
    assert!(is_empty(&int, &gap, &mut Work::new()).unwrap());
    assert!(!is_empty(&ty(Kind::Number(NumberKind::Decimal)), &gap, &mut Work::new()).unwrap());
    let beyond = not(between(Some("-9007199254740991"), Some("9007199254740991")));
    assert!(is_empty(&int, &beyond, &mut Work::new()).unwrap());
    assert_eq!(lightest(&ty(Kind::Number(NumberKind::Int64)), &beyond).as_deref(), Some("9007199254740992"));
}

/// One element that nobody reads alike keeps a list out of every set over its elements.
#[test]
fn a_set_over_ambiguous_elements_is_not_the_whole() {
    let name = Set::Atom(Atom::Host("a.test".into()));
    let every = Set::Or(vec![name.clone(), not(name)]);
    let each = Set::Atom(Atom::Each(Box::new(every)));
    let list = |kind| ty(Kind::List(Box::new(ty(kind))));
    assert!(!is_whole(&list(Kind::Host), &each, &mut Work::new()).unwrap());
    assert!(is_whole(&list(Kind::Host), &Set::Atom(Atom::Each(Box::new(Set::Any))), &mut Work::new()).unwrap());
    let texts = Set::Or(vec![one_of(&["a"]), not(one_of(&["a"]))]);
    assert!(
        is_whole(&list(Kind::Text { by_pattern: true }), &Set::Atom(Atom::Each(Box::new(texts))), &mut Work::new()).unwrap()
    );
}

#[test]
fn an_int64_has_64_bits() {
    let int64 = ty(Kind::Number(NumberKind::Int64));
    let beyond = not(between(Some("-9223372036854775808"), Some("9223372036854775807")));
    assert!(is_empty(&int64, &beyond, &mut Work::new()).unwrap());
    let formed = |text: &str| super::super::well_formed(&int64, &Value::Number(Decimal::parse(text).unwrap())).is_ok();
    for within in ["9223372036854775807", "-9223372036854775808", "9.223372036854775807e18"] {
        assert!(formed(within), "{within}");
    }
    for outside in ["9223372036854775808", "-9223372036854775809", "1e19", "0.5"] {
        assert!(!formed(outside), "{outside}");
    }
}

#[test]
fn singletons_are_known() {
    let int = ty(Kind::Number(NumberKind::Int));
    let single = |set: &Set, ty: &Type| super::super::permitted(ty, set, &mut Work::new()).unwrap().unwrap().singleton;
    assert!(single(&between(Some("5"), Some("5")), &int));
    assert!(single(&Set::And(vec![not(between(None, Some("1"))), not(between(Some("3"), None))]), &int));
    assert!(!single(&between(Some("5"), Some("6")), &int));
    assert!(single(&one_of(&["a"]), &text()));
    assert!(!single(&one_of(&["a", "b"]), &text()));
    assert!(single(&Set::And(vec![one_of(&["a", "bb"]), Set::Atom(Atom::Length(Size { low: 2, high: None }))]), &text()));
    assert!(single(&Set::Atom(Atom::Length(Size { low: 0, high: Some(0) })), &text()));
    assert!(!single(&Set::Atom(Atom::Prefix("a".into())), &text()));
}

#[test]
fn texts_need_a_letter_outside() {
    let abc = Set::Or(["a", "b"].iter().map(|p| Set::Atom(Atom::Prefix((*p).into()))).collect());
    assert_eq!(lightest(&text(), &not(abc.clone())).as_deref(), Some("\"\""));
    let inside = Set::And(vec![not(abc), Set::Atom(Atom::Length(Size { low: 1, high: None }))]);
    assert_eq!(lightest(&text(), &inside).as_deref(), Some("\"c\""));
}

#[test]
fn prefixes_and_suffixes_meet() {
    let set = Set::And(vec![Set::Atom(Atom::Prefix("ab".into())), Set::Atom(Atom::Suffix("ba".into()))]);
    assert_eq!(lightest(&text(), &set).as_deref(), Some("\"aba\""));
    let long = Set::And(vec![set, Set::Atom(Atom::Length(Size { low: 100_000, high: None }))]);
    assert_eq!(lightest(&text(), &long).unwrap().len(), 100_002);
}

#[test]
fn the_whole_is_whole_however_it_is_spelled() {
    let a = Set::Atom(Atom::Prefix("a".into()));
    let set = Set::Or(vec![a.clone(), not(a.clone())]);
    assert!(is_whole(&text(), &set, &mut Work::new()).unwrap());
    assert!(!is_whole(&text(), &a, &mut Work::new()).unwrap());
    assert!(includes(&text(), &a, &one_of(&["ab", "a"]), &mut Work::new()).unwrap());
    assert!(!includes(&text(), &a, &one_of(&["ab", "b"]), &mut Work::new()).unwrap());
}

#[test]
fn a_refinement_restricts_the_universe() {
    let lines = Type { refinement: Some(between(Some("1"), Some("10000"))), ..ty(Kind::Number(NumberKind::Int)) };
    assert!(is_whole(&lines, &between(Some("0"), None), &mut Work::new()).unwrap());
    assert!(is_empty(&lines, &between(None, Some("0")), &mut Work::new()).unwrap());
}

#[test]
fn ambiguous_paths_lie_in_no_set_but_any() {
    let path = ty(Kind::Path { ignore_case: false });
    let everything = Set::Atom(Atom::Path("**".into()));
    assert!(!is_whole(&path, &everything, &mut Work::new()).unwrap());
    assert!(is_empty(&path, &not(everything.clone()), &mut Work::new()).unwrap());
    assert!(is_whole(&path, &Set::Any, &mut Work::new()).unwrap());
}

#[test]
fn thousands_of_literals_cost_no_states() {
    let accounts = |from: usize| -> Set {
        let texts: Vec<String> = (from..from + 6_000).map(|n| format!("GB29NWBK6016133192{n:06}")).collect();
        one_of(&texts.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let (left, right) = (accounts(0), accounts(1));
    let found = super::super::counterexample(&text(), &right, &left, &mut Work::new()).unwrap();
    assert_eq!(found, Some(Value::Text("GB29NWBK6016133192000000".into())));
    assert!(includes(&text(), &left, &left, &mut Work::new()).unwrap());
}

#[test]
fn the_lightest_of_the_rest_is_none_of_the_list() {
    let letters: Vec<String> = ('a'..='z').map(String::from).collect();
    let listed = one_of(&letters.iter().map(String::as_str).collect::<Vec<_>>());
    let one_letter = Set::Atom(Atom::Length(Size { low: 1, high: Some(1) }));
    let rest = Set::And(vec![one_letter.clone(), not(listed.clone())]);
    assert_eq!(lightest(&text(), &rest).as_deref(), Some("\"0\""));
    let lower = Set::Atom(Atom::Matches(super::super::Pattern {
        source: "[a-z]".into(),
        tree: super::super::PatternNode::Class(vec![('a', 'z')]),
    }));
    assert!(includes(&text(), &listed, &lower, &mut Work::new()).unwrap());
    assert!(includes(&text(), &lower, &listed, &mut Work::new()).unwrap());
}

#[test]
fn a_long_length_is_one_step_and_not_a_million() {
    let length = |low, high| Set::Atom(Atom::Length(Size { low, high }));
    let content = Type { refinement: Some(length(0, Some(1_000_000))), ..text() };
    let mut work = Work::new();
    for n in 0..4 {
        let set = Set::And(vec![Set::Atom(Atom::Prefix(format!("ab{n}").into())), length(1, Some(900_000))]);
        assert!(includes(&content, &length(0, Some(900_000)), &set, &mut work).unwrap(), "{n}");
    }
    let long =
        Set::And(vec![Set::Atom(Atom::Prefix("ab".into())), Set::Atom(Atom::Suffix("c".into())), length(900_001, None)]);
    let found = witness(&content, &long, &mut work).unwrap();
    let Some(Value::Text(found)) = found else { panic!("{found:?}") };
    assert_eq!((found.len(), found.starts_with("ab"), found.ends_with('c')), (900_001, true, true));
}
