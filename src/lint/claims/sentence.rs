//! Prose → sentences of words, each word with its place in the text. Contractions are opened (`can't` → `can not`), phrases that deny
//! become `not` (`is unable to`, `has no access to` → `not access`), quotations and parentheses are left out. Knows no policies.

use std::ops::Range;

/// A word or mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// In lower case; marks are `,`.
    pub text: String,
    /// Where, in bytes.
    pub at: Range<usize>,
}

/// The sentences of `text` that say something: questions say nothing.
pub fn sentences(text: &str) -> Vec<Vec<Word>> {
    let mut sentences = Vec::new();
    let mut current: Vec<Word> = Vec::new();
    let (mut quoted, mut depth) = (false, 0usize);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let breaks = next.is_none_or(char::is_whitespace);
        match c {
            '"' | '“' | '”' => {
                quoted = !quoted;
                if quoted {
                    current.push(Word { text: "§".to_owned(), at: at..at + c.len_utf8() });
                }
            }
            _ if quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '?' => current.clear(),
            '.' | '!' if breaks => sentences.push(std::mem::take(&mut current)),
            ';' | ':' if breaks => sentences.push(std::mem::take(&mut current)),
            '—' | '–' | '•' => sentences.push(std::mem::take(&mut current)),
            '-' if breaks && current.last().is_none_or(|w| w.at.end < at) => sentences.push(std::mem::take(&mut current)),
            '\n' if next == Some('\n') || next == Some('-') || next == Some('*') => {
                sentences.push(std::mem::take(&mut current))
            }
            ',' => current.push(Word { text: ",".to_owned(), at: at..at + 1 }),
            c if c.is_alphanumeric() => {
                let mut end = at + c.len_utf8();
                while let Some((i, c)) = chars.peek().copied() {
                    let rest = &text[i + c.len_utf8()..];
                    let inside = matches!(c, '\'' | '’' | '-' | '_' | '.' | '@' | '+' | '#')
                        && rest.chars().next().is_some_and(char::is_alphanumeric);
                    if !(c.is_alphanumeric() || inside) {
                        break;
                    }
                    end = i + c.len_utf8();
                    chars.next();
                }
                open(&text[at..end], at..end, &mut current);
            }
            _ => {} // other marks say nothing
        }
    }
    sentences.push(current);
    let whole = sentences.into_iter().map(denied).filter(|words| !words.is_empty());
    whole.collect()
}

/// One word, or what a contraction stands for.
fn open(word: &str, at: Range<usize>, into: &mut Vec<Word>) {
    let lower = word.replace('’', "'").to_lowercase();
    let mut push = |text: &str| into.push(Word { text: text.to_owned(), at: at.clone() });
    match lower.as_str() {
        "cannot" | "can't" | "cant" => ["can", "not"].into_iter().for_each(push),
        "won't" | "wont" => ["will", "not"].into_iter().for_each(push),
        "shan't" => ["shall", "not"].into_iter().for_each(push),
        "it's" => ["it", "is"].into_iter().for_each(push),
        "it'll" => ["it", "will"].into_iter().for_each(push),
        "i'm" => ["i", "am"].into_iter().for_each(push),
        "i'll" => ["i", "will"].into_iter().for_each(push),
        "i've" => ["i", "have"].into_iter().for_each(push),
        "we'll" => ["we", "will"].into_iter().for_each(push),
        other => match other.strip_suffix("n't") {
            Some(verb) => [verb, "not"].into_iter().for_each(push),
            None => push(other.strip_suffix("'s").unwrap_or(other)),
        },
    }
}

/// Phrases that deny, the longest first, and what they come to.
const DENIALS: &[(&[&str], &[&str])] = &[
    (&["does", "not", "have", "any", "access", "to"], &["not", "access"]),
    (&["does", "not", "have", "access", "to"], &["not", "access"]),
    (&["do", "not", "have", "access", "to"], &["not", "access"]),
    (&["can", "not", "get", "at"], &["not", "access"]),
    (&["is", "not", "given", "access", "to"], &["not", "access"]),
    (&["has", "no", "way", "to"], &["can", "not"]),
    (&["has", "no", "means", "to"], &["can", "not"]),
    (&["has", "no", "permission", "to"], &["can", "not"]),
    (&["does", "not", "have", "permission", "to"], &["can", "not"]),
    (&["is", "not", "able", "to"], &["can", "not"]),
    (&["is", "not", "allowed", "to"], &["can", "not"]),
    (&["is", "not", "permitted", "to"], &["can", "not"]),
    (&["am", "not", "able", "to"], &["can", "not"]),
    (&["am", "not", "allowed", "to"], &["can", "not"]),
    (&["is", "forbidden", "to"], &["can", "not"]),
    (&["is", "unable", "to"], &["can", "not"]),
    (&["am", "unable", "to"], &["can", "not"]),
    (&["unable", "to"], &["can", "not"]),
    (&["refuses", "to"], &["can", "not"]),
    (&["declines", "to"], &["can", "not"]),
    (&["has", "no", "access", "to"], &["not", "access"]),
    (&["have", "no", "access", "to"], &["not", "access"]),
    (&["no", "access", "to"], &["not", "access"]),
    (&["without", "access", "to"], &["not", "access"]),
    (&["lacks", "access", "to"], &["not", "access"]),
    (&["stays", "out", "of"], &["not", "access"]),
    (&["keeps", "out", "of"], &["not", "access"]),
    (&["stays", "away", "from"], &["not", "access"]),
    (&["keeps", "away", "from"], &["not", "access"]),
    (&["is", "blind", "to"], &["not", "see"]),
    (&["knows", "nothing", "of"], &["not", "access"]),
    (&["knows", "nothing", "about"], &["not", "access"]),
    (&["is", "allowed", "to"], &["can"]),
    (&["is", "able", "to"], &["can"]),
    (&["am", "able", "to"], &["can"]),
    (&["has", "access", "to"], &["accesses"]),
    (&["have", "access", "to"], &["access"]),
    (&["has", "full", "access", "to"], &["accesses"]),
    (&["can", "only"], &["can", "only"]),
    (&["no", "longer"], &["not"]),
    (&["never", "ever"], &["not"]),
    (&["at", "no", "time"], &["not"]),
    (&["under", "no", "circumstances"], &["not"]),
    (&["in", "no", "case"], &["not"]),
    (&["by", "no", "means"], &["not"]),
    (&["as", "well", "as"], &["and"]),
    (&["along", "with"], &["and"]),
    (&["together", "with"], &["and"]),
    (&["neither"], &["not"]),
    (&["nor"], &["or"]),
    (&["never"], &["not"]),
    (&["&"], &["and"]),
];

/// The sentence with its denials in one form.
fn denied(words: Vec<Word>) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let rest = &words[at..];
        let matches = |phrase: &[&str]| rest.len() >= phrase.len() && phrase.iter().zip(rest).all(|(p, w)| *p == w.text);
        match DENIALS.iter().filter(|(phrase, _)| matches(phrase)).max_by_key(|(phrase, _)| phrase.len()) {
            Some((phrase, meant)) => {
                let whole = rest[0].at.start..rest[phrase.len() - 1].at.end;
                found.extend(meant.iter().map(|text| Word { text: (*text).to_owned(), at: whole.clone() }));
                at += phrase.len();
            }
            None => {
                found.push(rest[0].clone());
                at += 1;
            }
        }
    }
    found
}
