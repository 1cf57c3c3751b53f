//! A text under repair, and where each of its bytes came from: edits that mend a slip are made on the draft, so that the rest
//! can still be read, while spans go on to speak of what the user wrote.

use std::ops::Range;

/// A replacement in a draft, in the draft's own offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub range: Range<usize>,
    pub text: String,
}

impl Change {
    pub fn new(range: Range<usize>, text: impl Into<String>) -> Change {
        Change { range, text: text.into() }
    }
}

#[derive(Clone, Debug)]
struct Segment {
    /// Where it begins in the draft.
    at: usize,
    len: usize,
    /// What it stands for in the file.
    origin: Range<usize>,
}

/// The text under repair.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub text: String,
    segments: Vec<Segment>,
}

impl Draft {
    /// The unchanged text that begins at byte `base` of its file.
    pub fn new(text: &str, base: usize) -> Draft {
        let whole = Segment { at: 0, len: text.len(), origin: base..base + text.len() };
        Draft { text: text.to_owned(), segments: vec![whole] }
    }

    /// The draft with the changes made. They must not overlap; order is free.
    pub fn with(&self, changes: &[Change]) -> Draft {
        let mut sorted: Vec<&Change> = changes.iter().collect();
        sorted.sort_by_key(|c| (c.range.start, c.range.end));
        let mut next = Draft { text: String::new(), segments: Vec::new() };
        let mut done = 0;
        for change in sorted {
            if change.range.start < done || change.range.end > self.text.len() {
                continue;
            }
            next.copy(self, done..change.range.start);
            let origin = self.start(change.range.start)..self.end(change.range.end);
            next.push(&change.text, if origin.start <= origin.end { origin } else { origin.start..origin.start });
            done = change.range.end;
        }
        next.copy(self, done..self.text.len());
        next
    }

    fn push(&mut self, text: &str, origin: Range<usize>) {
        self.segments.push(Segment { at: self.text.len(), len: text.len(), origin });
        self.text.push_str(text);
    }

    fn copy(&mut self, from: &Draft, range: Range<usize>) {
        for segment in &from.segments {
            let (low, high) = (range.start.max(segment.at), range.end.min(segment.at + segment.len));
            if low >= high {
                continue;
            }
            let copied = segment.len == segment.origin.len();
            let origin = match copied {
                true => segment.origin.start + (low - segment.at)..segment.origin.start + (high - segment.at),
                false => segment.origin.clone(),
            };
            self.push(&from.text[low..high], origin);
        }
    }

    /// The file offset at which something that begins at `offset` of the draft begins.
    pub fn start(&self, offset: usize) -> usize {
        let after = self.segments.partition_point(|s| s.at <= offset);
        let Some(segment) = self.segments.get(after.saturating_sub(1)) else { return 0 };
        match segment.len == segment.origin.len() {
            true => segment.origin.start + (offset - segment.at).min(segment.len),
            false if offset >= segment.at + segment.len => segment.origin.end,
            false => segment.origin.start,
        }
    }

    /// The file offset at which something that ends before `offset` of the draft ends.
    pub fn end(&self, offset: usize) -> usize {
        let after = self.segments.partition_point(|s| s.at < offset);
        let Some(segment) = self.segments.get(after.saturating_sub(1)) else { return 0 };
        match segment.len == segment.origin.len() {
            true => segment.origin.start + (offset - segment.at).min(segment.len),
            false => segment.origin.end,
        }
    }
}
