//! `verify`: overlays → whether each narrows, and where not, a call that shows it. Never exits 1: a no is 3.

use crate::arguments::{OnWiden, ResultFormat, Verify};
use crate::compiled;
use crate::exit::{CommandError, Exit};
use crate::input::{self, FileLoader, Given};
use crate::output::Output;
use bailiwick::diag::{Diagnostic, did_you_mean};
use bailiwick::driver::{self, Admission, Built, Options};
use bailiwick::overlay::{self, OverlayVerdict, verdicts_json};
use bailiwick::source::{Sources, Span};
use bailiwick::table::Table;
use std::path::Path;

pub fn run(arguments: &Verify, output: &Output) -> Result<Exit, CommandError> {
    let on_widen = match arguments.on_widen {
        OnWiden::Reject => overlay::OnWiden::Reject,
        OnWiden::Clamp => overlay::OnWiden::Clamp,
    };
    let options = Options { on_widen };
    if let Some(certificate) = &arguments.check_certificate {
        return replayed(arguments, certificate, output);
    }
    match input::read(&arguments.files.files)? {
        Given::Table(path, bytes) => of_table(arguments, &compiled::load(&path, &bytes)?, &options, output),
        Given::Sources(mut inputs, config) => {
            for file in arguments.overlays.iter().filter(|given| compiled::is_overlay_file(given)) {
                let input = input::source(Path::new(file))?;
                if !inputs.iter().any(|known| known.identity == input.identity) {
                    inputs.push(input);
                }
            }
            let watched = |progress: &overlay::Progress| {
                driver::compile_watched(inputs, &mut FileLoader::new(&config), &options, progress)
            };
            let mut built = output.watch(watched);
            built.found = config.shown(built.found);
            let exit = of_built(arguments, &built, &arguments.overlays, &[], output)?;
            certified(arguments, built.table.as_ref(), exit, output)
        }
    }
}

/// The proof that was written down, replayed.
fn replayed(arguments: &Verify, certificate: &Path, output: &Output) -> Result<Exit, CommandError> {
    let bytes = input::bytes(certificate)?;
    let Some(compiled) = compiled::from_files(&arguments.files.files, output)? else { return Ok(Exit::NoAnswer) };
    let wrong = |error| CommandError::Certificate { path: certificate.to_owned(), source: Box::new(error) };
    let verdicts = driver::replay_certificate(&compiled.table, &bytes).map_err(wrong)?;
    let basis = compiled.table.basis().map_err(|error| wrong(error.into()))?;
    answer(arguments, &verdicts.iter().map(|verdict| (verdict, &basis.sources)).collect::<Vec<_>>(), output)
}

/// Writes the certificate that was asked for. Where the answer is no, there is nothing to write.
fn certified(arguments: &Verify, table: Option<&Table>, exit: Exit, output: &Output) -> Result<Exit, CommandError> {
    let Some(path) = &arguments.certificate else { return Ok(exit) };
    let Some(table) = table.filter(|_| exit == Exit::Yes) else {
        output.progress("no certificate is written: not every overlay was shown to narrow");
        return Ok(exit);
    };
    let wrong = |error| CommandError::Certificate { path: path.clone(), source: Box::new(error) };
    let text = driver::certificate(table).map_err(wrong)?;
    std::fs::write(path, text + "\n").map_err(|source| CommandError::Write { path: path.clone(), source })?;
    Ok(exit)
}

/// Overlays of the table, and texts that it might admit.
fn of_table(arguments: &Verify, table: &Table, options: &Options, output: &Output) -> Result<Exit, CommandError> {
    let (files, names): (Vec<&String>, Vec<&String>) =
        arguments.overlays.iter().partition(|given| compiled::is_overlay_file(given));
    let mut admissions = Vec::new();
    let mut grown = table.clone();
    for file in files {
        let admission = compiled::admit(&grown, Path::new(file), options)?;
        output.asides(&admission.found, &admission.sources);
        if admission.verdict.is_none() {
            return Ok(Exit::NoAnswer);
        }
        grown = admission.table().unwrap_or(grown);
        admissions.push(admission);
    }
    if names.is_empty() && !admissions.is_empty() {
        let exit = answer(arguments, &admissions.iter().filter_map(of_admission).collect::<Vec<_>>(), output)?;
        return certified(arguments, Some(&grown), exit, output);
    }
    let built = output.watch(|progress| driver::verify_table(table, options, progress));
    let built = built.map_err(|e| CommandError::usage(format!("the overlays cannot be proved: {e}")))?;
    let names: Vec<String> = names.into_iter().cloned().collect();
    let exit = of_built(arguments, &built, &names, &admissions, output)?;
    certified(arguments, Some(&grown), exit, output)
}

fn of_admission(admission: &Admission) -> Option<(&OverlayVerdict, &Sources)> {
    Some((admission.verdict.as_ref()?, &admission.sources))
}

fn of_built(
    arguments: &Verify,
    built: &Built,
    asked: &[String],
    admissions: &[Admission],
    output: &Output,
) -> Result<Exit, CommandError> {
    let Some(all) = &built.overlays else {
        output.asides(&built.found, &built.sources);
        return Ok(Exit::NoAnswer);
    };
    let asked = select(all, &built.sources, asked)?;
    output.asides(&spoken_of(built, all, &asked), &built.sources);
    let of_built = asked.into_iter().map(|verdict| (verdict, &built.sources));
    answer(arguments, &of_built.chain(admissions.iter().filter_map(of_admission)).collect::<Vec<_>>(), output)
}

fn answer(arguments: &Verify, asked: &[(&OverlayVerdict, &Sources)], output: &Output) -> Result<Exit, CommandError> {
    match arguments.format {
        ResultFormat::Human => output.result(&human(asked, arguments.on_widen))?,
        ResultFormat::Json => output.result(&(verdicts_json(asked) + "\n"))?,
    }
    Ok(exit(asked, arguments.on_widen))
}

fn exit(asked: &[(&OverlayVerdict, &Sources)], on_widen: OnWiden) -> Exit {
    let widens = asked.iter().any(|(o, _)| !o.widens.is_empty());
    let undecided = asked.iter().any(|(o, _)| !o.proved);
    match (widens, undecided, on_widen) {
        (true, _, OnWiden::Reject) => Exit::Widens,
        (_, true, _) => Exit::NoAnswer,
        (true, false, OnWiden::Clamp) | (false, false, _) => Exit::Yes,
    }
}

/// The overlays of these names, and those in these files; all where none is asked for.
fn select<'a>(
    all: &'a [OverlayVerdict],
    sources: &Sources,
    asked: &[String],
) -> Result<Vec<&'a OverlayVerdict>, CommandError> {
    if asked.is_empty() {
        return Ok(all.iter().collect());
    }
    let mut found: Vec<&OverlayVerdict> = Vec::new();
    for given in asked {
        let in_file = |overlay: &&OverlayVerdict| {
            let file = if given == "-" { "<stdin>" } else { given };
            *sources.location(overlay.span).file == *file
        };
        let before = found.len();
        match compiled::is_overlay_file(given) {
            true => found.extend(all.iter().filter(in_file)),
            false => found.extend(all.iter().filter(|overlay| *overlay.name == **given)),
        }
        if found.len() == before {
            let best = did_you_mean(given, all.iter().map(|o| &*o.name));
            let hint = best.map_or_else(String::new, |best| format!("; did you mean `{best}`?"));
            return Err(CommandError::usage(format!("there is no overlay `{given}`{hint}")));
        }
    }
    Ok(found)
}

/// The findings, without those inside overlays that were not asked for.
fn spoken_of(built: &Built, all: &[OverlayVerdict], asked: &[&OverlayVerdict]) -> Vec<Diagnostic> {
    let others: Vec<Span> = all.iter().filter(|o| !asked.iter().any(|a| a.name == o.name)).flat_map(spans).collect();
    built.found.iter().filter(|d| !others.contains(&d.primary.span)).cloned().collect()
}

fn spans(overlay: &OverlayVerdict) -> impl Iterator<Item = Span> {
    let clauses = overlay.widens.iter().map(|w| w.permitted_by.span);
    clauses.chain(overlay.undecided.iter().map(|q| q.span))
}

fn human(asked: &[(&OverlayVerdict, &Sources)], on_widen: OnWiden) -> String {
    let mut text = String::new();
    for (overlay, _) in asked {
        let verdict = match (overlay.holds, overlay.widens.is_empty(), on_widen) {
            (true, _, _) => "narrows",
            (false, false, OnWiden::Reject) => "widens",
            (false, false, OnWiden::Clamp) => "was cut to what its base permits",
            (false, true, _) => "was not proved",
        };
        text.push_str(&format!("{} on {}: {verdict}\n", overlay.name, overlay.on));
    }
    if asked.is_empty() {
        text.push_str("no overlays\n");
    }
    text
}
