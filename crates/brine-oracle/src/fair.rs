//! Brute force for events and fairness.
//!
//! As in [`crate::holds`], with positions instead of markings: a position is a marking together
//! with the transition that is fired next, or with nothing where nothing is enabled. All of them
//! are enumerated, paired with guesses about the temporal subformulas, and searched for a strongly
//! connected set in which all guesses are fulfilled and every transition is treated fairly.
//!
//! A set that enables a strongly fair transition somewhere and fires it nowhere holds no fair run
//! that visits all of it: runs that count must avoid the positions that enable it, so these are
//! taken out and what is left is looked at again.
//!
//! [`fair_formula`] says the same in another way: fairness is a formula about events, and a
//! property holds on fair runs if that formula implies it. Both are compared in a test.

use crate::Kripke;
use crate::oracle::{GuessGraph, NODES_MAX, Truth, fire, is_enabled};
use brine_ltl::{Formula, Formulas};
use brine_net::{Fairness, Net, Rng, TransitionId};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, EdgeRef};
use std::collections::HashMap;

/// A marking by number, and what is fired there.
type Position = (usize, Option<TransitionId>);

/// Do all fair runs satisfy the formula? `None` if it is too large to tell, or if the markings are
/// not complete and no violation is among them.
pub fn holds_fairly(
    net: &Net,
    kripke: &Kripke,
    fs: &Formulas,
    formula: Formula,
    fairness: &Fairness,
) -> Option<bool> {
    let tableau = GuessGraph::new(fs, formula)?;
    let guesses = 1 << tableau.temporal.len();
    let (positions, next) = positions(net, kripke);
    if positions.len() * guesses > NODES_MAX {
        return None;
    }
    let letters: Vec<Truth> =
        positions.iter().map(|&(m, t)| tableau.letter(net, &kripke.markings[m], t)).collect();
    let guessed = |&letter: &Truth| (0..guesses).map(move |g| (letter, g));
    let truths: Vec<Truth> =
        letters.iter().flat_map(guessed).map(|(l, g)| tableau.guessed(l, g)).collect();
    let mut graph: DiGraph<usize, ()> = DiGraph::new();
    for n in 0..truths.len() {
        graph.add_node(n);
    }
    for (p, next) in next.iter().enumerate() {
        for to in next.iter().flat_map(|n| n * guesses..(n + 1) * guesses) {
            let now = tableau.before(letters[p], truths[to]);
            let from = p * guesses + tableau.guess(now);
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
    }
    let is_start = |n: &usize| positions[n / guesses].0 == 0 && !tableau.at(truths[*n], formula);
    let mut reached = vec![false; truths.len()];
    for start in (0..truths.len()).filter(is_start) {
        let mut dfs = Dfs::new(&graph, NodeIndex::new(start));
        while let Some(n) = dfs.next(&graph) {
            reached[n.index()] = true;
        }
    }
    graph.retain_nodes(|g, n| reached[g[n]]);
    let fulfilled = |n: usize| tableau.fulfilled(truths[n]);
    let position = |n: usize| positions[n / guesses];
    let enabled = |n: usize, t| is_enabled(net, &kripke.markings[position(n).0], t);
    let fires = |n: usize, t| position(n).1 == Some(t);
    let judge = Judge { fairness, all: guesses - 1, fulfilled, enabled, fires };
    let violated = judge.has_fair_cycle(&graph);
    (violated || kripke.complete).then_some(!violated)
}

/// All positions, and the positions that may follow each.
fn positions(net: &Net, kripke: &Kripke) -> (Vec<Position>, Vec<Vec<usize>>) {
    let number: HashMap<&Vec<u32>, usize> = kripke.markings.iter().zip(0..).collect();
    let (mut positions, mut of) = (Vec::new(), Vec::new());
    for (m, marking) in kripke.markings.iter().enumerate() {
        let first = positions.len();
        let enabled = net.transition_ids().filter(|&t| is_enabled(net, marking, t));
        positions.extend(enabled.map(|t| (m, Some(t))));
        if positions.len() == first {
            positions.push((m, None));
        }
        of.push(first..positions.len());
    }
    let after = |&(m, t): &Position| {
        let Some(t) = t else { return of[m].clone().collect() };
        let marking = fire(net, &kripke.markings[m], t);
        let to = marking.and_then(|marking| number.get(&marking).copied());
        to.map_or_else(Vec::new, |to| of[to].clone().collect())
    };
    let next = positions.iter().map(after).collect();
    (positions, next)
}

/// What counts as a fair cycle that fulfils all guesses.
struct Judge<'a, G, E, F> {
    fairness: &'a Fairness,
    /// All guesses, bit by bit.
    all: usize,
    fulfilled: G,
    enabled: E,
    fires: F,
}

impl<G, E, F> Judge<'_, G, E, F>
where
    G: Fn(usize) -> usize,
    E: Fn(usize, TransitionId) -> bool,
    F: Fn(usize, TransitionId) -> bool,
{
    fn has_fair_cycle(&self, graph: &DiGraph<usize, ()>) -> bool {
        kosaraju_scc(graph).iter().any(|scc| {
            let cyclic = scc.len() > 1 || graph.edges(scc[0]).any(|e| e.target() == scc[0]);
            let nodes: Vec<usize> = scc.iter().map(|&n| graph[n]).collect();
            cyclic && self.is_fair(graph, &nodes)
        })
    }

    /// Whether some fair run stays among these nodes, which all reach each other.
    fn is_fair(&self, graph: &DiGraph<usize, ()>, nodes: &[usize]) -> bool {
        let fulfilled = nodes.iter().fold(0, |bits, &n| bits | (self.fulfilled)(n));
        let fires = |t| nodes.iter().any(|&n| (self.fires)(n, t));
        let stays = |t| nodes.iter().all(|&n| (self.enabled)(n, t));
        let weak = self.fairness.weak().iter();
        if fulfilled != self.all || weak.into_iter().any(|&t| stays(t) && !fires(t)) {
            return false;
        }
        let enabled = |t| nodes.iter().any(|&n| (self.enabled)(n, t));
        let strong = self.fairness.strong().iter().copied();
        let unfair: Vec<TransitionId> = strong.filter(|&t| enabled(t) && !fires(t)).collect();
        if unfair.is_empty() {
            return true;
        }
        let mut rest = graph.clone();
        let avoids = |n: usize| unfair.iter().all(|&t| !(self.enabled)(n, t));
        rest.retain_nodes(|g, n| nodes.contains(&g[n]) && avoids(g[n]));
        self.has_fair_cycle(&rest)
    }
}

/// The formula without fairness that holds on all runs if `formula` does on the fair ones.
///
/// ```
/// use brine_ltl::{Formulas, Symbols, parse};
/// use brine_net::{Fairness, NetBuilder};
/// use brine_oracle::{Kripke, fair_formula, holds_fairly};
/// let mut b = NetBuilder::new("two ways");
/// let (p, q) = (b.place("p", 1), b.place("q", 0));
/// b.transition("round", &[(p, 1)], &[(p, 1)]);
/// let leave = b.transition("leave", &[(p, 1)], &[(q, 1)]);
/// let net = b.build().unwrap();
/// let mut fs = Formulas::new();
/// let f = parse("F fires(leave)", &mut fs, &mut Symbols::of_net(&net)).unwrap();
/// let fairness = Fairness::new(vec![leave], vec![]);
/// let said = fair_formula(&mut fs, f, &fairness);
/// let kripke = Kripke::new(&net, 9).unwrap();
/// let all = |formula, fairness: &Fairness| holds_fairly(&net, &kripke, &fs, formula, fairness);
/// assert_eq!(all(f, &Fairness::default()), Some(false));
/// assert_eq!(all(f, &fairness), Some(true));
/// assert_eq!(all(said, &Fairness::default()), Some(true));
/// ```
pub fn fair_formula(fs: &mut Formulas, formula: Formula, fairness: &Fairness) -> Formula {
    let mut fair = Vec::new();
    for &t in fairness.weak() {
        let (enabled, fires) = (fs.fireable(vec![t]), fs.fires(vec![t]));
        let disabled = fs.not(enabled);
        let either = fs.or([disabled, fires]);
        let again = fs.f(either);
        fair.push(fs.g(again));
    }
    for &t in fairness.strong() {
        let [enabled, fires] = [fs.fireable(vec![t]), fs.fires(vec![t])].map(|atom| {
            let again = fs.f(atom);
            fs.g(again)
        });
        fair.push(fs.implies(enabled, fires));
    }
    let fair = fs.and(fair);
    fs.implies(fair, formula)
}

/// Fairness for some transitions of a net, which has some; mostly a few, sometimes all.
pub fn random_fairness(rng: &mut Rng, net: &Net) -> Fairness {
    match rng.below(8) {
        0 => Fairness::all_weak(net),
        1 => Fairness::all_strong(net),
        _ => {
            let count = net.transitions().len() as u32;
            let mut some = |most: u32| -> Vec<TransitionId> {
                (0..rng.below(most + 1)).map(|_| TransitionId(rng.below(count))).collect()
            };
            let weak = some(2);
            Fairness::new(weak, some(2))
        }
    }
}
