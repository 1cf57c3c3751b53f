//! A bound value → the spellings that mean it. Bound values of a limit with `within` are resources: `p:rest` is (p, rest), a
//! bare `rest` is (whatever the call has, rest). Knows nothing of rows or proofs.

use super::reach::exactly;
use super::stack::{Reason, cut, values_only};
use crate::domain::{Atom, Bound, Lift, Set, Slot, Type, Value, Work, lift, well_formed};
use crate::policy::{LimitSetting, ListWay, Policy, Tool, Within};

/// `p` and `rest` of `p:rest`, if `text` names a value.
pub(super) fn split<'t>(within: &Within, text: &'t str) -> Option<(Box<str>, &'t str)> {
    within.values.iter().find_map(|value| {
        let rest = text.strip_prefix(value.as_ref())?.strip_prefix(within.separator.as_ref())?;
        Some((value.clone(), rest))
    })
}

/// The texts that name nothing, or a value that `slot` over the limit's type admits.
pub(super) fn naming_only(policy: &Policy, within: &Within, slot: &Slot) -> Set {
    let ty = &policy.limit(within.limit).ty;
    let refused = within.values.iter().filter(|value| !admits(ty, &slot.values, value));
    let refused: Vec<Set> = refused.map(|value| naming(within, value)).collect();
    if refused.is_empty() { Set::Any } else { Set::Not(Box::new(Set::Or(refused))) }
}

/// The texts that name `value`.
fn naming(within: &Within, value: &str) -> Set {
    Set::Atom(Atom::Prefix(format!("{value}{}", within.separator).into()))
}

/// What a text that names no value says of the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    /// Nothing, so it stands for every value: the tool has no argument that could tell.
    Everything,
    /// Nothing that the argument beside it does not say.
    LeftToNamed,
}

/// The values that texts in `set` name.
pub(super) fn named_by(ty: &Type, within: &Within, set: &Set, bare: Bare, work: &mut Work) -> Result<Set, Bound> {
    let prefixes: Vec<Set> = within.values.iter().map(|value| naming(within, value)).collect();
    let mut sets = vec![set];
    sets.extend(&prefixes);
    let cells = crate::domain::cells(ty, &sets, work)?;
    let inside = || cells.iter().filter(|cell| cell.vector.get(0));
    let names = |place: usize| inside().any(|cell| cell.vector.get(place + 1));
    if bare == Bare::Everything && inside().any(|cell| (1..sets.len()).all(|place| !cell.vector.get(place))) {
        return Ok(Set::Any);
    }
    let named = within.values.iter().enumerate().filter(|(place, _)| names(*place));
    Ok(one_of(named.map(|(_, value)| Value::Text(value.clone()))))
}

/// Whether `set` over the enum `ty` admits the text `value`.
pub(super) fn admits(ty: &Type, set: &Set, value: &str) -> bool {
    let one = exactly(ty, &Value::Text(value.into()));
    let cells = crate::domain::cells(ty, &[set, &one], &mut Work::new()).unwrap_or_default();
    cells.iter().any(|cell| cell.vector.get(0) && cell.vector.get(1))
}

/// The spellings of the bound `value`, as alternatives of demands: the value itself; of `p:rest` also the bare `rest` beside
/// an argument that is p, or alone where no argument names p; of a bare value also every `p:value`.
pub(super) fn alternatives(
    policy: &Policy,
    tool: &Tool,
    place: usize,
    setting: &LimitSetting,
    value: &Value,
    free: &[ListWay],
) -> Vec<Vec<Reason>> {
    let limit = policy.limit(setting.limit);
    let Some(at) = tool.places.get(place) else { return Vec::new() };
    let Some(argument) = tool.arguments.get(at.argument) else { return Vec::new() };
    let here = |set: Set| cut(policy, setting, argument, at, &values_only(set), free);
    // What the argument's own type refuses is no spelling, and could not be written in a repair.
    let spellings = |values: Vec<Value>| {
        let fits = |v: &Value| !at.steps.is_empty() || well_formed(&argument.member.ty, v).is_ok();
        let fitting: Vec<Value> = values.iter().filter(|v| fits(v)).cloned().collect();
        here(one_of(if fitting.is_empty() { values } else { fitting }))
    };
    let text = |text: &str| Value::Text(text.into());
    let (Some(within), Value::Text(bound)) = (&limit.within, value) else {
        return vec![vec![here(exactly(&limit.ty, value))]];
    };
    let Some((name, rest)) = split(within, bound) else {
        let named = within.values.iter().map(|v| text(&format!("{v}{}{bound}", within.separator)));
        return vec![vec![spellings(named.chain([value.clone()]).collect())]];
    };
    let named = tool.couplings.iter().find(|c| c.place == place).map(|c| c.named);
    let Some((named, beside)) = named.and_then(|n| Some((n, tool.arguments.get(n)?))) else {
        return vec![vec![spellings(vec![value.clone(), text(rest)])]];
    };
    let is_name = values_only(one_of([Value::Text(name)]));
    let beside = Reason {
        argument: named,
        steps: Vec::new(),
        slot: lift(&beside.member, &[], &is_name, Lift::Limit),
        ..here(Set::Any)
    };
    vec![vec![here(one_of([value.clone()]))], vec![here(one_of([text(rest)])), beside]]
}

/// These values, sorted and distinct.
pub(super) fn one_of(values: impl IntoIterator<Item = Value>) -> Set {
    let mut values: Vec<Value> = values.into_iter().collect();
    values.sort_by_key(crate::domain::compact);
    values.dedup();
    Set::Atom(Atom::OneOf(values))
}
