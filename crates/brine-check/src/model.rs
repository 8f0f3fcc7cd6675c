//! Properties of models that are no nets, through the state-vector interface alone.
//!
//! A formula speaks of slots as places and of groups as transitions, by their numbers
//! ([`Labelled`]). As with nets, a run is not believed: [`replay_model`] walks it with the
//! model's own [`Pins::step`] and evaluates the formula on it. What matrices, learned
//! relations, diagrams and the automaton may get wrong shows there; what the model says about
//! a single step is taken as the meaning of the model.

use crate::automaton::Violations;
use crate::budget::Budget;
use crate::decide::{DecideError, Decision, Translated, guarded};
use crate::diagrams::witness_control;
use crate::explicit::{bad_option, verdict_of};
use crate::pins::conclude;
use crate::verdict::{Reason, Stats, Verdict};
use brine_dd::resident_bytes;
use brine_enumerate::check::VectorOptions;
use brine_explicit::Emptiness;
use brine_explicit::por::Por;
use brine_ltl::{Automaton, Formula, Formulas, Options};
use brine_net::{Run, TransitionId};
use brine_pins::ltl::{PinsQuestion, check};
use brine_pins::{
    GroupId, Labelled, MatrixOptions, ModelError, Pins, PinsStop, SlotId, Strategy, own_label,
};
use brine_replay::{Refusal, ReplayError, Replayable, replay_automaton, replay_on};
use brine_run::{Control, Search};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Do all runs of a model satisfy a formula?
#[derive(Clone, Copy)]
pub struct ModelProperty<'a> {
    /// The model. Each of its groups has at most one successor in a state, so that names tell
    /// a run.
    pub model: &'a dyn Pins,
    /// The store of the formula; its places are slots, its transitions groups.
    pub formulas: &'a Formulas,
    /// The formula.
    pub formula: Formula,
}

/// The engine for models.
///
/// ```
/// use brine_check::{Budget, ModelEngine, ModelProperty, Verdict};
/// use brine_ltl::{Formulas, Symbols, parse};
/// let model = brine_pins::gcl::parse("var x = 0; up: x < 2 -> x := x + 1;").unwrap();
/// let mut formulas = Formulas::new();
/// let mut symbols = Symbols::of_names(["x"], ["up"]);
/// let formula = parse("F x = 2", &mut formulas, &mut symbols).unwrap();
/// let property = ModelProperty { model: &model, formulas: &formulas, formula };
/// let decision = ModelEngine::default().decide(property, &Budget::default()).unwrap();
/// assert_eq!(decision.verdict, Verdict::Holds);
/// ```
#[derive(Clone, Debug)]
pub struct ModelEngine {
    way: ModelWay,
    /// Memory of the process before the first question.
    resident: usize,
}

/// How a model is searched.
#[derive(Clone, Debug)]
enum ModelWay {
    /// With decision diagrams and learned relations.
    Diagrams { strategy: Strategy, matrix: MatrixOptions },
    /// State by state; without a choice, the emptiness check follows from the automaton's class.
    Explicit(VectorOptions),
}

impl ModelWay {
    /// The engine's name in decisions.
    fn name(&self) -> &'static str {
        match self {
            ModelWay::Diagrams { .. } => "pins",
            ModelWay::Explicit(_) => "explicit",
        }
    }
}

impl Default for ModelEngine {
    fn default() -> Self {
        ModelEngine::new(Strategy::default(), MatrixOptions::default())
    }
}

impl ModelEngine {
    /// An engine that searches by a strategy, after doing something to the matrix.
    pub fn new(strategy: Strategy, matrix: MatrixOptions) -> Self {
        ModelEngine::of(ModelWay::Diagrams { strategy, matrix })
    }

    /// An engine that searches state by state.
    pub fn explicit(emptiness: Option<Emptiness>) -> Self {
        let options = VectorOptions { emptiness, ..VectorOptions::default() };
        ModelEngine::of(ModelWay::Explicit(options))
    }

    /// The same engine with partial-order reduction, where it applies, and an order of the groups
    /// for each seed (0: the model's); diagrams have neither.
    pub fn with_por(self, por: Option<Por>, seed: u64) -> Self {
        let way = match self.way {
            ModelWay::Explicit(options) => {
                ModelWay::Explicit(VectorOptions { por, seed, ..options })
            }
            way @ ModelWay::Diagrams { .. } => way,
        };
        ModelEngine { way, ..self }
    }

    fn of(way: ModelWay) -> Self {
        ModelEngine { way, resident: resident_bytes() }
    }

    /// Decides a property of a model within a budget; slots keep the model's order unless
    /// the matrix is to be regrouped.
    pub fn decide(
        &self,
        property: ModelProperty<'_>,
        budget: &Budget,
    ) -> Result<Decision, DecideError> {
        self.search(property).advance(&budget.search_control())
    }

    /// The search that decides a property of a model.
    pub fn search<'a>(&'a self, property: ModelProperty<'a>) -> ModelSearch<'a> {
        ModelSearch { engine: self, property, translated: None, tried: None, spent: Duration::ZERO }
    }

    /// Decides that an automaton accepts no run of a model.
    pub fn decide_automaton(
        &self,
        model: &dyn Pins,
        violations: &Violations,
        budget: &Budget,
    ) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let name = self.way.name();
        if let Err(reason) = violations.question() {
            return Ok(Decision::unknown(name, reason));
        }
        let mut decision = guarded(name, || {
            let open = Decision { automaton: Some(violations.facts()), ..Decision::open(name) };
            let automaton = Arc::new(violations.automaton().clone());
            self.run(open, model, &automaton, &budget.search_control(), start)
        })?;
        if let Verdict::Violated(Some(run)) = &decision.verdict {
            guarded(name, || {
                replay_automaton(&ReplayedModel { model }, violations.automaton(), run)
                    .map_err(|error| not_replayed(name, error))
            })?;
        }
        decision.time = start.elapsed();
        Ok(decision)
    }

    /// Searches the model for a run that the automaton accepts.
    fn run(
        &self,
        decision: Decision,
        model: &dyn Pins,
        violations: &Arc<Automaton>,
        control: &Control,
        start: Instant,
    ) -> Result<Decision, DecideError> {
        match &self.way {
            ModelWay::Diagrams { strategy, matrix } => {
                self.run_diagrams(decision, model, violations, (*strategy, matrix), control, start)
            }
            ModelWay::Explicit(options) => {
                run_explicit(decision, model, violations, *options, control)
            }
        }
    }

    fn run_diagrams(
        &self,
        mut decision: Decision,
        model: &dyn Pins,
        violations: &Automaton,
        (strategy, matrix): (Strategy, &MatrixOptions),
        control: &Control,
        start: Instant,
    ) -> Result<Decision, DecideError> {
        let labelled = Labelled::new(model, violations.atoms());
        let question = PinsQuestion { model: &labelled, violations };
        let order = (0..model.slots() as u32).map(SlotId).collect();
        let control = control.resident_beyond(self.resident);
        let witness = || witness_control(&control, start);
        match check(&question, order, matrix, strategy, &control, witness) {
            Ok((answer, figures)) => {
                (decision.verdict, decision.stats) = conclude(answer, figures)
                    .map_err(|e| not_replayed(self.way.name(), wrong(e)))?;
            }
            Err(PinsStop::Stop(stop)) => decision.verdict = Verdict::Unknown(stop.into()),
            Err(PinsStop::Model(error)) => return Err(DecideError::Model(error.to_string())),
        }
        Ok(decision)
    }
}

fn run_explicit(
    mut decision: Decision,
    model: &dyn Pins,
    violations: &Arc<Automaton>,
    options: VectorOptions,
    control: &Control,
) -> Result<Decision, DecideError> {
    let stutter_invariant = decision.automaton.as_ref().and_then(|a| a.stutter_invariant);
    let options = VectorOptions { stutter_invariant, ..options };
    let answer = brine_enumerate::check::check(model, violations, options, control.clone());
    let answer = answer.map_err(bad_option)?;
    decision.stats = Stats {
        product_states: Some(answer.stats.states.into()),
        states_stored: Some(answer.states),
        peak_bytes: Some(answer.peak_bytes),
        emptiness: Some(answer.search),
        search: Some(answer.stats),
        por: answer.por,
        ..Stats::default()
    };
    decision.verdict = match answer.run {
        Ok(run) => verdict_of(Ok(run)),
        Err(PinsStop::Stop(stop)) => Verdict::Unknown(stop.into()),
        Err(PinsStop::Model(error)) => return Err(DecideError::Model(error.to_string())),
    };
    Ok(decision)
}

/// The search that decides a property of a model. It cannot be left and taken up again: a
/// search that stopped starts over, if it is given more work than it was given before.
pub struct ModelSearch<'a> {
    engine: &'a ModelEngine,
    property: ModelProperty<'a>,
    translated: Option<Translated>,
    /// The most work it was given so far.
    tried: Option<u64>,
    spent: Duration,
}

impl Search for ModelSearch<'_> {
    type Outcome = Result<Decision, DecideError>;

    fn advance(&mut self, control: &Control) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let name = self.engine.way.name();
        let decision = guarded(name, || self.ask(control));
        self.spent += start.elapsed();
        let mut decision = decision?;
        if let Verdict::Violated(Some(run)) = &decision.verdict {
            guarded(name, || {
                replay_model(self.property, run).map_err(|error| not_replayed(name, error))
            })?;
        }
        decision.time = self.spent;
        Ok(decision)
    }
}

impl ModelSearch<'_> {
    fn ask(&mut self, control: &Control) -> Result<Decision, DecideError> {
        let mut decision = Decision::open(self.engine.way.name());
        let ModelProperty { model, formulas, formula } = self.property;
        let start = Instant::now();
        let translated = match self.translated.take() {
            Some(translated) => translated,
            None => {
                let (options, budget) = (Options::default(), Budget::of(control));
                match Translated::negation_of(formulas, formula, &options, &budget, start) {
                    Ok(translated) => translated,
                    Err(reason) => {
                        decision.verdict = Verdict::Unknown(reason);
                        return Ok(decision);
                    }
                }
            }
        };
        let translated = self.translated.insert(translated);
        decision.automaton = Some(translated.facts());
        if control.work.is_some_and(|work| self.tried.is_some_and(|tried| work <= tried)) {
            decision.verdict = Verdict::Unknown(Reason::Steps);
            return Ok(decision);
        }
        self.tried = control.work;
        control.enter(self.engine.way.name(), None);
        let violations = Arc::new(translated.violations().clone());
        self.engine.run(decision, model, &violations, control, start)
    }
}

/// A model that breaks the rule of one successor is a mistake in the model, and so is an atom
/// that goes wrong in a state where no engine had to look at it; everything else that does not
/// replay is a mistake of ours, or of the model's matrix.
fn not_replayed(engine: &'static str, error: ReplayError) -> DecideError {
    match error {
        ReplayError::Ambiguous(_) | ReplayError::Atom(_) => DecideError::Model(error.to_string()),
        error => DecideError::Replay { engine, error },
    }
}

/// Checks that the run is a run of the model and violates the formula.
pub fn replay_model(property: ModelProperty<'_>, run: &Run) -> Result<(), ReplayError> {
    let ModelProperty { model, formulas, formula } = property;
    replay_on(&ReplayedModel { model }, formulas, formula, run)
}

/// A model as far as replay needs it: group *n* is transition *n*.
pub struct ReplayedModel<'a> {
    /// The model.
    pub model: &'a dyn Pins,
}

impl Replayable for ReplayedModel<'_> {
    fn initial(&self) -> Vec<u32> {
        self.model.initial()
    }

    fn transitions(&self) -> usize {
        self.model.groups()
    }

    fn name(&self, t: TransitionId) -> String {
        self.model.group_name(GroupId(t.0))
    }

    fn enables(&self, t: TransitionId, state: &[u32]) -> Result<bool, ReplayError> {
        Ok(!self.model.step(GroupId(t.0), state).map_err(wrong)?.is_empty())
    }

    fn proposition(&self, name: &str, state: &[u32]) -> Result<Option<bool>, ReplayError> {
        let label = own_label(self.model, name);
        let holds = |label| self.model.label_holds(label, state);
        label.map(holds).transpose().map_err(|error| ReplayError::Atom(error.to_string()))
    }

    fn step(&self, t: TransitionId, state: &mut Vec<u32>) -> Result<(), Refusal> {
        let step = self.model.step(GroupId(t.0), state);
        let mut successors = step.map_err(|e| Refusal::Model(e.to_string()))?;
        successors.dedup();
        *state = match (successors.pop(), successors.is_empty()) {
            (Some(successor), true) => successor,
            (Some(_), false) => return Err(Refusal::Ambiguous),
            (None, _) => return Err(Refusal::NotEnabled),
        };
        Ok(())
    }
}

fn wrong(error: ModelError) -> ReplayError {
    ReplayError::Model(error.to_string())
}
