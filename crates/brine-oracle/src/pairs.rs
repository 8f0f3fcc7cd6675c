//! Random nets with random formulas, and what the oracle says about them.

use crate::fair::{holds_fairly, random_fairness};
use crate::formulas::{AtomScope, random_formula, random_formula_over};
use crate::nets::{FORMULAS_PER_NET, MARKINGS_MAX, random_net};
use crate::{Kripke, holds, number};
use brine_ltl::{Formula, Formulas};
use brine_net::{Fairness, Net, Rng};

/// A net, a formula, and the answer.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredPair<'a> {
    /// The net.
    pub net: &'a Net,
    /// The store of the formula.
    pub formulas: &'a Formulas,
    /// The formula.
    pub formula: Formula,
    /// Whether all runs of the net satisfy it.
    pub expected: bool,
    /// What `BRINE_SEED` has to be for this net to come first.
    pub seed: u64,
}

/// Asks about random pairs: `BRINE_CASES` of them, or `count`, from `BRINE_SEED` on. The
/// generator serves for choices of the test's own. Returns the number of pairs.
///
/// Nets with more than [`MARKINGS_MAX`] markings, and formulas that are too large for the
/// oracle, are left out.
///
/// ```
/// let mut violated = 0;
/// let pairs = brine_oracle::random_pairs(100, |pair, _| violated += u64::from(!pair.expected));
/// assert!(violated > 0 && violated < pairs);
/// ```
pub fn random_pairs(count: u64, mut ask: impl FnMut(AnsweredPair<'_>, &mut Rng)) -> u64 {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", count));
    let (mut seed, mut pairs) = (first, 0);
    while pairs < count {
        let mut rng = Rng::new(seed);
        let net = random_net(&mut rng);
        let kripke = Kripke::new(&net, MARKINGS_MAX);
        for _ in 0..FORMULAS_PER_NET {
            let Some(kripke) = &kripke else { break };
            let mut formulas = Formulas::new();
            let depth = 1 + rng.below(4);
            let formula = random_formula(&mut rng, &net, &mut formulas, depth);
            let Some(expected) = holds(&net, kripke, &formulas, formula) else { continue };
            let pair = AnsweredPair { net: &net, formulas: &formulas, formula, expected, seed };
            ask(pair, &mut rng);
            pairs += 1;
        }
        seed += 1;
    }
    println!("seeds {first}..{seed}: {pairs} pairs");
    pairs
}

/// A net, a formula that may be about events, for whom runs are fair, and the answer.
#[derive(Clone, Copy, Debug)]
pub struct FairPair<'a> {
    /// The net.
    pub net: &'a Net,
    /// The store of the formula.
    pub formulas: &'a Formulas,
    /// The formula.
    pub formula: Formula,
    /// Which runs count.
    pub fairness: &'a Fairness,
    /// Whether all of them satisfy it.
    pub expected: bool,
    /// What `BRINE_SEED` has to be for this net to come first.
    pub seed: u64,
}

/// The same as [`random_pairs`] with events and fairness: two of three formulas may be about
/// events, and of two of three questions only fair runs count; at least one of both is so.
pub fn random_fair_pairs(count: u64, mut ask: impl FnMut(FairPair<'_>, &mut Rng)) -> u64 {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", count));
    let (mut seed, mut pairs) = (first, 0);
    while pairs < count {
        let mut rng = Rng::new(seed);
        let net = random_net(&mut rng);
        let kripke = Kripke::new(&net, MARKINGS_MAX);
        for _ in 0..FORMULAS_PER_NET {
            let Some(kripke) = &kripke else { break };
            if net.transitions().len() == 0 {
                break;
            }
            let kind = rng.below(3);
            let scope = AtomScope { events: kind != 0, ..AtomScope::of(&net) };
            let mut formulas = Formulas::new();
            let depth = 1 + rng.below(4);
            let formula = random_formula_over(&mut rng, scope, &mut formulas, depth);
            let fairness = match kind {
                1 => Fairness::default(),
                _ => random_fairness(&mut rng, &net),
            };
            let expected = holds_fairly(&net, kripke, &formulas, formula, &fairness);
            let Some(expected) = expected else { continue };
            let (net, formulas, fairness) = (&net, &formulas, &fairness);
            ask(FairPair { net, formulas, formula, fairness, expected, seed }, &mut rng);
            pairs += 1;
        }
        seed += 1;
    }
    println!("seeds {first}..{seed}: {pairs} pairs");
    pairs
}
