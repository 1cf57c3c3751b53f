//! A limit set to a value → demands on the arguments of one tool. Knows one tool and one limit at a time.

use crate::domain::{
    Atom, Bound, Kind, Lift, Matcher, Set, Slot, SlotMatcher, Step, Value, Work, canonical, lift, lift_limit,
    lift_of_what_is_there,
};
use crate::table::model::{LimitId, LimitValue, Model, OriginId, Tool, Within};

/// What a limit demands of one argument.
#[derive(Clone, Debug)]
pub(crate) struct Demand {
    /// The limit.
    pub(crate) limit: LimitId,
    /// The argument.
    pub(crate) argument: usize,
    /// The way to where the limit bites.
    pub(crate) steps: Vec<Step>,
    /// The demand, on the whole argument.
    pub(crate) slot: Slot,
    /// The same, compiled.
    pub(crate) test: SlotMatcher,
    /// Where the limit was set; `None`: by the session.
    pub(crate) origin: Option<OriginId>,
}

/// The demands that `limit` set to `value` makes of `tool`: where it bites, and where texts name its values. `free`: the lists
/// of the tool that may be empty.
pub(crate) fn demands(
    model: &Model,
    tool: &Tool,
    (limit, value): (LimitId, &LimitValue),
    origin: Option<OriginId>,
    free: &[(usize, Vec<Step>)],
    work: &mut Work,
) -> Result<Vec<Demand>, Bound> {
    let Some(slot) = slot(model, limit, value) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for place in &tool.places {
        let Some(member) = tool.arguments.get(place.argument) else { continue };
        let free: Vec<&[Step]> = free.iter().filter(|(a, _)| *a == place.argument).map(|(_, w)| w.as_slice()).collect();
        let own = (place.limit == limit).then(|| lift_limit(member, &place.steps, &slot, &free));
        let within = model.limit(place.limit).and_then(|l| l.within.as_ref()).filter(|w| w.limit == limit);
        let naming = match within {
            Some(within) => naming(model, within, &slot, work)?,
            None => None,
        };
        let naming = naming.map(|values| lift_of_what_is_there(member, &place.steps, values));
        for slot in own.into_iter().chain(naming) {
            let test = SlotMatcher::compile(member, &slot, work)?;
            let (argument, steps) = (place.argument, place.steps.clone());
            found.push(Demand { limit, argument, steps, slot, test, origin });
        }
    }
    Ok(found)
}

/// What is demanded besides, once for each place of the limit that could carry `value`, for a call to carry it there.
pub(crate) fn carrying(
    model: &Model,
    tool: &Tool,
    (limit, value): (LimitId, &Value),
    work: &mut Work,
) -> Result<Vec<Demand>, Bound> {
    let Some(slot) = slot(model, limit, &LimitValue::Bound(value.clone())) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for place in tool.places.iter().filter(|place| place.limit == limit) {
        let Some(member) = tool.arguments.get(place.argument) else { continue };
        let slot = lift(member, &place.steps, &slot, Lift::Carried);
        let test = SlotMatcher::compile(member, &slot, work)?;
        let (argument, steps) = (place.argument, place.steps.clone());
        found.push(Demand { limit, argument, steps, slot, test, origin: None });
    }
    Ok(found)
}

/// What a limit's value is as a slot; `None`: no demand.
fn slot(model: &Model, limit: LimitId, value: &LimitValue) -> Option<Slot> {
    match value {
        LimitValue::Many | LimitValue::Single => None,
        LimitValue::Set(slot) => Some(slot.clone()),
        LimitValue::Bound(value) => {
            let limit = model.limit(limit)?;
            let values = match (&limit.within, value) {
                (Some(within), Value::Text(text)) => spellings(within, text),
                _ => exactly(&limit.ty.kind, value), // no resource: the value itself
            };
            Some(Slot { values, null: false, absent: false })
        }
    }
}

/// The texts whose prefix names a value of `slot`, or none; `None`: all do.
fn naming(model: &Model, within: &Within, slot: &Slot, work: &mut Work) -> Result<Option<Set>, Bound> {
    let mut refused = Vec::new();
    if let Some(limit) = model.limit(within.limit) {
        let matcher = Matcher::compile(&limit.ty, &slot.values, work)?;
        for value in &within.values {
            if !matcher.test(&Value::Text(value.clone())).is_in() {
                refused.push(Set::Atom(Atom::Prefix(format!("{value}{}", within.separator).into())));
            }
        }
    }
    Ok((!refused.is_empty()).then(|| Set::Not(Box::new(Set::Or(refused)))))
}

/// `p:rest` → what it names and the rest; another text names nothing.
pub(crate) fn named<'t>(within: &Within, text: &'t str) -> Option<(usize, &'t str)> {
    within.values.iter().enumerate().find_map(|(index, value)| {
        let rest = text.strip_prefix(&**value)?.strip_prefix(&*within.separator)?;
        Some((index, rest))
    })
}

/// The settled spellings of the resource `text`: itself, and for a bare one each prefixed spelling, whose prefix then falls
/// under its own limit.
fn spellings(within: &Within, text: &str) -> Set {
    let mut spellings = vec![Value::Text(text.into())];
    if named(within, text).is_none() {
        let prefixed = within.values.iter().map(|v| Value::Text(format!("{v}{}{text}", within.separator).into()));
        spellings.extend(prefixed);
    }
    spellings.sort_by(|a, b| match (a, b) {
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        _ => std::cmp::Ordering::Equal, // all are texts
    });
    Set::Atom(Atom::OneOf(spellings))
}

/// The set of one value.
fn exactly(kind: &Kind, value: &Value) -> Set {
    let ty = crate::domain::Type { kind: kind.clone(), null: false, refinement: None };
    let value = canonical(&ty, value).unwrap_or_else(|| value.clone());
    let text = match &value {
        Value::Text(text) => text.clone(),
        _ => "".into(), // kinds of text have texts
    };
    Set::Atom(match kind {
        Kind::Host => Atom::Host(text),
        Kind::Url { .. } => Atom::Url(text),
        Kind::Path { .. } => Atom::Path(text),
        Kind::Email => Atom::Email(text),
        Kind::Ip => Atom::Cidr(format!("{text}/{}", if text.contains(':') { 128 } else { 32 }).into()),
        Kind::Bool | Kind::Enum(_) | Kind::Number(_) | Kind::Text { .. } | Kind::Time(_) => Atom::OneOf(vec![value]),
        // A limit's value is a scalar; of these kinds nothing is bound.
        Kind::List(_)
        | Kind::OneOrList(_)
        | Kind::Argv
        | Kind::Map(_)
        | Kind::Record { .. }
        | Kind::Union(_)
        | Kind::OpaqueText
        | Kind::OpaqueJson => return Set::Never,
    })
}
