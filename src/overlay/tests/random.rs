//! Random agents and overlays over a small world, against enumeration of all calls.

use super::super::findings::tool_empty;
use super::super::narrow::{self, ClauseRef, Context, Outcome};
use super::super::repair::{Mended, mend};
use super::super::stack::{Base as Effective, Factor, base_factors};
use super::super::witness;
use super::naive::{Oracle, Universe, key, reached, speaks};
use super::world::*;
use super::{OnWiden, Options, Sink, verify};
use crate::domain::{Decimal, Kind, Lift, Member, Point, Presence, Set, Slot, Step, Value, Work, lift, weight};
use crate::policy::*;

pub struct Dice(pub u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }

    pub(super) fn often(&mut self, of_hundred: usize) -> bool {
        self.below(100) < of_hundred
    }

    fn some<'a>(&mut self, of: &[&'a str]) -> Vec<&'a str> {
        let first = of[self.below(of.len())];
        of.iter().filter(|v| **v == first || self.often(35)).copied().collect()
    }
}

const BACKENDS: &[&str] = &["k", "m"];
const NAMES: &[&str] = &["p", "q", "r"];
const TEXTS: &[&str] =
    &["", "a", "b", "ab", "aa", "k", "k:", "k:a", "k:b", "m:", "m:a", "m:b", "z:a", "k:ab", "m:ab", "k:aa", "m:aa", ":"];

/// Numbers between -5 and 8, lists of up to four.
fn points(member: &Member) -> Vec<Point> {
    let values: Vec<Value> = match &member.ty.kind {
        Kind::Enum(values) => values.clone(),
        Kind::Number(_) => (-5..9).map(|n| Value::Number(Decimal::from_i64(n))).collect(),
        Kind::Text { .. } => TEXTS.iter().map(|t| text(t)).collect(),
        Kind::List(element) => {
            let elements: Vec<Value> = match &element.kind {
                Kind::Enum(values) => values.clone(),
                _records => ["x", "y"].iter().flat_map(|p| ["r", "w"].map(|m| edit(p, m))).collect(),
            };
            let longer = |all: &Vec<Vec<Value>>| -> Vec<Vec<Value>> {
                all.iter()
                    .flat_map(|l| elements.iter().map(move |e| [l.as_slice(), std::slice::from_ref(e)].concat()))
                    .collect()
            };
            let sizes: Vec<Vec<Vec<Value>>> =
                std::iter::successors(Some(vec![Vec::new()]), |all| Some(longer(all))).take(4).collect();
            sizes.concat().into_iter().map(Value::List).collect()
        }
        other => panic!("no points of {other:?}"),
    };
    let mut points: Vec<Point> = values.into_iter().map(Point::Value).collect();
    if member.may_be_absent() {
        points.push(Point::Absent);
    }
    if member.may_be_unspecified() {
        points.push(Point::Unspecified);
    }
    points
}

fn edit(path: &str, mode: &str) -> Value {
    Value::Object(vec![("path".into(), text(path)), ("mode".into(), text(mode))])
}

pub(super) fn world() -> Vocabulary {
    let within =
        Within { limit: limit_ref(0), separator: ":".into(), values: BACKENDS.iter().map(|b| (*b).into()).collect() };
    let limits = vec![
        limit("backends", false, enumeration(BACKENDS), None),
        limit("targets", true, words(), Some(within)),
        limit("names", false, enumeration(NAMES), None),
    ];
    let record = |name: &str, values| Member {
        name: name.into(),
        ty: enumeration(values),
        presence: Presence::Required,
        wildcard: false,
    };
    let edits = list(ty(Kind::Record {
        members: vec![record("path", &["x", "y"]), record("mode", &["r", "w"])],
        rest: crate::domain::Rest::Closed,
    }));
    let naming = |named| vec![Coupling { place: 0, named }];
    let mut send = tool(
        "send",
        vec![argument("amount", int(), Presence::Optional), required("to", list(enumeration(NAMES)))],
        vec![(1, 2)],
        Vec::new(),
    );
    send.places[0].steps = vec![Step::Each];
    let tools = vec![
        send,
        tool(
            "capture",
            vec![unspecified("backend", enumeration(BACKENDS)), required("target", words()), required("n", int())],
            vec![(1, 1), (0, 0)],
            naming(0),
        ),
        tool("listing", vec![unspecified("backend", enumeration(BACKENDS))], vec![(0, 0)], Vec::new()),
        tool("edit", vec![required("edits", edits), required("n", int())], Vec::new(), Vec::new()),
        tool("drive", vec![required("target", words())], vec![(0, 1)], Vec::new()),
    ];
    vocabulary("w", limits, tools)
}

fn combined(dice: &mut Dice, set: &dyn Fn(&mut Dice) -> Set) -> Set {
    let one = |dice: &mut Dice| set(dice);
    match dice.below(10) {
        0 => Set::Or(vec![one(dice), one(dice)]),
        1 => Set::And(vec![one(dice), one(dice)]),
        2 => Set::Not(Box::new(one(dice))),
        _plain => one(dice),
    }
}

fn any_set(dice: &mut Dice, member: &Member) -> Set {
    match &member.ty.kind {
        Kind::Number(_) => combined(dice, &|dice| {
            let low = dice.often(60).then(|| dice.below(6) as i64 - 1);
            range(low, dice.often(60).then(|| dice.below(7) as i64))
        }),
        Kind::Text { .. } => combined(dice, &|dice| match dice.below(4) {
            0 => prefix(["k:", "m:", "a", "k:a"][dice.below(4)]),
            1 => prefix(["k:", ""][dice.below(2)]),
            _literals => one_of(&dice.some(&["a", "k:a", "m:a", "z:a", "b"])),
        }),
        Kind::Enum(values) if values.len() == 2 => one_of(&[BACKENDS[dice.below(2)]]),
        Kind::Enum(_) => one_of(&dice.some(NAMES)),
        Kind::List(element) => {
            let inner = match &element.kind {
                Kind::Enum(_) => one_of(&dice.some(NAMES)),
                _records => edit_set(dice),
            };
            let low = dice.below(3) as u64;
            each(inner, low, dice.often(40).then(|| low + dice.below(2) as u64))
        }
        other => panic!("no sets of {other:?}"),
    }
}

fn field(name: &str, values_of: &[&str]) -> Set {
    Set::Atom(crate::domain::Atom::Field(name.into(), Box::new(values(one_of(values_of)))))
}

fn edit_set(dice: &mut Dice) -> Set {
    let both = |dice: &mut Dice| {
        let mut parts = Vec::new();
        if dice.often(70) {
            parts.push(field("path", &dice.some(&["x", "y"])));
        }
        if dice.often(70) {
            parts.push(field("mode", &dice.some(&["r", "w"])));
        }
        Set::And(parts)
    };
    if dice.often(30) { Set::Or(vec![both(dice), both(dice)]) } else { both(dice) }
}

fn any_row(dice: &mut Dice, world: &Vocabulary, tool: usize, at: usize, often: usize) -> Row {
    let mut clauses = Vec::new();
    for (index, argument) in world.tools[tool].arguments.iter().enumerate() {
        if dice.often(often) {
            let absent = argument.member.may_be_absent() && dice.often(30);
            clauses.push((index, Slot { values: any_set(dice, &argument.member), null: false, absent }));
        }
    }
    let mut made = row(world, tool, at, clauses);
    if tool == 3 && dice.often(50) {
        made.clauses.retain(|c| c.argument != 0);
        for name in ["path", "mode"] {
            if !dice.often(60) {
                continue;
            }
            let member = &world.tools[tool].arguments[0].member;
            let steps = vec![Step::Each, Step::Field(name.into())];
            let options: &[&str] = if name == "path" { &["x", "y"] } else { &["r", "w"] };
            let slot = lift(member, &steps, &values(one_of(&dice.some(options))), Lift::Clause);
            let (permitted, path) = ("{ … }".into(), format!("edits.each.{name}").into());
            made.clauses.push(Clause { argument: 0, steps, path, slot, permitted, span: span(at + 5), whole: span(at + 5) });
        }
    }
    made
}

fn any_limits(dice: &mut Dice, world: &Vocabulary, often: usize, at: usize) -> Vec<LimitSetting> {
    let mut found = Vec::new();
    if dice.often(often) {
        found.push(setting(world, 0, at, LimitValue::Set(values(one_of(&[BACKENDS[dice.below(2)]])))));
    }
    if dice.often(often / 2) {
        let bound = ["a", "k:a", "m:a", "b"][dice.below(4)];
        found.push(setting(world, 1, at + 1, LimitValue::Bound(text(bound))));
    }
    if dice.often(often) {
        let names = dice.some(NAMES);
        if names.len() < NAMES.len() {
            found.push(setting(world, 2, at + 2, LimitValue::Set(values(one_of(&names)))));
        }
    }
    found
}

pub(super) fn any_policy(dice: &mut Dice, world: &Vocabulary) -> Policy {
    let tools = world.tools.len();
    let mut ceiling = Vec::new();
    for tool in 0..tools {
        if dice.often(65) {
            let count = 1 + dice.below(3);
            ceiling.extend((0..count).map(|i| any_row(dice, world, tool, 1_000 + 100 * tool + 10 * i, 60)));
        }
    }
    let mut over = Vec::new();
    for tool in 0..tools {
        if dice.often(40) {
            let count = 1 + dice.below(2);
            over.extend((0..count).map(|i| any_row(dice, world, tool, 2_000 + 100 * tool + 10 * i, 50)));
        }
    }
    let limits = any_limits(dice, world, 35, 3_000);
    let agent_layer = layer(spoken(None, ceiling, limits));
    let mut spoken_over = spoken(None, over, any_limits(dice, world, 30, 4_000));
    if dice.often(20) {
        let first = dice.below(tools);
        spoken_over.tools = Some(listed(&[first, (first + 1) % tools]));
    }
    if dice.often(15) {
        let out = dice.below(tools);
        if !spoken_over.rows.iter().any(|r| r.tool == out) {
            spoken_over.without = listed(&[out]);
        }
    }
    Policy {
        agents: vec![agent("base", agent_layer)],
        overlays: vec![overlay("over", Base::Agent(AgentId(0)), layer(spoken_over))],
        vocabularies: vec![world.clone()],
        ..Policy::default()
    }
}

fn call_weight(call: &[Point]) -> u64 {
    let of = |point: &Point| if let Point::Value(value) = point { weight(value) } else { 0 };
    call.iter().map(of).sum()
}

#[derive(Default, Debug)]
struct Seen {
    rows: usize,
    widening: usize,
    limits: usize,
    wide_limits: usize,
    repaired: usize,
}

fn check_policy(policy: &Policy, universe: &Universe, seen: &mut Seen) {
    let world = &policy.vocabularies[0];
    let oracle = Oracle { vocabulary: world, universe };
    let mut work = Work::new();
    let base = Effective::new(policy, base_factors(policy, OverlayId(0)));
    let cx = Context { policy, overlay: Factor::overlay(&policy.overlays[0]), base: &base };
    let failures = narrow::failures(&cx, &mut work);
    let (agent, over) = (&policy.agents[0].layer, &policy.overlays[0].layer);
    let failed = |at: usize| {
        failures.iter().find(|f| match f.clause {
            ClauseRef::Row(_, row) => row.span.start as usize == at,
            ClauseRef::Limit(setting) => setting.span.start as usize == at,
            ClauseRef::Tool(_, listed) => listed.span.start as usize == at,
        })
    };
    for row in &over.uses[0].rows {
        let calls = &universe.calls[row.tool];
        let permitted: std::collections::HashSet<Vec<String>> =
            calls.iter().filter(|c| oracle.agent(agent, row.tool, c)).map(|c| key(row, c)).collect();
        let words = |c: &Vec<Point>| oracle.row(row, c) && oracle.limits(over, row.tool, c);
        let escapes = || calls.iter().filter(|c| words(c) && !permitted.contains(&key(row, c)));
        let failure = failed(row.span.start as usize);
        seen.rows += 1;
        match failure.map(|f| &f.outcome) {
            None => assert_eq!(escapes().next(), None, "said to narrow: {row:#?}"),
            Some(Outcome::Undecided(stopped)) => panic!("undecided: {stopped:?}"),
            Some(Outcome::Widens(show)) => {
                seen.widening += 1;
                // Where a limit that the row does not mention leaves nothing, the words are taken without it.
                let lightest = escapes().map(|c| call_weight(c)).min();
                let shown = shown_call(world, row.tool, &show.arguments);
                let whole = words(&shown);
                assert!(whole || lightest.is_none(), "the overlay refuses {}", witness::spelled(policy, show));
                assert!(oracle.row(row, &shown));
                assert!(!oracle.agent(agent, row.tool, &shown), "the base permits {}", witness::spelled(policy, show));
                assert!(!permitted.contains(&key(row, &shown)), "{}", witness::spelled(policy, show));
                if let Some(lightest) = lightest {
                    assert!(call_weight(&shown) <= lightest, "a lighter one than {}", witness::spelled(policy, show));
                }
                let mended = mend(&cx, failure.unwrap().clause, &mut work).unwrap();
                if let Mended::Rows(rows) = mended {
                    seen.repaired += 1;
                    check_repair(policy, universe, row, rows);
                }
            }
        }
    }
    for setting in &over.uses[0].limits {
        let LimitValue::Set(slot) = &setting.value else { continue };
        let below = agent.uses[0].limits.iter().find(|s| s.limit == setting.limit);
        let values: &[&str] = if setting.limit.limit == 0 { BACKENDS } else { NAMES };
        let narrows = values.iter().map(|v| text(v)).filter(|v| super::naive::holds(&slot.values, v)).all(|v| match below {
            Some(LimitSetting { value: LimitValue::Set(declared), .. }) => super::naive::holds(&declared.values, &v),
            _undeclared => reached(&oracle, agent, setting.limit.limit, &v),
        });
        let narrows = narrows || below.is_none() && !speaks(&oracle, agent, setting.limit.limit);
        seen.limits += 1;
        seen.wide_limits += usize::from(!narrows);
        assert_eq!(failed(setting.span.start as usize).is_none(), narrows, "{setting:?}");
    }
    check_clamp(policy, &oracle);
}

/// The call that a witness's arguments make.
fn shown_call(world: &Vocabulary, tool: usize, arguments: &Value) -> Vec<Point> {
    let Value::Object(members) = arguments else { panic!("arguments are an object") };
    world.tools[tool]
        .arguments
        .iter()
        .map(|a| match members.iter().find(|(name, _)| *name == a.member.name) {
            Some((_, value)) => Point::Value(value.clone()),
            None if a.member.may_be_unspecified() => Point::Unspecified,
            None => Point::Absent,
        })
        .collect()
}

/// A repair proves, lies in the row, and keeps every call that row and base share.
fn check_repair(policy: &Policy, universe: &Universe, row: &Row, rows: Vec<Row>) {
    let oracle = Oracle { vocabulary: &policy.vocabularies[0], universe };
    for call in &universe.calls[row.tool] {
        let repaired = rows.iter().any(|r| oracle.row(r, call));
        assert!(!repaired || oracle.row(row, call), "the repair lies in the row");
        let over = &policy.overlays[0].layer;
        if oracle.row(row, call)
            && oracle.limits(over, row.tool, call)
            && oracle.agent(&policy.agents[0].layer, row.tool, call)
        {
            assert!(repaired, "the repair keeps what both permit: {call:?} in {rows:#?}");
        }
    }
    let mut mended = policy.clone();
    let spoken = &mut mended.overlays[0].layer.uses[0];
    spoken.tools = None;
    spoken.rows = rows;
    let base = Effective::new(&mended, base_factors(&mended, OverlayId(0)));
    let cx = Context { policy: &mended, overlay: Factor::overlay(&mended.overlays[0]), base: &base };
    assert!(narrow::rows(&cx, &mut Work::new()).is_empty(), "the repair of {row:#?} proves");
}

fn check_clamp(policy: &Policy, oracle: &Oracle<'_>) {
    let options = Options { on_widen: OnWiden::Clamp };
    let clamped = verify(policy.clone(), &options, &mut Sink::default()).verified.expect("clamp verifies");
    let again = verify(clamped.policy().as_ref().clone(), &Options::default(), &mut Sink::default());
    assert!(again.verified.is_some(), "clamp proves: {:#?} leaves {:#?}", policy.overlays, clamped.policy().overlays);
    let cut = &clamped.policy().overlays[0].layer;
    let agent = &policy.agents[0].layer;
    let factor = Factor::overlay(&clamped.policy().overlays[0]);
    // The effective policy is a meet, so it is never wider; what the proof's own stack says agrees with enumeration.
    let base = Effective::new(clamped.policy(), vec![base_factors(policy, OverlayId(0))[0], factor]);
    for tool in 0..oracle.vocabulary.tools.len() {
        let tool_ref = ToolRef { vocabulary: VocabularyId(0), tool };
        let some = oracle.universe.calls[tool].iter().any(|c| oracle.agent(agent, tool, c) && oracle.overlay(cut, tool, c));
        let rows = base.rows(tool_ref).unwrap();
        assert!(!some || !rows.is_empty(), "a tool with calls has rows");
        let empty = tool_empty(clamped.policy(), &base.factors, tool_ref, &base.in_force, &mut Work::new()).unwrap();
        assert_eq!(rows.is_empty(), empty, "factors and their expansion agree");
    }
    let own = Policy { overlays: vec![overlay("own", Base::Agent(AgentId(0)), own_text(policy, oracle))], ..policy.clone() };
    let found = verify(own, &Options::default(), &mut Sink::default());
    assert!(found.verified.is_some(), "a policy's own text passes: {:#?} {:#?}", found.overlays, policy.agents);
}

/// The agent's layer without the rows that its own limits leave nothing of (they promise what nobody gets).
fn own_text(policy: &Policy, oracle: &Oracle<'_>) -> Layer {
    let mut own = policy.agents[0].layer.clone();
    let layer = policy.agents[0].layer.clone();
    own.uses[0].rows.retain(|row| {
        oracle.universe.calls[row.tool].iter().any(|c| oracle.row(row, c) && oracle.limits(&layer, row.tool, c))
    });
    own
}

/// Cases in the ordinary run; more in the proportion in which `BAILIWICK_CASES` exceeds 100,000.
pub(super) fn cases(ordinary: usize) -> usize {
    let asked: usize = std::env::var("BAILIWICK_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    ordinary * asked.max(100_000) / 100_000
}

#[test]
fn verdicts_witnesses_repairs_and_clamp_agree_with_enumeration() {
    let world = world();
    let universe = Universe::new(&world, points);
    let mut seen = Seen::default();
    for seed in 0..cases(60) {
        let mut dice = Dice(seed as u64 * 7_919 + 13);
        let policy = any_policy(&mut dice, &world);
        check_policy(&policy, &universe, &mut seen);
    }
    assert!(seen.widening * 5 > seen.rows && seen.widening * 5 < seen.rows * 4, "{seen:?}");
    assert!(seen.repaired * 20 > seen.rows && seen.wide_limits * 10 > seen.limits, "{seen:?}");
}
