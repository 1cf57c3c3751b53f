//! Deep and long policies: checked in a small stack, and in time that grows with them.

use super::check;
use crate::diag::{Diagnostic, Sink};
use crate::source::Sources;

/// Parses in a roomy thread and checks in one with a stack of 256 KiB.
fn check_in_a_small_stack(text: String) -> Vec<Diagnostic> {
    let roomy = std::thread::Builder::new().stack_size(16 << 20);
    let parsing = roomy.spawn(move || {
        let mut sources = Sources::default();
        let file = sources.add("deep.bwk", text.as_str());
        let parsed = crate::syntax::parse(&sources, file, &mut Sink::default());
        (sources, parsed)
    });
    let (sources, parsed) = parsing.expect("a thread").join().expect("parsing never panics");
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let checking = small.spawn(move || {
        let mut sink = Sink::default();
        let _ = check(&sources, &[parsed], &mut sink);
        sink.into_sorted()
    });
    checking.expect("a thread").join().expect("checking never panics")
}

fn in_an_agent(ty: &str, set: &str) -> String {
    format!("vocabulary v {{ tool t {{ x: {ty} }} }}\nagent a {{ use v {{ allow t {{ x {set} }} }} }}\n")
}

#[test]
fn what_nests_as_deep_as_may_be_is_checked_in_a_small_stack() {
    const DEEP: usize = 50;
    let parentheses = format!("in {}{{ \"a\" }}{}", "(".repeat(DEEP), ")".repeat(DEEP));
    assert!(check_in_a_small_stack(in_an_agent("text", &parentheses)).is_empty());
    let lists = check_in_a_small_stack(in_an_agent(&format!("{}text", "list of ".repeat(DEEP)), "size 1..5"));
    assert!(lists.is_empty(), "{lists:?}");
    let each = check_in_a_small_stack(in_an_agent("text", &format!("{}length 1..5", "each ".repeat(DEEP))));
    assert!(!each.is_empty());
    let records = format!("{}text{}", "record { m: ".repeat(DEEP / 2), " }".repeat(DEEP / 2));
    let path = format!("{} in {{ \"a\" }}", ".m".repeat(DEEP / 2));
    let text = in_an_agent(&records, &path).replace("x .m", "x.m");
    let records = check_in_a_small_stack(text);
    assert!(records.is_empty(), "{records:?}");
}

#[test]
fn many_rows_and_long_chains_are_checked() {
    let mut text = String::from("vocabulary v { tool t { x: int; y: text } }\nagent a { use v {\n");
    for at in 0..2_000 {
        text.push_str(&format!("allow t {{ x <= {at}; y in {{ \"{at}\" }} }}\n"));
    }
    text.push_str("} }\n");
    for at in 0..200 {
        let base = if at == 0 { "a".to_owned() } else { format!("o{}", at - 1) };
        text.push_str(&format!("overlay o{at} on {base} {{ v {{ allow t {{ x <= 5 }} }} }}\n"));
        text.push_str(&format!("let l{at}: int = l{} or {{ {at} }}\n", at + 1));
    }
    text.push_str("let l200: int = { 500 }\n");
    assert_eq!(check_in_a_small_stack(text), Vec::new());
}
