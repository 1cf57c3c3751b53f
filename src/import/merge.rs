//! Two schemas that both hold → one schema. What cannot be said in one stays apart under `allOf`. Knows no types.

use crate::domain::{Decimal, Value};

/// Members of a schema, by keyword.
pub(super) type Keywords = Vec<(Box<str>, Value)>;

/// The keywords of both; where both say something of a value, the stricter holds, and `b` speaks where it is prose.
pub(super) fn both(a: &Keywords, b: &Keywords) -> Keywords {
    let (a, b) = closed(a, b);
    let mut merged = a;
    for (keyword, value) in b {
        match merged.iter().position(|(name, _)| *name == keyword) {
            None => merged.push((keyword, value)),
            Some(at) => {
                let (_, before) = merged.remove(at);
                insert(&mut merged, &keyword, before, value);
            }
        }
    }
    merged
}

fn insert(merged: &mut Keywords, keyword: &str, before: Value, after: Value) {
    let value = match keyword {
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => extreme(before, after, Pick::Greater),
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => extreme(before, after, Pick::Less),
        "required" => listed(before, after),
        "enum" => common(&before, &after),
        "properties" | "$defs" | "definitions" | "patternProperties" => members(before, after),
        "type" => kinds(&before, &after),
        "pattern" => listed(one_list(before), one_list(after)),
        "items" | "propertyNames" | "additionalProperties" if before != after => all_of(before, after),
        "allOf" => listed(before, after),
        "const" if before != after => {
            merged.push(("enum".into(), Value::List(Vec::new())));
            before
        }
        "anyOf" | "oneOf" if before != after => {
            let other = if keyword == "anyOf" { "oneOf" } else { "anyOf" };
            match merged.iter().any(|(name, _)| &**name == other) {
                true => merged.push((format!("{keyword} beside {keyword}").into(), after)),
                false => merged.push((other.into(), after)),
            }
            before
        }
        _ => after, // prose, defaults, and what is looked at no further
    };
    merged.push((keyword.into(), value));
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pick {
    Greater,
    Less,
}

fn extreme(a: Value, b: Value, pick: Pick) -> Value {
    let number = |value: &Value| -> Option<Decimal> { if let Value::Number(it) = value { Some(it.clone()) } else { None } };
    match (number(&a), number(&b)) {
        (Some(x), Some(y)) if (x < y) == (pick == Pick::Greater) => b,
        (None, Some(_)) => b,
        _ => a, // the stricter already, or no number at all
    }
}

fn one_list(value: Value) -> Value {
    if let Value::List(_) = value { value } else { Value::List(vec![value]) }
}

fn listed(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::List(mut all), Value::List(more)) => {
            all.extend(more);
            all.dedup();
            Value::List(all)
        }
        (a, _) => a, // of another shape, reported where it is read
    }
}

fn common(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::List(a), Value::List(b)) => Value::List(a.iter().filter(|value| b.contains(value)).cloned().collect()),
        (a, _) => a.clone(), // of another shape, reported where it is read
    }
}

fn kinds(a: &Value, b: &Value) -> Value {
    let names = |value: &Value| match value {
        Value::List(all) => all.clone(),
        one => vec![one.clone()], // a single kind
    };
    let has = |all: &[Value], name: &str| all.iter().any(|value| matches!(value, Value::Text(text) if &**text == name));
    let (a, b) = (names(a), names(b));
    let admitted = |value: &Value, other: &[Value]| match value {
        Value::Text(name) if &**name == "integer" => has(other, "integer") || has(other, "number"),
        value => other.contains(value),
    };
    let mut meet: Vec<Value> = a.iter().filter(|value| admitted(value, &b)).cloned().collect();
    meet.extend(b.iter().filter(|value| admitted(value, &a) && !a.contains(value)).cloned());
    Value::List(meet)
}

fn all_of(a: Value, b: Value) -> Value {
    match (&a, &b) {
        (Value::Bool(false), _) | (_, Value::Bool(true)) => a,
        (Value::Bool(true), _) | (_, Value::Bool(false)) => b,
        _ => Value::Object(vec![("allOf".into(), Value::List(vec![a, b]))]), // two schemas
    }
}

fn members(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Object(mut all), Value::Object(more)) => {
            for (name, value) in more {
                match all.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, before)) if *before != value => *before = all_of(std::mem::replace(before, Value::Null), value),
                    Some(_) => {}
                    None => all.push((name, value)),
                }
            }
            Value::Object(all)
        }
        (a, _) => a, // of another shape, reported where it is read
    }
}

/// A schema that closes its object closes it to the members of the other too.
fn closed(a: &Keywords, b: &Keywords) -> (Keywords, Keywords) {
    (narrowed(a, b), narrowed(b, a))
}

/// `a` with those of its properties that `b` does not name put under what `b` says of others.
fn narrowed(a: &Keywords, b: &Keywords) -> Keywords {
    let find = |all: &Keywords, name: &str| all.iter().find(|(key, _)| &**key == name).map(|(_, value)| value.clone());
    let Some(others) = find(b, "additionalProperties").filter(|others| *others != Value::Bool(true)) else {
        return a.clone();
    };
    let Some(Value::Object(properties)) = find(a, "properties") else { return a.clone() };
    let named: Vec<Box<str>> = match find(b, "properties") {
        Some(Value::Object(named)) => named.into_iter().map(|(name, _)| name).collect(),
        _ => Vec::new(), // it names none
    };
    let properties = properties
        .into_iter()
        .map(|(name, schema)| if named.contains(&name) { (name, schema) } else { (name, all_of(schema, others.clone())) })
        .collect();
    let mut narrowed: Keywords = a.iter().filter(|(key, _)| &**key != "properties").cloned().collect();
    narrowed.push(("properties".into(), Value::Object(properties)));
    narrowed
}
