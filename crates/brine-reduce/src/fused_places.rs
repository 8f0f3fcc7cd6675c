//! Fused places: tokens that can move freely among places are counted together.
//!
//! A *move* is a transition that takes one token from one place and puts one into another, and
//! nothing else. *Applies* to a set C of at least two invisible places that are strongly
//! connected by moves. *Does*: C becomes one place, whose tokens and arcs are the sums. Moves
//! within C now have no effect, but stay (one suffices): they show that a run may stop while C
//! is marked. *Preserves* stutter-invariant properties without `deadlock`.
//!
//! *Why*: a run of the net is one of the reduced net, marking by marking with the tokens of C
//! added up. Conversely, before each step of a run of the reduced net, the tokens that it
//! takes from C are brought where they are needed, by invisible moves; there are enough of
//! them. A marking is dead in the reduced net only if C is empty, since a move remains, and
//! dead in the net only if C is empty, since every place of C has a move; then both have the
//! same enabled transitions.
//!
//! *Lifting*: moves are inserted as in the proof, and at the end of a cycle the tokens are
//! brought back. *Cost*: linear.

use super::Rule;
use super::draft::Draft;
use brine_net::PlaceId;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// Looks at the whole net; true if places were fused.
pub(super) fn sweep(draft: &mut Draft) -> bool {
    let mut applied = false;
    for places in components(draft) {
        if draft.fuse(&places) {
            draft.count(Rule::FusedPlaces);
            applied = true;
        }
    }
    applied
}

/// The sets of at least two invisible places that are strongly connected by moves.
pub(super) fn components(draft: &Draft) -> Vec<Vec<PlaceId>> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let mut moves = false;
    (0..draft.fate.len()).for_each(|_| {
        graph.add_node(());
    });
    for t in draft.live_transitions() {
        let unseen = |&(from, to): &(PlaceId, PlaceId)| {
            from != to && !draft.is_visible(from) && !draft.is_visible(to)
        };
        if let Some((from, to)) = draft.as_move(t).filter(unseen) {
            graph.add_edge(NodeIndex::new(from.index()), NodeIndex::new(to.index()), ());
            moves = true;
        }
    }
    if !moves {
        return Vec::new();
    }
    let components = kosaraju_scc(&graph).into_iter().filter(|c| c.len() > 1);
    let places = components.map(|component| {
        let mut places: Vec<PlaceId> =
            component.into_iter().map(|n| PlaceId(n.index() as u32)).collect();
        places.sort_unstable();
        places
    });
    places.collect()
}
