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
    UNCLOSED_QUOTE "E0002" "unclosed-quote" Error "a string that is not closed on its line"
    WRONG_QUOTES "E0003" "wrong-quotes" Error "single or typographic quotes around a string"
    BYTE_ORDER_MARK "E0004" "byte-order-mark" Error "a byte-order mark opens the file"
    HIDDEN_CHARACTER "E0005" "hidden-character" Error "a control character, or one that cannot be seen"
    BAD_STRING "E0006" "bad-string" Error "an escape that JSON does not have, or half of a surrogate pair"
    BAD_NUMBER "E0007" "bad-number" Error "a number beyond the limits, or with an unknown unit"
    TOO_LARGE "E0008" "too-large" Error "a file or declaration that is too large to be read"
    TOO_DEEP "E0009" "too-deep" Error "brackets, types or operators that nest too deep"
    FOREIGN_COMMENT "E0010" "foreign-comment" Error "a comment as other languages write it"
    SYNTAX "E0100" "syntax" Error "the text is not of the grammar"
    UNCLOSED_BRACKET "E0101" "unclosed-bracket" Error "a bracket that is never closed"
    UNOPENED_BRACKET "E0102" "unopened-bracket" Error "a closing bracket that closes nothing"
    UNKNOWN_WORD "E0103" "unknown-word" Error "a word of the language, misspelt"
    FOREIGN_OPERATOR "E0104" "foreign-operator" Error "an operator that this place or this language does not have"
    MISSING_MARK "E0105" "missing-mark" Error "a word or mark that is missing"
    SUFFIX_ORDER "E0106" "suffix-order" Error "what follows an argument's type is out of order"
    EMPTY_SET "E0107" "empty-set" Error "the empty set is written"
    NO_DENY "E0108" "no-deny" Error "a rule that forbids, where only permissions are written"
    MISPLACED_POINT "E0109" "misplaced-point" Error "`or absent` or `or null` where it does not end a clause"
    WORD_AS_VALUE "E0110" "word-as-value" Error "a word of the language stands as a value without quotes"
    EXTRA_MARK "E0111" "extra-mark" Error "a word or mark too many"
    UNKNOWN_NAME "E0200" "unknown-name" Error "a name that nothing in reach declares"
    UNKNOWN_IMPORT "E0290" "unknown-import" Error "an import that leads to no file and to nothing of the library"
    TYPE_MISMATCH "E0300" "type-mismatch" Error "a set or literal of another type than the argument's"
    WIDENS "E0500" "widens" Error "a clause of an overlay promises what its base withholds"
    NOT_PROVED "E0501" "not-proved" Error "a clause of an overlay could not be proved to narrow within the bounds"
    CRLF "W0001" "crlf" Warn "lines end in CR LF"
    NEVER_MATCHES "W0100" "never-matches" Warn "a row that no call can satisfy"
    CLAMPED "W0105" "clamped" Warn "a clause of an overlay that was cut to what its base permits"
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
