//! The small world: its vocabulary as text, and every point of every argument. Knows no sets.

use serde_json::{Value, json};

pub const BACKENDS: &[&str] = &["tmux", "kitty"];
pub const NAMES: &[&str] = &["p", "q", "r"];

pub const TEXT: &str = r#"
vocabulary w {
    limit backends: set of { tmux, kitty }
    limit targets: one of text within backends by prefix ":"
    limit names: set of { p, q, r }
    tool mix {
        mutates
        a: { x, y, z } optional
        n: int 0..5 = 2
        l: list of { p, q, r }    limited by names
    }
    tool shape {
        mutates
        r: record { k: { a, b }; m: { r, w } optional }
        d: int 0..3 or null
        e: list of record { k: { a, b }; v: int 0..1 } size ..2
    }
    tool bag {
        mutates
        m: map of { u, v } keys in { "a", "b" }
        u: union { int 0..3, list of { p, q } size ..2 }
        f: bool or absent
    }
    tool drive {
        mutates
        target: text in { "a", "b", "tmux:a", "tmux:b", "kitty:a", "kitty:b", "z:a" }    limited by targets
        backend: { tmux, kitty } = unspecified    limited by backends
        n: int 0..3
    }
}
"#;

/// A type, as far as this world has it; every one is finite, or has finitely many kinds of value up to size 3.
pub enum Ty {
    Words(&'static [&'static str]),
    Text(&'static [&'static str]),
    Int(i64, i64),
    Bool,
    List(Box<Ty>, Sized),
    Record(Vec<Field>),
    Map(Box<Ty>, &'static [&'static str]),
    Union(Vec<Ty>),
}

/// Whether a list's type states its size.
#[derive(Clone, Copy, PartialEq)]
pub enum Sized {
    Free,
    UpTo2,
}

pub struct Field {
    pub name: &'static str,
    pub ty: Ty,
    pub may_miss: Miss,
}

/// Whether a member or an argument may be left out, and what that means.
#[derive(Clone, Copy, PartialEq)]
pub enum Miss {
    Never,
    Optional,
    /// `or absent`: absence lies in every set.
    NamesNothing,
    Unspecified,
    /// A literal default: omission is one more spelling.
    Spells(i64),
    /// Never missing, and null is a point.
    OrNull,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Point {
    Value(Value),
    Absent,
    Unspecified,
}

pub struct Tool {
    pub name: &'static str,
    pub arguments: Vec<Field>,
    /// By argument.
    pub points: Vec<Vec<Point>>,
    /// Every coherent call: the place of each argument's point.
    pub calls: Vec<Vec<usize>>,
}

fn field(name: &'static str, ty: Ty, may_miss: Miss) -> Field {
    Field { name, ty, may_miss }
}

pub const MIX: usize = 0;
pub const DRIVE: usize = 3;

pub fn tools() -> Vec<Tool> {
    let list = |of, sized| Ty::List(Box::new(of), sized);
    let element = Ty::Record(vec![field("k", Ty::Words(&["a", "b"]), Miss::Never), field("v", Ty::Int(0, 1), Miss::Never)]);
    let whole = Ty::Record(vec![
        field("k", Ty::Words(&["a", "b"]), Miss::Never),
        field("m", Ty::Words(&["r", "w"]), Miss::Optional),
    ]);
    let targets = &["a", "b", "tmux:a", "tmux:b", "kitty:a", "kitty:b", "z:a"];
    vec![
        tool(
            "mix",
            vec![
                field("a", Ty::Words(&["x", "y", "z"]), Miss::Optional),
                field("n", Ty::Int(0, 5), Miss::Spells(2)),
                field("l", list(Ty::Words(NAMES), Sized::Free), Miss::Never),
            ],
        ),
        tool(
            "shape",
            vec![
                field("r", whole, Miss::Never),
                field("d", Ty::Int(0, 3), Miss::OrNull),
                field("e", list(element, Sized::UpTo2), Miss::Never),
            ],
        ),
        tool(
            "bag",
            vec![
                field("m", Ty::Map(Box::new(Ty::Words(&["u", "v"])), &["a", "b"]), Miss::Never),
                field("u", Ty::Union(vec![Ty::Int(0, 3), list(Ty::Words(&["p", "q"]), Sized::UpTo2)]), Miss::Never),
                field("f", Ty::Bool, Miss::NamesNothing),
            ],
        ),
        tool(
            "drive",
            vec![
                field("target", Ty::Text(targets), Miss::Never),
                field("backend", Ty::Words(BACKENDS), Miss::Unspecified),
                field("n", Ty::Int(0, 3), Miss::Never),
            ],
        ),
    ]
}

fn tool(name: &'static str, arguments: Vec<Field>) -> Tool {
    let points: Vec<Vec<Point>> = arguments.iter().map(points).collect();
    assert!(points.iter().all(|points| points.len() <= 64), "a set of points is 64 bits");
    let all = points.iter().fold(vec![Vec::new()], |all: Vec<Vec<usize>>, points| {
        all.iter().flat_map(|call| (0..points.len()).map(move |at| [call.as_slice(), &[at]].concat())).collect()
    });
    let calls = all.into_iter().filter(|call| name != "drive" || coherent(&points[0][call[0]], &points[1][call[1]]));
    let calls = calls.collect();
    Tool { name, arguments, points, calls }
}

/// The backend that a target names.
pub fn named(target: &str) -> Option<&str> {
    target.split_once(':').map(|(p, _)| p).filter(|p| BACKENDS.contains(p))
}

fn coherent(target: &Point, backend: &Point) -> bool {
    let (Point::Value(Value::String(target)), Point::Value(Value::String(backend))) = (target, backend) else { return true };
    named(target).is_none_or(|p| p == backend)
}

fn points(argument: &Field) -> Vec<Point> {
    let mut points: Vec<Point> = values(&argument.ty).into_iter().map(Point::Value).collect();
    match argument.may_miss {
        Miss::Never | Miss::Spells(_) => {}
        Miss::Optional | Miss::NamesNothing => points.push(Point::Absent),
        Miss::Unspecified => points.push(Point::Unspecified),
        Miss::OrNull => points.push(Point::Value(Value::Null)),
    }
    points
}

fn values(ty: &Ty) -> Vec<Value> {
    match ty {
        Ty::Words(words) | Ty::Text(words) => words.iter().map(|word| json!(word)).collect(),
        Ty::Int(low, high) => (*low..=*high).map(|n| json!(n)).collect(),
        Ty::Bool => vec![json!(true), json!(false)],
        Ty::List(of, sized) => {
            let of = values(of);
            let longest = if *sized == Sized::Free { 3 } else { 2 };
            let longer = |lists: &Vec<Vec<Value>>| -> Vec<Vec<Value>> {
                lists.iter().flat_map(|l| of.iter().map(move |v| [l.as_slice(), std::slice::from_ref(v)].concat())).collect()
            };
            let by_size = std::iter::successors(Some(vec![Vec::new()]), |lists| Some(longer(lists))).take(longest + 1);
            by_size.flatten().map(Value::Array).collect()
        }
        Ty::Record(fields) => {
            let all: Vec<(&str, Vec<Value>, Miss)> = fields.iter().map(|f| (f.name, values(&f.ty), f.may_miss)).collect();
            objects(&all)
        }
        Ty::Map(of, keys) => {
            let of = values(of);
            objects(&keys.iter().map(|key| (*key, of.clone(), Miss::Optional)).collect::<Vec<_>>())
        }
        Ty::Union(of) => of.iter().flat_map(values).collect(),
    }
}

fn objects(members: &[(&str, Vec<Value>, Miss)]) -> Vec<Value> {
    members.iter().fold(vec![json!({})], |all, (name, values, may_miss)| {
        let with = |object: &Value| {
            let mut found: Vec<Value> = Vec::new();
            found.extend((*may_miss == Miss::Optional).then(|| object.clone()));
            found.extend(values.iter().map(|value| {
                let mut object = object.clone();
                object[*name] = value.clone();
                object
            }));
            found
        };
        all.iter().flat_map(with).collect()
    })
}

/// The length of the point's compact JSON; what is not written weighs nothing.
pub fn weight(point: &Point) -> usize {
    match point {
        Point::Value(value) => value.to_string().chars().count(),
        Point::Absent | Point::Unspecified => 0,
    }
}
