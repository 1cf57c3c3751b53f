//! Excerpts: the right characters underlined, and nothing that a text can do to break the drawing.

use super::*;
use bailiwick::diag::Code;

fn draw(text: &str, start: usize, end: usize) -> String {
    let mut sources = Sources::default();
    let file = sources.add("a.bwk", text);
    let found =
        Diagnostic::new(Code::UNKNOWN_NAME, Span::new(file, start, end), "no argument `ammount`").label("not declared");
    excerpt(&found, &sources, false)
}

#[test]
fn the_offending_token_is_underlined() {
    let text = draw("agent a {\n    ammount <= 5\n}\n", 14, 21);
    assert!(text.contains("[E0200] Error: no argument `ammount`"), "{text}");
    assert!(text.contains("a.bwk:2:5"), "{text}");
    assert!(text.contains(" 2 │     ammount <= 5"), "{text}");
    assert!(text.contains("not declared"), "{text}");
}

#[test]
fn columns_after_wide_characters_are_characters() {
    let text = draw("é€𝄞 ammount\n", 10, 17);
    assert!(text.contains("a.bwk:1:5"), "{text}");
}

#[test]
fn no_span_and_no_text_breaks_the_drawing() {
    let texts =
        ["", "\n", "é", "a\r\nb\r\n", "x\u{2028}y\u{85}z\u{c}w", "\u{202e}abc\u{7}\u{1b}[31m", "a\tb", &"é".repeat(5000)];
    for text in texts {
        for (start, end) in [(0, 0), (0, 1), (1, 2), (0, text.len()), (text.len(), text.len()), (9, 3), (7, 100_000)] {
            let drawn = draw(text, start, end);
            assert!(drawn.contains("no argument"), "{text:?} {start}..{end}");
            assert!(drawn.lines().all(|l| l.chars().count() < 320), "{text:?} {start}..{end}: {drawn}");
            assert!(!drawn.contains(['\u{202e}', '\u{7}', '\u{1b}', '\t']), "{text:?} {start}..{end}");
        }
    }
}

#[test]
fn a_long_line_keeps_what_is_around_the_span() {
    let line = format!("{}ammount{}", "x".repeat(3000), "y".repeat(3000));
    let drawn = draw(&line, 3000, 3007);
    assert!(drawn.contains("xammounty"), "{drawn}");
    assert!(drawn.contains('…'), "{drawn}");
}
