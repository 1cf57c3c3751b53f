//! What one declaration says about its connectors → a layer.

use super::{Known, limits, names, rows, spell};
use crate::diag::{Code, Diagnostic, Sink};
use crate::policy::{self, Layer, ListedTool, VocabularyId};
use crate::source::Span;
use crate::syntax::ast::{self, Statement};
use std::collections::BTreeMap;

/// Whose words these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// A ceiling: what it does not mention is refused.
    Agent,
    /// A narrowing: what it does not mention is allowed.
    Overlay,
    /// A cap: what it does not mention is allowed.
    Boundary,
}

/// All that a declaration says about connectors.
pub fn lower(known: &Known, uses: &[ast::Use], speaker: Speaker, sink: &mut Sink) -> Layer {
    let kept = names::distinct("connector", uses.iter().map(|it| &it.connector), sink);
    let mut lowered: Vec<policy::Use> = kept
        .into_iter()
        .filter_map(|at| {
            let vocabulary = known.names.vocabulary(&uses[at].connector, sink)?;
            Some(one(known, vocabulary, &uses[at], speaker, sink))
        })
        .collect();
    lowered.sort_by_key(|it| it.vocabulary);
    Layer { uses: lowered, without_providers: Vec::new() }
}

/// `without provider p`; a provider must be declared where there is a deployment.
pub fn without_providers(known: &Known, providers: &[ast::Name], sink: &mut Sink) -> Vec<(Box<str>, Span)> {
    let kept = names::distinct("provider", providers.iter(), sink);
    if let Some(all) = &known.names.providers {
        for name in providers.iter().filter(|name| !all.contains(&name.text.as_str())) {
            sink.push(spell::unknown(Code::UNKNOWN_PROVIDER, name, format!("no provider is called `{}`", name.text), all));
        }
    }
    let mut lowered: Vec<(Box<str>, Span)> =
        kept.into_iter().map(|at| (providers[at].text.as_str().into(), providers[at].span)).collect();
    lowered.sort();
    lowered
}

fn one(known: &Known, vocabulary: VocabularyId, written: &ast::Use, speaker: Speaker, sink: &mut Sink) -> policy::Use {
    let mut lowered = policy::Use {
        vocabulary,
        tools: None,
        without: Vec::new(),
        rows: Vec::new(),
        limits: Vec::new(),
        idle_limits: Vec::new(),
        span: written.connector.span,
    };
    for statement in &written.statements {
        match statement {
            Statement::Tools { tools, .. } => {
                let listed = listed(known, vocabulary, tools, sink);
                lowered.tools.get_or_insert_default().extend(listed);
            }
            Statement::Without { tools, span } => {
                if speaker == Speaker::Agent {
                    sink.push(without_in_agent(*span));
                }
                lowered.without.extend(listed(known, vocabulary, tools, sink));
            }
            Statement::Allow(row) => lowered.rows.extend(rows::lower(known, vocabulary, row, sink)),
            Statement::Limit(setting) => limits::lower(known, vocabulary, setting, &mut lowered, sink),
        }
    }
    contradictions(known, &mut lowered, speaker, sink);
    if speaker == Speaker::Overlay {
        covering_rows(known, &lowered, sink);
    }
    complete(&mut lowered, written, speaker);
    lowered
}

fn listed(known: &Known, vocabulary: VocabularyId, tools: &[ast::Name], sink: &mut Sink) -> Vec<ListedTool> {
    let lower = |name: &ast::Name| {
        known.names.tool(vocabulary, name, sink).map(|tool| ListedTool { tool: tool.tool, span: name.span })
    };
    tools.iter().filter_map(lower).collect()
}

fn without_in_agent(span: Span) -> Diagnostic {
    Diagnostic::new(Code::NOT_HERE, span, "`without` has no place in an agent: it has only the tools that it names")
        .help("leave the tool out of `tools` and `allow`")
}

/// One tool in two of `tools`, `without` and `allow`, or twice in one of the first two.
fn contradictions(known: &Known, lowered: &mut policy::Use, speaker: Speaker, sink: &mut Sink) {
    let mut said: BTreeMap<usize, (&str, Span)> = BTreeMap::new();
    let tools = lowered.tools.iter().flatten().map(|tool| ("tools", tool));
    let without = lowered.without.iter().filter(|_| speaker != Speaker::Agent).map(|tool| ("without", tool));
    for (word, tool) in tools.chain(without) {
        if let Some((before, span)) = said.get(&tool.tool) {
            sink.push(said_twice(known, lowered.vocabulary, tool.tool, (word, tool.span), (before, *span)));
        } else {
            said.insert(tool.tool, (word, tool.span));
        }
    }
    let mut told = std::collections::BTreeSet::new();
    for row in &lowered.rows {
        if let Some((before, span)) = said.get(&row.tool)
            && told.insert(row.tool)
        {
            sink.push(said_twice(known, lowered.vocabulary, row.tool, ("allow", row.span), (before, *span)));
        }
    }
    if let Some(tools) = &mut lowered.tools {
        tools.sort_by_key(|tool| tool.tool);
        tools.dedup_by_key(|tool| tool.tool);
    }
    lowered.without.sort_by_key(|tool| tool.tool);
    lowered.without.dedup_by_key(|tool| tool.tool);
}

fn said_twice(known: &Known, vocabulary: VocabularyId, tool: usize, here: (&str, Span), before: (&str, Span)) -> Diagnostic {
    let name = &known.vocabularies[vocabulary.0].tools[tool].name;
    let message = if here.0 == before.0 {
        format!("`{name}` stands in `{}` a second time", here.0)
    } else {
        format!("`{name}` stands in `{}` and in `{}`", before.0, here.0)
    };
    let found = Diagnostic::new(Code::TOOL_TWICE, here.1, message).also(before.1, "it stands here already");
    match (before.0, here.0) {
        ("tools", "allow") => {
            found.help("`tools` permits every call, so the row would change nothing: keep the one that is meant")
        }
        _ => found,
    }
}

/// In an overlay, a row without clauses and approval makes the tool's other rows void.
fn covering_rows(known: &Known, lowered: &policy::Use, sink: &mut Sink) {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for row in &lowered.rows {
        *counts.entry(row.tool).or_default() += 1;
    }
    for row in &lowered.rows {
        if row.clauses.is_empty()
            && !row.approval
            && counts.get(&row.tool).is_some_and(|count| *count > 1)
            && blank(known, row)
        {
            let name = &known.vocabularies[lowered.vocabulary.0].tools[row.tool].name;
            let message = format!("this row permits every call to `{name}`, so its other rows here say nothing");
            sink.push(
                Diagnostic::new(Code::COVERS_SIBLINGS, row.span, message).help("drop it, or add clauses or `with approval`"),
            );
        }
    }
}

/// Whether the row was written without clauses (and did not lose them to an error).
fn blank(known: &Known, row: &policy::Row) -> bool {
    let text = known.sources.text(row.whole);
    text.find('{').is_none_or(|at| text[at + 1..].trim_start().starts_with('}'))
}

/// Agents' listed tools become rows; elsewhere tools with rows join the list. Then everything in order.
fn complete(lowered: &mut policy::Use, written: &ast::Use, speaker: Speaker) {
    let mut statements: BTreeMap<Span, Span> = BTreeMap::new();
    for statement in &written.statements {
        if let Statement::Tools { tools, span: all } = statement {
            statements.extend(tools.iter().map(|tool| (tool.span, *all)));
        }
    }
    if let Some(tools) = &mut lowered.tools {
        match speaker {
            Speaker::Agent => lowered.rows.extend(tools.iter().map(|tool| policy::Row {
                tool: tool.tool,
                clauses: Vec::new(),
                approval: false,
                accepting_opaque: false,
                sizes_admitting_zero: Vec::new(),
                span: tool.span,
                whole: statements.get(&tool.span).copied().unwrap_or(tool.span),
            })),
            Speaker::Overlay | Speaker::Boundary => {
                tools.extend(lowered.rows.iter().map(|row| ListedTool { tool: row.tool, span: row.span }));
                tools.sort_by_key(|tool| tool.tool);
                tools.dedup_by_key(|tool| tool.tool);
            }
        }
    }
    lowered.rows.sort_by_key(|row| row.tool);
    lowered.limits.sort_by_key(|setting| setting.limit);
    lowered.idle_limits.sort_by_key(|setting| setting.limit);
}
