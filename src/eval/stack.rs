//! An agent and the overlays applied → the declarations in force, each once, in one order whatever the order of naming.

use super::ApplyError;
use crate::table::model::{Layer, Model};
use std::collections::BTreeSet;

/// The declarations in force, as indices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    /// The executing agent, its parent, and so on.
    pub(crate) agents: Vec<usize>,
    /// Boundaries over any of the agents.
    pub(crate) boundaries: Vec<usize>,
    /// Overlays applied, those they are on included.
    pub(crate) overlays: Vec<usize>,
}

/// One declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declaration {
    /// A ceiling: the agent's or a parent's.
    Agent(usize),
    /// A boundary.
    Boundary(usize),
    /// An overlay.
    Overlay(usize),
}

impl Declaration {
    /// What it says.
    pub(crate) fn layer(self, model: &Model) -> Option<&Layer> {
        match self {
            Declaration::Agent(index) => model.agents.get(index).map(|a| &a.layer),
            Declaration::Boundary(index) => model.boundaries.get(index).map(|b| &b.layer),
            Declaration::Overlay(index) => model.overlays.get(index).map(|o| &o.layer),
        }
    }

    /// `agent tmux_operator`.
    pub(crate) fn name(self, model: &Model) -> String {
        match self {
            Declaration::Agent(index) => format!("agent {}", model.agents.get(index).map_or("", |a| &a.name)),
            Declaration::Boundary(index) => format!("boundary {}", model.boundaries.get(index).map_or("", |b| &b.name)),
            Declaration::Overlay(index) => format!("overlay {}", model.overlays.get(index).map_or("", |o| &o.name)),
        }
    }
}

impl Stack {
    /// The stack of `agent` with `overlays` applied, in whatever order they are named.
    pub(crate) fn new(model: &Model, agent: &str, overlays: &[&str]) -> Result<Stack, ApplyError> {
        let start = model.agents.iter().position(|a| &*a.name == agent);
        let start = start.ok_or_else(|| ApplyError::UnknownAgent(agent.to_owned()))?;
        let agents: Vec<usize> = chain(start, |index| model.agents.get(index).and_then(|a| a.parent));
        let covers = |covered: &Option<Vec<usize>>| covered.as_ref().is_none_or(|c| c.iter().any(|a| agents.contains(a)));
        let boundaries = model.boundaries.iter().enumerate().filter(|(_, b)| covers(&b.agents)).map(|(i, _)| i).collect();
        let mut applied = BTreeSet::new();
        for name in overlays {
            let index = overlay(model, name)?;
            let on = model.overlays.get(index).map_or(usize::MAX, |o| o.agent);
            if !agents.contains(&on) {
                let of = model.agents.get(on).map_or(String::new(), |a| a.name.to_string());
                return Err(ApplyError::ForeignOverlay { overlay: (*name).to_owned(), of, agent: agent.to_owned() });
            }
            applied.extend(chain(index, |index| model.overlays.get(index).and_then(|o| o.on)));
        }
        Ok(Stack { agents, boundaries, overlays: applied.into_iter().collect() })
    }

    /// One overlay alone: no agent, parent, boundary or base.
    pub(crate) fn alone(model: &Model, name: &str) -> Result<Stack, ApplyError> {
        Ok(Stack { overlays: vec![overlay(model, name)?], ..Stack::default() })
    }

    /// Ceiling, parents, boundaries, overlays.
    pub(crate) fn declarations(&self) -> Vec<Declaration> {
        let agents = self.agents.iter().copied().map(Declaration::Agent);
        let boundaries = self.boundaries.iter().copied().map(Declaration::Boundary);
        let overlays = self.overlays.iter().copied().map(Declaration::Overlay);
        agents.chain(boundaries).chain(overlays).collect()
    }

    /// Those of the declarations that are over `agent`: itself, its parents, and what covers or narrows any of these.
    pub(crate) fn over(&self, model: &Model, agent: usize) -> Vec<Declaration> {
        let line: Vec<usize> = self.agents.iter().copied().skip_while(|a| *a != agent).collect();
        let over = |declaration: &Declaration| match *declaration {
            Declaration::Agent(index) => line.contains(&index),
            Declaration::Boundary(index) => model
                .boundaries
                .get(index)
                .is_some_and(|b| b.agents.as_ref().is_none_or(|covered| covered.iter().any(|a| line.contains(a)))),
            Declaration::Overlay(index) => model.overlays.get(index).is_some_and(|o| line.contains(&o.agent)),
        };
        self.declarations().into_iter().filter(over).collect()
    }
}

fn overlay(model: &Model, name: &str) -> Result<usize, ApplyError> {
    let index = model.overlays.iter().position(|o| &*o.name == name);
    index.ok_or_else(|| ApplyError::UnknownOverlay(name.to_owned()))
}

/// `start`, then what comes next, to the end. Acyclic: the table was validated.
fn chain(start: usize, next: impl Fn(usize) -> Option<usize>) -> Vec<usize> {
    std::iter::successors(Some(start), |index| next(*index)).collect()
}
