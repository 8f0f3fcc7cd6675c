//! One automaton against one net: choose a search, run it, name the run it found.
//!
//! The marking graph outlives a single question: several properties of one net share what
//! was generated for the first ones.

use crate::emptiness::{Accepts, Emptiness, shorten};
use crate::graph::{self, Graph, Lasso, SearchStats};
use crate::layout::Bound;
use crate::markings::Markings;
use crate::meter::{Limits, Stop};
use crate::por::{Por, PorUse, Question};
use crate::probe::{Probe, probe};
use crate::product::Product;
use crate::provisos::Proviso;
use crate::reduction::{Effort, Reduction};
use crate::setup::firing_order;
use crate::space::Space;
use crate::store::MarkingId;
use crate::stubborn::{Dependencies, Stubborn};
use brine_ltl::{Automaton, Class, StateId};
use brine_net::{Net, Run, TransitionId};

/// A lasso is shortened by looking at as many states as the search saw, within these limits.
const SHORTEN_MIN: u64 = 5_000;
const SHORTEN_MAX: u64 = 100_000;
/// Sizes of the balls that are searched before the whole product.
const FIRST_BALL: usize = 1_000;
const LAST_BALL: usize = 64_000;
const BALL_GROWTH: usize = 8;
/// Lassos up to this length are short enough.
const SHORT: usize = 10;

/// The answer to "does some run of the net belong to the automaton's language?"
#[derive(Clone, Debug)]
pub struct Answer {
    /// A run, `None` if there is none, or why it is not known.
    pub run: Result<Option<Run>, Stop>,
    /// The name of the search that decided: that of an emptiness check, or "probe".
    pub search: &'static str,
    /// What it counted.
    pub stats: SearchStats,
    /// Whether the net was reduced, if that was asked for.
    pub por: Option<PorUse>,
    /// Markings stored, those of earlier questions included.
    pub markings: u64,
    /// The most bytes that were in use.
    pub peak_bytes: u64,
}

/// The chosen search does not fit the automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// The search.
    pub emptiness: Emptiness,
    /// What the automaton is.
    pub class: Class,
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchOptions {
    /// The emptiness check; by the automaton's class if there is none.
    pub emptiness: Option<Emptiness>,
    /// Partial-order reduction, where it applies.
    pub por: Option<Por>,
    /// Whether the automaton's language is stutter-invariant, if that is known.
    pub stutter_invariant: Option<bool>,
}

/// Answers questions about one net.
#[derive(Debug)]
pub struct Checker<'n> {
    net: &'n Net,
    bounds: Vec<Bound>,
    order: Vec<TransitionId>,
    dependencies: Option<Dependencies>,
    space: Option<Space<'n>>,
}

/// The search that suits an automaton best (SE05 section 5.3).
pub fn suggested(class: Class) -> Emptiness {
    match class {
        Class::Terminal => Emptiness::Reach,
        Class::Weak => Emptiness::DfsWeak,
        Class::General => Emptiness::Couvreur,
    }
}

impl<'n> Checker<'n> {
    /// A checker that knows `bounds` of the places (see `setup::place_bounds`) and fires
    /// transitions in the order given by `seed` (0: as in the net).
    pub fn new(net: &'n Net, bounds: Vec<Bound>, seed: u64) -> Self {
        let order = firing_order(net, seed);
        Checker { net, bounds, order, dependencies: None, space: None }
    }

    /// Searches for a run of the net that the automaton accepts.
    pub fn check(
        &mut self,
        aut: &Automaton,
        options: SearchOptions,
        limits: Limits,
    ) -> Result<Answer, Misfit> {
        let emptiness = options.emptiness.unwrap_or(suggested(aut.class()));
        fits(emptiness, aut.class())?;
        let mut answer = Answer {
            run: Ok(None),
            search: emptiness.name(),
            stats: SearchStats::default(),
            por: None,
            markings: 0,
            peak_bytes: 0,
        };
        // Taken out, so that a panic or a full memory leaves no half-built space behind.
        let mut space = match self.space.take().map_or_else(|| self.fresh(&limits), Ok) {
            Ok(space) => space,
            Err(stop) => return Ok(Answer { run: Err(stop), ..answer }),
        };
        let control = limits.control();
        space.restart(limits);
        let reducer = options.por.map(|por| self.reducer(por, aut, options));
        // Its tables are linear in the net and the atoms.
        if let Err(stop) = control.look() {
            return Ok(Answer { run: Err(stop), ..answer });
        }
        answer.por =
            reducer.as_ref().and_then(|r| r.as_ref().err()).map(|why| PorUse::NotApplied(why));
        let mut plan = Plan {
            emptiness,
            probe: options.emptiness.is_none(),
            reducer: reducer.and_then(Result::ok),
            decided_by: emptiness.name(),
            por: answer.por,
        };
        answer.run = run_search(&mut space, aut, &mut plan, &mut answer.stats);
        answer.por = plan.por;
        answer.search = plan.decided_by;
        answer.markings = space.markings().store().len() as u64;
        answer.peak_bytes = space.markings().meter.peak();
        if !matches!(answer.run, Err(Stop::Memory | Stop::Overflow)) {
            self.space = Some(space);
        }
        Ok(answer)
    }

    /// States and transitions of the whole product with the degeneralised automaton.
    pub fn product_size(&mut self, aut: &Automaton, limits: Limits) -> Result<(u64, u64), Stop> {
        let mut space = self.space.take().map_or_else(|| self.fresh(&limits), Ok)?;
        space.restart(limits);
        let aut = aut.degeneralised();
        let size = graph::size(&mut Product::new(&mut space, None, &aut, accepting_states(&aut)))?;
        self.space = Some(space);
        Ok(size)
    }

    fn fresh(&self, limits: &Limits) -> Result<Space<'n>, Stop> {
        let ms = Markings::new(self.net, &self.bounds, &self.order, limits.clone())?;
        Ok(Space::new(ms))
    }

    /// The stubborn sets and the proviso to be used, or why there are none.
    fn reducer(
        &mut self,
        por: Por,
        automaton: &Automaton,
        options: SearchOptions,
    ) -> Result<(Stubborn, Proviso), &'static str> {
        let (net, order) = (self.net, &self.order);
        let stutter_invariant = options.stutter_invariant;
        let question = Question { net, order, automaton, stutter_invariant };
        let dependencies = self.dependencies.get_or_insert_with(|| Dependencies::new(net, order));
        por.plan(question, dependencies)
    }
}

fn fits(emptiness: Emptiness, class: Class) -> Result<(), Misfit> {
    let fits = match emptiness.accepts() {
        Accepts::Generalised | Accepts::StateBased => true,
        Accepts::Weak => class <= Class::Weak,
        Accepts::Terminal => class == Class::Terminal,
    };
    if fits { Ok(()) } else { Err(Misfit { emptiness, class }) }
}

/// What to do, and what was done.
#[derive(Debug)]
struct Plan {
    emptiness: Emptiness,
    /// Search the neighbourhood of the initial state first.
    probe: bool,
    /// Reduce the net.
    reducer: Option<(Stubborn, Proviso)>,
    /// The name of the search that was run last.
    decided_by: &'static str,
    /// Whether the net was reduced.
    por: Option<PorUse>,
}

impl Plan {
    /// Starts the reduction, if there is one. A proviso that belongs to a depth-first search of
    /// the marking graph has that search now; other rules decide as they are asked.
    fn reduction(&mut self, space: &mut Space<'_>) -> Result<Option<Reduction>, Stop> {
        let Some((stubborn, proviso)) = self.reducer.take() else { return Ok(None) };
        self.por = Some(PorUse::Applied { proviso, expanded: 0 });
        let mut reduction = Reduction::new(stubborn, proviso, Effort::WhileItPays);
        if proviso.rule().is_none() {
            reduction.explore(space, &mut |_| ())?;
        }
        Ok(Some(reduction))
    }

    /// The search of the reduced product is over.
    fn end_reduction(&mut self, reduction: Option<Reduction>) {
        if let (Some(PorUse::Applied { expanded, .. }), Some(reduction)) =
            (&mut self.por, reduction)
        {
            *expanded = reduction.expanded();
        }
    }
}

fn run_search(
    space: &mut Space<'_>,
    aut: &Automaton,
    plan: &mut Plan,
    stats: &mut SearchStats,
) -> Result<Option<Run>, Stop> {
    let accepts = plan.emptiness.accepts();
    let weak = matches!(accepts, Accepts::Weak | Accepts::Terminal);
    let degeneralised;
    let (aut, accepting) = if accepts == Accepts::StateBased {
        degeneralised = aut.degeneralised();
        (&*degeneralised, accepting_states(&degeneralised))
    } else {
        (aut, states_of_accepting_components(aut))
    };
    let reduction = plan.reduction(space)?;
    let mut product = Product::new(space, reduction, aut, accepting);
    let found = find_lasso(&mut product, plan, stats);
    plan.end_reduction(product.unreduce());
    let Some(lasso) = found? else { return Ok(None) };
    product.meter().grace();
    let lasso = if lasso.prefix.len() + lasso.cycle.len() <= SHORT {
        lasso
    } else {
        let limit = stats.states.clamp(SHORTEN_MIN, SHORTEN_MAX) as usize;
        shorten(&mut product, lasso.clone(), weak, limit).unwrap_or(lasso)
    };
    run_of(&mut product, &lasso).map(Some)
}

/// Looks around if the plan says so, then searches the whole product.
///
/// A depth-first search in an unbounded net may never come back. When the markings grow
/// beyond what a bounded net is likely to have, it is called off, and ever larger balls take
/// its place: they find every lasso there is, sooner or later. (Not in a reduced graph: there
/// a run that grows for ever may ignore the others, and no proviso notices.)
fn find_lasso(
    product: &mut Product<'_, '_, '_>,
    plan: &mut Plan,
    stats: &mut SearchStats,
) -> Result<Option<Lasso>, Stop> {
    if plan.probe {
        plan.decided_by = "probe";
        let near = search_balls(product, FIRST_BALL, LAST_BALL, stats)?;
        if let Some(decided) = near {
            return Ok(decided);
        }
    }
    plan.decided_by = plan.emptiness.name();
    product.space().markings_mut().stop_runaways(plan.probe);
    let result = plan.emptiness.search(product, stats);
    product.space().markings_mut().stop_runaways(false);
    if result != Err(Stop::Runaway) {
        return result;
    }
    plan.decided_by = "probe";
    if product.unreduce().is_some() {
        plan.por = Some(PorUse::NotApplied("the net looks unbounded"));
    }
    let decided = search_balls(product, LAST_BALL * BALL_GROWTH, usize::MAX, stats)?;
    decided.ok_or(Stop::Memory)
}

/// Searches balls of growing size up to the last; `None` if that decides nothing.
fn search_balls(
    product: &mut Product<'_, '_, '_>,
    first: usize,
    last: usize,
    stats: &mut SearchStats,
) -> Result<Option<Option<Lasso>>, Stop> {
    let mut limit = first;
    while limit <= last {
        *stats = SearchStats::default();
        match probe(product, limit, stats)? {
            Probe::Found(lasso) => return Ok(Some(Some(lasso))),
            Probe::Empty => return Ok(Some(None)),
            Probe::NotNear if limit == usize::MAX || product.meter().is_half_used() => break,
            Probe::NotNear => limit = limit.saturating_mul(BALL_GROWTH),
        }
    }
    *stats = SearchStats::default();
    Ok(None)
}

/// The states on cycles that all accept: what counts as accepting in a weak automaton.
pub(crate) fn states_of_accepting_components(aut: &Automaton) -> Vec<bool> {
    aut.states().map(|q| aut.analysis().has_only_accepting_cycles(q)).collect()
}

/// The accepting states of a state-based automaton.
fn accepting_states(aut: &Automaton) -> Vec<bool> {
    let all = aut.all_marks();
    let accepting = |q: StateId| aut.edges_of(q).iter().all(|e| e.marks & all == all);
    aut.states().map(accepting).collect()
}

/// The net's transitions along a lasso of the product.
pub(crate) fn run_of(product: &mut Product<'_, '_, '_>, lasso: &Lasso) -> Result<Run, Stop> {
    let states = || lasso.prefix.iter().chain(&lasso.cycle).chain(lasso.cycle.first());
    let markings: Vec<MarkingId> = states().map(|&s| product.marking_of(s)).collect();
    let mut run = Run::default();
    for (i, pair) in markings.windows(2).enumerate() {
        let Some(t) = transition_between(product.space(), pair[0], pair[1])? else { break };
        if i < lasso.prefix.len() {
            run.prefix.push(t);
        } else {
            run.cycle.push(t);
        }
    }
    Ok(run)
}

/// The first transition that leads from one marking to the other; none if the first is dead.
fn transition_between(
    space: &mut Space<'_>,
    from: MarkingId,
    to: MarkingId,
) -> Result<Option<TransitionId>, Stop> {
    for k in 0..space.degree(from)? {
        if space.target(from, k)? == to {
            return space.transition(from, k).map(Some);
        }
    }
    Ok(None)
}
