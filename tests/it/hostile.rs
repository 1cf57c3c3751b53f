//! No text makes the reader panic, hang or overflow, also on a small stack; and each is said to be what it is.

use bailiwick::diag::Sink;
use bailiwick::source::Sources;
use bailiwick::syntax;

/// The codes found in a text, read on a stack of 256 KiB.
fn check_hostile(text: String) -> Vec<&'static str> {
    let work = move || {
        let mut sources = Sources::default();
        let file = sources.add("hostile.bwk", text.as_str());
        let mut sink = Sink::default();
        let ast = syntax::parse(&sources, file, &mut sink);
        drop(ast);
        let _ = syntax::format(&text);
        sink.into_sorted().iter().map(|d| d.code.id()).collect()
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(work).expect("a thread");
    thread.join().expect("no panic")
}

fn in_agent(row: &str) -> String {
    format!("agent a {{\n    use b {{\n        {row}\n    }}\n}}\n")
}

#[test]
fn nesting_is_bounded() {
    for (open, close) in [("(", ")"), ("{ p in ", " }"), ("[", "]")] {
        for depth in [40, 55] {
            let row = format!("allow t {{ x in {}{{ 1 }}{} }}", open.repeat(depth), close.repeat(depth));
            assert_eq!(check_hostile(in_agent(&row)), Vec::<&str>::new(), "{open} {depth}");
        }
        for depth in [70, 100_000] {
            let row = format!("allow t {{ x in {}{{ 1 }}{} }}", open.repeat(depth), close.repeat(depth));
            assert_eq!(check_hostile(in_agent(&row)), ["E0009"], "{open} {depth}");
            assert_eq!(check_hostile(in_agent(&open.repeat(depth))).len(), 1, "{open} {depth}");
        }
    }
    assert_eq!(check_hostile(in_agent(&format!("allow t {{ x {} prefix \"a\" }}", "each ".repeat(50_000)))), ["E0009"]);
    assert_eq!(check_hostile(format!("let a: {} text = any", "list of ".repeat(50_000))), ["E0009"]);
    assert_eq!(check_hostile(format!("let a: text {} = any", "or list ".repeat(50_000))), ["E0009"]);
    assert_eq!(check_hostile(format!("let a: int = any {}", "or {1} except {2} ".repeat(20_000))), ["E0009"]);
    let flat = format!("let a: int = any {}", "or {1} ".repeat(20_000));
    assert_eq!(check_hostile(flat), Vec::<&str>::new());
}

#[test]
fn size_is_bounded() {
    let huge = format!("// {}\n", "x".repeat(11 << 20));
    assert_eq!(check_hostile(huge), ["E0008"]);
    let one_declaration = in_agent(&format!("tools {}", "tool, ".repeat(200_000)));
    assert_eq!(check_hostile(one_declaration), ["E0008"]);
    let many_broken = "agent a { use b { tools \n".repeat(500);
    assert_eq!(check_hostile(many_broken).len(), 500);
}

#[test]
fn odd_texts_are_read() {
    let mut odd: Vec<String> = vec![
        String::new(),
        "\u{feff}".into(),
        "\r".into(),
        "\0".into(),
        "}".repeat(1_000),
        "\"".repeat(1_001),
        "\\".repeat(100),
        "'".into(),
        "“".into(),
        "agent".into(),
        "agent a".into(),
        "agent a {".into(),
        "/*".into(),
        "///".into(),
        "let x: int = 1e999999999".into(),
        "let x: int = 1..".into(),
        "é".repeat(1_000),
        "language 99999999999999999999".into(),
        format!("let x: int = {{ {} }}", "9".repeat(100_000)),
        "agent a { use b { allow t { x = = == && || ..= deny } } }".into(),
        "test a { b.c(d: \"\\ud800\") is Ready }".into(),
        "; ; ;".into(),
        "agent a {} agent b {} agent c { agent d {} }".into(),
    ];
    odd.extend((0..40).map(|at| {
        // The example, with each of some places cut off.
        let text = include_str!("../policies/language.bwk");
        let end = text.len() * at / 40;
        text.char_indices().map(|(i, _)| i).take_while(|i| *i <= end).last().map_or("", |i| &text[..i]).to_owned()
    }));
    for text in odd {
        check_hostile(text);
    }
}

/// What would take a naive reader the square of the length.
#[test]
fn long_lines_are_soon_read() {
    let members: String = (0..4_000).map(|i| format!("a{i}: text; ")).collect();
    assert_eq!(check_hostile(format!("vocabulary v {{ tool t {{ {members} }} }}")), Vec::<&str>::new());
    assert_eq!(check_hostile(format!("agent a {{ use b {{ tools none {} }} }}", ";".repeat(20_000))), Vec::<&str>::new());
    assert_eq!(check_hostile(in_agent(&format!("tools \"a {}", "b, ".repeat(10_000)))).len(), 1);
    assert!(check_hostile("@ ".repeat(100_000)).len() <= 1_001);
    assert!(check_hostile("\u{202e} ".repeat(50_000)).len() <= 1_001);
    assert!(check_hostile("@\nlet\n".repeat(2_000)).len() <= 3_001);
}

/// Every token of a policy, in turn, left out, doubled, or exchanged with the next: never a panic, and never silence where the
/// text no longer parses.
#[test]
fn one_token_wrong() {
    let text = include_str!("../policies/language.bwk");
    let tokens = syntax::tokens(text);
    let visible: Vec<_> = tokens.iter().filter(|t| !t.kind.is_trivia() && t.kind != syntax::TokenKind::Newline).collect();
    for (i, token) in visible.iter().enumerate().step_by(11) {
        let (before, here, after) = (&text[..token.start], token.of(text), &text[token.end..]);
        let odd = ["", "(", "}", "\"", "=", "@", "deny"][i % 7];
        for changed in [format!("{before}{after}"), format!("{before}{here} {here}{after}"), format!("{before}{odd}{after}")]
        {
            let mut sources = Sources::default();
            let file = sources.add("a.bwk", changed.as_str());
            let mut sink = Sink::default();
            let ast = syntax::parse(&sources, file, &mut sink);
            let found = sink.into_sorted();
            assert!(ast.broken.is_empty() || !found.is_empty(), "lost in silence: {changed}");
            assert!(found.len() <= 2, "one mistake, {} findings: {:#?}\n{before}<<<", found.len(), found);
        }
    }
}
