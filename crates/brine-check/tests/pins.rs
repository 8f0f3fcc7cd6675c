//! LTL through the state-vector interface, with every strategy and random matrices, on random
//! nets and random formulas, against the oracle. Runs are replayed.
//!
//! BRINE_CASES sets the number of pairs, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::replay;
use brine_dd::{Control, Upkeep};
use brine_ltl::{Options, translate};
use brine_net::{Net, Rng, Structure};
use brine_oracle::{AnsweredPair, random_pairs};
use brine_pins::ltl::{PinsAnswer, PinsProduct, PinsQuestion, check};
use brine_pins::{MatrixOperation, MatrixOptions, NetModel, Regroup, SlotId, Strategy, audit};

/// What was seen, so that the test can insist on variety.
#[derive(Default, Debug)]
struct Seen {
    pairs: u64,
    violated: u64,
    dead_ends: u64,
    cycles: u64,
    audited: u64,
}

fn random_order(net: &Net, rng: &mut Rng) -> Vec<SlotId> {
    let mut order = Vec::new();
    for p in net.place_ids() {
        order.insert(rng.below(order.len() as u32 + 1) as usize, SlotId(p.0));
    }
    order
}

fn random_matrix(rng: &mut Rng) -> MatrixOptions {
    let operations =
        (0..rng.below(4)).map(|_| MatrixOperation::ALL[rng.below(4) as usize]).collect();
    MatrixOptions {
        must_to_may: rng.chance(30),
        may_to_read_write: rng.chance(30),
        regroup: Regroup(operations),
    }
}

fn random_control(rng: &mut Rng) -> Control {
    let gc_interval = if rng.chance(50) { Some(1 + rng.below(50) as usize) } else { None };
    let cache_entries = if rng.chance(30) { Some(1 << rng.below(8)) } else { None };
    Control { upkeep: Upkeep { gc_interval, cache_entries }, ..Control::default() }
}

fn check_pair(pair: AnsweredPair<'_>, rng: &mut Rng, seen: &mut Seen) {
    let AnsweredPair { net, formulas: fs, formula, expected, seed } = pair;
    let structure = Structure::new(net);
    let mut negated = fs.clone();
    let negation = negated.not(formula);
    let options = Options { net: Some(net), ..Options::default() };
    let violations = translate(&negated, negation, &options).unwrap();
    let model = NetModel::new(net, &structure.bounds).with_labels(violations.atoms());
    if rng.chance(10) {
        let audit = audit(&PinsProduct::new(&model, &violations), 500).unwrap();
        assert!(audit.violation.is_none(), "BRINE_SEED={seed}: {audit:?}");
        seen.audited += 1;
    }
    for strategy in Strategy::ALL {
        let (order, matrix) = (random_order(net, rng), random_matrix(rng));
        let control = random_control(rng);
        let context = || {
            format!("BRINE_SEED={seed} {strategy:?} {order:?} {matrix:?} {control:?} on {net:?}")
        };
        let question = PinsQuestion { model: &model, violations: &violations };
        let (answer, _) =
            check(&question, order.clone(), &matrix, strategy, &control, || control.clone())
                .unwrap_or_else(|e| panic!("{e}: {}", context()));
        assert_eq!(answer == PinsAnswer::None, expected, "{answer:?}: {}", context());
        if let PinsAnswer::Violation(run) = answer {
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
fn every_strategy_agrees_with_the_oracle() {
    let mut seen = Seen::default();
    let pairs = random_pairs(4_000, |pair, rng| check_pair(pair, rng, &mut seen));
    println!("{seen:?}");
    if pairs >= 1_000 {
        assert!(seen.violated * 5 > seen.pairs && seen.violated * 5 < seen.pairs * 4, "{seen:?}");
        assert!(seen.dead_ends > seen.pairs / 20 && seen.cycles > seen.pairs / 20, "{seen:?}");
        assert!(seen.audited > seen.pairs / 20, "{seen:?}");
    }
}
