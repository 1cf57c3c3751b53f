//! `std.NAME` → the shipped vocabulary's text. The library is part of the binary: no search path decides what `std` means.

/// Name and text of every shipped vocabulary, sorted by name.
static LIBRARY: &[(&str, &str)] = &[
    ("agents", include_str!("../../stdlib-policies/agents/vocabulary.bwk")),
    ("browser", include_str!("../../stdlib-policies/browser/vocabulary.bwk")),
    ("filesystem", include_str!("../../stdlib-policies/filesystem/vocabulary.bwk")),
    ("mail", include_str!("../../stdlib-policies/mail/vocabulary.bwk")),
    ("payments", include_str!("../../stdlib-policies/payments/vocabulary.bwk")),
    ("process", include_str!("../../stdlib-policies/process/vocabulary.bwk")),
    ("sql", include_str!("../../stdlib-policies/sql/vocabulary.bwk")),
    ("terminal", include_str!("../../stdlib-policies/terminal/vocabulary.bwk")),
    ("tmux", include_str!("../../stdlib-policies/tmux/vocabulary.bwk")),
    ("web", include_str!("../../stdlib-policies/web/vocabulary.bwk")),
];

/// The text of `std.NAME`.
pub fn library(name: &str) -> Option<&'static str> {
    LIBRARY.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// Every `NAME` for which `import std.NAME` works.
pub fn library_names() -> impl Iterator<Item = &'static str> {
    LIBRARY.iter().map(|(name, _)| *name)
}
