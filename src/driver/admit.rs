//! A table and the text of one overlay → whether the overlay narrows, and the agent under it. No sources and no IO: what the
//! proof needs is in the table.

use super::passes::Options;
use super::reading::Input;
use crate::check::check_beside;
use crate::diag::render::short;
use crate::diag::{Code, Diagnostic, Sink};
use crate::eval::{Handle, settle};
use crate::overlay::{self, OverlayVerdict, Verified, verdicts_json};
use crate::source::{Sources, Span};
use crate::syntax::parse;
use crate::table::{LoadError, Table, build};
use std::fmt;

/// What came of one text.
#[derive(Debug)]
pub struct Admission {
    /// The sources, the text last; of the others there is only what messages quote.
    pub sources: Sources,
    /// Everything found in the text.
    pub found: Vec<Diagnostic>,
    /// What the proof says; `None`: it was not reached.
    pub verdict: Option<OverlayVerdict>,
    verified: Option<Verified>,
    agent: Box<str>,
}

impl Admission {
    /// The table with the overlay in it: what compiling the text together with the table's sources would give. `None`: the
    /// overlay was not shown to narrow.
    pub fn table(&self) -> Option<Table> {
        self.verified.as_ref().map(|verified| settle(build(verified, &self.sources)))
    }

    /// The name of the agent that the overlay narrows.
    pub fn agent(&self) -> &str {
        &self.agent
    }
}

/// Proves the overlay in `input` against `table`, or cuts it until it narrows.
///
/// # Errors
/// [`LoadError`]: the table does not carry what the proof needs.
pub fn admit(table: &Table, input: &Input, options: &Options) -> Result<Admission, LoadError> {
    let basis = table.basis()?;
    let mut sources = basis.sources.clone();
    let id = sources.add(input.name.as_str(), input.text.as_str());
    let mut sink = Sink::default();
    let file = parse(&sources, id, &mut sink);
    let mut admission = Admission { sources, found: Vec::new(), verdict: None, verified: None, agent: Box::default() };
    if let Some((policy, overlay)) = check_beside(&admission.sources, &basis.policy, &file, &mut sink) {
        let agent = policy.overlays.get(overlay.0).and_then(|it| policy.agents.get(it.agent.0));
        admission.agent = agent.map_or_else(Box::default, |agent| agent.name.clone());
        let (verdict, verified) = overlay::verify_one(policy, overlay, &options.of_proof(), &mut sink);
        admission.verdict = Some(verdict);
        admission.verified = verified.filter(|_| !sink.has_errors());
    }
    admission.found = sink.into_sorted();
    Ok(admission)
}

/// Why an overlay is not admitted: its text is wrong, it widens what it is on, or that could not be decided within the bounds
/// on work.
#[derive(Debug)]
pub struct Widening {
    inner: Box<Inner>,
}

#[derive(Debug)]
struct Inner {
    sources: Sources,
    found: Vec<Diagnostic>,
    verdict: Option<OverlayVerdict>,
}

impl Widening {
    /// Everything found, with spans into the text; secondary spans also lead into the table's own sources.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.inner.found
    }

    /// What resolves the spans: `sources.location(span)` is file, line and column. The text is called `<overlay>`.
    pub fn sources(&self) -> &Sources {
        &self.inner.sources
    }

    /// What the proof says: by clause the witness, who permits and who refuses it, and a repair. `None`: the text is wrong.
    pub fn verdict(&self) -> Option<&OverlayVerdict> {
        self.inner.verdict.as_ref()
    }

    /// What `bailiwick verify --format json` prints; without a verdict there is no overlay in it, and it does not hold.
    pub fn to_json(&self) -> String {
        match &self.inner.verdict {
            Some(verdict) => verdicts_json(&[(verdict, &self.inner.sources)]),
            None => r#"{"format":1,"holds":false,"overlays":[]}"#.to_owned(),
        }
    }
}

impl fmt::Display for Widening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(short(&self.inner.found, &self.inner.sources).trim_end())
    }
}

impl std::error::Error for Widening {}

impl Table {
    /// The agent of the overlay in `text`, with that overlay (and those it is on) in force: what a host calls when a subscriber
    /// saves one. It decides every call as if the text had been compiled together with the table's sources.
    ///
    /// The text holds one overlay, and `let`s if it likes; names of the table may be used without an import. The work is bounded.
    ///
    /// # Errors
    /// [`Widening`]: the text is wrong, the overlay widens, or that could not be decided.
    ///
    /// ```
    /// use bailiwick::driver::{Input, NoImports, Options, compile};
    /// use bailiwick::eval::{Call, Facts, Status};
    /// use bailiwick::table::Table;
    ///
    /// let policy = r#"
    ///     vocabulary bank { tool send_money { mutates; to: text; amount: decimal } }
    ///     agent payer { use bank { allow send_money { amount <= 100 } } }
    /// "#;
    /// let input = Input { name: "bank.bwk".into(), identity: "bank.bwk".into(), text: policy.into() };
    /// let built = compile(vec![input], &mut NoImports, &Options::default());
    /// // The platform ships the bytes; whoever admits overlays has nothing else.
    /// let bytes = built.table.unwrap().to_bytes().unwrap();
    /// let table = Table::load(&bytes).unwrap();
    ///
    /// let saved = "overlay mine on payer { bank { allow send_money { amount <= 20 } } }";
    /// let handle = table.admit_overlay(saved).unwrap();
    /// let call = Call { connector: "bank", tool: "send_money", arguments: br#"{"to":"x","amount":50}"# };
    /// assert_ne!(handle.decide(&call, &Facts::none()).status, Status::Ready);
    ///
    /// let widening = table.admit_overlay(&saved.replace("20", "500")).unwrap_err();
    /// let clause = &widening.verdict().unwrap().widens[0];
    /// assert_eq!(clause.repair.as_deref(), Some("amount <= 100"));
    /// assert_eq!(widening.sources().location(clause.permitted_by.span).column, 58);
    /// assert!(widening.to_json().starts_with(r#"{"format":1,"holds":false,"#));
    /// ```
    pub fn admit_overlay(&self, text: &str) -> Result<Handle, Widening> {
        let input = Input { name: "<overlay>".to_owned(), identity: String::new(), text: text.to_owned() };
        let refused = |sources: Sources, found, verdict| Widening { inner: Box::new(Inner { sources, found, verdict }) };
        let admission = match admit(self, &input, &Options::default()) {
            Ok(admission) => admission,
            Err(error) => {
                let mut sources = Sources::default();
                let file = sources.add(input.name.as_str(), text);
                let message = format!("no overlay can be proved on this table: {error}");
                let found = Diagnostic::new(Code::NOT_PROVED, Span::new(file, 0, 0), message);
                return Err(refused(sources, vec![found], None));
            }
        };
        let (Some(table), Some(verdict)) = (admission.table(), &admission.verdict) else {
            return Err(refused(admission.sources, admission.found, admission.verdict));
        };
        table.handle(&admission.agent, &[&*verdict.name], &[]).map_err(|error| {
            let message = format!("overlay `{}` cannot be applied: {error}", verdict.name);
            let found = Diagnostic::new(Code::NOT_PROVED, verdict.span, message);
            refused(admission.sources.clone(), vec![found], admission.verdict.clone())
        })
    }
}
