//! A misspelt name and the closed list → the one meant, or nothing.

/// The candidate nearest to `given`, if one is near enough to be meant; ties go to the first in text order.
pub fn did_you_mean<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = given.to_lowercase();
    let limit = (given.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter_map(|c| {
            let distance = distance(&lower, &c.to_lowercase());
            (distance <= limit).then_some((distance, c))
        })
        .min()
        .map(|(_, c)| c)
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
    use super::did_you_mean;

    #[test]
    fn near_words_are_suggested_and_far_ones_are_not() {
        let words = ["amount", "recipient", "date"];
        assert_eq!(did_you_mean("ammount", words), Some("amount"));
        assert_eq!(did_you_mean("amuont", words), Some("amount"));
        assert_eq!(did_you_mean("Amount", words), Some("amount"));
        assert_eq!(did_you_mean("colour", words), None);
        assert_eq!(did_you_mean("daet", words), Some("date"));
    }
}
