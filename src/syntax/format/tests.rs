//! The layout is canonical: formatting again changes nothing, and what is read is the same.

use super::format;
use crate::diag::Sink;
use crate::source::Sources;
use crate::syntax::tests::policies;
use crate::syntax::token::{TokenKind, tokens};

/// The tree without its spans, and the comments.
fn meaning(text: &str) -> (String, Vec<String>) {
    let mut sources = Sources::default();
    let file = sources.add("a.bwk", text);
    let mut sink = Sink::default();
    let ast = crate::syntax::parse(&sources, file, &mut sink);
    let tree = format!("{ast:?}");
    let mut plain = String::new();
    let mut rest = tree.as_str();
    while let Some(at) = rest.find("Span { ") {
        plain.push_str(&rest[..at]);
        rest = &rest[at + rest[at..].find('}').unwrap_or(0) + 1..];
    }
    plain.push_str(rest);
    let comments = tokens(text).into_iter().filter(|t| matches!(t.kind, TokenKind::Comment | TokenKind::Doc));
    (plain, comments.map(|t| t.of(text).trim_end().to_owned()).collect())
}

fn check_format(name: &str, text: &str) -> String {
    let once = format(text).unwrap_or_else(|found| panic!("{name}: {found:?}"));
    let twice = format(&once).unwrap_or_else(|found| panic!("{name}: the result does not parse: {found:?}\n{once}"));
    assert_eq!(once, twice, "{name}: formatting again changes the text");
    assert_eq!(meaning(text), meaning(&once), "{name}: another meaning\n{once}");
    once
}

#[test]
fn every_policy_keeps_its_meaning_and_its_comments() {
    for (path, text) in policies() {
        check_format(&path.display().to_string(), &text);
        let crowded: String = text.lines().map(|l| format!("{}\r\n", l.trim_start())).collect();
        check_format("unindented", &crowded);
    }
}

#[test]
fn one_layout() {
    let text = "language   1\n\n\n\nvocabulary v{\nenum E { a claimed by \"x\",\"y\"\n  bcd claimed by \"z\" }\n\n\n  /// Doc.\n limit l:set of E\ntool t{ reads ; needs v.t\n a:E= unspecified limited by l   // why\nlonger:int   1 .. 5 =1\n\n\n}\n\n}\nagent x{use v{tools t;l={a}}}\ntest x{\nv.t(a:a)is Ready{a:a}\nv.t( longer : 12 ) is PolicyBlocked by facts-unavailable\n}\n";
    let want = "language 1\n\nvocabulary v {\n    enum E {\n        a   claimed by \"x\", \"y\"\n        bcd claimed by \"z\"\n    }\n\n    /// Doc.\n    limit l: set of E\n    tool t {\n        reads\n        needs v.t\n        a:      E = unspecified limited by l  // why\n        longer: int 1..5 = 1\n    }\n\n}\nagent x { use v { tools t; l = { a } } }\ntest x {\n    v.t(a: a)       is Ready { a: a }\n    v.t(longer: 12) is PolicyBlocked by facts-unavailable\n}\n";
    let got = check_format("one", text);
    assert_eq!(got, want.replace("    }\n\n}\nagent", "    }\n}\nagent"), "{got}");
}

#[test]
fn a_clause_may_go_on() {
    let text = "agent a {\n    use b {\n        allow t, // first\n            u {\n            x in { \"a\" }\n                or { \"b\" }\n                except {\n                    \"c\",\n                    \"d\"\n                }\n            y in [ { \"git\" }, .. each in { \"a\" } ]\n        } with approval\n    }\n}\n";
    let got = check_format("continued", text);
    assert!(got.contains("\n                or { \"b\" }\n"), "{got}");
}

#[test]
fn a_text_that_does_not_parse_is_refused() {
    assert!(format("agent {").is_err());
    assert!(format("\u{feff}language 1\n").is_err());
    assert_eq!(format("").expect("nothing is a file"), "");
}

/// Wherever a blank, a line end or a comment may be put into a policy, the layout puts up with it.
#[test]
fn white_space_anywhere() {
    for text in [include_str!("../../../tests/policies/language.bwk"), include_str!("../../../tests/policies/operators.bwk")]
    {
        let tokens = tokens(text);
        let boundaries: Vec<usize> = tokens.iter().filter(|t| t.kind != TokenKind::Blank).map(|t| t.start).collect();
        for (i, at) in boundaries.iter().enumerate().step_by(17) {
            let piece = ["\n", "  ", " // c\n", "\n\n\n", "\n// c\n", "\t"][(i / 17) % 6];
            let changed = format!("{}{piece}{}", &text[..*at], &text[*at..]);
            if format(&changed).is_ok() {
                check_format(&format!("{piece:?} at {at}"), &changed);
            }
        }
    }
}
