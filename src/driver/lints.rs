//! Texts → every error and lint: parsed, checked, proved, the policy's own tests run for what they exercise, then the rules. What is
//! broken is left out, and the rest gets what can be known of it.

use super::reading::{Input, Loader, Parsed, read};
use crate::check::check;
use crate::diag::{Code, Diagnostic, Level, Severity, Sink};
use crate::lint::{self, Coverage, Extent, Levels, Subject, Unexercised};
use crate::overlay::{self, Verified};
use crate::policy::Policy;
use crate::source::{Sources, Span};
use crate::suite;
use crate::syntax::ast::{self, Item};
use crate::table::build;

/// What linting finds.
#[derive(Debug, Default)]
pub struct Linted {
    /// The texts.
    pub sources: Sources,
    /// How many of them, from the first, were given; the others were imported.
    pub given: usize,
    /// Everything found, each at its level, sorted by file, place and code.
    pub found: Vec<Diagnostic>,
}

/// Lints the inputs, with everything that they import known. Lints inside what was imported are left out; errors never are.
pub fn lint(inputs: Vec<Input>, loader: &mut dyn Loader, levels: &Levels) -> Linted {
    let Parsed { sources, files, mut sink, given } = read(inputs, loader);
    let extent = match check(&sources, &files, &mut sink) {
        Some(policy) => {
            whole(policy, &sources, &files, given, &mut sink);
            Extent::Whole
        }
        None => part(&sources, &files, given, &mut sink),
    };
    let is_given = |d: &Diagnostic| d.code.level() == Level::Error || (d.primary.span.file.0 as usize) < given;
    sink.retain(is_given);
    let extent = if sink.has_errors() && extent == Extent::Whole { Extent::Part } else { extent };
    let found = lint::judge(sink.into_sorted(), &sources, given, levels, extent);
    Linted { sources, given, found }
}

fn whole(policy: Policy, sources: &Sources, files: &[ast::File], given: usize, sink: &mut Sink) {
    let unproved = policy.clone();
    let verification = overlay::verify(policy, &overlay::Options::default(), sink);
    let coverage = verification.verified.as_ref().and_then(|verified| coverage(verified, sources));
    let policy = verification.verified.as_ref().map_or(&unproved, |verified| &**verified.policy());
    let extent = if coverage.is_some() { Extent::Whole } else { Extent::Part };
    sink.extend(lint::lint(&Subject { sources, files, given, policy, coverage, extent }).into_sorted());
}

/// What no test exercises; nothing is known where the tests cannot be run.
fn coverage(verified: &Verified, sources: &Sources) -> Option<Coverage> {
    if verified.policy().tests.is_empty() {
        return Some(Coverage::default());
    }
    let table = build(verified, sources);
    let report = suite::run(verified.policy(), &table, sources).ok()?;
    let unexercised = |covered: &[suite::Covered]| {
        let open = covered.iter().filter(|c| !c.exercised);
        open.map(|c| Unexercised { what: c.what.clone(), span: c.span }).collect()
    };
    Some(Coverage { rows: unexercised(&report.coverage.rows), limits: unexercised(&report.coverage.limits) })
}

/// The lints of what has no error and leans on nothing that has one.
fn part(sources: &Sources, files: &[ast::File], given: usize, sink: &mut Sink) -> Extent {
    let mut extent = Extent::Part;
    let mut files = files.to_vec();
    let mut found = sink.clone().into_sorted();
    if found.iter().any(|d| is_error(d) && d.code == Code::UNKNOWN_IMPORT) {
        extent = Extent::Open;
    }
    files.iter_mut().for_each(|file| file.broken.clear());
    loop {
        let errors: Vec<Span> = found.iter().filter(|d| is_error(d)).map(|d| d.primary.span).collect();
        let before: usize = files.iter().map(|file| file.items.len()).sum();
        for file in &mut files {
            file.items.retain(|item| {
                let span = item_span(item);
                let broken = errors.iter().any(|e| e.file == span.file && e.start >= span.start && e.end <= span.end);
                if broken && matches!(item, Item::Boundary(_)) {
                    extent = Extent::Open;
                }
                !broken
            });
        }
        if errors.iter().any(|error| !is_among(&files, *error) && may_cut(sources, *error)) {
            extent = Extent::Open;
        }
        let mut again = Sink::default();
        if let Some(policy) = check(sources, &files, &mut again) {
            let mut proof = Sink::default();
            let verified = overlay::verify(policy.clone(), &overlay::Options::default(), &mut proof).verified;
            if verified.is_some() || extent != Extent::Whole {
                proof.retain(|d| d.code.level() != Level::Error);
                sink.extend(proof.into_sorted());
            }
            let subject = Subject { sources, files: &files, given, policy: &policy, coverage: None, extent };
            sink.extend(lint::lint(&subject).into_sorted());
            return extent;
        }
        found = again.into_sorted();
        let after: usize = files.iter().map(|file| file.items.len()).sum();
        if after == before && !found.iter().any(|d| is_error(d) && is_among(&files, d.primary.span)) {
            return Extent::Open;
        }
    }
}

fn is_error(found: &Diagnostic) -> bool {
    found.severity == Severity::Error
}

fn is_among(files: &[ast::File], span: Span) -> bool {
    files.iter().flat_map(|file| &file.items).any(|item| {
        let item = item_span(item);
        item.file == span.file && item.start <= span.start && span.end <= item.end
    })
}

/// Whether what could not be read at `error` may be a boundary: by the last word at the start of a line that opens a declaration.
fn may_cut(sources: &Sources, error: Span) -> bool {
    let Some(source) = sources.get(error.file) else { return true };
    let lines = (0..=source.line_of(error.start)).rev().map(|line| source.line_text(line));
    let opening = lines.into_iter().find_map(|line| {
        let word: String = line.chars().take_while(char::is_ascii_alphabetic).collect();
        let opens = ["vocabulary", "agent", "overlay", "boundary", "let", "test", "deployment", "skill"];
        opens.contains(&word.as_str()).then_some(word)
    });
    opening.is_none_or(|word| word == "boundary")
}

fn item_span(item: &Item) -> Span {
    match item {
        Item::Vocabulary(it) => it.span,
        Item::Agent(it) => it.span,
        Item::Overlay(it) => it.span,
        Item::Boundary(it) => it.span,
        Item::Let(it) => it.span,
        Item::Test(it) => it.span,
        Item::Deployment(it) => it.span,
        Item::Skill(it) => it.span,
    }
}
