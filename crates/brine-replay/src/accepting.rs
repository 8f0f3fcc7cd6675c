//! Whether an automaton accepts the word of a lasso, from the definition.
//!
//! Nodes are pairs of a position and a state; the last position is followed by the first of
//! the cycle. A run is accepting if it goes round among nodes that can all reach each other,
//! and takes edges with each mark there. Whoever goes round passes the first position of the
//! cycle. So: for every node there that the beginning reaches, are the nodes that it reaches and
//! that reach it connected by edges that carry all marks between them? Nothing clever, so that
//! it shares no mistake with the engines. Cost: states times edges times length.

use brine_ltl::{Automaton, StateId};

/// A step from a node to a node, with its marks.
type Step = (usize, usize, u64);

/// Whether the word is accepted; `letters` holds, for each position, the truth of each atom, and
/// the cycle begins at position `cycle`.
pub(crate) fn accepts(automaton: &Automaton, letters: &[Vec<bool>], cycle: usize) -> bool {
    let (states, nodes) = (automaton.num_states(), letters.len() * automaton.num_states());
    let forwards = steps(automaton, letters, cycle);
    let mut backwards: Vec<Step> = forwards.iter().map(|&(a, b, marks)| (b, a, marks)).collect();
    backwards.sort_unstable();
    let begun = reached(nodes, automaton.initial().index(), &forwards);
    let first = cycle * states..(cycle + 1) * states;
    first.filter(|&node| begun[node]).any(|node| {
        let (after, before) = (reached(nodes, node, &forwards), reached(nodes, node, &backwards));
        let inside = |n: usize| after[n] && before[n];
        let round: Vec<&Step> = forwards.iter().filter(|s| inside(s.0) && inside(s.1)).collect();
        !round.is_empty() && round.iter().fold(0, |all, s| all | s.2) == automaton.all_marks()
    })
}

/// All steps of the automaton along the word, sorted.
fn steps(automaton: &Automaton, letters: &[Vec<bool>], cycle: usize) -> Vec<Step> {
    let states = automaton.num_states();
    let mut steps = Vec::new();
    for (position, atoms) in letters.iter().enumerate() {
        let next = if position + 1 < letters.len() { position + 1 } else { cycle };
        let letter = atoms.iter().enumerate().fold(0, |l, (i, &holds)| l | u64::from(holds) << i);
        for edge in (0..states as u32).flat_map(|q| automaton.edges_of(StateId(q))) {
            if automaton.label(edge.label).accepts(letter) {
                let (from, to) = (position * states + edge.src.index(), next * states);
                steps.push((from, to + edge.dst.index(), edge.marks));
            }
        }
    }
    steps.sort_unstable();
    steps
}

/// The nodes that a node reaches by sorted steps, itself among them.
fn reached(nodes: usize, node: usize, steps: &[Step]) -> Vec<bool> {
    let mut reached = vec![false; nodes];
    reached[node] = true;
    let mut todo = vec![node];
    while let Some(node) = todo.pop() {
        let first = steps.partition_point(|s| s.0 < node);
        for &(_, to, _) in steps[first..].iter().take_while(|s| s.0 == node) {
            if !std::mem::replace(&mut reached[to], true) {
                todo.push(to);
            }
        }
    }
    reached
}
