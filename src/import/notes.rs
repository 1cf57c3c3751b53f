//! What an import has to say beside the vocabulary: what is not held as the server says it, and what a person must decide.

use std::fmt;

/// One remark.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The tool, as the server calls it; empty: the whole list.
    pub tool: String,
    /// The argument and the way into it, `edits.path`; empty: the tool itself.
    pub place: String,
    /// What kind of remark.
    pub topic: Topic,
    /// The remark, without a full stop.
    pub text: String,
}

/// Kinds of remarks, in the order of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// The vocabulary admits more than the server's schema does; the server still refuses it.
    Wider,
    /// The vocabulary admits less than the server's schema does.
    Narrower,
    /// What the server leaves unsaid, and what is taken for it.
    Assumed,
    /// What a person should decide.
    Decide,
}

impl Topic {
    /// The heading of a report.
    pub fn heading(self) -> &'static str {
        match self {
            Topic::Wider => "wider than the schema (the server itself still refuses these)",
            Topic::Narrower => "narrower than the schema",
            Topic::Assumed => "assumed",
            Topic::Decide => "for you to decide",
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&*self.tool, &*self.place) {
            ("", _) => f.write_str(&self.text),
            (tool, "") => write!(f, "{tool}: {}", self.text),
            (tool, place) => write!(f, "{tool}, {place}: {}", self.text),
        }
    }
}
