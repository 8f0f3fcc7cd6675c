//! Brute force for tests: all reachable markings, in the simplest way there is.

use std::collections::HashSet;

use brine_net::{Net, TransitionId};

/// All reachable markings, or `None` if there are more than `limit`.
///
/// This is the reference that tests compare with: breadth-first, one vector per marking,
/// nothing shared with the engines.
///
/// ```
/// use brine_net::NetBuilder;
/// use brine_oracle::reachable_markings;
/// let mut b = NetBuilder::new("n");
/// let (p, q) = (b.place("p", 2), b.place("q", 0));
/// b.transition("t", &[(p, 1)], &[(q, 1)]);
/// let net = b.build().unwrap();
/// assert_eq!(reachable_markings(&net, 100).unwrap().len(), 3);
/// assert!(reachable_markings(&net, 2).is_none());
/// ```
pub fn reachable_markings(net: &Net, limit: usize) -> Option<Vec<Vec<u32>>> {
    let initial = net.initial_marking();
    let mut seen = HashSet::from([initial.clone()]);
    let mut markings = vec![initial];
    let mut next = 0;
    while next < markings.len() {
        for t in net.transition_ids() {
            let Some(marking) = fire(net, &markings[next], t)? else { continue };
            if seen.insert(marking.clone()) {
                markings.push(marking);
            }
        }
        if markings.len() > limit {
            return None;
        }
        next += 1;
    }
    Some(markings)
}

/// The marking after `t`, `Some(None)` if it is not enabled, `None` if tokens pass `u32`.
fn fire(net: &Net, marking: &[u32], t: TransitionId) -> Option<Option<Vec<u32>>> {
    let transition = net.transition(t);
    if transition.pre.iter().any(|&(p, w)| marking[p.index()] < w) {
        return Some(None);
    }
    let mut after = marking.to_vec();
    for &(p, w) in transition.pre {
        after[p.index()] -= w;
    }
    for &(p, w) in transition.post {
        after[p.index()] = after[p.index()].checked_add(w)?;
    }
    Some(Some(after))
}

/// The size of a state space, as the Model Checking Contest counts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateCounts {
    /// Reachable markings.
    pub states: u64,
    /// Edges of the reachability graph, one per marking and enabled transition.
    pub edges: u64,
    /// Most tokens in one place.
    pub max_token_in_place: u64,
    /// Most tokens in one marking.
    pub max_token_per_marking: u64,
}

/// Counts by brute force, or `None` if there are more than `limit` markings.
///
/// ```
/// use brine_oracle::count_states;
/// use brine_models::philosophers;
/// let counts = count_states(&philosophers(3), 100).unwrap();
/// assert_eq!((counts.states, counts.max_token_in_place), (27, 1));
/// ```
pub fn count_states(net: &Net, limit: usize) -> Option<StateCounts> {
    let markings = reachable_markings(net, limit)?;
    let enabled = |marking: &[u32]| {
        let count =
            net.transitions().filter(|t| t.pre.iter().all(|&(p, w)| marking[p.index()] >= w));
        count.count() as u64
    };
    let tokens = |marking: &[u32]| marking.iter().map(|&n| u64::from(n)).sum::<u64>();
    Some(StateCounts {
        states: markings.len() as u64,
        edges: markings.iter().map(|m| enabled(m)).sum(),
        max_token_in_place: markings.iter().flatten().max().map_or(0, |&n| u64::from(n)),
        max_token_per_marking: markings.iter().map(|m| tokens(m)).max().unwrap_or(0),
    })
}
