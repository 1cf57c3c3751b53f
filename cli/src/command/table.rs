//! `table`: a compiled policy → its decision table for people: terminal, Markdown, CSV, JSON, a page.

use crate::arguments::{Table as Arguments, TableFormat};
use crate::compiled;
use crate::exit::{CommandError, Exit};
use crate::output::Output;
use crate::render::visible;
use bailiwick::explain::{Demand, Grid, GridRow, grid};
use serde_json::{Value, json};

pub fn run(arguments: &Arguments, output: &Output) -> Result<Exit, CommandError> {
    let Some(compiled) = compiled::from_files(&arguments.files.files, output)? else { return Ok(Exit::NoAnswer) };
    let Some(handle) = compiled.handle(&arguments.applied, &[], output)? else { return Ok(Exit::NoAnswer) };
    let grid = grid(&handle).ok_or_else(|| CommandError::usage("the policy has no agent"))?;
    output.result(&match arguments.format {
        TableFormat::Human => human(&grid),
        TableFormat::Md => markdown(&grid),
        TableFormat::Csv => csv(&grid),
        TableFormat::Json => document(&grid, handle.table().digest()).to_string() + "\n",
        TableFormat::Html => html(&grid),
    })?;
    Ok(Exit::Yes)
}

fn demand(demand: &Demand) -> String {
    let shown = visible(&demand.permitted);
    let comparison = ["<", ">", "prefix ", "suffix ", "matches ", "length ", "size ", "each ", "absent", "null"];
    if comparison.iter().any(|c| shown.starts_with(c)) {
        format!("{} {shown}", demand.subject)
    } else {
        format!("{} in {shown}", demand.subject)
    }
}

fn demands(row: &GridRow) -> String {
    if row.demands.is_empty() {
        return "any arguments".to_owned();
    }
    row.demands.iter().map(demand).collect::<Vec<_>>().join("; ")
}

fn title(grid: &Grid) -> String {
    match grid.overlays.is_empty() {
        true => format!("agent {}", grid.agent),
        false => format!("agent {} under {}", grid.agent, grid.overlays.join(", ")),
    }
}

fn human(grid: &Grid) -> String {
    let width = grid.rows.iter().map(|r| r.layer.chars().count()).max().unwrap_or(0);
    let mut text = title(grid) + "\n";
    let mut last = None;
    for row in &grid.rows {
        let name = format!("{}.{}", row.connector, row.tool);
        if last.as_ref() != Some(&name) {
            text.push_str(&format!("\n{name}  ({})\n", row.effects.join(", ")));
            last = Some(name);
        }
        text.push_str(&format!("  {:width$}  {:5}  {}\n", row.layer, row.grade.name(), demands(row)));
    }
    if !grid.withheld.is_empty() {
        text.push_str("\nnot there\n");
    }
    for w in &grid.withheld {
        let why = w.layer.as_ref().map_or("no call is left".to_owned(), |layer| format!("not in {layer}"));
        text.push_str(&format!("  {}.{}  ({why})\n", w.connector, w.tool));
    }
    text
}

const COLUMNS: [&str; 5] = ["tool", "effects", "layer", "says", "arguments"];

fn cells(row: &GridRow) -> [String; 5] {
    let name = format!("{}.{}", row.connector, row.tool);
    [name, row.effects.join(", "), row.layer.clone(), row.grade.name().to_owned(), demands(row)]
}

fn markdown(grid: &Grid) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let escaped = |cell: &String| cell.replace('\\', "\\\\").replace('|', "\\|").replace('<', "\\<").replace('*', "\\*");
    let head = COLUMNS.map(str::to_owned);
    let mut text = format!("# {}\n\n{}{}", title(grid), line(&head), line(&head.clone().map(|_| "---".to_owned())));
    for row in &grid.rows {
        text.push_str(&line(&cells(row).iter().map(escaped).collect::<Vec<_>>()));
    }
    if !grid.withheld.is_empty() {
        let names: Vec<String> = grid.withheld.iter().map(|w| format!("`{}.{}`", w.connector, w.tool)).collect();
        text.push_str(&format!("\nNot there: {}.\n", names.join(", ")));
    }
    text
}

/// RFC 4180. A cell that a spreadsheet would run as a formula is kept as text.
fn csv(grid: &Grid) -> String {
    let quoted = |cell: &str| {
        let inert = if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{cell}") } else { cell.to_owned() };
        format!("\"{}\"", inert.replace('"', "\"\""))
    };
    let line = |cells: Vec<String>| cells.iter().map(|c| quoted(c)).collect::<Vec<_>>().join(",") + "\r\n";
    let mut text = line(COLUMNS.map(str::to_owned).to_vec());
    for row in &grid.rows {
        text.push_str(&line(cells(row).to_vec()));
    }
    text
}

fn document(grid: &Grid, digest: &str) -> Value {
    json!({ "format": 1, "table_digest": digest, "agent": grid.agent, "overlays": grid.overlays, "rows": grid.rows,
            "withheld": grid.withheld })
}

fn html(grid: &Grid) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let line = |tag: &str, cells: &[String]| {
        let cells: String = cells.iter().map(|c| format!("<{tag}>{}</{tag}>", escaped(c))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let title = escaped(&title(grid));
    let rows: String = grid.rows.iter().map(|r| line("td", &cells(r))).collect();
    let withheld: Vec<String> = grid.withheld.iter().map(|w| escaped(&format!("{}.{}", w.connector, w.tool))).collect();
    let below = if withheld.is_empty() { String::new() } else { format!("<p>Not there: {}.</p>\n", withheld.join(", ")) };
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n\
         <table>\n{}{rows}</table>\n{below}</html>\n",
        line("th", &COLUMNS.map(str::to_owned)),
    )
}

const STYLE: &str = "body{font:14px/1.4 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}\
td,th{border:1px solid #ccc;padding:.3rem .6rem;text-align:left;vertical-align:top}";
