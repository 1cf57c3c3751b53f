//! Does a text match a pattern as a whole? The set of places at which a node can end, from every place it can begin.

use bailiwick::domain::PatternNode;
use std::collections::BTreeSet;

/// Whether all of `text` matches.
pub fn matches(node: &PatternNode, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    ends(node, &text, 0).contains(&text.len())
}

fn ends(node: &PatternNode, text: &[char], start: usize) -> BTreeSet<usize> {
    match node {
        PatternNode::Empty => BTreeSet::from([start]),
        PatternNode::Class(ranges) => {
            let hit = text.get(start).is_some_and(|c| ranges.iter().any(|(low, high)| low <= c && c <= high));
            if hit { BTreeSet::from([start + 1]) } else { BTreeSet::new() }
        }
        PatternNode::Concat(parts) => parts.iter().fold(BTreeSet::from([start]), |from, part| step(part, text, &from)),
        PatternNode::Alternate(parts) => parts.iter().flat_map(|p| ends(p, text, start)).collect(),
        PatternNode::Repeat { min, max, node } => repeat(node, text, start, *min, *max),
    }
}

fn step(node: &PatternNode, text: &[char], from: &BTreeSet<usize>) -> BTreeSet<usize> {
    from.iter().flat_map(|s| ends(node, text, *s)).collect()
}

fn repeat(node: &PatternNode, text: &[char], start: usize, min: u32, max: Option<u32>) -> BTreeSet<usize> {
    let mut from = BTreeSet::from([start]);
    for _ in 0..min {
        from = step(node, text, &from);
    }
    let mut all = from.clone();
    // Beyond `min`, more rounds than the text has places reach nothing new.
    let rounds = max.map_or(text.len() + 1, |m| (m.saturating_sub(min) as usize).min(text.len() + 1));
    for _ in 0..rounds {
        from = step(node, text, &from);
        all.extend(&from);
    }
    all
}

/// A few texts that match, and none that does not: shortest choices first.
pub fn samples(node: &PatternNode) -> Vec<String> {
    let mut all = match node {
        PatternNode::Empty => vec![String::new()],
        PatternNode::Class(ranges) => ranges
            .iter()
            .flat_map(|(low, high)| [*low, *high])
            .filter(|c| !c.is_control())
            .take(4)
            .map(String::from)
            .collect(),
        PatternNode::Concat(parts) => parts.iter().fold(vec![String::new()], |heads, part| {
            let tails = samples(part);
            heads.iter().flat_map(|h| tails.iter().take(3).map(move |t| format!("{h}{t}"))).take(12).collect()
        }),
        PatternNode::Alternate(parts) => parts.iter().flat_map(samples).collect(),
        PatternNode::Repeat { min, max, node } => {
            let counts = [Some(*min), Some(*min + 1), *max];
            let one = samples(node);
            let fits = |n: &u32| max.is_none_or(|m| *n <= m) && *n < 40;
            counts
                .into_iter()
                .flatten()
                .filter(fits)
                .flat_map(|n| one.iter().take(2).map(move |s| s.repeat(n as usize)))
                .collect()
        }
    };
    all.dedup();
    all.truncate(12);
    all
}

#[cfg(test)]
mod tests {
    use super::{matches, samples};
    use bailiwick::domain::PatternNode::{Alternate, Class, Concat, Repeat};

    #[test]
    fn whole_value() {
        let digit = || Class(vec![('0', '9')]);
        let letter = |c| Class(vec![(c, c)]);
        let node = Concat(vec![
            Alternate(vec![letter('a'), Concat(vec![letter('a'), letter('b')])]),
            Repeat { min: 1, max: Some(3), node: Box::new(digit()) },
        ]);
        for (text, expected) in
            [("a1", true), ("ab12", true), ("ab1234", false), ("a", false), ("xa1", false), ("a1 ", false)]
        {
            assert_eq!(matches(&node, text), expected, "{text}");
        }
        assert!(samples(&node).iter().all(|s| matches(&node, s)));
        let empties =
            Repeat { min: 0, max: None, node: Box::new(Repeat { min: 0, max: Some(1), node: Box::new(letter('x')) }) };
        assert!(matches(&empties, "") && matches(&empties, "xxx") && !matches(&empties, "xy"));
    }
}
