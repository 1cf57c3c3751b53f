//! Paths by splitting: what they are after `.`, `..`, `//` are gone, which two readers may read differently, and globs.

/// A path as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segments {
    /// Whether it begins at the root.
    pub absolute: bool,
    /// Its segments.
    pub segments: Vec<String>,
}

/// A path by segments; `None`: two readers may read it differently.
pub fn segments(path: &str) -> Option<Segments> {
    let drive = path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && path.as_bytes().get(1) == Some(&b':');
    if path.starts_with('~') || path.contains('\\') || drive {
        return None;
    }
    let mut segments: Vec<String> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            part => segments.push(part.to_owned()),
        }
    }
    Some(Segments { absolute: path.starts_with('/'), segments })
}

/// The canonical form, if `path` holds `.`, `..` or `//`.
pub fn canonical(path: &str) -> Option<String> {
    let odd = path.contains("//") || path.split('/').any(|s| s == "." || s == "..");
    let Segments { absolute, segments } = segments(path)?;
    odd.then(|| match (absolute, segments.is_empty()) {
        (true, _) => format!("/{}", segments.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => segments.join("/"),
    })
}

/// Whether case matters to a glob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// It does.
    Exact,
    /// It does not.
    Ignored,
}

/// Whether a glob holds a path.
pub fn glob(pattern: &str, path: &Segments, case: Case) -> bool {
    let fold = |s: &str| if case == Case::Ignored { s.to_lowercase() } else { s.to_owned() };
    let either = pattern.starts_with("**/");
    if !either && pattern.starts_with('/') != path.absolute {
        return false;
    }
    let parts: Vec<String> = pattern.split('/').filter(|s| !s.is_empty() && *s != ".").map(fold).collect();
    let segments: Vec<String> = path.segments.iter().map(|s| fold(s)).collect();
    whole(&parts, &segments)
}

/// Whether pattern segments hold segments: `**` is any number of them.
pub fn whole(pattern: &[String], segments: &[String]) -> bool {
    match pattern.split_first() {
        None => segments.is_empty(),
        Some((first, rest)) if first == "**" => (0..=segments.len()).any(|n| whole(rest, &segments[n..])),
        Some((first, rest)) => segments.split_first().is_some_and(|(s, tail)| segment(first, s) && whole(rest, tail)),
    }
}

/// Whether one pattern segment holds one segment: `*` is any run of characters.
fn segment(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, tail)) => text.strip_prefix(head).is_some_and(|rest| {
            let mut ends = rest.char_indices().map(|(i, _)| i).chain([rest.len()]);
            ends.any(|i| segment(tail, &rest[i..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, canonical, glob, segments};

    #[test]
    fn globs() {
        for (pattern, path, expected) in [
            ("/w/**", "/w", true),
            ("/w/**", "/w/a/b", true),
            ("/w/**", "/wx", false),
            ("/w/**", "w/a", false),
            ("src/*.rs", "src/a.rs", true),
            ("src/*.rs", "src/a/b.rs", false),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true),
            ("a/**/b", "a/xb", false),
            ("**/x", "/a/x", true),
            ("**/x", "x", true),
            ("/w/**", "/w/../etc", false),
            ("/w/*", "/w/A", true),
        ] {
            assert_eq!(segments(path).is_some_and(|s| glob(pattern, &s, Case::Exact)), expected, "{pattern} {path}");
        }
        assert!(
            segments("/..").is_none()
                && segments("~/x").is_none()
                && segments("C:/x").is_none()
                && segments("a\\b").is_none()
        );
        assert_eq!(canonical("/a//./b/../c").as_deref(), Some("/a/c"));
        assert_eq!(canonical("/a/b/"), None);
    }
}
