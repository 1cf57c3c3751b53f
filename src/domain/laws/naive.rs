//! Membership by structural recursion, with the standard library's strings and the `regex` crate.

use super::super::{Atom, Comparison, Decimal, Set, TimeKind, Value, parse_time};
use std::cell::RefCell;
use std::collections::HashMap;

thread_local! {
    static REGEXES: RefCell<HashMap<String, regex::Regex>> = RefCell::new(HashMap::new());
}

/// Whether a text lies in a set of texts.
pub(super) fn text(set: &Set, value: &str) -> bool {
    boolean(set, &|atom| match atom {
        Atom::OneOf(values) => values.contains(&Value::Text(value.into())),
        Atom::Prefix(prefix) => value.chars().take(prefix.chars().count()).eq(prefix.chars()),
        Atom::Suffix(suffix) => value.chars().rev().take(suffix.chars().count()).eq(suffix.chars().rev()),
        Atom::Length(size) => {
            let count = value.chars().count() as u64;
            size.low <= count && count <= size.high.unwrap_or(u64::MAX)
        }
        Atom::Matches(pattern) => regex::Regex::new(&format!("(?s)\\A(?:{})\\z", pattern.source)).unwrap().is_match(value),
        other => panic!("{other:?}"),
    })
}

/// Whether a number, in quarters of quarters (16ths), lies in a set of numbers.
pub(super) fn number(set: &Set, sixteenths: i64) -> bool {
    boolean(set, &|atom| match atom {
        Atom::OneOf(values) => values.iter().any(|value| matches!(value, Value::Number(n) if of(n) == sixteenths)),
        Atom::Numbers(range) | Atom::Times(range) => {
            let low = range.low.as_ref().is_none_or(|(end, how)| match how {
                Comparison::Inclusive => sixteenths >= of(end),
                Comparison::Exclusive => sixteenths > of(end),
            });
            let high = range.high.as_ref().is_none_or(|(end, how)| match how {
                Comparison::Inclusive => sixteenths <= of(end),
                Comparison::Exclusive => sixteenths < of(end),
            });
            low && high
        }
        other => panic!("{other:?}"),
    })
}

/// Through a double, which is exact for what the laws use.
fn of(number: &Decimal) -> i64 {
    (number.to_string().parse::<f64>().unwrap() * 16.0).round() as i64
}

/// The sixteenths of a time's text.
pub(super) fn time(kind: TimeKind, text: &str) -> i64 {
    of(&parse_time(kind, text).unwrap())
}

/// Whether a path, spelled canonically, lies in a set of paths.
pub(super) fn path(set: &Set, value: &str, ignore_case: bool) -> bool {
    sided(set, true, &|atom, permits| match atom {
        Atom::Path(glob) => {
            let fold = |text: &str| if ignore_case && !permits { text.to_ascii_lowercase() } else { text.to_owned() };
            glob_holds(&fold(glob), &fold(value))
        }
        other => panic!("{other:?}"),
    })
}

fn glob_holds(glob: &str, value: &str) -> bool {
    let both = glob == "**" || glob.starts_with("**/");
    let same = both || glob.starts_with('/') == value.starts_with('/');
    let segments =
        |text: &str| text.split('/').filter(|s| !s.is_empty() && *s != ".").map(str::to_owned).collect::<Vec<_>>();
    same && segments_hold(&segments(glob), &segments(value))
}

fn segments_hold(glob: &[String], value: &[String]) -> bool {
    match glob.split_first() {
        None => value.is_empty(),
        Some((head, rest)) if head == "**" => (0..=value.len()).any(|skip| segments_hold(rest, &value[skip..])),
        Some((head, rest)) => {
            let Some((first, others)) = value.split_first() else { return false };
            letters_hold(&head.chars().collect::<Vec<_>>(), &first.chars().collect::<Vec<_>>())
                && segments_hold(rest, others)
        }
    }
}

fn letters_hold(glob: &[char], value: &[char]) -> bool {
    match glob.split_first() {
        None => value.is_empty(),
        Some(('*', rest)) => (0..=value.len()).any(|skip| letters_hold(rest, &value[skip..])),
        Some((c, rest)) => value.first() == Some(c) && letters_hold(rest, &value[1..]),
    }
}

fn boolean(set: &Set, atom: &dyn Fn(&Atom) -> bool) -> bool {
    sided(set, true, &|a, _| atom(a))
}

fn sided(set: &Set, permits: bool, atom: &dyn Fn(&Atom, bool) -> bool) -> bool {
    match set {
        Set::Any => true,
        Set::Never => false,
        Set::Atom(a) => atom(a, permits),
        Set::Not(inner) => !sided(inner, !permits, atom),
        Set::And(parts) => parts.iter().all(|part| sided(part, permits, atom)),
        Set::Or(parts) => parts.iter().any(|part| sided(part, permits, atom)),
    }
}
