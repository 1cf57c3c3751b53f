//! The rule of language.md, clause by clause, by enumeration of every call of the world. Shares nothing with the proof.

use super::draw::{Layer, Limit, Row, Setting};
use super::sets::{Set, seen};
use super::world::{BACKENDS, DRIVE, MIX, NAMES, Point, Tool, named, weight};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// By argument, the points that are admitted, as bits.
type Product = Vec<u64>;

pub struct Oracle<'a> {
    pub tools: &'a [Tool],
    /// The agent, then the overlays below.
    pub below: &'a [&'a Layer],
    pub over: &'a Layer,
    /// By tool, the calls that all of `below` permit.
    permitted: Vec<Vec<&'a Vec<usize>>>,
    alone: Vec<Option<Vec<Product>>>,
}

fn holds(products: &[Product], call: &[usize]) -> bool {
    products.iter().any(|product| product.iter().zip(call).all(|(points, at)| points >> at & 1 == 1))
}

fn bits(points: &[Point], admits: impl Fn(&Point) -> bool) -> u64 {
    points.iter().enumerate().filter(|(_, point)| admits(point)).fold(0, |bits, (at, _)| bits | 1 << at)
}

fn full(tool: &Tool) -> Product {
    tool.points.iter().map(|points| bits(points, |_| true)).collect()
}

fn meet(a: &Product, b: &Product) -> Product {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

fn row_product(tool: &Tool, row: &Row) -> Product {
    let mut product = full(tool);
    for clause in &row.clauses {
        let (field, points) = (&tool.arguments[clause.argument], &tool.points[clause.argument]);
        product[clause.argument] &= bits(points, |point| clause.admits(field, point, points));
    }
    product
}

fn text(point: &Point) -> Option<&str> {
    match point {
        Point::Value(value) => value.as_str(),
        Point::Absent | Point::Unspecified => None,
    }
}

/// Whether the row itself gives the list under `names` a size that admits 0: then the limit implies none.
fn sizes_itself(row: &Row) -> bool {
    fn from_zero(set: &Set) -> bool {
        match set {
            Set::Size(low, _) => *low == 0,
            Set::Or(a, b) | Set::And(a, b) | Set::Except(a, b) => from_zero(a) || from_zero(b),
            Set::Any | Set::OneOf(_) | Set::Range(..) | Set::Prefix(_) | Set::Each(_) => false,
            Set::Keys(_) | Set::Values(_) | Set::Members(_) => false,
        }
    }
    row.tool == MIX && row.clauses.iter().any(|c| c.argument == 2 && c.path.is_empty() && from_zero(&c.set))
}

/// The alternatives that the limits of a layer leave of a tool; beside a row, those that they leave of it.
fn under_limits(tools: &[Tool], at: usize, limits: &[(Limit, Setting)], row: Option<&Row>) -> Vec<Product> {
    let none_passes = row.is_some_and(sizes_itself);
    let tool = &tools[at];
    let mut cut = full(tool);
    let mut alternatives = vec![full(tool)];
    for (limit, setting) in limits {
        match (limit, setting) {
            (Limit::Names, Setting::Set(set)) if at == MIX && set.len() < NAMES.len() => {
                cut[2] &= bits(&tool.points[2], |point| match point {
                    Point::Value(Value::Array(items)) => {
                        (none_passes || !items.is_empty()) && items.iter().all(|v| set.iter().any(|s| v == s))
                    }
                    Point::Value(_) | Point::Absent | Point::Unspecified => false,
                });
            }
            (Limit::Backends, Setting::Set(set)) if at == DRIVE && set.len() < BACKENDS.len() => {
                cut[0] &= bits(&tool.points[0], |p| text(p).and_then(named).is_none_or(|p| set.contains(&p)));
                cut[1] &= bits(&tool.points[1], |p| text(p).is_some_and(|p| set.contains(&p)));
            }
            (Limit::Targets, Setting::Bound(bound)) if at == DRIVE => alternatives = bound_to(tool, bound),
            (Limit::Names | Limit::Backends | Limit::Targets, _elsewhere_or_no_cut) => {}
        }
    }
    alternatives.iter().map(|product| meet(product, &cut)).collect()
}

/// A bound `p:rest` is also the bare rest beside p; a bound bare text is also every `p:text`.
fn bound_to(tool: &Tool, bound: &str) -> Vec<Product> {
    let target = |is: &dyn Fn(&str) -> bool| {
        let mut product = full(tool);
        product[0] &= bits(&tool.points[0], |p| text(p).is_some_and(is));
        product
    };
    match named(bound) {
        None => vec![target(&|t| t == bound || named(t).is_some_and(|p| t.strip_prefix(p) == Some(&format!(":{bound}"))))],
        Some(p) => {
            let mut bare = target(&|t| bound.strip_prefix(p) == Some(&format!(":{t}")));
            bare[1] &= bits(&tool.points[1], |backend| text(backend) == Some(p));
            vec![target(&|t| t == bound), bare]
        }
    }
}

/// What a layer permits of a tool; `None`: it says nothing.
fn permits(tools: &[Tool], layer: &Layer, at: usize) -> Option<Vec<Product>> {
    let rows: Vec<&Row> = layer.rows.iter().filter(|row| row.tool == at).collect();
    if layer.without.contains(&at) || rows.is_empty() && !layer.tools.is_empty() && !layer.tools.contains(&at) {
        return Some(Vec::new());
    }
    if rows.is_empty() {
        return (!layer.limits.is_empty()).then(|| under_limits(tools, at, &layer.limits, None));
    }
    let under = |row: &Row| {
        let product = row_product(&tools[at], row);
        let limits = under_limits(tools, at, &layer.limits, Some(row));
        limits.iter().map(|limit| meet(&product, limit)).collect::<Vec<_>>()
    };
    Some(rows.into_iter().flat_map(under).collect())
}

/// What a row promises and what of it its base withholds.
pub struct RowQuestion<'a> {
    tool: &'a Tool,
    /// The words with the overlay's limits, or, where they leave nothing, with those on the mentioned arguments alone.
    words: Vec<Product>,
    /// Whether all of the overlay's limits are in `words`.
    pub whole: bool,
    classes: Vec<Vec<usize>>,
    granted: HashSet<Vec<usize>>,
}

impl RowQuestion<'_> {
    fn key(&self, call: &[usize]) -> Vec<usize> {
        self.classes.iter().zip(call).map(|(classes, at)| classes[*at]).collect()
    }

    /// In a projection, as everywhere, *unspecified* is in a set only if every value is.
    fn forget_unspecified(&mut self) {
        let backends = &self.tool.points[1];
        let open = backends.iter().position(|p| *p == Point::Unspecified).expect("it may be unspecified");
        let with = |key: &[usize], at: usize| key.iter().enumerate().map(|(i, k)| if i == 1 { at } else { *k }).collect();
        let granted = self.granted.clone();
        let all = |key: &[usize]| {
            (0..backends.len()).filter(|at| *at != open).all(|at| granted.contains::<Vec<usize>>(&with(key, at)))
        };
        self.granted.retain(|key| key[1] != open || all(key));
    }

    pub fn escapes(&self, call: &[usize]) -> bool {
        holds(&self.words, call) && !self.granted.contains(&self.key(call))
    }

    /// The weight of the lightest call that shows it.
    pub fn lightest(&self) -> Option<usize> {
        self.tool.calls.iter().filter(|call| self.escapes(call)).map(|call| call_weight(self.tool, call)).min()
    }
}

pub fn call_weight(tool: &Tool, call: &[usize]) -> usize {
    tool.points.iter().zip(call).map(|(points, at)| weight(&points[*at])).sum()
}

impl<'a> Oracle<'a> {
    pub fn new(tools: &'a [Tool], below: &'a [&'a Layer], over: &'a Layer) -> Oracle<'a> {
        let permitted = (0..tools.len()).map(|at| {
            let layers: Vec<Option<Vec<Product>>> = below.iter().map(|layer| permits(tools, layer, at)).collect();
            // An agent that does not speak of a tool has none.
            let silent = layers.first().is_none_or(|agent| agent.is_none()) || !below[0].rows.iter().any(|r| r.tool == at);
            let all = |call: &&Vec<usize>| !silent && layers.iter().flatten().all(|products| holds(products, call));
            tools[at].calls.iter().filter(all).collect()
        });
        let permitted = permitted.collect();
        let alone = (0..tools.len()).map(|at| permits(tools, over, at)).collect();
        Oracle { tools, below, over, permitted, alone }
    }

    pub fn base_permits(&self, tool: usize, call: &[usize]) -> bool {
        self.permitted[tool].iter().any(|permitted| *permitted == call)
    }

    pub fn overlay_permits(&self, tool: usize, call: &[usize]) -> bool {
        self.alone[tool].as_ref().is_none_or(|products| holds(products, call))
    }

    pub fn row(&self, row: &Row) -> RowQuestion<'a> {
        let tool = &self.tools[row.tool];
        let alone = row_product(tool, row);
        let limits = under_limits(self.tools, row.tool, &self.over.limits, Some(row));
        let words: Vec<Product> = limits.iter().map(|limit| meet(&alone, limit)).collect();
        let whole = tool.calls.iter().any(|call| holds(&words, call));
        let mentioned = |at: usize| row.clauses.iter().any(|c| c.argument == at);
        let partly = |limit: &Product| {
            let full = full(tool);
            let points = (0..full.len()).map(|at| if mentioned(at) { limit[at] } else { full[at] });
            meet(&alone, &points.collect())
        };
        let words = if whole { words } else { limits.iter().map(partly).collect() };
        let classes = (0..tool.points.len()).map(|at| classes(tool, row, at)).collect();
        let mut asked = RowQuestion { tool, words, whole, classes, granted: HashSet::new() };
        asked.granted = self.permitted[row.tool].iter().map(|call| asked.key(call)).collect();
        if row.tool == DRIVE && mentioned(1) && !mentioned(0) {
            asked.forget_unspecified();
        }
        asked
    }

    pub fn tool(&self, tool: usize) -> bool {
        !self.permitted[tool].is_empty()
    }

    /// Whether a limit of the overlay lies inside what its base declares, or else inside what its rows permit.
    pub fn limit(&self, limit: Limit, setting: &Setting) -> bool {
        if !self.declared(limit).any(|set| !is_whole(limit, set)) && !self.bites(limit) {
            return true;
        }
        match setting {
            Setting::Single => true,
            Setting::Many => self.declared(limit).all(|s| !matches!(s, Setting::Single | Setting::Bound(_))),
            Setting::Set(values) => values.iter().all(|value| self.room(limit, value)),
            Setting::Bound(value) => self.room(limit, value),
        }
    }

    /// Whether the base permits a call to a tool with an argument under the limit, or one that names its values: else words
    /// about it promise nothing.
    fn bites(&self, limit: Limit) -> bool {
        let tool = match limit {
            Limit::Names => MIX,
            Limit::Targets | Limit::Backends => DRIVE,
        };
        !self.permitted[tool].is_empty()
    }

    fn declared(&self, limit: Limit) -> impl Iterator<Item = &'a Setting> {
        self.below.iter().flat_map(|layer| &layer.limits).filter(move |(l, _)| *l == limit).map(|(_, setting)| setting)
    }

    pub fn room(&self, limit: Limit, value: &str) -> bool {
        let mut asked = self
            .declared(limit)
            .filter_map(|setting| match setting {
                Setting::Set(values) => (!is_whole(limit, setting)).then(|| values.contains(&value)),
                Setting::Bound(bound) => Some(self.spells(bound, value)),
                Setting::Single | Setting::Many => None,
            })
            .peekable();
        if asked.peek().is_some() { asked.all(|inside| inside) } else { self.reached(limit, value) }
    }

    /// Whether `value` is one of the spellings of what the base bound.
    fn spells(&self, bound: &str, value: &str) -> bool {
        let bare = |text: &str| named(text).and_then(|p| text.strip_prefix(&format!("{p}:")).map(str::to_owned));
        let admits = |p: &str| {
            self.declared(Limit::Backends).all(|s| if let Setting::Set(values) = s { values.contains(&p) } else { true })
        };
        match named(bound) {
            _same if value == bound => true,
            None => bare(value).is_some_and(|rest| rest == bound),
            Some(p) => {
                bare(bound).is_some_and(|rest| rest == value) && BACKENDS.iter().all(|other| *other == p || !admits(other))
            }
        }
    }

    /// Whether some permitted call has `value`, and nothing else, where the limit bites.
    fn reached(&self, limit: Limit, value: &str) -> bool {
        let at = |tool: usize, argument: usize, call: &[usize]| self.tools[tool].points[argument][call[argument]].clone();
        match limit {
            Limit::Names => self.permitted[MIX].iter().any(|call| match at(MIX, 2, call) {
                Point::Value(Value::Array(items)) => !items.is_empty() && items.iter().all(|v| v == value),
                Point::Value(_) | Point::Absent | Point::Unspecified => false,
            }),
            Limit::Targets => self.permitted[DRIVE].iter().any(|call| text(&at(DRIVE, 0, call)) == Some(value)),
            Limit::Backends => self.permitted[DRIVE].iter().any(|call| {
                let (target, backend) = (at(DRIVE, 0, call), at(DRIVE, 1, call));
                text(&backend) == Some(value) || text(&target).and_then(named) == Some(value)
            }),
        }
    }
}

/// A limit set to its whole type is none.
fn is_whole(limit: Limit, setting: &Setting) -> bool {
    let whole = if limit == Limit::Backends { BACKENDS.len() } else { NAMES.len() };
    matches!(setting, Setting::Set(values) if values.len() >= whole)
}

/// By point of an argument, what the row's words see of it.
fn classes(tool: &Tool, row: &Row, argument: usize) -> Vec<usize> {
    let paths: Vec<&Vec<&str>> = row.clauses.iter().filter(|c| c.argument == argument).map(|c| &c.path).collect();
    let points = &tool.points[argument];
    if paths.is_empty() {
        return vec![0; points.len()];
    }
    if paths.iter().any(|path| path.is_empty()) {
        return (0..points.len()).collect();
    }
    let mut known: HashMap<String, usize> = HashMap::new();
    let class = |point: &Point| {
        let seen = match point {
            Point::Value(value) => paths.iter().map(|path| seen(path, value)).collect::<Vec<_>>().join(" "),
            point => format!("{point:?}"),
        };
        let next = known.len();
        *known.entry(seen).or_insert(next)
    };
    points.iter().map(class).collect()
}
