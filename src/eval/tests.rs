//! The terminal world decides as it must: settling, limits, resources, facts. The whole conformance suite is in tests/it;
//! here is what can be shown without text.

use super::*;
use crate::call::{Bounds, read};
use crate::digest::{canonical, compact};
use crate::explain::{decision_value, message};
use crate::policy::{LimitSetting, LimitValue};
use crate::table::build::build_unproved;
use crate::table::tests::world::{self, TARGETS, backends, bound, policy, setting};

fn single() -> LimitSetting {
    setting(TARGETS, LimitValue::Single)
}

fn handle(ceiling: Vec<LimitSetting>, overlay: Vec<LimitSetting>) -> Handle {
    let overlays: &[&str] = if overlay.is_empty() { &[] } else { &["o"] };
    let (policy, sources) = policy(ceiling, overlay);
    build_unproved(&policy, &sources).handle("a", overlays, &[]).expect("a handle")
}

fn decide(handle: &Handle, tool: &str, arguments: &str, facts: &str) -> Decision {
    let facts = Facts::read(facts.as_bytes()).expect("facts are JSON");
    let call = Call { connector: "terminal", tool, arguments: arguments.as_bytes() };
    handle.decide(&call, &facts)
}

fn json(text: &str) -> String {
    canonical(&read(text.as_bytes(), Bounds::default()).expect("JSON"))
}

fn check_ready(handle: &Handle, tool: &str, arguments: &str, forwarded: &str) {
    let decision = decide(handle, tool, arguments, "{}");
    let because = &decision.because;
    let found = decision.arguments.as_ref().unwrap_or_else(|| panic!("{tool} {arguments}: {because:?}")).value();
    assert_eq!(canonical(found), json(forwarded), "{tool} {arguments}");
    // Deciding a forwarded call again gives Ready and changes nothing.
    let again = decide(handle, tool, &compact(found), "{}");
    assert_eq!(again.arguments, Some(Forwarded::AsCame(found.clone())), "{tool} {arguments} again");
}

fn check_blocked(handle: &Handle, tool: &str, arguments: &str, facts: &str, code: Code, limit: Option<&str>) -> Decision {
    let decision = decide(handle, tool, arguments, facts);
    let first = decision.because.first().expect("a reason");
    let by = first.limit.map(|limit| handle.table().model().limit_name(limit));
    assert_eq!((decision.status, first.code, by.as_deref()), (Status::PolicyBlocked, code, limit), "{tool} {arguments}");
    decision
}

const CAPTURE: &str = "terminal_capture";
const LIST: &str = "terminal_list_targets";

#[test]
fn one_backend_fills_what_was_left_open() {
    let tmux = handle(vec![backends(&["tmux"])], vec![]);
    check_ready(&tmux, CAPTURE, r#"{"target":"tmux:main"}"#, r#"{"target":"tmux:main","backend":"tmux"}"#);
    check_ready(&tmux, CAPTURE, r#"{"target":"1"}"#, r#"{"target":"1","backend":"tmux"}"#);
    check_ready(&tmux, LIST, r#"{"backend":"all"}"#, r#"{"backend":"tmux"}"#);
    check_ready(&tmux, LIST, "{}", r#"{"backend":"tmux"}"#);
    let blocked = Some("terminal.backends");
    check_blocked(&tmux, CAPTURE, r#"{"target":"main","backend":"iterm2"}"#, "{}", Code::Limit, blocked);
    check_blocked(&tmux, CAPTURE, r#"{"target":"iterm2:1:1:1"}"#, "{}", Code::Limit, blocked);
}

#[test]
fn two_backends_ask_and_do_not_guess() {
    let two = handle(vec![backends(&["tmux", "kitty"])], vec![]);
    check_ready(&two, LIST, r#"{"backend":"kitty"}"#, r#"{"backend":"kitty"}"#);
    check_ready(&two, CAPTURE, r#"{"target":"tmux:main"}"#, r#"{"target":"tmux:main","backend":"tmux"}"#);
    let blocked = Some("terminal.backends");
    let decision = check_blocked(&two, CAPTURE, r#"{"target":"main"}"#, "{}", Code::Unspecified, blocked);
    let text = message(&two, &decision).expect("a message");
    assert_eq!(text, "Refused by `terminal.backends`: pass `backend` explicitly: one of tmux, kitty.");
    let decision = check_blocked(&two, LIST, r#"{"backend":"all"}"#, "{}", Code::Unspecified, blocked);
    assert!(message(&two, &decision).expect("a message").contains("\"all\" is not available to this agent"));
    let contrary = r#"{"target":"tmux:main","backend":"kitty"}"#;
    check_blocked(&two, CAPTURE, contrary, "{}", Code::Incoherent, blocked);
    check_blocked(&two, CAPTURE, r#"{"target":"iterm2:1"}"#, "{}", Code::Limit, blocked);
}

#[test]
fn without_a_limit_nothing_is_made_explicit() {
    let free = handle(vec![], vec![]);
    let raw = r#" { "target" : "kitty:1" } "#;
    assert!(matches!(decide(&free, CAPTURE, raw, "{}").arguments, Some(Forwarded::AsCame(_))));
    check_ready(&free, LIST, "{}", "{}");
    check_ready(&free, LIST, r#"{"backend":"all"}"#, r#"{"backend":"all"}"#);
    // Nobody speaks of either argument: what contradicts itself is the provider's affair.
    let contrary = r#"{"target":"tmux:main","backend":"kitty"}"#;
    check_ready(&free, CAPTURE, contrary, contrary);
}

#[test]
fn a_bound_resource_has_one_canonical_form() {
    let main = handle(vec![bound("tmux:main")], vec![]);
    check_ready(&main, CAPTURE, r#"{"target":"tmux:main"}"#, r#"{"target":"tmux:main"}"#);
    check_ready(&main, CAPTURE, r#"{"target":"main"}"#, r#"{"target":"tmux:main"}"#);
    check_ready(&main, CAPTURE, "{}", r#"{"target":"tmux:main"}"#);
    check_ready(&main, CAPTURE, r#"{"target":"main","backend":"tmux"}"#, r#"{"target":"tmux:main","backend":"tmux"}"#);
    let targets = Some("terminal.targets");
    check_blocked(&main, CAPTURE, r#"{"target":"main","backend":"kitty"}"#, "{}", Code::Limit, targets);
    check_blocked(&main, CAPTURE, r#"{"target":"tmux:other"}"#, "{}", Code::Limit, targets);
    check_blocked(&main, CAPTURE, r#"{"target":"kitty:3"}"#, "{}", Code::Limit, targets);
    let bare = handle(vec![backends(&["tmux"])], vec![bound("main")]);
    check_ready(&bare, CAPTURE, r#"{"target":"main"}"#, r#"{"target":"main","backend":"tmux"}"#);
    check_ready(&bare, CAPTURE, r#"{"target":"tmux:main"}"#, r#"{"target":"tmux:main","backend":"tmux"}"#);
}

#[test]
fn single_waits_to_be_bound() {
    let one = handle(vec![single()], vec![]);
    check_ready(&one, LIST, "{}", "{}");
    check_blocked(&one, CAPTURE, r#"{"target":"a"}"#, "{}", Code::Unbound, Some("terminal.targets"));
    assert_eq!(decide(&one, CAPTURE, "{}", "{}").status, Status::Malformed);
    let both = handle(vec![backends(&["tmux"]), single()], vec![bound("tmux:main")]);
    check_ready(&both, CAPTURE, r#"{"target":"tmux:main"}"#, r#"{"target":"tmux:main","backend":"tmux"}"#);
    let prod = r#"{"target":"tmux:prod"}"#;
    check_blocked(&both, CAPTURE, prod, "{}", Code::Limit, Some("terminal.targets"));
}

#[test]
fn sessions_bind_what_the_policy_permits() {
    let one = handle(vec![backends(&["tmux"]), single()], vec![]);
    let binding = r#"{"bindings":{"terminal.targets":"tmux:main"}}"#;
    let decision = decide(&one, CAPTURE, "{}", binding);
    let forwarded = decision.arguments.expect("bound");
    assert_eq!(canonical(forwarded.value()), json(r#"{"target":"tmux:main","backend":"tmux"}"#));
    let refused = r#"{"bindings":{"terminal.targets":"kitty:1"}}"#;
    check_blocked(&one, CAPTURE, r#"{"target":"tmux:x"}"#, refused, Code::BindingRefused, Some("terminal.targets"));
    let already = handle(vec![bound("tmux:main")], vec![]);
    let other = r#"{"bindings":{"terminal.targets":"tmux:other"}}"#;
    let main = r#"{"target":"tmux:main"}"#;
    check_blocked(&already, CAPTURE, main, other, Code::BindingRefused, Some("terminal.targets"));
    let (policy, sources) = policy(vec![single()], vec![]);
    let table = build_unproved(&policy, &sources);
    let value = Value::Text("kitty:1".into());
    let handle = table.handle("a", &[], &[("terminal.targets", value.clone())]).expect("a handle");
    check_ready(&handle, CAPTURE, "{}", r#"{"target":"kitty:1"}"#);
    let refused = table.handle("a", &[], &[("terminal.backends", value.clone())]);
    assert_eq!(refused.err(), Some(ApplyError::NotOneOf("terminal.backends".into())));
    let unknown = table.handle("a", &[], &[("terminal.target", value)]);
    assert_eq!(unknown.err(), Some(ApplyError::UnknownLimit("terminal.target".into())));
}

#[test]
fn states_come_in_their_order() {
    let tmux = handle(vec![backends(&["tmux"])], vec![]);
    let status = |tool, arguments| decide(&tmux, tool, arguments, "{}").status;
    assert_eq!(status("terminal_capture", r#"{"target":1,"target":2}"#), Status::Malformed);
    assert_eq!(status("nothing", "{}"), Status::Malformed);
    assert_eq!(status("terminal_new_target", r#"{"nonsense":1}"#), Status::Hidden);
    assert_eq!(status("terminal_capture", r#"{"target":"a","nonsense":1}"#), Status::Malformed);
    assert_eq!(status("terminal_capture", r#"{"target":7,"backend":"kitty"}"#), Status::Malformed);
    assert_eq!(status("terminal_capture", "[]"), Status::Malformed);
    let words = |tool| message(&tmux, &decide(&tmux, tool, "{}", "{}")).map(|m| m.replace(tool, "t"));
    assert_eq!(words("nothing"), words("terminal_new_target"));
    let nobody = tmux.table().handle("", &[], &[]).expect("nobody");
    check_blocked(&nobody, LIST, "{}", "{}", Code::NoAgent, None);
}

#[test]
fn facts_that_cannot_be_had_refuse_what_depends_on_them() {
    let tmux = handle(vec![backends(&["tmux"])], vec![]);
    let main = r#"{"target":"tmux:main"}"#;
    for key in ["mode", "overlays", "generation", "bindings", "surprise"] {
        let facts = format!("{{\"{key}\":\"unavailable\"}}");
        check_blocked(&tmux, CAPTURE, main, &facts, Code::FactsUnavailable, None);
    }
    for facts in [r#"{"mode":3}"#, r#"{"overlays":[]}"#, r#"{"bindings":{"terminal.backends":"tmux"}}"#, "[]"] {
        check_blocked(&tmux, CAPTURE, main, facts, Code::FactsUnavailable, None);
    }
    for key in ["consent", "approvals", "on_behalf_of", "listing_generation", "resolved_paths", "providers", "routes"] {
        let facts = format!("{{\"{key}\":\"unavailable\"}}");
        assert_eq!(decide(&tmux, CAPTURE, main, &facts).status, Status::Ready, "{key}");
    }
    assert_eq!(decide(&tmux, LIST, "{}", r#"{"bindings":"unavailable"}"#).status, Status::Ready);
    check_blocked(&tmux, LIST, "{}", r#"{"mode":"plan"}"#, Code::Mode, None);
}

#[test]
fn the_decision_has_the_members_of_the_contract() {
    let tmux = handle(vec![backends(&["tmux"])], vec![]);
    let decision = decide(&tmux, LIST, "{}", r#"{"generation":8,"listing_generation":7}"#);
    let Value::Object(members) = decision_value(&tmux, &decision) else { panic!("no object") };
    let text = compact(&Value::Object(members.clone()));
    assert!(
        text.contains(r#""rewrites":[{"path":"/backend","from":null,"to":"tmux","because":"terminal.backends"}]"#),
        "{text}"
    );
    assert!(text.contains(r#""generation":8,"listing_generation":7,"table_digest":"sha256:"#), "{text}");
    assert!(text.contains(r#""provider_id":"local","execution_owner":"local","route":"EdgeBound""#), "{text}");
    assert_eq!(members.len(), 25);
}

#[test]
fn hidden_is_what_no_facts_can_permit() {
    let (mut policy, sources) = world::policy(vec![bound("tmux:a")], vec![bound("tmux:b")]);
    let table = build_unproved(&policy, &sources);
    let handle = table.handle("a", &["o"], &[]).expect("a handle");
    assert_eq!(handle.is_hidden("terminal", CAPTURE), Some(true));
    assert_eq!(handle.is_hidden("terminal", LIST), Some(false));
    policy.overlays[0].layer.uses[0].without = vec![crate::policy::ListedTool { tool: 0, span: Default::default() }];
    let handle = build_unproved(&policy, &sources).handle("a", &["o"], &[]).expect("a handle");
    assert_eq!(handle.is_hidden("terminal", LIST), Some(true));
}

#[test]
fn an_overlay_alone_allows_what_it_does_not_mention() {
    let (policy, sources) = policy(vec![backends(&["tmux"])], vec![backends(&["tmux", "kitty"])]);
    let table = build_unproved(&policy, &sources);
    let alone = table.overlay_alone("o").expect("a handle");
    check_ready(&alone, CAPTURE, r#"{"target":"kitty:1"}"#, r#"{"target":"kitty:1","backend":"kitty"}"#);
    assert_eq!(alone.is_hidden("terminal", "terminal_new_target"), Some(false));
}

#[test]
fn handles_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Handle>();
    shared::<Table>();
}
