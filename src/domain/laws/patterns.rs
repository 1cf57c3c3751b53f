//! Automata against the `regex` crate.

use super::super::Work;
use super::super::automaton::Automaton;
use super::{Dice, cases, some_pattern, source};

#[test]
fn automata_accept_what_the_regex_crate_matches() {
    for seed in 0..cases(400) {
        let dice = &mut Dice::new(seed);
        let tree = some_pattern(dice, 4);
        let Ok(automaton) = Automaton::compile(&tree, &mut Work::new()) else { continue };
        let regex = regex::Regex::new(&format!("(?s)\\A(?:{})\\z", source(&tree))).unwrap();
        for _ in 0..40 {
            let word = dice.word(&['a', 'b', 'c', '`', 'é', '\n'], 7);
            assert_eq!(automaton.accepts(&word), regex.is_match(&word), "seed {seed} {tree:?} {word:?}");
        }
    }
}

#[test]
fn equal_languages_have_equally_many_states() {
    for seed in 0..cases(200) {
        let dice = &mut Dice::new(seed);
        let tree = some_pattern(dice, 3);
        let doubled = super::PatternNode::Alternate(vec![tree.clone(), tree.clone()]);
        let states = |tree| Automaton::compile(tree, &mut Work::new()).map(|automaton| automaton.states());
        if let (Ok(one), Ok(two)) = (states(&tree), states(&doubled)) {
            assert_eq!(one, two, "seed {seed} {tree:?}");
        }
    }
}
