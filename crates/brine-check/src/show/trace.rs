//! An annotated run: what each step takes, puts and needs, and what is true where.
//!
//! Position *i* of a run is the marking before step *i*, counted from 0. A trace has one truth
//! value per position for every atom and every temporal part of the formula. If the run is only
//! shown up to the step that breaks the formula, these are the values that hold whatever follows
//! ([`values_on_prefix`]), and the rest is open.
//!
//! A place is *needed* if the formula looks at it or some step of the run takes or reads its
//! tokens: what steps put elsewhere explains nothing. Whether nothing is enabled depends on all
//! places.
//!
//! *Invariant:* the run was replayed, so every step fires. Cost: the run's arcs; the formula times
//! the length.

use super::labels::Labels;
use super::lanes::Lane;
use crate::shorten::{RunFacts, Shortest};
use brine_ltl::{Atom, Formula, Formulas, Node, Symbols, values_on_lasso, values_on_prefix};
use brine_net::{Fairness, Net, Run, TransitionId, Unit};
use brine_pins::{GroupId, Pins, SlotId};
use brine_replay::{FairBecause, RunWord, why_fair};
use rustc_hash::FxHashMap;

/// Larger formulas are not written out: shared parts make their text long.
const LARGEST: usize = 60;
/// Statements about single moments with more atoms are shown with these.
const FEW_ATOMS: usize = 3;
/// Rows of truth at most.
const ROWS: usize = 60;

/// What a run is a run of.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    /// A net.
    Net(&'a Net),
    /// A model that is none.
    Model(&'a dyn Pins),
}

impl Subject<'_> {
    /// The id of a step.
    fn id(self, t: TransitionId) -> String {
        match self {
            Subject::Net(net) => net.transition(t).id().into_owned(),
            Subject::Model(model) => model.group_name(GroupId(t.0)),
        }
    }
}

/// What the formula says along a run.
#[derive(Clone, Copy)]
pub struct Truth<'a> {
    /// The store of the formula.
    pub formulas: &'a Formulas,
    /// The formula.
    pub formula: Formula,
    /// What its places and transitions are called.
    pub symbols: &'a Symbols,
    /// The truth of its atoms.
    pub word: &'a RunWord,
    /// Whether places of atoms are those of the run's net, by number.
    pub own_places: bool,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// Which transition.
    pub transition: TransitionId,
    /// Its id.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// Place, tokens before, tokens after.
    pub changes: Vec<(usize, u32, u32)>,
    /// Places whose tokens it needs and leaves, with how many.
    pub needs: Vec<(usize, u32)>,
}

/// One part of the formula along the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The part.
    pub text: String,
    /// Whether it speaks of more than one moment.
    pub temporal: bool,
    /// By position that is shown; `None` is open.
    pub values: Vec<Option<bool>>,
}

/// Why the run is fair for a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairRow {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// Strong fairness was asked for.
    pub strong: bool,
    /// The reason.
    pub because: FairBecause,
}

/// A run with all that is shown of it.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Ids of places or slots.
    pub place_ids: Vec<String>,
    /// What people call them.
    pub places: Vec<String>,
    /// The first marking.
    pub initial: Vec<u32>,
    /// The steps that are shown.
    pub steps: Vec<TraceStep>,
    /// Steps before the cycle; none begins behind what is shown.
    pub home: usize,
    /// Whether the run ends in a dead marking.
    pub dead: bool,
    /// Whether the run shows what some run is asked to do, instead of violating something.
    pub is_example: bool,
    /// What is known about the run.
    pub facts: RunFacts,
    /// The formula and its parts, the formula first.
    pub rows: Vec<Row>,
    /// So many parts have no row.
    pub rows_left_out: usize,
    /// By place.
    pub needed: Vec<bool>,
    /// Whether this is a net: numbers are tokens.
    pub is_net: bool,
    /// The units of a net that have places of their own.
    pub units: Vec<Lane>,
    /// Why the run is fair, if fairness was asked for.
    pub fairness: Vec<FairRow>,
    /// The ids of all steps before the cycle, those that are not shown too.
    pub prefix: Vec<String>,
    /// The same for the cycle.
    pub cycle: Vec<String>,
    values: FxHashMap<(usize, u32), String>,
}

impl Trace {
    /// Annotates a run that was replayed.
    pub fn new(subject: Subject<'_>, run: &Run, facts: RunFacts, truth: Option<Truth<'_>>) -> Self {
        let mut trace = match subject {
            Subject::Net(net) => of_net(net),
            Subject::Model(model) => of_model(model),
        };
        let shown = facts.shown(run);
        trace.facts = facts;
        trace.home = run.prefix.len();
        trace.dead = run.cycle.is_empty() && !facts.open;
        let ids = |steps: &[TransitionId]| steps.iter().map(|&t| subject.id(t)).collect();
        (trace.prefix, trace.cycle) = (ids(&run.prefix), ids(&run.cycle));
        match subject {
            Subject::Net(net) => trace.steps_of_net(net, run, shown),
            Subject::Model(model) => trace.steps_of_model(model, run, shown),
        }
        if trace.dead && !trace.is_beginning() {
            trace.needed.fill(true);
        }
        for step in &trace.steps {
            let taken = step.changes.iter().filter(|c| c.2 < c.1 || !trace.is_net);
            let places = taken.map(|c| c.0).chain(step.needs.iter().map(|n| n.0));
            places.for_each(|p| trace.needed[p] = true);
        }
        if let Some(truth) = truth {
            trace.add_truth(subject, truth);
        }
        trace
    }

    /// The same with the reasons why the run, which was replayed, is fair.
    pub fn with_fairness(mut self, net: &Net, fairness: &Fairness, run: &Run) -> Self {
        if fairness.is_none() {
            return self;
        }
        let labels = Labels::new(net.transitions().map(|t| (t.id(), t.name())));
        let reasons = why_fair(net, fairness, run).unwrap_or_default();
        let row = |(t, because)| {
            let (id, name) = (net.transition(t).id(), net.transition(t).name());
            let (label, id) = (labels.of(&id, &name), id.into_owned());
            FairRow { id, label, strong: fairness.strong().binary_search(&t).is_ok(), because }
        };
        self.fairness = reasons.into_iter().map(row).collect();
        self
    }

    /// Whether nothing repeats in what is shown: it ends at the step that breaks the formula, or
    /// nobody says how it goes on.
    pub fn is_beginning(&self) -> bool {
        self.facts.violated_after.is_some() || self.is_open()
    }

    /// Whether nobody says how the run goes on, and it breaks nothing so far.
    pub fn is_open(&self) -> bool {
        self.facts.open && self.facts.violated_after.is_none()
    }

    /// Whether no shorter run exists.
    pub fn is_shortest(&self) -> bool {
        self.facts.shortest == Shortest::Proved
    }

    /// The marking after so many steps.
    pub fn marking(&self, steps: usize) -> Vec<u32> {
        let mut marking = self.initial.clone();
        let changes = self.steps[..steps].iter().flat_map(|s| &s.changes);
        changes.for_each(|&(p, _, after)| marking[p] = after);
        marking
    }

    /// A value of a slot, as the model calls it; the number of tokens of a net.
    pub fn value(&self, place: usize, value: u32) -> String {
        self.values.get(&(place, value)).cloned().unwrap_or_else(|| value.to_string())
    }

    fn steps_of_net(&mut self, net: &Net, run: &Run, shown: usize) {
        let labels = Labels::new(net.transitions().map(|t| (t.id(), t.name())));
        let mut marking = self.initial.clone();
        for t in run.steps().take(shown) {
            let node = net.transition(t);
            let before: Vec<(usize, u32)> = node
                .pre
                .iter()
                .chain(node.post)
                .map(|&(p, _)| (p.index(), marking[p.index()]))
                .collect();
            let fired = net.fire_in_place(t, &mut marking);
            debug_assert!(fired, "runs are replayed before they are shown");
            let mut changes: Vec<(usize, u32, u32)> = Vec::new();
            let mut needs = Vec::new();
            for (i, &(p, tokens)) in before.iter().enumerate() {
                if before[..i].iter().any(|b| b.0 == p) {
                    continue;
                }
                if marking[p] != tokens {
                    changes.push((p, tokens, marking[p]));
                }
                let taken = node.pre.iter().find(|a| a.0.index() == p).map_or(0, |a| a.1);
                if taken > tokens.saturating_sub(marking[p]) {
                    needs.push((p, taken));
                }
            }
            let (id, name) = (node.id(), node.name());
            let label = labels.of(&id, &name);
            self.steps.push(TraceStep { transition: t, id: id.into(), label, changes, needs });
        }
    }

    fn steps_of_model(&mut self, model: &dyn Pins, run: &Run, shown: usize) {
        let mut state = self.initial.clone();
        for t in run.steps().take(shown) {
            let after = model.step(GroupId(t.0), &state).ok().and_then(|mut all| all.pop());
            let after = after.unwrap_or_else(|| state.clone());
            let pairs = state.iter().zip(&after).enumerate().filter(|(_, (b, a))| b != a);
            let changes: Vec<_> = pairs.map(|(p, (&b, &a))| (p, b, a)).collect();
            for &(p, before, value) in &changes {
                for v in [before, value] {
                    self.values.insert((p, v), model.value_name(SlotId(p as u32), v));
                }
            }
            let id = model.group_name(GroupId(t.0));
            let label = id.clone();
            self.steps.push(TraceStep { transition: t, id, label, changes, needs: Vec::new() });
            state = after;
        }
    }

    fn add_truth(&mut self, subject: Subject<'_>, truth: Truth<'_>) {
        let Truth { formulas, formula, symbols, word, own_places } = truth;
        let holds = |atom, i| word.holds(atom, i);
        let positions = if self.is_beginning() { self.steps.len() + 1 } else { word.letters.len() };
        let positions = positions.min(word.letters.len());
        let values: FxHashMap<Formula, Vec<Option<bool>>> = match self.is_beginning() {
            true => values_on_prefix(formulas, formula, positions, holds),
            false => {
                values_on_lasso(formulas, formula, word.prefix, positions - word.prefix, holds)
                    .into_iter()
                    .map(|(f, bits)| (f, bits.into_iter().map(Some).collect()))
                    .collect()
            }
        };
        for part in parts(formulas, formula) {
            let is_state = formulas.is_boolean(part);
            if self.rows.len() == ROWS {
                self.rows_left_out += 1;
                continue;
            }
            let size = formulas.subformulas(part).len();
            let text = match size {
                0..=LARGEST => formulas.print(part, symbols),
                _ => format!("part {} of the formula ({size} parts)", self.rows.len() + 1),
            };
            let values = values[&part].clone();
            self.rows.push(Row { text, temporal: !is_state, values });
        }
        if own_places {
            for atom in formulas.atoms_of(formula) {
                self.need(subject, formulas.atom(atom));
            }
        }
    }

    fn need(&mut self, subject: Subject<'_>, atom: &Atom) {
        match (atom, subject) {
            (Atom::Linear(linear), _) => {
                linear.terms.iter().for_each(|(p, _)| self.needed[p.index()] = true);
            }
            (Atom::Fireable(transitions), Subject::Net(net)) => {
                let inputs = transitions.iter().flat_map(|&t| net.transition(t).pre);
                inputs.for_each(|(p, _)| self.needed[p.index()] = true);
            }
            (Atom::Deadlock, _) => self.needed.fill(true),
            _ => (),
        }
    }
}

/// The parts of a formula that get a row: the formula itself, temporal parts, and what is said
/// about single moments: as one part if it has few atoms, else the atoms too.
fn parts(formulas: &Formulas, formula: Formula) -> Vec<Formula> {
    let mut rows = Vec::new();
    let mut add = |f: Formula| {
        if !rows.contains(&f) {
            rows.push(f);
        }
    };
    // Negated comparisons are printed as comparisons.
    let is_linear = |f: Formula| match formulas.node(f) {
        Node::Atom(a) => matches!(formulas.atom(a), Atom::Linear(_)),
        _ => false,
    };
    let positive = |f: Formula| match formulas.node(f) {
        Node::Not(g) if !is_linear(g) => g,
        _ => f,
    };
    add(formula);
    let all = formulas.subformulas(formula);
    for &f in all.iter().rev().filter(|f| !formulas.is_boolean(**f)) {
        let node = formulas.node(f);
        if matches!(node, Node::X(_) | Node::F(_) | Node::G(_))
            || matches!(node, Node::U(..) | Node::W(..) | Node::M(..) | Node::R(..))
        {
            add(f);
        }
        let mut states = Vec::new();
        formulas
            .for_each_operand(f, |g| states.extend(Some(g).filter(|g| formulas.is_boolean(*g))));
        for state in states {
            add(positive(state));
            if formulas.atoms_of(state).len() > FEW_ATOMS {
                let is_atom = |g: &&Formula| matches!(formulas.node(**g), Node::Atom(_));
                formulas.subformulas(state).iter().filter(is_atom).for_each(|&g| add(g));
            }
        }
    }
    rows.retain(|&f| f == formula || !matches!(formulas.node(f), Node::True | Node::False));
    rows
}

fn of_net(net: &Net) -> Trace {
    let labels = Labels::new(net.places().map(|p| (p.id(), p.name())));
    let places = net.places().map(|p| labels.of(&p.id(), &p.name())).collect();
    let ids = net.places().map(|p| p.id().into_owned()).collect();
    let units = net.nupn().map_or(&[][..], |nupn| &nupn.units).iter();
    let lane = |unit: &Unit| Lane {
        name: unit.id.clone(),
        places: unit.places.iter().map(|p| p.index()).collect(),
    };
    let units = units.map(lane).filter(|lane| !lane.places.is_empty()).collect();
    Trace { units, ..Trace::empty(ids, places, net.initial_marking(), true) }
}

fn of_model(model: &dyn Pins) -> Trace {
    let initial = model.initial();
    let names: Vec<String> =
        (0..initial.len()).map(|s| model.slot_name(SlotId(s as u32))).collect();
    let mut trace = Trace::empty(names.clone(), names, initial, false);
    for (slot, &value) in trace.initial.iter().enumerate() {
        trace.values.insert((slot, value), model.value_name(SlotId(slot as u32), value));
    }
    trace
}

impl Trace {
    fn empty(ids: Vec<String>, places: Vec<String>, initial: Vec<u32>, is_net: bool) -> Self {
        Trace {
            needed: vec![!is_net; places.len()],
            place_ids: ids,
            places,
            initial,
            steps: Vec::new(),
            home: 0,
            dead: false,
            is_example: false,
            facts: RunFacts::default(),
            rows: Vec::new(),
            rows_left_out: 0,
            is_net,
            units: Vec::new(),
            fairness: Vec::new(),
            prefix: Vec::new(),
            cycle: Vec::new(),
            values: FxHashMap::default(),
        }
    }
}
