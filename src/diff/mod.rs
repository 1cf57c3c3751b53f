//! Two tables → what the second newly permits and newly refuses, each with the lightest call that shows it. Asks the same
//! plans that decide. Knows no policy text; facts play no part: what is compared is what policy permits.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod align;

use crate::domain::{Call, Member, Point, Product, Stopped, Value, Work};
use crate::eval::plan::Plan;
use crate::eval::product::{Graded, products};
use crate::eval::search::shape;
use crate::eval::{ApplyError, Handle};
use crate::table::Table;
use crate::table::model::{Effect, RowGrade, Tool, ToolId};
use align::Alignment;
use std::collections::BTreeSet;

/// At most so many products of one tool are compared.
const PRODUCTS: usize = 4_096;

/// What the second table does to calls of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Calls are permitted that were refused, or need no approval that needed one.
    NewlyPermitted,
    /// Calls are refused that were permitted, or need approval that needed none.
    NewlyRefused,
}

/// What a declaration gives to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Given {
    /// It refuses.
    Refuse,
    /// It permits with approval.
    Ask,
    /// It permits.
    Allow,
}

/// The two together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing changes.
    Equal,
    /// Calls are newly refused, none newly permitted.
    Narrower,
    /// Some call is newly permitted.
    Wider,
}

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The agent.
    pub agent: Box<str>,
    /// The connector.
    pub connector: Box<str>,
    /// The tool.
    pub tool: Box<str>,
    /// The argument that chooses the tool's effect and the value it has here, where it has one.
    pub selector: Option<(Box<str>, Value)>,
    /// What changes.
    pub change: Change,
    /// Before.
    pub from: Given,
    /// After.
    pub to: Given,
    /// The arguments of the lightest call that shows it, an object.
    pub witness: Value,
}

/// Why two tables could not be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiffError {
    /// Neither table has the agent.
    #[error("neither policy has an agent `{0}`")]
    UnknownAgent(String),
    /// A table's agent cannot be applied.
    #[error("{0}")]
    Apply(#[from] ApplyError),
    /// The work would be too much.
    #[error("`{tool}` of `{agent}` cannot be compared within the bound on work: too many combinations of rows")]
    Bound {
        /// The agent.
        agent: String,
        /// `connector.tool`.
        tool: String,
    },
}

/// Every difference between two tables, or of one agent; sorted by agent, connector, tool.
///
/// # Errors
/// [`DiffError`]: an unknown agent, or too much work.
pub fn diff(old: &Table, new: &Table, agent: Option<&str>) -> Result<Vec<Difference>, DiffError> {
    let names = |table: &Table| table.model().agents.iter().map(|a| a.name.clone()).collect::<Vec<_>>();
    let (before, after) = (names(old), names(new));
    let mut agents: BTreeSet<Box<str>> = before.iter().chain(&after).cloned().collect();
    if let Some(agent) = agent {
        agents.retain(|name| **name == *agent);
        if agents.is_empty() {
            return Err(DiffError::UnknownAgent(agent.to_owned()));
        }
    }
    let mut found = Vec::new();
    for agent in agents {
        let handle = |table: &Table, known: &[Box<str>]| -> Result<Option<Handle>, ApplyError> {
            if known.contains(&agent) { table.handle(&agent, &[], &[]).map(Some) } else { Ok(None) }
        };
        let (was, is) = (handle(old, &before)?, handle(new, &after)?);
        for (connector, tool) in tools(old, new) {
            let compared = Compared { agent: &agent, connector: &connector, tool: &tool };
            let (was, is) = (side(was.as_ref(), &connector, &tool), side(is.as_ref(), &connector, &tool));
            compared.both(was.as_ref(), is.as_ref(), &mut found)?;
        }
    }
    Ok(found)
}

/// What all differences come to.
pub fn verdict(differences: &[Difference]) -> Verdict {
    if differences.is_empty() {
        Verdict::Equal
    } else if differences.iter().all(|difference| difference.change == Change::NewlyRefused) {
        Verdict::Narrower
    } else {
        Verdict::Wider
    }
}

fn tools(old: &Table, new: &Table) -> BTreeSet<(Box<str>, Box<str>)> {
    let connectors = old.model().connectors.iter().chain(&new.model().connectors);
    connectors.flat_map(|c| c.tools.iter().map(|t| (c.name.clone(), t.name.clone()))).collect()
}

/// A tool that is not hidden.
#[derive(Clone, Copy)]
struct Side<'a> {
    tool: &'a Tool,
    plan: &'a Plan,
}

fn side<'a>(handle: Option<&'a Handle>, connector: &str, tool: &str) -> Option<Side<'a>> {
    let handle = handle?;
    let id: ToolId = handle.table().model().find_tool(connector, tool)?;
    Some(Side { tool: handle.table().model().tool(id)?, plan: handle.plan(id)? })
}

struct Compared<'a> {
    agent: &'a str,
    connector: &'a str,
    tool: &'a str,
}

impl Compared<'_> {
    fn both(&self, was: Option<&Side<'_>>, is: Option<&Side<'_>>, found: &mut Vec<Difference>) -> Result<(), DiffError> {
        if let Some(is) = is {
            self.one(is, was, Change::NewlyPermitted, found)?;
        }
        if let Some(was) = was {
            self.one(was, is, Change::NewlyRefused, found)?;
        }
        Ok(())
    }

    /// Calls that `more` gives more to than `less`, by what the call's effect is chosen with.
    fn one(
        &self,
        more: &Side<'_>,
        less: Option<&Side<'_>>,
        change: Change,
        found: &mut Vec<Difference>,
    ) -> Result<(), DiffError> {
        let mine = self.products(more.plan)?;
        let theirs = match less {
            Some(less) => self.products(less.plan)?,
            None => Vec::new(),
        };
        let alignment = less.and_then(|less| Alignment::new(&more.tool.arguments, &less.tool.arguments));
        let theirs = alignment.map_or_else(Vec::new, |alignment| alignment.all(&theirs));
        for selector in selectors(more.tool, more.plan) {
            let chosen = |graded: &Graded| align::choosing(graded, selector.as_ref());
            let mine: Vec<Graded> = mine.iter().map(chosen).collect();
            for (less, more_given, call) in self.beyond(more, &mine, &theirs)? {
                let (from, to) = match change {
                    Change::NewlyPermitted => (less, more_given),
                    Change::NewlyRefused => (more_given, less),
                };
                let of_selector = |(a, value): (usize, Value)| Some((more.tool.arguments.get(a)?.name.clone(), value));
                found.push(Difference {
                    agent: self.agent.into(),
                    connector: self.connector.into(),
                    tool: self.tool.into(),
                    selector: selector.clone().and_then(of_selector),
                    change,
                    from,
                    to,
                    witness: arguments(&more.tool.arguments, &call),
                });
            }
        }
        Ok(())
    }

    fn products(&self, plan: &Plan) -> Result<Vec<Graded>, DiffError> {
        products(plan, &[], PRODUCTS).ok_or_else(|| self.bound())
    }

    fn bound(&self) -> DiffError {
        DiffError::Bound { agent: self.agent.to_owned(), tool: format!("{}.{}", self.connector, self.tool) }
    }

    /// The lightest call that `mine` permits and `theirs` refuses, and the lightest that `mine` allows and `theirs` asks for.
    fn beyond(&self, side: &Side<'_>, mine: &[Graded], theirs: &[Graded]) -> Result<Vec<(Given, Given, Call)>, DiffError> {
        let of = |grade: RowGrade| theirs.iter().filter(move |graded| graded.grade == grade);
        let all: Vec<&Product> = theirs.iter().map(|graded| &graded.product).collect();
        let mut found = Vec::new();
        if let Some((grade, call)) = self.lightest(side, mine, &all)? {
            found.push((Given::Refuse, given(grade), call));
        }
        let free = mine.iter().filter(|graded| graded.grade == RowGrade::Allow);
        let asked: Vec<Graded> = free
            .flat_map(|graded| of(RowGrade::Ask).map(|ask| Graded { product: graded.product.meet(&ask.product), ..*graded }))
            .collect();
        let allowed: Vec<&Product> = of(RowGrade::Allow).map(|graded| &graded.product).collect();
        if let Some((_, call)) = self.lightest(side, &asked, &allowed)? {
            found.push((Given::Ask, Given::Allow, call));
        }
        Ok(found)
    }

    fn lightest(
        &self,
        side: &Side<'_>,
        mine: &[Graded],
        theirs: &[&Product],
    ) -> Result<Option<(RowGrade, Call)>, DiffError> {
        let shape = shape(side.tool, side.plan);
        let mut best: Option<(RowGrade, Call)> = None;
        for graded in mine {
            let escaped = shape.escape(&graded.product, theirs, &mut Work::new());
            let Some(call) = escaped.map_err(|_: Stopped| self.bound())? else { continue };
            if best.as_ref().is_none_or(|(_, known)| call.weight < known.weight) {
                best = Some((graded.grade, call));
            }
        }
        Ok(best)
    }
}

fn given(grade: RowGrade) -> Given {
    match grade {
        RowGrade::Ask => Given::Ask,
        RowGrade::Allow => Given::Allow,
    }
}

/// The values of the argument that chooses the tool's effect, where it is a closed list; else no choice.
fn selectors(tool: &Tool, plan: &Plan) -> Vec<Option<(usize, Value)>> {
    let of_rules = plan.effects.iter().filter(|rule| rule.effect != Effect::ReachesOutside);
    let argument = of_rules.filter_map(|rule| rule.when.as_ref()).map(|(argument, _)| *argument).min();
    let values = argument.and_then(|a| match &tool.arguments.get(a)?.ty.kind {
        crate::domain::Kind::Enum(values) => Some((a, values)),
        _no_closed_list => None,
    });
    match values {
        Some((a, values)) => values.iter().map(|value| Some((a, value.clone()))).collect(),
        None => vec![None],
    }
}

/// The call's arguments as an object, what is left out left out.
fn arguments(members: &[Member], call: &Call) -> Value {
    let given = members.iter().zip(&call.points).filter_map(|(member, point)| match point {
        Point::Value(value) => Some((member.name.clone(), value.clone())),
        Point::Absent | Point::Unspecified => None,
    });
    Value::Object(given.collect())
}
