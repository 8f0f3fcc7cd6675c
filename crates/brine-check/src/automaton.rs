//! Properties given as an automaton that accepts the violations.
//!
//! Engines are asked about automata anyway, so the automaton goes to them as it is: nothing is
//! translated, and nothing that needs a formula is done (simplification, first steps, reduction
//! of the net). Stutter-invariance, which partial-order reduction needs, is used only where it
//! is proved ([`Automaton::known_language`]). As with formulas, a run is not believed: it must be
//! a run, and the automaton must accept its word by [`replay_automaton`]'s own reckoning.

use crate::budget::Budget;
use crate::decide::{AutomatonFacts, DecideError, Decision, guarded, look_for_run_if_missing};
use crate::engine::{Engine, Question};
use crate::verdict::{Reason, Verdict};
use brine_ltl::{Automaton, Options};
use brine_net::Net;
use brine_replay::{Replayable, replay_automaton};
use std::sync::Arc;
use std::time::Instant;

/// An automaton of violations, with what is known about it.
///
/// ```
/// use brine_check::{Budget, ExplicitEngine, Verdict, Violations, decide_automaton};
/// use brine_ltl::{Symbols, read_hoa};
/// use brine_net::{NetBuilder, Structure};
/// let mut b = NetBuilder::new("lamp");
/// let (on, off) = (b.place("on", 1), b.place("off", 0));
/// b.transition("down", &[(on, 1)], &[(off, 1)]);
/// let net = b.build().unwrap();
/// let for_ever_on = "HOA: v1 States: 1 Start: 0 AP: 1 \"on = 1\" Acceptance: 0 t\n\
///                    --BODY-- State: 0 [0] 0 --END--";
/// let automaton = read_hoa(for_ever_on, &mut Symbols::of_net(&net)).unwrap();
/// let violations = Violations::new(automaton, &Budget::default());
/// let structure = Structure::new(&net);
/// let mut engine = ExplicitEngine::new(&net, &structure, None, 0);
/// let decision = decide_automaton(&mut engine, &net, &violations, &Budget::default()).unwrap();
/// assert_eq!(decision.verdict, Verdict::Holds);
/// ```
#[derive(Clone, Debug)]
pub struct Violations {
    automaton: Arc<Automaton>,
    stutter_invariant: Option<bool>,
}

impl Violations {
    /// Finds out what can be known about the automaton, in a quarter of the time at most.
    pub fn new(automaton: Automaton, budget: &Budget) -> Self {
        let share = Budget { time: budget.time.map(|t| t / 4), ..budget.clone() };
        let cancel = share.watch();
        let options = Options { cancel: &cancel, ..Options::default() };
        // Not needed for the answer: what is too hard to tell stays open.
        let known = automaton.known_language(&options).ok();
        let stutter_invariant = known.and_then(|k| k.stutter_invariant);
        Violations { automaton: Arc::new(automaton), stutter_invariant }
    }

    /// The automaton.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The question for engines; none if the automaton reads events.
    pub(crate) fn question(&self) -> Result<Question, Reason> {
        if self.automaton.reads_events() {
            return Err(Reason::Unsupported(
                "automata that read fires(...) cannot be asked about; formulas can".to_owned(),
            ));
        }
        let violations = self.automaton.clone();
        let stutter_invariant = self.stutter_invariant;
        Ok(Question { violations, stutter_invariant, reachability: false })
    }

    /// What is told about the automaton.
    pub(crate) fn facts(&self) -> AutomatonFacts {
        AutomatonFacts::new(&self.automaton, self.stutter_invariant)
    }
}

/// Decides with an engine, within a budget, that the automaton accepts no run of the net.
///
/// As careful as [`crate::decide`]: a panic of the engine comes back as an error, and a
/// violation is replayed.
pub fn decide_automaton(
    engine: &mut dyn Engine,
    net: &Net,
    violations: &Violations,
    budget: &Budget,
) -> Result<Decision, DecideError> {
    let start = Instant::now();
    let name = engine.name();
    let mut decision = guarded(name, || {
        let question = match violations.question() {
            Ok(question) => question,
            Err(reason) => return Ok(Decision::unknown(name, reason)),
        };
        engine.begin(question.clone())?;
        let control = budget.search_control();
        control.enter(engine.name(), None);
        let (verdict, stats) = engine.advance(&control);
        let verdict = look_for_run_if_missing(name, verdict, net, question, budget, start)?;
        let automaton = Some(violations.facts());
        Ok(Decision { verdict, stats, automaton, ..Decision::open(name) })
    })?;
    check_run(net, violations, name, &decision.verdict)?;
    decision.time = start.elapsed();
    Ok(decision)
}

/// A run that is shown must be one, and the automaton must accept it.
pub(crate) fn check_run(
    model: &dyn Replayable,
    violations: &Violations,
    engine: &'static str,
    verdict: &Verdict,
) -> Result<(), DecideError> {
    let Verdict::Violated(Some(run)) = verdict else { return Ok(()) };
    guarded(engine, || {
        replay_automaton(model, violations.automaton(), run)
            .map_err(|error| DecideError::Replay { engine, error })
    })
}
