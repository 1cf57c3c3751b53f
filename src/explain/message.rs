//! Decision → one or two sentences for people: the constraint, what was given, what is permitted, what to do.

use crate::digest::compact;
use crate::domain::Value;
use crate::eval::{Because, Code, Decision, FallbackPolicy, Handle, Status};
use crate::table::Table;
use crate::table::model::LimitId;

/// What the user may read; `None` where there is nothing to say. An unknown and a hidden tool read the same.
pub fn message(handle: &Handle, decision: &Decision) -> Option<String> {
    let provider = decision.provider.as_ref().map_or("", |p| &p.id);
    match decision.status {
        Status::Ready if decision.fallback == FallbackPolicy::Used => Some(match &decision.announcement {
            Some(announced) => announced.to_string(),
            None => {
                let from = decision.fallback_from.as_deref().unwrap_or("the usual provider");
                format!("`{from}` is not available; using `{provider}` instead.")
            }
        }),
        Status::Ready => None,
        Status::Unsupported => Some(format!("No provider offers `{}`.", tool(decision))),
        Status::MissingRuntimeBinding => {
            Some(format!("`{provider}` offers `{}`, but it is not connected. Connect it first.", tool(decision)))
        }
        Status::ProviderOffline => Some(match &decision.offline_reason {
            Some(reason) => format!("`{provider}` is not available: {reason}."),
            None => format!("`{provider}` is not available."),
        }),
        Status::Malformed | Status::Hidden | Status::PolicyBlocked => {
            let because = decision.because.first()?;
            Some(reason_sentence(handle.table(), decision, because))
        }
    }
}

fn tool(decision: &Decision) -> String {
    format!("{}.{}", decision.connector, decision.tool_name)
}

/// One reason as a sentence.
pub fn reason_sentence(table: &Table, decision: &Decision, because: &Because) -> String {
    let detail = because.detail.as_deref().unwrap_or("");
    match because.code {
        Code::UnknownTool | Code::Hidden => format!("There is no tool `{}`.", tool(decision)),
        Code::NotJson => format!("The arguments are not strict JSON: {detail}."),
        Code::Arguments => malformed(because, detail),
        Code::NoAgent => "Refused: the call has no agent.".to_owned(),
        Code::FactsUnavailable => format!("Refused: {detail}, and the decision depends on it."),
        Code::Mode => format!("Refused by mode: {detail}."),
        Code::Consent => format!("Refused: {detail}. Ask for consent first."),
        Code::Limit | Code::Row | Code::Ambiguous => clause(table, because, detail),
        Code::Incoherent => {
            let given = because.given.as_ref().map_or(String::new(), compact);
            format!("Refused: {} says {given}, which contradicts {detail}.", argument(because))
        }
        Code::Unbound => {
            let limit = because.limit.map_or(String::new(), |limit| table.model().limit_name(limit));
            format!("Refused by `{limit}`: no {} is bound yet. Bind one first.", noun(table, because.limit))
        }
        Code::Unspecified => unspecified(table, because),
        Code::Opaque => {
            let limit = because.limit.map_or(String::new(), |limit| table.model().limit_name(limit));
            format!("Refused by `{limit}`: {} is opaque and can get at what it guards.", argument(because))
        }
        Code::InnerCall => "Refused: the inner call is not permitted.".to_owned(),
        Code::BindingRefused => {
            let limit = because.limit.map_or(String::new(), |limit| table.model().limit_name(limit));
            format!("Refused: what the session binds `{limit}` to is not permitted.")
        }
        Code::RouteMismatch | Code::ProviderDisabled | Code::ProviderExcluded | Code::SchemaConflict | Code::StaleSchema => {
            format!("Refused: {detail}.")
        }
        Code::Approval => "This call needs an approval that has not been given.".to_owned(),
    }
}

fn malformed(because: &Because, detail: &str) -> String {
    match (&because.path, &because.given) {
        (Some(_), Some(given)) => format!("Malformed: {} is {}; {detail}.", argument(because), short(given)),
        (Some(_), None) => format!("Malformed: {}: {detail}.", argument(because)),
        (None, _) => format!("Malformed: {detail}."),
    }
}

/// `Refused by terminal.backends (tmux): "iterm2:1:1:1" names a terminal backend this agent may not use.`
fn clause(table: &Table, because: &Because, detail: &str) -> String {
    let permitted = because.permitted.as_deref().map(unbraced);
    let by = match (because.limit, &permitted) {
        (Some(limit), Some(permitted)) => format!("Refused by `{}` ({permitted}): ", table.model().limit_name(limit)),
        (Some(limit), None) => format!("Refused by `{}`: ", table.model().limit_name(limit)),
        (None, _) => "Refused: ".to_owned(),
    };
    let given = because.given.as_ref().map(short);
    let sentence = match (because.code, given) {
        (Code::Ambiguous, Some(given)) => {
            format!("{} is {given}, which two readers may read differently", argument(because))
        }
        (_, Some(given)) if because.limit.is_some() => {
            format!("{given} names a {} this agent may not use", noun(table, because.limit))
        }
        (_, Some(given)) => format!("{} is {given}", argument(because)),
        (_, None) if detail == "absent" => format!("{} is missing; pass it explicitly", argument(because)),
        (_, None) => format!("{} is left open; pass it explicitly", argument(because)),
    };
    match (because.limit, permitted) {
        (None, Some(permitted)) => format!("{by}{sentence}; permitted is {permitted}."),
        (Some(_), _) | (None, None) => format!("{by}{sentence}."),
    }
}

fn unspecified(table: &Table, because: &Because) -> String {
    let by = because.limit.map(|limit| format!(" by `{}`", table.model().limit_name(limit))).unwrap_or_default();
    let values = because.permitted.as_ref().map(|values| format!(": one of {values}")).unwrap_or_default();
    let wildcard = match &because.given {
        Some(given) => format!(" {} is not available to this agent.", short(given)),
        None => String::new(),
    };
    format!("Refused{by}: pass {} explicitly{values}.{wildcard}", argument(because))
}

/// `/edits/1/path` as people write it: `edits[1].path`.
fn argument(because: &Because) -> String {
    let mut out = String::new();
    for key in because.path.as_deref().unwrap_or("").split('/').skip(1) {
        if key.bytes().all(|b| b.is_ascii_digit()) && !out.is_empty() && !key.is_empty() {
            out.push_str(&format!("[{key}]"));
        } else {
            if !out.is_empty() {
                out.push('.');
            }
            out.push_str(&key.replace("~1", "/").replace("~0", "~"));
        }
    }
    format!("`{out}`")
}

fn noun(table: &Table, limit: Option<LimitId>) -> String {
    let texts = limit.and_then(|limit| table.texts().connectors.get(limit.0)?.limits.get(limit.1)?.noun.clone());
    texts.map_or_else(|| "value".to_owned(), |noun| noun.to_string())
}

/// `{ tmux, kitty }` without its braces. `{ a } except { b }` keeps them: there the last brace does not close the first.
fn unbraced(permitted: &str) -> &str {
    let Some(inner) = permitted.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else { return permitted };
    let (mut quoted, mut escaped, mut open) = (false, false, 0_usize);
    for c in inner.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' if !quoted => open = open.saturating_add(1),
            '}' if !quoted => match open.checked_sub(1) {
                Some(left) => open = left,
                None => return permitted,
            },
            _ => {}
        }
    }
    inner.trim()
}

const LONGEST: usize = 120;

/// A given value, clipped.
fn short(value: &Value) -> String {
    let text = compact(value);
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}
