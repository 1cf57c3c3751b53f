//! File paths: a text → absolute or relative, and its segments after `.`, `..` and `//`; globs; canonical spelling. Which
//! spellings are ambiguous. Compared by segment. Touches no file system.

mod fold;
mod language;
mod pattern;

pub(crate) use fold::judged;
pub(crate) use language::cells;
pub use pattern::canonical_path_glob;

use super::Membership;

/// A compiled glob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob {
    root: Root,
    /// Last first: paths are read from their end, where `..` needs no memory.
    segments: Box<[Segment]>,
    case: Case,
}

/// Where the paths of a glob begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Absolute,
    Relative,
    /// `**` and `**/…`: both.
    Either,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// `**`: any number of whole segments.
    Any,
    /// One segment; `*` is any run of characters.
    One(Box<str>),
}

/// Whether letters of another case are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Told,
    Ignored,
}

impl Glob {
    /// As written.
    pub(crate) fn exact(glob: &str) -> Glob {
        Glob::new(glob, Case::Told)
    }

    /// In every case.
    pub(crate) fn any_case(glob: &str) -> Glob {
        Glob::new(glob, Case::Ignored)
    }

    fn new(glob: &str, case: Case) -> Glob {
        let root = match glob.split('/').next() {
            Some("") => Root::Absolute,
            Some("**") => Root::Either,
            _ => Root::Relative, // anything else is a segment
        };
        let mut segments: Vec<Segment> = Vec::new();
        for text in glob.rsplit('/').filter(|segment| !matches!(*segment, "" | ".")) {
            let segment = if text == "**" { Segment::Any } else { Segment::One(text.into()) };
            if segment != Segment::Any || segments.last() != Some(&Segment::Any) {
                segments.push(segment);
            }
        }
        Glob { root, segments: segments.into(), case }
    }

    /// Whether `text` is a path of the glob.
    pub(crate) fn read(&self, text: &str) -> Membership {
        let Some(path) = Reading::of(text) else {
            return Membership::Ambiguous;
        };
        let same_root = match self.root {
            Root::Either => true,
            Root::Absolute => path.absolute,
            Root::Relative => !path.absolute,
        };
        Membership::of(same_root && self.matches(path.segments))
    }

    /// As [`Glob::read`], of a path that is plain: forward, where `**` stands at the end alone.
    pub(crate) fn read_plain(&self, text: &str) -> Membership {
        let (absolute, mut rest) = match text.strip_prefix('/') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (tail, names) = match self.segments.split_first() {
            Some((Segment::Any, names)) => (true, names),
            Some((Segment::One(_), _)) | None => (false, &*self.segments),
        };
        let root = match self.root {
            Root::Absolute => absolute,
            Root::Relative => !absolute,
            Root::Either => return self.read(text),
        };
        if names.contains(&Segment::Any) || self.case == Case::Ignored {
            return self.read(text);
        }
        for name in names.iter().rev() {
            let Segment::One(glob) = name else { return self.read(text) };
            let cut = rest.bytes().position(|b| b == b'/');
            let (segment, after) = match cut.and_then(|cut| rest.split_at_checked(cut)) {
                Some((segment, after)) => (segment, after.get(1..).unwrap_or("")),
                None => (rest, ""),
            };
            let matches = match &**glob {
                "*" => true,
                glob if !glob.contains('*') => glob == segment,
                glob => segment_matches(glob, segment, self.case),
            };
            if segment.is_empty() || !matches {
                return Membership::Out;
            }
            rest = after;
        }
        Membership::of(root && (tail || rest.is_empty()))
    }

    /// Segment by segment from the end; on a mismatch the last `**` takes one more.
    fn matches(&self, mut rest: Segments<'_>) -> bool {
        let mut place = 0usize;
        let mut retry: Option<(usize, Segments<'_>)> = None;
        loop {
            let mut ahead = rest.clone();
            let Some(segment) = ahead.next() else { break };
            match self.segments.get(place) {
                Some(Segment::Any) => {
                    place = place.saturating_add(1);
                    retry = Some((place, rest.clone()));
                }
                Some(Segment::One(glob)) if segment_matches(glob, segment, self.case) => {
                    place = place.saturating_add(1);
                    rest = ahead;
                }
                Some(Segment::One(_)) | None => match &mut retry {
                    Some((after, from)) => {
                        from.next();
                        rest = from.clone();
                        place = *after;
                    }
                    None => return false,
                },
            }
        }
        self.segments.iter().skip(place).all(|segment| *segment == Segment::Any)
    }
}

/// Whether every reader takes the path as it stands, and it has one spelling only: no NUL, no backslash, no drive, no home
/// directory, and no segment that is empty or begins with a dot. A slash at its end means nothing.
pub(crate) fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let drive = matches!(bytes, [letter, b':', ..] if letter.is_ascii_alphabetic());
    let start = matches!(bytes.first(), None | Some(b'~' | b'.'));
    let mut before = b' ';
    let mut odd = drive || start;
    for b in bytes {
        odd |= matches!(b, 0 | b'\\') || before == b'/' && matches!(b, b'/' | b'.');
        before = *b;
    }
    !odd
}

/// A path as all readers take it.
pub(crate) struct Reading<'a> {
    absolute: bool,
    segments: Segments<'a>,
}

impl<'a> Reading<'a> {
    /// `None`: ambiguous. A home directory, a backslash, a drive, or a climb above the start mean one thing here and another
    /// there.
    pub(crate) fn of(text: &'a str) -> Option<Reading<'a>> {
        let drive = matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        if text.starts_with('~') || drive || text.contains('\\') {
            return None;
        }
        let segments = Segments { rest: text.rsplit('/'), skip: 0 };
        let mut walked = segments.clone();
        while walked.next().is_some() {}
        (walked.skip == 0).then_some(Reading { absolute: text.starts_with('/'), segments })
    }
}

/// The segments of a path that remain after `.`, `..` and `//`, the last first.
#[derive(Clone)]
pub(crate) struct Segments<'a> {
    rest: std::str::RSplit<'a, char>,
    /// Segments that a `..` after them takes away.
    skip: usize,
}

impl<'a> Iterator for Segments<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            match self.rest.next()? {
                "" | "." => {}
                ".." => self.skip = self.skip.saturating_add(1),
                segment => match self.skip.checked_sub(1) {
                    Some(left) => self.skip = left,
                    None => return Some(segment),
                },
            }
        }
    }
}

/// The path without `.`, `..` and `//`; `None`: it holds none of them (a slash at its end stays), or is ambiguous.
pub(crate) fn canonical(text: &str) -> Option<String> {
    let plain = !text.contains("//") && text.split('/').all(|segment| !matches!(segment, "." | ".."));
    if plain || text == "." {
        return None;
    }
    let path = Reading::of(text)?;
    let mut segments: Vec<&str> = path.segments.collect();
    segments.reverse();
    Some(match (path.absolute, segments.is_empty()) {
        (true, _) => format!("/{}", segments.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => segments.join("/"),
    })
}

/// Whether a segment matches a glob of one, in which `*` is any run of characters.
fn segment_matches(glob: &str, segment: &str, case: Case) -> bool {
    let same = |a: char, b: char| match case {
        Case::Told => a == b,
        Case::Ignored => fold::same(a, b),
    };
    let (mut want, mut have) = (glob.chars(), segment.chars());
    let mut retry: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        let (mut want_next, mut have_next) = (want.clone(), have.clone());
        let Some(c) = have_next.next() else {
            return want.all(|c| c == '*');
        };
        match want_next.next() {
            Some('*') => {
                retry = Some((want_next.clone(), have.clone()));
                want = want_next;
            }
            Some(w) if same(w, c) => (want, have) = (want_next, have_next),
            Some(_) | None => match &mut retry {
                Some((after, from)) => {
                    from.next();
                    (want, have) = (after.clone(), from.clone());
                }
                None => return false,
            },
        }
    }
}

#[cfg(test)]
mod tests;
