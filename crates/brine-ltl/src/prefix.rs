//! LTL on the beginning of a word: what is true whatever follows.
//!
//! Of a finite beginning only some truths are known. Each subformula has, at each position, one
//! of three values: true on every continuation, false on every continuation, or open. Behind the
//! beginning everything is open; operators combine known values as Kleene's strong logic does
//! (`false & open` is false, `true & open` is open), and temporal ones unfold once per position:
//! `a U b` is `b | (a & X(a U b))`.
//!
//! *Invariant:* a value that is not open is right on every continuation, since each rule is right
//! for both values of what is open. More letters never change a known value. The converse is not
//! promised: `X a | X !a` is open at the last position. So a beginning that is called bad
//! ([`violated_after`]) is bad; one that is not may be.
//!
//! Replay judges with this and no engine uses it; it shares no code with rewriting or
//! translation. Cost: O(|formula| * length), times the logarithm of the length to find the first
//! bad beginning.

use crate::formula::{AtomId, Formula, Formulas, Node};
use rustc_hash::FxHashMap;

/// Both are known.
fn not(a: Option<bool>) -> Option<bool> {
    a.map(|a| !a)
}

/// False if one is.
fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    not(and(not(a), not(b)))
}

/// Of many; unlike `try_fold`, an open value does not end it, since a false one may follow.
fn all(values: &mut dyn Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for value in values {
        all = and(all, value);
    }
    all
}

fn same(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    a.zip(b).map(|(a, b)| a == b)
}

/// The truth of every subformula of `f` at the first `n` positions of a word, as far as the
/// letters of these positions tell; `None` is open.
///
/// ```
/// use brine_ltl::{Formulas, values_on_prefix};
/// let mut fs = Formulas::new();
/// let a = fs.prop("a");
/// let (always, some_day) = (fs.g(a), fs.f(a));
/// let both = fs.and([always, some_day]);
/// let values = values_on_prefix(&fs, both, 2, |_, i| i == 0);
/// assert_eq!(values[&always], [Some(false), Some(false)]);
/// assert_eq!(values[&some_day], [Some(true), None]);
/// ```
pub fn values_on_prefix(
    fs: &Formulas,
    f: Formula,
    n: usize,
    holds: impl Fn(AtomId, usize) -> bool,
) -> FxHashMap<Formula, Vec<Option<bool>>> {
    let mut values: FxHashMap<Formula, Vec<Option<bool>>> = FxHashMap::default();
    for g in fs.subformulas(f) {
        let value = |h: Formula, i: usize| values[&h].get(i).copied().flatten();
        let each = |at: &dyn Fn(usize) -> Option<bool>| (0..n).map(at).collect::<Vec<_>>();
        let unfold = |step: &dyn Fn(usize, Option<bool>) -> Option<bool>| {
            let mut list = vec![None; n];
            let mut later = None;
            for i in (0..n).rev() {
                later = step(i, later);
                list[i] = later;
            }
            list
        };
        let list = match fs.node(g) {
            Node::True => vec![Some(true); n],
            Node::False => vec![Some(false); n],
            Node::Atom(a) => each(&|i| Some(holds(a, i))),
            Node::Not(a) => each(&|i| not(value(a, i))),
            Node::And(l) => each(&|i| all(&mut fs.list(l).iter().map(|&h| value(h, i)))),
            Node::Or(l) => each(&|i| not(all(&mut fs.list(l).iter().map(|&h| not(value(h, i)))))),
            Node::Implies(a, b) => each(&|i| or(not(value(a, i)), value(b, i))),
            Node::Iff(a, b) => each(&|i| same(value(a, i), value(b, i))),
            Node::Xor(a, b) => each(&|i| not(same(value(a, i), value(b, i)))),
            Node::X(a) => each(&|i| value(a, i + 1)),
            Node::F(a) => unfold(&|i, later| or(value(a, i), later)),
            Node::G(a) => unfold(&|i, later| and(value(a, i), later)),
            Node::U(a, b) | Node::W(a, b) => {
                unfold(&|i, later| or(value(b, i), and(value(a, i), later)))
            }
            Node::M(a, b) | Node::R(a, b) => {
                unfold(&|i, later| and(value(b, i), or(value(a, i), later)))
            }
        };
        values.insert(g, list);
    }
    values
}

/// The fewest steps after which a word with these letters violates `f` whatever follows, as far
/// as [`values_on_prefix`] tells: `Some(k)` if the letters at positions 0 to `k` suffice, `k < n`.
///
/// ```
/// use brine_ltl::{Formulas, violated_after};
/// let mut fs = Formulas::new();
/// let a = fs.prop("a");
/// let (always, some_day) = (fs.g(a), fs.f(a));
/// assert_eq!(violated_after(&fs, always, 9, |_, i| i < 4), Some(4));
/// assert_eq!(violated_after(&fs, some_day, 9, |_, _| false), None);
/// ```
pub fn violated_after(
    fs: &Formulas,
    f: Formula,
    n: usize,
    holds: impl Fn(AtomId, usize) -> bool,
) -> Option<usize> {
    let bad = |letters: usize| values_on_prefix(fs, f, letters, &holds)[&f][0] == Some(false);
    if n == 0 || !bad(n) {
        return None;
    }
    // So many letters suffice, and this many do not: known values stay known.
    let (mut enough, mut too_few) = (n, 0);
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        match bad(middle) {
            true => enough = middle,
            false => too_few = middle,
        }
    }
    debug_assert!(bad(enough) && (too_few == 0 || !bad(too_few)));
    Some(enough - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Symbols, holds_on_lasso, parse};

    /// On all words of length 4 over two atoms: what is known at the first position after k
    /// letters is so on every lasso that begins with them.
    #[test]
    fn what_is_known_holds_on_every_continuation() {
        let texts = [
            "G a",
            "F a",
            "a U b",
            "a R b",
            "a W b",
            "a M b",
            "X X a",
            "G(a -> F b)",
            "G(a -> X b)",
            "F(a & X !b)",
            "(G a) | (G b)",
            "a <-> X b",
            "!(F a ^ G b)",
            "G F a",
            "(X a) U (b & X b)",
            "G(a | X(b R a))",
        ];
        for text in texts {
            let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
            let f = parse(text, &mut fs, &mut symbols).unwrap();
            for word in 0..256u32 {
                let letter = |a: AtomId, i: usize| word >> (2 * i + a.index()) & 1 == 1;
                for k in 1..=2 {
                    let known = values_on_prefix(&fs, f, k, letter)[&f][0];
                    let Some(known) = known else { continue };
                    for loop_from in 0..4 {
                        let truth = holds_on_lasso(&fs, f, loop_from, 4 - loop_from, letter);
                        assert_eq!(truth, known, "{text} on {word:b} after {k}, loop {loop_from}");
                    }
                }
            }
        }
    }

    /// Safety formulas are seen to be violated at the letter that does it.
    #[test]
    fn the_first_bad_letter_is_found() {
        let first = |text: &str, n: usize, truth: fn(usize, usize) -> bool| {
            let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
            let f = parse(text, &mut fs, &mut symbols).unwrap();
            violated_after(&fs, f, n, |a, i| truth(a.index(), i))
        };
        assert_eq!(first("G a", 10, |_, i| i != 7), Some(7));
        assert_eq!(first("X X a", 10, |_, _| false), Some(2));
        assert_eq!(first("(G a) | (G b)", 10, |a, i| i != 3 + 2 * a), Some(5));
        assert_eq!(first("a", 10, |_, _| false), Some(0));
        assert_eq!(first("G F a", 10, |_, _| false), None);
        assert_eq!(first("a W b", 10, |a, i| a == 0 && i < 2), Some(2));
        assert_eq!(first("G a", 0, |_, _| false), None);
    }
}
