//! A tool under a plan and a session → its branches: products of slots, one per combination of rows and per named value,
//! and which arguments must be given in each. Knows no schemas and no clients.

use super::schema::{meet, must_stand};
use crate::domain::{
    Atom, Bound, Default, Member, Membership, PointRef, Presence, Product, Set, Shape, Slot, SlotMatcher, Value, Work,
    at_every, cells, is_whole,
};
use crate::eval::judge::Session;
use crate::eval::plan::{Naming, Plan};
use crate::eval::product::{Graded, products};
use crate::eval::search::shape;
use crate::table::model::Tool;

/// At most so many branches are told apart; beyond, the hull alone is shown.
pub(super) const BRANCHES: usize = 8;
/// At most so many combinations of rows are looked at.
const COMBINATIONS: usize = 512;

/// One way in which a call can be permitted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Branch {
    /// By argument.
    pub(super) slots: Vec<Slot>,
    /// By argument: whether leaving it out does not settle.
    pub(super) required: Vec<bool>,
}

/// The branches of a tool.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Branches {
    /// All of them.
    All(Vec<Branch>),
    /// More than are told apart: what each argument can be, at least.
    Hull(Branch),
}

/// What is asked.
pub(super) struct Asked<'a> {
    pub(super) tool: &'a Tool,
    pub(super) plan: &'a Plan,
    pub(super) session: &'a Session,
}

impl Asked<'_> {
    /// The branches that hold a call.
    pub(super) fn branches(&self, work: &mut Work) -> Result<Branches, Bound> {
        let shape = shape(self.tool, self.plan);
        let Some(combinations) = products(self.plan, &self.session.demands, COMBINATIONS) else {
            return Ok(Branches::Hull(self.rough(work)?));
        };
        let mut found: Vec<Branch> = Vec::new();
        for Graded { product, .. } in combinations {
            if empty(&shape, &product, work)? {
                continue;
            }
            for branch in self.by_name(&shape, product, work)? {
                if !found.contains(&branch) {
                    found.push(branch);
                }
            }
        }
        if found.len() <= BRANCHES {
            return Ok(Branches::All(found));
        }
        Ok(Branches::Hull(hull(&found)))
    }

    /// What each argument can be at most: its limits, and in each declaration some row.
    fn rough(&self, work: &mut Work) -> Result<Branch, Bound> {
        let mut slots = Vec::new();
        for argument in 0..self.tool.arguments.len() {
            let demands = self.plan.demands.iter().chain(&self.session.demands).filter(|d| d.argument == argument);
            let mut factors: Vec<Slot> = demands.map(|d| d.slot.clone()).collect();
            for factor in &self.plan.factors {
                let rows =
                    factor.rows.iter().filter(|row| row.void.is_none()).map(|row| {
                        meet(row.clauses.iter().filter(|c| c.clause.argument == argument).map(|c| &c.clause.slot))
                    });
                factors.push(join(rows));
            }
            slots.push(meet(&factors));
        }
        let mut required = Vec::new();
        for (argument, slot) in slots.iter().enumerate() {
            required.push(self.required(argument, slot, work)?);
        }
        Ok(Branch { slots, required })
    }

    /// One branch, or one per value that some argument names in another.
    fn by_name(&self, shape: &Shape<'_>, product: Product, work: &mut Work) -> Result<Vec<Branch>, Bound> {
        let mut products = vec![(product, Vec::new())];
        for named in self.named() {
            let mut split = Vec::new();
            for (product, waived) in products {
                split.extend(self.split(shape, product, waived, named, work)?);
            }
            products = split;
        }
        let mut branches = Vec::new();
        for (product, waived) in products {
            let slots: Vec<Slot> =
                (0..self.tool.arguments.len()).map(|a| product.slot(a).cloned().unwrap_or(Slot::ANY)).collect();
            let mut required = Vec::new();
            for (argument, slot) in slots.iter().enumerate() {
                required.push(!waived.contains(&argument) && self.required(argument, slot, work)?);
            }
            branches.push(Branch { slots, required });
        }
        Ok(branches)
    }

    /// The arguments that others name, where something speaks of either.
    fn named(&self) -> Vec<usize> {
        let governs = |a: usize| self.plan.governs_argument(a) || self.session.demands.iter().any(|d| d.argument == a);
        let mut named: Vec<usize> = self
            .plan
            .namings
            .iter()
            .filter_map(|naming| naming.named.filter(|named| governs(*named) || governs(naming.namer)))
            .collect();
        named.sort_unstable();
        named.dedup();
        named
    }

    /// A product, told apart by the value that texts name in `named`. With each product, the arguments that may be left out.
    fn split(
        &self,
        shape: &Shape<'_>,
        product: Product,
        waived: Vec<usize>,
        named: usize,
        work: &mut Work,
    ) -> Result<Vec<(Product, Vec<usize>)>, Bound> {
        let Some(member) = self.tool.arguments.get(named) else { return Ok(vec![(product, waived)]) };
        let namings: Vec<&Naming> = self.plan.namings.iter().filter(|n| n.named == Some(named)).collect();
        let Some(values) = namings.first().map(|naming| naming.within.values.clone()) else {
            return Ok(vec![(product, waived)]);
        };
        let may_settle = member.may_be_unspecified();
        let mut permitted = Vec::new();
        for value in &values {
            let mut one = product.clone();
            one.demand(named, only(value));
            namings.iter().for_each(|naming| one.demand(naming.namer, beside(naming, value)));
            if !empty(shape, &one, work)? {
                permitted.push((value, one));
            }
        }
        if let [(_, one)] = permitted.as_slice()
            && may_settle
        {
            let mut waived = waived;
            waived.push(named);
            return Ok(vec![(one.clone(), waived)]);
        }
        let mut split = Vec::new();
        for (value, one) in &permitted {
            let mut naming_it = one.clone();
            namings.iter().for_each(|naming| naming_it.demand(naming.namer, names(naming, value)));
            if may_settle && !empty(shape, &naming_it, work)? {
                let mut waived = waived.clone();
                waived.push(named);
                split.push((naming_it, waived));
            }
            split.push((one.clone(), waived.clone()));
        }
        // Left out or null, it is no value that a text could contradict.
        let mut nothing = product.clone();
        nothing.demand(named, Slot { values: Set::Never, null: true, absent: true });
        if !may_settle && !empty(shape, &nothing, work)? {
            split.push((nothing, waived.clone()));
        }
        let mut open = product;
        if may_settle && whole(member, open.slot(named), work)? {
            namings.iter().for_each(|naming| open.demand(naming.namer, names_nothing(naming)));
            let mut waived = waived;
            waived.push(named);
            split.push((open, waived));
        }
        Ok(split)
    }

    /// Whether leaving the argument out does not settle, in a branch where it has this slot.
    fn required(&self, argument: usize, slot: &Slot, work: &mut Work) -> Result<bool, Bound> {
        let Some(member) = self.tool.arguments.get(argument) else { return Ok(false) };
        if let Some((_, value)) = self.session.filling(self.tool, self.plan, argument) {
            // Left out, it becomes what is bound.
            let filled = SlotMatcher::compile(member, slot, work)?.test(PointRef::Value(value));
            return Ok(filled != Membership::In);
        }
        match &member.presence {
            Presence::Defaulted(Default::Unspecified) => self.requires_choice(argument, slot, work),
            Presence::Required | Presence::Optional | Presence::OrAbsent | Presence::Defaulted(Default::Value(_)) => {
                must_stand(member, slot, work)
            }
        }
    }

    /// Whether leaving the choice to the provider does not settle, in a branch where the argument has this slot.
    pub(super) fn requires_choice(&self, argument: usize, slot: &Slot, work: &mut Work) -> Result<bool, Bound> {
        let Some(member) = self.tool.arguments.get(argument) else { return Ok(false) };
        Ok(!whole(member, Some(slot), work)? && !single(member, slot, work)?)
    }
}

fn empty(shape: &Shape<'_>, product: &Product, work: &mut Work) -> Result<bool, Bound> {
    // What is not settled within the bound counts as not empty: a wider schema is shown, nothing is hidden.
    Ok(shape.is_empty(product, work).unwrap_or(false))
}

fn only(value: &str) -> Slot {
    Slot { values: Set::Atom(Atom::OneOf(vec![Value::Text(value.into())])), null: false, absent: false }
}

/// What the naming argument may be beside `value`.
fn beside(naming: &Naming, value: &str) -> Slot {
    let others = naming.within.values.iter().filter(|other| ***other != *value);
    let prefixes = others.map(|other| prefix(naming, other)).collect();
    Slot { values: at_every(&naming.steps, Set::Not(Box::new(Set::Or(prefixes)))), null: true, absent: true }
}

/// The naming argument names `value`; nested texts cannot be told to, so they do not.
fn names(naming: &Naming, value: &str) -> Slot {
    let values = if naming.steps.is_empty() { prefix(naming, value) } else { Set::Never };
    Slot { values, null: false, absent: false }
}

/// The naming argument names no value.
fn names_nothing(naming: &Naming) -> Slot {
    let prefixes = naming.within.values.iter().map(|value| prefix(naming, value)).collect();
    Slot { values: at_every(&naming.steps, Set::Not(Box::new(Set::Or(prefixes)))), null: true, absent: true }
}

fn prefix(naming: &Naming, value: &str) -> Set {
    Set::Atom(Atom::Prefix(format!("{value}{}", naming.within.separator).into()))
}

fn whole(member: &Member, slot: Option<&Slot>, work: &mut Work) -> Result<bool, Bound> {
    match slot {
        None => Ok(true),
        Some(slot) => is_whole(&member.ty, &slot.values, work),
    }
}

/// Whether exactly one value is left.
fn single(member: &Member, slot: &Slot, work: &mut Work) -> Result<bool, Bound> {
    let inside: Vec<_> = cells(&member.ty, &[&slot.values], work)?.into_iter().filter(|c| c.vector.get(0)).collect();
    Ok(matches!(inside.as_slice(), [cell] if cell.singleton))
}

/// What any of the slots admits.
pub(super) fn join(slots: impl IntoIterator<Item = Slot>) -> Slot {
    let mut joined = Slot { values: Set::Never, null: false, absent: false };
    let mut sets: Vec<Set> = Vec::new();
    for slot in slots {
        joined.null |= slot.null;
        joined.absent |= slot.absent;
        if !sets.contains(&slot.values) {
            sets.push(slot.values);
        }
    }
    joined.values = match sets.len() {
        0 => Set::Never,
        1 => sets.remove(0),
        _ if sets.contains(&Set::Any) => Set::Any,
        _several => Set::Or(sets),
    };
    joined
}

/// What each argument can be in some branch, and what every branch requires.
pub(super) fn hull(branches: &[Branch]) -> Branch {
    let width = branches.first().map_or(0, |branch| branch.slots.len());
    let slots = (0..width).map(|a| join(branches.iter().filter_map(|b| b.slots.get(a).cloned()))).collect();
    let required = (0..width).map(|a| branches.iter().all(|b| b.required.get(a).copied().unwrap_or(false))).collect();
    Branch { slots, required }
}
