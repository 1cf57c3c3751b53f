//! A type and a set over it → a JSON Schema that holds every value of the set in canonical spelling, and no other where the
//! profile has the keywords; where it has not, a wider one and a reason. Knows no tools and no layers.

use super::ecma;
use super::json::{Object, count, text, texts};
use super::profile::{Keyword, Profile};
use super::scalar;
use crate::domain::{
    Atom, Bound, Default, Kind, Matcher, Member, Part, Presence, Range, Set, Size, Slot, Type, Value, Work, is_empty,
};

/// Why an object is shown open that is not.
pub(super) const OTHERS: &str = "this client cannot exclude members that are not named";

/// What schemas are written for, and why they show more than is permitted.
pub(super) struct Writer {
    pub(super) profile: Profile,
    pub(super) work: Work,
    /// Reasons, each once; empty: the schema is exact.
    pub(super) inexact: Vec<String>,
}

impl Writer {
    pub(super) fn new(profile: Profile) -> Writer {
        Writer { profile, work: Work::new(), inexact: Vec::new() }
    }

    /// Notes why what is shown is wider than what is permitted.
    pub(super) fn wider(&mut self, reason: &str) {
        if !self.inexact.iter().any(|known| known == reason) {
            self.inexact.push(reason.to_owned());
        }
    }

    pub(super) fn can(&mut self, keyword: Keyword, reason: &str) -> bool {
        let can = self.profile.has(keyword);
        if !can {
            self.wider(reason);
        }
        can
    }

    /// The schema of a member under a slot; `None`: nothing can stand there.
    pub(super) fn slot(&mut self, member: &Member, slot: &Slot) -> Result<Option<Object>, Bound> {
        let null = member.ty.null && slot.null;
        let bare = Type { null: false, ..member.ty.clone() };
        if is_empty(&bare, &slot.values, &mut self.work)? {
            return Ok(null.then(|| Object::default().with("type", text("null"))));
        }
        let schema = self.schema(&bare, &slot.values)?;
        Ok(Some(if null { or_null(schema) } else { schema }))
    }

    /// The schema of a type under a set.
    pub(super) fn schema(&mut self, ty: &Type, set: &Set) -> Result<Object, Bound> {
        let mut parts = Vec::new();
        ty.refinement.iter().for_each(|refinement| flatten(refinement, &mut parts));
        flatten(set, &mut parts);
        let schema = match self.finite(ty, &parts)? {
            Some(values) => self.listed(&ty.kind, values),
            None => self.of_kind(&ty.kind, &parts)?,
        };
        Ok(if ty.null { or_null(schema) } else { schema })
    }

    /// The values of the set, if it is made of written values.
    fn finite(&mut self, ty: &Type, parts: &[&Set]) -> Result<Option<Vec<Value>>, Bound> {
        let candidates = match &ty.kind {
            Kind::Bool if parts.is_empty() => return Ok(None),
            Kind::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Kind::Enum(values) => Some(values.clone()),
            _scalar_or_composite => parts.iter().find_map(|part| written(part)),
        };
        let Some(candidates) = candidates else { return Ok(None) };
        let all = Set::And(parts.iter().map(|part| (*part).clone()).collect());
        let matcher = Matcher::compile(&Type { refinement: None, ..ty.clone() }, &all, &mut self.work)?;
        let mut values: Vec<Value> = Vec::new();
        for value in candidates {
            if matcher.test(&value).is_in() && !values.contains(&value) {
                values.push(value);
            }
        }
        Ok(Some(values))
    }

    fn listed(&mut self, kind: &Kind, values: Vec<Value>) -> Object {
        let ty = values.first().map_or("string", |first| match first {
            Value::Bool(_) => "boolean",
            Value::Number(_) if matches!(kind, Kind::Number(n) if scalar::is_whole(*n)) => "integer",
            Value::Number(n) if n.is_integral() => "integer",
            Value::Number(_) => "number",
            Value::Text(_) | Value::Null | Value::List(_) | Value::Object(_) => "string",
        });
        let alike = |first: &Value| values.iter().all(|v| std::mem::discriminant(v) == std::mem::discriminant(first));
        let same = values.first().is_none_or(alike);
        let mut schema = Object::default();
        if same {
            let whole = values.iter().all(|v| !matches!(v, Value::Number(n) if !n.is_integral()));
            schema.set("type", text(if ty == "integer" && !whole { "number" } else { ty }));
        }
        if ty == "string" && same || self.can(Keyword::NumberEnum, "this client knows lists of strings only") {
            schema.set("enum", Value::List(values));
        }
        schema
    }

    fn of_kind(&mut self, kind: &Kind, parts: &[&Set]) -> Result<Object, Bound> {
        match kind {
            Kind::List(element) => self.list(element, parts),
            Kind::Map(value) => self.map(value, parts),
            Kind::Record { members, rest } => self.record(members, rest, parts),
            Kind::Union(alternatives) => self.union(alternatives, parts),
            Kind::OneOrList(element) => self.one_or_list(element, parts),
            Kind::Argv => self.argv(parts),
            Kind::OpaqueJson => Ok(Object::default()),
            Kind::Bool
            | Kind::Enum(_)
            | Kind::Number(_)
            | Kind::Text { .. }
            | Kind::Host
            | Kind::Url { .. }
            | Kind::Path { .. }
            | Kind::Email
            | Kind::Ip
            | Kind::Time(_)
            | Kind::OpaqueText => {
                let base = scalar::base(kind);
                self.constrained(kind, base, parts)
            }
        }
    }

    /// `base` and what each part adds.
    fn constrained(&mut self, kind: &Kind, base: Object, parts: &[&Set]) -> Result<Object, Bound> {
        let more: Vec<Object> = parts.iter().map(|part| self.constraint(kind, part)).collect::<Result<_, Bound>>()?;
        let mut schema = self.joined(base, more);
        scalar::close(kind, &mut schema);
        Ok(schema)
    }

    /// One schema that demands what all do: keyword by keyword where they can be joined, beside each other where not.
    pub(super) fn joined(&mut self, mut schema: Object, others: Vec<Object>) -> Object {
        let mut beside = Vec::new();
        for other in others {
            if let Err(other) = merge(&mut schema, other)
                && self.can(Keyword::AllOf, "this client cannot combine two demands on one argument")
            {
                beside.push(other.value());
            }
        }
        if !beside.is_empty() {
            schema.set("allOf", Value::List(beside));
        }
        schema
    }

    /// What a set demands beyond the type, as keywords.
    pub(super) fn constraint(&mut self, kind: &Kind, set: &Set) -> Result<Object, Bound> {
        match set {
            Set::Any => Ok(Object::default()),
            Set::Never => Ok(self.nothing()),
            Set::Atom(atom) => self.atom(kind, atom),
            Set::Not(inner) => self.complement(kind, inner),
            Set::And(parts) => self.all(kind, parts),
            Set::Or(parts) => {
                let branches: Result<Vec<Value>, Bound> =
                    parts.iter().map(|part| Ok(self.constraint(kind, part)?.value())).collect();
                Ok(Object::default().with("anyOf", Value::List(branches?)))
            }
        }
    }

    fn all(&mut self, kind: &Kind, parts: &[Set]) -> Result<Object, Bound> {
        let more: Vec<Object> = parts.iter().map(|part| self.constraint(kind, part)).collect::<Result<_, Bound>>()?;
        Ok(self.joined(Object::default(), more))
    }

    /// A complement is shown only where what it excludes is shown exactly: else it would hide what is permitted.
    fn complement(&mut self, kind: &Kind, inner: &Set) -> Result<Object, Bound> {
        let before = std::mem::take(&mut self.inexact);
        let excluded = self.constraint(kind, inner)?;
        let reasons = std::mem::replace(&mut self.inexact, before);
        if !reasons.is_empty() {
            reasons.iter().for_each(|reason| self.wider(reason));
            return Ok(Object::default());
        }
        if !self.can(Keyword::Not, "this client cannot exclude values") {
            return Ok(Object::default());
        }
        Ok(Object::default().with("not", excluded.value()))
    }

    pub(super) fn nothing(&mut self) -> Object {
        match self.profile {
            Profile::Mcp => Object::default().with("not", Object::default().value()),
            Profile::OpenAi | Profile::Gemini => Object::default().with("enum", Value::List(Vec::new())),
        }
    }

    fn atom(&mut self, kind: &Kind, atom: &Atom) -> Result<Object, Bound> {
        let object = Object::default();
        Ok(match atom {
            Atom::OneOf(values) => object.with("enum", Value::List(values.clone())),
            Atom::Numbers(range) => self.numbers(range),
            Atom::Prefix(t) => object.with("pattern", text(&ecma::prefix(t))),
            Atom::Suffix(t) => object.with("pattern", text(&ecma::suffix(t))),
            Atom::Matches(pattern) => object.with("pattern", text(&ecma::pattern(&pattern.tree))),
            Atom::Length(size) => self.sizes(Keyword::Lengths, "minLength", "maxLength", *size),
            Atom::Host(pattern) => object.with("pattern", text(&ecma::host(pattern))),
            Atom::Path(glob) => object.with("pattern", text(&ecma::path(glob))),
            Atom::PathAnyCase(_) => self.inexpressible("a path in any case"),
            Atom::Email(pattern) => self.expression(ecma::email(pattern)),
            Atom::Url(pattern) => self.expression(ecma::url(pattern)),
            Atom::Part(part, set) => self.part(kind, *part, set)?,
            Atom::Times(_) => self.inexpressible("a range of times"),
            Atom::Class(_) => self.inexpressible("a class of hosts or addresses"),
            Atom::Cidr(_) => self.inexpressible("a block of addresses"),
            Atom::Each(_)
            | Atom::Size(_)
            | Atom::Keys(_)
            | Atom::Values(_)
            | Atom::Field(..)
            | Atom::Argv(..)
            | Atom::Alternative(..)
            | Atom::OneOrEach(..) => self.of_kind(kind, &[&Set::Atom(atom.clone())])?,
        })
    }

    fn expression(&mut self, expression: Option<String>) -> Object {
        match expression {
            Some(expression) => Object::default().with("pattern", text(&expression)),
            None => self.inexpressible("a pattern"),
        }
    }

    fn inexpressible(&mut self, what: &str) -> Object {
        self.wider(&format!("{what} cannot be written as JSON Schema"));
        Object::default()
    }

    fn numbers(&mut self, range: &Range<crate::domain::Decimal>) -> Object {
        let mut object = Object::default();
        let ends = [(&range.low, "minimum", "exclusiveMinimum"), (&range.high, "maximum", "exclusiveMaximum")];
        for (end, inclusive, exclusive) in ends {
            let Some((number, comparison)) = end else { continue };
            let key = match comparison {
                crate::domain::Comparison::Inclusive => inclusive,
                crate::domain::Comparison::Exclusive => {
                    if self.can(Keyword::Exclusive, "this client knows bounds that are included only") {
                        exclusive
                    } else {
                        inclusive
                    }
                }
            };
            object.set(key, Value::Number(number.clone()));
        }
        object
    }

    pub(super) fn sizes(&mut self, keyword: Keyword, low: &str, high: &str, size: Size) -> Object {
        if !self.can(keyword, "this client knows no lengths") {
            return Object::default();
        }
        size_keywords(low, high, size)
    }

    /// Every value has each part, so a Boolean combination inside is one outside.
    fn part(&mut self, kind: &Kind, part: Part, set: &Set) -> Result<Object, Bound> {
        let inside = |set: &Set| Set::Atom(Atom::Part(part, Box::new(set.clone())));
        match set {
            Set::Any => Ok(Object::default()),
            Set::Never => Ok(self.nothing()),
            Set::Not(inner) => self.complement(kind, &inside(inner)),
            Set::And(parts) => self.all(kind, &parts.iter().map(inside).collect::<Vec<_>>()),
            Set::Or(parts) => {
                let parts = Set::Or(parts.iter().map(inside).collect());
                self.constraint(kind, &parts)
            }
            Set::Atom(atom) => Ok(match scalar::part_expression(kind, part, atom) {
                Some(expression) => Object::default().with("pattern", text(&expression)),
                None => self.inexpressible("this demand on a part of a url or email"),
            }),
        }
    }
}

/// Whether leaving the member out lies outside the slot. (Leaving a choice to the provider lies in a slot that demands
/// nothing.)
pub(super) fn must_stand(member: &Member, slot: &Slot, work: &mut Work) -> Result<bool, Bound> {
    Ok(match &member.presence {
        Presence::Required => true,
        Presence::Optional | Presence::OrAbsent => !slot.absent,
        Presence::Defaulted(Default::Value(Value::Null)) => !slot.null,
        Presence::Defaulted(Default::Value(value)) => !Matcher::compile(&member.ty, &slot.values, work)?.test(value).is_in(),
        Presence::Defaulted(Default::Unspecified) => slot.values != Set::Any,
    })
}

/// The slot that all of them admit.
pub(super) fn meet<'a>(slots: impl IntoIterator<Item = &'a Slot>) -> Slot {
    slots.into_iter().fold(Slot::ANY, |met, slot| met.meet(slot))
}

/// Either of the schemas.
pub(super) fn any_of(mut branches: Vec<Object>) -> Object {
    if branches.len() == 1 {
        return branches.remove(0);
    }
    Object::default().with("anyOf", Value::List(branches.into_iter().map(Object::value).collect()))
}

fn or_null(mut schema: Object) -> Object {
    match schema.get("type") {
        Some(Value::Text(name)) if schema.get("enum").is_none() => {
            let both = texts([&**name, "null"]);
            schema.set("type", both);
            schema
        }
        Some(_) | None if schema.is_empty() => schema,
        Some(_) | None => any_of(vec![schema, Object::default().with("type", text("null"))]),
    }
}

pub(super) fn size_keywords(low: &str, high: &str, size: Size) -> Object {
    let mut object = Object::default();
    if size.low > 0 {
        object.set(low, count(size.low));
    }
    if let Some(most) = size.high {
        object.set(high, count(most));
    }
    object
}

/// The parts of a meet, flat.
fn flatten<'a>(set: &'a Set, out: &mut Vec<&'a Set>) {
    match set {
        Set::Any => {}
        Set::And(parts) => parts.iter().for_each(|part| flatten(part, out)),
        Set::Never | Set::Atom(_) | Set::Not(_) | Set::Or(_) => out.push(set),
    }
}

/// The values that a set made of written values names; `None`: it is not made so.
fn written(set: &Set) -> Option<Vec<Value>> {
    match set {
        Set::Atom(Atom::OneOf(values)) => Some(values.clone()),
        Set::Atom(Atom::Host(t) | Atom::Path(t) | Atom::Email(t)) if !t.contains('*') => Some(vec![Value::Text(t.clone())]),
        Set::Never => Some(Vec::new()),
        Set::Or(parts) => {
            let lists: Option<Vec<Vec<Value>>> = parts.iter().map(written).collect();
            Some(lists?.into_iter().flatten().collect())
        }
        Set::And(parts) => parts.iter().find_map(written),
        Set::Any | Set::Atom(_) | Set::Not(_) => None,
    }
}

/// Adds `more` to `schema`, or gives it back where both speak with one keyword in ways that no keyword joins.
fn merge(schema: &mut Object, more: Object) -> Result<(), Object> {
    let joined: Option<Vec<(String, Value)>> = more
        .iter()
        .map(|(key, value)| match schema.get(key) {
            None => Some((key.to_owned(), value.clone())),
            Some(old) if old == value => Some((key.to_owned(), value.clone())),
            Some(old) => Some((key.to_owned(), tighter(key, old, value)?)),
        })
        .collect();
    match joined {
        Some(joined) => {
            joined.into_iter().for_each(|(key, value)| schema.set(&key, value));
            Ok(())
        }
        None => Err(more),
    }
}

fn tighter(key: &str, old: &Value, new: &Value) -> Option<Value> {
    let (Value::Number(a), Value::Number(b)) = (old, new) else { return None };
    match key {
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            Some(if a < b { new } else { old }.clone())
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            Some(if a > b { new } else { old }.clone())
        }
        _other_keyword => None,
    }
}
