//! The reference evaluator against the cases, the generator, and the compiled path.

mod admitted;
mod compile;
mod conformance;
mod differential;
mod generated;
