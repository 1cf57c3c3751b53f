//! Sentences → clauses: who does something, what joins it to the one before, whether it is denied. Knows no policies.

use super::english::{Form, is_plain_adverb, verb};
use super::sentence::Word;

/// How a clause stands to the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// First, or beside: and, but, while.
    Main,
    /// It narrows the one before: if, unless, without, which.
    Narrows,
    /// It speaks of something else: unlike, instead of, than.
    Aside,
    /// What the one before leaves out: except, other than.
    Except,
}

/// Who the clause speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The agent.
    Agent,
    /// Somebody or something else.
    Other,
}

/// A clause.
#[derive(Clone, Debug)]
pub struct Clause {
    /// How it is joined.
    pub joint: Joint,
    /// Who it speaks of.
    pub subject: Subject,
    /// Words, first to one past the last.
    pub start: usize,
    /// One past the last word.
    pub end: usize,
    /// The word that joins it.
    pub by: String,
}

const SELF: &[&str] = &["it", "i", "we", "he", "she"];
const SELF_NOUNS: &[&str] = &["agent", "assistant", "bot", "helper", "one", "tool", "operator", "worker", "model"];
const OTHERS: &[&str] =
    &["you", "they", "somebody", "someone", "people", "users", "nobody", "others", "everybody", "everyone", "anyone"];

/// Words that join, how many words they have, and how.
const JOINTS: &[(&[&str], Joint)] = &[
    (&["but", "not"], Joint::Except),
    (&["but"], Joint::Main),
    (&["yet"], Joint::Main),
    (&["however"], Joint::Main),
    (&["while"], Joint::Main),
    (&["whereas"], Joint::Main),
    (&["though"], Joint::Main),
    (&["although"], Joint::Main),
    (&["because"], Joint::Main),
    (&["since"], Joint::Main),
    (&["so", "that"], Joint::Narrows),
    (&["so"], Joint::Main),
    (&["if"], Joint::Narrows),
    (&["when"], Joint::Narrows),
    (&["whenever"], Joint::Narrows),
    (&["unless"], Joint::Narrows),
    (&["until"], Joint::Narrows),
    (&["before"], Joint::Narrows),
    (&["after"], Joint::Narrows),
    (&["once"], Joint::Narrows),
    (&["without"], Joint::Narrows),
    (&["which"], Joint::Narrows),
    (&["who"], Joint::Narrows),
    (&["whose"], Joint::Narrows),
    (&["that"], Joint::Narrows),
    (&["where"], Joint::Narrows),
    (&["as", "long", "as"], Joint::Narrows),
    (&["as", "soon", "as"], Joint::Narrows),
    (&["during"], Joint::Narrows),
    (&["unlike"], Joint::Aside),
    (&["like"], Joint::Aside),
    (&["instead", "of"], Joint::Aside),
    (&["rather", "than"], Joint::Aside),
    (&["as", "opposed", "to"], Joint::Aside),
    (&["in", "contrast", "to"], Joint::Aside),
    (&["compared", "to"], Joint::Aside),
    (&["compared", "with"], Joint::Aside),
    (&["similar", "to"], Joint::Aside),
    (&["inspired", "by"], Joint::Aside),
    (&["based", "on"], Joint::Aside),
    (&["named", "after"], Joint::Aside),
    (&["replaces"], Joint::Aside),
    (&["than"], Joint::Aside),
    (&["besides"], Joint::Aside),
    (&["for", "example"], Joint::Aside),
    (&["such", "as"], Joint::Aside),
    (&["except"], Joint::Except),
    (&["other", "than"], Joint::Except),
    (&["apart", "from"], Joint::Except),
    (&["aside", "from"], Joint::Except),
    (&["excluding"], Joint::Except),
];

/// The clauses of a sentence, in order.
pub fn clauses(words: &[Word]) -> Vec<Clause> {
    let text = |i: usize| words.get(i).map_or("", |w| w.text.as_str());
    let mut bounds: Vec<(usize, usize, Joint, String)> = vec![(0, 0, Joint::Main, String::new())];
    let mut i = 0;
    while i < words.len() {
        let joint = JOINTS.iter().find(|(phrase, _)| phrase.iter().enumerate().all(|(k, p)| text(i + k) == *p));
        if let Some((phrase, joint)) = joint.filter(|(phrase, _)| !is_fixed(phrase, words, i)) {
            bounds.push((i, i + phrase.len(), *joint, phrase.join(" ")));
            i += phrase.len();
            continue;
        }
        let mark = matches!(text(i), "," | "and" | "or");
        let after_mark = if text(i) == "," && matches!(text(i + 1), "and" | "or" | "then") { i + 2 } else { i + 1 };
        let new_subject =
            names_subject(words, after_mark) || matches!(text(after_mark), "can" | "may" | "not" | "will" | "does" | "do");
        let ends_aside =
            text(i) == "," && bounds.last().is_some_and(|b| matches!(b.2, Joint::Aside | Joint::Except | Joint::Narrows));
        if mark && i > 0 && (new_subject || ends_aside) {
            bounds.push((i, after_mark, Joint::Main, text(i).to_owned()));
            i = after_mark;
            continue;
        }
        i += 1;
    }
    let mut clauses: Vec<Clause> = Vec::new();
    let mut before = Subject::Agent;
    for (index, (_, start, joint, by)) in bounds.iter().enumerate() {
        let end = bounds.get(index + 1).map_or(words.len(), |next| next.0);
        let subject = match joint {
            Joint::Main => subject(words, *start, end).unwrap_or(before),
            Joint::Narrows => subject(words, *start, end).unwrap_or(Subject::Other),
            Joint::Aside | Joint::Except => before,
        };
        if *joint == Joint::Main && end > *start {
            before = subject;
        }
        clauses.push(Clause { joint: *joint, subject, start: *start, end, by: by.clone() });
    }
    clauses.retain(|clause| clause.end > clause.start);
    clauses
}

/// Words that join elsewhere, and not here.
fn is_fixed(phrase: &[&str], words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|i| words.get(i)).map_or("", |w| w.text.as_str());
    let next = words.get(at + phrase.len()).map_or("", |w| w.text.as_str());
    match phrase {
        ["that"] => matches!(next, "," | "") || is_determined(words, at),
        ["like"] => matches!(before, "would" | "you" | "i" | "and"),
        ["so"] | ["yet"] | ["though"] | ["however"] => matches!(next, "" | ","),
        ["but"] => matches!(before, "nothing" | "all" | "anything"),
        _ => false,
    }
}

/// `that agent` is a subject, not a joint.
fn is_determined(words: &[Word], at: usize) -> bool {
    words.get(at + 1).is_some_and(|w| SELF_NOUNS.contains(&w.text.as_str()))
}

/// Whether the words from `at` on name who does it.
fn names_subject(words: &[Word], at: usize) -> bool {
    let text = |i: usize| words.get(i).map_or("", |w| w.text.as_str());
    SELF.contains(&text(at))
        || OTHERS.contains(&text(at))
        || (matches!(text(at), "the" | "this" | "that" | "your")
            && (SELF_NOUNS.contains(&text(at + 1)) || text(at + 1) == "user"))
}

/// Who does it, if the clause says.
fn subject(words: &[Word], start: usize, end: usize) -> Option<Subject> {
    let mut at = start;
    // An opening phrase: "For your safety, it …".
    if let Some(comma) = (start..end).find(|i| words[*i].text == ",")
        && names_subject(words, comma + 1)
    {
        at = comma + 1;
    }
    while at < end && (is_plain_adverb(&words[at].text) || matches!(words[at].text.as_str(), "," | "and" | "or")) {
        at += 1;
    }
    let text = |i: usize| words.get(i).filter(|_| i < end).map_or("", |w| w.text.as_str());
    if SELF.contains(&text(at)) {
        return Some(Subject::Agent);
    }
    if OTHERS.contains(&text(at)) {
        return Some(Subject::Other);
    }
    if matches!(text(at), "the" | "this" | "that" | "your") {
        let noun = if SELF_NOUNS.contains(&text(at + 1)) { Subject::Agent } else { Subject::Other };
        return Some(noun);
    }
    if matches!(text(at), "can" | "may" | "not" | "will" | "does" | "do" | "must" | "shall") {
        return None;
    }
    // "Mail is never sent": a noun that may be a verb elsewhere.
    if at + 1 < end && matches!(text(at + 1), "is" | "are" | "can" | "will" | "stays" | "remains") {
        return Some(Subject::Other);
    }
    match verb(text(at)) {
        Some((_, Form::Third | Form::Base)) => None,
        Some((_, Form::Gerund | Form::Participle)) => Some(Subject::Other),
        // A word in the third person that the lists do not have may be a verb ("frobnicates mail").
        None if text(at).ends_with('s') && !text(at).ends_with("ss") && at == start => None,
        None => Some(Subject::Other),
    }
}
