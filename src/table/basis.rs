//! What overlays are proved against → the third part of a table, and back: the policy as verified, and of its sources the
//! words that messages quote, each where it stood. So a host that has a table and no sources can admit an overlay.

use super::{LoadError, Table, build};
use crate::policy::{Policy, Shown};
use crate::source::{FileId, Sources, Span};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A policy as verified, with what is left of its sources.
#[derive(Clone, Debug)]
pub struct Basis {
    /// The policy.
    pub policy: Arc<Policy>,
    /// Where its words stand.
    pub sources: Sources,
}

/// The part as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    policy: Policy,
    /// Name and what is left of the text.
    files: Vec<(String, String)>,
}

impl Basis {
    /// The bytes of the part.
    ///
    /// # Errors
    /// [`LoadError::Deep`]: nested too deep to be read again.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, LoadError> {
        let mut policy = Policy { tests: Vec::new(), skills: Vec::new(), ..(*self.policy).clone() };
        let files = quoted(&mut policy, &self.sources);
        let bytes = serde_json::to_vec(&Written { policy, files }).map_err(|_| LoadError::Part { part: "basis" })?;
        serde_json::from_slice::<Written>(&bytes).map_err(|_| LoadError::Deep)?;
        Ok(bytes)
    }

    /// The basis in the bytes of the part, if it is that of `table`.
    pub(super) fn read(bytes: &[u8], table: &Table) -> Result<Basis, LoadError> {
        if bytes.is_empty() {
            return Err(LoadError::NoBasis);
        }
        let written: Written = serde_json::from_slice(bytes).map_err(|_| LoadError::Part { part: "basis" })?;
        let mut sources = Sources::default();
        for (name, text) in written.files {
            sources.add(name, text);
        }
        let basis = Basis { policy: Arc::new(written.policy), sources };
        // What decides is the meaning; a basis of anything else would prove something else.
        if build::digest_as(&basis.policy, &basis.sources, table.model()) != table.digest() {
            return Err(LoadError::Inconsistent("the basis is not that of the meaning"));
        }
        Ok(basis)
    }
}

/// The texts of `sources` with everything blanked that no message quotes; the spans of `policy` follow.
fn quoted(policy: &mut Policy, sources: &Sources) -> Vec<(String, String)> {
    let mut words: BTreeMap<FileId, Vec<(u32, u32)>> = BTreeMap::new();
    let mut places: BTreeMap<FileId, BTreeSet<u32>> = BTreeMap::new();
    policy.visit_spans(&mut |span, shown| {
        if shown == Shown::Place {
            span.end = span.start;
        }
        words.entry(span.file).or_default().push((span.start, span.end));
        places.entry(span.file).or_default().extend([span.start, span.end]);
    });
    let mut files = Vec::new();
    let mut moved: BTreeMap<(FileId, u32), u32> = BTreeMap::new();
    for (id, source) in sources.iter() {
        let places = places.remove(&id).unwrap_or_default();
        let (text, new) = blanked(&source.text, words.remove(&id).unwrap_or_default(), &places);
        moved.extend(places.into_iter().zip(new).map(|(old, new)| ((id, old), new)));
        files.push((source.name.to_string(), text));
    }
    policy.visit_spans(&mut |span, _| {
        let to = |at: u32| moved.get(&(span.file, at)).copied().unwrap_or(0);
        *span = Span { file: span.file, start: to(span.start), end: to(span.end) };
    });
    files
}

/// `text` with blanks in place of what lies outside `words`, and where each of `places` stands in it. Lines and columns stay.
fn blanked(text: &str, mut words: Vec<(u32, u32)>, places: &BTreeSet<u32>) -> (String, Vec<u32>) {
    words.sort_unstable();
    let (mut out, mut new, mut blanks) = (String::new(), Vec::new(), 0usize);
    let mut places = places.iter().copied().peekable();
    let (mut next, mut until) = (0usize, 0u32);
    let ends = std::iter::once((text.len(), '\n'));
    for (at, letter) in text.char_indices().chain(ends) {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        while let Some((_, end)) = words.get(next).filter(|(start, _)| *start <= at) {
            until = until.max(*end);
            next = next.saturating_add(1);
        }
        if places.peek().is_some_and(|place| *place <= at) {
            out.extend(std::iter::repeat_n(' ', std::mem::take(&mut blanks)));
            while places.next_if(|place| *place <= at).is_some() {
                new.push(u32::try_from(out.len()).unwrap_or(u32::MAX));
            }
        }
        if letter == '\n' {
            blanks = 0;
            out.push('\n');
        } else if at < until {
            out.extend(std::iter::repeat_n(' ', std::mem::take(&mut blanks)));
            out.push(letter);
        } else {
            blanks = blanks.saturating_add(1);
        }
    }
    // One line end was ours.
    out.pop();
    (out, new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_quoted_is_blank_and_nothing_moves() {
        let text = "// é secret\nagent a { x = \"é\" } // tail\r\nlast";
        let (start, end) = (text.find("\"é\"").unwrap(), text.find(" } //").unwrap());
        let place = text.find("agent").unwrap();
        let places = BTreeSet::from([place, start, end].map(|at| u32::try_from(at).unwrap()));
        let words = vec![(u32::try_from(start).unwrap(), u32::try_from(end).unwrap())];
        let (out, new) = blanked(text, words, &places);
        assert_eq!(out, "\n              \"é\"\n");
        let [place, start, end] = new[..] else { panic!("{new:?}") };
        assert_eq!(place, 1);
        assert_eq!(&out[start as usize..end as usize], "\"é\"");
    }
}
