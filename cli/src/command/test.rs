//! `test`: a policy → its own tests run, with expected, got, why, and what no test exercises.

use crate::arguments::{Test, TestFormat};
use crate::exit::{CommandError, Exit};
use crate::input::{self, FileLoader};
use crate::output::Output;
use crate::render::visible;
use bailiwick::driver::{self, Options};
use bailiwick::source::{Sources, Span};
use bailiwick::suite::{self, CaseReport, Coverage, Report};
use serde_json::{Value, json};

pub fn run(arguments: &Test, output: &Output) -> Result<Exit, CommandError> {
    let (inputs, config) = input::sources(&arguments.files.files)?;
    let built = driver::compile(inputs, &mut FileLoader::new(&config), &Options::default());
    output.asides(&config.shown(built.found), &built.sources);
    let (Some(policy), Some(table)) = (&built.policy, &built.table) else { return Ok(Exit::NoAnswer) };
    let report = suite::run(policy, table, &built.sources).map_err(|e| CommandError::usage(e.to_string()))?;
    output.result(&match arguments.format {
        TestFormat::Human => human(&report, &built.sources),
        TestFormat::Json => format!("{}\n", document(&report, &built.sources)),
        TestFormat::Junit => junit(&report, &built.sources),
    })?;
    Ok(if failed(&report) == 0 { Exit::Yes } else { Exit::No })
}

fn failed(report: &Report) -> usize {
    report.cases.iter().filter(|c| !c.passed).count()
}

fn name(case: &CaseReport) -> String {
    match case.overlays.is_empty() {
        true => case.agent.clone(),
        false => format!("{} with {}", case.agent, case.overlays.join(", ")),
    }
}

fn place(span: Span, sources: &Sources) -> String {
    let at = sources.location(span);
    format!("{}:{}:{}", visible(&at.file), at.line, at.column)
}

fn human(report: &Report, sources: &Sources) -> String {
    let mut text = String::new();
    for case in report.cases.iter().filter(|c| !c.passed) {
        text.push_str(&format!("FAILED {} ({})\n", name(case), place(case.span, sources)));
        text.push_str(&format!("  call      {}\n", visible(&case.call)));
        text.push_str(&format!("  expected  {}\n", visible(&case.expected)));
        text.push_str(&format!("  got       {}\n", visible(&case.got)));
        if let Some(why) = &case.why {
            text.push_str(&format!("  why       {}\n", visible(why)));
        }
        text.push('\n');
    }
    let failed = failed(report);
    let passed = report.cases.len() - failed;
    text.push_str(&format!("{passed} passed, {failed} failed\n"));
    let Coverage { rows, limits } = &report.coverage;
    text.push_str(&format!(
        "exercised: {} of {} rows, {} of {} limits\n",
        Coverage::count(rows),
        rows.len(),
        Coverage::count(limits),
        limits.len()
    ));
    for untested in report.coverage.untested() {
        text.push_str(&format!("  no test exercises {} ({})\n", visible(&untested.what), place(untested.span, sources)));
    }
    text
}

fn location(span: Span, sources: &Sources) -> Value {
    let at = sources.location(span);
    json!({ "file": &*at.file, "line": at.line, "column": at.column })
}

fn document(report: &Report, sources: &Sources) -> Value {
    let case = |c: &CaseReport| {
        json!({ "agent": c.agent, "overlays": c.overlays, "call": c.call, "expected": c.expected, "got": c.got, "why": c.why,
                "passed": c.passed, "location": location(c.span, sources) })
    };
    let count = |covered: &[suite::Covered]| json!({ "exercised": Coverage::count(covered), "total": covered.len() });
    let coverage = &report.coverage;
    let untested = coverage.untested().map(|c| json!({ "what": c.what, "location": location(c.span, sources) }));
    json!({
        "format": 1,
        "passed": report.cases.len() - failed(report),
        "failed": failed(report),
        "tests": report.cases.iter().map(case).collect::<Vec<_>>(),
        "coverage": { "rows": count(&coverage.rows), "limits": count(&coverage.limits),
                      "untested": untested.collect::<Vec<_>>() },
    })
}

fn junit(report: &Report, sources: &Sources) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"bailiwick\" tests=\"{}\" failures=\"{}\">\n",
        report.cases.len(),
        failed(report)
    );
    for case in &report.cases {
        let at = sources.location(case.span);
        let head = format!(
            "  <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\"",
            escaped(&name(case)),
            escaped(&case.call),
            escaped(&at.file),
            at.line
        );
        if case.passed {
            text.push_str(&format!("{head}/>\n"));
            continue;
        }
        let message = format!("expected {}, got {}", case.expected, case.got);
        let why = escaped(case.why.as_deref().unwrap_or(""));
        text.push_str(&format!("{head}>\n    <failure message=\"{}\">{why}</failure>\n  </testcase>\n", escaped(&message)));
    }
    text + "</testsuite>\n"
}

/// XML text; characters that XML 1.0 does not have are shown.
fn escaped(text: &str) -> String {
    let text = visible(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
