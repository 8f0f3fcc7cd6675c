//! Fair runs that an automaton over markings and events accepts.
//!
//! Couvreur's check (`emptiness/couvreur`), in a product whose edges are steps of the net
//! ([`product`]), with more than marks in its components ([`pool`]): weak fairness is one more
//! mark for each transition, carried by the edges that fire it and by the states that disable it;
//! strong fairness is two bits, that it fires and that it is enabled.
//!
//! ```text
//! a component of the explored part grows   ->  pool its states and edges; fair: a violation
//! a component is complete and is not fair  ->  if only strong fairness fails:
//!                                              leave out the states that enable what fires
//!                                              nowhere in it; the components that are left are
//!                                              looked at in the same way
//! ```
//!
//! *Sound.* All states of a component reach each other by its edges, so there is a cycle through
//! all of them, and the pool says whether that one is accepting and fair. *Complete.* A fair
//! accepting run stays, from some point on, in the states and edges that it visits infinitely
//! often; they are strongly connected and lie in one component C. What C lacks of marks, they lack
//! too. If C enables a strongly fair transition and never fires it, they do not fire it either, so
//! they do not enable it: they survive when the states that do are left out, and are strongly
//! connected there. Each time states go; so it ends, with their component found fair.
//!
//! This is emptiness of Streett automata by refining components (Emerson and Lei 1987; as in
//! Maria, Latvala and Heljanko 2000), on the fly for what needs no refinement. Cost: the product
//! once, and each component once more for each time it is refined, at most once per strongly fair
//! transition; a pool for each open component. Plain questions do not come here.

mod cycle;
mod pool;
mod product;
mod refine;

use crate::emptiness::{NEW, Numbers, REMOVED};
use crate::fire::Step;
use crate::graph::{Cursor, GraphStateId, SearchStats};
use crate::markings::Markings;
use crate::space::Space;
use brine_ltl::Automaton;
use brine_net::{Fairness, Run};
use brine_run::{Control, Stop};
use pool::{FairSets, Pool};
use product::{FairEdge, FairProduct};
use std::sync::Arc;

/// A component of the explored part whose first state is on the call stack.
#[derive(Debug)]
struct Root {
    state: GraphStateId,
    number: u32,
    /// The edge that led to `state`.
    entry: Option<FairEdge>,
    /// What the states and edges inside have.
    inside: Pool,
    /// There is an edge inside.
    cyclic: bool,
}

/// A state whose successors are being visited, and the step that led to it.
#[derive(Clone, Copy, Debug)]
struct Frame {
    state: GraphStateId,
    cursor: Cursor,
    step: Option<Step>,
}

/// A search, as far as it has come.
#[derive(Debug)]
pub(crate) struct FairSearch<'n> {
    product: FairProduct<'n>,
    sets: FairSets,
    numbers: Numbers,
    roots: Vec<Root>,
    stack: Vec<Frame>,
    /// A new state, and the edge that led to it.
    entering: Option<(GraphStateId, Option<FairEdge>)>,
    enabled: Vec<Step>,
    stats: SearchStats,
}

/// Where a fair cycle is.
struct FairComponent {
    /// All states of it.
    states: Vec<GraphStateId>,
}

impl<'n> FairSearch<'n> {
    pub(crate) fn new(
        space: Space<Markings<'n>>,
        aut: Arc<Automaton>,
        fairness: &Fairness,
    ) -> Result<Self, Stop> {
        let mut product = FairProduct::new(space, aut);
        let sets = FairSets::new(fairness, product.all_marks(), product.markings());
        let initial = product.initial()?;
        Ok(FairSearch {
            product,
            sets,
            numbers: Numbers::new(),
            roots: Vec::new(),
            stack: Vec::new(),
            entering: Some((initial, None)),
            enabled: Vec::new(),
            stats: SearchStats::default(),
        })
    }

    /// The search goes on under a new control.
    pub(crate) fn resume(&mut self, control: Control) {
        self.product.meter().resume(control);
    }

    /// The markings found so far.
    pub(crate) fn markings(&self) -> &Markings<'n> {
        self.product.markings()
    }

    /// What was counted.
    pub(crate) fn stats(&self) -> SearchStats {
        self.stats
    }

    /// The marking graph, for the next search.
    pub(crate) fn into_space(self) -> Space<Markings<'n>> {
        self.product.into_space()
    }

    /// Goes on to the end, or as far as the work goes. Only after [`Stop::Work`] may it be
    /// advanced again.
    pub(crate) fn advance(&mut self) -> Result<Option<Run>, Stop> {
        loop {
            self.product.meter().pause()?;
            if let Some((s, edge)) = self.entering.take() {
                self.open(s, edge)?;
            }
            let Some(top) = self.stack.last_mut() else { return Ok(None) };
            let state = top.state;
            let found = match self.product.next(state, &mut top.cursor)? {
                None => self.close(state)?,
                Some(edge) => self.follow(edge),
            };
            if let Some(component) = found {
                self.product.meter().grace();
                return self.run_through(&component).map(Some);
            }
        }
    }

    fn open(&mut self, state: GraphStateId, entry: Option<FairEdge>) -> Result<(), Stop> {
        self.product.enabled(state, &mut self.enabled)?;
        let mut inside = self.sets.nothing();
        self.sets.add_state(&mut inside, &self.enabled);
        let bytes = self.sets.pool_bytes();
        let meter = self.product.meter();
        meter.charge(bytes)?;
        let number = self.numbers.open(state, meter)?;
        debug_assert!(self.roots.last().is_none_or(|r| r.number < number), "roots ascend");
        meter.push(&mut self.roots, Root { state, number, entry, inside, cyclic: false })?;
        let step = entry.and_then(|edge| edge.step);
        meter.push(&mut self.stack, Frame { state, cursor: Cursor::default(), step })?;
        self.stats.state();
        self.stats.reached_stack(self.roots.len());
        self.stats.reached_depth(self.stack.len());
        Ok(())
    }

    /// Goes along an edge; a component that becomes fair by it is found.
    fn follow(&mut self, edge: FairEdge) -> Option<FairComponent> {
        self.stats.transitions += 1;
        let number = self.numbers.get(edge.target);
        if number == NEW {
            self.entering = Some((edge.target, Some(edge)));
            return None;
        }
        if number == REMOVED {
            return None;
        }
        self.merge(number, edge);
        let root = self.roots.last()?;
        self.sets
            .is_fair(&root.inside)
            .then(|| FairComponent { states: self.numbers.down_to(root.number).to_vec() })
    }

    /// Joins all components that lie on a cycle through an edge to a state with this number.
    fn merge(&mut self, number: u32, edge: FairEdge) {
        let mut pool = self.sets.nothing();
        self.sets.add_edge(&mut pool, edge);
        while let Some(mut root) = self.roots.pop() {
            pool.add(&root.inside);
            if root.number <= number {
                (root.inside, root.cyclic) = (pool, true);
                self.roots.push(root);
                return;
            }
            if let Some(entry) = root.entry {
                self.sets.add_edge(&mut pool, entry);
            }
            self.product.meter().refund(self.sets.pool_bytes());
        }
        debug_assert!(false, "a current state belongs to a root");
    }

    /// Leaves a state all of whose successors were visited. If it is the root of a component, this
    /// is complete: is there a fair cycle in a part of it?
    fn close(&mut self, state: GraphStateId) -> Result<Option<FairComponent>, Stop> {
        if self.roots.last().is_some_and(|r| r.state == state)
            && let Some(root) = self.roots.pop()
        {
            self.product.meter().refund(self.sets.pool_bytes());
            let curable =
                root.cyclic && self.sets.has_strong() && self.sets.has_marks(&root.inside);
            if curable {
                let states = self.numbers.down_to(root.number).to_vec();
                let found = refine::fair_part(&mut self.product, &self.sets, states, &root.inside)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            self.numbers.remove_down_to(state, self.product.meter())?;
        }
        self.stack.pop();
        Ok(None)
    }
}
