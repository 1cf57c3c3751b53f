//! `compile`: policies → the table that hosts load. Prints the digest of its meaning.

use crate::arguments::{Compile, ResultFormat};
use crate::compiled;
use crate::exit::{CommandError, Exit};
use crate::output::Output;
use serde_json::json;
use std::fs;

pub fn run(arguments: &Compile, output: &Output) -> Result<Exit, CommandError> {
    let Some(compiled) = compiled::from_files(&arguments.files.files, output)? else { return Ok(Exit::NoAnswer) };
    let bytes = compiled.table.to_bytes().map_err(|e| CommandError::usage(format!("the table cannot be written: {e}")))?;
    let path = &arguments.output;
    if path.as_os_str() == "-" {
        output.bytes(&bytes)?;
        output.progress(compiled.table.digest());
        return Ok(Exit::Yes);
    }
    fs::write(path, &bytes).map_err(|source| CommandError::Write { path: path.clone(), source })?;
    output.result(&match arguments.format {
        ResultFormat::Human => format!("{}\n", compiled.table.digest()),
        ResultFormat::Json => {
            let digest = compiled.table.digest();
            format!(
                "{}\n",
                json!({ "format": 1, "table_digest": digest, "bytes": bytes.len(), "output": path.display().to_string() })
            )
        }
    })?;
    Ok(Exit::Yes)
}
