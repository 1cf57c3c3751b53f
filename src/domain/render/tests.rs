//! Sets as they are written.

use super::*;
use crate::domain::NumberKind;

fn ty(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

fn range(low: Option<(&str, Comparison)>, high: Option<(&str, Comparison)>) -> Set {
    let end = |end: Option<(&str, Comparison)>| end.map(|(text, how)| (Decimal::parse(text).unwrap(), how));
    Set::Atom(Atom::Numbers(Range { low: end(low), high: end(high) }))
}

fn texts(texts: &[&str]) -> Set {
    Set::Atom(Atom::OneOf(texts.iter().map(|text| Value::Text((*text).into())).collect()))
}

#[test]
fn sets_are_written_as_policies_write_them() {
    use Comparison::{Exclusive, Inclusive};
    let number = ty(Kind::Number(NumberKind::Decimal));
    let text = ty(Kind::Text { by_pattern: true });
    let backend = ty(Kind::Enum(vec![Value::Text("tmux".into()), Value::Text("any".into())]));
    let prefix = |text: &str| Set::Atom(Atom::Prefix(text.into()));
    let not = |set: Set| Set::Not(Box::new(set));
    let cases = [
        (&number, range(Some(("0.01", Inclusive)), Some(("500.00", Inclusive))), "0.01..500"),
        (&number, range(None, Some(("50", Inclusive))), "<= 50"),
        (&number, range(Some(("50", Exclusive)), None), "> 50"),
        (&number, range(Some(("1", Inclusive)), Some(("2", Exclusive))), ">= 1 and < 2"),
        (&number, range(Some(("5", Inclusive)), Some(("5", Inclusive))), "{ 5 }"),
        (&text, texts(&["a", "b\n\u{202e}"]), "{ \"a\", \"b\\n\\u202e\" }"),
        (&backend, texts(&["tmux", "any"]), "{ tmux, \"any\" }"),
        (&text, Set::Or(vec![texts(&["a"]), prefix("p"), texts(&["b"])]), "{ \"a\", \"b\" } or prefix \"p\""),
        (&text, Set::And(vec![prefix("p"), not(texts(&["pa"]))]), "prefix \"p\" except { \"pa\" }"),
        (
            &text,
            Set::And(vec![Set::Or(vec![prefix("p"), prefix("q")]), Set::Atom(Atom::Suffix(".md".into()))]),
            "(prefix \"p\" or prefix \"q\") and suffix \".md\"",
        ),
        (
            &text,
            Set::And(vec![prefix("p"), Set::Atom(Atom::Length(Size { low: 1, high: None })), not(prefix("pq"))]),
            "(prefix \"p\" and length 1..) except prefix \"pq\"",
        ),
        (&text, not(Set::Or(vec![prefix("p"), prefix("q")])), "any except (prefix \"p\" or prefix \"q\")"),
        (&text, Set::Any, "any"),
        (&text, Set::Never, "any except any"),
    ];
    for (ty, set, expected) in cases {
        assert_eq!(render_set(ty, &set), expected, "{set:?}");
    }
}
