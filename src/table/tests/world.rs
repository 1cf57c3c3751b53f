//! The terminal world by hand, for tests that must not wait for text.

use crate::domain::{Atom, Default, Kind, Member, Presence, Set, Slot, Type, Value};
use crate::policy::{
    Agent, AgentId, Argument, Base, Coupling, Effect, EffectRule, Layer, Limit, LimitRef, LimitSetting, LimitValue,
    ListedTool, Overlay, Place, Policy, Row, Tool, Use, Vocabulary, VocabularyId, Within,
};
use crate::source::{Sources, Span};

/// `terminal.backends`.
pub(crate) const BACKENDS: LimitRef = LimitRef { vocabulary: VocabularyId(0), limit: 0 };
/// `terminal.targets`.
pub(crate) const TARGETS: LimitRef = LimitRef { vocabulary: VocabularyId(0), limit: 1 };

fn ty(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

fn text(value: &str) -> Value {
    Value::Text(value.into())
}

fn backend() -> Type {
    ty(Kind::Enum(vec![text("tmux"), text("kitty"), text("iterm2")]))
}

fn argument(name: &str, ty: Type, presence: Presence) -> Argument {
    Argument { member: Member { name: name.into(), ty, presence, wildcard: false }, doc: None, span: Span::default() }
}

fn tool(name: &str, effect: Effect, arguments: Vec<Argument>) -> Tool {
    let place = |name: &str, limit| {
        let argument = arguments.iter().position(|a| &*a.member.name == name)?;
        Some(Place { argument, steps: Vec::new(), limit })
    };
    let places: Vec<Place> = place("target", TARGETS).into_iter().chain(place("backend", BACKENDS)).collect();
    let couplings = match places.as_slice() {
        [_, backend] => vec![Coupling { place: 0, named: backend.argument }],
        _ => Vec::new(),
    };
    Tool {
        name: name.into(),
        doc: None,
        claims: Vec::new(),
        open: false,
        effects: vec![EffectRule { effect, when: None, claims: Vec::new() }],
        capability: "terminal.observe".into(),
        dispatch: None,
        arguments,
        places,
        couplings,
        channels: Vec::new(),
        span: Span::default(),
    }
}

fn terminal() -> Vocabulary {
    let unspecified = || Presence::Defaulted(Default::Unspecified);
    let mut list = argument("backend", backend(), unspecified());
    list.member.wildcard = true;
    let target = || argument("target", ty(Kind::Text { by_pattern: false }), Presence::Required);
    let values = vec!["tmux".into(), "kitty".into(), "iterm2".into()];
    let limit = |name: &str, one, ty, within| Limit {
        name: name.into(),
        doc: None,
        one,
        ty,
        noun: Some(format!("terminal {}", name.trim_end_matches('s')).into()),
        within,
        span: Span::default(),
    };
    Vocabulary {
        name: "terminal".into(),
        doc: Some("Terminals.".into()),
        enums: Vec::new(),
        limits: vec![
            limit("backends", false, backend(), None),
            limit(
                "targets",
                true,
                ty(Kind::Text { by_pattern: false }),
                Some(Within { limit: BACKENDS, separator: ":".into(), values }),
            ),
        ],
        capabilities: vec!["terminal.observe".into()],
        tools: vec![
            tool("terminal_list_targets", Effect::Reads, vec![list]),
            tool("terminal_capture", Effect::Reads, vec![target(), argument("backend", backend(), unspecified())]),
            tool("terminal_new_target", Effect::Mutates, vec![argument("backend", backend(), unspecified())]),
        ],
        span: Span::default(),
    }
}

/// A limit set.
pub(crate) fn setting(limit: LimitRef, value: LimitValue) -> LimitSetting {
    let permitted = match &value {
        LimitValue::Bound(value) => crate::digest::compact(value),
        LimitValue::Single => "single".into(),
        LimitValue::Many => "many".into(),
        LimitValue::Set(_) => "{ … }".into(),
    };
    LimitSetting { limit, value, permitted: permitted.into(), span: Span::default() }
}

/// `backends = { … }`.
pub(crate) fn backends(values: &[&str]) -> LimitSetting {
    let values = Set::Atom(Atom::OneOf(values.iter().map(|v| text(v)).collect()));
    setting(BACKENDS, LimitValue::Set(Slot { values, null: false, absent: false }))
}

/// `targets = "…"`.
pub(crate) fn bound(value: &str) -> LimitSetting {
    setting(TARGETS, LimitValue::Bound(text(value)))
}

/// An agent `a` with the first two tools and `ceiling`, and an overlay `o` on it with `overlay`.
pub(crate) fn policy(ceiling: Vec<LimitSetting>, overlay: Vec<LimitSetting>) -> (Policy, Sources) {
    let mut sources = Sources::default();
    sources.add("terminal.bwk", "agent a");
    let listed = |tool| ListedTool { tool, span: Span::default() };
    let row = |tool| Row {
        tool,
        clauses: Vec::new(),
        approval: false,
        accepting_opaque: false,
        sizes_admitting_zero: Vec::new(),
        span: Span::default(),
        whole: Span::default(),
    };
    let used = |tools: Option<Vec<ListedTool>>, rows, limits| Use {
        vocabulary: VocabularyId(0),
        tools,
        without: Vec::new(),
        rows,
        limits,
        idle_limits: Vec::new(),
        span: Span::default(),
    };
    let layer = |used| Layer { uses: vec![used], without_providers: Vec::new() };
    let policy = Policy {
        vocabularies: vec![terminal()],
        agents: vec![Agent {
            name: "a".into(),
            parent: None,
            describe: None,
            welcome: None,
            skills: Vec::new(),
            layer: layer(used(Some(vec![listed(0), listed(1)]), vec![row(0), row(1)], ceiling)),
            span: Span::default(),
        }],
        overlays: vec![Overlay {
            name: "o".into(),
            base: Base::Agent(AgentId(0)),
            agent: AgentId(0),
            describe: None,
            welcome: None,
            layer: layer(used(None, Vec::new(), overlay)),
            span: Span::default(),
        }],
        ..Policy::default()
    };
    (policy, sources)
}
