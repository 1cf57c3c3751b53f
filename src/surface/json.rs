//! Small builders of JSON values, so that schemas read as they look. Knows nothing of schemas.

use crate::domain::{Decimal, Value};

/// A string.
pub(super) fn text(value: &str) -> Value {
    Value::Text(value.into())
}

/// A whole number.
pub(super) fn count(value: u64) -> Value {
    Value::Number(i64::try_from(value).map_or_else(|_| Decimal::zero(), Decimal::from_i64))
}

/// An array of strings.
pub(super) fn texts<'a>(values: impl IntoIterator<Item = &'a str>) -> Value {
    Value::List(values.into_iter().map(text).collect())
}

/// An object that grows member by member.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Object {
    members: Vec<(Box<str>, Value)>,
}

impl Object {
    /// With one member more.
    #[must_use]
    pub(super) fn with(mut self, key: &str, value: Value) -> Object {
        self.set(key, value);
        self
    }

    /// Sets a member, in place where it is there already.
    pub(super) fn set(&mut self, key: &str, value: Value) {
        match self.members.iter_mut().find(|(k, _)| **k == *key) {
            Some((_, old)) => *old = value,
            None => self.members.push((key.into(), value)),
        }
    }

    /// The member, if it is there.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.members.iter().find(|(k, _)| **k == *key).map(|(_, v)| v)
    }

    /// Takes the member out.
    pub(super) fn remove(&mut self, key: &str) -> Option<Value> {
        let index = self.members.iter().position(|(k, _)| **k == *key)?;
        Some(self.members.remove(index).1)
    }

    /// Whether it has no member.
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The members in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.members.iter().map(|(k, v)| (&**k, v))
    }

    /// As a value.
    pub(super) fn value(self) -> Value {
        Value::Object(self.members)
    }
}
