//! `test` blocks: names, states, facts. What a test calls may be malformed when that is what it expects.

use super::{Known, formed, given, literals, spell};
use crate::diag::{Code, Diagnostic, Sink};
use crate::policy::{self, AgentId, OverlayId};
use crate::syntax::ast;

const STATES: [&str; 7] =
    ["Hidden", "Malformed", "PolicyBlocked", "Unsupported", "MissingRuntimeBinding", "ProviderOffline", "Ready"];

const GATES: [&str; 4] = ["mode", "consent", "approval", "unavailable"];

const CODES: [&str; 23] = [
    "not-json",
    "unknown-tool",
    "hidden",
    "arguments",
    "no-agent",
    "facts-unavailable",
    "mode",
    "consent",
    "limit",
    "incoherent",
    "unbound",
    "unspecified",
    "row",
    "ambiguous",
    "opaque",
    "inner-call",
    "binding-refused",
    "route-mismatch",
    "provider-disabled",
    "provider-excluded",
    "schema-conflict",
    "stale-schema",
    "approval",
];

/// All tests, in the order of files and text.
pub fn lower(known: &Known, agents: &[policy::Agent], overlays: &[policy::Overlay], sink: &mut Sink) -> Vec<policy::Test> {
    known.names.tests.iter().filter_map(|test| one(known, agents, overlays, test, sink)).collect()
}

fn one(
    known: &Known,
    agents: &[policy::Agent],
    overlays: &[policy::Overlay],
    test: &ast::Test,
    sink: &mut Sink,
) -> Option<policy::Test> {
    let agent = known.names.agent(&test.agent, sink);
    let applied: Vec<Option<OverlayId>> = test.overlays.iter().map(|name| known.names.overlay(name, sink)).collect();
    if let Some(agent) = agent {
        for (name, overlay) in test.overlays.iter().zip(&applied) {
            if let Some(overlay) = overlay {
                applies(agents, overlays, agent, *overlay, name, sink);
            }
        }
    }
    given::check(known, &test.given, sink);
    let cases = test.cases.iter().filter_map(|case| self::case(known, case, sink)).collect();
    Some(policy::Test {
        agent: agent?,
        overlays: applied.into_iter().collect::<Option<Vec<OverlayId>>>()?,
        given: literals::object(&test.given),
        cases,
        span: test.agent.span,
    })
}

/// Overlays applied to an agent are on it or on a parent of it.
fn applies(
    agents: &[policy::Agent],
    overlays: &[policy::Overlay],
    agent: AgentId,
    overlay: OverlayId,
    name: &ast::Name,
    sink: &mut Sink,
) {
    let overlay = &overlays[overlay.0];
    let mut at = Some(agent);
    while let Some(id) = at {
        if overlay.agent == id {
            return;
        }
        at = agents.get(id.0).and_then(|agent| agent.parent);
    }
    // Without an agent, what is wrong with the overlay was said where it is declared.
    let Some(base) = agents.get(overlay.agent.0) else { return };
    let message = format!("`{}` is on `{}`, and does not apply to `{}`", name.text, base.name, agents[agent.0].name);
    sink.push(Diagnostic::new(Code::OTHER_AGENT, name.span, message).also(overlay.span, "declared here"));
}

fn case(known: &Known, case: &ast::TestCase, sink: &mut Sink) -> Option<policy::TestCase> {
    let malformed = case.state.text == "Malformed";
    if !STATES.contains(&case.state.text.as_str()) {
        let message = format!("there is no state `{}`", case.state.text);
        sink.push(spell::unknown(Code::UNKNOWN_STATE, &case.state, message, &STATES));
    }
    let by = case.by.as_ref().and_then(|by| self::by(known, by, sink));
    literals::distinct_members(&case.arguments, sink);
    if let Some(forwards) = &case.forwards {
        literals::distinct_members(forwards, sink);
        if case.state.text != "Ready" && STATES.contains(&case.state.text.as_str()) {
            let message = format!("a call that is `{}` forwards nothing", case.state.text);
            sink.push(
                Diagnostic::new(Code::FORWARDS_NOTHING, case.state.span, message).help("braces stand only after `is Ready`"),
            );
        }
    }
    let vocabulary = known.names.vocabulary(&case.connector, sink)?;
    let tool = known.names.tool(vocabulary, &case.tool, sink)?;
    let declared = &known.vocabularies[vocabulary.0].tools[tool.tool];
    if !malformed && !declared.open {
        let all: Vec<&str> = declared.arguments.iter().map(|argument| &*argument.member.name).collect();
        for (name, _) in case.arguments.iter().chain(case.forwards.iter().flatten()) {
            if !all.contains(&name.text.as_str()) {
                let message = format!("`{}` has no argument `{}`", declared.name, name.text);
                let found = spell::unknown(Code::UNKNOWN_ARGUMENT, name, message, &all);
                sink.push(found.note("a call with it is `Malformed`: a test may say so"));
            }
        }
        formed::arguments(declared, case.arguments.iter().chain(case.forwards.iter().flatten()), sink);
    }
    Some(policy::TestCase {
        tool,
        arguments: literals::object(&case.arguments),
        state: case.state.text.as_str().into(),
        by,
        forwards: case.forwards.as_deref().map(literals::object),
        text: spell::as_written(known.sources, case.call_span),
        span: case.span,
    })
}

/// A limit's qualified name, a gate, or a code.
fn by(known: &Known, by: &ast::Dotted, sink: &mut Sink) -> Option<Box<str>> {
    match by.parts.as_slice() {
        [word] if GATES.contains(&word.text.as_str()) || CODES.contains(&word.text.as_str()) => {
            Some(word.text.as_str().into())
        }
        [word] => {
            let all: Vec<&str> = GATES.into_iter().chain(CODES).collect();
            let found = spell::unknown(
                Code::UNKNOWN_GATE,
                word,
                format!("nothing refuses a call by the name `{}`", word.text),
                &all,
            );
            sink.push(found.note(
                "`by` takes a limit as `connector.limit`, a gate (`mode`, `consent`, `approval`, `unavailable`) or a code",
            ));
            None
        }
        _ => {
            let limit = known.names.limit_in_reach(None, by, sink)?;
            let connector = known.names.connectors[limit.vocabulary.0];
            Some(format!("{connector}.{}", known.limits[limit.vocabulary.0][limit.limit].name).into())
        }
    }
}
