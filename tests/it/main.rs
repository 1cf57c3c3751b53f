//! The integration tests, one binary: each module asks one kind of question.

mod admit;
mod certificate;
mod claims;
mod closed;
mod conformance;
mod decide;
mod diff;
mod hostile;
mod import;
mod narrowing;
mod policies;
mod proof;
mod slips;
mod surface;
mod syntax;
mod tidy;
mod ui;
