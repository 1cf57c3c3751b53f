//! The proof on the language's own examples and on the terminal cases.

mod certificates;
mod naive;
mod random;
mod world;

use super::{OnWiden, Options, Verification, verify};
use crate::diag::Sink;
use crate::domain::compact;
use crate::policy::{Base, LimitValue, OverlayId, Policy};
use world::*;

fn check(policy: &Policy) -> Verification {
    let mut sink = Sink::default();
    let found = verify(policy.clone(), &Options::default(), &mut sink);
    assert_eq!(sink.has_errors(), found.verified.is_none());
    found
}

fn clamped(policy: &Policy) -> Policy {
    let mut sink = Sink::default();
    let options = Options { on_widen: OnWiden::Clamp };
    let found = verify(policy.clone(), &options, &mut sink);
    assert!(!sink.has_errors());
    let clamped = found.verified.expect("clamp verifies").policy().as_ref().clone();
    assert!(check(&clamped).verified.is_some(), "what clamp leaves proves");
    clamped
}

/// The one clause that widens: the witness and the repair.
fn widens(policy: &Policy) -> (String, Option<String>) {
    let found = check(policy);
    assert!(found.verified.is_none());
    let [verdict] = found.overlays.as_slice() else { panic!("one overlay: {:?}", found.overlays) };
    let [widening] = verdict.widens.as_slice() else { panic!("one widening: {:?}", verdict.widens) };
    assert!(!verdict.holds && verdict.proved);
    (compact(&widening.witness), widening.repair.clone())
}

fn narrows(policy: &Policy) {
    let found = check(policy);
    assert!(found.verified.is_some(), "{:?}", found.overlays);
    assert!(found.overlays.iter().all(|v| v.holds && v.proved));
}

fn backends(of: &[&str]) -> (usize, LimitValue) {
    (0, LimitValue::Set(values(one_of(of))))
}

fn bound(to: &str) -> (usize, LimitValue) {
    (1, LimitValue::Bound(text(to)))
}

const SINGLE: (usize, LimitValue) = (1, LimitValue::Single);
const MANY: (usize, LimitValue) = (1, LimitValue::Many);

#[test]
fn t27_an_overlay_fills_the_blank_with_what_the_ceiling_permits() {
    narrows(&terminals(vec![backends(&["tmux"]), SINGLE], vec![bound("tmux:main")]));
    let (witness, repair) = widens(&terminals(vec![backends(&["tmux"]), SINGLE], vec![bound("kitty:main")]));
    assert_eq!((witness.as_str(), repair), (r#"{"target":"kitty:main"}"#, None));
}

#[test]
fn t29_wider_backends_widen_and_clamp_leaves_the_ceiling() {
    let policy = terminals(vec![backends(&["tmux"])], vec![backends(&["tmux", "kitty", "iterm2"])]);
    let (witness, repair) = widens(&policy);
    assert_eq!(witness, r#"{"backend":"kitty"}"#);
    assert_eq!(repair.as_deref(), Some(r#"{ tmux }"#));
    assert_eq!(clamped(&policy).overlays[0].layer.uses[0].limits[0].value, backends(&["tmux"]).1);
}

#[test]
fn t31_disjoint_backends_widen_and_clamp_says_nothing() {
    let policy = terminals(vec![backends(&["tmux", "kitty"])], vec![backends(&["iterm2"])]);
    let (witness, repair) = widens(&policy);
    assert_eq!((witness.as_str(), repair), (r#"{"backend":"iterm2"}"#, None));
    assert!(clamped(&policy).overlays[0].layer.uses[0].limits.is_empty());
}

#[test]
fn t33_an_unprefixed_binding_names_no_backend() {
    narrows(&terminals(vec![backends(&["tmux"])], vec![bound("main")]));
}

#[test]
fn t35_single_cannot_be_loosened() {
    let policy = terminals(vec![SINGLE], vec![MANY]);
    let (_, repair) = widens(&policy);
    assert_eq!(repair.as_deref(), Some("single"));
    narrows(&terminals(vec![SINGLE], vec![SINGLE]));
    narrows(&terminals(vec![MANY], vec![SINGLE]));
    narrows(&terminals(vec![bound("tmux:main")], vec![SINGLE]));
    narrows(&terminals(vec![], vec![MANY]));
}

#[test]
fn t37_a_ceiling_without_limits_may_be_narrowed() {
    narrows(&terminals(vec![], vec![backends(&["tmux"])]));
}

#[test]
fn a_bound_value_cannot_be_rebound() {
    narrows(&terminals(vec![bound("tmux:main")], vec![bound("tmux:main")]));
    narrows(&terminals(vec![bound("main")], vec![bound("tmux:main")]));
    let (witness, repair) = widens(&terminals(vec![bound("tmux:main")], vec![bound("tmux:other")]));
    assert_eq!((witness.as_str(), repair), (r#"{"target":"tmux:other"}"#, None));
    widens(&terminals(vec![bound("tmux:main")], vec![bound("main")]));
    narrows(&terminals(vec![backends(&["tmux"]), bound("tmux:main")], vec![bound("main")]));
}

#[test]
fn projection_is_inside_the_coupled_dimension() {
    let vocabulary = terminal();
    let mut policy = terminals(vec![], vec![bound("kitty:3")]);
    policy.agents[0].layer.uses[0].rows = (0..3)
        .map(|tool| row(&vocabulary, tool, 110 + 10 * tool, vec![(usize::from(tool > 0), values(one_of(&["tmux"])))]))
        .collect();
    let (witness, _) = widens(&policy);
    assert_eq!(witness, r#"{"target":"kitty:3"}"#);

    let capture = |targets: &[&str]| {
        let mut policy = policy.clone();
        policy.overlays[0].layer.uses[0].limits.clear();
        policy.overlays[0].layer.uses[0].rows = vec![row(&vocabulary, 1, 260, vec![(0, values(one_of(targets)))])];
        policy
    };
    narrows(&capture(&["tmux:3", "main"]));
    let (witness, repair) = widens(&capture(&["kitty:3", "tmux:3"]));
    assert_eq!((witness.as_str(), repair.as_deref()), (r#"{"target":"kitty:3"}"#, Some(r#"target in { "tmux:3" }"#)));
}

#[test]
fn k13_1_a_higher_amount_widens_by_the_next_number() {
    let policy = payers(&[(&[], Some((None, Some(100))))], &[(&[], Some((None, Some(500))))]);
    let (witness, repair) = widens(&policy);
    assert_eq!(witness, r#"{"recipient":"","amount":101}"#);
    assert_eq!(repair.as_deref(), Some("amount <= 100"));
    let cut = clamped(&policy);
    assert_eq!(cut.overlays[0].layer.uses[0].rows[0].clauses[0].slot.values, range(None, Some(100)));
}

#[test]
fn a_clause_is_held_against_the_projection_of_all_rows() {
    let rows: &[Money<'_>] = &[(&["A"], Some((None, Some(500)))), (&["B"], Some((None, Some(50))))];
    narrows(&payers(rows, &[(&[], Some((None, Some(100))))]));
    narrows(&payers(rows, &[(&["A"], Some((None, Some(100))))]));
    let (witness, repair) = widens(&payers(rows, &[(&["B"], Some((None, Some(100))))]));
    assert_eq!(witness, r#"{"recipient":"B","amount":51}"#);
    assert_eq!(repair.as_deref(), Some("amount <= 50"));
    narrows(&payers(rows, &[(&["B"], Some((None, Some(50)))), (&["A"], None)]));
}

#[test]
fn two_rows_together_may_cover_one() {
    let rows: &[Money<'_>] = &[(&["A", "B"], Some((None, Some(10)))), (&["A", "B", "C"], Some((Some(5), Some(90))))];
    narrows(&payers(rows, &[(&["A", "B"], Some((None, Some(90))))]));
    let (witness, repair) = widens(&payers(rows, &[(&["A", "C"], Some((None, Some(90))))]));
    assert_eq!(witness, r#"{"recipient":"C","amount":0}"#);
    assert!(repair.is_some_and(|r| r.contains("; ")));
}

#[test]
fn tools_need_a_row_in_the_base() {
    let mut policy = terminals(vec![], vec![]);
    policy.agents[0].layer.uses[0].rows.retain(|row| row.tool != 2);
    policy.overlays[0].layer.uses[0].tools = Some(listed(&[0, 1]));
    narrows(&policy);
    policy.overlays[0].layer.uses[0].tools = Some(listed(&[0, 2]));
    let (witness, repair) = widens(&policy);
    assert_eq!((witness.as_str(), repair), (r#"{"target":""}"#, None));
    assert_eq!(clamped(&policy).overlays[0].layer.uses[0].tools.as_ref().map(Vec::len), Some(1));
}

#[test]
fn an_overlay_on_an_overlay_is_held_against_both() {
    let mut policy = payers(&[(&[], Some((None, Some(100))))], &[(&["A", "B"], None)]);
    let vocabulary = bank();
    let second = layer(spoken(None, money(&vocabulary, 250, &[(&["A"], Some((None, Some(20))))]), Vec::new()));
    policy.overlays.push(overlay("inner", Base::Overlay(OverlayId(0)), second));
    narrows(&policy);
    policy.overlays[1].layer.uses[0].rows = money(&vocabulary, 250, &[(&["C"], None)]);
    let found = check(&policy);
    assert!(found.overlays[0].holds && !found.overlays[1].holds);
    assert_eq!(&*found.overlays[1].on, "team");
}

#[test]
fn a_policys_own_text_passes_as_an_overlay_on_it() {
    let mut policy = terminals(vec![backends(&["tmux", "kitty"]), bound("main")], vec![]);
    policy.overlays[0].layer = policy.agents[0].layer.clone();
    policy.overlays[0].layer.uses[0].rows.clear();
    narrows(&policy);
}

/// The codes of all findings, in order.
fn codes(policy: &Policy) -> Vec<&'static str> {
    let mut sink = Sink::default();
    verify(policy.clone(), &Options::default(), &mut sink);
    sink.into_sorted().iter().map(|d| d.code.id()).collect()
}

#[test]
fn rows_that_nothing_satisfies_or_that_others_cover_are_found() {
    let vocabulary = terminal();
    let mut policy = terminals(vec![backends(&["tmux"])], vec![backends(&["tmux"])]);
    policy.overlays.clear();
    assert_eq!(codes(&policy), Vec::<&str>::new());
    let kitty = row(&vocabulary, 1, 160, vec![(0, values(prefix("kitty:")))]);
    policy.agents[0].layer.uses[0].rows[1] = kitty;
    assert_eq!(codes(&policy), ["W0100"]);

    let mut policy = payers(&[(&[], Some((None, Some(500)))), (&["A"], Some((None, Some(100))))], &[]);
    policy.overlays.clear();
    assert_eq!(codes(&policy), ["W0111"]);
    policy.agents[0].layer.uses[0].rows[1].approval = true;
    assert_eq!(codes(&policy), ["W0111"], "a free row that covers it: nobody is asked");
    policy.agents[0].layer.uses[0].rows[0].approval = true;
    policy.agents[0].layer.uses[0].rows[1].approval = false;
    assert_eq!(codes(&policy), Vec::<&str>::new(), "free below 100, asked above");
    let mut twice = payers(&[(&["A"], None), (&["A"], None)], &[]);
    twice.overlays.clear();
    assert_eq!(codes(&twice), ["W0111"], "of two equal rows, one");
}

#[test]
fn overlays_that_change_nothing_or_leave_nothing_are_found() {
    let rows: &[Money<'_>] = &[(&["A", "B"], Some((None, Some(100))))];
    assert_eq!(codes(&payers(rows, rows)), ["W0110"]);
    assert_eq!(codes(&payers(rows, &[(&["A"], None)])), Vec::<&str>::new());
    let mut asks = payers(rows, rows);
    asks.overlays[0].layer.uses[0].rows[0].approval = true;
    assert_eq!(codes(&asks), Vec::<&str>::new(), "asking is a change");

    let mut two = payers(rows, &[(&["A"], None)]);
    let other = layer(spoken(None, money(&bank(), 260, &[(&["B"], None)]), Vec::new()));
    two.overlays.push(overlay("other", Base::Agent(crate::policy::AgentId(0)), other));
    assert_eq!(codes(&two), ["W0112"]);
    assert_eq!(codes(&terminals(vec![SINGLE], vec![bound("tmux:main")])), Vec::<&str>::new());
    assert_eq!(codes(&terminals(vec![SINGLE], vec![SINGLE])), ["W0110"]);
}

#[test]
fn what_a_boundary_takes_is_reported() {
    let mut policy = payers(&[(&["A"], Some((None, Some(100))))], &[(&["A"], Some((None, Some(20))))]);
    let boundary = |rows: &[Money<'_>]| crate::policy::Boundary {
        name: "security".into(),
        agents: None,
        layer: layer(spoken(None, money(&bank(), 400, rows), Vec::new())),
        span: span(500),
    };
    let report = |policy: &Policy| {
        let found = verify(policy.clone(), &Options::default(), &mut Sink::default());
        assert!(found.verified.is_some(), "a boundary never fails a proof");
        found.boundaries.iter().map(|b| (b.lost.len(), b.narrowed.len(), b.kept.len())).collect::<Vec<_>>()
    };
    policy.boundaries = vec![boundary(&[(&[], Some((None, Some(50))))])];
    assert_eq!(report(&policy), [(0, 1, 0), (0, 0, 1)]);
    assert_eq!(codes(&policy), Vec::<&str>::new());
    policy.boundaries = vec![boundary(&[(&["B"], None)])];
    assert_eq!(report(&policy), [(1, 0, 0), (1, 0, 0)]);
    assert_eq!(codes(&policy), ["W0113", "W0113"]);
}

#[test]
fn a_child_is_cut_by_its_parent() {
    let vocabulary = bank();
    let mut policy = payers(&[(&[], Some((None, Some(100))))], &[(&[], Some((None, Some(100))))]);
    policy
        .agents
        .push(agent("boss", layer(spoken(None, money(&vocabulary, 600, &[(&["A"], Some((None, Some(50))))]), Vec::new()))));
    policy.agents[0].parent = Some(crate::policy::AgentId(1));
    let (witness, repair) = widens(&policy);
    assert_eq!((witness.as_str(), repair.as_deref()), (r#"{"recipient":"","amount":51}"#, Some("amount <= 50")));
}

#[test]
fn a_finding_says_which_words_permit_and_which_refuse() {
    let policy = payers(&[(&[], Some((None, Some(100))))], &[(&[], Some((None, Some(500))))]);
    let mut sink = Sink::default();
    verify(policy, &Options::default(), &mut sink);
    let found = sink.into_sorted();
    let [finding] = found.as_slice() else { panic!("one finding: {found:?}") };
    assert_eq!(
        finding.message,
        "overlay `team` widens `payer`: its words permit `bank.send_money(recipient: \"\", amount: 101)`"
    );
    assert_eq!((finding.primary.span, finding.primary.text.as_str()), (span(211), "`amount <= 500` permits it"));
    assert_eq!(
        (finding.secondary[0].span, finding.secondary[0].text.as_str()),
        (span(111), "`amount <= 100`: `payer` refuses it")
    );
    assert_eq!(finding.help.as_deref(), Some("write `amount <= 100`"));
    assert_eq!(finding.fixes[0].edits[0].replacement, "amount <= 100");
}

#[test]
fn a_row_that_an_opaque_argument_leads_past_a_limit_is_void_unless_it_is_accepted() {
    let mut policy = terminals(vec![backends(&["tmux"])], vec![]);
    let command = crate::domain::Kind::OpaqueText;
    let run = &mut policy.vocabularies[0].tools[2];
    run.arguments.push(required("command", ty(command)));
    run.channels.push(crate::policy::Channel { argument: 2, limit: limit_ref(0) });
    policy.overlays[0].layer.uses[0].tools = Some(listed(&[0, 2]));
    let (witness, _) = widens(&policy);
    assert_eq!(witness, r#"{"target":"","command":""}"#);
    policy.agents[0].layer.uses[0].rows[2].accepting_opaque = true;
    narrows(&policy);
    policy.agents[0].layer.uses[0].rows[2].accepting_opaque = false;
    policy.agents[0].layer.uses[0].limits.clear();
    narrows(&policy);
}
