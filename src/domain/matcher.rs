//! A type and a set → a compiled test of values: the run side's membership. `test` does not allocate, and recurses no
//! deeper than the set is nested.
//!
//! Numbers are read twice: exactly, and as the nearest double with every bound rounded to the nearest double. What the
//! exact reading admits and the other does not is ambiguous. Ambiguous strings lie in no set (`Set::Any` demands nothing).

use super::automaton::Automaton;
use super::composite::Composite;
use super::finite::Values;
use super::interval::NumberTest;
use super::parsed::Parsed;
use super::path::Glob;
use super::seen::Seen;
use super::time::TimeTest;
use super::{Atom, Bound, Kind, Membership, NumberKind, Set, Size, Type, Value, Work};

/// A compiled set over one type.
#[derive(Clone, Debug)]
pub struct Matcher {
    null: bool,
    doubles: bool,
    root: Node,
}

/// How numbers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As they are written.
    Exact,
    /// As a reader with doubles sees them and every bound.
    Double,
}

/// Whether numbers of a kind have a second reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    /// A reader with doubles may stand behind: int, decimal.
    WithDoubles,
    /// Every reader is exact: int64.
    ExactOnly,
}

#[derive(Clone, Debug)]
enum Node {
    Any,
    Never,
    Test(Test),
    Parsed(Parsed),
    Not(Box<Node>),
    And(Box<[Node]>),
    Or(Box<[Node]>),
}

/// A compiled atom. One variant for each way of looking at a value.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    /// Among these.
    Values(Values),
    /// A range of numbers.
    Number(NumberTest),
    /// A range of times.
    Time(TimeTest),
    /// Begins so.
    Prefix(Box<str>),
    /// Ends so.
    Suffix(Box<str>),
    /// So many scalars.
    Length(Size),
    /// Matches as a whole.
    Matches(Box<Automaton>),
    /// A path of a glob.
    Path(Glob),
    /// An atom over lists, maps, records and their kin.
    Composite(Composite),
    /// The atom is of another kind: no value of this type lies in it.
    Foreign,
}

impl Matcher {
    /// Compiles `set` for values of `ty`.
    ///
    /// # Errors
    /// [`Bound`]: a pattern in it is too large.
    pub fn compile(ty: &Type, set: &Set, work: &mut Work) -> Result<Matcher, Bound> {
        Matcher::of_judged(ty, &super::path::judged(ty, set), work)
    }

    /// As [`Matcher::compile`], for a part of a set that has been judged as a whole (see `super::path::judged`).
    pub(crate) fn of_judged(ty: &Type, set: &Set, work: &mut Work) -> Result<Matcher, Bound> {
        Ok(Matcher { null: ty.null, doubles: holds_doubles(ty), root: root(ty, set, work)? })
    }

    /// Whether `value`, well-formed for the type, lies in the set. `null`, where it is well-formed, names nothing and does.
    pub fn test(&self, value: &Value) -> Membership {
        let exact = self.read(value, Reading::Exact);
        match exact {
            Membership::In if self.doubles => match self.read(value, Reading::Double) {
                Membership::In => Membership::In,
                Membership::Out | Membership::Ambiguous => Membership::Ambiguous,
            },
            Membership::In | Membership::Out | Membership::Ambiguous => exact,
        }
    }

    /// Whether `value` lies in the set by its exact reading: what well-formedness asks of a refinement.
    pub fn test_exactly(&self, value: &Value) -> Membership {
        self.read(value, Reading::Exact)
    }

    /// Whether a reader with doubles may see another value than is written.
    pub(super) fn has_doubles(&self) -> bool {
        self.doubles
    }

    /// One reading of a scalar that was read.
    pub(super) fn read_seen(&self, seen: &Seen<'_>, reading: Reading) -> Membership {
        self.root.read_seen(seen, reading)
    }

    /// As [`Matcher::test`], of a string that is no value of its own: a key of a map, for a set over texts.
    pub(crate) fn read_text(&self, text: &str, reading: Reading) -> Membership {
        self.root.read_text(text, reading)
    }

    /// One reading. For elements, members and parts, whose whole is read twice by [`Matcher::test`].
    pub(crate) fn read(&self, value: &Value, reading: Reading) -> Membership {
        match value {
            Value::Null if self.null => Membership::In,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Object(_) => {
                self.root.read(value, reading)
            }
        }
    }
}

impl Node {
    fn read_text(&self, text: &str, reading: Reading) -> Membership {
        match self {
            Node::Any => Membership::In,
            Node::Never => Membership::Out,
            Node::Test(test) => test.read_text(text),
            Node::Parsed(parsed) => parsed.read(text, reading),
            Node::Not(inner) => inner.read_text(text, reading).complement(),
            Node::And(parts) => Membership::all(parts.iter().map(|part| part.read_text(text, reading))),
            Node::Or(parts) => Membership::any(parts.iter().map(|part| part.read_text(text, reading))),
        }
    }

    fn read_seen(&self, seen: &Seen<'_>, reading: Reading) -> Membership {
        match self {
            Node::Any => Membership::In,
            Node::Never => Membership::Out,
            Node::Test(test) => test.read_seen(seen, reading),
            Node::Parsed(parsed) => parsed.read_seen(seen, reading),
            Node::Not(inner) => inner.read_seen(seen, reading).complement(),
            Node::And(parts) => Membership::all(parts.iter().map(|part| part.read_seen(seen, reading))),
            Node::Or(parts) => union(parts, seen, reading),
        }
    }

    fn read(&self, value: &Value, reading: Reading) -> Membership {
        match self {
            Node::Any => Membership::In,
            Node::Never => Membership::Out,
            Node::Test(test) => test.read(value, reading),
            Node::Parsed(parsed) => match value {
                Value::Text(text) => parsed.read(text, reading),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Object(_) => Membership::Out,
            },
            Node::Not(inner) => inner.read(value, reading).complement(),
            Node::And(parts) => Membership::all(parts.iter().map(|part| part.read(value, reading))),
            Node::Or(parts) => Membership::any(parts.iter().map(|part| part.read(value, reading))),
        }
    }
}

/// Of a union of nodes: one that holds is enough.
fn union(parts: &[Node], seen: &Seen<'_>, reading: Reading) -> Membership {
    Membership::any(parts.iter().map(|part| part.read_seen(seen, reading)))
}

impl Test {
    /// Compiles one atom over values of `kind`.
    pub(crate) fn compile(kind: &Kind, atom: &Atom, work: &mut Work) -> Result<Test, Bound> {
        let readers = match kind {
            Kind::Number(NumberKind::Int64) => Readers::ExactOnly,
            _ => Readers::WithDoubles, // of the kinds that hold numbers, every other
        };
        Ok(match atom {
            Atom::OneOf(values) => Test::Values(Values::new(values, readers)),
            Atom::Numbers(range) => Test::Number(NumberTest::new(range, readers)),
            Atom::Times(range) => match kind {
                Kind::Time(time) => Test::Time(TimeTest::new(*time, range)),
                _ => Test::Foreign, // an atom of another kind
            },
            Atom::Prefix(text) => Test::Prefix(text.clone()),
            Atom::Suffix(text) => Test::Suffix(text.clone()),
            Atom::Length(size) => Test::Length(*size),
            Atom::Matches(pattern) => Test::Matches(Box::new(Automaton::compile(&pattern.tree, work)?)),
            Atom::Path(glob) => Test::Path(Glob::exact(glob)),
            Atom::PathAnyCase(glob) => Test::Path(Glob::any_case(glob)),
            Atom::Host(_) | Atom::Class(_) | Atom::Cidr(_) | Atom::Url(_) | Atom::Part(..) | Atom::Email(_) => Test::Foreign,
            Atom::Each(_)
            | Atom::Size(_)
            | Atom::Keys(_)
            | Atom::Values(_)
            | Atom::Field(..)
            | Atom::Argv(..)
            | Atom::Alternative(..)
            | Atom::OneOrEach(..) => Composite::compile(kind, atom, work)?.map_or(Test::Foreign, Test::Composite),
        })
    }

    /// Whether `value` lies in the atom.
    pub(crate) fn read(&self, value: &Value, reading: Reading) -> Membership {
        match (self, value) {
            (Test::Composite(test), value) => test.read(value, reading),
            (test, Value::Text(text)) => test.read_text(text),
            (Test::Values(values), value) => values.read(value, reading),
            (Test::Number(test), Value::Number(number)) => test.read(number, reading),
            _ => Membership::Out, // an atom of another kind than the value's
        }
    }

    /// Whether a scalar that was read lies in the atom.
    pub(crate) fn read_seen(&self, seen: &Seen<'_>, reading: Reading) -> Membership {
        match (self, seen) {
            (Test::Path(glob), Seen::PlainPath(text)) => glob.read_plain(text),
            (test, Seen::Text(text) | Seen::PlainPath(text)) => test.read_text(text),
            (Test::Number(test), Seen::Number(number)) => test.read_short(*number, reading),
            (Test::Values(values), Seen::Number(number)) => values.read_short(*number, reading),
            (Test::Values(values), Seen::Bool(truth)) => values.read_truth(*truth),
            (Test::Composite(test), seen) => test.read_seen(seen, reading),
            _ => Membership::Out, // an atom of another kind than the value's
        }
    }

    /// Whether the string lies in the atom.
    pub(crate) fn read_text(&self, text: &str) -> Membership {
        match self {
            Test::Values(values) => values.read_text(text),
            Test::Time(test) => test.read(text),
            Test::Prefix(prefix) => Membership::of(text.starts_with(&**prefix)),
            Test::Suffix(suffix) => Membership::of(text.ends_with(&**suffix)),
            Test::Length(size) => Membership::of(size.contains(text.chars().count())),
            Test::Matches(automaton) => Membership::of(automaton.accepts(text)),
            Test::Path(glob) => glob.read(text),
            Test::Number(_) | Test::Composite(_) | Test::Foreign => Membership::Out,
        }
    }
}

/// Strings that are read as a whole are read once for the set.
fn root(ty: &Type, set: &Set, work: &mut Work) -> Result<Node, Bound> {
    match Parsed::compile(&ty.kind, set, work)? {
        Some(parsed) => Ok(Node::Parsed(parsed)),
        None => node(ty, set, work),
    }
}

fn node(ty: &Type, set: &Set, work: &mut Work) -> Result<Node, Bound> {
    Ok(match set {
        Set::Any => Node::Any,
        Set::Never => Node::Never,
        Set::Atom(atom) => Node::Test(Test::compile(&ty.kind, atom, work)?),
        Set::Not(inner) => Node::Not(Box::new(node(ty, inner, work)?)),
        Set::And(parts) => Node::And(parts.iter().map(|part| node(ty, part, work)).collect::<Result<_, _>>()?),
        Set::Or(parts) => Node::Or(parts.iter().map(|part| node(ty, part, work)).collect::<Result<_, _>>()?),
    })
}

/// Whether a reader with doubles may see another value than is written.
fn holds_doubles(ty: &Type) -> bool {
    let itself = match &ty.kind {
        Kind::Number(kind) => *kind != NumberKind::Int64,
        Kind::Enum(values) => values.iter().any(|value| matches!(value, Value::Number(_))),
        _ => false, // other values of its own hold no number
    };
    itself || ty.inside().into_iter().any(|(_, ty)| holds_doubles(ty))
}

#[cfg(test)]
mod tests;
