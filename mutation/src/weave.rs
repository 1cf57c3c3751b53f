//! A file and some of its sites → the file with a switch at each. Knows no kinds.

use crate::sites::Site;

/// A site with its number, from 1.
pub type Numbered<'s> = (usize, &'s Site);

/// Keeps of `sites` (any order) those that do not overlap one kept before.
pub fn apart<'s>(sites: impl IntoIterator<Item = &'s Site>) -> Vec<&'s Site> {
    let mut kept: Vec<&Site> = Vec::new();
    for site in sites {
        let clear = |k: &&Site| k.range.end <= site.range.start || site.range.end <= k.range.start;
        if kept.iter().all(clear) {
            kept.push(site);
        }
    }
    kept
}

/// The text with every site replaced.
pub fn weave(text: &str, sites: &[Numbered]) -> String {
    let mut ordered = sites.to_vec();
    ordered.sort_by_key(|(_, s)| std::cmp::Reverse(s.range.start));
    let mut out = text.to_owned();
    for (number, site) in ordered {
        out.replace_range(site.range.clone(), &site.text.replace("{on}", &format!("crate::mutant({number})")));
    }
    out
}

/// What the library is given so that one mutant at a time is on: the one of the environment's `MUTANT`.
pub const SWITCH: &str = r#"
/// Whether the mutant of this number is on.
#[allow(missing_docs, dead_code)]
pub(crate) fn mutant(number: usize) -> bool {
    static ON: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *ON.get_or_init(|| std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0)) == number
}
"#;
