//! A schema → values that it should admit, each with values that break one keyword of it. Nothing here is trusted: a
//! validator that knows nothing of this project says which of them the schema really admits.

use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// A value, and others that differ from it by one keyword broken.
#[derive(Clone)]
pub struct Sample {
    pub value: Value,
    pub broken: Vec<Broken>,
}

/// A value in which one keyword is broken.
#[derive(Clone)]
pub struct Broken {
    /// Where in the schema, as a pointer, the keyword last.
    pub keyword: String,
    pub value: Value,
}

const DEPTH: usize = 7;
/// How many samples of one schema are kept.
const WIDTH: usize = 12;

/// How many ways to break one keyword are kept.
const WAYS: usize = 4;

/// Texts that patterns of the wild ask for.
const TEXTS: [&str; 14] = [
    "abc",
    "a",
    "a-1",
    "https://example.com/a",
    "550e8400-e29b-41d4-a716-446655440000",
    "2024-01-02T03:04:05Z",
    "2024-01-02",
    "12:30",
    "example.com",
    "app=web",
    "a/b",
    "user@example.com",
    "12345",
    "AB12",
];

/// Samples of a schema, the plainest first.
pub fn of(schema: &Value, root: &Value, at: &str, depth: usize) -> Vec<Sample> {
    let mut samples = all(schema, root, at, depth);
    samples.truncate(WIDTH);
    let mut counts: HashMap<String, usize> = HashMap::new();
    for sample in &mut samples {
        sample.broken.retain(|broken| {
            let count = counts.entry(broken.keyword.clone()).or_default();
            *count += 1;
            *count <= WAYS
        });
    }
    samples
}

fn all(schema: &Value, root: &Value, at: &str, depth: usize) -> Vec<Sample> {
    if depth > DEPTH {
        return Vec::new();
    }
    if let Some(target) = schema["$ref"].as_str() {
        let pointer = target.trim_start_matches('#');
        return root.pointer(pointer).map_or_else(Vec::new, |found| of(found, root, pointer, depth + 1));
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(parts) = schema[keyword].as_array() {
            let each = parts.iter().enumerate();
            let mut found: Vec<Sample> = each
                .flat_map(|(i, part)| of(&beside(schema, keyword, part), root, &format!("{at}/{keyword}/{i}"), depth + 1))
                .collect();
            found.sort_by_key(|sample| usize::from(sample.value.is_null()));
            return found;
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let merged = parts.iter().fold(schema.clone(), |all, part| beside(&all, "allOf", part));
        return of(&merged, root, at, depth + 1);
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        _ if schema.get("properties").is_some() || schema.get("additionalProperties").is_some() => vec!["object"],
        _ => vec![],
    };
    if let Some(values) = schema["enum"].as_array() {
        return closed(values, &format!("{at}/enum"));
    }
    if let Some(value) = schema.get("const") {
        return closed(std::slice::from_ref(value), &format!("{at}/const"));
    }
    if kinds.is_empty() {
        return vec![plain(json!("anything")), plain(json!({ "a": 1 })), plain(json!(3))];
    }
    kinds.iter().flat_map(|kind| of_kind(kind, schema, root, at, depth)).collect()
}

/// The alternative with what stands beside it.
fn beside(schema: &Value, keyword: &str, part: &Value) -> Value {
    let (Some(outer), Some(part)) = (schema.as_object(), part.as_object()) else { return part.clone() };
    let mut merged: Map<String, Value> = outer.clone();
    merged.remove(keyword);
    for (key, value) in part {
        match (key.as_str(), merged.get_mut(key), value) {
            ("properties", Some(Value::Object(known)), Value::Object(more)) => known.extend(more.clone()),
            ("required", Some(Value::Array(known)), Value::Array(more)) => known.extend(more.clone()),
            _ => drop(merged.insert(key.clone(), value.clone())),
        }
    }
    Value::Object(merged)
}

fn plain(value: Value) -> Sample {
    Sample { value, broken: Vec::new() }
}

fn closed(values: &[Value], keyword: &str) -> Vec<Sample> {
    let others = [json!("no such value"), json!(987_654_321), json!(true), json!({})];
    let broken: Vec<Broken> = others.iter().map(|value| broken(keyword.to_owned(), value.clone())).collect();
    values.iter().take(4).map(|value| Sample { value: value.clone(), broken: broken.clone() }).collect()
}

fn broken(keyword: String, value: Value) -> Broken {
    Broken { keyword, value }
}

fn of_kind(kind: &str, schema: &Value, root: &Value, at: &str, depth: usize) -> Vec<Sample> {
    let mut found = match kind {
        "null" => vec![plain(Value::Null)],
        "boolean" => vec![plain(json!(true)), plain(json!(false))],
        "string" => texts(schema, at),
        "integer" | "number" => numbers(kind, schema, at),
        "array" => arrays(schema, root, at, depth),
        "object" => objects(schema, root, at, depth),
        _ => Vec::new(),
    };
    let odd = [json!("x y"), json!(1.5), json!([]), json!({}), json!(false)];
    for sample in &mut found {
        sample.broken.extend(odd.iter().map(|value| broken(format!("{at}/type"), value.clone())));
    }
    found
}

fn texts(schema: &Value, at: &str) -> Vec<Sample> {
    let low = schema["minLength"].as_u64().unwrap_or(0);
    let high = schema["maxLength"].as_u64().unwrap_or(u64::MAX);
    let pattern = schema["pattern"].as_str().and_then(|source| regex::Regex::new(source).ok());
    let fits = |text: &str| {
        let count = text.chars().count() as u64;
        (low..=high).contains(&count) && pattern.as_ref().is_none_or(|pattern| pattern.is_match(text))
    };
    let long = "a".repeat(usize::try_from(low).unwrap_or(0));
    let Some(value) = TEXTS.iter().copied().chain([long.as_str(), ""]).find(|text| fits(text)) else { return Vec::new() };
    let mut wrong = Vec::new();
    if low > 0 {
        let short = "a".repeat(usize::try_from(low - 1).unwrap_or(0));
        wrong.push(broken(format!("{at}/minLength"), json!(short)));
    }
    if high < 1 << 20 {
        wrong.push(broken(format!("{at}/maxLength"), json!("a".repeat(usize::try_from(high + 1).unwrap_or(0)))));
    }
    if pattern.is_some() {
        let odd = ["", "%$# !", "\n", "ü"].map(str::to_owned).into_iter();
        let near = [format!("{value}\n"), format!(" {value}"), format!("{value}!!")].into_iter();
        wrong.extend(odd.chain(near).map(|text| broken(format!("{at}/pattern"), json!(text))));
    }
    vec![Sample { value: json!(value), broken: wrong }]
}

fn numbers(kind: &str, schema: &Value, at: &str) -> Vec<Sample> {
    let bound = |name: &str| schema[name].as_f64();
    let low = bound("minimum").or(bound("exclusiveMinimum").map(|n| n + 1.0));
    let high = bound("maximum").or(bound("exclusiveMaximum").map(|n| n - 1.0));
    let value = match (low, high) {
        (Some(low), Some(high)) if low > high => return Vec::new(),
        (Some(low), _) => low.max(-9e15),
        (None, Some(high)) => high.min(1.0),
        (None, None) => 1.0,
    };
    let number = |n: f64| if n.fract() == 0.0 && n.abs() < 9e15 { json!(n as i64) } else { json!(n) };
    let mut wrong = Vec::new();
    for (name, step) in [("minimum", -1.0), ("maximum", 1.0), ("exclusiveMinimum", 0.0), ("exclusiveMaximum", 0.0)] {
        if let Some(end) = bound(name).filter(|end| end.abs() < 9e15) {
            wrong.push(broken(format!("{at}/{name}"), number(end + step)));
        }
    }
    if kind == "integer" {
        wrong.push(broken(format!("{at}/type"), json!(value + 0.5)));
    }
    vec![Sample { value: number(value), broken: wrong }]
}

fn arrays(schema: &Value, root: &Value, at: &str, depth: usize) -> Vec<Sample> {
    let low = usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).unwrap_or(0);
    let inner = match schema.get("items") {
        Some(items) if items.is_object() => of(items, root, &format!("{at}/items"), depth + 1),
        _ => vec![plain(json!("x"))],
    };
    let mut found: Vec<Sample> = inner.iter().map(|sample| list(sample, low.max(1), schema, at)).collect();
    if low == 0 {
        found.push(plain(json!([])));
    }
    found
}

fn list(sample: &Sample, count: usize, schema: &Value, at: &str) -> Sample {
    let many = |n: usize| Value::Array(vec![sample.value.clone(); n]);
    let mut wrong: Vec<Broken> = sample
        .broken
        .iter()
        .map(|inner| {
            let mut items = vec![sample.value.clone(); count];
            items[count - 1] = inner.value.clone();
            broken(inner.keyword.clone(), Value::Array(items))
        })
        .collect();
    if let Some(low) = schema["minItems"].as_u64().filter(|low| *low > 0) {
        wrong.push(broken(format!("{at}/minItems"), many(usize::try_from(low - 1).unwrap_or(0))));
    }
    if let Some(high) = schema["maxItems"].as_u64() {
        wrong.push(broken(format!("{at}/maxItems"), many(usize::try_from(high + 1).unwrap_or(0))));
    }
    Sample { value: many(count), broken: wrong }
}

fn objects(schema: &Value, root: &Value, at: &str, depth: usize) -> Vec<Sample> {
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let required: Vec<&str> =
        schema["required"].as_array().map_or(vec![], |all| all.iter().filter_map(Value::as_str).collect());
    let parts: Vec<(&String, Vec<Sample>)> = properties
        .iter()
        .map(|(name, inner)| (name, of(inner, root, &format!("{at}/properties/{name}"), depth + 1)))
        .collect();
    if parts.iter().any(|(name, samples)| samples.is_empty() && required.contains(&name.as_str())) {
        return Vec::new();
    }
    let mut whole = Map::new();
    for (name, samples) in &parts {
        samples.first().map(|sample| whole.insert((*name).clone(), sample.value.clone()));
    }
    for name in required.iter().filter(|name| !properties.contains_key(**name)) {
        whole.insert((*name).to_owned(), json!("x"));
    }
    free(schema, root, at, depth, &mut whole);
    let with = |name: &str, value: &Value| {
        let mut all = whole.clone();
        all.insert(name.to_owned(), value.clone());
        Value::Object(all)
    };
    let mut full = plain(Value::Object(whole.clone()));
    for (name, samples) in &parts {
        for inner in samples.iter().flat_map(|sample| &sample.broken) {
            full.broken.push(broken(inner.keyword.clone(), with(name, &inner.value)));
        }
    }
    let mut least = whole.clone();
    least.retain(|name, _| required.contains(&name.as_str()));
    for name in &required {
        for from in [&whole, &least] {
            let mut without = from.clone();
            without.remove(*name);
            full.broken.push(broken(format!("{at}/required/{name}"), Value::Object(without)));
        }
    }
    if schema.get("additionalProperties").is_some_and(|more| more != &json!(true)) {
        for value in [json!(1), json!("x"), json!({}), json!([[]])] {
            full.broken.push(broken(format!("{at}/additionalProperties"), with("no such member", &value)));
        }
    }
    if schema.get("propertyNames").is_some() {
        for name in ["", "%$ !", "\u{1}"] {
            let value = whole.values().next().cloned().unwrap_or(json!("x"));
            full.broken.push(broken(format!("{at}/propertyNames"), with(name, &value)));
        }
    }
    let mut found = vec![full, plain(Value::Object(least))];
    for (name, samples) in &parts {
        found.extend(samples.iter().skip(1).map(|sample| plain(with(name, &sample.value))));
    }
    found
}

/// Members that the schema does not name, where it types them.
fn free(schema: &Value, root: &Value, at: &str, depth: usize, whole: &mut Map<String, Value>) {
    let Some(typed) = schema.get("additionalProperties").filter(|more| more.is_object()) else { return };
    let place = format!("{at}/additionalProperties");
    if let Some(sample) = of(typed, root, &place, depth + 1).into_iter().next() {
        whole.insert("other".to_owned(), sample.value);
    }
}
