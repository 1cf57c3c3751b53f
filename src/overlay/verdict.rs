//! What the narrowing proof finds, as data: for `verify`, for diagnostics, for hosts. Knows no proofs.

use crate::diag::Edit;
use crate::domain::Value;
use crate::source::Span;

/// One overlay and what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct OverlayVerdict {
    /// Its name.
    pub name: Box<str>,
    /// The name of what it is on.
    pub on: Box<str>,
    /// Every clause narrows. False also where some could not be decided.
    pub holds: bool,
    /// Every clause was decided within the bounds.
    pub proved: bool,
    /// The clauses that widen, in the order of the text.
    pub widens: Vec<Widening>,
    /// The clauses that could not be decided.
    pub undecided: Vec<Quote>,
    /// The overlay's name in the source.
    pub span: Span,
}

/// A clause that promises what its base withholds, with the call that shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Widening {
    /// The connector.
    pub connector: Box<str>,
    /// The tool; `None`: a limit that no tool there falls under.
    pub tool: Option<Box<str>>,
    /// The arguments of a call that the clause permits and the base refuses; the lightest over what the clause mentions.
    pub witness: Value,
    /// The overlay's clause.
    pub permitted_by: Quote,
    /// The base's clause, or the declaration that says nothing.
    pub refused_by: Quote,
    /// What the clause may say; `None`: nothing of it is left, or it cannot be written in one place.
    pub repair: Option<String>,
    /// The repair as a change of the text.
    pub edit: Option<Edit>,
}

/// Words of a policy and where they stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Quote {
    /// As written, with the path or the limit's name before it.
    pub text: String,
    /// Where.
    pub span: Span,
}
