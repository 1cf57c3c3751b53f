//! Ast → policy: names to ids, types, sets, every clause lowered to its whole argument. Reports every error of every
//! declaration in one run, one mistake once. Knows no tables and no proof.
//!
//! The order: names, enums, lets, limits, tools, then everything that speaks of them. What could not be understood is
//! reported where it stands and is a *hole* from then on (a type with no value, a `None`), of which nobody speaks again.

mod agents;
mod agree;
mod atoms;
mod beside;
mod cases;
mod cycles;
mod deployment;
mod formed;
mod given;
mod lets;
mod lift;
mod limits;
mod literals;
mod names;
mod paths;
mod places;
mod refuted;
mod rows;
mod same;
mod sets;
mod skills;
mod spell;
mod times;
mod tools;
mod types;
mod uses;
mod vocabulary;
mod warnings;

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod meaning_tests;
#[cfg(test)]
mod tests;

pub use beside::check_beside;

use crate::diag::{Code, Diagnostic, Sink};
use crate::policy::{self, Policy};
use crate::source::Sources;
use crate::syntax::ast;
use names::Names;

/// What is known so far; later passes only read what earlier ones have filled in.
pub(in crate::check) struct Known<'a> {
    sources: &'a Sources,
    names: Names<'a>,
    enums: vocabulary::Enums<'a>,
    lets: lets::Lets<'a>,
    limits: Vec<Vec<policy::Limit>>,
    vocabularies: Vec<policy::Vocabulary>,
}

/// The policy that `files` declare together, or `None` when an error leaves none, one that `sink` holds already included.
/// Everything found goes to `sink`.
pub fn check(sources: &Sources, files: &[ast::File], sink: &mut Sink) -> Option<Policy> {
    let mut found = Sink::default();
    let policy = lower(sources, files, &mut found);
    if let Some(left) = refuted::without_refuted(files, &found, sink) {
        check(sources, &left, sink);
        return None;
    }
    let whole = !found.has_errors() && !sink.has_errors() && files.iter().all(|file| file.broken.is_empty());
    let said = |d: &Diagnostic| files.iter().flat_map(|file| &file.said).any(|lines| lines.holds(d.primary.span));
    let left = found.into_sorted().into_iter().filter(|d| !said(d)).collect();
    let told = same::told_once(sources, sink, left);
    sink.extend(told);
    whole.then_some(policy)
}

fn lower(sources: &Sources, files: &[ast::File], sink: &mut Sink) -> Policy {
    languages(files, sink);
    let names = Names::collect(files, sink);
    let mut known = Known {
        sources,
        names,
        enums: vocabulary::Enums::default(),
        lets: lets::Lets::default(),
        limits: Vec::new(),
        vocabularies: Vec::new(),
    };
    known.enums = vocabulary::enums(&known, sink);
    lets::lower(&mut known, sink);
    known.limits = vocabulary::limits(&known, sink);
    known.vocabularies = vocabulary::vocabularies(&known, sink);
    let deployment = deployment::lower(&known, sink);
    let (agents, overlays, boundaries) = agents::lower(&known, sink);
    let skills = skills::lower(&known, &agents, sink);
    warnings::bare_bindings(&known, &agents, &overlays, &boundaries, sink);
    let tests = cases::lower(&known, &agents, &overlays, sink);
    let lets = known.lets.lowered();
    Policy { vocabularies: known.vocabularies, lets, agents, overlays, boundaries, deployment, skills, tests }
}

fn languages(files: &[ast::File], sink: &mut Sink) {
    for (number, span) in files.iter().filter_map(|file| file.language) {
        if number != 1 {
            let message = format!("language {number} is not known to this compiler");
            sink.push(
                Diagnostic::new(Code::UNKNOWN_LANGUAGE, span, message)
                    .note("the only language so far is `language 1`, which is also meant where none is written"),
            );
        }
    }
}
