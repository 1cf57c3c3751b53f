//! The names of connectors and tools → ids, in one look-up. Made when a table is loaded; never written.

use super::model::{Model, ToolId};
use crate::domain::hash;

/// Open addressing over the tools of a model.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// A power of two, at most half of them taken: part of the hash, and one more than the number of the tool.
    places: Box<[(u32, u32)]>,
    tools: Box<[ToolId]>,
}

impl Index {
    /// The index of the model's tools.
    pub(super) fn new(model: &Model) -> Index {
        let ids = |c: usize, count: usize| (0..count).map(move |t| ToolId(c, t));
        let tools: Box<[ToolId]> =
            model.connectors.iter().enumerate().flat_map(|(c, connector)| ids(c, connector.tools.len())).collect();
        let size = tools.len().saturating_mul(2).max(1).next_power_of_two();
        let mut index = Index { places: vec![(0, 0); size].into(), tools: Box::default() };
        let names = model.connectors.iter().flat_map(|c| c.tools.iter().map(move |t| (&*c.name, &*t.name)));
        for (number, (connector, tool)) in (1_u32..).zip(names) {
            let hash = both(connector, tool);
            let mut at = hash;
            while let Some(place) = index.places.get_mut(slot(at, size)) {
                if place.1 == 0 {
                    *place = (part(hash), number);
                    break;
                }
                at = at.wrapping_add(1);
            }
        }
        Index { tools, ..index }
    }

    /// The tool of this name in the connector of that name. Of several the first.
    pub(super) fn find(&self, model: &Model, connector: &str, tool: &str) -> Option<ToolId> {
        let hash = both(connector, tool);
        let mut at = hash;
        loop {
            let (wanted, number) = *self.places.get(slot(at, self.places.len()))?;
            let id = *self.tools.get(usize::try_from(number.checked_sub(1)?).ok()?)?;
            if wanted == part(hash) {
                let own = model.connectors.get(id.0)?;
                if &*own.name == connector && own.tools.get(id.1).is_some_and(|own| &*own.name == tool) {
                    return Some(id);
                }
            }
            at = at.wrapping_add(1);
        }
    }
}

fn both(connector: &str, tool: &str) -> u64 {
    hash(tool.as_bytes()) ^ hash(connector.as_bytes()).rotate_left(17)
}

fn part(hash: u64) -> u32 {
    u32::try_from(hash >> 32).unwrap_or(0)
}

fn slot(at: u64, size: usize) -> usize {
    usize::try_from(at).unwrap_or(0) & size.wrapping_sub(1)
}
