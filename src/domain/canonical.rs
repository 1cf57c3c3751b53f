//! A value → the one spelling of what it names, for kinds where one thing has several spellings.

use super::{Kind, Type, Value, path};

/// The canonical spelling of `value`, if it is another: of a path that holds `.`, `..` or `//`. `None`: it is spelled so
/// already, its kind has one spelling only, or it is ambiguous.
pub fn canonical(ty: &Type, value: &Value) -> Option<Value> {
    match (&ty.kind, value) {
        (Kind::Path { .. }, Value::Text(text)) => path::canonical(text).map(|text| Value::Text(text.into())),
        _ => None, // one spelling, or not a value of the kind
    }
}
