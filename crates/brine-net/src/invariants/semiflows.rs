//! P-semiflows by the Farkas elimination (Martinez and Silva 1982; Colom and Silva 1990).
//!
//! ```text
//! rows := one per place
//! while a row has an effect:
//!     t := the transition whose elimination makes the fewest new rows
//!     for every row x with effect(t) > 0 and y with effect(t) < 0:
//!         add the combination of x and y that cancels t, if its support is minimal
//!     drop every row with effect(t) != 0
//! what is left are the semiflows of minimal support
//! ```
//!
//! Their number can be exponential, so several passes share the limit on elementary steps:
//!
//! 1. *Narrow*: every row is combined with its best partner only (small weights, short
//!    support), and supports need not be minimal. The tableau never grows, the cost is
//!    nearly linear, and the semiflows found cover nearly every place that has one.
//! 2. *Falling*, when places are not covered: narrow, and a transition on which no row
//!    rises is not cancelled but ignored. The sums it finds may fall but never rise
//!    ([`Semiflow::falls`]), which bounds their places just as well.
//! 3. *Exact*: the algorithm above. It finishes on most nets; [`Semiflows::complete`]
//!    says whether it did.
//! 4. *Wider*, when it did not: as the exact pass, but with the two best partners only.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::tableau::{Sparse, StepLimit, TableauRow, combine, effect, gcd, initial_rows};
use crate::{Incidence, Net, PlaceId};
use brine_run::Control;

/// Combinations that one elimination may look at, and in a narrow pass.
const MAX_NEW_ROWS: usize = 2_000;
const MAX_NARROW_ROWS: usize = 200;

/// Positive weights such that the weighted sum of tokens is `value` in every reachable
/// marking, or at most `value` if it `falls`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Semiflow {
    /// Places with their weights, all positive, sorted by place.
    pub weights: Vec<(PlaceId, u64)>,
    /// The weighted sum in the initial marking.
    pub value: u64,
    /// Some transition lowers the sum; none ever raises it.
    pub falls: bool,
}

impl Semiflow {
    /// Places that hold at most one token together: two tokens there would weigh more than
    /// the value, because each weight is more than half of it.
    pub fn room_for_one(&self) -> impl Iterator<Item = PlaceId> + '_ {
        self.weights.iter().filter(|&&(_, w)| w > self.value / 2).map(|&(p, _)| p)
    }

    /// The equation: `p + 2 q = 3`, or `<=` when the sum may fall.
    pub fn equation(&self, net: &Net) -> String {
        let term = |&(p, w): &(PlaceId, u64)| match w {
            1 => net.place(p).id().into_owned(),
            _ => format!("{w} {}", net.place(p).id()),
        };
        let sum: Vec<String> = self.weights.iter().map(term).collect();
        let relation = if self.falls { "<=" } else { "=" };
        format!("{} {relation} {}", sum.join(" + "), self.value)
    }

    /// True when no transition raises the weighted sum, and none lowers it unless it `falls`.
    fn is_kept(&self, incidence: &Incidence) -> bool {
        let effect = effect(incidence, self.weights.iter().map(|&(p, w)| (p, i128::from(w))));
        effect.into_values().all(|e| e == 0 || (self.falls && e < 0))
    }
}

/// What [`semiflows`] found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Semiflows {
    /// Semiflows, sorted by their places, each once.
    pub flows: Vec<Semiflow>,
    /// All semiflows of minimal support (that do not fall) are there.
    pub complete: bool,
    /// Elementary steps used.
    pub work: u64,
}

/// Finds P-semiflows, with at most `limit` elementary steps.
///
/// ```
/// use brine_net::{NetBuilder, Incidence, invariants::semiflows};
/// let mut b = NetBuilder::new("n");
/// let (p, q) = (b.place("p", 3), b.place("q", 0));
/// b.transition("t", &[(p, 2)], &[(q, 1)]);
/// let net = b.build().unwrap();
/// let found = semiflows(&net, &Incidence::new(&net), 1000);
/// assert!(found.complete);
/// assert_eq!(found.flows[0].weights, [(p, 1), (q, 2)]);
/// assert_eq!(found.flows[0].value, 3);
/// ```
pub fn semiflows(net: &Net, incidence: &Incidence, limit: u64) -> Semiflows {
    semiflows_within(net, incidence, limit, &Control::default())
}

/// The same under a control. When that stops it, what was found so far is given back, and is
/// not complete.
pub fn semiflows_within(
    net: &Net,
    incidence: &Incidence,
    limit: u64,
    control: &Control,
) -> Semiflows {
    let mut work = 0;
    let mut pass = |mode: Mode, percent: u64| {
        if control.is_over() {
            return (Vec::new(), false);
        }
        let share = limit / 100 * percent;
        let mut farkas = Farkas::new(net, incidence, mode, StepLimit::new(share, control));
        while farkas.step() {}
        work += share - farkas.work.left;
        farkas.finish(net)
    };
    let (mut flows, _) = pass(Mode { partners: 1, falling: false }, 40);
    if !covers_all_places(net, &flows) {
        flows.extend(pass(Mode { partners: 1, falling: true }, 30).0);
    }
    let (exact, complete) = pass(Mode { partners: usize::MAX, falling: false }, 10);
    flows.extend(exact);
    if !complete {
        flows.extend(pass(Mode { partners: 2, falling: false }, 20).0);
    }
    flows.sort();
    flows.dedup();
    debug_assert!(flows.iter().all(|flow| flow.is_kept(incidence)), "a sum that rises");
    Semiflows { flows, complete, work }
}

fn covers_all_places(net: &Net, flows: &[Semiflow]) -> bool {
    let mut covered = vec![false; net.places().len()];
    for &(p, _) in flows.iter().flat_map(|flow| &flow.weights) {
        covered[p.index()] = true;
    }
    !covered.contains(&false)
}

/// Which pass this is; see the module's head.
#[derive(Clone, Copy, Debug)]
struct Mode {
    /// Each row is combined with this many partners. One means a narrow pass.
    partners: usize,
    /// Negative effects may be ignored.
    falling: bool,
}

impl Mode {
    fn is_narrow(self) -> bool {
        self.partners == 1
    }
}

/// The state of one elimination.
struct Farkas<'c> {
    rows: Vec<Option<TableauRow>>,
    /// Rows with an effect at each column; dropped rows are weeded out when met.
    columns: Vec<Vec<u32>>,
    positive: Vec<usize>,
    negative: Vec<usize>,
    /// Columns by the number of rows their elimination makes; stale entries are skipped.
    queue: BinaryHeap<Reverse<(usize, u32)>>,
    queued: Vec<usize>,
    /// Rows by the first place of their support, for the test of minimality.
    by_first_place: Vec<Vec<u32>>,
    changed: Vec<u32>,
    complete: bool,
    mode: Mode,
    work: StepLimit<'c>,
}

const NOT_QUEUED: usize = usize::MAX;

impl<'c> Farkas<'c> {
    fn new(net: &Net, incidence: &Incidence, mode: Mode, work: StepLimit<'c>) -> Self {
        let (rows, columns) = initial_rows(net, incidence);
        let mut farkas = Farkas {
            rows: Vec::with_capacity(rows.len()),
            columns: vec![Vec::new(); columns],
            positive: vec![0; columns],
            negative: vec![0; columns],
            queue: BinaryHeap::new(),
            queued: vec![NOT_QUEUED; columns],
            by_first_place: vec![Vec::new(); net.places().len()],
            changed: Vec::new(),
            complete: true,
            mode,
            work,
        };
        for row in rows {
            farkas.insert(row);
        }
        farkas.requeue();
        farkas
    }

    fn insert(&mut self, row: TableauRow) {
        let number = self.rows.len() as u32;
        for &(t, e) in &row.effect {
            self.columns[t as usize].push(number);
            let count = if e > 0 { &mut self.positive } else { &mut self.negative };
            count[t as usize] += 1;
            self.changed.push(t);
        }
        if let Some(first) = self.first_place(&row) {
            self.by_first_place[first].push(number);
        }
        self.rows.push(Some(row));
    }

    /// Where the row is listed for the test of minimality, which narrow passes do without.
    fn first_place(&self, row: &TableauRow) -> Option<usize> {
        let first = row.weights.first().map(|&(p, _)| p as usize);
        first.filter(|_| !self.mode.is_narrow())
    }

    fn remove(&mut self, number: u32) {
        let Some(row) = self.rows[number as usize].take() else { return };
        for &(t, e) in &row.effect {
            let count = if e > 0 { &mut self.positive } else { &mut self.negative };
            count[t as usize] -= 1;
            self.changed.push(t);
        }
        if let Some(first) = self.first_place(&row) {
            let same_first = &mut self.by_first_place[first];
            self.work.spend(same_first.len() / 8);
            same_first.retain(|&n| n != number);
        }
    }

    /// Queues the columns whose counts have changed.
    fn requeue(&mut self) {
        for t in std::mem::take(&mut self.changed) {
            let i = t as usize;
            let cost = self.positive[i].saturating_mul(self.negative[i]);
            if self.positive[i] + self.negative[i] > 0 && self.queued[i] != cost {
                self.queued[i] = cost;
                self.queue.push(Reverse((cost, t)));
            }
        }
    }

    /// Eliminates the cheapest column; false when none is left or the work is used up.
    fn step(&mut self) -> bool {
        let Some(Reverse((cost, t))) = self.queue.pop() else { return false };
        let column = t as usize;
        if self.queued[column] != cost {
            return true;
        }
        self.queued[column] = NOT_QUEUED;
        let ignore = self.mode.falling && self.positive[column] == 0;
        let mut alive = std::mem::take(&mut self.columns[column]);
        alive.retain(|&n| self.rows[n as usize].is_some());
        let new_rows =
            if ignore { self.strike_out(t, &alive) } else { self.combinations(t, &alive) };
        for number in alive {
            self.remove(number);
        }
        for row in new_rows {
            if self.mode.is_narrow() || self.is_minimal(&row) {
                self.insert(row);
            }
        }
        self.requeue();
        if self.work.left == 0 {
            self.complete = false;
        }
        self.work.left > 0
    }

    /// The rows without their effect on column `t`, which is negative for all of them.
    fn strike_out(&mut self, t: u32, alive: &[u32]) -> Vec<TableauRow> {
        let mut rows: Vec<TableauRow> =
            alive.iter().filter_map(|&n| self.rows[n as usize].clone()).collect();
        for row in &mut rows {
            self.work.spend(row.len());
            row.effect.retain(|e| e.0 != t);
            row.falls = true;
        }
        // A row must not look superfluous because of its own copy.
        for &number in alive {
            self.remove(number);
        }
        rows
    }

    /// The combinations that cancel column `t`, short supports first, because they are
    /// the ones that make others superfluous.
    fn combinations(&mut self, t: u32, alive: &[u32]) -> Vec<TableauRow> {
        let (plus, minus): (Vec<&TableauRow>, Vec<&TableauRow>) = alive
            .iter()
            .filter_map(|&n| self.rows[n as usize].as_ref())
            .partition(|row| row.effect_of(t) > 0);
        let most = if self.mode.is_narrow() { MAX_NARROW_ROWS } else { MAX_NEW_ROWS };
        let (pairs, all) = pairs(plus.len(), minus.len(), most);
        self.complete &= all;
        let mut found = Vec::with_capacity(pairs.len());
        for (i, j) in pairs {
            if !self.work.spend(2 * (plus[i].len() + minus[j].len())) {
                self.complete = false;
                break;
            }
            match cancel(plus[i], minus[j], t) {
                Some(row) => found.push((i, j, row)),
                None => self.complete = false,
            }
        }
        found.sort_by(|(.., a), (.., b)| quality(a).cmp(&quality(b)));
        if self.mode.partners < plus.len().max(minus.len()) {
            found = best_partners(found, [plus.len(), minus.len()], self.mode.partners);
        }
        found.into_iter().map(|(.., row)| row).collect()
    }

    /// No other row has a support inside this one's. An equal support counts as inside.
    fn is_minimal(&mut self, row: &TableauRow) -> bool {
        for &(p, _) in &row.weights {
            for &n in &self.by_first_place[p as usize] {
                let Some(other) = &self.rows[n as usize] else { continue };
                self.work.spend(other.weights.len());
                if is_within(&other.weights, &row.weights) {
                    return false;
                }
            }
        }
        true
    }

    /// The rows that are invariants, and whether all of them were found.
    fn finish(self, net: &Net) -> (Vec<Semiflow>, bool) {
        let rows = self.rows.iter().flatten().filter(|row| row.effect.is_empty());
        let flows: Vec<Option<Semiflow>> = rows.map(|row| to_semiflow(net, row)).collect();
        let complete = self.complete && !flows.contains(&None);
        (flows.into_iter().flatten().collect(), complete)
    }
}

/// Which rows to combine: all pairs, or, when they are too many, a selection in which
/// every row has a partner. The flag says that it is all of them.
fn pairs(plus: usize, minus: usize, most: usize) -> (Vec<(usize, usize)>, bool) {
    if plus == 0 || minus == 0 {
        return (Vec::new(), true);
    }
    if plus.saturating_mul(minus) <= most {
        let all = (0..plus).flat_map(|i| (0..minus).map(move |j| (i, j))).collect();
        return (all, true);
    }
    ((0..plus.max(minus)).map(|k| (k % plus, k % minus)).collect(), false)
}

/// Order of merit: small weights, short support, little effect left.
fn quality(row: &TableauRow) -> (i64, usize, usize, &Sparse) {
    let largest = row.weights.iter().map(|w| w.1).max().unwrap_or(0);
    (largest, row.weights.len(), row.effect.len(), &row.weights)
}

/// From combinations sorted by merit, those among the `partners` best of one of their rows.
fn best_partners(
    mut found: Vec<(usize, usize, TableauRow)>,
    [plus, minus]: [usize; 2],
    partners: usize,
) -> Vec<(usize, usize, TableauRow)> {
    let (mut kept_of_plus, mut kept_of_minus) = (vec![0; plus], vec![0; minus]);
    found.retain(|&(i, j, _)| {
        kept_of_plus[i] += 1;
        kept_of_minus[j] += 1;
        kept_of_plus[i] <= partners || kept_of_minus[j] <= partners
    });
    found
}

/// The smallest combination of `x` and `y` that cancels column `t`.
fn cancel(x: &TableauRow, y: &TableauRow, t: u32) -> Option<TableauRow> {
    let (up, down) = (x.effect_of(t), y.effect_of(t).checked_neg()?);
    let divisor = i64::try_from(gcd(up.unsigned_abs(), down.unsigned_abs())).ok()?;
    let row = combine(x, down / divisor, y, up / divisor)?;
    debug_assert!(row.effect_of(t) == 0, "the column is not cancelled");
    debug_assert!(row.weights.iter().all(|w| w.1 > 0), "weights of a semiflow are positive");
    Some(row)
}

/// Every index of `inner` is one of `outer`.
fn is_within(inner: &Sparse, outer: &Sparse) -> bool {
    if inner.len() > outer.len() {
        return false;
    }
    let mut rest = outer.iter();
    inner.iter().all(|&(p, _)| rest.any(|&(q, _)| p == q))
}

/// The row as a semiflow; `None` if its value is beyond `u64`.
fn to_semiflow(net: &Net, row: &TableauRow) -> Option<Semiflow> {
    let mut value = 0_u64;
    let mut weights = Vec::with_capacity(row.weights.len());
    for &(p, w) in &row.weights {
        let (p, w) = (PlaceId(p), u64::try_from(w).ok()?);
        value = value.checked_add(w.checked_mul(u64::from(net.place(p).initial))?)?;
        weights.push((p, w));
    }
    Some(Semiflow { weights, value, falls: row.falls })
}
