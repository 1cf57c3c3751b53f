//! `explain`: a code or slug → its page; without one, the list.

use crate::arguments::Explain;
use crate::exit::{CommandError, Exit};
use crate::output::Output;
use bailiwick::diag::{all_codes, did_you_mean, find_code};

pub fn run(arguments: &Explain, output: &Output) -> Result<Exit, CommandError> {
    let Some(name) = &arguments.code else {
        let lines: String = all_codes().map(|c| format!("{}  {:<32}  {}\n", c.id(), c.slug(), c.summary())).collect();
        output.result(&lines)?;
        return Ok(Exit::Yes);
    };
    let Some(code) = find_code(name) else {
        let names = all_codes().flat_map(|c| [c.id(), c.slug()]);
        let hint = did_you_mean(name, names).map_or(String::new(), |best| format!("; did you mean `{best}`?"));
        return Err(CommandError::usage(format!("there is no code `{name}`{hint} (`bailiwick explain` lists them)")));
    };
    output.result(code.page())?;
    Ok(Exit::Yes)
}
