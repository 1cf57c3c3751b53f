//! A plan → what the quick path needs of it beside its tests: names of arguments by their marks, the check of each type,
//! which arguments some test asks about. Made once for a tool; holds no set of its own.

use super::super::plan::Plan;
use super::super::route::covers;
use super::super::search::Addresses;
use crate::domain::{Atom, Member};
use crate::domain::{
    Default, Kind, Mark, Matcher, NumberKind, Presence, Seen, Set, Size, SlotMatcher, Texts, Type, Value, Work,
};
use crate::table::model::{Deployment, Effect, Enabled, Model, ProviderType, Tool, Undeclared};

/// Arguments that are looked at, at most.
pub(crate) const SLOTS: usize = 12;
/// Arguments, at most: a bit for each.
const ARGUMENTS: usize = 64;
/// Rows of one declaration, at most: a bit for each.
const ROWS: usize = 64;

/// What the quick path needs of one tool.
#[derive(Debug)]
pub(crate) struct Program {
    names: Box<[Option<Name>]>,
    seed: u64,
    pub(super) checks: Box<[Check]>,
    /// Bit by argument: it must be there.
    pub(super) required: u64,
    /// Bit by argument: where it is left out the call changes, or leaves a choice open.
    pub(super) open: u64,
    /// By slot.
    pub(super) asked: Box<[Asked]>,
    /// By factor: the rows that stand, and those of them that need no approval.
    pub(super) rows: Box<[(u64, u64)]>,
    /// Whether some blank is not filled.
    pub(super) unbound: bool,
    /// Texts that name an argument: both by slot, and index into the plan's namings.
    pub(super) namings: Box<[(usize, usize, usize)]>,
    /// Index of the provider that is first to execute it, where no pin, exception or switch could make it another.
    pub(super) executor: Option<usize>,
    /// The effects, where no argument decides on them.
    pub(super) effects: Option<Effects>,
}

/// Effects, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effects(u8);

/// One declared name.
#[derive(Debug)]
struct Name {
    mark: Mark,
    argument: u8,
    /// The whole name, where the mark does not tell it.
    text: Option<Box<str>>,
}

/// An argument that some test asks about.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) argument: usize,
    pub(super) tests: Box<[Ask]>,
    /// Whether something in force speaks of it, and what it says of addresses.
    pub(super) governed: Option<Addresses>,
    /// What stands there where it is left out.
    pub(super) omitted: Omitted,
}

/// A test of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// Of a limit.
    Demand(usize),
    /// Of a row: factor, row, clause.
    Clause(usize, usize, usize),
    /// Of an effect.
    Effect(usize),
}

/// What an omitted argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Omitted {
    Absent,
    Unspecified,
    /// The default of the vocabulary.
    Default,
}

/// Whether a token is of a type.
#[derive(Debug)]
pub(super) struct Check {
    pub(super) shape: Shape,
    pub(super) null: bool,
    pub(super) wildcard: bool,
    pub(super) refinement: Option<Matcher>,
    pub(super) slot: Option<u8>,
}

/// What a token must be.
#[derive(Debug)]
pub(super) enum Shape {
    /// Any string.
    Text,
    /// One of these strings.
    Listed(Texts),
    /// A string of the kind.
    Spelled(Kind),
    Bool,
    Number(NumberKind),
    /// Scalars in an array of a size; where `one`, a scalar may stand alone.
    List {
        of: Box<Check>,
        size: Size,
        one: bool,
    },
    /// Anything.
    Any,
    /// Not told here.
    Odd,
}

impl Effects {
    pub(super) fn with(self, effect: Effect) -> Effects {
        Effects(self.0 | Effects::bit(effect))
    }

    fn bit(effect: Effect) -> u8 {
        match effect {
            Effect::Reads => 1,
            Effect::Mutates => 2,
            Effect::Irreversible => 4,
            Effect::ReachesOutside => 8,
        }
    }

    pub(crate) fn has(self, effect: Effect) -> bool {
        self.0 & Effects::bit(effect) != 0
    }

    /// With what follows: what does not only read mutates.
    pub(super) fn closed(self) -> Effects {
        let only_reads = self.has(Effect::Reads) && !self.has(Effect::Irreversible);
        if only_reads { self } else { self.with(Effect::Mutates) }
    }
}

fn bit(index: usize) -> u64 {
    u32::try_from(index).ok().and_then(|index| 1_u64.checked_shl(index)).unwrap_or(0)
}

impl Program {
    /// The program of a plan; none: the general path decides every call to the tool.
    pub(crate) fn new(model: &Model, tool: &Tool, plan: &Plan) -> Option<Program> {
        let rows_fit = plan.factors.iter().all(|factor| factor.rows.len() <= ROWS);
        let plain = tool.dispatch.is_none() && tool.undeclared == Undeclared::Refused && plan.bound.is_empty();
        if !rows_fit || !plain || tool.arguments.len() > ARGUMENTS {
            return None;
        }
        let mut program = Program {
            names: Box::default(),
            seed: 0,
            checks: Box::default(),
            required: 0,
            open: 0,
            asked: Box::default(),
            rows: plan.factors.iter().map(|factor| standing(&factor.rows)).collect(),
            unbound: !plan.unbound.is_empty(),
            namings: Box::default(),
            executor: model.deployment.as_ref().and_then(|deployment| executor(deployment, &tool.capability)),
            effects: unconditional(plan),
        };
        program.ask(tool, plan)?;
        program.namings(plan)?;
        program.check(tool, plan);
        program.name(tool);
        Some(program)
    }

    fn ask(&mut self, tool: &Tool, plan: &Plan) -> Option<()> {
        let mut asks: Vec<(usize, Ask)> =
            plan.demands.iter().enumerate().map(|(i, d)| (d.argument, Ask::Demand(i))).collect();
        for (f, factor) in plan.factors.iter().enumerate() {
            for (r, row) in factor.rows.iter().enumerate().filter(|(_, row)| row.void.is_none()) {
                asks.extend(
                    row.clauses.iter().enumerate().map(|(c, clause)| (clause.clause.argument, Ask::Clause(f, r, c))),
                );
            }
        }
        asks.extend(plan.effects.iter().enumerate().filter_map(|(e, rule)| Some((rule.when.as_ref()?.0, Ask::Effect(e)))));
        let named = plan.namings.iter().flat_map(|naming| [Some(naming.namer), naming.named]).flatten();
        let mut arguments: Vec<usize> = asks.iter().map(|(argument, _)| *argument).chain(named).collect();
        arguments.extend(plan.governed.iter().map(|governed| governed.argument));
        arguments.sort_unstable();
        arguments.dedup();
        if arguments.len() > SLOTS {
            return None;
        }
        let mut asked = Vec::new();
        for argument in arguments {
            let of_argument = asks.iter().filter(|(a, _)| *a == argument).map(|(_, ask)| *ask);
            asked.push(Asked {
                argument,
                tests: of_argument.collect(),
                governed: plan.governs_argument(argument).then(|| plan.governs(argument, &[]).unwrap_or(Addresses::Some)),
                omitted: omitted(tool.arguments.get(argument)?),
            });
        }
        self.asked = asked.into();
        Some(())
    }

    fn slot(&self, argument: usize) -> Option<usize> {
        self.asked.iter().position(|asked| asked.argument == argument)
    }

    /// Texts at the top of an argument that name another; texts further in are not told here.
    fn namings(&mut self, plan: &Plan) -> Option<()> {
        let mut namings = Vec::new();
        for (index, naming) in plan.namings.iter().enumerate() {
            let Some(named) = naming.named else { continue };
            if !plan.governs_argument(naming.namer) && !plan.governs_argument(named) {
                continue;
            }
            if !naming.steps.is_empty() {
                return None;
            }
            namings.push((self.slot(naming.namer)?, self.slot(named)?, index));
        }
        self.namings = namings.into();
        Some(())
    }

    fn check(&mut self, tool: &Tool, plan: &Plan) {
        let mut checks = Vec::new();
        for (index, member) in tool.arguments.iter().enumerate() {
            let governed = plan.governs_argument(index);
            let mut check = Check::new(&member.ty);
            check.wildcard = member.wildcard;
            check.slot = self.slot(index).and_then(|slot| u8::try_from(slot).ok());
            let inside = check.slot.is_some() && !check.is_scalar();
            if inside || check.refinement.is_some() && member.wildcard {
                check.shape = Shape::Odd;
            }
            checks.push(check);
            match &member.presence {
                Presence::Required => self.required |= bit(index),
                Presence::Defaulted(_) if governed => self.open |= bit(index),
                Presence::Optional | Presence::OrAbsent | Presence::Defaulted(_) => {}
            }
        }
        self.checks = checks.into();
    }

    /// Places for the names, a power of two, and a seed for which most have one of their own.
    fn name(&mut self, tool: &Tool) {
        let size = tool.arguments.len().max(1).saturating_mul(4).next_power_of_two();
        let marks: Vec<Mark> = tool.arguments.iter().map(|member| Mark::of(member.name.as_bytes())).collect();
        let clashes = |seed: u64| {
            let mut places: Vec<usize> = marks.iter().map(|mark| place(mark, seed, size)).collect();
            places.sort_unstable();
            places.windows(2).filter(|pair| pair.first() == pair.last()).count()
        };
        let seeds = (1..=8_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        self.seed = seeds.min_by_key(|seed| clashes(*seed)).unwrap_or(1);
        let mut names: Vec<Option<Name>> = Vec::new();
        names.resize_with(size, || None);
        for (index, (member, mark)) in tool.arguments.iter().zip(marks).enumerate() {
            let text = (!mark.is_whole()).then(|| member.name.clone());
            let mut at = place(&mark, self.seed, size);
            while names.get(at).is_some_and(Option::is_some) {
                at = at.wrapping_add(1) & size.wrapping_sub(1);
            }
            if let (Some(free), Ok(argument)) = (names.get_mut(at), u8::try_from(index)) {
                *free = Some(Name { mark, argument, text });
            }
        }
        self.names = names.into();
    }

    /// The argument of this name.
    #[inline]
    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        let mark = Mark::of(name);
        let mut at = place(&mark, self.seed, self.names.len());
        while let Some(Some(own)) = self.names.get(at) {
            if own.mark == mark && own.text.as_ref().is_none_or(|text| text.as_bytes() == name) {
                return Some(usize::from(own.argument));
            }
            at = at.wrapping_add(1) & self.names.len().wrapping_sub(1);
        }
        None
    }
}

/// Where a mark is looked for among `size` places, a power of two.
#[inline]
fn place(mark: &Mark, seed: u64, size: usize) -> usize {
    usize::try_from(mark.hash(seed)).unwrap_or(0) & size.wrapping_sub(1)
}

/// The rows that stand, and those of them that need no approval.
fn standing(rows: &[super::super::plan::PlanRow]) -> (u64, u64) {
    let mut all = (0, 0);
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.void.is_none()) {
        all.0 |= bit(index);
        if row.grade == crate::table::model::RowGrade::Allow {
            all.1 |= bit(index);
        }
    }
    all
}

/// The provider of the first type, then first in the deployment, that offers the capability; none: it depends.
fn executor(deployment: &Deployment, capability: &str) -> Option<usize> {
    let mut first: Option<(ProviderType, usize)> = None;
    for (index, provider) in deployment.providers.iter().enumerate() {
        for offer in provider.offers.iter().filter(|offer| covers(&offer.capability, capability)) {
            if offer.pinned.is_some() || !offer.except.is_empty() || provider.state == Enabled::Disabled {
                return None;
            }
            let candidate = (provider.ty, index);
            first = Some(first.map_or(candidate, |first| first.min(candidate)));
        }
    }
    first.map(|(_, index)| index)
}

fn unconditional(plan: &Plan) -> Option<Effects> {
    let all = plan.effects.iter().all(|rule| rule.when.is_none());
    all.then(|| plan.effects.iter().fold(Effects::default(), |effects, rule| effects.with(rule.effect)).closed())
}

fn omitted(member: &Member) -> Omitted {
    match &member.presence {
        Presence::Required | Presence::Optional | Presence::OrAbsent => Omitted::Absent,
        Presence::Defaulted(Default::Unspecified) => Omitted::Unspecified,
        Presence::Defaulted(Default::Value(_)) => Omitted::Default,
    }
}

impl Omitted {
    /// The point that it is.
    pub(super) fn seen(self, member: &Member) -> Seen<'_> {
        match (self, &member.presence) {
            (Omitted::Default, Presence::Defaulted(Default::Value(value))) => Seen::Value(value),
            (Omitted::Unspecified, _) => Seen::Unspecified,
            (Omitted::Absent | Omitted::Default, _) => Seen::Absent,
        }
    }
}

impl Ask {
    /// The test, as the plan has it.
    pub(super) fn of(self, plan: &Plan) -> Option<&SlotMatcher> {
        match self {
            Ask::Demand(index) => plan.demands.get(index).map(|demand| &demand.test),
            Ask::Clause(factor, row, clause) => {
                plan.factors.get(factor)?.rows.get(row)?.clauses.get(clause).map(|clause| &clause.test)
            }
            Ask::Effect(index) => plan.effects.get(index)?.when.as_ref().map(|(_, test)| test),
        }
    }
}

impl Check {
    fn new(ty: &Type) -> Check {
        let mut check = Check { shape: Shape::new(&ty.kind), null: ty.null, wildcard: false, refinement: None, slot: None };
        match (&ty.refinement, &mut check.shape) {
            (None, _) => {}
            (Some(Set::Atom(Atom::Size(size))), Shape::List { size: own, one: false, .. }) => *own = *size,
            (Some(set), Shape::Text | Shape::Listed(_) | Shape::Spelled(_) | Shape::Bool | Shape::Number(_)) => {
                match Matcher::compile(ty, set, &mut Work::new()) {
                    Ok(matcher) => check.refinement = Some(matcher),
                    Err(_) => check.shape = Shape::Odd,
                }
            }
            (Some(_), Shape::List { .. } | Shape::Any | Shape::Odd) => check.shape = Shape::Odd,
        }
        check
    }

    pub(super) fn is_scalar(&self) -> bool {
        match self.shape {
            Shape::Text | Shape::Listed(_) | Shape::Spelled(_) | Shape::Bool | Shape::Number(_) => true,
            Shape::List { .. } | Shape::Any | Shape::Odd => false,
        }
    }
}

impl Shape {
    fn new(kind: &Kind) -> Shape {
        match kind {
            Kind::Text { .. } | Kind::OpaqueText => Shape::Text,
            Kind::Bool => Shape::Bool,
            Kind::Number(number) => Shape::Number(*number),
            Kind::Enum(values) => {
                let texts: Vec<Box<str>> = values.iter().filter_map(text).collect();
                if texts.len() == values.len() { Shape::Listed(Texts::new(texts)) } else { Shape::Odd }
            }
            Kind::Path { .. } | Kind::Url { .. } | Kind::Host | Kind::Email | Kind::Ip | Kind::Time(_) => {
                Shape::Spelled(kind.clone())
            }
            Kind::List(of) => Shape::list(Check::new(of), false),
            Kind::OneOrList(of) => Shape::list(Check::new(of), true),
            Kind::Argv => {
                Shape::list(Check { shape: Shape::Text, null: false, wildcard: false, refinement: None, slot: None }, false)
            }
            Kind::OpaqueJson => Shape::Any,
            Kind::Map(_) | Kind::Record { .. } | Kind::Union(_) => Shape::Odd,
        }
    }

    fn list(of: Check, one: bool) -> Shape {
        if of.is_scalar() { Shape::List { of: Box::new(of), size: Size::ANY, one } } else { Shape::Odd }
    }
}

fn text(value: &Value) -> Option<Box<str>> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Object(_) => None,
    }
}
