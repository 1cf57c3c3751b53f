//! What keeps tokens, grammar, words and cut from drifting apart.

use super::grammar::{self, Node, Rule};
use super::{cut, nouns, token, words};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Every policy that the repository ships.
pub(super) fn policies() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pending: Vec<PathBuf> = ["tests/policies", "stdlib-policies", "examples"].iter().map(|d| root.join(d)).collect();
    while let Some(directory) = pending.pop() {
        for path in std::fs::read_dir(directory).into_iter().flatten().flatten().map(|e| e.path()) {
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == "bwk") {
                let text = std::fs::read_to_string(&path).expect("a policy is UTF-8");
                found.push((path, text));
            }
        }
    }
    assert!(found.len() > 20);
    found
}

fn leaves<'i>(node: Node<'i>, into: &mut Vec<Node<'i>>) {
    let mut inner = node.clone().into_inner().peekable();
    if inner.peek().is_none() && node.as_rule() != Rule::EOI {
        into.push(node.clone());
    }
    inner.for_each(|n| leaves(n, into));
}

#[test]
fn tokens_tile_the_text() {
    for (path, text) in policies() {
        let tokens = token::tokens(&text);
        let joined: String = tokens.iter().map(|t| t.of(&text)).collect();
        assert_eq!(joined, text, "{}", path.display());
    }
    let odd = "“x” 'y' @@ \u{202e}\"open\n# c\n/* é */ 12.5.. ..= ... && || == => -x \"\\";
    assert_eq!(token::tokens(odd).iter().map(|t| t.of(odd)).collect::<String>(), odd);
}

#[test]
fn leaves_of_the_grammar_stand_on_token_boundaries() {
    for (path, text) in policies() {
        let tokens = token::tokens(&text);
        let starts: BTreeSet<usize> = tokens.iter().map(|t| t.start).collect();
        let ends: BTreeSet<usize> = tokens.iter().map(|t| t.end).collect();
        let mut found = Vec::new();
        leaves(grammar::whole_file(&text).expect("it parses"), &mut found);
        for leaf in found {
            let span = leaf.as_span();
            assert!(starts.contains(&span.start()) && ends.contains(&span.end()), "{}: {leaf:?}", path.display());
        }
    }
}

#[test]
fn the_words_are_the_grammars() {
    let mut of_grammar: Vec<Rule> =
        Rule::all_rules().iter().copied().filter(|r| format!("{r:?}").starts_with("kw_")).collect();
    of_grammar.sort();
    let mut of_table: Vec<Rule> = words::WORDS.iter().map(|(rule, _)| *rule).collect();
    of_table.sort();
    assert_eq!(of_grammar, of_table);
    for (rule, word) in words::WORDS {
        assert_eq!(format!("{rule:?}"), format!("kw_{word}"));
    }
    for word in cut::DECLARATIONS {
        assert!(words::WORDS.iter().any(|(_, w)| w == word), "{word}");
    }
}

#[test]
fn a_file_is_its_declarations() {
    for (path, text) in policies() {
        let whole = grammar::whole_file(&text).unwrap_or_else(|f| panic!("{}: {f:?}", path.display()));
        let mut of_whole = Vec::new();
        leaves(whole, &mut of_whole);
        let of_whole: Vec<(Rule, &str)> = of_whole.iter().map(|n| (n.as_rule(), n.as_str())).collect();
        let tokens = token::tokens(&text);
        let mut of_pieces = Vec::new();
        for piece in cut::cut(&text, &tokens) {
            let tokens = &tokens[piece.tokens];
            let text = &text[tokens[0].start..tokens[tokens.len() - 1].end];
            let draft = super::draft::Draft::new(text, 0);
            let mut found = Vec::new();
            leaves(grammar::declaration(&draft).expect("it parses"), &mut found);
            of_pieces.extend(found.iter().map(|n| (n.as_rule(), n.as_str().to_owned())));
        }
        let of_pieces: Vec<(Rule, &str)> = of_pieces.iter().map(|(r, s)| (*r, s.as_str())).collect();
        assert_eq!(of_whole, of_pieces, "{}", path.display());
    }
}

#[test]
fn every_rule_has_one_noun() {
    for rule in Rule::all_rules() {
        let word = words::WORDS.iter().any(|(r, _)| r == rule);
        assert_eq!(nouns::named(*rule) + usize::from(word), 1, "{rule:?}");
    }
}

/// The editors' grammar, from the same table of words.
fn editors_grammar() -> String {
    let declarations = cut::DECLARATIONS.join("|");
    let others: Vec<&str> = words::WORDS.iter().map(|(_, w)| *w).filter(|w| !cut::DECLARATIONS.contains(w)).collect();
    let rule = |name: &str, pattern: String| serde_json::json!({ "name": format!("{name}.bailiwick"), "match": pattern });
    let grammar = serde_json::json!({
        "name": "Bailiwick",
        "scopeName": "source.bailiwick",
        "fileTypes": ["bwk"],
        "patterns": [
            rule("comment.line.documentation", "///.*$".to_owned()),
            rule("comment.line.double-slash", "//.*$".to_owned()),
            { "name": "string.quoted.double.bailiwick", "begin": "\"", "end": "\"|$", "patterns": [
                rule("constant.character.escape", r#"\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})"#.to_owned()),
            ] },
            rule("entity.other.attribute-name", r"\b[A-Za-z_][A-Za-z0-9_]*(?=\s*:)".to_owned()),
            rule("constant.numeric.date", r"\b\d{4}-\d{2}-\d{2}(?:[Tt][0-9:.]+(?:[Zz]|[+-]\d{2}:\d{2})?)?".to_owned()),
            rule("constant.numeric", r"-?\b(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\b".to_owned()),
            rule("keyword.declaration", format!(r"(?<!\.)\b(?:{declarations})\b(?!\s*\.)")),
            rule("keyword.other", format!(r"(?<!\.)\b(?:{})\b(?!\s*\.)", others.join("|"))),
            rule("keyword.operator", r"<=|>=|<|>|=|\.\.|->".to_owned()),
        ],
    });
    format!("{}\n", serde_json::to_string_pretty(&grammar).expect("it is JSON"))
}

#[test]
fn the_editors_grammar_is_of_the_same_words() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/bailiwick.tmLanguage.json");
    if std::env::var_os("BAILIWICK_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("editors/");
        std::fs::write(&path, editors_grammar()).expect("it can be written");
    }
    let shipped = std::fs::read_to_string(&path).expect("editors/bailiwick.tmLanguage.json");
    assert_eq!(shipped, editors_grammar(), "run the test with BAILIWICK_BLESS=1");
}

#[test]
fn a_file_of_nothing_but_mistakes_is_soon_given_up() {
    let text = "agnet a { }\n".repeat(20_000);
    let (file, found) = super::parse::read(crate::source::FileId(0), &text);
    assert!(found.len() < 4_000, "{}", found.len());
    assert!(found.iter().any(|d| d.message.ends_with("from here on it is not read")));
    assert!(file.broken.iter().any(|b| b.name.is_none()));
}
