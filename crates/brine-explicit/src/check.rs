//! One automaton against one net: choose a search, run it, name the run it found.
//!
//! The marking graph outlives a single question: several properties of one net share what
//! was generated for the first ones. A search that stopped for work goes on where it stopped
//! (`lasso_search`); one that anything else ended begins anew, in what is left of the graph.

use crate::emptiness::{Accepts, Emptiness};
use crate::fair::FairSearch;
use crate::fire::Step;
use crate::graph::{self, Lasso, SearchStats};
use crate::lasso_search::LassoSearch;
use crate::layout::Bound;
use crate::markings::Markings;
use crate::por::{Por, PorQuestion, PorUse};
use crate::product::Product;
use crate::provisos::Proviso;
use crate::setup::firing_order;
use crate::space::Space;
use crate::store::MarkingId;
use crate::stubborn::{Dependencies, Stubborn};
use crate::successors::Successors;
use brine_ltl::{Automaton, Class, StateId};
use brine_net::{Fairness, Net, Run, TransitionId};
use brine_run::{Control, Search, Shared, Stop};
use std::borrow::Cow;
use std::sync::Arc;

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
    /// Steps of the search so far.
    pub work: u64,
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
    /// Whether the question is if a marking of some kind can be reached: the language is that of
    /// `F f`, where f is about one moment.
    pub reachability: bool,
}

/// Answers questions about one net, one at a time.
#[derive(Debug)]
pub struct Checker<'n> {
    net: Shared<'n, Net>,
    bounds: Vec<Bound>,
    order: Vec<TransitionId>,
    dependencies: Option<Dependencies>,
    /// The marking graph, between two searches.
    space: Option<Space<Markings<'n>>>,
    question: Option<CheckerQuestion>,
    /// The search for its answer, if it stopped for work.
    search: Option<RunSearch<'n>>,
}

/// What was asked last.
#[derive(Clone, Debug)]
enum CheckerQuestion {
    /// About all runs, by an automaton that reads markings.
    Plain(Arc<Automaton>, SearchOptions),
    /// About fair runs, by an automaton that may read events.
    Fair(Arc<Automaton>, Arc<Fairness>),
}

/// A search that may have been left.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
enum RunSearch<'n> {
    Plain(LassoSearch<'n>),
    Fair(FairSearch<'n>),
}

impl<'n> RunSearch<'n> {
    fn resume(&mut self, control: Control) {
        match self {
            RunSearch::Plain(search) => search.resume(control),
            RunSearch::Fair(search) => search.resume(control),
        }
    }

    fn used(&self) -> u64 {
        match self {
            RunSearch::Plain(search) => search.used(),
            RunSearch::Fair(search) => search.markings().meter.used(),
        }
    }

    fn into_space(self) -> Space<Markings<'n>> {
        match self {
            RunSearch::Plain(search) => search.into_space(),
            RunSearch::Fair(search) => search.into_space(),
        }
    }

    fn advance(&mut self) -> Answer {
        match self {
            RunSearch::Plain(search) => {
                let run = search.advance();
                search.answer(run)
            }
            RunSearch::Fair(search) => {
                let run = search.advance();
                let (markings, stats) = (search.markings(), search.stats());
                Answer {
                    run,
                    search: Emptiness::Couvreur.name(),
                    stats,
                    por: None,
                    markings: markings.store().len() as u64,
                    peak_bytes: markings.meter.peak(),
                    work: markings.meter.work(),
                }
            }
        }
    }
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
    pub fn new(net: impl Into<Shared<'n, Net>>, bounds: Vec<Bound>, seed: u64) -> Self {
        let net = net.into();
        let order = firing_order(&net, seed);
        Checker {
            net,
            bounds,
            order,
            dependencies: None,
            space: None,
            question: None,
            search: None,
        }
    }

    /// Takes up a question: is there a run of the net that the automaton accepts? It is answered
    /// by [`Search::advance`].
    pub fn begin(&mut self, aut: Arc<Automaton>, options: SearchOptions) -> Result<(), Misfit> {
        fits(options.emptiness.unwrap_or(suggested(aut.class())), aut.class())?;
        self.take_up(CheckerQuestion::Plain(aut, options));
        Ok(())
    }

    /// The same for fair runs and an automaton that may read events.
    pub fn begin_fair(&mut self, aut: Arc<Automaton>, fairness: Arc<Fairness>) {
        self.take_up(CheckerQuestion::Fair(aut, fairness));
    }

    fn take_up(&mut self, question: CheckerQuestion) {
        if let Some(search) = self.search.take() {
            self.space = Some(search.into_space());
        }
        self.question = Some(question);
    }

    /// Searches for a run of the net that the automaton accepts.
    pub fn check(
        &mut self,
        aut: &Automaton,
        options: SearchOptions,
        control: Control,
    ) -> Result<Answer, Misfit> {
        self.begin(Arc::new(aut.clone()), options)?;
        Ok(self.advance(&control))
    }

    /// Bytes in use by the search that was left, or by what is kept for the next one.
    pub fn held(&self) -> u64 {
        let kept = self.space.as_ref().map_or(0, |space| space.markings().meter.used());
        self.search.as_ref().map_or(kept, RunSearch::used)
    }

    /// Gives all memory back. The question stays; its search begins anew.
    pub fn release(&mut self) {
        (self.search, self.space) = (None, None);
    }

    /// States and transitions of the whole product with the degeneralised automaton.
    pub fn product_size(&mut self, aut: &Automaton, control: Control) -> Result<(u64, u64), Stop> {
        let mut space = self.space.take().map_or_else(|| self.fresh(&control), Ok)?;
        space.restart(control);
        let aut = Arc::new(aut.degeneralised().into_owned());
        let accepting = accepting_states(&aut);
        let mut product = Product::new(space, None, aut, accepting);
        let size = graph::size(&mut product)?;
        self.space = Some(product.into_space());
        Ok(size)
    }

    fn fresh(&self, control: &Control) -> Result<Space<Markings<'n>>, Stop> {
        let ms = Markings::new(self.net.clone(), &self.bounds, &self.order, control.clone())?;
        Ok(Space::new(ms))
    }

    /// The search that was left, or a new one.
    fn search(
        &mut self,
        question: &CheckerQuestion,
        control: &Control,
    ) -> Result<RunSearch<'n>, Stop> {
        if let Some(mut search) = self.search.take() {
            search.resume(control.clone());
            return Ok(search);
        }
        // Taken out, so that a panic or a full memory leaves no half-built space behind.
        let mut space = self.space.take().map_or_else(|| self.fresh(control), Ok)?;
        space.restart(control.clone());
        let (aut, options) = match question {
            CheckerQuestion::Plain(aut, options) => (aut, *options),
            CheckerQuestion::Fair(aut, fairness) => {
                return FairSearch::new(space, aut.clone(), fairness).map(RunSearch::Fair);
            }
        };
        let reducer = options.por.map(|por| self.reducer(por, aut, options));
        // Its tables are linear in the net and the atoms.
        control.look()?;
        let emptiness = options.emptiness.unwrap_or(suggested(aut.class()));
        let (aut, accepting) = prepared(aut, emptiness);
        let near_first = options.emptiness.is_none();
        LassoSearch::new(space, aut, accepting, emptiness, near_first, reducer)
            .map(RunSearch::Plain)
    }

    /// The stubborn sets and the proviso to be used, or why there are none.
    fn reducer(
        &mut self,
        por: Por,
        automaton: &Arc<Automaton>,
        options: SearchOptions,
    ) -> Result<(Stubborn, Proviso), &'static str> {
        let (net, order) = (&*self.net, &self.order);
        let SearchOptions { stutter_invariant, reachability, .. } = options;
        let question = PorQuestion { net, order, automaton, stutter_invariant, reachability };
        let dependencies = self.dependencies.get_or_insert_with(|| Dependencies::new(net, order));
        por.plan(question, dependencies)
    }
}

impl Search for Checker<'_> {
    type Outcome = Answer;

    /// Answers the question that was taken up; without one there is nothing to find.
    fn advance(&mut self, control: &Control) -> Answer {
        let mut answer = Answer {
            run: Ok(None),
            search: "none",
            stats: SearchStats::default(),
            por: None,
            markings: 0,
            peak_bytes: 0,
            work: 0,
        };
        let Some(question) = self.question.clone() else { return answer };
        answer.search = match &question {
            CheckerQuestion::Plain(aut, options) => {
                options.emptiness.unwrap_or(suggested(aut.class())).name()
            }
            CheckerQuestion::Fair(..) => Emptiness::Couvreur.name(),
        };
        let mut search = match self.search(&question, control) {
            Ok(search) => search,
            Err(stop) => return Answer { run: Err(stop), ..answer },
        };
        let answer = search.advance();
        match answer.run {
            Err(Stop::Work) => self.search = Some(search),
            Err(Stop::Memory | Stop::Overflow) => (),
            _ => self.space = Some(search.into_space()),
        }
        answer
    }
}

/// The automaton as a check wants it, and which of its states count as accepting.
pub fn prepared(aut: &Arc<Automaton>, emptiness: Emptiness) -> (Arc<Automaton>, Vec<bool>) {
    if emptiness.accepts() != Accepts::StateBased {
        return (aut.clone(), states_of_accepting_components(aut));
    }
    let degeneralised = match aut.degeneralised() {
        Cow::Borrowed(_) => aut.clone(),
        Cow::Owned(degeneralised) => Arc::new(degeneralised),
    };
    let accepting = accepting_states(&degeneralised);
    (degeneralised, accepting)
}

/// Whether a check can deal with an automaton of a class.
pub fn fits(emptiness: Emptiness, class: Class) -> Result<(), Misfit> {
    let fits = match emptiness.accepts() {
        Accepts::Generalised | Accepts::StateBased => true,
        Accepts::Weak => class <= Class::Weak,
        Accepts::Terminal => class == Class::Terminal,
    };
    if fits { Ok(()) } else { Err(Misfit { emptiness, class }) }
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

/// The net's steps along a lasso of the product.
pub(crate) fn run_of<M: Successors>(
    product: &mut Product<M>,
    lasso: &Lasso,
) -> Result<M::Run, Stop> {
    let states = || lasso.prefix.iter().chain(&lasso.cycle).chain(lasso.cycle.first());
    let markings: Vec<MarkingId> = states().map(|&s| product.marking_of(s)).collect();
    let (mut prefix, mut cycle) = (Vec::new(), Vec::new());
    for (i, pair) in markings.windows(2).enumerate() {
        let Some(step) = step_between(product.space(), pair[0], pair[1])? else { break };
        if i < lasso.prefix.len() { prefix.push(step) } else { cycle.push(step) }
    }
    Ok(product.markings().run(&prefix, &cycle))
}

/// The first step that leads from one marking to the other; none if the first is dead.
fn step_between<M: Successors>(
    space: &mut Space<M>,
    from: MarkingId,
    to: MarkingId,
) -> Result<Option<Step>, Stop> {
    for k in 0..space.degree(from)? {
        if space.target(from, k)? == to {
            return space.step(from, k).map(Some);
        }
    }
    Ok(None)
}
