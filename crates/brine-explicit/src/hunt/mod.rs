//! The hunt for a violating run: many cheap tries, the cheapest first.
//!
//! Most violated properties have a great many violating runs, and some of them are easy to
//! walk into if one knows where to go. There are three ways to hunt, which take turns of
//! growing length ([`Deepening`]):
//! 1. *walks* (`walk`): a dozen runs of the product, in different manners, guided by what the
//!    automaton needs next. They keep no states but their own and find long runs;
//! 2. a *neighbourhood* of the initial state ([`crate::probe`]): the nearest states, searched
//!    completely. It has the short runs that walks stray from;
//! 3. a *guided search* (`guided`): an emptiness check, depth first in a guided order, that
//!    remembers what it has seen and comes back from dead ends.
//!
//! Only exhausting the product, in a neighbourhood or a guided search, shows that there is no
//! such run. Work is counted in steps and states, never in time, so the same seed gives the same
//! hunt. Memory: half of the budget for what searches store, half for the longest walk; a way
//! that runs out of its half is left out of the later rounds.
//!
//! A hunt can be left after each round and taken up again. Kept are what was prepared for the
//! net and the automaton, the marking graph that neighbourhoods and guided searches generated, and
//! which ways are left; walks and searches themselves begin anew, with other random numbers and a
//! larger size.

mod compass;
mod field;
mod growth;
mod guided;
mod pilot;
mod rounds;
mod walk;

use crate::coloured::{ColouredMarkings, ListLimits};
use crate::graph::SearchStats;
use crate::layout::Bound;
use crate::markings::Markings;
use crate::product::Product;
use crate::setup::firing_order;
use crate::space::Space;
use crate::successors::{Expand, Successors};
use brine_coloured::ColouredNet;
use brine_ltl::Automaton;
use brine_net::{Net, Run, TransitionId};
use brine_run::{Control, Deepening, Search, Shared, Stop};
use rounds::{Hunt, Way, product_of};
use std::sync::Arc;
use walk::Walker;

pub(crate) use growth::{covers, has_sources, repeats};

/// What the first round counts as: as much as engines beside the hunt get in theirs. It is less,
/// but of a kind that cannot be compared.
pub const FIRST_WORK: u64 = 60_000;
/// Which ways of hunting are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ways {
    /// Walks.
    pub walks: bool,
    /// Neighbourhoods of the initial state.
    pub neighbourhoods: bool,
    /// Guided searches.
    pub guided_searches: bool,
}

impl Ways {
    /// No way at all.
    pub const NONE: Ways = Ways { walks: false, neighbourhoods: false, guided_searches: false };

    /// In the order of their turns.
    fn list(self) -> Vec<Way> {
        let all = [
            (self.walks, Way::Walks),
            (self.neighbourhoods, Way::Neighbourhood),
            (self.guided_searches, Way::GuidedSearch),
        ];
        all.into_iter().filter(|way| way.0).map(|way| way.1).collect()
    }
}

impl Default for Ways {
    fn default() -> Self {
        Ways { walks: true, neighbourhoods: true, guided_searches: true }
    }
}

/// How to hunt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HuntOptions {
    /// The same seed gives the same hunt.
    pub seed: u64,
    /// Which ways are used.
    pub ways: Ways,
    /// The number of rounds; `None`: until the control stops it.
    pub rounds: Option<u32>,
}

/// What a hunt has come to.
#[derive(Clone, Debug)]
pub struct HuntOutcome<R = Run> {
    /// A run that the automaton accepts; `None` if there is none at all; or why it ended.
    pub run: Result<Option<R>, Stop>,
    /// What decided: "walk", "probe" or "guided".
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

/// Hunts in one net, for one automaton at a time.
///
/// ```
/// use brine_explicit::hunt::{HuntOptions, Hunter};
/// use brine_explicit::setup::guessed_bounds;
/// use brine_ltl::{Formulas, Options, Symbols, parse, translate};
/// use brine_net::NetBuilder;
/// use brine_run::Control;
/// let mut b = NetBuilder::new("lamp");
/// let (on, off) = (b.place("on", 1), b.place("off", 0));
/// b.transition("down", &[(on, 1)], &[(off, 1)]);
/// b.transition("up", &[(off, 1)], &[(on, 1)]);
/// let net = b.build().unwrap();
/// let mut formulas = Formulas::new();
/// let formula = parse("G F off = 1", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
/// let automaton = translate(&formulas, formula, &Options::default()).unwrap();
/// let mut hunter = Hunter::new(&net, guessed_bounds(&net), HuntOptions::default());
/// let run = hunter.hunt(&automaton, Control::default()).run.unwrap().unwrap();
/// assert_eq!(run.cycle.len(), 2);
/// ```
#[derive(Debug)]
pub struct Hunter<S: HuntSource> {
    source: S,
    options: HuntOptions,
    /// Compiled transitions, and the markings of the last walk; between two hunts.
    markings: Option<S::Markings>,
    /// The marking graph that searches have generated; between two hunts.
    space: Option<Space<S::Markings>>,
    question: Option<Arc<Automaton>>,
    hunt: Option<Hunt<S::Markings>>,
}

/// What markings are made of.
pub trait HuntSource {
    /// The markings of a net.
    type Markings: Successors;

    /// The initial marking.
    fn begin(&self, control: Control) -> Result<Self::Markings, Stop>;
}

/// A plain net with bounds of its places, and an order of its transitions.
#[derive(Debug)]
pub struct PlainSource<'n> {
    net: Shared<'n, Net>,
    bounds: Vec<Bound>,
    order: Vec<TransitionId>,
}

impl<'n> HuntSource for PlainSource<'n> {
    type Markings = Markings<'n>;

    fn begin(&self, control: Control) -> Result<Markings<'n>, Stop> {
        Markings::new(self.net.clone(), &self.bounds, &self.order, control)
    }
}

/// A coloured net.
#[derive(Debug)]
pub struct ColouredSource<'n> {
    net: Shared<'n, ColouredNet>,
    limits: ListLimits,
}

impl<'n> HuntSource for ColouredSource<'n> {
    type Markings = ColouredMarkings<'n>;

    fn begin(&self, control: Control) -> Result<ColouredMarkings<'n>, Stop> {
        ColouredMarkings::new(self.net.clone(), self.limits, control)
    }
}

impl<'n> Hunter<PlainSource<'n>> {
    /// A hunter that knows bounds of the places, or guesses (see `setup`).
    pub fn new(net: impl Into<Shared<'n, Net>>, bounds: Vec<Bound>, options: HuntOptions) -> Self {
        let net = net.into();
        let order = firing_order(&net, 0);
        Hunter::of(PlainSource { net, bounds, order }, options)
    }
}

impl<'n> Hunter<ColouredSource<'n>> {
    /// A hunter in a coloured net. The automaton's places and transitions are the coloured ones.
    pub fn coloured(
        net: impl Into<Shared<'n, ColouredNet>>,
        limits: ListLimits,
        options: HuntOptions,
    ) -> Self {
        Hunter::of(ColouredSource { net: net.into(), limits }, options)
    }
}

impl<S: HuntSource> Hunter<S> {
    fn of(source: S, options: HuntOptions) -> Self {
        let (markings, space, question, hunt) = (None, None, None, None);
        Hunter { source, options, markings, space, question, hunt }
    }

    /// Takes up a hunt for a run of the net that the automaton accepts: [`Search::advance`].
    pub fn begin(&mut self, aut: Arc<Automaton>) {
        if let Some(hunt) = self.hunt.take() {
            self.keep(hunt);
        }
        self.question = Some(aut);
    }

    /// Hunts for a run of the net that the automaton accepts.
    pub fn hunt(
        &mut self,
        aut: &Automaton,
        control: Control,
    ) -> HuntOutcome<<S::Markings as Successors>::Run> {
        self.begin(Arc::new(aut.clone()));
        self.advance(&control)
    }

    /// Bytes in use by the searches of the hunt that was left, or kept for the next one.
    pub fn held(&self) -> u64 {
        let kept = self.space.as_ref().map_or(0, |space| space.markings().meter().used());
        self.hunt.as_ref().map_or(kept, Hunt::used)
    }

    /// Gives the memory of searches back.
    pub fn release(&mut self) {
        self.space = None;
        if let Some(hunt) = &mut self.hunt {
            hunt.product = None;
        }
    }

    /// What serves the next hunt in the same net as well.
    fn keep(&mut self, hunt: Hunt<S::Markings>) {
        self.space = hunt.product.map(Product::into_space);
        self.markings = Some(hunt.walker.into_markings());
    }

    /// The hunt that was left, or a new one.
    fn take_hunt(
        &mut self,
        aut: &Arc<Automaton>,
        control: Control,
    ) -> Result<Hunt<S::Markings>, Stop> {
        if let Some(mut hunt) = self.hunt.take() {
            hunt.resume(control);
            return Ok(hunt);
        }
        // Taken out, so that a panic or a full memory leaves nothing half-built behind.
        let markings = match self.markings.take() {
            Some(mut markings) => {
                let used = markings.allocated();
                markings.meter_mut().restart(control.clone(), used);
                markings
            }
            None => self.source.begin(control.clone())?,
        };
        let product = self.space.take().map(|mut space| {
            space.restart(control.clone());
            product_of(space, aut)
        });
        let walker = Walker::new(aut.clone(), markings)?;
        let ways = Deepening::new(self.options.ways.list(), FIRST_WORK);
        Ok(Hunt::new(walker, product, aut.clone(), ways, control, self.options.seed))
    }
}

impl<S: HuntSource> Search for Hunter<S> {
    type Outcome = HuntOutcome<<S::Markings as Successors>::Run>;

    /// Hunts for the automaton that was taken up. The work of a round is what engines beside it
    /// get in theirs ([`FIRST_WORK`]).
    fn advance(&mut self, control: &Control) -> Self::Outcome {
        let control = Control { charged: control.charged.map(|m| m / 2), ..control.clone() };
        let (work, rounds) = (control.work, self.options.rounds);
        let hunt = match self.question.clone() {
            Some(aut) => self.take_hunt(&aut, control.without_work()),
            None => Err(Stop::Work),
        };
        let mut hunt = match hunt {
            Ok(hunt) => hunt,
            Err(stop) => return HuntOutcome::stopped(stop),
        };
        let run = hunt.advance(work.unwrap_or(u64::MAX), rounds.unwrap_or(u32::MAX));
        let outcome = HuntOutcome { run, ..hunt.outcome.clone() };
        match outcome.run {
            Err(Stop::Memory | Stop::Overflow) => (),
            Err(_) => self.hunt = Some(hunt),
            Ok(_) => self.keep(hunt),
        }
        outcome
    }
}

impl<R> HuntOutcome<R> {
    fn stopped(stop: Stop) -> Self {
        HuntOutcome {
            run: Err(stop),
            search: "walk",
            steps: 0,
            stats: SearchStats::default(),
            markings: 0,
            peak_bytes: 0,
        }
    }
}
