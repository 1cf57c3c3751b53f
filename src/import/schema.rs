//! A JSON Schema → a type of this language: which kinds, which values, which alternatives. What the language cannot say is
//! admitted wider and noted; nothing is dropped in silence. Must not know tools.

use super::listing::{get, text};
use super::merge::{self, Keywords};
use super::notes::{Note, Topic};
use super::{choice, scalar};
use crate::domain::{Kind, Type, Value, well_formed};
use std::collections::BTreeMap;

/// How deep types nest at most; below it any value is admitted.
const MAX_DEPTH: usize = 16;
/// How many schemas of one tool are looked at, references followed.
const MAX_NODES: usize = 20_000;

/// What a schema admits.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    /// Values of a type.
    Of(Type),
    /// `null` alone.
    Null,
    /// Nothing.
    Never,
}

/// One tool's schemas on their way.
pub(super) struct Reading<'a> {
    /// The whole `inputSchema`, in which references point.
    pub root: &'a Value,
    tool: &'a str,
    place: Vec<String>,
    following: Vec<Box<str>>,
    depth: usize,
    nodes: usize,
    /// What was remarked.
    pub notes: Vec<Note>,
    /// What the server says of members, by their way; `None` where two alternatives say different things.
    pub docs: BTreeMap<String, Option<Box<str>>>,
}

/// Any JSON value.
pub(super) fn anything() -> Type {
    plain(Kind::OpaqueJson)
}

/// A kind, not null and not refined.
pub(super) fn plain(kind: Kind) -> Type {
    Type { kind, null: false, refinement: None }
}

/// The text or number `keyword` of a schema.
pub(super) fn find<'a>(keywords: &'a Keywords, keyword: &str) -> Option<&'a Value> {
    keywords.iter().find(|(name, _)| &**name == keyword).map(|(_, value)| value)
}

impl<'a> Reading<'a> {
    pub fn new(tool: &'a str, root: &'a Value) -> Reading<'a> {
        let (place, following, notes) = (Vec::new(), Vec::new(), Vec::new());
        Reading { root, tool, place, following, depth: 0, nodes: 0, notes, docs: BTreeMap::new() }
    }

    /// A remark on where the reading stands.
    pub fn note(&mut self, topic: Topic, text: impl Into<String>) {
        let note = Note { tool: self.tool.to_owned(), place: self.place.join("."), topic, text: text.into() };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Remarks are on the member `name` from here on.
    pub fn enter(&mut self, name: &str) {
        self.place.push(name.to_owned());
    }

    /// Back out of the member.
    pub fn leave(&mut self) {
        self.place.pop();
    }

    /// Reads the schema of the member `name`.
    pub fn member(&mut self, name: &str, schema: &Value) -> Meaning {
        self.place.push(name.to_owned());
        let meaning = self.meaning(schema);
        if let Some(doc) = get(schema, "description").and_then(text) {
            let way = self.place.join(".");
            let known = self.docs.entry(way).or_insert_with(|| Some(doc.into()));
            if known.as_deref() != Some(doc) {
                *known = None;
            }
        }
        self.place.pop();
        meaning
    }

    /// What the schema admits.
    pub fn meaning(&mut self, schema: &Value) -> Meaning {
        self.nodes += 1;
        if self.depth >= MAX_DEPTH || self.nodes > MAX_NODES {
            self.note(Topic::Wider, "it is too deep or too large to be written out: any value is admitted here");
            return Meaning::Of(anything());
        }
        self.depth += 1;
        let meaning = match schema {
            Value::Bool(true) => Meaning::Of(anything()),
            Value::Bool(false) => Meaning::Never,
            Value::Object(keywords) => self.keywords(keywords),
            Value::Null | Value::Number(_) | Value::Text(_) | Value::List(_) => {
                self.note(Topic::Wider, "what stands here is no schema: any value is admitted");
                Meaning::Of(anything())
            }
        };
        self.depth -= 1;
        meaning
    }

    fn keywords(&mut self, keywords: &Keywords) -> Meaning {
        if let Some(Value::Text(target)) = find(keywords, "$ref") {
            return self.reference(&target.clone(), keywords);
        }
        if let Some(Value::List(parts)) = find(keywords, "allOf") {
            return self.all_of(parts, keywords);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::List(alternatives)) = find(keywords, keyword) {
                return self.alternatives(keyword, alternatives, keywords);
            }
        }
        self.unsaid(keywords);
        self.simple(keywords)
    }

    /// Follows a reference into this document; what stands beside it holds too.
    fn reference(&mut self, target: &str, keywords: &Keywords) -> Meaning {
        let Some(found) = pointed(self.root, target) else {
            self.note(Topic::Wider, format!("`$ref` {target:?} leads to nothing in this schema: any value is admitted"));
            return Meaning::Of(anything());
        };
        if self.following.iter().any(|open| **open == *target) {
            self.note(Topic::Wider, "it contains itself: it is written out once, and from there on anything is admitted");
            return Meaning::Of(if is_object(found) { scalar::any_object() } else { anything() });
        }
        let beside: Keywords = without(keywords, "$ref");
        let merged = match (found, beside.iter().all(|(name, _)| is_prose(name))) {
            (Value::Object(target), false) => Value::Object(merge::both(target, &beside)),
            (target, _) => target.clone(), // nothing beside it that narrows
        };
        self.following.push(target.into());
        let meaning = self.meaning(&merged);
        self.following.pop();
        meaning
    }

    fn all_of(&mut self, parts: &[Value], keywords: &Keywords) -> Meaning {
        let mut merged = without(keywords, "allOf");
        for part in parts {
            match self.resolved(part) {
                Some(Value::Object(part)) => merged = merge::both(&part, &merged),
                Some(Value::Bool(false)) => return Meaning::Never,
                Some(_) => {}
                None => self.note(Topic::Wider, "a part of `allOf` refers to nothing, or to itself, and is left out"),
            }
        }
        self.meaning(&Value::Object(merged))
    }

    /// A part of `allOf` with a reference at its top followed.
    fn resolved(&self, part: &Value) -> Option<Value> {
        let mut part = part.clone();
        for _ in 0..MAX_DEPTH {
            let Some(target) = get(&part, "$ref").and_then(text).map(str::to_owned) else { return Some(part) };
            let found = pointed(self.root, &target)?;
            let Value::Object(beside) = &part else { return Some(part) };
            part = match found {
                Value::Object(found) => Value::Object(merge::both(found, &without(beside, "$ref"))),
                other => other.clone(), // `true`, `false`
            };
        }
        None
    }

    fn alternatives(&mut self, keyword: &str, alternatives: &[Value], keywords: &Keywords) -> Meaning {
        let beside = without(keywords, keyword);
        let narrows = beside.iter().any(|(name, _)| !is_prose(name) && &**name != "nullable");
        let mut found = Vec::new();
        for alternative in alternatives {
            let merged = match (narrows, self.resolved(alternative)) {
                (true, Some(Value::Object(own))) => Value::Object(merge::both(&beside, &own)),
                _ => alternative.clone(), // read as it stands, its references followed on the way
            };
            found.push(self.meaning(&merged));
        }
        if find(keywords, "nullable") == Some(&Value::Bool(true)) {
            found.push(Meaning::Null);
        }
        choice::any_of(self, found)
    }

    /// Notes the keywords that narrow and that the language does not have.
    pub(super) fn unsaid(&mut self, keywords: &Keywords) {
        const UNSAID: [&str; 14] = [
            "not",
            "if",
            "contains",
            "minContains",
            "maxContains",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
            "prefixItems",
            "unevaluatedProperties",
            "unevaluatedItems",
            "$dynamicRef",
            "anyOf beside anyOf",
            "oneOf beside oneOf",
        ];
        let unsaid: Vec<String> = keywords
            .iter()
            .filter(|(name, value)| UNSAID.contains(&&**name) && *value != Value::Bool(true))
            .map(|(name, _)| name.to_string())
            .chain((find(keywords, "uniqueItems") == Some(&Value::Bool(true))).then(|| "uniqueItems".to_owned()))
            .collect();
        for name in unsaid {
            self.note(Topic::Wider, format!("`{name}` cannot be said in this language"));
        }
    }

    /// A schema without references and alternatives.
    fn simple(&mut self, keywords: &Keywords) -> Meaning {
        let kinds = Kinds::of(keywords);
        let mut found: Vec<Meaning> = Vec::new();
        if kinds.any {
            found.push(Meaning::Of(anything()));
        }
        for name in &kinds.names {
            found.push(self.kind(name, keywords));
        }
        if kinds.null {
            found.push(Meaning::Null);
        }
        let base = choice::any_of(self, found);
        let mut meaning = base;
        if let Some(Value::List(values)) = find(keywords, "enum") {
            meaning = self.listed(values, &meaning);
        }
        if let Some(value) = find(keywords, "const") {
            meaning = self.listed(std::slice::from_ref(value), &meaning);
        }
        meaning
    }

    fn kind(&mut self, name: &str, keywords: &Keywords) -> Meaning {
        match name {
            "boolean" => Meaning::Of(plain(Kind::Bool)),
            "string" => scalar::string(self, keywords),
            "number" | "integer" => scalar::number(self, name, keywords),
            "array" => self.array(keywords),
            "object" => self.object(keywords),
            unknown => {
                self.note(Topic::Wider, format!("`type` {unknown:?} is none that JSON Schema has: any value is admitted"));
                Meaning::Of(anything())
            }
        }
    }

    /// Those of the values that the rest of the schema admits.
    fn listed(&mut self, values: &[Value], base: &Meaning) -> Meaning {
        let admitted = |value: &&Value| match base {
            Meaning::Of(ty) => well_formed(ty, value).is_ok(),
            Meaning::Null => **value == Value::Null,
            Meaning::Never => false,
        };
        let mut scalars: Vec<Value> = Vec::new();
        let mut found: Vec<Meaning> = Vec::new();
        for value in values.iter().filter(admitted) {
            match value {
                Value::Null => found.push(Meaning::Null),
                Value::Bool(_) | Value::Number(_) | Value::Text(_) if scalars.contains(value) => {}
                Value::Bool(_) | Value::Number(_) | Value::Text(_) => scalars.push(value.clone()),
                Value::List(_) | Value::Object(_) => match scalar::exactly(value) {
                    Some(ty) => found.push(Meaning::Of(ty)),
                    None => {
                        self.note(Topic::Wider, "a list as the one value cannot be said in this language");
                        found.push(Meaning::Of(plain(Kind::List(Box::new(anything())))));
                    }
                },
            }
        }
        if !scalars.is_empty() {
            found.insert(0, Meaning::Of(plain(Kind::Enum(scalars))));
        }
        choice::any_of(self, found)
    }
}

/// The kinds of values that a schema speaks of.
struct Kinds {
    names: Vec<String>,
    null: bool,
    any: bool,
}

impl Kinds {
    fn of(keywords: &Keywords) -> Kinds {
        let mut kinds =
            Kinds { names: Vec::new(), null: find(keywords, "nullable") == Some(&Value::Bool(true)), any: false };
        match find(keywords, "type") {
            Some(Value::Text(name)) => kinds.add(name),
            Some(Value::List(names)) => names.iter().filter_map(text).for_each(|name| kinds.add(name)),
            _ => kinds.guess(keywords), // it does not say
        }
        kinds
    }

    fn add(&mut self, name: &str) {
        match name {
            "null" => self.null = true,
            "any" => self.any = true,
            name if !self.names.iter().any(|known| known == name) => self.names.push(name.to_owned()),
            _ => {} // said twice
        }
    }

    /// Without `type`, what the other keywords speak of is what is meant.
    fn guess(&mut self, keywords: &Keywords) {
        let has = |names: &[&str]| names.iter().any(|name| find(keywords, name).is_some());
        if has(&["properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties"]) {
            self.add("object");
        }
        if has(&["items", "minItems", "maxItems", "prefixItems"]) {
            self.add("array");
        }
        if has(&["pattern", "minLength", "maxLength"]) {
            self.add("string");
        }
        if has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) {
            self.add("number");
        }
        self.any = self.names.is_empty();
    }
}

/// What narrows nothing.
fn is_prose(keyword: &str) -> bool {
    matches!(
        keyword,
        "description"
            | "title"
            | "default"
            | "examples"
            | "example"
            | "$comment"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$schema"
            | "$id"
            | "$anchor"
            | "$defs"
            | "definitions"
            | "format"
            | "discriminator"
    ) || keyword.starts_with("x-")
}

fn without(keywords: &Keywords, keyword: &str) -> Keywords {
    keywords.iter().filter(|(name, _)| &**name != keyword).cloned().collect()
}

fn is_object(schema: &Value) -> bool {
    get(schema, "type").and_then(text) == Some("object") || get(schema, "properties").is_some()
}

/// What a reference into this document points at.
fn pointed<'a>(root: &'a Value, target: &str) -> Option<&'a Value> {
    let pointer = target.strip_prefix('#')?;
    if pointer.is_empty() {
        return Some(root);
    }
    pointer.strip_prefix('/')?.split('/').try_fold(root, |at, step| {
        let step = percent_decoded(step).replace("~1", "/").replace("~0", "~");
        match at {
            Value::Object(_) => get(at, &step),
            Value::List(items) => items.get(step.parse::<usize>().ok()?),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => None,
        }
    })
}

/// The fragment of a URI: `%24defs` is `$defs`.
fn percent_decoded(step: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = step.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match hex.filter(|_| *first == b'%').and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| step.to_owned())
}
