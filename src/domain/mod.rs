//! The algebra of constraints: types, sets of values, membership, meet, emptiness, witnesses. Mathematics only: no
//! text of policies, no spans, no names of tools.
//!
//! A [`Type`] says which values are well-formed; a [`Set`] is a Boolean combination of [`Atom`]s over one type; a [`Slot`]
//! adds the points that are no values (absent, null, unspecified) of one argument or member.
//!
//! [`Matcher`] answers *is this value in this set* at the call; [`cells()`] answers every question about sets alone: it lists
//! the truth vectors that some value realises, each with a lightest witness.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod argv;
mod automaton;
mod bits;
mod blind;
mod boxes;
mod canonical;
mod cells;
mod composite;
mod dimension;
mod disjoint;
mod email;
mod finite;
mod form;
mod formed;
mod host;
mod interval;
mod ip;
mod lift;
mod list;
mod map;
mod matcher;
mod membership;
mod nested;
mod number;
mod parsed;
mod path;
mod product;
mod question;
mod record;
mod render;
pub mod search;
mod seen;
mod sequence;
mod set;
mod shape;
mod slot;
mod spelling;
mod text;
mod texts;
mod time;
mod tree;
mod ty;
mod union;
mod url;
mod value;
#[cfg(test)]
mod vectors_tests;
mod weight;
mod words;
mod work;

pub use bits::Bits;
pub use canonical::canonical;
pub use cells::{Cell, cells};
pub(crate) use dimension::at_every;
pub use dimension::{Call, Naming, Product, Shape, Stopped};
pub use disjoint::disjoint;
pub use email::canonical_email_pattern;
pub use form::Form;
pub use formed::{Fault, well_formed};
pub use host::canonical_host_pattern;
pub use ip::canonical_cidr;
pub use lift::{Lift, lift, lift_limit, lift_of_what_is_there, lift_one_element};
pub use matcher::Matcher;
pub use membership::Membership;
pub use number::NumberError;
pub(crate) use number::Short;
pub use path::canonical_path_glob;
pub use question::{counterexample, includes, is_empty, is_whole, permitted, witness};
pub use render::render_set;
pub(crate) use seen::{Form as SeenForm, Seen, is_respelled, see};
pub use set::{Atom, Class, Comparison, Part, Pattern, PatternNode, Range, Set, Size, Slot, Step};
pub use slot::{PointCell, PointRef, SlotMatcher, slot_cells, slot_contains};
pub(crate) use texts::{Mark, Texts, hash};
pub use time::{parse_time, time_text};
pub use ty::{Default, Kind, Member, NumberKind, Presence, Rest, TimeKind, Type};
pub use url::canonical_url_pattern;
pub use value::{Decimal, Point, Value};
pub use weight::{compact, quoted, weight};
pub use work::{Bound, Work};

#[cfg(test)]
mod laws;
