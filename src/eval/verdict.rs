//! What a host needs of every call, borrowed: the status, what to forward, to whom, what else to do. The whole [`Decision`],
//! its reasons, digests and candidates are made when they are asked for. Decides nothing itself.

use super::decision::{Decision, Forwarded, Obligation, Status};
use super::quick::{Answer, Fit, Quick, Slots, read};
use super::{Call, Facts, Handle};
use crate::table::model::ToolId;
use std::borrow::Cow;

/// What became of one call, as far as it was asked.
#[derive(Debug)]
pub struct Verdict<'a> {
    handle: &'a Handle,
    call: Call<'a>,
    facts: &'a Facts,
    told: Told,
}

#[derive(Debug)]
enum Told {
    /// By the quick path.
    Answer(Answer),
    /// By the general path.
    Decision(Box<Decision>),
}

/// A call whose arguments were read, to be decided as often as facts change.
#[derive(Clone, Debug)]
pub struct Reading<'a> {
    call: Call<'a>,
    /// Of which handle.
    handle: u64,
    read: WasRead<'a>,
}

// A reading is made to be kept: one allocation less for every call is worth the room in a malformed one.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
enum WasRead<'a> {
    /// No such tool, or not its arguments.
    Malformed,
    Slots(ToolId, Slots<'a>),
    /// The general path reads it again.
    Odd,
}

impl Handle {
    /// What becomes of the call: as [`Handle::decide`], without making what nobody asks for. A call that goes out as it came
    /// costs no allocation.
    pub fn verdict<'a>(&'a self, call: &Call<'a>, facts: &'a Facts) -> Verdict<'a> {
        let answer = match self.quick(call) {
            Some(Some(quick)) => quick.decide(call.arguments, facts).ok(),
            // Whatever the bytes are.
            Some(None) => Some(Answer::Refused(Status::Malformed)),
            None => None,
        };
        self.told(call, facts, answer)
    }

    /// Reads the arguments of a call, for [`Handle::verdict_of`].
    pub fn read<'a>(&self, call: &Call<'a>) -> Reading<'a> {
        let was_read = match self.quick(call) {
            Some(None) => WasRead::Malformed,
            // What a session binds may be put in where it is left out.
            Some(Some(quick)) if quick.plan.one_of.is_empty() => {
                let mut slots = Slots::NONE;
                match read(quick.program, call.arguments, self.bounds, &mut slots) {
                    Ok(Fit::Malformed) => WasRead::Malformed,
                    Ok(Fit::Fits) => WasRead::Slots(quick.id, slots),
                    Err(_) => WasRead::Odd,
                }
            }
            Some(Some(_)) | None => WasRead::Odd,
        };
        Reading { call: *call, handle: self.number, read: was_read }
    }

    /// What becomes of a call that was read: as [`Handle::verdict`]. One that another handle has read is read again.
    pub fn verdict_of<'a>(&'a self, reading: &Reading<'a>, facts: &'a Facts) -> Verdict<'a> {
        if reading.handle != self.number {
            return self.verdict(&reading.call, facts);
        }
        let answer = match &reading.read {
            WasRead::Malformed => Some(Answer::Refused(Status::Malformed)),
            WasRead::Slots(id, slots) => self.quick_of(*id).and_then(|quick| quick.judge(slots, facts).ok()),
            WasRead::Odd => None,
        };
        self.told(&reading.call, facts, answer)
    }

    #[inline]
    fn told<'a>(&'a self, call: &Call<'a>, facts: &'a Facts, answer: Option<Answer>) -> Verdict<'a> {
        let told = match answer {
            Some(answer) => Told::Answer(answer),
            None => Told::Decision(Box::new(self.decide(call, facts))),
        };
        Verdict { handle: self, call: *call, facts, told }
    }

    /// The quick path to a call; inside: there is no such tool; none: only the general path decides it.
    fn quick(&self, call: &Call<'_>) -> Option<Option<Quick<'_>>> {
        match self.table.find_tool(call.connector, call.tool) {
            None => Some(None),
            Some(id) => self.quick_of(id).map(Some),
        }
    }

    fn quick_of(&self, id: ToolId) -> Option<Quick<'_>> {
        let plan = self.plan(id)?;
        let program = plan.program.as_ref()?;
        if self.bindings.get(&id).is_some_and(|bindings| !bindings.is_empty()) {
            return None;
        }
        Some(Quick { handle: self, id, tool: self.table.model().tool(id)?, plan, program })
    }
}

impl<'a> Verdict<'a> {
    /// The state.
    pub fn status(&self) -> Status {
        match &self.told {
            Told::Answer(Answer::Ready(_)) => Status::Ready,
            Told::Answer(Answer::Refused(status)) => *status,
            Told::Decision(decision) => decision.status,
        }
    }

    /// Whether the call can execute now.
    pub fn is_ready(&self) -> bool {
        self.status() == Status::Ready
    }

    /// What to forward, as JSON bytes: those that came, but for what is rewritten ([`Decision::forward`]). Only when Ready.
    pub fn arguments(&self) -> Option<Cow<'a, [u8]>> {
        match &self.told {
            Told::Answer(Answer::Ready(_)) => Some(Cow::Borrowed(self.call.arguments)),
            Told::Answer(Answer::Refused(_)) => None,
            Told::Decision(decision) => match decision.arguments.as_ref()? {
                Forwarded::AsCame(_) => Some(Cow::Borrowed(self.call.arguments)),
                Forwarded::Rewritten(_) => decision.forward(self.call.arguments).map(|text| Cow::Owned(text.into_bytes())),
            },
        }
    }

    /// The provider that executes. Only when Ready.
    pub fn provider(&self) -> Option<&str> {
        match &self.told {
            Told::Answer(Answer::Ready(ready)) => match ready.provider {
                None => Some("local"),
                Some(index) => {
                    let deployment = self.handle.table.model().deployment.as_ref()?;
                    deployment.providers.get(index).map(|provider| &*provider.name)
                }
            },
            Told::Answer(Answer::Refused(_)) => None,
            Told::Decision(decision) if decision.status == Status::Ready => decision.provider.as_ref().map(|p| &*p.id),
            Told::Decision(_) => None,
        }
    }

    /// What the host must still do. Only when Ready.
    pub fn obligations(&self) -> impl Iterator<Item = Obligation> {
        let of = |obligation: &Obligation| match &self.told {
            Told::Answer(Answer::Ready(ready)) => ready.obliges(*obligation),
            Told::Answer(Answer::Refused(_)) => false,
            Told::Decision(decision) => decision.obligations.contains(obligation),
        };
        Obligation::ALL.iter().copied().filter(move |obligation| of(obligation))
    }

    /// Whether it was told in one pass, without making a decision whole.
    pub fn is_quick(&self) -> bool {
        matches!(self.told, Told::Answer(_))
    }

    /// The whole decision: reasons, rewrites, candidates, what else there is.
    pub fn decision(self) -> Decision {
        match self.told {
            Told::Answer(_) => self.handle.decide(&self.call, self.facts),
            Told::Decision(decision) => *decision,
        }
    }
}
