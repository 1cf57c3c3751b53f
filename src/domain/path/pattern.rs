//! A glob as a policy writes it → its canonical text, or why no path is ever of it. Must not know how globs match.

/// The canonical form of a path glob, or why it is none: without `.`, `//`, a slash at its end, or `**` beside `**`.
pub fn canonical_path_glob(text: &str) -> Result<Box<str>, Box<str>> {
    if let Some(why) = never_permitted(text) {
        return Err(format!("{why}, so no such path is ever permitted").into());
    }
    let mut segments: Vec<&str> = Vec::new();
    for segment in text.split('/').filter(|segment| !matches!(*segment, "" | ".")) {
        if segment == ".." {
            return Err("a pattern does not climb: write where `..` leads".into());
        }
        if segment.contains("**") && segment != "**" {
            return Err(format!("`**` stands for whole segments: write `*` within `{segment}`, or `/**/` around it").into());
        }
        if segment != "**" || segments.last() != Some(&"**") {
            segments.push(segment);
        }
    }
    let root = if text.starts_with('/') { "/" } else { "" };
    let path = if root.is_empty() && segments.is_empty() { ".".to_owned() } else { segments.join("/") };
    Ok(format!("{root}{path}").into())
}

/// What makes every path of the glob ambiguous or none.
fn never_permitted(text: &str) -> Option<&'static str> {
    let mut start = text.chars();
    let drive = start.next().is_some_and(|c| c.is_ascii_alphabetic()) && start.next() == Some(':');
    if text.contains('\0') {
        Some("a path has no NUL")
    } else if text.contains('\\') {
        Some("a backslash in a path is ambiguous")
    } else if text.starts_with('~') {
        Some("a path that begins with `~` is ambiguous")
    } else if drive {
        Some("a path that begins with a drive letter is ambiguous")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::canonical_path_glob;
    use crate::domain::path::Glob;

    #[test]
    fn globs_have_one_spelling() {
        let cases = [
            ("/workspace/**", "/workspace/**"),
            ("/a//b/./c/", "/a/b/c"),
            ("src/*.rs", "src/*.rs"),
            ("./src", "src"),
            ("**/**/x", "**/x"),
            ("/", "/"),
            (".", "."),
        ];
        for (written, canonical) in cases {
            assert_eq!(canonical_path_glob(written).as_deref(), Ok(canonical), "{written}");
            assert_eq!(Glob::exact(written), Glob::exact(canonical), "{written}");
        }
        assert_eq!(canonical_path_glob("").as_deref(), Ok("."));
    }

    #[test]
    fn what_no_path_can_match_is_refused() {
        for written in ["../a", "/a/../b", "~/x", "C:/x", "a\\b", "a**", "/x/**y/z", "a\0"] {
            assert!(canonical_path_glob(written).is_err(), "{written}");
        }
    }
}
