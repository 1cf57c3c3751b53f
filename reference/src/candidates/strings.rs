//! Atoms over strings → strings worth trying.

use crate::json::Json;
use crate::pattern;
use bailiwick::domain::{Atom, Class, Part, Size};
use std::collections::BTreeSet;
use std::net::IpAddr;

fn strings(texts: impl IntoIterator<Item = String>) -> Vec<Json> {
    texts.into_iter().map(Json::Str).collect()
}

/// Texts: literals, pattern instances, and every prefix with every suffix at every length in play.
pub fn texts(atoms: &[&Atom]) -> Vec<Json> {
    let (mut heads, mut tails, mut lengths, mut found) = (vec![String::new()], vec![String::new()], vec![], vec![]);
    for atom in atoms {
        match atom {
            Atom::OneOf(values) => found.extend(values.iter().filter_map(|v| Json::from(v).text().map(str::to_owned))),
            Atom::Prefix(p) => heads.push(p.to_string()),
            Atom::Suffix(s) => tails.push(s.to_string()),
            Atom::Length(Size { low, high }) => {
                lengths.extend([Some(*low), *high].into_iter().flatten().filter(|n| *n < 300))
            }
            Atom::Matches(p) => found.extend(pattern::samples(&p.tree)),
            _ => {} // speaks of something else
        }
    }
    let spoken = found.clone();
    found.extend(["", "zz", "zz-fresh", "x", "\u{e9}"].map(str::to_owned));
    for head in &heads {
        for tail in &tails {
            found.push(format!("{head}{tail}"));
            found.push(format!("{head}zz{tail}"));
            let have = head.chars().count() + tail.chars().count();
            for length in lengths.iter().flat_map(|n| [n.saturating_sub(1), *n, n + 1]) {
                let fill = (length as usize).saturating_sub(have);
                found.extend(["a", "\u{e9}"].map(|c| format!("{head}{}{tail}", c.repeat(fill))));
            }
        }
    }
    for text in spoken.iter().take(24) {
        found.extend(heads.iter().flat_map(|h| tails.iter().map(move |t| format!("{h}{text}{t}"))).take(24));
    }
    for text in spoken.iter().chain(&heads).chain(&tails).filter(|t| !t.is_empty()) {
        found.extend([format!("{text}x"), format!("x{text}"), format!("{text}\n"), text.to_uppercase()]);
        found.push(text.chars().take(text.chars().count() - 1).collect());
    }
    strings(found)
}

/// Paths: each glob's wildcards filled in, its neighbours, and spellings that mean the same or nothing sure.
pub fn paths(atoms: &[&Atom]) -> Vec<Json> {
    let mut found = Vec::new();
    for atom in atoms {
        let Atom::Path(glob) = atom else { continue };
        found.extend(instances(glob));
    }
    let globs: Vec<Vec<&str>> =
        atoms.iter().filter_map(|a| if let Atom::Path(g) = a { Some(g.split('/').collect()) } else { None }).collect();
    for (i, one) in globs.iter().enumerate().take(12) {
        found.extend(globs.iter().take(i).filter_map(|other| meet(one, other)).map(|p| p.join("/")));
    }
    found.extend(["/zz", "zz", "/", "zz/a.md"].map(str::to_owned));
    let first = found.first().cloned().unwrap_or_default();
    found.extend([
        format!("{first}/../zz"),
        format!("{first}/./zz"),
        format!("{first}//zz"),
        format!("{first}/../../../../../.."),
        format!("~{first}"),
    ]);
    strings(found)
}

/// Segments that both globs hold, if their wildcards meet without ado.
fn meet(one: &[&str], other: &[&str]) -> Option<Vec<String>> {
    let then = |segment: String, rest: Option<Vec<String>>| rest.map(|rest| [vec![segment], rest].concat());
    match (one, other) {
        ([], []) => Some(vec![]),
        (["**", rest @ ..], [first, beyond @ ..]) => meet(rest, other)
            .or_else(|| if *first == "**" { None } else { then(first.replace('*', "q"), meet(one, beyond)) }),
        (["**", rest @ ..], []) => meet(rest, other),
        (_, ["**", ..]) => meet(other, one),
        ([a, rest @ ..], [b, beyond @ ..]) => then(segment(a, b)?, meet(rest, beyond)),
        ([], _) | (_, []) => None,
    }
}

/// A segment that both hold: the longer beginning with the longer end.
fn segment(a: &str, b: &str) -> Option<String> {
    let (Some((a_head, a_tail)), Some((b_head, b_tail))) = (a.split_once('*'), b.split_once('*')) else {
        return Some(if a.contains('*') { b } else { a }.to_owned())
            .filter(|_| a.contains('*') || b.contains('*') || a == b);
    };
    let longer = |x: &str, y: &str| if x.len() > y.len() { x.to_owned() } else { y.to_owned() };
    Some(longer(a_head, b_head) + "q" + &longer(a_tail, b_tail)).map(|s| s.replace('*', "q"))
}

/// Texts that a glob holds, and some close to it.
pub fn instances(glob: &str) -> Vec<String> {
    let fill = |deep: &str, flat: &str| {
        let parts = glob.split('/').enumerate().flat_map(|(i, s)| match s {
            "**" if deep.is_empty() => None,
            "**" => Some(deep.to_owned()),
            s if i == 0 && s.is_empty() => Some(String::new()),
            s => Some(s.replace('*', flat)),
        });
        let text = parts.collect::<Vec<_>>().join("/");
        if text.is_empty() { "/".to_owned() } else { text }
    };
    let held = [fill("", "q"), fill("q", "q"), fill("q/r.md", "q.md"), fill("Q", "")];
    let first = &held[1];
    let near = [
        format!("{first}x"),
        first.to_uppercase(),
        format!("/{first}"),
        first.trim_start_matches('/').to_owned(),
        fill("", "q/r"),
    ];
    held.iter().cloned().chain(near).collect()
}

/// Hosts of a pattern and near it.
fn named(pattern: &str) -> Vec<String> {
    let base = pattern.trim_start_matches("*.");
    vec![base.to_owned(), format!("q.{base}"), format!("q.r.{base}"), format!("not{base}"), format!("{base}.zz.test")]
}

fn class_samples(class: Class) -> [&'static str; 4] {
    match class {
        Class::Loopback => ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"],
        Class::Private => ["10.1.2.3", "printer", "a.internal", "[fc00::1]"],
        Class::LinkLocal => ["169.254.1.1", "[fe80::1]", "169.254.255.255", "[fe80::2]"],
        Class::Public => ["zz.test", "8.8.8.8", "[2001:4860::1]", "172.32.0.1"],
    }
}

const CLASSES: [Class; 4] = [Class::Loopback, Class::Private, Class::LinkLocal, Class::Public];

fn host_texts(atoms: &[&Atom]) -> Vec<String> {
    let mut found = Vec::new();
    for atom in atoms {
        match atom {
            Atom::Host(p) => found.extend(named(p)),
            Atom::Class(_) => found.extend(CLASSES.into_iter().flat_map(class_samples).map(str::to_owned)),
            Atom::Cidr(block) => found.extend(block_samples(block)),
            _ => {} // speaks of something else
        }
    }
    found.extend(["zz.test", "q.zz.test"].map(str::to_owned));
    let mut seen = BTreeSet::new();
    found.retain(|host| seen.insert(host.clone()));
    found
}

/// Hosts.
pub fn hosts(atoms: &[&Atom]) -> Vec<Json> {
    let mut found = host_texts(atoms);
    let first = found.first().cloned().unwrap_or_default();
    found.extend([first.to_uppercase(), format!("{first}."), "127.1".to_owned(), "b\u{fc}cher.example".to_owned()]);
    strings(found)
}

fn parts_of<'a>(atoms: &[&'a Atom], part: Part) -> Vec<&'a Atom> {
    let mut found = Vec::new();
    for atom in atoms {
        if let Atom::Part(p, set) = atom
            && *p == part
        {
            super::gather(set, &mut found);
        }
    }
    found
}

fn texts_of(values: Vec<Json>) -> Vec<String> {
    values.into_iter().filter_map(|v| if let Json::Str(s) = v { Some(s) } else { None }).collect()
}

/// URLs: from patterns, and from every part that is spoken of.
pub fn urls(atoms: &[&Atom], bare: bool) -> Vec<Json> {
    let mut found = Vec::new();
    let hosts = host_texts(&parts_of(atoms, Part::Host));
    let schemes: Vec<String> = ["https", "http"].into_iter().map(str::to_owned).collect();
    let mut paths: Vec<String> =
        texts_of(self::paths(&parts_of(atoms, Part::Path))).into_iter().filter(|p| p.starts_with('/')).take(8).collect();
    paths.extend(["", "/", "/zz?q=1#f"].map(str::to_owned));
    let mut ports = vec![String::new(), ":8443".to_owned()];
    ports.extend(
        super::numbers(&parts_of(atoms, Part::Port))
            .iter()
            .map(|n| format!(":{}", n.canonical()))
            .filter(|p| !p.contains(['.', '-'])),
    );
    for host in hosts.iter().take(12) {
        for scheme in &schemes {
            for port in ports.iter().skip(1).take(5) {
                found.extend(paths.iter().take(3).map(|path| format!("{scheme}://{host}{port}{path}")));
            }
        }
    }
    for host in hosts.iter().take(24) {
        found.extend(schemes.iter().map(|s| format!("{s}://{host}/")));
        found.extend(paths.iter().map(|p| format!("https://{host}{p}")));
        found.extend(ports.iter().take(6).map(|p| format!("https://{host}{p}/")));
    }
    let mut spoken = Vec::new();
    for atom in atoms {
        let Atom::Url(p) = atom else { continue };
        let Some((scheme, rest)) = p.split_once("://") else { continue };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        for host in named(authority) {
            spoken.extend(
                instances(path)
                    .into_iter()
                    .filter(|i| i.starts_with('/') && !i.starts_with("//"))
                    .map(|i| format!("{scheme}://{host}{i}")),
            );
            spoken.push(format!("{scheme}://{host}"));
        }
        spoken.extend([
            format!("ftp://{authority}{path}"),
            format!("{scheme}://{}:8443/", authority.trim_start_matches("*.")),
        ]);
    }
    let base = spoken.first().or(found.first()).cloned().unwrap_or_default();
    let odd = [
        base.to_uppercase(),
        base.replace("://", "://u@"),
        base.replace("://", ":\\\\"),
        format!("{base}/%2e%2e/x"),
        format!("{base}/../q"),
    ];
    let bared: Vec<String> = spoken
        .iter()
        .chain(&found)
        .filter(|_| bare)
        .map(|u| u.split_once("://").map_or(u.clone(), |(_, r)| r.to_owned()))
        .take(30)
        .collect();
    strings(spoken.into_iter().chain(found).chain(odd).chain(bared))
}

/// Emails.
pub fn emails(atoms: &[&Atom]) -> Vec<Json> {
    let mut locals: Vec<String> = texts_of(texts(&parts_of(atoms, Part::Local))).into_iter().take(12).collect();
    let mut domains = host_texts(&parts_of(atoms, Part::Host));
    let mut found = Vec::new();
    for atom in atoms {
        let Atom::Email(p) = atom else { continue };
        let Some((who, place)) = p.rsplit_once('@') else { continue };
        locals.push(if who == "*" { "q".to_owned() } else { who.to_owned() });
        domains.splice(0..0, named(place));
    }
    locals.splice(0..0, ["zz".to_owned()]);
    locals.reverse();
    for local in locals.iter().take(8) {
        found.extend(domains.iter().take(60).map(|d| format!("{local}@{d}")));
    }
    let first = found.first().cloned().unwrap_or_default();
    found.extend([first.to_uppercase(), format!("{first}.")]);
    strings(found)
}

/// Addresses: the ends of every block and the ones beside them.
pub fn addresses(atoms: &[&Atom]) -> Vec<Json> {
    let mut found: Vec<String> = ["8.8.8.8", "2001:4860::1"].map(str::to_owned).to_vec();
    for atom in atoms {
        match atom {
            Atom::Cidr(block) => found.extend(block_samples(block)),
            Atom::Class(_) => {
                found.extend(CLASSES.into_iter().flat_map(class_samples).map(|s| s.trim_matches(['[', ']']).to_owned()))
            }
            _ => {} // speaks of something else
        }
    }
    strings(found)
}

fn block_samples(block: &str) -> Vec<String> {
    let Some((base, length)) = block.split_once('/') else { return vec![] };
    let (Ok(base), Ok(length)) = (base.parse::<IpAddr>(), length.parse::<u32>()) else { return vec![] };
    match base {
        IpAddr::V4(v4) => {
            let (low, span) = (u32::from(v4), u32::MAX.checked_shr(length).unwrap_or(0));
            let high = low | span;
            [low, high, low.wrapping_sub(1), high.wrapping_add(1)].map(|n| std::net::Ipv4Addr::from(n).to_string()).to_vec()
        }
        IpAddr::V6(v6) => {
            let (low, span) = (u128::from(v6), u128::MAX.checked_shr(length).unwrap_or(0));
            let high = low | span;
            [low, high, low.wrapping_sub(1), high.wrapping_add(1)].map(|n| std::net::Ipv6Addr::from(n).to_string()).to_vec()
        }
    }
}
