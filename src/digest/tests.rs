//! Canonical texts against RFC 8785's own examples.

use super::*;

enum Tree {
    Null,
    Number(&'static str),
    Text(&'static str),
    List(Vec<Tree>),
    Object(Vec<(Box<str>, Tree)>),
}

impl Node for Tree {
    fn view(&self) -> View<'_, Self> {
        match self {
            Tree::Null => View::Null,
            Tree::Number(text) => View::Number((*text).into()),
            Tree::Text(text) => View::Text(text),
            Tree::List(items) => View::List(items),
            Tree::Object(members) => View::Object(members),
        }
    }
}

fn check_canonical(tree: &Tree, expected: &str) {
    assert_eq!(canonical(tree), expected);
}

#[test]
fn members_sort_by_utf16_code_units() {
    // RFC 8785, 3.2.3: U+1F600 (surrogates D83D DE00) comes before U+FB33.
    let keys = ["\u{20ac}", "\r", "\u{fb33}", "1", "\u{1f600}", "\u{80}", "\u{f6}"];
    let tree = Tree::Object(keys.iter().map(|k| ((*k).into(), Tree::Null)).collect());
    let order = ["\\r", "1", "\u{80}", "\u{f6}", "\u{20ac}", "\u{1f600}", "\u{fb33}"];
    let members: Vec<String> = order.iter().map(|k| format!("\"{k}\":null")).collect();
    check_canonical(&tree, &format!("{{{}}}", members.join(",")));
}

#[test]
fn texts_take_the_shortest_escapes() {
    check_canonical(&Tree::Text("\u{20ac}$\u{f}\nA'B\"\\\\\"/"), "\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"");
}

#[test]
fn nesting_keeps_its_order() {
    let tree = Tree::List(vec![
        Tree::Object(vec![("b".into(), Tree::Number("1")), ("a".into(), Tree::List(vec![]))]),
        Tree::Number("-0.5"),
    ]);
    check_canonical(&tree, "[{\"a\":[],\"b\":1},-0.5]");
    assert_eq!(compact(&tree), "[{\"b\":1,\"a\":[]},-0.5]");
}

#[test]
fn digests_name_their_algorithm() {
    assert_eq!(sha256(b"abc"), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
