//! A model checker that is too simple to be wrong: no automaton translation, no packing, no
//! search on the fly.
//!
//! All markings are enumerated. A node is a marking together with a guess of the truth of
//! every temporal subformula; edges link guesses that agree with the one-step laws
//! (`a U b` is `b | a & X(a U b)`, and so on): what is true now follows from the marking and
//! from what is true next. A guess must also be fulfilled: along a run, `a U b` cannot stay
//! true for ever without `b`, and so on for the others. The formula is violated when a node
//! of the initial marking in which it is false reaches a strongly connected set of nodes in
//! which all guesses are fulfilled.
//!
//! Of a net with too many markings, a part is enumerated: what is violated there is violated.

use brine_ltl::{Atom, Formula, Formulas, Node};
use brine_net::{Net, TransitionId};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, EdgeRef};
use std::collections::HashMap;

/// Formulas with more temporal operators are not decided.
const TEMPORAL_MAX: usize = 10;
/// Nor are those that need more pairs of marking and guess.
pub(crate) const NODES_MAX: usize = 1 << 15;

/// Markings of a net and their successors; a dead marking succeeds itself.
#[derive(Clone, Debug)]
pub struct Kripke {
    /// The markings, the initial one first.
    pub markings: Vec<Vec<u32>>,
    /// For each marking, the numbers of its successors (those that are here).
    pub next: Vec<Vec<usize>>,
    /// Whether all reachable markings are here.
    pub complete: bool,
}

impl Kripke {
    /// All reachable markings, or `None` if there are more than `limit`.
    pub fn new(net: &Net, limit: usize) -> Option<Kripke> {
        Some(Kripke::part(net, limit)).filter(|k| k.complete)
    }

    /// The first markings in breadth-first order, at most `limit` (at least one).
    pub fn part(net: &Net, limit: usize) -> Kripke {
        let initial = net.initial_marking();
        let mut number = HashMap::from([(initial.clone(), 0)]);
        let mut kripke = Kripke { markings: vec![initial], next: Vec::new(), complete: true };
        while let Some(marking) = kripke.markings.get(kripke.next.len()).cloned() {
            let mut next = Vec::new();
            let enabled: Vec<TransitionId> =
                net.transition_ids().filter(|&t| is_enabled(net, &marking, t)).collect();
            if enabled.is_empty() {
                next.push(kripke.next.len());
            }
            for t in enabled {
                let after = fire(net, &marking, t);
                let known = after.as_ref().and_then(|m| number.get(m).copied());
                let room = kripke.markings.len() < limit;
                match (after, known) {
                    (_, Some(known)) => next.push(known),
                    (Some(after), None) if room => {
                        next.push(kripke.markings.len());
                        number.insert(after.clone(), kripke.markings.len());
                        kripke.markings.push(after);
                    }
                    _ => kripke.complete = false,
                }
            }
            next.sort_unstable();
            next.dedup();
            kripke.next.push(next);
        }
        kripke
    }

    /// Whether nothing is enabled in a marking.
    pub fn is_dead(&self, net: &Net, marking: usize) -> bool {
        !net.transition_ids().any(|t| is_enabled(net, &self.markings[marking], t))
    }
}

pub(crate) fn is_enabled(net: &Net, m: &[u32], t: TransitionId) -> bool {
    net.transition(t).pre.iter().all(|&(p, w)| m[p.index()] >= w)
}

/// The marking after an enabled transition; `None` if tokens pass `u32`.
pub(crate) fn fire(net: &Net, m: &[u32], t: TransitionId) -> Option<Vec<u32>> {
    let mut m = m.to_vec();
    for &(p, w) in net.transition(t).pre {
        m[p.index()] -= w;
    }
    for &(p, w) in net.transition(t).post {
        m[p.index()] = m[p.index()].checked_add(w)?;
    }
    Some(m)
}

/// The truth of all subformulas at one node, bit by bit.
pub(crate) type Truth = u128;

pub(crate) struct GuessGraph<'a> {
    fs: &'a Formulas,
    /// Operands before the formulas they belong to; the last one is the formula itself.
    subformulas: Vec<Formula>,
    /// Which of them are temporal.
    pub(crate) temporal: Vec<usize>,
    /// The place of each formula among them.
    index: HashMap<Formula, usize>,
}

impl GuessGraph<'_> {
    /// `None` if the formula is too large.
    pub(crate) fn new(fs: &Formulas, formula: Formula) -> Option<GuessGraph<'_>> {
        use Node::*;
        let subformulas = fs.subformulas(formula);
        let index = subformulas.iter().enumerate().map(|(i, &f)| (f, i)).collect();
        let is_temporal =
            |f: Formula| matches!(fs.node(f), X(_) | F(_) | G(_) | U(..) | R(..) | W(..) | M(..));
        let temporal: Vec<usize> =
            (0..subformulas.len()).filter(|&i| is_temporal(subformulas[i])).collect();
        let fits = subformulas.len() <= Truth::BITS as usize && temporal.len() <= TEMPORAL_MAX;
        fits.then_some(GuessGraph { fs, subformulas, temporal, index })
    }

    pub(crate) fn at(&self, truth: Truth, f: Formula) -> bool {
        truth >> self.index[&f] & 1 == 1
    }

    /// The truth of the atoms in a marking from which `next` is fired, if anything is.
    pub(crate) fn letter(&self, net: &Net, marking: &[u32], next: Option<TransitionId>) -> Truth {
        let holds = |atom: &Atom| match atom {
            Atom::Fires(transitions) => next.is_some_and(|t| transitions.contains(&t)),
            atom => atom.eval(net, marking) == Some(true),
        };
        let is_true = |&f: &Formula| match self.fs.node(f) {
            Node::Atom(a) => holds(self.fs.atom(a)),
            _ => false,
        };
        let bits = self.subformulas.iter().enumerate().filter(|(_, f)| is_true(f));
        bits.map(|(i, _)| 1 << i).sum()
    }

    /// The truth of every subformula, from that of the atoms and the temporal ones.
    fn truth(&self, letter: Truth, temporal: impl Fn(usize, Truth) -> bool) -> Truth {
        let mut truth: Truth = 0;
        for (i, &f) in self.subformulas.iter().enumerate() {
            let at = |g: Formula| self.at(truth, g);
            let value = match self.fs.node(f) {
                Node::True => true,
                Node::False => false,
                Node::Atom(_) => letter >> i & 1 == 1,
                Node::Not(g) => !at(g),
                Node::And(l) => self.fs.list(l).iter().all(|&g| at(g)),
                Node::Or(l) => self.fs.list(l).iter().any(|&g| at(g)),
                Node::Implies(g, h) => !at(g) || at(h),
                Node::Iff(g, h) => at(g) == at(h),
                Node::Xor(g, h) => at(g) != at(h),
                _ => temporal(i, truth),
            };
            truth |= Truth::from(value) << i;
        }
        truth
    }

    /// With the temporal ones as guessed, bit by bit.
    pub(crate) fn guessed(&self, letter: Truth, guess: usize) -> Truth {
        let bit = |i: usize| self.temporal.iter().position(|&t| t == i).unwrap_or(0);
        self.truth(letter, |i, _| guess >> bit(i) & 1 == 1)
    }

    /// With the temporal ones as the one-step laws say, given what is true next.
    pub(crate) fn before(&self, letter: Truth, then: Truth) -> Truth {
        self.truth(letter, |i, now| {
            let (now, then) = (|g| self.at(now, g), |g| self.at(then, g));
            let f = self.subformulas[i];
            match self.fs.node(f) {
                Node::X(a) => then(a),
                Node::F(a) => now(a) || then(f),
                Node::G(a) => now(a) && then(f),
                Node::U(a, b) | Node::W(a, b) => now(b) || now(a) && then(f),
                Node::R(a, b) | Node::M(a, b) => now(b) && (now(a) || then(f)),
                _ => unreachable!("not temporal"),
            }
        })
    }

    /// The guess that a truth contains.
    pub(crate) fn guess(&self, truth: Truth) -> usize {
        let bits = self.temporal.iter().enumerate();
        bits.map(|(bit, &i)| ((truth >> i & 1) as usize) << bit).sum()
    }

    /// Which guesses (bit by bit) are fulfilled at a node: each must be infinitely often.
    pub(crate) fn fulfilled(&self, truth: Truth) -> usize {
        let now = |g: Formula| self.at(truth, g);
        let fulfilled = |f: Formula| match self.fs.node(f) {
            Node::X(_) => true,
            Node::F(a) => !now(f) || now(a),
            Node::G(a) => now(f) || !now(a),
            Node::U(_, b) => !now(f) || now(b),
            Node::W(a, b) => now(f) || !now(a) && !now(b),
            Node::R(_, b) => now(f) || !now(b),
            Node::M(a, b) => !now(f) || now(a) && now(b),
            _ => unreachable!("not temporal"),
        };
        let bits = self.temporal.iter().enumerate();
        bits.filter(|(_, i)| fulfilled(self.subformulas[**i])).map(|(bit, _)| 1 << bit).sum()
    }
}

/// Do all runs satisfy the formula? `None` if it is too large to tell, or if the markings are
/// not complete and no violation is among them. Formulas about events are for
/// [`holds_fairly`](crate::holds_fairly).
pub fn holds(net: &Net, kripke: &Kripke, fs: &Formulas, formula: Formula) -> Option<bool> {
    assert!(!fs.has_events(formula), "markings do not tell events");
    let tableau = GuessGraph::new(fs, formula)?;
    let guesses = 1 << tableau.temporal.len();
    if kripke.markings.len() * guesses > NODES_MAX {
        return None;
    }
    let letters: Vec<Truth> =
        kripke.markings.iter().map(|m| tableau.letter(net, m, None)).collect();
    let guessed = |&letter: &Truth| (0..guesses).map(move |g| (letter, g));
    let truths: Vec<Truth> =
        letters.iter().flat_map(guessed).map(|(l, g)| tableau.guessed(l, g)).collect();
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    for _ in &truths {
        graph.add_node(());
    }
    for (m, next) in kripke.next.iter().enumerate() {
        for to in next.iter().flat_map(|n| n * guesses..(n + 1) * guesses) {
            let now = tableau.before(letters[m], truths[to]);
            let from = m * guesses + tableau.guess(now);
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
    }
    let starts = (0..guesses).filter(|&g| !tableau.at(truths[g], formula));
    let violated =
        reaches_fulfilled_cycle(&graph, starts, guesses - 1, |n| tableau.fulfilled(truths[n]));
    (violated || kripke.complete).then_some(!violated)
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

#[cfg(test)]
mod tests {
    use super::*;
    use brine_ltl::{Symbols, parse};
    use brine_net::NetBuilder;

    /// A source that fills `q`, beside a switch that can break.
    fn net(source: bool) -> Net {
        let mut b = NetBuilder::new("n");
        let (on, off, q) = (b.place("on", 1), b.place("off", 0), b.place("q", 0));
        b.transition("down", &[(on, 1)], &[(off, 1)]);
        b.transition("up", &[(off, 1)], &[(on, 1)]);
        b.transition("break", &[(on, 1)], &[]);
        if source {
            b.transition("source", &[], &[(q, 1)]);
        }
        b.build().unwrap()
    }

    #[test]
    fn answers_that_can_be_checked_by_hand() {
        let decide = |net: &Net, text: &str| {
            let mut fs = Formulas::new();
            let f = parse(text, &mut fs, &mut Symbols::of_net(net)).unwrap();
            holds(net, &Kripke::part(net, 50), &fs, f)
        };
        let finite = net(false);
        for (text, expected) in [
            ("G on + off <= 1", true),
            ("F G (on = 0 & off = 0)", false),
            ("G (off = 1 -> X on = 1)", true),
            ("on = 1 U (off = 1 | deadlock)", true),
            ("on = 1 M on + off = 1", true),
            ("off = 1 M on + off = 1", false),
            ("G F on = 1 | F deadlock", true),
            ("on = 1 W off = 1", false),
            ("off = 1 R on + off = 1", false),
            ("G (fireable(up) -> !fireable(down))", true),
        ] {
            assert_eq!(decide(&finite, text), Some(expected), "{text}");
        }
        let infinite = net(true);
        assert_eq!(decide(&infinite, "G q <= 3"), Some(false), "a violation in the part");
        assert_eq!(decide(&infinite, "G on + off <= 1"), None, "the part proves nothing");
    }
}
