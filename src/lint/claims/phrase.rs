//! What a vocabulary says claims a thing, as phrases: nouns for values (`iTerm2`), verbs for tools and effects (`sends mail`); and
//! where one stands in a sentence, in any form. Knows no policies: what a phrase claims is a number.

use super::english::{Form, base_of_third, form_of, is_determiner, is_verb, is_whole_determiner, verb};
use super::sentence::Word;

/// A phrase.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// What it claims.
    pub target: usize,
    kind: Kind,
    /// Nouns that say no more than what is claimed already (of the tool's name, arguments, documentation).
    own: Vec<String>,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Words of a name, in lower case.
    Noun(Vec<String>),
    /// A verb and what follows it.
    Verb(String, Vec<String>),
}

/// Where a phrase stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// First word.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// The verb's form; none of a noun.
    pub form: Option<Form>,
    /// Whether what is said is all of it: no adjective stands between.
    pub whole: bool,
}

impl Phrase {
    /// The phrase of `words` for `target`; `of_a_value`: a name is more likely than a verb.
    pub fn new(words: &str, target: usize, source: Source, own: Vec<String>) -> Option<Phrase> {
        let all: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let (first, rest) = all.split_first()?;
        let base = base_of_third(first);
        let lower = words.chars().next().is_some_and(char::is_lowercase);
        let is_verbal = match (&base, source) {
            (Some(base), Source::Value) => lower && is_verb(base),
            (Some(base), Source::Tool) => is_verb(base) || !rest.is_empty(),
            (None, _) => false,
        };
        let kind = match base {
            Some(base) if is_verbal => Kind::Verb(base, rest.to_vec()),
            _ if source == Source::Tool && is_verb(first) => Kind::Verb(first.clone(), rest.to_vec()),
            _ => Kind::Noun(all),
        };
        Some(Phrase { target, kind, own })
    }

    /// Whether it is a verb with what follows.
    pub fn is_verbal(&self) -> bool {
        matches!(self.kind, Kind::Verb(..))
    }

    /// Whether it is one word.
    pub fn is_single(&self) -> bool {
        match &self.kind {
            Kind::Noun(words) => words.len() == 1,
            Kind::Verb(_, rest) => rest.is_empty(),
        }
    }

    /// Whether the noun says no more than the phrase.
    pub fn owns(&self, noun: &str) -> bool {
        self.own.iter().any(|own| same_noun(own, noun))
    }

    /// The base of its verb.
    pub fn base(&self) -> Option<&str> {
        match &self.kind {
            Kind::Verb(base, _) => Some(base),
            Kind::Noun(_) => None,
        }
    }

    /// The last word of what follows its verb.
    pub fn object(&self) -> Option<&str> {
        match &self.kind {
            Kind::Verb(_, rest) => rest.last().map(String::as_str),
            Kind::Noun(_) => None,
        }
    }

    /// Whether it begins at word `at`.
    pub fn at(&self, words: &[Word], at: usize) -> Option<Match> {
        match &self.kind {
            Kind::Noun(name) => {
                let here = words.get(at..at + name.len())?;
                let last = name.len() - 1;
                let same = |(i, (a, b)): (usize, (&String, &Word))| {
                    *a == b.text || (i == last && b.text.strip_suffix('s') == Some(a.as_str()))
                };
                here_all(name.iter().zip(here).enumerate().map(same)).then_some(Match {
                    start: at,
                    end: at + name.len(),
                    form: None,
                    whole: true,
                })
            }
            Kind::Verb(base, rest) => {
                let form = form_of(&words.get(at)?.text, base)?;
                let (end, whole) = follow(words, at + 1, rest, base).or_else(|| referred(words, at, rest))?;
                Some(Match { start: at, end, form: Some(form), whole })
            }
        }
    }
}

/// Where words that claim come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// An enum's value.
    Value,
    /// A tool or effect.
    Tool,
}

fn here_all(mut all: impl Iterator<Item = bool>) -> bool {
    all.all(|same| same)
}

/// "Reads mail and never sends it": the object was named before.
fn referred(words: &[Word], at: usize, rest: &[String]) -> Option<(usize, bool)> {
    let pronoun = words.get(at + 1).is_some_and(|word| matches!(word.text.as_str(), "it" | "them" | "one" | "any"));
    let object = rest.last().filter(|_| rest.len() == 1 && pronoun)?;
    words[..at].iter().any(|word| same_noun(object, &word.text)).then_some((at + 2, true))
}

/// Where what follows a verb ends, from word `at` on: determiners may stand between, other verbs before ("sends or deletes
/// mail"), other objects before ("deletes files or mail"); adjectives too, but then it is not all of it.
fn follow(words: &[Word], at: usize, rest: &[String], base: &str) -> Option<(usize, bool)> {
    let Some((first, more)) = rest.split_first() else { return Some((at, true)) };
    let mut whole = true;
    let mut adjectives = 0usize;
    let mut joined = false;
    let mut i = at;
    while i < words.len() && i < at + 10 {
        let word = words[i].text.as_str();
        if same_noun(first, word) {
            let end = i + 1 + more.len();
            let tail = words.get(i + 1..end)?;
            if more.iter().zip(tail).all(|(a, b)| same_noun(a, &b.text)) {
                return Some((end, whole && (adjectives == 0 || joined)));
            }
        }
        match word {
            "," | "and" | "or" => {
                joined = true;
                adjectives = 0;
                whole = true;
            }
            _ if is_whole_determiner(word) => {}
            _ if is_determiner(word) => whole = false,
            _ if joined && verb(word).is_some_and(|(other, _)| other != base) => {}
            "not" | "but" | "it" | "you" | "which" | "that" | "who" | "if" | "when" | "without" | "unless" | "until" => {
                return None;
            }
            _ => {
                adjectives += 1;
                if adjectives > 2 {
                    return None;
                }
            }
        }
        i += 1;
    }
    None
}

/// Singular and plural are one noun.
pub fn same_noun(a: &str, b: &str) -> bool {
    let one = |word: &str| {
        let word = word.strip_suffix("ies").map_or_else(|| word.to_owned(), |stem| format!("{stem}y"));
        word.strip_suffix('s').filter(|stem| stem.len() > 2).map_or(word.clone(), str::to_owned)
    };
    a == b || one(a) == one(b)
}
