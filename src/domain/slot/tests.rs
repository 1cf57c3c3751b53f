//! Points beside the values.

use super::*;
use crate::domain::{Atom, Kind, Type, compact};

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn backend(presence: Presence, null: bool) -> Member {
    let ty = Type { kind: Kind::Enum(["tmux", "kitty"].map(text).to_vec()), null, refinement: None };
    Member { name: "backend".into(), ty, presence, wildcard: false }
}

fn slot(values: &[&str], null: bool, absent: bool) -> Slot {
    Slot { values: Set::Atom(Atom::OneOf(values.iter().map(|v| text(v)).collect())), null, absent }
}

fn points(member: &Member, slots: &[&Slot]) -> Vec<(Vec<usize>, String, bool)> {
    let found = slot_cells(member, slots, &mut Work::new()).unwrap();
    for cell in &found {
        for (index, slot) in slots.iter().enumerate() {
            let matcher = SlotMatcher::compile(member, slot, &mut Work::new()).unwrap();
            assert_eq!(slot_contains(&matcher, &cell.point).is_in(), cell.vector.get(index), "{cell:?}");
        }
    }
    let name = |point: &Point| match point {
        Point::Value(value) => compact(value),
        Point::Absent => "absent".to_owned(),
        Point::Unspecified => "unspecified".to_owned(),
    };
    found.iter().map(|cell| (cell.vector.iter().collect(), name(&cell.point), cell.singleton)).collect()
}

#[test]
fn unspecified_lies_in_a_set_only_if_it_is_the_whole_type() {
    let member = backend(Presence::Defaulted(Default::Unspecified), false);
    let (one, all) = (slot(&["tmux"], false, false), slot(&["kitty", "tmux"], false, false));
    assert_eq!(
        points(&member, &[&one, &all]),
        [(vec![1], "unspecified".to_owned(), false), (vec![0, 1], "\"tmux\"".to_owned(), true)]
    );
    assert_eq!(
        points(&member, &[&one]),
        [(vec![], "unspecified".to_owned(), false), (vec![0], "\"tmux\"".to_owned(), true)]
    );
}

#[test]
fn absence_and_null_are_points_of_their_own() {
    let member = backend(Presence::Optional, true);
    let slots = [slot(&["tmux"], true, false), slot(&["tmux"], false, true)];
    assert_eq!(
        points(&member, &slots.iter().collect::<Vec<_>>()),
        [
            (vec![], "\"kitty\"".to_owned(), true),
            (vec![0], "null".to_owned(), true),
            (vec![1], "absent".to_owned(), true),
            (vec![0, 1], "\"tmux\"".to_owned(), true),
        ]
    );
}

#[test]
fn a_required_member_and_a_literal_default_have_no_absence() {
    for presence in [Presence::Required, Presence::Defaulted(Default::Value(text("tmux")))] {
        let member = backend(presence, false);
        assert_eq!(points(&member, &[&Slot::ANY]), [(vec![0], "\"tmux\"".to_owned(), false)]);
    }
}

#[test]
fn what_stands_in_a_call_is_a_point() {
    let open = Member { wildcard: true, ..backend(Presence::Defaulted(Default::Unspecified), false) };
    let all = text("all");
    assert_eq!(open.point(Some(&all)), PointRef::Unspecified);
    assert_eq!(open.point(None), PointRef::Unspecified);
    let fixed = backend(Presence::Defaulted(Default::Value(text("tmux"))), false);
    assert_eq!(fixed.point(None), PointRef::Value(&text("tmux")));
    assert_eq!(fixed.point(Some(&all)), PointRef::Value(&all));
    assert_eq!(backend(Presence::Optional, false).point(None), PointRef::Absent);
}
