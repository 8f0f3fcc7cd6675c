//! From several acceptance marks on edges to one set of accepting states, for the checks
//! that need it.
//!
//! States become pairs (q, level): the level counts how many marks, in a fixed order, were
//! seen since the last visit to the top level. At the top every mark was seen; the state is
//! accepting, and counting starts again. An edge may climb several levels at once. The
//! word read is unchanged and a run visits the top infinitely often exactly when it takes
//! every mark infinitely often.

use brine_ltl::{Automaton, Edge, StateId};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The automaton itself if it is state-based with at most one mark, else an equivalent one
/// that is.
pub(crate) fn degeneralise(aut: &Automaton) -> Cow<'_, Automaton> {
    if aut.num_marks() <= 1 && aut.is_state_based() {
        return Cow::Borrowed(aut);
    }
    let top = aut.num_marks();
    let climb = |from: u32, marks: u64| {
        let start = if from == top { 0 } else { from };
        (start..top).find(|m| marks >> m & 1 == 0).unwrap_or(top)
    };
    let mut number: FxHashMap<(StateId, u32), StateId> = FxHashMap::default();
    let mut states = vec![(aut.initial(), 0)];
    number.insert(states[0], StateId(0));
    let mut edges = Vec::new();
    let mut next = 0;
    while let Some(&(q, level)) = states.get(next) {
        let src = StateId(next as u32);
        for e in aut.edges_of(q) {
            let target = (e.dst, climb(level, e.marks));
            let fresh = StateId(states.len() as u32);
            let dst = *number.entry(target).or_insert(fresh);
            if dst == fresh {
                states.push(target);
            }
            edges.push(Edge { src, dst, label: e.label, marks: u64::from(level == top) });
        }
        next += 1;
    }
    let (atoms, labels) = (aut.atoms().to_vec(), aut.labels().to_vec());
    Cow::Owned(Automaton::new(atoms, labels, states.len() as u32, StateId(0), 1, edges))
}
