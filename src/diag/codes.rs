//! Every code, declared once: code, slug, level, summary. Its page is `docs/errors/CODE.md`.
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
    UNKNOWN_NAME "E0200" "unknown-name" Error "a name of a set that nothing declares"
    UNKNOWN_CONNECTOR "E0202" "unknown-connector" Error "a connector that no vocabulary declares"
    UNKNOWN_TOOL "E0203" "unknown-tool" Error "a tool that the connector does not have"
    UNKNOWN_ARGUMENT "E0204" "unknown-argument" Error "an argument or member that is not declared"
    UNKNOWN_LIMIT "E0205" "unknown-limit" Error "a limit that the connector does not declare"
    UNKNOWN_TYPE "E0206" "unknown-type" Error "a type that is neither built in nor an enum in reach"
    UNKNOWN_DECLARATION "E0207" "unknown-declaration" Error "an agent, overlay or skill that is not declared"
    UNKNOWN_CAPABILITY "E0208" "unknown-capability" Error "a capability that no vocabulary declares"
    UNKNOWN_PROVIDER "E0209" "unknown-provider" Error "a provider that the deployment does not declare"
    DUPLICATE "E0210" "duplicate" Error "a name that stands twice in one scope"
    CYCLE "E0211" "cycle" Error "declarations that lean on each other in a ring"
    UNKNOWN_LANGUAGE "E0212" "unknown-language" Error "a version of the language that this compiler does not know"
    RESERVED_NAME "E0213" "reserved-name" Error "a declaration under a name that has a meaning already"
    UNKNOWN_IMPORT "E0290" "unknown-import" Error "an import that leads to no file and to nothing of the library"
    TYPE_MISMATCH "E0300" "type-mismatch" Error "a set or literal of another type than the argument's"
    UNKNOWN_VALUE "E0301" "unknown-value" Error "a value that lies outside its type"
    REVERSED_RANGE "E0302" "reversed-range" Error "a range whose first end is greater than its last"
    NO_SUCH_PART "E0303" "no-such-part" Error "a step into a type that has no such part"
    NO_VALUE "E0304" "no-value" Error "a set without any value where one must be"
    IMPOSSIBLE_POINT "E0305" "impossible-point" Error "`absent` or `null` of what is never that"
    BAD_DEFAULT "E0307" "bad-default" Error "a default that is no value of its type"
    LIMIT_TYPE "E0308" "limit-type" Error "an argument limited by a limit of another type"
    NOT_DISJOINT "E0309" "not-disjoint" Error "two alternatives of a union that may hold the same value"
    PATTERN_NOT_ALLOWED "E0310" "pattern-not-allowed" Error "`matches` where the vocabulary does not open the type to patterns"
    BAD_PATTERN "E0311" "bad-pattern" Error "a pattern that cannot be read or is too large"
    BAD_LITERAL "E0312" "bad-literal" Error "a literal that is no pattern or value of its type"
    BAD_WITHIN "E0313" "bad-within" Error "a limit `within` another that cannot name its values"
    BAD_TYPE "E0314" "bad-type" Error "a type that cannot be put together so"
    OPAQUE_SET "E0315" "opaque-set" Error "a set over what is opaque"
    SEVERAL_CAPABILITIES "E0316" "several-capabilities" Error "a tool that needs more than one capability"
    BAD_DISPATCH "E0317" "bad-dispatch" Error "a dispatching tool whose arguments cannot carry a call"
    SET_FORM "E0318" "set-form" Error "a value where a set must stand"
    BAD_REACHES "E0319" "bad-reaches" Error "`reaches` on an argument that is not opaque"
    TOOL_TWICE "E0400" "tool-twice" Error "one tool in two lists of a declaration"
    OPAQUE_REACHES "E0401" "opaque-reaches" Error "an opaque argument that can get at what a limit of the agent guards"
    LIMIT_VALUE "E0402" "limit-value" Error "a limit set to a value of another form"
    COVERS_SIBLINGS "E0403" "covers-siblings" Error "a row of an overlay that makes the tool's other rows void"
    NOT_HERE "E0404" "not-here" Error "a statement that has no place in this declaration"
    REACHES_OUT "E0405" "reaches-out" Error "more than one overlay and its `let`s in a text that is admitted by itself"
    WIDENS "E0500" "widens" Error "a clause of an overlay promises what its base withholds"
    NOT_PROVED "E0501" "not-proved" Error "a clause of an overlay could not be proved to narrow within the bounds"
    SECOND_DEPLOYMENT "E0600" "second-deployment" Error "a second deployment in one compiled set"
    UNKNOWN_PROVIDER_TYPE "E0601" "unknown-provider-type" Error "a type of provider that does not exist"
    BAD_OFFER "E0602" "bad-offer" Error "an offer or fallback that does not fit what is offered"
    UNKNOWN_CONDITION "E0603" "unknown-condition" Error "a fallback under a condition that does not exist"
    SKILL_NOT_HELD "E0604" "skill-not-held" Error "a skill whose needs the agent does not hold"
    UNKNOWN_STATE "E0700" "unknown-state" Error "a test that expects a state that does not exist"
    UNKNOWN_GATE "E0701" "unknown-gate" Error "a test that names a reason that does not exist"
    FORWARDS_NOTHING "E0702" "forwards-nothing" Error "a test that expects arguments of a call that is not forwarded"
    OTHER_AGENT "E0703" "other-agent" Error "an overlay applied to an agent that it is not on"
    UNKNOWN_FACT "E0704" "unknown-fact" Error "a fact that does not exist"
    BAD_FACT "E0705" "bad-fact" Error "a fact whose value does not exist, or has another shape"
    CRLF "W0001" "crlf" Warn "lines end in CR LF"
    NEVER_MATCHES "W0100" "never-matches" Warn "a row that no call can satisfy"
    LIMIT_PERMITS_EVERYTHING "W0101" "limit-permits-everything" Warn "a limit set to the whole of its type"
    MIXED_OPERATORS "W0102" "mixed-operators" Warn "`or`, `and`, `except` side by side without parentheses"
    BARE_BINDING "W0103" "bare-binding" Warn "a bare value bound where it means several resources"
    OPEN_TOOL "W0104" "open-tool" Warn "a tool that takes arguments nobody has looked at"
    CLAMPED "W0105" "clamped" Warn "a clause of an overlay that was cut to what its base permits"
    CHANGES_NOTHING "W0110" "changes-nothing" Warn "an overlay that leaves its base as it is"
    DEAD_ROW "W0111" "dead-row" Warn "a row that another row of the same declaration covers"
    NOTHING_LEFT "W0112" "nothing-left" Warn "layers that together permit nothing"
    BOUNDARY_TAKES_ALL "W0113" "boundary-takes-all" Warn "a boundary that leaves nothing of an agent or overlay"
    UNLIMITED_RESOURCE "W0200" "unlimited-resource" Warn "a tool whose path, url, host, command or query nothing limits"
    PUBLIC_SUFFIX "W0201" "public-suffix" Warn "a wildcard that holds the hosts of strangers"
    PLAIN_HTTP "W0202" "plain-http" Warn "a permission for unencrypted http"
    CONFUSABLE_NAMES "W0203" "confusable-names" Warn "two names or values that look alike"
    MUTATES_WITHOUT_CONSENT "W0210" "mutates-without-consent" Warn "a deployment in which what changes things needs no consent"
    IRREVERSIBLE_WITHOUT_APPROVAL "W0211" "irreversible-without-approval" Warn "a row that lets something irreversible pass without a person"
    UNDECLARED_EFFECTS "W0212" "undeclared-effects" Warn "a tool that does not say whether it reads or mutates"
    UNUSED_DECLARATION "W0300" "unused-declaration" Warn "a declaration that nothing uses"
    MISSING_DESCRIPTION "W0301" "missing-description" Warn "an agent or tool that nobody describes"
    CLAIM_NOT_PERMITTED "W0400" "claim-not-permitted" Warn "a description that promises what the policy withholds"
    CLAIM_NOT_EXCLUDED "W0401" "claim-not-excluded" Deny "a description that denies what the policy permits"
    CLAIM_NOT_GATED "W0402" "claim-not-gated" Deny "a description that promises to ask, where the policy does not"
    UNTESTED_AGENT "W0500" "untested-agent" Warn "an agent of which no test speaks"
    UNTESTED_ROW "W0501" "untested-row" Warn "a row that no test's call satisfies"
    UNTESTED_LIMIT "W0502" "untested-limit" Warn "a limit that refuses no test's call"
    UNUSED_SUPPRESSION "W0600" "unused-suppression" Warn "a comment that allows a lint which is not found"
    BAD_SUPPRESSION "W0601" "bad-suppression" Deny "a comment on lints that says nothing: no rule, no level or no reason"
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
