//! Paths and globs by hand.

use super::*;
use Membership::{Ambiguous, In, Out};

#[test]
fn globs_by_segment() {
    let cases = [
        ("/workspace/**", "/workspace", In),
        ("/workspace/**", "/workspace/", In),
        ("/workspace/**", "/workspace/a/b", In),
        ("/workspace/**", "/workspaces", Out),
        ("/workspace/**", "/workspace/../etc/passwd", Out),
        ("/workspace/**", "/etc/../workspace/a", In),
        ("/workspace/**", "//workspace/./a", In),
        ("/workspace/**", "workspace/a", Out),
        ("workspace/**", "./workspace/a", In),
        ("/a/*", "/a", Out),
        ("/a/*", "/a/b", In),
        ("/a/*", "/a/b/c", Out),
        ("/a/*/c", "/a/b/c", In),
        ("/a/*.md", "/a/x.md", In),
        ("/a/*.md", "/a/.md", In),
        ("/a/*.md", "/a/x.md/y", Out),
        ("/a/*b*c", "/a/xbxbc", In),
        ("**/.git/**", "/home/x/.git/config", In),
        ("**/.git/**", ".git", In),
        ("**/.git/**", "a/.github", Out),
        ("/**/x/**/y", "/x/a/x/b/y", In),
        ("/**/x/**/y", "/a/y", Out),
        ("**", "/", In),
        ("**", ".", In),
        ("/**", "/", In),
        ("/**", "a", Out),
        ("/", "/", In),
        ("/", "/a/..", In),
        (".", "a/..", In),
        (".", "", In),
        ("/workspace/**", "~/workspace", Ambiguous),
        ("/workspace/**", "/workspace\\a", Ambiguous),
        ("/workspace/**", "C:/workspace", Ambiguous),
        ("/workspace/**", "/..", Ambiguous),
        ("/workspace/**", "a/../../b", Ambiguous),
        ("/workspace/**", "/workspace/~/C:", In),
    ];
    for (glob, path, expected) in cases {
        assert_eq!(Glob::exact(glob).read(path), expected, "{path} in {glob}");
    }
}

#[test]
fn ignoring_case_is_about_letters() {
    for (glob, path, expected) in [
        ("**/.env", "/A/.ENV", In),
        ("**/k", "/\u{212a}", In),
        ("**/ß", "/ẞ", In),
        ("**/é", "/É", In),
        ("**/a1", "/A1", In),
        ("**/a", "/b", Out),
    ] {
        assert_eq!(Glob::any_case(glob).read(path), expected, "{path} in {glob}");
        assert_eq!(Glob::exact(glob).read(path), Out, "{path} in {glob}, told apart");
    }
}

#[test]
fn canonical_spellings() {
    for (path, expected) in [
        ("/a/b", None),
        ("/a/b/", None),
        ("", None),
        (".", None),
        ("/a/./b", Some("/a/b")),
        ("a//b/", Some("a/b")),
        ("/a/..", Some("/")),
        ("a/..", Some(".")),
        ("./a", Some("a")),
        ("../a", None),
        ("~/../a", None),
        ("/a/b/../../c", Some("/c")),
    ] {
        assert_eq!(canonical(path).as_deref(), expected, "{path}");
    }
}

#[test]
fn hostile_globs_are_quick() {
    let glob = Glob::exact(&format!("/{}b", "*a".repeat(200)));
    assert_eq!(glob.read(&format!("/{}", "a".repeat(20_000))), Out);
    let deep = Glob::exact(&format!("/{}z", "**/a/".repeat(50)));
    assert_eq!(deep.read(&"/a".repeat(5_000)), Out);
}

#[test]
fn case_variants_are_symmetric() {
    for letter in ['a', 'k', 'S', 'é', 'ß', 'ſ', '1', 'я'] {
        for variant in fold::variants(letter) {
            assert!(fold::same(letter, variant), "{letter} {variant}");
        }
        assert!(fold::variants(letter).contains(&letter));
    }
}
