//! Files on the command line → a table ready to be asked, from sources or from a `.bwt`.

use crate::arguments::Applied;
use crate::exit::CommandError;
use crate::input::{self, FileLoader, Given};
use crate::output::Output;
use bailiwick::diag::did_you_mean;
use bailiwick::domain::{Kind, Value};
use bailiwick::driver::{self, Admission};
use bailiwick::eval::{Facts, Handle};
use bailiwick::table::Table;
use bailiwick::table::model::{Connector, LimitShape};
use std::path::{Path, PathBuf};

/// A table, wherever it came from.
pub struct Compiled {
    pub table: Table,
}

/// The table of the files; `None`, with the findings shown, when the policy does not compile.
pub fn from_files(files: &[PathBuf], output: &Output) -> Result<Option<Compiled>, CommandError> {
    match input::read(files)? {
        Given::Table(path, bytes) => {
            let table = load(&path, &bytes)?;
            Ok(Some(Compiled { table }))
        }
        Given::Sources(inputs, config) => {
            let built = driver::compile(inputs, &mut FileLoader::new(&config), &driver::Options::default());
            output.asides(&config.shown(built.found), &built.sources);
            Ok(built.table.map(|table| Compiled { table }))
        }
    }
}

/// The handle of one overlay alone, whatever it is written on; `None`, with the findings shown, when the policy is wrong.
pub fn overlay_alone(files: &[PathBuf], overlay: &str, output: &Output) -> Result<Option<Handle>, CommandError> {
    let table = match input::read(files)? {
        Given::Table(path, bytes) => load(&path, &bytes)?,
        Given::Sources(inputs, config) => {
            let built = driver::compile_alone(inputs, &mut FileLoader::new(&config), overlay);
            output.asides(&config.shown(built.found), &built.sources);
            match (built.table, built.policy) {
                (Some(table), _) => table,
                (None, None) => return Ok(None),
                (None, Some(policy)) => {
                    let names: Vec<&str> = policy.overlays.iter().map(|o| &*o.name).collect();
                    return Err(CommandError::usage(unknown("overlay", overlay, &names)));
                }
            }
        }
    };
    table.overlay_alone(overlay).map(Some).map_err(|e| CommandError::usage(e.to_string()))
}

/// Whether `--overlay` gives a text rather than a name.
pub fn is_overlay_file(given: &str) -> bool {
    given == "-" || given.ends_with(".bwk")
}

/// Proves the overlay in the file against the table.
pub fn admit(table: &Table, file: &Path, options: &driver::Options) -> Result<Admission, CommandError> {
    let input = input::source(file)?;
    driver::admit(table, &input, options).map_err(|e| CommandError::usage(format!("`{}` cannot be proved: {e}", input.name)))
}

/// The table in the bytes of a file.
pub fn load(path: &Path, bytes: &[u8]) -> Result<Table, CommandError> {
    Table::load(bytes).map_err(|e| CommandError::usage(format!("`{}` cannot be used: {e}", path.display())))
}

/// The facts in a file; none without one.
pub fn facts(path: Option<&Path>) -> Result<Facts, CommandError> {
    let Some(path) = path else { return Ok(Facts::none()) };
    let bytes = input::bytes(path)?;
    if bytes.trim_ascii_start().first().is_some_and(|first| *first != b'{') {
        return Err(CommandError::usage(format!("the facts in `{}` are no object", path.display())));
    }
    Facts::read(&bytes).map_err(|e| CommandError::usage(format!("the facts in `{}`: {e}", path.display())))
}

impl Compiled {
    /// The agent with its overlays and the session's bindings (`LIMIT=VALUE`); `None`, with the findings shown, when the text of
    /// an overlay is not admitted.
    pub fn handle(&self, applied: &Applied, bindings: &[String], output: &Output) -> Result<Option<Handle>, CommandError> {
        let Some((compiled, applied)) = self.admitted(applied, output)? else { return Ok(None) };
        compiled.applied(&applied, bindings).map(Some)
    }

    /// The table with the overlays that are given as files, and the same overlays by name.
    fn admitted(&self, applied: &Applied, output: &Output) -> Result<Option<(Compiled, Applied)>, CommandError> {
        let mut grown = Compiled { table: self.table.clone() };
        let mut names = Vec::new();
        for given in &applied.overlays {
            if !is_overlay_file(given) {
                names.push(given.clone());
                continue;
            }
            let admission = admit(&grown.table, Path::new(given), &driver::Options::default())?;
            output.asides(&admission.found, &admission.sources);
            let (Some(table), Some(verdict)) = (admission.table(), &admission.verdict) else { return Ok(None) };
            names.push(verdict.name.to_string());
            grown = Compiled { table };
        }
        Ok(Some((grown, Applied { agent: applied.agent.clone(), overlays: names })))
    }

    fn applied(&self, applied: &Applied, bindings: &[String]) -> Result<Handle, CommandError> {
        let agent = self.agent(applied.agent.as_deref(), &applied.overlays)?;
        let overlays: Vec<&str> = applied.overlays.iter().map(String::as_str).collect();
        if overlays.iter().any(|o| !self.overlays().contains(o)) {
            return Err(CommandError::usage(self.unknown(&agent, &applied.overlays)));
        }
        let bound: Vec<(&str, Value)> = bindings.iter().map(|b| binding(&self.table, b)).collect::<Result<_, _>>()?;
        self.table.handle(&agent, &overlays, &bound).map_err(|e| CommandError::usage(e.to_string()))
    }

    /// The connector asked for, or the only one.
    pub fn connector(&self, asked: Option<&str>) -> Result<&Connector, CommandError> {
        let all = &self.table.model().connectors;
        let names: Vec<&str> = all.iter().map(|connector| &*connector.name).collect();
        match (asked, &all[..]) {
            (Some(name), _) => all
                .iter()
                .find(|connector| &*connector.name == name)
                .ok_or_else(|| CommandError::usage(unknown("connector", name, &names))),
            (None, [only]) => Ok(only),
            (None, []) => Err(CommandError::usage("the policy has no connector")),
            (None, _) => {
                Err(CommandError::usage(format!("say which connector: --connector with one of {}", names.join(", "))))
            }
        }
    }

    /// The agent asked for, or the only one.
    fn agent(&self, asked: Option<&str>, overlays: &[String]) -> Result<String, CommandError> {
        let agents = &self.table.model().agents;
        match (asked, &agents[..]) {
            (Some(name), _) if agents.iter().any(|a| &*a.name == name) => Ok(name.to_owned()),
            (Some(name), _) => Err(CommandError::usage(self.unknown(name, overlays))),
            (None, [only]) => Ok(only.name.to_string()),
            (None, []) => Err(CommandError::usage("the policy has no agent")),
            (None, _) => {
                Err(CommandError::usage(format!("say which agent: --agent with one of {}", self.agents().join(", "))))
            }
        }
    }

    fn agents(&self) -> Vec<&str> {
        self.table.model().agents.iter().map(|a| &*a.name).collect()
    }

    fn overlays(&self) -> Vec<&str> {
        self.table.model().overlays.iter().map(|o| &*o.name).collect()
    }

    /// Says which of the names is not there, with the nearest that is.
    fn unknown(&self, agent: &str, overlays: &[String]) -> String {
        let (kind, name, names) = if self.agents().contains(&agent) {
            let names = self.overlays();
            let missing = overlays.iter().find(|o| !names.contains(&o.as_str()));
            ("overlay", missing.map_or("", |o| o.as_str()), names)
        } else {
            ("agent", agent, self.agents())
        };
        unknown(kind, name, &names)
    }
}

fn unknown(kind: &str, name: &str, names: &[&str]) -> String {
    match did_you_mean(name, names.iter().copied()) {
        Some(best) => format!("there is no {kind} `{name}`; did you mean `{best}`?"),
        None if names.is_empty() => format!("there is no {kind} `{name}`: the policy has none"),
        None => format!("there is no {kind} `{name}`: the policy has {}", names.join(", ")),
    }
}

/// `terminal.targets=tmux:main`. The value is a text, unless the limit is over something else.
fn binding<'a>(table: &Table, text: &'a str) -> Result<(&'a str, Value), CommandError> {
    let (limit, value) =
        text.split_once('=').ok_or_else(|| CommandError::usage(format!("`--bind {text}` is not LIMIT=VALUE")))?;
    if table.model().find_limit(limit).is_none() {
        let model = table.model();
        let all: Vec<String> = model
            .connectors
            .iter()
            .flat_map(|c| c.limits.iter().filter(|l| l.shape == LimitShape::One).map(|l| format!("{}.{}", c.name, l.name)))
            .collect();
        return Err(CommandError::usage(unknown("limit", limit, &all.iter().map(String::as_str).collect::<Vec<_>>())));
    }
    let kind = table.model().find_limit(limit).and_then(|id| table.model().limit(id)).map(|l| &l.ty.kind);
    let literal = matches!(kind, Some(Kind::Bool | Kind::Number(_) | Kind::Enum(_)));
    let read = || bailiwick::call::read(value.as_bytes(), bailiwick::call::Bounds::default()).ok();
    let scalar = if literal { read() } else { None };
    Ok((limit, scalar.unwrap_or_else(|| Value::Text(value.into()))))
}
