//! Stutter-invariance, exactly.
//!
//! A language is stutter-invariant when repeating letters, or dropping repetitions, never
//! leads in or out of it. If it is not, some word of the language and some word of its
//! complement are equal up to repetitions, and both can be stretched to a common word (as
//! in Michaud and Duret-Lutz, SPIN 2015, with both sides allowed to stutter). So: run
//! the automaton and that of the negation together over one word, where each of them
//! may stay where it is while the letter is the one it read last. The language is
//! stutter-invariant exactly when no such pair of runs is accepting, where staying for
//! ever does not count.
//!
//! Letters are handled as sets: a node is (state, state, set of letters the last letter
//! may be); staying only narrows the set. Cost: product of the sizes times the label
//! conjunctions that occur.

use crate::components::Components;
use crate::error::Error;
use crate::letters::{Lab, Letters};
use crate::options::Options;
use crate::tgba::{Arc, Tgba, full};
use brine_net::Interner;

/// A node: both states and the possible last letters (empty set: nothing read yet).
type StutterPair = (u32, u32, Lab);

/// Is the language of `yes` stutter-invariant? `no` accepts the complement.
pub(crate) fn stutter_invariant(
    yes: &Tgba,
    no: &Tgba,
    letters: &mut Letters,
    options: &Options<'_>,
) -> Result<bool, Error> {
    // One more mark per side: it moved.
    let moved = [1u64 << yes.marks, 1u64 << no.marks];
    let mut nodes: Interner<StutterPair> = Interner::new();
    nodes.intern((yes.initial, no.initial, Lab::FALSE));
    let mut succ: Vec<Vec<(u32, u64, u64)>> = Vec::new();
    while succ.len() < nodes.len() {
        if succ.len().is_multiple_of(256) {
            options.check(0)?;
        }
        let mut arcs = Vec::new();
        let (p, q, last) = nodes[succ.len()];
        let mut add = |node: StutterPair, x: u64, y: u64| arcs.push((nodes.intern(node), x, y));
        let (ours, theirs): (&[Arc], &[Arc]) = (&yes.out[p as usize], &no.out[q as usize]);
        for e in ours {
            for f in theirs {
                let both = letters.and(e.label, f.label);
                if both != Lab::FALSE {
                    let (x, y) = (e.marks | moved[0], f.marks | moved[1]);
                    add((e.dst, f.dst, both), x, y);
                }
            }
        }
        for e in ours {
            let same = letters.and(last, e.label);
            if same != Lab::FALSE {
                add((e.dst, q, same), e.marks | moved[0], 0);
            }
        }
        for f in theirs {
            let same = letters.and(last, f.label);
            if same != Lab::FALSE {
                add((p, f.dst, same), 0, f.marks | moved[1]);
            }
        }
        succ.push(arcs);
    }
    let c = Components::new(nodes.len(), |v, i| succ[v].get(i).map(|x| x.0));
    let arcs = || succ.iter().enumerate().flat_map(|(v, arcs)| arcs.iter().map(move |x| (v, x)));
    let ours = c.inner_marks(arcs().map(|(v, x)| (v, x.0, x.1)));
    let theirs = c.inner_marks(arcs().map(|(v, x)| (v, x.0, x.2)));
    let (all_ours, all_theirs) = (Some(full(yes.marks + 1)), Some(full(no.marks + 1)));
    Ok(!ours.into_iter().zip(theirs).any(|both| both == (all_ours, all_theirs)))
}
