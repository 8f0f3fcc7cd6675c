//! Direct simulation, forwards and backwards.
//!
//! State r simulates q when every arc of q is answered by arcs of r: for each letter some
//! arc of r with at least the same marks, leading to a state that simulates the target.
//! The largest such relation is computed by deletion from the full one. States that
//! simulate each other become one, and an arc loses the letters for which a better arc
//! (more marks, better target) leaves the same state. The reverse relation is the same
//! thing on reversed arcs, where an initial state is only simulated by an initial state.
//! Both keep the language: runs are answered step by step with at least their marks.
//!
//! Labels are sets of letters, so "for each letter" is one difference of BDDs per pair of
//! arcs. Cost: O(n^2 d^2) label operations per round, n states with d arcs each.

use crate::error::Error;
use crate::letters::{Lab, Letters};
use crate::options::Options;
use crate::tgba::{Arc, Tgba, merge};
use fixedbitset::FixedBitSet;

/// For each state the states that simulate it.
type SimulationRelation = Vec<FixedBitSet>;

/// The largest direct simulation on `out` inside `start`.
fn largest(
    out: &[Vec<Arc>],
    mut relation: SimulationRelation,
    letters: &mut Letters,
    options: &Options<'_>,
) -> Result<SimulationRelation, Error> {
    let n = out.len();
    let mut changed = FixedBitSet::with_capacity(n);
    changed.insert_range(..);
    // A state must be looked at again when the relation of one of its targets shrank.
    loop {
        let mut next = FixedBitSet::with_capacity(n);
        for q in 0..n {
            let stale = out[q].iter().any(|e| changed.contains(e.dst as usize));
            if !stale {
                continue;
            }
            options.check(0)?;
            for r in 0..n {
                if r != q
                    && relation[q].contains(r)
                    && !answers(&out[q], &out[r], &relation, letters)
                {
                    relation[q].remove(r);
                    next.insert(q);
                }
            }
        }
        if next.is_clear() {
            debug_assert!((0..n).all(|q| relation[q].contains(q)), "simulation is reflexive");
            return Ok(relation);
        }
        changed = next;
    }
}

/// Are all arcs in `ours` answered by arcs in `theirs`?
fn answers(
    ours: &[Arc],
    theirs: &[Arc],
    relation: &SimulationRelation,
    letters: &mut Letters,
) -> bool {
    ours.iter().all(|e| {
        let mut open = e.label;
        for f in theirs {
            if e.marks & !f.marks == 0 && relation[e.dst as usize].contains(f.dst as usize) {
                open = letters.minus(open, f.label);
                if open == Lab::FALSE {
                    return true;
                }
            }
        }
        false
    })
}

/// Quotient by mutual simulation and removal of arcs that a better arc makes superfluous.
/// Returns the new arcs and the class of each state.
fn quotient(
    out: &[Vec<Arc>],
    relation: &SimulationRelation,
    letters: &mut Letters,
) -> (Vec<Vec<Arc>>, Vec<u32>) {
    let n = out.len();
    let mut class = vec![u32::MAX; n];
    let mut leaders: Vec<usize> = Vec::new();
    for q in 0..n {
        let leader =
            leaders.iter().position(|&l| relation[q].contains(l) && relation[l].contains(q));
        match leader {
            Some(c) => class[q] = c as u32,
            None => {
                class[q] = leaders.len() as u32;
                leaders.push(q);
            }
        }
    }
    let new = leaders
        .iter()
        .map(|&l| {
            let mut arcs: Vec<Arc> =
                out[l].iter().map(|e| Arc { dst: class[e.dst as usize], ..*e }).collect();
            merge(&mut arcs, letters);
            without_worse(&arcs, &leaders, relation, letters)
        })
        .collect();
    (new, class)
}

fn without_worse(
    arcs: &[Arc],
    leaders: &[usize],
    relation: &SimulationRelation,
    letters: &mut Letters,
) -> Vec<Arc> {
    let mut kept = Vec::with_capacity(arcs.len());
    for (i, e) in arcs.iter().enumerate() {
        let mut label = e.label;
        for (j, f) in arcs.iter().enumerate() {
            let better = e.marks & !f.marks == 0
                && relation[leaders[e.dst as usize]].contains(leaders[f.dst as usize]);
            if i != j && better {
                label = letters.minus(label, f.label);
            }
        }
        if label != Lab::FALSE {
            kept.push(Arc { label, ..*e });
        }
    }
    kept
}

/// The relation in which `compatible(q, r)` allows r to simulate q.
fn start(n: usize, compatible: impl Fn(usize, usize) -> bool) -> SimulationRelation {
    (0..n)
        .map(|q| (0..n).filter(|&r| q == r || compatible(q, r)).collect::<FixedBitSet>())
        .map(|mut set: FixedBitSet| {
            set.grow(n);
            set
        })
        .collect()
}

/// Is this state accepting, in the sense of state-based acceptance?
fn is_accepting(a: &Tgba, q: usize) -> bool {
    a.out[q].first().is_some_and(|e| e.marks == a.all_marks())
}

/// Reduces by forward simulation.
pub(crate) fn reduce_forward(
    a: &mut Tgba,
    letters: &mut Letters,
    options: &Options<'_>,
) -> Result<(), Error> {
    let relation = largest(&a.out, start(a.len(), |_, _| true), letters, options)?;
    let (out, class) = quotient(&a.out, &relation, letters);
    a.out = out;
    a.initial = class[a.initial as usize];
    Ok(())
}

/// Reduces by reverse simulation. With `state_based`, states of different acceptance are
/// kept apart.
pub(crate) fn reduce_backward(
    a: &mut Tgba,
    state_based: bool,
    letters: &mut Letters,
    options: &Options<'_>,
) -> Result<(), Error> {
    let n = a.len();
    let initial = a.initial as usize;
    let relation = start(n, |q, r| {
        (q != initial || r == initial) && (!state_based || is_accepting(a, q) == is_accepting(a, r))
    });
    let reversed = reverse(&a.out);
    let relation = largest(&reversed, relation, letters, options)?;
    let (back, class) = quotient(&reversed, &relation, letters);
    a.out = reverse(&back);
    a.initial = class[initial];
    Ok(())
}

fn reverse(out: &[Vec<Arc>]) -> Vec<Vec<Arc>> {
    let mut back = vec![Vec::new(); out.len()];
    for (q, arcs) in out.iter().enumerate() {
        for e in arcs {
            back[e.dst as usize].push(Arc { dst: q as u32, ..*e });
        }
    }
    back
}
