//! A path as written, from a member on → the steps and the type there. A name in several alternatives of a union has
//! several places.

use super::agree::{called, plain};
use super::spell;
use crate::diag::{Code, Diagnostic};
use crate::domain::{Kind, Member, NumberKind, Part, Presence, Rest, Step, Type};
use crate::syntax::ast;
use std::borrow::Cow;

/// One place that a path means.
#[derive(Clone)]
pub struct Target<'a> {
    /// The way from the first member on.
    pub steps: Vec<Step>,
    /// The last member on the way: the one that may be absent or null.
    pub member: Cow<'a, Member>,
    /// The type at the end.
    pub ty: Cow<'a, Type>,
}

/// Every place that `names` (after the first, which named `member`) means.
pub fn resolve<'a>(member: &'a Member, names: &[ast::Name]) -> Result<Vec<Target<'a>>, Box<Diagnostic>> {
    let start = Target { steps: Vec::new(), member: Cow::Borrowed(member), ty: Cow::Borrowed(&member.ty) };
    let mut targets = vec![start];
    for name in names {
        let (mut next, mut complaint) = (Vec::new(), None);
        for target in &targets {
            match step(target, name) {
                Ok(found) => next.extend(found),
                Err(found) => complaint = complaint.or(Some(found)),
            }
        }
        match (next.is_empty(), complaint) {
            (true, Some(complaint)) => return Err(complaint),
            _ => targets = next,
        }
    }
    Ok(targets)
}

fn step<'a>(target: &Target<'a>, name: &ast::Name) -> Result<Vec<Target<'a>>, Box<Diagnostic>> {
    let to = |step: Step, ty: Type| {
        let mut steps = target.steps.clone();
        steps.push(step);
        Ok(vec![Target { steps, member: target.member.clone(), ty: Cow::Owned(ty) }])
    };
    let word = if name.quoted { "" } else { name.text.as_str() };
    match (&target.ty.kind, word) {
        (Kind::List(inner), "each") => to(Step::Each, (**inner).clone()),
        (Kind::OneOrList(inner), "each") => to(Step::OneOrEach, (**inner).clone()),
        (Kind::OneOrList(inner), _) => {
            let mut steps = target.steps.clone();
            steps.push(Step::OneOrEach);
            step(&Target { steps, member: target.member.clone(), ty: Cow::Owned((**inner).clone()) }, name)
        }
        (Kind::Map(_), "keys") => to(Step::Keys, plain(Kind::Text { by_pattern: false })),
        (Kind::Map(inner), "values") => to(Step::Values, (**inner).clone()),
        (Kind::Url { .. }, "scheme") => to(Step::Part(Part::Scheme), part_type(Part::Scheme)),
        (Kind::Url { .. } | Kind::Email, "host") => to(Step::Part(Part::Host), part_type(Part::Host)),
        (Kind::Url { .. }, "port") => to(Step::Part(Part::Port), part_type(Part::Port)),
        (Kind::Url { .. }, "path") => to(Step::Part(Part::Path), part_type(Part::Path)),
        (Kind::Email, "local") => to(Step::Part(Part::Local), part_type(Part::Local)),
        (Kind::Record { members, rest }, _) => field(target, members, rest, name),
        (Kind::Union(types), _) => alternatives(target, types, name),
        _ => Err(no_such_part(&target.ty, name)),
    }
}

/// The type of a part of a URL or email.
pub fn part_type(part: Part) -> Type {
    plain(match part {
        Part::Scheme | Part::Local => Kind::Text { by_pattern: false },
        Part::Host => Kind::Host,
        Part::Port => Kind::Number(NumberKind::Int),
        Part::Path => Kind::Path { ignore_case: false },
    })
}

fn field<'a>(
    target: &Target<'a>,
    members: &[Member],
    rest: &Rest,
    name: &ast::Name,
) -> Result<Vec<Target<'a>>, Box<Diagnostic>> {
    let member = match (members.iter().find(|member| *member.name == *name.text), rest) {
        (Some(member), _) => member.clone(),
        (None, Rest::Typed(ty)) => undeclared(&name.text, ty),
        (None, Rest::Closed | Rest::Open) => {
            let all: Vec<&str> = members.iter().map(|member| &*member.name).collect();
            let message = format!("the record has no member `{}`", name.text);
            return Err(Box::new(spell::unknown(Code::UNKNOWN_ARGUMENT, name, message, &all)));
        }
    };
    let mut steps = target.steps.clone();
    steps.push(Step::Field(member.name.clone()));
    Ok(vec![Target { steps, ty: Cow::Owned(member.ty.clone()), member: Cow::Owned(member) }])
}

/// A member that `.. : T` admits.
pub fn undeclared(name: &str, ty: &Type) -> Member {
    Member { name: name.into(), ty: ty.clone(), presence: Presence::Optional, wildcard: false }
}

fn alternatives<'a>(target: &Target<'a>, types: &[Type], name: &ast::Name) -> Result<Vec<Target<'a>>, Box<Diagnostic>> {
    let mut found = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    for (at, ty) in types.iter().enumerate() {
        let mut steps = target.steps.clone();
        steps.push(Step::Alternative(u32::try_from(at).unwrap_or(u32::MAX)));
        let inside = Target { steps, member: target.member.clone(), ty: Cow::Owned(ty.clone()) };
        found.extend(step(&inside, name).unwrap_or_default());
        words.extend(parts(ty));
    }
    if found.is_empty() {
        let message = format!("no alternative of this union has a `{}`", name.text);
        return Err(Box::new(spell::unknown(Code::UNKNOWN_ARGUMENT, name, message, &words)));
    }
    Ok(found)
}

/// What may stand after the dot behind a value of the type.
fn parts(ty: &Type) -> Vec<&str> {
    match &ty.kind {
        Kind::List(_) => vec!["each"],
        Kind::OneOrList(inner) => std::iter::once("each").chain(parts(inner)).collect(),
        Kind::Map(_) => vec!["keys", "values"],
        Kind::Url { .. } => vec!["scheme", "host", "port", "path"],
        Kind::Email => vec!["local", "host"],
        Kind::Record { members, .. } => members.iter().map(|member| &*member.name).collect(),
        Kind::Union(types) => types.iter().flat_map(parts).collect(),
        Kind::Bool
        | Kind::Enum(_)
        | Kind::Number(_)
        | Kind::Text { .. }
        | Kind::Host
        | Kind::Path { .. }
        | Kind::Ip
        | Kind::Time(_)
        | Kind::Argv
        | Kind::OpaqueText
        | Kind::OpaqueJson => Vec::new(),
    }
}

fn no_such_part(ty: &Type, name: &ast::Name) -> Box<Diagnostic> {
    let message = format!("`{}` has no part `{}`", called(ty), name.text);
    let found = spell::unknown(Code::NO_SUCH_PART, name, message, &parts(ty));
    Box::new(match (&ty.kind, name.text.as_str()) {
        (Kind::List(_), _) => found.help("to speak of every element write `.each` before it"),
        (Kind::Argv, "each") => found.help("write `argv each in …`, or positions: `argv in [ {\"git\"}, .. each in … ]`"),
        _ => found,
    })
}
