//! An agent that may pass any resource to a tool: `tools read_file` where `path` is under no limit. What carries a resource is
//! told by the type (path, url, host, ip, argv), and commands and queries, which are texts, by the argument's name. No finding
//! where a limit is in force or a row speaks of the argument, be it `path in any`; where the vocabulary refines the type; and for what
//! is opaque, which no set can speak of, where each call asks approval or the row says `accepting opaque`.

use super::{Subject, granted};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{Kind, Member, Step, Type};
use crate::overlay::Effective;
use crate::policy::{AgentId, Effect, Row, ToolRef};

pub(super) fn find(subject: &Subject<'_>, agent: AgentId, effective: &Effective<'_>, found: &mut Sink) {
    for (tool, row) in granted::rows(subject.policy, agent) {
        if effective.rows(tool).is_none_or(|rows| rows.is_empty()) {
            continue;
        }
        let declared = subject.policy.tool(tool);
        // Of what is irreversible the other rule says already that it must ask.
        let told = |c: &Carrier| c.opaque && declared.effects.iter().any(|rule| rule.effect == Effect::Irreversible);
        let open = carriers(subject, tool).into_iter().filter(|c| !limited(c, tool, row, effective) && !told(c));
        let open: Vec<Carrier> = open.collect();
        let Some(first) = open.first() else { continue };
        let words: Vec<String> = open.iter().map(|c| format!("`{}`", c.path)).collect();
        let message = format!("`{}` may be called with any {}: nothing limits it", declared.name, words.join(", any "));
        let mut found_here = Diagnostic::new(Code::UNLIMITED_RESOURCE, row.span, message);
        for carrier in &open {
            let argument = &declared.arguments[carrier.argument];
            found_here = found_here.also(argument.span, format!("carries a {}", carrier.resource));
        }
        found.push(found_here.help(help(subject, tool, first)));
    }
}

fn help(subject: &Subject<'_>, tool: ToolRef, carrier: &Carrier) -> String {
    let declared = subject.policy.tool(tool);
    let place = declared.places.iter().find(|p| p.argument == carrier.argument && p.steps.starts_with(&carrier.steps));
    match place {
        Some(place) => format!("set the limit `{}`", subject.policy.limit_name(place.limit)),
        None if carrier.opaque => "no set speaks of what is opaque: demand approval, or withhold the tool".to_owned(),
        None => format!("say what is meant: `allow {} {{ {} in {{ … }} }}`", declared.name, carrier.path),
    }
}

/// A place in a tool's arguments that carries a resource.
struct Carrier {
    argument: usize,
    steps: Vec<Step>,
    path: String,
    resource: &'static str,
    opaque: bool,
}

fn limited(carrier: &Carrier, tool: ToolRef, row: &Row, effective: &Effective<'_>) -> bool {
    let touches = |other: &[Step]| other.iter().zip(&carrier.steps).all(|(a, b)| a == b);
    let own = row.clauses.iter().any(|clause| clause.argument == carrier.argument && touches(&clause.steps));
    let asked = || {
        let rows = effective.rows(tool).unwrap_or_default();
        rows.iter().filter(|r| r.span == row.span).all(|r| r.approval)
    };
    own || effective.speaks_of(tool, carrier.argument, &carrier.steps)
        || (carrier.opaque && (row.accepting_opaque || asked()))
}

fn carriers(subject: &Subject<'_>, tool: ToolRef) -> Vec<Carrier> {
    let mut found = Vec::new();
    for (argument, declared) in subject.policy.tool(tool).arguments.iter().enumerate() {
        let member = &declared.member;
        walk(member, &member.ty, &mut |steps, path, resource, opaque| {
            found.push(Carrier { argument, steps: steps.to_vec(), path: path.to_owned(), resource, opaque });
        });
    }
    found
}

/// What is told of a place: the steps to it, its path, what it carries, whether no set can speak of it.
type Tell<'e> = dyn FnMut(&[Step], &str, &'static str, bool) + 'e;

/// A type on the way, the steps to it, the path in words, and the name that it goes by.
type Spot<'t> = (&'t Type, Vec<Step>, String, &'t str);

/// Every place of the member that carries a resource.
fn walk(member: &Member, ty: &Type, each: &mut Tell<'_>) {
    let mut waiting: Vec<Spot<'_>> = vec![(ty, Vec::new(), member.name.to_string(), &member.name)];
    while let Some((ty, steps, path, name)) = waiting.pop() {
        if ty.refinement.is_some() && !matches!(ty.kind, Kind::List(_) | Kind::OneOrList(_) | Kind::Map(_)) {
            continue; // the vocabulary says what it may be
        }
        let step = |step: Step| steps.iter().cloned().chain([step]).collect::<Vec<_>>();
        match &ty.kind {
            Kind::Path { .. } => each(&steps, &path, "path", false),
            Kind::Url { .. } => each(&steps, &path, "url", false),
            Kind::Host | Kind::Ip => each(&steps, &path, "host", false),
            Kind::Argv => each(&steps, &path, "command", false),
            Kind::Text { .. } => by_name(name).into_iter().for_each(|what| each(&steps, &path, what, false)),
            Kind::OpaqueText | Kind::OpaqueJson => {
                by_name(name).into_iter().for_each(|what| each(&steps, &path, what, true))
            }
            Kind::List(element) => waiting.push((element, step(Step::Each), path, name)),
            Kind::OneOrList(element) => waiting.push((element, step(Step::OneOrEach), path, name)),
            Kind::Map(value) => waiting.push((value, step(Step::Values), format!("{path}.values"), name)),
            Kind::Record { members, .. } => waiting.extend(members.iter().rev().map(|member| {
                (&member.ty, step(Step::Field(member.name.clone())), format!("{path}.{}", member.name), &*member.name)
            })),
            Kind::Union(alternatives) => waiting.extend(
                (0_u32..)
                    .zip(alternatives)
                    .map(|(index, alternative)| (alternative, step(Step::Alternative(index)), path.clone(), name)),
            ),
            Kind::Bool | Kind::Enum(_) | Kind::Number(_) | Kind::Email | Kind::Time(_) => {}
        }
    }
}

const COMMANDS: &[&str] = &["command", "commands", "cmd", "shell", "script", "code", "commandline", "cmdline"];
const QUERIES: &[&str] = &["query", "queries", "sql", "statement", "statements", "cypher", "graphql"];

/// What a text of this name carries; its last word tells: `shell_command`, `sqlQuery`.
fn by_name(name: &str) -> Option<&'static str> {
    let spaced: String = name.chars().flat_map(|c| if c.is_uppercase() { vec![' ', c] } else { vec![c] }).collect();
    let lower = spaced.to_lowercase();
    let last = lower.split([' ', '_', '-', '.']).rfind(|word| !word.is_empty())?;
    let among = |list: &[&str]| list.contains(&last);
    match (among(COMMANDS), among(QUERIES)) {
        (true, _) => Some("command"),
        (false, true) => Some("query"),
        (false, false) => None,
    }
}
