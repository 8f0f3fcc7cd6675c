//! Operations on matrices against their definitions.

use brine_net::Rng;
use brine_pins::{Dependency, Plan, PlannedGroup, Regroup, SlotId, column_cost, order_cost};

const KINDS: [Dependency; 4] =
    [Dependency::Read, Dependency::MustWrite, Dependency::MayWrite, Dependency::ReadWrite];

/// A matrix of its own; members are numbered by row.
fn random_plan(rng: &mut Rng, rows: u32, columns: u32, per_row: u32) -> Plan {
    let row = |i: u32, rng: &mut Rng| {
        let mut slots: Vec<u32> = (0..1 + rng.below(per_row)).map(|_| rng.below(columns)).collect();
        slots.sort_unstable();
        slots.dedup();
        let entry = |slot| (SlotId(slot), KINDS[rng.below(4) as usize]);
        PlannedGroup {
            members: vec![brine_pins::GroupId(i)],
            entries: slots.into_iter().map(entry).collect(),
        }
    };
    Plan {
        order: (0..columns).map(SlotId).collect(),
        groups: (0..rows).map(|i| row(i, rng)).collect(),
    }
}

fn entry(group: &PlannedGroup, slot: SlotId) -> Dependency {
    group.entries.iter().find(|e| e.0 == slot).map_or(Dependency::Copy, |e| e.1)
}

/// Definition 9, by the book.
fn is_subsumed(small: &PlannedGroup, large: &PlannedGroup, columns: u32) -> bool {
    (0..columns).map(SlotId).all(|slot| entry(small, slot).is_below(entry(large, slot)))
}

#[test]
fn rows_are_merged_into_rows_that_subsume_them() {
    let mut merges = 0;
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let before = random_plan(&mut rng, 12, 4, 4);
        let mut after = before.clone();
        after.subsume_rows();
        let mut members: Vec<u32> =
            after.groups.iter().flat_map(|g| g.members.iter().map(|m| m.0)).collect();
        members.sort_unstable();
        assert_eq!(members, (0..12).collect::<Vec<_>>(), "seed {seed}: every group is there once");
        for group in &after.groups {
            for member in &group.members {
                assert!(is_subsumed(&before.groups[member.index()], group, 4), "seed {seed}");
            }
        }
        for (i, a) in after.groups.iter().enumerate() {
            for (j, b) in after.groups.iter().enumerate() {
                assert!(i == j || !is_subsumed(a, b, 4), "seed {seed}: more could be merged");
            }
        }
        merges += before.groups.len() - after.groups.len();
    }
    assert!(merges > 500, "{merges} merges");
}

#[test]
fn names_of_operations_are_read_and_written() {
    let regroup: Regroup = "ru;cs, rs,cw".parse().unwrap();
    assert_eq!(regroup.to_string(), "ru,cs,rs,cw");
    let error = "cs,sloan".parse::<Regroup>().unwrap_err();
    assert!(error.contains("\"sloan\"") && error.contains("ru, rs, cs, cw"), "{error}");
}

#[test]
fn swaps_end_where_no_swap_helps() {
    let mut lowered = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let before = random_plan(&mut rng, 8, 7, 5);
        let mut after = before.clone();
        after.swap_columns();
        let cost = order_cost(&after);
        assert!(cost <= order_cost(&before), "seed {seed}");
        lowered += u64::from(cost < order_cost(&before));
        for i in 0..7 {
            for j in i + 1..7 {
                let mut other = after.clone();
                other.order.swap(i, j);
                assert!(order_cost(&other) >= cost, "seed {seed}: {i} and {j}");
            }
        }
    }
    assert!(lowered > 100, "{lowered} lowered");
}

#[test]
fn sifting_lowers_the_cost_of_large_matrices() {
    for seed in 0..10 {
        let mut rng = Rng::new(seed);
        let before = random_plan(&mut rng, 600, 400, 4);
        let mut after = before.clone();
        after.swap_columns();
        let (old, new) = (column_cost(&before), column_cost(&after));
        assert!(new * 2 < old, "seed {seed}: {old} to {new}");
        let mut columns = after.order.clone();
        columns.sort_unstable();
        assert_eq!(columns, before.order, "seed {seed}: a permutation");
        // No column has a better place.
        for from in (0..400).step_by(37) {
            for to in (0..400).step_by(13) {
                let mut other = after.clone();
                let column = other.order.remove(from);
                other.order.insert(to, column);
                assert!(column_cost(&other) >= new, "seed {seed}: {from} to {to}");
            }
        }
    }
}

#[test]
fn sorts_put_writes_on_the_diagonal() {
    use Dependency::{MustWrite, Read};
    let row = |i: u32, entries: &[(u32, Dependency)]| PlannedGroup {
        members: vec![brine_pins::GroupId(i)],
        entries: entries.iter().map(|e| (SlotId(e.0), e.1)).collect(),
    };
    let groups = vec![
        row(0, &[(0, Read), (3, MustWrite)]),
        row(1, &[(1, MustWrite), (3, Read)]),
        row(2, &[(0, MustWrite)]),
    ];
    let mut plan = Plan { order: (0..4).map(SlotId).collect(), groups };
    plan.sort_columns();
    assert_eq!(plan.order, [3, 1, 0, 2].map(SlotId));
    assert_eq!(plan.text(), ["w-r-", "rw--", "--w-"]);
    plan.order = (0..4).map(SlotId).collect();
    plan.sort_rows();
    assert_eq!(plan.text(), ["w---", "-w-r", "r--w"]);
}
