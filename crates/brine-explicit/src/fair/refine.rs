//! The part of a component in which strongly fair transitions that never fire are never enabled.
//!
//! Sets of states wait to be looked at. Of a set, the strongly connected components are found
//! (Tarjan, with an explicit stack) by the edges that stay inside; each is pooled. A fair one ends
//! the search; one that lacks a mark is dropped; of another one the states that enable what it
//! never fires are left out, and the rest waits. See the head of the module for the proof.

use super::FairComponent;
use super::pool::{FairSets, Pool};
use super::product::FairProduct;
use crate::fire::Step;
use crate::graph::{Cursor, GraphStateId};
use brine_run::Stop;
use rustc_hash::FxHashMap;

/// Bytes for a state in the tables of one set.
const BYTES: u64 = 64;

/// A part of a component in which there is a fair cycle through everything, if there is one. The
/// component has all marks, and its `pool` says which transitions are treated unfairly.
pub(super) fn fair_part(
    product: &mut FairProduct<'_>,
    sets: &FairSets,
    states: Vec<GraphStateId>,
    pool: &Pool,
) -> Result<Option<FairComponent>, Stop> {
    let rest = without(product, sets, &states, pool)?;
    let mut waiting = vec![rest];
    while let Some(states) = waiting.pop() {
        let bytes = BYTES * states.len() as u64;
        product.meter().charge(bytes)?;
        let components = Components::of(product, sets, &states);
        product.meter().refund(bytes);
        for (states, pool) in components? {
            if sets.is_fair(&pool) {
                return Ok(Some(FairComponent { states }));
            }
            if sets.has_marks(&pool) {
                waiting.push(without(product, sets, &states, &pool)?);
            }
        }
    }
    Ok(None)
}

/// The states that enable nothing that their component never fires; fewer than there were.
fn without(
    product: &mut FairProduct<'_>,
    sets: &FairSets,
    states: &[GraphStateId],
    pool: &Pool,
) -> Result<Vec<GraphStateId>, Stop> {
    let unfair: Vec<u32> = sets.unfair(pool).collect();
    let (mut rest, mut enabled) = (Vec::new(), Vec::new());
    for &s in states {
        product.enabled(s, &mut enabled)?;
        if !sets.enables_one(&enabled, &unfair) {
            rest.push(s);
        }
    }
    debug_assert!(rest.len() < states.len(), "some state enables what is treated unfairly");
    Ok(rest)
}

/// Tarjan's algorithm on a set of states.
struct Components<'s> {
    sets: &'s FairSets,
    /// By state of the set: its number, from 1 in the order of entering; 0 before, `DONE` behind.
    numbers: FxHashMap<GraphStateId, u32>,
    count: u32,
    /// States that belong to no complete component yet.
    current: Vec<GraphStateId>,
    frames: Vec<Visit>,
    found: Vec<(Vec<GraphStateId>, Pool)>,
}

/// A state on the call stack, and what is known of its component below it.
struct Visit {
    state: GraphStateId,
    number: u32,
    cursor: Cursor,
    low: u32,
    /// Of the states.
    pool: Pool,
    cyclic: bool,
}

const DONE: u32 = u32::MAX;

impl<'s> Components<'s> {
    /// The components of the set that have a cycle, each with its pool.
    fn of(
        product: &mut FairProduct<'_>,
        sets: &'s FairSets,
        states: &[GraphStateId],
    ) -> Result<Vec<(Vec<GraphStateId>, Pool)>, Stop> {
        let numbers = states.iter().map(|&s| (s, 0)).collect();
        let mut all = Components {
            sets,
            numbers,
            count: 0,
            current: Vec::new(),
            frames: Vec::new(),
            found: Vec::new(),
        };
        let mut enabled = Vec::new();
        for &start in states {
            if all.numbers[&start] == 0 {
                all.enter(product, start, &mut enabled)?;
            }
            while !all.frames.is_empty() {
                all.step(product, &mut enabled)?;
            }
        }
        Ok(all.found)
    }

    fn enter(
        &mut self,
        product: &mut FairProduct<'_>,
        state: GraphStateId,
        enabled: &mut Vec<Step>,
    ) -> Result<(), Stop> {
        product.enabled(state, enabled)?;
        let mut pool = self.sets.nothing();
        self.sets.add_state(&mut pool, enabled);
        self.count += 1;
        let number = self.count;
        self.numbers.insert(state, number);
        self.current.push(state);
        let cursor = Cursor::default();
        self.frames.push(Visit { state, number, cursor, low: number, pool, cyclic: false });
        Ok(())
    }

    /// Follows an edge of the top state, or leaves it.
    fn step(&mut self, product: &mut FairProduct<'_>, enabled: &mut Vec<Step>) -> Result<(), Stop> {
        let Some(top) = self.frames.last_mut() else { return Ok(()) };
        if let Some(edge) = product.next(top.state, &mut top.cursor)? {
            match self.numbers.get(&edge.target).copied() {
                None | Some(DONE) => (),
                Some(0) => self.enter(product, edge.target, enabled)?,
                Some(number) => {
                    top.low = top.low.min(number);
                    top.cyclic = true;
                }
            }
            return Ok(());
        }
        let Some(done) = self.frames.pop() else { return Ok(()) };
        if done.low < done.number {
            if let Some(below) = self.frames.last_mut() {
                below.low = below.low.min(done.low);
                below.pool.add(&done.pool);
                below.cyclic = true;
            }
            return Ok(());
        }
        let first = self.current.iter().rposition(|&s| s == done.state).unwrap_or(0);
        let states = self.current.split_off(first);
        for &s in &states {
            self.numbers.insert(s, DONE);
        }
        if done.cyclic {
            let pool = self.with_edges(product, &states, done.pool)?;
            self.found.push((states, pool));
        }
        Ok(())
    }

    /// The pool of a component with all edges between its states.
    fn with_edges(
        &self,
        product: &mut FairProduct<'_>,
        states: &[GraphStateId],
        mut pool: Pool,
    ) -> Result<Pool, Stop> {
        let inside: rustc_hash::FxHashSet<GraphStateId> = states.iter().copied().collect();
        for &s in states {
            let mut cursor = Cursor::default();
            while let Some(edge) = product.next(s, &mut cursor)? {
                if inside.contains(&edge.target) {
                    self.sets.add_edge(&mut pool, edge);
                }
            }
        }
        Ok(pool)
    }
}
