//! Files → who declares what. Duplicates are reported; the first of a name stands.

use super::spell;
use crate::diag::{Code, Diagnostic, Sink};
use crate::policy::{AgentId, LimitRef, OverlayId, Policy, ToolRef, VocabularyId};
use crate::source::Span;
use crate::syntax::ast;
use std::collections::{BTreeMap, BTreeSet};

/// Declarations of one kind by name.
pub type Declared<'a, T> = BTreeMap<&'a str, &'a T>;

/// All declarations of a run. Ids are places in the order of names.
#[derive(Default)]
pub struct Names<'a> {
    /// The connectors that can be named.
    pub connectors: Vec<&'a str>,
    /// The agents that can be named.
    pub agent_names: Vec<&'a str>,
    /// The overlays that can be named.
    pub overlay_names: Vec<&'a str>,
    /// The providers that can be named; `None`: there is no deployment.
    pub providers: Option<Vec<&'a str>>,
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
        names.connectors = vocabularies.keys().copied().collect();
        names.agent_names = agents.keys().copied().collect();
        names.overlay_names = overlays.keys().copied().collect();
        names.providers =
            names.deployment.map(|it| it.providers.iter().map(|provider| provider.name.text.as_str()).collect());
        names.vocabularies = vocabularies.into_values().collect();
        names.agents = agents.into_values().collect();
        names.overlays = overlays.into_values().collect();
        names.boundaries = boundaries.into_values().collect();
        names.tools = names.vocabularies.iter().map(|v| index(v.tools.iter().map(|t| t.name.text.as_str()))).collect();
        names.limits = names.vocabularies.iter().map(|v| index(v.limits.iter().map(|l| l.name.text.as_str()))).collect();
        names.note_broken(files.iter().flat_map(|file| &file.broken));
        names
    }

    /// The overlays and `let`s of one file that comes later than `policy`, whose names it may use.
    pub fn beside(policy: &'a Policy, file: &'a ast::File, sink: &mut Sink) -> Names<'a> {
        let mut names = Names::default();
        let mut first = Firsts::of(policy);
        let mut overlays = Declared::new();
        for item in &file.items {
            match item {
                ast::Item::Overlay(it) => first.insert(&mut overlays, "overlay", &it.name, it, sink),
                ast::Item::Let(it) => first.insert(&mut names.lets, "let", &it.name, it, sink),
                // What else may not stand there has been reported.
                ast::Item::Vocabulary(_)
                | ast::Item::Agent(_)
                | ast::Item::Boundary(_)
                | ast::Item::Skill(_)
                | ast::Item::Deployment(_)
                | ast::Item::Test(_) => {}
            }
        }
        names.overlays = overlays.into_values().collect();
        names.connectors = policy.vocabularies.iter().map(|it| &*it.name).collect();
        names.agent_names = policy.agents.iter().map(|it| &*it.name).collect();
        names.overlay_names = policy.overlays.iter().map(|it| &*it.name).collect();
        let deployment = policy.deployment.as_ref();
        names.providers = deployment.map(|it| it.providers.iter().map(|provider| &*provider.name).collect());
        names.tools = policy.vocabularies.iter().map(|v| index(v.tools.iter().map(|t| &*t.name))).collect();
        names.limits = policy.vocabularies.iter().map(|v| index(v.limits.iter().map(|l| &*l.name))).collect();
        names.note_broken(file.broken.iter());
        names
    }

    fn note_broken(&mut self, all: impl Iterator<Item = &'a ast::Broken>) {
        for broken in all {
            match &broken.name {
                Some(name) => drop(self.broken.insert(name)),
                None => self.anything_broken = true,
            }
        }
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
            sink.push(spell::unknown(
                Code::UNKNOWN_CONNECTOR,
                name,
                format!("no connector is called `{}`", name.text),
                &self.connectors,
            ));
        }
        None
    }

    /// The connector called `name`, silently.
    pub fn vocabulary_named(&self, name: &str) -> Option<VocabularyId> {
        self.connectors.binary_search(&name).ok().map(VocabularyId)
    }

    /// The tool `name` of a connector.
    pub fn tool(&self, vocabulary: VocabularyId, name: &ast::Name, sink: &mut Sink) -> Option<ToolRef> {
        match self.tools[vocabulary.0].get(name.text.as_str()) {
            Some(tool) => Some(ToolRef { vocabulary, tool: *tool }),
            None => {
                let connector = self.connectors[vocabulary.0];
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
            let connector = self.connectors[vocabulary.0];
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
            let all: Vec<&str> = self.agent_names.iter().copied().filter(|it| *it != own).collect();
            let message = format!("no agent is called `{}`", name.text);
            sink.push(spell::unknown(Code::UNKNOWN_DECLARATION, name, message, &all));
        }
        found
    }

    /// The overlay called `name`, silently.
    pub fn overlay_named(&self, name: &str) -> Option<OverlayId> {
        self.overlay_names.binary_search(&name).ok().map(OverlayId)
    }

    /// The agent called `name`, silently.
    pub fn agent_named(&self, name: &str) -> Option<AgentId> {
        self.agent_names.binary_search(&name).ok().map(AgentId)
    }

    /// The overlay called `name`.
    pub fn overlay(&self, name: &ast::Name, sink: &mut Sink) -> Option<OverlayId> {
        let found = self.overlay_named(&name.text);
        if found.is_none() && !self.excused(&name.text) {
            sink.push(spell::unknown(
                Code::UNKNOWN_DECLARATION,
                name,
                format!("no overlay is called `{}`", name.text),
                &self.overlay_names,
            ));
        }
        found
    }
}

fn index<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut map = BTreeMap::new();
    for (at, name) in names.enumerate() {
        map.entry(name).or_insert(at);
    }
    map
}

/// Where each name was declared first, by kind.
#[derive(Default)]
struct Firsts<'a> {
    spans: BTreeMap<(&'static str, &'a str), (&'static str, Span)>,
}

impl<'a> Firsts<'a> {
    /// Those of a policy that an overlay or a `let` may not be called.
    fn of(policy: &'a Policy) -> Firsts<'a> {
        let agents = policy.agents.iter().map(|it| (("agent", &*it.name), ("agent", it.span)));
        let overlays = policy.overlays.iter().map(|it| (("agent", &*it.name), ("overlay", it.span)));
        let lets = policy.lets.iter().map(|it| (("let", &*it.name), ("let", it.span)));
        Firsts { spans: agents.chain(overlays).chain(lets).collect() }
    }

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

/// Where what is found of the declaration at `at` goes: nowhere, where it is the second of its name, of which enough was said.
pub fn muted<'s>(kept: &[usize], at: usize, sink: &'s mut Sink, nowhere: &'s mut Sink) -> &'s mut Sink {
    if kept.binary_search(&at).is_ok() { sink } else { nowhere }
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
