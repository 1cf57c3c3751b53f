//! Sentences → promises of a gate for each action: "asks you before it sends", "never pays without your approval", "you confirm every
//! payment". A standing switch ("off until you turn it on") is none, nor a question about some actions only ("above 100", "to
//! strangers"), nor one asked once.

use super::english::{Reach, WHOLE_ENDS, reach, verb};
use super::sentence::Word;
use std::ops::Range;

/// A promise to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// What is asked about, as base forms and nouns; empty: everything.
    pub about: Vec<String>,
    /// Where, in bytes.
    pub at: Range<usize>,
}

const APPROVAL: &[&str] = &[
    "approval",
    "approvals",
    "permission",
    "confirmation",
    "go-ahead",
    "ok",
    "okay",
    "say-so",
    "sign-off",
    "authorization",
    "authorisation",
    "confirming",
    "asking",
    "checking",
    "yes",
    "approving",
    "nod",
    "agreement",
];
const PERSON: &[&str] =
    &["you", "user", "human", "person", "owner", "operator", "someone", "somebody", "people", "me", "us", "manager"];
const FILLERS: &[&str] = &[
    "your",
    "a",
    "an",
    "any",
    "explicit",
    "human",
    "prior",
    "the",
    "express",
    "for",
    "first",
    "with",
    "clear",
    "from",
    "explicitly",
    "always",
    "to",
    "on",
];
const SWITCHES: &[&str] = &[
    "off", "enable", "enabled", "enables", "switch", "switched", "opt", "default", "settings", "setting", "turn", "turned",
    "once", "activate",
];
const PARTS: &[&str] = &[
    "over",
    "above",
    "more",
    "larger",
    "large",
    "big",
    "bigger",
    "outside",
    "new",
    "unknown",
    "than",
    "if",
    "when",
    "unless",
    "strangers",
    "external",
    "some",
    "certain",
    "important",
    "sensitive",
    "risky",
    "unusual",
    "expensive",
    "to",
    "in",
    "from",
    "beyond",
    "only",
    "first-time",
    "except",
    "another",
    "others",
    "other",
    "under",
    "below",
    "within",
    "between",
    "with",
    "by",
    "on",
    "that",
    "which",
    "not",
    "after",
    "until",
];

/// The gate that the sentence promises.
pub fn gate(words: &[Word]) -> Option<Gate> {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    if texts.iter().any(|word| SWITCHES.contains(word)) {
        return None;
    }
    let action = asks(&texts)
        .or_else(|| without(&texts))
        .or_else(|| only_after(&texts))
        .or_else(|| every(&texts))
        .or_else(|| you_confirm(&texts))?;
    let at = words.first()?.at.start..words.last()?.at.end;
    about(&action).map(|about| Gate { about, at })
}

/// "asks you before it sends", "asks for your approval before each payment", "asks first".
fn asks(texts: &[&str]) -> Option<Vec<String>> {
    for (i, word) in texts.iter().enumerate() {
        let verb = match verb(word).map(|(base, _)| base) {
            Some(base @ ("ask" | "confirm" | "check" | "wait" | "request" | "require" | "need")) => base,
            _ if matches!(*word, "gets" | "seeks" | "get" | "seek") => "seek",
            _ => continue,
        };
        let before = i.checked_sub(1).and_then(|i| texts.get(i)).copied().unwrap_or("");
        let subject = matches!(
            before,
            "" | "it"
                | "i"
                | "we"
                | "agent"
                | "assistant"
                | "bot"
                | "and"
                | ","
                | "will"
                | "always"
                | "must"
                | "but"
                | "then"
                | "also"
                | "first"
        );
        if !subject {
            continue;
        }
        let mut j = i + 1;
        let (mut person, mut approval, mut first) = (false, false, false);
        while let Some(word) = texts.get(j) {
            person |= PERSON.contains(word);
            approval |= APPROVAL.contains(word);
            first |= *word == "first";
            if !(PERSON.contains(word) || APPROVAL.contains(word) || FILLERS.contains(word)) {
                break;
            }
            j += 1;
        }
        let asked = match verb {
            "ask" => true,
            "confirm" | "check" => person,
            _others => approval,
        };
        let rest = &texts[j.min(texts.len())..];
        match rest {
            [] | [",", ..] if asked && first && matches!(verb, "ask" | "confirm" | "check") => {
                return Some(action(&texts[..i]));
            }
            ["each" | "every", "time", ..] if asked => return Some(action(&texts[..i])),
            ["before", action @ ..] if asked => return Some(self::action(action)),
            ["each" | "every" | "any", ..] if asked && approval => return Some(action(rest)),
            _ => {}
        }
    }
    None
}

/// "never sends mail without asking", "nothing is sent unless you approve".
fn without(texts: &[&str]) -> Option<Vec<String>> {
    let j = texts.iter().position(|word| matches!(*word, "without" | "unless" | "until"))?;
    let denies = texts[..j].iter().position(|word| matches!(*word, "not" | "nothing" | "no"))?;
    let rest = &texts[j + 1..];
    let gated = match texts[j] {
        "without" => {
            let skipped = rest.iter().take_while(|word| FILLERS.contains(word)).count();
            rest.get(skipped).is_some_and(|word| APPROVAL.contains(word))
        }
        _unless => approves(rest),
    };
    gated.then(|| action(&texts[denies + 1..j]))
}

/// `you approve`, `a person has confirmed`, `you say so`.
fn approves(texts: &[&str]) -> bool {
    let skipped = texts.iter().take_while(|word| matches!(**word, "a" | "the" | "your")).count();
    let person = texts.get(skipped).is_some_and(|word| PERSON.contains(word));
    let rest: Vec<&str> =
        texts.iter().skip(skipped + 1).copied().filter(|w| !matches!(*w, "has" | "have" | "explicitly" | "first")).collect();
    let said = match rest[..] {
        ["say" | "says" | "said", "so" | "yes", ..] => true,
        [verb, ..] => ["approve", "confirm", "agree", "authorize", "authorise", "permit"]
            .iter()
            .any(|base| super::english::form_of(verb, base).is_some()),
        [] => false,
    };
    person && said
}

/// "sends mail only after you confirm", "pays only with your approval".
fn only_after(texts: &[&str]) -> Option<Vec<String>> {
    let only = texts.iter().position(|word| *word == "only")?;
    let j = (only + 1..texts.len()).find(|j| matches!(texts[*j], "after" | "with" | "if" | "when" | "upon"))?;
    let rest = &texts[j + 1..];
    let skipped = rest.iter().take_while(|word| FILLERS.contains(word)).count();
    let noun = rest.get(skipped).is_some_and(|word| APPROVAL.contains(word) && *word != "asking" && *word != "checking");
    (noun || approves(rest)).then(|| {
        let said: Vec<&str> = texts[..j].iter().copied().filter(|word| *word != "only").collect();
        action(&said)
    })
}

/// "every payment needs your approval", "each message is confirmed by you".
fn every(texts: &[&str]) -> Option<Vec<String>> {
    let i = texts.iter().position(|word| matches!(*word, "every" | "each" | "any" | "all"))?;
    let verbs = |word: &&str| {
        matches!(
            *word,
            "needs" | "requires" | "waits" | "must" | "is" | "gets" | "has" | "need" | "require" | "wait" | "are"
        )
    };
    let j = (i + 1..texts.len().min(i + 5)).find(|j| verbs(&texts[*j]))?;
    let rest = &texts[j..];
    let noun =
        rest.iter().any(|word| matches!(*word, "approval" | "confirmation" | "go-ahead" | "ok" | "permission" | "sign-off"));
    let participle = rest.iter().any(|word| matches!(*word, "approved" | "confirmed"));
    let denied = rest.contains(&"not") || rest.contains(&"no");
    let by_person =
        rest.iter().any(|word| PERSON.contains(word)) || rest.iter().any(|w| matches!(*w, "your" | "human")) || noun;
    let first_is_all = i == 0 || matches!(texts[i - 1], "and" | "," | "but" | "so");
    (!denied && first_is_all && (noun || participle) && by_person).then(|| action(&texts[i..j]))
}

/// "you approve every payment".
fn you_confirm(texts: &[&str]) -> Option<Vec<String>> {
    let i = texts.iter().position(|word| matches!(*word, "you" | "person" | "human"))?;
    let (said, rest) = texts[i + 1..].split_first()?;
    let confirms = ["approve", "confirm"].iter().any(|base| super::english::form_of(said, base).is_some());
    let each = rest.first().is_some_and(|word| matches!(*word, "every" | "each" | "all"));
    (confirms && each).then(|| action(rest))
}

fn action(texts: &[&str]) -> Vec<String> {
    let mut words: Vec<&str> = texts.to_vec();
    while let Some(end) = WHOLE_ENDS.iter().find(|end| words.ends_with(end) || words.windows(end.len()).any(|w| w == **end))
    {
        let at = words.windows(end.len()).position(|w| w == *end).unwrap_or(0);
        words.drain(at..at + end.len());
        if end.is_empty() {
            break;
        }
    }
    words.into_iter().map(str::to_owned).collect()
}

/// What is asked about; `None`: something that is no doing, or a part of it only.
fn about(action: &[String]) -> Option<Vec<String>> {
    let is_part = |word: &String| PARTS.contains(&word.as_str()) || word.chars().any(|c| c.is_ascii_digit());
    if action.iter().any(is_part) {
        return None;
    }
    let mut about = Vec::new();
    let mut general = action.is_empty();
    let mut reads = false;
    for word in action {
        match word.as_str() {
            "it" | "the" | "agent" | "assistant" | "any" | "every" | "each" | "a" | "an" | "all" | "your" | "is" | "are"
            | "be" | "ever" | "will" | "can" | "does" | "do" | "single" | "its" | "and" | "or" | "," | "you" | "user"
            | "time" | "i" | "we" | "human" | "person" | "always" | "actually" => {}
            "anything" | "action" | "actions" | "step" | "steps" | "change" | "changes" | "irreversible" | "destructive"
            | "permanent" | "proceeds" | "proceeding" | "continues" | "acts" | "acting" | "act" | "doing" | "happens"
            | "done" | "making" | "makes" | "taking" | "takes" | "move" | "tool" | "call" | "calls" | "something"
            | "nothing" | "write" | "writes" | "mutation" => general = true,
            "payment" | "payments" => about.push("pay".to_owned()),
            "transfer" | "transfers" | "order" | "orders" | "purchase" | "purchases" | "deletion" | "deletions"
            | "message" | "messages" | "mail" | "mails" | "email" | "emails" | "command" | "commands" | "post" | "posts"
            | "file" | "files" | "money" => about.push(singular(word)),
            other => match verb(other).map(|(base, _)| (base, reach(base))) {
                Some((base, Some(Reach::Changes))) => about.push(base.to_owned()),
                Some((_, Some(Reach::Reads))) => reads = true,
                Some(_) | None => about.push(other.to_owned()),
            },
        }
    }
    let known =
        about.iter().any(|word| verb(word).is_some_and(|(base, _)| reach(base) == Some(Reach::Changes)) || is_deed(word));
    match (general, about.is_empty(), known) {
        (true, _, false) => Some(Vec::new()),
        (_, false, true) => Some(about),
        (false, true, _) if reads => None,
        _ => None, // a verb that we do not know: perhaps no deed at all
    }
}

fn is_deed(word: &str) -> bool {
    matches!(
        word,
        "transfer"
            | "order"
            | "purchase"
            | "deletion"
            | "message"
            | "mail"
            | "email"
            | "command"
            | "post"
            | "money"
            | "file"
    )
}

fn singular(word: &str) -> String {
    word.strip_suffix('s').unwrap_or(word).to_owned()
}
