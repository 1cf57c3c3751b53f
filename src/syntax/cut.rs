//! Tokens → declarations: where one ends and the next begins, whatever is broken inside. From the tokens alone.

use super::token::{Token, TokenKind};
use std::ops::Range;

/// The words that begin a declaration.
pub(super) const DECLARATIONS: &[&str] =
    &["language", "import", "vocabulary", "agent", "overlay", "boundary", "let", "test", "deployment", "skill"];

/// A stretch of tokens that holds one declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Indices into the tokens.
    pub tokens: Range<usize>,
}

/// Cuts at a declaration word at depth 0, and at one that begins a declaration at column 1 whatever is open.
pub(super) fn cut(text: &str, tokens: &[Token]) -> Vec<Piece> {
    let mut starts = Vec::new();
    let mut depth = 0usize;
    let mut line_start = 0;
    let mut before: Option<TokenKind> = None;
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Newline => line_start = token.end,
            kind if kind.is_trivia() => continue,
            kind if kind.opens() => depth += 1,
            kind if kind.opener().is_some() => depth = depth.saturating_sub(1),
            TokenKind::Word => {
                let first = matches!(before, None | Some(TokenKind::Newline | TokenKind::Semicolon));
                let after_block = before == Some(TokenKind::CloseBrace);
                let column_one = token.start == line_start && first;
                let word = DECLARATIONS.contains(&token.of(text));
                let begins = match depth {
                    0 => (word && (first || after_block)) || (column_one && !continues(token.of(text))),
                    _ => word && column_one && heads(text, tokens, i),
                };
                if begins {
                    starts.push(i);
                    depth = 0;
                }
            }
            _ => {} // other marks change nothing
        }
        before = Some(token.kind);
    }
    pieces(tokens, &starts)
}

/// A line that begins so goes on with the one before.
fn continues(word: &str) -> bool {
    matches!(word, "or" | "and" | "except" | "limited")
}

/// Whether the declaration word at `i` is followed by what follows it in a declaration, so that it is no argument's name.
fn heads(text: &str, tokens: &[Token], i: usize) -> bool {
    let mut rest = tokens[i + 1..].iter().filter(|t| !t.kind.is_trivia());
    let word = tokens[i].of(text);
    match (word, rest.next().map(|t| (t.kind, t.of(text)))) {
        ("import", Some((kind, _))) => matches!(kind, TokenKind::Text | TokenKind::Word),
        ("language", Some((kind, _))) => kind == TokenKind::Number,
        (_, Some((TokenKind::Word, _))) => match rest.next().map(|t| (t.kind, t.of(text))) {
            Some((TokenKind::OpenBrace, _)) => true,
            Some((TokenKind::Colon, _)) => word == "let",
            Some((TokenKind::Word, next)) => matches!(next, "on" | "under" | "with" | "given"),
            _ => false, // a clause: `skill review`
        },
        _ => false, // not followed by a name
    }
}

/// From each start to the next; what stands before the first, if it is more than trivia, is a piece as well.
fn pieces(tokens: &[Token], starts: &[usize]) -> Vec<Piece> {
    let mut bounds = starts.to_vec();
    let lead = starts.first().copied().unwrap_or(tokens.len());
    let blank = |t: &Token| {
        t.kind.is_trivia()
            || matches!(
                t.kind,
                TokenKind::Newline
                    | TokenKind::Semicolon
                    | TokenKind::HashComment
                    | TokenKind::BlockComment
                    | TokenKind::OpenComment
            )
    };
    if !tokens[..lead].iter().all(blank) || starts.is_empty() {
        bounds.insert(0, 0);
    }
    bounds.push(tokens.len());
    // What stands above a declaration (its documentation, blank lines) goes with it, not with the one before.
    for at in 1..bounds.len() - 1 {
        let (low, mut start) = (bounds[at - 1], bounds[at]);
        while start > low && tokens[start - 1].kind != TokenKind::Semicolon && blank(&tokens[start - 1]) {
            start -= 1;
        }
        bounds[at] = start;
    }
    if !starts.is_empty() {
        bounds[0] = 0;
    }
    let pieces = bounds.windows(2).map(|w| Piece { tokens: w[0]..w[1] });
    pieces.filter(|p| !tokens[p.tokens.clone()].iter().all(blank)).collect()
}
