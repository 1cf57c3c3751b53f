//! Every code, declared once: code, slug, level, summary. Its page is docs/errors/<code>.md.
//!
//! Ranges: E00xx texts and tokens, E01xx structure, E02xx imports and names, E03xx types and sets, E04xx agents, overlays,
//! boundaries, E05xx the narrowing proof, E06xx deployments and skills, E07xx tests; W0xxx lints.

use super::Severity;

/// How a finding of a code counts when nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Always an error.
    Error,
    /// A lint that fails the run.
    Deny,
    /// A lint that is shown.
    Warn,
}

/// A kind of finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u16);

struct Entry {
    id: &'static str,
    slug: &'static str,
    level: Level,
    summary: &'static str,
    page: &'static str,
}

macro_rules! codes {
    ($($name:ident $id:literal $slug:literal $level:ident $summary:literal)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($name),* }
        impl Code {
            $(#[doc = $summary] pub const $name: Code = Code(Index::$name as u16);)*
        }
        static ENTRIES: &[Entry] = &[$(Entry {
            id: $id, slug: $slug, level: Level::$level, summary: $summary,
            page: include_str!(concat!("../../docs/errors/", $id, ".md")),
        }),*];
    };
}

codes! {
    UNEXPECTED_CHARACTER "E0001" "unexpected-character" Error "a character that no token begins with"
    SYNTAX "E0100" "syntax" Error "the text is not of the grammar"
    UNKNOWN_NAME "E0200" "unknown-name" Error "a name that nothing in reach declares"
    TYPE_MISMATCH "E0300" "type-mismatch" Error "a set or literal of another type than the argument's"
    WIDENS "E0500" "widens" Error "a clause of an overlay promises what its base withholds"
    NEVER_MATCHES "W0100" "never-matches" Warn "a row that no call can satisfy"
}

impl Code {
    fn entry(self) -> &'static Entry {
        &ENTRIES[self.0 as usize]
    }

    /// `E0103`, `W0004`.
    pub fn id(self) -> &'static str {
        self.entry().id
    }

    /// `unknown-argument`.
    pub fn slug(self) -> &'static str {
        self.entry().slug
    }

    /// One line on what it means.
    pub fn summary(self) -> &'static str {
        self.entry().summary
    }

    /// The page that `bailiwick explain` prints, in Markdown.
    pub fn page(self) -> &'static str {
        self.entry().page
    }

    /// How it counts by default.
    pub fn level(self) -> Level {
        self.entry().level
    }

    /// The severity that follows from the level.
    pub fn severity(self) -> Severity {
        match self.level() {
            Level::Error | Level::Deny => Severity::Error,
            Level::Warn => Severity::Warning,
        }
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.id())
    }
}

/// Every code in the order of declaration.
pub fn all_codes() -> impl Iterator<Item = Code> {
    (0..ENTRIES.len()).map(|i| Code(u16::try_from(i).unwrap_or(0)))
}

/// The code with this id (`E0200`) or slug (`unknown-name`), letter case aside.
pub fn find_code(name: &str) -> Option<Code> {
    all_codes().find(|c| c.id().eq_ignore_ascii_case(name) || c.slug().eq_ignore_ascii_case(name))
}
