//! Nested parts of types, sets and values as they are read from bytes: so deep and no deeper, whatever the bytes say. Knows
//! no format.

use serde::de::{Deserialize, Deserializer, Error};
use std::cell::Cell;

/// How deep types, sets and values may nest in bytes.
const DEEPEST: u32 = 96;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Reads a part one level further in.
pub(super) fn nested<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    let depth = DEPTH.get();
    if depth >= DEEPEST {
        return Err(D::Error::custom("nested too deep"));
    }
    DEPTH.set(depth.saturating_add(1));
    let read = T::deserialize(from);
    DEPTH.set(depth);
    read
}
