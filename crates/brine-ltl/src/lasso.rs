//! LTL on ultimately periodic words, straight from the definition.
//!
//! A lasso is a finite prefix followed by a cycle repeated for ever. Along it the truth
//! of every subformula is itself ultimately periodic with the same shape, so one bit per
//! (subformula, position) is enough. Subformulas are done operands first; for the
//! temporal ones the value at a position depends on the next position, and the least
//! (`F`, `U`, `M`) or greatest (`G`, `R`, `W`) solution around the cycle is reached by
//! going backwards over the positions twice: once to carry the start value around the
//! cycle, once to settle it.
//!
//! This evaluator is the oracle for everything else in this crate and replays witnesses,
//! so it shares no code with rewriting or translation. Cost: O(|formula| * length).

use crate::formula::{AtomId, Formula, Formulas, Node};
use rustc_hash::FxHashMap;

/// Does the word with the given prefix and cycle lengths satisfy `f`?
///
/// `holds(atom, position)` gives the letters; positions count from 0 through the prefix
/// and once through the cycle. The cycle must not be empty.
///
/// ```
/// use brine_ltl::{Formulas, holds_on_lasso};
/// let mut fs = Formulas::new();
/// let a = fs.prop("a");
/// let fa = fs.f(a);
/// let gfa = fs.g(fa);
/// // a at position 0 only, then never again
/// assert!(holds_on_lasso(&fs, fa, 1, 1, |_, i| i == 0));
/// assert!(!holds_on_lasso(&fs, gfa, 1, 1, |_, i| i == 0));
/// ```
///
/// # Panics
///
/// When the cycle is empty.
pub fn holds_on_lasso(
    fs: &Formulas,
    f: Formula,
    prefix: usize,
    cycle: usize,
    holds: impl Fn(AtomId, usize) -> bool,
) -> bool {
    values_on_lasso(fs, f, prefix, cycle, holds)[&f][0]
}

/// The truth of every subformula of `f` at every position of the lasso; see [`holds_on_lasso`].
///
/// # Panics
///
/// When the cycle is empty.
pub fn values_on_lasso(
    fs: &Formulas,
    f: Formula,
    prefix: usize,
    cycle: usize,
    holds: impl Fn(AtomId, usize) -> bool,
) -> FxHashMap<Formula, Vec<bool>> {
    assert!(cycle > 0, "the cycle of a lasso has at least one position");
    let n = prefix + cycle;
    let next = |i: usize| if i + 1 < n { i + 1 } else { prefix };
    let mut values: FxHashMap<Formula, Vec<bool>> = FxHashMap::default();
    for g in fs.subformulas(f) {
        let value = |h: Formula, i: usize| values[&h][i];
        // Backwards twice, from the given start value: a fixed point around the cycle.
        let fixpoint = |start: bool, step: &dyn Fn(usize, bool) -> bool| {
            let mut bits = vec![start; n];
            for _ in 0..2 {
                for i in (0..n).rev() {
                    bits[i] = step(i, bits[next(i)]);
                }
            }
            debug_assert!(bits[n - 1] == step(n - 1, bits[prefix]), "settled around the cycle");
            bits
        };
        let each = |at: &dyn Fn(usize) -> bool| (0..n).map(at).collect::<Vec<bool>>();
        let bits = match fs.node(g) {
            Node::True => vec![true; n],
            Node::False => vec![false; n],
            Node::Atom(a) => each(&|i| holds(a, i)),
            Node::Not(a) => each(&|i| !value(a, i)),
            Node::And(l) => each(&|i| fs.list(l).iter().all(|&h| value(h, i))),
            Node::Or(l) => each(&|i| fs.list(l).iter().any(|&h| value(h, i))),
            Node::Implies(a, b) => each(&|i| !value(a, i) || value(b, i)),
            Node::Iff(a, b) => each(&|i| value(a, i) == value(b, i)),
            Node::Xor(a, b) => each(&|i| value(a, i) != value(b, i)),
            Node::X(a) => each(&|i| value(a, next(i))),
            Node::F(a) => fixpoint(false, &|i, later| value(a, i) || later),
            Node::G(a) => fixpoint(true, &|i, later| value(a, i) && later),
            Node::U(a, b) => fixpoint(false, &|i, later| value(b, i) || value(a, i) && later),
            Node::W(a, b) => fixpoint(true, &|i, later| value(b, i) || value(a, i) && later),
            Node::M(a, b) => fixpoint(false, &|i, later| value(b, i) && (value(a, i) || later)),
            Node::R(a, b) => fixpoint(true, &|i, later| value(b, i) && (value(a, i) || later)),
        };
        values.insert(g, bits);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The textbook definition by unrolling: every temporal operator looks at positions
    /// up to where the word repeats. Recursive, exponential, obviously right.
    fn naive(fs: &Formulas, f: Formula, word: &[Vec<bool>], prefix: usize, i: usize) -> bool {
        let n = word.len();
        let norm = |i: usize| if i < n { i } else { prefix + (i - prefix) % (n - prefix) };
        let i = norm(i);
        let at = |g: Formula, j: usize| naive(fs, g, word, prefix, j);
        let horizon = i..i + 2 * n + 1;
        match fs.node(f) {
            Node::True => true,
            Node::False => false,
            Node::Atom(a) => word[i][a.index()],
            Node::Not(g) => !at(g, i),
            Node::And(l) => fs.list(l).iter().all(|&g| at(g, i)),
            Node::Or(l) => fs.list(l).iter().any(|&g| at(g, i)),
            Node::Implies(a, b) => !at(a, i) || at(b, i),
            Node::Iff(a, b) => at(a, i) == at(b, i),
            Node::Xor(a, b) => at(a, i) != at(b, i),
            Node::X(a) => at(a, i + 1),
            Node::F(a) => horizon.clone().any(|j| at(a, j)),
            Node::G(a) => horizon.clone().all(|j| at(a, j)),
            Node::U(a, b) => horizon.clone().any(|j| at(b, j) && (i..j).all(|k| at(a, k))),
            Node::W(a, b) => {
                horizon.clone().all(|j| at(a, j))
                    || horizon.clone().any(|j| at(b, j) && (i..j).all(|k| at(a, k)))
            }
            Node::M(a, b) => horizon.clone().any(|j| at(a, j) && (i..=j).all(|k| at(b, k))),
            Node::R(a, b) => {
                horizon.clone().all(|j| at(b, j))
                    || horizon.clone().any(|j| at(a, j) && (i..=j).all(|k| at(b, k)))
            }
        }
    }

    /// All formulas with up to two temporal operators over a and b on all short lassos.
    #[test]
    fn agrees_with_the_definition() {
        let mut fs = Formulas::new();
        let (a, b) = (fs.prop("a"), fs.prop("b"));
        let na = fs.not(a);
        let mut level = vec![a, b, na];
        for _ in 0..2 {
            let base = if level.len() > 40 { level[..40].to_vec() } else { level.clone() };
            for &f in &base {
                for g in [fs.x(f), fs.f(f), fs.g(f), fs.not(f)] {
                    level.push(g);
                }
                for &h in &base[..base.len().min(4)] {
                    for g in [fs.u(f, h), fs.r(f, h), fs.w(h, f), fs.m(f, h), fs.iff(f, h)] {
                        level.push(g);
                    }
                    let all = [fs.xor(f, h), fs.implies(f, h), fs.and([f, h]), fs.or([f, h])];
                    level.extend(all);
                }
            }
            level.sort_unstable();
            level.dedup();
        }
        for (prefix, cycle) in [(0, 1), (0, 2), (1, 1), (1, 2), (0, 3), (2, 1)] {
            let n = prefix + cycle;
            for code in 0..1usize << (2 * n) {
                let word: Vec<Vec<bool>> = (0..n)
                    .map(|i| vec![code >> (2 * i) & 1 == 1, code >> (2 * i + 1) & 1 == 1])
                    .collect();
                for &f in &level {
                    assert_eq!(
                        holds_on_lasso(&fs, f, prefix, cycle, |p, i| word[i][p.index()]),
                        naive(&fs, f, &word, prefix, 0),
                        "{f:?} on {word:?} with prefix {prefix}"
                    );
                }
            }
        }
    }
}
