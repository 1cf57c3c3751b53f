//! A demand that an argument fails → the place inside it that fails, for people. Knows no limits and no rows.

use super::walk::{Key, pointer};
use crate::domain::{PointRef, SlotMatcher, Step, Value};

/// Where a demand fails, and what stands there.
pub(crate) struct Found {
    /// JSON pointer into the arguments.
    pub(crate) path: String,
    /// What stands there.
    pub(crate) given: Value,
}

/// The first element along `steps` that alone makes `test` fail; the deepest place that can be told.
pub(crate) fn locate(argument: &str, value: &Value, steps: &[Step], test: &SlotMatcher) -> Found {
    let mut keys = vec![Key::Member(argument.into())];
    // `value`, with the lists on the way cut down to the element that fails.
    let mut reduced = value.clone();
    let mut within: Vec<Key> = Vec::new();
    for step in steps {
        let Some(here) = get(&reduced, &within) else { break };
        match (step, here) {
            (Step::Field(name), Value::Object(members)) if members.iter().any(|(n, _)| n == name) => {
                within.push(Key::Member(name.clone()));
                keys.push(Key::Member(name.clone()));
            }
            (Step::Each | Step::OneOrEach, Value::List(items)) => {
                let Some((index, one)) = first_failing(&reduced, &within, items, test) else { break };
                reduced = one;
                within.push(Key::Index(0));
                keys.push(Key::Index(index));
            }
            (Step::Values, Value::Object(members)) => {
                let Some((name, one)) = first_failing_member(&reduced, &within, members, test) else { break };
                reduced = one;
                within.push(Key::Member(name.clone()));
                keys.push(Key::Member(name));
            }
            (Step::OneOrEach | Step::Alternative(_), _) => {}
            (Step::Part(_) | Step::Keys, _) => break,
            (Step::Field(_) | Step::Each | Step::Values, _) => break,
        }
    }
    let given = get(&reduced, &within).cloned().unwrap_or(Value::Null);
    Found { path: pointer(&keys), given }
}

fn first_failing(whole: &Value, within: &[Key], items: &[Value], test: &SlotMatcher) -> Option<(usize, Value)> {
    items.iter().enumerate().find_map(|(index, item)| {
        let mut reduced = whole.clone();
        super::walk::put(&mut reduced, within, Value::List(vec![item.clone()]));
        (!test.test(PointRef::Value(&reduced)).is_in()).then_some((index, reduced))
    })
}

fn first_failing_member(
    whole: &Value,
    within: &[Key],
    members: &[(Box<str>, Value)],
    test: &SlotMatcher,
) -> Option<(Box<str>, Value)> {
    members.iter().find_map(|(name, value)| {
        let mut reduced = whole.clone();
        super::walk::put(&mut reduced, within, Value::Object(vec![(name.clone(), value.clone())]));
        (!test.test(PointRef::Value(&reduced)).is_in()).then(|| (name.clone(), reduced))
    })
}

fn get<'v>(value: &'v Value, keys: &[Key]) -> Option<&'v Value> {
    keys.iter().try_fold(value, |value, key| match (key, value) {
        (Key::Member(name), Value::Object(members)) => members.iter().find(|(n, _)| n == name).map(|(_, v)| v),
        (Key::Index(index), Value::List(items)) => items.get(*index),
        _ => None, // the key leads nowhere
    })
}
