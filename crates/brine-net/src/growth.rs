//! Noticing that a net is unbounded: a strictly growing repetition.
//!
//! If some run passes a marking M and later a marking M' that has at least as many
//! tokens everywhere and more somewhere, then what led from M to M' can be repeated for
//! ever, and the net is unbounded (Karp and Miller). We look for such a pair on
//! deterministic pseudo-random walks, comparing each marking with a few earlier ones of
//! its walk. Finding nothing proves nothing.

use crate::net::{Net, TransitionId};
use crate::rng::Rng;
use crate::run::{Run, dominates};
use brine_run::{Control, Pace, Stop};

/// Walks and their length: milliseconds on most nets. More never found more so far.
const WALKS: u64 = 8;
const LENGTH: usize = 1000;
/// Elementary steps after which the search gives up.
const WORK: u64 = 10_000_000;

/// Looks for a strictly growing repetition: a run that proves the net unbounded.
///
/// ```
/// use brine_net::{NetBuilder, find_growth};
/// let mut b = NetBuilder::new("source");
/// let p = b.place("p", 0);
/// b.transition("make", &[], &[(p, 1)]);
/// let net = b.build().unwrap();
/// assert!(find_growth(&net).unwrap().grows(&net));
/// ```
pub fn find_growth(net: &Net) -> Option<Run> {
    // Nothing stops it.
    find_growth_within(net, &Control::default()).ok().flatten()
}

/// The same under a control.
pub fn find_growth_within(net: &Net, control: &Control) -> Result<Option<Run>, Stop> {
    let consumers = consumers(net);
    let (mut work, mut pace) = (0, control.pace());
    for seed in 1..=WALKS {
        if let Some(growth) = walk(net, &consumers, seed, &mut work, &mut pace)? {
            return Ok(Some(growth));
        }
    }
    Ok(None)
}

/// For each place, the transitions that take from it.
fn consumers(net: &Net) -> Vec<Vec<TransitionId>> {
    let mut consumers = vec![Vec::new(); net.places().len()];
    for t in net.transition_ids() {
        for (p, _) in net.transition(t).pre {
            consumers[p.index()].push(t);
        }
    }
    consumers
}

fn walk(
    net: &Net,
    consumers: &[Vec<TransitionId>],
    seed: u64,
    work: &mut u64,
    pace: &mut Pace<'_>,
) -> Result<Option<Run>, Stop> {
    pace.steps(net.transitions().len())?;
    let mut rng = Rng::new(seed);
    let mut marking = net.initial_marking();
    let mut run: Vec<TransitionId> = Vec::new();
    let mut kept: Vec<(usize, Vec<u32>)> = vec![(0, marking.clone())];
    let mut enabled: Vec<TransitionId> =
        net.transition_ids().filter(|&t| net.is_enabled(t, &marking)).collect();
    for step in 1..=LENGTH {
        if enabled.is_empty() || *work > WORK {
            return Ok(None);
        }
        let t = enabled[rng.index(enabled.len())];
        if !net.fire_in_place(t, &mut marking) {
            return Ok(None);
        }
        run.push(t);
        refresh(net, consumers, t, &marking, &mut enabled);
        let units = enabled.len() as u64 + (kept.len() * marking.len() / 8) as u64;
        *work += units;
        pace.steps(units as usize)?;
        if let Some((from, _)) = kept.iter().rev().find(|(_, old)| dominates(&marking, old)) {
            let (prefix, cycle) = (run[..*from].to_vec(), run[*from..].to_vec());
            let growth = Run { prefix, cycle };
            debug_assert!(growth.grows(net), "the run does not grow");
            return Ok(Some(growth));
        }
        keep(&mut kept, step, &marking);
    }
    Ok(None)
}

/// Remembers a marking: the latest few, and further back ever fewer.
fn keep(kept: &mut Vec<(usize, Vec<u32>)>, step: usize, marking: &[u32]) {
    kept.push((step, marking.to_vec()));
    if kept.len() > 48 {
        // Drop every second one of the older half.
        let mut index = 0;
        kept.retain(|_| {
            index += 1;
            index > 24 || index % 2 == 1
        });
    }
}

/// Updates the enabled transitions after `t` was fired.
fn refresh(
    net: &Net,
    consumers: &[Vec<TransitionId>],
    t: TransitionId,
    marking: &[u32],
    enabled: &mut Vec<TransitionId>,
) {
    enabled.retain(|&u| net.is_enabled(u, marking));
    for (p, _) in net.transition(t).post {
        for &u in &consumers[p.index()] {
            if net.is_enabled(u, marking) && !enabled.contains(&u) {
                enabled.push(u);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NetBuilder;

    #[test]
    fn a_bounded_net_is_never_called_unbounded() {
        let mut b = NetBuilder::new("ring");
        let (p, q) = (b.place("p", 3), b.place("q", 0));
        b.transition("go", &[(p, 1)], &[(q, 1)]);
        b.transition("back", &[(q, 2)], &[(p, 2)]);
        assert_eq!(find_growth(&b.build().unwrap()), None);
    }

    #[test]
    fn growth_behind_a_few_steps_is_found_and_replays() {
        let mut b = NetBuilder::new("pump");
        let (p, q, r) = (b.place("p", 1), b.place("q", 0), b.place("r", 0));
        b.transition("start", &[(p, 1)], &[(q, 1)]);
        b.transition("pump", &[(q, 1)], &[(q, 1), (r, 2)]);
        b.transition("drain", &[(r, 1)], &[]);
        let net = b.build().unwrap();
        let growth = find_growth(&net).unwrap();
        assert!(growth.grows(&net));
        let broken = Run { cycle: growth.prefix.clone(), prefix: growth.cycle };
        assert!(!broken.grows(&net));
    }
}
