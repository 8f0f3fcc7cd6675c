//! The hunt for a violating run: many cheap tries, the cheapest first.
//!
//! Most violated properties have a great many violating runs, and some of them are easy to
//! walk into if one knows where to go. A hunt goes in rounds, each with about four times the
//! work of the one before:
//! 1. *walks* (`walk`): a dozen runs of the product, in different manners, guided by what the
//!    automaton needs next. They keep no states but their own and find long runs;
//! 2. a *ball* ([`crate::probe`]): the nearest states, searched completely, finds short ones
//!    that walks stray from;
//! 3. a *dive* (`guided`): an emptiness check, depth first in a guided order, that remembers
//!    what it has seen and comes back from dead ends.
//!
//! Only exhausting the product, in a ball or a dive, shows that there is no such run. Work is
//! counted in steps and states, never in time, so the same seed gives the same hunt. Memory:
//! half of the budget for what searches store, half for the longest walk; whoever runs out of
//! its half is left out of the later rounds.

mod compass;
mod field;
mod growth;
mod guided;
mod pilot;
mod walk;

use crate::check::{run_of, states_of_accepting_components, suggested};
use crate::emptiness::shorten;
use crate::graph::{Graph, Lasso, SearchStats};
use crate::layout::Bound;
use crate::markings::Markings;
use crate::meter::{Limits, Stop};
use crate::probe::{Probe, probe};
use crate::product::Product;
use crate::setup::firing_order;
use crate::space::Space;
use brine_ltl::{Automaton, Class};
use brine_net::{Net, Run, TransitionId};
use guided::Guided;
use pilot::Pilot;
use walk::{Style, Tie, Walker};

/// Steps of a walk in the first round.
const FIRST_WALK: u32 = 250;
/// Steps of the longest walks.
const LONGEST_WALK: u32 = 1 << 22;
/// Product states in the ball, and in the dive, of the first round.
const FIRST_SEARCH: usize = 1_000;
/// Runs of walks that are longer than this are replaced by shorter ones, if the ball of so many
/// product states has one.
const SHORT: usize = 12;
const SHORTENING_BALL: usize = 4_000;
/// Each round does so many times the work of the one before.
const GROWTH: u32 = 4;
/// Long walks are so many times as long as the others.
const LONG: u32 = 8;

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

/// Which ways of hunting are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ways {
    /// Walks.
    pub walks: bool,
    /// Balls.
    pub balls: bool,
    /// Dives.
    pub dives: bool,
}

impl Ways {
    /// No way at all.
    pub const NONE: Ways = Ways { walks: false, balls: false, dives: false };
}

impl Default for Ways {
    fn default() -> Self {
        Ways { walks: true, balls: true, dives: true }
    }
}

/// How to hunt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HuntOptions {
    /// The same seed gives the same hunt.
    pub seed: u64,
    /// Which ways are used.
    pub ways: Ways,
    /// The first round; later ones begin with more work.
    pub first: u32,
    /// The number of rounds; `None`: until the limits stop it.
    pub rounds: Option<u32>,
}

/// What a hunt brought home.
#[derive(Clone, Debug)]
pub struct Catch {
    /// A run that the automaton accepts; `None` if there is none at all; or why it ended.
    pub run: Result<Option<Run>, Stop>,
    /// What decided: "walk", "probe" or "dive".
    pub search: &'static str,
    /// Steps of all walks.
    pub steps: u64,
    /// Figures of the last search.
    pub stats: SearchStats,
    /// Markings stored by searches.
    pub markings: u64,
    /// The most bytes that were in use.
    pub peak_bytes: u64,
}

/// Hunts in one net.
///
/// ```
/// use brine_explicit::Limits;
/// use brine_explicit::hunt::{HuntOptions, Hunter};
/// use brine_explicit::setup::guessed_bounds;
/// use brine_ltl::{Formulas, Options, Symbols, parse, translate};
/// use brine_net::NetBuilder;
/// let mut b = NetBuilder::new("lamp");
/// let (on, off) = (b.place("on", 1), b.place("off", 0));
/// b.transition("down", &[(on, 1)], &[(off, 1)]);
/// b.transition("up", &[(off, 1)], &[(on, 1)]);
/// let net = b.build().unwrap();
/// let mut formulas = Formulas::new();
/// let formula = parse("G F off = 1", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
/// let automaton = translate(&formulas, formula, &Options::default()).unwrap();
/// let mut hunter = Hunter::new(&net, guessed_bounds(&net), HuntOptions::default());
/// let run = hunter.hunt(&automaton, Limits::default()).run.unwrap().unwrap();
/// assert_eq!(run.cycle.len(), 2);
/// ```
#[derive(Debug)]
pub struct Hunter<'n> {
    net: &'n Net,
    bounds: Vec<Bound>,
    order: Vec<TransitionId>,
    options: HuntOptions,
    ground: Option<Ground<'n>>,
}

/// What serves the next hunt in the same net as well: compiled transitions, the markings that
/// searches have stored.
#[derive(Debug)]
struct Ground<'n> {
    walked: Markings<'n>,
    searched: Option<Space<'n>>,
}

impl Ground<'_> {
    /// New accounts for new limits.
    fn restart(&mut self, limits: &Limits) {
        let used = self.walked.store().allocated();
        self.walked.meter.restart(limits.clone(), used);
        if let Some(space) = &mut self.searched {
            space.restart(limits.clone());
        }
    }
}

impl<'n> Hunter<'n> {
    /// A hunter that knows bounds of the places, or guesses (see `setup`).
    pub fn new(net: &'n Net, bounds: Vec<Bound>, options: HuntOptions) -> Self {
        Hunter { net, bounds, order: firing_order(net, 0), options, ground: None }
    }

    /// Hunts for a run of the net that the automaton accepts.
    pub fn hunt(&mut self, aut: &Automaton, limits: Limits) -> Catch {
        let mut caught = Catch {
            run: Err(Stop::Work),
            search: "walk",
            steps: 0,
            stats: SearchStats::default(),
            markings: 0,
            peak_bytes: 0,
        };
        let limits = Limits { memory: limits.memory.map(|m| m / 2), ..limits };
        // Taken out, so that a panic or a full memory leaves nothing half-built behind.
        let mut ground = match self.ground.take().map_or_else(|| self.survey(&limits), Ok) {
            Ok(ground) => ground,
            Err(stop) => return Catch { run: Err(stop), ..caught },
        };
        ground.restart(&limits);
        caught.run = self.rounds(aut, &mut ground, &limits, &mut caught);
        if !matches!(caught.run, Err(Stop::Memory | Stop::Overflow)) {
            self.ground = Some(ground);
        }
        caught
    }

    fn survey(&self, limits: &Limits) -> Result<Ground<'n>, Stop> {
        let walked = Markings::new(self.net, &self.bounds, &self.order, limits.clone())?;
        Ok(Ground { walked, searched: None })
    }

    fn rounds(
        &self,
        aut: &Automaton,
        ground: &mut Ground<'n>,
        limits: &Limits,
        caught: &mut Catch,
    ) -> Result<Option<Run>, Stop> {
        let seed = self.options.seed.wrapping_add(u64::from(self.options.first) << 32);
        let mut walker = Walker::new(self.net, aut, &mut ground.walked, seed)?;
        let mut ways = self.options.ways;
        let first = self.options.first;
        let mut walked = None;
        // What the last way out of the hunt was.
        let mut full = Stop::Memory;
        for round in first..self.options.rounds.map_or(u32::MAX, |n| first.saturating_add(n)) {
            if ways.walks {
                caught.search = "walk";
                let found = walk_round(&mut walker, round);
                caught.steps = walker.steps;
                caught.peak_bytes = caught.peak_bytes.max(walker.peak_bytes());
                let found = unless_full(found, |stop| {
                    ways.walks = false;
                    full = stop;
                })?;
                let long = |run: &Run| run.len() > SHORT;
                if !(ways.balls && found.as_ref().is_some_and(long)) && found.is_some() {
                    return Ok(found);
                }
                walked = found;
            }
            if ways.balls || ways.dives {
                let space = match &mut ground.searched {
                    Some(space) => space,
                    none => match walker.fresh_markings(limits.clone()) {
                        Ok(markings) => none.insert(Space::new(markings)),
                        Err(_) if walked.is_some() => return Ok(walked),
                        Err(stop) => return Err(stop),
                    },
                };
                let mut search = Search { space, aut, ways, caught };
                if let Some(run) = walked {
                    return Ok(Some(search.shorter(run)));
                }
                let seed = seed.wrapping_add(u64::from(round));
                let found = search.round(walker.pilot(), seed, round);
                let leave = |stop| {
                    (ways.balls, ways.dives) = (false, false);
                    full = stop;
                };
                if let Some(decided) = unless_full(found, leave)? {
                    return Ok(decided);
                }
                if !ways.balls && !ways.dives {
                    ground.searched = None;
                }
            }
            if ways == Ways::NONE {
                return Err(full);
            }
        }
        Err(Stop::Work)
    }
}

/// Takes a way out of the hunt when it ran out of its memory, or of numbers.
fn unless_full<T>(
    result: Result<Option<T>, Stop>,
    leave: impl FnOnce(Stop),
) -> Result<Option<T>, Stop> {
    match result {
        Err(stop @ (Stop::Memory | Stop::Overflow | Stop::Runaway)) => {
            leave(stop);
            Ok(None)
        }
        other => other,
    }
}

/// A walk in each manner.
fn walk_round(walker: &mut Walker<'_, '_, '_>, round: u32) -> Result<Option<Run>, Stop> {
    let length = FIRST_WALK.saturating_mul(GROWTH.saturating_pow(round));
    for manner in &MANNERS {
        let length = if manner.long { length.saturating_mul(LONG) } else { length };
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

/// What a round of searches works with.
struct Search<'h, 'n, 'a> {
    space: &'h mut Space<'n>,
    aut: &'a Automaton,
    ways: Ways,
    caught: &'h mut Catch,
}

impl<'n, 'a> Search<'_, 'n, 'a> {
    /// A walk goes astray: a run from the ball around the initial state, if there is a shorter
    /// one.
    fn shorter(&mut self, run: Run) -> Run {
        let accepting = states_of_accepting_components(self.aut);
        let mut product = Product::new(self.space, None, self.aut, accepting);
        product.meter().grace();
        let Ok(Probe::Found(lasso)) =
            probe(&mut product, SHORTENING_BALL, &mut SearchStats::default())
        else {
            return run;
        };
        let weak = self.aut.class() <= Class::Weak;
        let lasso = shorten(&mut product, lasso.clone(), weak, SHORTENING_BALL).unwrap_or(lasso);
        match run_of(&mut product, &lasso) {
            Ok(near) if near.len() < run.len() => near,
            _ => run,
        }
    }

    /// A ball and a dive. `Some(None)`: the whole product was searched, there is nothing.
    fn round(
        &mut self,
        pilot: &mut Pilot<'n, 'a>,
        seed: u64,
        round: u32,
    ) -> Result<Option<Option<Run>>, Stop> {
        let limit = FIRST_SEARCH.saturating_mul(GROWTH.saturating_pow(round) as usize);
        let accepting = states_of_accepting_components(self.aut);
        let mut product = Product::new(self.space, None, self.aut, accepting);
        let stats = &mut self.caught.stats;
        let mut found = None;
        if self.ways.balls {
            self.caught.search = "probe";
            *stats = SearchStats::default();
            found = match probe(&mut product, limit, stats)? {
                Probe::Found(lasso) => Some(Some(lasso)),
                Probe::Empty => Some(None),
                Probe::NotNear => None,
            };
        }
        if self.ways.dives && found.is_none() {
            self.caught.search = "dive";
            *stats = SearchStats::default();
            found =
                dive(&mut Guided::new(&mut product, pilot, seed, limit), self.aut.class(), stats)?;
        }
        let run = match found {
            Some(Some(lasso)) => {
                product.meter().grace();
                Some(Some(run_of(&mut product, &lasso)?))
            }
            Some(None) => Some(None),
            None => None,
        };
        let markings = self.space.markings();
        self.caught.markings = markings.store().len() as u64;
        self.caught.peak_bytes = self.caught.peak_bytes.max(markings.meter.peak());
        Ok(run)
    }
}

/// Searches a guided product up to its limit; `None` if that decides nothing.
fn dive(
    guided: &mut Guided<'_, '_, '_, '_, '_>,
    class: Class,
    stats: &mut SearchStats,
) -> Result<Option<Option<Lasso>>, Stop> {
    match suggested(class).search(guided, stats) {
        Ok(decided) => Ok(Some(decided)),
        Err(Stop::Work) if guided.is_used_up() => Ok(None),
        Err(stop) => Err(stop),
    }
}
