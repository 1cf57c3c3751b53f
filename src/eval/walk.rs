//! A typed value → its places: keys for pointers, steps for clauses, and what stands there. Knows no policy.

use crate::domain::{Kind, Member, Presence, Rest, Step, Type, Value, well_formed};
use std::fmt::Write as _;

/// One step of a JSON pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A member of an object.
    Member(Box<str>),
    /// An element of an array.
    Index(usize),
}

/// A JSON pointer (RFC 6901).
pub(crate) fn pointer(keys: &[Key]) -> String {
    let mut out = String::new();
    for key in keys {
        out.push('/');
        match key {
            Key::Member(name) => out.push_str(&name.replace('~', "~0").replace('/', "~1")),
            Key::Index(index) => write!(out, "{index}").unwrap_or_default(),
        }
    }
    out
}

/// Where a value stands: its way in the type, and its keys in the arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Way {
    /// Steps from the argument.
    pub(crate) steps: Vec<Step>,
    /// Keys from the arguments.
    pub(crate) keys: Vec<Key>,
}

impl Way {
    /// At the top of the argument of this name.
    pub(crate) fn argument(name: &str) -> Way {
        Way { steps: Vec::new(), keys: vec![Key::Member(name.into())] }
    }

    fn down(&self, step: Option<Step>, key: Option<Key>) -> Way {
        let mut way = self.clone();
        way.steps.extend(step);
        way.keys.extend(key);
        way
    }
}

/// Changes a value in place wherever `change` gives another, from the leaves that are no containers; and puts the defaults
/// of record members in, asking `change` about nothing there but telling `filled`.
pub(crate) trait Visitor {
    /// A value that is no list, map, record or union: what shall stand there instead.
    fn leaf(&mut self, ty: &Type, value: &Value, way: &Way) -> Option<Value>;
    /// A record member that was omitted and now has its default.
    fn filled(&mut self, value: &Value, way: &Way);
}

/// Walks `value` of type `ty`. Recursion goes no deeper than the type.
pub(crate) fn walk(ty: &Type, value: &mut Value, way: &Way, visitor: &mut dyn Visitor) {
    match (&ty.kind, value) {
        (_, Value::Null) => {}
        (Kind::List(of), Value::List(items)) => elements(of, items, &Step::Each, way, visitor),
        (Kind::OneOrList(of), Value::List(items)) => elements(of, items, &Step::OneOrEach, way, visitor),
        (Kind::OneOrList(of), one) => walk(of, one, &way.down(Some(Step::OneOrEach), None), visitor),
        (Kind::Map(of), Value::Object(members)) => {
            for (name, value) in members {
                walk(of, value, &way.down(Some(Step::Values), Some(Key::Member(name.clone()))), visitor);
            }
        }
        (Kind::Record { members, rest }, Value::Object(object)) => record(members, rest, object, way, visitor),
        (Kind::Union(alternatives), value) => {
            let fitting = alternatives.iter().enumerate().find(|(_, ty)| well_formed(ty, value).is_ok());
            if let Some((index, ty)) = fitting {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                walk(ty, value, &way.down(Some(Step::Alternative(index)), None), visitor);
            }
        }
        (Kind::OpaqueJson, _) => {}
        (_, value) => {
            // Every other kind is a leaf.
            if let Some(other) = visitor.leaf(ty, value, way) {
                *value = other;
            }
        }
    }
}

fn elements(of: &Type, items: &mut [Value], step: &Step, way: &Way, visitor: &mut dyn Visitor) {
    for (index, item) in items.iter_mut().enumerate() {
        walk(of, item, &way.down(Some(step.clone()), Some(Key::Index(index))), visitor);
    }
}

fn record(members: &[Member], rest: &Rest, object: &mut Vec<(Box<str>, Value)>, way: &Way, visitor: &mut dyn Visitor) {
    for member in members {
        let below = way.down(Some(Step::Field(member.name.clone())), Some(Key::Member(member.name.clone())));
        match object.iter_mut().find(|(name, _)| *name == member.name) {
            Some((_, value)) => walk(&member.ty, value, &below, visitor),
            None => {
                if let Presence::Defaulted(crate::domain::Default::Value(default)) = &member.presence {
                    visitor.filled(default, &below);
                    object.push((member.name.clone(), default.clone()));
                }
            }
        }
    }
    if let Rest::Typed(ty) = rest {
        for (name, value) in object.iter_mut().filter(|(n, _)| members.iter().all(|m| m.name != *n)) {
            let below = way.down(Some(Step::Field(name.clone())), Some(Key::Member(name.clone())));
            walk(ty, value, &below, visitor);
        }
    }
}

/// Calls `each` with every text that `steps` lead to.
pub(crate) fn texts_at<'v>(value: &'v Value, steps: &[Step], each: &mut dyn FnMut(&'v str)) {
    let Some((step, rest)) = steps.split_first() else {
        if let Value::Text(text) = value {
            each(text);
        }
        return;
    };
    match (step, value) {
        (Step::Each | Step::OneOrEach, Value::List(items)) => items.iter().for_each(|item| texts_at(item, rest, each)),
        (Step::OneOrEach | Step::Alternative(_), value) => texts_at(value, rest, each),
        (Step::Field(name), Value::Object(members)) => {
            members.iter().filter(|(n, _)| n == name).for_each(|(_, value)| texts_at(value, rest, each));
        }
        (Step::Values, Value::Object(members)) => members.iter().for_each(|(_, value)| texts_at(value, rest, each)),
        (Step::Keys, Value::Object(members)) if rest.is_empty() => members.iter().for_each(|(name, _)| each(name)),
        _ => {} // the step leads nowhere in this value
    }
}

/// Puts `value` at `keys`, adding the last member where it is missing.
pub(crate) fn put(root: &mut Value, keys: &[Key], value: Value) {
    let Some((last, way)) = keys.split_last() else {
        *root = value;
        return;
    };
    let mut at = root;
    for key in way {
        let below = match (key, at) {
            (Key::Member(name), Value::Object(members)) => members.iter_mut().find(|(n, _)| n == name).map(|(_, v)| v),
            (Key::Index(index), Value::List(items)) => items.get_mut(*index),
            _ => None, // the key leads nowhere
        };
        let Some(below) = below else { return };
        at = below;
    }
    match (last, at) {
        (Key::Member(name), Value::Object(members)) => match members.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value,
            None => members.push((name.clone(), value)),
        },
        (Key::Index(index), Value::List(items)) => {
            if let Some(old) = items.get_mut(*index) {
                *old = value;
            }
        }
        _ => {} // the key leads nowhere
    }
}
