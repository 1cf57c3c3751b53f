//! The tree as written: every name and literal with its span, nothing resolved.

mod operator;

pub use operator::*;

use crate::diag::{Diagnostic, Severity};
use crate::domain::Decimal;
use crate::source::{FileId, Span};

/// A name as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name, unquoted.
    pub text: String,
    /// Where, quotes included.
    pub span: Span,
    /// Written in quotes: never a keyword.
    pub quoted: bool,
}

/// Names joined by dots: `terminal.observe`, `filesystem.roots`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dotted {
    /// The parts, at least one.
    pub parts: Vec<Name>,
    /// All of it.
    pub span: Span,
}

/// A string literal, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The value.
    pub value: String,
    /// Where, quotes included.
    pub span: Span,
}

/// One file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Which.
    pub file: FileId,
    /// `language 1`, if written: the number and its span.
    pub language: Option<(u32, Span)>,
    /// `import …`.
    pub imports: Vec<Import>,
    /// The declarations that could be read, in order.
    pub items: Vec<Item>,
    /// What could not be read and is reported already: nobody is told again that its names are unknown.
    pub broken: Vec<Broken>,
    /// Declarations among `items` that could be read only after a mistake was mended, by the place in `items`.
    pub mended: Vec<Mended>,
    /// Lines of declarations in `items` of which something wrong was said that left a gap in the tree: what else is wrong there
    /// follows from it.
    pub said: Vec<Span>,
}

/// A declaration read with changes. What is wrong in the very lines that were changed says that the change was not what was
/// meant: then the declaration counts as broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// Which of the items.
    pub item: usize,
    /// The lines that were changed, whole.
    pub lines: Vec<Span>,
}

impl Item {
    /// The name that it declares.
    pub fn declared(&self) -> Option<&Name> {
        match self {
            Item::Vocabulary(it) => Some(&it.name),
            Item::Agent(it) => Some(&it.name),
            Item::Overlay(it) => Some(&it.name),
            Item::Boundary(it) => Some(&it.name),
            Item::Let(it) => Some(&it.name),
            Item::Deployment(it) => Some(&it.name),
            Item::Skill(it) => Some(&it.name),
            Item::Test(_) => None,
        }
    }
}

impl Mended {
    /// Whether a finding there speaks against the changes.
    pub fn refuted_by(&self, finding: &Diagnostic) -> bool {
        finding.severity == Severity::Error && self.lines.iter().any(|lines| lines.holds(finding.primary.span))
    }
}

/// A declaration that could not be read, or an import that was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The name it would have declared, where that is known; else it may have declared anything.
    pub name: Option<String>,
}

/// `import std.terminal` or `import "./bank.bwk"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Import {
    /// From the shipped library, by name.
    Library(Dotted),
    /// A file, relative to the importing one.
    Path(Text),
}

/// A declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// `vocabulary`.
    Vocabulary(Vocabulary),
    /// `agent`.
    Agent(Agent),
    /// `overlay`.
    Overlay(Overlay),
    /// `boundary`.
    Boundary(Boundary),
    /// `let`.
    Let(Let),
    /// `test`.
    Test(Test),
    /// `deployment`.
    Deployment(Deployment),
    /// `skill`.
    Skill(Skill),
}

/// `vocabulary NAME { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Vocabulary {
    /// Its name.
    pub name: Name,
    /// `///` lines above it, joined by newlines.
    pub doc: Option<String>,
    /// `enum NAME { … }`.
    pub enums: Vec<EnumDecl>,
    /// `capability A.B`.
    pub capabilities: Vec<Dotted>,
    /// `limit NAME: …`.
    pub limits: Vec<LimitDecl>,
    /// `tool NAME { … }`.
    pub tools: Vec<Tool>,
    /// All of it.
    pub span: Span,
}

/// `enum NAME { value claimed by "…", … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumDecl {
    /// Its name.
    pub name: Name,
    /// `///` above it.
    pub doc: Option<String>,
    /// Its values.
    pub values: Vec<EnumValue>,
}

/// One value of an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumValue {
    /// A bare word is a string.
    pub value: Literal,
    /// `///` above it.
    pub doc: Option<String>,
    /// `claimed by "…", "…"`.
    pub claims: Vec<Text>,
}

/// `limit NAME: set of TYPE noun "…" within L by prefix ":"`.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitDecl {
    /// Its name.
    pub name: Name,
    /// `///` above it.
    pub doc: Option<String>,
    /// `set of` or `one of`.
    pub cardinality: Cardinality,
    /// The type of what it speaks of.
    pub ty: TypeExpr,
    /// `noun "…"`.
    pub noun: Option<Text>,
    /// `within L by prefix "…"`.
    pub within: Option<Within>,
    /// All of it.
    pub span: Span,
}

/// Which kind of limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// `set of`.
    Set,
    /// `one of`.
    One,
}

/// `within L by prefix ":"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within {
    /// The limit whose values may stand before the separator.
    pub limit: Dotted,
    /// The separator.
    pub separator: Text,
}

/// `tool NAME { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: Name,
    /// `///` above it.
    pub doc: Option<String>,
    /// `open`: undeclared arguments are forwarded. The keyword's span.
    pub open: Option<Span>,
    /// `reads`, `mutates when op in { … }`, …
    pub effects: Vec<EffectClause>,
    /// `needs CAPABILITY`, as often as written.
    pub needs: Vec<Dotted>,
    /// `dispatches name, arguments`.
    pub dispatches: Option<(Name, Name)>,
    /// `claimed by "…"` of the tool.
    pub claims: Vec<Text>,
    /// The arguments.
    pub arguments: Vec<Member>,
    /// All of it.
    pub span: Span,
}

/// An effect of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectClause {
    /// Which.
    pub effect: Effect,
    /// The keyword.
    pub span: Span,
    /// `when operation in { get, list }`.
    pub when: Option<(Path, SetExpr)>,
    /// `claimed by "…"`.
    pub claims: Vec<Text>,
}

/// `reads`, `mutates`, `irreversible`, `reaches_outside`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Only reads.
    Reads,
    /// Changes something.
    Mutates,
    /// Changes something for good.
    Irreversible,
    /// Reaches beyond the machine or account.
    ReachesOutside,
}

/// An argument of a tool or a member of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its name.
    pub name: Name,
    /// `///` above it.
    pub doc: Option<String>,
    /// Type and refinement; `or null` is [`TypeKind::OrNull`] around it.
    pub ty: TypeExpr,
    /// `or all`: the word's span.
    pub wildcard: Option<Span>,
    /// `or absent` or `optional`.
    pub absence: Option<(Absence, Span)>,
    /// `= …`.
    pub default: Option<DefaultExpr>,
    /// `limited by L`.
    pub limited_by: Option<Dotted>,
    /// `reaches L`, as often as written.
    pub reaches: Vec<Dotted>,
    /// All of it.
    pub span: Span,
}

/// How a member may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// `optional`.
    Optional,
    /// `or absent`.
    OrAbsent,
}

/// `= …` of a member.
#[derive(Clone, Debug, PartialEq)]
pub enum DefaultExpr {
    /// `= unspecified`.
    Unspecified(Span),
    /// `= all` (the wildcard).
    All(Span),
    /// A JSON or enum value.
    Value(Json),
}

/// A JSON value in a policy; bare words are strings.
#[derive(Clone, Debug, PartialEq)]
pub struct Json {
    /// The value.
    pub kind: JsonKind,
    /// All of it.
    pub span: Span,
}

/// The kinds of [`Json`].
#[derive(Clone, Debug, PartialEq)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number, exact.
    Number(Decimal),
    /// A string.
    Text(String),
    /// A bare word, or a bare date such as `2026-11-30`.
    Word(String),
    /// `[ … ]`.
    List(Vec<Json>),
    /// `{ "k": v, k: v }`.
    Object(Vec<(Name, Json)>),
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    /// Which.
    pub kind: TypeKind,
    /// Refinement words after it, which meet.
    pub refinement: Vec<SetExpr>,
    /// All of it.
    pub span: Span,
}

/// The kinds of [`TypeExpr`].
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// A name: a built-in type or an enum, perhaps of another vocabulary.
    Named(Dotted),
    /// `text by pattern`.
    TextByPattern,
    /// `text opaque`.
    TextOpaque,
    /// `json opaque`.
    JsonOpaque,
    /// `path ignoring case`.
    PathIgnoringCase,
    /// `url or bare`.
    UrlOrBare,
    /// `{ A, B }` or a literal as a type.
    Values(Vec<Literal>),
    /// `list of T`.
    ListOf(Box<TypeExpr>),
    /// `T or list`.
    OrList(Box<TypeExpr>),
    /// `T or null`.
    OrNull(Box<TypeExpr>),
    /// `map of T`.
    MapOf(Box<TypeExpr>),
    /// `record { … }`.
    Record {
        /// The members.
        members: Vec<Member>,
        /// `..` or `.. : T`.
        rest: Option<(Option<Box<TypeExpr>>, Span)>,
    },
    /// `union { A, B }`.
    Union(Vec<TypeExpr>),
}

/// A scalar as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// The value.
    pub kind: LiteralKind,
    /// Where.
    pub span: Span,
}

/// The kinds of [`Literal`].
#[derive(Clone, Debug, PartialEq)]
pub enum LiteralKind {
    /// `"…"`.
    Text(String),
    /// A bare word in braces, or where an enum value may stand.
    Word(String),
    /// A number, exact.
    Number(Decimal),
    /// `true`, `false`.
    Bool(bool),
    /// `null`.
    Null,
    /// A bare date or time: `2026-11-30`, `2026-11-30T10:00:00Z`, as written.
    Time(String),
}

/// A path into arguments: `amount`, `u.host`, `edits.each.path`, `m.keys`, `rows."each"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Its steps; the first is the argument. A quoted step is always a member name.
    pub steps: Vec<Name>,
    /// All of it.
    pub span: Span,
}

/// A set as written.
#[derive(Clone, Debug, PartialEq)]
pub struct SetExpr {
    /// Which.
    pub kind: SetKind,
    /// All of it.
    pub span: Span,
}

/// The kinds of [`SetExpr`].
#[derive(Clone, Debug, PartialEq)]
pub enum SetKind {
    /// `any`.
    Any,
    /// `absent`: the point.
    Absent,
    /// `null`: the point.
    Null,
    /// `{ a, "b", 1 }`.
    Values(Vec<Literal>),
    /// `{ path in A; mode in { read } }`: a set of records.
    Record(Vec<Clause>),
    /// A name of a `let`, or of a class (`public`, `loopback`, …).
    Name(Name),
    /// One literal where a set or a bound value may stand: `targets = "tmux:main"`.
    Literal(Literal),
    /// `a..b`, `a..`, `..b`.
    Range(Option<Literal>, Option<Literal>),
    /// `<= n` and its kin.
    Compare(Operator, Literal),
    /// `prefix "…"`.
    Prefix(Text),
    /// `suffix "…"`.
    Suffix(Text),
    /// `matches "…"`.
    Matches(Text),
    /// `length a..b`, or `length n`.
    Length(CountRange),
    /// `size a..b`, or `size n`.
    Size(CountRange),
    /// `each in S`, `each WORD …`.
    Each(Box<SetExpr>),
    /// `keys in S`.
    Keys(Box<SetExpr>),
    /// `values in S`.
    MapValues(Box<SetExpr>),
    /// `[ {"git"}, {"status"}, .. each in S ]`: by position, then the tail.
    Argv(Vec<SetExpr>, ArgvTail),
    /// Side by side: `prefix "a" length 1..5`. They meet, and bind tighter than any operator.
    Beside(Vec<SetExpr>),
    /// `and`. `or`, `and`, `except` bind alike, left to right; what mixes them without parentheses has one directly in another.
    And(Vec<SetExpr>),
    /// `or`.
    Or(Vec<SetExpr>),
    /// `A except B`.
    Except(Box<SetExpr>, Box<SetExpr>),
    /// `( … )`.
    Parenthesised(Box<SetExpr>),
}

/// What may follow the positions of an argv set.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgvTail {
    /// Nothing.
    None,
    /// `..`.
    Any(Span),
    /// `.. each in S`.
    Each(Box<SetExpr>),
}

/// A range of counts as written.
#[derive(Clone, Debug, PartialEq)]
pub struct CountRange {
    /// At least.
    pub low: Option<Literal>,
    /// At most.
    pub high: Option<Literal>,
    /// All of it.
    pub span: Span,
}

/// `<`, `<=`, `>`, `>=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// `path in S`.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// What it speaks of.
    pub path: Path,
    /// The set.
    pub set: SetExpr,
    /// All of it.
    pub span: Span,
}

/// `agent NAME under P { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// Its name.
    pub name: Name,
    /// `under PARENT`.
    pub parent: Option<Name>,
    /// `describe "…" "…"`, strings joined; as often as written.
    pub describe: Vec<Text>,
    /// `welcome "…"`.
    pub welcome: Vec<Text>,
    /// `skill NAME`.
    pub skills: Vec<Name>,
    /// `use CONNECTOR { … }`.
    pub uses: Vec<Use>,
    /// All of it.
    pub span: Span,
}

/// `overlay NAME on BASE { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// Its name.
    pub name: Name,
    /// The agent or overlay it is on.
    pub base: Name,
    /// `describe`.
    pub describe: Vec<Text>,
    /// `welcome`.
    pub welcome: Vec<Text>,
    /// `CONNECTOR { … }`.
    pub uses: Vec<Use>,
    /// `without provider P`.
    pub without_providers: Vec<Name>,
    /// All of it.
    pub span: Span,
}

/// `boundary NAME on a, b { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// Its name.
    pub name: Name,
    /// `on a, b`; empty: every agent.
    pub agents: Vec<Name>,
    /// `CONNECTOR { … }`.
    pub uses: Vec<Use>,
    /// `without provider P`.
    pub without_providers: Vec<Name>,
    /// All of it.
    pub span: Span,
}

/// What an agent, overlay, boundary or skill says about one connector.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// The vocabulary.
    pub connector: Name,
    /// Its statements in order.
    pub statements: Vec<Statement>,
    /// All of it.
    pub span: Span,
}

/// One statement about a connector.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `tools a, b`; `tools none` is an empty list.
    Tools {
        /// The tools.
        tools: Vec<Name>,
        /// All of it.
        span: Span,
    },
    /// `without t`.
    Without {
        /// The tools.
        tools: Vec<Name>,
        /// All of it.
        span: Span,
    },
    /// `allow t, u { … } with approval accepting opaque`.
    Allow(Row),
    /// `limit = value`.
    Limit(LimitSetting),
}

/// `allow t, u { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The tools.
    pub tools: Vec<Name>,
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// `with approval`.
    pub approval: Option<Span>,
    /// `accepting opaque`.
    pub accepting_opaque: Option<Span>,
    /// All of it.
    pub span: Span,
}

/// `limit = value`.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitSetting {
    /// Which limit.
    pub limit: Name,
    /// `many`, `single`, or a set.
    pub value: LimitValue,
    /// All of it.
    pub span: Span,
}

/// What a limit is set to.
#[derive(Clone, Debug, PartialEq)]
pub enum LimitValue {
    /// `many`.
    Many(Span),
    /// `single`.
    Single(Span),
    /// A set, or for `one of` limits a literal.
    Set(SetExpr),
}

/// `let NAME: TYPE = SET`.
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    /// Its name.
    pub name: Name,
    /// The type its set is over.
    pub ty: TypeExpr,
    /// The set.
    pub set: SetExpr,
    /// All of it.
    pub span: Span,
}

/// `test AGENT with o1, o2 given { … } { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The agent.
    pub agent: Name,
    /// `with o1, o2`.
    pub overlays: Vec<Name>,
    /// `given { key = json; … }`.
    pub given: Vec<(Name, Json)>,
    /// The cases.
    pub cases: Vec<TestCase>,
    /// All of it.
    pub span: Span,
}

/// `conn.tool(a: 1) is Ready { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// The connector.
    pub connector: Name,
    /// The tool.
    pub tool: Name,
    /// The arguments.
    pub arguments: Vec<(Name, Json)>,
    /// The call's text span.
    pub call_span: Span,
    /// The state, as written.
    pub state: Name,
    /// `by X`.
    pub by: Option<Dotted>,
    /// `{ … }` after `Ready`.
    pub forwards: Option<Vec<(Name, Json)>>,
    /// All of it.
    pub span: Span,
}
