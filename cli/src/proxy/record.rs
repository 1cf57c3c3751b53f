//! A judged message → one line of the decision log. Arguments by digest, unless they are asked for.

use super::gate::Outcome;
use bailiwick::call::{self, Bounds};
use bailiwick::digest;
use bailiwick::eval::{Decision, Status};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// What is to be written down.
#[derive(Debug)]
pub struct Record {
    id: String,
    method: String,
    tool: Option<String>,
    status: &'static str,
    code: Option<&'static str>,
    limit: Option<String>,
    message: Option<String>,
    arguments: Option<String>,
    rewritten: bool,
    obligations: Vec<&'static str>,
    permitted: bool,
}

/// How arguments are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// By their digest.
    Digest,
    /// As they came.
    Plain,
}

impl Record {
    /// Something that is no call, and went no further.
    pub fn of_message(id: &str, method: &str, why: &str) -> Record {
        Record {
            id: id.to_owned(),
            method: method.to_owned(),
            tool: None,
            status: Status::Malformed.name(),
            code: None,
            limit: None,
            message: Some(why.to_owned()),
            arguments: None,
            rewritten: false,
            obligations: Vec::new(),
            permitted: false,
        }
    }

    /// A call and what was decided.
    pub fn of_call(
        id: &str,
        (tool, arguments): (&str, &str),
        decision: &Decision,
        limit: Option<String>,
        said: Option<String>,
        outcome: &Outcome,
    ) -> Record {
        Record {
            id: id.to_owned(),
            method: "tools/call".to_owned(),
            tool: Some(tool.to_owned()),
            status: decision.status.name(),
            code: decision.because.first().map(|because| because.code.name()),
            limit,
            message: said,
            arguments: Some(arguments.to_owned()),
            rewritten: matches!(outcome, Outcome::Rewritten(_)),
            obligations: decision.obligations.iter().map(|obligation| obligation.name()).collect(),
            permitted: matches!(outcome, Outcome::Pass | Outcome::Rewritten(_)),
        }
    }

    /// The line. `carried_out`: whether the message went on all the same.
    pub fn line(&self, how: Arguments, carried_out: Carried) -> String {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let id: Value = serde_json::from_str(&self.id).unwrap_or(Value::Null);
        let tree = |text: &str| call::read(text.as_bytes(), Bounds { depth: 64, size: usize::MAX }).ok();
        let digest = self.arguments.as_deref().map(|text| match tree(text) {
            Some(tree) => digest::digest(&tree),
            None => digest::sha256(text.as_bytes()),
        });
        let plain = match how {
            Arguments::Plain => self.arguments.clone(),
            Arguments::Digest => None,
        };
        // A message repeats what was given.
        let message = self.message.as_ref().filter(|_| self.tool.is_none() || how == Arguments::Plain);
        let at = u64::try_from(at).unwrap_or(u64::MAX);
        let carried = carried_out == Carried::Out;
        let document = json!({ "format": 1, "at": at, "id": id, "method": self.method, "tool": self.tool,
            "admission_status": self.status, "code": self.code, "limit": self.limit, "message": message, "permitted": self.permitted,
            "carried_out": carried, "rewritten": self.rewritten, "obligations": self.obligations,
            "arguments_digest": digest, "arguments": plain });
        format!("{document}\n")
    }
}

/// Whether the server got the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// It did.
    Out,
    /// It did not.
    Not,
}
