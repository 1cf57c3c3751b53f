//! Every token of policies that are right, in turn deleted, doubled, misspelt, exchanged with the next: how many of these texts
//! give another number of errors than one, and how many offered fixes leave errors.
//!
//! A mutant without any error may be a policy that says something else (a tool fewer in a list), so those are only counted.
//! `BAILIWICK_MUTANTS=N` takes one mutant in N (1: all) and prints the table; without it one in 97 is taken.

use super::{Found, errors, errors_after_fixes};
use bailiwick::syntax::{Token, TokenKind, tokens};
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Slip {
    Deleted,
    Doubled,
    Misspelt,
    Exchanged,
}

const SLIPS: [Slip; 4] = [Slip::Deleted, Slip::Doubled, Slip::Misspelt, Slip::Exchanged];

/// `word` with two letters in its middle exchanged, or one left out where they are the same.
fn misspelt(word: &str) -> Option<String> {
    let mut letters: Vec<char> = word.chars().collect();
    if letters.len() < 3 {
        return None;
    }
    let at = letters.len() / 2;
    if letters[at - 1] == letters[at] {
        letters.remove(at);
    } else {
        letters.swap(at - 1, at);
    }
    Some(letters.into_iter().collect())
}

fn mutant(text: &str, visible: &[Token], i: usize, slip: Slip) -> Option<String> {
    let token = visible[i];
    let (before, here, after) = (&text[..token.start], token.of(text), &text[token.end..]);
    Some(match slip {
        Slip::Deleted => format!("{before}{after}"),
        Slip::Doubled => format!("{before}{here} {here}{after}"),
        Slip::Misspelt if token.kind == TokenKind::Word => format!("{before}{}{after}", misspelt(here)?),
        Slip::Misspelt => return None,
        Slip::Exchanged => {
            let next = visible.get(i + 1)?;
            let between = &text[token.end..next.start];
            if next.of(text) == here || between.contains('\n') {
                return None;
            }
            format!("{before}{}{between}{here}{}", next.of(text), &text[next.end..])
        }
    })
}

/// What came of the mutants of one kind.
#[derive(Default)]
struct Count {
    none: usize,
    one: usize,
    more: usize,
    fixed: usize,
    unfixed: usize,
}

/// Examples by kind and the codes that were found.
type Table = BTreeMap<(Slip, String), Vec<String>>;

fn judge(slip: Slip, mutant: &str, shown: &str, counts: &mut BTreeMap<Slip, Count>, table: &mut Table) {
    let found = errors(mutant);
    let count = counts.entry(slip).or_default();
    match found.as_slice() {
        [] => count.none += 1,
        [_] => count.one += 1,
        _ => count.more += 1,
    }
    let codes = |found: &[Found]| found.iter().map(|f| f.code).collect::<Vec<_>>().join(" ");
    if found.len() != 1 {
        let told: String =
            found.iter().take(3).map(|f| format!("\n          {} on `{}`: {}", f.code, f.token, f.message)).collect();
        table.entry((slip, codes(&found))).or_default().push(format!("{shown}{told}"));
    } else if let Some(left) = errors_after_fixes(mutant) {
        count.fixed += 1;
        if !left.is_empty() {
            count.unfixed += 1;
            let told = format!("{shown}: {}; left: {}", found[0].message, left[0].message);
            table.entry((slip, format!("{} fixed leaves {}", found[0].code, codes(&left)))).or_default().push(told);
        }
    }
}

#[test]
fn one_mistake_in_any_token_is_one_error() {
    let asked: Option<usize> = std::env::var("BAILIWICK_MUTANTS").ok().and_then(|v| v.parse().ok());
    let step = asked.unwrap_or(97);
    let mut counts: BTreeMap<Slip, Count> = BTreeMap::new();
    let mut table = Table::new();
    let mut number = 0;
    for (path, text) in super::policies() {
        let tokens = tokens(&text);
        let shown = |t: &&Token| !t.kind.is_trivia() && t.kind != TokenKind::Newline;
        let visible: Vec<Token> = tokens.iter().filter(shown).copied().collect();
        for (i, slip) in (0..visible.len()).flat_map(|i| SLIPS.map(|slip| (i, slip))) {
            let Some(mutant) = mutant(&text, &visible, i, slip) else { continue };
            number += 1;
            if number % step == 0 {
                let line = text[..visible[i].start].matches('\n').count();
                let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy().into_owned();
                let shown = format!("{name}:{} `{}`", line + 1, mutant.lines().nth(line).unwrap_or("").trim());
                judge(slip, &mutant, &shown, &mut counts, &mut table);
            }
        }
    }
    let sum = |part: fn(&Count) -> usize| counts.values().map(part).sum::<usize>();
    let (none, one, more) = (sum(|c| c.none), sum(|c| c.one), sum(|c| c.more));
    let (fixed, unfixed) = (sum(|c| c.fixed), sum(|c| c.unfixed));
    if asked.is_some() {
        print(&counts, &table);
    }
    // Of all mutants 0.2 % give several errors; in a sample there may be a few.
    assert!(none + one + more > 200 && more * 50 <= none + one + more, "{more} mutants give several errors: {table:#?}");
    assert!(unfixed * 50 <= fixed, "{unfixed} of {fixed} fixes leave errors: {table:#?}");
}

fn print(counts: &BTreeMap<Slip, Count>, table: &Table) {
    for (slip, c) in counts {
        println!("{slip:?}: none {}, one {}, more {}; fixed {}, badly {}", c.none, c.one, c.more, c.fixed, c.unfixed);
    }
    for ((slip, codes), examples) in table {
        println!("{slip:?} {:5} [{codes}]", examples.len());
        examples.iter().take(8).for_each(|example| println!("      {example}"));
    }
}
