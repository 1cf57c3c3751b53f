//! Policy text → checked policy.

use bailiwick::check::check;
use bailiwick::diag::{Severity, Sink};
use bailiwick::overlay::{OnWiden, Options, Verified, verify};
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
    let errors: Vec<String> =
        errors.map(|d| format!("{}: {} at {:?}", d.code.id(), d.message, d.location(&sources))).collect();
    match policy {
        Some(policy) if errors.is_empty() => Ok((policy, sources)),
        Some(_) | None => Err(errors),
    }
}

/// The verified policy of one text: overlays that widen are cut until they do not.
pub fn verified(text: &str) -> Result<(Verified, Sources), Vec<String>> {
    let (policy, sources) = policy(&[text.to_owned()])?;
    let mut sink = Sink::default();
    let options = Options { on_widen: OnWiden::Clamp };
    let verified = verify(policy, &options, &mut sink).verified;
    verified.map(|v| (v, sources)).ok_or_else(|| vec!["not proved".to_owned()])
}
