//! Path patterns as written → canonical globs, or why they are none. Knows no types.

/// `.` and empty segments removed; `..`, what is ambiguous in every path, and a `**` that is no whole segment refused.
pub fn canonical_path_glob(text: &str) -> Result<Box<str>, Box<str>> {
    if text.is_empty() {
        return Err("it is empty: the directory itself is `.`".into());
    }
    if text.contains('\0') || text.chars().any(char::is_control) {
        return Err("a control character stands in it".into());
    }
    if text.contains('\\') {
        return Err("a backslash is ambiguous: segments are divided by `/`".into());
    }
    if text.starts_with('~') {
        return Err("`~` is ambiguous: write the directory that it means".into());
    }
    let drive = text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && text.as_bytes().get(1) == Some(&b':');
    if drive {
        return Err("a drive letter is ambiguous".into());
    }
    let segments: Vec<&str> = text.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
    for segment in &segments {
        if *segment == ".." {
            return Err("`..` has no place in a pattern: write where it leads".into());
        }
        if segment.contains("**") && *segment != "**" {
            return Err("`**` stands for whole segments: write `/**/`, or a single `*` within a segment".into());
        }
    }
    let root = if text.starts_with('/') { "/" } else { "" };
    let joined = segments.join("/");
    Ok(if root.is_empty() && joined.is_empty() { ".".into() } else { format!("{root}{joined}").into() })
}

#[cfg(test)]
mod tests {
    use super::canonical_path_glob;

    #[test]
    fn globs_have_one_spelling_and_slips_are_told() {
        let read = |text: &str| canonical_path_glob(text).ok();
        assert_eq!(read("/work//./a/**").as_deref(), Some("/work/a/**"));
        assert_eq!(read("src/*.rs").as_deref(), Some("src/*.rs"));
        assert_eq!(read("/").as_deref(), Some("/"));
        assert_eq!(read("./").as_deref(), Some("."));
        assert_eq!(read("**/x").as_deref(), Some("**/x"));
        for wrong in ["", "/a/../b", "~/x", "C:/x", "a\\b", "/a**", "a\0"] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }
}
