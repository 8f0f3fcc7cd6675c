//! Reductions that keep every marking recoverable: smaller nets to count with.
//!
//! [`reduce_markings`] makes a net smaller and writes down linear *equations* between the old
//! places and the new ones, so that the reachable markings of the old net are exactly the
//! solutions of the equations over the reachable markings of the new net, and each old marking
//! belongs to one new marking. Then the old net need not be searched: its markings are counted
//! by counting solutions ([`MarkingReduction::expand`]). The idea is that of Berthomieu, Le
//! Botlan and Dal Zilio, "Counting Petri net markings from reduction equations" (2019).
//!
//! *Words.* A rule turns a net N into N' with equations E. It is *exact* if (1) a marking m is
//! reachable in N iff some m' reachable in N' solves E together with m, and (2) that m' is
//! determined by m. Exact rules compose: put the equations together. Each rule is a file whose
//! head proves it exact.
//!
//! *Why not the rules for formulas* (the rest of this crate). Those keep what a property can see
//! of runs and may lose markings: an agglomeration skips the markings in between, an implied
//! place may have more tokens than can be told. Rules that keep the marking graph as it is but
//! for transitions that cannot matter are shared: constant places, dead and dominated
//! transitions. The draft, its work lists and the reduced net are the same.
//!
//! *Invariant*: a place of the draft stands for a node of the `Equations`, and each original
//! place is below exactly one node that is a place of the draft, or fixed, or a sum of others.
//!
//! *Cost*: a round is linear in the net; [`MarkingOptions::work`] limits the rest, and stopping
//! early is always right.

mod chained_place;
mod circling_places;
mod counter;
mod drained_place;
mod equations;
mod expansion;
mod guards;
mod idle_transition;
mod kernel;
mod redundant_place;
mod shortage;

use super::draft::Draft;
use super::result::{PlaceValue, Reduced};
use super::{Observed, constant_place, dead_transition, dominated_transition};
use brine_net::{Net, PlaceId, TransitionId};
use brine_run::{Control, Stop};
use equations::{Equations, Node};
pub use expansion::{ExpandedGuard, Expansion, Linear, Table};
use guards::Guards;

/// The rules that are not shared with the reductions for formulas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MarkingRule {
    /// Places whose tokens never change.
    ConstantPlace,
    /// Places that are a sum of others and never stand in the way.
    RedundantPlace,
    /// A place that is filled from another one only, token by token.
    ChainedPlace,
    /// Places among which tokens move freely.
    CirclingPlaces,
    /// Places whose tokens only vanish, one by one.
    DrainedPlace,
}

impl MarkingRule {
    /// All of them, in the order of their numbers.
    pub const ALL: [MarkingRule; 5] = [
        MarkingRule::ConstantPlace,
        MarkingRule::RedundantPlace,
        MarkingRule::ChainedPlace,
        MarkingRule::CirclingPlaces,
        MarkingRule::DrainedPlace,
    ];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            MarkingRule::ConstantPlace => "constant place",
            MarkingRule::RedundantPlace => "redundant place",
            MarkingRule::ChainedPlace => "chained place",
            MarkingRule::CirclingPlaces => "circling places",
            MarkingRule::DrainedPlace => "drained place",
        }
    }
}

/// What the reduction may do and use.
#[derive(Clone, Debug)]
pub struct MarkingOptions {
    /// When to stop, with no result.
    pub control: Control,
    /// Elementary steps.
    pub work: u64,
    /// The rules to use.
    pub rules: Vec<MarkingRule>,
}

impl Default for MarkingOptions {
    fn default() -> Self {
        let rules = MarkingRule::ALL.to_vec();
        MarkingOptions { control: Control::default(), work: 200_000_000, rules }
    }
}

/// The draft and what is written down about it.
struct Ledger {
    draft: Draft,
    equations: Equations,
    guards: Guards,
    counts: [u64; MarkingRule::ALL.len()],
}

impl Ledger {
    fn count(&mut self, rule: MarkingRule) {
        self.counts[rule as usize] += 1;
    }

    /// Makes one place, the first, of several whose tokens may be anywhere among them. False if
    /// a number would pass 32 bits.
    fn unite(&mut self, places: &[PlaceId]) -> bool {
        if !self.draft.fuse(places) {
            return false;
        }
        self.equations.unite(places);
        self.guards.unite(places);
        true
    }
}

/// A smaller net, and how its markings stand for those of the original one.
#[derive(Clone, Debug)]
pub struct MarkingReduction {
    /// The smaller net.
    pub net: Net,
    equations: Equations,
    guards: Guards,
    /// The node of each place of the smaller net.
    roots: Vec<Node>,
    counts: [u64; MarkingRule::ALL.len()],
}

impl MarkingReduction {
    /// How often each rule was applied.
    pub fn counts(&self) -> impl Iterator<Item = (MarkingRule, u64)> + '_ {
        MarkingRule::ALL.into_iter().zip(self.counts)
    }

    /// Whether there are fewer places.
    pub fn is_smaller(&self) -> bool {
        self.counts.iter().any(|&n| n > 0)
    }
}

/// Reduces a net so that its markings can be recovered.
///
/// ```
/// use brine_net::NetBuilder;
/// use brine_reduce::markings::{MarkingOptions, reduce_markings};
/// let mut b = NetBuilder::new("chain");
/// let (p, q, r) = (b.place("p", 5), b.place("q", 0), b.place("r", 0));
/// b.transition("t", &[(p, 1)], &[(q, 1)]);
/// b.transition("u", &[(q, 1)], &[(r, 1)]);
/// let reduced = reduce_markings(&b.build().unwrap(), &MarkingOptions::default()).unwrap();
/// assert_eq!(reduced.net.places().len(), 0);
/// let expansion = reduced.expand(&[], &Default::default()).unwrap();
/// assert_eq!(expansion.factor, 21u32.into(), "five tokens in three places");
/// ```
pub fn reduce_markings(net: &Net, options: &MarkingOptions) -> Result<MarkingReduction, Stop> {
    let mut pace = options.control.pace();
    let mut draft = Draft::new(net, &Observed::new(net), &mut pace)?;
    dead_transition::start(&mut draft, net, &[]);
    let guards = Guards::new(net, &draft);
    let equations = Equations::new(net.places().len());
    let mut ledger = Ledger { draft, equations, guards, counts: [0; MarkingRule::ALL.len()] };
    run(&mut ledger, options)?;
    let Ledger { draft, equations, guards, counts } = ledger;
    let old = net.place_ids().filter(|&p| draft.is_kept(p)).collect::<Vec<_>>();
    let reduced = Reduced::new(net, draft, &mut pace)?;
    let roots: Vec<Node> = old.iter().map(|&p| equations.node(p)).collect();
    debug_assert!(old.iter().enumerate().all(|(i, &p)| {
        let place = PlaceId(i as u32);
        reduced.value(p) == PlaceValue::Scaled { place, factor: 1, offset: 0 }
    }));
    Ok(MarkingReduction { net: reduced.net, equations, guards, roots, counts })
}

/// A rule about one place: true if it was applied.
type PlaceRule = fn(&mut Ledger, PlaceId) -> bool;

/// Applies rules until none applies or the limits are reached. Sums come before everything that
/// distributes tokens: a place whose tokens are distributed is removed in fewer cases.
fn run(ledger: &mut Ledger, options: &MarkingOptions) -> Result<(), Stop> {
    let allows = |rule| options.rules.contains(&rule);
    let phases: [&[(MarkingRule, PlaceRule)]; 2] = [
        &[
            (MarkingRule::ConstantPlace, constant),
            (MarkingRule::DrainedPlace, drained_place::apply),
            (MarkingRule::RedundantPlace, redundant_place::apply),
        ],
        &[(MarkingRule::ChainedPlace, chained_place::apply)],
    ];
    let mut pace = options.control.pace();
    let mut counted = 0;
    let mut applied = true;
    while std::mem::take(&mut applied) {
        ledger.draft.touch_everything();
        for rules in phases {
            loop {
                idle_transition::sweep(&mut ledger.draft);
                dominated_transition::sweep(&mut ledger.draft);
                ledger.draft.transitions.take();
                let places = ledger.draft.places.take();
                let mut again = false;
                for p in places.into_iter().map(PlaceId) {
                    let units =
                        ledger.draft.work - std::mem::replace(&mut counted, ledger.draft.work);
                    pace.steps(1 + units as usize)?;
                    if ledger.draft.work > options.work {
                        return Ok(());
                    }
                    if ledger.draft.is_kept(p) {
                        dead_transition::apply(&mut ledger.draft, p);
                    }
                    for &(_, rule) in rules.iter().filter(|&&(rule, _)| allows(rule)) {
                        again |= ledger.draft.is_kept(p) && rule(ledger, p);
                    }
                }
                applied |= again;
                if !again {
                    break;
                }
            }
            ledger.draft.touch_everything();
        }
        pace.look()?;
        if allows(MarkingRule::CirclingPlaces) {
            applied |= circling_places::sweep(ledger);
        }
    }
    Ok(())
}

/// The rule of [`constant_place`], which is exact: the place is where it was in every marking.
fn constant(ledger: &mut Ledger, p: PlaceId) -> bool {
    let tokens = ledger.draft.initial(p);
    if !constant_place::apply(&mut ledger.draft, p) {
        return false;
    }
    ledger.equations.fix(p, tokens);
    ledger.count(MarkingRule::ConstantPlace);
    true
}

/// Whether a transition only takes one token from `p`.
fn is_drain(draft: &Draft, t: TransitionId, p: PlaceId) -> bool {
    let arcs = draft.arcs(t);
    arcs.post.is_empty() && arcs.pre.as_slice() == [(p, 1)]
}
