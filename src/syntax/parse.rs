//! One file → ast: the guard, the cut, then each declaration on its own; what cannot be read is reported once and dropped.

use super::ast::{Broken, File};
use super::cut;
use super::draft::{Change, Draft};
use super::grammar;
use super::guard;
use super::lower::{Lower, Lowered};
use super::repair::{self, Effort};
use super::token::{Token, TokenKind, tokens};
use crate::diag::{Code, Diagnostic, Sink};
use crate::source::{FileId, Sources, Span};

/// How many mistakes of one declaration are mended before the rest of it is given up.
const MAX_MENDED: usize = 20;
/// How many bytes may be read again in the search for what was meant, per file.
const MAX_EFFORT: usize = 32 << 20;
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
fn read(file: FileId, text: &str) -> (File, Vec<Diagnostic>) {
    let mut ast = File { file, language: None, imports: Vec::new(), items: Vec::new(), broken: Vec::new() };
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
    let mut effort = Effort(MAX_EFFORT);
    slips.retain(|s| s.finding.code != Code::CRLF);
    for piece in cut::cut(text, &tokens) {
        let reading = Reading { file, text, tokens: &tokens[piece.tokens] };
        match reading.declaration(&slips, &mut effort, &mut found) {
            Some(Lowered::Nothing) => {}
            Some(Lowered::Language(version, span)) => {
                if ast.language.is_some() || !ast.imports.is_empty() || !ast.items.is_empty() {
                    let message = "`language` stands first in a file, and once";
                    found.push(Diagnostic::new(Code::SYNTAX, span, message));
                }
                ast.language = ast.language.or(Some((version, span)));
            }
            Some(Lowered::Import(import)) => ast.imports.push(import),
            Some(Lowered::Item(item)) => ast.items.push(*item),
            None => ast.broken.push(Broken { name: reading.declared_name() }),
        }
    }
    (ast, found)
}

struct Reading<'a> {
    file: FileId,
    text: &'a str,
    /// Those of the piece.
    tokens: &'a [Token],
}

impl Reading<'_> {
    fn declaration(&self, slips: &[guard::Slip], effort: &mut Effort, found: &mut Vec<Diagnostic>) -> Option<Lowered> {
        let (first, last) = (self.tokens.first()?, self.tokens.last()?);
        let range = first.start..last.end;
        if let Some(finding) = self.refused(range.len()) {
            found.push(finding);
            return None;
        }
        let inside = slips.iter().filter(|s| s.range.start >= range.start && s.range.end <= range.end);
        let trusted = inside.clone().all(|s| s.reading.is_some());
        let readings: Vec<Change> = inside
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
        for _ in 0..MAX_MENDED {
            let failure = match grammar::declaration(&draft) {
                Ok(node) => return Lower { draft: &draft, file: self.file, found }.declaration(node),
                Err(failure) => failure,
            };
            if !trusted {
                return None;
            }
            let mended = repair::mend(&draft, self.file, &failure, effort);
            found.push(mended.finding);
            draft = draft.with(&mended.changes?);
        }
        None
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
        let keyword = words.next()?.of(self.text);
        let name = words.next().filter(|t| t.kind == TokenKind::Word)?;
        let declares = cut::DECLARATIONS.contains(&keyword) && !matches!(keyword, "language" | "import" | "test");
        declares.then(|| name.of(self.text).to_owned())
    }
}
