//! The deployment: providers, offers, fallbacks, modes, consent, surface.

use super::cycles::{self, Edge};
use super::{Known, names, spell, tools};
use crate::diag::{Code, Diagnostic, Sink};
use crate::policy::{self, Effect, ProviderType, ToolRef};
use crate::source::Span;
use crate::syntax::ast;
use std::collections::BTreeMap;

const TYPES: [(&str, ProviderType); 5] = [
    ("edge", ProviderType::Edge),
    ("request_mcp", ProviderType::RequestMcp),
    ("server", ProviderType::Server),
    ("control_plane", ProviderType::ControlPlane),
    ("gateway", ProviderType::Gateway),
];

/// The one deployment, if there is one.
pub fn lower(known: &Known, sink: &mut Sink) -> Option<policy::Deployment> {
    let deployment = known.names.deployment?;
    let kept = names::distinct("provider", deployment.providers.iter().map(|provider| &provider.name), sink);
    let written: Vec<&ast::Provider> = kept.into_iter().map(|at| &deployment.providers[at]).collect();
    let providers: Vec<policy::Provider> = written.iter().map(|provider| self::provider(known, provider, sink)).collect();
    // What offers something that could not be told may offer anything.
    let whole: Vec<bool> =
        written.iter().zip(&providers).map(|(it, lowered)| it.offers.len() == lowered.offers.len()).collect();
    Some(policy::Deployment {
        name: deployment.name.text.as_str().into(),
        fallbacks: fallbacks(known, &deployment.fallbacks, (&providers, &whole), sink),
        providers,
        modes: modes(&deployment.modes, sink),
        consent: effects("consent", &deployment.consent, sink),
        surface: deployment.surface.as_ref().map(|it| surface(known, it, sink)).unwrap_or_default(),
        span: deployment.name.span,
    })
}

fn provider(known: &Known, provider: &ast::Provider, sink: &mut Sink) -> policy::Provider {
    let found = TYPES.iter().find(|(name, _)| *name == provider.ty.text);
    if found.is_none() {
        let all: Vec<&str> = TYPES.iter().map(|(name, _)| *name).collect();
        let message = format!("no type of provider is called `{}`", provider.ty.text);
        sink.push(spell::unknown(Code::UNKNOWN_PROVIDER_TYPE, &provider.ty, message, &all));
    }
    policy::Provider {
        name: provider.name.text.as_str().into(),
        ty: found.map_or(ProviderType::Server, |(_, ty)| *ty),
        disabled: provider.disabled.is_some(),
        offers: offers(known, &provider.offers, sink),
        span: provider.name.span,
    }
}

fn offers(known: &Known, offers: &[ast::Offer], sink: &mut Sink) -> Vec<policy::Offer> {
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    let mut lowered = Vec::new();
    for offer in offers {
        let Some(capability) = capability(known, &offer.capability, sink) else { continue };
        if let Some(first) = seen.insert(capability.clone(), offer.capability.span) {
            let message = format!("`{capability}` is offered a second time");
            sink.push(
                Diagnostic::new(Code::DUPLICATE, offer.capability.span, message).also(first, "the first offer is here"),
            );
            continue;
        }
        let pinned = offer.pinned.as_ref().map(|text| text.value.as_str().into());
        let mut it = policy::Offer { capability: capability.into(), except: Vec::new(), pinned };
        it.except = offer.except.iter().filter_map(|name| exception(known, &it, name, sink)).collect();
        it.except.sort();
        it.except.dedup();
        lowered.push(it);
    }
    lowered
}

fn exception(known: &Known, offer: &policy::Offer, name: &ast::Dotted, sink: &mut Sink) -> Option<ToolRef> {
    let tool = known.names.qualified_tool(name, sink)?;
    let needs = &known.vocabularies[tool.vocabulary.0].tools[tool.tool].capability;
    if !offer.covers(needs) {
        let called = spell::dotted(&name.parts);
        let message = format!("`{called}` is no tool of `{}`: it needs `{needs}`", offer.capability);
        sink.push(Diagnostic::new(Code::BAD_OFFER, name.span, message));
        return None;
    }
    Some(tool)
}

/// A capability that some tool needs or some vocabulary declares, or a pattern that covers one: `github.*`.
fn capability(known: &Known, name: &ast::Dotted, sink: &mut Sink) -> Option<String> {
    let text = spell::dotted(&name.parts);
    let needed = known.vocabularies.iter().flat_map(|vocabulary| &vocabulary.tools).any(|tool| *tool.capability == *text);
    let declared = known.vocabularies.iter().flat_map(|vocabulary| &vocabulary.capabilities).map(|it| &**it);
    let implied = known.vocabularies.iter().zip(&known.names.vocabularies).flat_map(|(vocabulary, written)| {
        let silent = vocabulary.tools.iter().zip(&written.tools).filter(|(_, written)| written.needs.is_empty());
        silent.map(|(tool, _)| &*tool.capability)
    });
    let all: Vec<&str> = declared.chain(implied).collect();
    let pattern = name.parts.last().is_some_and(|part| part.text == "*" && !part.quoted);
    let prefix = text.strip_suffix('*').filter(|_| pattern);
    let tools = known.vocabularies.iter().flat_map(|vocabulary| &vocabulary.tools).map(|tool| &*tool.capability);
    let covered = |prefix: &str| all.iter().copied().chain(tools).any(|it| it.starts_with(prefix));
    if needed || all.contains(&text.as_str()) || prefix.is_some_and(covered) {
        return Some(text);
    }
    if prefix.is_some() && !known.names.excused(&name.parts[0].text) {
        let found = Diagnostic::new(Code::UNKNOWN_CAPABILITY, name.span, format!("`{text}` covers no capability"));
        sink.push(found.note("it covers the capabilities that begin with what stands before `*`"));
        return None;
    }
    if !name.parts.iter().any(|part| known.names.excused(&part.text)) {
        let found = Diagnostic::new(Code::UNKNOWN_CAPABILITY, name.span, format!("no capability is called `{text}`"));
        sink.push(found.did_you_mean(&text, all));
    }
    None
}

fn fallbacks(
    known: &Known,
    fallbacks: &[ast::Fallback],
    (providers, whole): (&[policy::Provider], &[bool]),
    sink: &mut Sink,
) -> Vec<policy::Fallback> {
    let mut seen: BTreeMap<Box<str>, Span> = BTreeMap::new();
    let mut lowered = Vec::new();
    let names: Vec<&str> = providers.iter().map(|provider| &*provider.name).collect();
    for fallback in fallbacks {
        let Some(capability) = capability(known, &fallback.capability, sink) else { continue };
        if let Some(first) = seen.insert(capability.as_str().into(), fallback.capability.span) {
            let message = format!("`{capability}` has a second fallback");
            sink.push(
                Diagnostic::new(Code::DUPLICATE, fallback.capability.span, message)
                    .also(first, "the first is here")
                    .help("write one chain: `a -> b -> c`"),
            );
            continue;
        }
        let Some(chain) = chain(&capability, &fallback.chain, (providers, whole), &names, sink) else { continue };
        let (offline, degraded) = conditions(&fallback.when, sink);
        let announce = fallback.announce.as_ref().map(|text| text.value.as_str().into());
        lowered.push(policy::Fallback { capability: capability.into(), chain, offline, degraded, announce });
    }
    lowered
}

/// The providers of a chain: each declared, each offering the capability, none twice.
fn chain(
    capability: &str,
    chain: &[ast::Name],
    (providers, whole): (&[policy::Provider], &[bool]),
    names: &[&str],
    sink: &mut Sink,
) -> Option<Vec<usize>> {
    let mut places = Vec::new();
    for name in chain {
        let Some(at) = names.iter().position(|known| *known == name.text) else {
            sink.push(spell::unknown(Code::UNKNOWN_PROVIDER, name, format!("no provider is called `{}`", name.text), names));
            return None;
        };
        if whole[at] && !providers[at].offers.iter().any(|offer| offer.covers(capability)) {
            let message =
                format!("`{}` does not offer `{capability}`, so nothing can fall back to it or from it", name.text);
            sink.push(Diagnostic::new(Code::BAD_OFFER, name.span, message).also(providers[at].span, "declared here"));
            return None;
        }
        places.push(at);
    }
    let edges: Vec<Edge> =
        (1..chain.len()).map(|at| Edge { from: places[at - 1], to: places[at], span: chain[at].span }).collect();
    let (ringed, _) = cycles::report(Code::CYCLE, names, &edges, "falls back to", sink);
    ringed.is_empty().then_some(places)
}

/// `when offline`, `when degraded`; none written is offline.
fn conditions(when: &[ast::Name], sink: &mut Sink) -> (bool, bool) {
    names::distinct("condition", when.iter(), sink);
    for name in when.iter().filter(|name| !["offline", "degraded"].contains(&name.text.as_str())) {
        let message = format!("a fallback is not taken `when {}`", name.text);
        sink.push(spell::unknown(Code::UNKNOWN_CONDITION, name, message, &["offline", "degraded"]));
    }
    let says = |word: &str| when.iter().any(|name| name.text == word);
    (when.is_empty() || says("offline"), says("degraded"))
}

fn modes(modes: &[ast::Mode], sink: &mut Sink) -> Vec<policy::Mode> {
    let kept = names::distinct("mode", modes.iter().map(|mode| &mode.name), sink);
    kept.into_iter()
        .map(|at| {
            let mode = &modes[at];
            if mode.name.text == "normal" {
                let message = "`normal` is always declared, and blocks nothing";
                sink.push(Diagnostic::new(Code::RESERVED_NAME, mode.name.span, message).help("give the mode another name"));
            }
            policy::Mode { name: mode.name.text.as_str().into(), blocks: effects("block", &mode.blocks, sink) }
        })
        .collect()
}

fn effects(word: &str, effects: &[(ast::Effect, Span)], sink: &mut Sink) -> Vec<Effect> {
    let mut seen: BTreeMap<ast::Effect, Span> = BTreeMap::new();
    for (effect, span) in effects {
        if let Some(first) = seen.insert(*effect, *span) {
            let message = format!("`{}` stands in `{word}` a second time", tools::effect_called(*effect));
            sink.push(Diagnostic::new(Code::DUPLICATE, *span, message).also(first, "the first is here"));
        }
    }
    let mut lowered: Vec<Effect> = seen.into_keys().map(tools::effect).collect();
    lowered.sort();
    lowered
}

fn surface(known: &Known, surface: &ast::SurfaceDecl, sink: &mut Sink) -> policy::Surface {
    let mut seen: BTreeMap<ToolRef, (&str, Span)> = BTreeMap::new();
    let mut list = |word: &'static str, names: &[ast::Dotted], sink: &mut Sink| {
        let mut tools = Vec::new();
        for name in names {
            let Some(tool) = known.names.qualified_tool(name, sink) else { continue };
            match seen.get(&tool) {
                Some((before, first)) => {
                    let place = if *before == word {
                        format!("in `{word}` a second time")
                    } else {
                        format!("in `{before}` and in `{word}`")
                    };
                    let message = format!("`{}` stands {place}", spell::dotted(&name.parts));
                    sink.push(Diagnostic::new(Code::TOOL_TWICE, name.span, message).also(*first, "it stands here already"));
                }
                None => {
                    seen.insert(tool, (word, name.span));
                    tools.push(tool);
                }
            }
        }
        tools
    };
    let resident = list("resident", &surface.resident, sink);
    let deferred = list("deferred", &surface.deferred, sink);
    policy::Surface { budget: surface.budget.map(|(bytes, _)| bytes), resident, deferred }
}
