//! `std.NAME` → the shipped vocabulary's text. The library is part of the binary: no search path decides what `std` means.

/// Name and text of every shipped vocabulary, sorted by name.
static LIBRARY: &[(&str, &str)] = &[("terminal", include_str!("../../stdlib-policies/terminal/vocabulary.bwk"))];

/// The text of `std.NAME`.
pub fn library(name: &str) -> Option<&'static str> {
    LIBRARY.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// Every `NAME` for which `import std.NAME` works.
pub fn library_names() -> impl Iterator<Item = &'static str> {
    LIBRARY.iter().map(|(name, _)| *name)
}
