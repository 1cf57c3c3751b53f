//! One overlay's text beside a whole policy → the policy with that overlay in it. For a host that has a table and no
//! sources: the names are the policy's, and the text may declare nothing that reaches beyond itself.

use super::{Known, agents, languages, lets, names::Names, refuted, same, vocabulary, warnings};
use crate::diag::{Code, Diagnostic, Sink};
use crate::policy::{Base, OverlayId, Policy};
use crate::source::{Sources, Span};
use crate::syntax::ast;

/// `policy` with the one overlay that `file` declares, and where it stands; `None` when an error leaves none. Everything
/// found in the file goes to `sink`.
pub fn check_beside(sources: &Sources, policy: &Policy, file: &ast::File, sink: &mut Sink) -> Option<(Policy, OverlayId)> {
    let mut found = Sink::default();
    let lowered = lower(sources, policy, file, &mut found);
    if let Some(left) = refuted::without_refuted(std::slice::from_ref(file), &found, sink) {
        left.iter().for_each(|left| drop(check_beside(sources, policy, left, sink)));
        return None;
    }
    let whole = !found.has_errors() && !sink.has_errors() && file.broken.is_empty();
    // Of the policy enough was said when it was compiled.
    let said = |d: &Diagnostic| file.said.iter().any(|lines| lines.holds(d.primary.span));
    let own = |d: &Diagnostic| d.primary.span.file == file.file && !said(d);
    let left = found.into_sorted().into_iter().filter(own).collect();
    let told = same::told_once(sources, sink, left);
    sink.extend(told);
    lowered.filter(|_| whole)
}

fn lower(sources: &Sources, policy: &Policy, file: &ast::File, sink: &mut Sink) -> Option<(Policy, OverlayId)> {
    languages(std::slice::from_ref(file), sink);
    let declared = only_overlay(file, sink);
    let names = Names::beside(policy, file, sink);
    let mut known = Known {
        sources,
        names,
        enums: vocabulary::Enums::of_policy(policy),
        lets: lets::Lets::of(policy),
        limits: policy.vocabularies.iter().map(|it| it.limits.clone()).collect(),
        vocabularies: policy.vocabularies.clone(),
    };
    lets::lower(&mut known, sink);
    let overlay = agents::beside(&known, policy, declared?, sink);
    let mut whole = policy.clone();
    let at = whole.overlays.partition_point(|other| other.name < overlay.name);
    whole.overlays.insert(at, overlay);
    // The overlays from there on have moved up by one.
    for other in &mut whole.overlays {
        match &mut other.base {
            Base::Overlay(below) if below.0 >= at => below.0 += 1,
            Base::Overlay(_) | Base::Agent(_) => {}
        }
    }
    warnings::bare_bindings(&known, &whole.agents, &whole.overlays, &whole.boundaries, sink);
    whole.lets = known.lets.lowered();
    Some((whole, OverlayId(at)))
}

/// The overlay of a text that holds one, and beside it nothing but `let`s.
fn only_overlay<'f>(file: &'f ast::File, sink: &mut Sink) -> Option<&'f ast::Overlay> {
    for import in &file.imports {
        let span = match import {
            ast::Import::Library(name) => name.span,
            ast::Import::Path(path) => path.span,
        };
        sink.push(reaches_out(span, "an import"));
    }
    let mut overlays: Vec<&ast::Overlay> = Vec::new();
    for item in &file.items {
        match item {
            ast::Item::Overlay(overlay) => overlays.push(overlay),
            ast::Item::Let(_) => {}
            ast::Item::Vocabulary(it) => sink.push(reaches_out(it.name.span, "a vocabulary")),
            ast::Item::Agent(it) => sink.push(reaches_out(it.name.span, "an agent")),
            ast::Item::Boundary(it) => sink.push(reaches_out(it.name.span, "a boundary")),
            ast::Item::Skill(it) => sink.push(reaches_out(it.name.span, "a skill")),
            ast::Item::Deployment(it) => sink.push(reaches_out(it.name.span, "a deployment")),
            ast::Item::Test(it) => sink.push(reaches_out(it.agent.span, "a test")),
        }
    }
    let first = overlays.first().copied();
    match (first, overlays.get(1)) {
        (Some(first), Some(second)) => {
            let message = format!("`{}` is a second overlay, and one is admitted at a time", second.name.text);
            let found = Diagnostic::new(Code::REACHES_OUT, second.name.span, message);
            sink.push(found.also(first.name.span, "the first is here").help("admit each by itself"));
        }
        (None, _) if file.broken.is_empty() => {
            let message = "there is no overlay here, and one must be";
            let found = Diagnostic::new(Code::REACHES_OUT, Span::new(file.file, 0, 0), message);
            sink.push(found.help("write `overlay NAME on AGENT { … }`"));
        }
        (Some(_) | None, _) => {}
    }
    first
}

fn reaches_out(span: Span, what: &str) -> Diagnostic {
    let message = format!("{what} has no place in an overlay that is admitted by itself");
    Diagnostic::new(Code::REACHES_OUT, span, message)
        .note("such a text holds one overlay and the `let`s that it uses; all else is the table's, and stays as it is")
}
