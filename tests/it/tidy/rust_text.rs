//! Rust text → the same without comments and literals, and the length of each function. Enough of a lexer for budgets.

/// A function and its size.
pub struct Function {
    pub name: String,
    pub line: usize,
    pub lines: usize,
}

/// The text with comments and the insides of literals blanked, every line kept.
pub fn uncommented(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = skipped(&chars, at);
        if end > at {
            out.extend(chars[at..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            at = end;
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    out
}

/// Where the comment or literal that begins at `at` ends; `at` when none does.
fn skipped(chars: &[char], at: usize) -> usize {
    let next = |i: usize| chars.get(at + i).copied().unwrap_or(' ');
    let until = |start: usize, stop: &dyn Fn(usize) -> bool| (start..chars.len()).find(|i| stop(*i)).unwrap_or(chars.len());
    match chars[at] {
        '/' if next(1) == '/' => until(at, &|i| chars[i] == '\n'),
        '/' if next(1) == '*' => {
            (until(at + 2, &|i| chars[i] == '*' && chars.get(i + 1) == Some(&'/')) + 2).min(chars.len())
        }
        'r' if (next(1) == '"' || next(1) == '#') && !(at > 0 && chars[at - 1].is_alphanumeric()) => raw_end(chars, at),
        '"' => string_end(chars, at + 1),
        '\'' if next(1) == '\\' => (until(at + 3, &|i| chars[i] == '\'') + 1).min(chars.len()),
        '\'' if next(2) == '\'' => at + 3,
        _ => at,
    }
}

fn string_end(chars: &[char], mut at: usize) -> usize {
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}

fn raw_end(chars: &[char], at: usize) -> usize {
    let hashes = chars[at + 1..].iter().take_while(|c| **c == '#').count();
    if chars.get(at + 1 + hashes) != Some(&'"') {
        return at;
    }
    let closes = |i: usize| chars[i] == '"' && chars[i + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes;
    let start = at + 2 + hashes;
    (start..chars.len()).find(|i| closes(*i)).map_or(chars.len(), |i| i + 1 + hashes)
}

/// Every function with a body, by its `fn` line and the lines to its closing brace.
pub fn functions(text: &str) -> Vec<Function> {
    let plain = uncommented(text);
    let lines: Vec<&str> = plain.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(name) = declared(line) else { continue };
        if let Some(length) = body_lines(&lines[index..]) {
            found.push(Function { name, line: index + 1, lines: length });
        }
    }
    found
}

fn declared(line: &str) -> Option<String> {
    let (before, after) = line.split_once("fn ")?;
    let words = ["pub", "const", "async", "unsafe", "pub(crate)", "pub(super)", "default"];
    if !before.split_whitespace().all(|w| words.contains(&w)) {
        return None;
    }
    let name: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}

fn body_lines(lines: &[&str]) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, line) in lines.iter().enumerate() {
        for c in line.chars() {
            match c {
                ';' if depth == 0 => return None,
                '{' => depth += 1,
                '}' if depth == 1 => return Some(index + 1),
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    None
}

#[test]
fn a_function_ends_at_its_brace_whatever_its_strings_say() {
    let text = "fn a() {\n    let s = \"}\"; // }\n    let c = '}';\n}\nfn b();\npub fn c() -> u8 {\n 1 }\n";
    let found: Vec<(String, usize)> = functions(text).into_iter().map(|f| (f.name, f.lines)).collect();
    assert_eq!(found, [("a".to_owned(), 4), ("c".to_owned(), 2)]);
}
