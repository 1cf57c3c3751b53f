//! A value → the one spelling of what it names, for kinds where one thing has several spellings.

use super::url::{self, Bare};
use super::{Kind, Type, Value, email, host, path};

/// The canonical spelling of `value`, if it is another: of a path that holds `.`, `..` or `//`; of a
/// host, URL or email in lower case with A-labels. `None`: it is spelled so
/// already, its kind has one spelling only, or it is ambiguous.
pub fn canonical(ty: &Type, value: &Value) -> Option<Value> {
    match (&ty.kind, value) {
        (Kind::Path { .. }, Value::Text(text)) => path::canonical(text).map(|text| Value::Text(text.into())),
        (Kind::Host, Value::Text(text)) => other(text, host::canonical(text)),
        (Kind::Url { bare }, Value::Text(text)) => other(text, url::canonical(text, Bare::of(*bare))),
        (Kind::Email, Value::Text(text)) => other(text, email::canonical(text)),
        _ => None, // one spelling, or not a value of the kind
    }
}

fn other(text: &str, canonical: Option<String>) -> Option<Value> {
    canonical.filter(|canonical| canonical != text).map(|canonical| Value::Text(canonical.into()))
}
