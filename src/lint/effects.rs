//! A tool that does not say what it does: neither `reads` nor `mutates`. It counts as one that mutates, which is right when it
//! is meant and confusing when it was forgotten. `reads when op in { get }` says it: other values mutate.

use super::Subject;
use crate::diag::{Code, Diagnostic, Sink};
use crate::policy::{Effect, Tool};

pub(super) fn find(subject: &Subject<'_>, found: &mut Sink) {
    for vocabulary in subject.policy.vocabularies.iter().filter(|v| subject.is_given(v.span.file)) {
        for tool in vocabulary.tools.iter().filter(|tool| is_silent(tool)) {
            let message =
                format!("`{}` does not say whether it reads or mutates, and counts as one that mutates", tool.name);
            let found_here = Diagnostic::new(Code::UNDECLARED_EFFECTS, tool.span, message);
            found.push(found_here.help("add `reads` or `mutates` (and `irreversible`, `reaches_outside` where they hold)"));
        }
    }
}

/// A tool that dispatches has the effects of the tools inside.
fn is_silent(tool: &Tool) -> bool {
    tool.dispatch.is_none() && tool.effects.iter().all(|rule| rule.effect == Effect::ReachesOutside)
}
