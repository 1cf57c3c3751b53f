//! A handle → the decision table as rows for people: per tool, what each layer says, in the policy's words. Computes nothing:
//! which calls are left is `decide`'s matter, and whether any is, the handle's.

use crate::eval::Handle;
use crate::table::Table;
use crate::table::model::{Effect, Layer, LimitId, Model, OriginId, Row, RowGrade, ToolId, Use};
use serde::Serialize;

/// The decision table of one agent under overlays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Grid {
    /// The agent.
    pub agent: String,
    /// The overlays applied, those they are on included.
    pub overlays: Vec<String>,
    /// By tool in catalogue order, then by layer: ceiling, parents, boundaries, overlays.
    pub rows: Vec<GridRow>,
    /// Tools of the connectors in use that some layer does not have at all.
    pub withheld: Vec<Withheld>,
}

/// What one layer says about one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GridRow {
    /// The connector.
    pub connector: String,
    /// The tool.
    pub tool: String,
    /// Its effects that are always in force, and those that depend on an argument with a `?`.
    pub effects: Vec<String>,
    /// `agent a`, `overlay o`, `boundary b`.
    pub layer: String,
    /// What it says.
    pub grade: Grade,
    /// The clauses, which must all hold; none: every well-formed call.
    pub demands: Vec<Demand>,
    /// Where it is written.
    pub source: Option<Place>,
}

/// What a line of the decision table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// A row.
    Allow,
    /// A row `with approval`.
    Ask,
    /// A limit, which cuts every row.
    Limit,
}

impl Grade {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Allow => "allow",
            Grade::Ask => "ask",
            Grade::Limit => "limit",
        }
    }
}

/// One clause in the policy's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Demand {
    /// The path, or the limit.
    pub subject: String,
    /// The set.
    pub permitted: String,
}

/// Where something is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in Unicode scalars, from 1.
    pub column: u32,
}

/// A tool that is not there, and the layer that does not have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Withheld {
    /// The connector.
    pub connector: String,
    /// The tool.
    pub tool: String,
    /// The first layer that does not have it; none where every layer has it, and together they leave no call.
    pub layer: Option<String>,
}

/// The decision table of the handle's agent under its overlays; `None` for nobody and for an overlay alone.
pub fn grid(handle: &Handle) -> Option<Grid> {
    let model = handle.table().model();
    let layers = layers(model, handle.agent(), &handle.overlays().collect::<Vec<_>>())?;
    let mut grid = Grid { agent: handle.agent().to_owned(), overlays: Vec::new(), rows: Vec::new(), withheld: Vec::new() };
    grid.overlays = layers.iter().filter_map(|l| l.name.strip_prefix("overlay ")).map(str::to_owned).collect();
    for (c, connector) in model.connectors.iter().enumerate() {
        let used = layers.iter().any(|l| l.kind == Kind::Ceiling && l.layer.uses.iter().any(|u| u.connector == c));
        for t in (0..connector.tools.len()).filter(|_| used) {
            tool(handle, &layers, ToolId(c, t), &mut grid);
        }
    }
    Some(grid)
}

/// One layer in force.
struct InForce<'a> {
    name: String,
    kind: Kind,
    layer: &'a Layer,
}

/// What a layer's silence means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Refused.
    Ceiling,
    /// Allowed.
    Narrowing,
}

fn layers<'a>(model: &'a Model, agent: &str, overlays: &[&str]) -> Option<Vec<InForce<'a>>> {
    let mut found = Vec::new();
    let mut family = Vec::new();
    let mut next = model.agents.iter().position(|a| &*a.name == agent);
    next?;
    while let Some(at) = next.filter(|at| !family.contains(at)) {
        let agent = model.agents.get(at)?;
        found.push(InForce { name: format!("agent {}", agent.name), kind: Kind::Ceiling, layer: &agent.layer });
        family.push(at);
        next = agent.parent;
    }
    for boundary in &model.boundaries {
        if boundary.agents.as_ref().is_none_or(|covered| covered.iter().any(|a| family.contains(a))) {
            let name = format!("boundary {}", boundary.name);
            found.push(InForce { name, kind: Kind::Narrowing, layer: &boundary.layer });
        }
    }
    let mut applied = Vec::new();
    for name in overlays {
        let mut next = model.overlays.iter().position(|o| &*o.name == *name);
        next?;
        while let Some(at) = next.filter(|at| !applied.contains(at)) {
            let overlay = model.overlays.get(at)?;
            found.push(InForce { name: format!("overlay {}", overlay.name), kind: Kind::Narrowing, layer: &overlay.layer });
            applied.push(at);
            next = overlay.on;
        }
    }
    Some(found)
}

fn tool(handle: &Handle, layers: &[InForce<'_>], id: ToolId, grid: &mut Grid) {
    let table = handle.table();
    let Some((connector, tool)) = names(table.model(), id) else { return };
    let without = layers.iter().find(|l| !has(l, id)).map(|layer| layer.name.clone());
    if without.is_some() || handle.is_hidden(&connector, &tool) == Some(true) {
        grid.withheld.push(Withheld { connector, tool, layer: without });
        return;
    }
    let effects = effects(table.model(), id);
    for layer in layers {
        let Some(said) = layer.layer.uses.iter().find(|u| u.connector == id.0) else { continue };
        let line = |grade: Grade, demands: Vec<Demand>, origin: OriginId| GridRow {
            connector: connector.clone(),
            tool: tool.clone(),
            effects: effects.clone(),
            layer: layer.name.clone(),
            grade,
            demands,
            source: place(table, origin),
        };
        for row in said.rows.iter().filter(|r| r.tool == id.1) {
            let grade = match row.grade {
                RowGrade::Allow => Grade::Allow,
                RowGrade::Ask => Grade::Ask,
            };
            grid.rows.push(line(grade, demands(table, row), row.origin));
        }
    }
    for layer in layers {
        for setting in layer.layer.uses.iter().flat_map(|u| &u.limits) {
            if !cuts(table.model(), id, setting.limit) {
                continue;
            }
            let permitted = table.texts().origin(setting.origin).map_or_else(String::new, |o| o.permitted.to_string());
            grid.rows.push(GridRow {
                connector: connector.clone(),
                tool: tool.clone(),
                effects: effects.clone(),
                layer: layer.name.clone(),
                grade: Grade::Limit,
                demands: vec![Demand { subject: table.model().limit_name(setting.limit), permitted }],
                source: place(table, setting.origin),
            });
        }
    }
}

fn names(model: &Model, id: ToolId) -> Option<(String, String)> {
    let connector = model.connectors.get(id.0)?;
    let tool = connector.tools.get(id.1)?;
    Some((connector.name.to_string(), tool.name.to_string()))
}

/// Whether the layer has a row for the tool, or does not speak of it where silence allows.
fn has(layer: &InForce<'_>, id: ToolId) -> bool {
    let said = layer.layer.uses.iter().find(|u| u.connector == id.0);
    let has_row = |u: &Use| u.rows.iter().any(|r| r.tool == id.1);
    match (layer.kind, said) {
        (Kind::Ceiling, said) => said.is_some_and(has_row),
        (Kind::Narrowing, None) => true,
        (Kind::Narrowing, Some(u)) => {
            let withheld = u.without.iter().any(|(t, _)| *t == id.1);
            let listed = u.tools.as_ref().is_none_or(|tools| tools.contains(&id.1) || has_row(u));
            listed && !withheld
        }
    }
}

/// Whether an argument of the tool is under the limit.
fn cuts(model: &Model, id: ToolId, limit: LimitId) -> bool {
    model.tool(id).is_some_and(|t| t.places.iter().any(|p| p.limit == limit) || t.channels.iter().any(|c| c.limit == limit))
}

fn effects(model: &Model, id: ToolId) -> Vec<String> {
    let rules = model.tool(id).map(|t| t.effects.as_slice()).unwrap_or_default();
    let word = |e: Effect| match e {
        Effect::Reads => "reads",
        Effect::Mutates => "mutates",
        Effect::Irreversible => "irreversible",
        Effect::ReachesOutside => "reaches_outside",
    };
    let mark = |sometimes: bool| if sometimes { "?" } else { "" };
    let mut words: Vec<String> = rules.iter().map(|r| format!("{}{}", word(r.effect), mark(r.when.is_some()))).collect();
    if words.is_empty() {
        words.push("mutates".to_owned());
    }
    words
}

fn demands(table: &Table, row: &Row) -> Vec<Demand> {
    let origins = row.clauses.iter().filter_map(|c| table.texts().origin(c.origin));
    origins.map(|o| Demand { subject: o.subject.to_string(), permitted: o.permitted.to_string() }).collect()
}

fn place(table: &Table, origin: OriginId) -> Option<Place> {
    let origin = table.texts().origin(origin)?;
    Some(Place { file: table.texts().file(origin).to_owned(), line: origin.line, column: origin.column })
}
