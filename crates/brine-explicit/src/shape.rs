//! What the shape of the property automaton says about the product (SE05 section 5.1).
//!
//! A cycle of the product projects onto a cycle of the automaton, so it stays inside one
//! strongly connected component there. For each component: is every cycle accepting, is
//! none, or does it depend? When it never depends, the automaton is weak and one plain
//! depth-first search decides. When moreover every accepting component lets every letter
//! pass inside, it is terminal: whoever gets there has won, because markings never end.

use brine_ltl::{Automaton, Edge, StateId};
use petgraph::algo::{is_cyclic_directed, kosaraju_scc};
use petgraph::graph::{DiGraph, NodeIndex};

/// Atoms a label union may look at before its completeness is no longer worked out.
const MAX_SUPPORT: u32 = 10;

/// What the cycles inside a component of the automaton are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cycles {
    /// There is none, or none is accepting.
    Rejecting,
    /// There is one, and all are accepting.
    Accepting,
    /// Some may be accepting, others not.
    Mixed,
}

/// The class of an automaton, as far as the choice of a search needs it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shape {
    /// An accepting component accepts whatever follows.
    Terminal,
    /// Each component has only accepting or only rejecting cycles.
    Weak,
    /// Anything else.
    General,
}

impl Shape {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Terminal => "terminal",
            Shape::Weak => "weak",
            Shape::General => "general",
        }
    }
}

/// The shape of an automaton, and the states that count as accepting for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The shape.
    pub shape: Shape,
    /// States inside components all of whose cycles are accepting.
    pub accepting: Vec<bool>,
}

/// Analyses an automaton.
pub fn analyse(aut: &Automaton) -> Analysis {
    let component = components(aut);
    let count = component.iter().max().map_or(0, |&c| c + 1);
    let mut inner: Vec<Vec<Edge>> = vec![Vec::new(); count];
    for &e in aut.edges() {
        if component[e.src.index()] == component[e.dst.index()] {
            inner[component[e.src.index()]].push(e);
        }
    }
    let cycles: Vec<Cycles> = inner.iter().map(|edges| cycles_of(aut, edges)).collect();
    let accepting: Vec<bool> = component.iter().map(|&c| cycles[c] == Cycles::Accepting).collect();
    let complete = |q: StateId| {
        let stay =
            aut.edges_of(q).iter().filter(|e| component[e.dst.index()] == component[q.index()]);
        lets_all_pass(aut, stay)
    };
    let shape = if cycles.contains(&Cycles::Mixed) {
        Shape::General
    } else if aut.states().filter(|q| accepting[q.index()]).all(complete) {
        Shape::Terminal
    } else {
        Shape::Weak
    };
    Analysis { shape, accepting }
}

/// The component number of each state.
pub fn components(aut: &Automaton) -> Vec<usize> {
    let mut component = vec![0; aut.num_states()];
    for (i, states) in kosaraju_scc(&graph_of(aut.num_states(), aut.edges())).iter().enumerate() {
        for s in states {
            component[s.index()] = i;
        }
    }
    component
}

fn graph_of(states: usize, edges: &[Edge]) -> DiGraph<(), ()> {
    let mut graph = DiGraph::with_capacity(states, edges.len());
    for _ in 0..states {
        graph.add_node(());
    }
    for e in edges {
        graph.add_edge(NodeIndex::new(e.src.index()), NodeIndex::new(e.dst.index()), ());
    }
    graph
}

/// Judges the cycles that the edges inside one component form.
fn cycles_of(aut: &Automaton, inner: &[Edge]) -> Cycles {
    if inner.is_empty() {
        return Cycles::Rejecting;
    }
    let union = inner.iter().fold(0, |marks, e| marks | e.marks);
    if union != aut.all_marks() {
        return Cycles::Rejecting;
    }
    // Every cycle is accepting when no mark can be avoided for ever.
    let avoidable = (0..aut.num_marks()).any(|m| {
        let without: Vec<Edge> = inner.iter().copied().filter(|e| e.marks >> m & 1 == 0).collect();
        is_cyclic_directed(&graph_of(aut.num_states(), &without))
    });
    if avoidable { Cycles::Mixed } else { Cycles::Accepting }
}

/// Whether every letter can take one of the edges. May say no when that is hard to tell.
fn lets_all_pass<'a>(aut: &Automaton, edges: impl Iterator<Item = &'a Edge>) -> bool {
    let labels: Vec<_> = edges.map(|e| aut.label(e.label)).collect();
    if labels.iter().any(|l| l.is_true()) {
        return true;
    }
    let support = labels.iter().fold(0, |s, l| s | l.support());
    if support.count_ones() > MAX_SUPPORT {
        return false;
    }
    // All letters over the support: the subsets of its bits, in the order of the carry trick.
    let mut letter = 0u64;
    loop {
        if !labels.iter().any(|l| l.accepts(letter)) {
            return false;
        }
        if letter == support {
            return true;
        }
        letter = letter.wrapping_sub(support) & support;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_ltl::{Atom, Cube, Label, LabelId};

    /// An automaton over one proposition with labels 0 = true, 1 = a, 2 = not a.
    fn automaton(states: u32, marks: u32, edges: &[(u32, u32, u32, u64)]) -> Automaton {
        let cube = |pos, neg| Label { cubes: vec![Cube { pos, neg }] };
        let labels = vec![cube(0, 0), cube(1, 0), cube(0, 1)];
        let edges = edges
            .iter()
            .map(|&(s, d, l, marks)| Edge {
                src: StateId(s),
                dst: StateId(d),
                label: LabelId(l),
                marks,
            })
            .collect();
        Automaton::new(vec![Atom::Deadlock], labels, states, StateId(0), marks, edges)
    }

    #[test]
    fn shapes_of_textbook_automata() {
        // F a: wait, then accept everything.
        let eventually = automaton(2, 1, &[(0, 0, 0, 0), (0, 1, 1, 0), (1, 1, 0, 1)]);
        assert_eq!(analyse(&eventually).shape, Shape::Terminal);
        assert_eq!(analyse(&eventually).accepting, [false, true]);
        // The accepting loop split into a and not a is still complete.
        let split = automaton(2, 1, &[(0, 0, 0, 0), (0, 1, 1, 0), (1, 1, 1, 1), (1, 1, 2, 1)]);
        assert_eq!(analyse(&split).shape, Shape::Terminal);
        // F G a is weak.
        let persist = automaton(2, 1, &[(0, 0, 0, 0), (0, 1, 1, 0), (1, 1, 1, 1)]);
        assert_eq!(analyse(&persist).shape, Shape::Weak);
        // G F a is not.
        let recur = automaton(1, 1, &[(0, 0, 1, 1), (0, 0, 2, 0)]);
        assert_eq!(analyse(&recur).shape, Shape::General);
        // Without marks every infinite run is accepted.
        let always = automaton(1, 0, &[(0, 0, 1, 0)]);
        assert_eq!(analyse(&always).shape, Shape::Weak);
        assert_eq!(analyse(&always).accepting, [true]);
    }

    #[test]
    fn every_mark_must_be_unavoidable() {
        // Mark 0 is on every edge, mark 1 can be avoided for ever.
        let aut = automaton(1, 2, &[(0, 0, 1, 3), (0, 0, 2, 1)]);
        assert_eq!(analyse(&aut).shape, Shape::General);
    }

    #[test]
    fn a_mark_on_one_edge_of_every_cycle_is_enough_to_be_weak() {
        let aut = automaton(2, 1, &[(0, 1, 1, 1), (1, 0, 1, 0)]);
        assert_eq!(analyse(&aut), Analysis { shape: Shape::Weak, accepting: vec![true, true] });
    }
}
