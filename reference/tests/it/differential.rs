//! The compiled path against the reference, on generated tuples of policy, overlays, boundary, call and facts.
//!
//! `BAILIWICK_CASES=N` sets how many, `BAILIWICK_SEED=S` where to begin. A disagreement prints the whole case, cut down.

use crate::compile;
use crate::conformance::situation;
use bailiwick::eval::{Call, Facts, Forwarded, Handle, Status};
use bailiwick::table::Table;
use bailiwick_reference::gate::Gate;
use bailiwick_reference::generate::{self, Breadth, Rng, calls, forms};
use bailiwick_reference::{Decision, Json, Question, Situation, admit, decide};
use std::collections::BTreeMap;

/// How many tuples in the ordinary tests.
const CASES: usize = 100_000;
/// From how many tuples on their distribution is judged.
const JUDGED: usize = 10_000;
/// Calls made to one tool of one compiled policy: many, as a world takes far longer to compile than a call to decide.
const CALLS: usize = 80;
/// The same of a tool that the reference finds hidden, once for all its calls: enough for a state that is told without a look at the arguments.
const HIDDEN_CALLS: usize = 14;

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// One tuple.
struct Tuple<'t> {
    connector: &'t str,
    tool: &'t str,
    arguments: Vec<u8>,
    facts: Json,
}

/// Whether the quick path told the call, and where what it told is not what the whole decision says.
fn quickly(handle: &Handle, tuple: &Tuple) -> (bool, Option<String>) {
    let facts = Facts::read(tuple.facts.canonical().as_bytes()).expect("facts are JSON");
    let call = Call { connector: tuple.connector, tool: tuple.tool, arguments: &tuple.arguments };
    let decision = handle.decide(&call, &facts);
    let verdict = handle.verdict(&call, &facts);
    let reading = handle.read(&call);
    let again = handle.verdict_of(&reading, &facts);
    let ready = decision.status == Status::Ready;
    // As it came, byte for byte, or as it is after the change, whatever the bytes around it.
    let read = |bytes: &[u8]| bailiwick_reference::json::read(bytes).map(|json| json.canonical());
    let forwards = |bytes: Option<&[u8]>| match &decision.arguments {
        Some(Forwarded::AsCame(_)) => bytes == Some(&*tuple.arguments),
        Some(Forwarded::Rewritten(value)) => bytes.and_then(read) == Some(Json::from(value).canonical()),
        None => bytes.is_none(),
    };
    let provider = decision.provider.as_ref().filter(|_| ready).map(|p| &*p.id);
    let same = [verdict.status(), again.status()] == [decision.status; 2]
        && forwards(verdict.arguments().as_deref())
        && verdict.provider() == provider
        && verdict.obligations().eq(decision.obligations.iter().copied())
        && again.obligations().eq(decision.obligations.iter().copied());
    let told = || format!("the verdict is {:?}, read before {:?}: {verdict:?}", verdict.status(), again.status());
    (verdict.is_quick(), (!same).then(told))
}

/// What is compared of the compiled path's decision.
fn compiled(table: &Table, handle: &Handle, tuple: &Tuple) -> Decision {
    let facts = Facts::read(tuple.facts.canonical().as_bytes()).expect("facts are JSON");
    let call = Call { connector: tuple.connector, tool: tuple.tool, arguments: &tuple.arguments };
    let decision = handle.decide(&call, &facts);
    let because = decision.because.first();
    let route = decision.provider.as_ref().filter(|p| p.route == bailiwick::eval::Routed::Selected).map(|p| p.ty.route());
    Decision {
        status: decision.status.name(),
        code: because.map(|b| b.code.name()),
        limit: because.and_then(|b| b.limit).map(|l| table.model().limit_name(l)),
        arguments: decision.arguments.as_ref().map(|a| Json::from(a.value())),
        provider_id: decision.provider.as_ref().map(|p| p.id.to_string()),
        route,
        fallback_from: decision.fallback_from.as_ref().map(|p| p.to_string()),
        rewrites: rewrites(&decision),
        obligations: decision.obligations.iter().map(|o| o.name()).filter(|n| *n != "recheck_resolved_address").collect(),
    }
}

/// The changes that the compiled path tells, sorted.
fn rewrites(decision: &bailiwick::eval::Decision) -> Vec<bailiwick_reference::changes::Change> {
    let plain = |value: &bailiwick::domain::Value| Json::from(value).canonical();
    let told = decision.rewrites.iter().map(|r| (r.path.clone(), r.from.as_ref().map(plain), plain(&r.to)));
    let mut told: Vec<_> = told.collect();
    told.sort();
    told
}

fn by_reference(table: &Table, situation: &Situation, hidden: bool, tuple: &Tuple) -> Decision {
    let question = Question {
        connector: tuple.connector,
        tool: tuple.tool,
        arguments: &tuple.arguments,
        facts: &tuple.facts,
        table: table.digest(),
    };
    let read = bailiwick_reference::json::read(&tuple.arguments);
    let found = bailiwick_reference::decide::find(situation, &question);
    match (read, found) {
        (Some(arguments), Some(id)) if !hidden => admit(situation, id, &question, &arguments),
        (Some(_), Some(_)) => Decision { status: "Hidden", code: Some("hidden"), ..Decision::default() },
        (None, _) | (_, None) => decide(situation, &question),
    }
}

/// Equal but for the order of members.
fn agree(a: &Decision, b: &Decision) -> bool {
    let plain = |d: &Decision| Decision { arguments: None, ..d.clone() };
    plain(a) == plain(b) && a.arguments.as_ref().map(Json::canonical) == b.arguments.as_ref().map(Json::canonical)
}

/// What was reached.
#[derive(Default)]
struct Coverage {
    states: BTreeMap<String, usize>,
    codes: BTreeMap<String, usize>,
    forms: forms::Forms,
    tuples: usize,
    quick: usize,
    worlds: usize,
    skipped: BTreeMap<String, usize>,
}

impl Coverage {
    fn count(&mut self, decision: &Decision) {
        *self.states.entry(decision.status.to_owned()).or_default() += 1;
        *self.codes.entry(format!("{} {}", decision.status, decision.code.unwrap_or("-"))).or_default() += 1;
        self.tuples += 1;
    }

    fn add(&mut self, other: Coverage) {
        other.states.into_iter().for_each(|(k, n)| *self.states.entry(k).or_default() += n);
        other.codes.into_iter().for_each(|(k, n)| *self.codes.entry(k).or_default() += n);
        other.skipped.into_iter().for_each(|(k, n)| *self.skipped.entry(k).or_default() += n);
        for (form, (inside, outside)) in other.forms {
            let counts = self.forms.entry(form).or_default();
            *counts = (counts.0 + inside, counts.1 + outside);
        }
        self.tuples += other.tuples;
        self.quick += other.quick;
        self.worlds += other.worlds;
    }

    fn print(&self) {
        println!("{} tuples over {} worlds", self.tuples, self.worlds);
        println!("{:6.2} %  told by the quick path", 100.0 * self.quick as f64 / self.tuples as f64);
        for (state, count) in &self.states {
            println!("{:6.2} %  {state}", 100.0 * *count as f64 / self.tuples as f64);
        }
        println!("inside, outside, by type and form of set:");
        for ((ty, form), (inside, outside)) in &self.forms {
            println!("{inside:8} {outside:8}  {ty}: {form}");
        }
        for (code, count) in &self.codes {
            println!("{:6.2} %  {code}", 100.0 * *count as f64 / self.tuples as f64);
        }
        for (why, count) in &self.skipped {
            println!("{count:6} worlds left out: {why}");
        }
    }
}

fn world(seed: u64, breadth: Breadth, coverage: &mut Coverage, wrong: &mut Vec<String>) {
    let world = generate::world(seed, breadth);
    let (verified, sources) = match compile::verified(&world.text) {
        Ok(found) => found,
        Err(errors) => {
            let why = errors.first().map_or("no policy", |e| e.split(':').next().unwrap_or("?"));
            *coverage.skipped.entry(why.to_owned()).or_default() += 1;
            return;
        }
    };
    let table = bailiwick::table::build::build(&verified, &sources);
    let policy = verified.policy();
    coverage.worlds += 1;
    let mut rng = Rng::new(seed ^ 0x5EED);
    for (agent, overlays) in &world.agents {
        for applied in (0..=overlays.len()).map(|n| &overlays[..n]) {
            let names: Vec<&str> = applied.iter().map(String::as_str).collect();
            let situation = situation(policy, agent, applied);
            let handle = match table.handle(agent, &names, &[]) {
                Ok(handle) => handle,
                Err(error) => {
                    *coverage.skipped.entry(format!("{error}")).or_default() += 1;
                    continue;
                }
            };
            for id in generate::tools(policy) {
                let pool = calls::Pool::new(&mut rng, &situation, id);
                let gate = Gate::bare(&situation, id);
                let hidden = gate.is_hidden();
                for _ in 0..if hidden { HIDDEN_CALLS } else { CALLS } {
                    let call = pool.call(&mut rng);
                    let mut tuple = Tuple {
                        connector: &pool.connector,
                        tool: if rng.chance(1) { "nosuch" } else { &pool.tool },
                        arguments: calls::bytes(&mut rng, &call),
                        facts: calls::facts(&mut rng, &situation, &pool),
                    };
                    let mut expected = by_reference(&table, &situation, hidden, &tuple);
                    if expected.code == Some("approval") && rng.chance(60) {
                        approve(&table, &situation, id, &mut tuple, rng.chance(80));
                        expected = by_reference(&table, &situation, hidden, &tuple);
                    }
                    coverage.count(&expected);
                    forms::count(&gate, &call, &mut coverage.forms);
                    let got = compiled(&table, &handle, &tuple);
                    let (quick, otherwise) = quickly(&handle, &tuple);
                    coverage.quick += usize::from(quick);
                    if let Some(otherwise) = otherwise {
                        let told = report(seed, &world.text, agent, applied, &tuple, &expected, &got);
                        wrong.push(format!("{told}{otherwise}\n"));
                        break;
                    }
                    if !agree(&expected, &got) {
                        let again =
                            |t: &Tuple| !agree(&by_reference(&table, &situation, hidden, t), &compiled(&table, &handle, t));
                        let small = minimal(tuple, &again);
                        let expected = by_reference(&table, &situation, hidden, &small);
                        let got = compiled(&table, &handle, &small);
                        wrong.push(report(seed, &world.text, agent, applied, &small, &expected, &got));
                        break;
                    }
                }
            }
        }
    }
}

/// Adds the approval that a call asks for, or one for another table.
fn approve(table: &Table, situation: &Situation, id: bailiwick::policy::ToolRef, tuple: &mut Tuple, right: bool) {
    let question = Question {
        connector: tuple.connector,
        tool: tuple.tool,
        arguments: &tuple.arguments,
        facts: &tuple.facts,
        table: table.digest(),
    };
    let Some(digest) = bailiwick_reference::decide::digest_to_approve(situation, id, &question) else { return };
    let of = if right { table.digest() } else { "sha256:other" };
    let approval = Json::Obj(vec![("digest".to_owned(), Json::str(digest)), ("table".to_owned(), Json::str(of))]);
    if let Json::Obj(members) = &mut tuple.facts {
        members.retain(|(k, _)| k != "approvals");
        members.push(("approvals".to_owned(), Json::List(vec![approval])));
    }
}

/// The tuple with every fact and argument taken away that the disagreement does not need.
fn minimal<'t>(mut tuple: Tuple<'t>, wrong: &dyn Fn(&Tuple) -> bool) -> Tuple<'t> {
    while let Json::Obj(members) = tuple.facts.clone() {
        let smaller = (0..members.len()).map(|i| {
            let facts = Json::Obj(members.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, m)| m.clone()).collect());
            Tuple { facts, arguments: tuple.arguments.clone(), ..tuple }
        });
        let Some(found) = smaller.into_iter().find(|t| wrong(t)) else { break };
        tuple = found;
    }
    while let Some(Json::Obj(members)) = bailiwick_reference::json::read(&tuple.arguments) {
        let smaller = (0..members.len()).map(|i| {
            let left = Json::Obj(members.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, m)| m.clone()).collect());
            Tuple { arguments: left.canonical().into_bytes(), facts: tuple.facts.clone(), ..tuple }
        });
        let Some(found) = smaller.into_iter().find(|t| wrong(t)) else { break };
        tuple = found;
    }
    tuple
}

fn report(
    seed: u64,
    text: &str,
    agent: &str,
    overlays: &[String],
    tuple: &Tuple,
    expected: &Decision,
    got: &Decision,
) -> String {
    format!(
        "seed {seed}, agent {agent}, overlays {overlays:?}\n{text}\ncall {}.{} {}\nfacts {}\nreference {expected:?}\ncompiled  {got:?}\n",
        tuple.connector,
        tuple.tool,
        String::from_utf8_lossy(&tuple.arguments),
        tuple.facts.canonical(),
    )
}

/// Every other seed, from `seed` on, until there are enough tuples.
fn shard(breadth: Breadth, mut seed: u64, cases: usize) -> (Coverage, Vec<String>) {
    let mut coverage = Coverage::default();
    let mut wrong = Vec::new();
    while coverage.tuples < cases && wrong.len() < 12 {
        world(seed, breadth, &mut coverage, &mut wrong);
        seed += 2;
    }
    (coverage, wrong)
}

/// Four fifths of the tuples over scalars, and a fifth over the whole language, which asks more of each world; two threads.
#[test]
fn every_call_is_decided_as_the_reference_decides() {
    let cases = number("BAILIWICK_CASES", CASES);
    let seed = number("BAILIWICK_SEED", 1) as u64;
    let half = |seed: u64| {
        let (mut coverage, mut wrong) = shard(Breadth::Whole, seed, cases / 10);
        let (scalars, others) = shard(Breadth::Scalars, seed, cases / 10 * 4);
        coverage.add(scalars);
        wrong.extend(others);
        (coverage, wrong)
    };
    let ((mut coverage, mut wrong), (more, others)) = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(seed + 1));
        (half(seed), other.join().expect("the other half ends"))
    });
    coverage.add(more);
    wrong.extend(others);
    coverage.print();
    assert!(wrong.is_empty(), "{} disagreements; the first:\n{}", wrong.len(), wrong.join("\n=====\n"));
    if coverage.tuples < JUDGED {
        return;
    }
    let quick = 100.0 * coverage.quick as f64 / coverage.tuples as f64;
    assert!(quick >= 20.0, "only {quick:.2} % of the tuples are told by the quick path");
    for state in ["Malformed", "Hidden", "PolicyBlocked", "Unsupported", "MissingRuntimeBinding", "ProviderOffline", "Ready"]
    {
        let share = 100.0 * coverage.states.get(state).copied().unwrap_or(0) as f64 / coverage.tuples as f64;
        let least = if state == "Ready" { 25.0 } else { 5.0 };
        assert!(share >= least, "only {share:.2} % of the tuples are {state}");
    }
}
