//! Types: which JSON values are well-formed, for anybody, whatever the policy.

use super::{Set, Step, Value};
use serde::{Deserialize, Serialize};

/// A kind of value, whether `null` is well-formed too, and the vocabulary's refinement.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Type {
    /// The kind.
    pub kind: Kind,
    /// `or null`: null is well-formed, names nothing, and lies in every set.
    pub null: bool,
    /// A refinement, if any: part of what is well-formed.
    pub refinement: Option<Set>,
}

impl Type {
    /// The types of what stands right inside a value, each with the step that leads there; undeclared members have no name
    /// and so no step.
    pub fn inside(&self) -> Vec<(Option<Step>, &Type)> {
        match &self.kind {
            Kind::List(of) => vec![(Some(Step::Each), of)],
            Kind::OneOrList(of) => vec![(Some(Step::OneOrEach), of)],
            Kind::Map(of) => vec![(Some(Step::Values), of)],
            Kind::Record { members, rest } => {
                let declared = members.iter().map(|member| (Some(Step::Field(member.name.clone())), &member.ty));
                let others = match rest {
                    Rest::Typed(of) => Some((None, &**of)),
                    Rest::Closed | Rest::Open => None,
                };
                declared.chain(others).collect()
            }
            Kind::Union(types) => (0_u32..).zip(types).map(|(index, ty)| (Some(Step::Alternative(index)), ty)).collect(),
            Kind::Bool
            | Kind::Enum(_)
            | Kind::Number(_)
            | Kind::Text { .. }
            | Kind::Host
            | Kind::Url { .. }
            | Kind::Path { .. }
            | Kind::Email
            | Kind::Ip
            | Kind::Time(_)
            | Kind::Argv
            | Kind::OpaqueText
            | Kind::OpaqueJson => Vec::new(),
        }
    }
}

/// The kinds of language.md section 2.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `true`, `false`.
    Bool,
    /// A closed list of strings, numbers or Booleans; a literal type is a list of one.
    Enum(Vec<Value>),
    /// A number.
    Number(NumberKind),
    /// A string. `patterns`: rows and limits may use `matches`.
    Text {
        /// `text by pattern`.
        by_pattern: bool,
    },
    /// A host name or address.
    Host,
    /// An absolute URL. `bare`: a value without `scheme://` is read as `https://` + value.
    Url {
        /// `url or bare`.
        bare: bool,
    },
    /// A file path.
    Path {
        /// `path ignoring case`.
        ignore_case: bool,
    },
    /// One address, no display name.
    Email,
    /// An IP address.
    Ip,
    /// A point in time.
    Time(TimeKind),
    /// `list of T`.
    List(#[serde(deserialize_with = "super::nested::nested")] Box<Type>),
    /// `T or list`: a T or an array of T. A set over it (atom [`super::Atom::OneOrEach`]) is met by the one or by every element.
    OneOrList(#[serde(deserialize_with = "super::nested::nested")] Box<Type>),
    /// An array of strings, positional.
    Argv,
    /// An object with values of one type.
    Map(#[serde(deserialize_with = "super::nested::nested")] Box<Type>),
    /// Named members.
    Record {
        /// The members in the order of the vocabulary.
        #[serde(deserialize_with = "super::nested::nested")]
        members: Vec<Member>,
        /// What else may stand there.
        rest: Rest,
    },
    /// One of several disjoint alternatives.
    Union(#[serde(deserialize_with = "super::nested::nested")] Vec<Type>),
    /// `text opaque`: a string no set speaks of.
    OpaqueText,
    /// `json opaque`: any JSON value.
    OpaqueJson,
}

/// Which numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NumberKind {
    /// Integral, within ±(2^53−1).
    Int,
    /// Integral, within −2^63..2^63−1.
    Int64,
    /// Any decimal.
    Decimal,
}

/// Which points in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TimeKind {
    /// RFC 3339 with an offset.
    Instant,
    /// No zone, `T` or space, seconds optional.
    DateTime,
    /// A day.
    Date,
}

/// What a record admits beside its members.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Rest {
    /// Nothing.
    Closed,
    /// `..`: anything.
    Open,
    /// `.. : T`.
    Typed(#[serde(deserialize_with = "super::nested::nested")] Box<Type>),
}

/// An argument of a tool, or a member of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Member {
    /// Its name in JSON.
    pub name: Box<str>,
    /// Its type.
    pub ty: Type,
    /// Whether it may be left out.
    pub presence: Presence,
    /// `or all`: the string "all" stands for [`super::Point::Unspecified`].
    pub wildcard: bool,
}

/// Whether a member may be left out, and what that means.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Presence {
    /// Must be there.
    Required,
    /// `optional`: what the provider then does is unknown; a set admits absence only if it says so.
    Optional,
    /// `or absent`: absence names nothing and lies in every set.
    OrAbsent,
    /// `= …`: omission is one more spelling of the default.
    Defaulted(Default),
}

/// What omission is a spelling of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Default {
    /// This value.
    Value(Value),
    /// Whatever the provider picks (`= unspecified`, `= all`).
    Unspecified,
}
