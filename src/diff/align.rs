//! Products over one tool's arguments → the same over another version's. Knows two argument lists at a time.

use crate::domain::{Atom, Default, Member, Presence, Product, Set, Slot, SlotMatcher, Value, Work};
use crate::eval::product::Graded;

/// Where each argument of the other version stands in this one.
pub(super) struct Alignment {
    /// By argument of the other version: where it stands here, and how it is left out where it does not.
    places: Vec<Result<usize, Member>>,
    /// What the other version demands of arguments that it does not have: they are malformed there.
    unknown: Vec<usize>,
}

impl Alignment {
    /// `None`: an argument has another type, or is demanded on one side only, so that no call means the same in both.
    pub(super) fn new(these: &[Member], others: &[Member]) -> Option<Alignment> {
        let mut places = Vec::new();
        for other in others {
            let place = these.iter().position(|member| member.name == other.name);
            match place.and_then(|place| these.get(place)) {
                Some(member) if member == other => places.extend(place.map(Ok)),
                None if may_be_left_out(other) => places.push(Err(other.clone())),
                Some(_) | None => return None,
            }
        }
        let known = |member: &Member| others.iter().any(|other| other.name == member.name);
        let unknown = these.iter().enumerate().filter(|(_, member)| !known(member)).map(|(index, _)| index).collect();
        Some(Alignment { places, unknown })
    }

    /// The other version's products over this one's arguments.
    pub(super) fn all(&self, products: &[Graded]) -> Vec<Graded> {
        products.iter().map(|graded| self.one(graded)).collect()
    }

    fn one(&self, graded: &Graded) -> Graded {
        let mut product = Product::default();
        for (argument, slot) in graded.product.slots() {
            match self.places.get(argument) {
                Some(Ok(place)) => product.demand(*place, slot.clone()),
                // Calls of this version leave it out; the other admits that only if its slot does.
                Some(Err(member)) if admits_omission(member, slot) => {}
                Some(Err(_)) | None => product.demand(0, Slot { values: Set::Never, null: false, absent: false }),
            }
        }
        for argument in &self.unknown {
            product.demand(*argument, Slot { values: Set::Never, null: false, absent: true });
        }
        Graded { product, grade: graded.grade }
    }
}

fn may_be_left_out(member: &Member) -> bool {
    match &member.presence {
        Presence::Required => false,
        Presence::Optional | Presence::OrAbsent => true,
        Presence::Defaulted(Default::Value(_) | Default::Unspecified) => true,
    }
}

/// What is too large to be told counts as refused: a difference is then shown, none is passed over.
fn admits_omission(member: &Member, slot: &Slot) -> bool {
    let test = SlotMatcher::compile(member, slot, &mut Work::new());
    test.is_ok_and(|test| test.test(member.point(None)).is_in())
}

/// The product where the selector's argument has the selector's value.
pub(super) fn choosing(graded: &Graded, selector: Option<&(usize, Value)>) -> Graded {
    let mut chosen = graded.clone();
    if let Some((argument, value)) = selector {
        let values = Set::Atom(Atom::OneOf(vec![value.clone()]));
        chosen.product.demand(*argument, Slot { values, null: false, absent: false });
    }
    chosen
}
