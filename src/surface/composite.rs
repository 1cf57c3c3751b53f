//! Lists, maps, records, unions and argument vectors under sets → JSON Schemas, by the schemas of what they are made of.

use super::json::{Object, count, text, texts};
use super::profile::Keyword;
use super::schema::{OTHERS, Writer, any_of, meet, must_stand, size_keywords};
use crate::domain::{Atom, Bound, Kind, Member, Rest, Set, Slot, Type, Value, is_empty};

impl Writer {
    pub(super) fn list(&mut self, element: &Type, parts: &[&Set]) -> Result<Object, Bound> {
        let mut each = Vec::new();
        let mut schema = Object::default().with("type", text("array"));
        let mut others = Vec::new();
        for part in parts {
            match part {
                Set::Atom(Atom::Each(set)) => each.push((**set).clone()),
                Set::Atom(Atom::Size(size)) => {
                    others.push(size_keywords("minItems", "maxItems", *size));
                }
                Set::Any => {}
                other => others.push(self.constraint(&Kind::List(Box::new(element.clone())), other)?),
            }
        }
        let items = self.schema(element, &Set::And(each))?;
        schema.set("items", items.value());
        Ok(self.joined(schema, others))
    }

    pub(super) fn map(&mut self, value: &Type, parts: &[&Set]) -> Result<Object, Bound> {
        let (mut keys, mut values, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            match part {
                Set::Atom(Atom::Keys(set)) => keys.push((**set).clone()),
                Set::Atom(Atom::Values(set)) => values.push((**set).clone()),
                Set::Atom(Atom::Size(size)) => {
                    others.push(self.sizes(Keyword::MapSizes, "minProperties", "maxProperties", *size));
                }
                Set::Any => {}
                other => others.push(self.constraint(&Kind::Map(Box::new(value.clone())), other)?),
            }
        }
        let mut schema = Object::default().with("type", text("object"));
        if !keys.is_empty() && self.can(Keyword::PropertyNames, "this client cannot limit the keys of a map") {
            let text_type = Type { kind: Kind::Text { by_pattern: true }, null: false, refinement: None };
            let mut names = self.schema(&text_type, &Set::And(keys))?;
            names.remove("type");
            schema.set("propertyNames", names.value());
        }
        if self.can(Keyword::Closed, "this client cannot describe the values of a map") {
            let values = self.schema(value, &Set::And(values))?;
            schema.set("additionalProperties", values.value());
        }
        Ok(self.joined(schema, others))
    }

    pub(super) fn record(&mut self, members: &[Member], rest: &Rest, parts: &[&Set]) -> Result<Object, Bound> {
        let kind = Kind::Record { members: members.to_vec(), rest: rest.clone() };
        let mut others = Vec::new();
        let mut fields: Vec<(&str, &Slot)> = Vec::new();
        for part in parts {
            match part {
                Set::Atom(Atom::Field(name, slot)) => fields.push((name, slot)),
                Set::Any => {}
                other => others.push(self.constraint(&kind, other)?),
            }
        }
        let mut properties = Object::default();
        let mut required: Vec<&str> = Vec::new();
        for member in members {
            let slot = meet(fields.iter().filter(|(name, _)| **name == *member.name).map(|(_, slot)| *slot));
            match self.slot(member, &slot)? {
                Some(schema) => properties.set(&member.name, schema.value()),
                None if *rest != Rest::Closed => {
                    let nothing = self.nothing();
                    properties.set(&member.name, nothing.value());
                }
                None => {}
            }
            if must_stand(member, &slot, &mut self.work)? {
                required.push(&member.name);
            }
        }
        let mut schema = Object::default().with("type", text("object")).with("properties", properties.value());
        if !required.is_empty() {
            schema.set("required", texts(required));
        }
        self.rest(rest, &mut schema)?;
        Ok(self.joined(schema, others))
    }

    fn rest(&mut self, rest: &Rest, schema: &mut Object) -> Result<(), Bound> {
        let value = match rest {
            Rest::Closed => Value::Bool(false),
            Rest::Open => return Ok(()),
            Rest::Typed(ty) => self.schema(ty, &Set::Any)?.value(),
        };
        if self.profile.has(Keyword::Closed) {
            schema.set("additionalProperties", value);
        } else {
            self.wider(OTHERS);
        }
        Ok(())
    }

    pub(super) fn union(&mut self, alternatives: &[Type], parts: &[&Set]) -> Result<Object, Bound> {
        let mut branches = Vec::new();
        for (index, alternative) in alternatives.iter().enumerate() {
            let of_this = |set: &Set| {
                specialise(set, &|atom| match atom {
                    Atom::Alternative(which, set) if usize::try_from(*which).is_ok_and(|w| w == index) => (**set).clone(),
                    _of_another_alternative => Set::Never,
                })
            };
            let set = Set::And(parts.iter().map(|part| of_this(part)).collect());
            if !is_empty(alternative, &set, &mut self.work)? {
                branches.push(self.schema(alternative, &set)?);
            }
        }
        Ok(any_of(branches))
    }

    pub(super) fn one_or_list(&mut self, element: &Type, parts: &[&Set]) -> Result<Object, Bound> {
        let of_one = |set: &Set| {
            specialise(set, &|atom| match atom {
                Atom::OneOrEach(set, _) => (**set).clone(),
                _about_lists => Set::Never,
            })
        };
        let of_list = |set: &Set| {
            specialise(set, &|atom| match atom {
                Atom::OneOrEach(set, size) => {
                    Set::And(vec![Set::Atom(Atom::Each(set.clone())), Set::Atom(Atom::Size(*size))])
                }
                other => Set::Atom(other.clone()),
            })
        };
        let one = Set::And(parts.iter().map(|part| of_one(part)).collect());
        let list = Set::And(parts.iter().map(|part| of_list(part)).collect());
        let list_type = Type { kind: Kind::List(Box::new(element.clone())), null: false, refinement: None };
        let mut branches = Vec::new();
        if !is_empty(element, &one, &mut self.work)? {
            branches.push(self.schema(element, &one)?);
        }
        if !is_empty(&list_type, &list, &mut self.work)? {
            branches.push(self.schema(&list_type, &list)?);
        }
        Ok(any_of(branches))
    }

    pub(super) fn argv(&mut self, parts: &[&Set]) -> Result<Object, Bound> {
        let word = Type { kind: Kind::Text { by_pattern: true }, null: false, refinement: None };
        let mut others = Vec::new();
        for part in parts {
            others.push(match part {
                Set::Any => continue,
                Set::Atom(Atom::Argv(positions, tail)) => self.positions(&word, positions, tail.as_deref())?,
                Set::Atom(Atom::Size(size)) => size_keywords("minItems", "maxItems", *size),
                Set::Atom(Atom::Each(set)) => Object::default().with("items", self.schema(&word, set)?.value()),
                other => self.constraint(&Kind::Argv, other)?,
            });
        }
        let base = Object::default().with("type", text("array"));
        let mut schema = self.joined(base, others);
        if schema.get("items").is_none() {
            schema.set("items", Object::default().with("type", text("string")).value());
        }
        Ok(schema)
    }

    fn positions(&mut self, word: &Type, positions: &[Set], tail: Option<&Set>) -> Result<Object, Bound> {
        let length = u64::try_from(positions.len()).unwrap_or(u64::MAX);
        let mut object = Object::default();
        if self.can(Keyword::PrefixItems, "this client cannot describe a list by position") {
            let items: Result<Vec<Value>, Bound> = positions.iter().map(|set| Ok(self.schema(word, set)?.value())).collect();
            object.set("prefixItems", Value::List(items?));
            object.set(
                "items",
                match tail {
                    Some(set) => self.schema(word, set)?.value(),
                    None => Value::Bool(false),
                },
            );
        }
        object.set("minItems", count(length));
        if tail.is_none() {
            object.set("maxItems", count(length));
        }
        Ok(object)
    }
}

/// The set with every atom replaced.
fn specialise(set: &Set, atom: &impl Fn(&Atom) -> Set) -> Set {
    match set {
        Set::Any => Set::Any,
        Set::Never => Set::Never,
        Set::Atom(a) => atom(a),
        Set::Not(inner) => Set::Not(Box::new(specialise(inner, atom))),
        Set::And(parts) => Set::And(parts.iter().map(|part| specialise(part, atom)).collect()),
        Set::Or(parts) => Set::Or(parts.iter().map(|part| specialise(part, atom)).collect()),
    }
}
