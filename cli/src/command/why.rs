//! `why`: one call → every clause that speaks to it, and whether it holds.

use crate::arguments::{ResultFormat, Why as Arguments};
use crate::calls::{Calls, GivenCall};
use crate::compiled;
use crate::exit::{CommandError, Exit};
use crate::input;
use crate::output::Output;
use crate::render::visible;
use bailiwick::digest::compact;
use bailiwick::domain::Membership;
use bailiwick::eval::why::{SpokenClause, SpokenLimit, SpokenRow, Why};
use bailiwick::eval::{Call, Facts, Handle, Status};
use bailiwick::explain::{decision_json, message};
use bailiwick::table::Table;
use bailiwick::table::model::{OriginId, RowGrade};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub fn run(arguments: &Arguments, output: &Output) -> Result<Exit, CommandError> {
    let policy = arguments.files.files.iter().any(|path| input::is_stdin(path));
    let facts = arguments.facts.as_deref().is_some_and(input::is_stdin);
    input::read_once(&[(policy, "the policy"), (facts, "the facts"), (arguments.call == "-", "the call")])?;
    let Some(compiled) = compiled::from_files(&arguments.files.files, output)? else { return Ok(Exit::NoAnswer) };
    let Some(handle) = compiled.handle(&arguments.applied, &arguments.bindings, output)? else { return Ok(Exit::NoAnswer) };
    let given = call(&arguments.call)?;
    let facts = match &given.facts {
        Some(facts) => {
            Facts::read(facts.get().as_bytes()).map_err(|e| CommandError::usage(format!("the call's facts: {e}")))?
        }
        None => compiled::facts(arguments.facts.as_deref())?,
    };
    let call = Call { connector: &given.connector, tool: &given.tool, arguments: given.arguments.get().as_bytes() };
    let why = handle.why(&call, &facts);
    output.result(&match arguments.format {
        ResultFormat::Human => human(&handle, &why),
        ResultFormat::Json => document(&handle, &why)?,
    })?;
    Ok(if why.decision.status == Status::Ready { Exit::Yes } else { Exit::No })
}

/// JSON as it stands on the command line, else a file or `-`.
fn call(text: &str) -> Result<GivenCall, CommandError> {
    let bytes =
        if text.trim_start().starts_with('{') { text.as_bytes().to_vec() } else { input::bytes(&PathBuf::from(text))? };
    let failed = |source| CommandError::Read { path: Path::new(text).to_owned(), source };
    let mut calls = Calls::new(&bytes[..]);
    let call = calls.next().map_err(failed)?.ok_or_else(|| CommandError::usage("there is no call"))?.call;
    if calls.next().map_err(failed)?.is_some() {
        let several = "`why` answers one call, and several are given; `bailiwick eval --explain` decides them all";
        return Err(CommandError::usage(several));
    }
    call.map_err(|why| CommandError::usage(format!("the call is not usable: {why}")))
}

fn mark(holds: Membership) -> &'static str {
    match holds {
        Membership::In => "holds ",
        Membership::Out => "FAILS ",
        Membership::Ambiguous => "UNSURE",
    }
}

fn grade(row: &SpokenRow) -> &'static str {
    match row.grade {
        RowGrade::Allow => "allow",
        RowGrade::Ask => "ask",
    }
}

fn place(table: &Table, origin: OriginId) -> String {
    let texts = table.texts();
    texts.origin(origin).map_or_else(String::new, |o| format!("{}:{}:{}", visible(texts.file(o)), o.line, o.column))
}

fn words(table: &Table, origin: OriginId) -> String {
    table.texts().origin(origin).map_or_else(String::new, |o| visible(&format!("{} {}", o.subject, o.permitted)))
}

fn human(handle: &Handle, why: &Why) -> String {
    let table = handle.table();
    let decision = &why.decision;
    let mut text =
        format!("{} {}", decision.status.name(), visible(&format!("{}.{}", decision.connector, decision.tool_name)));
    if let Some(forwarded) = &decision.arguments {
        text.push_str(&format!("  {}", visible(&compact(forwarded.value()))));
    }
    text.push('\n');
    if let Some(message) = message(handle, decision) {
        text.push_str(&format!("{}\n", visible(&message)));
    }
    if !why.limits.is_empty() {
        text.push_str("\nlimits\n");
    }
    for limit in &why.limits {
        let name = table.model().limit_name(limit.limit);
        let set = limit
            .origin
            .map_or_else(|| "bound by the session".to_owned(), |o| format!("{}  {}", words(table, o), place(table, o)));
        text.push_str(&format!("  {} {name} on `{}`  {set}\n", mark(limit.holds), visible(&limit.argument)));
    }
    for declaration in &why.declarations {
        text.push_str(&format!("\n{}\n", visible(&declaration.name)));
        for row in &declaration.rows {
            let holds = if row.holds { "holds " } else { "FAILS " };
            text.push_str(&format!("  {holds} {}  {}\n", grade(row), place(table, row.origin)));
            for clause in &row.clauses {
                text.push_str(&format!(
                    "    {} {}  {}\n",
                    mark(clause.holds),
                    words(table, clause.origin),
                    place(table, clause.origin)
                ));
            }
        }
    }
    text
}

fn source(table: &Table, origin: OriginId) -> Value {
    let texts = table.texts();
    texts.origin(origin).map_or(Value::Null, |o| json!({ "file": texts.file(o), "line": o.line, "column": o.column }))
}

fn holds(holds: Membership) -> &'static str {
    match holds {
        Membership::In => "yes",
        Membership::Out => "no",
        Membership::Ambiguous => "ambiguous",
    }
}

/// What the command prints as JSON; the decision as `eval` prints it, its numbers as they are.
#[derive(Serialize)]
struct Document {
    format: u8,
    decision: Box<RawValue>,
    limits: Vec<Value>,
    declarations: Vec<Value>,
}

fn document(handle: &Handle, why: &Why) -> Result<String, CommandError> {
    let table = handle.table();
    let permitted = |o: OriginId| table.texts().origin(o).map(|o| o.permitted.to_string());
    let clause = |c: &SpokenClause| {
        let subject = table.texts().origin(c.origin).map(|o| o.subject.to_string());
        json!({ "argument": &*c.argument, "subject": subject, "permitted": permitted(c.origin), "holds": holds(c.holds),
                "source": source(table, c.origin) })
    };
    let row = |r: &SpokenRow| {
        json!({ "grade": grade(r), "holds": r.holds, "source": source(table, r.origin),
                "clauses": r.clauses.iter().map(clause).collect::<Vec<_>>() })
    };
    let limit = |l: &SpokenLimit| {
        json!({ "limit": table.model().limit_name(l.limit), "argument": &*l.argument, "holds": holds(l.holds),
                "permitted": l.origin.and_then(permitted), "source": l.origin.map(|o| source(table, o)) })
    };
    let declarations: Vec<Value> = why
        .declarations
        .iter()
        .map(|d| json!({ "name": d.name, "rows": d.rows.iter().map(row).collect::<Vec<_>>() }))
        .collect();
    let unwritable = |e| CommandError::usage(format!("the answer cannot be written: {e}"));
    let decision = RawValue::from_string(decision_json(handle, &why.decision)).map_err(unwritable)?;
    let document = Document { format: 1, decision, limits: why.limits.iter().map(limit).collect(), declarations };
    Ok(serde_json::to_string(&document).map_err(unwritable)? + "\n")
}
