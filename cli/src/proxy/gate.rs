//! One message of the client → forwarded, rewritten, or refused with an answer. The calls are decided; the other methods are a
//! closed list. Does no input or output but to follow paths.

use super::envelope::{
    self, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, Members, Message, PARSE_ERROR, Refused, Request,
};
use super::paths;
use super::record::Record;
use super::surface::Shown;
use bailiwick::digest::compact;
use bailiwick::domain::{Member, Value as Exact};
use bailiwick::eval::{Call, Decision, Fact, Facts, Forwarded, Handle, Obligation, Status};
use bailiwick::explain::{because_json, message as sentence};
use bailiwick::table::model::{Tool, ToolId};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::path::PathBuf;

/// What may pass besides tools.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pass {
    /// `resources/*`
    pub resources: bool,
    /// `prompts/*`
    pub prompts: bool,
}

/// What becomes of a message.
#[derive(Debug)]
pub enum Outcome {
    /// It goes on byte for byte.
    Pass,
    /// This goes on in its place.
    Rewritten(String),
    /// It goes no further; this is the answer.
    Answer(String),
    /// It goes no further, and nobody waits for an answer.
    Dropped,
}

/// A judged message: what becomes of it, what to write down, and the identifier of a request for the list.
#[derive(Debug)]
pub struct Judged {
    pub outcome: Outcome,
    pub record: Option<Record>,
    pub lists: Option<String>,
}

/// Who may call what.
pub struct Gate {
    pub handle: Handle,
    pub connector: String,
    pub shown: Shown,
    pub pass: Pass,
    /// Where relative paths begin.
    pub base: PathBuf,
}

/// Requests that concern the session alone.
const SESSION: [&str; 8] =
    ["initialize", "ping", "logging/setLevel", "tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tools/list"];
/// Notifications that a client may send.
const NOTIFICATIONS: [&str; 5] = [
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/progress",
    "notifications/roots/list_changed",
    "notifications/tasks/status",
];

impl Gate {
    /// Judges one message.
    pub fn judge(&self, raw: &RawValue, facts: &Facts) -> Judged {
        match envelope::message(raw) {
            Err(refused) => refused_message(&refused),
            Ok(Message::Response) => Judged { outcome: Outcome::Pass, record: None, lists: None },
            Ok(Message::Notification(request)) => self.notification(&request),
            Ok(Message::Request(request)) if request.method == "tools/call" => self.call(raw, &request, facts),
            Ok(Message::Request(request)) => self.request(&request),
        }
    }

    fn notification(&self, request: &Request) -> Judged {
        let strict = request.params.map_or(Ok(()), |params| envelope::strict(params.get()));
        if strict.is_ok() && NOTIFICATIONS.contains(&request.method) {
            return Judged { outcome: Outcome::Pass, record: None, lists: None };
        }
        let why = strict.err().unwrap_or_else(|| format!("`{}` is no notification that passes", request.method));
        Judged { outcome: Outcome::Dropped, record: Some(Record::of_message("", request.method, &why)), lists: None }
    }

    fn request(&self, request: &Request) -> Judged {
        if let Err(why) = request.params.map_or(Ok(()), |params| envelope::strict(params.get())) {
            return error(request.id, request.method, INVALID_REQUEST, &why);
        }
        let optional = match request.method.split_once('/') {
            Some(("resources", _)) => self.pass.resources,
            Some(("prompts", _)) => self.pass.prompts,
            Some(("completion", "complete")) => self.pass.resources || self.pass.prompts,
            _ => false,
        };
        if !optional && !SESSION.contains(&request.method) {
            return error(request.id, request.method, METHOD_NOT_FOUND, &format!("Method not found: {}", request.method));
        }
        let lists = (request.method == "tools/list").then(|| request.id.to_owned());
        Judged { outcome: Outcome::Pass, record: None, lists }
    }

    fn call(&self, raw: &RawValue, request: &Request, facts: &Facts) -> Judged {
        let asked = match Asked::read(request.params) {
            Ok(asked) => asked,
            Err(why) => return error(request.id, request.method, INVALID_PARAMS, &why),
        };
        let call = Call { connector: &self.connector, tool: &asked.name, arguments: asked.arguments.as_bytes() };
        let known = self.handle.table().model().find_tool(&self.connector, &asked.name);
        let (mut decision, mut stuck) = (self.handle.decide(&call, facts), None);
        if let (Some(id), Status::Ready) = (known, decision.status) {
            match self.on_this_machine(id, &call, &decision, facts) {
                Ok(Some(again)) => decision = again,
                Ok(None) => {}
                Err(why) => stuck = Some(why),
            }
        }
        if stuck.is_none() && decision.status == Status::Ready && decision.obligations.contains(&Obligation::ResolveBeneath)
        {
            stuck = Some("what a path names on this machine cannot be told".to_owned());
        }
        let outcome = match (&stuck, decision.status) {
            (None, Status::Ready) => forwarded(raw, &asked, &decision),
            (None, _) if known.is_none() || decision.status == Status::Hidden => {
                Outcome::Answer(error_text(request.id, INVALID_PARAMS, &format!("Unknown tool: {}", asked.name)))
            }
            (Some(why), _) => Outcome::Answer(refusal_text(request.id, &stuck_reason(why))),
            (None, _) => Outcome::Answer(refusal_text(request.id, &self.reason(&decision))),
        };
        let said = stuck.or_else(|| sentence(&self.handle, &decision));
        let limit = decision.because.first().and_then(|because| because.limit);
        let limit = limit.map(|limit| self.handle.table().model().limit_name(limit));
        let record = Record::of_call(request.id, (&asked.name, asked.arguments), &decision, limit, said, &outcome);
        Judged { outcome, record: Some(record), lists: None }
    }

    /// The decision once more, with what the paths name; `None`: no path is among the arguments.
    fn on_this_machine(
        &self,
        id: ToolId,
        call: &Call,
        decision: &Decision,
        facts: &Facts,
    ) -> Result<Option<Decision>, String> {
        let (Some(tool), Some(settled)) = (self.handle.table().model().tool(id), &decision.arguments) else {
            return Ok(None);
        };
        let (members, inner, prefix) = self.resolved_in(tool, settled.value());
        let mut found = paths::resolve(&tool.arguments, settled.value(), "", &self.base)?;
        if let Some(inner) = inner {
            found.extend(paths::resolve(members, inner, &prefix, &self.base)?);
        }
        if found.is_empty() {
            return Ok(None);
        }
        let mut facts = facts.clone();
        match &mut facts.resolved_paths {
            Fact::Unavailable(_) => return Ok(None),
            Fact::Known(known) => {
                found.retain(|(pointer, _)| !known.iter().any(|(given, _)| given == pointer));
                known.extend(found);
            }
            Fact::Absent => facts.resolved_paths = Fact::Known(found),
        }
        Ok(Some(self.handle.decide(call, &facts)))
    }

    /// Where a dispatching tool carries another's arguments: those arguments, and the way to them.
    fn resolved_in<'a>(&'a self, tool: &'a Tool, settled: &'a Exact) -> (&'a [Member], Option<&'a Exact>, String) {
        let inside = || {
            let dispatch = tool.dispatch?;
            let member = |index: usize| {
                let name = &tool.arguments.get(index)?.name;
                let Exact::Object(members) = settled else { return None };
                members.iter().find(|(known, _)| known == name).map(|(name, value)| (name, value))
            };
            let (_, Exact::Text(name)) = member(dispatch.name)? else { return None };
            let (key, arguments) = member(dispatch.arguments)?;
            let model = self.handle.table().model();
            let inner = model.tool(model.find_tool(&self.connector, name)?)?;
            Some((&inner.arguments[..], Some(arguments), format!("/{}", key.replace('~', "~0").replace('/', "~1"))))
        };
        inside().unwrap_or((&[], None, String::new()))
    }

    /// The reason as data, without where it stands in the policy.
    fn reason(&self, decision: &Decision) -> Value {
        let because: Vec<Value> = decision
            .because
            .iter()
            .map(|because| {
                let text = compact(&because_json(self.handle.table(), because));
                let mut value: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
                value.as_object_mut().map(|members| members.remove("source"));
                value
            })
            .collect();
        let code = decision.because.first().map(|because| because.code.name());
        json!({ "status": decision.status.name(), "code": code, "message": sentence(&self.handle, decision),
            "because": because, "args_digest": decision.args_digest })
    }
}

fn stuck_reason(why: &str) -> Value {
    json!({ "status": Status::PolicyBlocked.name(), "code": "unresolved-path", "message": why, "because": [], "args_digest": null })
}

/// The parameters of a call.
struct Asked<'a> {
    name: String,
    arguments: &'a str,
    /// Whether `arguments` stands in the message.
    given: Option<&'a RawValue>,
    params: &'a RawValue,
}

impl<'a> Asked<'a> {
    fn read(params: Option<&'a RawValue>) -> Result<Asked<'a>, String> {
        let params = params.ok_or("a call needs `params`")?;
        let members: Members = serde_json::from_str(params.get()).map_err(|e| format!("`params`: {e}"))?;
        if let Some(other) = members.other_than(&["name", "arguments", "_meta", "task"]) {
            return Err(format!("`params` of a call has no member {other:?}"));
        }
        let name = members.get("name").ok_or("`params` has no `name`")?;
        envelope::strict(name.get()).map_err(|why| format!("`name`: {why}"))?;
        let name: String = serde_json::from_str(name.get()).map_err(|_| "`name` is no string".to_owned())?;
        for extra in ["_meta", "task"] {
            if let Some(value) = members.get(extra) {
                envelope::strict(value.get()).map_err(|why| format!("`{extra}`: {why}"))?;
            }
        }
        let given = members.get("arguments");
        Ok(Asked { name, arguments: given.map_or("{}", RawValue::get), given, params })
    }
}

fn forwarded(raw: &RawValue, asked: &Asked, decision: &Decision) -> Outcome {
    let Some(Forwarded::Rewritten(_)) = &decision.arguments else { return Outcome::Pass };
    let Some(settled) = decision.forward(asked.arguments.as_bytes()) else { return Outcome::Pass };
    let message = raw.get();
    Outcome::Rewritten(match asked.given {
        Some(given) => splice(message, given.get(), &settled),
        None => {
            let params = asked.params.get();
            let inside = params.trim_start_matches('{');
            splice(message, params, &format!("{{\"arguments\":{settled},{inside}"))
        }
    })
}

/// The text with `part`, a slice of it, replaced.
pub fn splice(text: &str, part: &str, by: &str) -> String {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let (before, after) = (text.get(..start).unwrap_or(text), text.get(start + part.len()..).unwrap_or(""));
    format!("{before}{by}{after}")
}

fn refused_message(refused: &Refused) -> Judged {
    let id = refused.id.unwrap_or("null");
    let outcome = Outcome::Answer(error_text(id, refused.code, &refused.why));
    Judged { outcome, record: Some(Record::of_message(refused.id.unwrap_or(""), "", &refused.why)), lists: None }
}

fn error(id: &str, method: &str, code: i32, why: &str) -> Judged {
    let record = Record::of_message(id, method, why);
    Judged { outcome: Outcome::Answer(error_text(id, code, why)), record: Some(record), lists: None }
}

/// The protocol's error. `id` as it stands.
pub fn error_text(id: &str, code: i32, message: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{}}}"#, json!({ "code": code, "message": message }))
}

/// What is no JSON is answered so.
pub fn unreadable(why: &str) -> String {
    error_text("null", PARSE_ERROR, why)
}

/// A refusal is a tool's result, so that the model reads why.
fn refusal_text(id: &str, reason: &Value) -> String {
    let text = reason["message"].as_str().unwrap_or("This call is not permitted.");
    let result =
        json!({ "content": [{ "type": "text", "text": text }], "isError": true, "_meta": { "bailiwick/refusal": reason } });
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}
