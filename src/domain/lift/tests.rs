//! Lifted demands, asked of whole arguments.

use super::*;
use crate::domain::{Default, Membership, SlotMatcher, Value, Work, compact};

fn ty(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn letters() -> Type {
    ty(Kind::Enum(vec![text("a"), text("b")]))
}

fn member(name: &str, ty: Type, presence: Presence) -> Member {
    Member { name: name.into(), ty, presence, wildcard: false }
}

fn record(members: Vec<Member>) -> Type {
    ty(Kind::Record { members, rest: Rest::Closed })
}

fn only_a() -> Slot {
    Slot { values: Set::Atom(Atom::OneOf(vec![text("a")])), null: false, absent: false }
}

/// The value that JSON text spells; absence for an empty text.
fn point(json: &str) -> Option<Value> {
    fn value(json: &serde_json::Value) -> Value {
        match json {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(b) => Value::Bool(*b),
            serde_json::Value::Number(n) => Value::Number(crate::domain::Decimal::parse(&n.to_string()).unwrap()),
            serde_json::Value::String(s) => Value::Text(s.as_str().into()),
            serde_json::Value::Array(items) => Value::List(items.iter().map(value).collect()),
            serde_json::Value::Object(members) => {
                Value::Object(members.iter().map(|(key, item)| (key.as_str().into(), value(item))).collect())
            }
        }
    }
    if json.is_empty() { None } else { Some(value(&serde_json::from_str(json).unwrap())) }
}

/// Which of the texts the lifted slot admits.
fn check_lifted(member: &Member, steps: &[Step], said: &Slot, why: Lift, admitted: &[&str], refused: &[&str]) {
    let slot = lift(member, steps, said, why);
    let matcher = SlotMatcher::compile(member, &slot, &mut Work::new()).unwrap();
    let test = |json: &str| matcher.test(member.point(point(json).as_ref()));
    for json in admitted {
        assert_eq!(test(json), Membership::In, "`{json}` by {slot:?}");
    }
    for json in refused {
        assert_eq!(test(json), Membership::Out, "`{json}` by {slot:?}");
    }
}

#[test]
fn absence_of_an_optional_argument_must_be_said() {
    let optional = member("m", letters(), Presence::Optional);
    let or_absent = Slot { absent: true, ..only_a() };
    for why in [Lift::Clause, Lift::Limit] {
        check_lifted(&optional, &[], &only_a(), why, &["\"a\""], &["\"b\"", ""]);
        check_lifted(&optional, &[], &or_absent, why, &["\"a\"", ""], &["\"b\""]);
        check_lifted(&member("m", letters(), Presence::OrAbsent), &[], &only_a(), why, &["\"a\"", ""], &["\"b\""]);
    }
}

#[test]
fn null_of_or_null_names_nothing() {
    let or_null = member("m", Type { null: true, ..letters() }, Presence::Optional);
    check_lifted(&or_null, &[], &only_a(), Lift::Clause, &["\"a\"", "null"], &["\"b\"", ""]);
    check_lifted(&or_null, &[], &only_a(), Lift::Limit, &["\"a\"", "null"], &["\"b\"", ""]);
}

#[test]
fn the_clauses_absent_and_null_are_these_points_alone() {
    let member = member("m", Type { null: true, ..letters() }, Presence::OrAbsent);
    let never = Slot { values: Set::Never, null: false, absent: false };
    check_lifted(&member, &[], &Slot { absent: true, ..never.clone() }, Lift::Clause, &[""], &["null", "\"a\""]);
    check_lifted(&member, &[], &Slot { null: true, ..never.clone() }, Lift::Clause, &["null"], &["", "\"a\""]);
    // A limit that permits nothing still says nothing of what names nothing.
    check_lifted(&member, &[], &never, Lift::Limit, &["", "null"], &["\"a\""]);
}

#[test]
fn each_implies_one_element_unless_the_type_admits_none() {
    let list = ty(Kind::List(Box::new(letters())));
    let any_size = Type { refinement: Some(Set::Atom(Atom::Size(Size { low: 0, high: Some(3) }))), ..list.clone() };
    let (plain, sized) = (member("m", list, Presence::Required), member("m", any_size, Presence::Required));
    for why in [Lift::Clause, Lift::Limit] {
        check_lifted(&plain, &[Step::Each], &only_a(), why, &["[\"a\"]", "[\"a\",\"a\"]"], &["[]", "[\"a\",\"b\"]"]);
        check_lifted(&sized, &[Step::Each], &only_a(), why, &["[]", "[\"a\"]"], &["[\"b\"]"]);
    }
    let one = member("m", ty(Kind::OneOrList(Box::new(letters()))), Presence::Required);
    check_lifted(
        &one,
        &[Step::OneOrEach],
        &only_a(),
        Lift::Clause,
        &["\"a\"", "[\"a\"]"],
        &["[]", "\"b\"", "[\"a\",\"b\"]"],
    );
}

#[test]
fn a_clause_demands_what_is_optional_on_its_way_and_a_limit_asks_what_it_says() {
    let inner = record(vec![member("x", letters(), Presence::Optional)]);
    let outer = member("m", inner, Presence::Optional);
    let way = [Step::Field("x".into())];
    let or_absent = Slot { absent: true, ..only_a() };
    check_lifted(&outer, &way, &only_a(), Lift::Clause, &["{\"x\":\"a\"}"], &["{}", "", "{\"x\":\"b\"}"]);
    check_lifted(&outer, &way, &or_absent, Lift::Clause, &["{\"x\":\"a\"}", "{}"], &["", "{\"x\":\"b\"}"]);
    check_lifted(&outer, &way, &only_a(), Lift::Limit, &["{\"x\":\"a\"}"], &["{}", "", "{\"x\":\"b\"}"]);
    check_lifted(&outer, &way, &or_absent, Lift::Limit, &["{\"x\":\"a\"}", "{}", ""], &["{\"x\":\"b\"}"]);
}

#[test]
fn members_of_elements_are_asked_of_every_element() {
    let edit = record(vec![member("path", letters(), Presence::Required)]);
    let edits = member("edits", ty(Kind::List(Box::new(edit))), Presence::Required);
    let way = [Step::Each, Step::Field("path".into())];
    let (good, bad) = ("[{\"path\":\"a\"}]", "[{\"path\":\"a\"},{\"path\":\"b\"}]");
    check_lifted(&edits, &way, &only_a(), Lift::Clause, &[good], &["[]", bad]);
    check_lifted(&edits, &way, &only_a(), Lift::Limit, &[good], &["[]", bad]);
}

#[test]
fn maps_may_be_empty_and_other_alternatives_pass() {
    let map = member("m", ty(Kind::Map(Box::new(letters()))), Presence::Required);
    check_lifted(&map, &[Step::Values], &only_a(), Lift::Clause, &["{}", "{\"k\":\"a\"}"], &["{\"k\":\"b\"}"]);
    check_lifted(&map, &[Step::Keys], &only_a(), Lift::Clause, &["{}", "{\"a\":\"b\"}"], &["{\"b\":\"a\"}"]);
    let union = member("m", ty(Kind::Union(vec![letters(), ty(Kind::Bool)])), Presence::Required);
    check_lifted(&union, &[Step::Alternative(0)], &only_a(), Lift::Limit, &["\"a\"", "true"], &["\"b\""]);
}

#[test]
fn a_literal_default_is_a_value_and_an_open_choice_is_not() {
    let defaulted = member("m", letters(), Presence::Defaulted(Default::Value(text("b"))));
    check_lifted(&defaulted, &[], &only_a(), Lift::Clause, &["\"a\""], &["", "\"b\""]);
    let open = Member { wildcard: true, ..member("m", letters(), Presence::Defaulted(Default::Unspecified)) };
    check_lifted(&open, &[], &only_a(), Lift::Clause, &["\"a\""], &["", "\"all\""]);
    let both = Slot { values: Set::Atom(Atom::OneOf(vec![text("a"), text("b")])), null: false, absent: false };
    check_lifted(&open, &[], &both, Lift::Clause, &["\"a\"", "", "\"all\""], &[]);
}

#[test]
fn undeclared_members_of_one_type_are_optional_ones() {
    let open = ty(Kind::Record { members: Vec::new(), rest: Rest::Typed(Box::new(letters())) });
    let member = member("m", open, Presence::Required);
    let way = [Step::Field("x".into())];
    check_lifted(
        &member,
        &way,
        &only_a(),
        Lift::Clause,
        &["{\"x\":\"a\"}", "{\"x\":\"a\",\"y\":\"b\"}"],
        &["{}", "{\"x\":\"b\"}"],
    );
    assert_eq!(compact(&text("a")), "\"a\"");
}
