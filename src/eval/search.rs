//! Questions about all calls to a tool at once: is any permitted, does a set hold every address. Knows no single call.

use super::demand::Demand;
use super::plan::Plan;
use crate::domain::{Atom, Bound, Kind, Naming, Part, Product, Set, Shape, Slot, Type, Work, includes};
use crate::table::model::Tool;

/// Whether no call is permitted by the factors of `plan`, its limits and `extra` demands.
///
/// # Errors
/// What was too large to settle it.
pub(crate) fn is_empty(tool: &Tool, plan: &Plan, extra: &[Demand], work: &mut Work) -> Result<bool, String> {
    if super::guess::permits(tool, plan, extra) {
        return Ok(false);
    }
    let shape = shape(tool, plan);
    let mut limits = Product::default();
    for demand in plan.demands.iter().chain(extra) {
        limits.demand(demand.argument, demand.slot.clone());
    }
    let mut unions: Vec<Vec<Product>> = vec![vec![limits]];
    for factor in &plan.factors {
        let rows = factor.rows.iter().filter(|row| row.void.is_none());
        unions.push(
            rows.map(|row| {
                let mut product = Product::default();
                row.clauses.iter().for_each(|c| product.demand(c.clause.argument, c.clause.slot.clone()));
                product
            })
            .collect(),
        );
    }
    let borrowed: Vec<Vec<&Product>> = unions.iter().map(|union| union.iter().collect()).collect();
    match shape.common(&borrowed, work) {
        Ok(call) => Ok(call.is_none()),
        Err(_) => Err(format!("whether `{}` permits any call is not settled within the bound on work", tool.name)),
    }
}

/// The tool's arguments as the algebra sees them.
pub(crate) fn shape<'a>(tool: &'a Tool, plan: &Plan) -> Shape<'a> {
    let namings = plan.namings.iter().filter_map(|naming| {
        let within = &naming.within;
        Some(Naming::new(naming.named?, naming.namer, &naming.steps, &within.separator, &within.values))
    });
    Shape { members: tool.arguments.iter().collect(), namings: namings.collect() }
}

/// Whether a demand on hosts can tell a name from the addresses behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Addresses {
    /// It holds every address.
    All,
    /// It holds some, or none.
    Some,
}

/// What `slot` says of addresses.
pub(crate) fn addresses(tool: &Tool, argument: usize, slot: &Slot, work: &mut Work) -> Result<Addresses, Bound> {
    let member = tool.arguments.get(argument);
    let whole = match member.map(|m| &m.ty.kind) {
        Some(Kind::Host) => holds_addresses(&slot.values, work)?,
        Some(_) => holds_all(&slot.values, work)?,
        None => true,
    };
    Ok(if whole { Addresses::All } else { Addresses::Some })
}

/// A set over hosts.
fn holds_addresses(set: &Set, work: &mut Work) -> Result<bool, Bound> {
    let block = |cidr: &str| Set::Atom(Atom::Cidr(cidr.into()));
    let every = Set::Or(vec![block("0.0.0.0/0"), block("::/0")]);
    includes(&Type { kind: Kind::Host, null: false, refinement: None }, set, &every, work)
}

/// A set over anything else: exact where it speaks of hosts by part, and never too generous.
fn holds_all(set: &Set, work: &mut Work) -> Result<bool, Bound> {
    let all = |parts: &[Set], work: &mut Work| -> Result<bool, Bound> {
        for part in parts {
            if !holds_all(part, work)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    match set {
        Set::Any | Set::Never => Ok(true),
        Set::And(parts) | Set::Or(parts) => all(parts, work),
        Set::Not(inner) => holds_all(inner, work),
        Set::Atom(atom) => match atom {
            Atom::Part(Part::Host, hosts) => holds_addresses(hosts, work),
            Atom::Url(_) | Atom::Host(_) | Atom::Class(_) | Atom::Cidr(_) => Ok(false),
            Atom::Each(set) | Atom::Keys(set) | Atom::Values(set) | Atom::Alternative(_, set) | Atom::OneOrEach(set, _) => {
                holds_all(set, work)
            }
            Atom::Field(_, slot) => holds_all(&slot.values, work),
            Atom::Argv(sets, _) => all(sets, work),
            // No set of these kinds speaks of hosts.
            Atom::OneOf(_)
            | Atom::Numbers(_)
            | Atom::Times(_)
            | Atom::Prefix(_)
            | Atom::Suffix(_)
            | Atom::Length(_)
            | Atom::Matches(_)
            | Atom::Part(Part::Scheme | Part::Port | Part::Path | Part::Local, _)
            | Atom::Path(_)
            | Atom::PathAnyCase(_)
            | Atom::Email(_)
            | Atom::Size(_) => Ok(true),
        },
    }
}
