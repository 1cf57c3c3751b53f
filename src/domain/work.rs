//! Bounds on work, in units and never in time, so that a verdict is the same everywhere.

use std::fmt;

/// What the algebra may still spend.
///
/// A pattern may have so many states, a product of automata so many, and all questions asked with one `Work` together so
/// many units (a unit is about one state, one cell or one combination of cells).
#[derive(Clone, Debug)]
pub struct Work {
    /// States of one pattern's automaton.
    pub pattern_states: usize,
    /// States (and cells) of one product.
    pub product_states: usize,
    left: u64,
}

/// A bound was hit: the question is not answered. Refuse, never guess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// What was too large: `a pattern of more than 4096 states`.
    pub what: String,
}

impl Work {
    /// The bounds of the language: 4,096 states a pattern, 50,000 a product.
    pub fn new() -> Work {
        Work { pattern_states: 4_096, product_states: 50_000, left: 50_000_000 }
    }

    /// Takes `units`.
    ///
    /// # Errors
    /// [`Bound`] when there are not so many left.
    pub fn spend(&mut self, units: usize, what: &str) -> Result<(), Bound> {
        match self.left.checked_sub(units as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Bound::new(what)),
        }
    }

    /// Takes a unit, and checks `size` against the bound of one product.
    ///
    /// # Errors
    /// [`Bound`] when either is used up.
    pub fn product(&mut self, size: usize, what: &str) -> Result<(), Bound> {
        if size > self.product_states {
            return Err(Bound::new(&format!("{what} of more than {} states", self.product_states)));
        }
        self.spend(1, what)
    }
}

impl Default for Work {
    fn default() -> Work {
        Work::new()
    }
}

impl Bound {
    /// A bound on `what`.
    pub fn new(what: &str) -> Bound {
        Bound { what: what.to_owned() }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Bound {}
