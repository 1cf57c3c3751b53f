//! What a server answers to `tools/list` → the same list without the tools that are hidden, with the schemas of what is
//! permitted. Everything else in it stays byte for byte. Remembers what each tool's contract is, for pins, and how the server
//! differs from the vocabulary.

use super::envelope::Members;
use super::gate::splice;
use bailiwick::digest::compact;
use bailiwick::domain::Value as Exact;
use bailiwick::eval::{Facts, Handle};
use bailiwick::import::{self, Listing};
use bailiwick::surface::Profile;
use bailiwick::table::model::{Connector, ToolId};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The schemas shown, by tool.
pub struct Shown {
    schemas: BTreeMap<String, String>,
    connector: Connector,
}

/// A narrowed answer, and what it tells.
pub struct Narrowed {
    /// The message.
    pub text: String,
    /// Name and digest of each tool on the page.
    pub contracts: Vec<(String, String)>,
    /// How the page differs from the vocabulary, as sentences.
    pub drift: Vec<String>,
}

impl Shown {
    /// The schemas of the tools that are not hidden.
    pub fn new(handle: &Handle, connector: &str, facts: &Facts) -> Result<Shown, String> {
        let model = handle.table().model();
        let index = model.connectors.iter().position(|known| &*known.name == connector).unwrap_or(0);
        let connector = model.connectors.get(index).cloned().ok_or("the policy has no connector")?;
        let mut schemas = BTreeMap::new();
        for (at, tool) in connector.tools.iter().enumerate() {
            let entry = handle.shown(ToolId(index, at), facts, Profile::Mcp).map_err(|e| e.to_string())?;
            let schema = entry.as_ref().and_then(|entry| match entry {
                Exact::Object(members) => members.iter().find(|(name, _)| &**name == "inputSchema").map(|(_, s)| compact(s)),
                _ => None, // an entry is an object
            });
            schemas.extend(schema.map(|schema| (tool.name.to_string(), schema)));
        }
        Ok(Shown { schemas, connector })
    }

    /// How many tools are shown.
    pub fn len(&self) -> usize {
        self.schemas.len()
    }

    /// Narrows one response.
    pub fn narrow(&self, response: &str) -> Result<Narrowed, String> {
        let members: Members = serde_json::from_str(response).map_err(|e| e.to_string())?;
        let mut narrowed = Narrowed { text: response.to_owned(), contracts: Vec::new(), drift: Vec::new() };
        let Some(result) = members.get("result") else { return Ok(narrowed) };
        let result: Members = serde_json::from_str(result.get()).map_err(|e| e.to_string())?;
        let tools = result.get("tools").ok_or("the result has no `tools`")?;
        let list: Vec<&RawValue> = serde_json::from_str(tools.get()).map_err(|e| e.to_string())?;
        let mut kept: Vec<String> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for tool in list {
            let Ok(listing) = import::read_listing(format!("[{}]", tool.get()).as_bytes()) else {
                narrowed.drift.push("the server lists a tool that is none; it is not shown".to_owned());
                continue;
            };
            let Some(read) = listing.tools.first() else { continue };
            let name = read.name.to_string();
            if names.contains(&name) {
                narrowed.drift.push(format!("{name}: the server lists it twice; the first is shown"));
                continue;
            }
            narrowed.contracts.push((name.clone(), read.digest.clone()));
            narrowed.drift.extend(self.differs(&listing, &name));
            if let Some(schema) = self.schemas.get(&name) {
                kept.push(with_schema(tool.get(), schema)?);
            }
            names.push(name);
        }
        narrowed.text = splice(response, tools.get(), &format!("[{}]", kept.join(",")));
        Ok(narrowed)
    }

    fn differs(&self, listing: &Listing, name: &str) -> Vec<String> {
        let tools = self.connector.tools.iter().filter(|tool| &*tool.name == name).cloned().collect();
        let connector = Connector { tools, ..self.connector.clone() };
        import::drift(&connector, listing, None).iter().map(ToString::to_string).collect()
    }
}

fn with_schema(tool: &str, schema: &str) -> Result<String, String> {
    let members: Members = serde_json::from_str(tool).map_err(|e| e.to_string())?;
    let own = members.get("inputSchema").ok_or("a tool has no `inputSchema`")?;
    Ok(splice(tool, own.get(), schema))
}
