//! Boolean combinations of compiled atoms over one value that is read once: all its atoms hold or do not, or, where the
//! value is ambiguous, none is known. Knows no atoms.

use super::{Atom, Bound, Membership, Set};

/// A set whose atoms are compiled.
#[derive(Clone, Debug)]
pub(super) enum Tree<A> {
    /// Every value.
    Any,
    /// No value.
    Never,
    /// One atom.
    Atom(A),
    /// The complement.
    Not(Box<Tree<A>>),
    /// The meet.
    And(Box<[Tree<A>]>),
    /// The union.
    Or(Box<[Tree<A>]>),
}

impl<A> Tree<A> {
    /// Compiles each atom of `set`.
    pub(super) fn compile(set: &Set, atom: &mut impl FnMut(&Atom) -> Result<A, Bound>) -> Result<Tree<A>, Bound> {
        Ok(match set {
            Set::Any => Tree::Any,
            Set::Never => Tree::Never,
            Set::Atom(inner) => Tree::Atom(atom(inner)?),
            Set::Not(inner) => Tree::Not(Box::new(Tree::compile(inner, atom)?)),
            Set::And(parts) => Tree::And(parts.iter().map(|part| Tree::compile(part, atom)).collect::<Result<_, _>>()?),
            Set::Or(parts) => Tree::Or(parts.iter().map(|part| Tree::compile(part, atom)).collect::<Result<_, _>>()?),
        })
    }

    /// Kleene's logic over what each atom says.
    pub(super) fn read(&self, atom: &impl Fn(&A) -> Membership) -> Membership {
        match self {
            Tree::Any => Membership::In,
            Tree::Never => Membership::Out,
            Tree::Atom(inner) => atom(inner),
            Tree::Not(inner) => inner.read(atom).complement(),
            Tree::And(parts) => Membership::all(parts.iter().map(|part| part.read(atom))),
            Tree::Or(parts) => Membership::any(parts.iter().map(|part| part.read(atom))),
        }
    }

    /// Of a value that two readers may take differently.
    pub(super) fn ambiguous(&self) -> Membership {
        self.read(&|_| Membership::Ambiguous)
    }
}

/// Whether the set holds where none of its atoms does.
pub(super) fn holds_of_nothing(set: &Set) -> bool {
    match set {
        Set::Any => true,
        Set::Never | Set::Atom(_) => false,
        Set::Not(inner) => !holds_of_nothing(inner),
        Set::And(parts) => parts.iter().all(holds_of_nothing),
        Set::Or(parts) => parts.iter().any(holds_of_nothing),
    }
}
