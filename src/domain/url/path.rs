//! The path of a URL → its canonical form, where WHATWG and RFC 3986 agree on it. Must not know hosts or patterns.

use std::borrow::Cow;

/// The path without dot segments, `/` if empty, capital letters after percent signs; none if it is not one that RFC 3986
/// has, or if it spells a separator, a dot segment or another unreserved character with a percent sign.
pub(super) fn canonical(written: &str) -> Option<Cow<'_, str>> {
    if written.is_empty() {
        return Some(Cow::Borrowed("/"));
    }
    let mut lower = false;
    let mut bytes = written.bytes();
    while let Some(b) = bytes.next() {
        if b == b'%' {
            let (high, low) = (bytes.next()?, bytes.next()?);
            lower |= high.is_ascii_lowercase() || low.is_ascii_lowercase();
            if !is_agreed(hexadecimal(high)?, hexadecimal(low)?) {
                return None;
            }
        } else if !is_path_byte(b) {
            return None;
        }
    }
    let dotted = written.split('/').any(|segment| matches!(segment, "." | ".."));
    if !lower && !dotted {
        return Some(Cow::Borrowed(written));
    }
    let capital = if lower { Cow::Owned(capitals(written)) } else { Cow::Borrowed(written) };
    Some(Cow::Owned(without_dots(&capital)))
}

/// `pchar` of RFC 3986 and the slash, percent signs aside.
pub(super) fn is_path_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/".contains(&b)
}

/// Whether a path is in canonical form, and has no percent sign and no segment that begins with a dot.
pub(super) fn is_plain(path: &str) -> bool {
    let mut before = b' ';
    let mut odd = false;
    for b in path.bytes() {
        odd |= !is_listed(&PATH, b) || before == b'/' && b == b'.';
        before = b;
    }
    !odd
}

/// Whether a byte stands in a query or fragment as WHATWG writes it.
pub(super) fn is_plain_tail(b: u8) -> bool {
    is_listed(&TAIL, b)
}

const PATH: [bool; 256] = listed(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/");
const TAIL: [bool; 256] = listed(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&()*+,;=:@/?#%");

/// Which bytes are listed.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)] // at compile time
const fn listed(bytes: &[u8]) -> [bool; 256] {
    let mut all = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        all[bytes[at] as usize] = true;
        at += 1;
    }
    all
}

fn is_listed(all: &[bool; 256], b: u8) -> bool {
    all.get(usize::from(b)).copied().unwrap_or(false)
}

/// Whether readers agree on a percent-encoded byte: it is none that RFC 3986 would write plainly, and no separator.
pub(super) fn is_agreed(high: u8, low: u8) -> bool {
    let byte = (high << 4) | low;
    let unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    !unreserved && byte != b'/' && byte != b'\\'
}

/// With percent signs for what no path can hold as it stands.
pub(super) fn encoded(written: &str) -> String {
    let mut out = String::with_capacity(written.len());
    for c in written.chars() {
        if u8::try_from(c).is_ok_and(|b| b == b'%' || is_path_byte(b)) {
            out.push(c);
        } else {
            c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| out.push_str(&format!("%{b:02X}")));
        }
    }
    out
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

fn capitals(path: &str) -> String {
    let mut since_percent = 3_u8;
    path.chars()
        .map(|c| {
            since_percent = if c == '%' { 0 } else { since_percent.saturating_add(1) };
            if since_percent <= 2 { c.to_ascii_uppercase() } else { c }
        })
        .collect()
}

/// Without `.` and `..`, as RFC 3986 5.2.4 and WHATWG remove them.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." if last => kept.push(""),
            "." => {}
            ".." => {
                kept.pop();
                if last {
                    kept.push("");
                }
            }
            segment => kept.push(segment),
        }
    }
    kept.iter().flat_map(|segment| ["/", segment]).collect()
}
