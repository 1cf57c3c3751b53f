//! What nobody describes: an agent without `describe`, a tool without `///`. People choose agents, and models tools, by these words.

use super::Subject;
use crate::diag::{Code, Diagnostic, Sink};

pub(super) fn find(subject: &Subject<'_>, found: &mut Sink) {
    for agent in subject.policy.agents.iter().filter(|agent| agent.describe.is_none()) {
        let message = format!("agent `{}` has no description", agent.name);
        found.push(Diagnostic::new(Code::MISSING_DESCRIPTION, agent.span, message).help("add `describe \"…\"`"));
    }
    for vocabulary in subject.policy.vocabularies.iter().filter(|v| subject.is_given(v.span.file)) {
        for tool in vocabulary.tools.iter().filter(|tool| tool.doc.as_ref().is_none_or(|doc| doc.trim().is_empty())) {
            let message = format!("tool `{}` has no description: the model sees its name alone", tool.name);
            let help = "write a `///` line above it: what it does, in the words of those who call it";
            found.push(Diagnostic::new(Code::MISSING_DESCRIPTION, tool.span, message).help(help));
        }
    }
}
