//! Operations on the matrix before a search (MKBP14 section 3.2): merging and sorting rows,
//! sorting and swapping columns.
//!
//! *Row subsumption* (Definition 9): a row whose entries all lie below those of another one
//! in the order of figure 3 is merged into it. There are fewer groups then, with larger
//! relations. Rows that could subsume a given one are found through the slot with the
//! fewest rows, so large matrices are no problem.
//!
//! *Sorts* put writes near the diagonal: columns go where the first row writes them, rows
//! where they first write. Column swaps: [`crate::column_swap`].

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use rustc_hash::FxHashMap;

use crate::interface::{Pins, SlotId};
use crate::matrix::Dependency;
use crate::plan::{Plan, PlannedGroup};

/// One operation on the matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatrixOperation {
    /// `ru`: merge rows into rows that subsume them.
    RowSubsume,
    /// `rs`: sort rows by the first column that they write.
    RowSort,
    /// `cs`: sort columns by the first row that writes them.
    ColumnSort,
    /// `cw`: swap columns so that reads come before writes.
    ColumnSwap,
}

impl MatrixOperation {
    /// All operations.
    pub const ALL: [MatrixOperation; 4] = [
        MatrixOperation::RowSubsume,
        MatrixOperation::RowSort,
        MatrixOperation::ColumnSort,
        MatrixOperation::ColumnSwap,
    ];

    /// The short name.
    pub fn name(self) -> &'static str {
        match self {
            MatrixOperation::RowSubsume => "ru",
            MatrixOperation::RowSort => "rs",
            MatrixOperation::ColumnSort => "cs",
            MatrixOperation::ColumnSwap => "cw",
        }
    }

    /// Whether it changes the order of the columns.
    pub fn moves_columns(self) -> bool {
        matches!(self, MatrixOperation::ColumnSort | MatrixOperation::ColumnSwap)
    }
}

/// A list of operations, as in `ru,cs,rs,cw,rs`.
///
/// ```
/// use brine_pins::{MatrixOperation, Regroup};
/// let regroup: Regroup = "cs,cw".parse().unwrap();
/// assert_eq!(regroup.0, [MatrixOperation::ColumnSort, MatrixOperation::ColumnSwap]);
/// assert!("cs,xy".parse::<Regroup>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Regroup(pub Vec<MatrixOperation>);

impl fmt::Display for Regroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|o| o.name()).collect();
        f.write_str(&names.join(","))
    }
}

impl FromStr for Regroup {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let operation = |name: &str| {
            let found = MatrixOperation::ALL.into_iter().find(|o| o.name() == name.trim());
            found.ok_or_else(|| {
                let known = MatrixOperation::ALL.map(MatrixOperation::name).join(", ");
                format!("\"{}\" is no operation on the matrix; known are {known}", name.trim())
            })
        };
        text.split([',', ';']).map(operation).collect::<Result<_, _>>().map(Regroup)
    }
}

/// Everything that is done to the matrix of a model, in this order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MatrixOptions {
    /// `w2W`
    pub must_to_may: bool,
    /// `W2+`
    pub may_to_read_write: bool,
    /// Then these.
    pub regroup: Regroup,
}

impl MatrixOptions {
    /// The plan for a model whose slots come in `order`, top level first.
    pub fn plan(&self, model: &dyn Pins, order: Vec<SlotId>) -> Plan {
        let mut plan = Plan::new(model).ordered(order);
        for operation in &self.regroup.0 {
            match operation {
                MatrixOperation::RowSubsume => plan.subsume_rows(),
                MatrixOperation::RowSort => plan.sort_rows(),
                MatrixOperation::ColumnSort => plan.sort_columns(),
                MatrixOperation::ColumnSwap => plan.swap_columns(),
            }
        }
        // Afterwards, so that what is compared has one order: as in Table 4.
        if self.must_to_may {
            plan.must_to_may();
        }
        if self.may_to_read_write {
            plan.may_to_read_write();
        }
        debug_assert!(plan.is_of(model), "a slot or a group was lost");
        plan
    }
}

/// How high a dependency stands in figure 3: what lies strictly below another stands lower.
fn height(dependency: Dependency) -> u32 {
    match dependency {
        Dependency::Copy => 0,
        Dependency::MustWrite => 1,
        Dependency::Read | Dependency::MayWrite => 2,
        Dependency::ReadWrite => 3,
    }
}

/// Row subsumption `small ⊑ large` (Definition 9); both ascend by slot.
fn is_subsumed(small: &[(SlotId, Dependency)], large: &[(SlotId, Dependency)]) -> bool {
    let mut rest = small.iter().peekable();
    for &(slot, dependency) in large {
        let own = rest.next_if(|e| e.0 == slot).map_or(Dependency::Copy, |e| e.1);
        if !own.is_below(dependency) {
            return false;
        }
    }
    rest.next().is_none()
}

impl Plan {
    /// Merges each row into one that subsumes it, where there is one.
    pub fn subsume_rows(&mut self) {
        // A row that subsumes another one has no fewer entries, and if it has as many, higher
        // ones; so it comes first.
        let size = |i: &usize| {
            let entries = &self.groups[*i].entries;
            (entries.len(), entries.iter().map(|e| height(e.1)).sum::<u32>())
        };
        let mut by_size: Vec<usize> = (0..self.groups.len()).collect();
        by_size.sort_by_key(|i| Reverse(size(i)));
        // Rows that stay, by slot.
        let mut at: FxHashMap<SlotId, Vec<usize>> = FxHashMap::default();
        let mut merged: Vec<Option<usize>> = vec![None; self.groups.len()];
        for i in by_size {
            let entries = &self.groups[i].entries;
            let lists = entries.iter().map(|e| at.get(&e.0).map_or(&[][..], Vec::as_slice));
            let shortest = lists.min_by_key(|rows| rows.len()).unwrap_or(&[]);
            let into = shortest.iter().find(|&&k| is_subsumed(entries, &self.groups[k].entries));
            merged[i] = into.copied();
            if merged[i].is_none() {
                entries.iter().for_each(|e| at.entry(e.0).or_default().push(i));
            }
        }
        for (i, into) in merged.iter().enumerate() {
            if let Some(k) = *into {
                let members = std::mem::take(&mut self.groups[i].members);
                self.groups[k].members.extend(members);
            }
        }
        self.groups.retain(|g| !g.members.is_empty());
        self.groups.iter_mut().for_each(|g| g.members.sort_unstable());
    }

    /// Sorts rows by the first column that they write; rows that write nothing come last.
    pub fn sort_rows(&mut self) {
        let depths = self.depths();
        let first = |g: &PlannedGroup| {
            let written = g.entries.iter().filter(|e| e.1.writes());
            written.map(|e| depths[e.0.index()]).min().unwrap_or(u32::MAX)
        };
        self.groups.sort_by_cached_key(first);
    }

    /// Sorts columns by the first row that writes them; columns never written come last.
    pub fn sort_columns(&mut self) {
        let mut first = vec![usize::MAX; self.order.len()];
        for (i, group) in self.groups.iter().enumerate().rev() {
            group.entries.iter().filter(|e| e.1.writes()).for_each(|e| first[e.0.index()] = i);
        }
        self.order.sort_by_key(|slot| first[slot.index()]);
    }
}
