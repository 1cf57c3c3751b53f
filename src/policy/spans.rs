//! A policy → every place in the sources that it speaks of, each with whether its words are ever quoted. Knows no meaning.

use super::{Layer, Policy, Row, Use};
use crate::source::Span;

/// What a message shows of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The words that stand there.
    Words,
    /// Line and column.
    Place,
}

impl Policy {
    /// Calls `change` with every place, tests aside.
    pub fn visit_spans(&mut self, change: &mut dyn FnMut(&mut Span, Shown)) {
        self.lets.iter_mut().for_each(|it| change(&mut it.span, Shown::Words));
        for vocabulary in &mut self.vocabularies {
            change(&mut vocabulary.span, Shown::Words);
            vocabulary.enums.iter_mut().for_each(|it| change(&mut it.span, Shown::Words));
            vocabulary.limits.iter_mut().for_each(|it| change(&mut it.span, Shown::Words));
            for tool in &mut vocabulary.tools {
                change(&mut tool.span, Shown::Words);
                tool.arguments.iter_mut().for_each(|it| change(&mut it.span, Shown::Words));
            }
        }
        for agent in &mut self.agents {
            change(&mut agent.span, Shown::Words);
            prose(agent.describe.iter_mut().chain(&mut agent.welcome), change);
            layer(&mut agent.layer, change);
        }
        for overlay in &mut self.overlays {
            change(&mut overlay.span, Shown::Words);
            prose(overlay.describe.iter_mut().chain(&mut overlay.welcome), change);
            layer(&mut overlay.layer, change);
        }
        for boundary in &mut self.boundaries {
            change(&mut boundary.span, Shown::Words);
            layer(&mut boundary.layer, change);
        }
        if let Some(deployment) = &mut self.deployment {
            change(&mut deployment.span, Shown::Words);
            deployment.providers.iter_mut().for_each(|it| change(&mut it.span, Shown::Words));
        }
        self.skills.iter_mut().for_each(|it| change(&mut it.span, Shown::Words));
    }
}

fn prose<'p>(all: impl Iterator<Item = &'p mut super::Prose>, change: &mut dyn FnMut(&mut Span, Shown)) {
    all.for_each(|it| change(&mut it.span, Shown::Place));
}

fn layer(layer: &mut Layer, change: &mut dyn FnMut(&mut Span, Shown)) {
    layer.without_providers.iter_mut().for_each(|(_, span)| change(span, Shown::Words));
    for spoken in &mut layer.uses {
        of_use(spoken, change);
    }
}

fn of_use(spoken: &mut Use, change: &mut dyn FnMut(&mut Span, Shown)) {
    change(&mut spoken.span, Shown::Words);
    let listed = spoken.tools.iter_mut().flatten().chain(&mut spoken.without);
    listed.for_each(|it| change(&mut it.span, Shown::Words));
    spoken.rows.iter_mut().for_each(|it| row(it, change));
    let limits = spoken.limits.iter_mut().chain(&mut spoken.idle_limits);
    limits.for_each(|it| change(&mut it.span, Shown::Words));
}

fn row(row: &mut Row, change: &mut dyn FnMut(&mut Span, Shown)) {
    change(&mut row.span, Shown::Words);
    change(&mut row.whole, Shown::Place);
    for clause in &mut row.clauses {
        change(&mut clause.span, Shown::Words);
        change(&mut clause.whole, Shown::Place);
    }
}
