//! What is read and what is refused.

use super::*;
use crate::digest::compact;

fn check_read(text: &str, expected: &str) {
    let value = read(text.as_bytes(), Bounds::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(compact(&value), expected);
}

fn check_refused(bytes: &[u8], offset: usize, why: &Why) {
    let error = read(bytes, Bounds::default()).expect_err("must be refused");
    assert_eq!((error.offset, &error.why), (offset, why), "{}", String::from_utf8_lossy(bytes));
}

#[test]
fn reads_what_rfc_8259_says() {
    check_read(
        " { \"a\" : [ 1 , -2.50e1, true,false ,null, \"x\\u00e9\\ud83d\\ude00\\/\" ] , \"\" : {} } ",
        "{\"a\":[1,-25,true,false,null,\"xé😀/\"],\"\":{}}",
    );
    check_read("[[],[[]],{\"a\":{\"b\":[]}}]", "[[],[[]],{\"a\":{\"b\":[]}}]");
    check_read("100.00000000000000001", "100.00000000000000001");
    check_read("-0", "0");
}

#[test]
fn refuses_what_two_readers_could_read_differently() {
    check_refused(b"{\"a\":1,\"a\":2}", 7, &Why::Duplicate("a".into()));
    check_refused(b"[{\"x\":{\"a\":1,\"\\u0061\":2}}]", 13, &Why::Duplicate("a".into()));
    check_refused(b"\"\\ud800\"", 1, &Why::Surrogate);
    check_refused(b"\"\\ud800\\u0041\"", 1, &Why::Surrogate);
    check_refused(b"\"\\udc00\"", 1, &Why::Surrogate);
    check_refused(b"\"\xff\"", 1, &Why::Encoding);
    check_refused(b"\"\xed\xa0\x80\"", 1, &Why::Encoding);
    check_refused(b"1 2", 2, &Why::Expected("the end"));
    check_refused(b"\xef\xbb\xbf1", 0, &Why::Expected("a value"));
    check_refused(b"NaN", 0, &Why::Expected("a value"));
    check_refused(b"[1,]", 3, &Why::Expected("a value"));
    check_refused(b"{\"a\":1,}", 7, &Why::Expected("a member name"));
    check_refused(b"{\"a\" 1}", 5, &Why::Expected("`:`"));
    check_refused(b"[1 2]", 3, &Why::Expected("`,` or `]`"));
    check_refused(b"01", 0, &Why::Number(NumberError::Syntax));
    check_refused(b"[1e999999999]", 1, &Why::Number(NumberError::Exponent));
    check_refused(b"\"a\nb\"", 2, &Why::Control);
    check_refused(b"\"\\x\"", 1, &Why::Escape);
    check_refused(b"", 0, &Why::Ends);
    check_refused(b"{\"a\":", 5, &Why::Ends);
    check_refused(b"\"a", 2, &Why::Ends);
}

#[test]
fn duplicates_among_many_members_are_found() {
    let members: Vec<String> = (0..40).map(|i| format!("\"k{i}\":{i}")).collect();
    let text = format!("{{{}}}", members.join(","));
    check_read(&text, &text);
    for again in [0, 15, 16, 39] {
        let text = format!("{{{},\"k{again}\":0}}", members.join(","));
        let error = read(text.as_bytes(), Bounds::default()).expect_err("a duplicate");
        assert_eq!(error.why, Why::Duplicate(format!("k{again}").into()));
    }
}

#[test]
fn depth_and_size_are_bounded() {
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    check_read(&deep(64), &deep(64));
    check_refused(deep(65).as_bytes(), 64, &Why::Depth(64));
    check_refused(deep(500_000).as_bytes(), 64, &Why::Depth(64));
    let bounds = Bounds { depth: 1, size: 4 };
    assert_eq!(read(b"[100]", bounds), Err(ReadError { offset: 4, why: Why::Size(4) }));
    assert_eq!(read(b"[[]]", bounds), Err(ReadError { offset: 1, why: Why::Depth(1) }));
}
