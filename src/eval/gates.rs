//! Facts → what stands in the way whatever the arguments: unavailable facts, mode, consent, approval. Each gate is asked
//! alone; their order is [`super::admit`]'s.

use super::decision::{Because, Code};
use super::facts::{Fact, Facts, Unavailable};
use super::judge::test;
use super::plan::Plan;
use crate::domain::{Membership, Point};
use crate::table::model::{Deployment, Effect, Model};

/// The effects in force for settled arguments.
pub(crate) fn effects(plan: &Plan, points: &[Point]) -> Vec<Effect> {
    let mut effects: Vec<Effect> = Vec::new();
    for rule in &plan.effects {
        let membership = rule.when.as_ref().map_or(Membership::In, |(argument, slot)| test(points, *argument, slot));
        // What cannot be told counts as the worse.
        let holds = match membership {
            Membership::In => true,
            Membership::Out => false,
            Membership::Ambiguous => rule.effect != Effect::Reads,
        };
        if holds {
            effects.push(rule.effect);
        }
    }
    let only_reads = effects.contains(&Effect::Reads) && !effects.contains(&Effect::Irreversible);
    if !only_reads {
        effects.push(Effect::Mutates);
    }
    effects.sort_unstable();
    effects.dedup();
    effects
}

/// What an unavailable fact refuses.
pub(crate) struct Depends<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) effects: &'a [Effect],
    /// Whether a governed path is among the arguments.
    pub(crate) has_path: bool,
    /// Whether facts about providers and routes matter.
    pub(crate) routed: bool,
}

/// The facts that the call depends on and that could not be had.
pub(crate) fn unavailable(model: &Model, facts: &Facts, depends: &Depends<'_>) -> Vec<Because> {
    let consented = requires_consent(model, depends.effects).is_some();
    let mut missing = Vec::new();
    let mut ask = |depends: bool, key: &str, why: Option<Unavailable>| {
        if let (true, Some(why)) = (depends, why) {
            missing.push(because(key, why));
        }
    };
    ask(depends.routed, "providers", why(&facts.providers));
    ask(true, "mode", why(&facts.mode));
    ask(true, "overlays", why(&facts.overlays));
    ask(true, "generation", why(&facts.generation));
    ask(depends.routed, "routes", why(&facts.routes));
    for key in &facts.unknown {
        missing.push(unknown(key));
    }
    let mut ask = |depends: bool, key: &str, why: Option<Unavailable>| {
        if let (true, Some(why)) = (depends, why) {
            missing.push(because(key, why));
        }
    };
    ask(consented, "consent", why(&facts.consent));
    ask(!depends.plan.one_of.is_empty(), "bindings", why(&facts.bindings).or_else(|| misnamed(model, facts)));
    ask(depends.has_path, "resolved_paths", why(&facts.resolved_paths));
    missing
}

fn why<T>(fact: &Fact<T>) -> Option<Unavailable> {
    match fact {
        Fact::Unavailable(why) => Some(*why),
        Fact::Absent | Fact::Known(_) => None,
    }
}

/// Bindings of what is no limit of one value have another shape.
fn misnamed(model: &Model, facts: &Facts) -> Option<Unavailable> {
    let bindings = facts.bindings.known()?;
    bindings.iter().any(|(name, _)| super::bind::bindable(model, name).is_none()).then_some(Unavailable::Shape)
}

/// A key that decision.md does not know, or facts that have no keys.
fn unknown(key: &str) -> Because {
    let text = match key {
        Facts::NO_OBJECT => "the facts are no JSON object".to_owned(),
        _ => format!("there is no fact `{key}`"),
    };
    Because::with(Code::FactsUnavailable, text)
}

fn because(key: &str, why: Unavailable) -> Because {
    let what = match why {
        Unavailable::Said => "is unavailable",
        Unavailable::Shape => "has a shape that facts do not have",
    };
    Because::with(Code::FactsUnavailable, format!("`{key}` {what}"))
}

/// The mode, where it blocks an effect or is not declared.
pub(crate) fn mode(model: &Model, facts: &Facts, effects: &[Effect]) -> Option<Because> {
    let mode = facts.mode.known()?;
    if &**mode == "normal" {
        return None;
    }
    let declared = model.deployment.as_ref().and_then(|d| d.modes.iter().find(|(name, _)| name == mode));
    let Some((name, blocks)) = declared else {
        return Some(Because::with(Code::Mode, format!("mode `{mode}` is not declared")));
    };
    let blocked = effects.iter().find(|effect| blocks.contains(effect))?;
    Some(Because::with(Code::Mode, format!("mode `{name}` blocks tools that {}", verb(*blocked))))
}

fn requires_consent(model: &Model, effects: &[Effect]) -> Option<Effect> {
    let deployment: &Deployment = model.deployment.as_ref()?;
    effects.iter().copied().find(|effect| deployment.consent.contains(effect))
}

/// Consent, where an effect requires it and it is not given.
pub(crate) fn consent(model: &Model, facts: &Facts, connector: &str, effects: &[Effect]) -> Option<Because> {
    let effect = requires_consent(model, effects)?;
    let given = facts.consent.known().is_some_and(|names| names.iter().any(|name| &**name == connector));
    if given || facts.consent.is_unavailable() {
        return None;
    }
    Some(Because::with(Code::Consent, format!("`{connector}` needs consent for tools that {}", verb(effect))))
}

/// The approval, where none is given for this digest and table.
pub(crate) fn approval(facts: &Facts, digest: &str, table: &str) -> Option<Because> {
    match &facts.approvals {
        Fact::Unavailable(why) => Some(because("approvals", *why)),
        Fact::Known(given) if given.iter().any(|a| &*a.digest == digest && &*a.table == table) => None,
        Fact::Known(_) | Fact::Absent => Some(Because::bare(Code::Approval)),
    }
}

fn verb(effect: Effect) -> &'static str {
    match effect {
        Effect::Reads => "read",
        Effect::Mutates => "change something",
        Effect::Irreversible => "change something for good",
        Effect::ReachesOutside => "reach outside",
    }
}
