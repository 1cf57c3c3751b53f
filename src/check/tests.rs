//! What the shown policies mean, and what is said of broken ones.

use super::check;
use crate::diag::{Diagnostic, Sink};
use crate::domain::Value;
use crate::policy::{LimitValue, Policy};
use crate::source::Sources;

/// Parses and checks one text.
pub fn read(text: &str) -> (Option<Policy>, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add("policy.bwk", text);
    let mut sink = Sink::default();
    let parsed = crate::syntax::parse(&sources, file, &mut sink);
    let policy = check(&sources, &[parsed], &mut sink);
    (policy, sink.into_sorted())
}

/// The policy of a text without any finding.
pub fn clean(text: &str) -> Policy {
    let (policy, found) = read(text);
    assert_eq!(said(&found), Vec::<String>::new());
    policy.expect("a policy without findings is whole")
}

/// Code and message of every finding.
pub fn said(found: &[Diagnostic]) -> Vec<String> {
    found.iter().map(|d| format!("{} {}", d.code.id(), d.message)).collect()
}

/// The terminal and the bank of the language's first examples.
fn worlds() -> String {
    let shown = include_str!("../../tests/policies/language.bwk");
    let web = |line: &&str| !line.contains("corp_hosts");
    shown.lines().filter(web).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_terminal_and_the_bank_are_clean_and_whole() {
    let policy = clean(&worlds());
    let [bank, terminal] = policy.vocabularies.as_slice() else { panic!("two vocabularies, by name") };
    assert_eq!((&*bank.name, &*terminal.name), ("bank", "terminal"));
    let capture = &terminal.tools[1];
    assert_eq!(&*capture.name, "terminal_capture");
    let places: Vec<(usize, usize)> = capture.places.iter().map(|place| (place.argument, place.limit.limit)).collect();
    assert_eq!(places, [(0, 1), (1, 0)], "target is limited by targets, backend by backends");
    assert_eq!(capture.couplings.len(), 1, "target names backend");
    assert_eq!((capture.couplings[0].place, capture.couplings[0].named), (0, 1));
    let within = terminal.limits[1].within.as_ref().expect("targets are within backends");
    assert_eq!(within.values.iter().map(|v| &**v).collect::<Vec<_>>(), ["tmux", "kitty", "iterm2"]);

    let payer = &policy.agents[0].layer.uses[0];
    let rows: Vec<(usize, usize, bool)> = payer.rows.iter().map(|row| (row.tool, row.clauses.len(), row.approval)).collect();
    assert_eq!(rows, [(0, 0, false), (1, 2, false), (1, 1 + 1, true)]);
    assert_eq!(&*payer.rows[1].clauses[1].permitted, "0.01..500.00");
    let acme = &policy.overlays[0];
    assert_eq!(acme.layer.uses[0].limits[0].value, LimitValue::Bound(Value::Text("tmux:main".into())));
    assert_eq!(policy.agents[acme.agent.0].name, "tmux_operator".into());
    assert_eq!(policy.tests.len(), 2);
}

#[test]
fn one_slip_is_one_error_with_a_suggestion() {
    for (wrong, right, code) in [
        ("use bnak {", "use bank {", "E0202"),
        ("tools get_balanse", "tools get_balance", "E0203"),
        ("ammount    in 0.01", "amount    in 0.01", "E0204"),
        ("backend = { tmux }", "backends = { tmux }", "E0205"),
        ("amount:    decimel", "amount:    decimal", "E0206"),
        ("on bil_payer", "on bill_payer", "E0207"),
        ("needs bank.sned", "needs bank.send", "E0208"),
        ("backends = { tmuxx }", "backends = { tmux }", "E0301"),
        ("is PolicyBlockt by mode", "is PolicyBlocked by mode", "E0700"),
    ] {
        let whole = worlds();
        assert!(whole.contains(right) || right.starts_with("backends"), "{right}");
        let spaced = if whole.contains(right) { right } else { "backends = { tmux }" };
        let broken = whole.replacen(spaced, wrong, 1);
        let (policy, found) = read(&broken);
        assert!(policy.is_none());
        assert_eq!(found.len(), 1, "{wrong}: {:?}", said(&found));
        assert_eq!(found[0].code.id(), code, "{:?}", said(&found));
        let edit = &found[0].fixes.first().unwrap_or_else(|| panic!("a fix for {wrong}")).edits[0];
        let mut mended = broken.clone();
        mended.replace_range(edit.span.range(), &edit.replacement);
        assert_eq!(mended, whole, "the fix of {code}");
    }
}
