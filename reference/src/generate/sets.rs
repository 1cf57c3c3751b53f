//! Random sets and clauses as policy text. Literals come from small pools, so that sets overlap.

use super::Rng;
use super::world::{Arg, ENUM, Ty};

/// Set forms that sets of one type are made of.
fn atom(rng: &mut Rng, ty: &Ty) -> String {
    match ty {
        Ty::Enum => values(rng, &ENUM),
        Ty::Bool => values(rng, &["true", "false"]),
        Ty::Number(kind) => number(rng, *kind == "decimal"),
        Ty::Text => text(rng, false),
        Ty::Pattern => text(rng, true),
        Ty::Host => match rng.below(3) {
            0 => (*rng.pick(&["public", "private", "loopback", "link_local"])).to_owned(),
            _ => values(
                rng,
                &["\"example.com\"", "\"*.example.com\"", "\"docs.example.com\"", "\"*.x.test\"", "\"10.0.0.1\""],
            ),
        },
        Ty::Url(_) => values(
            rng,
            &[
                "\"https://*.example.com/**\"",
                "\"https://example.com/docs/**\"",
                "\"http://x.test:8080/a/*\"",
                "\"https://docs.example.com\"",
            ],
        ),
        Ty::Path(_) => {
            values(rng, &["\"/w/**\"", "\"/w/a/*\"", "\"src/*.rs\"", "\"**/x.md\"", "\"/etc/hosts\"", "\"a/**/b\""])
        }
        Ty::Email => values(rng, &["\"a@x.test\"", "\"*@corp.test\"", "\"*@*.corp.test\"", "\"b@corp.test\""]),
        Ty::Ip => match rng.below(3) {
            0 => (*rng.pick(&["public", "private", "loopback", "link_local"])).to_owned(),
            _ => values(rng, &["\"10.0.0.0/8\"", "\"10.1.0.0/16\"", "\"192.168.1.0/24\"", "\"2001:db8::/32\""]),
        },
        Ty::Time(kind) => time(rng, kind),
        Ty::Argv => argv(rng),
        Ty::List(_) | Ty::OneOrList(_) | Ty::Map(_) | Ty::Record(_) | Ty::Union(_) | Ty::Opaque | Ty::OpaqueJson => {
            "any".to_owned()
        }
    }
}

fn values(rng: &mut Rng, pool: &[&str]) -> String {
    format!("{{ {} }}", rng.some(pool, 45).join(", "))
}

fn number(rng: &mut Rng, fractions: bool) -> String {
    let pool: &[&str] = if fractions {
        &["-10", "0", "0.01", "5", "9.99", "10", "100", "500.50"]
    } else {
        &["-10", "0", "1", "5", "9", "10", "100", "500"]
    };
    let (i, j) = (rng.below(pool.len()), rng.below(pool.len()));
    let (low, high) = (pool[i.min(j)], pool[i.max(j)]);
    match rng.below(7) {
        0 => format!("<= {high}"),
        1 => format!("< {high}"),
        2 => format!(">= {low}"),
        3 => format!("> {low}"),
        4 => values(rng, pool),
        5 => format!("{low}.."),
        _ => format!("{low}..{high}"),
    }
}

fn text(rng: &mut Rng, patterns: bool) -> String {
    match rng.below(if patterns { 8 } else { 6 }) {
        0 => format!("prefix \"{}\"", rng.pick(&["inv_", "a", "inv"])),
        1 => format!("suffix \"{}\"", rng.pick(&["1", ".md", "x"])),
        2 => format!("length {}", rng.pick(&["1..5", "0..3", "4", "2.."])),
        3 => format!("prefix \"{}\" length 1..6", rng.pick(&["inv_", "a"])),
        4 | 5 => values(rng, &["\"inv_1\"", "\"inv_2\"", "\"ab\"", "\"abc\"", "\"x\"", "\"\u{e9}\"", "\"a*\""]),
        _ => format!("matches \"{}\"", rng.pick(&["inv_[0-9]+", "a.*", "(ab|abc)x?", "\\\\w{1,3}", "[^a]*"])),
    }
}

fn time(rng: &mut Rng, kind: &str) -> String {
    let literal = |rng: &mut Rng| {
        let day = *rng.pick(&["2026-01-01", "2026-06-15", "2026-11-30", "2027-02-28"]);
        match kind {
            "instant" => format!("{day}T12:00:00Z"),
            "datetime" if rng.chance(60) => format!("{day}T12:00:00"),
            _ => day.to_owned(),
        }
    };
    let (a, b) = (literal(rng), literal(rng));
    let (low, high) = if a[..10] <= b[..10] { (a, b) } else { (b, a) };
    if low[..10] == high[..10] && low != high {
        return format!(">= {low}");
    }
    match rng.below(4) {
        0 => format!("<= {high}"),
        1 => format!(">= {low}"),
        2 => format!("< {high}"),
        _ => format!("{low}..{high}"),
    }
}

fn argv(rng: &mut Rng) -> String {
    let tail = *rng.pick(&["", ", ..", ", .. each in { \"-v\", \"x\" }"]);
    let second = *rng.pick(&["", ", { \"status\", \"log\" }", ", any"]);
    format!("[ {{ \"git\" }}{second}{tail} ]")
}

/// A set over a scalar type.
pub fn set(rng: &mut Rng, ty: &Ty) -> String {
    let first = atom(rng, ty);
    let second = atom(rng, ty);
    let alone = matches!(ty, Ty::Argv);
    match rng.below(10) {
        0 if !alone => format!("({first}) or ({second})"),
        1 if !alone => format!("({first}) and ({second})"),
        2 => format!("any except ({first})"),
        4 | 5 if matches!(ty, Ty::Time(_)) => format!("any except ({first})"),
        4 if matches!(ty, Ty::Argv) => format!("any except ({first})"),
        3 if !alone => format!("({first}) except ({second})"),
        _ => first,
    }
}

/// A clause on `arg`, or on something within it.
pub fn clause(rng: &mut Rng, arg: &Arg) -> Option<String> {
    let body = on(rng, &arg.name, &arg.ty)?;
    let mut ends = String::new();
    if arg.absent && rng.chance(40) {
        ends.push_str(" or absent");
    }
    if arg.null && rng.chance(50) {
        ends.push_str(" or null");
    }
    if (arg.absent && rng.chance(5)) || (arg.null && rng.chance(5)) {
        return Some(format!("{} {}", arg.name, if arg.absent { "absent" } else { "null" }));
    }
    Some(format!("{body}{ends}"))
}

/// The name by which a clause speaks of a member, declared or not.
fn written(member: &Arg) -> &str {
    if member.name == ".." { "zz" } else { &member.name }
}

fn on(rng: &mut Rng, path: &str, ty: &Ty) -> Option<String> {
    match ty {
        Ty::Opaque | Ty::OpaqueJson => None,
        Ty::Text if path == "inner" => Some(format!("inner in {}", values(rng, &["\"t0\"", "\"t1\"", "\"t2\"", "\"td\""]))),
        Ty::List(t) => Some(match (&**t, rng.below(4)) {
            (Ty::Record(members), _) => {
                let member = rng.pick(members).clone();
                on(rng, &format!("{path}.each.{}", written(&member)), &member.ty)?
            }
            (_, 0) => format!("{path} size {}", rng.pick(&["0..2", "1..2", "2..", "1"])),
            (_, 1) => format!("{path} each in ({}) size {}", set(rng, t), rng.pick(&["0..2", "1..3"])),
            _ => format!("{path} each in ({})", set(rng, t)),
        }),
        Ty::OneOrList(t) if rng.chance(20) => {
            Some(format!("{path} in ({}) size {}", set(rng, t), rng.pick(&["0..2", "1..3"])))
        }
        Ty::OneOrList(t) => Some(format!("{path} in ({})", set(rng, t))),
        Ty::Map(t) => Some(match rng.below(5) {
            0 | 1 => format!("{path}.keys in ({})", set(rng, &Ty::Text)),
            2 => format!("{path}.keys in any except ({})", atom(rng, &Ty::Text)),
            _ => format!("{path}.values in ({})", set(rng, t)),
        }),
        Ty::Record(members) => {
            let member = rng.pick(members).clone();
            on(rng, &format!("{path}.{}", written(&member)), &member.ty)
        }
        Ty::Email if rng.chance(30) => Some(format!("{path}.host in ({})", set(rng, &Ty::Host))),
        Ty::Union(types) => match types.as_slice() {
            [_, record @ Ty::Record(_)] if rng.chance(60) => on(rng, path, record),
            [Ty::Bool, _] => Some(format!("{path} in {{ true }}")),
            [Ty::Text, Ty::Bool] => Some(format!("{path} in {{ \"ab\", \"x\", false }}")),
            [Ty::Text, _] => Some(format!("{path} in {{ \"ab\", \"inv_1\" }}")),
            [_, Ty::Bool] => Some(format!("{path} in {{ 5, 9, true }}")),
            _ => Some(format!("{path} in {{ 5, 9 }}")),
        },
        Ty::Url(_) if rng.chance(60) => Some(match rng.below(4) {
            0 => format!("{path}.host in ({})", set(rng, &Ty::Host)),
            1 => format!("{path}.scheme in {{ \"{}\" }}", rng.pick(&["https", "https", "http"])),
            2 => format!("{path}.port in {}", rng.pick(&["{ 443, 8443 }", "{ 443, 8443 }", "{ 8443, 80 }", "1..442"])),
            _ => format!("{path}.path in {{ \"/docs/**\", \"/a/*\" }}"),
        }),
        Ty::Enum
        | Ty::Bool
        | Ty::Number(_)
        | Ty::Text
        | Ty::Pattern
        | Ty::Host
        | Ty::Url(_)
        | Ty::Path(_)
        | Ty::Email
        | Ty::Ip
        | Ty::Time(_)
        | Ty::Argv => Some(format!("{path} in {}", set(rng, ty))),
    }
}
