//! Full exploration: how many states are reachable, over how many edges.
//!
//! Breadth first, and the store is the queue. All successors of a state are looked up as one
//! batch. Cost: time linear in states, the groups that are asked in each, and edges; memory is
//! the store alone.
//!
//! [`explore_reduced`] generates what partial-order reduction leaves, without a property: all
//! groups are invisible.

use crate::stubborn::{GroupDependencies, GroupSets};
use crate::vectors::{Vectors, WentWrong};
use brine_explicit::explore::Exploration;
use brine_explicit::provisos::Proviso;
use brine_explicit::reduction::{Effort, Reduction};
use brine_explicit::space::Space;
use brine_explicit::store::MarkingId;
use brine_explicit::stubborn::Choice;
use brine_pins::{ModelError, PinsStop};
use std::sync::Arc;

/// States between two reports.
const WATCH: u64 = 1 << 15;

/// Generates all reachable states. `watch` is called with the counts so far now and then, and
/// at the end, whatever that is.
pub fn explore(
    vectors: &mut Vectors<'_>,
    watch: &mut dyn FnMut(&Exploration),
) -> Result<Exploration, PinsStop> {
    let mut counts = Exploration::default();
    let result = generate(vectors, &mut counts, watch);
    counts.states = vectors.store().len() as u64;
    watch(&counts);
    result.map(|()| counts)
}

fn generate(
    vectors: &mut Vectors<'_>,
    counts: &mut Exploration,
    watch: &mut dyn FnMut(&Exploration),
) -> Result<(), PinsStop> {
    vectors.meter.look()?;
    let (mut state, mut edges) = (Vec::new(), Vec::new());
    let mut level_end = 1;
    while (counts.expanded as usize) < vectors.store().len() {
        if counts.expanded == level_end {
            level_end = vectors.store().len() as u64;
            counts.depth += 1;
        }
        let id = MarkingId(counts.expanded as u32);
        vectors.state(id, &mut state);
        vectors.judge(&state);
        vectors.successors(id, &state, &mut edges)?;
        counts.transitions += edges.len() as u64;
        counts.deadlocks += u64::from(edges.is_empty());
        counts.expanded += 1;
        vectors.meter.tick()?;
        if counts.expanded.is_multiple_of(WATCH) {
            counts.states = vectors.store().len() as u64;
            watch(counts);
        }
    }
    Ok(())
}

/// Generates the states that stubborn sets and a proviso leave, and gives the states back. A model that
/// goes wrong in one of them is an error: there the sets promise nothing.
pub fn explore_reduced<'m>(
    vectors: Vectors<'m>,
    proviso: Proviso,
    choice: Choice,
    watch: &mut dyn FnMut(&Exploration),
) -> (Vectors<'m>, Result<Exploration, PinsStop>) {
    let tables = Arc::new(GroupDependencies::new(vectors.model(), vectors.order()));
    let mut space = Space::new(vectors);
    let mut reduction =
        Reduction::new(GroupSets::new(tables, Vec::new(), choice), proviso, Effort::Always);
    let counts = reduction.explore(&mut space, &mut |c| watch(&c.into()));
    let mut vectors = space.into_markings();
    let result = match (counts, vectors.went_wrong()) {
        (Ok(counts), _) => Ok((&counts).into()),
        (Err(_), Some(WentWrong::Model(error))) => Err(error.into()),
        (Err(_), Some(WentWrong::Step)) => {
            let message = "a step goes wrong: such a model can be explored without --por only";
            Err(ModelError(message.to_owned()).into())
        }
        (Err(stop), None) => Err(stop.into()),
    };
    (vectors, result)
}
