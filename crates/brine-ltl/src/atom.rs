//! Atoms: what a formula says about one position of a run: about its marking, or about the step
//! that follows ([`Atom::Fires`]).
//!
//! Comparisons are linear and normalised to `sum coefficient * place <= bound`: places
//! sorted, no zero coefficients, coefficients without a common divisor, the first one
//! positive. A comparison that comes out the other way round is the negation of a
//! normalised one (over integers, `-s <= -b` is `!(s <= b - 1)`), so that `p >= 1` and
//! `p <= 0` share one atom. What cannot depend on the marking, because token counts are
//! never negative, becomes a constant.

use crate::formula::{Formula, Formulas};
use brine_net::{Net, PlaceId, TransitionId};

/// An atomic proposition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// A linear comparison over token counts.
    Linear(Linear),
    /// At least one of these transitions (sorted, not empty) is enabled.
    Fireable(Vec<TransitionId>),
    /// No transition is enabled.
    Deadlock,
    /// A proposition known by name only, for formulas without a net.
    Prop(String),
    /// The next step fires one of these transitions (sorted, not empty). About a position of a
    /// run, not about its marking: false for ever once the run has ended in a deadlock.
    Fires(Vec<TransitionId>),
}

/// The normalised comparison `sum coefficient * place <= bound`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Linear {
    /// Sorted by place; no zeros; the first coefficient is positive.
    pub terms: Vec<(PlaceId, i64)>,
    /// The right-hand side.
    pub bound: i64,
}

/// How two linear expressions are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `<=`
    Le,
    /// `<`
    Lt,
    /// `>=`
    Ge,
    /// `>`
    Gt,
    /// `=`
    Eq,
    /// `!=`
    Ne,
}

/// A linear expression `constant + sum coefficient * place`, not normalised.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expression {
    /// Coefficients and places, in any order, repetitions add up.
    pub terms: Vec<(PlaceId, i64)>,
    /// The constant part.
    pub constant: i64,
}

/// A coefficient or constant does not fit into 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow;

impl Expression {
    /// The sum of places, each with coefficient one.
    pub fn places(places: &[PlaceId]) -> Self {
        Expression { terms: places.iter().map(|&p| (p, 1)).collect(), constant: 0 }
    }

    /// A constant.
    pub fn constant(constant: i64) -> Self {
        Expression { terms: Vec::new(), constant }
    }

    /// `self + other`
    pub fn plus(mut self, mut other: Expression) -> Result<Self, Overflow> {
        if self.terms.len() < other.terms.len() {
            std::mem::swap(&mut self, &mut other);
        }
        self.constant = self.constant.checked_add(other.constant).ok_or(Overflow)?;
        self.terms.append(&mut other.terms);
        Ok(self)
    }

    /// `self + factor * other`
    pub fn add_scaled(mut self, other: &Expression, factor: i64) -> Result<Self, Overflow> {
        let scaled = other.constant.checked_mul(factor).ok_or(Overflow)?;
        self.constant = self.constant.checked_add(scaled).ok_or(Overflow)?;
        for &(p, c) in &other.terms {
            self.terms.push((p, c.checked_mul(factor).ok_or(Overflow)?));
        }
        Ok(self)
    }

    /// The product, when at least one side is a constant; `None` otherwise.
    pub fn multiply(&self, other: &Expression) -> Option<Result<Self, Overflow>> {
        if self.terms.is_empty() {
            Some(Expression::default().add_scaled(other, self.constant))
        } else if other.terms.is_empty() {
            Some(Expression::default().add_scaled(self, other.constant))
        } else {
            None
        }
    }
}

/// Adds up repeated places, sorts, drops zeros.
fn collect_terms(mut terms: Vec<(PlaceId, i64)>) -> Result<Vec<(PlaceId, i64)>, Overflow> {
    terms.sort_unstable_by_key(|&(p, _)| p);
    let mut merged: Vec<(PlaceId, i64)> = Vec::with_capacity(terms.len());
    for (p, c) in terms {
        match merged.last_mut() {
            Some((last, sum)) if *last == p => *sum = sum.checked_add(c).ok_or(Overflow)?,
            _ => merged.push((p, c)),
        }
    }
    merged.retain(|&(_, c)| c != 0);
    Ok(merged)
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Formulas {
    /// The formula `left cmp right`: a literal, a constant, or for (in)equality two literals.
    ///
    /// ```
    /// use brine_ltl::{Comparison, Expression, Formulas};
    /// use brine_net::PlaceId;
    /// let mut fs = Formulas::new();
    /// let p = Expression::places(&[PlaceId(0)]);
    /// let (zero, one) = (Expression::constant(0), Expression::constant(1));
    /// let marked = fs.compare(p.clone(), Comparison::Ge, one).unwrap();
    /// let empty = fs.compare(p, Comparison::Le, zero).unwrap();
    /// assert_eq!(marked, fs.not(empty));
    /// ```
    pub fn compare(
        &mut self,
        left: Expression,
        cmp: Comparison,
        right: Expression,
    ) -> Result<Formula, Overflow> {
        match cmp {
            Comparison::Le => self.at_most(left, right, 0),
            Comparison::Lt => self.at_most(left, right, 1),
            Comparison::Ge => self.at_most(right, left, 0),
            Comparison::Gt => self.at_most(right, left, 1),
            Comparison::Eq => {
                let le = self.at_most(left.clone(), right.clone(), 0)?;
                let ge = self.at_most(right, left, 0)?;
                Ok(self.and([le, ge]))
            }
            Comparison::Ne => {
                let lt = self.at_most(left.clone(), right.clone(), 1)?;
                let gt = self.at_most(right, left, 1)?;
                Ok(self.or([lt, gt]))
            }
        }
    }

    /// `left + slack <= right` as a literal or constant.
    fn at_most(
        &mut self,
        left: Expression,
        right: Expression,
        slack: i64,
    ) -> Result<Formula, Overflow> {
        let all = left.add_scaled(&right, -1)?;
        let mut terms = collect_terms(all.terms)?;
        let mut bound =
            all.constant.checked_add(slack).and_then(i64::checked_neg).ok_or(Overflow)?;
        let Some(&(_, first)) = terms.first() else {
            return Ok(self.constant(0 <= bound));
        };
        // sum <= bound, with a negative first coefficient: !(-sum <= -bound - 1).
        let negated = first < 0;
        if negated {
            for (_, c) in &mut terms {
                *c = c.checked_neg().ok_or(Overflow)?;
            }
            bound = bound.checked_neg().and_then(|b| b.checked_sub(1)).ok_or(Overflow)?;
        }
        let divisor = terms.iter().fold(0, |d, &(_, c)| gcd(d, c.unsigned_abs()));
        if let Ok(divisor) = i64::try_from(divisor) {
            terms.iter_mut().for_each(|(_, c)| *c /= divisor);
            bound = bound.div_euclid(divisor);
        }
        let literal = if terms.iter().all(|&(_, c)| c > 0) && bound < 0 {
            Formula::FALSE
        } else {
            debug_assert!(terms.is_sorted_by(|a, b| a.0 < b.0), "sorted, each place once");
            debug_assert!(terms[0].1 > 0 && terms.iter().all(|t| t.1 != 0), "normalised");
            let a = self.intern_atom(Atom::Linear(Linear { terms, bound }));
            self.atom_formula(a)
        };
        Ok(if negated { self.not(literal) } else { literal })
    }

    /// "At least one of these transitions is enabled"; `false` for none.
    pub fn fireable(&mut self, mut transitions: Vec<TransitionId>) -> Formula {
        transitions.sort_unstable();
        transitions.dedup();
        if transitions.is_empty() {
            return Formula::FALSE;
        }
        let a = self.intern_atom(Atom::Fireable(transitions));
        self.atom_formula(a)
    }

    /// "The next step fires one of these transitions"; `false` for none.
    pub fn fires(&mut self, mut transitions: Vec<TransitionId>) -> Formula {
        transitions.sort_unstable();
        transitions.dedup();
        if transitions.is_empty() {
            return Formula::FALSE;
        }
        let a = self.intern_atom(Atom::Fires(transitions));
        self.atom_formula(a)
    }

    /// "No transition is enabled."
    pub fn deadlock(&mut self) -> Formula {
        let a = self.intern_atom(Atom::Deadlock);
        self.atom_formula(a)
    }
}

impl Atom {
    /// Whether the atom is about the next step, and not about the marking.
    pub fn is_event(&self) -> bool {
        matches!(self, Atom::Fires(_))
    }

    /// What engines do with an event if they read markings only. Questions about events come in a
    /// type of their own, which such engines do not take, so this is never called.
    ///
    /// # Panics
    ///
    /// Always: an answer would be wrong.
    pub fn refuse_event() -> ! {
        unreachable!("this engine reads markings and no events")
    }

    /// Does the atom hold in `marking`? `None` for named propositions, about which a net
    /// says nothing, and for events, about which a marking says nothing.
    ///
    /// ```
    /// use brine_ltl::Atom;
    /// use brine_net::{NetBuilder, TransitionId};
    /// let mut b = NetBuilder::new("n");
    /// let p = b.place("p", 1);
    /// b.transition("t", &[(p, 1)], &[]);
    /// let net = b.build().unwrap();
    /// assert_eq!(Atom::Fireable(vec![TransitionId(0)]).eval(&net, &[1]), Some(true));
    /// assert_eq!(Atom::Deadlock.eval(&net, &[0]), Some(true));
    /// ```
    pub fn eval(&self, net: &Net, marking: &[u32]) -> Option<bool> {
        let enabled =
            |t: TransitionId| net.transition(t).pre.iter().all(|&(p, w)| marking[p.index()] >= w);
        match self {
            Atom::Linear(linear) => Some(linear.eval(marking)),
            Atom::Fireable(transitions) => Some(transitions.iter().any(|&t| enabled(t))),
            Atom::Deadlock => Some(!net.transition_ids().any(enabled)),
            Atom::Prop(_) | Atom::Fires(_) => None,
        }
    }
}

impl Linear {
    /// Does the comparison hold in `marking`?
    pub fn eval(&self, marking: &[u32]) -> bool {
        let sum: i128 =
            self.terms.iter().map(|&(p, c)| i128::from(c) * i128::from(marking[p.index()])).sum();
        sum <= i128::from(self.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Node;

    /// Every comparison of small expressions over two places against plain arithmetic.
    #[test]
    fn comparisons_mean_what_they_say() {
        let all = [
            Comparison::Le,
            Comparison::Lt,
            Comparison::Ge,
            Comparison::Gt,
            Comparison::Eq,
            Comparison::Ne,
        ];
        let mut fs = Formulas::new();
        for a in -3..=3i64 {
            for b in -3..=3i64 {
                for c in -3..=3i64 {
                    for cmp in all {
                        check_comparison(&mut fs, [a, b, c], cmp);
                    }
                }
            }
        }
    }

    fn check_comparison(fs: &mut Formulas, [a, b, c]: [i64; 3], cmp: Comparison) {
        let left = Expression { terms: vec![(PlaceId(1), b), (PlaceId(0), a)], constant: 1 };
        let right = Expression { terms: vec![(PlaceId(0), 1)], constant: c };
        let f = fs.compare(left, cmp, right).unwrap();
        for p in 0..4u32 {
            for q in 0..4u32 {
                let (l, r) = (a * i64::from(p) + b * i64::from(q) + 1, i64::from(p) + c);
                let expected = match cmp {
                    Comparison::Le => l <= r,
                    Comparison::Lt => l < r,
                    Comparison::Ge => l >= r,
                    Comparison::Gt => l > r,
                    Comparison::Eq => l == r,
                    Comparison::Ne => l != r,
                };
                assert_eq!(eval(fs, f, &[p, q]), expected, "{a}p+{b}q+1 {cmp:?} p+{c}");
            }
        }
    }

    fn eval(fs: &Formulas, f: Formula, marking: &[u32]) -> bool {
        match fs.node(f) {
            Node::True => true,
            Node::False => false,
            Node::Not(g) => !eval(fs, g, marking),
            Node::And(l) => fs.list(l).iter().all(|&g| eval(fs, g, marking)),
            Node::Or(l) => fs.list(l).iter().any(|&g| eval(fs, g, marking)),
            Node::Atom(a) => match fs.atom(a) {
                Atom::Linear(linear) => linear.eval(marking),
                other => panic!("not a comparison: {other:?}"),
            },
            other => panic!("not a literal: {other:?}"),
        }
    }

    #[test]
    fn extremes_are_errors_or_right() {
        let mut fs = Formulas::new();
        let p = Expression { terms: vec![(PlaceId(0), i64::MAX)], constant: 0 };
        let q = Expression { terms: vec![(PlaceId(0), i64::MIN)], constant: 0 };
        assert_eq!(fs.compare(p.clone(), Comparison::Le, q), Err(Overflow));
        let f = fs.compare(p, Comparison::Le, Expression::constant(i64::MAX)).unwrap();
        assert!(eval(&fs, f, &[1]));
        assert!(!eval(&fs, f, &[2]));
    }
}
