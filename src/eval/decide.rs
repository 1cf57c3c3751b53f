//! Bytes and facts → the decision: reads, admits, routes, asks for approval, in the order of decision.md.

use super::admit::{Admission, Admitting, Level, Permitted, Reasons};
use super::decision::{Because, Code, Decision, FallbackPolicy, Forwarded, RuntimeBinding, Status};
use super::facts::Facts;
use super::route::{Route, route};
use super::walk::put;
use super::{Authority, Call, Handle, gates};
use crate::call::read;
use crate::digest::digest;
use crate::domain::Value;
use crate::table::model::{RowGrade, ToolId};

pub(crate) fn decide(handle: &Handle, call: &Call<'_>, facts: &Facts, reasons: Reasons) -> Decision {
    let mut decision = blank(call, facts);
    let arguments = match read(call.arguments, handle.bounds) {
        Ok(arguments) => arguments,
        Err(error) => return malformed(decision, Because::with(Code::NotJson, error.to_string())),
    };
    let model = handle.table.model();
    let Some(id) = handle.table.find_tool(call.connector, call.tool) else {
        return malformed(decision, Because::bare(Code::UnknownTool));
    };
    decision.capability = model.tool(id).map(|tool| tool.capability.clone());
    if handle.authority == Authority::Nobody {
        decision.because.push(Because::bare(Code::NoAgent));
        return decision;
    }
    let admitting = Admitting { handle, facts, reasons, prefix: &[], level: Level::Outer };
    let admission = match &arguments {
        Value::Object(members) => admitting.admit(id, members),
        _ if handle.plan(id).is_none() => Admission::Hidden,
        _ => Admission::Malformed(Box::new(Because::with(Code::Arguments, "expected an object of arguments"))),
    };
    match admission {
        Admission::Hidden => {
            decision.status = Status::Hidden;
            decision.because.push(Because::bare(Code::Hidden));
            decision
        }
        Admission::Malformed(because) => malformed(decision, *because),
        Admission::Blocked(mut because) => {
            if reasons == Reasons::All
                && let Route::Blocked(refused) = route(handle, id, facts)
            {
                because.push(refused.because);
            }
            decision.because = because;
            decision
        }
        Admission::Permitted(permitted) => routed(handle, decision, id, (&arguments, *permitted), facts),
    }
}

/// A call of which nothing is known yet: blocked, without a reason.
fn blank(call: &Call<'_>, facts: &Facts) -> Decision {
    Decision {
        status: Status::PolicyBlocked,
        capability: None,
        connector: call.connector.into(),
        tool_name: call.tool.into(),
        provider: None,
        binding: RuntimeBinding::None,
        fallback: FallbackPolicy::None,
        fallback_from: None,
        degraded_reason: None,
        offline_reason: None,
        announcement: None,
        arguments: None,
        rewrites: Vec::new(),
        because: Vec::new(),
        obligations: Vec::new(),
        candidates: Vec::new(),
        args_digest: None,
        generation: facts.generation.known().cloned(),
        listing_generation: facts.listing_generation.known().cloned(),
        on_behalf_of: facts.on_behalf_of.known().cloned(),
    }
}

fn malformed(mut decision: Decision, because: Because) -> Decision {
    decision.status = Status::Malformed;
    decision.because.push(because);
    decision
}

/// Contracts, approval, then who executes.
fn routed(
    handle: &Handle,
    mut decision: Decision,
    id: ToolId,
    (arguments, permitted): (&Value, Permitted),
    facts: &Facts,
) -> Decision {
    let reached = match route(handle, id, facts) {
        Route::Blocked(refused) => {
            decision.candidates = refused.candidates;
            decision.provider = refused.named;
            decision.because.push(refused.because);
            return decision;
        }
        Route::Open(reached) => reached,
    };
    let forwarded = forwarded(arguments, &permitted);
    if permitted.grade == RowGrade::Ask {
        let digest = args_digest(handle, &decision, forwarded.value());
        let missing = gates::approval(facts, &digest, handle.table.digest());
        decision.args_digest = Some(digest);
        if let Some(because) = missing {
            decision.because.push(because);
            return decision;
        }
    }
    let reached = *reached;
    decision.status = reached.status;
    decision.provider = reached.provider;
    decision.binding = reached.binding;
    decision.fallback = reached.fallback;
    decision.fallback_from = reached.fallback_from;
    decision.degraded_reason = reached.degraded_reason;
    decision.offline_reason = reached.offline_reason;
    decision.announcement = reached.announcement;
    decision.candidates = reached.candidates;
    if reached.status == Status::Ready {
        decision.rewrites = permitted.changes.iter().map(|change| change.rewrite(&[])).collect();
        decision.arguments = Some(forwarded);
        decision.obligations = permitted.obligations;
    }
    decision
}

fn forwarded(arguments: &Value, permitted: &Permitted) -> Forwarded {
    if permitted.changes.is_empty() {
        return Forwarded::AsCame(arguments.clone());
    }
    let mut settled = arguments.clone();
    for change in &permitted.changes {
        put(&mut settled, &change.keys, change.to.clone());
    }
    Forwarded::Rewritten(settled)
}

/// The digest of a call as it would be forwarded: what an approval is for.
fn args_digest(handle: &Handle, decision: &Decision, arguments: &Value) -> String {
    let text = |text: &str| Value::Text(text.into());
    digest(&Value::Object(vec![
        ("agent".into(), text(&handle.agent)),
        ("connector".into(), text(&decision.connector)),
        ("tool".into(), text(&decision.tool_name)),
        ("arguments".into(), arguments.clone()),
    ]))
}

impl Handle {
    /// The digest of a Ready decision's call, for hosts that want it where no row asked.
    pub fn args_digest(&self, decision: &Decision) -> Option<String> {
        let made = || Some(args_digest(self, decision, decision.arguments.as_ref()?.value()));
        decision.args_digest.clone().or_else(made)
    }
}
