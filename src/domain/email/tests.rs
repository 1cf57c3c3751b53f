//! Emails: one addr-spec each.

use super::*;

#[test]
fn the_domain_alone_has_spellings() {
    for (text, expected) in
        [("A.b@CORP.test", "A.b@corp.test"), ("a@corp.test.", "a@corp.test"), ("a+b@x.test", "a+b@x.test")]
    {
        assert_eq!(canonical(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn one_address_without_a_name() {
    let malformed = [
        "",
        "a",
        "@x.test",
        "a@",
        "A <a@x.test>",
        "a@x.test, b@x.test",
        "a b@x.test",
        ".a@x.test",
        "a..b@x.test",
        "a@x@y.test",
        "a@x(comment).test",
        "a@[x]",
        "a@x y",
        "\"a\"b\"@x.test",
        "a@x.test\n",
    ];
    for text in malformed {
        assert_eq!(read(text), Spelling::Malformed, "{text}");
    }
    for text in
        ["\"a b\"@x.test", "a@[127.0.0.1]", "a@[IPv6:::1]", "\u{e9}@x.test", "a@b\u{fc}cher.test", "a@0x7f.1", "a@x..test"]
    {
        assert_eq!(read(text), Spelling::Ambiguous, "{text}");
    }
}

#[test]
fn patterns_have_one_spelling() {
    for (written, expected) in [("*@Corp.test", "*@corp.test"), ("*@*.corp.test", "*@*.corp.test"), ("A@x.test", "A@x.test")]
    {
        assert_eq!(canonical_email_pattern(written).as_deref(), Ok(expected), "{written}");
    }
    for written in ["corp.test", "a*@x.test", "**@x.test", "a b@x.test", "*@", "*@[127.0.0.1]", "*@*", "\u{e9}@x.test"] {
        assert!(canonical_email_pattern(written).is_err(), "{written}");
    }
}
