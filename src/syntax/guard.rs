//! Text and tokens → what must not go further: sizes, nesting, characters that hide, quotes and comments of other languages.
//! Everything that recurses runs after this.

use super::draft::Change;
use super::repair::bare_text;
use super::token::{Token, TokenKind};
use crate::diag::{Code, Diagnostic, Edit, Fix};
use crate::source::{FileId, Span};
use std::ops::Range;

/// The largest file, in bytes.
pub(super) const MAX_FILE: usize = 10 << 20;
/// The largest declaration, in bytes.
pub(super) const MAX_DECLARATION: usize = 1 << 20;
/// How deep brackets may nest, and how many `of`, `each`, `list` may follow one another.
pub(super) const MAX_DEPTH: usize = 64;

/// How many slips of a file are told one by one.
const MAX_SLIPS: usize = 1_000;

/// A slip below the grammar, and what to read instead so that the rest can be read.
#[derive(Clone, Debug)]
pub(super) struct Slip {
    pub finding: Diagnostic,
    /// Where, in bytes of the file.
    pub range: Range<usize>,
    /// What to read instead, when that is what was meant; otherwise the declaration's own errors are not to be trusted.
    pub reading: Option<Change>,
}

/// Everything wrong with characters and tokens, in order.
pub(super) fn slips(file: FileId, text: &str, tokens: &[Token]) -> Vec<Slip> {
    let mut found = Vec::new();
    hidden_characters(file, text, tokens, &mut found);
    let mut commented = 0;
    for (i, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind.is_slip()) {
        let range = token.start..token.end;
        if range.start < commented {
            continue;
        }
        if found.len() >= MAX_SLIPS {
            break;
        }
        match token.kind {
            TokenKind::OpenComment => {
                commented = text[range.start..].find("*/").map_or(text.len(), |i| range.start + i + 2);
                found.push(block_comment(file, text, range.start..commented));
            }
            TokenKind::SmartQuoted | TokenKind::SingleQuoted => found.push(wrong_quotes(file, token.of(text), range)),
            TokenKind::HashComment => found.push(hash_comment(file, token.of(text), range)),
            TokenKind::BlockComment => found.push(block_comment(file, text, range)),
            TokenKind::Unknown => {
                let slip = unknown(file, text, tokens, i);
                commented = slip.as_ref().map_or(commented, |slip| slip.range.end);
                found.extend(slip);
            }
            _ => {} // in order, or for the grammar to refuse
        }
    }
    found.sort_by_key(|s| (s.range.start, s.range.end));
    found
}

fn slip(finding: Diagnostic, range: Range<usize>, reading: Option<&str>) -> Slip {
    Slip { finding, range: range.clone(), reading: reading.map(|text| Change::new(range, text)) }
}

fn wrong_quotes(file: FileId, written: &str, range: Range<usize>) -> Slip {
    let inner: String = written.chars().skip(1).take(written.chars().count().saturating_sub(2)).collect();
    let mended = format!("\"{}\"", inner.replace('\\', "\\\\").replace('"', "\\\""));
    let which = if written.starts_with('\'') { "single" } else { "typographic" };
    let finding = Diagnostic::new(Code::WRONG_QUOTES, span(file, &range), format!("{which} quotes: strings stand in `\"`"))
        .fix("write straight double quotes", span(file, &range), mended.clone());
    slip(finding, range, Some(&mended))
}

fn hash_comment(file: FileId, written: &str, range: Range<usize>) -> Slip {
    let sign = range.start..range.start + 1;
    let finding = Diagnostic::new(Code::FOREIGN_COMMENT, span(file, &sign), "`#` begins no comment")
        .help("comments begin with `//`")
        .fix("write `//`", span(file, &sign), "//");
    let mended = format!("//{}", written.get(1..).unwrap_or(""));
    slip(finding, range, Some(&mended))
}

/// `/* … */`: at the end of a line it can be written `// …`.
fn block_comment(file: FileId, text: &str, range: Range<usize>) -> Slip {
    let sign = range.start..range.start + 2;
    let mut finding = Diagnostic::new(Code::FOREIGN_COMMENT, span(file, &sign), "`/*` begins no comment")
        .help("comments begin with `//` and end with the line");
    let rest = text[range.end..].lines().next().unwrap_or("").trim();
    let one_line = !text[range.clone()].contains('\n') && text[range.clone()].ends_with("*/");
    if one_line && (rest.is_empty() || rest.starts_with("//")) {
        let end = Edit { span: span(file, &(range.end - 2..range.end)), replacement: String::new() };
        let edits = vec![Edit { span: span(file, &sign), replacement: "//".to_owned() }, end];
        finding.fixes.push(Fix { title: "write `//`".to_owned(), edits, machine_applicable: true });
    }
    slip(finding, range, Some(" "))
}

/// A character that no token begins with; of several in a row the first speaks for all.
fn unknown(file: FileId, text: &str, tokens: &[Token], i: usize) -> Option<Slip> {
    let token = &tokens[i];
    if i > 0 && tokens[i - 1].kind == TokenKind::Unknown && tokens[i - 1].end == token.start {
        return None;
    }
    let run = tokens[i..].iter().take_while(|t| t.kind == TokenKind::Unknown).count();
    let range = token.start..tokens[i + run - 1].end;
    let written = text.get(range.clone()).unwrap_or("");
    if written.chars().all(|c| is_hidden(c) || is_control(c)) {
        return None; // reported with the hidden characters
    }
    if let Some(run) = bare_text(text, token.start).filter(|run| run.start <= range.start && run.len() > range.len()) {
        return Some(bare(file, text, run));
    }
    let shown: String = written.chars().take(20).collect();
    let at = span(file, &range);
    let finding = Diagnostic::new(Code::UNEXPECTED_CHARACTER, at, format!("`{shown}` means nothing here"));
    let blank = written.chars().all(char::is_whitespace);
    let quote = written.chars().all(|c| "“”„‟«»‘’‚‛'".contains(c));
    Some(match (blank, quote) {
        (true, _) => {
            let finding = Diagnostic::new(Code::UNEXPECTED_CHARACTER, at, "white space other than blank, tab and newline");
            slip(finding.fix("write a blank", at, " "), range, Some(" "))
        }
        (_, true) => slip(finding.help("strings stand in straight double quotes, `\"…\"`"), range, None),
        _ if written == "/" => slip(finding.help("comments begin with `//` and end with the line"), range, None),
        _ => slip(finding.help("names of another spelling stand in quotes"), range, None),
    })
}

/// `/work/**`, `a@b.test`: a text without quotes.
fn bare(file: FileId, text: &str, run: Range<usize>) -> Slip {
    let written = text.get(run.clone()).unwrap_or("");
    let quoted = format!("\"{}\"", written.replace('\\', "\\\\"));
    let at = span(file, &run);
    let finding = Diagnostic::new(Code::MISSING_MARK, at, format!("quotes are missing around `{written}`"))
        .note("only names, numbers and dates stand without")
        .fix("quote it", at, quoted.clone());
    slip(finding, run, Some(&quoted))
}

/// Byte-order mark, control characters, bidirectional controls; a bare CR.
fn hidden_characters(file: FileId, text: &str, tokens: &[Token], found: &mut Vec<Slip>) {
    if text.bytes().all(|b| b.is_ascii_graphic() || matches!(b, b' ' | b'\n' | b'\t')) {
        return;
    }
    let mut crs: Vec<Span> = Vec::new();
    for (at, c) in text.char_indices() {
        let range = at..at + c.len_utf8();
        match c {
            '\r' if text[at + 1..].starts_with('\n') => crs.push(span(file, &range)),
            '\u{feff}' if at == 0 => {
                let finding = Diagnostic::new(Code::BYTE_ORDER_MARK, span(file, &range), "a byte-order mark opens the file")
                    .fix("remove it", span(file, &range), "");
                found.push(slip(finding, range, Some("")));
            }
            c if (is_hidden(c) || is_control(c)) && found.len() < MAX_SLIPS => found.push(hidden(file, c, range, tokens)),
            _ => {} // an ordinary character
        }
    }
    found.extend(carriage_returns(&crs));
}

/// One warning for all line ends of the file.
fn carriage_returns(crs: &[Span]) -> Option<Slip> {
    let first = *crs.first()?;
    let mut finding = Diagnostic::new(Code::CRLF, first, "lines end in CR LF").help("`bailiwick fmt` writes LF");
    finding.fixes.push(Fix {
        title: "end all lines in LF".to_owned(),
        edits: crs.iter().map(|span| Edit { span: *span, replacement: String::new() }).collect(),
        machine_applicable: true,
    });
    Some(Slip { finding, range: first.range(), reading: None })
}

fn hidden(file: FileId, c: char, range: Range<usize>, tokens: &[Token]) -> Slip {
    let code = u32::from(c);
    let at = tokens.partition_point(|t| t.end <= range.start);
    let in_text = tokens.get(at).is_some_and(|t| matches!(t.kind, TokenKind::Text | TokenKind::OpenText));
    let what = if is_hidden(c) { "a character that cannot be seen" } else { "a control character" };
    let finding = Diagnostic::new(Code::HIDDEN_CHARACTER, span(file, &range), format!("{what}: U+{code:04X}"));
    if !in_text {
        // A control may stand for the white space between two words.
        let (title, left) = if is_hidden(c) { ("remove it", "") } else { ("write a blank", " ") };
        return slip(finding.fix(title, span(file, &range), left), range, Some(left));
    }
    let escape = format!("\\u{code:04x}");
    let finding = finding.note("inside a string it must be escaped").fix(
        format!("write `{escape}`"),
        span(file, &range),
        escape.clone(),
    );
    slip(finding, range, Some(&escape))
}

/// Controls of writing direction, and the byte-order mark inside a text.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn is_control(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Where a piece nests too deep.
pub(super) fn too_deep(text: &str, tokens: &[Token]) -> Option<Token> {
    let mut depth = 0usize;
    let mut run = 0usize;
    for token in tokens {
        match token.kind {
            TokenKind::Newline => {}
            kind if kind.is_trivia() => {}
            TokenKind::Word if matches!(token.of(text), "of" | "each" | "list" | "map" | "or") => run += 1,
            TokenKind::Word => run = 0,
            kind => {
                run = 0;
                if kind.opens() {
                    depth += 1;
                } else if kind.opener().is_some() {
                    depth = depth.saturating_sub(1);
                }
            }
        }
        if depth > MAX_DEPTH || run > MAX_DEPTH {
            return Some(*token);
        }
    }
    None
}

fn span(file: FileId, range: &Range<usize>) -> Span {
    Span::new(file, range.start, range.end)
}
