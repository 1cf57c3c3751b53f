//! Random agents, overlays, boundaries and deployments over a world, as policy text. Overlays are made to narrow: from the
//! words of the agent, cut further.

use super::sets::{clause, set};
use super::world::{Connector, ENUM, Limit, Tool, World};
use super::{Generated, Rng};

/// What an agent says of a connector, kept so that overlays can say less.
struct Ceiling {
    tools: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
    limits: Vec<(Limit, String)>,
}

/// A whole policy.
pub fn policy(rng: &mut Rng, world: &World) -> Generated {
    let mut text = world.text();
    let mut agents = Vec::new();
    for name in ["top", "low"] {
        let under = if name == "low" && rng.chance(60) { " under top" } else { "" };
        let ceilings: Vec<Ceiling> = world.connectors.iter().map(|c| ceiling(rng, c)).collect();
        text.push_str(&format!("agent {name}{under} {{\n"));
        for (connector, ceiling) in world.connectors.iter().zip(&ceilings) {
            text.push_str(&format!("    use {} {{\n{}    }}\n", connector.name, ceiling.text(rng, connector)));
        }
        text.push_str("}\n");
        let mut overlays: Vec<String> = Vec::new();
        for i in 0..rng.below(3) {
            let overlay = format!("{name}_o{i}");
            let base = overlays.last().filter(|_| rng.chance(40)).cloned().unwrap_or_else(|| name.to_owned());
            text.push_str(&overlay_text(rng, &overlay, &base, world, &ceilings));
            overlays.push(overlay);
        }
        agents.push((name.to_owned(), overlays));
    }
    if rng.chance(35) {
        text.push_str(&boundary(rng, world));
    }
    if rng.chance(65) {
        text.push_str(&deployment(rng, world));
    }
    Generated { text, agents }
}

fn row(rng: &mut Rng, tool: &Tool, most: usize) -> Vec<String> {
    let mut clauses = Vec::new();
    for _ in 0..=rng.below(most) {
        if !tool.args.is_empty() {
            let arg = rng.pick(&tool.args).clone();
            clauses.extend(clause(rng, &arg));
        }
    }
    clauses
}

fn ceiling(rng: &mut Rng, connector: &Connector) -> Ceiling {
    let mut found = Ceiling { tools: vec![], rows: vec![], limits: vec![] };
    for tool in &connector.tools {
        match rng.below(10) {
            0 => {}
            1..=3 => found.tools.push(tool.name.clone()),
            _ => {
                for _ in 0..=rng.below(3) {
                    let clauses = row(rng, tool, 3);
                    found.rows.push((tool.name.clone(), clauses));
                }
            }
        }
    }
    for limit in &connector.limits {
        if rng.chance(55) {
            let value = limit_value(rng, limit, true);
            found.limits.push((limit.clone(), value));
        }
    }
    found
}

fn limit_value(rng: &mut Rng, limit: &Limit, blank: bool) -> String {
    match (limit.name, limit.one) {
        ("targets", _) if blank && rng.chance(30) => "single".to_owned(),
        ("targets", _) => (*rng.pick(&["\"ka:x\"", "\"x\"", "\"kb:y\"", "\"y\""])).to_owned(),
        (_, true) if blank && rng.chance(30) => "single".to_owned(),
        (_, true) => (*rng.pick(&["\"ab\"", "\"inv_1\""])).to_owned(),
        ("kinds", _) => format!("{{ {} }}", rng.some(&ENUM[..2], 50).join(", ")),
        _ => set(rng, &limit.ty),
    }
}

impl Ceiling {
    fn text(&self, rng: &mut Rng, connector: &Connector) -> String {
        let mut out = String::new();
        let reaches = |name: &str| connector.tools.iter().any(|t| t.name == name && t.reaches);
        let limited = self.limits.iter().any(|(l, _)| l.name == "kinds");
        if !self.tools.is_empty() {
            let (accepting, plain): (Vec<&String>, Vec<&String>) = self.tools.iter().partition(|t| reaches(t) && limited);
            if !plain.is_empty() {
                let names: Vec<&str> = plain.iter().map(|s| s.as_str()).collect();
                out.push_str(&format!("        tools {}\n", names.join(", ")));
            }
            for tool in accepting {
                out.push_str(&format!("        allow {tool} accepting opaque\n"));
            }
        }
        for (tool, clauses) in &self.rows {
            let approval = if rng.chance(15) { " with approval" } else { "" };
            let accepting = if reaches(tool) && (limited || rng.chance(50)) { " accepting opaque" } else { "" };
            out.push_str(&format!("        allow {tool} {{ {} }}{approval}{accepting}\n", clauses.join("; ")));
        }
        for (limit, value) in &self.limits {
            out.push_str(&format!("        {} = {value}\n", limit.name));
        }
        out
    }

    fn has(&self, tool: &str) -> bool {
        self.tools.iter().any(|t| t == tool) || self.rows.iter().any(|(t, _)| t == tool)
    }
}

fn overlay_text(rng: &mut Rng, name: &str, on: &str, world: &World, ceilings: &[Ceiling]) -> String {
    let mut out = format!("overlay {name} on {on} {{\n");
    for (connector, ceiling) in world.connectors.iter().zip(ceilings) {
        if !rng.chance(75) {
            continue;
        }
        out.push_str(&format!("    {} {{\n", connector.name));
        let mut rowed: Vec<&str> = Vec::new();
        for (tool, clauses) in &ceiling.rows {
            if !clauses.is_empty() && !rowed.contains(&tool.as_str()) && rng.chance(40) {
                rowed.push(tool);
                let mut words = clauses.clone();
                if let Some(spec) = connector.tools.iter().find(|t| t.name == *tool)
                    && rng.chance(50)
                {
                    words.extend(row(rng, spec, 1));
                }
                let approval = if rng.chance(15) { " with approval" } else { "" };
                out.push_str(&format!("        allow {tool} {{ {} }}{approval}\n", words.join("; ")));
            }
        }
        let others: Vec<&str> =
            connector.tools.iter().map(|t| t.name.as_str()).filter(|t| ceiling.has(t) && !rowed.contains(t)).collect();
        match rng.below(5) {
            0 if !others.is_empty() => out.push_str(&format!("        tools {}\n", rng.some(&others, 70).join(", "))),
            1 if !others.is_empty() => out.push_str(&format!("        without {}\n", rng.pick(&others))),
            _ => {}
        }
        for (limit, value) in &ceiling.limits {
            if rng.chance(40) {
                let cut = if limit.one && value != "single" {
                    value.clone()
                } else if limit.one || limit.name == "kinds" {
                    limit_value(rng, limit, false)
                } else {
                    format!("({value}) and ({})", set(rng, &limit.ty))
                };
                out.push_str(&format!("        {} = {cut}\n", limit.name));
            }
        }
        out.push_str("    }\n");
    }
    out.push_str("}\n");
    out
}

fn boundary(rng: &mut Rng, world: &World) -> String {
    let connector = rng.pick(&world.connectors).clone();
    let tool = rng.pick(&connector.tools).clone();
    let on = *rng.pick(&["", "", " on low"]);
    let clauses = row(rng, &tool, 2);
    let mut out = format!("boundary fence{on} {{\n    {} {{\n", connector.name);
    if !clauses.is_empty() {
        let approval = if rng.chance(30) { " with approval" } else { "" };
        out.push_str(&format!("        allow {} {{ {} }}{approval}\n", tool.name, clauses.join("; ")));
    }
    let limit = rng.pick(&connector.limits).clone();
    if rng.chance(50) {
        let value = limit_value(rng, &limit, false);
        out.push_str(&format!("        {} = {value}\n", limit.name));
    }
    out.push_str("    }\n}\n");
    out
}

/// Providers that the facts speak of.
pub const PROVIDERS: [&str; 3] = ["p0", "p1", "p2"];

fn deployment(rng: &mut Rng, world: &World) -> String {
    let mut out = String::from("deployment d {\n");
    let count = 1 + rng.below(3);
    let mut offering: Vec<(&str, Vec<String>)> = Vec::new();
    for name in &PROVIDERS[..count] {
        let ty = *rng.pick(&["edge", "server", "request_mcp", "gateway", "control_plane"]);
        let mut offers = Vec::new();
        let mut caps = Vec::new();
        for connector in &world.connectors {
            if rng.chance(58) {
                let except = if rng.chance(10) { format!(" except {}.t0", connector.name) } else { String::new() };
                let pin = if rng.chance(12) { " pinned \"sha256:aa\"" } else { "" };
                offers.push(format!("offers {}.cap{except}{pin}", connector.name));
                caps.push(format!("{}.cap", connector.name));
            }
        }
        let disabled = if rng.chance(12) { "disabled; " } else { "" };
        out.push_str(&format!("    provider {name}: {ty} {{ {disabled}{} }}\n", offers.join("; ")));
        offering.push((name, caps));
    }
    for connector in &world.connectors {
        let cap = format!("{}.cap", connector.name);
        let mut chain: Vec<&str> = offering.iter().filter(|(_, caps)| caps.contains(&cap)).map(|(n, _)| *n).collect();
        if chain.len() > 1 && rng.chance(50) {
            if rng.chance(50) {
                chain.reverse();
            }
            let when = *rng.pick(&["", " when offline", " when degraded", " when offline, degraded"]);
            out.push_str(&format!("    fallback {cap}: {}{when}\n", chain.join(" -> ")));
        }
    }
    if rng.chance(60) {
        out.push_str("    mode plan { block mutates }\n");
    }
    if rng.chance(40) {
        let effect = *rng.pick(&["mutates", "irreversible"]);
        out.push_str(&format!("    consent required for {effect}\n"));
    }
    out.push_str("}\n");
    out
}
