//! Schemas of objects and arrays → records, maps, lists. Must not know tools.

use super::merge::Keywords;
use super::notes::Topic;
use super::scalar;
use super::schema::{Meaning, Reading, anything, find, plain};
use crate::domain::{Atom, Default, Kind, Member, Presence, Rest, Set, Size, Type, Value, well_formed};

/// The members of an object, and what else may stand in it.
pub(super) struct Members {
    pub members: Vec<Member>,
    /// What the schema says of other members; `None`: nothing.
    pub rest: Option<Rest>,
}

impl Reading<'_> {
    /// `{ type: array }`
    pub(super) fn array(&mut self, keywords: &Keywords) -> Meaning {
        let Some(mut size) = scalar::counts(self, keywords, "minItems", "maxItems") else { return Meaning::Never };
        let of = match find(keywords, "items") {
            None => anything(),
            Some(items @ (Value::Object(_) | Value::Bool(_))) => match self.meaning(items) {
                Meaning::Of(ty) => ty,
                Meaning::Null => {
                    self.note(Topic::Wider, "a list of nothing but null cannot be said in this language");
                    anything()
                }
                Meaning::Never if size.low > 0 => return Meaning::Never,
                Meaning::Never => {
                    size.high = Some(0);
                    plain(Kind::Bool)
                }
            },
            Some(_) => {
                self.note(Topic::Wider, "items by position cannot be said in this language: any are admitted");
                anything()
            }
        };
        let refinement = (size != Size::ANY).then_some(Set::Atom(Atom::Size(size)));
        Meaning::Of(Type { kind: Kind::List(Box::new(of)), null: false, refinement })
    }

    /// `{ type: object }`
    pub(super) fn object(&mut self, keywords: &Keywords) -> Meaning {
        let named = matches!(find(keywords, "properties"), Some(Value::Object(all)) if !all.is_empty());
        let required = matches!(find(keywords, "required"), Some(Value::List(all)) if !all.is_empty());
        if !named && !required {
            return self.free(keywords);
        }
        if let Some(Value::Object(_)) = find(keywords, "propertyNames") {
            self.names_beside_members(keywords);
        }
        for keyword in ["minProperties", "maxProperties"] {
            if find(keywords, keyword).is_some() {
                self.note(Topic::Wider, format!("`{keyword}` of an object with named members cannot be said here"));
            }
        }
        if find(keywords, "patternProperties").is_some() {
            self.note(Topic::Wider, "`patternProperties` beside named members cannot be said in this language");
        }
        let Some(found) = self.members(keywords) else { return Meaning::Never };
        let rest = match (found.rest, find(keywords, "patternProperties")) {
            (Some(rest), None) => rest,
            (None, _) | (_, Some(_)) => Rest::Open,
        };
        Meaning::Of(plain(Kind::Record { members: found.members, rest }))
    }

    fn names_beside_members(&mut self, keywords: &Keywords) {
        let closed = find(keywords, "additionalProperties") == Some(&Value::Bool(false));
        if !closed && self.keys(keywords).is_some() {
            self.note(Topic::Wider, "`propertyNames` beside named members cannot be said in this language");
        }
    }

    /// The named members; `None` where one is required that no value can be.
    pub(super) fn members(&mut self, keywords: &Keywords) -> Option<Members> {
        let none = Vec::new();
        let properties = match find(keywords, "properties") {
            Some(Value::Object(properties)) => properties,
            _ => &none, // none, or of a shape that names none
        };
        let required: Vec<&str> = match find(keywords, "required") {
            Some(Value::List(names)) => names.iter().filter_map(super::listing::text).collect(),
            _ => Vec::new(), // draft 3 writes a Boolean in the member; nothing here reads it
        };
        let mut members = Vec::new();
        for (name, schema) in properties {
            let needed = if required.contains(&&**name) { Needed::Yes } else { Needed::No };
            match self.named(name, schema, needed) {
                Some(member) => members.push(member),
                None if needed == Needed::Yes => return None,
                None => {}
            }
        }
        let rest = self.rest(keywords);
        for name in required.iter().filter(|name| !properties.iter().any(|(known, _)| **known == ***name)) {
            let ty = match &rest {
                Some(Rest::Closed) => return None,
                Some(Rest::Typed(ty)) => (**ty).clone(),
                Some(Rest::Open) | None => anything(),
            };
            if !members.iter().any(|member: &Member| &*member.name == *name) {
                members.push(Member { name: (*name).into(), ty, presence: Presence::Required, wildcard: false });
            }
        }
        Some(Members { members, rest })
    }

    fn named(&mut self, name: &str, schema: &Value, needed: Needed) -> Option<Member> {
        let ty = match self.member(name, schema) {
            Meaning::Of(ty) => ty,
            Meaning::Never => return None,
            Meaning::Null => {
                self.note(Topic::Wider, format!("`{name}` may be nothing but null, which cannot be said in this language"));
                anything()
            }
        };
        let presence = match (needed, self.default_of(schema)) {
            (Needed::Yes, _) => Presence::Required,
            (Needed::No, Some(value)) if well_formed(&ty, &value).is_ok() => Presence::Defaulted(Default::Value(value)),
            (Needed::No, Some(value)) => {
                let value = crate::domain::compact(&value);
                self.note(Topic::Assumed, format!("the default {value} of `{name}` is no value of its own type: left out"));
                Presence::Optional
            }
            (Needed::No, None) => Presence::Optional,
        };
        Some(Member { name: name.into(), ty, presence, wildcard: false })
    }

    /// The default beside the schema, or at the end of its reference.
    fn default_of(&self, schema: &Value) -> Option<Value> {
        super::listing::get(schema, "default").cloned()
    }

    fn rest(&mut self, keywords: &Keywords) -> Option<Rest> {
        let said = find(keywords, "additionalProperties").or_else(|| find(keywords, "unevaluatedProperties"))?;
        Some(match said {
            Value::Bool(false) => Rest::Closed,
            Value::Bool(true) => Rest::Open,
            schema => match self.meaning(schema) {
                Meaning::Of(ty) if ty.kind == Kind::OpaqueJson => Rest::Open,
                Meaning::Of(ty) => Rest::Typed(Box::new(ty)),
                Meaning::Never => Rest::Closed,
                Meaning::Null => {
                    self.note(Topic::Wider, "other members may be null alone, which cannot be said in this language");
                    Rest::Open
                }
            },
        })
    }

    /// An object without named members: any object, or a map.
    fn free(&mut self, keywords: &Keywords) -> Meaning {
        let Some(size) = scalar::counts(self, keywords, "minProperties", "maxProperties") else { return Meaning::Never };
        let (by_pattern, patterned) = self.patterned(keywords);
        let rest = self.rest(keywords);
        let (rest, patterned) = match (by_pattern, rest, patterned) {
            (None, rest, patterned) => (rest, patterned),
            (Some(ty), Some(Rest::Closed), patterned) => (Some(Rest::Typed(Box::new(ty))), patterned),
            (Some(ty), Some(Rest::Typed(other)), _) if *other == ty => (Some(Rest::Typed(other)), None),
            (Some(_), _, _) => {
                self.note(Topic::Wider, "`patternProperties` beside other members cannot be said in this language");
                (Some(Rest::Open), None)
            }
        };
        let mut sets: Vec<Set> = patterned.into_iter().chain(self.keys(keywords)).collect();
        sets = scalar::met(sets).map(|keys| Set::Atom(Atom::Keys(Box::new(keys)))).into_iter().collect();
        if size != Size::ANY {
            sets.push(Set::Atom(Atom::Size(size)));
        }
        let refinement = scalar::met(sets);
        Meaning::Of(match (rest, refinement) {
            (Some(Rest::Closed), _) => plain(Kind::Record { members: Vec::new(), rest: Rest::Closed }),
            (Some(Rest::Typed(of)), refinement) => Type { kind: Kind::Map(of), null: false, refinement },
            (Some(Rest::Open) | None, None) => scalar::any_object(),
            (Some(Rest::Open) | None, refinement) => Type { kind: Kind::Map(Box::new(anything())), null: false, refinement },
        })
    }

    /// What one or several patterns of names say of their values, where it is the same for all.
    fn patterned(&mut self, keywords: &Keywords) -> (Option<Type>, Option<Set>) {
        let Some(Value::Object(patterns)) = find(keywords, "patternProperties") else { return (None, None) };
        let mut found: Option<Type> = None;
        let mut names = Vec::new();
        for (source, schema) in patterns {
            let (Meaning::Of(ty), name) = (self.meaning(schema), scalar::matching(self, source)) else {
                return (None, None);
            };
            if found.as_ref().is_some_and(|known| *known != ty) {
                self.note(Topic::Wider, "several `patternProperties` cannot be said in this language");
                return (Some(anything()), None);
            }
            found = Some(ty);
            names.extend(name);
        }
        let all = names.len() == patterns.len();
        (found, all.then(|| if names.len() == 1 { names.remove(0) } else { Set::Or(names) }))
    }

    /// What `propertyNames` asks of keys.
    fn keys(&mut self, keywords: &Keywords) -> Option<Set> {
        let names = find(keywords, "propertyNames")?;
        match self.meaning(names) {
            Meaning::Of(Type { kind: Kind::Text { .. }, refinement, .. }) => refinement,
            Meaning::Of(Type { kind: Kind::Enum(mut values), .. }) => {
                values.retain(|value| matches!(value, Value::Text(_)));
                values.sort_by(|a, b| super::listing::text(a).cmp(&super::listing::text(b)));
                Some(Set::Atom(Atom::OneOf(values)))
            }
            Meaning::Of(Type { kind: Kind::OpaqueJson, .. }) => None,
            Meaning::Of(_) | Meaning::Null | Meaning::Never => {
                self.note(Topic::Wider, "`propertyNames` of this form cannot be said in this language");
                None
            }
        }
    }
}

/// Whether a schema requires a member.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needed {
    Yes,
    No,
}
