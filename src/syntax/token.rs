//! Text → lossless tokens: every byte belongs to exactly one token, and no token but a newline holds a line end.

use logos::Logos;

/// What a token is. The last group are slips: they never stand in a text that parses.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Blanks, tabs, and the CR of a CRLF.
    #[regex(r"[ \t\r]+")]
    Blank,
    /// One line end.
    #[token("\n")]
    Newline,
    /// `// …`
    #[regex(r"//[^\n\r]*", allow_greedy = true)]
    Comment,
    /// `/// …`
    #[regex(r"///[^\n\r]*", priority = 20, allow_greedy = true)]
    Doc,
    /// A name or a word of the language.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    /// `"…"`
    #[regex(r#""([^"\\\n\r]|\\[^\n\r])*""#)]
    Text,
    /// `12`, `-0.5e3`
    #[regex(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    Number,
    /// `2026-11-30`, `2026-11-30T10:00:00Z`
    #[regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?([Zz]|[+-][0-9]{2}:[0-9]{2})?)?")]
    Time,
    /// `{`
    #[token("{")]
    OpenBrace,
    /// `}`
    #[token("}")]
    CloseBrace,
    /// `[`
    #[token("[")]
    OpenBracket,
    /// `]`
    #[token("]")]
    CloseBracket,
    /// `(`
    #[token("(")]
    OpenParen,
    /// `)`
    #[token(")")]
    CloseParen,
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `:`
    #[token(":")]
    Colon,
    /// `.`
    #[token(".")]
    Dot,
    /// `..`
    #[token("..")]
    DotDot,
    /// `=`
    #[token("=")]
    Equals,
    /// `<`
    #[token("<")]
    Less,
    /// `<=`
    #[token("<=")]
    AtMost,
    /// `>`
    #[token(">")]
    Greater,
    /// `>=`
    #[token(">=")]
    AtLeast,
    /// `->`
    #[token("->")]
    Arrow,
    /// `*`
    #[token("*")]
    Star,
    /// `-`
    #[token("-")]
    Minus,

    /// A `"` that is not closed on its line.
    #[regex(r#""([^"\\\n\r]|\\[^\n\r])*\\?"#, priority = 1)]
    OpenText,
    /// `'…'`
    #[regex(r"'[^'\n\r]*'")]
    SingleQuoted,
    /// Quoted with typographic quotes.
    #[regex("[“”„‟«»‘’‚‛][^“”„‟«»‘’‚‛\"\n\r]*[“”„‟«»‘’\"]")]
    SmartQuoted,
    /// `# …`
    #[regex(r"#[^\n\r]*", allow_greedy = true)]
    HashComment,
    /// `/* … */` on one line.
    #[regex(r"/\*([^*\n\r]|\*+[^*/\n\r])*\*+/")]
    BlockComment,
    /// `/* …` that is not closed on its line.
    #[regex(r"/\*([^*\n\r]|\*+[^*/\n\r])*\**")]
    OpenComment,
    /// `==`
    #[token("==")]
    EqualsEquals,
    /// `!=`
    #[token("!=")]
    NotEquals,
    /// `=<`, `=>`
    #[token("=<")]
    #[token("=>")]
    TurnedComparison,
    /// `&&`
    #[token("&&")]
    AndAnd,
    /// `||`
    #[token("||")]
    OrOr,
    /// `..=`
    #[token("..=")]
    DotDotEquals,
    /// `...`
    #[token("...")]
    Ellipsis,
    /// A character that no token begins with.
    Unknown,
}

impl TokenKind {
    /// Whether it only separates others: blanks and comments, not newlines.
    pub fn is_trivia(self) -> bool {
        matches!(self, TokenKind::Blank | TokenKind::Comment | TokenKind::Doc)
    }

    /// Whether it never stands in a text that parses, and the guard says why.
    pub(super) fn is_slip(self) -> bool {
        use TokenKind::{BlockComment, HashComment, OpenComment, SingleQuoted, SmartQuoted, Unknown};
        matches!(self, BlockComment | HashComment | OpenComment | SingleQuoted | SmartQuoted | Unknown)
    }

    /// For a closing bracket the opening one it belongs to.
    pub(super) fn opener(self) -> Option<TokenKind> {
        match self {
            TokenKind::CloseBrace => Some(TokenKind::OpenBrace),
            TokenKind::CloseBracket => Some(TokenKind::OpenBracket),
            TokenKind::CloseParen => Some(TokenKind::OpenParen),
            _ => None, // every other kind closes nothing
        }
    }

    /// Whether it is an opening bracket.
    pub(super) fn opens(self) -> bool {
        matches!(self, TokenKind::OpenBrace | TokenKind::OpenBracket | TokenKind::OpenParen)
    }
}

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Token {
    /// The text it covers in the text it was made of.
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

/// All tokens of `text`, in order; joined they are the text.
pub fn tokens(text: &str) -> Vec<Token> {
    TokenKind::lexer(text)
        .spanned()
        .map(|(kind, range)| Token { kind: kind.unwrap_or(TokenKind::Unknown), start: range.start, end: range.end })
        .collect()
}
