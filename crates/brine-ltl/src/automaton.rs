//! Automata as engines see them: plain values without a BDD manager.
//!
//! An [`Automaton`] is a transition-based generalised Büchi automaton. It reads a word of
//! letters; a letter says which of the automaton's atoms hold (bit i: atom i). A run is
//! accepting when it takes edges with mark m infinitely often, for every mark m; with no
//! marks every infinite run is. A word is accepted when some run over it from the initial
//! state is accepting.
//!
//! How an automaton reads the runs of a system: [`Reading`](crate::Reading).

use crate::analysis::Analysis;
use crate::atom::Atom;
use crate::tgba::full;
use brine_net::Net;

/// Most atoms an automaton may have: a letter is a `u64`.
pub const MAX_ATOMS: usize = 64;
/// Most acceptance marks an automaton may have: a set of marks is a `u64`.
pub const MAX_MARKS: usize = 64;

/// Index of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u32);

/// Index of a label.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelId(pub u32);

impl StateId {
    /// The index as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl LabelId {
    /// The index as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A conjunction of literals: all atoms in `pos` hold, none of those in `neg`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// Atoms that must hold.
    pub pos: u64,
    /// Atoms that must not hold.
    pub neg: u64,
}

impl Cube {
    /// Does the letter satisfy the cube?
    pub fn accepts(self, letter: u64) -> bool {
        letter & self.pos == self.pos && letter & self.neg == 0
    }

    /// Does some letter satisfy both cubes?
    pub fn meets(self, other: Cube) -> bool {
        self.pos & other.neg == 0 && self.neg & other.pos == 0
    }
}

/// A set of letters: the union of some cubes. No cube: the empty set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Label {
    /// The cubes.
    pub cubes: Vec<Cube>,
}

impl Label {
    /// Is the letter in the set?
    pub fn accepts(&self, letter: u64) -> bool {
        self.cubes.iter().any(|c| c.accepts(letter))
    }

    /// Is a letter of the cube in the set?
    pub fn meets(&self, cube: Cube) -> bool {
        self.cubes.iter().any(|c| c.meets(cube))
    }

    /// The atoms that the label looks at.
    pub fn support(&self) -> u64 {
        self.cubes.iter().fold(0, |all, c| all | c.pos | c.neg)
    }

    /// Does it hold for every letter? (True for the one-cube form of `true`.)
    pub fn is_true(&self) -> bool {
        self.cubes.contains(&Cube::default())
    }
}

/// An edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// Where it starts.
    pub src: StateId,
    /// Where it leads.
    pub dst: StateId,
    /// The letters that may take it, an index into [`Automaton::labels`].
    pub label: LabelId,
    /// The acceptance marks it carries, bit m for mark m.
    pub marks: u64,
}

/// A transition-based generalised Büchi automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    atoms: Vec<Atom>,
    labels: Vec<Label>,
    initial: StateId,
    marks: u32,
    edges: Vec<Edge>,
    /// Edges of state q: `edges[first[q]..first[q + 1]]`.
    first: Vec<u32>,
    analysis: Analysis,
}

impl Automaton {
    /// Whether labels speak of events: of what the next step fires.
    pub fn reads_events(&self) -> bool {
        self.atoms.iter().any(Atom::is_event)
    }

    /// Puts an automaton together; edges are sorted, repeated labels and edges merged.
    ///
    /// # Panics
    ///
    /// When an edge names a state, label, atom or mark that does not exist, or when there
    /// are more than [`MAX_ATOMS`] atoms or [`MAX_MARKS`] marks.
    pub fn new(
        atoms: Vec<Atom>,
        labels: Vec<Label>,
        states: u32,
        initial: StateId,
        marks: u32,
        mut edges: Vec<Edge>,
    ) -> Self {
        assert!(atoms.len() <= MAX_ATOMS && marks as usize <= MAX_MARKS);
        assert!(initial.0 < states);
        let known = |set: u64, count: usize| count == 64 || set >> count == 0;
        assert!(labels.iter().all(|l| known(l.support(), atoms.len())));
        assert!(edges.iter().all(|e| {
            e.src.0 < states
                && e.dst.0 < states
                && e.label.index() < labels.len()
                && known(e.marks, marks as usize)
        }));
        debug_assert!(
            labels.iter().flat_map(|l| &l.cubes).all(|c| c.pos & c.neg == 0),
            "no letter"
        );
        edges.sort_unstable();
        edges.dedup();
        let mut first = vec![0; states as usize + 1];
        for e in &edges {
            first[e.src.index() + 1] += 1;
        }
        for q in 0..states as usize {
            first[q + 1] += first[q];
        }
        let analysis = Analysis::of_nothing();
        let mut new = Automaton { atoms, labels, initial, marks, edges, first, analysis };
        new.analysis = Analysis::new(&new);
        new
    }

    /// The same automaton about other atoms, as many as it has.
    pub(crate) fn with_atoms(mut self, atoms: Vec<Atom>) -> Self {
        assert_eq!(self.atoms.len(), atoms.len());
        self.atoms = atoms;
        self
    }

    /// Components, the marks inside them, the class, universal states.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// The atoms; bit i of a letter is the truth of atom i.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The distinct labels.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// One label.
    pub fn label(&self, l: LabelId) -> &Label {
        &self.labels[l.index()]
    }

    /// The number of states.
    pub fn num_states(&self) -> usize {
        self.first.len() - 1
    }

    /// All states.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.num_states() as u32).map(StateId)
    }

    /// The initial state.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// The number of acceptance marks.
    pub fn num_marks(&self) -> u32 {
        self.marks
    }

    /// The set of all marks.
    pub fn all_marks(&self) -> u64 {
        full(self.marks)
    }

    /// All edges, by source.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges that leave `q`.
    pub fn edges_of(&self, q: StateId) -> &[Edge] {
        &self.edges[self.first[q.index()] as usize..self.first[q.index() + 1] as usize]
    }

    /// True when all edges that leave a state carry the same marks, as in a classical
    /// Büchi automaton with accepting states.
    pub fn is_state_based(&self) -> bool {
        self.states().all(|q| self.edges_of(q).windows(2).all(|w| w[0].marks == w[1].marks))
    }

    /// The letter of a marking: which of the atoms hold in it. Named propositions, about
    /// which a net says nothing, count as false.
    pub fn letter(&self, net: &Net, marking: &[u32]) -> u64 {
        self.atoms
            .iter()
            .enumerate()
            .filter(|(_, atom)| atom.eval(net, marking) == Some(true))
            .fold(0, |letter, (i, _)| letter | 1 << i)
    }
}
