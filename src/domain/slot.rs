//! Slots: a set of values and the points that are none → membership of a point, and cells with points as witnesses. Must
//! not know whether the member is a tool's argument or a record's.

use super::blind::is_blind_inside;
use super::cells::{Cells, cells};
use super::list::cell_of;
use super::matcher::Reading;
use super::path::judged;
use super::{Bits, Bound, Default, Matcher, Member, Membership, Point, Presence, Set, Slot, Value, Work, is_whole};

#[cfg(test)]
mod tests;

/// The points of one truth vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointCell {
    /// Which of the slots hold.
    pub vector: Bits,
    /// A lightest point of the cell. Absence and *unspecified* weigh nothing.
    pub point: Point,
    /// Its weight.
    pub weight: u64,
    /// Whether it is the only point of the cell.
    pub singleton: bool,
}

/// Where a member is, as it stands in a call: like [`Point`], borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointRef<'a> {
    /// A value.
    Value(&'a Value),
    /// Not there, and not defaulted.
    Absent,
    /// Left to the provider.
    Unspecified,
}

impl Point {
    /// Borrowed.
    pub fn as_ref(&self) -> PointRef<'_> {
        match self {
            Point::Value(value) => PointRef::Value(value),
            Point::Absent => PointRef::Absent,
            Point::Unspecified => PointRef::Unspecified,
        }
    }
}

impl Member {
    /// Whether the member has the point *absent*.
    pub fn may_be_absent(&self) -> bool {
        match self.presence {
            Presence::Optional | Presence::OrAbsent => true,
            Presence::Required | Presence::Defaulted(_) => false,
        }
    }

    /// Whether the member has the point *unspecified*.
    pub fn may_be_unspecified(&self) -> bool {
        self.wildcard || matches!(self.presence, Presence::Defaulted(Default::Unspecified))
    }

    /// What the member is, given what stands there. A literal default is what its omission spells; the wildcard `"all"` and
    /// an omitted unspecified default leave the choice open. A required member that is not there counts as absent.
    pub fn point<'a>(&'a self, written: Option<&'a Value>) -> PointRef<'a> {
        match written {
            Some(Value::Text(text)) if self.wildcard && **text == *"all" => PointRef::Unspecified,
            Some(value) => PointRef::Value(value),
            None => match &self.presence {
                Presence::Defaulted(Default::Value(value)) => PointRef::Value(value),
                Presence::Defaulted(Default::Unspecified) => PointRef::Unspecified,
                Presence::Required | Presence::Optional | Presence::OrAbsent => PointRef::Absent,
            },
        }
    }
}

impl Slot {
    /// What both slots admit.
    #[must_use]
    pub fn meet(&self, other: &Slot) -> Slot {
        Slot {
            values: meet_sets(&self.values, &other.values),
            null: self.null && other.null,
            absent: self.absent && other.absent,
        }
    }
}

/// The meet, without demands that are none or said twice.
fn meet_sets(a: &Set, b: &Set) -> Set {
    let mut parts: Vec<Set> = Vec::new();
    let flat = |set: &Set| match set {
        Set::And(parts) => parts.clone(),
        // A set that is no meet is a part of its own.
        other => vec![other.clone()],
    };
    for part in flat(a).into_iter().chain(flat(b)) {
        if part != Set::Any && !parts.contains(&part) {
            parts.push(part);
        }
    }
    match parts.len() {
        0 => Set::Any,
        1 => parts.remove(0),
        _several => Set::And(parts),
    }
}

/// A compiled slot of one member.
#[derive(Clone, Debug)]
pub struct SlotMatcher {
    values: Matcher,
    null: bool,
    absent: bool,
    whole: bool,
}

impl SlotMatcher {
    /// Compiles `slot` for `member`.
    ///
    /// # Errors
    /// [`Bound`]: a pattern in it is too large, or whether it is the whole type is.
    pub fn compile(member: &Member, slot: &Slot, work: &mut Work) -> Result<SlotMatcher, Bound> {
        let values = judged(&member.ty, &slot.values).into_owned();
        SlotMatcher::of_judged(member, &Slot { values, ..*slot }, work)
    }

    /// As [`SlotMatcher::compile`], for a part of a set that has been judged as a whole.
    pub(super) fn of_judged(member: &Member, slot: &Slot, work: &mut Work) -> Result<SlotMatcher, Bound> {
        Ok(SlotMatcher {
            values: Matcher::of_judged(&member.ty, &slot.values, work)?,
            null: slot.null,
            absent: slot.absent,
            whole: member.may_be_unspecified() && is_whole_slot(member, slot, work)?,
        })
    }

    /// Whether the point lies in the slot.
    pub fn test(&self, point: PointRef<'_>) -> Membership {
        match point {
            PointRef::Value(Value::Null) => Membership::of(self.null),
            PointRef::Value(value) => self.values.test(value),
            PointRef::Absent => Membership::of(self.absent),
            PointRef::Unspecified => Membership::of(self.whole),
        }
    }

    /// One reading, for members whose whole is read twice.
    pub(super) fn read(&self, point: PointRef<'_>, reading: Reading) -> Membership {
        match point {
            PointRef::Value(Value::Null) => Membership::of(self.null),
            PointRef::Value(value) => self.values.read(value, reading),
            PointRef::Absent => Membership::of(self.absent),
            PointRef::Unspecified => Membership::of(self.whole),
        }
    }

    /// The set of values.
    pub(super) fn values(&self) -> &Matcher {
        &self.values
    }

    /// Whether null lies in the slot.
    pub(super) fn admits_null(&self) -> bool {
        self.null
    }

    /// Whether absence lies in the slot.
    pub(super) fn admits_absent(&self) -> bool {
        self.absent
    }

    /// Whether *unspecified* lies in the slot: its values are the whole type.
    pub fn is_whole(&self) -> bool {
        self.whole
    }
}

/// Whether the point lies in the compiled slot of its member.
pub fn slot_contains(slot: &SlotMatcher, point: &Point) -> Membership {
    slot.test(point.as_ref())
}

fn is_whole_slot(member: &Member, slot: &Slot, work: &mut Work) -> Result<bool, Bound> {
    if slot.values == Set::Any { Ok(true) } else { is_whole(&member.ty, &slot.values, work) }
}

/// Every truth vector over `slots` that some point of `member` realises: of its values, null where the type has it, absence
/// where it may be absent (a literal default is a value, not an absence), and *unspecified*. Ordered by vector.
///
/// # Errors
/// [`Bound`]: the work would be too much.
pub fn slot_cells(member: &Member, slots: &[&Slot], work: &mut Work) -> Result<Vec<PointCell>, Bound> {
    let sets: Vec<&Set> = slots.iter().map(|slot| &slot.values).collect();
    let values = cells(&member.ty, &sets, work)?;
    let which = |holds: &dyn Fn(&Slot) -> bool| -> Bits {
        slots.iter().enumerate().filter(|(_, slot)| holds(slot)).map(|(index, _)| index).collect()
    };
    let mut points: Vec<PointCell> = Vec::new();
    if member.may_be_absent() {
        add(&mut points, bare(which(&|slot| slot.absent), Point::Absent));
    }
    if member.may_be_unspecified() {
        let blind = which(&|slot| is_blind_inside(&member.ty, &slot.values));
        let whole = values.iter().fold(blind, |whole, cell| whole.and(&cell.vector));
        add(&mut points, bare(whole, Point::Unspecified));
    }
    let mut with_null = Cells::new();
    values.into_iter().for_each(|cell| with_null.offer_cell(cell));
    if member.ty.null {
        with_null.offer_cell(cell_of(which(&|slot| slot.null), Value::Null, true));
    }
    for cell in with_null.into_vec() {
        let point = Point::Value(cell.witness);
        add(&mut points, PointCell { vector: cell.vector, point, weight: cell.weight, singleton: cell.singleton });
    }
    points.sort_by(|a, b| a.vector.cmp(&b.vector));
    Ok(points)
}

fn bare(vector: Bits, point: Point) -> PointCell {
    PointCell { vector, point, weight: 0, singleton: true }
}

/// Earlier cells of the same vector are lighter.
fn add(cells: &mut Vec<PointCell>, cell: PointCell) {
    match cells.iter_mut().find(|kept| kept.vector == cell.vector) {
        Some(kept) => kept.singleton = false,
        None => cells.push(cell),
    }
}
