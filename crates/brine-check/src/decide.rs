//! From a formula to a verdict: translate, ask the engine, replay what it says.

use crate::auto::Tried;
use crate::budget::{Budget, run_time};
use crate::certify::CertificateFigures;
use crate::engine::{BadOption, Engine, Question};
use crate::hunt::HuntEngine;
use crate::restate::Chain;
use crate::shorten::RunFacts;
use crate::verdict::{Reason, Stats, Verdict};
use brine_coloured::ColouredRun;
use brine_explicit::hunt::HuntOptions;
use brine_ltl::{Automaton, Class, Error, Formula, Formulas, Node, Options, Translator};
use brine_net::{Net, Run};
use brine_replay::ReplayError;
use brine_run::Search;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A question as users ask it: do all runs of the net satisfy the formula?
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// The net.
    pub net: &'a Net,
    /// The store of the formula.
    pub formulas: &'a Formulas,
    /// The formula.
    pub formula: Formula,
}

/// What is told about the automaton of the negated formula.
#[derive(Clone, Debug)]
pub struct AutomatonFacts {
    /// States.
    pub states: usize,
    /// Edges.
    pub edges: usize,
    /// Terminal, weak or general.
    pub class: Class,
    /// Whether the formula is stutter-invariant; `None` if that was too hard to tell.
    pub stutter_invariant: Option<bool>,
}

impl AutomatonFacts {
    pub(crate) fn new(violations: &Automaton, stutter_invariant: Option<bool>) -> Self {
        AutomatonFacts {
            states: violations.num_states(),
            edges: violations.edges().len(),
            class: violations.class(),
            stutter_invariant,
        }
    }
}

/// A verdict and how it came about.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The verdict. The run of a violation was replayed.
    pub verdict: Verdict,
    /// The engine that answered.
    pub engine: &'static str,
    /// The automaton, unless the translation failed.
    pub automaton: Option<AutomatonFacts>,
    /// The engine's figures.
    pub stats: Stats,
    /// Wall-clock time, translation and replay included.
    pub time: Duration,
    /// A run that shows that the property holds, of a property that some run is to satisfy. It was
    /// replayed.
    pub example: Option<Run>,
    /// What was tried, where several things were.
    pub timeline: Vec<Tried>,
    /// Of a formula that holds: left sides of implications in it that are known to be true at
    /// no position of any run. See [`crate::Simplifier::never_true`].
    pub vacuous: Vec<Formula>,
    /// The net of the run, if it is not that of the question: of a coloured net, the part of its
    /// unfolding that the run touches.
    pub run_net: Option<Arc<Net>>,
    /// The same run with its bindings, if the net is coloured.
    pub coloured_run: Option<ColouredRun>,
    /// What a certificate of the verdict is like, if one was made.
    pub certificate: Option<CertificateFigures>,
    /// What is known about the run, once it was shortened ([`crate::shorten::shorten`]).
    pub run_facts: Option<RunFacts>,
    /// Of a formula of CTL that a run shows: the question about all runs whose violation it is.
    pub run_question: Option<Arc<RunQuestion>>,
}

/// Do all runs satisfy a formula? It stands in a store of its own.
#[derive(Clone, Debug)]
pub struct RunQuestion {
    /// The store.
    pub formulas: Formulas,
    /// The formula.
    pub formula: Formula,
}

/// Why there is no decision at all.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecideError {
    /// An option does not fit the question.
    #[error(transparent)]
    BadOption(#[from] BadOption),
    /// The model itself goes wrong in a reachable state.
    #[error("{0}")]
    Model(String),
    /// A bug in Brine: an engine panicked.
    #[error("the {engine} engine panicked: {message}")]
    Panic {
        /// The engine.
        engine: &'static str,
        /// What the panic said.
        message: String,
    },
    /// A bug in Brine: an engine reported a violation that is none.
    #[error("the {engine} engine reported a violation that does not replay: {error}")]
    Replay {
        /// The engine.
        engine: &'static str,
        /// What is wrong with the witness.
        error: ReplayError,
    },
    /// A bug in Brine: a violation of the restated property is none of the original one.
    #[error("the run that {engine} found violates the restated property, but not this one")]
    Restated {
        /// The engine.
        engine: &'static str,
    },
    /// A bug in Brine: an engine reported a violation that a complete search does not find.
    #[error("the {engine} engine reported a violation that the hunt refutes")]
    Refuted {
        /// The engine.
        engine: &'static str,
    },
}

impl DecideError {
    /// Whether this is a bug in Brine rather than a mistake of the user.
    pub fn is_internal(&self) -> bool {
        !matches!(self, DecideError::BadOption(_) | DecideError::Model(_))
    }
}

/// Decides a property with an engine, within a budget.
///
/// Never panics: a panic of the engine comes back as an error. Never trusts: a violation is
/// replayed by independent code before it is passed on.
///
/// ```
/// use brine_check::{Budget, ExplicitEngine, Property, Verdict, decide};
/// use brine_ltl::{Formulas, Symbols, parse};
/// use brine_net::{NetBuilder, Structure};
/// let mut b = NetBuilder::new("lamp");
/// let (on, off) = (b.place("on", 1), b.place("off", 0));
/// b.transition("down", &[(on, 1)], &[(off, 1)]);
/// let net = b.build().unwrap();
/// let mut formulas = Formulas::new();
/// let formula = parse("F off = 1", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
/// let structure = Structure::new(&net);
/// let mut engine = ExplicitEngine::new(&net, &structure, None, 0);
/// let property = Property { net: &net, formulas: &formulas, formula };
/// let decision = decide(&mut engine, property, &Budget::default()).unwrap();
/// assert_eq!(decision.verdict, Verdict::Holds);
/// ```
pub fn decide(
    engine: &mut dyn Engine,
    property: Property<'_>,
    budget: &Budget,
) -> Result<Decision, DecideError> {
    decide_restated(engine, &Chain::default(), property, budget)
}

/// The same with the property restated: the engine is asked about the last property of the
/// chain, and must have been made for its net. Its run is replayed there, then lifted back.
pub fn decide_restated(
    engine: &mut dyn Engine,
    chain: &Chain<'_>,
    property: Property<'_>,
    budget: &Budget,
) -> Result<Decision, DecideError> {
    let start = Instant::now();
    let name = engine.name();
    let restated = chain.property(property);
    let mut decision = guarded(name, || ask(engine, restated, budget, start))?;
    let rest = budget.since(start);
    decision.verdict = chain.conclude(property, name, decision.verdict, &rest)?;
    decision.time = start.elapsed();
    Ok(decision)
}

fn ask(
    engine: &mut dyn Engine,
    property: Property<'_>,
    budget: &Budget,
    start: Instant,
) -> Result<Decision, DecideError> {
    let mut decision = Decision::open(engine.name());
    let translated = match Translated::new(property, &Options::default(), budget, start) {
        Ok(translated) => translated,
        Err(reason) => {
            decision.verdict = Verdict::Unknown(reason);
            return Ok(decision);
        }
    };
    decision.automaton = Some(translated.facts());
    engine.begin(translated.question())?;
    let control = budget.since(start).search_control();
    control.enter(engine.name(), None);
    let (verdict, stats) = engine.advance(&control);
    decision.stats = stats;
    let (name, net, question) = (engine.name(), property.net, translated.question());
    decision.verdict = look_for_run_if_missing(name, verdict, net, question, budget, start)?;
    Ok(decision)
}

/// A violation whose run the engine did not find in time: the hunt may, in what is left of it.
/// That it refutes the violation cannot be, and is not kept quiet. Other verdicts stay.
pub(crate) fn look_for_run_if_missing(
    engine: &'static str,
    verdict: Verdict,
    net: &Net,
    question: Question,
    budget: &Budget,
    start: Instant,
) -> Result<Verdict, DecideError> {
    if verdict != Verdict::Violated(None) {
        return Ok(verdict);
    }
    let time = run_time(start.elapsed());
    let rest = budget.since(start);
    let rest = Budget { time: Some(rest.time.map_or(time, |left| left.min(time))), ..rest };
    let mut hunt = HuntEngine::new(net, HuntOptions::default());
    hunt.begin(question)?;
    match hunt.advance(&rest.control()).0 {
        Verdict::Holds => Err(DecideError::Refuted { engine }),
        Verdict::Violated(run) => Ok(Verdict::Violated(run)),
        Verdict::Unknown(_) => Ok(Verdict::Violated(None)),
    }
}

impl Decision {
    /// No answer, for this reason.
    pub fn unknown(engine: &'static str, reason: Reason) -> Self {
        Decision { verdict: Verdict::Unknown(reason), ..Decision::open(engine) }
    }

    /// Nothing is known yet.
    pub(crate) fn open(engine: &'static str) -> Self {
        Decision {
            verdict: Verdict::Unknown(Reason::Timeout),
            engine,
            automaton: None,
            stats: Stats::default(),
            time: Duration::ZERO,
            example: None,
            timeline: Vec::new(),
            vacuous: Vec::new(),
            run_net: None,
            coloured_run: None,
            certificate: None,
            run_facts: None,
            run_question: None,
        }
    }
}

/// Runs an engine; its panic is an error.
pub(crate) fn guarded<R>(
    engine: &'static str,
    run: impl FnOnce() -> Result<R, DecideError>,
) -> Result<R, DecideError> {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|panic| Err(DecideError::Panic { engine, message: panic_message(&*panic) }))
}

/// What engines are asked: the automaton of the negated formula.
#[derive(Debug)]
pub(crate) struct Translated {
    violations: Arc<Automaton>,
    stutter_invariant: Option<bool>,
    reachability: bool,
}

impl Translated {
    /// Translates the negation of the formula, and tells whether it is stutter-invariant. The
    /// options say what is known about letters and where translations are kept.
    pub(crate) fn new(
        property: Property<'_>,
        options: &Options<'_>,
        budget: &Budget,
        start: Instant,
    ) -> Result<Self, Reason> {
        let Property { net, formulas, formula } = property;
        let options = Options { net: Some(net), ..*options };
        Translated::negation_of(formulas, formula, &options, budget, start)
    }

    /// The same for a formula that may not be about a net.
    pub(crate) fn negation_of(
        formulas: &Formulas,
        formula: Formula,
        options: &Options<'_>,
        budget: &Budget,
        start: Instant,
    ) -> Result<Self, Reason> {
        let deadline = Cell::new(budget.deadline(start));
        let late = || deadline.get().is_some_and(|d| Instant::now() >= d);
        let cancel = || budget.cancelled() || late();
        let options = Options { cancel: &cancel, ..*options };
        let mut formulas = formulas.clone();
        let negation = formulas.not(formula);
        let mut translator = Translator::new(&formulas, negation, &options);
        let automaton = translator.as_mut().map_err(|e| e.clone()).and_then(Translator::tgba);
        let violations = automaton.map_err(|error| match error {
            Error::Unsupported(what) => Reason::Unsupported(what),
            Error::Cancelled if late() => Reason::Timeout,
            Error::Cancelled => Reason::Cancelled,
        })?;
        // Not needed for the answer: if it is too hard to tell, it stays open. The search must
        // not go without time for it.
        let now = Instant::now();
        deadline.set(deadline.get().map(|end| now + end.saturating_duration_since(now) / 4));
        let stutter_invariant = translator.ok().and_then(|mut t| t.is_stutter_invariant().ok());
        let reachability = matches!(formulas.node(formula), Node::G(f) if formulas.is_boolean(f));
        Ok(Translated { violations: Arc::new(violations), stutter_invariant, reachability })
    }

    /// Accepts exactly the violations.
    pub(crate) fn violations(&self) -> &Automaton {
        &self.violations
    }

    /// The question for engines.
    pub(crate) fn question(&self) -> Question {
        let Translated { stutter_invariant, reachability, .. } = *self;
        Question { violations: self.violations.clone(), stutter_invariant, reachability }
    }

    /// What is told about the automaton.
    pub(crate) fn facts(&self) -> AutomatonFacts {
        AutomatonFacts::new(&self.violations, self.stutter_invariant)
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_ltl::{Symbols, parse};
    use brine_net::{NetBuilder, TransitionId};
    use brine_run::Control;

    /// An engine that answers whatever the test wants.
    struct Liar(fn() -> Verdict);

    impl Search for Liar {
        type Outcome = (Verdict, Stats);

        fn advance(&mut self, _: &Control) -> (Verdict, Stats) {
            ((self.0)(), Stats::default())
        }
    }

    impl Engine for Liar {
        fn name(&self) -> &'static str {
            "liar"
        }

        fn begin(&mut self, _: Question) -> Result<(), BadOption> {
            Ok(())
        }
    }

    fn ask_liar(answer: fn() -> Verdict) -> Result<Decision, DecideError> {
        ask_liar_about("G p >= 1", answer)
    }

    fn ask_liar_about(text: &str, answer: fn() -> Verdict) -> Result<Decision, DecideError> {
        let mut b = NetBuilder::new("n");
        let p = b.place("p", 1);
        b.transition("t", &[(p, 1)], &[(p, 1)]);
        let net = b.build().unwrap();
        let mut formulas = Formulas::new();
        let formula = parse(text, &mut formulas, &mut Symbols::of_net(&net)).unwrap();
        let property = Property { net: &net, formulas: &formulas, formula };
        decide(&mut Liar(answer), property, &Budget::default())
    }

    #[test]
    fn a_false_violation_is_an_internal_error_and_not_a_verdict() {
        let error = ask_liar(|| {
            Verdict::Violated(Some(Run { prefix: vec![], cycle: vec![TransitionId(0)] }))
        })
        .unwrap_err();
        assert!(error.is_internal());
        assert_eq!(error, DecideError::Replay { engine: "liar", error: ReplayError::Satisfies });
    }

    #[test]
    fn a_violation_without_a_run_gets_one_or_is_refuted() {
        let decision = ask_liar_about("F p = 0", || Verdict::Violated(None)).unwrap();
        let run = Run { prefix: vec![], cycle: vec![TransitionId(0)] };
        assert_eq!(decision.verdict, Verdict::Violated(Some(run)));
        let error = ask_liar(|| Verdict::Violated(None)).unwrap_err();
        assert_eq!(error, DecideError::Refuted { engine: "liar" });
        assert!(error.is_internal());
    }

    #[test]
    fn a_panic_is_an_internal_error() {
        let error = ask_liar(|| panic!("out of {}", "order")).unwrap_err();
        assert_eq!(error.to_string(), "the liar engine panicked: out of order");
    }

    #[test]
    fn a_budget_that_is_used_up_is_unknown() {
        let decision = ask_liar(|| Verdict::Unknown(Reason::Memory)).unwrap();
        assert_eq!(decision.verdict, Verdict::Unknown(Reason::Memory));
        assert_eq!(decision.automaton.unwrap().class, Class::Terminal);
    }
}
