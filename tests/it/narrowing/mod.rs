//! The narrowing proof against brute force, on texts: every call of a small world is enumerated and judged by a reading of
//! the language that shares nothing with the compiler. Verdicts, witnesses, their weight and repairs are held to it.
//!
//! `BAILIWICK_CASES=n` asks for n / 400 pairs of base and overlay; without it there are 60.

mod draw;
mod oracle;
mod sets;
mod world;

use bailiwick::check::check;
use bailiwick::diag::Sink;
use bailiwick::domain::compact;
use bailiwick::overlay::{Options, OverlayVerdict, Widening, verify};
use bailiwick::source::Sources;
use bailiwick::syntax::parse;
use draw::{Dice, Layer, Limit, Row, Setting};
use oracle::{Oracle, call_weight};
use std::collections::{BTreeMap, BTreeSet};
use world::{Miss, Point, Tool};

/// One overlay on its base.
struct Pair {
    name: String,
    on: String,
    about: Vec<usize>,
    below: Vec<Layer>,
    over: Layer,
    /// The number of its first line in the text, from 0.
    line: usize,
}

/// A text with several pairs.
struct Batch {
    text: String,
    pairs: Vec<Pair>,
}

fn batch(seed: u64, tools: &[Tool]) -> Batch {
    let dice = &mut Dice::new(seed);
    let (mut text, mut pairs) = (world::TEXT.to_owned(), Vec::new());
    let put = |text: &mut String, head: String, connector: &str, layer: &Layer| {
        text.push_str(&format!("{head} {{ {connector} {{\n"));
        let line = text.lines().count();
        draw::lines(tools, layer).iter().for_each(|said| text.push_str(&format!("    {said}\n")));
        text.push_str("} }\n");
        line
    };
    for agent in 0..12 {
        let mut about = vec![dice.below(tools.len())];
        let other = dice.below(tools.len());
        about.extend((other != about[0] && dice.often(50)).then_some(other));
        let base = draw::agent(dice, tools, &about);
        put(&mut text, format!("agent a{agent}"), "use w", &base);
        let mut below = vec![base];
        let mut on = format!("a{agent}");
        for depth in 0..if dice.often(25) { 2 } else { 1 } {
            let over = draw::overlay(dice, tools, &about, &below.iter().collect::<Vec<_>>());
            let name = format!("o{agent}_{depth}");
            let line = put(&mut text, format!("overlay {name} on {on}"), "w", &over);
            let pair = Pair { name: name.clone(), on, about: about.clone(), below: below.clone(), over: over.clone(), line };
            pairs.push(pair);
            below.push(over);
            on = name;
        }
    }
    Batch { text, pairs }
}

/// What the proof says, by overlay, and the texts it speaks of.
fn proved(text: &str) -> (Vec<OverlayVerdict>, Sources) {
    let mut sources = Sources::default();
    let file = sources.add("policy.bwk", text);
    let mut sink = Sink::default();
    let parsed = parse(&sources, file, &mut sink);
    let policy = check(&sources, &[parsed], &mut sink);
    let policy = policy.filter(|_| !sink.has_errors());
    let policy = policy.unwrap_or_else(|| {
        let errors: Vec<_> = sink.into_sorted().into_iter().filter(|d| d.code.id().starts_with('E')).collect();
        panic!("{errors:#?}\n{text}")
    });
    (verify(policy, &Options::default(), &mut Sink::default()).overlays, sources)
}

/// A clause of the overlay, by its line.
enum Said<'a> {
    Tools,
    Without,
    Limit(Limit, &'a Setting),
    Row(&'a Row),
}

/// In the order of [`draw::lines`].
fn said(layer: &Layer) -> Vec<Said<'_>> {
    let mut said = Vec::new();
    said.extend((!layer.tools.is_empty()).then_some(Said::Tools));
    said.extend((!layer.without.is_empty()).then_some(Said::Without));
    said.extend(layer.limits.iter().map(|(limit, setting)| Said::Limit(*limit, setting)));
    said.extend(layer.rows.iter().map(Said::Row));
    said
}

/// The call that a witness makes.
fn shown(tools: &[Tool], widening: &Widening) -> Option<(usize, Vec<usize>)> {
    let name = widening.tool.as_deref()?;
    let at = tools.iter().position(|tool| tool.name == name).expect("a tool of the world");
    let arguments: serde_json::Value = serde_json::from_str(&compact(&widening.witness)).expect("JSON");
    let point = |argument: &world::Field| match (arguments.get(argument.name), argument.may_miss) {
        (Some(value), _) => Point::Value(value.clone()),
        (None, Miss::Spells(n)) => Point::Value(n.into()),
        (None, Miss::Unspecified) => Point::Unspecified,
        (None, Miss::Optional | Miss::NamesNothing) => Point::Absent,
        (None, Miss::Never | Miss::OrNull) => panic!("{} is missing in {arguments}", argument.name),
    };
    let tool = &tools[at];
    let call = tool.arguments.iter().zip(&tool.points).map(|(argument, points)| {
        let point = point(argument);
        points.iter().position(|p| *p == point).unwrap_or_else(|| panic!("{point:?} is no point of {}", argument.name))
    });
    let call: Vec<usize> = call.collect();
    assert!(tool.calls.contains(&call), "a coherent call: {arguments}");
    Some((at, call))
}

fn check_row(oracle: &Oracle<'_>, row: &Row, widening: Option<&Widening>) {
    let asked = oracle.row(row);
    let lightest = asked.lightest();
    assert_eq!(lightest.is_some(), widening.is_some(), "row {row:?} escapes with weight {lightest:?}; said: {widening:#?}");
    let (Some(lightest), Some(widening)) = (lightest, widening) else { return };
    let (tool, call) = shown(oracle.tools, widening).expect("a row has a tool");
    assert!(asked.escapes(&call), "{widening:#?} shows nothing: {row:?}");
    assert!(!oracle.base_permits(tool, &call), "{widening:#?} is permitted by the base");
    assert!(!asked.whole || oracle.overlay_permits(tool, &call), "{widening:#?} is refused by the overlay");
    assert_eq!(call_weight(&oracle.tools[tool], &call), lightest, "{widening:#?} is not the lightest");
}

fn check_limit(oracle: &Oracle<'_>, limit: Limit, setting: &Setting, widening: Option<&Widening>) {
    let holds = oracle.limit(limit, setting);
    assert_eq!(holds, widening.is_none(), "{limit:?} {setting:?}; said: {widening:#?}");
    let Some((tool, call)) = widening.and_then(|w| shown(oracle.tools, w)) else { return };
    assert!(oracle.overlay_permits(tool, &call), "{widening:#?} is refused by the overlay");
    let blank = *setting == Setting::Many;
    assert!(blank || !oracle.base_permits(tool, &call), "{widening:#?} is permitted by the base");
}

/// Whether the pair holds; every clause is held to the oracle.
fn check_pair(tools: &[Tool], pair: &Pair, verdict: &OverlayVerdict, sources: &Sources) -> bool {
    assert_eq!(&*verdict.on, pair.on.as_str());
    let below: Vec<&Layer> = pair.below.iter().collect();
    let oracle = Oracle::new(tools, &below, &pair.over);
    let line = |w: &Widening| sources.location(w.permitted_by.span).line as usize - 1;
    let undecided: Vec<usize> =
        verdict.undecided.iter().map(|quote| sources.location(quote.span).line as usize - 1).collect();
    for (at, clause) in said(&pair.over).iter().enumerate() {
        if undecided.contains(&(pair.line + at)) {
            continue;
        }
        let widening = verdict.widens.iter().find(|w| line(w) == pair.line + at);
        match clause {
            Said::Tools => {
                let holds = pair.over.tools.iter().all(|tool| oracle.tool(*tool));
                assert_eq!(holds, widening.is_none(), "tools {:?}: {widening:#?}", pair.over.tools);
            }
            Said::Without => assert!(widening.is_none(), "`without` promises nothing"),
            Said::Limit(limit, setting) => check_limit(&oracle, *limit, setting, widening),
            Said::Row(row) => check_row(&oracle, row, widening),
        }
    }
    assert_eq!(verdict.holds, verdict.widens.is_empty() && verdict.proved);
    verdict.holds
}

/// Every repair of an overlay whose base stays as it is, made in the text, proves. How many.
fn check_repairs(batch: &Batch, verdicts: &[OverlayVerdict]) -> usize {
    let held = |name: &str| verdicts.iter().any(|v| &*v.name == name && v.holds) || name.starts_with('a');
    let whole = |v: &&OverlayVerdict| !v.holds && v.proved && held(&v.on) && v.widens.iter().all(|w| w.edit.is_some());
    let repaired: Vec<&OverlayVerdict> = verdicts.iter().filter(whole).collect();
    let mut edits: Vec<_> = repaired.iter().flat_map(|v| &v.widens).filter_map(|w| w.edit.as_ref()).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut text = batch.text.clone();
    edits.iter().for_each(|edit| text.replace_range(edit.span.range(), &edit.replacement));
    let (again, _) = proved(&text);
    for before in &repaired {
        let after = again.iter().find(|v| v.name == before.name).expect("the same overlays");
        assert!(after.holds, "the repair does not prove: {before:#?} {after:#?}\n{text}");
    }
    repaired.len()
}

#[derive(Default)]
struct Counts(BTreeMap<&'static str, usize>);

impl Counts {
    fn pair(&mut self, pair: &Pair, holds: bool) {
        let about = |tools: &[usize]| pair.about.iter().any(|t| tools.contains(t));
        let limits = || pair.below.iter().chain([&pair.over]).flat_map(|layer| &layer.limits);
        let of = |is: fn(&Setting) -> bool| limits().any(|(_, setting)| is(setting));
        let facts = [
            ("pairs", true),
            ("hold", holds),
            ("optional", about(&[0, 1])),
            ("list", about(&[0, 1])),
            ("record", about(&[1])),
            ("null", about(&[1])),
            ("map", about(&[2])),
            ("union", about(&[2])),
            ("coupled", about(&[3])),
            ("overlay on overlay", pair.below.len() > 1),
            ("limit", limits().next().is_some()),
            ("bound limit", of(|s| matches!(s, Setting::Bound(_)))),
            ("unbound limit", of(|s| matches!(s, Setting::Single | Setting::Many))),
        ];
        facts.into_iter().for_each(|(name, holds)| *self.0.entry(name).or_default() += usize::from(holds));
    }

    fn check(&self) {
        assert_eq!(self.0.get("wrong"), None, "the proof and enumeration disagree");
        let pairs = self.0["pairs"];
        let shares: Vec<String> = self.0.iter().map(|(name, n)| format!("{name} {} %", n * 100 / pairs)).collect();
        println!("{pairs} pairs: {}; {} repairs prove", shares.join(", "), self.0["repaired"]);
        assert!(self.0["undecided"] * 100 <= pairs, "hardly any is beyond the bounds");
        // The shares of a few pairs are chance.
        if pairs < 1_000 {
            return;
        }
        for (name, n) in self.0.iter().filter(|(name, _)| !["pairs", "repaired", "undecided"].contains(name)) {
            assert!(n * 100 >= pairs * 10, "too few: {name}");
        }
        assert!((30..=70).contains(&(self.0["hold"] * 100 / pairs)), "a healthy share holds: {shares:?}");
        assert!(self.0["repaired"] * 50 >= pairs, "repairs are tried");
    }
}

/// The texts of a pair alone: the world, what the overlay is on, the overlay.
fn alone(pair: &Pair, tools: &[Tool]) -> String {
    let layers: Vec<&Layer> = pair.below.iter().chain([&pair.over]).collect();
    let said = |layer: &&Layer| draw::lines(tools, layer).join("\n    ");
    format!("{} on {}\n  {}", pair.name, pair.on, layers.iter().map(said).collect::<Vec<_>>().join("\n  under\n    "))
}

fn check_batch(seed: u64, tools: &[Tool], counts: &mut Counts) {
    let batch = batch(seed, tools);
    let (verdicts, sources) = proved(&batch.text);
    assert_eq!(verdicts.len(), batch.pairs.len());
    for pair in &batch.pairs {
        let verdict = verdicts.iter().find(|v| *v.name == *pair.name).expect("every overlay is judged");
        match std::panic::catch_unwind(|| check_pair(tools, pair, verdict, &sources)) {
            Ok(holds) => {
                counts.pair(pair, holds);
                *counts.0.entry("undecided").or_default() += usize::from(!verdict.proved);
            }
            Err(_told) => {
                eprintln!("seed {seed}: {}", alone(pair, tools));
                *counts.0.entry("wrong").or_default() += 1;
            }
        }
    }
    *counts.0.entry("repaired").or_default() += check_repairs(&batch, &verdicts);
}

#[test]
fn the_proof_and_enumeration_agree() {
    let asked: Option<usize> = std::env::var("BAILIWICK_CASES").ok().and_then(|n| n.parse().ok());
    let batches = asked.map_or(60, |n| n / 400).div_ceil(12) as u64;
    let tools = world::tools();
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let mut all = Counts::default();
    std::thread::scope(|scope| {
        let tools = &tools;
        let one = |thread: u64| {
            move || {
                let mut counts = Counts::default();
                (thread..batches).step_by(threads as usize).for_each(|seed| check_batch(seed, tools, &mut counts));
                counts
            }
        };
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(one(thread))).collect();
        for thread in running {
            let counts = thread.join().unwrap_or_else(|failure| std::panic::resume_unwind(failure));
            counts.0.into_iter().for_each(|(name, n)| *all.0.entry(name).or_default() += n);
        }
    });
    all.check();
}

/// Every clause of an overlay has its own line, so lines name clauses.
#[test]
fn a_clause_is_a_line() {
    let tools = world::tools();
    let batch = batch(1, &tools);
    let starts: BTreeSet<usize> = batch.pairs.iter().map(|pair| pair.line).collect();
    assert_eq!(starts.len(), batch.pairs.len());
    let lines: Vec<&str> = batch.text.lines().collect();
    for pair in &batch.pairs {
        assert!(lines[pair.line - 1].starts_with(&format!("overlay {}", pair.name)));
        assert_eq!(lines[pair.line + said(&pair.over).len()], "} }");
    }
}
