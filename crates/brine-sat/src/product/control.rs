//! The property automaton as the lowest level of the product.
//!
//! Sets of product states are diagrams whose last level holds a *control state*: a state
//! of the automaton together with the acceptance marks of the edge that led to it. The
//! marks turn acceptance on edges into acceptance by states, which is what sets of states
//! can express: a run takes edges with mark j for ever iff it is in the set F_j for ever.
//!
//! What is known about the automaton ([`brine_ltl::Analysis`]) is used here:
//! - A mark counts only where it can matter: on edges inside an *accepting component* (a
//!   strongly connected component whose edges carry all marks between them) that also has
//!   a cycle without the mark. In a weak automaton no state is ever split.
//! - An accepting cycle of the product stays in one accepting component: only states of
//!   those (*inner* ones) and edges inside them are searched for cycles.
//! - A *universal* state accepts every word: reaching it is a violation by itself.

use brine_ltl::{Analysis, Automaton, Class, Edge, LabelId, StateId};
use brine_net::Interner;

/// A control state: its number, which is the value at level 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ControlState(pub u32);

impl ControlState {
    /// The number as `usize`.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// For each control state those that it is related to.
pub type ControlRelation = Box<[Box<[ControlState]>]>;

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
    pub fn state(q: ControlState) -> Filter {
        Filter(Self::STATE + q.0)
    }
}

/// The automaton with its control states.
#[derive(Debug)]
pub struct ControlStates<'a> {
    automaton: &'a Automaton,
    /// State and the marks on the way to it.
    states: Interner<(StateId, u64)>,
    /// What is left of the marks of each edge.
    edge_marks: Vec<u64>,
    edge_inner: Vec<bool>,
    /// Members of each [`Filter`], by control state.
    filters: Vec<Vec<bool>>,
}

impl<'a> ControlStates<'a> {
    /// Prepares the automaton of violations.
    pub fn new(automaton: &'a Automaton) -> Self {
        let known = automaton.analysis();
        let inside = |e: &Edge| known.is_inside(e) && known.has_accepting_cycle(e.src);
        let edge_inner: Vec<bool> = automaton.edges().iter().map(inside).collect();
        let mark =
            |(e, &inner): (&Edge, &bool)| if inner { e.marks & needed(known, e.src) } else { 0 };
        let edge_marks = automaton.edges().iter().zip(&edge_inner).map(mark).collect();
        let mut control = ControlStates {
            automaton,
            states: Interner::new(),
            edge_marks,
            edge_inner,
            filters: Vec::new(),
        };
        control.number_states();
        control.fill_filters();
        control
    }

    fn number_states(&mut self) {
        self.states.intern((self.automaton.initial(), 0));
        let mut next = 0;
        while next < self.states.len() {
            let (q, _) = self.states[next];
            for i in self.edge_range(q) {
                let e = self.automaton.edges()[i];
                self.states.intern((e.dst, self.edge_marks[i]));
            }
            next += 1;
        }
    }

    fn edge_range(&self, q: StateId) -> std::ops::Range<usize> {
        let edges = self.automaton.edges();
        edges.partition_point(|e| e.src < q)..edges.partition_point(|e| e.src <= q)
    }

    fn fill_filters(&mut self) {
        let known = self.automaton.analysis();
        let inner = |q: StateId| known.has_accepting_cycle(q);
        let all_needed = self.automaton.states().fold(0, |all, q| all | needed(known, q));
        let by = |test: &dyn Fn(StateId, u64) -> bool| {
            self.states.iter().map(|&(q, m)| test(q, m)).collect::<Vec<bool>>()
        };
        let mut filters = vec![by(&|q, _| inner(q)), by(&|q, _| known.is_universal(q))];
        for j in (0..64).map(|j| 1u64 << j).filter(|j| all_needed & j != 0) {
            let has = |q: StateId, m| m & j != 0 || needed(known, q) & j == 0;
            filters.push(by(&|q, m| inner(q) && has(q, m)));
        }
        let split = self.states.iter().any(|&(_, marks)| marks != 0);
        debug_assert!(
            !split || self.automaton.class() == Class::General,
            "weak ones are not split"
        );
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
    pub fn is_in(&self, state: ControlState, filter: Filter) -> bool {
        debug_assert!(state.index() < self.states.len(), "no control state");
        match filter.0.checked_sub(Filter::STATE) {
            Some(q) => state.0 == q,
            None => self.filters[filter.0 as usize][state.index()],
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
    ) -> Vec<Box<[ControlState]>> {
        let of = |&(q, _): &(StateId, u64)| {
            let edges = self.edge_range(q).filter(|&i| {
                takes(self.automaton.edges()[i].label) && (!inner || self.edge_inner[i])
            });
            let target = |i: usize| {
                let state = (self.automaton.edges()[i].dst, self.edge_marks[i]);
                ControlState(self.states.find(&state).expect("all targets are numbered"))
            };
            let mut targets: Vec<ControlState> = edges.map(target).collect();
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

/// The marks that cycles through a state may lack.
fn needed(known: &Analysis, q: StateId) -> u64 {
    known.avoidable_marks(known.component(q))
}
