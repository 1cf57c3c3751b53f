//! Which provider runs a call (decision.md, "Providers and routes").

use crate::facts::{Facts, Provider as Known};
use bailiwick::policy::{Deployment, Layer, Policy, Provider, ProviderType, ToolRef};

/// Where a permitted call goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// The contract forbids it: a code, and the provider named.
    Blocked(&'static str, Option<String>),
    /// Nobody offers it.
    Unsupported,
    /// A provider without a runtime binding.
    Missing(Chosen),
    /// An offline or unknown provider.
    Offline(Chosen),
    /// It can run.
    Ready(Chosen),
}

/// The provider chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Its name.
    pub provider: String,
    /// The route of its type.
    pub route: &'static str,
    /// Whom it stands in for.
    pub fallback_from: Option<String>,
}

fn route_of(ty: ProviderType) -> &'static str {
    match ty {
        ProviderType::Edge => "EdgeBound",
        ProviderType::RequestMcp => "RequestScopedMcp",
        ProviderType::Server => "ServerRuntime",
        ProviderType::ControlPlane => "ServerControlPlane",
        ProviderType::Gateway => "GatewayRelay",
    }
}

/// What a provider's offer of a tool is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Offer {
    None,
    Counts,
    Stale,
}

struct Question<'p> {
    deployment: &'p Deployment,
    layers: Vec<&'p Layer>,
    facts: &'p Facts,
    tool: ToolRef,
    capability: &'p str,
    name: String,
}

impl Question<'_> {
    fn declared<'a>(&self, p: &'a Provider) -> Option<&'a bailiwick::policy::Offer> {
        p.offers.iter().find(|o| *o.capability == *self.capability && !o.except.contains(&self.tool))
    }

    fn known(&self, p: &Provider) -> Option<&Known> {
        self.facts.providers.get(&*p.name)
    }

    fn state(&self, p: &Provider) -> &str {
        self.known(p).map_or("unbound", |k| &k.state)
    }

    fn offer(&self, p: &Provider) -> Offer {
        let Some(declared) = self.declared(p) else { return Offer::None };
        let Some(pin) = &declared.pinned else { return Offer::Counts };
        if !["ready", "degraded"].contains(&self.state(p)) {
            return Offer::Counts;
        }
        match self.known(p).and_then(|k| k.tools.get(&self.name)) {
            Some((Some(_), digest)) if digest.as_deref() == Some(&**pin) => Offer::Counts,
            Some((Some(_), _)) => Offer::Stale,
            Some((None, _)) | None => Offer::None,
        }
    }

    fn excluded(&self, p: &Provider) -> bool {
        self.layers.iter().flat_map(|l| &l.without_providers).any(|(name, _)| *name == p.name)
    }

    /// Whether two providers that are up and count state different digests for the tool.
    fn conflict(&self) -> bool {
        let counting = self.deployment.providers.iter().filter(|p| {
            let up = ["ready", "degraded"].contains(&self.state(p));
            up && !p.disabled && !self.excluded(p) && self.offer(p) != Offer::None
        });
        let mut stated: Vec<&str> = counting
            .filter_map(|p| self.known(p).and_then(|k| k.tools.get(&self.name)).and_then(|(_, digest)| digest.as_deref()))
            .collect();
        stated.sort_unstable();
        stated.dedup();
        stated.len() > 1
    }

    fn chosen(&self, p: &Provider, from: Option<&Provider>) -> Chosen {
        Chosen { provider: p.name.to_string(), route: route_of(p.ty), fallback_from: from.map(|f| f.name.to_string()) }
    }

    /// The first in the fallback chain behind `first` that can stand in for it.
    fn fallback(&self, first: usize) -> Option<usize> {
        let state = self.state(&self.deployment.providers[first]);
        let fires = |f: &&bailiwick::policy::Fallback| match state {
            "offline" | "unknown" => f.offline,
            "degraded" => f.degraded,
            _ => false, // ready, or unbound: a missing binding starts no fallback
        };
        let declared = self.deployment.fallbacks.iter().filter(|f| *f.capability == *self.capability).filter(fires);
        let behind =
            declared.filter_map(|f| f.chain.iter().position(|p| *p == first).map(|at| &f.chain[at + 1..])).flatten();
        behind.copied().find(|i| {
            let p = &self.deployment.providers[*i];
            let up = ["ready", "degraded"].contains(&self.state(p));
            !p.disabled && !self.excluded(p) && up && self.offer(p) == Offer::Counts
        })
    }

    fn decide(&self) -> Route {
        let providers = &self.deployment.providers;
        let mut offering: Vec<usize> =
            (0..providers.len()).filter(|i| !providers[*i].disabled && self.offer(&providers[*i]) != Offer::None).collect();
        offering.sort_by_key(|i| (providers[*i].ty, *i));
        let wanted = self.facts.routes.get(self.capability);
        if let Some(wanted) = wanted {
            offering.retain(|i| *providers[*i].name == **wanted);
            if offering.is_empty() {
                return Route::Blocked("route-mismatch", None);
            }
        }
        if self.conflict() {
            return Route::Blocked("schema-conflict", None);
        }
        let Some(first) = offering.first().copied() else {
            // The one that would have been selected.
            let disabled = providers.iter().enumerate().filter(|(_, p)| p.disabled && self.declared(p).is_some());
            let first = disabled.min_by_key(|(i, p)| (p.ty, *i));
            return first.map_or(Route::Unsupported, |(_, p)| Route::Blocked("provider-disabled", Some(p.name.to_string())));
        };
        let selected = &providers[first];
        if self.excluded(selected) {
            return Route::Blocked("provider-excluded", None);
        }
        if self.offer(selected) == Offer::Stale {
            return Route::Blocked("stale-schema", None);
        }
        let stand_in = self.fallback(first).map(|i| self.chosen(&providers[i], Some(selected)));
        match (self.state(selected), stand_in) {
            ("unbound", _) => Route::Missing(self.chosen(selected, None)),
            (_, Some(chosen)) => Route::Ready(chosen),
            ("offline" | "unknown", None) => Route::Offline(self.chosen(selected, None)),
            (_, None) => Route::Ready(self.chosen(selected, None)),
        }
    }
}

/// Routes a call to `tool`.
pub fn route(policy: &Policy, layers: &[&Layer], facts: &Facts, tool: ToolRef) -> Route {
    let capability = &policy.tool(tool).capability;
    let Some(deployment) = &policy.deployment else {
        let local = Chosen { provider: "local".to_owned(), route: "EdgeBound", fallback_from: None };
        return Route::Ready(local);
    };
    let name = format!("{}.{}", policy.vocabulary(tool.vocabulary).name, policy.tool(tool).name);
    Question { deployment, layers: layers.to_vec(), facts, tool, capability, name }.decide()
}
