//! Two readings of a number, and Kleene's logic.

use super::*;
use crate::domain::{Comparison, Decimal, Range};
use Membership::{Ambiguous, In, Out};

fn number(text: &str) -> Value {
    Value::Number(Decimal::parse(text).unwrap())
}

fn below(text: &str, how: Comparison) -> Set {
    Set::Atom(Atom::Numbers(Range { low: None, high: Some((Decimal::parse(text).unwrap(), how)) }))
}

fn test(kind: NumberKind, set: &Set, value: &str) -> Membership {
    let ty = Type { kind: Kind::Number(kind), null: false, refinement: None };
    Matcher::compile(&ty, set, &mut Work::new()).unwrap().test(&number(value))
}

#[test]
fn what_doubles_alone_refuse_is_ambiguous() {
    let (at_most, less) = (below("100", Comparison::Inclusive), below("100", Comparison::Exclusive));
    let one_tenth = Set::Atom(Atom::OneOf(vec![number("0.1")]));
    let others = Set::Not(Box::new(one_tenth.clone()));
    for (set, value, expected) in [
        (&at_most, "100", In),
        (&at_most, "100.00000000000000001", Out),
        (&at_most, "99.99999999999999999", In),
        (&less, "99.99999999999999999", Ambiguous),
        (&less, "99.9", In),
        (&one_tenth, "0.1", In),
        (&one_tenth, "1e-1", In),
        (&one_tenth, "0.1000000000000000000001", Out),
        (&others, "0.1000000000000000000001", Ambiguous),
        (&others, "0.1", Out),
        (&others, "0.2", In),
    ] {
        assert_eq!(test(NumberKind::Decimal, set, value), expected, "{value} in {set:?}");
    }
}

#[test]
fn int64_is_read_exactly_only() {
    let less = below("9007199254740993", Comparison::Exclusive);
    assert_eq!(test(NumberKind::Int64, &less, "9007199254740992"), In);
    assert_eq!(test(NumberKind::Decimal, &less, "9007199254740992"), Ambiguous);
}

#[test]
fn an_ambiguous_text_lies_in_no_set_but_in_any() {
    let ty = Type { kind: Kind::Path { ignore_case: false }, null: false, refinement: None };
    let inside = Set::Atom(Atom::Path("/a/**".into()));
    let outside = Set::Not(Box::new(inside.clone()));
    let either = Set::Or(vec![inside.clone(), outside.clone()]);
    for (set, expected) in
        [(&inside, Ambiguous), (&outside, Ambiguous), (&either, Ambiguous), (&Set::Any, In), (&Set::Never, Out)]
    {
        let matcher = Matcher::compile(&ty, set, &mut Work::new()).unwrap();
        assert_eq!(matcher.test(&Value::Text("~/a".into())), expected, "{set:?}");
    }
}

#[test]
fn null_names_nothing_where_it_may_stand() {
    let ty = Type { kind: Kind::Text { by_pattern: false }, null: true, refinement: None };
    let set = Set::Atom(Atom::Prefix("a".into()));
    let complement = Set::Not(Box::new(set.clone()));
    for set in [set, complement] {
        assert_eq!(Matcher::compile(&ty, &set, &mut Work::new()).unwrap().test(&Value::Null), In);
    }
}

#[test]
fn an_except_ignores_case_where_the_type_does() {
    let set = Set::And(vec![
        Set::Atom(Atom::Path("/Work/**".into())),
        Set::Not(Box::new(Set::Atom(Atom::Path("**/.env".into())))),
    ]);
    for (ignore_case, path, expected) in
        [(true, "/Work/.ENV", Out), (false, "/Work/.ENV", In), (true, "/work/a", Out), (true, "/Work/a", In)]
    {
        let ty = Type { kind: Kind::Path { ignore_case }, null: false, refinement: None };
        let matcher = Matcher::compile(&ty, &set, &mut Work::new()).unwrap();
        assert_eq!(matcher.test(&Value::Text(path.into())), expected, "{path} {ignore_case}");
    }
}
