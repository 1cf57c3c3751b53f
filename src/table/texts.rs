//! What a table carries for people: where each clause was written and in which words, documentation, nouns, prose, and what
//! the deployment says about the surface. Nothing here changes a decision.

use super::model::{OriginId, ToolId};
use serde::{Deserialize, Serialize};

/// The second part of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    /// Names of the source files.
    pub files: Vec<Box<str>>,
    /// By [`OriginId`].
    pub origins: Vec<Origin>,
    /// By connector.
    pub connectors: Vec<ConnectorTexts>,
    /// By agent: `describe` and `welcome`.
    pub agents: Vec<Prose>,
    /// By overlay: `describe` and `welcome`.
    pub overlays: Vec<Prose>,
    /// By fallback of the deployment: what it announces.
    pub announcements: Vec<Option<Box<str>>>,
    /// What the deployment says about the surface.
    pub surface: Surface,
}

/// Where and how something was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Index into [`Texts::files`].
    pub file: u32,
    /// From 1.
    pub line: u32,
    /// In Unicode scalars, from 1.
    pub column: u32,
    /// The path of a clause as written, or the name of what is declared.
    pub subject: Box<str>,
    /// The set or value as written, where there is one.
    pub permitted: Box<str>,
}

/// A connector's texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConnectorTexts {
    /// Its documentation.
    pub doc: Option<Box<str>>,
    /// By limit: documentation and noun.
    pub limits: Vec<LimitTexts>,
    /// By tool.
    pub tools: Vec<ToolTexts>,
}

/// A limit's texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitTexts {
    /// Its documentation.
    pub doc: Option<Box<str>>,
    /// What one value of it is called.
    pub noun: Option<Box<str>>,
}

/// A tool's texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolTexts {
    /// Its documentation.
    pub doc: Option<Box<str>>,
    /// By argument.
    pub arguments: Vec<Option<Box<str>>>,
}

/// What an agent or overlay says of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prose {
    /// `describe`.
    pub describe: Option<Box<str>>,
    /// `welcome`.
    pub welcome: Option<Box<str>>,
}

/// What the deployment says about the surface.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// In bytes of compact JSON.
    pub budget: Option<u64>,
    /// Shown first, in this order.
    pub resident: Vec<ToolId>,
    /// Shown last, by name only.
    pub deferred: Vec<ToolId>,
}

impl Texts {
    /// The origin `id`.
    pub fn origin(&self, id: OriginId) -> Option<&Origin> {
        self.origins.get(usize::try_from(id.0).ok()?)
    }

    /// The name of the file of `origin`.
    pub fn file(&self, origin: &Origin) -> &str {
        usize::try_from(origin.file).ok().and_then(|i| self.files.get(i)).map_or("", |name| name)
    }
}
