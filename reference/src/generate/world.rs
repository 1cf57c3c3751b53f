//! Random vocabularies: enums, limits, tools with arguments of every type, presence and coupling.

use super::Rng;

/// The kinds of argument that are generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// The connector's enum.
    Enum,
    /// `bool`.
    Bool,
    /// `int`, `int64` or `decimal`.
    Number(&'static str),
    /// `text`.
    Text,
    /// `text by pattern`.
    Pattern,
    /// `host`.
    Host,
    /// `url` or `url or bare`.
    Url(&'static str),
    /// `path` or `path ignoring case`.
    Path(&'static str),
    /// `email`.
    Email,
    /// `ip`.
    Ip,
    /// `instant`, `datetime` or `date`.
    Time(&'static str),
    /// `list of T`.
    List(Box<Ty>),
    /// `T or list`.
    OneOrList(Box<Ty>),
    /// `argv`.
    Argv,
    /// `map of T`.
    Map(Box<Ty>),
    /// `record { … }`.
    Record(Vec<Arg>),
    /// `union { … }`.
    Union(Vec<Ty>),
    /// `text opaque`.
    Opaque,
    /// `json opaque`, for the arguments of an inner call.
    OpaqueJson,
}

impl Ty {
    /// As written.
    pub fn text(&self) -> String {
        match self {
            Ty::Enum => "E".to_owned(),
            Ty::Bool => "bool".to_owned(),
            Ty::Number(s) | Ty::Url(s) | Ty::Path(s) | Ty::Time(s) => (*s).to_owned(),
            Ty::Text => "text".to_owned(),
            Ty::Pattern => "text by pattern".to_owned(),
            Ty::Host => "host".to_owned(),
            Ty::Email => "email".to_owned(),
            Ty::Ip => "ip".to_owned(),
            Ty::List(t) => format!("list of {}", t.text()),
            Ty::OneOrList(t) => format!("{} or list", t.text()),
            Ty::Argv => "argv".to_owned(),
            Ty::Map(t) => format!("map of {}", t.text()),
            Ty::Record(members) => format!("record {{ {} }}", members.iter().map(Arg::text).collect::<Vec<_>>().join("; ")),
            Ty::Union(types) => format!("union {{ {} }}", types.iter().map(Ty::text).collect::<Vec<_>>().join(", ")),
            Ty::Opaque => "text opaque".to_owned(),
            Ty::OpaqueJson => "json opaque".to_owned(),
        }
    }
}

/// An argument or member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// What follows the type: refinement, `or all`, presence, default.
    pub suffix: String,
    /// ` limited by L`, ` reaches L`.
    pub limited: String,
    /// Whether it may be absent without a default.
    pub absent: bool,
    /// Whether it may be null.
    pub null: bool,
}

impl Arg {
    fn new(name: &str, ty: Ty) -> Arg {
        Arg { name: name.to_owned(), ty, suffix: String::new(), limited: String::new(), absent: false, null: false }
    }

    fn text(&self) -> String {
        format!("{}: {}{}{}", self.name, self.ty.text(), self.suffix, self.limited)
    }
}

/// What a limit is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub ty: Ty,
    /// `one of`.
    pub one: bool,
}

/// A tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its effects, as written.
    pub effects: String,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// Whether an opaque argument reaches a limit.
    pub reaches: bool,
    /// Whether undeclared arguments are forwarded.
    pub open: bool,
}

/// A connector.
#[derive(Clone, Debug)]
pub struct Connector {
    /// Its name.
    pub name: String,
    /// Its limits.
    pub limits: Vec<Limit>,
    /// Its tools.
    pub tools: Vec<Tool>,
}

/// The vocabularies of a case.
#[derive(Clone, Debug)]
pub struct World {
    /// One or two.
    pub connectors: Vec<Connector>,
}

/// How much of the language is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// Enums, Booleans, numbers and texts.
    Scalars,
    /// Every type.
    Whole,
}

fn is_plain(ty: &Ty) -> bool {
    matches!(ty, Ty::Enum | Ty::Bool | Ty::Number(_) | Ty::Text | Ty::Opaque | Ty::OpaqueJson)
}

/// The values of every generated enum.
pub const ENUM: [&str; 3] = ["ka", "kb", "kc"];

impl World {
    /// A random one.
    pub fn random(rng: &mut Rng, breadth: Breadth) -> World {
        let count = 1 + usize::from(rng.chance(40));
        let mut world = World { connectors: (0..count).map(|i| connector(rng, i)).collect() };
        import_limits(rng, &mut world);
        if breadth == Breadth::Scalars {
            for connector in &mut world.connectors {
                connector.limits.retain(|l| is_plain(&l.ty));
                connector.tools.iter_mut().for_each(|t| t.args.retain(|a| is_plain(&a.ty)));
            }
        }
        world
    }

    /// As policy text.
    pub fn text(&self) -> String {
        self.connectors.iter().map(Connector::text).collect()
    }
}

impl Connector {
    fn text(&self) -> String {
        let mut out =
            format!("vocabulary {} {{\n    enum E {{ {} }}\n    capability {}.cap\n", self.name, ENUM.join(", "), self.name);
        for limit in &self.limits {
            let kind = if limit.one { "one" } else { "set" };
            let within = if limit.name == "targets" { " within kinds by prefix \":\"" } else { "" };
            out.push_str(&format!("    limit {}: {kind} of {}{within}\n", limit.name, limit.ty.text()));
        }
        for tool in &self.tools {
            out.push_str(&format!("    tool {} {{\n        {}\n        needs {}.cap\n", tool.name, tool.effects, self.name));
            if tool.open {
                out.push_str("        open\n");
            }
            for arg in &tool.args {
                out.push_str(&format!("        {}\n", arg.text()));
            }
            out.push_str("    }\n");
        }
        out.push_str("}\n");
        out
    }
}

/// Puts limits of the first connector on arguments of the others.
fn import_limits(rng: &mut Rng, world: &mut World) {
    let Some((home, others)) = world.connectors.split_first_mut() else { return };
    let limits: Vec<&Limit> = home.limits.iter().filter(|l| !["targets", "kinds"].contains(&l.name)).collect();
    for arg in others.iter_mut().flat_map(|c| &mut c.tools).flat_map(|t| &mut t.args).filter(|a| a.limited.is_empty()) {
        if let Some(limit) = limits.iter().find(|l| suits(&l.ty, &arg.ty))
            && rng.chance(50)
        {
            arg.limited = format!(" limited by {}.{}", home.name, limit.name);
        }
    }
}

fn connector(rng: &mut Rng, index: usize) -> Connector {
    let mut limits = vec![Limit { name: "kinds", ty: Ty::Enum, one: false }];
    if rng.chance(60) {
        limits.push(Limit { name: "targets", ty: Ty::Text, one: true });
    }
    if rng.chance(30) {
        limits.push(Limit { name: "names", ty: Ty::Text, one: rng.chance(30) });
    }
    if rng.chance(30) {
        limits.push(Limit { name: "roots", ty: Ty::Path("path"), one: false });
    }
    if rng.chance(30) {
        limits.push(Limit { name: "sites", ty: Ty::Host, one: false });
    }
    let count = 2 + rng.below(3);
    let mut tools: Vec<Tool> = (0..count).map(|i| tool(rng, i, &limits)).collect();
    if rng.chance(18) {
        tools.push(dispatcher(rng));
    }
    Connector { name: format!("c{index}"), limits, tools }
}

fn tool(rng: &mut Rng, index: usize, limits: &[Limit]) -> Tool {
    let has = |name: &str| limits.iter().any(|l| l.name == name);
    let mut args = Vec::new();
    if rng.chance(45) {
        args.push(kind_arg(rng));
    }
    if has("targets") && rng.chance(60) {
        args.push(target_arg(rng));
    }
    for i in 0..=rng.below(3) {
        args.push(free_arg(rng, &format!("a{i}"), limits));
    }
    let mut reaches = false;
    if rng.chance(15) {
        let mut arg = Arg::new("blob", Ty::Opaque);
        if rng.chance(60) {
            arg.limited = " reaches kinds".to_owned();
            reaches = true;
        }
        args.push(arg);
    }
    let selector = args
        .iter()
        .find(|a| a.ty == Ty::Enum && !a.absent && !a.suffix.contains("unspecified") && !a.suffix.contains("all"));
    let effects = match (rng.below(6), selector) {
        (0, Some(a)) => format!("reads when {} in {{ ka }}", a.name),
        (0 | 1, _) => "mutates".to_owned(),
        (2, _) => "mutates, irreversible".to_owned(),
        _ => "reads".to_owned(),
    };
    Tool { name: format!("t{index}"), effects, args, reaches, open: rng.chance(8) }
}

/// A tool that carries a call to another.
fn dispatcher(rng: &mut Rng) -> Tool {
    let mut arguments = Arg::new("args", Ty::OpaqueJson);
    if rng.chance(60) {
        arguments.suffix = " optional".to_owned();
        arguments.absent = true;
    }
    let args = vec![Arg::new("inner", Ty::Text), arguments];
    Tool { name: "td".to_owned(), effects: "dispatches inner, args".to_owned(), args, reaches: false, open: false }
}

/// An argument under the limit over the enum.
fn kind_arg(rng: &mut Rng) -> Arg {
    let mut arg = Arg::new("kind", Ty::Enum);
    match rng.below(8) {
        0 => {}
        1 => arg.suffix = " or all = all".to_owned(),
        2 => arg.suffix = " = kb".to_owned(),
        3 => {
            arg.suffix = " optional".to_owned();
            arg.absent = true;
        }
        4 => {
            arg.suffix = " or absent".to_owned();
            arg.absent = true;
        }
        _ => arg.suffix = " = unspecified".to_owned(),
    }
    arg.limited = " limited by kinds".to_owned();
    arg
}

/// An argument that may name a value of the enum.
fn target_arg(rng: &mut Rng) -> Arg {
    let mut arg = Arg::new("target", Ty::Text);
    if rng.chance(15) {
        arg.suffix = " optional".to_owned();
        arg.absent = true;
    }
    arg.limited = " limited by targets".to_owned();
    arg
}

fn scalar(rng: &mut Rng) -> Ty {
    match rng.below(32) {
        0 => Ty::Enum,
        1 => Ty::Bool,
        2 | 3 => Ty::Number("int"),
        4 => Ty::Number("int64"),
        5 | 6 => Ty::Number("decimal"),
        7..=9 => Ty::Text,
        10 => Ty::Pattern,
        11 => Ty::Host,
        12 => Ty::Url("url"),
        13 => Ty::Url("url or bare"),
        14 => Ty::Path("path"),
        15 => Ty::Path("path ignoring case"),
        16 | 17 => Ty::Email,
        18 => Ty::Ip,
        19 => Ty::Time("instant"),
        20 | 22 => Ty::Time("datetime"),
        23 => Ty::Time("instant"),
        24 => Ty::Bool,
        25 => Ty::Email,
        26 => Ty::Host,
        27 | 28 => Ty::Url("url"),
        29 => Ty::Url("url or bare"),
        30 => Ty::Pattern,
        _ => Ty::Time("date"),
    }
}

fn any_type(rng: &mut Rng) -> Ty {
    match rng.below(20) {
        0..=2 => Ty::List(Box::new(scalar(rng))),
        3 => Ty::OneOrList(Box::new(scalar(rng))),
        4 => Ty::Argv,
        5 | 9 => Ty::Map(Box::new(scalar(rng))),
        10 => Ty::Argv,
        6 => record(rng),
        7 => Ty::List(Box::new(record(rng))),
        8 => union(rng),
        _ => scalar(rng),
    }
}

fn record(rng: &mut Rng) -> Ty {
    let mut members = vec![Arg::new("m0", scalar(rng)), Arg::new("m1", scalar(rng))];
    if rng.chance(50) {
        members[1].suffix = " optional".to_owned();
        members[1].absent = true;
    }
    if let (Some(default), true) = (default_for(&members[0].ty), rng.chance(25)) {
        members[0].suffix = format!(" = {default}");
    }
    if rng.chance(20) {
        let mut others = Arg::new("..", scalar(rng));
        others.absent = true;
        members.push(others);
    }
    Ty::Record(members)
}

/// Alternatives that are disjoint by kind.
fn union(rng: &mut Rng) -> Ty {
    let first = rng.pick(&[Ty::Number("int"), Ty::Bool, Ty::Text]).clone();
    let second = match rng.below(3) {
        0 => record(rng),
        1 => Ty::List(Box::new(Ty::Text)),
        _ if first == Ty::Bool => Ty::Text,
        _ => Ty::Bool,
    };
    Ty::Union(vec![first, second])
}

fn free_arg(rng: &mut Rng, name: &str, limits: &[Limit]) -> Arg {
    let mut arg = Arg::new(name, any_type(rng));
    let limited = limits.iter().filter(|l| l.name != "targets" && l.name != "kinds");
    let fits: Vec<&Limit> = limited.filter(|l| suits(&l.ty, &arg.ty)).collect();
    if !fits.is_empty() && rng.chance(70) {
        arg.limited = format!(" limited by {}", rng.pick(&fits).name);
    }
    if let (Ty::Number(_), true) = (&arg.ty, rng.chance(20)) {
        arg.suffix.push_str(" -1000..1000");
    }
    if let (Some(refinement), true) = (refinement(&arg.ty), rng.chance(12)) {
        arg.suffix.push_str(refinement);
    }
    if rng.chance(8) && !matches!(arg.ty, Ty::Map(_) | Ty::Argv) {
        arg.suffix.push_str(" or null");
        arg.null = true;
    }
    match rng.below(8) {
        0 => {
            arg.suffix.push_str(" optional");
            arg.absent = true;
        }
        1 => {
            arg.suffix.push_str(" or absent");
            arg.absent = true;
        }
        2 => {
            if let Some(default) = default_for(&arg.ty) {
                arg.suffix.push_str(&format!(" = {default}"));
            }
        }
        _ => {}
    }
    arg
}

/// What a vocabulary may ask of any value of a type.
fn refinement(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Text | Ty::Pattern => Some(" length 1..8"),
        Ty::Host => Some(" in (any except link_local)"),
        Ty::Path(_) => Some(" in (any except { \"/zz/**\" })"),
        Ty::List(_) => Some(" size 0..2"),
        _ => None,
    }
}

/// Whether a limit over `limit` may be put on an argument of type `arg`.
fn suits(limit: &Ty, arg: &Ty) -> bool {
    match (limit, arg) {
        (Ty::Text, Ty::Text) | (Ty::Path(_), Ty::Path(_)) => true,
        (Ty::Host, Ty::Host | Ty::Url(_) | Ty::Email) => true,
        (limit, Ty::List(t) | Ty::OneOrList(t)) => suits(limit, t),
        _ => false,
    }
}

fn default_for(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Enum => Some("ka"),
        Ty::Bool => Some("false"),
        Ty::Number(_) => Some("5"),
        Ty::Text | Ty::Pattern => Some("\"inv_1\""),
        Ty::Path(_) => Some("\"/w/a\""),
        Ty::Email => Some("\"a@x.test\""),
        _ => None,
    }
}
