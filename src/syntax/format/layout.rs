//! Tokens and their roles → lines: where they break, how far they are indented, what stands between two tokens, and which
//! columns stand below one another.

use super::roles::{Column, Roles};
use crate::syntax::token::{Token, TokenKind};

const INDENT: &str = "    ";
/// A column is not aligned to a cell that is wider than this.
const MAX_CELL: usize = 120;

/// One line of the result.
#[derive(Debug, Default)]
struct Line {
    indent: usize,
    /// The texts of the columns; at least one.
    cells: Vec<String>,
    /// What its columns belong to.
    column: Option<Column>,
    /// A `//` at the end.
    comment: Option<String>,
    /// An empty line stands before it.
    spaced: bool,
}

/// An open bracket.
struct Open {
    clausal: bool,
    /// Its contents stand on lines of their own.
    broken: bool,
    /// The indentation of the line on which it stands.
    indent: usize,
}

struct Layout<'a> {
    text: &'a str,
    tokens: &'a [Token],
    roles: &'a Roles,
    lines: Vec<Line>,
    line: Line,
    open: Vec<Open>,
    /// The offset of the line's first token.
    begun: usize,
    /// The clause goes on from the line before.
    continued: bool,
    /// Line ends seen since the last token.
    gap: usize,
}

/// The text in canonical layout.
pub(super) fn lines(text: &str, tokens: &[Token], roles: &Roles) -> String {
    let mut layout = Layout {
        text,
        tokens,
        roles,
        lines: Vec::new(),
        line: Line::default(),
        open: Vec::new(),
        begun: 0,
        continued: false,
        gap: 0,
    };
    for i in 0..tokens.len() {
        layout.token(i);
    }
    layout.end_line();
    align(&mut layout.lines);
    align_comments(&mut layout.lines);
    written(&layout.lines)
}

impl Layout<'_> {
    fn token(&mut self, i: usize) {
        let token = self.tokens[i];
        let broken = self.open.last().is_none_or(|o| o.broken);
        let clausal = self.open.last().is_none_or(|o| o.clausal);
        match token.kind {
            TokenKind::Newline => self.newline(&token, clausal, broken),
            TokenKind::Semicolon if broken && clausal => {
                self.end_line();
                self.continued = false;
            }
            TokenKind::Semicolon if self.closes_next(i) => {}
            TokenKind::Comma if broken && self.roles.is_enum_comma(token.start) && self.ends_line(i) => {}
            TokenKind::Comment | TokenKind::Doc => self.comment(&token),
            kind if kind.opener().is_some() => self.close(i),
            kind if kind.opens() => self.open(i),
            _ => self.write(i), // any other token
        }
        if token.kind != TokenKind::Newline {
            self.gap = 0;
        }
    }

    fn newline(&mut self, token: &Token, clausal: bool, broken: bool) {
        self.gap += 1;
        if self.line.cells.is_empty() && self.line.comment.is_none() {
            return;
        }
        if clausal {
            self.end_line();
            self.continued = !self.roles.ends_clause(token.start) && !self.open.is_empty() || self.goes_on(token);
        } else if broken {
            self.end_line();
        }
    }

    /// Whether the line end belongs to no separator although clauses stand here: then the clause goes on.
    fn goes_on(&self, token: &Token) -> bool {
        !self.roles.ends_clause(token.start) && self.next_is_continuation(token)
    }

    /// Whether what follows cannot begin a clause at the top: `or`, `except`, `=`, a string.
    fn next_is_continuation(&self, token: &Token) -> bool {
        let at = self.tokens.partition_point(|t| t.start <= token.start);
        let next = self.tokens[at..].iter().find(|t| t.kind != TokenKind::Newline && !t.kind.is_trivia());
        let before =
            self.tokens[..at.saturating_sub(1)].iter().rev().find(|t| t.kind != TokenKind::Newline && !t.kind.is_trivia());
        next.is_some_and(|t| t.kind == TokenKind::Equals || matches!(t.of(self.text), "or" | "and" | "except" | "limited"))
            || before.is_some_and(|t| t.kind == TokenKind::Comma)
    }

    fn comment(&mut self, token: &Token) {
        let text = token.of(self.text).trim_end().to_owned();
        if self.line.cells.is_empty() && self.gap == 0 && self.trails() {
            // Right after something that ended its line: a brace or a semicolon.
            if let Some(last) = self.lines.last_mut().filter(|l| l.comment.is_none()) {
                last.comment = Some(text);
                return;
            }
        }
        if self.line.cells.is_empty() {
            self.begin(token.start);
            self.line.cells.push(text);
        } else {
            self.line.comment = Some(text);
        }
        self.end_line();
    }

    /// Whether a line has been written that a comment can trail.
    fn trails(&self) -> bool {
        self.lines.last().is_some_and(|l| !l.cells.first().is_some_and(|c| c.starts_with("//")))
    }

    fn open(&mut self, i: usize) {
        let token = self.tokens[i];
        self.write(i);
        let clausal = self.roles.is_clausal(token.start);
        let end = closing(self.tokens, i);
        let inside = &self.tokens[i + 1..end];
        let broken = match clausal {
            true => inside.iter().any(|t| t.kind == TokenKind::Newline || t.kind.is_trivia()),
            false => {
                inside.first().is_some_and(|t| t.kind == TokenKind::Newline || t.kind.is_trivia()) || own_newlines(inside)
            }
        };
        let empty = inside.iter().all(|t| t.kind == TokenKind::Newline);
        let broken = broken && !empty;
        self.open.push(Open { clausal, broken, indent: self.line.indent });
        let breaks =
            broken && (clausal || inside.first().is_some_and(|t| t.kind == TokenKind::Newline || t.kind.is_trivia()));
        if breaks {
            self.end_line();
            self.continued = false;
        }
    }

    fn close(&mut self, i: usize) {
        let Some(open) = self.open.last() else { return };
        let (clausal, broken) = (open.clausal, open.broken);
        if broken && (clausal || self.opened_its_line()) {
            self.end_line();
        }
        let alone = self.line.cells.is_empty();
        let open = self.open.pop();
        self.continued = false;
        if alone {
            self.begin(self.tokens[i].start);
            self.line.indent = open.map_or(0, |o| o.indent);
            self.line.spaced = false;
        }
        self.write(i);
    }

    /// Whether the innermost bracket ended its line when it was opened.
    fn opened_its_line(&self) -> bool {
        self.open.last().is_some_and(|o| o.broken && (o.clausal || !self.line.cells.is_empty()))
            && self.lines.last().is_some()
    }

    /// Whether only a closing bracket follows on the way.
    fn closes_next(&self, i: usize) -> bool {
        let next = self.tokens[i + 1..].iter().find(|t| t.kind != TokenKind::Newline);
        next.is_none_or(|t| t.kind.opener().is_some() || t.kind == TokenKind::Semicolon)
    }

    fn ends_line(&self, i: usize) -> bool {
        self.tokens[i + 1..].iter().find(|t| !t.kind.is_trivia()).is_none_or(|t| t.kind == TokenKind::Newline)
    }

    fn begin(&mut self, at: usize) {
        let inner = self.open.iter().rev().find(|o| o.broken).map_or(0, |o| o.indent + 1);
        self.line.indent = inner + usize::from(self.continued);
        let first_inside = self.lines.last().is_some_and(|l| l.cells.last().is_some_and(|c| c.ends_with(['{', '[', '('])));
        self.line.spaced = self.gap > 1 && !self.lines.is_empty() && !first_inside;
        self.line.column = if self.continued { None } else { self.roles.item(at) };
        self.begun = at;
    }

    /// Puts the token on the current line.
    fn write(&mut self, i: usize) {
        let token = self.tokens[i];
        let text = token.of(self.text);
        if self.line.cells.is_empty() {
            if token.kind.opener().is_none() {
                self.begin(token.start);
            }
            self.line.cells.push(text.to_owned());
            return;
        }
        let begins_column = self.line.column.is_some() && self.roles.column_of(token.start) == Some(self.begun);
        let blank = self.blank_before(i);
        if begins_column {
            self.line.cells.push(text.to_owned());
        } else if let Some(cell) = self.line.cells.last_mut() {
            if blank {
                cell.push(' ');
            }
            cell.push_str(text);
        }
    }

    fn blank_before(&self, i: usize) -> bool {
        use TokenKind::{CloseBracket, CloseParen, Colon, Comma, Dot, DotDot, OpenBracket, OpenParen, Semicolon};
        let token = self.tokens[i];
        let Some(before) = self.tokens[..i].iter().rev().find(|t| t.kind != TokenKind::Newline) else { return false };
        if self.roles.is_inside(token.start) {
            return false;
        }
        let scalar = |t: &Token| matches!(t.kind, TokenKind::Number | TokenKind::Time | TokenKind::Text);
        match (before.kind, token.kind) {
            (DotDot, Colon) => true,
            (_, Comma | Semicolon | Colon | Dot) | (Dot | OpenParen, _) | (_, CloseParen) => false,
            (TokenKind::OpenBrace, TokenKind::CloseBrace) => false,
            (OpenBracket, _) => !self.roles.is_array(before.start) && token.kind != CloseBracket,
            (_, CloseBracket) => !self.roles.is_array(token.start),
            (_, OpenParen) => !self.roles.is_call(token.start),
            (_, DotDot) => !scalar(before),
            (DotDot, _) => !scalar(&token),
            _ => true, // everything else stands apart
        }
    }

    fn end_line(&mut self) {
        if !self.line.cells.is_empty() {
            self.lines.push(std::mem::take(&mut self.line));
        }
    }
}

/// The index of the bracket that closes the one at `i`.
fn closing(tokens: &[Token], i: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(i) {
        if token.kind.opens() {
            depth += 1;
        } else if token.kind.opener().is_some() {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
    }
    tokens.len()
}

/// Whether a line ends directly in these contents, not only in brackets inside them.
fn own_newlines(inside: &[Token]) -> bool {
    let mut depth = 0usize;
    inside.iter().any(|token| {
        if token.kind.opens() {
            depth += 1;
        } else if token.kind.opener().is_some() {
            depth = depth.saturating_sub(1);
        }
        depth == 0 && (token.kind == TokenKind::Newline || token.kind.is_trivia())
    })
}

/// Gives lines of one kind that stand together the same columns.
fn align(lines: &mut [Line]) {
    let mut start = 0;
    while start < lines.len() {
        let Some(column) = lines[start].column else {
            start += 1;
            continue;
        };
        let indent = lines[start].indent;
        let mut end = start + 1;
        while let Some(line) = lines.get(end) {
            let comment = line.column.is_none() && line.cells.first().is_some_and(|c| c.starts_with("//"));
            let same = line.column == Some(column) || comment;
            if line.spaced || line.indent != indent || !same {
                break;
            }
            end += 1;
        }
        pad(&mut lines[start..end]);
        start = end;
    }
}

fn pad(lines: &mut [Line]) {
    let most = lines.iter().map(|l| l.cells.len()).max().unwrap_or(0);
    for cell in 0..most.saturating_sub(1) {
        let followed = |l: &&Line| l.column.is_some() && l.cells.len() > cell + 1;
        let widths = lines.iter().filter(followed).map(|l| l.cells[cell].chars().count());
        let width = widths.filter(|w| *w <= MAX_CELL).max().unwrap_or(0);
        for line in lines.iter_mut().filter(|l| l.column.is_some() && l.cells.len() > cell + 1) {
            let missing = width.saturating_sub(line.cells[cell].chars().count());
            line.cells[cell].push_str(&" ".repeat(missing));
        }
    }
}

/// Comments at the ends of lines that stand together share a column.
fn align_comments(lines: &mut [Line]) {
    let width = |line: &Line| INDENT.len() * line.indent + line.cells.join(" ").chars().count();
    let mut start = 0;
    while start < lines.len() {
        let joins = |line: &Line| line.comment.is_some() && !line.spaced;
        let length = 1 + lines[start + 1..].iter().take_while(|l| joins(l)).count();
        let run = &mut lines[start..start + length];
        start += length;
        if run[0].comment.is_none() && length > 1 {
            start -= length - 1;
            continue;
        }
        let most = run.iter().map(width).filter(|w| *w <= MAX_CELL).max().unwrap_or(0);
        for line in run.iter_mut().filter(|l| l.comment.is_some()) {
            let missing = most.saturating_sub(width(line));
            if let Some(cell) = line.cells.last_mut() {
                cell.push_str(&" ".repeat(missing));
            }
        }
    }
}

fn written(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        if line.spaced {
            text.push('\n');
        }
        text.push_str(&INDENT.repeat(line.indent));
        text.push_str(&line.cells.join(" "));
        if let Some(comment) = &line.comment {
            text.push_str("  ");
            text.push_str(comment);
        }
        text.push('\n');
    }
    text
}
