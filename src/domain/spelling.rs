//! Three ways in which a string can be of a type: as one reading, as one that two readers may take differently, or not at
//! all. Knows no type.

/// What a string is, read as a value of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Spelling<T> {
    /// Every reader takes it so.
    Plain(T),
    /// Of the type, but two readers may take it differently: it lies in no set.
    Ambiguous,
    /// Not of the type.
    Malformed,
}

impl<T> Spelling<T> {
    /// The reading, if there is one that all share.
    pub(super) fn plain(self) -> Option<T> {
        match self {
            Spelling::Plain(value) => Some(value),
            Spelling::Ambiguous | Spelling::Malformed => None,
        }
    }

    /// Whether the string is of the type.
    pub(super) fn is_well_formed(&self) -> bool {
        !matches!(self, Spelling::Malformed)
    }
}
