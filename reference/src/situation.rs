//! An agent with its overlays → the layers in force, and what they say about one tool's limits and rows.

use crate::json::Json;
use bailiwick::domain::{Set, Slot};
use bailiwick::policy::{AgentId, Base, Layer, LimitRef, LimitValue, ListWay, OverlayId, Policy, Row, Tool, ToolRef, Use};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What a layer makes of what it does not mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An agent: it is refused.
    Ceiling,
    /// An overlay or boundary: it is allowed.
    Cap,
}

/// Who decides.
#[derive(Clone, Debug)]
pub struct Situation<'p> {
    /// The whole set.
    pub policy: &'p Policy,
    /// The executing agent.
    pub agent: AgentId,
    /// Agent, parents, boundaries, overlays: every one of them cuts.
    pub layers: Vec<InForce<'p>>,
    /// Which bindings were found to leave something, so that the search is made once.
    pub bindings: RefCell<BTreeMap<String, bool>>,
}

/// A layer in force.
#[derive(Clone, Copy, Debug)]
pub struct InForce<'p> {
    /// What it makes of what it does not mention.
    pub role: Role,
    /// What it says.
    pub layer: &'p Layer,
    /// Whom it is over: 0 the executing agent, 1 its parent too, and so on.
    pub height: usize,
}

/// What one layer, or the session, sets a limit to.
#[derive(Clone, Debug)]
pub enum Setting<'p> {
    /// A set.
    Set(&'p Slot),
    /// One value.
    Bound(Json),
    /// A blank.
    Single,
}

impl<'p> Situation<'p> {
    /// `agent` with `overlays`, each of which brings those it is on.
    pub fn new(policy: &'p Policy, agent: AgentId, overlays: &[OverlayId]) -> Situation<'p> {
        let mut agents = vec![agent];
        while let Some(parent) = policy.agents[agents[agents.len() - 1].0].parent {
            agents.push(parent);
        }
        let ceiling =
            |(height, a): (usize, &AgentId)| InForce { role: Role::Ceiling, layer: &policy.agents[a.0].layer, height };
        let mut layers: Vec<_> = agents.iter().enumerate().map(ceiling).collect();
        for boundary in &policy.boundaries {
            let covers = |a: &AgentId| boundary.agents.as_ref().is_none_or(|on| on.contains(a));
            if let Some(height) = agents.iter().rposition(covers) {
                layers.push(InForce { role: Role::Cap, layer: &boundary.layer, height });
            }
        }
        let mut applied = overlays.to_vec();
        let mut next = 0;
        while let Some(overlay) = applied.get(next).map(|o| &policy.overlays[o.0]) {
            if let Base::Overlay(base) = overlay.base
                && !applied.contains(&base)
            {
                applied.push(base);
            }
            let height = agents.iter().position(|a| *a == overlay.agent).unwrap_or(0);
            layers.push(InForce { role: Role::Cap, layer: &overlay.layer, height });
            next += 1;
        }
        Situation { policy, agent, layers, bindings: RefCell::default() }
    }

    /// What the layers set `limit` to; `many` sets nothing.
    pub fn settings(&self, limit: LimitRef) -> Vec<Setting<'p>> {
        self.settings_over(limit, 0)
    }

    /// The same of the layers over the agent at `height` alone.
    pub fn settings_over(&self, limit: LimitRef, height: usize) -> Vec<Setting<'p>> {
        let over = self.layers.iter().filter(|l| l.height >= height);
        let uses = over.flat_map(|l| &l.layer.uses);
        let set = uses.flat_map(|u| &u.limits).filter(|s| s.limit == limit);
        set.filter_map(|s| match &s.value {
            LimitValue::Set(slot) => Some(Setting::Set(slot)),
            LimitValue::Bound(value) => Some(Setting::Bound(Json::from(value))),
            LimitValue::Single => Some(Setting::Single),
            LimitValue::Many => None,
        })
        .collect()
    }

    /// The limits that bear on `tool`, in vocabulary order.
    pub fn limits_of(&self, tool: &Tool) -> Vec<LimitRef> {
        let mut limits: Vec<LimitRef> = tool.places.iter().map(|p| p.limit).collect();
        limits.extend(tool.places.iter().filter_map(|p| self.policy.limit(p.limit).within.as_ref().map(|w| w.limit)));
        limits.sort();
        limits.dedup();
        limits
    }

    /// What each layer sets `limit` to, with the lists that some row of it for `tool` gives a size that admits 0.
    pub fn settings_for(&self, limit: LimitRef, tool: ToolRef) -> Vec<(Setting<'p>, Vec<ListWay>)> {
        let one = |layer: &InForce<'p>| {
            let alone = Situation { layers: vec![*layer], bindings: RefCell::default(), ..*self };
            let rows = match self.rows(*layer, tool) {
                Rows::None | Rows::Free => vec![],
                Rows::These(rows) => rows,
            };
            let free: Vec<ListWay> = rows.into_iter().flat_map(|r| r.sizes_admitting_zero.clone()).collect();
            alone.settings_over(limit, 0).into_iter().map(|s| (s, free.clone())).collect::<Vec<_>>()
        };
        self.layers.iter().flat_map(one).collect()
    }

    /// What a layer's rows for `tool` are.
    pub fn rows(&self, InForce { role, layer, .. }: InForce<'p>, tool: ToolRef) -> Rows<'p> {
        let Some(used) = layer.uses.iter().find(|u| u.vocabulary == tool.vocabulary) else {
            return if role == Role::Ceiling { Rows::None } else { Rows::Free };
        };
        let rows: Vec<&Row> = used.rows.iter().filter(|r| r.tool == tool.tool).collect();
        match role {
            Role::Ceiling if rows.is_empty() => Rows::None,
            Role::Cap if withheld(used, tool.tool, &rows) => Rows::None,
            Role::Cap if rows.is_empty() => Rows::Free,
            Role::Ceiling | Role::Cap => Rows::These(rows),
        }
    }
}

fn withheld(used: &Use, tool: usize, rows: &[&Row]) -> bool {
    let listed = |list: &[bailiwick::policy::ListedTool]| list.iter().any(|t| t.tool == tool);
    listed(&used.without) || used.tools.as_ref().is_some_and(|tools| !listed(tools) && rows.is_empty())
}

/// What a layer says of a tool.
#[derive(Clone, Debug)]
pub enum Rows<'p> {
    /// No call.
    None,
    /// Every call.
    Free,
    /// What any of these permits.
    These(Vec<&'p Row>),
}

/// `p:rest` under a `within` → `(Some(p), rest)`; any other text names none.
pub fn split<'t>(policy: &Policy, limit: LimitRef, text: &'t str) -> (Option<String>, &'t str) {
    let Some(within) = &policy.limit(limit).within else { return (None, text) };
    for value in &within.values {
        if let Some(rest) = text.strip_prefix(&format!("{value}{}", within.separator)) {
            return (Some(value.to_string()), rest);
        }
    }
    (None, text)
}

/// A set of one value of a closed list, asked of a named text.
pub fn names(ty: &bailiwick::domain::Type, set: &Set, name: &str) -> crate::member::Tri {
    let ask = |w| crate::member::holds(ty, set, &Json::str(name), w, crate::member::Polarity::Permits);
    crate::member::both(ask)
}
