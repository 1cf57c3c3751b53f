//! Times by hand: the calendar, offsets, fractions, what is refused.

use super::*;

fn seconds(kind: TimeKind, text: &str) -> Option<String> {
    parse_time(kind, text).map(|number| number.to_string())
}

#[test]
fn known_moments() {
    let cases = [
        (TimeKind::Instant, "1970-01-01T00:00:00Z", "0"),
        (TimeKind::Instant, "1970-01-01T01:00:00+01:00", "0"),
        (TimeKind::Instant, "1969-12-31t19:00:00-05:00", "0"),
        (TimeKind::Instant, "2026-11-30T12:34:56.7890z", "1796042096.789"),
        (TimeKind::Instant, "1969-12-31T23:59:58.25Z", "-1.75"),
        (TimeKind::Instant, "1969-12-31T23:59:59.999Z", "-0.001"),
        (TimeKind::DateTime, "2000-02-29 00:00", "951782400"),
        (TimeKind::DateTime, "2000-02-29T00:00:00", "951782400"),
        (TimeKind::Date, "0000-01-01", "-62167219200"),
        (TimeKind::Date, "9999-12-31", "253402214400"),
        (TimeKind::Date, "1970-01-02", "86400"),
    ];
    for (kind, text, expected) in cases {
        assert_eq!(seconds(kind, text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn what_is_no_time() {
    let instants = [
        "2026-11-30T12:00:00",
        "2026-11-30 12:00:00Z",
        "2026-11-30T12:00Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30T12:00:60Z",
        "2026-11-30T12:00:00.Z",
        "2026-11-30T12:00:00+24:00",
        "2026-11-30T12:00:00+0100",
        "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "+002026-11-30T12:00:00Z",
        "2026-11-30T12:00:00Z ",
        "２０２６-11-30T12:00:00Z",
    ];
    for text in instants {
        assert_eq!(read(TimeKind::Instant, text), None, "{text}");
    }
    for text in ["2026-11-30T12:00:00Z", "2026-11-30t12:00", "2026-11-30", "2026-11-30T1:00"] {
        assert_eq!(read(TimeKind::DateTime, text), None, "{text}");
    }
    for text in ["2026-11-30T00:00", "2026-1-1", "26-01-01", "2026-11-31", "2026-00-10", "2026-10-00"] {
        assert_eq!(read(TimeKind::Date, text), None, "{text}");
    }
}

#[test]
fn leap_seconds_are_ambiguous() {
    assert_eq!(read(TimeKind::Instant, "1998-12-31T23:59:60Z"), Some(Told::LeapSecond));
    let any = TimeTest::new(TimeKind::Instant, &Range { low: None, high: None });
    assert_eq!(any.read("1998-12-31T23:59:60Z"), Membership::Ambiguous);
}

#[test]
fn every_day_is_written_as_it_is_read() {
    for days in (FIRST.div_euclid(DAY)..BEYOND.div_euclid(DAY)).step_by(97) {
        let number = Decimal::from_i64(days * DAY);
        let text = time_text(TimeKind::Date, &number).unwrap();
        assert_eq!(parse_time(TimeKind::Date, &text), Some(number), "{text}");
    }
    for text in ["-1.75", "-0.001", "1796042096.789", "-62167219200", "0.5"] {
        let number = Decimal::parse(text).unwrap();
        for kind in [TimeKind::Instant, TimeKind::DateTime] {
            let written = time_text(kind, &number).unwrap();
            assert_eq!(parse_time(kind, &written), Some(number.clone()), "{written}");
        }
    }
    assert_eq!(time_text(TimeKind::Date, &Decimal::from_i64(BEYOND)), None);
    assert_eq!(time_text(TimeKind::Date, &Decimal::from_i64(1)), None);
}

#[test]
fn days_have_no_gap_between_neighbours() {
    let ty = crate::domain::Type { kind: Kind::Time(TimeKind::Date), null: false, refinement: None };
    let day = |text: &str| parse_time(TimeKind::Date, text).unwrap();
    let after = |text: &str, how| crate::domain::Set::Atom(Atom::Times(Range { low: Some((day(text), how)), high: None }));
    let before = |text: &str, how| crate::domain::Set::Atom(Atom::Times(Range { low: None, high: Some((day(text), how)) }));
    let meet = |a, b| crate::domain::Set::And(vec![a, b]);
    let permitted = |set| crate::domain::permitted(&ty, &set, &mut Work::new()).unwrap();
    use Comparison::{Exclusive, Inclusive};
    assert!(permitted(meet(after("2026-11-30", Exclusive), before("2026-12-01", Exclusive))).is_none());
    let one = permitted(meet(after("2026-11-29", Exclusive), before("2026-12-01", Exclusive))).unwrap();
    assert_eq!((one.witness, one.singleton), (Value::Text("2026-11-30".into()), true));
    let two = permitted(meet(after("2026-11-29", Inclusive), before("2026-12-01", Exclusive))).unwrap();
    assert!(!two.singleton);
    assert!(permitted(before("0000-01-01", Exclusive)).is_none());
}
