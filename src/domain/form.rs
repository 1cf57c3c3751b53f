//! A type → a compiled test of well-formedness: refinements are compiled once, and a well-formed value costs no allocation.
//! Says the same as [`well_formed`], which words the fault when there is one.

use super::formed::is_of_kind;
use super::{Bound, Fault, Kind, Matcher, Member, PointRef, Presence, Rest, Type, Value, Work, argv, well_formed};

/// A compiled type.
#[derive(Clone, Debug)]
pub struct Form {
    ty: Type,
    root: Node,
}

#[derive(Clone, Debug)]
struct Node {
    null: bool,
    shape: Shape,
    refinement: Option<Matcher>,
}

#[derive(Clone, Debug)]
enum Shape {
    Scalar(Kind),
    List(Box<Node>),
    OneOrList(Box<Node>),
    Map(Box<Node>),
    Record(Box<[(Member, Node)]>, Others),
    Union(Box<[Node]>),
}

/// What a record admits beside its members.
#[derive(Clone, Debug)]
enum Others {
    Closed,
    Open,
    Typed(Box<Node>),
}

impl Form {
    /// Compiles `ty`.
    ///
    /// # Errors
    /// [`Bound`]: a pattern in a refinement is too large.
    pub fn compile(ty: &Type, work: &mut Work) -> Result<Form, Bound> {
        Ok(Form { ty: ty.clone(), root: Node::compile(ty, work)? })
    }

    /// Whether `value` is a value of the type.
    ///
    /// # Errors
    /// [`Fault`]: where it is not, and what is expected there.
    pub fn check(&self, value: &Value) -> Result<(), Fault> {
        if self.root.holds(value) { Ok(()) } else { well_formed(&self.ty, value) }
    }

    /// Whether `value` is a value of the type.
    pub fn holds(&self, value: &Value) -> bool {
        self.root.holds(value)
    }
}

impl Node {
    fn compile(ty: &Type, work: &mut Work) -> Result<Node, Bound> {
        let boxed = |ty: &Type, work: &mut Work| Node::compile(ty, work).map(Box::new);
        let shape = match &ty.kind {
            Kind::List(of) => Shape::List(boxed(of, work)?),
            Kind::OneOrList(of) => Shape::OneOrList(boxed(of, work)?),
            Kind::Argv => Shape::List(boxed(&argv::WORD, work)?),
            Kind::Map(of) => Shape::Map(boxed(of, work)?),
            Kind::Record { members, rest } => {
                let mut nodes = Vec::with_capacity(members.len());
                for member in members {
                    nodes.push((member.clone(), Node::compile(&member.ty, work)?));
                }
                let others = match rest {
                    Rest::Closed => Others::Closed,
                    Rest::Open => Others::Open,
                    Rest::Typed(of) => Others::Typed(boxed(of, work)?),
                };
                Shape::Record(nodes.into(), others)
            }
            Kind::Union(alternatives) => {
                Shape::Union(alternatives.iter().map(|ty| Node::compile(ty, work)).collect::<Result<_, _>>()?)
            }
            scalar @ (Kind::Bool
            | Kind::Enum(_)
            | Kind::Number(_)
            | Kind::Text { .. }
            | Kind::Host
            | Kind::Url { .. }
            | Kind::Path { .. }
            | Kind::Email
            | Kind::Ip
            | Kind::Time(_)
            | Kind::OpaqueText
            | Kind::OpaqueJson) => Shape::Scalar(scalar.clone()),
        };
        let refinement = ty.refinement.as_ref().map(|set| Matcher::compile(ty, set, work)).transpose()?;
        Ok(Node { null: ty.null, shape, refinement })
    }

    fn holds(&self, value: &Value) -> bool {
        if self.null && *value == Value::Null {
            return true;
        }
        self.shape.holds(value) && self.refinement.as_ref().is_none_or(|set| set.test_exactly(value).is_in())
    }
}

impl Shape {
    fn holds(&self, value: &Value) -> bool {
        match (self, value) {
            (Shape::Scalar(kind), value) => is_of_kind(kind, value),
            (Shape::List(element) | Shape::OneOrList(element), Value::List(items)) => {
                items.iter().all(|item| element.holds(item))
            }
            (Shape::OneOrList(one), value) => one.holds(value),
            (Shape::Map(of), Value::Object(members)) => members.iter().all(|(_, value)| of.holds(value)),
            (Shape::Record(members, others), Value::Object(found)) => {
                members.iter().all(|(member, node)| member_holds(member, node, found))
                    && found.iter().all(|(name, value)| others.hold(members, name, value))
            }
            (Shape::Union(alternatives), value) => alternatives.iter().any(|alternative| alternative.holds(value)),
            (Shape::List(_) | Shape::Map(_) | Shape::Record(..), _) => false,
        }
    }
}

fn member_holds(member: &Member, node: &Node, found: &[(Box<str>, Value)]) -> bool {
    match found.iter().find(|(name, _)| *name == member.name) {
        None => member.presence != Presence::Required,
        Some((_, value)) => member.point(Some(value)) == PointRef::Unspecified || node.holds(value),
    }
}

impl Others {
    /// Whether the member is declared, or admitted beside those that are.
    fn hold(&self, members: &[(Member, Node)], name: &str, value: &Value) -> bool {
        match self {
            Others::Open => true,
            Others::Closed | Others::Typed(_) if members.iter().any(|(member, _)| *member.name == *name) => true,
            Others::Closed => false,
            Others::Typed(of) => of.holds(value),
        }
    }
}

#[cfg(test)]
mod tests;
