//! Refused calls → when to stop retrying. Counts; it decides nothing, and never makes a rule.

use super::decision::{Code, Decision, Status};
use super::{Call, Handle};
use crate::call::read;
use crate::digest::{digest, sha256};
use crate::domain::Value;
use std::collections::{BTreeMap, VecDeque};

/// How many different refusals are remembered; the oldest go first.
const REMEMBERED: usize = 1_024;

/// Counts identical refusals: the same call, refused for the same reason.
///
/// A model that is refused tends to try again. The tracker tells its host when that has no prospect. What it counts never
/// changes a decision: a call that becomes permitted is Ready however often it was refused.
#[derive(Clone, Debug)]
pub struct DenialTracker {
    most: u32,
    counts: BTreeMap<(String, Code), u32>,
    order: VecDeque<(String, Code)>,
}

/// What to do after a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// The call was not refused.
    NotRefused,
    /// It was refused, so many times now; another try may be answered.
    Allowed {
        /// How often this call was refused for this reason.
        refused: u32,
    },
    /// It was refused as often as the host puts up with: stop retrying, and tell the user.
    Stop {
        /// How often this call was refused for this reason.
        refused: u32,
    },
}

impl DenialTracker {
    /// A tracker that says to stop at the `most`-th identical refusal (at the first, if `most` is 0).
    pub fn new(most: u32) -> DenialTracker {
        DenialTracker { most: most.max(1), counts: BTreeMap::new(), order: VecDeque::new() }
    }

    /// Takes note of a decision on `call`.
    pub fn note(&mut self, handle: &Handle, call: &Call<'_>, decision: &Decision) -> Retry {
        let Some(code) = refusal(decision) else { return Retry::NotRefused };
        let key = (identity(handle, call), code);
        if !self.counts.contains_key(&key) {
            self.order.push_back(key.clone());
            if self.order.len() > REMEMBERED
                && let Some(oldest) = self.order.pop_front()
            {
                self.counts.remove(&oldest);
            }
        }
        let count = self.counts.entry(key).or_insert(0);
        *count = count.saturating_add(1);
        if *count >= self.most { Retry::Stop { refused: *count } } else { Retry::Allowed { refused: *count } }
    }

    /// Forgets everything: the policy, the session or the user's mind has changed.
    pub fn clear(&mut self) {
        self.counts.clear();
        self.order.clear();
    }
}

/// Why the call was refused; `None`: no policy refused it (a provider that is away may come back).
fn refusal(decision: &Decision) -> Option<Code> {
    match decision.status {
        Status::Malformed | Status::Hidden | Status::PolicyBlocked => decision.because.first().map(|because| because.code),
        Status::Unsupported | Status::MissingRuntimeBinding | Status::ProviderOffline | Status::Ready => None,
    }
}

/// The same for calls that differ in spelling alone; bytes that are no JSON are taken as they are.
fn identity(handle: &Handle, call: &Call<'_>) -> String {
    let text = |text: &str| Value::Text(text.into());
    let arguments = match read(call.arguments, handle.bounds) {
        Ok(arguments) => arguments,
        Err(_) => text(&sha256(call.arguments)),
    };
    digest(&Value::Object(vec![
        ("agent".into(), text(&handle.agent)),
        ("connector".into(), text(call.connector)),
        ("tool".into(), text(call.tool)),
        ("arguments".into(), arguments),
    ]))
}
