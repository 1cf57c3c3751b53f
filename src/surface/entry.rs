//! A tool's branches → the entry that a client sees: name, description, narrowed schema. Knows no facts.

use super::branch::{Asked, Branch, Branches, hull};
use super::json::{Object, text, texts};
use super::profile::{Keyword, Profile};
use super::schema::{Writer, any_of, must_stand};
use crate::domain::{Bound, Default, Presence, Slot, Value};
use crate::table::texts::ToolTexts;

/// A schema and why it shows more than is permitted.
pub(super) struct Parameters {
    pub(super) schema: Object,
    pub(super) inexact: Option<String>,
}

/// The schema of a tool's arguments.
pub(super) fn parameters(asked: &Asked<'_>, told: Option<&ToolTexts>, profile: Profile) -> Result<Parameters, Bound> {
    let mut writer = Writer::new(profile);
    let branches = asked.branches(&mut writer.work)?;
    let (root, branches) = match branches {
        Branches::Hull(hull) => {
            writer.wider("which values go together is not shown: there are too many combinations");
            (hull, Vec::new())
        }
        Branches::All(branches) => (hull(&branches), branches),
    };
    if asked.tool.dispatch.is_some() {
        writer.wider("the inner call is decided when it is made");
    }
    let mut schema = object(&mut writer, asked, told, &root)?;
    if branches.len() > 1 {
        if profile.has(Keyword::RootAnyOf) {
            let differing: Result<Vec<Object>, Bound> =
                branches.iter().map(|branch| difference(&mut writer, asked, &root, branch)).collect();
            let Some(Value::List(list)) = any_of(differing?).remove("anyOf") else { return Ok(done(writer, schema)) };
            schema.set("anyOf", Value::List(list));
        } else {
            writer.wider("which values go together is not shown: this client has no alternatives at the root");
        }
    }
    Ok(done(writer, schema))
}

fn done(writer: Writer, schema: Object) -> Parameters {
    let inexact = (!writer.inexact.is_empty()).then(|| writer.inexact.join("; "));
    Parameters { schema, inexact }
}

fn object(writer: &mut Writer, asked: &Asked<'_>, told: Option<&ToolTexts>, root: &Branch) -> Result<Object, Bound> {
    let mut properties = Object::default();
    let mut required: Vec<&str> = Vec::new();
    for (index, member) in asked.tool.arguments.iter().enumerate() {
        let slot = root.slots.get(index).unwrap_or(&Slot::ANY);
        let Some(mut schema) = argument(writer, asked, index, slot)? else { continue };
        if let Some(doc) = told.and_then(|t| t.arguments.get(index)).and_then(Option::as_deref) {
            schema.set("description", text(doc));
        }
        if let Presence::Defaulted(Default::Value(value)) = &member.presence
            && writer.profile.has(Keyword::Default)
            && !must_stand(member, slot, &mut writer.work)?
        {
            schema.set("default", value.clone());
        }
        properties.set(&member.name, schema.value());
        if root.required.get(index).copied().unwrap_or(false) {
            required.push(&member.name);
        }
    }
    let mut schema = Object::default().with("type", text("object")).with("properties", properties.value());
    if !required.is_empty() {
        schema.set("required", texts(required));
    }
    close(writer, asked, &mut schema);
    Ok(schema)
}

fn close(writer: &mut Writer, asked: &Asked<'_>, schema: &mut Object) {
    match asked.tool.undeclared {
        crate::table::model::Undeclared::Forwarded => {}
        crate::table::model::Undeclared::Refused if writer.profile.has(Keyword::Closed) => {
            schema.set("additionalProperties", Value::Bool(false));
        }
        crate::table::model::Undeclared::Refused => writer.wider(super::schema::OTHERS),
    }
}

/// The schema of one argument, with its wildcard where that is permitted; `None`: nothing can stand there.
fn argument(writer: &mut Writer, asked: &Asked<'_>, index: usize, slot: &Slot) -> Result<Option<Object>, Bound> {
    let Some(member) = asked.tool.arguments.get(index) else { return Ok(None) };
    let schema = writer.slot(member, slot)?;
    let open = member.wildcard && !asked.requires_choice(index, slot, &mut writer.work)?;
    Ok(match schema {
        Some(schema) if open => Some(with_word(schema)),
        other => other,
    })
}

/// The schema, or the wildcard.
fn with_word(mut schema: Object) -> Object {
    let word = text("all");
    if let Some(Value::List(values)) = schema.get("enum") {
        let mut values = values.clone();
        values.push(word);
        schema.set("enum", Value::List(values));
        return schema;
    }
    any_of(vec![schema, Object::default().with("type", text("string")).with("enum", Value::List(vec![word]))])
}

/// What a branch says beyond the hull.
fn difference(writer: &mut Writer, asked: &Asked<'_>, root: &Branch, branch: &Branch) -> Result<Object, Bound> {
    let mut properties = Object::default();
    let mut required: Vec<&str> = Vec::new();
    for (index, member) in asked.tool.arguments.iter().enumerate() {
        let slot = branch.slots.get(index).unwrap_or(&Slot::ANY);
        if root.slots.get(index) != Some(slot) {
            let schema = match argument(writer, asked, index, slot)? {
                Some(schema) => schema.value(),
                None => Value::Bool(false),
            };
            properties.set(&member.name, schema);
        }
        let needed = |b: &Branch| b.required.get(index).copied().unwrap_or(false);
        if needed(branch) && !needed(root) {
            required.push(&member.name);
        }
    }
    let mut schema = Object::default();
    if !properties.is_empty() {
        schema.set("properties", properties.value());
    }
    if !required.is_empty() {
        schema.set("required", texts(required));
    }
    Ok(schema)
}
