//! Texts of instants, datetimes and dates → exact seconds since 1970-01-01T00:00:00, and back for the generator.

use crate::number::Num;
use bailiwick::domain::TimeKind;

/// The seconds `text` stands for, if it is one of `kind`.
pub fn seconds(kind: TimeKind, text: &str) -> Option<Num> {
    let (date, clock) = match kind {
        TimeKind::Date => (text, None),
        TimeKind::DateTime | TimeKind::Instant => {
            let (date, rest) = (text.get(..10)?, text.get(10..)?);
            (date, Some(rest.strip_prefix(['T', 't', ' '])?))
        }
    };
    if kind == TimeKind::Instant && text.get(10..11) == Some(" ") {
        return None;
    }
    let days = day_number(date)?;
    let Some(clock) = clock else { return whole(days * 86_400) };
    let (clock, offset) = if kind == TimeKind::Instant { zone(clock)? } else { (clock, 0) };
    let (second, fraction) = time_of_day(clock, kind == TimeKind::DateTime)?;
    let total = whole(days * 86_400 + second - offset)?;
    match fraction {
        Some(digits) => total.plus(&Num::new(false, digits, 0)),
        None => Some(total),
    }
}

fn whole(n: i64) -> Option<Num> {
    Num::parse(&n.to_string())
}

fn digits(text: &str, count: usize) -> Option<i64> {
    (text.len() == count && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

/// Days since 1970-01-01, counted year by year and month by month.
fn day_number(date: &str) -> Option<i64> {
    if date.len() != 10 || !date.is_ascii() || &date[4..5] != "-" || &date[7..8] != "-" {
        return None;
    }
    let (year, month, day) = (digits(&date[..4], 4)?, digits(&date[5..7], 2)?, digits(&date[8..], 2)?);
    if !(1..=12).contains(&month) || day < 1 || day > month_length(year, month) {
        return None;
    }
    let years: i64 =
        if year >= 1970 { (1970..year).map(year_length).sum() } else { -(year..1970).map(year_length).sum::<i64>() };
    Some(years + (1..month).map(|m| month_length(year, m)).sum::<i64>() + day - 1)
}

fn leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn year_length(year: i64) -> i64 {
    if leap(year) { 366 } else { 365 }
}

fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 => {
            if leap(year) {
                29
            } else {
                28
            }
        }
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Clock without its offset, and the offset in seconds.
fn zone(clock: &str) -> Option<(&str, i64)> {
    if let Some(clock) = clock.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    let (clock, offset) = clock.split_at_checked(clock.len().checked_sub(6)?)?;
    let sign = if offset.starts_with('+') {
        1
    } else if offset.starts_with('-') {
        -1
    } else {
        return None;
    };
    let (hour, minute) = (digits(offset.get(1..3)?, 2)?, digits(offset.get(4..)?, 2)?);
    (offset.get(3..4)? == ":" && hour < 24 && minute < 60).then_some((clock, sign * (hour * 3600 + minute * 60)))
}

fn time_of_day(clock: &str, short: bool) -> Option<(i64, Option<&str>)> {
    let (clock, fraction) = clock.split_once('.').map_or((clock, None), |(c, f)| (c, Some(f)));
    if fraction.is_some_and(|f| f.is_empty() || !f.bytes().all(|b| b.is_ascii_digit())) {
        return None;
    }
    let parts: Vec<&str> = clock.split(':').collect();
    if !(parts.len() == 3 || (short && parts.len() == 2 && fraction.is_none())) {
        return None;
    }
    let (hour, minute) = (digits(parts[0], 2)?, digits(parts[1], 2)?);
    let second = if parts.len() == 3 { digits(parts[2], 2)? } else { 0 };
    (hour < 24 && minute < 60 && second < 60).then_some((hour * 3600 + minute * 60 + second, fraction))
}

/// A text of `kind` for a whole number of seconds; the inverse of [`seconds`].
pub fn text(kind: TimeKind, seconds: i64) -> String {
    let (mut days, clock) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let mut year = 1970;
    while days < 0 {
        year -= 1;
        days += year_length(year);
    }
    while days >= year_length(year) {
        days -= year_length(year);
        year += 1;
    }
    let mut month = 1;
    while days >= month_length(year, month) {
        days -= month_length(year, month);
        month += 1;
    }
    let date = format!("{year:04}-{month:02}-{:02}", days + 1);
    let clock = format!("{:02}:{:02}:{:02}", clock / 3600, clock / 60 % 60, clock % 60);
    match kind {
        TimeKind::Date => date,
        TimeKind::DateTime => format!("{date}T{clock}"),
        TimeKind::Instant => format!("{date}T{clock}Z"),
    }
}

#[cfg(test)]
mod tests {
    use super::{seconds, text};
    use bailiwick::domain::TimeKind::{Date, DateTime, Instant};

    #[test]
    fn known_times() {
        for (kind, given, expected) in [
            (Instant, "1970-01-01T00:00:00Z", Some("0")),
            (Instant, "2001-09-09T03:46:40.5+02:00", Some("1000000000.5")),
            (Instant, "2001-09-09T01:46:40", None),
            (DateTime, "2001-09-09 01:46", Some("999999960")),
            (DateTime, "2001-09-09T01:46:40Z", None),
            (Date, "2000-02-29", Some("951782400")),
            (Date, "1900-02-29", None),
            (Date, "1969-12-31", Some("-86400")),
        ] {
            assert_eq!(seconds(kind, given).map(|n| n.plain()).as_deref(), expected, "{given}");
        }
        for at in [-86_401, 0, 951_782_400, 1_796_000_000] {
            assert_eq!(seconds(Instant, &text(Instant, at)).map(|n| n.plain()), Some(at.to_string()));
        }
    }
}
