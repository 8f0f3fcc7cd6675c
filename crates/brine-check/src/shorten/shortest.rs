//! A shortest run, breadth first.
//!
//! The length of a run is that of what is shown: of a beginning that is bad whatever follows, its
//! steps; else prefix and cycle. Whether a lasso `u v v v ..` violates the property depends, given
//! the automaton of the violations, on two things only: the set `S` of states that the automaton
//! can be in after `u`, and the relation `R` between states before and after `v`, with the marks
//! seen on the way. Whether a beginning is bad depends on what it leaves of the formula: its
//! *residual*, the formula progressed through the letters ([`Formulas::after`]). So:
//!
//! - *outer search*: nodes are a marking, a set `S` and a residual, breadth first from the start. A
//!   node at depth d whose residual is false is a bad beginning of d steps; every node may be a dead
//!   end, and the start of cycles;
//! - *inner search*, from each node: nodes are pairs of a marking and a relation `R`, breadth
//!   first, as far as the best length so far allows. A node whose marking is that of the start of
//!   the cycle, or above it, is a candidate.
//!
//! Every candidate is replayed. *Why it is complete:* of two prefixes with equal marking, set and
//! residual, and of two cycles with equal marking and relation, one may replace the other; so
//! keeping the first, which is a shortest, loses no length. The residual has to be in the key: the
//! set may be the same where one prefix has been seen to be bad and another only is. A search over
//! the product alone would not do either: the automaton may need several rounds of a cycle until it
//! comes back to its state. *Beginnings that replay calls bad* have a residual that is false:
//! progression folds whatever the three-valued truth of [`brine_ltl::values_on_prefix`] does. The
//! converse may fail, since it also sees that `f & !f` is false; where replay does not follow,
//! nothing is proved. If the search ends by itself otherwise, no run is shorter than the best.
//! *Cost:* outer nodes times inner nodes; it is meant for runs of a few steps, and is cut off by
//! work, memory and time.

use super::Shown;
use super::continuation::complete;
use super::judge::Judge;
use brine_ltl::{Atom, AtomId, Automaton, Formula, Formulas, StateId};
use brine_net::{Interner, Run, TransitionId};
use brine_replay::letter_of;
use brine_run::{Control, Pace, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

/// An entry of a relation: from a state to a state, with these marks on the way.
type Link = (u32, u32, u64);

/// Parts of a residual at most; larger ones end the search.
const RESIDUAL: usize = 4_000;

/// A node of a search: marking, set or relation, where it comes from and by which step.
struct SearchNode {
    marking: u32,
    memory: u32,
    /// What is left of the formula; of no meaning inside of cycles.
    residual: Formula,
    depth: usize,
    parent: Option<(u32, TransitionId)>,
}

/// What beginnings leave of the formula.
struct Residuals {
    formulas: Formulas,
    atoms: Vec<AtomId>,
    /// By marking, once they were asked for: the truth of these atoms.
    letters: FxHashMap<u32, Box<[bool]>>,
    /// The residual after the letter of a marking.
    known: FxHashMap<(Formula, u32), Formula>,
}

/// The shortest violating run below a length, if there is one, and whether the search ended: if
/// so, nothing is shorter than what it gives, or than the length.
pub(super) fn search(
    judge: &dyn Judge,
    automaton: &Automaton,
    below: usize,
    control: &Control,
) -> (Option<Shown>, bool) {
    if !judge.is_whole() {
        return (None, false);
    }
    let mut search = ShortestSearch {
        judge,
        automaton,
        pace: control.pace(),
        bytes: control.charged.unwrap_or(u64::MAX),
        markings: Interner::new(),
        letters: Vec::new(),
        successors: Vec::new(),
        sets: Interner::new(),
        relations: Interner::new(),
        residuals: judge.formula().map(|(formulas, formula)| Residuals {
            formulas: formulas.clone(),
            atoms: formulas.atoms_of(formula),
            letters: FxHashMap::default(),
            known: FxHashMap::default(),
        }),
        below,
        best: None,
        complete: true,
    };
    let ended = search.outer().is_ok();
    (search.best, ended && search.complete)
}

struct ShortestSearch<'a> {
    judge: &'a dyn Judge,
    automaton: &'a Automaton,
    pace: Pace<'a>,
    /// Bytes that may still be taken.
    bytes: u64,
    markings: Interner<Box<[u32]>>,
    /// By marking: the truth of the automaton's atoms.
    letters: Vec<u64>,
    /// By marking, once they were asked for.
    successors: Vec<Option<Vec<(TransitionId, u32)>>>,
    sets: Interner<Box<[u32]>>,
    relations: Interner<Box<[Link]>>,
    /// None for a question that is an automaton.
    residuals: Option<Residuals>,
    /// Runs of this length or longer are of no interest.
    below: usize,
    best: Option<Shown>,
    /// No candidate was lost because nobody knew how it goes on.
    complete: bool,
}

impl ShortestSearch<'_> {
    fn outer(&mut self) -> Result<(), Stop> {
        let initial = self.marking(self.judge.model().initial())?;
        let start = [self.automaton.initial().0];
        let set = self.set_after(&start, initial);
        let formula = self.judge.formula().map_or(Formula::TRUE, |f| f.1);
        let residual = self.residual_after(formula, initial)?;
        let first = SearchNode { marking: initial, memory: set, residual, depth: 0, parent: None };
        let mut nodes = vec![first];
        let mut seen = FxHashSet::default();
        seen.insert((initial, set, residual));
        let mut next = 0;
        while next < nodes.len() && nodes[next].depth < self.below {
            let SearchNode { marking, memory: set, residual, depth, .. } = nodes[next];
            // No word that begins like this is accepted.
            if self.sets[set as usize].is_empty() {
                next += 1;
                continue;
            }
            self.look_at(&nodes, next)?;
            self.inner(&nodes, next)?;
            if depth + 1 < self.below {
                for (t, target) in self.successors_of(marking)? {
                    let after = self.sets[set as usize].to_vec();
                    let memory = self.set_after(&after, target);
                    let residual = self.residual_after(residual, target)?;
                    self.charge(72)?;
                    if seen.insert((target, memory, residual)) {
                        let parent = Some((next as u32, t));
                        let depth = depth + 1;
                        nodes.push(SearchNode { marking: target, memory, residual, depth, parent });
                    }
                }
            }
            next += 1;
        }
        Ok(())
    }

    /// Whether the node ends a bad beginning, or is dead and violates the property.
    fn look_at(&mut self, nodes: &[SearchNode], at: usize) -> Result<(), Stop> {
        let SearchNode { marking, memory: set, residual, depth, .. } = nodes[at];
        let states = self.sets[set as usize].to_vec();
        if residual == Formula::FALSE {
            self.pace.steps(16 * (depth + 1))?;
            let steps = path(nodes, at);
            let bad = self.judge.violated_after(&steps).filter(|&k| k <= depth);
            let nothing = Run::default();
            let shown =
                bad.and_then(|k| complete(self.judge, &steps[..k], &nothing, &mut self.pace));
            match shown {
                Some(shown) => self.keep(shown),
                None => self.complete = false,
            }
            self.pace.steps(1)?;
        }
        if self.successors_of(marking)?.is_empty() {
            let letter = self.letters[marking as usize];
            let accepts = |q| self.automaton.accepts_from(StateId(q), &[], &[letter]);
            if states.iter().any(|&q| accepts(q)) {
                self.candidate(Run { prefix: path(nodes, at), cycle: Vec::new() });
            }
        }
        Ok(())
    }

    /// Looks for a cycle from a node.
    fn inner(&mut self, outer: &[SearchNode], at: usize) -> Result<(), Stop> {
        let SearchNode { marking: home, memory: set, depth, .. } = outer[at];
        let reach = self.sets[set as usize].to_vec();
        if !self.can_accept(&reach) {
            return Ok(());
        }
        let identity: Vec<Link> = self.automaton.states().map(|q| (q.0, q.0, 0)).collect();
        let identity = self.relations.intern_slice(&identity);
        let residual = Formula::TRUE;
        let first =
            SearchNode { marking: home, memory: identity, residual, depth: 0, parent: None };
        let mut nodes = vec![first];
        let mut seen = FxHashSet::default();
        let mut next = 0;
        while next < nodes.len() && depth + nodes[next].depth + 1 < self.below {
            let SearchNode { marking, memory, depth: steps, .. } = nodes[next];
            for (t, target) in self.successors_of(marking)? {
                let memory = self.relation_after(memory, target)?;
                if self.relations[memory as usize].is_empty() || !seen.insert((target, memory)) {
                    continue;
                }
                let (parent, depth_here) = (Some((next as u32, t)), steps + 1);
                nodes.push(SearchNode {
                    marking: target,
                    memory,
                    residual,
                    depth: depth_here,
                    parent,
                });
                if self.closes(home, target) && depth + steps + 1 < self.below {
                    let cycle = path(&nodes, nodes.len() - 1);
                    self.pace.steps((depth + steps) * 8)?;
                    self.candidate(Run { prefix: path(outer, at), cycle });
                }
            }
            next += 1;
        }
        Ok(())
    }

    /// Whether a word from one of these states can be accepted at all.
    fn can_accept(&self, states: &[u32]) -> bool {
        let mut seen: Vec<bool> = vec![false; self.automaton.num_states()];
        let mut todo: Vec<StateId> = states.iter().map(|&q| StateId(q)).collect();
        while let Some(q) = todo.pop() {
            if !std::mem::replace(&mut seen[q.index()], true) {
                if self.automaton.analysis().has_accepting_cycle(q) {
                    return true;
                }
                todo.extend(self.automaton.edges_of(q).iter().map(|e| e.dst));
            }
        }
        false
    }

    /// Whether a cycle from one marking to the other can be repeated.
    fn closes(&self, home: u32, end: u32) -> bool {
        let grows = self.judge.model().as_net().is_some();
        let pairs = || self.markings[end as usize].iter().zip(&self.markings[home as usize]);
        home == end || grows && pairs().all(|(e, h)| e >= h)
    }

    fn candidate(&mut self, run: Run) {
        if run.len() < self.below && self.judge.violates(&run) {
            self.keep(Shown::new(self.judge, run));
        }
    }

    fn keep(&mut self, shown: Shown) {
        if shown.len() < self.below {
            self.below = shown.len();
            self.best = Some(shown);
        }
    }

    fn charge(&mut self, bytes: u64) -> Result<(), Stop> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Stop::Memory)?;
        Ok(())
    }

    /// The number of a marking; its letter is known from then on.
    fn marking(&mut self, marking: Vec<u32>) -> Result<u32, Stop> {
        self.pace.steps(marking.len() / 4 + 1)?;
        let number = self.markings.intern_slice(&marking);
        if number as usize == self.letters.len() {
            self.charge(4 * marking.len() as u64 + 64)?;
            let atoms = self.automaton.atoms();
            // What cannot be evaluated ends the search: nothing is known then.
            let truth =
                letter_of(self.judge.model(), atoms, &marking).map_err(|_| Stop::Overflow)?;
            let letter = truth.iter().enumerate().fold(0, |l, (i, &t)| l | u64::from(t) << i);
            self.letters.push(letter);
            self.successors.push(None);
        }
        Ok(number)
    }

    fn successors_of(&mut self, number: u32) -> Result<Vec<(TransitionId, u32)>, Stop> {
        if let Some(list) = &self.successors[number as usize] {
            self.pace.steps(list.len() + 1)?;
            return Ok(list.clone());
        }
        let model = self.judge.model();
        let marking = self.markings[number as usize].to_vec();
        self.pace.steps(model.transitions() + 1)?;
        let mut list = Vec::new();
        for t in (0..model.transitions() as u32).map(TransitionId) {
            if model.enables(t, &marking) != Ok(true) {
                continue;
            }
            let mut after = marking.clone();
            // A step that overflows, or has several successors, is not taken by replay either.
            if model.step(t, &mut after).is_ok() {
                list.push((t, self.marking(after)?));
            }
        }
        self.charge(8 * list.len() as u64)?;
        self.successors[number as usize] = Some(list.clone());
        Ok(list)
    }

    /// The states after reading the letter of a marking.
    fn set_after(&mut self, states: &[u32], marking: u32) -> u32 {
        let letter = self.letters[marking as usize];
        let after = |&q: &u32| self.automaton.after(StateId(q), letter).map(|q| q.0);
        let mut set: Vec<u32> = states.iter().flat_map(after).collect();
        set.sort_unstable();
        set.dedup();
        self.sets.intern_slice(&set)
    }

    /// What is left of a residual after the letter of a marking.
    fn residual_after(&mut self, residual: Formula, marking: u32) -> Result<Formula, Stop> {
        let Some(residuals) = &mut self.residuals else { return Ok(Formula::TRUE) };
        if let Some(&after) = residuals.known.get(&(residual, marking)) {
            return Ok(after);
        }
        if !residuals.letters.contains_key(&marking) {
            let atoms: Vec<Atom> =
                residuals.atoms.iter().map(|&a| residuals.formulas.atom(a).clone()).collect();
            let state = &self.markings[marking as usize];
            let letter =
                letter_of(self.judge.model(), &atoms, state).map_err(|_| Stop::Overflow)?;
            residuals.letters.insert(marking, letter.into());
        }
        let letter = &residuals.letters[&marking];
        let size = residuals.formulas.subformulas(residual).len();
        if size > RESIDUAL {
            return Err(Stop::Memory);
        }
        let index = |atom| residuals.atoms.iter().position(|&a| a == atom);
        let holds = |atom| index(atom).is_some_and(|i| letter[i]);
        let after = residuals.formulas.after(residual, holds);
        residuals.known.insert((residual, marking), after);
        self.pace.steps(4 * size + 1)?;
        self.charge(64 + 16 * size as u64)?;
        Ok(after)
    }

    /// The relation continued by the letter of a marking.
    fn relation_after(&mut self, relation: u32, marking: u32) -> Result<u32, Stop> {
        let letter = self.letters[marking as usize];
        let links = &self.relations[relation as usize];
        let mut after: Vec<Link> = Vec::new();
        for &(from, through, marks) in links {
            for edge in self.automaton.edges_of(StateId(through)) {
                if self.automaton.label(edge.label).accepts(letter) {
                    after.push((from, edge.dst.0, marks | edge.marks));
                }
            }
        }
        after.sort_unstable();
        after.dedup();
        self.pace.steps(after.len() + 1)?;
        self.charge(32)?;
        Ok(self.relations.intern_slice(&after))
    }
}

/// The steps that lead to a node.
fn path(nodes: &[SearchNode], at: usize) -> Vec<TransitionId> {
    let mut steps = Vec::with_capacity(nodes[at].depth);
    let mut node = &nodes[at];
    while let Some((parent, t)) = node.parent {
        steps.push(t);
        node = &nodes[parent as usize];
    }
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shorten::judge::{Asked, WholeJudge};
    use brine_ltl::{Options, Symbols, parse, translate};
    use brine_net::{Net, NetBuilder};

    /// The length of a shortest violating run below 100, proved.
    fn shortest(net: &Net, text: &str) -> Option<usize> {
        let mut formulas = Formulas::new();
        let formula = parse(text, &mut formulas, &mut Symbols::of_net(net)).unwrap();
        let negation = formulas.not(formula);
        let automaton = translate(&formulas, negation, &Options::default()).unwrap();
        let judge =
            WholeJudge { model: net, asked: Asked::Formula(&formulas, formula), fair: None };
        let control = Control { work: Some(1_000_000), ..Control::default() };
        let (shown, proved) = search(&judge, &automaton, 100, &control);
        assert!(proved, "{text}");
        shown.map(|s| s.len())
    }

    /// The prefix has to come to a marking again, with more behind it: a token goes to and fro, and
    /// may stop, which is bad only after it went there.
    #[test]
    fn prefixes_with_the_same_marking_are_told_apart() {
        let mut b = NetBuilder::new("n");
        let (p, q, e) = (b.place("p", 1), b.place("q", 0), b.place("e", 0));
        b.transition("there", &[(p, 1)], &[(q, 1)]);
        b.transition("back", &[(q, 1)], &[(p, 1)]);
        b.transition("stop", &[(p, 1)], &[(e, 1)]);
        let net = b.build().unwrap();
        assert_eq!(shortest(&net, "G (q = 1 -> G e = 0)"), Some(3));
        assert_eq!(shortest(&net, "G (q = 1 -> X G (q = 1 -> G e = 0))"), Some(5));
        assert_eq!(shortest(&net, "F e = 1"), Some(2));
        assert_eq!(shortest(&net, "G p + q + e = 1"), None);
    }

    /// Two ways to a marking leave formulas of one meaning, of which one is seen to be false at
    /// once, and the other only later.
    #[test]
    fn prefixes_with_the_same_meaning_are_told_apart() {
        let mut b = NetBuilder::new("n");
        let (p, a, c, m) = (b.place("p", 1), b.place("a", 0), b.place("c", 0), b.place("m", 0));
        for (name, from, to) in
            [("one", p, a), ("two", p, c), ("a_on", a, m), ("c_on", c, m), ("stay", m, m)]
        {
            b.transition(name, &[(from, 1)], &[(to, 1)]);
        }
        let net = b.build().unwrap();
        let text = "X ((a = 1 & X (G m = 1 & F m = 0)) | (c = 1 & X m = 0))";
        assert_eq!(shortest(&net, text), Some(2));
    }
}
