//! The decision as data: the names of decision.md, as closed types. Makes nothing and asks nothing.

use crate::domain::{Decimal, Value};
use crate::table::model::{LimitId, OriginId, ProviderType};
use std::fmt;

/// What became of one call.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The state.
    pub status: Status,
    /// The capability the tool needs; `None` where there is no such tool.
    pub capability: Option<Box<str>>,
    /// The connector as the call has it.
    pub connector: Box<str>,
    /// The tool as the call has it.
    pub tool_name: Box<str>,
    /// The provider: reached, or (`provider-disabled`) only named.
    pub provider: Option<Reached>,
    /// Whether a runtime is bound.
    pub binding: RuntimeBinding,
    /// Whether a fallback is declared or used.
    pub fallback: FallbackPolicy,
    /// The provider fallen back from.
    pub fallback_from: Option<Box<str>>,
    /// Why the provider is degraded.
    pub degraded_reason: Option<Box<str>>,
    /// Why the provider is offline.
    pub offline_reason: Option<Box<str>>,
    /// What a fallback announces.
    pub announcement: Option<Box<str>>,
    /// What is forwarded. Only when Ready.
    pub arguments: Option<Forwarded>,
    /// What was changed on the way, in the order of the vocabulary.
    pub rewrites: Vec<Rewrite>,
    /// Why not; the deciding clause first.
    pub because: Vec<Because>,
    /// What the host must still do.
    pub obligations: Vec<Obligation>,
    /// The providers considered, in the order of the deployment.
    pub candidates: Vec<Candidate>,
    /// The digest to approve, when a row asks.
    pub args_digest: Option<String>,
    /// As the facts have it.
    pub generation: Option<Decimal>,
    /// As the facts have it.
    pub listing_generation: Option<Decimal>,
    /// As the facts have it.
    pub on_behalf_of: Option<Box<str>>,
}

/// The states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Not a call.
    Malformed,
    /// The tool exists, and no call to it is permitted under any facts.
    Hidden,
    /// Some call is permitted; this one is not, now.
    PolicyBlocked,
    /// No provider owns the capability.
    Unsupported,
    /// A provider's contract exists, but no runtime.
    MissingRuntimeBinding,
    /// The selected provider is offline or unknown.
    ProviderOffline,
    /// It can execute now.
    Ready,
}

/// What is forwarded.
#[derive(Clone, Debug, PartialEq)]
pub enum Forwarded {
    /// The arguments byte for byte.
    AsCame(Value),
    /// The arguments rewritten.
    Rewritten(Value),
}

impl Forwarded {
    /// The arguments as a value.
    pub fn value(&self) -> &Value {
        match self {
            Forwarded::AsCame(value) | Forwarded::Rewritten(value) => value,
        }
    }
}

/// A provider as far as a decision names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Its name.
    pub id: Box<str>,
    /// Its type.
    pub ty: ProviderType,
    /// Whether the call was routed to it, or it is only named.
    pub route: Routed,
}

/// Whether a provider was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routed {
    /// It was selected.
    Selected,
    /// It is named only: `provider-disabled`.
    Named,
}

/// Whether a runtime is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuntimeBinding {
    /// Bound.
    Bound,
    /// The facts do not mention the provider.
    Missing,
    /// Offline.
    Offline,
    /// Unknown.
    Unknown,
    /// No provider was reached.
    None,
}

/// Whether a fallback is declared or used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FallbackPolicy {
    /// None.
    None,
    /// Declared for the capability, not used.
    Declared,
    /// Used.
    Used,
}

/// One change of the arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewrite {
    /// JSON pointer into the arguments.
    pub path: String,
    /// What stood there.
    pub from: Option<Value>,
    /// What is forwarded.
    pub to: Value,
    /// Why.
    pub because: RewriteReason,
}

/// Why an argument was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewriteReason {
    /// Omitted, and bound by this limit.
    Bound(LimitId),
    /// Omitted, and the vocabulary has a default.
    Default,
    /// Another spelling of what this limit is bound to.
    Spelling(LimitId),
    /// The canonical form of the same value.
    Canonical,
    /// Left open, and only this value is permitted; by this limit, where a limit speaks of it.
    OnlyValue(Option<LimitId>),
}

/// One reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Because {
    /// Which kind.
    pub code: Code,
    /// The limit, where one decides.
    pub limit: Option<LimitId>,
    /// JSON pointer into the arguments, where one argument decides.
    pub path: Option<String>,
    /// What is permitted there, in the policy's words.
    pub permitted: Option<String>,
    /// What was given.
    pub given: Option<Value>,
    /// The clause in the source.
    pub source: Option<OriginId>,
    /// What kinds of reason need beside: a mode, a fact, a fault.
    pub detail: Option<String>,
}

impl Because {
    /// A reason that only names its kind.
    pub fn bare(code: Code) -> Because {
        Because { code, limit: None, path: None, permitted: None, given: None, source: None, detail: None }
    }

    /// A reason with what its kind needs beside.
    pub fn with(code: Code, detail: impl Into<String>) -> Because {
        Because { detail: Some(detail.into()), ..Because::bare(code) }
    }
}

macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),* }
        impl $name {
            /// Every one, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
            /// Its name in JSON.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

names! {
    /// Kinds of reason. Closed.
    Code {
        /// The bytes are no strict JSON.
        NotJson = "not-json",
        /// No such connector or tool.
        UnknownTool = "unknown-tool",
        /// No call to the tool is permitted under any facts.
        Hidden = "hidden",
        /// Undeclared, missing or ill-typed arguments.
        Arguments = "arguments",
        /// Nobody's authority.
        NoAgent = "no-agent",
        /// A fact that the call depends on could not be had.
        FactsUnavailable = "facts-unavailable",
        /// The mode blocks an effect, or is not declared.
        Mode = "mode",
        /// An effect requires consent.
        Consent = "consent",
        /// A limit's value does not hold.
        Limit = "limit",
        /// Arguments that contradict each other.
        Incoherent = "incoherent",
        /// A `single` that nobody has bound.
        Unbound = "unbound",
        /// A choice was left open and several values are permitted.
        Unspecified = "unspecified",
        /// No row of a declaration holds.
        Row = "row",
        /// Two readers may read the value differently.
        Ambiguous = "ambiguous",
        /// An opaque argument reaches what a limit guards.
        Opaque = "opaque",
        /// The inner call of a dispatch is not permitted.
        InnerCall = "inner-call",
        /// A session's binding that the policy does not permit.
        BindingRefused = "binding-refused",
        /// The explicit route is to a provider that does not offer the tool.
        RouteMismatch = "route-mismatch",
        /// Only disabled providers offer the tool.
        ProviderDisabled = "provider-disabled",
        /// A layer excludes the provider.
        ProviderExcluded = "provider-excluded",
        /// Providers state different schemas.
        SchemaConflict = "schema-conflict",
        /// The provider's schema is not the pinned one.
        StaleSchema = "stale-schema",
        /// The row asks for an approval that is not given.
        Approval = "approval",
    }
}

names! {
    /// What the host must still do.
    Obligation {
        /// Resolve the path, and stay beneath what was permitted.
        ResolveBeneath = "resolve_beneath",
        /// Ask again before following a redirect.
        RecheckOnRedirect = "recheck_on_redirect",
        /// Ask again with the address that the name resolves to.
        RecheckResolvedAddress = "recheck_resolved_address",
    }
}

names! {
    /// Why a provider was or was not selected.
    CandidateReason {
        /// It was.
        Selected = "Selected",
        /// Disabled by the deployment.
        Disabled = "Disabled",
        /// States a schema that another, or the pin, contradicts.
        SchemaConflict = "SchemaConflict",
        /// Offline, unknown, or without a runtime.
        ProviderUnavailable = "ProviderUnavailable",
        /// Not for this tool, or excluded by a layer.
        ProviderToolNotAllowed = "ProviderToolNotAllowed",
        /// A provider of an earlier type, or an explicit route, was preferred.
        PreferredProvider = "PreferredProvider",
        /// Of the same type, later.
        LowerPriority = "LowerPriority",
        /// An explicit route that does not fit.
        RouteMismatch = "RouteMismatch",
        /// An offer that does not count: a pin without entry or native identity.
        UnsupportedRoute = "UnsupportedRoute",
    }
}

/// A provider considered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name.
    pub provider_id: Box<str>,
    /// Why it was or was not selected.
    pub reason: CandidateReason,
}

impl Status {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Status::Malformed => "Malformed",
            Status::Hidden => "Hidden",
            Status::PolicyBlocked => "PolicyBlocked",
            Status::Unsupported => "Unsupported",
            Status::MissingRuntimeBinding => "MissingRuntimeBinding",
            Status::ProviderOffline => "ProviderOffline",
            Status::Ready => "Ready",
        }
    }
}

impl ProviderType {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ProviderType::Edge => "edge",
            ProviderType::RequestMcp => "request_mcp",
            ProviderType::Server => "server",
            ProviderType::ControlPlane => "control_plane",
            ProviderType::Gateway => "gateway",
        }
    }

    /// The route that its providers are reached by.
    pub fn route(self) -> &'static str {
        match self {
            ProviderType::Edge => "EdgeBound",
            ProviderType::RequestMcp => "RequestScopedMcp",
            ProviderType::Server => "ServerRuntime",
            ProviderType::ControlPlane => "ServerControlPlane",
            ProviderType::Gateway => "GatewayRelay",
        }
    }
}

impl RuntimeBinding {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            RuntimeBinding::Bound => "bound",
            RuntimeBinding::Missing => "missing",
            RuntimeBinding::Offline => "offline",
            RuntimeBinding::Unknown => "unknown",
            RuntimeBinding::None => "none",
        }
    }
}

impl FallbackPolicy {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FallbackPolicy::None => "none",
            FallbackPolicy::Declared => "declared",
            FallbackPolicy::Used => "used",
        }
    }
}
