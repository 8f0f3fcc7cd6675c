//! One hunt: walks, neighbourhoods and guided searches in rounds of growing work.

use super::HuntOutcome;
use super::guided::Guided;
use super::walk::{Style, Tie, Walker};
use crate::check::{run_of, states_of_accepting_components, suggested};
use crate::emptiness::shorten;
use crate::graph::{Graph, Lasso, SearchStats};
use crate::probe::{Probe, probe};
use crate::product::Product;
use crate::space::Space;
use crate::successors::Successors;
use brine_ltl::{Automaton, Class};
use brine_run::{Control, Deepening, Standing, Stop, grown};
use std::sync::Arc;

/// Steps of a walk in the first round.
const FIRST_WALK: u64 = 250;
/// Steps of the longest walks.
const LONGEST_WALK: u32 = 1 << 22;
/// Product states in the neighbourhood, and in the guided search, of the first round. Storing a
/// marking costs as much as the net has places: of a net with more than `USUAL_PLACES` the first
/// round searches fewer states, in the same time, but at least `FEWEST`.
const FIRST_SEARCH: u64 = 1_000;
const USUAL_PLACES: u64 = 20_000;
const FEWEST: u64 = 20;
/// Runs of walks that are longer than this are replaced by shorter ones, if the neighbourhood
/// of so many product states has one.
const SHORT: usize = 12;
const SHORTENING_SIZE: usize = 4_000;
/// Long walks are so many times as long as the others.
const LONG: u64 = 8;

/// A manner of walking, whatever the length.
struct Manner {
    tie: Tie,
    /// Labels pull.
    guided: bool,
    /// Marks pull back to where they were taken.
    homing: bool,
    /// Random steps in a hundred.
    noise: u32,
    /// The automaton waits for a while before it moves on.
    waits: bool,
    long: bool,
}

const fn manner(tie: Tie, noise: u32) -> Manner {
    Manner { tie, guided: true, homing: false, noise, waits: false, long: false }
}

/// The walks of a round.
const MANNERS: [Manner; 12] = [
    manner(Tie::Priority, 0),
    Manner { homing: true, ..manner(Tie::Recent, 0) },
    Manner { waits: true, ..manner(Tie::Random, 0) },
    Manner { guided: false, waits: true, ..manner(Tie::Priority, 0) },
    Manner { waits: true, homing: true, ..manner(Tie::Priority, 2) },
    manner(Tie::Recent, 5),
    Manner { homing: true, ..manner(Tie::Random, 5) },
    Manner { guided: false, waits: true, ..manner(Tie::Recent, 2) },
    Manner { waits: true, ..manner(Tie::Recent, 20) },
    Manner { homing: true, ..manner(Tie::Priority, 20) },
    Manner { long: true, ..manner(Tie::Priority, 0) },
    Manner { long: true, homing: true, waits: true, ..manner(Tie::Random, 2) },
];

/// One way to hunt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Runs of the product, one in each manner.
    Walks,
    /// The nearest states.
    Neighbourhood,
    /// An emptiness check in a guided order.
    GuidedSearch,
}

/// What a turn decided: a run, or that there is none; nothing otherwise.
type Decided<R> = Option<Option<R>>;

/// A hunt, as far as it has come.
#[derive(Debug)]
pub(super) struct Hunt<M: Successors> {
    pub(super) walker: Walker<M>,
    /// For neighbourhoods and guided searches; made when it is first needed.
    pub(super) product: Option<Product<M>>,
    aut: Arc<Automaton>,
    ways: Deepening<Way>,
    control: Control,
    seed: u64,
    /// Neighbourhoods are used, for long runs of walks as well.
    neighbourhoods: bool,
    /// Neighbourhoods and guided searches ran out of memory.
    searches_full: bool,
    /// What ended a way for good, last.
    full: Stop,
    pub(super) outcome: HuntOutcome<M::Run>,
}

impl<M: Successors> Hunt<M> {
    pub(super) fn new(
        walker: Walker<M>,
        product: Option<Product<M>>,
        aut: Arc<Automaton>,
        ways: Deepening<Way>,
        control: Control,
        seed: u64,
    ) -> Self {
        let neighbourhoods = ways.members().contains(&Way::Neighbourhood);
        let outcome = HuntOutcome::stopped(Stop::Work);
        let (searches_full, full) = (false, Stop::Memory);
        Hunt {
            walker,
            product,
            aut,
            ways,
            control,
            seed,
            neighbourhoods,
            searches_full,
            full,
            outcome,
        }
    }

    pub(super) fn resume(&mut self, control: Control) {
        self.walker.resume(control.clone());
        if let Some(product) = &mut self.product {
            product.meter().resume(control.clone());
        }
        self.control = control;
    }

    pub(super) fn used(&self) -> u64 {
        self.product.as_ref().map_or(0, |p| p.markings().meter().used())
    }

    /// Rounds up to so much work, and so many in all.
    pub(super) fn advance(&mut self, work: u64, rounds: u32) -> Result<Option<M::Run>, Stop> {
        while self.ways.next_work() <= work && self.ways.rounds() < rounds {
            let mut ways = std::mem::replace(&mut self.ways, Deepening::new(Vec::new(), 0));
            let round = ways.rounds();
            let turn = |way: &mut Way, _| self.turn(*way, round);
            let standing = |result: &Result<Decided<M::Run>, Stop>| match result {
                Ok(None) => Standing::Open,
                Err(Stop::Memory | Stop::Overflow | Stop::Runaway) => Standing::Out,
                _ => Standing::Decided,
            };
            let last = ways.one_by_one(turn, standing).pop();
            self.ways = ways;
            match last {
                Some(Ok(Some(decided))) => return Ok(decided),
                Some(Err(stop @ (Stop::Timeout | Stop::Cancelled | Stop::Work))) => {
                    return Err(stop);
                }
                _ if self.ways.members().is_empty() => return Err(self.full),
                _ => (),
            }
        }
        self.walker.forget()?;
        Err(Stop::Work)
    }

    /// One way in one round, counted from 0.
    fn turn(&mut self, way: Way, round: u32) -> Result<Decided<M::Run>, Stop> {
        let seed = self.seed.wrapping_add(u64::from(round) << 32);
        let result = match way {
            Way::Walks => self.walks(seed, round),
            Way::Neighbourhood | Way::GuidedSearch if self.searches_full => Err(self.full),
            Way::Neighbourhood | Way::GuidedSearch => {
                self.search(way, seed.wrapping_add(u64::from(round)), round)
            }
        };
        if let Err(stop @ (Stop::Memory | Stop::Overflow | Stop::Runaway)) = result {
            self.full = stop;
            if way != Way::Walks {
                (self.searches_full, self.product) = (true, None);
            }
        }
        result
    }

    /// A walk in each manner.
    fn walks(&mut self, seed: u64, round: u32) -> Result<Decided<M::Run>, Stop> {
        self.outcome.search = "walk";
        self.walker.reseed(seed);
        let found = walk_round(&mut self.walker, round);
        self.outcome.steps = self.walker.steps;
        self.outcome.peak_bytes = self.outcome.peak_bytes.max(self.walker.peak_bytes());
        let Some(run) = found? else { return Ok(None) };
        let long = M::run_length(&run) > SHORT;
        let may_search = self.neighbourhoods && !self.searches_full;
        Ok(Some(Some(if long && may_search { self.shorter(run) } else { run })))
    }

    /// The product, for neighbourhoods and guided searches.
    fn product(&mut self) -> Result<&mut Product<M>, Stop> {
        let product = match self.product.take() {
            Some(product) => product,
            None => {
                let markings = self.walker.fresh_markings(self.control.clone())?;
                product_of(Space::new(markings), &self.aut)
            }
        };
        Ok(self.product.insert(product))
    }

    /// A walk goes astray: a run from the neighbourhood of the initial state, if there is a
    /// shorter one.
    fn shorter(&mut self, run: M::Run) -> M::Run {
        let weak = self.aut.class() <= Class::Weak;
        let Ok(product) = self.product() else { return run };
        product.meter().grace();
        let found = probe(product, SHORTENING_SIZE, &mut SearchStats::default());
        let Ok(Probe::Found(lasso)) = found else { return run };
        let lasso = shorten(product, lasso.clone(), weak, SHORTENING_SIZE).unwrap_or(lasso);
        match run_of(product, &lasso) {
            Ok(near) if M::run_length(&near) < M::run_length(&run) => near,
            _ => run,
        }
    }

    /// A neighbourhood or a guided search. `Some(None)`: the whole product was searched, there is
    /// nothing.
    fn search(&mut self, way: Way, seed: u64, round: u32) -> Result<Decided<M::Run>, Stop> {
        let class = self.aut.class();
        let first = first_search(self.product()?.markings().shape().places().len() as u64);
        let limit = usize::try_from(grown(first, round)).unwrap_or(usize::MAX);
        let Some(product) = &mut self.product else { return Ok(None) };
        self.outcome.stats = SearchStats::default();
        let stats = &mut self.outcome.stats;
        let found = if way == Way::Neighbourhood {
            self.outcome.search = "probe";
            match probe(product, limit, stats)? {
                Probe::Found(lasso) => Some(Some(lasso)),
                Probe::Empty => Some(None),
                Probe::NotNear => None,
            }
        } else {
            self.outcome.search = "guided";
            let pilot = self.walker.pilot();
            search_guided(&mut Guided::new(product, pilot, seed, limit), class, stats)?
        };
        let decided = match found {
            Some(Some(lasso)) => {
                product.meter().grace();
                Some(Some(run_of(product, &lasso)?))
            }
            // What was searched to the end is not everything.
            Some(None) if product.markings().leaves_out() => None,
            Some(None) => Some(None),
            None => None,
        };
        let markings = product.markings();
        self.outcome.markings = markings.known() as u64;
        self.outcome.peak_bytes = self.outcome.peak_bytes.max(markings.meter().peak());
        Ok(decided)
    }
}

/// States of the first searches in a net of so many places.
fn first_search(places: u64) -> u64 {
    (FIRST_SEARCH * USUAL_PLACES / places.max(USUAL_PLACES)).max(FEWEST)
}

/// The product that is searched in neighbourhoods and guided searches.
pub(super) fn product_of<M: Successors>(space: Space<M>, aut: &Arc<Automaton>) -> Product<M> {
    Product::new(space, None, aut.clone(), states_of_accepting_components(aut))
}

/// A walk in each manner.
fn walk_round<M: Successors>(walker: &mut Walker<M>, round: u32) -> Result<Option<M::Run>, Stop> {
    let usual = grown(FIRST_WALK, round);
    for manner in &MANNERS {
        let length = if manner.long { usual.saturating_mul(LONG) } else { usual };
        let length = length.min(u64::from(u32::MAX)) as u32;
        let style = Style {
            tie: manner.tie,
            guided: manner.guided,
            homing: manner.homing,
            noise: manner.noise,
            wait: if manner.waits { length / 4 } else { 0 },
            length: length.min(LONGEST_WALK),
        };
        if let Some(run) = walker.walk(style)? {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

/// Searches a guided product up to its limit; `None` if that decides nothing.
fn search_guided<M: Successors>(
    guided: &mut Guided<'_, M>,
    class: Class,
    stats: &mut SearchStats,
) -> Result<Option<Option<Lasso>>, Stop> {
    match suggested(class).search(guided, stats) {
        Ok(decided) => Ok(Some(decided)),
        Err(Stop::Work) if guided.is_used_up() => Ok(None),
        Err(stop) => Err(stop),
    }
}
