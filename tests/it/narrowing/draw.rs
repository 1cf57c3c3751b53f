//! Random layers: a base of three rows or more for the tools of a pair, and an overlay made from it by narrowing and, now and
//! then, by widening, so that both verdicts are common.

use super::sets::{Clause, Or, Set};
use super::world::{BACKENDS, DRIVE, Field, MIX, Miss, NAMES, Tool, Ty};
use serde_json::{Value, json};

/// A small, seeded generator: the same pairs everywhere.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0xd134_2543_de82_ef95) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    pub fn often(&mut self, of_hundred: usize) -> bool {
        self.below(100) < of_hundred
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// Some of them, at least one.
    fn some<T: Clone>(&mut self, of: &[T], of_hundred: usize) -> Vec<T> {
        let first = self.below(of.len());
        let chosen: Vec<bool> = (0..of.len()).map(|at| at == first || self.often(of_hundred)).collect();
        of.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(v, _)| v.clone()).collect()
    }
}

#[derive(Clone, Debug)]
pub struct Row {
    pub tool: usize,
    pub clauses: Vec<Clause>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    Backends,
    Targets,
    Names,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    Set(Vec<&'static str>),
    Bound(&'static str),
    Single,
    Many,
}

/// What an agent or an overlay says.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    pub rows: Vec<Row>,
    pub tools: Vec<usize>,
    pub without: Vec<usize>,
    pub limits: Vec<(Limit, Setting)>,
}

impl Layer {
    pub fn says(&self, tool: usize) -> bool {
        self.rows.iter().any(|row| row.tool == tool) || self.tools.contains(&tool) || self.without.contains(&tool)
    }
}

/// A clause on the whole of an argument or a part of it.
fn clause(dice: &mut Dice, argument: usize, field: &Field) -> Clause {
    let (path, ty) = place(dice, &field.ty);
    let or = match field.may_miss {
        Miss::Optional if dice.often(40) => Or::Absent,
        Miss::OrNull if dice.often(40) => Or::Null,
        Miss::Never if path == ["m"] && dice.often(40) => Or::Absent,
        Miss::Never | Miss::Optional | Miss::NamesNothing | Miss::Unspecified | Miss::Spells(_) | Miss::OrNull => {
            Or::Nothing
        }
    };
    Clause { argument, set: set(dice, ty, 1), path, or }
}

fn place<'t>(dice: &mut Dice, ty: &'t Ty) -> (Vec<&'static str>, &'t Ty) {
    match ty {
        Ty::Record(fields) => {
            let field = &fields[dice.below(fields.len())];
            (vec![field.name], &field.ty)
        }
        Ty::List(of, _) if dice.often(40) => {
            let (path, ty) = place(dice, of);
            ([vec!["each"], path].concat(), ty)
        }
        Ty::Map(of, _) if dice.often(40) => (vec!["values"], of),
        Ty::Words(_) | Ty::Text(_) | Ty::Int(..) | Ty::Bool | Ty::List(..) | Ty::Map(..) | Ty::Union(_) => (Vec::new(), ty),
    }
}

fn set(dice: &mut Dice, ty: &Ty, depth: usize) -> Set {
    let combines = !matches!(ty, Ty::Union(_) | Ty::Record(_)) && depth > 0;
    match if combines { dice.below(10) } else { 9 } {
        0 => Set::Or(Box::new(plain(dice, ty)), Box::new(set(dice, ty, depth - 1))),
        1 => Set::Except(Box::new(Set::Any), Box::new(plain(dice, ty))),
        2 => Set::Except(Box::new(set(dice, ty, depth - 1)), Box::new(plain(dice, ty))),
        3 => Set::And(Box::new(plain(dice, ty)), Box::new(plain(dice, ty))),
        _plain => plain(dice, ty),
    }
}

fn one_of(dice: &mut Dice, words: &[&str]) -> Set {
    let values: Vec<Value> = words.iter().map(|word| json!(word)).collect();
    Set::OneOf(dice.some(&values, 45))
}

fn plain(dice: &mut Dice, ty: &Ty) -> Set {
    match ty {
        Ty::Words(words) => one_of(dice, words),
        Ty::Text(words) => match dice.below(3) {
            0 => Set::Prefix(dice.pick(&["tmux:", "kitty:", "a", "tmux:a", ""])),
            _literals => one_of(dice, words),
        },
        Ty::Int(low, high) => numbers(dice, *low, *high),
        Ty::Bool => Set::OneOf(vec![json!(dice.often(50))]),
        Ty::List(of, _) => Set::Each(Box::new(set(dice, of, 1))),
        Ty::Record(fields) => {
            let chosen = dice.some(&(0..fields.len()).collect::<Vec<_>>(), 50);
            Set::Members(chosen.into_iter().map(|at| (fields[at].name, set(dice, &fields[at].ty, 1))).collect())
        }
        Ty::Map(of, keys) => match dice.below(5) {
            0 => Set::Keys(Box::new(one_of(dice, keys))),
            1 => sized(dice),
            _values => Set::Values(Box::new(set(dice, of, 1))),
        },
        Ty::Union(of) => {
            let chosen = dice.some(&(0..of.len()).collect::<Vec<_>>(), 50);
            let sets = chosen.into_iter().map(|at| plain(dice, &of[at])).collect::<Vec<_>>();
            sets.into_iter().reduce(|a, b| Set::Or(Box::new(a), Box::new(b))).expect("at least one")
        }
    }
}

fn sized(dice: &mut Dice) -> Set {
    let low = dice.below(3);
    // Lists are looked at up to size 3, so that nothing may tell larger ones apart.
    Set::Size(low, dice.often(60).then(|| (low + dice.below(2)).min(2)))
}

fn numbers(dice: &mut Dice, low: i64, high: i64) -> Set {
    let n = |dice: &mut Dice| low + dice.below((high - low + 1) as usize) as i64;
    match dice.below(4) {
        0 => Set::OneOf(dice.some(&(low..=high).map(|n| json!(n)).collect::<Vec<_>>(), 30)),
        1 => Set::Range(Some(n(dice)), None),
        2 => Set::Range(None, Some(n(dice))),
        _both => {
            let (a, b) = (n(dice), n(dice));
            Set::Range(Some(a.min(b)), Some(a.max(b)))
        }
    }
}

/// A list may state its size beside what its elements are.
fn with_size(dice: &mut Dice, clause: Clause, field: &Field) -> Clause {
    if clause.path.is_empty() && matches!(field.ty, Ty::List(..)) && dice.often(40) {
        let set = Set::And(Box::new(clause.set), Box::new(sized(dice)));
        return Clause { set, ..clause };
    }
    clause
}

pub fn row(dice: &mut Dice, tools: &[Tool], tool: usize, of_hundred: usize) -> Row {
    let arguments = &tools[tool].arguments;
    let chosen = dice.some(&(0..arguments.len()).collect::<Vec<_>>(), of_hundred);
    let clauses = chosen.into_iter().map(|at| {
        let made = clause(dice, at, &arguments[at]);
        with_size(dice, made, &arguments[at])
    });
    Row { tool, clauses: clauses.collect() }
}

/// A row of `base` with some clauses narrowed, a few loosened, and some forgotten or new.
fn derived(dice: &mut Dice, tools: &[Tool], base: &Row) -> Row {
    let arguments = &tools[base.tool].arguments;
    let mut made = base.clone();
    for clause in &mut made.clauses {
        let field = &arguments[clause.argument];
        if dice.often(35) {
            let at = clause.path.clone();
            let cut = self::clause(dice, clause.argument, field);
            if cut.path == at {
                let widens = dice.often(8);
                let (a, b) = (Box::new(clause.set.clone()), Box::new(cut.set));
                clause.set = if widens { Set::Or(a, b) } else { Set::And(a, b) };
            }
        }
        if clause.or != Or::Nothing && dice.often(30) {
            clause.or = Or::Nothing;
        }
    }
    if made.clauses.len() > 1 && dice.often(12) {
        let at = dice.below(made.clauses.len());
        made.clauses.remove(at);
    }
    if dice.often(10) {
        let free: Vec<usize> = (0..arguments.len()).filter(|at| made.clauses.iter().all(|c| c.argument != *at)).collect();
        if !free.is_empty() {
            let at = dice.pick(&free);
            made.clauses.push(clause(dice, at, &arguments[at]));
        }
    }
    made
}

fn limits(dice: &mut Dice, of_hundred: usize) -> Vec<(Limit, Setting)> {
    let mut found = Vec::new();
    if dice.often(of_hundred) {
        found.push((Limit::Backends, Setting::Set(dice.some(BACKENDS, 20))));
    }
    if dice.often(of_hundred) {
        let setting = match dice.below(5) {
            0 => Setting::Single,
            1 => Setting::Many,
            _bound => Setting::Bound(dice.pick(&["a", "tmux:a", "kitty:a", "b", "tmux:b", "z:a"])),
        };
        found.push((Limit::Targets, setting));
    }
    if dice.often(of_hundred) {
        found.push((Limit::Names, Setting::Set(dice.some(NAMES, 50))));
    }
    found
}

/// An agent with three to five rows for each of `about`.
pub fn agent(dice: &mut Dice, tools: &[Tool], about: &[usize]) -> Layer {
    let mut layer = Layer::default();
    for tool in about {
        layer.rows.extend((0..3 + dice.below(3)).map(|_| row(dice, tools, *tool, 60)));
    }
    let speaks = about.contains(&MIX) || about.contains(&DRIVE);
    layer.limits = limits(dice, if speaks { 35 } else { 10 });
    layer
}

/// An overlay with three to five rows, on a base that has these rows and limits.
pub fn overlay(dice: &mut Dice, tools: &[Tool], about: &[usize], below: &[&Layer]) -> Layer {
    let mut layer = Layer::default();
    let mut rows = 3 + dice.below(3);
    let spoken = if dice.often(70) { &about[..1] } else { about };
    while rows > 0 {
        let tool = dice.pick(spoken);
        let of: Vec<&Row> = below.iter().flat_map(|layer| &layer.rows).filter(|row| row.tool == tool).collect();
        let fresh = of.is_empty() || dice.often(3);
        let base = if fresh { row(dice, tools, tool, 60) } else { dice.pick(&of).clone() };
        layer.rows.push(derived(dice, tools, &base));
        rows -= 1;
    }
    for (limit, setting) in below.iter().flat_map(|layer| &layer.limits) {
        let fresh = layer.limits.iter().all(|(l, _)| l != limit);
        if fresh && dice.often(50) {
            layer.limits.push((*limit, narrower(dice, setting)));
        }
    }
    for (limit, setting) in limits(dice, 9) {
        if layer.limits.iter().all(|(l, _)| *l != limit) {
            layer.limits.push((limit, setting));
        }
    }
    let silent = |layer: &Layer| (0..tools.len()).filter(|t| !layer.says(*t)).collect::<Vec<_>>();
    if dice.often(10) {
        let spoken_of: Vec<usize> = silent(&layer).into_iter().filter(|t| about.contains(t) || dice.often(10)).collect();
        layer.tools = spoken_of;
    }
    if dice.often(10) {
        layer.without = silent(&layer).into_iter().take(1).collect();
    }
    layer
}

fn narrower(dice: &mut Dice, setting: &Setting) -> Setting {
    match setting {
        Setting::Set(values) => Setting::Set(dice.some(values, 40)),
        Setting::Single | Setting::Many => dice.pick(&[Setting::Single, Setting::Bound("a"), Setting::Bound("tmux:a")]),
        Setting::Bound(value) => dice.pick(&[Setting::Bound(value), Setting::Bound(value), Setting::Single]),
    }
}

/// The layer in the policy's language: one clause to a line.
pub fn lines(tools: &[Tool], layer: &Layer) -> Vec<String> {
    let mut lines = Vec::new();
    let listed = |of: &[usize]| of.iter().map(|t| tools[*t].name).collect::<Vec<_>>().join(", ");
    if !layer.tools.is_empty() {
        lines.push(format!("tools {}", listed(&layer.tools)));
    }
    if !layer.without.is_empty() {
        lines.push(format!("without {}", listed(&layer.without)));
    }
    for (limit, setting) in &layer.limits {
        let name = match limit {
            Limit::Backends => "backends",
            Limit::Targets => "targets",
            Limit::Names => "names",
        };
        let value = match setting {
            Setting::Set(values) => format!("{{ {} }}", values.join(", ")),
            Setting::Bound(value) => format!("{value:?}"),
            Setting::Single => "single".into(),
            Setting::Many => "many".into(),
        };
        lines.push(format!("{name} = {value}"));
    }
    for row in &layer.rows {
        let tool = &tools[row.tool];
        let clauses: Vec<String> = row.clauses.iter().map(|c| c.text(&tool.arguments[c.argument])).collect();
        lines.push(format!("allow {} {{ {} }}", tool.name, clauses.join("; ")));
    }
    lines
}
