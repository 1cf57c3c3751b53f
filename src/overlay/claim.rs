//! A clause of an overlay → what has to be true for it to narrow: products, and the union that they must lie in. The rule
//! alone, without the search that decides it; what certificates prove.

use super::limit;
use super::narrow::{ClauseRef, Context, mentioned, projections, promised};
use super::stack::shape;
use crate::domain::{Member, Naming, Product, Shape, Slot, Stopped, Work};
use serde::{Deserialize, Serialize};

/// The demands of one row: by argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Row(pub Vec<(usize, Slot)>);

impl Row {
    fn of(product: &Product) -> Row {
        Row(product.slots().map(|(argument, slot)| (argument, slot.clone())).collect())
    }

    /// The demand on `argument`, if any.
    pub fn slot(&self, argument: usize) -> Option<&Slot> {
        self.0.iter().find(|(at, _)| *at == argument).map(|(_, slot)| slot)
    }
}

/// Every coherent call in `left` lies in one of `right`.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    /// The arguments.
    pub members: Vec<Member>,
    /// Which name which.
    pub namings: Vec<Naming>,
    /// What the clause promises.
    pub left: Row,
    /// What its base permits, on the paths that the clause mentions.
    pub right: Vec<Row>,
}

/// The claims of `clause`; all of them together are what it says. A limit that is left blank claims nothing.
pub(super) fn claims(cx: &Context<'_>, clause: ClauseRef<'_>, work: &mut Work) -> Result<Vec<Claim>, Stopped> {
    let members = |shape: &Shape<'_>| shape.members.iter().map(|member| (*member).clone()).collect();
    Ok(match clause {
        ClauseRef::Row(tool, row) => {
            let shape = shape(cx.policy, cx.policy.tool(tool));
            let right: Vec<Row> =
                projections(cx, &shape, tool, &mentioned(row), work)?.iter().flatten().map(Row::of).collect();
            let promised = promised(cx, &shape, tool, row, work)?;
            let claim = |left: &Product| Claim {
                members: members(&shape),
                namings: shape.namings.clone(),
                left: Row::of(left),
                right: right.clone(),
            };
            promised.iter().map(claim).collect()
        }
        // The base has rows for the tool, and none of them is empty.
        ClauseRef::Tool(tool, _) => {
            let shape = shape(cx.policy, cx.policy.tool(tool));
            let right: Vec<Row> = cx.base.rows(tool)?.iter().map(|permit| Row::of(&permit.product)).collect();
            let left = right.first().cloned().unwrap_or(Row(Vec::new()));
            vec![Claim { members: members(&shape), namings: shape.namings, left, right }]
        }
        ClauseRef::Limit(setting) if limit::speaks_of_nothing(cx, setting.limit) => Vec::new(),
        ClauseRef::Limit(setting) => match limit::promised(cx, setting) {
            Some(left) => {
                let members = vec![limit::member(cx.policy.limit(setting.limit))];
                let right = limit::right(cx, setting.limit, work)?.iter().map(Row::of).collect();
                vec![Claim { members, namings: Vec::new(), left: Row(vec![(0, left)]), right }]
            }
            None => Vec::new(),
        },
    })
}
