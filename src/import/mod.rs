//! What a server offers (`tools/list` of the Model Context Protocol) → the text of a vocabulary, and how the two differ.
//! Must not know decisions.
//!
//! The text checks clean, is in canonical layout, and means what the schemas mean; where the language cannot say that, it
//! admits more and a note says so. Meaning is not guessed: a string stays a `text`, whatever it is called.

mod advice;
mod choice;
mod drift;
mod hull;
mod listing;
mod merge;
mod notes;
mod object;
mod pattern;
mod scalar;
mod schema;
mod tool;
mod write;

pub use drift::{Change, ChangeKind, drift, pinned};
pub use listing::{Hints, Listing, ServerTool, read as read_listing};
pub use notes::{Note, Topic};
pub use tool::Advise;

use crate::call::ReadError;
use crate::check::check;
use crate::diag::Sink;
use crate::source::Sources;
use crate::syntax;
use tool::{Describe, ToolText};

/// The largest vocabulary that the language reads, in bytes.
const MAX_TEXT: usize = 1 << 20;

/// Why there is no vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// The bytes are no strict JSON.
    #[error("not JSON that every reader reads alike: {0}")]
    Json(#[source] ReadError),
    /// There is no list of tools in it.
    #[error("there is no list `tools` in it: what is read is a `tools/list` result, or a capture that holds one")]
    NoTools,
    /// A tool is none.
    #[error("tool {at} of the list: {why}")]
    Tool {
        /// Which, from 0.
        at: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Two tools of one name.
    #[error("two tools are called {0:?}: which one a call means is open")]
    Twice(String),
    /// The connector's name cannot stand in a policy.
    #[error("{0:?} cannot name a connector: letters, digits and `_`, not beginning with a digit")]
    Name(String),
    /// The vocabulary would be larger than the language reads.
    #[error("the vocabulary would have {0} bytes; at most 1,048,576 are read")]
    TooLarge(usize),
    /// The text made does not check.
    #[error("the vocabulary made does not check: {0}")]
    Unchecked(String),
}

/// A vocabulary made from a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The text, in canonical layout.
    pub text: String,
    /// What is to be said about it, in the order of the tools.
    pub notes: Vec<Note>,
}

/// The vocabulary `name` of what the listing offers.
///
/// # Errors
/// [`ImportError`]: the name is none, or the text would be too large.
pub fn vocabulary(listing: &Listing, name: &str, advise: Advise) -> Result<Imported, ImportError> {
    if write::name(name) != name || syntax::format(&format!("vocabulary {name} {{ }}\n")).is_err() {
        return Err(ImportError::Name(name.to_owned()));
    }
    let mut tools: Vec<ToolText> = listing.tools.iter().map(tool::read).collect();
    let made = |tools: &[ToolText]| {
        let mut text = laid_out(&written(listing, name, tools, advise, Describe::All))?;
        if text.len() > MAX_TEXT {
            text = laid_out(&written(listing, name, tools, advise, Describe::Tools))?;
        }
        if text.len() > MAX_TEXT {
            return Err(ImportError::TooLarge(text.len()));
        }
        checked(&text).map(|()| text)
    };
    let text = match made(&tools) {
        Err(ImportError::Unchecked(_)) => {
            tools.iter_mut().for_each(settled);
            made(&tools)?
        }
        other => other?, // made, or for a reason that no tool's type can change
    };
    Ok(Imported { text, notes: tools.into_iter().flat_map(|tool| tool.notes).collect() })
}

fn written(listing: &Listing, name: &str, tools: &[ToolText], advise: Advise, describe: Describe) -> String {
    let mut out = format!("language 1\n\n// The tools/list that this was made from has the digest {}.\n", listing.digest);
    match &listing.server {
        Some(server) => out.push_str(&write::prose(&format!("Tools of the MCP server {server}."), "///")),
        None => out.push_str("/// Tools of an MCP server.\n"),
    }
    out.push_str(&format!("vocabulary {name} {{\n"));
    tools.iter().for_each(|tool| out.push_str(&tool.text(advise, describe)));
    out.push_str("}\n");
    write::shown(&out)
}

/// Arguments whose type the language does not take, for whatever reason, take any value instead.
fn settled(tool: &mut ToolText) {
    let takes = |tool: &ToolText| {
        let text = format!("vocabulary x {{\n{}}}\n", tool.text(Advise::Silent, Describe::Tools));
        checked(&write::shown(&text)).is_ok()
    };
    if takes(tool) {
        return;
    }
    for at in 0..tool.arguments.len() {
        if !takes(&tool.alone(at)) {
            tool.open_up(at);
        }
    }
}

fn laid_out(text: &str) -> Result<String, ImportError> {
    syntax::format(text).map_err(|found| ImportError::Unchecked(first(&found)))
}

fn first(found: &[crate::diag::Diagnostic]) -> String {
    found.first().map_or_else(String::new, |found| found.message.clone())
}

fn checked(text: &str) -> Result<(), ImportError> {
    let mut sources = Sources::default();
    let mut sink = Sink::default();
    let file = sources.add("import", text);
    let parsed = syntax::parse(&sources, file, &mut sink);
    check(&sources, &[parsed], &mut sink);
    match sink.has_errors() {
        true => Err(ImportError::Unchecked(first(&sink.into_sorted()))),
        false => Ok(()),
    }
}
