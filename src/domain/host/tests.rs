//! Hosts as WHATWG reads them, their classes and patterns.

use super::*;
use crate::domain::ip::canonical_cidr;

fn canonical_text(text: &str) -> Option<String> {
    canonical(text)
}

#[test]
fn hosts_have_one_canonical_spelling() {
    let cases = [
        ("example.com", "example.com"),
        ("EXAMPLE.com", "example.com"),
        ("example.com.", "example.com"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("XN--BCHER-KVA.example", "xn--bcher-kva.example"),
        ("a_b.test", "a_b.test"),
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("[0:0:0:0:0:0:0:1]", "[::1]"),
        ("[::ffff:127.0.0.1]", "[::ffff:7f00:1]"),
    ];
    for (text, expected) in cases {
        assert_eq!(canonical_text(text).as_deref(), Some(expected), "{text}");
        assert_eq!(canonical_text(expected).as_deref(), Some(expected), "{expected}");
        let whatwg = ::url::Host::parse(text).unwrap().to_string();
        assert_eq!(whatwg.strip_suffix('.').unwrap_or(&whatwg), expected, "{text}");
    }
}

#[test]
fn what_whatwg_rejects_is_malformed_and_nothing_else() {
    let malformed =
        ["", "a b", "a:80", "::1", "[::1", "[::1%25eth0]", "1.2.3.4.5", "foo.1", "256.1.1.1", "a/b", "a@b", "xn--a"];
    for text in malformed {
        assert_eq!(read(text), Spelling::Malformed, "{text}");
        assert!(::url::Host::parse(text).is_err(), "{text}");
    }
    let long = format!("{}.com", "a".repeat(64));
    for text in [
        "b\u{fc}cher.example",
        "ex%61mple.com",
        "a..b",
        ".a",
        "a..",
        "\u{ff0e}com",
        "127.1",
        "0x7f.1",
        "0177.0.0.1",
        "2130706433",
        "127.1.",
        &long,
    ] {
        assert_eq!(read(text), Spelling::Ambiguous, "{text}");
        assert!(::url::Host::parse(text).is_ok(), "{text}");
    }
}

#[test]
fn classes_are_by_range_and_by_name() {
    let cases = [
        (Class::Loopback, "localhost"),
        (Class::Loopback, "a.LOCALHOST"),
        (Class::Loopback, "127.9.9.9"),
        (Class::Loopback, "[::1]"),
        (Class::Loopback, "[::ffff:127.0.0.1]"),
        (Class::Loopback, "0.0.0.0"),
        (Class::Private, "intranet"),
        (Class::Private, "printer.local"),
        (Class::Private, "x.home.arpa"),
        (Class::Private, "10.1.2.3"),
        (Class::Private, "172.31.0.1"),
        (Class::Private, "[fd00::1]"),
        (Class::Private, "100.64.0.1"),
        (Class::Private, "[64:ff9b::7f00:1]"),
        (Class::LinkLocal, "169.254.169.254"),
        (Class::LinkLocal, "[fe80::1]"),
        (Class::LinkLocal, "[::ffff:169.254.169.254]"),
        (Class::Public, "example.com"),
        (Class::Public, "notlocal.test"),
        (Class::Public, "172.32.0.1"),
        (Class::Public, "8.8.8.8"),
        (Class::Public, "[2606:4700::1]"),
    ];
    for (class, text) in cases {
        assert_eq!(read(text).plain().unwrap().class(), class, "{text}");
    }
}

fn holds(pattern: &str, text: &str) -> bool {
    HostAtom::pattern(pattern).holds(&read(text).plain().unwrap())
}

#[test]
fn stars_stand_for_whole_labels() {
    assert!(holds("*.example.com", "docs.example.com"));
    assert!(holds("*.example.com", "a.b.EXAMPLE.com."));
    assert!(!holds("*.example.com", "example.com"));
    assert!(!holds("*.example.com", "notexample.com"));
    assert!(!holds("example.com", "docs.example.com"));
    assert!(holds("127.0.0.1", "127.0.0.1."));
    assert!(holds("127.0.0.1", "[::ffff:127.0.0.1]"));
    assert!(holds("[::1]", "[0::1]"));
}

#[test]
fn patterns_have_one_spelling() {
    let cases = [
        ("*.Example.COM.", "*.example.com"),
        ("b\u{fc}cher.example", "xn--bcher-kva.example"),
        ("*.b\u{fc}cher.example", "*.xn--bcher-kva.example"),
        ("0x7f.1", "127.0.0.1"),
        ("[0::1]", "[::1]"),
    ];
    for (written, expected) in cases {
        assert_eq!(canonical_host_pattern(written).as_deref(), Ok(expected), "{written}");
    }
    for written in ["*", "a.*.b", "*a.com", "*.127.0.0.1", "*.1", "", "a b", "https://a", "a..b"] {
        assert!(canonical_host_pattern(written).is_err(), "{written}");
    }
}

#[test]
fn blocks_have_one_spelling() {
    let cases = [
        ("10.0.0.0/8", "10.0.0.0/8"),
        ("10.0.0.1", "10.0.0.1/32"),
        ("0.0.0.0/0", "0.0.0.0/0"),
        ("2001:DB8:0::/32", "2001:db8::/32"),
        ("::ffff:10.0.0.0/104", "10.0.0.0/8"),
        ("::1", "::1/128"),
    ];
    for (written, expected) in cases {
        assert_eq!(canonical_cidr(written).as_deref(), Ok(expected), "{written}");
    }
    assert_eq!(canonical_cidr("10.0.0.1/8"), Err("bits beyond the prefix are set; the block is 10.0.0.0/8".into()));
    for written in ["10.0.0.0/33", "10.0.0.0/08", "10.0.0/8", "10.0.0.0/", "fe80::1%eth0", "a/8"] {
        assert!(canonical_cidr(written).is_err(), "{written}");
    }
}

#[test]
fn many_patterns_are_looked_up_as_one_by_one() {
    let patterns =
        ["a", "*.a", "b.a", "*.b", "c.b", "z", "*.x.y", "m.n.o", "10.0.0.1", "[::1]", "*.local", "xn--bcher-kva.example"];
    let any = crate::domain::Set::Or(patterns.iter().map(|p| crate::domain::Set::Atom(Atom::Host((*p).into()))).collect());
    let listed = tree(&any).unwrap();
    let hosts = [
        "a",
        "A",
        "b.A",
        "b",
        "c.B.",
        "x.y",
        "w.x.y",
        "v.w.X.y",
        "m.n.o",
        "n.o",
        "k.m.n.o",
        "10.0.0.1",
        "10.0.0.2",
        "[0::1]",
        "[::ffff:10.0.0.1]",
        "printer.local",
        "local",
        "q",
        "xn--bcher-kva.EXAMPLE",
        "aa",
        "a.a.a",
    ];
    for text in hosts {
        let host = read(text).plain().unwrap();
        let one_by_one = patterns.iter().any(|p| HostAtom::pattern(p).holds(&host));
        let found = listed.read(&|atom| crate::domain::Membership::of(atom.as_ref().is_some_and(|atom| atom.holds(&host))));
        assert_eq!(found.is_in(), one_by_one, "{text}");
    }
}
