//! The algebra of constraints: types, sets of values, membership, meet, emptiness, witnesses. Mathematics only: no
//! text of policies, no spans, no names of tools.
//!
//! A [`Type`] says which values are well-formed; a [`Set`] is a Boolean combination of [`Atom`]s over one type; a [`Slot`]
//! adds the points that are no values (absent, null, unspecified) of one argument or member.

mod set;
mod ty;
mod value;

pub use set::{Atom, Class, Comparison, Part, Pattern, PatternNode, Range, Set, Size, Slot, Step};
pub use ty::{Default, Kind, Member, NumberKind, Presence, Rest, TimeKind, Type};
pub use value::{Decimal, Point, Value};
