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
use crate::diagrams::{reason, witness_limits};
use crate::pins::conclude;
use crate::verdict::Verdict;
use brine_dd::resident_bytes;
use brine_ltl::{Automaton, Formula, Formulas, Options};
use brine_net::{Run, TransitionId};
use brine_pins::ltl::{PinsQuestion, check};
use brine_pins::{GroupId, Labelled, MatrixOptions, ModelError, Pins, PinsStop, SlotId, Strategy};
use brine_replay::{Refusal, ReplayError, Replayable, replay_automaton, replay_on};
use std::time::Instant;

/// The engine's name in decisions.
const ENGINE: &str = "pins";

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
    strategy: Strategy,
    matrix: MatrixOptions,
    /// Memory of the process before the first question.
    resident: usize,
}

impl Default for ModelEngine {
    fn default() -> Self {
        ModelEngine::new(Strategy::default(), MatrixOptions::default())
    }
}

impl ModelEngine {
    /// An engine that searches by a strategy, after doing something to the matrix.
    pub fn new(strategy: Strategy, matrix: MatrixOptions) -> Self {
        ModelEngine { strategy, matrix, resident: resident_bytes() }
    }

    /// Decides a property of a model within a budget; slots keep the model's order unless
    /// the matrix is to be regrouped.
    pub fn decide(
        &self,
        property: ModelProperty<'_>,
        budget: &Budget,
    ) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let mut decision = guarded(ENGINE, || self.ask(property, budget, start))?;
        if let Verdict::Violated(Some(run)) = &decision.verdict {
            guarded(ENGINE, || replay_model(property, run).map_err(not_replayed))?;
        }
        decision.time = start.elapsed();
        Ok(decision)
    }

    /// Decides that an automaton accepts no run of a model.
    pub fn decide_automaton(
        &self,
        model: &dyn Pins,
        violations: &Violations,
        budget: &Budget,
    ) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let mut decision = guarded(ENGINE, || {
            let open = Decision { automaton: Some(violations.facts()), ..Decision::open(ENGINE) };
            self.search(open, model, violations.automaton(), budget, start)
        })?;
        if let Verdict::Violated(Some(run)) = &decision.verdict {
            guarded(ENGINE, || {
                replay_automaton(&ReplayedModel { model }, violations.automaton(), run)
                    .map_err(not_replayed)
            })?;
        }
        decision.time = start.elapsed();
        Ok(decision)
    }

    fn ask(
        &self,
        property: ModelProperty<'_>,
        budget: &Budget,
        start: Instant,
    ) -> Result<Decision, DecideError> {
        let mut decision = Decision::open(ENGINE);
        let ModelProperty { model, formulas, formula } = property;
        let translated =
            match Translated::negation_of(formulas, formula, &Options::default(), budget, start) {
                Ok(translated) => translated,
                Err(reason) => {
                    decision.verdict = Verdict::Unknown(reason);
                    return Ok(decision);
                }
            };
        decision.automaton = Some(translated.facts());
        self.search(decision, model, translated.violations(), budget, start)
    }

    /// Searches the model for a run that the automaton accepts.
    fn search(
        &self,
        mut decision: Decision,
        model: &dyn Pins,
        violations: &Automaton,
        budget: &Budget,
        start: Instant,
    ) -> Result<Decision, DecideError> {
        let labelled = Labelled::new(model, violations.atoms());
        let question = PinsQuestion { model: &labelled, violations };
        let order = (0..model.slots() as u32).map(SlotId).collect();
        let limits = budget.since(start).diagram_limits(self.resident);
        let witness = || witness_limits(&limits, start);
        match check(&question, order, &self.matrix, self.strategy, &limits, witness) {
            Ok((answer, figures)) => {
                (decision.verdict, decision.stats) =
                    conclude(answer, figures).map_err(|e| not_replayed(wrong(e)))?;
            }
            Err(PinsStop::Abort(abort)) => decision.verdict = Verdict::Unknown(reason(abort)),
            Err(PinsStop::Model(error)) => return Err(DecideError::Model(error.to_string())),
        }
        Ok(decision)
    }
}

/// A model that breaks the rule of one successor is a mistake in the model; everything else
/// that does not replay is one of ours, or of the model's matrix.
fn not_replayed(error: ReplayError) -> DecideError {
    match error {
        ReplayError::Ambiguous(_) => DecideError::Model(error.to_string()),
        error => DecideError::Replay { engine: ENGINE, error },
    }
}

/// Checks that the run is a run of the model and violates the formula.
pub fn replay_model(property: ModelProperty<'_>, run: &Run) -> Result<(), ReplayError> {
    let ModelProperty { model, formulas, formula } = property;
    replay_on(&ReplayedModel { model }, formulas, formula, run)
}

/// A model as far as replay needs it: group *n* is transition *n*.
struct ReplayedModel<'a> {
    model: &'a dyn Pins,
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
