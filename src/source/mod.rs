//! Texts → spans, lines and columns. Knows nothing else.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Index of a file in a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

/// A half-open range of byte offsets in one file. Always on scalar boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(from = "(u32, u32, u32)", into = "(u32, u32, u32)")]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl From<(u32, u32, u32)> for Span {
    fn from((file, start, end): (u32, u32, u32)) -> Span {
        Span { file: FileId(file), start, end }
    }
}

impl From<Span> for (u32, u32, u32) {
    fn from(span: Span) -> (u32, u32, u32) {
        (span.file.0, span.start, span.end)
    }
}

impl Span {
    /// A span over `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: clamp(start), end: clamp(end) }
    }

    /// The smallest span that holds both; `self` alone when the files differ.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether `other` begins in it.
    pub fn holds(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.start <= self.end
    }

    /// The offsets as a range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

fn clamp(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// A place for people: line and column from 1, columns in Unicode scalars.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file's name as it was given.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column in Unicode scalars, from 1.
    pub column: u32,
}

/// One text with its name.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name as given (a path, `<stdin>`, or `std/…` for the shipped library).
    pub name: Arc<str>,
    /// The text.
    pub text: Arc<str>,
    line_starts: Vec<u32>,
}

impl Source {
    fn new(name: Arc<str>, text: Arc<str>) -> Source {
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| clamp(i + 1)));
        Source { name, text, line_starts }
    }

    /// Line (from 0) that holds the byte `offset`.
    pub fn line_of(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The text of line `line` (from 0), without its line end.
    pub fn line_text(&self, line: usize) -> &str {
        let start = self.line_starts.get(line).map_or(self.text.len(), |s| *s as usize);
        let end = self.line_starts.get(line + 1).map_or(self.text.len(), |s| *s as usize);
        self.text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// Byte offset at which line `line` (from 0) starts.
    pub fn line_start(&self, line: usize) -> u32 {
        self.line_starts.get(line).copied().unwrap_or(clamp(self.text.len()))
    }
}

/// All texts of one run. Append-only; a [`FileId`] stays valid.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Adds a text and gives its id.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> FileId {
        let id = FileId(clamp(self.files.len()));
        self.files.push(Source::new(name.into(), text.into()));
        id
    }

    /// The file `id`, if it is one of ours.
    pub fn get(&self, id: FileId) -> Option<&Source> {
        self.files.get(id.0 as usize)
    }

    /// All files in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(i, s)| (FileId(clamp(i)), s))
    }

    /// The text under `span`, or `""`.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|s| s.text.get(span.range())).unwrap_or("")
    }

    /// Where `span` begins, for people.
    pub fn location(&self, span: Span) -> Location {
        let Some(source) = self.get(span.file) else {
            return Location { file: "<unknown>".into(), line: 1, column: 1 };
        };
        let line = source.line_of(span.start);
        let before = source.text.get(source.line_start(line) as usize..span.start as usize).unwrap_or("");
        Location { file: source.name.clone(), line: clamp(line + 1), column: clamp(before.chars().count() + 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_scalars_and_lines_start_at_one() {
        let mut sources = Sources::default();
        let file = sources.add("a.bwk", "é x\nsecond");
        let at = |start| {
            let l = sources.location(Span::new(file, start, start));
            (l.line, l.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(3), (1, 3));
        assert_eq!(at(5), (2, 1));
    }
}
