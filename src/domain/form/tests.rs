//! The compiled test says what the worded one says, for every kind and every JSON value near it.

use super::*;
use crate::domain::{Atom, Comparison, Decimal, Default, NumberKind, Range, Set, Size, TimeKind};

fn plain(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn number(text: &str) -> Value {
    Value::Number(Decimal::parse(text).unwrap())
}

fn member(name: &str, ty: Type, presence: Presence) -> Member {
    Member { name: name.into(), ty, presence, wildcard: name == "w" }
}

fn small_int() -> Type {
    let end = |n| Some((Decimal::from_i64(n), Comparison::Inclusive));
    let range = Set::Atom(Atom::Numbers(Range { low: end(1), high: end(9) }));
    Type { refinement: Some(range), ..plain(Kind::Number(NumberKind::Int)) }
}

fn types() -> Vec<Type> {
    let word = plain(Kind::Text { by_pattern: false });
    let path = Type { refinement: Some(Set::Atom(Atom::Path("/a/**".into()))), ..plain(Kind::Path { ignore_case: false }) };
    let record = |rest| {
        plain(Kind::Record {
            members: vec![
                member("a", small_int(), Presence::Required),
                member("b", Type { null: true, ..word.clone() }, Presence::Optional),
                member("w", plain(Kind::Bool), Presence::Defaulted(Default::Unspecified)),
            ],
            rest,
        })
    };
    let some = Set::Atom(Atom::Size(Size { low: 1, high: Some(2) }));
    vec![
        plain(Kind::Bool),
        plain(Kind::Enum(vec![text("x"), number("1"), Value::Bool(true)])),
        small_int(),
        plain(Kind::Number(NumberKind::Int64)),
        plain(Kind::Number(NumberKind::Decimal)),
        word.clone(),
        path,
        plain(Kind::Host),
        plain(Kind::Url { bare: true }),
        plain(Kind::Email),
        plain(Kind::Ip),
        plain(Kind::Time(TimeKind::Date)),
        Type { refinement: Some(some), ..plain(Kind::List(Box::new(small_int()))) },
        plain(Kind::OneOrList(Box::new(small_int()))),
        plain(Kind::Argv),
        Type { null: true, ..plain(Kind::Map(Box::new(small_int()))) },
        record(Rest::Closed),
        record(Rest::Open),
        record(Rest::Typed(Box::new(small_int()))),
        plain(Kind::Union(vec![small_int(), record(Rest::Closed), plain(Kind::Bool)])),
        plain(Kind::OpaqueText),
        plain(Kind::OpaqueJson),
    ]
}

fn values() -> Vec<Value> {
    let mut values = vec![Value::Null, Value::Bool(true), Value::List(Vec::new()), Value::Object(Vec::new())];
    values.extend(["0", "1", "5.0", "9", "10", "0.5", "9007199254740992"].map(number));
    values.extend(["", "x", "all", "/a/b", "/b", "~", "\0", "a.test", "a@a.test", "10.0.0.1", "2026-11-30"].map(text));
    let scalars = values.clone();
    for a in &scalars {
        values.push(Value::List(vec![a.clone()]));
        values.push(Value::List(vec![number("1"), a.clone(), number("2")]));
        for name in ["a", "b", "w", "other"] {
            values.push(Value::Object(vec![(name.into(), a.clone())]));
            values.push(Value::Object(vec![("a".into(), number("1")), (name.replace('a', "b").into(), a.clone())]));
        }
    }
    values
}

#[test]
fn compiled_and_worded_agree() {
    let (mut inside, mut outside) = (0, 0);
    for ty in types() {
        let form = Form::compile(&ty, &mut Work::new()).unwrap();
        for value in values() {
            let worded = well_formed(&ty, &value);
            assert_eq!(form.holds(&value), worded.is_ok(), "{value:?} of {ty:?}: {worded:?}");
            assert_eq!(form.check(&value), worded);
            if worded.is_ok() { inside += 1 } else { outside += 1 }
        }
    }
    assert!(inside > 100 && outside > 1_000, "{inside} {outside}");
}
