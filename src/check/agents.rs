//! Agents, overlays and boundaries: their bases, their layers, and what only they may say.

use super::cycles::{self, Edge};
use super::uses::{self, Speaker};
use super::{Known, names, spell};
use crate::diag::{Code, Diagnostic, Sink};
use crate::policy::{self, AgentId, Base, LimitValue, Prose};
use crate::syntax::ast;
use std::collections::BTreeSet;

/// All three kinds, each in the order of names.
pub fn lower(known: &Known, sink: &mut Sink) -> (Vec<policy::Agent>, Vec<policy::Overlay>, Vec<policy::Boundary>) {
    let agents = agents(known, sink);
    let overlays = overlays(known, sink);
    let boundaries = known.names.boundaries.iter().map(|boundary| self::boundary(known, boundary, sink)).collect();
    (agents, overlays, boundaries)
}

fn agents(known: &Known, sink: &mut Sink) -> Vec<policy::Agent> {
    let declared = &known.names.agents;
    let mut parents: Vec<Option<AgentId>> = declared
        .iter()
        .map(|agent| agent.parent.as_ref().and_then(|parent| known.names.other_agent(parent, &agent.name.text, sink)))
        .collect();
    let edges: Vec<Edge> = declared
        .iter()
        .zip(&parents)
        .enumerate()
        .filter_map(|(from, (agent, parent))| Some(Edge { from, to: (*parent)?.0, span: agent.parent.as_ref()?.span }))
        .collect();
    let names: Vec<&str> = declared.iter().map(|agent| agent.name.text.as_str()).collect();
    let (ringed, _) = cycles::report(Code::CYCLE, &names, &edges, "is under", sink);
    for at in ringed {
        parents[at] = None;
    }
    declared.iter().zip(parents).map(|(agent, parent)| self::agent(known, agent, parent, sink)).collect()
}

fn agent(known: &Known, agent: &ast::Agent, parent: Option<AgentId>, sink: &mut Sink) -> policy::Agent {
    let layer = uses::lower(known, &agent.uses, Speaker::Agent, sink);
    opaque_channels(known, &layer, sink);
    let kept = names::distinct("skill", agent.skills.iter(), sink);
    let skills: Vec<&ast::Name> = kept.into_iter().map(|at| &agent.skills[at]).collect();
    for name in &skills {
        if !known.names.skills.contains_key(name.text.as_str()) && !known.names.excused(&name.text) {
            let all: Vec<&str> = known.names.skills.keys().copied().collect();
            sink.push(spell::unknown(Code::UNKNOWN_DECLARATION, name, format!("no skill is called `{}`", name.text), &all));
        }
    }
    let mut skills: Vec<Box<str>> = skills.into_iter().map(|name| name.text.as_str().into()).collect();
    skills.sort();
    policy::Agent {
        name: agent.name.text.as_str().into(),
        parent,
        describe: prose("describe", &agent.describe, sink),
        welcome: prose("welcome", &agent.welcome, sink),
        skills,
        layer,
        span: agent.name.span,
    }
}

/// `describe` stands once.
fn prose(word: &str, texts: &[ast::Text], sink: &mut Sink) -> Option<Prose> {
    let (first, more) = texts.split_first()?;
    for extra in more {
        sink.push(
            Diagnostic::new(Code::DUPLICATE, extra.span, format!("`{word}` stands here a second time"))
                .also(first.span, "the first is here")
                .help(format!("one `{word}` may have several strings: they are joined")),
        );
    }
    Some(Prose { text: first.value.as_str().into(), span: first.span })
}

/// A row for a tool whose opaque argument can get at what a limit of this agent guards says that it knows.
fn opaque_channels(known: &Known, layer: &policy::Layer, sink: &mut Sink) {
    let guarded: BTreeSet<policy::LimitRef> = layer
        .uses
        .iter()
        .flat_map(|it| &it.limits)
        .filter(|setting| setting.value != LimitValue::Many)
        .map(|setting| setting.limit)
        .collect();
    for it in &layer.uses {
        for row in it.rows.iter().filter(|row| !row.accepting_opaque) {
            let tool = &known.vocabularies[it.vocabulary.0].tools[row.tool];
            let Some(channel) = tool.channels.iter().find(|channel| guarded.contains(&channel.limit)) else { continue };
            let argument = &tool.arguments[channel.argument].member.name;
            let limit = &known.limits[channel.limit.vocabulary.0][channel.limit.limit].name;
            sink.push(opaque_channel(known, row, &tool.name, argument, limit));
        }
    }
}

fn opaque_channel(known: &Known, row: &policy::Row, tool: &str, argument: &str, limit: &str) -> Diagnostic {
    let message = format!("`{argument}` of `{tool}` can get at what `{limit}` guards, and nothing can be said of it");
    let found = Diagnostic::new(Code::OPAQUE_REACHES, row.span, message)
        .note(format!("under `{limit}` such a row permits nothing unless it says so"));
    if known.sources.text(row.whole).starts_with("allow") {
        let mut fix = found.help("say that this is accepted: `accepting opaque` after the row");
        fix.fixes.push(crate::diag::Fix {
            title: "write `accepting opaque` after the row".to_owned(),
            edits: vec![crate::diag::Edit {
                span: crate::source::Span { start: row.whole.end, ..row.whole },
                replacement: " accepting opaque".to_owned(),
            }],
            machine_applicable: false,
        });
        fix
    } else {
        found.help(format!("take it out of `tools` and write `allow {} accepting opaque`", spell::name(tool)))
    }
}

fn overlays(known: &Known, sink: &mut Sink) -> Vec<policy::Overlay> {
    let declared = &known.names.overlays;
    let bases: Vec<Option<Base>> = declared.iter().map(|overlay| base(known, overlay, sink)).collect();
    let edges: Vec<Edge> = bases
        .iter()
        .enumerate()
        .filter_map(|(from, base)| match base {
            Some(Base::Overlay(to)) => Some(Edge { from, to: to.0, span: declared[from].base.span }),
            Some(Base::Agent(_)) | None => None,
        })
        .collect();
    let names: Vec<&str> = declared.iter().map(|overlay| overlay.name.text.as_str()).collect();
    let (ringed, _) = cycles::report(Code::CYCLE, &names, &edges, "is on", sink);
    declared
        .iter()
        .enumerate()
        .map(|(at, overlay)| {
            // Where the base could not be told an error was pushed and no policy leaves this room.
            let base = bases[at].unwrap_or(Base::Agent(AgentId(0)));
            let agent = if ringed.contains(&at) { NOBODY } else { agent_of(at, &bases) };
            self::overlay(known, overlay, base, agent, sink)
        })
        .collect()
}

fn overlay(known: &Known, overlay: &ast::Overlay, base: Base, agent: AgentId, sink: &mut Sink) -> policy::Overlay {
    let mut layer = uses::lower(known, &overlay.uses, Speaker::Overlay, sink);
    layer.without_providers = uses::without_providers(known, &overlay.without_providers, sink);
    policy::Overlay {
        name: overlay.name.text.as_str().into(),
        base,
        agent,
        describe: prose("describe", &overlay.describe, sink),
        welcome: prose("welcome", &overlay.welcome, sink),
        layer,
        span: overlay.name.span,
    }
}

/// One overlay beside a policy that is whole: what it is on stands there.
pub fn beside(known: &Known, policy: &policy::Policy, declared: &ast::Overlay, sink: &mut Sink) -> policy::Overlay {
    let base = self::base(known, declared, sink);
    let agent = match base {
        Some(Base::Agent(agent)) => agent,
        Some(Base::Overlay(below)) => policy.overlays.get(below.0).map_or(NOBODY, |below| below.agent),
        None => NOBODY,
    };
    overlay(known, declared, base.unwrap_or(Base::Agent(AgentId(0))), agent, sink)
}

fn base(known: &Known, overlay: &ast::Overlay, sink: &mut Sink) -> Option<Base> {
    let name = &overlay.base;
    let found = known.names.agent_named(&name.text).map(Base::Agent);
    let found = found.or_else(|| known.names.overlay_named(&name.text).map(Base::Overlay));
    if found.is_none() && !known.names.excused(&name.text) {
        let overlays = known.names.overlay_names.iter().copied().filter(|it| *it != overlay.name.text);
        let all: Vec<&str> = known.names.agent_names.iter().copied().chain(overlays).collect();
        let message = format!("no agent or overlay is called `{}`", name.text);
        sink.push(spell::unknown(Code::UNKNOWN_DECLARATION, name, message, &all));
    }
    found
}

/// Stands for the agent where it could not be told: there is none by this number, and no policy leaves this room.
const NOBODY: AgentId = AgentId(usize::MAX);

/// The agent at the end of a chain of bases.
fn agent_of(mut at: usize, bases: &[Option<Base>]) -> AgentId {
    for _ in bases {
        match bases[at] {
            Some(Base::Overlay(next)) => at = next.0,
            Some(Base::Agent(agent)) => return agent,
            None => break,
        }
    }
    NOBODY
}

fn boundary(known: &Known, boundary: &ast::Boundary, sink: &mut Sink) -> policy::Boundary {
    let mut layer = uses::lower(known, &boundary.uses, Speaker::Boundary, sink);
    layer.without_providers = uses::without_providers(known, &boundary.without_providers, sink);
    let agents = (!boundary.agents.is_empty()).then(|| {
        let kept = names::distinct("agent", boundary.agents.iter(), sink);
        let mut agents: Vec<AgentId> =
            kept.into_iter().filter_map(|at| known.names.agent(&boundary.agents[at], sink)).collect();
        agents.sort();
        agents
    });
    policy::Boundary { name: boundary.name.text.as_str().into(), agents, layer, span: boundary.name.span }
}
