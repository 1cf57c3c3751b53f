//! Findings about policies as data: codes, severities, spans, notes, fixes. Knows nothing of what a policy means.

mod codes;
mod fingerprint;
pub mod render;
mod suggest;

pub use codes::{Code, Level, all_codes, find_code};
pub use fingerprint::fingerprints;
pub use suggest::{Near, did_you_mean, nearest};

use crate::source::{Location, Sources, Span};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The policy does not compile.
    Error,
    /// The policy compiles; a person should look.
    Warning,
}

/// A replacement of text that mends a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// What is replaced (empty: an insertion).
    pub span: Span,
    /// What takes its place.
    pub replacement: String,
}

/// One offered fix: all its edits together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fix {
    /// What it does, in the imperative: "write `in`".
    pub title: String,
    /// The edits, disjoint, in order.
    pub edits: Vec<Edit>,
    /// True when applying it needs no judgement (`lint --fix` applies only these).
    pub machine_applicable: bool,
}

/// A span with words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is to be said there; may be empty.
    pub text: String,
}

/// One finding. The primary span is the token that must change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which kind of finding.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// One sentence: lower-case start, no full stop, the user's words in backticks.
    pub message: String,
    /// The token that must change.
    pub primary: Label,
    /// Other places that matter.
    pub secondary: Vec<Label>,
    /// What is permitted, and other facts.
    pub notes: Vec<String>,
    /// What to do, when it can be said.
    pub help: Option<String>,
    /// Offered fixes.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A finding of `code` at `span`, with the severity of the code's level.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// Words at the primary span.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Another place with words.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// A further fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// What to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// A machine-applicable fix with one edit.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, span: Span, replacement: impl Into<String>) -> Diagnostic {
        self.fixes.push(Fix {
            title: title.into(),
            edits: vec![Edit { span, replacement: replacement.into() }],
            machine_applicable: true,
        });
        self
    }

    /// "Did you mean": the nearest of `candidates` to `given`, as help and as a fix at the primary span.
    #[must_use]
    pub fn did_you_mean<'a>(self, given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        match nearest(given, candidates) {
            Some(near) => {
                let span = self.primary.span;
                self.suggest(near, span, near.word)
            }
            None => self,
        }
    }

    /// "Did you mean" a word, written so at `span`; between words that are equally near a person chooses.
    #[must_use]
    pub fn suggest(self, near: Near<'_>, span: Span, written: impl Into<String>) -> Diagnostic {
        let word = near.word;
        let mut found = self.help(format!("did you mean `{word}`?")).fix(format!("write `{word}`"), span, written);
        if !near.alone {
            found.doubt();
        }
        found
    }

    /// No program makes its fixes any more: something says that they are not what was meant.
    pub fn doubt(&mut self) {
        self.fixes.iter_mut().for_each(|fix| fix.machine_applicable = false);
    }

    /// Where the primary span begins.
    pub fn location(&self, sources: &Sources) -> Location {
        sources.location(self.primary.span)
    }
}

/// Where passes put what they find.
#[derive(Clone, Debug, Default)]
pub struct Sink {
    found: Vec<Diagnostic>,
}

impl Sink {
    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Keeps what `keep` says.
    pub fn retain(&mut self, keep: impl Fn(&Diagnostic) -> bool) {
        self.found.retain(keep);
    }

    /// What was found so far, in the order in which it was found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter()
    }

    /// Whether an error was found.
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|d| d.severity == Severity::Error)
    }

    /// No program makes the fixes of the errors in `lines` any more.
    pub fn doubt(&mut self, lines: Span) {
        self.found
            .iter_mut()
            .filter(|d| d.severity == Severity::Error && lines.holds(d.primary.span))
            .for_each(Diagnostic::doubt);
    }

    /// All findings, sorted by (file, span, code), exact repetitions dropped.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        let key = |d: &Diagnostic| (d.primary.span, d.code.id(), d.message.clone());
        self.found.sort_by_key(key);
        self.found.dedup();
        self.found
    }
}

impl Extend<Diagnostic> for Sink {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, iter: T) {
        self.found.extend(iter);
    }
}
