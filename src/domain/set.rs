//! Sets over one type: Boolean combinations of atoms. Data only; membership and vectors are in their own files.

use super::{Decimal, Value};
use serde::{Deserialize, Serialize};

/// A set of values of one type.
///
/// Complement is within the type's values; null, absent and unspecified are no part of it (see [`Slot`]).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Set {
    /// Every value of the type.
    Any,
    /// No value.
    Never,
    /// One atom.
    Atom(Atom),
    /// The complement.
    Not(#[serde(deserialize_with = "super::nested::nested")] Box<Set>),
    /// The meet of all (empty: [`Set::Any`]).
    And(#[serde(deserialize_with = "super::nested::nested")] Vec<Set>),
    /// The union of all (empty: [`Set::Never`]).
    Or(#[serde(deserialize_with = "super::nested::nested")] Vec<Set>),
}

/// What sets are made of. Which atoms apply to which kind is checked before a set is made; an atom applied to a value of
/// another kind does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Atom {
    /// These values, exactly (bool, enum, numbers, text). Numbers are equal as numbers. Sorted, distinct.
    OneOf(Vec<Value>),
    /// A range of numbers.
    Numbers(Range<Decimal>),
    /// A range of instants, datetimes or dates, as exact seconds since 1970-01-01T00:00:00 (UTC for instants, the zoneless
    /// clock for the others).
    Times(Range<Decimal>),
    /// Texts that begin so.
    Prefix(Box<str>),
    /// Texts that end so.
    Suffix(Box<str>),
    /// Texts of that many scalars.
    Length(Size),
    /// Texts that match as a whole.
    Matches(Pattern),
    /// Hosts: `example.com` or `*.example.org` in canonical form (lower case, A-labels, no trailing dot; addresses as
    /// WHATWG writes them).
    Host(Box<str>),
    /// Hosts or addresses of a class.
    Class(Class),
    /// Addresses in a CIDR block, `10.0.0.0/8` or `2001:db8::/32`, canonical (host bits zero).
    Cidr(Box<str>),
    /// URLs that match a pattern in canonical form; `*.` only at the start of the host, `*` and `**` in the path as in
    /// [`Atom::Path`].
    Url(Box<str>),
    /// A part of a URL or email lies in a set over that part: scheme and path text/path, host [`Atom::Host`], port numbers,
    /// local part text.
    Part(Part, #[serde(deserialize_with = "super::nested::nested")] Box<Set>),
    /// Paths that match a glob.
    Path(Box<str>),
    /// Paths that match a glob in any case: what [`Atom::Path`] becomes under an `except` over a `path ignoring case` when a
    /// set is judged. Nobody writes it.
    PathAnyCase(Box<str>),
    /// Emails that match `a@x.test`, `*@corp.test`, `*@*.corp.test` (local part exact or `*`; domain as [`Atom::Host`]).
    Email(Box<str>),
    /// Lists whose every element lies in the set (the empty list does).
    Each(#[serde(deserialize_with = "super::nested::nested")] Box<Set>),
    /// Lists, argv and maps of that many elements.
    Size(Size),
    /// Maps whose every key lies in the set over text.
    Keys(#[serde(deserialize_with = "super::nested::nested")] Box<Set>),
    /// Maps whose every value lies in the set.
    Values(#[serde(deserialize_with = "super::nested::nested")] Box<Set>),
    /// Records whose member of this name lies in the slot.
    Field(Box<str>, #[serde(deserialize_with = "super::nested::nested")] Box<Slot>),
    /// Argument vectors: the first strings by position, then no more (`None`) or each further one in the set.
    Argv(
        #[serde(deserialize_with = "super::nested::nested")] Vec<Set>,
        #[serde(deserialize_with = "super::nested::nested")] Option<Box<Set>>,
    ),
    /// Values of alternative `.0` of a union that lie in the set over it.
    Alternative(u32, #[serde(deserialize_with = "super::nested::nested")] Box<Set>),
    /// `T or list`: a T in the set, or a list (of a size that `.1` admits) whose every element is.
    OneOrEach(#[serde(deserialize_with = "super::nested::nested")] Box<Set>, Size),
}

/// What one argument or record member may be: the values, and which of the points that are none.
///
/// The point *unspecified* is admitted iff `values` is the whole type (extensionally), and is not written down.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Slot {
    /// The values admitted (null aside).
    pub values: Set,
    /// Whether null is admitted (where the type has it).
    pub null: bool,
    /// Whether absence is admitted (where the member may be absent).
    pub absent: bool,
}

impl Slot {
    /// No demand at all.
    pub const ANY: Slot = Slot { values: Set::Any, null: true, absent: true };
}

/// A range with ends that are in or out; `None` is unbounded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Range<T> {
    /// Lower end and whether it is in.
    pub low: Option<(T, Comparison)>,
    /// Upper end and whether it is in.
    pub high: Option<(T, Comparison)>,
}

/// Whether an end of a range belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Comparison {
    /// The end is in.
    Inclusive,
    /// The end is out.
    Exclusive,
}

/// A range of counts, both ends in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// At least.
    pub low: u64,
    /// At most; `None` is unbounded.
    pub high: Option<u64>,
}

/// Classes of hosts and addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Class {
    /// 127.0.0.0/8, ::1, `localhost` and below.
    Loopback,
    /// Private ranges, single labels, `.local`, `.internal`, `.home.arpa`.
    Private,
    /// 169.254.0.0/16, fe80::/10.
    LinkLocal,
    /// The rest.
    Public,
}

/// Parts of a URL or email.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Part {
    /// `u.scheme`.
    Scheme,
    /// `u.host`, and the domain of an email.
    Host,
    /// `u.port`.
    Port,
    /// `u.path`.
    Path,
    /// The local part of an email.
    Local,
}

/// One step from an argument into its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Step {
    /// A member of a record.
    Field(Box<str>),
    /// Each element of a list.
    Each,
    /// The one value or each element of `T or list`.
    OneOrEach,
    /// Each key of a map.
    Keys,
    /// Each value of a map.
    Values,
    /// A part of a URL or email.
    Part(Part),
    /// An alternative of a union, by index.
    Alternative(u32),
}

/// A text pattern: as written, and its tree. ASCII `\d \w \s`; `.` is any scalar; whole value; no anchors, no look-around.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pattern {
    /// As written in the policy.
    pub source: Box<str>,
    /// What it means.
    pub tree: PatternNode,
}

/// The tree of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PatternNode {
    /// The empty text.
    Empty,
    /// One scalar of these inclusive ranges, sorted and disjoint.
    Class(Vec<(char, char)>),
    /// One after the other.
    Concat(#[serde(deserialize_with = "super::nested::nested")] Vec<PatternNode>),
    /// Any one of these.
    Alternate(#[serde(deserialize_with = "super::nested::nested")] Vec<PatternNode>),
    /// Repeated at least `min`, at most `max` times.
    Repeat {
        /// At least.
        min: u32,
        /// At most; `None` is unbounded.
        max: Option<u32>,
        /// What is repeated.
        #[serde(deserialize_with = "super::nested::nested")]
        node: Box<PatternNode>,
    },
}

impl Size {
    /// Every count.
    pub const ANY: Size = Size { low: 0, high: None };

    /// Whether `count` lies in the range.
    pub fn contains(&self, count: usize) -> bool {
        self.contains_length(u64::try_from(count).unwrap_or(u64::MAX))
    }

    /// Whether the count lies in the range.
    pub fn contains_length(&self, count: u64) -> bool {
        self.low <= count && self.high.is_none_or(|high| count <= high)
    }
}
