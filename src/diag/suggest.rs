//! A misspelt name and the closed list → the one meant, or nothing.

/// A candidate that may be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near<'a> {
    /// As it is spelt.
    pub word: &'a str,
    /// Whether no other candidate is as near: else a person must choose.
    pub alone: bool,
}

/// The candidate nearest to `given`, if one is near enough to be meant; ties go to the first in text order.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Near<'a>> {
    let lower = given.to_lowercase();
    let length = given.chars().count();
    let limit = (length / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    let mut alone = true;
    for candidate in candidates {
        // Words that differ more in length are further apart than that.
        if candidate.len().abs_diff(given.len()) > 4 * limit {
            continue;
        }
        let distance = distance(&lower, &candidate.to_lowercase());
        if distance > limit || distance >= length.max(candidate.chars().count()) {
            continue;
        }
        match best {
            Some((least, word)) if least < distance || word == candidate => {}
            Some((least, word)) if least == distance => {
                alone = false;
                best = Some((distance, word.min(candidate)));
            }
            Some(_) | None => {
                alone = true;
                best = Some((distance, candidate));
            }
        }
    }
    best.map(|(_, word)| Near { word, alone })
}

/// The word of [`nearest`].
pub fn did_you_mean<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest(given, candidates).map(|near| near.word)
}

/// Edits between two words, a swap of neighbours counting as one (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{Near, did_you_mean, nearest};

    #[test]
    fn near_words_are_suggested_and_far_ones_are_not() {
        let words = ["amount", "recipient", "date"];
        assert_eq!(did_you_mean("ammount", words), Some("amount"));
        assert_eq!(did_you_mean("amuont", words), Some("amount"));
        assert_eq!(did_you_mean("Amount", words), Some("amount"));
        assert_eq!(did_you_mean("colour", words), None);
        assert_eq!(did_you_mean("daet", words), Some("date"));
        assert_eq!(did_you_mean("x", ["y"]), None);
    }

    #[test]
    fn a_tie_is_for_a_person() {
        assert_eq!(nearest("get_bat", ["get_bar", "get_baz"]), Some(Near { word: "get_bar", alone: false }));
        assert_eq!(nearest("get_bar", ["get_bar", "get_baz"]), Some(Near { word: "get_bar", alone: true }));
        assert_eq!(nearest("get_barr", ["get_bar", "get_bar"]), Some(Near { word: "get_bar", alone: true }));
    }
}
