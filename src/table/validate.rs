//! A decoded table → whether every id in it points at something. Knows nothing of what a decision does with them; it makes
//! sure only that a decision never meets an id that leads nowhere, or a chain that leads in a circle.

use super::model::{Agent, Connector, Deployment, Layer, LimitId, Model, OriginId, Overlay, Tool, Use};
use super::texts::Texts;

type Verdict = Result<(), &'static str>;

/// Whether model and texts are consistent.
pub(super) fn check(model: &Model, texts: &Texts) -> Verdict {
    let ids = Ids { model, origins: texts.origins.len() };
    for connector in &model.connectors {
        ids.connector(connector)?;
    }
    for agent in &model.agents {
        ids.layer(&agent.layer)?;
    }
    for overlay in &model.overlays {
        ids.layer(&overlay.layer)?;
    }
    for boundary in &model.boundaries {
        ids.layer(&boundary.layer)?;
        let known = |agent: &usize| *agent < model.agents.len();
        that(boundary.agents.iter().flatten().all(known), "a boundary on an agent that is not there")?;
    }
    agents(&model.agents)?;
    overlays(&model.overlays, model.agents.len())?;
    if let Some(deployment) = &model.deployment {
        ids.deployment(deployment)?;
    }
    presentation(&ids, texts)
}

fn that(holds: bool, otherwise: &'static str) -> Verdict {
    if holds { Ok(()) } else { Err(otherwise) }
}

/// Every chain of parents ends.
fn agents(agents: &[Agent]) -> Verdict {
    let parent = |index: usize| agents.get(index).and_then(|a| a.parent);
    that((0..agents.len()).all(|i| parent(i).is_none_or(|p| p < agents.len())), "a parent that is not there")?;
    that((0..agents.len()).all(|i| ends(i, parent, agents.len())), "agents that are under each other")
}

/// Every chain of bases ends, at one agent.
fn overlays(overlays: &[Overlay], agents: usize) -> Verdict {
    let on = |index: usize| overlays.get(index).and_then(|o| o.on);
    for overlay in overlays {
        that(overlay.agent < agents, "an overlay on an agent that is not there")?;
        let Some(base) = overlay.on else { continue };
        let base = overlays.get(base).ok_or("an overlay on an overlay that is not there")?;
        that(base.agent == overlay.agent, "an overlay on an overlay of another agent")?;
    }
    that((0..overlays.len()).all(|i| ends(i, on, overlays.len())), "overlays that are on each other")
}

fn ends(start: usize, next: impl Fn(usize) -> Option<usize>, most: usize) -> bool {
    let mut at = start;
    for _ in 0..most {
        match next(at) {
            Some(further) => at = further,
            None => return true,
        }
    }
    false
}

struct Ids<'a> {
    model: &'a Model,
    origins: usize,
}

impl Ids<'_> {
    fn connector(&self, connector: &Connector) -> Verdict {
        for limit in &connector.limits {
            if let Some(within) = &limit.within {
                self.limit(within.limit)?;
            }
        }
        connector.tools.iter().try_for_each(|tool| self.tool(tool))
    }

    fn tool(&self, tool: &Tool) -> Verdict {
        let argument = |index: usize| that(index < tool.arguments.len(), "an argument that is not there");
        for (selector, _) in tool.effects.iter().filter_map(|rule| rule.when.as_ref()) {
            argument(*selector)?;
        }
        if let Some(dispatch) = tool.dispatch {
            argument(dispatch.name)?;
            argument(dispatch.arguments)?;
        }
        for place in &tool.places {
            argument(place.argument)?;
            self.limit(place.limit)?;
        }
        for coupling in &tool.couplings {
            argument(coupling.named)?;
            let place = tool.places.get(coupling.place).ok_or("a place that is not there")?;
            let limit = self.model.limit(place.limit).ok_or("a limit that is not there")?;
            that(limit.within.is_some(), "a coupling by a limit that names nothing")?;
        }
        for channel in &tool.channels {
            argument(channel.argument)?;
            self.limit(channel.limit)?;
        }
        Ok(())
    }

    fn limit(&self, id: LimitId) -> Verdict {
        that(self.model.limit(id).is_some(), "a limit that is not there")
    }

    fn origin(&self, id: OriginId) -> Verdict {
        that(usize::try_from(id.0).is_ok_and(|i| i < self.origins), "an origin that is not there")
    }

    fn layer(&self, layer: &Layer) -> Verdict {
        for (_, origin) in &layer.without_providers {
            self.origin(*origin)?;
        }
        layer.uses.iter().try_for_each(|used| self.used(used))
    }

    fn used(&self, used: &Use) -> Verdict {
        let connector = self.model.connectors.get(used.connector).ok_or("a connector that is not there")?;
        self.origin(used.origin)?;
        let tool = |index: usize| connector.tools.get(index).ok_or("a tool that is not there");
        for listed in used.tools.iter().flatten() {
            tool(*listed)?;
        }
        for (withheld, origin) in &used.without {
            tool(*withheld)?;
            self.origin(*origin)?;
        }
        for row in &used.rows {
            let arguments = tool(row.tool)?.arguments.len();
            self.origin(row.origin)?;
            for (argument, _) in &row.sizes_admitting_zero {
                that(*argument < arguments, "an argument that is not there")?;
            }
            for clause in &row.clauses {
                that(clause.argument < arguments, "an argument that is not there")?;
                self.origin(clause.origin)?;
            }
        }
        that(used.rows.is_sorted_by_key(|row| row.tool), "rows that are not in the order of their tools")?;
        for setting in &used.limits {
            self.limit(setting.limit)?;
            self.origin(setting.origin)?;
        }
        Ok(())
    }

    fn deployment(&self, deployment: &Deployment) -> Verdict {
        let excepted = deployment.providers.iter().flat_map(|p| &p.offers).flat_map(|o| &o.except);
        for tool in excepted {
            that(self.model.tool(*tool).is_some(), "an offer except a tool that is not there")?;
        }
        for provider in deployment.fallbacks.iter().flat_map(|f| &f.chain) {
            that(*provider < deployment.providers.len(), "a fallback to a provider that is not there")?;
        }
        Ok(())
    }
}

fn presentation(ids: &Ids<'_>, texts: &Texts) -> Verdict {
    for origin in &texts.origins {
        that(usize::try_from(origin.file).is_ok_and(|i| i < texts.files.len()), "a file that is not there")?;
    }
    for tool in texts.surface.resident.iter().chain(&texts.surface.deferred) {
        that(ids.model.tool(*tool).is_some(), "a tool on the surface that is not there")?;
    }
    Ok(())
}
