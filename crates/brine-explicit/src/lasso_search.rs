//! The search for an accepting run in the product, stage by stage.
//!
//! 1. *Neighbourhoods* of the initial state, of growing size ([`crate::probe`]), unless the caller
//!    chose an emptiness check: what is near is found before a depth-first search strays from it.
//! 2. *The whole product*, by an emptiness check.
//! 3. A depth-first search in an unbounded net may never come back. When the markings grow beyond
//!    what a bounded net is likely to have, it is called off, and ever larger neighbourhoods take
//!    its place: they find every lasso there is, sooner or later. (Not in a reduced graph: there a
//!    run that grows for ever may ignore the others, and no proviso notices.)
//!
//! Everything that the search knows is in [`LassoSearch`], so it can be left whenever its work is
//! done. Presenting a run that was found is not counted as work and is never left.

use crate::check::{Answer, run_of};
use crate::emptiness::{Accepts, CycleSearch, Emptiness, shorten};
use crate::graph::{Graph, GraphStateId, Lasso, SearchStats};
use crate::markings::Markings;
use crate::por::PorUse;
use crate::probe::{NeighbourhoodSearch, Probe};
use crate::product::Product;
use crate::provisos::Proviso;
use crate::reduction::{Effort, Reduction};
use crate::space::Space;
use crate::stubborn::Stubborn;
use brine_ltl::Automaton;
use brine_net::Run;
use brine_run::{Control, Stop};
use std::sync::Arc;

/// A lasso is shortened by looking at as many states as the search saw, within these limits.
const SHORTEN_MIN: u64 = 5_000;
const SHORTEN_MAX: u64 = 100_000;
/// Lassos up to this length are short enough.
const SHORT: usize = 10;
/// Sizes of the neighbourhoods that are searched before the whole product.
const FIRST_SIZE: usize = 1_000;
const LAST_SIZE: usize = 64_000;
const SIZE_GROWTH: usize = 8;

/// Stubborn sets and their proviso, or why there are none.
pub(crate) type StubbornReduction = Result<(Stubborn, Proviso), &'static str>;

/// A search, as far as it has come.
#[derive(Debug)]
pub(crate) struct LassoSearch<'n> {
    product: Product<Markings<'n>>,
    initial: GraphStateId,
    emptiness: Emptiness,
    /// Look around first, and for ever if the net looks unbounded.
    near_first: bool,
    stage: Stage,
    stats: SearchStats,
    por: Option<PorUse>,
}

#[derive(Debug)]
enum Stage {
    /// Neighbourhoods up to the size of the last; this one is the next.
    NextNeighbourhood { next: usize, last: usize },
    /// A neighbourhood of this size.
    Neighbourhood { size: usize, last: usize, search: NeighbourhoodSearch },
    /// Everything.
    Whole(CycleSearch),
}

impl<'n> LassoSearch<'n> {
    /// A search in the product of a marking graph and an automaton; see [`Product::new`] for the
    /// accepting states. A proviso that belongs to a depth-first search of the marking graph has
    /// that search now, all at once; other rules decide as they are asked.
    pub(crate) fn new(
        mut space: Space<Markings<'n>>,
        aut: Arc<Automaton>,
        accepting: Vec<bool>,
        emptiness: Emptiness,
        near_first: bool,
        reducer: Option<StubbornReduction>,
    ) -> Result<Self, Stop> {
        let mut por = None;
        let mut reduction = None;
        match reducer {
            None => (),
            Some(Err(why)) => por = Some(PorUse::NotApplied(why)),
            Some(Ok((stubborn, proviso))) => {
                por = Some(PorUse::Applied { proviso, expanded: 0 });
                let mut new = Reduction::new(stubborn, proviso, Effort::WhileItPays);
                if proviso.rule().is_none() {
                    new.explore(&mut space, &mut |_| ())?;
                }
                reduction = Some(new);
            }
        }
        let mut product = Product::new(space, reduction, aut, accepting);
        let initial = product.initial()?;
        let stage = match near_first {
            true => Stage::NextNeighbourhood { next: FIRST_SIZE, last: LAST_SIZE },
            false => Stage::Whole(emptiness.begin(initial)),
        };
        let stats = SearchStats::default();
        Ok(LassoSearch { product, initial, emptiness, near_first, stage, stats, por })
    }

    /// The search goes on under a new control.
    pub(crate) fn resume(&mut self, control: Control) {
        self.product.meter().resume(control);
    }

    /// Bytes in use.
    pub(crate) fn used(&self) -> u64 {
        self.product.markings().meter.used()
    }

    /// The marking graph, for the next search.
    pub(crate) fn into_space(self) -> Space<Markings<'n>> {
        self.product.into_space()
    }

    /// Goes on to the end, or as far as the work goes. Only after [`Stop::Work`] may it be
    /// advanced again.
    pub(crate) fn advance(&mut self) -> Result<Option<Run>, Stop> {
        let found = self.find_lasso();
        if found == Err(Stop::Work) {
            return Err(Stop::Work);
        }
        self.end_reduction();
        let Some(lasso) = found? else { return Ok(None) };
        self.product.meter().grace();
        let lasso = if lasso.prefix.len() + lasso.cycle.len() <= SHORT {
            lasso
        } else {
            let limit = self.stats.states.clamp(SHORTEN_MIN, SHORTEN_MAX) as usize;
            let weak = matches!(self.emptiness.accepts(), Accepts::Weak | Accepts::Terminal);
            shorten(&mut self.product, lasso.clone(), weak, limit).unwrap_or(lasso)
        };
        run_of(&mut self.product, &lasso).map(Some)
    }

    /// The answer, or what there is of it, after `advance` has come to `run`.
    pub(crate) fn answer(&self, run: Result<Option<Run>, Stop>) -> Answer {
        let markings = self.product.markings();
        let search = match self.stage {
            Stage::Whole(_) => self.emptiness.name(),
            Stage::NextNeighbourhood { .. } | Stage::Neighbourhood { .. } => "probe",
        };
        Answer {
            run,
            search,
            stats: self.stats,
            por: self.por,
            markings: markings.store().len() as u64,
            peak_bytes: markings.meter.peak(),
            work: markings.meter.work(),
        }
    }

    /// The search of the reduced product is over.
    fn end_reduction(&mut self) {
        if let (Some(PorUse::Applied { expanded, .. }), Some(reduction)) =
            (&mut self.por, self.product.unreduce())
        {
            *expanded = reduction.expanded();
        }
    }

    fn find_lasso(&mut self) -> Result<Option<Lasso>, Stop> {
        loop {
            match &mut self.stage {
                &mut Stage::NextNeighbourhood { next, last } if next <= last => {
                    self.stats = SearchStats::default();
                    let search = NeighbourhoodSearch::new(&mut self.product, self.initial, next)?;
                    self.stage = Stage::Neighbourhood { size: next, last, search };
                }
                // The last neighbourhood, when there is no end to them, is as large as the memory.
                Stage::NextNeighbourhood { last: usize::MAX, .. } => return Err(Stop::Memory),
                Stage::NextNeighbourhood { .. } => {
                    self.stats = SearchStats::default();
                    self.stage = Stage::Whole(self.emptiness.begin(self.initial));
                }
                Stage::Neighbourhood { size, last, search } => {
                    let (size, last) = (*size, *last);
                    match search.advance(&mut self.product, &mut self.stats)? {
                        Probe::Found(lasso) => return Ok(Some(lasso)),
                        Probe::Empty => return Ok(None),
                        Probe::NotNear if size == usize::MAX => return Err(Stop::Memory),
                        Probe::NotNear if self.product.meter().is_half_used() => {
                            self.after_neighbourhoods(last)?;
                        }
                        Probe::NotNear => {
                            let next = size.saturating_mul(SIZE_GROWTH);
                            self.stage = Stage::NextNeighbourhood { next, last };
                        }
                    }
                }
                Stage::Whole(search) => {
                    self.product.space().markings_mut().stop_runaways(self.near_first);
                    let result = search.advance(&mut self.product, &mut self.stats);
                    self.product.space().markings_mut().stop_runaways(false);
                    if result != Err(Stop::Runaway) {
                        return result;
                    }
                    if self.product.unreduce().is_some() {
                        self.por = Some(PorUse::NotApplied("the net looks unbounded"));
                    }
                    let next = LAST_SIZE * SIZE_GROWTH;
                    self.stage = Stage::NextNeighbourhood { next, last: usize::MAX };
                }
            }
        }
    }

    /// No larger neighbourhood fits into the memory.
    fn after_neighbourhoods(&mut self, last: usize) -> Result<(), Stop> {
        if last == usize::MAX {
            return Err(Stop::Memory);
        }
        self.stats = SearchStats::default();
        self.stage = Stage::Whole(self.emptiness.begin(self.initial));
        Ok(())
    }
}
