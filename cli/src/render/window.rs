//! A source and the spans to show → a text of the same lines that is safe to draw, and where the spans lie in it.
//!
//! Lines that no span touches are left empty, lines over 200 columns keep a stretch around their first span, and characters
//! that would move the cursor or reorder the line are shown as one visible character each. Places count characters.

use bailiwick::source::{Source, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// Columns of a line that are drawn.
const COLUMNS: usize = 200;
/// Columns kept before the first span of a clipped line.
const BEFORE: usize = 60;

/// What is drawn of one file.
pub struct Window {
    /// The file's name, safe to print.
    pub name: String,
    /// The text to draw.
    pub text: String,
    lines: BTreeMap<usize, Line>,
    source: Source,
}

/// How one line stands in the window.
struct Line {
    /// Characters of the window's text before it.
    at: usize,
    /// The characters of the original line that are kept.
    kept: Range<usize>,
    /// Characters put before the kept ones (an ellipsis).
    lead: usize,
}

impl Window {
    /// The lines that the spans touch.
    pub fn new(source: &Source, spans: &[Span]) -> Window {
        let mut focus: BTreeMap<usize, usize> = BTreeMap::new();
        for span in spans {
            let (first, column) = position(source, span.start);
            let (last, _) = position(source, span.end.max(span.start));
            focus.entry(first).and_modify(|c| *c = column.min(*c)).or_insert(column);
            // Of a span over many lines the two ends are enough; what lies between is drawn as it is, if it is short.
            for line in (first + 1..=last).take(SPANNED).chain([last]) {
                focus.entry(line).or_insert(0);
            }
        }
        let mut window =
            Window { name: visible(&source.name), text: String::new(), lines: BTreeMap::new(), source: source.clone() };
        let mut at = 0;
        let end = focus.last_key_value().map_or(0, |(line, _)| line + 1);
        for line in 0..end {
            if let Some(column) = focus.get(&line) {
                at += window.draw(line, *column, at);
            }
            window.text.push('\n');
            at += 1;
        }
        window
    }

    fn draw(&mut self, line: usize, column: usize, at: usize) -> usize {
        let text = self.source.line_text(line);
        let length = text.chars().count();
        let from = if length <= COLUMNS { 0 } else { column.saturating_sub(BEFORE) };
        let kept = from..length.min(from + COLUMNS);
        let lead = usize::from(kept.start > 0);
        let body: String = text.chars().skip(kept.start).take(kept.len()).map(shown).collect();
        let before = self.text.len();
        if lead > 0 {
            self.text.push('…');
        }
        self.text.push_str(&body);
        if kept.end < length {
            self.text.push('…');
        }
        let drawn = self.text[before..].chars().count();
        self.lines.insert(line, Line { at, kept, lead });
        drawn
    }

    /// Where `span` lies in the text, in characters; never empty where there is a character to show.
    pub fn place(&self, span: Span) -> Range<usize> {
        let start = self.offset(span.start);
        let end = self.offset(span.end.max(span.start));
        let total = self.text.chars().count();
        start.min(total)..end.max(start + 1).min(total)
    }

    fn offset(&self, byte: u32) -> usize {
        let (line, column) = position(&self.source, byte);
        match self.lines.get(&line) {
            Some(l) => l.at + l.lead + column.clamp(l.kept.start, l.kept.end) - l.kept.start,
            None => self.text.chars().count(),
        }
    }
}

/// Lines of a long span that are drawn.
const SPANNED: usize = 20;

/// Line and column in characters, from 0; an offset inside a character or beyond the text is snapped back.
fn position(source: &Source, byte: u32) -> (usize, usize) {
    let length = u32::try_from(source.text.len()).unwrap_or(u32::MAX);
    let mut offset = byte.min(length) as usize;
    while !source.text.is_char_boundary(offset) {
        offset -= 1;
    }
    let line = source.line_of(u32::try_from(offset).unwrap_or(length));
    let start = source.line_start(line) as usize;
    let column = source.text.get(start..offset).unwrap_or("").chars().count();
    (line, column.min(source.line_text(line).chars().count()))
}

/// A text that can neither move the cursor nor reorder what is around it; line ends and tabs are spaces.
pub fn visible(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { ' ' } else { shown(c) }).collect()
}

fn shown(c: char) -> char {
    match c {
        '\t' => ' ',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => '\u{fffd}',
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => '\u{fffd}',
        _ => c,
    }
}
