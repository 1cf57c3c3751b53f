//! The two streams of a session: what the client says is judged and goes on, what the server says goes on byte for byte but
//! for its list of tools.

use super::envelope::{self, INVALID_REQUEST, Line as Messages, Members};
use super::gate::{Gate, Judged, Outcome, error_text, unreadable};
use super::lines::{self, Line};
use super::record::{Arguments, Carried, Record};
use bailiwick::eval::{Contract, Fact, Facts, ProviderFact, ProviderState};
use bailiwick::table::model::ProviderType;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// The longest message of a client, and of a server.
const FROM_CLIENT: usize = 16 << 20;
const FROM_SERVER: usize = 64 << 20;
/// How long a server may take to end once nobody speaks to it.
const FAREWELL: Duration = Duration::from_secs(5);

/// Whether refusals are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They are.
    Enforce,
    /// They are only written down.
    Shadow,
}

/// A session to be.
pub struct Session {
    pub gate: Gate,
    pub facts: Facts,
    pub mode: Mode,
    pub log: Option<(File, Arguments)>,
    /// How long a side may take nothing.
    pub patience: Duration,
}

/// How a session ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// The client was done.
    Client,
    /// Something went wrong; it was reported.
    Failed,
}

/// What both directions share.
struct Shared {
    gate: Gate,
    mode: Mode,
    facts: Mutex<Facts>,
    log: Mutex<Option<(File, Arguments)>>,
    client: Mutex<io::Stdout>,
    /// Identifiers of requests for the list that are not answered yet.
    lists: Mutex<BTreeSet<String>>,
    /// Differences that were told already.
    told: Mutex<BTreeSet<String>>,
    /// Since when a write has not returned, to the client and to the server.
    waiting: [Mutex<Option<Instant>>; 2],
}

const TO_CLIENT: usize = 0;
const TO_SERVER: usize = 1;

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn report(text: &str) {
    eprintln!("bailiwick proxy: {}", crate::render::visible(text));
}

/// Runs the server and stands between it and the client, until one of them ends.
pub fn run(session: Session, command: &[OsString]) -> io::Result<End> {
    let Some((program, arguments)) = command.split_first() else { return Ok(End::Failed) };
    let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else { return Ok(End::Failed) };
    let shared = Arc::new(Shared {
        gate: session.gate,
        mode: session.mode,
        facts: Mutex::new(session.facts),
        log: Mutex::new(session.log),
        client: Mutex::new(io::stdout()),
        lists: Mutex::new(BTreeSet::new()),
        told: Mutex::new(BTreeSet::new()),
        waiting: [Mutex::new(None), Mutex::new(None)],
    });
    // The server runs; what it offers is known once it is listed.
    shared.contracts(Some(Vec::new()));
    let (ended, end) = mpsc::channel();
    let (back, back_ended) = (shared.clone(), ended.clone());
    std::thread::spawn(move || back_ended.send((Side::Server, server(&back, output))).is_ok());
    let forth = shared.clone();
    std::thread::spawn(move || {
        let mut input = input;
        let said = client(&forth, &mut input);
        // That the client is done is told before the server's input is closed, so that the server cannot seem to have ended first.
        let told = ended.send((Side::Client, said)).is_ok();
        drop(input);
        told
    });
    let outcome = watch(&shared, &end, session.patience);
    let failed = farewell(&mut child, &outcome, &end)?;
    Ok(if failed { End::Failed } else { End::Client })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Client,
    Server,
}

type Ended = (Side, io::Result<()>);

/// Waits for the first direction to end, or for a side to take nothing for too long.
fn watch(shared: &Shared, end: &mpsc::Receiver<Ended>, patience: Duration) -> Option<Ended> {
    loop {
        match end.recv_timeout(patience.min(Duration::from_millis(500))) {
            Ok(ended) => return Some(ended),
            Err(mpsc::RecvTimeoutError::Disconnected) => return None,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        for (side, name) in [(TO_CLIENT, "client"), (TO_SERVER, "server")] {
            if held(&shared.waiting[side]).is_some_and(|since| since.elapsed() >= patience) {
                report(&format!("the {name} has taken nothing for {} s: the session ends", patience.as_secs()));
                return None;
            }
        }
    }
}

/// Lets the server end by itself where the client is done, and ends it otherwise; gives whether something went wrong.
fn farewell(child: &mut Child, outcome: &Option<Ended>, end: &mpsc::Receiver<Ended>) -> io::Result<bool> {
    let failed = match outcome {
        Some((Side::Client, Ok(()))) => {
            // Its input is closed: what it still says goes on.
            let rest = end.recv_timeout(FAREWELL);
            if rest.is_err() {
                report("the server did not end when its input did: it is killed");
            }
            false
        }
        Some((side, Err(error))) => {
            let name = if *side == Side::Client { "client" } else { "server" };
            report(&format!("what the {name} said could not be passed on: {error}"));
            true
        }
        Some((Side::Server, Ok(()))) => {
            let since = Instant::now();
            while child.try_wait()?.is_none() && since.elapsed() < FAREWELL {
                std::thread::sleep(Duration::from_millis(5));
            }
            let status = child.try_wait()?.map_or("it closed its output".to_owned(), |status| status.to_string());
            report(&format!("the server ended: {status}"));
            true
        }
        None => true,
    };
    if child.try_wait()?.is_none() {
        child.kill()?;
    }
    child.wait()?;
    Ok(failed)
}

impl Shared {
    /// Writes and flushes, timed.
    fn write(&self, side: usize, to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
        *held(&self.waiting[side]) = Some(Instant::now());
        let written = to.write_all(bytes).and_then(|()| to.flush());
        *held(&self.waiting[side]) = None;
        written
    }

    fn to_client(&self, bytes: &[u8]) -> io::Result<()> {
        let mut client = held(&self.client);
        self.write(TO_CLIENT, &mut *client, bytes)
    }

    fn answer(&self, text: &str) -> io::Result<()> {
        self.to_client(format!("{text}\n").as_bytes())
    }

    fn note(&self, record: Option<&Record>, carried: Carried) -> io::Result<()> {
        let Some(record) = record else { return Ok(()) };
        match &mut *held(&self.log) {
            Some((file, how)) => file.write_all(record.line(*how, carried).as_bytes()),
            None => Ok(()),
        }
    }
}

/// The client's messages, until it ends.
fn client(shared: &Shared, server: &mut ChildStdin) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut line = Vec::new();
    loop {
        match lines::next(&mut reader, &mut line, FROM_CLIENT)? {
            Line::End => return Ok(()),
            Line::Half => {
                report("the client ended inside a message: it was not passed on");
                return Ok(());
            }
            Line::TooLong => {
                let why = format!("a message of more than {FROM_CLIENT} bytes");
                report(&why);
                shared.note(Some(&Record::of_message("", "", &why)), Carried::Not)?;
                shared.answer(&error_text("null", INVALID_REQUEST, &why))?;
            }
            Line::Whole if line.trim_ascii().is_empty() => {}
            Line::Whole => from_client(shared, &line, server)?,
        }
    }
}

fn from_client(shared: &Shared, line: &[u8], server: &mut ChildStdin) -> io::Result<()> {
    let (records, step) = match read(line) {
        Ok(Messages::One(one)) => {
            let judged = shared.judge(one);
            (judged.record.into_iter().collect(), Step::of(judged.outcome))
        }
        Ok(Messages::Batch(all)) => shared.batch(&all),
        Err(why) => (vec![Record::of_message("", "", &why)], Step::Answer(unreadable(&why))),
    };
    let carried = match (&step, shared.mode) {
        (Step::Pass | Step::Instead(_), _) | (_, Mode::Shadow) => Carried::Out,
        (Step::Answer(_) | Step::Nothing, Mode::Enforce) => Carried::Not,
    };
    // Written down before it is carried out: no call without its line.
    records.iter().try_for_each(|record| shared.note(Some(record), carried))?;
    match (step, shared.mode) {
        (Step::Pass, _) | (_, Mode::Shadow) => shared.write(TO_SERVER, server, line),
        (Step::Instead(text), Mode::Enforce) => shared.write(TO_SERVER, server, format!("{text}\n").as_bytes()),
        (Step::Answer(text), Mode::Enforce) => shared.answer(&text),
        (Step::Nothing, Mode::Enforce) => Ok(()),
    }
}

fn read(line: &[u8]) -> Result<Messages<'_>, String> {
    let text = std::str::from_utf8(line).map_err(|_| "not UTF-8".to_owned())?;
    envelope::line(text)
}

/// What becomes of a line.
enum Step {
    Pass,
    Instead(String),
    Answer(String),
    Nothing,
}

impl Step {
    fn of(outcome: Outcome) -> Step {
        match outcome {
            Outcome::Pass => Step::Pass,
            Outcome::Rewritten(text) => Step::Instead(text.trim_end().to_owned()),
            Outcome::Answer(text) => Step::Answer(text),
            Outcome::Dropped => Step::Nothing,
        }
    }
}

impl Shared {
    fn judge(&self, raw: &RawValue) -> Judged {
        let judged = self.gate.judge(raw, &held(&self.facts));
        if let Some(id) = judged.lists.as_ref().filter(|_| self.mode == Mode::Enforce) {
            held(&self.lists).insert(normal(id));
        }
        judged
    }

    /// A batch goes on whole or not at all.
    fn batch(&self, all: &[&RawValue]) -> (Vec<Record>, Step) {
        if all.is_empty() {
            let why = "an empty batch";
            return (vec![Record::of_message("", "", why)], Step::Answer(error_text("null", INVALID_REQUEST, why)));
        }
        let mut judged: Vec<Judged> = all.iter().map(|raw| self.judge(raw)).collect();
        let records = judged.iter_mut().filter_map(|one| one.record.take()).collect();
        if judged.iter().all(|one| matches!(one.outcome, Outcome::Pass)) {
            return (records, Step::Pass);
        }
        if judged.iter().all(|one| matches!(one.outcome, Outcome::Pass | Outcome::Rewritten(_))) {
            let texts: Vec<String> = judged
                .into_iter()
                .zip(all)
                .map(|(one, raw)| if let Outcome::Rewritten(text) = one.outcome { text } else { raw.get().to_owned() })
                .collect();
            return (records, Step::Instead(format!("[{}]", texts.join(","))));
        }
        let mut answers = Vec::new();
        for (one, raw) in judged.into_iter().zip(all) {
            if let Some(id) = one.lists {
                held(&self.lists).remove(&normal(&id));
            }
            match one.outcome {
                Outcome::Answer(text) => answers.push(text),
                Outcome::Pass | Outcome::Rewritten(_) => answers.extend(unanswered(raw)),
                Outcome::Dropped => {}
            }
        }
        let step = if answers.is_empty() { Step::Nothing } else { Step::Answer(format!("[{}]", answers.join(","))) };
        (records, step)
    }
}

/// The answer to a request that did not go on because another of its batch was refused.
fn unanswered(raw: &RawValue) -> Option<String> {
    match envelope::message(raw) {
        Ok(envelope::Message::Request(request)) => {
            let why = "not passed on: another message of its batch was refused";
            Some(error_text(request.id, INVALID_REQUEST, why))
        }
        Ok(envelope::Message::Notification(_) | envelope::Message::Response) | Err(_) => None,
    }
}

/// One spelling of an identifier.
fn normal(id: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(id).unwrap_or_default();
    value.to_string()
}

/// The server's messages, until it ends.
fn server(shared: &Shared, output: ChildStdout) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 16, output);
    let mut line = Vec::new();
    loop {
        match lines::next(&mut reader, &mut line, FROM_SERVER)? {
            Line::End => return Ok(()),
            Line::Half => {
                report("the server ended inside a message: it was not passed on");
                return Ok(());
            }
            Line::TooLong => return Err(io::Error::other(format!("a message of more than {FROM_SERVER} bytes"))),
            Line::Whole => match shared.heard(&line) {
                Some(text) => shared.to_client(text.as_bytes())?,
                None => shared.to_client(&line)?,
            },
        }
    }
}

impl Shared {
    /// What the client gets instead; `None`: the line as it is.
    fn heard(&self, line: &[u8]) -> Option<String> {
        if self.mode == Mode::Shadow {
            return None;
        }
        if find(line, b"list_changed") {
            self.contracts(None);
        }
        if held(&self.lists).is_empty() {
            return None;
        }
        let text = std::str::from_utf8(line).ok()?;
        let instead = match envelope::line(text).ok()? {
            Messages::One(one) => self.list(one)?,
            Messages::Batch(all) => {
                let texts = all.iter().map(|one| self.list(one).unwrap_or_else(|| one.get().to_owned()));
                format!("[{}]", texts.collect::<Vec<_>>().join(","))
            }
        };
        Some(format!("{}\n", instead.trim_end()))
    }

    /// A response to a request for the list, narrowed; `None`: it is none.
    fn list(&self, raw: &RawValue) -> Option<String> {
        let members: Members = serde_json::from_str(raw.get()).ok()?;
        let id = members.get("id").filter(|_| members.get("method").is_none())?.get();
        if !held(&self.lists).remove(&normal(id)) {
            return None;
        }
        match self.gate.shown.narrow(raw.get()) {
            Ok(narrowed) => {
                self.contracts(Some(narrowed.contracts));
                for text in narrowed.drift {
                    if held(&self.told).insert(text.clone()) {
                        report(&format!("drift: {text}"));
                    }
                }
                Some(narrowed.text)
            }
            Err(why) => {
                report(&format!("the server's list of tools cannot be read: {why}"));
                Some(error_text(id, -32_603, "the server's list of tools cannot be read"))
            }
        }
    }

    /// What the server states of its tools, for pins: more of them, or none at all any more.
    fn contracts(&self, more: Option<Vec<(String, String)>>) {
        let handle = &self.gate.handle;
        let Some(deployment) = &handle.table().model().deployment else { return };
        let mut own = deployment.providers.iter().filter(|provider| provider.ty == ProviderType::RequestMcp);
        let (Some(provider), None) = (own.next(), own.next()) else { return };
        let mut facts = held(&self.facts);
        if facts.providers == Fact::Absent {
            facts.providers = Fact::Known(Vec::new());
        }
        let Fact::Known(known) = &mut facts.providers else { return };
        if !known.iter().any(|(name, _)| *name == provider.name) {
            let ready = ProviderFact { state: ProviderState::Ready, reason: None, tools: Vec::new() };
            known.push((provider.name.clone(), ready));
        }
        let Some((_, fact)) = known.iter_mut().find(|(name, _)| *name == provider.name) else { return };
        let Some(more) = more else {
            fact.tools.clear();
            return;
        };
        for (tool, digest) in more {
            let name: Box<str> = format!("{}.{tool}", self.gate.connector).into();
            fact.tools.retain(|(known, _)| *known != name);
            fact.tools.push((name, Contract { native: Some(tool.into()), digest: Some(digest.into()) }));
        }
    }
}

fn find(line: &[u8], word: &[u8]) -> bool {
    line.windows(word.len()).any(|part| part == word)
}
