//! The tree of what operators write: deployments and skills. As written, nothing resolved.

use super::{Dotted, Effect, Name, Text, Use};
use crate::source::Span;

/// `deployment NAME { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Deployment {
    /// Its name.
    pub name: Name,
    /// `provider …`.
    pub providers: Vec<Provider>,
    /// `fallback …`.
    pub fallbacks: Vec<Fallback>,
    /// `mode NAME { block mutates }`.
    pub modes: Vec<Mode>,
    /// `consent required for EFFECT`, flattened.
    pub consent: Vec<(Effect, Span)>,
    /// `surface { … }`.
    pub surface: Option<SurfaceDecl>,
    /// All of it.
    pub span: Span,
}

/// `provider NAME: TYPE { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Provider {
    /// Its name.
    pub name: Name,
    /// `edge`, `server`, …, as written.
    pub ty: Name,
    /// `disabled`.
    pub disabled: Option<Span>,
    /// `offers …`.
    pub offers: Vec<Offer>,
    /// All of it.
    pub span: Span,
}

/// One offered capability.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The capability.
    pub capability: Dotted,
    /// `except c.t, c.u`.
    pub except: Vec<Dotted>,
    /// `pinned "sha256:…"`.
    pub pinned: Option<Text>,
}

/// `fallback CAP: a -> b when offline announce "…"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Fallback {
    /// The capability.
    pub capability: Dotted,
    /// The providers in order, at least two.
    pub chain: Vec<Name>,
    /// `when offline`, `when degraded`, as written.
    pub when: Vec<Name>,
    /// `announce "…"`.
    pub announce: Option<Text>,
    /// All of it.
    pub span: Span,
}

/// `mode NAME { block mutates, … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Its name.
    pub name: Name,
    /// The effects it blocks.
    pub blocks: Vec<(Effect, Span)>,
    /// All of it.
    pub span: Span,
}

/// `surface { budget 8 KiB; resident …; deferred … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceDecl {
    /// In bytes.
    pub budget: Option<(u64, Span)>,
    /// `resident c.t, …`.
    pub resident: Vec<Dotted>,
    /// `deferred c.t, …`.
    pub deferred: Vec<Dotted>,
    /// All of it.
    pub span: Span,
}

/// `skill NAME { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Skill {
    /// Its name.
    pub name: Name,
    /// `version "…"`.
    pub version: Option<Text>,
    /// `instructions "…"`.
    pub instructions: Vec<Text>,
    /// `use CONNECTOR { … }`.
    pub uses: Vec<Use>,
    /// `resources "…"`.
    pub resources: Vec<Text>,
    /// `requires CONNECTOR.LIMIT`.
    pub requires: Vec<Dotted>,
    /// All of it.
    pub span: Span,
}
