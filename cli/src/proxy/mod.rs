//! A client on standard input and output, a server as a child process, the policy between them. One thread a direction, one
//! that watches for a side that takes nothing any more; whatever ends, the child is waited for.

mod envelope;
mod gate;
mod lines;
mod paths;
mod record;
mod session;
mod surface;

pub use gate::{Gate, Pass};
pub use record::Arguments;
pub use session::{End, Mode, Session, run};
pub use surface::Shown;
