//! Policy text → checked policy.

use bailiwick::check::check;
use bailiwick::diag::{Severity, Sink};
use bailiwick::policy::Policy;
use bailiwick::source::Sources;
use bailiwick::syntax::parse;

/// The policy of some texts, or what is wrong with them.
pub fn policy(texts: &[String]) -> Result<(Policy, Sources), Vec<String>> {
    let mut sources = Sources::default();
    let mut sink = Sink::default();
    let ids: Vec<_> = texts.iter().enumerate().map(|(i, t)| sources.add(format!("{i}.bwk"), t.as_str())).collect();
    let files: Vec<_> = ids.into_iter().map(|id| parse(&sources, id, &mut sink)).collect();
    let policy = check(&sources, &files, &mut sink);
    let errors = sink.into_sorted().into_iter().filter(|d| d.severity == Severity::Error);
    let errors: Vec<String> = errors.map(|d| format!("{}: {} at {:?}", d.code.id(), d.message, d.location(&sources))).collect();
    match policy {
        Some(policy) if errors.is_empty() => Ok((policy, sources)),
        Some(_) | None => Err(errors),
    }
}
