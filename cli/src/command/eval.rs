//! `eval`: calls, one after the other → decisions, one line each.

use crate::arguments::{Eval, ResultFormat};
use crate::calls::{Calls, GivenCall, Item};
use crate::compiled;
use crate::exit::{CommandError, Exit};
use crate::input::{self, is_stdin};
use crate::output::Output;
use crate::render::visible;
use bailiwick::digest::compact;
use bailiwick::domain::Value;
use bailiwick::eval::{Call, Decision, Facts, Handle, Rewrite, Status};
use bailiwick::explain::{decision_line, message, reason_sentence};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

pub fn run(arguments: &Eval, output: &Output) -> Result<Exit, CommandError> {
    read_once(arguments)?;
    let Some(handle) = handle(arguments, output)? else { return Ok(Exit::NoAnswer) };
    let facts = compiled::facts(arguments.facts.as_deref())?;
    let mut run = Run { arguments, output, handle, facts, counts: BTreeMap::new(), unusable: 0 };
    match arguments.calls.as_deref() {
        None => run.all(std::io::stdin().lock())?,
        Some(path) if path.as_os_str() == "-" => run.all(std::io::stdin().lock())?,
        Some(path) => run.all(BufReader::new(open(path)?))?,
    }
    run.end()
}

/// Standard input is read once: it is the policy, an overlay, the facts or the calls.
fn read_once(arguments: &Eval) -> Result<(), CommandError> {
    let policy = arguments.files.files.iter().any(|path| is_stdin(path));
    let facts = arguments.facts.as_deref().is_some_and(is_stdin);
    let calls = arguments.calls.as_deref().is_none_or(is_stdin);
    let overlay = arguments.applied.overlays.iter().any(|given| given == "-");
    input::read_once(&[(policy, "the policy"), (overlay, "an overlay"), (facts, "the facts"), (calls, "the calls")])
}

fn open(path: &Path) -> Result<File, CommandError> {
    File::open(path).map_err(|source| CommandError::Read { path: path.to_owned(), source })
}

fn handle(arguments: &Eval, output: &Output) -> Result<Option<Handle>, CommandError> {
    if let Some(overlay) = &arguments.overlay_alone {
        return compiled::overlay_alone(&arguments.files.files, overlay, output);
    }
    let Some(compiled) = compiled::from_files(&arguments.files.files, output)? else { return Ok(None) };
    compiled.handle(&arguments.applied, &arguments.bindings, output)
}

struct Run<'a> {
    arguments: &'a Eval,
    output: &'a Output,
    handle: Handle,
    facts: Facts,
    counts: BTreeMap<&'static str, usize>,
    unusable: usize,
}

impl Run<'_> {
    fn all(&mut self, reader: impl BufRead) -> Result<(), CommandError> {
        let name = self.arguments.calls.clone().unwrap_or_else(|| "-".into());
        let mut calls = Calls::new(reader);
        while let Some(item) = calls.next().map_err(|source| CommandError::Read { path: name.clone(), source })? {
            self.item(&item)?;
        }
        Ok(())
    }

    fn item(&mut self, item: &Item) -> Result<(), CommandError> {
        let given = item.call.as_ref().map_err(Clone::clone);
        let decided = given.and_then(|given| Ok((given, facts_of(given)?)));
        match decided {
            Ok((given, facts)) => self.decide(given, facts.as_ref()),
            Err(why) => {
                self.unusable += 1;
                self.output.complaint(&format!("line {} is not usable: {}", item.line, visible(&why)));
                Ok(())
            }
        }
    }

    fn decide(&mut self, given: &GivenCall, facts: Option<&Facts>) -> Result<(), CommandError> {
        let call = Call { connector: &given.connector, tool: &given.tool, arguments: given.arguments.get().as_bytes() };
        let facts = facts.unwrap_or(&self.facts);
        let decision = match self.arguments.explain {
            true => self.handle.decide_explained(&call, facts),
            false => self.handle.decide(&call, facts),
        };
        *self.counts.entry(decision.status.name()).or_default() += 1;
        let line = match self.arguments.format {
            ResultFormat::Human => human(&self.handle, &decision, self.arguments.explain),
            ResultFormat::Json => json(&self.handle, &decision, given),
        };
        self.output.result(&line)
    }

    fn end(self) -> Result<Exit, CommandError> {
        if self.arguments.summary {
            let counts: Vec<String> = self.counts.iter().map(|(state, n)| format!("{n} {state}")).collect();
            let text = if counts.is_empty() { "no calls".to_owned() } else { counts.join(", ") };
            match self.arguments.format {
                ResultFormat::Human => self.output.result(&format!("{text}\n"))?,
                ResultFormat::Json => self.output.progress(&text),
            }
        }
        let ready = self.counts.keys().all(|state| *state == Status::Ready.name());
        Ok(match (self.unusable > 0, ready || self.arguments.exit_zero) {
            (true, _) => Exit::NoAnswer,
            (false, true) => Exit::Yes,
            (false, false) => Exit::No,
        })
    }
}

fn facts_of(given: &GivenCall) -> Result<Option<Facts>, String> {
    let read = |facts: &str| Facts::read(facts.as_bytes()).map_err(|e| format!("its facts: {e}"));
    given.facts.as_ref().map(|facts| read(facts.get())).transpose()
}

/// `id` as it came, then the members of the decision.
fn json(handle: &Handle, decision: &Decision, given: &GivenCall) -> String {
    let body = decision_line(handle, decision, given.arguments.get().as_bytes());
    match &given.id {
        Some(id) => {
            let id = id.get().replace(['\n', '\r'], " ");
            format!("{{\"id\":{id},{}\n", body.trim_start_matches('{'))
        }
        None => body + "\n",
    }
}

fn human(handle: &Handle, decision: &Decision, explain: bool) -> String {
    let tool = visible(&format!("{}.{}", decision.connector, decision.tool_name));
    let mut line = format!("{:<14} {tool}", decision.status.name());
    if let Some(forwarded) = &decision.arguments {
        line.push_str(&format!("  {}", visible(&compact(forwarded.value()))));
    }
    if let Some(message) = message(handle, decision) {
        line.push_str(&format!("  {}", visible(&message)));
    }
    line.push('\n');
    for rewrite in &decision.rewrites {
        line.push_str(&format!("{:15}{}\n", "", visible(&changed(handle, rewrite))));
    }
    for because in decision.because.iter().skip(1).filter(|_| explain) {
        line.push_str(&format!("{:15}also: {}\n", "", visible(&reason_sentence(handle.table(), decision, because))));
    }
    line
}

fn changed(handle: &Handle, rewrite: &Rewrite) -> String {
    use bailiwick::eval::RewriteReason;
    let name = rewrite.path.trim_start_matches('/');
    let from = rewrite.from.as_ref().map_or_else(|| "left out".to_owned(), |v: &Value| format!("was {}", compact(v)));
    let limit = |id| format!("`{}`", handle.table().model().limit_name(id));
    let why = match rewrite.because {
        RewriteReason::Bound(id) => format!("bound by {}", limit(id)),
        RewriteReason::Spelling(id) => format!("the spelling that {} is bound to", limit(id)),
        RewriteReason::OnlyValue(Some(id)) => format!("the only value that {} permits here", limit(id)),
        RewriteReason::OnlyValue(None) => "the only value that the rows permit here".to_owned(),
        RewriteReason::Default => "the tool's default, made explicit".to_owned(),
        RewriteReason::Canonical => "its canonical form".to_owned(),
    };
    format!("rewritten: {name} = {} ({from}; {why})", compact(&rewrite.to))
}
