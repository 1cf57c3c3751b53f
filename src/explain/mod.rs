//! Decision → JSON under the names of decision.md, and prose for people. Decides nothing.

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

mod grid;
mod json;
mod message;

pub use grid::{Demand, Grade, Grid, GridRow, Place, Withheld, grid};
pub use json::{because_json, decision_json, decision_line, decision_value};
pub use message::{message, reason_sentence};
