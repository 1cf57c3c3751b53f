//! Policies made by hand, so that these tests need no text.

use crate::domain::{
    Atom, Comparison, Decimal, Default, Kind, Lift, Member, NumberKind, Presence, Range, Set, Size, Slot, Step,
};
use crate::domain::{Type, Value, lift};
use crate::policy::*;
use crate::source::{FileId, Span};

pub fn text(s: &str) -> Value {
    Value::Text(s.into())
}

pub fn span(at: usize) -> Span {
    Span::new(FileId(0), at, at + 1)
}

pub fn ty(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

pub fn enumeration(values: &[&str]) -> Type {
    ty(Kind::Enum(values.iter().map(|v| text(v)).collect()))
}

pub fn words() -> Type {
    ty(Kind::Text { by_pattern: false })
}

pub fn decimal() -> Type {
    ty(Kind::Number(NumberKind::Decimal))
}

pub fn int() -> Type {
    ty(Kind::Number(NumberKind::Int))
}

pub fn list(of: Type) -> Type {
    ty(Kind::List(Box::new(of)))
}

pub fn one_of(values: &[&str]) -> Set {
    super::super::binding::one_of(values.iter().map(|v| text(v)))
}

pub fn prefix(s: &str) -> Set {
    Set::Atom(Atom::Prefix(s.into()))
}

pub fn range(low: Option<i64>, high: Option<i64>) -> Set {
    let end = |n: Option<i64>| n.map(|n| (Decimal::from_i64(n), Comparison::Inclusive));
    Set::Atom(Atom::Numbers(Range { low: end(low), high: end(high) }))
}

pub fn each(set: Set, low: u64, high: Option<u64>) -> Set {
    Set::And(vec![Set::Atom(Atom::Each(Box::new(set))), Set::Atom(Atom::Size(Size { low, high }))])
}

pub fn values(set: Set) -> Slot {
    Slot { values: set, null: false, absent: false }
}

pub fn argument(name: &str, ty: Type, presence: Presence) -> Argument {
    Argument { member: Member { name: name.into(), ty, presence, wildcard: false }, doc: None, span: span(0) }
}

pub fn required(name: &str, ty: Type) -> Argument {
    argument(name, ty, Presence::Required)
}

pub fn unspecified(name: &str, ty: Type) -> Argument {
    argument(name, ty, Presence::Defaulted(Default::Unspecified))
}

pub fn tool(name: &str, arguments: Vec<Argument>, places: Vec<(usize, usize)>, couplings: Vec<Coupling>) -> Tool {
    let place = |(argument, limit): (usize, usize)| Place { argument, steps: Vec::new(), limit: limit_ref(limit) };
    Tool {
        name: name.into(),
        doc: None,
        claims: Vec::new(),
        open: false,
        effects: Vec::new(),
        capability: name.into(),
        dispatch: None,
        arguments,
        places: places.into_iter().map(place).collect(),
        couplings,
        channels: Vec::new(),
        span: span(0),
    }
}

pub fn limit_ref(limit: usize) -> LimitRef {
    LimitRef { vocabulary: VocabularyId(0), limit }
}

pub fn limit(name: &str, one: bool, ty: Type, within: Option<Within>) -> Limit {
    Limit { name: name.into(), doc: None, one, ty, noun: None, within, span: span(0) }
}

pub fn vocabulary(name: &str, limits: Vec<Limit>, tools: Vec<Tool>) -> Vocabulary {
    Vocabulary { name: name.into(), doc: None, enums: Vec::new(), limits, capabilities: Vec::new(), tools, span: span(0) }
}

/// A row of tool `tool`: its clauses are demands on whole arguments, lifted as clauses are.
pub fn row(vocabulary: &Vocabulary, tool: usize, at: usize, clauses: Vec<(usize, Slot)>) -> Row {
    let clause = |(place, (argument, said)): (usize, (usize, Slot))| {
        let member = &vocabulary.tools[tool].arguments[argument].member;
        let permitted: Box<str> = super::super::words::render_slot(member, &said).into();
        Clause {
            argument,
            steps: Vec::<Step>::new(),
            path: member.name.clone(),
            slot: lift(member, &[], &said, Lift::Clause),
            permitted,
            span: span(at + 1 + place),
            whole: span(at + 1 + place),
        }
    };
    let clauses = clauses.into_iter().enumerate().map(clause).collect();
    Row {
        tool,
        clauses,
        approval: false,
        accepting_opaque: false,
        sizes_admitting_zero: Vec::new(),
        span: span(at),
        whole: span(at),
    }
}

pub fn setting(vocabulary: &Vocabulary, index: usize, at: usize, value: LimitValue) -> LimitSetting {
    let permitted = match &value {
        LimitValue::Set(slot) => crate::domain::render_set(&vocabulary.limits[index].ty, &slot.values),
        LimitValue::Many => "many".to_owned(),
        LimitValue::Single => "single".to_owned(),
        LimitValue::Bound(value) => crate::domain::compact(value),
    };
    LimitSetting { limit: limit_ref(index), value, permitted: permitted.into(), span: span(at) }
}

pub fn listed(tools: &[usize]) -> Vec<ListedTool> {
    tools.iter().map(|tool| ListedTool { tool: *tool, span: span(300 + tool) }).collect()
}

pub fn spoken(tools: Option<Vec<ListedTool>>, rows: Vec<Row>, limits: Vec<LimitSetting>) -> Use {
    Use { vocabulary: VocabularyId(0), tools, without: Vec::new(), rows, limits, idle_limits: Vec::new(), span: span(0) }
}

pub fn layer(spoken: Use) -> Layer {
    Layer { uses: vec![spoken], without_providers: Vec::new() }
}

pub fn agent(name: &str, layer: Layer) -> Agent {
    Agent { name: name.into(), parent: None, describe: None, welcome: None, skills: Vec::new(), layer, span: span(100) }
}

pub fn overlay(name: &str, base: Base, layer: Layer) -> Overlay {
    Overlay { name: name.into(), base, agent: AgentId(0), describe: None, welcome: None, layer, span: span(200) }
}

/// The vocabulary `terminal` of the language's first example.
pub fn terminal() -> Vocabulary {
    let backends = || enumeration(&["tmux", "kitty", "iterm2"]);
    let names: Vec<Box<str>> = ["tmux", "kitty", "iterm2"].map(Into::into).to_vec();
    let within = Within { limit: limit_ref(0), separator: ":".into(), values: names };
    let limits = vec![limit("backends", false, backends(), None), limit("targets", true, words(), Some(within))];
    let mut listing = unspecified("backend", backends());
    listing.member.wildcard = true;
    let naming = || vec![Coupling { place: 0, named: 1 }];
    let target = || vec![required("target", words()), unspecified("backend", backends())];
    let tools = vec![
        tool("terminal_list_targets", vec![listing], vec![(0, 0)], Vec::new()),
        tool("terminal_capture", target(), vec![(0, 1), (1, 0)], naming()),
        tool("terminal_run_command", target(), vec![(0, 1), (1, 0)], naming()),
    ];
    vocabulary("terminal", limits, tools)
}

/// An agent over `terminal` with all its tools, and one overlay.
pub fn terminals(ceiling: Vec<(usize, LimitValue)>, over: Vec<(usize, LimitValue)>) -> Policy {
    let vocabulary = terminal();
    let settings = |list: Vec<(usize, LimitValue)>, at: usize| -> Vec<LimitSetting> {
        list.into_iter().enumerate().map(|(i, (limit, value))| setting(&vocabulary, limit, at + i, value)).collect()
    };
    let rows = (0..3).map(|tool| row(&vocabulary, tool, 110 + tool, Vec::new())).collect();
    let ceiling = spoken(Some(listed(&[0, 1, 2])), rows, settings(ceiling, 150));
    let over = spoken(None, Vec::new(), settings(over, 250));
    Policy {
        agents: vec![agent("operator", layer(ceiling))],
        overlays: vec![overlay("team", Base::Agent(AgentId(0)), layer(over))],
        vocabularies: vec![vocabulary],
        ..Policy::default()
    }
}

/// `bank.send_money(recipient, amount)`.
pub fn bank() -> Vocabulary {
    let arguments = vec![required("recipient", words()), required("amount", decimal())];
    vocabulary("bank", Vec::new(), vec![tool("send_money", arguments, Vec::new(), Vec::new())])
}

/// Rows of `send_money`: recipients (none: any) and amount.
pub type Money<'a> = (&'a [&'a str], Option<(Option<i64>, Option<i64>)>);

pub fn money(vocabulary: &Vocabulary, at: usize, rows: &[Money<'_>]) -> Vec<Row> {
    let one = |(i, (to, amount)): (usize, &Money<'_>)| {
        let mut clauses = Vec::new();
        if !to.is_empty() {
            clauses.push((0, values(one_of(to))));
        }
        clauses.extend(amount.map(|(low, high)| (1, values(range(low, high)))));
        row(vocabulary, 0, at + 10 * i, clauses)
    };
    rows.iter().enumerate().map(one).collect()
}

pub fn payers(ceiling: &[Money<'_>], over: &[Money<'_>]) -> Policy {
    let vocabulary = bank();
    let (ceiling, over) = (money(&vocabulary, 110, ceiling), money(&vocabulary, 210, over));
    Policy {
        agents: vec![agent("payer", layer(spoken(None, ceiling, Vec::new())))],
        overlays: vec![overlay("team", Base::Agent(AgentId(0)), layer(spoken(None, over, Vec::new())))],
        vocabularies: vec![vocabulary],
        ..Policy::default()
    }
}
