//! One automaton against one model: choose a search, run it, name the run it found.
//!
//! With partial-order reduction ([`crate::stubborn`]), a model that turns out to go wrong is
//! searched once more without.

use crate::edges::{AllEdges, KeptEdges, ModelEdges};
use crate::product::VectorProduct;
use crate::stubborn::{GroupDependencies, GroupSets, sight};
use crate::vectors::{Vectors, WentWrong};
use brine_explicit::check::{fits, prepared, suggested};
use brine_explicit::emptiness::{Accepts, Emptiness, shorten};
use brine_explicit::graph::{Graph, Lasso, SearchStats};
use brine_explicit::por::{Por, PorPlan, PorUse};
use brine_explicit::provisos::Promise;
use brine_explicit::reduction::{Effort, Reduction};
use brine_explicit::space::Space;
use brine_explicit::{Misfit, Stop};
use brine_ltl::Automaton;
use brine_net::{Run, TransitionId};
use brine_pins::{Labelled, Pins, PinsStop};
use brine_run::Control;
use std::sync::Arc;

/// Lassos up to this length are short enough.
const SHORT: usize = 10;
/// A longer lasso is shortened by looking at so many states.
const SHORTEN: usize = 100_000;
/// Why a model that goes wrong is not reduced.
const GOES_WRONG: &str = "a step of the model goes wrong";

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VectorOptions {
    /// The emptiness check; by the automaton's class if there is none.
    pub emptiness: Option<Emptiness>,
    /// Partial-order reduction, where it applies.
    pub por: Option<Por>,
    /// Whether the automaton's language is stutter-invariant, if that is known.
    pub stutter_invariant: Option<bool>,
    /// Shuffles the order of the groups; 0 keeps the model's.
    pub seed: u64,
}

/// What a search found.
#[derive(Debug)]
pub struct VectorAnswer {
    /// A run that the automaton accepts, or none if there is none, or why it is not known.
    pub run: Result<Option<Run>, PinsStop>,
    /// The emptiness check.
    pub search: &'static str,
    /// What it counted.
    pub stats: SearchStats,
    /// Whether the model was reduced, if that was asked for.
    pub por: Option<PorUse>,
    /// States of the model that were stored.
    pub states: u64,
    /// The most bytes that were in use.
    pub peak_bytes: u64,
}

/// One search: a model with the atoms as labels, and the automaton as the emptiness check wants
/// it.
struct VectorSearch<'m> {
    model: &'m Labelled<'m>,
    automaton: Arc<Automaton>,
    accepting: Vec<bool>,
    emptiness: Emptiness,
    seed: u64,
    control: Control,
}

/// Searches for a run of a model that an automaton accepts. Group *n* of the model is
/// transition *n* of the run; atoms of the automaton speak of the model as [`Labelled`] says.
pub fn check(
    model: &dyn Pins,
    automaton: &Arc<Automaton>,
    options: VectorOptions,
    control: Control,
) -> Result<VectorAnswer, Misfit> {
    let emptiness = options.emptiness.unwrap_or(suggested(automaton.class()));
    fits(emptiness, automaton.class())?;
    let labelled = Labelled::new(model, automaton.atoms());
    let (prepared, accepting) = prepared(automaton, emptiness);
    let search = VectorSearch {
        model: &labelled,
        automaton: prepared,
        accepting,
        emptiness,
        seed: options.seed,
        control,
    };
    let mut answer = VectorAnswer {
        run: Ok(None),
        search: emptiness.name(),
        stats: SearchStats::default(),
        por: None,
        states: 0,
        peak_bytes: 0,
    };
    let result = match options.por {
        None => search.unreduced(&mut answer),
        Some(por) => search.reduced(por, automaton, options.stutter_invariant, &mut answer),
    };
    result.unwrap_or_else(|stop| answer.run = Err(stop));
    Ok(answer)
}

impl<'m> VectorSearch<'m> {
    fn vectors(&self) -> Result<Vectors<'m>, PinsStop> {
        Vectors::ordered(self.model, self.seed, self.control.clone())
    }

    fn unreduced(&self, answer: &mut VectorAnswer) -> Result<(), PinsStop> {
        let mut edges = self.run(AllEdges::new(self.vectors()?), answer);
        match edges.vectors_mut().went_wrong() {
            Some(WentWrong::Model(error)) => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn reduced(
        &self,
        por: Por,
        automaton: &Automaton,
        stutter_invariant: Option<bool>,
        answer: &mut VectorAnswer,
    ) -> Result<(), PinsStop> {
        let vectors = self.vectors()?;
        let sight = || sight(self.model, automaton.atoms(), vectors.order());
        let steps = vectors.order().len();
        // With less than that a step that goes wrong might not be met while the automaton is alive.
        let least = Promise::Liveness;
        let PorPlan { visible, proviso, choice } =
            match por.suit(automaton, stutter_invariant, (sight, steps), least) {
                Ok(plan) => plan,
                Err(why) => {
                    answer.por = Some(PorUse::NotApplied(why));
                    return self.unreduced(answer);
                }
            };
        let tables = Arc::new(GroupDependencies::new(self.model, vectors.order()));
        let sets = GroupSets::new(tables, visible, choice);
        let reduction = Reduction::new(sets, proviso, Effort::WhileItPays);
        let mut edges = KeptEdges { space: Space::new(vectors), reduction };
        let explored = match proviso.rule() {
            Some(_) => Ok(()),
            None => edges.reduction.explore(&mut edges.space, &mut |_| ()).map(|_| ()),
        };
        let edges = match explored {
            Ok(()) => self.run(edges, answer),
            Err(stop) => {
                answer.run = Err(PinsStop::Stop(stop));
                edges
            }
        };
        answer.por = Some(PorUse::Applied { proviso, expanded: edges.reduction.expanded() });
        if matches!(answer.run, Ok(Some(_))) {
            return Ok(());
        }
        let mut vectors = edges.space.into_markings();
        match vectors.went_wrong() {
            None => Ok(()),
            Some(WentWrong::Model(error)) => Err(error.into()),
            Some(WentWrong::Step) => {
                drop(vectors);
                answer.por = Some(PorUse::NotApplied(GOES_WRONG));
                self.unreduced(answer)
            }
        }
    }

    /// Searches the product, and gives the graph back.
    fn run<E: ModelEdges<'m>>(&self, edges: E, answer: &mut VectorAnswer) -> E {
        let mut product = VectorProduct::new(edges, self.automaton.clone(), self.accepting.clone());
        answer.stats = SearchStats::default();
        answer.run = match search(&mut product, self.emptiness, &mut answer.stats) {
            Ok(None) => Ok(None),
            Ok(Some(lasso)) => run_of(&mut product, &lasso).map(Some),
            Err(stop) => Err(PinsStop::Stop(stop)),
        };
        let edges = product.into_edges();
        answer.states = edges.vectors().store().len() as u64;
        answer.peak_bytes = answer.peak_bytes.max(edges.vectors().meter.peak());
        edges
    }
}

fn search<'m, E: ModelEdges<'m>>(
    product: &mut VectorProduct<E>,
    emptiness: Emptiness,
    stats: &mut SearchStats,
) -> Result<Option<Lasso>, Stop> {
    let Some(lasso) = emptiness.search(product, stats)? else { return Ok(None) };
    product.meter().grace();
    if lasso.prefix.len() + lasso.cycle.len() <= SHORT {
        return Ok(Some(lasso));
    }
    let weak = matches!(emptiness.accepts(), Accepts::Weak | Accepts::Terminal);
    Ok(Some(shorten(product, lasso.clone(), weak, SHORTEN).unwrap_or(lasso)))
}

/// The groups along a lasso of the product.
fn run_of<'m, E: ModelEdges<'m>>(
    product: &mut VectorProduct<E>,
    lasso: &Lasso,
) -> Result<Run, PinsStop> {
    let states = lasso.prefix.iter().chain(&lasso.cycle).chain(lasso.cycle.first());
    let states: Vec<_> = states.map(|&s| product.state_of(s)).collect();
    let mut run = Run::default();
    for (i, pair) in states.windows(2).enumerate() {
        // A dead state repeats, and the run ends there.
        let Some(group) = product.group_between(pair[0], pair[1])? else { break };
        let part = if i < lasso.prefix.len() { &mut run.prefix } else { &mut run.cycle };
        part.push(TransitionId(group.0));
    }
    Ok(run)
}
