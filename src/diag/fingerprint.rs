//! Findings → marks that stay the same when lines move: made of the rule, the file and the text of the line, with a number where
//! several are alike. Knows no policies.

use super::Diagnostic;
use crate::source::Sources;
use std::collections::BTreeMap;

/// One mark per finding, all distinct: `9d2b1f0c6a57e843:1`.
pub fn fingerprints(found: &[Diagnostic], sources: &Sources) -> Vec<String> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    let mark = |one: &Diagnostic| {
        let span = one.primary.span;
        let source = sources.get(span.file);
        let line = source.map_or("", |s| s.line_text(s.line_of(span.start)));
        let words: Vec<&str> = line.split_whitespace().collect();
        let file = source.map_or("", |s| &*s.name);
        let file = file.strip_prefix("./").unwrap_or(file).replace('\\', "/");
        let hash = fnv(&[one.code.id(), &file, &words.join(" "), sources.text(span)]);
        let count = counts.entry(hash).or_default();
        *count += 1;
        format!("{hash:016x}:{count}")
    };
    found.iter().map(mark).collect()
}

/// FNV-1a over the parts, a byte that no UTF-8 has between them: <http://www.isthe.com/chongo/tech/comp/fnv/>.
fn fnv(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
