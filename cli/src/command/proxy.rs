//! `proxy`: a policy between a client on standard input and output and a server that is started here.

use crate::arguments::{Passed, Proxy};
use crate::compiled;
use crate::exit::{CommandError, Exit};
use crate::output::Output;
use crate::proxy::{Arguments, End, Gate, Mode, Pass, Session, Shown, run as stand_between};
use bailiwick::call::Bounds;
use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

/// How deep and how large arguments may be.
const BOUNDS: Bounds = Bounds { depth: 64, size: 16 << 20 };

pub fn run(arguments: &Proxy, output: &Output) -> Result<Exit, CommandError> {
    if arguments.files.iter().any(|path| crate::input::is_stdin(path)) {
        return Err(CommandError::usage("standard input is the client's: the policy must be a file"));
    }
    let Some(compiled) = compiled::from_files(&arguments.files, output)? else { return Ok(Exit::NoAnswer) };
    let connector = compiled.connector(arguments.connector.as_deref())?.name.to_string();
    let Some(handle) = compiled.handle(&arguments.applied, &arguments.bindings, output)? else { return Ok(Exit::NoAnswer) };
    let handle = handle.with_bounds(BOUNDS);
    let facts = compiled::facts(arguments.facts.as_deref())?;
    let shown = Shown::new(&handle, &connector, &facts).map_err(CommandError::usage)?;
    if shown.len() == 0 {
        output.progress(&format!("agent `{}` may call no tool of `{connector}`", handle.agent()));
    }
    let base = std::env::current_dir().and_then(|here| here.canonicalize());
    let base = base.map_err(|source| CommandError::Read { path: ".".into(), source })?;
    let pass =
        Pass { resources: arguments.pass.contains(&Passed::Resources), prompts: arguments.pass.contains(&Passed::Prompts) };
    let how = if arguments.log_arguments { Arguments::Plain } else { Arguments::Digest };
    let log = arguments.log.as_deref().map(open).transpose()?.map(|file| (file, how));
    let session = Session {
        gate: Gate { handle, connector, shown, pass, base },
        facts,
        mode: if arguments.shadow { Mode::Shadow } else { Mode::Enforce },
        log,
        patience: Duration::from_secs(arguments.patience),
    };
    let program = arguments.command.first().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let ended = stand_between(session, &arguments.command)
        .map_err(|error| CommandError::usage(format!("the server `{program}`: {error}")))?;
    Ok(match ended {
        End::Client => Exit::Yes,
        End::Failed => Exit::NoAnswer,
    })
}

fn open(path: &Path) -> Result<std::fs::File, CommandError> {
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened.map_err(|source| CommandError::Write { path: path.to_owned(), source })
}
