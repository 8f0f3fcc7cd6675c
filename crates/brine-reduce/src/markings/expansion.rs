//! Counting the solutions of the equations.
//!
//! The number of solutions below a node depends on its tokens only ([`super::kernel`]): a place alone
//! has one; parts are convolved; a copy of a node (a sum of one term) multiplies what the node
//! is worth; sums of several terms have one solution. So the markings of the original net are
//! the sum over the markings of the reduced net of the product of what its places are worth,
//! times the constant [`Expansion::factor`] of what is fixed.
//!
//! *Edges.* The markings in which a transition is enabled are counted the same way: below a
//! place that must hold w tokens, numbers are shifted by w. A condition on a copy becomes one on
//! its node. Only what lies above a condition is computed anew. A condition on a sum of several
//! terms, S >= w, is counted as all markings less those with S < w, of which there are few kinds:
//! numbers of tokens for each term that stay below w ([`super::shortage`]). If there are too many,
//! or if a term is one of several parts, the edges cannot be told.
//!
//! *Most tokens.* A linear function of the original places is maximised over the solutions by
//! following the equations up: a sum hands its factor on to its terms, of parts the one with the
//! largest factor gets all tokens. What results is a linear function of the reduced net's places.
//! It is right since every way to distribute tokens is a solution, independently.
//!
//! *Cost*: linear in the equations times the domains, but for convolutions of tables.

use super::MarkingReduction;
use super::counter::Counter;
use super::equations::{Equation, Node};
pub use super::kernel::Table;
use brine_net::PlaceId;
use brine_run::{Control, Pace, Stop};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What the markings of a reduced net stand for.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Every marking stands for so many, times the weights of its places.
    pub factor: BigUint,
    /// Per place, by tokens; `None` if all are 1.
    pub weights: Vec<Option<Table>>,
    /// When original transitions are enabled; `None` if that cannot be told.
    pub guards: Option<Vec<ExpandedGuard>>,
    /// All tokens of a marking, at most.
    pub all_tokens: Linear,
    /// The tokens of each place at most; equal functions once.
    pub tokens_of_places: Vec<Linear>,
}

/// In how many of the markings that a reduced one stands for a transition is enabled: `times`
/// the values of the tables, and the weights of all places that have no table here. Several
/// may belong to one transition; then some count what others count too much.
#[derive(Clone, Debug)]
pub struct ExpandedGuard {
    /// Whether it counts what others count too much.
    pub is_excess: bool,
    /// The constant factor, instead of [`Expansion::factor`].
    pub times: BigUint,
    /// Places whose table replaces the weight.
    pub tables: Vec<(PlaceId, Table)>,
}

/// A linear function of the reduced net's places.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Linear {
    /// What is always there.
    pub offset: i128,
    /// Factors, none of them 0.
    pub terms: Vec<(PlaceId, u64)>,
}

impl MarkingReduction {
    /// What the markings of the reduced net stand for, if its places never hold more than
    /// `maxima`.
    pub fn expand(&self, maxima: &[u32], control: &Control) -> Result<Expansion, Stop> {
        let mut pace = control.pace();
        let counter = Counter::new(&self.equations, &self.roots, maxima, &mut pace)?;
        let weights = counter.weights(&mut pace)?;
        Ok(Expansion {
            guards: counter.guards(&self.guards, &weights, &mut pace)?,
            factor: counter.factor.clone(),
            weights,
            all_tokens: self.all_tokens()?,
            tokens_of_places: self.tokens_of_places(&counter.settled, &mut pace)?,
        })
    }

    /// The most tokens of a marking: all original places have the factor 1.
    fn all_tokens(&self) -> Result<Linear, Stop> {
        let mut factors: Vec<i128> = vec![0; self.equations.nodes];
        factors[..self.equations.places].fill(1);
        let mut offset = 0;
        for equation in &self.equations.list {
            let raised = climb(equation, |n| factors[n.index()], &mut offset)?;
            raised.into_iter().for_each(|(n, more)| factors[n.index()] += more);
        }
        let factor = |(i, root): (usize, &Node)| {
            let factor = u64::try_from(factors[root.index()]).map_err(|_| Stop::Overflow)?;
            Ok((PlaceId(i as u32), factor))
        };
        let terms: Result<Vec<_>, Stop> = self.roots.iter().enumerate().map(factor).collect();
        Ok(Linear { offset, terms: terms?.into_iter().filter(|t| t.1 > 0).collect() })
    }

    /// The most tokens of each original place; `settled` is the equation that says what is
    /// above a node.
    fn tokens_of_places(
        &self,
        settled: &[usize],
        pace: &mut Pace<'_>,
    ) -> Result<Vec<Linear>, Stop> {
        let place: FxHashMap<Node, PlaceId> =
            self.roots.iter().enumerate().map(|(i, &root)| (root, PlaceId(i as u32))).collect();
        let mut seen = FxHashSet::default();
        let mut list = Vec::new();
        for p in 0..self.equations.places {
            let mut offset = 0;
            let mut terms: Vec<(PlaceId, u64)> = Vec::new();
            // Factors of nodes by the equation that settles them: those below come first.
            let mut open = BTreeMap::from([(settled[p], vec![(Node(p as u32), 1_i128)])]);
            while let Some((at, factors)) = open.pop_first() {
                pace.steps(factors.len())?;
                let of = |n: Node| factors.iter().filter(|f| f.0 == n).map(|f| f.1).sum();
                let Some(equation) = self.equations.list.get(at) else {
                    let mut roots: Vec<Node> = factors.iter().map(|f| f.0).collect();
                    roots.sort_unstable();
                    roots.dedup();
                    for root in roots {
                        let factor = u64::try_from(of(root)).map_err(|_| Stop::Overflow)?;
                        terms.push((place[&root], factor));
                    }
                    break;
                };
                for (node, more) in climb(equation, of, &mut offset)? {
                    open.entry(settled[node.index()]).or_default().push((node, more));
                }
            }
            terms.sort_unstable();
            let linear = Linear { offset, terms };
            if seen.insert(linear.clone()) {
                list.push(linear);
            }
        }
        Ok(list)
    }
}

/// What an equation adds to the factors of the nodes above it and to the constant, given the
/// factors of those below.
fn climb(
    equation: &Equation,
    factor: impl Fn(Node) -> i128,
    offset: &mut i128,
) -> Result<Vec<(Node, i128)>, Stop> {
    let times = |a: i128, b: i128| a.checked_mul(b).ok_or(Stop::Overflow);
    let mut constant = |more: i128| -> Result<(), Stop> {
        *offset = offset.checked_add(more).ok_or(Stop::Overflow)?;
        Ok(())
    };
    match equation {
        Equation::Fixed { node, tokens } => {
            constant(times(factor(*node), i128::from(*tokens))?)?;
            Ok(Vec::new())
        }
        Equation::Sum { node, terms, offset } => {
            constant(times(factor(*node), i128::from(*offset))?)?;
            let term = |&(q, k): &(Node, u32)| Ok((q, times(factor(*node), i128::from(k))?));
            terms.iter().map(term).collect()
        }
        Equation::Parts { whole, parts } => {
            let most = parts.iter().map(|&p| factor(p)).max().unwrap_or(0);
            Ok(vec![(*whole, most)])
        }
    }
}
