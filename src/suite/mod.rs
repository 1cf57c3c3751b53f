//! A policy's own `test` blocks → for each case expected, got and why; and which rows and limits no test exercises. Knows no insides
//! of passes: it asks the same [`Handle`] that hosts ask.

mod coverage;

use crate::digest::{canonical, compact};
use crate::domain::Value;
use crate::eval::{ApplyError, Call, Decision, Facts, Handle};
use crate::explain::message;
use crate::policy::{Policy, Test, TestCase};
use crate::source::{Sources, Span};
use crate::table::Table;
use coverage::Exercised;

pub use coverage::{Coverage, Covered};

/// What came of all tests.
#[derive(Clone, Debug)]
pub struct Report {
    /// Every case, in the order of files and text.
    pub cases: Vec<CaseReport>,
    /// What was exercised.
    pub coverage: Coverage,
}

/// What came of one case.
#[derive(Clone, Debug)]
pub struct CaseReport {
    /// The agent.
    pub agent: String,
    /// The overlays, as written.
    pub overlays: Vec<String>,
    /// The call, as written.
    pub call: String,
    /// `PolicyBlocked by bank.payees`.
    pub expected: String,
    /// The same of the decision.
    pub got: String,
    /// The decision's message for people.
    pub why: Option<String>,
    /// Whether they agree.
    pub passed: bool,
    /// The case in the source.
    pub span: Span,
}

/// Runs every test of the policy, whose table is `table`.
///
/// # Errors
/// [`ApplyError`] when the overlays of a test cannot be applied within the bounds.
pub fn run(policy: &Policy, table: &Table, sources: &Sources) -> Result<Report, ApplyError> {
    let mut exercised = Exercised::default();
    let mut cases = Vec::new();
    for test in &policy.tests {
        let overlays: Vec<&str> = test.overlays.iter().map(|o| &*policy.overlays[o.0].name).collect();
        let handle = table.handle(&policy.agents[test.agent.0].name, &overlays, &[])?;
        let handle = if speaks_of_providers(&test.given) { handle } else { handle.unrouted() };
        let facts = Facts::from_value(&test.given);
        for case in &test.cases {
            cases.push(one(policy, test, case, &handle, &facts, &mut exercised));
        }
    }
    Ok(Report { cases, coverage: exercised.coverage(policy, sources) })
}

/// A test that says nothing of providers is decided as if nothing had to be routed.
fn speaks_of_providers(given: &Value) -> bool {
    match given {
        Value::Object(members) => members.iter().any(|(key, _)| &**key == "providers"),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => false,
    }
}

fn one(
    policy: &Policy,
    test: &Test,
    case: &TestCase,
    handle: &Handle,
    facts: &Facts,
    exercised: &mut Exercised,
) -> CaseReport {
    let arguments = compact(&case.arguments);
    let connector = &policy.vocabulary(case.tool.vocabulary).name;
    let call = Call { connector, tool: &policy.tool(case.tool).name, arguments: arguments.as_bytes() };
    let why = handle.why(&call, facts);
    exercised.note(handle.table(), &why);
    let decision = why.decision;
    CaseReport {
        agent: policy.agents[test.agent.0].name.to_string(),
        overlays: test.overlays.iter().map(|o| policy.overlays[o.0].name.to_string()).collect(),
        call: case.text.to_string(),
        expected: words(&case.state, case.by.as_deref(), case.forwards.as_ref()),
        got: got(handle, case, &decision),
        why: message(handle, &decision),
        passed: agrees(handle, case, &decision),
        span: case.span,
    }
}

fn agrees(handle: &Handle, case: &TestCase, decision: &Decision) -> bool {
    let state = decision.status.name() == &*case.state;
    let by = case.by.as_deref().is_none_or(|by| decided_by(handle.table(), decision, by));
    let forwards = case.forwards.as_ref().is_none_or(|expected| {
        let forwarded = decision.arguments.as_ref();
        forwarded.is_some_and(|f| canonical(f.value()) == canonical(expected))
    });
    state && by && forwards
}

/// Whether the deciding clause is of this limit (`connector.limit`), gate (`mode`, `consent`, `approval`, `unavailable`) or code.
pub fn decided_by(table: &Table, decision: &Decision, by: &str) -> bool {
    decision.because.first().is_some_and(|because| {
        let limit = because.limit.map(|l| table.model().limit_name(l));
        let gate = by == "unavailable" && because.code.name() == "facts-unavailable";
        gate || because.code.name() == by || limit.as_deref() == Some(by)
    })
}

/// The decision in the words of a test: of the code and the limit, the one that the test speaks of, or the limit.
fn got(handle: &Handle, case: &TestCase, decision: &Decision) -> String {
    let by = decision.because.first().map(|because| match (&case.by, because.limit) {
        (Some(by), _) if decided_by(handle.table(), decision, by) => by.to_string(),
        (_, Some(limit)) => handle.table().model().limit_name(limit),
        (_, None) => because.code.name().to_owned(),
    });
    let forwards = decision.arguments.as_ref().filter(|_| case.forwards.is_some()).map(|f| f.value());
    words(decision.status.name(), by.as_deref(), forwards)
}

fn words(state: &str, by: Option<&str>, forwards: Option<&Value>) -> String {
    let mut text = state.to_owned();
    if let Some(by) = by {
        text.push_str(&format!(" by {by}"));
    }
    if let Some(forwards) = forwards {
        text.push_str(&format!(" {}", compact(forwards)));
    }
    text
}
