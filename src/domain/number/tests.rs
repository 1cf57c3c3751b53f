//! Numbers: reading, order, plain text, doubles.

use super::*;

fn number(text: &str) -> Decimal {
    Decimal::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn reads_json_numbers_and_writes_them_plainly() {
    let cases = [
        ("0", "0"),
        ("-0", "0"),
        ("-0.000e99999999999999999999", "0"),
        ("5.0", "5"),
        ("1e2", "100"),
        ("1E+2", "100"),
        ("100e-2", "1"),
        ("0.0100", "0.01"),
        ("-12.340", "-12.34"),
        ("123456789012345678901234567890.5", "123456789012345678901234567890.5"),
        ("1.5e-3", "0.0015"),
    ];
    for (text, plain) in cases {
        assert_eq!(number(text).to_string(), plain, "{text}");
    }
}

#[test]
fn refuses_what_is_no_json_number() {
    for text in [
        "", "-", "+1", "01", ".5", "5.", "1e", "1e+", "0x1", "1_000", "NaN", "Infinity", " 1", "1 ", "--1", "1.2.3",
        "1e1.5", "٣",
    ] {
        assert_eq!(Decimal::parse(text), Err(NumberError::Syntax), "{text:?}");
    }
}

#[test]
fn limits_are_on_the_value() {
    assert_eq!(Decimal::parse("1e999999999"), Err(NumberError::Exponent));
    assert_eq!(Decimal::parse("1e1025"), Err(NumberError::Exponent));
    assert_eq!(Decimal::parse("1e-1025"), Err(NumberError::Exponent));
    assert_eq!(number("1e1024"), number("10e1023"));
    assert_eq!(number(&format!("1{}", "0".repeat(1024))), number("1e1024"), "zeros at the end are no digits");
    assert_eq!(Decimal::parse(&"1".repeat(1025)), Err(NumberError::Digits));
    assert!(Decimal::parse(&"1".repeat(1024)).is_ok());
    assert_eq!(number("-1e1024").to_string().len(), 1026);
}

#[test]
fn order_is_exact() {
    let ascending = [
        "-1e3",
        "-100.0000000000000000001",
        "-100",
        "-0.5",
        "0",
        "1e-9",
        "0.1",
        "0.10000000000000001",
        "1",
        "9.99",
        "10",
        "1e1000",
    ];
    for (i, a) in ascending.iter().enumerate() {
        for (j, b) in ascending.iter().enumerate() {
            assert_eq!(number(a).cmp(&number(b)), i.cmp(&j), "{a} {b}");
        }
    }
}

#[test]
fn nearest_doubles_are_those_of_every_reader() {
    for text in [
        "0",
        "-0",
        "0.1",
        "100.00000000000000001",
        "9007199254740993",
        "1e308",
        "1e400",
        "-1e400",
        "1e-400",
        "4.9e-324",
        "2.5e-324",
    ] {
        let double: f64 = text.parse().unwrap();
        assert_eq!(number(text).nearest_double(), double, "{text}");
    }
    assert!(number("-1e-400").nearest_double().is_sign_positive(), "never -0");
    let long = "7".repeat(1024);
    assert_eq!(number(&long).nearest_double(), f64::INFINITY);
}

#[test]
fn next_above_steps_at_a_scale() {
    for (from, scale, next) in [
        ("0", 0, "1"),
        ("0.5", 0, "1"),
        ("99", 0, "100"),
        ("99.99", 1, "100"),
        ("0.01", 2, "0.02"),
        ("0.001", 1, "0.1"),
        ("123", 2, "123.01"),
    ] {
        assert_eq!(number(from).next_above(scale), number(next), "{from} at {scale}");
    }
}

#[test]
fn integers_are_recognised_by_value() {
    for (text, integral) in [
        ("5.0", true),
        ("5", true),
        ("0", true),
        ("0.5", false),
        ("1e3", true),
        ("1.5e1", true),
        ("1.55e1", false),
        ("1e-1", false),
    ] {
        assert_eq!(number(text).is_integral(), integral, "{text}");
    }
    assert_eq!(number("-9223372036854775808").to_i64(), Some(i64::MIN));
    assert_eq!(number("9223372036854775808").to_i64(), None);
    assert_eq!(Decimal::from_i64(i64::MIN).to_string(), "-9223372036854775808");
}

#[test]
fn short_numbers_take_the_same_double_as_long_ones() {
    let mut state = 1u64;
    for _ in 0..20_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let digits = state >> 11;
        let text = format!("{}e{}", digits % 10u64.pow(1 + (state % 16) as u32), (state % 61) as i32 - 30);
        let expected: f64 = text.parse().unwrap();
        assert_eq!(number(&text).nearest_double(), expected, "{text}");
        assert_eq!(number(&format!("-{text}")).nearest_double(), -expected, "-{text}");
    }
}
