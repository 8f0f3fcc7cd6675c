//! Acceptance clean-up, component by component.
//!
//! Marks matter only on arcs inside accepting components; everywhere else they are taken
//! off. Inside, a mark is superfluous when every cycle that satisfies the others has it
//! anyway: for two marks m and n, when no cycle has n but not m. What a component needs
//! is renumbered from 0, so that the automaton needs as many marks as its most demanding
//! component; components that need fewer carry the rest on all arcs.
//!
//! The language does not change. Cost: O(marks^2 * arcs) per component.

use crate::components::Components;
use crate::tgba::{Arc, Tgba, full};

/// The arcs inside component `c`, as (source, arc).
fn inner<'a>(
    a: &'a Tgba,
    comps: &'a Components,
    states: &'a [usize],
) -> impl Iterator<Item = (usize, Arc)> + 'a {
    states.iter().flat_map(move |&q| {
        a.out[q].iter().filter(move |e| comps.inside(q, e.dst)).map(move |&e| (q, e))
    })
}

/// Is there a cycle inside the component that avoids all arcs with a mark in `avoid` and
/// uses an arc for which `uses` holds?
pub(crate) fn has_cycle(
    a: &Tgba,
    comps: &Components,
    states: &[usize],
    avoid: u64,
    uses: impl Fn(&Arc) -> bool,
) -> bool {
    let mut local = rustc_hash::FxHashMap::default();
    for (i, &q) in states.iter().enumerate() {
        local.insert(q as u32, i as u32);
    }
    let mut succ = vec![Vec::new(); states.len()];
    for (q, e) in inner(a, comps, states).filter(|(_, e)| e.marks & avoid == 0) {
        succ[local[&(q as u32)] as usize].push((local[&e.dst], uses(&e)));
    }
    let c = Components::new(states.len(), |q, i| succ[q].get(i).map(|s: &(u32, bool)| s.0));
    succ.iter().enumerate().any(|(q, succ)| succ.iter().any(|&(r, used)| used && c.inside(q, r)))
}

/// The marks that an accepting component really needs, as a list.
fn needed(a: &Tgba, comps: &Components, states: &[usize]) -> Vec<u32> {
    let mut keep: Vec<u32> = Vec::new();
    for m in 0..a.marks {
        // A mark on every cycle is no demand at all.
        if has_cycle(a, comps, states, 1 << m, |_| true) {
            keep.push(m);
        }
    }
    let mut i = 0;
    while i < keep.len() {
        let m = keep[i];
        let implied = keep
            .iter()
            .any(|&n| n != m && !has_cycle(a, comps, states, 1 << m, |e| e.marks >> n & 1 == 1));
        if implied {
            keep.remove(i);
        } else {
            i += 1;
        }
    }
    keep
}

/// Takes off, joins and renumbers marks.
pub(crate) fn clean_acceptance(a: &mut Tgba) {
    let comps = a.components();
    let accepting = a.accepting(&comps);
    let members = comps.members();
    let mut cyclic_rejecting = false;
    let mut wanted: Vec<Option<Vec<u32>>> = vec![None; comps.count()];
    let inner_marks = comps.inner_marks(a.arcs());
    for c in 0..comps.count() {
        if accepting[c] {
            wanted[c] = Some(needed(a, &comps, &members[c]));
        } else {
            cyclic_rejecting |= inner_marks[c].is_some();
        }
    }
    let most = wanted.iter().flatten().map(Vec::len).max().unwrap_or(0);
    let marks = if cyclic_rejecting { most.max(1) } else { most } as u32;
    for (q, arcs) in a.out.iter_mut().enumerate() {
        let c = comps.of(q);
        for e in arcs {
            e.marks = match &wanted[c.index()] {
                Some(keep) if comps.of(e.dst as usize) == c => {
                    let spare = full(marks) & !full(keep.len() as u32);
                    keep.iter()
                        .enumerate()
                        .fold(spare, |set, (i, &m)| set | (e.marks >> m & 1) << i)
                }
                _ => 0,
            };
        }
    }
    a.marks = marks;
    debug_assert!(a.accepting(&comps) == accepting, "the language does not change");
}

/// Puts all marks on the arcs that lead from one component to another, where marks do not
/// matter.
pub(crate) fn fill_transient(a: &mut Tgba) {
    let (comps, all) = (a.components(), a.all_marks());
    for (q, arcs) in a.out.iter_mut().enumerate() {
        for e in arcs.iter_mut().filter(|e| !comps.inside(q, e.dst)) {
            e.marks = all;
        }
    }
}

/// Makes the states on no cycle accepting, or not; it does not matter to the language.
/// For state-based acceptance with one mark.
pub(crate) fn set_transient_states(a: &mut Tgba, accepting: bool) {
    let comps = a.components();
    for (q, arcs) in a.out.iter_mut().enumerate() {
        // Alone in its component and without a loop: all arcs leave the component.
        if arcs.iter().all(|e| !comps.inside(q, e.dst)) {
            arcs.iter_mut().for_each(|e| e.marks = u64::from(accepting));
        }
    }
}
