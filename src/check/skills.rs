//! Skills, and whether the agents that have them hold what they need.

use super::{Known, names};
use crate::diag::{Code, Diagnostic, Sink};
use crate::policy::{self, LimitRef, ToolRef};
use crate::source::Span;
use crate::syntax::ast::{self, Statement};

/// All skills, in the order of names; an agent that lacks what a skill of it needs is reported.
pub fn lower(known: &Known, agents: &[policy::Agent], sink: &mut Sink) -> Vec<policy::Skill> {
    let skills: Vec<policy::Skill> = known.names.skills.values().map(|skill| one(known, skill, sink)).collect();
    for (agent, written) in agents.iter().zip(&known.names.agents) {
        for name in &written.skills {
            if let Some(skill) = skills.iter().find(|skill| *skill.name == *name.text) {
                held(known, agent, skill, name, sink);
            }
        }
    }
    skills
}

fn one(known: &Known, skill: &ast::Skill, sink: &mut Sink) -> policy::Skill {
    let mut lowered = policy::Skill {
        name: skill.name.text.as_str().into(),
        version: skill.version.as_ref().map(|text| text.value.as_str().into()),
        instructions: joined(&skill.instructions),
        tools: Vec::new(),
        requires: Vec::new(),
        resources: skill.resources.iter().map(|text| text.value.as_str().into()).collect(),
        span: skill.name.span,
    };
    for at in names::distinct("connector", skill.uses.iter().map(|it| &it.connector), sink) {
        needs(known, &skill.uses[at], &mut lowered, sink);
    }
    lowered.requires.extend(skill.requires.iter().filter_map(|name| known.names.limit_in_reach(None, name, sink)));
    lowered.tools.sort();
    lowered.tools.dedup();
    lowered.requires.sort();
    lowered.requires.dedup();
    lowered.resources.sort();
    lowered
}

fn joined(texts: &[ast::Text]) -> Option<Box<str>> {
    let texts: Vec<&str> = texts.iter().map(|text| text.value.as_str()).collect();
    (!texts.is_empty()).then(|| texts.join("").into())
}

/// The tools of a `use`, and the limits that it binds: the agent must set those itself.
fn needs(known: &Known, it: &ast::Use, lowered: &mut policy::Skill, sink: &mut Sink) {
    let Some(vocabulary) = known.names.vocabulary(&it.connector, sink) else { return };
    for statement in &it.statements {
        match statement {
            Statement::Tools { tools, .. } => {
                lowered.tools.extend(tools.iter().filter_map(|name| known.names.tool(vocabulary, name, sink)));
            }
            Statement::Limit(setting) => lowered.requires.extend(known.names.limit(vocabulary, &setting.limit, sink)),
            Statement::Without { span, .. } => sink.push(not_in_a_skill("without", *span)),
            Statement::Allow(row) => sink.push(not_in_a_skill("allow", row.span)),
        }
    }
}

fn not_in_a_skill(word: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::NOT_HERE, span, format!("`{word}` has no place in a skill: it grants nothing"))
        .help("name the tools that it needs with `tools`, and the limits with `requires`")
}

fn held(known: &Known, agent: &policy::Agent, skill: &policy::Skill, name: &ast::Name, sink: &mut Sink) {
    let has_row = |tool: &ToolRef| {
        agent.layer.uses.iter().any(|it| it.vocabulary == tool.vocabulary && it.rows.iter().any(|row| row.tool == tool.tool))
    };
    let sets = |limit: &LimitRef| agent.layer.uses.iter().flat_map(|it| &it.limits).any(|setting| setting.limit == *limit);
    let connector = |at: policy::VocabularyId| known.vocabularies[at.0].name.to_string();
    let tools = skill.tools.iter().filter(|tool| !has_row(tool)).map(|tool| {
        format!("tool {}.{}", connector(tool.vocabulary), known.vocabularies[tool.vocabulary.0].tools[tool.tool].name)
    });
    let limits = skill.requires.iter().filter(|limit| !sets(limit)).map(|limit| {
        format!("limit {}.{}", connector(limit.vocabulary), known.limits[limit.vocabulary.0][limit.limit].name)
    });
    let missing: Vec<String> = tools.chain(limits).collect();
    if !missing.is_empty() {
        let message = format!("`{}` does not hold what skill `{}` needs: {}", agent.name, skill.name, missing.join(", "));
        sink.push(
            Diagnostic::new(Code::SKILL_NOT_HELD, name.span, message)
                .also(skill.span, "the skill")
                .help("a skill grants nothing: give the agent rows and limits of its own"),
        );
    }
}
