//! Three answers to *is this value in this set*, and their logic (Kleene's).

/// Whether a value lies in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Membership {
    /// It does.
    In,
    /// It does not.
    Out,
    /// Two readers may read the value differently; it lies in no set, a complement included.
    Ambiguous,
}

impl Membership {
    /// `In` if `holds`, else `Out`.
    pub fn of(holds: bool) -> Membership {
        if holds { Membership::In } else { Membership::Out }
    }

    /// Whether it is `In`.
    pub fn is_in(self) -> bool {
        self == Membership::In
    }

    /// Of the complement.
    #[must_use]
    pub fn complement(self) -> Membership {
        match self {
            Membership::In => Membership::Out,
            Membership::Out => Membership::In,
            Membership::Ambiguous => Membership::Ambiguous,
        }
    }

    /// Of a meet: out of any is out, else ambiguous in any is ambiguous.
    pub fn all(parts: impl IntoIterator<Item = Membership>) -> Membership {
        let mut so_far = Membership::In;
        for part in parts {
            match part {
                Membership::Out => return Membership::Out,
                Membership::Ambiguous => so_far = Membership::Ambiguous,
                Membership::In => {}
            }
        }
        so_far
    }

    /// Of a union: in any is in, else ambiguous in any is ambiguous.
    pub fn any(parts: impl IntoIterator<Item = Membership>) -> Membership {
        Membership::all(parts.into_iter().map(Membership::complement)).complement()
    }
}
