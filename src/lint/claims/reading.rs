//! Sentences and phrases → what is claimed: does, does not. What is said of part of a thing is not read as said of all of it, and what
//! is said of somebody else, under a condition or of another time is not read at all: better silent than crying wolf.

use super::clause::{Clause, Joint, Subject, clauses};
use super::english::{self, Form, Reach, WHOLE_ENDS, form_of, is_determiner, is_generic_noun, is_plain_adverb, reach, verb};
use super::phrase::{Match, Phrase, same_noun};
use super::sentence::Word;
use std::ops::Range;

/// One claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whether it is denied.
    pub denied: bool,
    /// What it is about: any of these.
    pub targets: Vec<usize>,
    /// On what: any of these; empty: whatever.
    pub on: Vec<usize>,
    /// What kind of doing: of a value alone.
    pub reach: Reach,
    /// Where, in bytes.
    pub at: Range<usize>,
}

/// What a sentence claims.
pub fn claims(words: &[Word], phrases: &[Phrase]) -> Vec<Claim> {
    let clauses = clauses(words);
    let mut found: Vec<Claim> = Vec::new();
    for (index, clause) in clauses.iter().enumerate() {
        let reading = Reading { words, phrases, clause, narrowed: narrowed(&clauses, index, words) };
        let more = match (clause.joint, clause.subject) {
            (Joint::Main, Subject::Agent) if !reading.is_hedged() => reading.of_agent(),
            (Joint::Main, Subject::Other) if !reading.is_hedged() => reading.passive(),
            (Joint::Except, Subject::Agent) => reading.left_out(clauses.get(index.wrapping_sub(1))),
            (Joint::Main | Joint::Except | Joint::Narrows | Joint::Aside, _) => Vec::new(),
        };
        for claim in more {
            let same = |c: &&mut Claim| c.denied == claim.denied && c.at == claim.at && c.on == claim.on;
            match found.iter_mut().find(same) {
                Some(known) => known.targets.extend(claim.targets),
                None => found.push(claim),
            }
        }
    }
    found
}

/// What stands around a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Narrowed {
    /// What is denied here is denied of a part, or at a time.
    denial: bool,
    /// What is promised here holds under a condition.
    promise: bool,
}

fn narrowed(clauses: &[Clause], index: usize, words: &[Word]) -> Narrowed {
    let conditional = |by: &str| matches!(by, "if" | "once" | "unless" | "until" | "as long as" | "as soon as" | "whenever");
    let mut narrowed = Narrowed { denial: false, promise: false };
    let before = clauses[..index].iter().all(|c| c.joint == Joint::Narrows).then(|| clauses[..index].first()).flatten();
    let after =
        clauses[index + 1..].iter().take_while(|c| matches!(c.joint, Joint::Narrows | Joint::Except) || c.by == "than");
    for other in before.into_iter().chain(after) {
        narrowed.denial = true;
        let switched = words[other.start..other.end].iter().any(|w| {
            matches!(
                w.text.as_str(),
                "enable" | "turn" | "switch" | "activate" | "install" | "configure" | "upgrade" | "opt"
            )
        });
        narrowed.promise |= conditional(&other.by) || switched;
    }
    narrowed
}

struct Reading<'a> {
    words: &'a [Word],
    phrases: &'a [Phrase],
    clause: &'a Clause,
    narrowed: Narrowed,
}

/// Words that make a clause speak of another time, or of what is not claimed.
const HEDGES: &[&str] = &[
    "soon",
    "planned",
    "later",
    "someday",
    "eventually",
    "yet",
    "would",
    "could",
    "might",
    "should",
    "used",
    "previously",
    "formerly",
    "tries",
    "try",
    "hopes",
    "plans",
    "wants",
    "helps",
    "help",
    "lets",
    "let",
    "need",
    "needs",
    "fail",
    "fails",
    "hesitate",
    "forget",
    "forgets",
    "mind",
    "worry",
    "pretend",
    "pretends",
    "supposed",
    "meant",
    "true",
    "me",
    "rarely",
    "seldom",
    "sometimes",
    "often",
    "usually",
    "normally",
    "generally",
    "mostly",
    "mainly",
    "hardly",
    "almost",
    "nearly",
    "knows",
    "explains",
    "drafts",
    "suggests",
    "prepares",
    "asks",
    "ask",
    "says",
    "imagine",
    "maybe",
    "perhaps",
    "attention",
    "unlike",
    "version",
    "stop",
    "stops",
    "claims",
    "until",
    "tells",
    "teaches",
    "automatically",
    "silently",
    "accidentally",
    "prefers",
    "prefer",
    "first",
];

impl Reading<'_> {
    fn text(&self, at: usize) -> &str {
        self.words.get(at).filter(|_| at < self.clause.end).map_or("", |word| word.text.as_str())
    }

    fn range(&self) -> Range<usize> {
        self.clause.start..self.clause.end
    }

    fn is_hedged(&self) -> bool {
        self.range().any(|i| HEDGES.contains(&self.text(i)))
    }

    /// Where the clause denies, if it does so once; `Err`: more often.
    fn denial(&self) -> Result<Option<usize>, ()> {
        let only = |i: usize| matches!(self.text(i + 1), "only" | "just" | "merely" | "simply" | "all" | "every");
        let places: Vec<usize> = self.range().filter(|i| self.text(*i) == "not" && !only(*i)).collect();
        match &places[..] {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            [..] => Err(()),
        }
    }

    fn of_agent(&self) -> Vec<Claim> {
        let Ok(denial) = self.denial() else { return Vec::new() };
        let mut found = Vec::new();
        let mut taken: Vec<Range<usize>> = Vec::new();
        for at in self.range() {
            for phrase in self.phrases.iter().filter(|phrase| phrase.is_verbal()) {
                let Some(place) = phrase.at(self.words, at).filter(|m| m.end <= self.clause.end) else { continue };
                if !self.is_done(at, place.form) {
                    continue;
                }
                let (on, end) = self.values_after(place.end);
                taken.push(place.end..end);
                found.extend(self.verbal(phrase, place, &on, end, denial));
            }
        }
        for at in self.range().filter(|at| !taken.iter().any(|t| t.contains(at))) {
            for phrase in self.phrases.iter().filter(|phrase| !phrase.is_verbal()) {
                if let Some(place) = phrase.at(self.words, at).filter(|m| m.end <= self.clause.end) {
                    found.extend(self.named(phrase, place, denial));
                }
            }
        }
        found
    }

    /// Whether a denial reaches the verb (or, without one, the name) at `at`; `None`: one cannot tell. "Cannot send mail, and labels
    /// it" denies no labels: the form has changed. "Never sends mail and labels it" may be read either way.
    fn is_denied(&self, denial: Option<usize>, at: usize, form: Option<Form>) -> Option<bool> {
        let Some(not) = denial.filter(|not| *not < at) else { return Some(false) };
        let first = (not + 1..=at).find_map(|i| Some((i, verb(self.text(i))?.1)));
        match (first, form) {
            (Some((_, Form::Base)), Some(Form::Third)) => Some(false),
            (Some((start, Form::Third)), Some(Form::Third)) => {
                let and = (start..at).any(|i| self.text(i) == "and");
                (!and).then_some(true)
            }
            (_, _) => Some(true),
        }
    }

    /// Whether the verb at `at` is what the subject does.
    fn is_done(&self, at: usize, form: Option<Form>) -> bool {
        let start = self.clause.start;
        let before = if at == start { "" } else { self.text(at - 1) };
        let joined = matches!(before, "and" | "or" | "," | "not" | "but" | "then")
            || is_plain_adverb(before)
            || before.ends_with("ly");
        let modal = |word: &str| matches!(word, "can" | "may" | "will" | "does" | "do" | "must" | "shall" | "not" | "be");
        match form {
            Some(Form::Third) => {
                let subject = matches!(
                    before,
                    "" | "it" | "he" | "she" | "agent" | "assistant" | "bot" | "helper" | "operator" | "worker"
                );
                subject || joined
            }
            Some(Form::Base) => {
                let before_it = (start..at).any(|i| modal(self.text(i)));
                let imperative = at == start;
                let plural = matches!(before, "i" | "we");
                // "Read mail and send it": the first verb stands bare.
                let chain = joined && verb(self.text(start)).is_some_and(|(_, form)| form == Form::Base);
                imperative || plural || (modal(before) || joined) && before_it || chain
            }
            Some(Form::Gerund | Form::Participle) | None => false,
        }
    }

    /// Values named from word `at` on, and where they end.
    fn values_after(&self, at: usize) -> (Vec<usize>, usize) {
        let mut on = Vec::new();
        let (mut i, mut end) = (at, at);
        while i < self.clause.end {
            let noun = self.phrases.iter().filter(|p| !p.is_verbal()).find_map(|p| Some((p, p.at(self.words, i)?)));
            match noun.filter(|(_, m)| m.end <= self.clause.end) {
                Some((phrase, place)) => {
                    on.push(phrase.target);
                    i = place.end;
                    end = i;
                }
                None if is_determiner(self.text(i)) || matches!(self.text(i), "and" | "or" | ",") => i += 1,
                None => break,
            }
        }
        while !on.is_empty() && is_generic_noun(self.text(end)) {
            end += 1;
        }
        (on, end)
    }

    /// A claim by a verb.
    fn verbal(&self, phrase: &Phrase, place: Match, on: &[usize], end: usize, denial: Option<usize>) -> Option<Claim> {
        let denied = self.is_denied(denial, place.start, place.form)?;
        let at = self.words[place.start].at.start..self.words[end.max(place.end) - 1].at.end;
        let claim = Claim { denied, targets: vec![phrase.target], on: on.to_vec(), reach: Reach::Either, at };
        if !denied {
            let adverbs = phrase.is_single() && self.is_idiom(place.end);
            return (!self.narrowed.promise && !adverbs).then_some(claim);
        }
        let between = (denial.unwrap_or(0) + 1)..place.start;
        let plain = between.clone().all(|i| !self.text(i).ends_with("ly") || is_plain_adverb(self.text(i)));
        let quantified = between.clone().any(|i| matches!(self.text(i), "more" | "only" | "to" | "always" | "be"));
        let whole = place.whole && plain && !quantified && !self.narrowed.denial;
        (whole && self.ends_whole(self.object_end(phrase, end))).then_some(claim)
    }

    /// "pays attention", "runs on".
    fn is_idiom(&self, at: usize) -> bool {
        matches!(self.text(at), "attention" | "on" | "off" | "out" | "up" | "down" | "like" | "as")
    }

    /// Where the object of a denied verb ends, if it says no more than the verb: "submits a form", "pays anything".
    fn object_end(&self, phrase: &Phrase, at: usize) -> usize {
        let mut i = at;
        while english::is_whole_determiner(self.text(i)) {
            i += 1;
        }
        let noun = self.text(i);
        let says_nothing = matches!(noun, "anything" | "anyone" | "anybody" | "something" | "it" | "them");
        let own = phrase.owns(noun) || (i > at || is_plural(noun)) && is_generic_noun(noun);
        if says_nothing || own { i + 1 } else { at }
    }

    /// Whether nothing from word `at` on narrows what was said before it.
    fn ends_whole(&self, at: usize) -> bool {
        let mut i = at;
        loop {
            match self.text(i) {
                "" => return true,
                "," | "and" | "or" => {
                    // What is joined is a further verb or object; what hangs on a preposition is not.
                    return !matches!(self.text(i + 1), "to" | "from" | "in" | "outside" | "beyond" | "only");
                }
                _ => {}
            }
            let rest: Vec<&str> = (i..self.clause.end).map(|k| self.text(k)).collect();
            match WHOLE_ENDS.iter().find(|end| rest.starts_with(end)) {
                Some(end) => i += end.len(),
                None => return false,
            }
        }
    }

    /// A claim by a name: what is done to it is the verb before it.
    fn named(&self, phrase: &Phrase, place: Match, denial: Option<usize>) -> Option<Claim> {
        let mut reaches: Vec<Reach> = Vec::new();
        let mut adjectives = 0usize;
        let mut governed = None;
        for i in (self.clause.start..place.start).rev() {
            let word = self.text(i);
            if let Some((base, form)) = verb(word).filter(|(_, form)| !matches!(form, Form::Participle)) {
                if governed.is_some() && !matches!(self.text(i + 1), "and" | "or" | ",") {
                    break;
                }
                reaches.push(reach(base)?);
                governed = Some((i, form));
                continue;
            }
            if word == "not" {
                break;
            }
            let joins =
                matches!(word, "and" | "or" | ",") || is_determiner(word) || is_generic_noun(word) || is_plain_adverb(word);
            if governed.is_some() {
                if !matches!(word, "and" | "or" | ",") {
                    break;
                }
            } else if !joins && !self.is_value(i) {
                adjectives += 1;
            }
        }
        let (by, form) = governed.map_or((place.start, None), |(at, form)| (at, Some(form)));
        let denied = self.is_denied(denial, by, form)?;
        let at = self.words[place.start].at.start..self.words[place.end - 1].at.end;
        let reach = match reaches[..] {
            [] => Reach::Either,
            [first, ref more @ ..] => {
                if more.iter().all(|r| *r == first) {
                    first
                } else {
                    Reach::Either
                }
            }
        };
        let claim = Claim { denied, targets: vec![phrase.target], on: Vec::new(), reach, at };
        if denied {
            let not = denial.unwrap_or(0);
            let plain = (not + 1..place.start).all(|i| {
                let word = self.text(i);
                let join = matches!(word, "and" | "or" | "," | "to") || is_determiner(word) || is_plain_adverb(word);
                join || self.is_value(i)
                    || is_generic_noun(word)
                    || verb(word).is_some_and(|(base, _)| english::reach(base).is_some())
            });
            let mut end = place.end;
            while is_generic_noun(self.text(end)) || phrase.owns(self.text(end)) {
                end += 1;
            }
            let bare = governed.is_none()
                && !(not + 1..place.start)
                    .all(|i| is_determiner(self.text(i)) || self.is_value(i) || matches!(self.text(i), "or" | "and" | ","));
            let promised_only = self.text(not + 1) == "only";
            return (plain && !bare && !promised_only && !self.narrowed.denial && self.ends_whole(end)).then_some(claim);
        }
        let (verb_at, form) = governed?;
        let done = self.is_done(verb_at, Some(form));
        (done && adjectives <= 1 && !self.narrowed.promise && !self.is_about(place)).then_some(claim)
    }

    fn is_value(&self, at: usize) -> bool {
        self.phrases.iter().any(|p| !p.is_verbal() && p.at(self.words, at).is_some())
    }

    /// "kitty users", "tmux-like", "kitty support is planned": not the thing itself.
    fn is_about(&self, place: Match) -> bool {
        matches!(
            self.text(place.end),
            "users"
                | "documentation"
                | "docs"
                | "themes"
                | "theme"
                | "manual"
                | "questions"
                | "style"
                | "syntax"
                | "format"
                | "history"
                | "community"
                | "tutorial"
                | "tutorials"
                | "articles"
                | "news"
                | "logs"
        )
    }

    /// "Sees every terminal except kitty": kitty is denied.
    fn left_out(&self, before: Option<&Clause>) -> Vec<Claim> {
        let Some(before) = before.filter(|c| c.joint == Joint::Main && c.subject == Subject::Agent) else {
            return Vec::new();
        };
        let said = |word: &str| (before.start..before.end).any(|i| self.words[i].text == word);
        if said("not") || said("nothing") || !(said("all") || said("every") || said("any") || said("everything")) {
            return Vec::new();
        }
        let (on, end) = self.values_after(self.clause.start + usize::from(self.text(self.clause.start) == "for"));
        if on.is_empty() || !self.ends_whole(end) {
            return Vec::new();
        }
        let at = self.words[self.clause.start].at.start..self.words[end - 1].at.end;
        let claim =
            |target| Claim { denied: true, targets: vec![target], on: Vec::new(), reach: Reach::Either, at: at.clone() };
        on.into_iter().map(claim).collect()
    }

    /// "Mail is never sent", "no files are deleted", "kitty is out of reach".
    fn passive(&self) -> Vec<Claim> {
        let mut found = Vec::new();
        if self.narrowed.denial {
            return found;
        }
        let start = self.clause.start;
        let Some(is) = self.range().find(|i| {
            matches!(self.text(*i), "is" | "are" | "gets" | "can" | "will" | "stays" | "stay" | "remains" | "remain")
        }) else {
            return found;
        };
        let none = matches!(self.text(start), "no" | "nothing");
        let nots = self.range().filter(|i| self.text(*i) == "not").count();
        let is_subject = |object: &str| {
            let mut i = start;
            while matches!(self.text(i), "no" | "any" | "the" | "your" | "all" | "its") {
                i += 1;
            }
            self.text(i) == "nothing" || (same_noun(object, self.text(i)) && i + 1 == is)
        };
        for at in is + 1..self.clause.end {
            for phrase in self.phrases.iter().filter(|p| p.is_verbal()) {
                let Some((base, object)) = phrase.base().zip(phrase.object()) else { continue };
                let said = form_of(self.text(at), base).is_some_and(|form| form == Form::Participle || base == "read");
                let plain = (is + 1..at).all(|i| {
                    matches!(self.text(i), "not" | "be" | "been" | "and" | "or" | ",")
                        || is_plain_adverb(self.text(i))
                        || verb(self.text(i)).is_some()
                });
                if said && is_subject(object) && plain && usize::from(none) + nots == 1 && self.ends_whole(at + 1) {
                    let range = self.words[start].at.start..self.words[at].at.end;
                    let targets = vec![phrase.target];
                    found.push(Claim { denied: true, targets, on: Vec::new(), reach: Reach::Either, at: range });
                }
            }
        }
        found.extend(self.out_of_reach(is, nots));
        found
    }

    fn out_of_reach(&self, is: usize, nots: usize) -> Vec<Claim> {
        let (on, end) = self.values_after(self.clause.start);
        let rest: Vec<&str> = (is + 1..self.clause.end)
            .map(|i| self.text(i))
            .filter(|w| !is_plain_adverb(w) && *w != "to" && *w != "it")
            .collect();
        let away: &[&[&str]] = &[
            &["out", "of", "reach"],
            &["out", "of", "scope"],
            &["off", "limits"],
            &["off-limits"],
            &["hidden"],
            &["invisible"],
            &["inaccessible"],
            &["unreachable"],
            &["excluded"],
            &["untouched"],
            &["forbidden"],
            &["blocked"],
            &["out", "of", "bounds"],
        ];
        let near: &[&[&str]] = &[
            &["not", "accessible"],
            &["not", "reachable"],
            &["not", "visible"],
            &["not", "available"],
            &["not", "included"],
        ];
        let denied = (nots == 0 && away.contains(&&rest[..])) || (nots == 1 && near.contains(&&rest[..]));
        if !denied || end != is || on.is_empty() {
            return Vec::new();
        }
        let at = self.words[self.clause.start].at.start..self.words[end - 1].at.end;
        let claim =
            |target| Claim { denied: true, targets: vec![target], on: Vec::new(), reach: Reach::Either, at: at.clone() };
        on.into_iter().map(claim).collect()
    }
}

fn is_plural(word: &str) -> bool {
    word.ends_with('s') && !word.ends_with("ss")
}
