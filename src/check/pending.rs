//! Spellings of kinds that the domain does not read yet: refused honestly until it does. Knows nothing else.

use crate::domain::{Pattern, Type};

macro_rules! pending {
    ($($name:ident)*) => {
        $(pub fn $name(_: &str) -> Result<Box<str>, Box<str>> {
            Err("this kind of pattern is not read yet".into())
        })*
    };
}

pending! { canonical_host_pattern canonical_url_pattern canonical_path_glob canonical_email_pattern canonical_cidr }

pub fn disjoint(_: &Type, _: &Type) -> bool {
    true
}

pub fn parse_pattern(_: &str) -> Result<Pattern, (std::ops::Range<usize>, String)> {
    Err((0..0, "patterns are not read yet".to_owned()))
}
