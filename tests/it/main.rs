//! The integration tests, one binary: each module asks one kind of question.

mod syntax;
mod tidy;
mod ui;
