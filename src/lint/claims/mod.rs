//! What `describe` and `welcome` claim, held against what the policy permits: "drives iTerm2" must be permitted, "cannot see kitty"
//! excluded, "asks you before it sends" kept by `with approval`. Every sentence is read with care, and what is not surely a claim on
//! the whole of a thing is passed over: better silent than crying wolf.

mod clause;
mod english;
mod gate;
mod judge;
mod lexicon;
mod phrase;
mod reading;
mod sentence;

use super::Subject;
use crate::diag::{Code, Diagnostic, Sink};
use crate::overlay::Effective;
use crate::policy::{AgentId, OverlayId, Prose};
use crate::source::Span;
use judge::Court;
use lexicon::Lexicon;
use std::ops::Range;

/// Whose words are read.
struct Speaker<'a> {
    /// The agent's or overlay's name.
    name: &'a str,
    /// Where that stands.
    span: Span,
    /// Whether it repeats words that are the agent's: then only promises can break.
    inherits: bool,
}

pub(super) fn find(subject: &Subject<'_>, agents: &[(AgentId, Effective<'_>)], found: &mut Sink) {
    let policy = subject.policy;
    let lexicon = Lexicon::new(policy);
    for (id, effective) in agents {
        let agent = &policy.agents[id.0];
        let court = Court { policy, lexicon: &lexicon, agent: *id, effective };
        let speaker = Speaker { name: &agent.name, span: agent.span, inherits: false };
        for prose in [&agent.describe, &agent.welcome].into_iter().flatten() {
            of_prose(subject, &court, prose, &speaker, found);
        }
    }
    for (index, overlay) in policy.overlays.iter().enumerate().filter(|(_, o)| subject.is_given(o.span.file)) {
        let agent = &policy.agents[overlay.agent.0];
        let texts = [(&overlay.describe, &agent.describe), (&overlay.welcome, &agent.welcome)];
        if texts.iter().all(|(own, base)| own.is_none() && base.is_none()) {
            continue;
        }
        let Some(effective) = Effective::of_overlay(policy, OverlayId(index)) else { continue };
        let court = Court { policy, lexicon: &lexicon, agent: overlay.agent, effective: &effective };
        for (own, base) in texts {
            let speaker = Speaker { name: &overlay.name, span: overlay.span, inherits: own.is_none() };
            if let Some(prose) = own.as_ref().or(base.as_ref()) {
                of_prose(subject, &court, prose, &speaker, found);
            }
        }
    }
}

fn of_prose(subject: &Subject<'_>, court: &Court<'_>, prose: &Prose, speaker: &Speaker<'_>, found: &mut Sink) {
    let place = |at: &Range<usize>| place(subject, prose, at);
    for words in sentence::sentences(&prose.text) {
        for claim in reading::claims(&words, &court.lexicon.phrases) {
            let said = prose.text.get(claim.at.clone()).unwrap_or("");
            if claim.denied && !speaker.inherits {
                if let Some(evidence) = court.against_denial(&claim) {
                    let message = format!("`{}` denies `{said}`, and its policy permits it", speaker.name);
                    found.push(with_evidence(
                        Diagnostic::new(Code::CLAIM_NOT_EXCLUDED, place(&claim.at), message),
                        court,
                        &evidence,
                    ));
                }
                continue;
            }
            let single =
                court.lexicon.phrases.iter().any(|p| p.is_single() && p.is_verbal() && claim.targets.contains(&p.target));
            if !claim.denied && court.against_promise(&claim, single) {
                found.push(broken(speaker, said, place(&claim.at)));
            }
        }
        if let Some(gate) = gate::gate(&words).filter(|_| !speaker.inherits)
            && let Some(evidence) = court.against_gate(&gate)
        {
            let message = format!("`{}` promises to ask, and its policy lets something irreversible pass", speaker.name);
            let found_here = Diagnostic::new(Code::CLAIM_NOT_GATED, place(&gate.at), message);
            found.push(
                with_evidence(found_here, court, &evidence).help("add `with approval` to the row, or change the sentence"),
            );
        }
    }
}

fn broken(speaker: &Speaker<'_>, said: &str, at: Span) -> Diagnostic {
    if speaker.inherits {
        let message = format!("overlay `{}` takes away what its agent's words promise: `{said}`", speaker.name);
        let found = Diagnostic::new(Code::CLAIM_NOT_PERMITTED, speaker.span, message).also(at, "the promise");
        return found.help("give the overlay a `describe` of its own");
    }
    let message = format!("`{}` promises `{said}`, and its policy withholds it", speaker.name);
    Diagnostic::new(Code::CLAIM_NOT_PERMITTED, at, message).help("permit it, or change the sentence")
}

fn with_evidence(found: Diagnostic, court: &Court<'_>, evidence: &judge::Evidence) -> Diagnostic {
    let tool = court.policy.tool(evidence.tool);
    found.also(evidence.span, format!("`{}` may do it", tool.name)).help("narrow the policy, or change the sentence")
}

/// Where the words stand in the source; all of the strings where escapes or joints hide them.
fn place(subject: &Subject<'_>, prose: &Prose, at: &Range<usize>) -> Span {
    let Some(said) = prose.text.get(at.clone()).filter(|said| !said.is_empty()) else { return prose.span };
    let before = prose.text.get(..at.start).map_or(0, |before| before.matches(said).count());
    let source = subject.sources.text(prose.span);
    match source.match_indices(said).nth(before) {
        Some((offset, _)) => {
            let start = prose.span.start as usize + offset;
            Span::new(prose.span.file, start, start + said.len())
        }
        None => prose.span,
    }
}
