//! Files → who declares what. Duplicates are reported; the first of a name stands.

use super::spell;
use crate::diag::{Code, Diagnostic, Sink};
use crate::policy::{AgentId, LimitRef, OverlayId, ToolRef, VocabularyId};
use crate::source::Span;
use crate::syntax::ast;
use std::collections::{BTreeMap, BTreeSet};

/// Declarations of one kind by name.
pub type Declared<'a, T> = BTreeMap<&'a str, &'a T>;

/// All declarations of a run. Ids are places in the order of names.
#[derive(Default)]
pub struct Names<'a> {
    pub vocabularies: Vec<&'a ast::Vocabulary>,
    pub agents: Vec<&'a ast::Agent>,
    pub overlays: Vec<&'a ast::Overlay>,
    pub boundaries: Vec<&'a ast::Boundary>,
    pub lets: Declared<'a, ast::Let>,
    pub skills: Declared<'a, ast::Skill>,
    pub deployment: Option<&'a ast::Deployment>,
    pub tests: Vec<&'a ast::Test>,
    tools: Vec<BTreeMap<&'a str, usize>>,
    limits: Vec<BTreeMap<&'a str, usize>>,
    broken: BTreeSet<&'a str>,
    anything_broken: bool,
}

impl<'a> Names<'a> {
    /// Every declaration of `files`.
    pub fn collect(files: &'a [ast::File], sink: &mut Sink) -> Names<'a> {
        let mut names = Names::default();
        let mut vocabularies = Declared::new();
        let (mut agents, mut overlays, mut boundaries) = (Declared::new(), Declared::new(), Declared::new());
        let mut first = Firsts::default();
        for item in files.iter().flat_map(|file| &file.items) {
            match item {
                ast::Item::Vocabulary(it) => first.insert(&mut vocabularies, "vocabulary", &it.name, it, sink),
                ast::Item::Agent(it) => first.insert(&mut agents, "agent", &it.name, it, sink),
                ast::Item::Overlay(it) => first.insert(&mut overlays, "overlay", &it.name, it, sink),
                ast::Item::Boundary(it) => first.insert(&mut boundaries, "boundary", &it.name, it, sink),
                ast::Item::Let(it) => first.insert(&mut names.lets, "let", &it.name, it, sink),
                ast::Item::Skill(it) => first.insert(&mut names.skills, "skill", &it.name, it, sink),
                ast::Item::Deployment(it) => names.deployment(it, sink),
                ast::Item::Test(it) => names.tests.push(it),
            }
        }
        names.vocabularies = vocabularies.into_values().collect();
        names.agents = agents.into_values().collect();
        names.overlays = overlays.into_values().collect();
        names.boundaries = boundaries.into_values().collect();
        names.tools = names.vocabularies.iter().map(|v| index(v.tools.iter().map(|t| &t.name))).collect();
        names.limits = names.vocabularies.iter().map(|v| index(v.limits.iter().map(|l| &l.name))).collect();
        for broken in files.iter().flat_map(|file| &file.broken) {
            match &broken.name {
                Some(name) => drop(names.broken.insert(name)),
                None => names.anything_broken = true,
            }
        }
        names
    }

    fn deployment(&mut self, deployment: &'a ast::Deployment, sink: &mut Sink) {
        match self.deployment {
            None => self.deployment = Some(deployment),
            Some(first) => sink.push(
                Diagnostic::new(
                    Code::SECOND_DEPLOYMENT,
                    deployment.name.span,
                    format!("`{}` is a second deployment", deployment.name.text),
                )
                .also(first.name.span, "the first is here")
                .note("a compiled set has at most one deployment"),
            ),
        }
    }

    /// Whether nobody can tell that `name` is unknown: something that may declare it could not be read.
    pub fn excused(&self, name: &str) -> bool {
        self.anything_broken || self.broken.contains(name)
    }

    /// The connector called `name`.
    pub fn vocabulary(&self, name: &ast::Name, sink: &mut Sink) -> Option<VocabularyId> {
        if let Some(id) = self.vocabulary_named(&name.text) {
            return Some(id);
        }
        if !self.excused(&name.text) {
            let all: Vec<&str> = self.vocabularies.iter().map(|v| v.name.text.as_str()).collect();
            sink.push(spell::unknown(
                Code::UNKNOWN_CONNECTOR,
                name,
                format!("no connector is called `{}`", name.text),
                &all,
            ));
        }
        None
    }

    /// The connector called `name`, silently.
    pub fn vocabulary_named(&self, name: &str) -> Option<VocabularyId> {
        self.vocabularies.binary_search_by(|v| v.name.text.as_str().cmp(name)).ok().map(VocabularyId)
    }

    /// The tool `name` of a connector.
    pub fn tool(&self, vocabulary: VocabularyId, name: &ast::Name, sink: &mut Sink) -> Option<ToolRef> {
        match self.tools[vocabulary.0].get(name.text.as_str()) {
            Some(tool) => Some(ToolRef { vocabulary, tool: *tool }),
            None => {
                let connector = &self.vocabularies[vocabulary.0].name.text;
                let all: Vec<&str> = self.tools[vocabulary.0].keys().copied().collect();
                let message = format!("connector `{connector}` has no tool `{}`", name.text);
                sink.push(spell::unknown(Code::UNKNOWN_TOOL, name, message, &all));
                None
            }
        }
    }

    /// `connector.tool`.
    pub fn qualified_tool(&self, name: &ast::Dotted, sink: &mut Sink) -> Option<ToolRef> {
        let [connector, tool] = name.parts.as_slice() else {
            sink.push(Diagnostic::new(
                Code::UNKNOWN_TOOL,
                name.span,
                format!("`{}` names no tool: write `connector.tool`", spell::dotted(&name.parts)),
            ));
            return None;
        };
        let vocabulary = self.vocabulary(connector, sink)?;
        self.tool(vocabulary, tool, sink)
    }

    /// The limit `name` of a connector.
    pub fn limit(&self, vocabulary: VocabularyId, name: &ast::Name, sink: &mut Sink) -> Option<LimitRef> {
        let found = self.limits[vocabulary.0].get(name.text.as_str());
        if found.is_none() {
            let connector = &self.vocabularies[vocabulary.0].name.text;
            let all: Vec<&str> = self.limits[vocabulary.0].keys().copied().collect();
            let message = format!("connector `{connector}` has no limit `{}`", name.text);
            sink.push(spell::unknown(Code::UNKNOWN_LIMIT, name, message, &all));
        }
        found.map(|limit| LimitRef { vocabulary, limit: *limit })
    }

    /// `limit` of the connector `home`, or `connector.limit`.
    pub fn limit_in_reach(&self, home: Option<VocabularyId>, name: &ast::Dotted, sink: &mut Sink) -> Option<LimitRef> {
        match (name.parts.as_slice(), home) {
            ([limit], Some(home)) => self.limit(home, limit, sink),
            ([connector, limit], _) => {
                let vocabulary = self.vocabulary(connector, sink)?;
                self.limit(vocabulary, limit, sink)
            }
            _ => {
                let message = format!("`{}` names no limit: write `connector.limit`", spell::dotted(&name.parts));
                sink.push(Diagnostic::new(Code::UNKNOWN_LIMIT, name.span, message));
                None
            }
        }
    }

    /// The agent called `name`.
    pub fn agent(&self, name: &ast::Name, sink: &mut Sink) -> Option<AgentId> {
        self.other_agent(name, "", sink)
    }

    /// The agent called `name`; `own`, whose parent it is, is not suggested.
    pub fn other_agent(&self, name: &ast::Name, own: &str, sink: &mut Sink) -> Option<AgentId> {
        let found = self.agent_named(&name.text);
        if found.is_none() && !self.excused(&name.text) {
            let all: Vec<&str> = self.agents.iter().map(|a| a.name.text.as_str()).filter(|it| *it != own).collect();
            let message = format!("no agent is called `{}`", name.text);
            sink.push(spell::unknown(Code::UNKNOWN_DECLARATION, name, message, &all));
        }
        found
    }

    /// The overlay called `name`, silently.
    pub fn overlay_named(&self, name: &str) -> Option<OverlayId> {
        self.overlays.binary_search_by(|o| o.name.text.as_str().cmp(name)).ok().map(OverlayId)
    }

    /// The agent called `name`, silently.
    pub fn agent_named(&self, name: &str) -> Option<AgentId> {
        self.agents.binary_search_by(|a| a.name.text.as_str().cmp(name)).ok().map(AgentId)
    }

    /// The overlay called `name`.
    pub fn overlay(&self, name: &ast::Name, sink: &mut Sink) -> Option<OverlayId> {
        let found = self.overlay_named(&name.text);
        if found.is_none() && !self.excused(&name.text) {
            let all: Vec<&str> = self.overlays.iter().map(|o| o.name.text.as_str()).collect();
            sink.push(spell::unknown(
                Code::UNKNOWN_DECLARATION,
                name,
                format!("no overlay is called `{}`", name.text),
                &all,
            ));
        }
        found
    }
}

fn index<'a>(names: impl Iterator<Item = &'a ast::Name>) -> BTreeMap<&'a str, usize> {
    let mut map = BTreeMap::new();
    for (at, name) in names.enumerate() {
        map.entry(name.text.as_str()).or_insert(at);
    }
    map
}

/// Where each name was declared first, by kind.
#[derive(Default)]
struct Firsts<'a> {
    spans: BTreeMap<(&'static str, &'a str), (&'static str, Span)>,
}

impl<'a> Firsts<'a> {
    fn insert<T>(
        &mut self,
        map: &mut Declared<'a, T>,
        kind: &'static str,
        name: &'a ast::Name,
        item: &'a T,
        sink: &mut Sink,
    ) {
        // An overlay is on an agent or on an overlay, so these two share their names.
        let space = if kind == "overlay" { "agent" } else { kind };
        match self.spans.get(&(space, name.text.as_str())) {
            Some((other, span)) => sink.push(twice(kind, name, other, *span)),
            None => {
                self.spans.insert((space, &name.text), (kind, name.span));
                map.insert(&name.text, item);
            }
        }
    }
}

fn twice(kind: &str, name: &ast::Name, other: &str, first: Span) -> Diagnostic {
    let message = if kind == other {
        format!("there is a second {kind} called `{}`", name.text)
    } else {
        format!("an {other} is already called `{}`: agents and overlays share their names", name.text)
    };
    Diagnostic::new(Code::DUPLICATE, name.span, message).also(first, "the first is here")
}

/// Reports each name that stands a second time and gives the places of the others.
pub fn distinct<'a>(kind: &str, names: impl Iterator<Item = &'a ast::Name>, sink: &mut Sink) -> Vec<usize> {
    distinct_as(Code::DUPLICATE, kind, names, sink)
}

/// As [`distinct`], under a code of its own.
pub fn distinct_as<'a>(code: Code, kind: &str, names: impl Iterator<Item = &'a ast::Name>, sink: &mut Sink) -> Vec<usize> {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    let mut kept = Vec::new();
    for (at, name) in names.enumerate() {
        if let Some(span) = first.get(name.text.as_str()) {
            let message = format!("{kind} `{}` stands here a second time", name.text);
            sink.push(Diagnostic::new(code, name.span, message).also(*span, "the first is here"));
        } else {
            first.insert(&name.text, name.span);
            kept.push(at);
        }
    }
    kept
}
