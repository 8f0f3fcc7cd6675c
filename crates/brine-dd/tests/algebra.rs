//! Every set operation against naive code over `BTreeSet`: exhaustively on a small
//! universe, at random on a larger one, and under a schedule that collects garbage
//! after every operation.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use std::collections::BTreeSet;

use brine_dd::{Dd, NodeId};
use proptest::prelude::*;

type Set = BTreeSet<Vec<u32>>;

fn build(dd: &mut Dd, set: &Set) -> NodeId {
    let mut node = NodeId::EMPTY;
    for v in set {
        let one = dd.singleton(v).unwrap();
        node = dd.union(node, one).unwrap();
    }
    node
}

fn read(dd: &Dd, node: NodeId) -> Set {
    dd.vectors(node).collect()
}

/// All operations on one pair; `tables` are the naive sets.
fn check_pair(dd: &mut Dd, a: NodeId, b: NodeId, sa: &Set, sb: &Set) {
    let union = dd.union(a, b).unwrap();
    assert_eq!(read(dd, union), sa | sb, "union of {sa:?} and {sb:?}");
    let both = dd.intersect(a, b).unwrap();
    assert_eq!(read(dd, both), sa & sb, "intersection of {sa:?} and {sb:?}");
    let rest = dd.minus(a, b).unwrap();
    assert_eq!(read(dd, rest), sa - sb, "difference of {sa:?} and {sb:?}");
    assert_eq!(dd.is_subset(a, b), sa.is_subset(sb), "{sa:?} in {sb:?}");
    for n in [union, both, rest] {
        dd.validate(n);
    }
    // Canonicity: a set built in another way has the same id.
    let back = dd.union(rest, both).unwrap();
    assert_eq!(back, a);
}

#[test]
fn exhaustive_over_two_levels_of_three_values() {
    let universe: Vec<Vec<u32>> = (0..9).map(|i| vec![i / 3, 5 * (i % 3)]).collect();
    let pick = |bits: u32| -> Set {
        (0..9).filter(|i| bits >> i & 1 == 1).map(|i| universe[i as usize].clone()).collect()
    };
    let sets: Vec<Set> = (0..512).map(pick).collect();
    let mut dd = Dd::default();
    let nodes: Vec<NodeId> = sets.iter().map(|s| build(&mut dd, s)).collect();
    let distinct: BTreeSet<NodeId> = nodes.iter().copied().collect();
    assert_eq!(distinct.len(), 512, "different sets have different ids");
    for (a, sa) in nodes.iter().zip(&sets) {
        assert_eq!(dd.count(*a), sa.len().into());
        for v in &universe {
            assert_eq!(dd.contains(*a, v), sa.contains(v));
        }
        for (b, sb) in nodes.iter().zip(&sets).step_by(3) {
            check_pair(&mut dd, *a, *b, sa, sb);
        }
    }
}

fn sets() -> impl Strategy<Value = (Set, Set)> {
    (1usize..5).prop_flat_map(|levels| {
        let vector = prop::collection::vec(0u32..5, levels);
        let set = prop::collection::btree_set(vector, 0..40);
        (set.clone(), set)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_sets((sa, sb) in sets()) {
        let mut dd = Dd::default();
        let (a, b) = (build(&mut dd, &sa), build(&mut dd, &sb));
        prop_assert_eq!(read(&dd, a), sa.clone());
        prop_assert_eq!(dd.count(a), sa.len().into());
        check_pair(&mut dd, a, b, &sa, &sb);
    }

    #[test]
    fn collecting_after_every_operation_changes_nothing((sa, sb) in sets()) {
        let mut dd = Dd::default();
        let (a, b) = (build(&mut dd, &sa), build(&mut dd, &sb));
        dd.protect(a);
        dd.protect(b);
        dd.collect(std::iter::empty());
        for round in 0..3 {
            // Leave garbage whose ids will be used again.
            let waste = dd.singleton(&[7, 7 + round, 9, 11]).unwrap();
            prop_assert!(dd.node_count(waste) == 4);
            check_pair(&mut dd, a, b, &sa, &sb);
            let before = dd.stats();
            dd.collect(std::iter::empty());
            let after = dd.stats();
            prop_assert!(after.nodes < before.nodes, "nothing was freed");
            prop_assert_eq!(after.collections, before.collections + 1);
            dd.validate(a);
            dd.validate(b);
            prop_assert_eq!(read(&dd, a), sa.clone());
            prop_assert_eq!(read(&dd, b), sb.clone());
        }
    }
}

#[test]
fn counts_pass_machine_words() {
    let mut dd = Dd::default();
    let mut set = NodeId::UNIT;
    for _ in 0..100 {
        let arcs: Vec<(u32, NodeId)> = (0..10).map(|v| (v, set)).collect();
        set = dd.make_list(&arcs).unwrap();
    }
    assert_eq!(dd.count(set).to_string(), format!("1{}", "0".repeat(100)));
    assert_eq!(dd.node_count(set), 1000);
}

#[test]
fn thousands_of_levels_need_no_more_than_a_deep_stack() {
    let levels = 50_000;
    let mut dd = Dd::default();
    let a = dd.singleton(&vec![1; levels]).unwrap();
    let b = dd.singleton(&vec![2; levels]).unwrap();
    let deep = brine_dd::with_deep_stack(levels, || {
        let ab = dd.union(a, b).unwrap();
        let c = dd.minus(ab, a).unwrap();
        let d = dd.intersect(ab, b).unwrap();
        (ab, c, d, dd.is_subset(d, ab))
    });
    let (ab, c, d, subset) = deep.unwrap();
    assert_eq!((c, d, subset), (b, b, true));
    assert_eq!(dd.count(ab), 2u32.into());
    dd.validate(ab);
    dd.collect(std::iter::once(ab));
    assert_eq!(dd.stats().nodes, 2 * levels);
}

#[test]
fn running_out_is_a_value() {
    use brine_dd::{Control, Stop};
    let mut dd = Dd::new(Control { work: Some(100_000), ..Control::default() });
    let result = (0..1_000_000u32).try_for_each(|v| dd.singleton(&[v, v + 1]).map(drop));
    assert_eq!(result, Err(Stop::Work));
    let mut dd = Dd::new(Control {
        resident: Some(brine_dd::resident_bytes() as u64 + (8 << 20)),
        ..Control::default()
    });
    let result = (0..10_000_000u32).try_for_each(|v| dd.singleton(&[v, v + 1]).map(drop));
    assert_eq!(result, Err(Stop::Memory));
    dd.recover();
    dd.set_control(Control::default());
    let three = dd.singleton(&[3]).unwrap();
    assert!(dd.contains(three, &[3]), "the manager can still be used");
}

#[test]
fn dot_names_every_arc() {
    let mut dd = Dd::default();
    let set = build(&mut dd, &[vec![0, 1], vec![0, 2], vec![3, 1]].into_iter().collect());
    let dot = dd.dot(set);
    assert_eq!(dot.matches("->").count(), 5, "{dot}");
    assert!(dot.starts_with("digraph"));
}
