//! A call's bytes → its verdict in one pass over fixed memory, where that is possible: most calls. It asks the plan's own
//! tests and nothing else, so there is one list of what is permitted; where it cannot tell, it says so (`Odd`), and the
//! general path decides. Must never answer otherwise than the general path would.

mod judge;
mod program;
mod read;

pub(crate) use judge::{Answer, Quick};
pub(crate) use program::Program;
pub(crate) use read::{Fit, Slots, read};
