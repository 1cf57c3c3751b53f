//! URLs: what every reader takes alike, and what not.

use super::*;
use crate::domain::{Atom, Kind, Matcher, Membership, Part, Set, Type, Value, Work};

#[test]
fn canonical_urls_are_as_whatwg_writes_them() {
    let same = [
        "https://example.com/",
        "HTTPS://Example.COM/A",
        "https://example.com",
        "https://example.com?q=a b",
        "http://a:80/x",
        "http://a:8080",
        "https://a:0443/",
        "https://a:/x",
        "https://a/b/../c/./d/..",
        "https://a/../..//b",
        "https://a/.",
        "https://a/b/..",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/x",
        "https://127.0.0.1/",
        "https://a/%C3%A9#f",
        "https://a/b//c/",
        "s3://bucket/key",
        "s3://bucket",
        "git+ssh://git.test:22/x.git",
        "https://a/?q=\u{e9}#\u{e9}",
        "ftp://a:21/",
        "https://a/a:b@c",
        "https://a_b.test/",
        "https://a?b/../c",
        "https://a#/..",
    ];
    for text in same {
        let whatwg = ::url::Url::parse(text).unwrap().to_string();
        assert_eq!(canonical(text, Bare::Refused).as_deref(), Some(whatwg.as_str()), "{text}");
        assert_eq!(canonical(&whatwg, Bare::Refused).as_deref(), Some(whatwg.as_str()), "{whatwg}");
    }
    for (text, expected) in [
        ("https://a.test./x", "https://a.test/x"),
        ("https://127.0.0.1./", "https://127.0.0.1/"),
        ("https://a/%c3%a9", "https://a/%C3%A9"),
    ] {
        assert_eq!(canonical(text, Bare::Refused).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn spellings_that_two_readers_take_differently_are_ambiguous() {
    let ambiguous = [
        "https://docs.example.com@evil.test/",
        "https://a:b@c/",
        "https:\\\\docs.example.com\\@evil.test/",
        "https://a\\b/",
        "https:a.test/",
        "https:///a.test/",
        "https:/a.test/",
        " https://a/",
        "https://a/ ",
        "https://a/\tb",
        "ht\ntps://a/",
        "https://a/%2e%2e/b",
        "https://a/%2E/b",
        "https://a/b%2fc",
        "https://a/b%5Cc",
        "https://a/%41",
        "https://a/%zz",
        "https://a/%",
        "https://a/b c",
        "https://a/\u{e9}",
        "https://b\u{fc}cher.test/",
        "https://ex%61mple.com/",
        "https://0x7f.1/",
        "https://127.1/",
        "https://a..b/",
        "mailto:a@b.test",
        "data:text/plain,x",
        "file:///etc/passwd",
        "s3:///key",
        "s3://Bucket/",
        "https://a/{x}",
        "https://a{b/",
        "https://a/b|c",
        "https://a/#\\",
        "https://a/\"x\"",
    ];
    for text in ambiguous {
        assert_eq!(read(text, Bare::Refused), Spelling::Ambiguous, "{text}");
        assert!(::url::Url::parse(text).is_ok(), "{text}");
    }
    let malformed = [
        "",
        "example.com",
        "/x",
        "//a/b",
        "https://",
        "https://a:99999/",
        "https://a:b/",
        "https://[::1/",
        "https://a b/",
        "https://1.2.3.4.5/",
        "https://foo.1/",
        "https://:80/",
        "https://xn--a/",
        "https://[fe80::1%25eth0]/",
        "1a://b/",
    ];
    for text in malformed {
        assert_eq!(read(text, Bare::Refused), Spelling::Malformed, "{text}");
        assert!(::url::Url::parse(text).is_err(), "{text}");
    }
}

#[test]
fn bare_values_are_read_with_https_and_stay_as_they_came() {
    for (text, host, path) in [("docs.example.com", "docs.example.com", "/"), ("a.test/x?u=http://b", "a.test", "/x")] {
        let read = read(text, Bare::Https).plain().unwrap();
        assert_eq!((read.scheme, read.host.text().as_str(), &*read.path), ("https", host, path));
        assert_eq!(canonical(text, Bare::Https).as_deref(), Some(text));
    }
    assert_eq!(read("a.test:8080/x", Bare::Https).plain().unwrap().port, Some(8080));
    assert_eq!(canonical("HTTP://A/", Bare::Https).as_deref(), Some("http://a/"));
    for text in ["//evil.test/", "a@b", "mailto:x@y"] {
        assert_eq!(read(text, Bare::Https), Spelling::Ambiguous, "{text}");
    }
    assert_eq!(read("javascript:alert(1)", Bare::Https), Spelling::Malformed);
}

#[test]
fn whatever_is_agreed_is_what_whatwg_reads() {
    let pieces = [
        "https",
        "http",
        "s3",
        "://",
        ":",
        "/",
        "//",
        "a",
        "b.test",
        "A",
        "..",
        ".",
        "%2e",
        "%C3",
        "%2F",
        "@",
        "\\",
        "?",
        "#",
        "[::1]",
        "127.1",
        "127.0.0.1",
        ":80",
        ":443",
        " ",
        "\t",
        "\u{e9}",
        "xn--bcher-kva",
        "*",
        "~",
        "'",
        "|",
    ];
    let mut state = 7_u64;
    let mut agreed_on = 0;
    for _ in 0..20_000 {
        let mut text = if state.is_multiple_of(3) { String::new() } else { "https://a".to_owned() };
        for _ in 0..state % 7 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 1;
        let Some(own) = read(&text, Bare::Refused).plain() else { continue };
        agreed_on += 1;
        let whatwg = ::url::Url::parse(&text).unwrap_or_else(|_| panic!("{text} is no URL"));
        let host = whatwg.host_str().unwrap();
        assert_eq!(own.host.text(), host.strip_suffix('.').unwrap_or(host), "{text}");
        assert_eq!(own.port, whatwg.port_or_known_default(), "{text}");
        assert_eq!(own.scheme.to_ascii_lowercase(), whatwg.scheme(), "{text}");
        let path = if whatwg.path().is_empty() { "/" } else { whatwg.path() };
        assert_eq!(&*own.path, path, "{text}");
    }
    assert!(agreed_on > 2_000, "{agreed_on}");
}

#[test]
fn patterns_have_one_spelling() {
    let cases = [
        ("https://*.Example.com/docs/**", "https://*.example.com/docs/**"),
        ("https://example.com", "https://example.com/"),
        ("HTTPS://example.com:443/", "https://example.com/"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("https://a/b/./c/../d", "https://a/b/d"),
        ("https://a/caf\u{e9}", "https://a/caf%C3%A9"),
        ("s3://bucket/**", "s3://bucket/**"),
        ("https://[0::1]:8443/", "https://[::1]:8443/"),
        ("https://b\u{fc}cher.test/**", "https://xn--bcher-kva.test/**"),
    ];
    for (written, expected) in cases {
        assert_eq!(canonical_url_pattern(written).as_deref(), Ok(expected), "{written}");
    }
    let refused = [
        "example.com",
        "//a",
        "https://u@a/",
        "https://a/?q",
        "https://a/#f",
        "https://a/%2e/",
        "https://a/b%2Fc",
        "https://a/x**",
        "https://*/",
        "https://a:*/",
        "file:///x",
        "https://a\\b",
        "https:///x",
        "*://a/",
    ];
    for written in refused {
        assert!(canonical_url_pattern(written).is_err(), "{written}");
    }
}

fn test(pattern: &str, text: &str) -> Membership {
    let ty = Type { kind: Kind::Url { bare: true }, null: false, refinement: None };
    let set = Set::Atom(Atom::Url(canonical_url_pattern(pattern).unwrap()));
    Matcher::compile(&ty, &set, &mut Work::new()).unwrap().test(&Value::Text(text.into()))
}

#[test]
fn patterns_match_scheme_host_port_and_path() {
    let pattern = "https://*.example.com/docs/**";
    for text in [
        "https://a.example.com/docs",
        "https://a.b.example.com/docs/",
        "https://a.example.com:443/docs/x?q#f",
        "a.example.com/docs/x",
        "HTTPS://A.EXAMPLE.COM./docs/a/../b",
    ] {
        assert_eq!(test(pattern, text), Membership::In, "{text}");
    }
    for text in [
        "http://a.example.com/docs",
        "https://example.com/docs",
        "https://a.example.com/docsx",
        "https://a.example.com/docs/../x",
        "https://a.example.com:8443/docs",
        "https://a.example.com.evil.test/docs",
        "https://notexample.com/docs",
        "https://a.example.com/Docs",
    ] {
        assert_eq!(test(pattern, text), Membership::Out, "{text}");
    }
    assert_eq!(test(pattern, "https://a.example.com@evil.test/docs"), Membership::Ambiguous);
    assert_eq!(test("https://a.test", "https://a.test/"), Membership::In);
    assert_eq!(test("https://a.test", "https://a.test/x"), Membership::Out);
    assert_eq!(test("https://a.test/x/*", "https://a.test/x/"), Membership::In);
    assert_eq!(test("https://a.test/x/*", "https://a.test/x"), Membership::Out);
}

#[test]
fn what_cannot_be_read_alike_lies_in_no_set() {
    let ty = Type { kind: Kind::Url { bare: false }, null: false, refinement: None };
    let inside = Set::Atom(Atom::Part(Part::Host, Box::new(Set::Atom(Atom::Host("a".into())))));
    let outside = Set::Not(Box::new(inside.clone()));
    let value = Value::Text("https://b@a/".into());
    for (set, expected) in [
        (inside.clone(), Membership::Ambiguous),
        (outside.clone(), Membership::Ambiguous),
        (Set::Or(vec![inside, outside]), Membership::Ambiguous),
        (Set::Any, Membership::In),
    ] {
        assert_eq!(Matcher::compile(&ty, &set, &mut Work::new()).unwrap().test(&value), expected, "{set:?}");
    }
}

#[test]
fn the_part_path_is_compared_by_segment_as_a_path_is() {
    let ty = Type { kind: Kind::Url { bare: false }, null: false, refinement: None };
    let holds = |glob: &str, path: &str| {
        let set = Set::Atom(Atom::Part(Part::Path, Box::new(Set::Atom(Atom::Path(glob.into())))));
        let matcher = Matcher::compile(&ty, &set, &mut Work::new()).unwrap();
        matcher.test(&Value::Text(format!("https://a.test{path}").into()))
    };
    let inside = [
        ("/docs/**", "/docs"),
        ("/docs/**", "/docs/"),
        ("/docs/**", "/docs//x"),
        ("/docs/*", "/docs/x/"),
        ("/", ""),
        ("/", "/"),
        ("**", "/a/b"),
        ("**/x", "/a/x"),
        ("/caf\u{e9}", "/caf%C3%A9"),
        ("/a/**/b", "/a/b"),
    ];
    for (glob, path) in inside {
        assert_eq!(holds(glob, path), Membership::In, "{glob} {path}");
    }
    for (glob, path) in [
        ("/docs/*", "/docs/"),
        ("/docs/*", "/docs/x/y"),
        ("docs", "/docs"),
        ("/", "/x"),
        ("/a*", "/b"),
        ("/a/**/b", "/a/xb"),
    ] {
        assert_eq!(holds(glob, path), Membership::Out, "{glob} {path}");
    }
}
