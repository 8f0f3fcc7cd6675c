//! Column swaps: reads before writes (MKBP14 Algorithms 1 and 2).
//!
//! A read below a write is expensive: the written values have to be carried past it. The
//! *cost* of an order (Algorithm 1) counts, for every row and every `r` in it, the `w` and
//! `W` above. So it is a sum over pairs of columns, of the rows that write the upper one and
//! read the lower one, and the effect of moving a column is known from its *partners*: the
//! columns with which it shares such a row.
//!
//! Algorithm 2 takes the best swap of two columns; we repeat it while it helps. That is
//! quadratic in the columns for each swap. Beyond [`SWAP_COLUMNS`] columns each column is
//! *sifted* instead: moved to its best place among its partners, the nearest one if there
//! are several, in passes until nothing improves. A pass costs the number of partners, and
//! columns without partners keep the neighbours that the order before gave them.

use rustc_hash::FxHashMap;

use crate::interface::SlotId;
use crate::matrix::Dependency;
use crate::plan::Plan;

/// Most columns for which all swaps are tried.
const SWAP_COLUMNS: usize = 256;

/// Algorithm 1: the cost of the plan's order.
///
/// ```
/// use brine_pins::{MatrixOptions, Plan, SlotId, column_cost, gcl};
/// let model = gcl::parse("var x = 0; var y = 0; t: y = 0 -> x := 1;").unwrap();
/// let mut plan = Plan::new(&model);
/// assert_eq!((plan.text()[0].as_str(), column_cost(&plan)), ("wr", 1));
/// let options = MatrixOptions { regroup: "cw".parse().unwrap(), ..MatrixOptions::default() };
/// let plan = options.plan(&model, plan.order);
/// assert_eq!((plan.text()[0].as_str(), column_cost(&plan)), ("rw", 0));
/// ```
pub fn column_cost(plan: &Plan) -> u64 {
    let depths = plan.depths();
    let mut cost = 0;
    for group in &plan.groups {
        let mut entries = group.entries.clone();
        entries.sort_unstable_by_key(|e| depths[e.0.index()]);
        let mut writes = 0;
        for (_, dependency) in entries {
            match dependency {
                Dependency::MustWrite | Dependency::MayWrite => writes += 1,
                Dependency::Read => cost += writes,
                Dependency::Copy | Dependency::ReadWrite => {}
            }
        }
    }
    cost
}

impl Plan {
    /// Lowers the cost of the order by moving columns.
    pub fn swap_columns(&mut self) {
        let before = if cfg!(debug_assertions) { column_cost(self) } else { 0 };
        let mut columns = Columns::new(self);
        if self.order.len() <= SWAP_COLUMNS {
            while columns.best_swap() {}
        } else {
            while columns.sift_all() {}
        }
        self.order = columns.order.iter().map(|&c| SlotId(c)).collect();
        debug_assert!(column_cost(self) <= before, "the cost of an order only falls");
    }
}

/// A partner of a column.
#[derive(Clone, Copy, Debug, Default)]
struct Partner {
    column: u32,
    /// Rows that write the partner and read the column: the cost of the partner above.
    above: i64,
    /// Rows that write the column and read the partner: the cost of the partner below.
    below: i64,
}

/// The order with the cost of each column for its partners.
struct Columns {
    order: Vec<u32>,
    position: Vec<u32>,
    partners: Vec<Vec<Partner>>,
}

impl Columns {
    fn new(plan: &Plan) -> Self {
        let mut pairs: FxHashMap<(u32, u32), i64> = FxHashMap::default();
        for group in &plan.groups {
            let of = |kinds: &[Dependency]| -> Vec<u32> {
                group.entries.iter().filter(|e| kinds.contains(&e.1)).map(|e| e.0.0).collect()
            };
            let reads = of(&[Dependency::Read]);
            for w in of(&[Dependency::MustWrite, Dependency::MayWrite]) {
                reads.iter().for_each(|&r| *pairs.entry((w, r)).or_default() += 1);
            }
        }
        let mut maps: Vec<FxHashMap<u32, Partner>> = vec![FxHashMap::default(); plan.order.len()];
        for (&(w, r), &rows) in &pairs {
            maps[w as usize].entry(r).or_default().below += rows;
            maps[r as usize].entry(w).or_default().above += rows;
        }
        let list = |map: FxHashMap<u32, Partner>| {
            let mut list: Vec<Partner> =
                map.into_iter().map(|(column, p)| Partner { column, ..p }).collect();
            list.sort_unstable_by_key(|p| p.column);
            list
        };
        Columns {
            order: plan.order.iter().map(|s| s.0).collect(),
            position: plan.depths(),
            partners: maps.into_iter().map(list).collect(),
        }
    }

    /// How the cost changes when the column at `from` passes all columns up to the one at
    /// `to`, that one excluded.
    fn passing(&self, from: usize, to: usize) -> i64 {
        let passed = |p: &&Partner| {
            let at = self.position[p.column as usize] as usize;
            (from < at && at < to) || (to < at && at < from)
        };
        let change = |p: &Partner| if to > from { p.above - p.below } else { p.below - p.above };
        self.partners[self.order[from] as usize].iter().filter(passed).map(change).sum()
    }

    /// How the cost changes when the columns at `i` and `j > i` change places.
    fn swapping(&self, i: usize, j: usize) -> i64 {
        let other = self.order[j];
        let each = self.partners[self.order[i] as usize].iter().find(|p| p.column == other);
        let between = each.map_or(0, |p| p.above - p.below);
        between + self.passing(i, j) + self.passing(j, i)
    }

    /// Algorithm 2: makes the best swap; false if none lowers the cost.
    fn best_swap(&mut self) -> bool {
        let mut best = (0, 0, 0);
        for i in
            (0..self.order.len()).filter(|&i| !self.partners[self.order[i] as usize].is_empty())
        {
            for j in (0..self.order.len()).filter(|&j| j != i) {
                let (upper, lower) = (i.min(j), i.max(j));
                let change = self.swapping(upper, lower);
                best = best.min((change, upper, lower));
            }
        }
        let (change, i, j) = best;
        if change < 0 {
            self.order.swap(i, j);
            self.position[self.order[i] as usize] = i as u32;
            self.position[self.order[j] as usize] = j as u32;
        }
        change < 0
    }

    /// Moves each column to its best place; false if that changed nothing.
    fn sift_all(&mut self) -> bool {
        let mut improved = false;
        for column in 0..self.partners.len() as u32 {
            improved |= !self.partners[column as usize].is_empty() && self.sift(column);
        }
        improved
    }

    /// Moves one column to its best place among its partners.
    fn sift(&mut self, column: u32) -> bool {
        let from = self.position[column as usize] as usize;
        let mut partners = self.partners[column as usize].clone();
        partners.sort_unstable_by_key(|p| self.position[p.column as usize]);
        let here = |p: &Partner| self.position[p.column as usize] as usize;
        let passing_down = |p: &Partner| (here(p), p.above - p.below);
        let passing_up = |p: &Partner| (here(p), p.below - p.above);
        let down = partners.iter().filter(|p| here(p) > from).map(passing_down);
        let up = partners.iter().rev().filter(|p| here(p) < from).map(passing_up);
        let mut best = (0, 0, from);
        for side in [down.collect::<Vec<_>>(), up.collect()] {
            let mut change = 0;
            for (at, passed) in side {
                change += passed;
                best = best.min((change, at.abs_diff(from), at));
            }
        }
        let (change, _, to) = best;
        if change < 0 {
            if to > from {
                self.order[from..=to].rotate_left(1);
            } else {
                self.order[to..=from].rotate_right(1);
            }
            for i in from.min(to)..=from.max(to) {
                self.position[self.order[i] as usize] = i as u32;
            }
        }
        change < 0
    }
}
