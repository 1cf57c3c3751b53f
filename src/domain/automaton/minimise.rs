//! A deterministic automaton → the smallest that accepts the same texts: Hopcroft's refinement, then states numbered
//! breadth first, so that equal languages over equal classes give equal automata.

use super::Automaton;
use crate::domain::{Bound, Work};
use std::collections::{HashMap, VecDeque};

/// The minimal automaton, its dead state known.
///
/// # Errors
/// [`Bound`]: more states than a pattern may have.
pub(super) fn minimal(automaton: Automaton, work: &mut Work) -> Result<Automaton, Bound> {
    let blocks = refine(&automaton, work)?;
    let smallest = numbered(&automaton, &blocks);
    if smallest.states() > work.pattern_states {
        return Err(Bound::new(&format!("a pattern of more than {} states", work.pattern_states)));
    }
    Ok(smallest)
}

/// For each state the number of its block of states that no text tells apart.
fn refine(automaton: &Automaton, work: &mut Work) -> Result<Vec<usize>, Bound> {
    let states = automaton.states();
    let classes = automaton.classes.count();
    let sources = sources(automaton);
    let (yes, no): (Vec<usize>, Vec<usize>) =
        (0..states).partition(|state| automaton.accepting.get(*state).copied().unwrap_or(false));
    let mut blocks: Vec<Vec<usize>> = [yes, no].into_iter().filter(|block| !block.is_empty()).collect();
    let mut block_of = vec![0; states];
    for (number, block) in blocks.iter().enumerate() {
        place(&mut block_of, block, number);
    }
    let mut todo: VecDeque<usize> = (0..blocks.len()).collect();
    let mut queued = vec![true; blocks.len()];
    while let Some(splitter) = todo.pop_front() {
        set(&mut queued, splitter, false);
        let splitter: Vec<usize> = blocks.get(splitter).cloned().unwrap_or_default();
        for class in 0..classes {
            work.spend(splitter.len().saturating_add(1), "a pattern")?;
            for (block, leaving) in touched(&splitter, class, classes, &sources, &block_of) {
                let Some(members) = blocks.get_mut(block) else {
                    continue;
                };
                if leaving.len() == members.len() {
                    continue;
                }
                members.retain(|state| leaving.binary_search(state).is_err());
                let (stay, fresh) = (members.len(), queued.len());
                place(&mut block_of, &leaving, fresh);
                let smaller = if leaving.len() <= stay { fresh } else { block };
                blocks.push(leaving);
                let was_queued = queued.get(block).copied().unwrap_or(false);
                queued.push(false);
                let add = if was_queued { fresh } else { smaller };
                set(&mut queued, add, true);
                todo.push_back(add);
            }
        }
    }
    Ok(block_of)
}

fn place(block_of: &mut [usize], members: &[usize], number: usize) {
    for member in members {
        if let Some(block) = block_of.get_mut(*member) {
            *block = number;
        }
    }
}

fn set(queued: &mut [bool], block: usize, to: bool) {
    if let Some(flag) = queued.get_mut(block) {
        *flag = to;
    }
}

/// For each state and class, the states that lead there by the class.
fn sources(automaton: &Automaton) -> Vec<Vec<usize>> {
    let classes = automaton.classes.count();
    let mut sources = vec![Vec::new(); automaton.next.len()];
    for (place, target) in automaton.next.iter().enumerate() {
        let (state, class) = (place.checked_div(classes).unwrap_or(0), place.checked_rem(classes).unwrap_or(0));
        if let Some(list) = sources.get_mut(usize::from(*target).saturating_mul(classes).saturating_add(class)) {
            list.push(state);
        }
    }
    sources
}

/// The states that lead into `splitter` by `class`, by block, sorted.
fn touched(
    splitter: &[usize],
    class: usize,
    classes: usize,
    sources: &[Vec<usize>],
    block_of: &[usize],
) -> Vec<(usize, Vec<usize>)> {
    let mut by_block: HashMap<usize, Vec<usize>> = HashMap::new();
    for target in splitter {
        for source in sources.get(target.saturating_mul(classes).saturating_add(class)).into_iter().flatten() {
            by_block.entry(block_of.get(*source).copied().unwrap_or(0)).or_default().push(*source);
        }
    }
    let mut touched: Vec<(usize, Vec<usize>)> = by_block.into_iter().collect();
    touched.sort_unstable();
    for (_, states) in &mut touched {
        states.sort_unstable();
    }
    touched
}

/// The automaton of the blocks, reachable ones only, numbered breadth first from the start.
fn numbered(automaton: &Automaton, block_of: &[usize]) -> Automaton {
    let classes = automaton.classes.count();
    let block = |state: u16| block_of.get(usize::from(state)).copied().unwrap_or(0);
    let mut number: HashMap<usize, u16> = HashMap::from([(block(automaton.start), 0)]);
    let mut samples = vec![automaton.start];
    let mut next = Vec::new();
    let mut at = 0;
    while let Some(sample) = samples.get(at).copied() {
        for class in 0..classes {
            let target = automaton.target(sample, u16::try_from(class).unwrap_or(u16::MAX));
            let fresh = u16::try_from(number.len()).unwrap_or(u16::MAX);
            let state = *number.entry(block(target)).or_insert(fresh);
            if state == fresh {
                samples.push(target);
            }
            next.push(state);
        }
        at = at.saturating_add(1);
    }
    let accepting: Box<[bool]> = samples.iter().map(|sample| automaton.is_accepting(*sample)).collect();
    let is_dead = |state: &usize| {
        let row = next.iter().skip(state.saturating_mul(classes)).take(classes);
        accepting.get(*state) == Some(&false) && row.into_iter().all(|target| usize::from(*target) == *state)
    };
    let dead = (0..accepting.len()).find(is_dead).and_then(|state| u16::try_from(state).ok());
    Automaton { classes: automaton.classes.clone(), next: next.into(), accepting, start: 0, dead }
}
