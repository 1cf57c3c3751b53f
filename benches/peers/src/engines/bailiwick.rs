//! Bailiwick: one vocabulary with every argument of every tool declared (an undeclared one is refused), one agent with a row
//! per tool, a deployment with a provider, a plan mode and nothing else. The call's bytes go in as they came; facts are
//! made once per mode, as a host keeps them.

use crate::engine::{Engine, Source};
use crate::spec::{BACKENDS, Constraint, PolicySpec};
use crate::workload::{Ctx, Mode, Request};
use bailiwick::driver::{self, Input, NoImports, Options};
use bailiwick::eval::{Call, Facts, Handle, Reading};
use bailiwick::table::Table;
use std::fmt::Write as _;

/// Tools in one vocabulary: a declaration has a bound on its size.
const MANY: usize = 2_048;

fn connector(index: usize) -> String {
    format!("tools{}", index / MANY)
}

fn arguments(c: &Constraint) -> &'static str {
    match c {
        Constraint::Enum { .. } => "backend: Backend",
        Constraint::Prefix { .. } => "target: text",
        Constraint::Domain { .. } => "url: url",
        Constraint::Range { .. } => "amount: int",
        Constraint::Path => "path: path",
        Constraint::EnumRange { .. } => "backend: Backend; amount: int",
        Constraint::Mutating => "item: text",
    }
}

fn row(c: &Constraint) -> String {
    let quoted = |v: &[String]| v.iter().map(|s| format!("{s:?}")).collect::<Vec<_>>().join(", ");
    match c {
        Constraint::Enum { allowed } => format!("backend in {{ {} }}", quoted(allowed)),
        Constraint::Prefix { prefixes } => {
            format!("target {}", prefixes.iter().map(|p| format!("prefix {p:?}")).collect::<Vec<_>>().join(" or "))
        }
        Constraint::Domain { domains } => {
            let below: Vec<String> = domains.iter().map(|d| format!("*.{d}")).collect();
            format!("url.host in {{ {}, {} }}", quoted(domains), quoted(&below))
        }
        Constraint::Range { max } => format!("amount in 0..{max}"),
        Constraint::Path => r#"path in { "/workspace/*/**" }"#.into(),
        Constraint::EnumRange { allowed, max } => format!("backend in {{ {} }}; amount in 0..{max}", quoted(allowed)),
        Constraint::Mutating => String::new(),
    }
}

pub struct Bailiwick {
    table: Table,
    handle: Handle,
    act: Facts,
    plan: Facts,
    connectors: Vec<String>,
}

impl Bailiwick {
    fn of(table: Table) -> Self {
        let facts = |mode: &str| {
            let text = format!(r#"{{"mode":"{mode}","providers":{{"host":"ready"}}}}"#);
            Facts::read(text.as_bytes()).expect("facts")
        };
        let handle = table.handle("bench", &[], &[]).expect("the agent is there");
        let connectors = table.model().connectors.iter().map(|c| c.name.to_string()).collect();
        Bailiwick { act: facts("normal"), plan: facts("plan"), table, handle, connectors }
    }

    /// Hosts know which server a tool came from; the harness has flat names, with the tool's number at the end.
    fn connector_of(&self, tool: &str) -> &str {
        let number = match self.connectors.len() {
            1 => 0,
            _ => tool.rsplit('_').next().and_then(|n| n.parse::<usize>().ok()).unwrap_or(0) / MANY,
        };
        self.connectors.get(number).map_or("", |c| c)
    }

    /// The decision from the bytes; shared between threads.
    pub fn decide(&self, tool: &str, args: &[u8], ctx: Ctx) -> bool {
        let call = Call { connector: self.connector_of(tool), tool, arguments: args };
        self.handle.verdict(&call, self.facts(ctx.mode)).is_ready()
    }

    fn facts(&self, mode: Mode) -> &Facts {
        match mode {
            Mode::Act => &self.act,
            Mode::Plan => &self.plan,
        }
    }
}

impl Engine for Bailiwick {
    const NAME: &'static str = "bailiwick";
    const IDIOM: &'static str = "one vocabulary, one agent with a row per tool, plan mode and provider in the deployment; Handle::verdict on the bytes (native: on a call read before)";
    type Input = (String, Reading<'static>, Mode);

    fn render(spec: &PolicySpec) -> Source {
        let mut text = String::from("language 1\n");
        let mut agent = String::from("agent bench {\n");
        for (chunk, tools) in spec.tools.chunks(MANY).enumerate() {
            let name = connector(chunk * MANY);
            writeln!(text, "vocabulary {name} {{\n    enum Backend {{ {} }}", BACKENDS.join(", ")).unwrap();
            writeln!(agent, "    use {name} {{").unwrap();
            for tool in tools {
                let effect = if tool.constraint == Constraint::Mutating { "mutates" } else { "reads" };
                writeln!(
                    text,
                    "    tool {} {{\n        {effect}\n        {}\n        reason: text optional; request_id: text optional; session_id: text optional\n        timeout_ms: int optional; dry_run: bool optional; labels: list of text optional; content: text optional\n    }}",
                    tool.name,
                    arguments(&tool.constraint),
                )
                .unwrap();
                writeln!(agent, "        allow {} {{ {} }}", tool.name, row(&tool.constraint)).unwrap();
            }
            text.push_str("}\n");
            agent.push_str("    }\n");
        }
        agent.push_str("}\n");
        text.push_str(&agent);
        text.push_str("deployment bench {\n    provider host: server { offers ");
        let offered: Vec<String> = (0..spec.tools.len().div_ceil(MANY)).map(|c| format!("{}.*", connector(c * MANY))).collect();
        text.push_str(&offered.join(", "));
        text.push_str(" }\n    mode plan { block mutates }\n}\n");
        Source(vec![("bench.bwk", text)])
    }

    fn load_source(src: &Source) -> Self {
        let input = Input { name: "bench.bwk".into(), identity: "bench.bwk".into(), text: src.get("bench.bwk").into() };
        let built = driver::compile(vec![input], &mut NoImports, &Options::default());
        let Some(table) = built.table else { panic!("the policy does not compile: {:?}", built.found.first()) };
        Bailiwick::of(table)
    }

    fn prepare(&self, r: &Request) -> Self::Input {
        let leak = |bytes: &[u8]| -> &'static [u8] { Box::leak(bytes.to_vec().into_boxed_slice()) };
        let name = |name: &str| -> &'static str { Box::leak(name.to_owned().into_boxed_str()) };
        let (connector, tool) = (name(self.connector_of(&r.tool)), name(&r.tool));
        let call = Call { connector, tool, arguments: leak(&r.args) };
        (r.tool.clone(), self.handle.read(&call), r.ctx.mode)
    }

    fn decide_native(&mut self, (_, reading, mode): &Self::Input) -> bool {
        self.handle.verdict_of(reading, self.facts(*mode)).is_ready()
    }

    fn decide_json(&mut self, tool: &str, args: &[u8], ctx: Ctx) -> bool {
        self.decide(tool, args, ctx)
    }

    fn to_bytes(&self) -> Option<Vec<u8>> {
        self.table.to_bytes().ok()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Table::load(bytes).ok().map(Bailiwick::of)
    }
}
