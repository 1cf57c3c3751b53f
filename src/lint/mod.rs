//! A policy that is read, and what its own tests exercise → what a reviewer would say of it. One rule per file; each says in
//! its first lines what it finds, with an example, and its page is docs/errors/. Knows no tables: coverage comes in as data.

mod claims;
mod confusable;
mod consent;
mod describe;
mod effects;
mod exercise;
mod granted;
mod irreversible;
mod levels;
mod plain_http;
mod public_suffix;
mod resource;
mod silence;
mod unused;
mod written;

pub use levels::{LevelError, Levels, LintLevel};
pub use silence::judge;

use crate::diag::Sink;
use crate::overlay::Effective;
use crate::policy::{AgentId, Policy};
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast;

/// What the rules look at.
pub struct Subject<'a> {
    /// The texts.
    pub sources: &'a Sources,
    /// Their trees.
    pub files: &'a [ast::File],
    /// How many of the texts, from the first, are those that were given; the others were imported.
    pub given: usize,
    /// The policy.
    pub policy: &'a Policy,
    /// What no test of the policy's own exercises; `None`: not known.
    pub coverage: Option<Coverage>,
    /// Whether all that was written is in the policy.
    pub extent: Extent,
}

/// Whether all that was written is in the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// Something with an error was left out, but nothing that cuts agents beside those left out with it.
    Part,
    /// Something that may cut any agent was left out: nothing can be said of what agents may do.
    Open,
}

/// Rows and limits that no test exercises.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// The rows.
    pub rows: Vec<Unexercised>,
    /// The limits.
    pub limits: Vec<Unexercised>,
}

/// A row or limit that no test exercises.
#[derive(Clone, Debug)]
pub struct Unexercised {
    /// `agent bill_payer: allow bank.send_money`.
    pub what: String,
    /// Where it is written.
    pub span: Span,
}

impl Subject<'_> {
    /// Whether the file was given rather than imported.
    fn is_given(&self, file: FileId) -> bool {
        (file.0 as usize) < self.given
    }

    /// What each agent that stands in a given file may do.
    fn agents(&self) -> Vec<(AgentId, Effective<'_>)> {
        let all = self.policy.agents.iter().enumerate();
        let given = all.filter(|(_, agent)| self.is_given(agent.span.file));
        given.map(|(at, _)| (AgentId(at), Effective::of_agent(self.policy, AgentId(at)))).collect()
    }
}

/// Runs every rule. What is found in texts that were imported rather than given is left out.
pub fn lint(subject: &Subject<'_>) -> Sink {
    let mut found = Sink::default();
    confusable::find(subject, &mut found);
    plain_http::find(subject, &mut found);
    public_suffix::find(subject, &mut found);
    effects::find(subject, &mut found);
    describe::find(subject, &mut found);
    match subject.extent {
        Extent::Whole => {
            unused::find(subject, &mut found);
            exercise::find(subject, &mut found);
            of_agents(subject, &mut found);
        }
        Extent::Part => of_agents(subject, &mut found),
        Extent::Open => {}
    }
    found.retain(|d| subject.is_given(d.primary.span.file));
    found
}

/// The rules on what agents may do.
fn of_agents(subject: &Subject<'_>, found: &mut Sink) {
    let agents = subject.agents();
    for (id, effective) in &agents {
        resource::find(subject, *id, effective, found);
        irreversible::find(subject, *id, effective, found);
    }
    consent::find(subject, &agents, found);
    claims::find(subject, &agents, found);
}
