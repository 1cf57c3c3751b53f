//! A tool and the facts about providers → who executes, or which contract refuses. Knows no arguments.

use super::Handle;
use super::decision::{Because, Candidate, CandidateReason, Code, FallbackPolicy, Reached, Routed, RuntimeBinding, Status};
use super::facts::{Facts, ProviderFact, ProviderState};
use crate::table::model::{Deployment, Enabled, FallbackWhen, Offer, Provider, ProviderType, ToolId};

/// What routing comes to.
pub(crate) enum Route {
    /// A contract refuses: the call is PolicyBlocked.
    Blocked(Box<Refused>),
    /// No contract does.
    Open(Box<Open>),
}

/// A contract that refuses.
pub(crate) struct Refused {
    pub(crate) because: Because,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) named: Option<Reached>,
}

/// Where a call goes that policy permits.
pub(crate) struct Open {
    pub(crate) status: Status,
    pub(crate) provider: Option<Reached>,
    pub(crate) binding: RuntimeBinding,
    pub(crate) fallback: FallbackPolicy,
    pub(crate) fallback_from: Option<Box<str>>,
    pub(crate) degraded_reason: Option<Box<str>>,
    pub(crate) offline_reason: Option<Box<str>>,
    pub(crate) announcement: Option<Box<str>>,
    pub(crate) candidates: Vec<Candidate>,
}

/// A provider with an offer of the capability, and what stands against it.
struct Offering<'a> {
    index: usize,
    provider: &'a Provider,
    fact: Option<&'a ProviderFact>,
    standing: Standing,
    excluded: bool,
    stated: Option<&'a str>,
    stale: bool,
}

/// Whether an offer counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Counts,
    Disabled,
    NotThisTool,
    /// Pinned, without entry or native identity.
    Unsupported,
}

/// Who executes the tool `id`.
pub(crate) fn route(handle: &Handle, id: ToolId, facts: &Facts) -> Route {
    let model = handle.table.model();
    let Some(deployment) = model.deployment.as_ref().filter(|_| handle.is_routed()) else { return local() };
    let Some(tool) = model.tool(id) else { return local() };
    let connector = model.connectors.get(id.0).map_or("", |c| &c.name);
    let asked = Asked { handle, deployment, id, capability: &tool.capability, name: format!("{connector}.{}", tool.name) };
    asked.route(facts)
}

/// With no deployment there is one implicit ready provider.
fn local() -> Route {
    Route::Open(Box::new(Open {
        provider: Some(Reached { id: "local".into(), ty: ProviderType::Edge, route: Routed::Selected }),
        binding: RuntimeBinding::Bound,
        candidates: vec![Candidate { provider_id: "local".into(), reason: CandidateReason::Selected }],
        ..Open::of(Status::Ready)
    }))
}

struct Asked<'a> {
    handle: &'a Handle,
    deployment: &'a Deployment,
    id: ToolId,
    capability: &'a str,
    name: String,
}

impl<'a> Asked<'a> {
    fn route(&self, facts: &'a Facts) -> Route {
        let offerings = self.offerings(facts);
        let explicit = facts.routes.known().and_then(|r| r.iter().find(|(c, _)| **c == *self.capability)).map(|(_, p)| &**p);
        let counting = |o: &&Offering<'_>| o.standing == Standing::Counts;
        let first = match explicit {
            Some(name) => offerings.iter().filter(counting).find(|o| &*o.provider.name == name),
            None => offerings.iter().filter(counting).min_by_key(|o| (o.provider.ty, o.index)),
        };
        match (first, explicit) {
            (None, Some(name)) => self.mismatch(&offerings, name),
            (None, None) => self.nobody(&offerings),
            (Some(first), _) => {
                self.selected(&offerings, first, if explicit.is_some() { Preference::Explicit } else { Preference::Order })
            }
        }
    }

    /// The providers that offer the capability, in the order of the deployment.
    fn offerings(&self, facts: &'a Facts) -> Vec<Offering<'a>> {
        let known = facts.providers.known().map(Vec::as_slice).unwrap_or_default();
        let mut offerings = Vec::new();
        for (index, provider) in self.deployment.providers.iter().enumerate() {
            let mut offers = provider.offers.iter().filter(|offer| covers(&offer.capability, self.capability)).peekable();
            if offers.peek().is_none() {
                continue;
            }
            let offer = offers.find(|offer| !offer.except.contains(&self.id));
            let fact = known.iter().find(|(name, _)| *name == provider.name).map(|(_, fact)| fact);
            offerings.push(self.offering((index, provider), offer, fact));
        }
        offerings
    }

    fn offering(
        &self,
        (index, provider): (usize, &'a Provider),
        offer: Option<&'a Offer>,
        fact: Option<&'a ProviderFact>,
    ) -> Offering<'a> {
        let answers = fact.filter(|fact| matches!(fact.state, ProviderState::Ready | ProviderState::Degraded));
        let contract = answers.and_then(|fact| fact.tools.iter().find(|(name, _)| **name == *self.name)).map(|(_, c)| c);
        let stated = contract.and_then(|contract| contract.digest.as_deref());
        let pinned = offer.and_then(|offer| offer.pinned.as_deref()).filter(|_| answers.is_some());
        let native = contract.is_some_and(|contract| contract.native.is_some());
        let standing = match (provider.state, offer) {
            (_, None) => Standing::NotThisTool,
            (Enabled::Disabled, Some(_)) => Standing::Disabled,
            (Enabled::Enabled, Some(_)) if pinned.is_some() && !native => Standing::Unsupported,
            (Enabled::Enabled, Some(_)) => Standing::Counts,
        };
        let excluded = self.handle.excluded.iter().any(|(name, _)| *name == provider.name);
        let stale = pinned.is_some() && pinned != stated;
        Offering { index, provider, fact, standing, excluded, stated, stale }
    }

    fn mismatch(&self, offerings: &[Offering<'_>], name: &str) -> Route {
        let mut candidates = candidates(offerings, None, Preference::Order);
        match candidates.iter_mut().find(|c| &*c.provider_id == name) {
            Some(candidate) => candidate.reason = CandidateReason::RouteMismatch,
            None => candidates.push(Candidate { provider_id: name.into(), reason: CandidateReason::RouteMismatch }),
        }
        let detail = format!("the route for `{}` goes to `{name}`, which does not offer `{}`", self.capability, self.name);
        blocked(Because::with(Code::RouteMismatch, detail), candidates)
    }

    /// Nobody's offer counts.
    fn nobody(&self, offerings: &[Offering<'_>]) -> Route {
        let candidates = candidates(offerings, None, Preference::Order);
        let disabled = offerings.iter().filter(|o| o.standing == Standing::Disabled);
        match disabled.min_by_key(|o| (o.provider.ty, o.index)) {
            None => Route::Open(Box::new(Open { candidates, ..Open::of(Status::Unsupported) })),
            Some(first) => {
                let id = first.provider.name.clone();
                let because = Because::with(Code::ProviderDisabled, format!("`{id}` is disabled by the deployment"));
                let named = Some(Reached { id, ty: first.provider.ty, route: Routed::Named });
                Route::Blocked(Box::new(Refused { because, candidates, named }))
            }
        }
    }

    fn selected(&self, offerings: &[Offering<'a>], first: &Offering<'a>, preference: Preference) -> Route {
        let with = |reason| {
            let mut candidates = candidates(offerings, Some(first), preference);
            let own = candidates.iter_mut().filter(|c| c.provider_id == first.provider.name);
            own.for_each(|c| c.reason = reason);
            candidates
        };
        let name = &first.provider.name;
        if first.excluded {
            let because = Because::with(Code::ProviderExcluded, format!("provider `{name}` is excluded"));
            return blocked(self.excluding(because, name), with(CandidateReason::ProviderToolNotAllowed));
        }
        if let Some(route) = self.conflict(offerings) {
            return route;
        }
        if first.stale {
            let because = Because::with(Code::StaleSchema, format!("`{name}` states another schema than the pinned one"));
            return blocked(because, with(CandidateReason::SchemaConflict));
        }
        let Some(fact) = first.fact else {
            let mut open = Open::at(Status::MissingRuntimeBinding, first, RuntimeBinding::Missing);
            open.candidates = with(CandidateReason::ProviderUnavailable);
            open.fallback = self.declared();
            return Route::Open(Box::new(open));
        };
        self.by_state(offerings, first, fact, &with)
    }

    fn by_state(
        &self,
        offerings: &[Offering<'a>],
        first: &Offering<'a>,
        fact: &ProviderFact,
        with: &dyn Fn(CandidateReason) -> Vec<Candidate>,
    ) -> Route {
        let when = match fact.state {
            ProviderState::Ready => None,
            ProviderState::Degraded => Some(FallbackWhen::Degraded),
            ProviderState::Offline | ProviderState::Unknown => Some(FallbackWhen::Offline),
        };
        if let Some((second, announcement)) = when.and_then(|when| self.fallback(offerings, first, when)) {
            return self.fallen_back(first, second, announcement, with(CandidateReason::ProviderUnavailable));
        }
        let (status, binding, reason) = match fact.state {
            ProviderState::Ready | ProviderState::Degraded => {
                (Status::Ready, RuntimeBinding::Bound, CandidateReason::Selected)
            }
            ProviderState::Offline => {
                (Status::ProviderOffline, RuntimeBinding::Offline, CandidateReason::ProviderUnavailable)
            }
            ProviderState::Unknown => {
                (Status::ProviderOffline, RuntimeBinding::Unknown, CandidateReason::ProviderUnavailable)
            }
        };
        let mut open = Open::at(status, first, binding);
        match fact.state {
            ProviderState::Ready => {}
            ProviderState::Degraded => open.degraded_reason = fact.reason.clone(),
            ProviderState::Offline | ProviderState::Unknown => open.offline_reason = fact.reason.clone(),
        }
        open.fallback = self.declared();
        open.candidates = with(reason);
        Route::Open(Box::new(open))
    }

    fn fallen_back(
        &self,
        first: &Offering<'a>,
        second: &Offering<'a>,
        announcement: Option<Box<str>>,
        mut candidates: Vec<Candidate>,
    ) -> Route {
        for candidate in candidates.iter_mut().filter(|c| c.provider_id == second.provider.name) {
            candidate.reason = CandidateReason::Selected;
        }
        let mut open = Open::at(Status::Ready, second, RuntimeBinding::Bound);
        if let Some(fact) = second.fact.filter(|fact| fact.state == ProviderState::Degraded) {
            open.degraded_reason = fact.reason.clone();
        }
        open.fallback = FallbackPolicy::Used;
        open.fallback_from = Some(first.provider.name.clone());
        open.announcement = announcement;
        open.candidates = candidates;
        Route::Open(Box::new(open))
    }

    fn declared(&self) -> FallbackPolicy {
        let declared = self.deployment.fallbacks.iter().any(|f| *f.capability == *self.capability);
        if declared { FallbackPolicy::Declared } else { FallbackPolicy::None }
    }

    /// The next provider of a chain that can take over, and what is announced.
    fn fallback<'o>(
        &self,
        offerings: &'o [Offering<'a>],
        first: &Offering<'a>,
        when: FallbackWhen,
    ) -> Option<(&'o Offering<'a>, Option<Box<str>>)> {
        let fallbacks = self.deployment.fallbacks.iter().enumerate();
        fallbacks.filter(|(_, f)| *f.capability == *self.capability && f.when.contains(&when)).find_map(
            |(index, fallback)| {
                let after = fallback.chain.iter().skip_while(|p| **p != first.index).skip(1);
                let able = |o: &&Offering<'_>| {
                    o.standing == Standing::Counts
                        && !o.excluded
                        && !o.stale
                        && o.fact.is_some_and(|f| matches!(f.state, ProviderState::Ready | ProviderState::Degraded))
                };
                let second = after.filter_map(|p| offerings.iter().find(|o| o.index == *p)).find(able)?;
                let announcement = self.handle.table.texts().announcements.get(index).cloned().flatten();
                Some((second, announcement))
            },
        )
    }

    /// Two enabled providers, neither excluded, that state different digests.
    fn conflict(&self, offerings: &[Offering<'a>]) -> Option<Route> {
        let in_play = |o: &&Offering<'_>| o.standing == Standing::Counts && !o.excluded;
        let mut stated = offerings.iter().filter(in_play).filter_map(|o| o.stated);
        let one = stated.next()?;
        stated.find(|other| *other != one)?;
        let all = offerings
            .iter()
            .map(|o| Candidate { provider_id: o.provider.name.clone(), reason: CandidateReason::SchemaConflict });
        let detail = format!("providers state different schemas for `{}`", self.name);
        Some(blocked(Because::with(Code::SchemaConflict, detail), all.collect()))
    }

    fn excluding(&self, mut because: Because, name: &str) -> Because {
        because.source = self.handle.excluded.iter().find(|(excluded, _)| **excluded == *name).map(|(_, origin)| *origin);
        because
    }
}

/// `github.*` covers every capability that begins with `github.`.
pub(crate) fn covers(offered: &str, capability: &str) -> bool {
    match offered.strip_suffix('*') {
        Some(prefix) if prefix.ends_with('.') => capability.starts_with(prefix),
        Some(_) | None => offered == capability,
    }
}

fn blocked(because: Because, candidates: Vec<Candidate>) -> Route {
    Route::Blocked(Box::new(Refused { because, candidates, named: None }))
}

/// Why one provider comes before the others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Preference {
    /// By type, then order.
    Order,
    /// An explicit route.
    Explicit,
}

/// Every provider considered; `first` was selected, and its own reason is set by the caller.
fn candidates(offerings: &[Offering<'_>], first: Option<&Offering<'_>>, preference: Preference) -> Vec<Candidate> {
    let reason = |o: &Offering<'_>| match (o.standing, first) {
        (Standing::Disabled, _) => CandidateReason::Disabled,
        (Standing::NotThisTool, _) => CandidateReason::ProviderToolNotAllowed,
        (Standing::Unsupported, _) => CandidateReason::UnsupportedRoute,
        (Standing::Counts, _) if o.excluded => CandidateReason::ProviderToolNotAllowed,
        (Standing::Counts, Some(first)) if o.index == first.index => CandidateReason::Selected,
        (Standing::Counts, _) if preference == Preference::Explicit => CandidateReason::PreferredProvider,
        (Standing::Counts, Some(first)) if o.provider.ty == first.provider.ty => CandidateReason::LowerPriority,
        (Standing::Counts, Some(_)) => CandidateReason::PreferredProvider,
        (Standing::Counts, None) => CandidateReason::LowerPriority,
    };
    offerings.iter().map(|o| Candidate { provider_id: o.provider.name.clone(), reason: reason(o) }).collect()
}

impl Open {
    fn of(status: Status) -> Open {
        Open {
            status,
            provider: None,
            binding: RuntimeBinding::None,
            fallback: FallbackPolicy::None,
            fallback_from: None,
            degraded_reason: None,
            offline_reason: None,
            announcement: None,
            candidates: Vec::new(),
        }
    }

    fn at(status: Status, offering: &Offering<'_>, binding: RuntimeBinding) -> Open {
        let provider = offering.provider;
        let provider = Some(Reached { id: provider.name.clone(), ty: provider.ty, route: Routed::Selected });
        Open { provider, binding, ..Open::of(status) }
    }
}
