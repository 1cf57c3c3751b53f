//! A claim and an effective policy → whether they agree. What cannot be settled agrees: better silent than crying wolf.

use super::english::Reach;
use super::gate::Gate;
use super::lexicon::{Lexicon, Target, words};
use super::reading::Claim;
use crate::domain::{Atom, Kind, Lift, Set, Slot, Step, Type, Value, lift};
use crate::lint::irreversible::irreversible;
use crate::overlay::{Effective, Granted};
use crate::policy::{AgentId, Effect, Policy, Tool, ToolRef, VocabularyId};
use crate::source::Span;

/// What a claim is held against.
pub(super) struct Court<'a> {
    pub policy: &'a Policy,
    pub lexicon: &'a Lexicon,
    pub agent: AgentId,
    pub effective: &'a Effective<'a>,
}

/// A call that speaks against a claim: the tool, and where the row is.
pub(super) struct Evidence {
    pub tool: ToolRef,
    pub span: Span,
}

impl Court<'_> {
    /// What permits something that the claim denies.
    pub fn against_denial(&self, claim: &Claim) -> Option<Evidence> {
        self.tools().into_iter().find_map(|tool| {
            let changes =
                !self.policy.tool(tool).effects.iter().any(|rule| rule.effect == Effect::Reads && rule.when.is_none());
            let of_value = |target: &usize| matches!(self.lexicon.targets[*target], Target::Value(..));
            let fits = match claim.reach {
                Reach::Reads if claim.targets.iter().all(of_value) => !changes,
                Reach::Changes if claim.targets.iter().all(of_value) => changes,
                Reach::Reads | Reach::Changes | Reach::Either => true,
            };
            let rows = self.effective.rows(tool).unwrap_or_default();
            let row = rows.iter().find(|row| fits && self.row_does(tool, row, claim))?;
            Some(Evidence { tool, span: row.span })
        })
    }

    /// Whether nothing permits what the claim promises.
    pub fn against_promise(&self, claim: &Claim, single: bool) -> bool {
        let known = |target: &usize| match &self.lexicon.targets[*target] {
            Target::Tool(tool) | Target::Effect(tool, _) => !single || self.uses(tool.vocabulary),
            Target::Value(vocabulary, index, _) => {
                self.uses(*vocabulary)
                    && self.tools_of(*vocabulary).any(|tool| !self.places(tool, *vocabulary, *index).is_empty())
            }
        };
        if !claim.targets.iter().all(known) || !claim.on.iter().all(known) {
            return false;
        }
        for tool in self.tools() {
            let Some(rows) = self.effective.rows(tool) else { return false };
            if rows.iter().any(|row| self.row_does(tool, row, claim)) {
                return false;
            }
        }
        true
    }

    /// A row that does something irreversible of what the gate is promised for, without asking.
    pub fn against_gate(&self, gate: &Gate) -> Option<Evidence> {
        let named: Vec<ToolRef> = self.tools().into_iter().filter(|tool| self.is_named(*tool, gate)).collect();
        let tools = if named.is_empty() { self.tools() } else { named };
        tools.into_iter().find_map(|tool| {
            let declared = self.policy.tool(tool);
            let rows = self.effective.rows(tool).unwrap_or_default();
            let row = rows.iter().find(|row| !row.approval && irreversible(declared, tool, row, self.effective))?;
            Some(Evidence { tool, span: row.span })
        })
    }

    fn is_named(&self, tool: ToolRef, gate: &Gate) -> bool {
        let name = words(&self.policy.tool(tool).name);
        let phrases = self.lexicon.phrases.iter().filter(|phrase| match &self.lexicon.targets[phrase.target] {
            Target::Tool(of) | Target::Effect(of, _) => *of == tool,
            Target::Value(..) => false,
        });
        let bases: Vec<&str> = phrases.filter_map(|phrase| phrase.base()).collect();
        gate.about.iter().any(|word| name.contains(word) || bases.contains(&word.as_str()))
    }

    /// The tools that the agent's own words give it.
    fn tools(&self) -> Vec<ToolRef> {
        crate::lint::granted::tools(self.policy, self.agent)
    }

    fn uses(&self, vocabulary: VocabularyId) -> bool {
        self.policy.agents[self.agent.0].layer.uses.iter().any(|said| said.vocabulary == vocabulary)
    }

    fn tools_of(&self, vocabulary: VocabularyId) -> impl Iterator<Item = ToolRef> + '_ {
        self.tools().into_iter().filter(move |tool| tool.vocabulary == vocabulary)
    }

    /// Whether some call of the row does what is claimed.
    fn row_does(&self, tool: ToolRef, row: &Granted, claim: &Claim) -> bool {
        claim.targets.iter().any(|target| match &self.lexicon.targets[*target] {
            Target::Tool(of) => *of == tool && self.on(tool, row, Vec::new(), &claim.on),
            Target::Effect(of, rule) => {
                let slots = self.policy.tool(*of).effects.get(*rule).and_then(|rule| rule.when.clone());
                *of == tool && self.on(tool, row, slots.into_iter().collect(), &claim.on)
            }
            Target::Value(vocabulary, index, value) => self.with(tool, row, &[], *vocabulary, *index, value),
        })
    }

    /// Whether some call of the row lies in the slots and touches one of the values `on`; a tool that knows nothing of their kind
    /// touches them all the same.
    fn on(&self, tool: ToolRef, row: &Granted, slots: Vec<(usize, Slot)>, on: &[usize]) -> bool {
        let meets = |slots: &[(usize, Slot)]| self.effective.meets(tool, row, slots).unwrap_or(false);
        if on.is_empty() {
            return meets(&slots);
        }
        on.iter().any(|target| match &self.lexicon.targets[*target] {
            Target::Value(vocabulary, index, value) => self.with(tool, row, &slots, *vocabulary, *index, value),
            Target::Tool(_) | Target::Effect(..) => meets(&slots),
        })
    }

    /// Whether some call of the row lies in the slots and has the value, by itself or in a name before a separator.
    fn with(
        &self,
        tool: ToolRef,
        row: &Granted,
        slots: &[(usize, Slot)],
        vocabulary: VocabularyId,
        index: usize,
        value: &Value,
    ) -> bool {
        self.places(tool, vocabulary, index).into_iter().any(|(argument, steps, separator)| {
            let member = &self.policy.tool(tool).arguments[argument].member;
            let set = match (separator, value) {
                (Some(separator), Value::Text(name)) => Set::Atom(Atom::Prefix(format!("{name}{separator}").into())),
                (Some(_), _) => Set::Never,
                (None, value) => Set::Atom(Atom::OneOf(vec![value.clone()])),
            };
            let slot = Slot { values: set, null: false, absent: false };
            let mut slots = slots.to_vec();
            slots.push((argument, strict(lift(member, &steps, &slot, Lift::Clause))));
            self.effective.meets(tool, row, &slots).unwrap_or(false)
        })
    }

    /// Where the tool's arguments have values of the enum: the argument, the way into it, the separator of texts that only name them.
    fn places(&self, tool: ToolRef, vocabulary: VocabularyId, index: usize) -> Vec<(usize, Vec<Step>, Option<Box<str>>)> {
        let Some(info) = self.policy.vocabulary(vocabulary).enums.get(index) else { return Vec::new() };
        let values: Vec<&Value> = info.values.iter().map(|(value, _)| value).collect();
        let declared = self.policy.tool(tool);
        let mut found = enum_places(declared, &values);
        for place in &declared.places {
            let Some(within) = &self.policy.limit(place.limit).within else { continue };
            let named = |value: &&Value| within.values.iter().any(|name| **value == Value::Text(name.clone()));
            if values.iter().all(named) {
                found.push((place.argument, place.steps.clone(), Some(within.separator.clone())));
            }
        }
        found
    }
}

/// The slot without what names nothing.
fn strict(slot: Slot) -> Slot {
    Slot { null: false, absent: false, ..slot }
}

/// Every place of the tool's arguments whose type is the enum of `values`.
fn enum_places(tool: &Tool, values: &[&Value]) -> Vec<(usize, Vec<Step>, Option<Box<str>>)> {
    let mut found = Vec::new();
    for (argument, declared) in tool.arguments.iter().enumerate() {
        let mut waiting: Vec<(&Type, Vec<Step>)> = vec![(&declared.member.ty, Vec::new())];
        while let Some((ty, steps)) = waiting.pop() {
            if matches!(&ty.kind, Kind::Enum(own) if own.len() == values.len() && values.iter().all(|value| own.contains(value)))
            {
                found.push((argument, steps, None));
                continue;
            }
            let way = |step: Step| steps.iter().cloned().chain([step]).collect::<Vec<_>>();
            waiting.extend(ty.inside().into_iter().filter_map(|(step, ty)| Some((ty, way(step?)))));
        }
    }
    found
}
