//! Pairs of types with and without a common value.

use super::*;
use crate::domain::{NumberKind, TimeKind};

fn ty(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

fn text() -> Type {
    ty(Kind::Text { by_pattern: false })
}

fn literal(text: &str) -> Type {
    ty(Kind::Enum(vec![Value::Text(text.into())]))
}

fn member(name: &str, ty: Type, presence: Presence) -> Member {
    Member { name: name.into(), ty, presence, wildcard: false }
}

fn record(members: Vec<Member>, rest: Rest) -> Type {
    ty(Kind::Record { members, rest })
}

fn check_disjoint(a: &Type, b: &Type, expected: bool) {
    assert_eq!(disjoint(a, b), expected, "{a:?} and {b:?}");
    assert_eq!(disjoint(b, a), expected, "{b:?} and {a:?}");
}

#[test]
fn kinds_of_json_tell() {
    let number = ty(Kind::Number(NumberKind::Int));
    let list = ty(Kind::List(Box::new(text())));
    check_disjoint(&text(), &number, true);
    check_disjoint(&text(), &list, true);
    check_disjoint(&ty(Kind::Bool), &record(vec![], Rest::Open), true);
    check_disjoint(&text(), &ty(Kind::Time(TimeKind::Date)), false);
    check_disjoint(&list, &ty(Kind::Argv), false);
    check_disjoint(&ty(Kind::OneOrList(Box::new(text()))), &list, false);
    check_disjoint(&ty(Kind::OneOrList(Box::new(text()))), &number, true);
    check_disjoint(&ty(Kind::OpaqueJson), &number, false);
    check_disjoint(&ty(Kind::Union(vec![text(), number.clone()])), &ty(Kind::Bool), true);
    check_disjoint(&ty(Kind::Union(vec![text(), number.clone()])), &number, false);
}

#[test]
fn null_is_common_to_what_may_be_null() {
    let null = |ty: Type| Type { null: true, ..ty };
    check_disjoint(&null(text()), &null(ty(Kind::Bool)), false);
    check_disjoint(&null(text()), &ty(Kind::Bool), true);
}

#[test]
fn literals_tell() {
    check_disjoint(&literal("a"), &literal("b"), true);
    check_disjoint(&literal("a"), &literal("a"), false);
    check_disjoint(&literal("a"), &text(), false);
    check_disjoint(&literal("a"), &ty(Kind::Time(TimeKind::Date)), true);
    check_disjoint(&ty(Kind::Enum(vec![Value::Bool(true)])), &text(), true);
}

#[test]
fn required_members_tell() {
    let kind = |name: &str| member("kind", literal(name), Presence::Required);
    let tagged = |name: &str, rest: Rest| record(vec![kind(name)], rest);
    check_disjoint(&tagged("a", Rest::Open), &tagged("b", Rest::Open), true);
    check_disjoint(&tagged("a", Rest::Closed), &tagged("a", Rest::Closed), false);
    let own = record(vec![member("x", text(), Presence::Required)], Rest::Closed);
    let other = record(vec![member("y", text(), Presence::Optional)], Rest::Closed);
    let open = record(vec![member("y", text(), Presence::Optional)], Rest::Open);
    let numbers = record(vec![], Rest::Typed(Box::new(ty(Kind::Bool))));
    check_disjoint(&own, &other, true);
    check_disjoint(&own, &open, false);
    check_disjoint(&own, &numbers, true);
    check_disjoint(&own, &ty(Kind::Map(Box::new(ty(Kind::Bool)))), true);
    check_disjoint(&own, &ty(Kind::Map(Box::new(text()))), false);
    let defaulted = record(vec![member("kind", literal("a"), Presence::Optional)], Rest::Closed);
    check_disjoint(&defaulted, &tagged("b", Rest::Closed), true);
    check_disjoint(&defaulted, &record(vec![member("kind", literal("b"), Presence::Optional)], Rest::Closed), false);
}
