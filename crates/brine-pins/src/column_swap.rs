//! Column swaps: reads before writes (MKBP14 Algorithms 1 and 2).
//!
//! A read below a write is expensive: the written values have to be carried past it. The
//! *cost* of an order (Algorithm 1) counts, for every row and every `r` in it, the `w` and
//! `W` above. So it is a sum over pairs of columns, of the rows that write the upper one and
//! read the lower one, and the effect of moving a column is known from its *partners*: the
//! columns with which it shares such a row.
//!
//! *Distance.* The paper's Table 3 says that `cw` "minimizes distance between columns and puts
//! reads before writes"; Algorithm 1 has the second half only, and alone it tears columns of
//! one group apart (BEEM's anderson.6 then does not end). The text does not give a formula
//! for the first half. Here it is the sum of the rows' *spans*, from the first to the
//! last column that a row depends on, added to Algorithm 1's number ([`order_cost`]).
//!
//! Algorithm 2 takes the best swap of two columns; we repeat it while it helps. Each pair costs
//! the rows and the partners of both columns. Beyond [`SWAP_COLUMNS`] columns each column is
//! *sifted* instead, by Algorithm 1's number alone: moved to its best place among its
//! partners, the nearest one if there are several, in passes until nothing improves. A pass
//! costs the number of partners, and columns without partners keep the neighbours that the
//! order before gave them.

use rustc_hash::FxHashMap;

use crate::interface::SlotId;
use crate::matrix::Dependency;
use crate::plan::{Plan, PlannedGroup};

/// Most columns for which all swaps are tried.
const SWAP_COLUMNS: usize = 256;

/// What `cw` lowers: Algorithm 1's number and the spans of the rows.
pub fn order_cost(plan: &Plan) -> u64 {
    let depths = plan.depths();
    let span = |group: &PlannedGroup| {
        let depth = group.entries.iter().map(|e| depths[e.0.index()]);
        let (first, last) = (depth.clone().min(), depth.max());
        u64::from(last.unwrap_or(0) - first.unwrap_or(0))
    };
    column_cost(plan) + plan.groups.iter().map(span).sum::<u64>()
}

/// Algorithm 1: the reads below writes of the plan's order.
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
        let swapped = self.order.len() <= SWAP_COLUMNS;
        let cost = if swapped { order_cost } else { column_cost };
        let before = if cfg!(debug_assertions) { cost(self) } else { 0 };
        let mut columns = Columns::new(self);
        if swapped {
            while columns.best_swap() {}
        } else {
            while columns.sift_all() {}
        }
        self.order = columns.order.iter().map(|&c| SlotId(c)).collect();
        debug_assert!(cost(self) <= before, "the cost of an order only falls");
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
    /// The columns of each row.
    rows: Vec<Vec<u32>>,
    /// The rows of each column, ascending.
    rows_at: Vec<Vec<u32>>,
    /// Of each row, the two highest and the two lowest positions of its columns.
    ends: Vec<RowEnds>,
}

/// Where a row begins and ends, with and without its outermost columns. A row of one column has
/// it twice.
#[derive(Clone, Copy, Debug)]
struct RowEnds {
    first: [u32; 2],
    last: [u32; 2],
}

impl RowEnds {
    fn new(row: &[u32], position: &[u32]) -> RowEnds {
        let mut at: Vec<u32> = row.iter().map(|&c| position[c as usize]).collect();
        at.sort_unstable();
        let get = |i: usize| at.get(i).or(at.last()).copied().unwrap_or(0);
        let last = at.len().saturating_sub(1);
        RowEnds { first: [get(0), get(1)], last: [get(last), get(last.saturating_sub(1))] }
    }

    /// How much longer the row gets when its column at `from` goes to `to`.
    fn moving(&self, from: u32, to: u32) -> i64 {
        if self.first[0] == self.last[0] {
            return 0;
        }
        let rest = |ends: [u32; 2]| if ends[0] == from { ends[1] } else { ends[0] };
        let (first, last) = (rest(self.first).min(to), rest(self.last).max(to));
        i64::from(last - first) - i64::from(self.last[0] - self.first[0])
    }
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
        let columns = |g: &PlannedGroup| g.entries.iter().map(|e| e.0.0).collect::<Vec<u32>>();
        let rows: Vec<Vec<u32>> = plan.groups.iter().map(columns).collect();
        let mut rows_at = vec![Vec::new(); plan.order.len()];
        for (i, row) in rows.iter().enumerate() {
            row.iter().for_each(|&c| rows_at[c as usize].push(i as u32));
        }
        let position = plan.depths();
        Columns {
            order: plan.order.iter().map(|s| s.0).collect(),
            ends: rows.iter().map(|row| RowEnds::new(row, &position)).collect(),
            position,
            partners: maps.into_iter().map(list).collect(),
            rows,
            rows_at,
        }
    }

    /// How much longer the rows of the column at `from` get when it goes to `to`, those of
    /// the column there left out.
    fn stretching(&self, from: usize, to: usize) -> i64 {
        let (own, others) = (self.order[from] as usize, self.order[to] as usize);
        let mut others = self.rows_at[others].iter().peekable();
        let mut change = 0;
        for row in &self.rows_at[own] {
            while others.next_if(|&&other| other < *row).is_some() {}
            if others.peek() != Some(&row) {
                change += self.ends[*row as usize].moving(from as u32, to as u32);
            }
        }
        change
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
        let reads = between + self.passing(i, j) + self.passing(j, i);
        reads + self.stretching(i, j) + self.stretching(j, i)
    }

    /// Algorithm 2: makes the best swap; false if none lowers the cost.
    fn best_swap(&mut self) -> bool {
        let mut best = (0, 0, 0);
        for i in 0..self.order.len() {
            for j in i + 1..self.order.len() {
                best = best.min((self.swapping(i, j), i, j));
            }
        }
        let (change, i, j) = best;
        if change < 0 {
            self.order.swap(i, j);
            self.position[self.order[i] as usize] = i as u32;
            self.position[self.order[j] as usize] = j as u32;
            for column in [self.order[i], self.order[j]] {
                for &row in &self.rows_at[column as usize] {
                    let columns = &self.rows[row as usize];
                    self.ends[row as usize] = RowEnds::new(columns, &self.position);
                }
            }
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
