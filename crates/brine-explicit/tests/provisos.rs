//! Every proviso on random transition systems with random reduction functions (the campaign of
//! DKPR16's conclusion, with safety provisos and rules that decide at first sight as well).
//!
//! Checked on the graph that is left, by code that knows nothing of provisos:
//! - liveness: the states that are not expanded form no cycle;
//! - safety: from each state a path leads to an expanded state (then the distance to it is a
//!   witness in the sense of EP10 definition 5).
//!
//! BRINE_CASES sets the number of systems, BRINE_SEED the first seed. `cargo xtask planted-bugs
//! --filter proviso` plants bugs in each family and expects this test to see them.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

mod common;

use brine_explicit::graph::GraphStateId;
use brine_explicit::meter::Meter;
use brine_explicit::provisos::fates::{FateRule, Fates};
use brine_explicit::provisos::lts::Lts;
use brine_explicit::provisos::{Counts, Promise, Proviso};
use brine_net::Rng;
use brine_run::{Control, Stop};
use common::{cases, first_seed};

const INITIAL: GraphStateId = GraphStateId(0);

/// Lists of successors.
fn states<const N: usize>(numbers: [&[u32]; N]) -> Vec<Vec<GraphStateId>> {
    numbers.map(|list| list.iter().copied().map(GraphStateId).collect()).to_vec()
}

/// Successors of each state; the first `reduced` ones are the reduced set.
#[derive(Debug)]
struct System {
    next: Vec<Vec<GraphStateId>>,
    reduced: Vec<usize>,
    meter: Meter,
}

impl Lts for System {
    fn initial(&mut self) -> Result<GraphStateId, Stop> {
        Ok(INITIAL)
    }

    fn degrees(&mut self, s: GraphStateId) -> Result<(u32, u32), Stop> {
        let s = s.index();
        Ok((self.reduced[s] as u32, self.next[s].len() as u32))
    }

    fn target(&mut self, s: GraphStateId, i: u32) -> Result<GraphStateId, Stop> {
        Ok(self.next[s.index()][i as usize])
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }
}

impl System {
    /// Up to 14 states (every eighth time up to 40), sparse and dense ones, long cycles and
    /// short ones, most states with a proper reduced set.
    fn random(seed: u64) -> System {
        let r = &mut Rng::new(seed);
        let n = 2 + if r.chance(12) { r.index(38) } else { r.index(12) };
        let (degree, local, proper) = (1 + r.index(4), r.chance(50), 40 + r.below(61));
        let (mut next, mut reduced) = (Vec::new(), Vec::new());
        for s in 0..n {
            let out = if r.chance(5) { 0 } else { 1 + r.index(degree + 1) };
            let target = |r: &mut Rng| {
                let near = local && r.chance(70);
                let t = if near { (s + n - 2 + r.index(4)) % n } else { r.index(n) };
                GraphStateId(t as u32)
            };
            let targets: Vec<GraphStateId> = (0..out).map(|_| target(r)).collect();
            let partly = out > 1 && r.chance(proper);
            reduced.push(if partly { 1 + r.index(out - 1) } else { out });
            next.push(targets);
        }
        System { next, reduced, meter: Meter::new(Control::default()) }
    }
}

/// The graph that a proviso leaves.
#[derive(Debug)]
struct Left {
    kept: Vec<Vec<GraphStateId>>,
    expanded: Vec<bool>,
    reachable: Vec<bool>,
}

impl Left {
    fn new(system: &System, expanded: Vec<bool>) -> Left {
        let kept: Vec<Vec<GraphStateId>> = (0..system.next.len())
            .map(|s| {
                let all = &system.next[s];
                if expanded[s] { all.clone() } else { all[..system.reduced[s]].to_vec() }
            })
            .collect();
        let mut reachable = vec![false; kept.len()];
        let mut pending = vec![INITIAL];
        while let Some(s) = pending.pop() {
            if !std::mem::replace(&mut reachable[s.index()], true) {
                pending.extend(&kept[s.index()]);
            }
        }
        Left { kept, expanded, reachable }
    }

    fn states(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.kept.len()).filter(|&s| self.reachable[s])
    }

    /// Takes away states without unexpanded successors until none is left, or only cycles.
    fn has_unexpanded_cycle(&self) -> bool {
        let mut rest: Vec<bool> =
            (0..self.kept.len()).map(|s| self.reachable[s] && !self.expanded[s]).collect();
        loop {
            let end = |s: &usize| rest[*s] && !self.kept[*s].iter().any(|&t| rest[t.index()]);
            let Some(s) = (0..rest.len()).find(end) else { return rest.contains(&true) };
            rest[s] = false;
        }
    }

    /// Whether every state leads to an expanded one.
    fn leads_to_expanded(&self) -> bool {
        let mut leads = self.expanded.clone();
        loop {
            let more = |s: &usize| !leads[*s] && self.kept[*s].iter().any(|&t| leads[t.index()]);
            let Some(s) = (0..leads.len()).find(more) else { break };
            leads[s] = true;
        }
        self.states().all(|s| leads[s])
    }
}

/// Runs a proviso and checks what it leaves.
fn check(system: &mut System, proviso: Proviso, seed: u64) -> Counts {
    let mut fates = Fates::new(proviso.rule().unwrap_or(FateRule::Never));
    let counts = proviso.explore(system, &mut fates, &mut |_| ()).unwrap();
    let states = (0..system.next.len() as u32).map(GraphStateId);
    let expanded = states.map(|s| fates.is_expanded(system, s).unwrap()).collect();
    let left = Left::new(system, expanded);
    let context = || format!("{} with BRINE_SEED={seed}: {left:?}", proviso.name());
    let kept: usize = left.states().map(|s| left.kept[s].len()).sum();
    let count = |what: &dyn Fn(usize) -> bool| left.states().filter(|&s| what(s)).count() as u64;
    let expected = (count(&|_| true), kept as u64, count(&|s| left.expanded[s]));
    assert_eq!((counts.states, counts.transitions, counts.expanded), expected, "{}", context());
    match proviso.promise() {
        Promise::Liveness => assert!(!left.has_unexpanded_cycle(), "{}", context()),
        Promise::Safety => assert!(left.leads_to_expanded(), "{}", context()),
        Promise::Deadlocks => (),
    }
    counts
}

#[test]
fn every_cycle_has_an_expanded_state() {
    let (first, count) = (first_seed(), cases(5_000));
    let all = Proviso::all();
    let mut expanded = vec![0; all.len()];
    for seed in first..first + count {
        let mut system = System::random(seed);
        for (proviso, expanded) in all.iter().zip(&mut expanded) {
            *expanded += check(&mut system, *proviso, seed).expanded;
        }
    }
    let of = |name: &str| {
        let proviso = Proviso::from_name(name).unwrap();
        expanded[all.iter().position(|p| *p == proviso).unwrap()]
    };
    for (proviso, expanded) in all.iter().zip(&expanded) {
        println!("{expanded:>9} {}", proviso.name());
    }
    // No proviso may be right by expanding everything, and each idea must have an effect.
    if count >= 1_000 {
        assert!(of("None") < of("C2S_e") && of("C2S_e") < of("C2S_s"));
        assert!(of("CondSource") < of("Source") && of("CondDest") < of("Dest"));
        assert!(of("WeightedSourceScan") < of("WeightedSource"));
        assert!(of("HighlinkWeightedSource") < of("DeadWeightedSource"));
        assert!(of("HighlinkDeepestDest") < of("DeadDeepestDest"));
        let full = of("Full");
        assert!(
            all.iter().zip(&expanded).all(|(p, &e)| *p == Proviso::Full || e * 100 < full * 95)
        );
    }
}

/// DKPR16 figure 1: looking at known successors first saves an expansion.
#[test]
fn known_successors_first() {
    // s = 0, s' = 1; edges 1: s -> s', 2: s' -> s, 3: s -> s; state 2 is what is left out.
    let system = || System {
        next: states([&[1, 0, 2], &[0, 2], &[]]),
        reduced: vec![2, 1, 0],
        meter: Meter::new(Control::default()),
    };
    let expanded = |name: &str| {
        let proviso = Proviso::from_name(name).unwrap();
        check(&mut system(), proviso, 0).expanded
    };
    // The dead state counts as expanded.
    assert_eq!(expanded("CondSource"), 3);
    assert_eq!(expanded("CondSourceKnown"), 2);
}

/// EP10 section 5: the safety proviso C2S_e closes a cycle without expanded state; its liveness
/// counterpart does not.
#[test]
fn the_example_that_separates_safety_from_liveness() {
    // s0 -> s1 (expanded) -> s2 -> s0, and later s0 -> s -> s2; states 4 and 5 are left out.
    let mut system = System {
        next: states([&[1, 3, 4], &[2], &[0, 4], &[2, 5], &[], &[]]),
        reduced: vec![2, 1, 1, 1, 0, 0],
        meter: Meter::new(Control::default()),
    };
    check(&mut system, Proviso::from_name("C2S_e").unwrap(), 0);
    let proviso = Proviso::from_name("C2S_e").unwrap();
    let mut fates = Fates::new(FateRule::Never);
    proviso.explore(&mut system, &mut fates, &mut |_| ()).unwrap();
    let expanded =
        (0..6).map(GraphStateId).map(|s| fates.is_expanded(&mut system, s).unwrap()).collect();
    assert!(Left::new(&system, expanded).has_unexpanded_cycle());
    check(&mut system, Proviso::from_name("C2L_c").unwrap(), 0);
}
