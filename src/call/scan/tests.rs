//! The scanner against the reader, and the reader against serde_json: what is scanned is read, wherever the odd character
//! stands in a block; and what two readers read alike is not refused.

use super::*;
use crate::call::read;
use crate::domain::Value;

fn scanned(bytes: &[u8]) -> Result<Token<'_>, Odd> {
    let mut scan = Scan::new(bytes, Bounds::default())?;
    if matches!(scan.next()?, b'{' | b'[') {
        scan.skip()?;
        scan.end()?;
        return Ok(Token::Null);
    }
    let token = scan.scalar()?;
    scan.end()?;
    Ok(token)
}

/// What is scanned is what is read; `must`: it is not odd.
fn check_scan(bytes: &[u8], must: bool) {
    let value = read(bytes, Bounds::default());
    let shown = || String::from_utf8_lossy(bytes).into_owned();
    let loosely = serde_json::from_slice::<serde_json::Value>(bytes);
    assert!(value.is_err() || loosely.is_ok(), "read, and not by serde_json: {}", shown());
    match scanned(bytes) {
        Err(Odd) => assert!(!must || value.is_err(), "odd, and read: {}", shown()),
        Ok(token) => {
            let value = value.unwrap_or_else(|error| panic!("scanned, and not read ({error}): {}", shown()));
            match (token, &value) {
                (Token::Text(text), Value::Text(read)) => assert_eq!(text, read.as_bytes(), "{}", shown()),
                (Token::Bool(truth), Value::Bool(read)) => assert_eq!(truth, *read),
                (Token::Number(number), Value::Number(read)) => {
                    assert_eq!(number.compare_decimal(read), std::cmp::Ordering::Equal, "{}", shown());
                }
                (Token::Escaped, Value::Text(_)) | (Token::Null, Value::Null | Value::List(_) | Value::Object(_)) => {}
                (token, value) => panic!("{token:?} for {value:?}"),
            }
        }
    }
}

/// Pieces of a string, right and wrong.
const PIECES: [&[u8]; 26] = [
    b"\\n",
    b"\\t",
    b"\\r",
    b"\\b",
    b"\\f",
    b"\\/",
    b"\\\"",
    b"\\\\",
    b"\\u00e9",
    b"\\ud83d\\ude00",
    b"\\ud83d",
    b"\\ude00",
    b"\\ud83d\\n",
    b"\\x",
    b"\\u12",
    b"\\",
    b"\"",
    b"\x1f",
    b"\n",
    b"\x7f",
    "é".as_bytes(),
    "€".as_bytes(),
    "😀".as_bytes(),
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc3",
];

#[test]
fn every_odd_piece_is_seen_wherever_it_stands_in_a_block() {
    for piece in PIECES {
        for before in (0..=140).chain([191, 192, 255, 256]) {
            for after in [0, 1, 7, 8, 9, 63, 64, 65, 130] {
                let text = [b"\"", "a".repeat(before).as_bytes(), piece, "b".repeat(after).as_bytes(), b"\""].concat();
                check_scan(&text, true);
            }
        }
    }
}

#[test]
fn two_odd_pieces_together_are_seen_too() {
    for first in PIECES {
        for second in PIECES {
            for before in [0, 5, 30, 31, 32, 33, 62, 63, 94, 95, 96, 97] {
                for between in [0, 1, 60, 63] {
                    let fill = |count: usize| "c".repeat(count).into_bytes();
                    let text = [b"[\"", &*fill(before), first, &fill(between), second, &fill(70), b"\"]"].concat();
                    check_scan(&text, true);
                }
            }
        }
    }
}

#[test]
fn structure_is_read_as_the_reader_reads_it() {
    for text in [
        "{}",
        "[]",
        "{\"a\":{}}",
        "[[],[[]],{\"a\":{\"b\":[]}}]",
        "{\"a\":1,\"b\":[1,2,{\"a\":1}],\"c\":{\"a\":{\"a\":1}}}",
        " { \"a\" : [ 1 , -2.50 , true,false ,null ] , \"\" : {} } ",
        "[1,2",
        "[1,]",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "[1 2]",
        "{\"a\":1}x",
        "{,}",
        "[,]",
        "{\"a\"}",
        "]",
        "}",
        "[}",
        "{]",
        "[1}",
        "{\"a\":1]",
        "",
        " ",
        "{\"a\":1,\"a\":2}",
        "[{\"x\":{\"a\":1,\"a\":2}}]",
        "{\"a\":{\"a\":1},\"b\":{\"a\":1}}",
        "[{\"a\":1},{\"a\":1}]",
        "{\"a\":[{\"b\":1}],\"b\":1,\"a\":2}",
        "tru",
        "true",
        "nul",
        "falsey",
    ] {
        check_scan(text.as_bytes(), true);
    }
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    // One level is the object of arguments, which is not skipped.
    check_scan(deep(63).as_bytes(), true);
    (64..70).for_each(|n| check_scan(deep(n).as_bytes(), false));
}

#[test]
fn numbers_are_read_as_the_reader_reads_them() {
    let signs = ["", "-", "+", "--"];
    let wholes = ["0", "1", "00", "01", "10", "9007199254740993", "999999999999999", "1000000000000000", "", "123456789"];
    let fractions = ["", ".", ".0", ".5", ".000000000000001", ".10", ".1.2", "-"];
    let exponents = ["", "e2", "E-2", "e", "e+", "e99999", "x"];
    for sign in signs {
        for whole in wholes {
            for fraction in fractions {
                for exponent in exponents {
                    check_scan(format!("{sign}{whole}{fraction}{exponent}").as_bytes(), false);
                    check_scan(format!("[{sign}{whole}{fraction}{exponent}]").as_bytes(), false);
                }
            }
        }
    }
    ["0", "-0", "1", "-17", "0.5", "499.99", "123456789012345"].iter().for_each(|text| check_scan(text.as_bytes(), true));
}

#[test]
fn texts_cut_and_bent_anywhere_are_read_alike() {
    let text = "{\"path\":\"/workspace/é\\n\\ud83d\\ude00\",\"n\":[-1.5,{\"a\":null,\"b\":[true,\"x\"]}],\"long\":\"0123456789012345678901234567890123456789\\\\\"}";
    for cut in 0..text.len() {
        check_scan(&text.as_bytes()[..cut], true);
        for byte in [b'"', b'\\', b'{', b'}', b'[', b']', b',', b':', b' ', b'\n', b'1', b'-', 0, 0x80, 0xff] {
            let mut bent = text.as_bytes().to_vec();
            bent[cut] = byte;
            // Names with escapes are odd.
            check_scan(&bent, false);
        }
    }
}
