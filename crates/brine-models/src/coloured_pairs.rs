//! Random coloured nets with random formulas, and what brute force says about them.
//!
//! The answer comes from the naive unfolding ([`crate::naive_unfolding`]) and the oracle, which share
//! nothing with readers, engines and the unfolding that users get.

use crate::symmetric::SymmetricNet;
use crate::{naive_names, naive_unfolding, random_moves, random_symmetric};
use brine_coloured::ColouredNet;
use brine_ltl::{Atom, Comparison, Expression, Formula, Formulas};
use brine_net::{Net, PlaceId, Rng, TransitionId};
use brine_oracle::formulas::{AtomScope, random_formula_over};
use brine_oracle::nets::{FORMULAS_PER_NET, MARKINGS_MAX};
use brine_oracle::{Kripke, holds, number};

/// A coloured net beside its naive unfolding, whose markings are all known.
#[derive(Debug)]
pub struct NaivePair {
    /// The coloured net as engines get it.
    pub coloured: ColouredNet,
    /// Every colour a place, every binding a transition.
    pub naive: Net,
    /// The markings of the naive unfolding.
    pub kripke: Kripke,
    /// The naive places of each coloured place.
    pub places: Vec<Vec<PlaceId>>,
    /// The naive transitions of each coloured transition.
    pub transitions: Vec<Vec<TransitionId>>,
}

/// A question about it, and the answer.
#[derive(Clone, Copy, Debug)]
pub struct ColouredPair<'a> {
    /// The nets.
    pub nets: &'a NaivePair,
    /// The store of the formula, over coloured places and transitions.
    pub formulas: &'a Formulas,
    /// The formula.
    pub formula: Formula,
    /// Whether all runs of the net satisfy it.
    pub expected: bool,
    /// What `BRINE_SEED` has to be for this net to come first.
    pub seed: u64,
}

impl NaivePair {
    /// `None` if there are too many markings.
    pub fn new(source: &SymmetricNet) -> Option<NaivePair> {
        let coloured = source.coloured().ok()?;
        let naive = naive_unfolding::unfold(source);
        let kripke = Kripke::new(&naive, MARKINGS_MAX)?;
        let mut places = vec![Vec::new(); coloured.places.len()];
        for (p, of) in naive.place_ids().zip(naive_names::coloured_places(&naive, &coloured)) {
            places[of].push(p);
        }
        let mut transitions = vec![Vec::new(); coloured.transitions.len()];
        let steps = naive_names::coloured_steps(&naive, &coloured);
        for (t, step) in naive.transition_ids().zip(steps) {
            transitions[step.transition.index()].push(t);
        }
        Some(NaivePair { coloured, naive, kripke, places, transitions })
    }

    /// The most tokens that a coloured place begins with.
    fn most_tokens(&self) -> u32 {
        let initial = |p: &PlaceId| self.naive.place(*p).initial;
        let sums = self.places.iter().map(|members| members.iter().map(initial).sum());
        sums.max().unwrap_or(0)
    }

    /// The formula over the nodes of the naive unfolding.
    pub fn restate(&self, formulas: &Formulas, formula: Formula, target: &mut Formulas) -> Formula {
        formulas.substitute(formula, target, |target, atom| match formulas.atom(atom) {
            Atom::Linear(linear) => {
                let members = |&(p, c): &(PlaceId, i64)| {
                    self.places[p.index()].iter().map(move |&member| (member, c))
                };
                let terms = linear.terms.iter().flat_map(members).collect();
                let (left, right) =
                    (Expression { terms, constant: 0 }, Expression::constant(linear.bound));
                target.compare(left, Comparison::Le, right).expect("numbers are small")
            }
            Atom::Fireable(ts) => {
                let members = ts.iter().flat_map(|t| self.transitions[t.index()].clone());
                target.fireable(members.collect())
            }
            Atom::Fires(ts) => {
                let members = ts.iter().flat_map(|t| self.transitions[t.index()].clone());
                target.fires(members.collect())
            }
            Atom::Deadlock => target.deadlock(),
            Atom::Prop(name) => panic!("a proposition {name}"),
        })
    }

    /// Whether all runs satisfy the formula; `None` if it is too large for the oracle.
    pub fn holds(&self, formulas: &Formulas, formula: Formula) -> Option<bool> {
        let mut target = Formulas::new();
        let restated = self.restate(formulas, formula, &mut target);
        holds(&self.naive, &self.kripke, &target, restated)
    }
}

/// Asks about random pairs: `BRINE_CASES` of them, or `count`, from `BRINE_SEED` on. Every other net
/// is one of tokens that move between places, so that more happens. Returns the number of pairs.
pub fn random_coloured_pairs(count: u64, mut ask: impl FnMut(ColouredPair<'_>, &mut Rng)) -> u64 {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", count));
    let (mut seed, mut pairs) = (first, 0);
    while pairs < count {
        let mut rng = Rng::new(seed);
        let source = match seed % 2 {
            0 => random_symmetric::net(&mut rng),
            _ => random_moves::net(&mut rng),
        };
        let nets = NaivePair::new(&source);
        for _ in 0..FORMULAS_PER_NET {
            let Some(nets) = &nets else { break };
            let scope = AtomScope {
                places: nets.coloured.places.len() as u32,
                transitions: nets.coloured.transitions.len() as u32,
                deadlock: true,
                events: false,
                tokens: nets.most_tokens(),
            };
            let mut formulas = Formulas::new();
            let depth = 1 + rng.below(4);
            let formula = random_formula_over(&mut rng, scope, &mut formulas, depth);
            let Some(expected) = nets.holds(&formulas, formula) else { continue };
            let formulas = &formulas;
            ask(ColouredPair { nets, formulas, formula, expected, seed }, &mut rng);
            pairs += 1;
        }
        seed += 1;
    }
    println!("seeds {first}..{seed}: {pairs} pairs");
    pairs
}
