//! Full exploration: how many states are reachable, over how many edges.
//!
//! Breadth first, and the store is the queue. All successors of a state are looked up as one
//! batch. Cost: time linear in states, the groups that are asked in each, and edges; memory is
//! the store alone.

use crate::vectors::Vectors;
use brine_explicit::explore::Exploration;
use brine_explicit::store::MarkingId;
use brine_pins::PinsStop;

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
