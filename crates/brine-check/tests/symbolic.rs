//! The symbolic engine with every switch and order, on random nets and random formulas,
//! against the oracle. Runs are replayed.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::replay;
use brine_dd::{Control, Stop, Upkeep};
use brine_ltl::{Automaton, Formula, Formulas, Options, translate};
use brine_net::order::{Layout, candidates};
use brine_net::{Net, PlaceId, Rng, Structure};
use brine_oracle::{AnsweredPair, random_pairs};
use brine_scc::{Effort, Hull, Ideas, Method, SccStats, SymbolicAnswer, SymbolicQuestion, check};

/// Every way to look for cycles; without effort all nodes are put off.
fn methods() -> Vec<Method> {
    let ideas = (0..12).map(|bits: usize| Ideas {
        recurring: bits & 1 == 0,
        abstraction: bits & 2 == 0,
        effort: [Effort::default(), Effort { head_start: 0, percent: 50 }, Effort::NONE][bits / 4],
    });
    let hulls = [Method::Hull(Hull::EmersonLei), Method::Hull(Hull::Owcty)];
    ideas.map(Method::OnTheFly).chain([Method::AtTheEnd]).chain(hulls).collect()
}

/// One of the orders that users get, or any partition of the places in any order.
fn random_layout(net: &Net, structure: &Structure, rng: &mut Rng) -> Layout {
    if rng.chance(30) {
        let mut all = candidates(net, structure);
        let at = rng.below(all.len() as u32) as usize;
        return all.swap_remove(at).layout;
    }
    let group = [0, 40, 80][rng.below(3) as usize];
    let mut levels: Vec<Vec<PlaceId>> = Vec::new();
    for p in net.place_ids() {
        let at = rng.below(levels.len() as u32 + 1) as usize;
        if rng.chance(group) && at < levels.len() {
            levels[at].push(p);
        } else {
            levels.insert(at, vec![p]);
        }
    }
    Layout { levels }
}

/// What was seen, so that the test can insist on variety.
#[derive(Default, Debug)]
struct Seen {
    pairs: u64,
    violated: u64,
    dead_ends: u64,
    cycles: u64,
    scc: SccStats,
}

/// A control under which rare things are common: a collection at every opportunity, or caches
/// that remember next to nothing.
fn random_control(rng: &mut Rng) -> Control {
    let gc_interval = if rng.chance(50) { Some(1 + rng.below(50) as usize) } else { None };
    let cache_entries = if rng.chance(30) { Some(1 << rng.below(8)) } else { None };
    Control { upkeep: Upkeep { gc_interval, cache_entries }, ..Control::default() }
}

fn negation(net: &Net, fs: &Formulas, formula: Formula) -> Automaton {
    let mut fs = fs.clone();
    let negation = fs.not(formula);
    translate(&fs, negation, &Options { net: Some(net), ..Options::default() }).unwrap()
}

fn check_pair(pair: AnsweredPair<'_>, rng: &mut Rng, seen: &mut Seen) {
    let AnsweredPair { net, formulas: fs, formula, expected, seed } = pair;
    let structure = &Structure::new(net);
    let violations = negation(net, fs, formula);
    for method in methods() {
        let layout = random_layout(net, structure, rng);
        let control = random_control(rng);
        let question = SymbolicQuestion { net, violations: &violations, bounds: &structure.bounds };
        let context = || format!("BRINE_SEED={seed} {method:?} {layout:?} {control:?} on {net:?}");
        let (answer, stats) = check(question, &layout, method, &control, || control.clone())
            .unwrap_or_else(|e: Stop| panic!("{e}: {}", context()));
        assert_eq!(answer == SymbolicAnswer::None, expected, "{answer:?}: {}", context());
        seen.scc.calls += stats.scc.calls;
        seen.scc.certain += stats.scc.certain;
        seen.scc.put_off += stats.scc.put_off;
        seen.scc.prevented_recurring += stats.scc.prevented_recurring;
        seen.scc.prevented_abstraction += stats.scc.prevented_abstraction;
        if let SymbolicAnswer::Violation(run) = answer {
            let run = run.unwrap();
            replay(net, fs, formula, &run).unwrap_or_else(|e| panic!("{e}: {}", context()));
            seen.dead_ends += u64::from(run.cycle.is_empty());
            seen.cycles += u64::from(!run.cycle.is_empty());
        }
    }
    seen.pairs += 1;
    seen.violated += u64::from(!expected);
}

#[test]
fn every_switch_agrees_with_the_oracle() {
    let mut seen = Seen::default();
    let pairs = random_pairs(6_000, |pair, rng| check_pair(pair, rng, &mut seen));
    println!("{seen:?}");
    if pairs >= 1_000 {
        assert!(seen.violated * 5 > seen.pairs && seen.violated * 5 < seen.pairs * 4, "{seen:?}");
        assert!(seen.dead_ends > seen.pairs / 20 && seen.cycles > seen.pairs / 20, "{seen:?}");
        assert!(seen.scc.prevented_recurring > 0 && seen.scc.prevented_abstraction > 0);
        assert!(seen.scc.calls > 0 && seen.scc.certain > 0, "{seen:?}");
        assert!(seen.scc.put_off > seen.pairs / 20, "{seen:?}");
    }
}
