//! An overlay admitted to a table, whose bytes are all there is, against the same overlay compiled together with the sources:
//! the same verdict, witness and repair, the same errors at the same tokens, and a table of the same meaning.

use bailiwick::diag::{Diagnostic, Severity, Sink};
use bailiwick::driver::{Admission, Built, Input, NoImports, Options, admit, compile};
use bailiwick::overlay::{OnWiden, OverlayVerdict};
use bailiwick::source::{Sources, Span};
use bailiwick::syntax::{ast, parse};
use bailiwick::table::Table;
use bailiwick_reference::generate::{Breadth, world};

fn input(name: &str, text: &str) -> Input {
    Input { name: name.to_owned(), identity: name.to_owned(), text: text.to_owned() }
}

/// The text without overlays and tests, and the overlays.
fn apart(text: &str) -> (String, Vec<String>) {
    let mut sources = Sources::default();
    let id = sources.add("all.bwk", text);
    let file = parse(&sources, id, &mut Sink::default());
    let mut base = text.to_owned();
    let mut overlays = Vec::new();
    for item in file.items.iter().rev() {
        match item {
            ast::Item::Overlay(overlay) => {
                overlays.push(text[overlay.span.range()].to_owned());
                base.replace_range(overlay.span.range(), "");
            }
            ast::Item::Test(test) => base.replace_range(test.span.range(), ""),
            ast::Item::Vocabulary(_)
            | ast::Item::Agent(_)
            | ast::Item::Boundary(_)
            | ast::Item::Let(_)
            | ast::Item::Deployment(_)
            | ast::Item::Skill(_) => {}
        }
    }
    (base, overlays)
}

/// The errors in the overlay's text: code, place, words.
fn errors(found: &[Diagnostic], sources: &Sources) -> Vec<(String, u32, u32, String)> {
    let in_overlay = |d: &&Diagnostic| &*sources.location(d.primary.span).file == "over.bwk";
    let errors = found.iter().filter(|d| d.severity == Severity::Error).filter(in_overlay);
    errors.map(|d| (d.code.id().to_owned(), d.primary.span.start, d.primary.span.end, d.message.clone())).collect()
}

/// What a verdict says, places included.
fn said(verdict: Option<&OverlayVerdict>, sources: &Sources) -> String {
    let at = |span: Span| format!("{:?}", sources.location(span));
    let Some(verdict) = verdict else { return "no verdict".to_owned() };
    let clauses = verdict.widens.iter().map(|w| {
        format!(
            "{}.{:?} {:?} by {} {} not by {} {}, {:?} {:?}",
            w.connector,
            w.tool,
            w.witness,
            w.permitted_by.text,
            at(w.permitted_by.span),
            w.refused_by.text,
            at(w.refused_by.span),
            w.repair,
            w.edit.as_ref().map(|edit| (edit.span.range(), &edit.replacement))
        )
    });
    format!("{} on {} {} {} {:?}", verdict.name, verdict.on, verdict.holds, verdict.proved, clauses.collect::<Vec<_>>())
}

fn check_agrees(base: &str, table: &Table, overlay: &str, options: &Options) -> (Built, Admission) {
    let together = compile(vec![input("base.bwk", base), input("over.bwk", overlay)], &mut NoImports, options);
    let admitted = admit(table, &input("over.bwk", overlay), options).expect("the table has a basis");
    let of_together = together.overlays.as_ref().and_then(|all| all.first());
    assert_eq!(
        said(admitted.verdict.as_ref(), &admitted.sources),
        said(of_together, &together.sources),
        "{base}\n{overlay}"
    );
    assert_eq!(errors(&admitted.found, &admitted.sources), errors(&together.found, &together.sources), "{base}\n{overlay}");
    let digest = |table: Option<Table>| table.map(|table| table.digest().to_owned());
    assert_eq!(digest(admitted.table()), digest(together.table.clone()), "{base}\n{overlay}");
    (together, admitted)
}

/// Slips of the kinds that people make, and words that ask for more.
fn changed(overlay: &str, seed: usize) -> String {
    let words: [(&str, &str); 8] = [
        ("in {", "in any or {"),
        ("<=", ">="),
        (" on ", " onn "),
        ("allow ", "allow nonesuch"),
        ("}", ""),
        ("..", "..9"),
        ("prefix", "suffix"),
        ("{ ", "{ nonesuch "),
    ];
    let (from, to) = words[seed % words.len()];
    overlay.replacen(from, to, 1 + seed % 3)
}

#[test]
fn what_is_admitted_is_what_compiling_together_gives() {
    let asked: usize = std::env::var("BAILIWICK_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let (mut admitted, mut widening, mut wrong) = (0usize, 0usize, 0usize);
    for seed in 0..40 + asked / 1_000 {
        let generated = world(seed as u64, if seed % 3 == 0 { Breadth::Whole } else { Breadth::Scalars });
        let (base, overlays) = apart(&generated.text);
        let built = compile(vec![input("base.bwk", &base)], &mut NoImports, &Options::default());
        let Some(table) = built.table else { continue };
        let bytes = table.to_bytes().expect("not deep");
        let table = Table::load(&bytes).expect("a table");
        for (index, overlay) in overlays.iter().enumerate() {
            for options in [OnWiden::Reject, OnWiden::Clamp].map(|on_widen| Options { on_widen }) {
                check_agrees(&base, &table, overlay, &options);
            }
            let (_, admission) = check_agrees(&base, &table, &changed(overlay, seed + index), &Options::default());
            match (&admission.verdict, admission.table()) {
                (Some(_), Some(table)) => {
                    admitted += 1;
                    table.handle(admission.agent(), &[], &[]).expect("an agent");
                }
                (Some(_), None) => widening += 1,
                (None, _) => wrong += 1,
            }
        }
    }
    assert!(admitted > 5 && widening > 3 && wrong > 5, "{admitted} {widening} {wrong}");
}
