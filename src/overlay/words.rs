//! Sets and points → the words of the policy's language. Knows no layers.

use crate::domain::{Member, Set, Slot, Type, render_set};

/// A clause in words: `amount <= 5`, `to in { "a" }`.
pub(super) fn in_words(path: &str, permitted: &str) -> String {
    let stands_alone = ["<", ">", "prefix ", "suffix ", "matches ", "length ", "size ", "each ", "absent", "null", "in "];
    let joint = if stands_alone.iter().any(|word| permitted.starts_with(word)) { " " } else { " in " };
    format!("{path}{joint}{permitted}")
}

/// What may stand after `in`, with the points that the member has and that must be said.
pub(super) fn render_slot(member: &Member, slot: &Slot) -> String {
    let may_be_absent = member.may_be_absent() && member.presence != crate::domain::Presence::OrAbsent;
    let points = [(slot.absent && may_be_absent, "absent")];
    let said = points.iter().filter(|(says, _)| *says).map(|(_, word)| *word);
    if slot.values == Set::Never {
        return said.collect::<Vec<_>>().join(" or ");
    }
    said.fold(set_words(&member.ty, &slot.values), |words, point| format!("{words} or {point}"))
}

fn set_words(ty: &Type, set: &Set) -> String {
    render_set(ty, set)
}
