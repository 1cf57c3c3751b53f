//! Verified policy → [`Table`]: names become ids, spans become origins. Must not know the layout of the bytes.

use super::basis::Basis;
use super::model::{
    Agent, Boundary, Channel, Clause, Connector, Coupling, Deployment, Dispatch, Effect, EffectRule, Enabled, Fallback,
    FallbackWhen, Layer, Limit, LimitId, LimitSetting, LimitShape, LimitValue, Model, Offer, Opaque, OriginId, Overlay,
    Place, Provider, ProviderType, Row, RowGrade, Tool, ToolId, Undeclared, Use, Within,
};
use super::texts::{ConnectorTexts, LimitTexts, Origin, Prose, Surface, Texts, ToolTexts};
use super::{Kept, Table, format};
use crate::overlay::Verified;
use crate::policy::{self, Policy};
use crate::source::{Sources, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The table of a verified policy. There is no other way to one: no table without a narrowing proof.
pub fn build(verified: &Verified, sources: &Sources) -> Table {
    table(verified.policy(), sources)
}

/// The digest that a table of `policy` has, if as much of its agents is settled as in `like`.
pub(super) fn digest_as(policy: &Policy, sources: &Sources, like: &Model) -> String {
    let mut model = written(policy, sources).0;
    model.agents.iter_mut().zip(&like.agents).for_each(|(agent, like)| agent.settled = like.settled);
    format::digest(&model)
}

/// The table of a policy made by hand, for tests that ask nothing of the proof.
#[cfg(test)]
pub(crate) fn build_unproved(policy: &Policy, sources: &Sources) -> Table {
    table(&Arc::new(policy.clone()), sources)
}

fn table(policy: &Arc<Policy>, sources: &Sources) -> Table {
    let (model, texts) = written(policy, sources);
    let basis = Basis { policy: policy.clone(), sources: sources.clone() };
    format::table(model, texts, Kept::Made(Arc::new(basis)))
}

/// Meaning and texts.
fn written(policy: &Policy, sources: &Sources) -> (Model, Texts) {
    let mut writer = Writer { sources, texts: Texts::default(), files: BTreeMap::new() };
    let model = Model {
        connectors: policy.vocabularies.iter().map(connector).collect(),
        agents: policy.agents.iter().map(|a| writer.agent(a)).collect(),
        overlays: policy.overlays.iter().map(|o| writer.overlay(o)).collect(),
        boundaries: policy.boundaries.iter().map(|b| writer.boundary(b)).collect(),
        deployment: policy.deployment.as_ref().map(deployment),
    };
    let mut texts = writer.texts;
    texts.connectors = policy.vocabularies.iter().map(connector_texts).collect();
    if let Some(deployment) = &policy.deployment {
        texts.announcements = deployment.fallbacks.iter().map(|f| f.announce.clone()).collect();
        texts.surface = surface(&deployment.surface);
    }
    (model, texts)
}

struct Writer<'a> {
    sources: &'a Sources,
    texts: Texts,
    files: BTreeMap<u32, u32>,
}

impl Writer<'_> {
    /// Origins are numbered in the order of the model, so their numbers say nothing that the model does not.
    fn origin(&mut self, span: Span, subject: &str, permitted: &str) -> OriginId {
        let place = self.sources.location(span);
        let next = index(self.texts.files.len());
        let file = *self.files.entry(span.file.0).or_insert(next);
        if file == next {
            self.texts.files.push((&*place.file).into());
        }
        let id = OriginId(index(self.texts.origins.len()));
        let (line, column) = (place.line, place.column);
        self.texts.origins.push(Origin { file, line, column, subject: subject.into(), permitted: permitted.into() });
        id
    }

    fn agent(&mut self, agent: &policy::Agent) -> Agent {
        self.texts.agents.push(prose(agent.describe.as_ref(), agent.welcome.as_ref()));
        Agent {
            name: agent.name.clone(),
            parent: agent.parent.map(|p| p.0),
            layer: self.layer(&agent.layer),
            settled: false,
        }
    }

    fn overlay(&mut self, overlay: &policy::Overlay) -> Overlay {
        self.texts.overlays.push(prose(overlay.describe.as_ref(), overlay.welcome.as_ref()));
        let on = match overlay.base {
            policy::Base::Agent(_) => None,
            policy::Base::Overlay(base) => Some(base.0),
        };
        Overlay { name: overlay.name.clone(), agent: overlay.agent.0, on, layer: self.layer(&overlay.layer) }
    }

    fn boundary(&mut self, boundary: &policy::Boundary) -> Boundary {
        let agents = boundary.agents.as_ref().map(|agents| {
            let mut agents: Vec<usize> = agents.iter().map(|a| a.0).collect();
            agents.sort_unstable();
            agents.dedup();
            agents
        });
        Boundary { name: boundary.name.clone(), agents, layer: self.layer(&boundary.layer) }
    }

    fn layer(&mut self, layer: &policy::Layer) -> Layer {
        let mut uses: Vec<&policy::Use> = layer.uses.iter().collect();
        uses.sort_by_key(|used| used.vocabulary);
        let mut providers: Vec<_> = layer.without_providers.iter().collect();
        providers.sort_by(|a, b| a.0.cmp(&b.0));
        Layer {
            uses: uses.into_iter().map(|used| self.used(used)).collect(),
            without_providers: providers.into_iter().map(|(p, span)| (p.clone(), self.origin(*span, p, ""))).collect(),
        }
    }

    fn used(&mut self, used: &policy::Use) -> Use {
        let sorted = |tools: &[policy::ListedTool]| {
            let mut tools: Vec<(usize, Span)> = tools.iter().map(|t| (t.tool, t.span)).collect();
            tools.sort_by_key(|t| t.0);
            tools.dedup_by_key(|t| t.0);
            tools
        };
        let mut rows: Vec<&policy::Row> = used.rows.iter().collect();
        rows.sort_by_key(|row| row.tool);
        let mut limits: Vec<&policy::LimitSetting> = used.limits.iter().collect();
        limits.sort_by_key(|setting| setting.limit);
        Use {
            connector: used.vocabulary.0,
            tools: used.tools.as_deref().map(|tools| sorted(tools).into_iter().map(|t| t.0).collect()),
            without: sorted(&used.without).into_iter().map(|(t, span)| (t, self.origin(span, "", ""))).collect(),
            rows: rows.into_iter().map(|row| self.row(row)).collect(),
            limits: limits.into_iter().map(|setting| self.setting(setting)).collect(),
            origin: self.origin(used.span, "", ""),
        }
    }

    fn row(&mut self, row: &policy::Row) -> Row {
        let mut clauses: Vec<&policy::Clause> = row.clauses.iter().collect();
        clauses.sort_by_key(|clause| clause.argument);
        Row {
            tool: row.tool,
            clauses: clauses.into_iter().map(|clause| self.clause(clause)).collect(),
            grade: if row.approval { RowGrade::Ask } else { RowGrade::Allow },
            opaque: if row.accepting_opaque { Opaque::Accepted } else { Opaque::Unsaid },
            sizes_admitting_zero: row.sizes_admitting_zero.iter().map(|w| (w.argument, w.steps.clone())).collect(),
            origin: self.origin(row.span, "", ""),
        }
    }

    fn clause(&mut self, clause: &policy::Clause) -> Clause {
        Clause {
            argument: clause.argument,
            steps: clause.steps.clone(),
            slot: clause.slot.clone(),
            origin: self.origin(clause.span, &clause.path, &clause.permitted),
        }
    }

    fn setting(&mut self, setting: &policy::LimitSetting) -> LimitSetting {
        let value = match &setting.value {
            policy::LimitValue::Set(slot) => LimitValue::Set(slot.clone()),
            policy::LimitValue::Many => LimitValue::Many,
            policy::LimitValue::Single => LimitValue::Single,
            policy::LimitValue::Bound(value) => LimitValue::Bound(value.clone()),
        };
        LimitSetting { limit: limit_id(setting.limit), value, origin: self.origin(setting.span, "", &setting.permitted) }
    }
}

fn index(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn limit_id(limit: policy::LimitRef) -> LimitId {
    LimitId(limit.vocabulary.0, limit.limit)
}

fn tool_id(tool: policy::ToolRef) -> ToolId {
    ToolId(tool.vocabulary.0, tool.tool)
}

fn connector(vocabulary: &policy::Vocabulary) -> Connector {
    Connector {
        name: vocabulary.name.clone(),
        limits: vocabulary.limits.iter().map(limit).collect(),
        tools: vocabulary.tools.iter().map(tool).collect(),
    }
}

fn limit(limit: &policy::Limit) -> Limit {
    let within = limit.within.as_ref().map(|within| Within {
        limit: limit_id(within.limit),
        separator: within.separator.clone(),
        values: within.values.clone(),
    });
    let shape = if limit.one { LimitShape::One } else { LimitShape::Set };
    Limit { name: limit.name.clone(), shape, ty: limit.ty.clone(), within }
}

fn tool(tool: &policy::Tool) -> Tool {
    let places = tool.places.iter();
    Tool {
        name: tool.name.clone(),
        undeclared: if tool.open { Undeclared::Forwarded } else { Undeclared::Refused },
        effects: tool.effects.iter().map(|e| EffectRule { effect: effect(e.effect), when: e.when.clone() }).collect(),
        capability: tool.capability.clone(),
        dispatch: tool.dispatch.map(|d| Dispatch { name: d.name, arguments: d.arguments }),
        arguments: tool.arguments.iter().map(|a| a.member.clone()).collect(),
        places: places.map(|p| Place { argument: p.argument, steps: p.steps.clone(), limit: limit_id(p.limit) }).collect(),
        couplings: tool.couplings.iter().map(|c| Coupling { place: c.place, named: c.named }).collect(),
        channels: tool.channels.iter().map(|c| Channel { argument: c.argument, limit: limit_id(c.limit) }).collect(),
    }
}

fn effect(effect: policy::Effect) -> Effect {
    match effect {
        policy::Effect::Reads => Effect::Reads,
        policy::Effect::Mutates => Effect::Mutates,
        policy::Effect::Irreversible => Effect::Irreversible,
        policy::Effect::ReachesOutside => Effect::ReachesOutside,
    }
}

fn deployment(deployment: &policy::Deployment) -> Deployment {
    Deployment {
        providers: deployment.providers.iter().map(provider).collect(),
        fallbacks: deployment.fallbacks.iter().map(fallback).collect(),
        modes: deployment.modes.iter().map(|m| (m.name.clone(), effects(&m.blocks))).collect(),
        consent: effects(&deployment.consent),
    }
}

fn effects(written: &[policy::Effect]) -> Vec<Effect> {
    let mut effects: Vec<Effect> = written.iter().copied().map(effect).collect();
    effects.sort_unstable();
    effects.dedup();
    effects
}

fn provider(provider: &policy::Provider) -> Provider {
    let offer = |offer: &policy::Offer| Offer {
        capability: offer.capability.clone(),
        except: offer.except.iter().copied().map(tool_id).collect(),
        pinned: offer.pinned.clone(),
    };
    Provider {
        name: provider.name.clone(),
        ty: match provider.ty {
            policy::ProviderType::Edge => ProviderType::Edge,
            policy::ProviderType::RequestMcp => ProviderType::RequestMcp,
            policy::ProviderType::Server => ProviderType::Server,
            policy::ProviderType::ControlPlane => ProviderType::ControlPlane,
            policy::ProviderType::Gateway => ProviderType::Gateway,
        },
        state: if provider.disabled { Enabled::Disabled } else { Enabled::Enabled },
        offers: provider.offers.iter().map(offer).collect(),
    }
}

fn fallback(fallback: &policy::Fallback) -> Fallback {
    let offline = fallback.offline.then_some(FallbackWhen::Offline);
    let degraded = fallback.degraded.then_some(FallbackWhen::Degraded);
    Fallback {
        capability: fallback.capability.clone(),
        chain: fallback.chain.clone(),
        when: offline.into_iter().chain(degraded).collect(),
    }
}

fn connector_texts(vocabulary: &policy::Vocabulary) -> ConnectorTexts {
    let tool = |tool: &policy::Tool| ToolTexts {
        doc: tool.doc.clone(),
        arguments: tool.arguments.iter().map(|a| a.doc.clone()).collect(),
    };
    ConnectorTexts {
        doc: vocabulary.doc.clone(),
        limits: vocabulary.limits.iter().map(|l| LimitTexts { doc: l.doc.clone(), noun: l.noun.clone() }).collect(),
        tools: vocabulary.tools.iter().map(tool).collect(),
    }
}

fn prose(describe: Option<&policy::Prose>, welcome: Option<&policy::Prose>) -> Prose {
    Prose { describe: describe.map(|p| p.text.clone()), welcome: welcome.map(|p| p.text.clone()) }
}

fn surface(surface: &policy::Surface) -> Surface {
    Surface {
        budget: surface.budget,
        resident: surface.resident.iter().copied().map(tool_id).collect(),
        deferred: surface.deferred.iter().copied().map(tool_id).collect(),
    }
}
