//! Facts as JSON → what of them is there, what is unavailable (decision.md). A value of another shape is unavailable.

use crate::json::Json;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// ready, degraded, offline or unknown.
    pub state: String,
    /// Why it is degraded or offline.
    pub reason: Option<String>,
    /// What it says of its tools, by `connector.tool`: native identity and digest.
    pub tools: BTreeMap<String, (Option<String>, Option<String>)>,
}

/// The facts of one decision.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Keys that are unavailable.
    pub unavailable: BTreeSet<String>,
    /// The mode.
    pub mode: Option<String>,
    /// Connectors with consent.
    pub consent: Vec<String>,
    /// Digests and tables approved.
    pub approvals: Vec<(String, String)>,
    /// Providers.
    pub providers: BTreeMap<String, Provider>,
    /// Bindings by qualified limit.
    pub bindings: Vec<(String, Json)>,
    /// What stands behind paths, by pointer.
    pub resolved_paths: BTreeMap<String, String>,
    /// Capability → provider.
    pub routes: BTreeMap<String, String>,
}

fn strings(value: &Json) -> Option<BTreeMap<String, String>> {
    let Json::Obj(members) = value else { return None };
    members.iter().map(|(k, v)| v.text().map(|t| (k.clone(), t.to_owned()))).collect()
}

fn approvals(value: &Json) -> Option<Vec<(String, String)>> {
    let Json::List(items) = value else { return None };
    items.iter().map(|i| Some((i.get("digest")?.text()?.to_owned(), i.get("table")?.text()?.to_owned()))).collect()
}

fn provider(value: &Json) -> Provider {
    let state = value.text().or_else(|| value.get("state").and_then(Json::text)).unwrap_or("unknown");
    let known = ["ready", "degraded", "offline", "unknown"].contains(&state);
    let tools = match value.get("tools") {
        Some(Json::Obj(tools)) => {
            let text = |v: &Json, k: &str| v.get(k).and_then(Json::text).map(str::to_owned);
            tools.iter().map(|(k, v)| (k.clone(), (text(v, "native"), text(v, "digest")))).collect()
        }
        _ => BTreeMap::new(), // nothing said
    };
    Provider {
        state: if known { state.to_owned() } else { "unknown".to_owned() },
        reason: value.get("reason").and_then(Json::text).map(str::to_owned),
        tools,
    }
}

/// Reads the facts; what is no object counts as nothing known of anything.
pub fn read(value: &Json) -> Facts {
    let mut facts = Facts::default();
    let Json::Obj(members) = value else {
        facts.unavailable.insert("facts".to_owned());
        return facts;
    };
    for (key, value) in members {
        if take(&mut facts, key, value).is_none() {
            facts.unavailable.insert(key.clone());
        }
    }
    facts
}

fn take(facts: &mut Facts, key: &str, value: &Json) -> Option<()> {
    if value.text() == Some("unavailable") {
        return None;
    }
    match (key, value) {
        ("mode", Json::Str(s)) => facts.mode = Some(s.clone()),
        ("consent", Json::List(items)) => {
            facts.consent = items.iter().map(|i| i.text().map(str::to_owned)).collect::<Option<_>>()?
        }
        ("approvals", v) => facts.approvals = approvals(v)?,
        ("providers", Json::Obj(members)) => {
            facts.providers = members.iter().map(|(k, v)| (k.clone(), provider(v))).collect()
        }
        ("bindings", Json::Obj(members)) => facts.bindings = members.clone(),
        ("resolved_paths", v) => facts.resolved_paths = strings(v)?,
        ("routes", v) => facts.routes = strings(v)?,
        ("on_behalf_of", Json::Str(_)) | ("generation" | "listing_generation", Json::Num(_)) => {}
        _ => return None, // another shape, or a key nobody knows
    }
    Some(())
}
