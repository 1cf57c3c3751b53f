//! Patterns, globs, host, URL and email patterns → ECMA-262 regular expressions over canonical spellings, anchored at both
//! ends. Knows no schemas.

use crate::domain::PatternNode;

/// What a canonical host label is made of: no upper case, nothing that WHATWG forbids in a domain.
const LABEL: &str = "[^\\u0000- \"#%/:<>?@A-Z\\[\\\\\\]\\^`{|}\\u007f.]+";
/// What a canonical path segment may hold in a URL.
const URL_SEGMENT: &str = "[^\\u0000- \"#/<>?\\\\]";

/// `^TEXT` with everything special escaped.
pub(super) fn prefix(text: &str) -> String {
    format!("^{}", literal(text))
}

/// `TEXT$`.
pub(super) fn suffix(text: &str) -> String {
    format!("{}$", literal(text))
}

/// The whole text matches `tree`.
pub(super) fn pattern(tree: &PatternNode) -> String {
    let mut out = String::from("^(?:");
    write(tree, &mut out);
    out.push_str(")$");
    out
}

/// `example.com` or `*.example.com`.
pub(super) fn host(pattern: &str) -> String {
    format!("^{}$", host_part(pattern))
}

pub(super) fn host_part(pattern: &str) -> String {
    match pattern.strip_prefix("*.") {
        Some(rest) => format!("(?:{LABEL}\\.)+{}", literal(rest)),
        None => literal(pattern),
    }
}

/// `a@x.test`, `*@corp.test`.
pub(super) fn email(pattern: &str) -> Option<String> {
    let (local, domain) = pattern.rsplit_once('@')?;
    let local = if local == "*" { "[^@]+".to_owned() } else { literal(local) };
    Some(format!("^{local}@{}$", host_part(domain)))
}

/// A path glob over normalised paths: `*` in one segment, `**` whole segments.
pub(super) fn path(glob: &str) -> String {
    let anywhere = glob.starts_with("**/") || glob == "**";
    let absolute = glob.starts_with('/');
    let segments: Vec<&str> = glob.split('/').filter(|s| !s.is_empty()).collect();
    let body = segments_after_slash(&segments, "[^/]");
    if absolute {
        // The root is "/" alone; every other absolute path has no slash at its end.
        let root = if segments.iter().all(|s| *s == "**") { "/|" } else { "" };
        return format!("^(?:{root}{})$", if body.is_empty() { "/".to_owned() } else { body });
    }
    let relative = relative_segments(&segments, "[^/]");
    if anywhere { format!("^(?:/|{relative}|{body})$") } else { format!("^(?:{relative})$") }
}

/// A URL pattern in canonical form: `https://*.example.com/docs/**`; query and fragment free.
pub(super) fn url(pattern: &str) -> Option<String> {
    let (scheme, rest) = pattern.split_once("://")?;
    let cut = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(cut);
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => (host, format!(":{port}")),
        Some(_) | None => (authority, String::new()),
    };
    let scheme = if scheme == "*" { "[a-z][a-z0-9+.\\-]*".to_owned() } else { literal(scheme) };
    let host = if host == "*" { format!("(?:{LABEL}\\.)*{LABEL}") } else { host_part(host) };
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    let path = if path.len() <= 1 { "/".to_owned() } else { url_segments(&segments) };
    Some(format!("^{scheme}://{host}{port}{path}(?:\\?[^#]*)?(?:#.*)?$"))
}

fn url_segments(segments: &[&str]) -> String {
    let mut out = String::new();
    for (index, segment) in segments.iter().enumerate() {
        match (*segment, index.saturating_add(1) == segments.len()) {
            ("**", true) => out.push_str(&format!("(?:/{URL_SEGMENT}*)*")),
            ("**", false) => out.push_str(&format!("(?:/{URL_SEGMENT}+)*")),
            (literal, _) => {
                out.push('/');
                out.push_str(&stars(literal, URL_SEGMENT));
            }
        }
    }
    out
}

fn segments_after_slash(segments: &[&str], inside: &str) -> String {
    let mut out = String::new();
    for segment in segments {
        if *segment == "**" {
            out.push_str(&format!("(?:/{inside}+)*"));
        } else {
            out.push('/');
            out.push_str(&stars(segment, inside));
        }
    }
    out
}

/// Without a slash before the first segment, whichever that is.
fn relative_segments(segments: &[&str], inside: &str) -> String {
    match segments.split_first() {
        None => ".".to_owned(),
        Some((&"**", rest)) => {
            let later = segments_after_slash(rest, inside);
            let skipped = relative_segments(rest, inside);
            let none = if rest.is_empty() { "\\.".to_owned() } else { skipped };
            format!("{inside}+(?:/{inside}+)*{later}|{none}")
        }
        Some((first, rest)) => format!("{}{}", stars(first, inside), segments_after_slash(rest, inside)),
    }
}

fn stars(segment: &str, inside: &str) -> String {
    let parts: Vec<String> = segment.split('*').map(literal).collect();
    if segment == "*" { format!("{inside}+") } else { parts.join(&format!("{inside}*")) }
}

pub(super) fn literal(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        push_literal(c, &mut out);
    }
    out
}

fn push_literal(c: char, out: &mut String) {
    if "\\^$.*+?()[]{}|/".contains(c) {
        if c != '/' {
            out.push('\\');
        }
        out.push(c);
    } else if c.is_control() {
        out.push_str(&format!("\\u{:04x}", u32::from(c)));
    } else {
        out.push(c);
    }
}

fn push_in_class(c: char, out: &mut String) {
    if "\\]^-[".contains(c) {
        out.push('\\');
        out.push(c);
    } else if c.is_control() {
        out.push_str(&format!("\\u{:04x}", u32::from(c)));
    } else {
        out.push(c);
    }
}

fn write(node: &PatternNode, out: &mut String) {
    match node {
        PatternNode::Empty => {}
        PatternNode::Class(ranges) => write_class(ranges, out),
        PatternNode::Concat(parts) => {
            for part in parts {
                grouped(part, out);
            }
        }
        PatternNode::Alternate(parts) => {
            out.push_str("(?:");
            for (index, part) in parts.iter().enumerate() {
                if index > 0 {
                    out.push('|');
                }
                write(part, out);
            }
            out.push(')');
        }
        PatternNode::Repeat { min, max, node } => {
            out.push_str("(?:");
            write(node, out);
            out.push(')');
            out.push_str(&repetition(*min, *max));
        }
    }
}

fn grouped(node: &PatternNode, out: &mut String) {
    match node {
        PatternNode::Concat(_) => {
            out.push_str("(?:");
            write(node, out);
            out.push(')');
        }
        PatternNode::Empty | PatternNode::Class(_) | PatternNode::Alternate(_) | PatternNode::Repeat { .. } => {
            write(node, out);
        }
    }
}

fn repetition(min: u32, max: Option<u32>) -> String {
    match (min, max) {
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (0, Some(1)) => "?".to_owned(),
        (min, None) => format!("{{{min},}}"),
        (min, Some(max)) if min == max => format!("{{{min}}}"),
        (min, Some(max)) => format!("{{{min},{max}}}"),
    }
}

fn write_class(ranges: &[(char, char)], out: &mut String) {
    match ranges {
        // No scalar at all.
        [] => out.push_str("[^\\s\\S]"),
        [('\0', char::MAX)] => out.push_str("[\\s\\S]"),
        [(a, b)] if a == b => push_literal(*a, out),
        ranges => {
            out.push('[');
            for (a, b) in ranges {
                push_in_class(*a, out);
                if a != b {
                    out.push('-');
                    push_in_class(*b, out);
                }
            }
            out.push(']');
        }
    }
}
