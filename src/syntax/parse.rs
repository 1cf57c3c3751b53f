//! One file → ast: the guard, the cut, then each declaration on its own; what cannot be read is reported once and dropped.

use super::ast::{Broken, File, Mended};
use super::cut::{self, Piece};
use super::draft::{Change, Draft};
use super::grammar;
use super::guard;
use super::lower::{Lower, Lowered};
use super::repair::{self, Effort};
use super::token::{Token, TokenKind, tokens};
use crate::diag::{Code, Diagnostic, Severity, Sink};
use crate::source::{FileId, Sources, Span};

/// How many mistakes of one declaration are mended before the rest of it is given up.
const MAX_MENDED: usize = 20;
/// That the brackets do not balance says nothing new where a guess about another mistake was wrong.
const BALANCE: [Code; 2] = [Code::UNCLOSED_BRACKET, Code::UNOPENED_BRACKET];
/// How many bytes may be read again in the search for what was meant: at least, and for each byte of the file.
const LEAST_EFFORT: usize = 4 << 20;
const EFFORT_PER_BYTE: usize = 8;
/// How many declarations share a part of that effort.
const SHARE: usize = 256;
/// How many shares are read before it is asked whether to go on, and from how many findings on it is not: so that a file that
/// is no policy at all is soon done.
const BATCH: usize = 4;
const MAX_FINDINGS: usize = 1000;
/// From this size on the declarations of a file are read on several threads.
const PARALLEL: usize = 256 << 10;
/// The stack of the thread that parses: pest recurses over nested brackets, whose depth the guard bounds.
const STACK: usize = 64 << 20;

/// Reads one file. Never fails: a declaration that cannot be read gives one finding and an entry in [`File::broken`]; everything
/// else is kept.
pub fn parse(sources: &Sources, file: FileId, sink: &mut Sink) -> File {
    let text = sources.get(file).map_or("", |s| &s.text);
    let (ast, found) = on_deep_stack(&|| read(file, text));
    sink.extend(found);
    ast
}

/// Runs `work` where nesting up to the guard's bound fits, whatever the caller's stack.
pub(super) fn on_deep_stack<T: Send>(work: &(impl Fn() -> T + Sync)) -> T {
    std::thread::scope(|scope| match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => work(), // no thread to be had: the caller's stack must do
    })
}

/// The file's tree and all findings of this room.
pub(super) fn read(file: FileId, text: &str) -> (File, Vec<Diagnostic>) {
    let mut ast = File {
        file,
        language: None,
        imports: Vec::new(),
        items: Vec::new(),
        broken: Vec::new(),
        mended: Vec::new(),
        said: Vec::new(),
    };
    let mut found = Vec::new();
    if text.len() > guard::MAX_FILE {
        let span = Span::new(file, 0, text.chars().next().map_or(0, char::len_utf8));
        let message = format!("the file has {} bytes; at most {} are read", text.len(), guard::MAX_FILE);
        found.push(Diagnostic::new(Code::TOO_LARGE, span, message).help("split it"));
        ast.broken.push(Broken { name: None });
        return (ast, found);
    }
    let tokens = tokens(text);
    let mut slips = guard::slips(file, text, &tokens);
    found.extend(slips.iter().map(|s| s.finding.clone()));
    slips.retain(|s| s.finding.code != Code::CRLF);
    let pieces = cut::cut(text, &tokens);
    let reading = |piece: &Piece| Reading { file, text, tokens: &tokens[piece.tokens.clone()] };
    let read = all_read(&pieces, text.len(), &|piece, effort| reading(piece).read(&slips, effort));
    if let Some(token) = pieces.get(read.len()).and_then(|piece| tokens.get(piece.tokens.start)) {
        let message = format!("the file has more than {MAX_FINDINGS} mistakes: from here on it is not read");
        found.push(Diagnostic::new(Code::TOO_LARGE, Span::new(file, token.start, token.end), message));
        ast.broken.push(Broken { name: None });
    }
    read.into_iter().for_each(|piece| take(&mut ast, piece, &mut found));
    (ast, found)
}

/// What one piece gives.
struct PieceRead {
    lowered: Option<Lowered>,
    /// Where nothing could be read: the name that would have been declared.
    name: Option<String>,
    found: Vec<Diagnostic>,
    /// The lines that were changed to read it.
    changed: Vec<Span>,
    /// The lines of which the tree has only a part.
    said: Vec<Span>,
}

fn take(ast: &mut File, piece: PieceRead, found: &mut Vec<Diagnostic>) {
    found.extend(piece.found);
    match piece.lowered {
        Some(Lowered::Nothing) => {}
        Some(Lowered::Language(version, span)) => {
            if ast.language.is_some() || !ast.imports.is_empty() || !ast.items.is_empty() {
                let message = "`language` stands first in a file, and once";
                found.push(Diagnostic::new(Code::SYNTAX, span, message));
            }
            ast.language = ast.language.or(Some((version, span)));
        }
        Some(Lowered::Import(import)) => ast.imports.push(import),
        Some(Lowered::Item(item)) => {
            ast.said.extend(piece.said);
            if !piece.changed.is_empty() {
                ast.mended.push(Mended { item: ast.items.len(), lines: piece.changed });
            }
            ast.items.push(*item);
        }
        None => ast.broken.push(Broken { name: piece.name }),
    }
}

/// The pieces read, in order, up to the batch in which too much was found. What may be spent on guesses is shared out by place
/// and not by time, so that the same text always gives the same findings.
fn all_read(pieces: &[Piece], bytes: usize, read: &(impl Fn(&Piece, &mut Effort) -> PieceRead + Sync)) -> Vec<PieceRead> {
    let effort = (LEAST_EFFORT + EFFORT_PER_BYTE * bytes) / pieces.len().div_ceil(SHARE).max(1);
    let mut all = Vec::new();
    let mut findings = 0;
    for batch in pieces.chunks(SHARE * BATCH) {
        let done = batch_read(batch, bytes, effort, read);
        findings += done.iter().map(|piece| piece.found.len()).sum::<usize>();
        all.extend(done);
        if findings > MAX_FINDINGS {
            break;
        }
    }
    all
}

/// Every piece read, in order; those of a large file on several threads.
fn batch_read(
    pieces: &[Piece],
    bytes: usize,
    effort: usize,
    read: &(impl Fn(&Piece, &mut Effort) -> PieceRead + Sync),
) -> Vec<PieceRead> {
    let run = |share: &[Piece]| -> Vec<PieceRead> {
        let mut effort = Effort(effort);
        share.iter().map(|piece| read(piece, &mut effort)).collect()
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if bytes < PARALLEL || threads == 1 {
        return pieces.chunks(SHARE).flat_map(run).collect();
    }
    let shares: Vec<&[Piece]> = pieces.chunks(SHARE).collect();
    let every = |first: usize| {
        let mine = shares.iter().enumerate().skip(first).step_by(threads);
        mine.map(|(i, share)| (i, run(share))).collect::<Vec<_>>()
    };
    let mut done = std::thread::scope(|scope| {
        let every = &every;
        let spawn = |first| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || every(first));
        let spawned: Vec<_> = (0..threads).map(|first| (first, spawn(first))).collect();
        let joined = spawned.into_iter().flat_map(|(first, thread)| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => every(first), // no thread to be had
        });
        joined.collect::<Vec<_>>()
    });
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().flat_map(|(_, read)| read).collect()
}

struct Reading<'a> {
    file: FileId,
    text: &'a str,
    /// Those of the piece.
    tokens: &'a [Token],
}

impl Reading<'_> {
    fn read(&self, slips: &[guard::Slip], effort: &mut Effort) -> PieceRead {
        let (mut found, mut changed) = (Vec::new(), Vec::new());
        let lowered = self.declaration(slips, effort, &mut found, &mut changed);
        let name = if lowered.is_none() { self.declared_name() } else { None };
        let said = match changed.is_empty() {
            true => found_lines(self, found.iter().filter(|d| d.severity == Severity::Error).map(|d| d.primary.span)),
            false => Vec::new(), // the changes are judged by what is said of these lines
        };
        PieceRead { lowered, name, found, changed, said }
    }

    fn declaration(
        &self,
        slips: &[guard::Slip],
        effort: &mut Effort,
        found: &mut Vec<Diagnostic>,
        changed: &mut Vec<Span>,
    ) -> Option<Lowered> {
        let (first, last) = (self.tokens.first()?, self.tokens.last()?);
        let range = first.start..last.end;
        if let Some(finding) = self.refused(range.len()) {
            found.push(finding);
            return None;
        }
        let from = slips.partition_point(|s| s.range.start < range.start);
        let inside = slips[from..].iter().take_while(|s| s.range.start < range.end).filter(|s| s.range.end <= range.end);
        let trusted = inside.clone().all(|s| s.reading.is_some());
        let readings: Vec<Change> = inside
            .clone()
            .filter_map(|s| s.reading.clone())
            .map(|c| Change::new(c.range.start - range.start..c.range.end - range.start, c.text))
            .collect();
        let mut draft = Draft::new(self.text.get(range.clone())?, range.start);
        if !readings.is_empty() {
            draft = draft.with(&readings);
            if draft.text.trim().is_empty() {
                return Some(Lowered::Nothing);
            }
        }
        let slipped: Vec<Span> = found_lines(self, inside.map(|s| s.finding.primary.span));
        // How far the statements go of which a mistake was told already.
        let mut told: Option<usize> = None;
        for _ in 0..MAX_MENDED {
            let failure = match grammar::declaration(&draft) {
                Ok(node) => return self.lowered(&draft, node, found, changed),
                Err(failure) => failure,
            };
            let at = draft.start(failure.at);
            if !trusted || slipped.iter().any(|line| line.range().contains(&at)) {
                return None;
            }
            let mended = repair::mend(&draft, self.file, &failure, effort);
            if told.is_some_and(|end| mended.after <= end || BALANCE.contains(&mended.finding.code)) {
                // It follows from the last mistake, whose change was not what was meant.
                found.last_mut().into_iter().for_each(Diagnostic::doubt);
                return None;
            }
            changed.extend(found_lines(self, mended.places()));
            found.push(mended.finding);
            told = Some(mended.until);
            draft = draft.with(&mended.changes?);
        }
        None
    }

    /// The tree of what the grammar reads; nothing where what it says of a changed line is wrong, for then the change was not
    /// what was meant.
    fn lowered(
        &self,
        draft: &Draft,
        node: grammar::Node<'_>,
        found: &mut Vec<Diagnostic>,
        changed: &[Span],
    ) -> Option<Lowered> {
        let mut wrong = Vec::new();
        let lowered = Lower { draft, file: self.file, found: &mut wrong }.declaration(node);
        if wrong.iter().any(|d| changed.iter().any(|lines| lines.holds(d.primary.span))) {
            found.iter_mut().for_each(Diagnostic::doubt);
            return None;
        }
        found.extend(wrong);
        lowered
    }

    /// Too large, or nested too deep.
    fn refused(&self, bytes: usize) -> Option<Diagnostic> {
        let first = self.tokens.iter().find(|t| !t.kind.is_trivia() && t.kind != TokenKind::Newline)?;
        if bytes > guard::MAX_DECLARATION {
            let message = format!("the declaration has {bytes} bytes; at most {} are read", guard::MAX_DECLARATION);
            return Some(Diagnostic::new(Code::TOO_LARGE, self.span(first), message).help("split it"));
        }
        let deep = guard::too_deep(self.text, self.tokens)?;
        let message = format!("nested more than {} deep", guard::MAX_DEPTH);
        Some(Diagnostic::new(Code::TOO_DEEP, self.span(&deep), message))
    }

    fn span(&self, token: &Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    /// The name that the broken declaration would have declared, if its head can be read.
    fn declared_name(&self) -> Option<String> {
        let mut words = self.tokens.iter().filter(|t| !t.kind.is_trivia() && t.kind != TokenKind::Newline);
        let first = words.next().filter(|t| t.kind == TokenKind::Word)?.of(self.text);
        let second = words.next().filter(|t| t.kind == TokenKind::Word).map(|t| t.of(self.text));
        if matches!(first, "language" | "import" | "test") {
            return None;
        }
        match second {
            Some("on" | "under") if !cut::DECLARATIONS.contains(&first) => Some(first), // the word before it is missing
            Some("on" | "under") => None,
            Some(word) if cut::DECLARATIONS.contains(&word) => Some(first), // exchanged
            Some(name) => Some(name),
            None if cut::DECLARATIONS.contains(&first) => None,
            None => Some(first),
        }
        .map(str::to_owned)
    }
}

/// The whole lines in which the places lie.
fn found_lines(reading: &Reading<'_>, places: impl Iterator<Item = Span>) -> Vec<Span> {
    let text = reading.text;
    let start = |at: usize| text.get(..at).and_then(|t| t.rfind('\n')).map_or(0, |i| i + 1);
    let end = |at: usize| text.get(at..).and_then(|t| t.find('\n')).map_or(text.len(), |i| at + i);
    places.map(|span| Span::new(reading.file, start(span.range().start), end(span.range().end))).collect()
}
