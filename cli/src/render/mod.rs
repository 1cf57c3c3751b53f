//! A finding → an excerpt of the source with labels, for people. Spans are snapped and clamped, long lines clipped, control
//! characters made visible, so that nothing in a policy's text can break the picture or the terminal.

mod window;

use ariadne::{Color, Config, Label, Report, ReportKind};
use bailiwick::diag::{Diagnostic, Severity};
use bailiwick::source::{FileId, Sources, Span};
use std::collections::BTreeMap;
use std::ops::Range;
use window::Window;

pub use window::visible;

type Place = (String, Range<usize>);

/// One finding with its excerpts, ended by a newline.
pub fn excerpt(diagnostic: &Diagnostic, sources: &Sources, colored: bool) -> String {
    let windows = windows(diagnostic, sources);
    let place = |span: Span| -> Place {
        match windows.get(&span.file) {
            Some(window) => (window.name.clone(), window.place(span)),
            None => ("<unknown>".to_owned(), 0..0),
        }
    };
    let report = report(diagnostic, &place, colored);
    let texts: Vec<(String, String)> = windows.values().map(|w| (w.name.clone(), w.text.clone())).collect();
    let mut bytes = Vec::new();
    match report.write(ariadne::sources(texts), &mut bytes) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => bailiwick::diag::render::short(std::slice::from_ref(diagnostic), sources),
    }
}

fn report<'a>(diagnostic: &Diagnostic, place: &dyn Fn(Span) -> Place, colored: bool) -> Report<'a, Place> {
    let (kind, color) = match diagnostic.severity {
        Severity::Error => (ReportKind::Error, Color::Red),
        Severity::Warning => (ReportKind::Warning, Color::Yellow),
    };
    let mut report = Report::build(kind, place(diagnostic.primary.span))
        .with_config(Config::default().with_color(colored).with_tab_width(4))
        .with_code(diagnostic.code.id())
        .with_message(visible(&diagnostic.message));
    let labels = std::iter::once((&diagnostic.primary, color, 1));
    for (label, color, priority) in labels.chain(diagnostic.secondary.iter().map(|l| (l, Color::Blue, 0))) {
        let drawn = Label::new(place(label.span)).with_color(color).with_priority(priority);
        // A label without words is not drawn at all.
        let words = if label.text.is_empty() { "here" } else { &label.text };
        report = report.with_label(drawn.with_message(visible(words)));
    }
    for note in &diagnostic.notes {
        report = report.with_note(visible(note));
    }
    for help in helps(diagnostic) {
        report = report.with_help(visible(&help));
    }
    report.finish()
}

/// What to do: the help, then what each fix does, unless the help says it (`did you mean `x`?` and `write `x``).
fn helps(diagnostic: &Diagnostic) -> Vec<String> {
    let mut helps: Vec<String> = diagnostic.help.iter().cloned().collect();
    for fix in &diagnostic.fixes {
        let written =
            fix.title.split_once('`').and_then(|(_, rest)| rest.rsplit_once('`')).map(|(written, _)| format!("`{written}`"));
        let told = written.is_some_and(|written| helps.iter().any(|help| help.contains(&written)));
        if !told {
            helps.push(fix.title.clone());
        }
    }
    helps
}

fn windows(diagnostic: &Diagnostic, sources: &Sources) -> BTreeMap<FileId, Window> {
    let mut spans: BTreeMap<FileId, Vec<Span>> = BTreeMap::new();
    for label in std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary) {
        spans.entry(label.span.file).or_default().push(label.span);
    }
    let window = |(file, spans): (FileId, Vec<Span>)| Some((file, Window::new(sources.get(file)?, &spans)));
    spans.into_iter().filter_map(window).collect()
}

#[cfg(test)]
mod tests;
