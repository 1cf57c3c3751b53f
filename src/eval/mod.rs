//! A table, an agent and overlays → a [`Handle`]; a call and facts → a [`Decision`]. Total: whatever the bytes, there is an
//! answer, and an error never permits. Knows nothing of the compile side.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod admit;
mod bind;
mod choice;
mod decide;
mod decision;
mod demand;
mod denial;
mod facts;
mod forward;
pub(crate) mod gates;
mod guess;
pub(crate) mod judge;
mod locate;
mod obligation;
pub(crate) mod plan;
mod plans;
pub(crate) mod product;
mod quick;
pub(crate) mod route;
pub(crate) mod search;
mod settle;
mod sizes;
mod stack;
mod verdict;
mod walk;
pub mod why;

use crate::domain::Value;
use crate::table::Table;
use crate::table::model::{LimitId, LimitShape, OriginId, ToolId};
use bind::Bindings;
use plan::Plan;
use plans::Plans;
use stack::Stack;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

pub use decision::{
    Because, Candidate, CandidateReason, Code, Decision, FallbackPolicy, Forwarded, Obligation, Reached, Rewrite,
    RewriteReason, Routed, RuntimeBinding, Status,
};
pub use denial::{DenialTracker, Retry};
pub use facts::{Approval, Contract, Fact, Facts, ProviderFact, ProviderState, Unavailable};
#[cfg(feature = "compile")]
pub use plans::settle;
pub use verdict::{Reading, Verdict};

/// One agent with overlays and bindings, ready to decide. Shared between threads.
#[derive(Debug)]
pub struct Handle {
    table: Table,
    agent: Box<str>,
    overlays: Vec<Box<str>>,
    authority: Authority,
    plans: Plans,
    /// By tool: what the session's bindings come to.
    bindings: BTreeMap<ToolId, Bindings>,
    excluded: Vec<(Box<str>, OriginId)>,
    bounds: crate::call::Bounds,
    routing: Routing,
    /// Unlike that of any other handle.
    number: u64,
}

/// Handles made so far.
static HANDLES: AtomicU64 = AtomicU64::new(0);

/// Where calls go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Routing {
    /// As the deployment says; without one, to the implicit local provider.
    Deployed,
    /// To the implicit local provider, whatever the deployment says.
    Local,
}

/// Whether anybody stands behind a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Authority {
    Agent,
    Nobody,
}

/// One call.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The connector's name.
    pub connector: &'a str,
    /// The tool's name.
    pub tool: &'a str,
    /// The arguments, as JSON bytes.
    pub arguments: &'a [u8],
}

/// Why an agent and overlays make no handle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// No such agent.
    #[error("the table has no agent `{0}`")]
    UnknownAgent(String),
    /// No such overlay.
    #[error("the table has no overlay `{0}`")]
    UnknownOverlay(String),
    /// An overlay of an agent that is neither the one asked for nor a parent of it.
    #[error("overlay `{overlay}` is on `{of}`, which is neither `{agent}` nor a parent of it")]
    ForeignOverlay {
        /// The overlay.
        overlay: String,
        /// The agent it is on.
        of: String,
        /// The agent asked for.
        agent: String,
    },
    /// A binding of no limit.
    #[error("the table has no limit `{0}`")]
    UnknownLimit(String),
    /// A binding of a limit over sets.
    #[error("limit `{0}` is a set and cannot be bound to one value")]
    NotOneOf(String),
    /// What the layers permit together is not settled within the bound on work.
    #[error("{0}")]
    Unsettled(String),
}

impl Table {
    /// The handle of `agent` with `overlays` (on it or on a parent of it, in any order) and the session's `bindings` of
    /// `connector.limit` to a value. An empty `agent` is nobody's authority: every call to a known tool is refused.
    ///
    /// # Errors
    /// [`ApplyError`]: unknown names, a foreign overlay, or a stack too large to be settled.
    pub fn handle(&self, agent: &str, overlays: &[&str], bindings: &[(&str, Value)]) -> Result<Handle, ApplyError> {
        if agent.is_empty() {
            return Ok(Handle::new(self, Authority::Nobody));
        }
        let stack = Stack::new(self.model(), agent, overlays)?;
        let mut handle = Handle::new(self, Authority::Agent);
        handle.agent = agent.into();
        handle.apply(&stack, bindings)?;
        Ok(handle)
    }

    /// The handle of one overlay alone, which allows whatever it does not mention: no agent, no parent, no boundary.
    ///
    /// # Errors
    /// [`ApplyError`], as for [`Table::handle`].
    pub fn overlay_alone(&self, overlay: &str) -> Result<Handle, ApplyError> {
        let stack = Stack::alone(self.model(), overlay)?;
        let mut handle = Handle::new(self, Authority::Agent);
        handle.apply(&stack, &[])?;
        Ok(handle)
    }
}

impl Handle {
    fn new(table: &Table, authority: Authority) -> Handle {
        Handle {
            table: table.clone(),
            agent: "".into(),
            overlays: Vec::new(),
            authority,
            plans: Plans::default(),
            bindings: BTreeMap::new(),
            excluded: Vec::new(),
            bounds: crate::call::Bounds::default(),
            routing: Routing::Deployed,
            number: HANDLES.fetch_add(1, Ordering::Relaxed),
        }
    }

    fn apply(&mut self, stack: &Stack, bindings: &[(&str, Value)]) -> Result<(), ApplyError> {
        let table = self.table.clone();
        let model = table.model();
        self.overlays =
            stack.overlays.iter().filter_map(|index| model.overlays.get(*index)).map(|o| o.name.clone()).collect();
        self.plans = Plans::new(model, stack).map_err(ApplyError::Unsettled)?;
        let layers = stack.declarations().into_iter().filter_map(|declaration| declaration.layer(model));
        self.excluded = layers.flat_map(|layer| layer.without_providers.iter().cloned()).collect();
        let mut known = Vec::new();
        for (name, value) in bindings {
            known.push((*name, one_of(&table, name)?, value.clone()));
        }
        self.bind(known);
        Ok(())
    }

    /// The same handle, reading calls within `bounds`.
    #[must_use]
    pub fn with_bounds(self, bounds: crate::call::Bounds) -> Handle {
        Handle { bounds, number: HANDLES.fetch_add(1, Ordering::Relaxed), ..self }
    }

    /// The same handle, deciding as if there were no deployment but for its modes and consent: for a policy's own tests.
    #[must_use]
    pub fn unrouted(self) -> Handle {
        Handle { routing: Routing::Local, ..self }
    }

    /// Whether facts about providers and routes matter.
    pub(crate) fn is_routed(&self) -> bool {
        self.routing == Routing::Deployed && self.table.model().deployment.is_some()
    }

    /// The table it decides by.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The agent; empty for nobody and for an overlay alone.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// The overlays in force, those that others are on included.
    pub fn overlays(&self) -> impl Iterator<Item = &str> {
        self.overlays.iter().map(|name| &**name)
    }

    /// Whether the tool is hidden: no call to it is permitted under any facts. `None`: there is no such tool.
    pub fn is_hidden(&self, connector: &str, tool: &str) -> Option<bool> {
        let id = self.table.find_tool(connector, tool)?;
        Some(self.plan(id).is_none())
    }

    /// What becomes of the call.
    pub fn decide(&self, call: &Call<'_>, facts: &Facts) -> Decision {
        decide::decide(self, call, facts, admit::Reasons::Deciding)
    }

    /// As [`Handle::decide`], with every reason, not the deciding one alone.
    pub fn decide_explained(&self, call: &Call<'_>, facts: &Facts) -> Decision {
        decide::decide(self, call, facts, admit::Reasons::All)
    }

    pub(crate) fn plan(&self, id: ToolId) -> Option<&Plan> {
        self.plans.get(self.table.model(), id)
    }
}

fn one_of(table: &Table, name: &str) -> Result<LimitId, ApplyError> {
    let id = table.model().find_limit(name).ok_or_else(|| ApplyError::UnknownLimit(name.to_owned()))?;
    match table.model().limit(id).map(|limit| limit.shape) {
        Some(LimitShape::One) => Ok(id),
        Some(LimitShape::Set) | None => Err(ApplyError::NotOneOf(name.to_owned())),
    }
}

#[cfg(all(test, feature = "compile"))]
mod tests;
