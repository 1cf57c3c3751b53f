//! Slots, a plan and facts → the status, where it is told without changing the call: facts, mode, consent, limits, rows, who
//! executes. In the order of decision.md as far as the status depends on it.

use super::super::Handle;
use super::super::decision::{Obligation, Status};
use super::super::demand::named;
use super::super::facts::{Fact, Facts, ProviderState};
use super::super::plan::Plan;
use super::super::search::Addresses;
use super::program::{Ask, Asked, Effects, Omitted, Program, Shape};
use super::read::{Fit, Slots, read, text};
use crate::call::{Odd, Token};
use crate::domain::{Kind, Membership, Seen, SeenForm, is_respelled, see};
use crate::table::model::{Effect, Model, Tool, ToolId};

/// What is told of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It goes out as it came.
    Ready(Ready),
    /// It does not.
    Refused(Status),
}

/// A call that goes out as it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ready {
    /// Index into the deployment's providers; none: the implicit local one.
    pub(crate) provider: Option<usize>,
    obligations: u8,
}

impl Ready {
    /// What the host must still do.
    pub(crate) fn obliges(self, to: Obligation) -> bool {
        self.obligations & bit(to) != 0
    }
}

fn bit(obligation: Obligation) -> u8 {
    match obligation {
        Obligation::ResolveBeneath => 1,
        Obligation::RecheckOnRedirect => 2,
        Obligation::RecheckResolvedAddress => 4,
    }
}

/// One tool of a handle, with what its calls are judged by.
#[derive(Clone, Copy)]
pub(crate) struct Quick<'a> {
    pub(crate) handle: &'a Handle,
    pub(crate) id: ToolId,
    pub(crate) tool: &'a Tool,
    pub(crate) plan: &'a Plan,
    pub(crate) program: &'a Program,
}

/// What the tests of the slots came to.
struct Tested {
    /// Some limit refuses.
    refused: bool,
    /// By factor: rows that still hold.
    rows: [u64; FACTORS],
    effects: Effects,
    obligations: u8,
    /// Bit by slot: a governed value that may have to be spelled in another way.
    others: u32,
    has_path: bool,
    /// A choice is open on which something in force speaks.
    open: bool,
}

/// Declarations with rows, at most.
const FACTORS: usize = 8;

impl<'a> Quick<'a> {
    /// The answer to a call of these bytes.
    pub(crate) fn decide(&self, bytes: &[u8], facts: &Facts) -> Result<Answer, Odd> {
        // What a session binds may be put in where it is left out.
        if !self.plan.one_of.is_empty() && !is_empty(&facts.bindings) {
            return Err(Odd);
        }
        let mut slots = Slots::NONE;
        match read(self.program, bytes, self.handle.bounds, &mut slots)? {
            Fit::Malformed => Ok(Answer::Refused(Status::Malformed)),
            Fit::Fits => self.judge(&slots, facts),
        }
    }

    /// The answer to a call that was read.
    pub(crate) fn judge(&self, slots: &Slots<'_>, facts: &Facts) -> Result<Answer, Odd> {
        let Some(tested) = self.test(slots)? else { return Ok(Answer::Refused(Status::Malformed)) };
        if tested.has_path && !is_empty(&facts.resolved_paths) {
            return Err(Odd);
        }
        self.known(facts)?;
        let model = self.handle.table.model();
        let blocked = Ok(Answer::Refused(Status::PolicyBlocked));
        if blocks(model, facts, tested.effects) || !consented(model, self.id, facts, tested.effects) {
            return blocked;
        }
        let standing = tested.rows.iter().zip(&self.program.rows);
        if tested.refused
            || self.program.unbound
            || standing.clone().any(|(left, _)| *left == 0)
            || self.contradicts(slots)?
        {
            // What refuses may be a choice that was left open, and then another may be taken.
            return if tested.open { Err(Odd) } else { blocked };
        }
        let asks = standing.clone().any(|(left, (_, allowing))| left & allowing == 0);
        if asks || self.program.open & !slots.there != 0 && self.changes(slots) || self.is_respelled(slots, tested.others) {
            return Err(Odd);
        }
        let provider = self.provider(model, facts)?;
        Ok(Answer::Ready(Ready { provider, obligations: tested.obligations }))
    }

    /// Whether an omitted argument is put in.
    fn changes(&self, slots: &Slots<'_>) -> bool {
        let left_out = |asked: &&Asked| slots.there & 1_u64.wrapping_shl(u32::try_from(asked.argument).unwrap_or(0)) == 0;
        self.program.asked.iter().filter(left_out).any(|asked| asked.governed.is_some() && asked.omitted == Omitted::Default)
    }

    /// Asks every test; none: some argument is not of its type.
    fn test(&self, slots: &Slots<'_>) -> Result<Option<Tested>, Odd> {
        let mut tested = Tested {
            refused: false,
            rows: [u64::MAX; FACTORS],
            effects: self.program.effects.unwrap_or_default(),
            obligations: 0,
            others: 0,
            has_path: false,
            open: false,
        };
        if self.program.rows.len() > FACTORS {
            return Err(Odd);
        }
        for (left, (standing, _)) in tested.rows.iter_mut().zip(&self.program.rows) {
            *left = *standing;
        }
        for (slot, (asked, token)) in self.program.asked.iter().zip(&slots.tokens).enumerate() {
            let Some((seen, form)) = self.see(asked, token, &mut tested)? else { return Ok(None) };
            if form == SeenForm::Other {
                tested.others |= 1_u32.wrapping_shl(u32::try_from(slot).unwrap_or(0));
            }
            for ask in &asked.tests {
                let holds = ask.of(self.plan).ok_or(Odd)?.test_seen(&seen);
                self.take(*ask, holds, &mut tested);
            }
        }
        if self.program.effects.is_none() {
            let always = self.plan.effects.iter().filter(|rule| rule.when.is_none());
            tested.effects = always.fold(tested.effects, |effects, rule| effects.with(rule.effect)).closed();
        }
        Ok(Some(tested))
    }

    fn take(&self, ask: Ask, holds: Membership, tested: &mut Tested) {
        match ask {
            Ask::Demand(_) => tested.refused |= !holds.is_in(),
            Ask::Clause(factor, row, _) => {
                if let (false, Some(left)) = (holds.is_in(), tested.rows.get_mut(factor)) {
                    *left &= !1_u64.wrapping_shl(u32::try_from(row).unwrap_or(0));
                }
            }
            Ask::Effect(index) => {
                let Some(rule) = self.plan.effects.get(index) else { return };
                // What cannot be told counts as the worse.
                let in_force = match holds {
                    Membership::In => true,
                    Membership::Out => false,
                    Membership::Ambiguous => rule.effect != Effect::Reads,
                };
                if in_force {
                    tested.effects = tested.effects.with(rule.effect);
                }
            }
        }
    }

    /// What stands in a slot, and what the host must do about it; none: it is not of its type.
    fn see<'t>(
        &'t self,
        asked: &Asked,
        token: &Option<Token<'t>>,
        tested: &mut Tested,
    ) -> Result<Option<(Seen<'t>, SeenForm)>, Odd> {
        let plainly = |seen| Ok(Some((seen, SeenForm::Canonical)));
        let member = self.tool.arguments.get(asked.argument).ok_or(Odd)?;
        let bytes = match token {
            None => {
                tested.open |= asked.omitted == Omitted::Unspecified && asked.governed.is_some();
                return plainly(asked.omitted.seen(member));
            }
            Some(Token::Null) => return plainly(Seen::Null),
            Some(Token::Bool(truth)) => return plainly(Seen::Bool(*truth)),
            Some(Token::Number(number)) => return plainly(Seen::Number(*number)),
            Some(Token::Escaped) => return Err(Odd),
            Some(Token::Text(bytes)) => *bytes,
        };
        let text = text(bytes)?;
        if member.wildcard && text == "all" {
            tested.open |= asked.governed.is_some();
            return plainly(Seen::Unspecified);
        }
        let check = self.program.checks.get(asked.argument).ok_or(Odd)?;
        let Shape::Spelled(kind) = &check.shape else { return plainly(Seen::Text(text)) };
        let Some((seen, form)) = see(kind, text) else { return Ok(None) };
        let Some(addresses) = asked.governed else { return plainly(seen) };
        oblige(kind, &seen, addresses, tested);
        Ok(Some((seen, form)))
    }

    /// Whether what is forwarded of some slot is spelled in another way than it came.
    fn is_respelled(&self, slots: &Slots<'_>, others: u32) -> bool {
        let all = self.program.asked.iter().zip(&slots.tokens).enumerate();
        let others = all.filter(|(slot, _)| others.checked_shr(u32::try_from(*slot).unwrap_or(32)).unwrap_or(0) & 1 == 1);
        others.into_iter().any(|(_, (asked, token))| match (self.tool.arguments.get(asked.argument), token) {
            (Some(member), Some(Token::Text(bytes))) => text(bytes).is_ok_and(|text| is_respelled(&member.ty, text)),
            _ => true, // nothing else is spelled
        })
    }

    /// Whether a text names another value than the argument beside it has.
    fn contradicts(&self, slots: &Slots<'_>) -> Result<bool, Odd> {
        for (namer, beside, index) in &self.program.namings {
            let naming = self.plan.namings.get(*index).ok_or(Odd)?;
            if slots.tokens.get(*namer) == Some(&None)
                && self.program.asked.get(*namer).map(|a| a.omitted) == Some(Omitted::Default)
            {
                return Err(Odd);
            }
            let (Some(Some(Token::Text(namer))), Some(beside)) = (slots.tokens.get(*namer), slots.tokens.get(*beside))
            else {
                continue;
            };
            let member = naming.named.and_then(|named| self.tool.arguments.get(named)).ok_or(Odd)?;
            let beside = match beside {
                Some(Token::Text(bytes)) if member.wildcard && bytes == b"all" => continue,
                Some(Token::Text(bytes)) => text(bytes)?,
                // A default is a value too.
                None => match &member.presence {
                    crate::domain::Presence::Defaulted(crate::domain::Default::Value(_)) => return Err(Odd),
                    _ => continue, // nothing stands there
                },
                Some(_) => continue,
            };
            let other = named(&naming.within, text(namer)?).and_then(|(index, _)| naming.within.values.get(index));
            if other.is_some_and(|other| **other != *beside) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Facts of which only the general path knows what they change are not there.
    fn known(&self, facts: &Facts) -> Result<(), Odd> {
        let plain = facts.unknown.is_empty()
            && !facts.mode.is_unavailable()
            && !facts.consent.is_unavailable()
            && !facts.generation.is_unavailable()
            && matches!(facts.overlays, Fact::Absent)
            && is_empty(&facts.routes)
            && (self.plan.one_of.is_empty() || is_empty(&facts.bindings))
            && !facts.providers.is_unavailable();
        if plain { Ok(()) } else { Err(Odd) }
    }

    /// Who executes: the first that offers the tool, if it is ready and nothing else could matter.
    fn provider(&self, model: &Model, facts: &Facts) -> Result<Option<usize>, Odd> {
        let Some(deployment) = model.deployment.as_ref().filter(|_| self.handle.is_routed()) else { return Ok(None) };
        let known = facts.providers.known().map(Vec::as_slice).unwrap_or_default();
        let first = self.program.executor.filter(|_| self.handle.excluded.is_empty()).ok_or(Odd)?;
        let name = &deployment.providers.get(first).ok_or(Odd)?.name;
        let stated = known.iter().any(|(_, fact)| !fact.tools.is_empty());
        let ready = known.iter().find(|(own, _)| own == name).is_some_and(|(_, fact)| fact.state == ProviderState::Ready);
        if ready && !stated { Ok(Some(first)) } else { Err(Odd) }
    }
}

/// What a governed string of the kind obliges to.
fn oblige(kind: &Kind, seen: &Seen<'_>, addresses: Addresses, tested: &mut Tested) {
    let named = addresses == Addresses::Some && (seen.has_name() || matches!(seen, Seen::Ambiguous));
    match kind {
        Kind::Path { .. } => {
            tested.has_path = true;
            tested.obligations |= bit(Obligation::ResolveBeneath);
        }
        Kind::Url { .. } => {
            tested.obligations |= bit(Obligation::RecheckOnRedirect);
            if named {
                tested.obligations |= bit(Obligation::RecheckResolvedAddress);
            }
        }
        Kind::Host if named => tested.obligations |= bit(Obligation::RecheckResolvedAddress),
        _ => {} // other kinds oblige to nothing
    }
}

fn is_empty<T>(fact: &Fact<Vec<T>>) -> bool {
    match fact {
        Fact::Absent => true,
        Fact::Known(all) => all.is_empty(),
        Fact::Unavailable(_) => false,
    }
}

/// Whether the mode refuses a call with these effects; see [`super::super::gates::mode`].
fn blocks(model: &Model, facts: &Facts, effects: Effects) -> bool {
    let Some(mode) = facts.mode.known().filter(|mode| &***mode != "normal") else { return false };
    let declared = model.deployment.as_ref().and_then(|d| d.modes.iter().find(|(name, _)| name == mode));
    declared.is_none_or(|(_, blocked)| blocked.iter().any(|effect| effects.has(*effect)))
}

/// Whether consent is given where it is required; see [`super::super::gates::consent`].
fn consented(model: &Model, id: ToolId, facts: &Facts, effects: Effects) -> bool {
    let Some(deployment) = &model.deployment else { return true };
    if !deployment.consent.iter().any(|effect| effects.has(*effect)) {
        return true;
    }
    let connector = model.connectors.get(id.0).map_or("", |connector| &connector.name);
    facts.consent.known().is_some_and(|names| names.iter().any(|name| **name == *connector))
}
