//! Properties of models that are no nets, through the state-vector interface alone.
//!
//! A formula speaks of slots as places and of groups as transitions, by their numbers
//! ([`Labelled`]). As with nets, a run is not believed: [`replay_model`] walks it with the
//! model's own [`Pins::step`] and evaluates the formula on it. What matrices, learned
//! relations, diagrams and the automaton may get wrong shows there; what the model says about
//! a single step is taken as the meaning of the model.

use crate::budget::Budget;
use crate::decide::{DecideError, Decision, Translated, guarded};
use crate::diagrams::witness_control;
use crate::pins::conclude;
use crate::replay::{ReplayError, refute};
use crate::verdict::{Reason, Verdict, Witness};
use brine_dd::resident_bytes;
use brine_ltl::{Atom, AtomId, Formula, Formulas, Options};
use brine_pins::ltl::{Question, check};
use brine_pins::{Failure, GroupId, Labelled, MatrixOptions, ModelError, Pins, SlotId, Strategy};
use brine_run::{Control, Search};
use std::time::{Duration, Instant};

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
        self.search(property).advance(&budget.search_control())
    }

    /// The search that decides a property of a model.
    pub fn search<'a>(&'a self, property: ModelProperty<'a>) -> ModelSearch<'a> {
        ModelSearch { engine: self, property, translated: None, tried: None, spent: Duration::ZERO }
    }
}

/// The search that decides a property of a model. Diagrams cannot be left and taken up again: a
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
        let decision = guarded(ENGINE, || self.ask(control));
        self.spent += start.elapsed();
        let mut decision = decision?;
        if let Verdict::Violated(Some(witness)) = &decision.verdict {
            guarded(ENGINE, || replay_model(self.property, witness).map_err(not_replayed))?;
        }
        decision.time = self.spent;
        Ok(decision)
    }
}

impl ModelSearch<'_> {
    fn ask(&mut self, control: &Control) -> Result<Decision, DecideError> {
        let mut decision = Decision::open(ENGINE);
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
        let violations = translated.violations();
        let labelled = Labelled::new(model, violations.atoms());
        let question = Question { model: &labelled, violations };
        let order = (0..model.slots() as u32).map(SlotId).collect();
        let control = control.resident_beyond(self.engine.resident);
        let witness = || witness_control(&control, start);
        let ModelEngine { matrix, strategy, .. } = self.engine;
        match check(&question, order, matrix, *strategy, &control, witness) {
            Ok((answer, figures)) => {
                (decision.verdict, decision.stats) =
                    conclude(answer, figures).map_err(|e| not_replayed(wrong(e)))?;
            }
            Err(Failure::Stop(stop)) => decision.verdict = Verdict::Unknown(stop.into()),
            Err(Failure::Model(error)) => return Err(DecideError::Model(error.to_string())),
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

/// Checks that the witness is a run of the model and violates the formula.
pub fn replay_model(property: ModelProperty<'_>, witness: &Witness) -> Result<(), ReplayError> {
    let ModelProperty { model, formulas, formula } = property;
    let atoms = formulas.atoms_of(formula);
    let letter = |state: &[u32]| -> Result<Vec<bool>, ReplayError> {
        atoms.iter().map(|&a: &AtomId| truth(model, formulas.atom(a), state)).collect()
    };
    let mut state = model.initial();
    let mut cycle_start = state.clone();
    let mut letters = Vec::new();
    for (i, &t) in witness.prefix.iter().chain(&witness.cycle).enumerate() {
        if i == witness.prefix.len() {
            cycle_start.clone_from(&state);
        }
        letters.push(letter(&state)?);
        let mut successors = model.step(GroupId(t.0), &state).map_err(wrong)?;
        successors.dedup();
        state = match (successors.pop(), successors.is_empty()) {
            (Some(successor), true) => successor,
            (Some(_), false) => return Err(ReplayError::Ambiguous(i + 1)),
            (None, _) => {
                let transition = model.group_name(GroupId(t.0));
                return Err(ReplayError::NotEnabled { step: i + 1, transition });
            }
        };
    }
    if witness.cycle.is_empty() {
        if !is_dead(model, &state)? {
            return Err(ReplayError::NotDead);
        }
        letters.push(letter(&state)?);
    } else if state != cycle_start {
        return Err(ReplayError::NotClosed);
    }
    refute(formulas, formula, &atoms, witness.prefix.len(), &letters)
}

fn wrong(error: ModelError) -> ReplayError {
    ReplayError::Model(error.to_string())
}

fn truth(model: &dyn Pins, atom: &Atom, state: &[u32]) -> Result<bool, ReplayError> {
    match atom {
        Atom::Linear(linear) => Ok(linear.eval(state)),
        Atom::Fireable(transitions) => {
            let mut fires = transitions.iter().map(|t| fires(model, GroupId(t.0), state));
            fires.try_fold(false, |any, fires| Ok(any || fires?))
        }
        Atom::Deadlock => is_dead(model, state),
        Atom::Prop(_) => Err(ReplayError::OpenAtom),
    }
}

fn fires(model: &dyn Pins, group: GroupId, state: &[u32]) -> Result<bool, ReplayError> {
    Ok(!model.step(group, state).map_err(wrong)?.is_empty())
}

fn is_dead(model: &dyn Pins, state: &[u32]) -> Result<bool, ReplayError> {
    let mut groups = (0..model.groups() as u32).map(GroupId);
    groups.try_fold(true, |dead, g| Ok(dead && !fires(model, g, state)?))
}
