//! A model checker that is too simple to be wrong: no automaton translation, no packing, no
//! search on the fly.
//!
//! All markings are enumerated. A node is a marking together with a guess of the truth of
//! every temporal subformula; edges link guesses that agree with the one-step laws
//! (`a U b` is `b | a & X(a U b)`, and so on). A guess must also be fulfilled: along a run,
//! `a U b` cannot stay true for ever without `b`, and so on for the others. The formula is
//! violated when a node of the initial marking in which it is false reaches a strongly
//! connected set of nodes in which all guesses are fulfilled.

use brine_ltl::{Formula, Formulas, Node};
use brine_net::{Net, TransitionId, reachable_markings};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, EdgeRef};
use std::collections::HashMap;

/// The markings of a net and their successors; a dead marking succeeds itself.
pub(crate) struct Kripke {
    pub(crate) markings: Vec<Vec<u32>>,
    pub(crate) next: Vec<Vec<usize>>,
}

impl Kripke {
    /// `None` if there are too many markings.
    pub(crate) fn new(net: &Net, limit: usize) -> Option<Kripke> {
        let markings = reachable_markings(net, limit)?;
        let number: HashMap<&Vec<u32>, usize> =
            markings.iter().enumerate().map(|(i, m)| (m, i)).collect();
        let next = markings
            .iter()
            .enumerate()
            .map(|(i, m)| {
                let fired: Vec<usize> = net
                    .transition_ids()
                    .filter_map(|t| fire(net, m, t))
                    .map(|m| number[&m])
                    .collect();
                if fired.is_empty() { vec![i] } else { fired }
            })
            .collect();
        Some(Kripke { markings, next })
    }
}

fn fire(net: &Net, m: &[u32], t: TransitionId) -> Option<Vec<u32>> {
    let mut m = m.to_vec();
    for &(p, w) in &net.transition(t).pre {
        m[p.index()] = m[p.index()].checked_sub(w)?;
    }
    for &(p, w) in &net.transition(t).post {
        m[p.index()] += w;
    }
    Some(m)
}

/// The truth of all subformulas at one node.
type Truth = HashMap<Formula, bool>;

struct Tableau<'a> {
    fs: &'a Formulas,
    net: &'a Net,
    subformulas: Vec<Formula>,
    temporal: Vec<Formula>,
}

impl Tableau<'_> {
    /// The truth of every subformula in a marking, under a guess for the temporal ones.
    fn truth(&self, marking: &[u32], guess: usize) -> Truth {
        let mut truth = Truth::new();
        for &f in &self.subformulas {
            let at = |g: Formula| truth[&g];
            let value = match self.fs.node(f) {
                Node::True => true,
                Node::False => false,
                Node::Atom(a) => self.fs.atom(a).eval(self.net, marking).unwrap(),
                Node::Not(g) => !at(g),
                Node::And(l) => self.fs.list(l).iter().all(|&g| at(g)),
                Node::Or(l) => self.fs.list(l).iter().any(|&g| at(g)),
                Node::Implies(g, h) => !at(g) || at(h),
                Node::Iff(g, h) => at(g) == at(h),
                Node::Xor(g, h) => at(g) != at(h),
                _ => {
                    let i = self.temporal.iter().position(|&g| g == f).unwrap();
                    guess >> i & 1 == 1
                }
            };
            truth.insert(f, value);
        }
        truth
    }

    /// Do the guesses at a node agree with those at its successor?
    fn linked(&self, now: &Truth, then: &Truth) -> bool {
        self.temporal.iter().all(|&f| {
            let value = match self.fs.node(f) {
                Node::X(a) => then[&a],
                Node::F(a) => now[&a] || then[&f],
                Node::G(a) => now[&a] && then[&f],
                Node::U(a, b) | Node::W(a, b) => now[&b] || now[&a] && then[&f],
                Node::R(a, b) | Node::M(a, b) => now[&b] && (now[&a] || then[&f]),
                _ => unreachable!("not temporal"),
            };
            now[&f] == value
        })
    }

    /// Which guesses (bit by bit) are fulfilled at a node: each must be infinitely often.
    fn fulfilled(&self, now: &Truth) -> usize {
        let fulfilled = |f: Formula| match self.fs.node(f) {
            Node::X(_) => true,
            Node::F(a) => !now[&f] || now[&a],
            Node::G(a) => now[&f] || !now[&a],
            Node::U(_, b) => !now[&f] || now[&b],
            Node::W(a, b) => now[&f] || !now[&a] && !now[&b],
            Node::R(_, b) => now[&f] || !now[&b],
            Node::M(a, b) => !now[&f] || now[&a] && now[&b],
            _ => unreachable!("not temporal"),
        };
        let bits = self.temporal.iter().enumerate();
        bits.filter(|(_, f)| fulfilled(**f)).map(|(i, _)| 1 << i).sum()
    }
}

/// Do all runs satisfy the formula? `None` if it has too many temporal operators.
pub(crate) fn holds(net: &Net, kripke: &Kripke, fs: &Formulas, formula: Formula) -> Option<bool> {
    let subformulas = fs.subformulas(formula);
    let is_temporal = |f: &Formula| {
        use Node::*;
        matches!(fs.node(*f), X(_) | F(_) | G(_) | U(..) | R(..) | W(..) | M(..))
    };
    let temporal: Vec<Formula> = subformulas.iter().copied().filter(is_temporal).collect();
    if temporal.len() > 5 {
        return None;
    }
    let tableau = Tableau { fs, net, subformulas, temporal };
    let guesses = 1 << tableau.temporal.len();
    let truths: Vec<Truth> = kripke
        .markings
        .iter()
        .flat_map(|m| (0..guesses).map(|g| tableau.truth(m, g)).collect::<Vec<_>>())
        .collect();
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    for _ in &truths {
        graph.add_node(());
    }
    for (m, next) in kripke.next.iter().enumerate() {
        for (&n, g, h) in next
            .iter()
            .flat_map(|n| (0..guesses).flat_map(move |g| (0..guesses).map(move |h| (n, g, h))))
        {
            let (from, to) = (m * guesses + g, n * guesses + h);
            if tableau.linked(&truths[from], &truths[to]) {
                graph.update_edge(NodeIndex::new(from), NodeIndex::new(to), ());
            }
        }
    }
    let starts = (0..guesses).filter(|&g| !truths[g][&formula]);
    Some(!reaches_fulfilled_cycle(&graph, starts, guesses - 1, |n| tableau.fulfilled(&truths[n])))
}

fn reaches_fulfilled_cycle(
    graph: &DiGraph<(), ()>,
    starts: impl Iterator<Item = usize>,
    all: usize,
    fulfilled: impl Fn(usize) -> usize,
) -> bool {
    let mut reached = vec![false; graph.node_count()];
    for start in starts {
        let mut dfs = Dfs::new(graph, NodeIndex::new(start));
        while let Some(n) = dfs.next(graph) {
            reached[n.index()] = true;
        }
    }
    kosaraju_scc(graph).iter().filter(|scc| reached[scc[0].index()]).any(|scc| {
        let cyclic = scc.len() > 1 || graph.edges(scc[0]).any(|e| e.target() == scc[0]);
        cyclic && scc.iter().fold(0, |bits, n| bits | fulfilled(n.index())) == all
    })
}
