//! The in-queue provisos of breadth-first search (EP10 section 2).
//!
//! A state is expanded unless all its reduced successors (liveness, C2L_q), or at least one
//! (safety, C2S_q), are in the queue or new: their turn comes later. Of the states on a cycle,
//! the one that was taken from the queue last has a successor that was taken before it, so it
//! is expanded. For safety, follow from each reduced state a successor that is taken later:
//! this ends, and where it ends is an expanded state.

use super::Counts;
use super::fates::Fates;
use super::lts::Lts;
use crate::graph::{GraphStateId, Notes};
use brine_run::Stop;

/// Explores the reduced graph breadth first.
pub(super) fn explore<L: Lts>(
    lts: &mut L,
    live: bool,
    fates: &mut Fates,
    counts: &mut Counts,
    watch: &mut dyn FnMut(&Counts),
) -> Result<(), Stop> {
    let initial = lts.initial()?;
    let mut queue = vec![initial];
    // Position in the queue, from 1.
    let mut position: Notes<u32> = Notes::new();
    position.set(initial, 1, lts.meter())?;
    let (mut next, mut level_end) = (0, 1);
    while let Some(&s) = queue.get(next) {
        if next == level_end {
            level_end = queue.len();
            counts.depth += 1;
        }
        let (reduced, all) = lts.degrees(s)?;
        let expanded = reduced == all || !is_safe(lts, s, reduced, live, &position)?;
        fates.decide(s, expanded, lts.meter())?;
        let kept = if expanded { all } else { reduced };
        for i in 0..kept {
            let target = lts.target(s, i)?;
            if position.get(target) == 0 {
                lts.meter().push(&mut queue, target)?;
                position.set(target, queue.len() as u32, lts.meter())?;
            }
        }
        counts.states += 1;
        counts.transitions += u64::from(kept);
        counts.expanded += u64::from(expanded);
        counts.deadlocks += u64::from(all == 0);
        next += 1;
        if next % (1 << 15) == 0 {
            watch(counts);
        }
    }
    Ok(())
}

/// Whether the reduced successors are taken from the queue later than `s`.
fn is_safe<L: Lts>(
    lts: &mut L,
    s: GraphStateId,
    reduced: u32,
    live: bool,
    position: &Notes<u32>,
) -> Result<bool, Stop> {
    for i in 0..reduced {
        let at = position.get(lts.target(s, i)?);
        let later = at == 0 || at > position.get(s);
        if later != live {
            return Ok(later);
        }
    }
    Ok(live)
}
