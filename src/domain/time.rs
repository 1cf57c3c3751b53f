//! Points in time: a text → exact seconds since 1970, and back; ranges; cells. Instants by UTC, datetimes and dates by a
//! clock without zone. Knows no time zones' names and no leap seconds: one is ambiguous, since readers differ.

use super::cells::Cells;
use super::finite::{tests, vector};
use super::interval::{gaps, shortest};
use super::{Atom, Bound, Cell, Comparison, Decimal, Kind, Membership, Range, TimeKind, Value, Work};

const DAY: i64 = 86_400;
/// 0000-01-01T00:00:00.
const FIRST: i64 = -62_167_219_200;
/// 10000-01-01T00:00:00, which is no longer written with four digits.
const BEYOND: i64 = 253_402_300_800;

/// A point in time: whole seconds, and the digits of the fraction without zeros at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment<'a> {
    seconds: i64,
    fraction: &'a str,
}

/// What a text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told<'a> {
    /// A point in time.
    At(Moment<'a>),
    /// A leap second: some readers refuse it, some take the second before or after.
    LeapSecond,
}

/// The exact seconds since 1970-01-01T00:00:00 that `text` says; `None`: it says none, or a leap second.
pub fn parse_time(kind: TimeKind, text: &str) -> Option<Decimal> {
    match read(kind, text)? {
        Told::At(moment) => Some(moment.to_decimal()),
        Told::LeapSecond => None,
    }
}

/// Reads a text of the kind; `None`: it is none.
pub(crate) fn read(kind: TimeKind, text: &str) -> Option<Told<'_>> {
    let mut at = Scanner { rest: text };
    let days = at.date()?;
    let start = days.saturating_mul(DAY);
    let told = match kind {
        TimeKind::Date => Told::At(Moment { seconds: start, fraction: "" }),
        TimeKind::DateTime => {
            at.one_of(&['T', ' '])?;
            at.clock(start, Seconds::Optional)?
        }
        TimeKind::Instant => {
            at.one_of(&['T', 't'])?;
            let told = at.clock(start, Seconds::Required)?;
            let offset = at.offset()?;
            match told {
                Told::At(moment) => Told::At(Moment { seconds: moment.seconds.saturating_sub(offset), ..moment }),
                Told::LeapSecond => Told::LeapSecond,
            }
        }
    };
    at.rest.is_empty().then_some(told)
}

/// Whether a time of day must have seconds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seconds {
    Optional,
    Required,
}

struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    fn one_of(&mut self, wanted: &[char]) -> Option<char> {
        let first = self.rest.chars().next().filter(|c| wanted.contains(c))?;
        self.rest = self.rest.get(first.len_utf8()..)?;
        Some(first)
    }

    /// Exactly `count` digits, at most `most`.
    fn number(&mut self, count: usize, most: i64) -> Option<i64> {
        let (digits, rest) = self.rest.split_at_checked(count)?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.rest = rest;
        digits.parse().ok().filter(|number| *number <= most)
    }

    /// Days since 1970-01-01.
    fn date(&mut self) -> Option<i64> {
        let year = self.number(4, 9_999)?;
        self.one_of(&['-'])?;
        let month = self.number(2, 12).filter(|month| *month >= 1)?;
        self.one_of(&['-'])?;
        let day = self.number(2, days_in_month(year, month)).filter(|day| *day >= 1)?;
        Some(days_since_1970(year, month, day))
    }

    fn clock(&mut self, start: i64, rule: Seconds) -> Option<Told<'a>> {
        let hour = self.number(2, 23)?;
        self.one_of(&[':'])?;
        let minute = self.number(2, 59)?;
        let (mut second, mut fraction) = (0, "");
        if self.one_of(&[':']).is_some() {
            second = self.number(2, if minute == 59 { 60 } else { 59 })?;
            if self.one_of(&['.']).is_some() {
                let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
                let (digits, rest) = self.rest.split_at_checked(end).filter(|(digits, _)| !digits.is_empty())?;
                (fraction, self.rest) = (digits.trim_end_matches('0'), rest);
            }
        } else if rule == Seconds::Required {
            return None;
        }
        if second == 60 {
            return Some(Told::LeapSecond);
        }
        let of_day = hour.saturating_mul(3_600).saturating_add(minute.saturating_mul(60)).saturating_add(second);
        Some(Told::At(Moment { seconds: start.saturating_add(of_day), fraction }))
    }

    /// Seconds east of UTC.
    fn offset(&mut self) -> Option<i64> {
        let sign = match self.one_of(&['Z', 'z', '+', '-'])? {
            '+' => 1i64,
            '-' => -1,
            _ => return Some(0), // Z
        };
        let hours = self.number(2, 23)?;
        self.one_of(&[':'])?;
        let minutes = self.number(2, 59)?;
        Some(hours.saturating_mul(3_600).saturating_add(minutes.saturating_mul(60)).saturating_mul(sign))
    }
}

/// The proleptic Gregorian calendar, by Howard Hinnant's algorithm: years begin in March, 400 years are an era.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year.saturating_sub(1) } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let from_march = month.saturating_add(9).rem_euclid(12);
    let of_year = from_march.saturating_mul(153).saturating_add(2).div_euclid(5).saturating_add(day).saturating_sub(1);
    let leaps = of_era.div_euclid(4).saturating_sub(of_era.div_euclid(100));
    let days = of_era.saturating_mul(365).saturating_add(leaps).saturating_add(of_year);
    era.saturating_mul(146_097).saturating_add(days).saturating_sub(719_468)
}

/// The inverse of [`days_since_1970`].
fn date_of(days: i64) -> (i64, i64, i64) {
    let shifted = days.saturating_add(719_468);
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let leaps =
        of_era.div_euclid(1_460).saturating_sub(of_era.div_euclid(36_524)).saturating_add(of_era.div_euclid(146_096));
    let year_of_era = of_era.saturating_sub(leaps).div_euclid(365);
    let before = year_of_era.saturating_mul(365).saturating_add(year_of_era.div_euclid(4));
    let of_year = of_era.saturating_sub(before.saturating_sub(year_of_era.div_euclid(100)));
    let from_march = of_year.saturating_mul(5).saturating_add(2).div_euclid(153);
    let before = from_march.saturating_mul(153).saturating_add(2).div_euclid(5);
    let day = of_year.saturating_sub(before).saturating_add(1);
    let month = from_march.saturating_add(2).rem_euclid(12).saturating_add(1);
    let year = era.saturating_mul(400).saturating_add(year_of_era).saturating_add(i64::from(month <= 2));
    (year, month, day)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let leap = year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31, // a month is within 1..12 here
    }
}

impl Moment<'_> {
    fn to_decimal(self) -> Decimal {
        let scale = i32::try_from(self.fraction.len()).unwrap_or(i32::MAX);
        if self.seconds >= 0 || self.fraction.is_empty() {
            let digits = format!("{}{}", self.seconds.unsigned_abs(), self.fraction);
            return Decimal::scaled(self.seconds < 0, &digits, scale);
        }
        // Before 1970 the fraction still counts forward: -2 and .25 is -1.75.
        let whole = self.seconds.saturating_add(1).unsigned_abs();
        let digits = format!("{whole}{}", complement(self.fraction));
        Decimal::scaled(true, &digits, scale)
    }
}

/// The digits of 1 − 0.FRACTION, for a fraction that is not zero and has no zero at its end.
fn complement(fraction: &str) -> String {
    let mut digits: Vec<u8> = fraction.bytes().map(|digit| b'9'.saturating_sub(digit).saturating_add(b'0')).collect();
    if let Some(last) = digits.last_mut() {
        *last = last.saturating_add(1);
    }
    digits.into_iter().map(char::from).collect()
}

/// The whole seconds at or before `number`, and the digits of the rest.
fn split(number: &Decimal) -> (i64, String) {
    let text = number.absolute().to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse().unwrap_or(i64::MAX);
    match (number.is_negative(), fraction) {
        (false, fraction) => (whole, fraction.to_owned()),
        (true, "") => (whole.saturating_neg(), String::new()),
        (true, fraction) => (whole.saturating_neg().saturating_sub(1), complement(fraction)),
    }
}

/// The text of a point in time, in UTC for instants; `None`: it has none (a year beyond four digits, a date amid a day).
pub fn time_text(kind: TimeKind, number: &Decimal) -> Option<String> {
    let (seconds, fraction) = split(number);
    if !(FIRST..BEYOND).contains(&seconds) {
        return None;
    }
    let (year, month, day) = date_of(seconds.div_euclid(DAY));
    let date = format!("{year:04}-{month:02}-{day:02}");
    let of_day = seconds.rem_euclid(DAY);
    if kind == TimeKind::Date {
        return (of_day == 0 && fraction.is_empty()).then_some(date);
    }
    let (hour, minute) = (of_day.div_euclid(3_600), of_day.rem_euclid(3_600).div_euclid(60));
    let second = match (of_day.rem_euclid(60), &*fraction) {
        (0, "") if kind == TimeKind::DateTime => String::new(),
        (second, "") => format!(":{second:02}"),
        (second, fraction) => format!(":{second:02}.{fraction}"),
    };
    let zone = if kind == TimeKind::Instant { "Z" } else { "" };
    Some(format!("{date}T{hour:02}:{minute:02}{second}{zone}"))
}

/// A compiled range of times.
#[derive(Clone, Debug)]
pub(crate) struct TimeTest {
    kind: TimeKind,
    range: Range<(i64, String)>,
}

impl TimeTest {
    /// Compiles the range.
    pub(crate) fn new(kind: TimeKind, range: &Range<Decimal>) -> TimeTest {
        let end = |end: &Option<(Decimal, Comparison)>| end.as_ref().map(|(end, how)| (split(end), *how));
        TimeTest { kind, range: Range { low: end(&range.low), high: end(&range.high) } }
    }

    /// Whether `text` says a time in the range.
    pub(crate) fn read(&self, text: &str) -> Membership {
        match read(self.kind, text) {
            None => Membership::Out,
            Some(Told::LeapSecond) => Membership::Ambiguous,
            Some(Told::At(moment)) => {
                let compare = |end: &(i64, String)| moment.cmp(&Moment { seconds: end.0, fraction: &end.1 });
                Membership::of(self.range.admits(compare))
            }
        }
    }
}

/// A text of the kind that readers take differently.
pub(crate) fn ambiguous_example(kind: TimeKind) -> Option<&'static str> {
    match kind {
        TimeKind::Instant => Some("1998-12-31T23:59:60Z"),
        TimeKind::DateTime => Some("1998-12-31T23:59:60"),
        TimeKind::Date => None,
    }
}

/// The cells of times over `atoms`: every end of a range and every gap. Of texts equally long the one nearest to 1970.
pub(crate) fn cells(kind: TimeKind, atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let tests = tests(&Kind::Time(kind), atoms, work)?;
    let mut points = vec![Decimal::from_i64(FIRST), Decimal::from_i64(BEYOND)];
    for atom in atoms {
        if let Atom::Times(range) = atom {
            points.extend([&range.low, &range.high].into_iter().flatten().map(|(end, _)| end.clone()));
        }
    }
    points.sort_unstable();
    points.dedup();
    let mut cells = Cells::new();
    for text in points.iter().filter_map(|point| time_text(kind, point)) {
        work.spend(tests.len(), "a set of times")?;
        let value = Value::Text(text.into());
        cells.offer(vector(&tests, &value), value);
    }
    for (low, high) in gaps(&points) {
        let (Some(low), Some(high)) = (low, high) else {
            continue;
        };
        work.spend(tests.len(), "a set of times")?;
        let Some((moment, alone)) = in_gap(kind, low, high) else {
            continue;
        };
        let Some(text) = time_text(kind, &moment) else {
            continue;
        };
        let value = Value::Text(text.into());
        let vector = vector(&tests, &value);
        if alone { cells.offer(vector, value) } else { cells.offer_many(vector, value) }
    }
    Ok(cells.into_vec())
}

/// The time of the shortest text strictly between two, and whether there is no other.
fn in_gap(kind: TimeKind, low: &Decimal, high: &Decimal) -> Option<(Decimal, bool)> {
    let steps: &[i64] = match kind {
        TimeKind::Date => &[DAY],
        TimeKind::DateTime => &[60, 1],
        TimeKind::Instant => &[1],
    };
    for step in steps {
        if let Some((count, more)) = multiple_between(*step, low, high) {
            return Some((Decimal::from_i64(count), kind == TimeKind::Date && !more));
        }
    }
    if kind == TimeKind::Date {
        return None;
    }
    shortest(Some(low), Some(high), 1..=2_048).map(|moment| (moment, false))
}

/// The multiple of `step` between two that is nearest to 0, and whether there is another.
fn multiple_between(step: i64, low: &Decimal, high: &Decimal) -> Option<(i64, bool)> {
    let first = split(low).0.div_euclid(step).saturating_add(1);
    let (seconds, fraction) = split(high);
    let last = seconds.div_euclid(step);
    let at_high = seconds.rem_euclid(step) == 0 && fraction.is_empty();
    let last = if at_high { last.saturating_sub(1) } else { last };
    (first <= last).then(|| (0i64.clamp(first, last).saturating_mul(step), first < last))
}

#[cfg(test)]
mod tests;
