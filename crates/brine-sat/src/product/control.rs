//! The property automaton as the lowest level of the product.
//!
//! Sets of product states are diagrams whose last level holds a *control state*: a state
//! of the automaton together with the acceptance marks of the edge that led to it. The
//! marks turn acceptance on edges into acceptance by states, which is what sets of states
//! can express: a run takes edges with mark j for ever iff it is in the set F_j for ever.
//!
//! What the automaton's shape tells is used here, once:
//! - A mark counts only where it can matter: on edges inside an *accepting component* (a
//!   strongly connected component whose edges carry all marks between them) that also has
//!   a cycle without the mark. In a weak automaton no state is ever split.
//! - An accepting cycle of the product stays in one accepting component: only states of
//!   those (*inner* ones) and edges inside them are searched for cycles.
//! - A *universal* state accepts every word: reaching it is a violation by itself.

use brine_ltl::{Automaton, Edge, LabelId, StateId};
use rustc_hash::FxHashMap;

/// Strongly connected components of the automaton, and what cycles inside them need.
struct Components {
    of: Vec<usize>,
    accepting: Vec<bool>,
    /// Marks that a cycle of the component may lack.
    needed: Vec<u64>,
}

/// A set of control states that product states can be selected by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter(pub(crate) u32);

impl Filter {
    /// States inside accepting components.
    pub const INNER: Filter = Filter(0);
    /// States that accept every word.
    pub const UNIVERSAL: Filter = Filter(1);
    const FAIR: u32 = 2;
    /// Filters from here on stand for one control state each.
    const STATE: u32 = 1 << 16;

    /// The fair set of the `j`-th mark that matters.
    pub fn fair(j: usize) -> Filter {
        Filter(Self::FAIR + j as u32)
    }

    /// Just this control state.
    pub fn state(q: u32) -> Filter {
        Filter(Self::STATE + q)
    }
}

/// The automaton with its control states.
#[derive(Debug)]
pub struct Control<'a> {
    automaton: &'a Automaton,
    /// State and the marks on the way to it.
    states: Vec<(StateId, u64)>,
    ids: FxHashMap<(StateId, u64), u32>,
    /// What is left of the marks of each edge.
    edge_marks: Vec<u64>,
    edge_inner: Vec<bool>,
    /// Members of each [`Filter`], by control state.
    filters: Vec<Vec<bool>>,
}

impl<'a> Control<'a> {
    /// Prepares the automaton of violations.
    pub fn new(automaton: &'a Automaton) -> Self {
        let c = Components::new(automaton);
        let inside = |e: &Edge| {
            let of = c.of[e.src.index()];
            of == c.of[e.dst.index()] && c.accepting[of]
        };
        let edge_inner: Vec<bool> = automaton.edges().iter().map(inside).collect();
        let mark = |(e, &inner): (&Edge, &bool)| {
            if inner { e.marks & c.needed[c.of[e.src.index()]] } else { 0 }
        };
        let edge_marks = automaton.edges().iter().zip(&edge_inner).map(mark).collect();
        let mut control = Control {
            automaton,
            states: Vec::new(),
            ids: FxHashMap::default(),
            edge_marks,
            edge_inner,
            filters: Vec::new(),
        };
        control.number_states();
        control.fill_filters(&c);
        control
    }

    fn number_states(&mut self) {
        self.intern((self.automaton.initial(), 0));
        let mut next = 0;
        while let Some(&(q, _)) = self.states.get(next) {
            for i in self.edge_range(q) {
                let e = self.automaton.edges()[i];
                self.intern((e.dst, self.edge_marks[i]));
            }
            next += 1;
        }
    }

    fn intern(&mut self, state: (StateId, u64)) -> u32 {
        let new = self.states.len() as u32;
        let id = *self.ids.entry(state).or_insert(new);
        if id == new {
            self.states.push(state);
        }
        id
    }

    fn edge_range(&self, q: StateId) -> std::ops::Range<usize> {
        let edges = self.automaton.edges();
        edges.partition_point(|e| e.src < q)..edges.partition_point(|e| e.src <= q)
    }

    fn fill_filters(&mut self, c: &Components) {
        let inner = |q: StateId| c.accepting[c.of[q.index()]];
        let universal = universal_states(self.automaton, c);
        let needed = c.needed.iter().fold(0, |all, n| all | n);
        let by = |test: &dyn Fn(StateId, u64) -> bool| {
            self.states.iter().map(|&(q, m)| test(q, m)).collect::<Vec<bool>>()
        };
        let mut filters = vec![by(&|q, _| inner(q)), by(&|q, _| universal[q.index()])];
        for j in (0..64).map(|j| 1u64 << j).filter(|j| needed & j != 0) {
            let has = |q: StateId, m| m & j != 0 || c.needed[c.of[q.index()]] & j == 0;
            filters.push(by(&|q, m| inner(q) && has(q, m)));
        }
        self.filters = filters;
    }

    /// The automaton.
    pub fn automaton(&self) -> &'a Automaton {
        self.automaton
    }

    /// The number of control states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// True when there is none, which cannot be: the initial one is there.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The number of fair sets that an accepting cycle has to meet.
    pub fn fair_sets(&self) -> usize {
        self.filters.len() - Filter::FAIR as usize
    }

    /// True when the control state belongs to the filter.
    #[inline]
    pub fn is_in(&self, state: u32, filter: Filter) -> bool {
        match filter.0.checked_sub(Filter::STATE) {
            Some(q) => state == q,
            None => self.filters[filter.0 as usize][state as usize],
        }
    }

    /// Which labels stand on edges inside accepting components.
    pub(crate) fn inner_labels(&self) -> Vec<bool> {
        let mut inner = vec![false; self.automaton.labels().len()];
        for (e, _) in self.automaton.edges().iter().zip(&self.edge_inner).filter(|(_, i)| **i) {
            inner[e.label.index()] = true;
        }
        inner
    }

    /// For each control state its successors over the labels that `takes` names; only
    /// over edges inside accepting components if `inner` is set.
    pub(crate) fn successors(
        &self,
        takes: impl Fn(LabelId) -> bool,
        inner: bool,
    ) -> Vec<Box<[u32]>> {
        let of = |&(q, _): &(StateId, u64)| {
            let edges = self.edge_range(q).filter(|&i| {
                takes(self.automaton.edges()[i].label) && (!inner || self.edge_inner[i])
            });
            let target = |i: usize| self.ids[&(self.automaton.edges()[i].dst, self.edge_marks[i])];
            let mut targets: Vec<u32> = edges.map(target).collect();
            targets.sort_unstable();
            targets.dedup();
            targets.into_boxed_slice()
        };
        self.states.iter().map(of).collect()
    }

    /// For each control state: does it accept the word that repeats one letter for ever,
    /// where `takes` says which labels contain the letter?
    pub(crate) fn accepts_for_ever(&self, takes: impl Fn(LabelId) -> bool) -> Vec<bool> {
        let accepted = self.automaton.accepts_constant(takes);
        self.states.iter().map(|(q, _)| accepted[q.index()]).collect()
    }
}

impl Components {
    fn new(automaton: &Automaton) -> Self {
        let all_edges = |_: &Edge| true;
        let of = components(automaton, all_edges);
        let count = of.iter().max().map_or(0, |m| m + 1);
        let mut marks: Vec<Option<u64>> = vec![None; count];
        for e in automaton.edges().iter().filter(|e| of[e.src.index()] == of[e.dst.index()]) {
            *marks[of[e.src.index()]].get_or_insert(0) |= e.marks;
        }
        let accepting: Vec<bool> =
            marks.iter().map(|&m| m == Some(automaton.all_marks())).collect();
        let mut needed = vec![0; count];
        for j in 0..automaton.num_marks() {
            // A component needs mark j if it has a cycle without it.
            let without = |e: &Edge| e.marks >> j & 1 == 0;
            let finer = components(automaton, without);
            for e in automaton.edges().iter().filter(|e| without(e)) {
                let of = of[e.src.index()];
                if finer[e.src.index()] == finer[e.dst.index()] && accepting[of] {
                    needed[of] |= 1 << j;
                }
            }
        }
        Components { of, accepting, needed }
    }
}

/// The strongly connected component of each state, over the edges that `keep` names.
fn components(automaton: &Automaton, keep: impl Fn(&Edge) -> bool) -> Vec<usize> {
    let mut graph = petgraph::graph::DiGraph::<(), ()>::new();
    let nodes: Vec<_> = automaton.states().map(|_| graph.add_node(())).collect();
    for e in automaton.edges().iter().filter(|e| keep(e)) {
        graph.add_edge(nodes[e.src.index()], nodes[e.dst.index()], ());
    }
    let mut of = vec![0; nodes.len()];
    for (number, component) in petgraph::algo::kosaraju_scc(&graph).iter().enumerate() {
        component.iter().for_each(|n| of[n.index()] = number);
    }
    of
}

/// States that accept every word: all cycles of their component accept, and some edge can
/// always be taken to another such state. (An edge labelled `true` is looked for; labels
/// that cover all letters only together do not count.)
fn universal_states(automaton: &Automaton, c: &Components) -> Vec<bool> {
    let weak = |q: StateId| c.accepting[c.of[q.index()]] && c.needed[c.of[q.index()]] == 0;
    let mut universal: Vec<bool> = automaton.states().map(weak).collect();
    loop {
        let stays = |q: StateId| {
            automaton.edges_of(q).iter().any(|e| {
                automaton.label(e.label).is_true()
                    && c.of[e.src.index()] == c.of[e.dst.index()]
                    && universal[e.dst.index()]
            })
        };
        let next: Vec<bool> =
            automaton.states().map(|q| universal[q.index()] && stays(q)).collect();
        if next == universal {
            return universal;
        }
        universal = next;
    }
}
