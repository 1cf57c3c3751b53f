//! A set of strings → one look-up, whatever their number. A [`Mark`] is a string's ends and length: it tells short strings
//! apart whole. Knows no types.

/// The first and the last eight bytes of a string, and its length. Of strings of at most 16 bytes it says all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Mark {
    head: u64,
    tail: u64,
    length: usize,
}

/// Strings up to this length are equal if their marks are.
const WHOLE: usize = 16;

impl Mark {
    /// The mark of a string.
    pub(crate) fn of(bytes: &[u8]) -> Mark {
        let length = bytes.len();
        match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
            (Some(head), Some(tail)) => Mark { head: u64::from_le_bytes(*head), tail: u64::from_le_bytes(*tail), length },
            _ => Mark { head: short(bytes), tail: 0, length }, // shorter than eight
        }
    }

    /// Whether strings of this mark are equal if their marks are.
    pub(crate) fn is_whole(&self) -> bool {
        self.length <= WHOLE
    }

    /// A hash of the mark alone, mixed by `seed`.
    pub(crate) fn hash(&self, seed: u64) -> u64 {
        let length = u64::try_from(self.length).unwrap_or(u64::MAX);
        let mixed = (self.head ^ self.tail.rotate_left(23) ^ length.rotate_left(56)).wrapping_mul(seed | 1);
        mixed ^ (mixed >> 32)
    }
}

/// At most seven bytes as a number, different for different bytes of one length.
fn short(bytes: &[u8]) -> u64 {
    if let (Some(head), Some(tail)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*head)) | (u64::from(u32::from_le_bytes(*tail)) << 32);
    }
    match *bytes {
        [] => 0,
        [a] => u64::from(a),
        [a, b] => u64::from(a) | (u64::from(b) << 8),
        [a, b, c, ..] => u64::from(a) | (u64::from(b) << 8) | (u64::from(c) << 16),
    }
}

/// A hash of the whole string.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, _) = bytes.as_chunks::<8>();
    let mark = Mark::of(bytes);
    let mut hash = mark.hash(K);
    for word in words {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(K);
    }
    hash ^ (hash >> 29)
}

/// Strings, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    marks: Box<[Mark]>,
    /// By `marks`.
    texts: Box<[Box<str>]>,
    /// Open addressing: one more than an index into `texts`, or 0. Empty where a walk is as fast.
    places: Box<[u32]>,
}

/// Up to how many strings are walked.
const FEW: usize = 8;

impl Texts {
    /// The set of `texts`.
    pub(crate) fn new(mut texts: Vec<Box<str>>) -> Texts {
        texts.sort_unstable();
        texts.dedup();
        let marks = texts.iter().map(|text| Mark::of(text.as_bytes())).collect();
        let places = if texts.len() > FEW { places(&texts) } else { Box::default() };
        Texts { marks, texts: texts.into(), places }
    }

    /// Whether `text` is among them.
    pub(crate) fn contains(&self, text: &str) -> bool {
        let mark = Mark::of(text.as_bytes());
        if self.places.is_empty() {
            let same = |index: usize| mark.is_whole() || self.texts.get(index).is_some_and(|own| **own == *text);
            return self.marks.iter().enumerate().any(|(index, own)| *own == mark && same(index));
        }
        let mut place = hash(text.as_bytes());
        loop {
            let at = usize::try_from(place & self.mask()).unwrap_or(0);
            let Some(index) = self.places.get(at).and_then(|index| index.checked_sub(1)) else { return false };
            let index = usize::try_from(index).unwrap_or(usize::MAX);
            if self.texts.get(index).is_some_and(|own| **own == *text) {
                return true;
            }
            place = place.wrapping_add(1);
        }
    }

    fn mask(&self) -> u64 {
        u64::try_from(self.places.len()).unwrap_or(0).saturating_sub(1)
    }
}

/// A power of two of places, at most half of them taken, so that every walk ends.
fn places(texts: &[Box<str>]) -> Box<[u32]> {
    let size = texts.len().saturating_mul(2).next_power_of_two();
    let mask = u64::try_from(size).unwrap_or(u64::MAX).saturating_sub(1);
    let mut places = vec![0_u32; size];
    for (number, text) in (1_u32..).zip(texts) {
        let mut place = hash(text.as_bytes());
        while let Some(taken) = places.get_mut(usize::try_from(place & mask).unwrap_or(0)) {
            if *taken == 0 {
                *taken = number;
                break;
            }
            place = place.wrapping_add(1);
        }
    }
    places.into()
}

#[cfg(test)]
mod tests {
    //! Equality by marks is equality; every size is looked up right.
    use super::*;

    #[test]
    fn marks_of_short_strings_are_the_strings() {
        let letters = ["", "a", "b", "ab", "ba", "abc", "acb", "abcd", "abdc", "abcde", "abcdefg", "abcdefh", "bbcdefg"];
        let longer = ["abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghxjklmnop", "abcdefgi"];
        let all: Vec<&str> = letters.iter().chain(&longer).copied().collect();
        for a in &all {
            for b in &all {
                assert_eq!(Mark::of(a.as_bytes()) == Mark::of(b.as_bytes()), a == b, "{a} {b}");
            }
        }
    }

    #[test]
    fn every_string_is_found_and_no_other() {
        for count in [0, 1, 7, 8, 9, 100, 5_000] {
            let name = |i: usize| format!("GB29NWBK6016133192{i:04}6819");
            let texts = Texts::new((0..count).map(|i| name(i).into()).collect());
            assert!((0..count).all(|i| texts.contains(&name(i))), "{count}");
            assert!(!texts.contains(&name(count)) && !texts.contains(""), "{count}");
        }
    }
}
