//! Where a value is not well-formed, and what is expected there.

use super::*;
use crate::domain::{Decimal, NumberKind, Set, Size, well_formed};

fn ty(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn int() -> Type {
    ty(Kind::Number(NumberKind::Int))
}

fn one() -> Value {
    Value::Number(Decimal::from_i64(1))
}

fn member(name: &str, ty: Type, presence: Presence) -> Member {
    Member { name: name.into(), ty, presence, wildcard: false }
}

fn object(members: &[(&str, Value)]) -> Value {
    Value::Object(members.iter().map(|(name, value)| ((*name).into(), value.clone())).collect())
}

fn check_fault(ty: &Type, value: &Value, path: &str, expected: &str) {
    let fault = well_formed(ty, value).unwrap_err();
    assert_eq!((fault.path.as_str(), fault.expected.as_str()), (path, expected));
}

#[test]
fn the_element_that_is_wrong_is_named() {
    let list = ty(Kind::List(Box::new(int())));
    assert_eq!(well_formed(&list, &Value::List(vec![one(), one()])), Ok(()));
    check_fault(&list, &Value::List(vec![one(), text("x")]), "/1", "a whole number within ±(2^53−1)");
    check_fault(&list, &Value::List(vec![Value::Null]), "/0", "a whole number within ±(2^53−1)");
    check_fault(&list, &one(), "", "a list");
    check_fault(&ty(Kind::Argv), &Value::List(vec![text("git"), one()]), "/1", "a string");
    let map = ty(Kind::Map(Box::new(int())));
    check_fault(&map, &object(&[("a/b", text("x"))]), "/a~1b", "a whole number within ±(2^53−1)");
}

#[test]
fn a_refinement_of_a_list_is_part_of_it() {
    let refinement = Some(Set::Atom(crate::domain::Atom::Size(Size { low: 1, high: Some(2) })));
    let list = Type { refinement, ..ty(Kind::List(Box::new(int()))) };
    assert_eq!(well_formed(&list, &Value::List(vec![one()])), Ok(()));
    check_fault(&list, &Value::List(vec![]), "", "size 1..2");
}

#[test]
fn records_are_closed_unless_they_say_otherwise() {
    let members = || vec![member("a", int(), Presence::Required), member("b", int(), Presence::Optional)];
    let closed = ty(Kind::Record { members: members(), rest: Rest::Closed });
    assert_eq!(well_formed(&closed, &object(&[("a", one())])), Ok(()));
    check_fault(&closed, &object(&[("b", one())]), "", "a member `a`");
    check_fault(&closed, &object(&[("a", one()), ("c", one())]), "/c", "no such member; the members are `a`, `b`");
    check_fault(&closed, &object(&[("a", one()), ("b", Value::Null)]), "/b", "a whole number within ±(2^53−1)");
    let open = ty(Kind::Record { members: members(), rest: Rest::Open });
    assert_eq!(well_formed(&open, &object(&[("a", one()), ("c", text("x"))])), Ok(()));
    let typed = ty(Kind::Record { members: members(), rest: Rest::Typed(Box::new(ty(Kind::Bool))) });
    check_fault(&typed, &object(&[("a", one()), ("c", one())]), "/c", "true or false");
}

#[test]
fn the_fault_of_a_union_is_that_of_the_alternative_meant() {
    let tagged = |tag: &str, of: Type| {
        let members =
            vec![member("kind", ty(Kind::Enum(vec![text(tag)])), Presence::Required), member("v", of, Presence::Required)];
        ty(Kind::Record { members, rest: Rest::Closed })
    };
    let union = ty(Kind::Union(vec![tagged("a", int()), tagged("b", ty(Kind::Bool)), ty(Kind::Bool)]));
    assert_eq!(well_formed(&union, &object(&[("kind", text("a")), ("v", one())])), Ok(()));
    check_fault(&union, &object(&[("kind", text("b")), ("v", one())]), "/v", "true or false");
    check_fault(&union, &object(&[("kind", text("c")), ("v", one())]), "", "a value of one of the alternatives");
    check_fault(&union, &text("x"), "", "a value of one of the alternatives");
}

#[test]
fn the_wildcard_is_well_formed_where_it_is_declared() {
    let choice = ty(Kind::Enum(vec![text("x")]));
    let mut wild = member("m", choice, Presence::Optional);
    let record = |member: &Member| ty(Kind::Record { members: vec![member.clone()], rest: Rest::Closed });
    assert!(well_formed(&record(&wild), &object(&[("m", text("all"))])).is_err());
    wild.wildcard = true;
    assert_eq!(well_formed(&record(&wild), &object(&[("m", text("all"))])), Ok(()));
}
