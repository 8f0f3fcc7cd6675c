//! Questions about a place/transition net.

use super::{Answerer, Asked, Turn, Waiting};
use crate::ask::{Asker, PlainAsked, PlainAsker, QueryCase, StoredFormula};
use crate::auto::Case;
use crate::automaton::Violations;
use crate::decide::{DecideError, Decision, Property, RunQuestion, decide};
use crate::shorten::{shorten, shorten_automaton};
use crate::show::{Trace, net_trace};
use crate::spec::{Decider, EngineSpec, SetupError};
use crate::verdict::{Reason, Verdict};
use brine_ltl::{Automaton, Ctl, Formula, Formulas, Symbols};
use brine_net::{Net, Structure};
use brine_run::{Control, Search, Shelf};
use std::ops::Deref;
use std::time::Instant;

/// Answers questions about a net.
pub struct NetAnswerer<'n, S> {
    spec: EngineSpec,
    net: &'n Net,
    structure: &'n S,
    formulas: &'n Formulas,
    symbols: &'n Symbols,
    shelf: &'n Shelf<StoredFormula>,
    control: Control,
    decider: Decider<'n>,
    cases: Waiting<Case<'n>>,
    /// Made for the first formula of CTL.
    branching: Option<PlainAsker<'n>>,
    branching_cases: Waiting<QueryCase<PlainAsked<'n>>>,
}

impl<'n, S: Deref<Target = Structure>> NetAnswerer<'n, S> {
    /// Sets the engine up; `control` is for that. The structure is worked out when it is needed.
    pub fn new(
        spec: EngineSpec,
        (net, structure): (&'n Net, &'n S),
        (formulas, symbols): (&'n Formulas, &'n Symbols),
        shelf: &'n Shelf<StoredFormula>,
        control: &Control,
    ) -> Result<Self, SetupError> {
        let decider = spec.build(net, structure, control)?;
        Ok(NetAnswerer {
            spec,
            net,
            structure,
            formulas,
            symbols,
            shelf,
            control: control.clone(),
            decider,
            cases: Waiting::default(),
            branching: None,
            branching_cases: Waiting::default(),
        })
    }

    fn formula(&mut self, formula: Formula, turn: &Turn) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let property = Property { net: self.net, formulas: self.formulas, formula };
        let mut decision = match &mut self.decider {
            Decider::Engine(engine) => decide(&mut **engine, property, &turn.budget)?,
            Decider::Auto(auto) => {
                let mut case = self.cases.take(turn, || auto.case(property));
                let decision = case.advance(&turn.limited().search_control())?;
                case.hold_at_most(turn.held);
                self.cases.keep(turn, case, &decision);
                decision
            }
        };
        shorten(property, &mut decision, &turn.effort(start));
        Ok(decision)
    }

    fn automaton(&mut self, automaton: &Automaton, turn: &Turn) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let violations = Violations::new(automaton.clone(), &turn.budget);
        let rest = turn.budget.since(start);
        let mut decision = self.decider.decide_automaton(self.net, &violations, &rest)?;
        shorten_automaton(self.net, &violations, &mut decision, &turn.effort(start));
        Ok(decision)
    }

    fn branching(&mut self, ctl: &Ctl, turn: &Turn) -> Result<Decision, DecideError> {
        let asker = match &mut self.branching {
            Some(asker) => asker,
            none => match self.spec.build(self.net, self.structure, &self.control) {
                Ok(decider) => {
                    let asker = PlainAsker::new(self.net, decider, self.shelf);
                    none.insert(match self.spec.markings() {
                        Some(ways) => asker.with_markings(self.structure, ways),
                        None => asker,
                    })
                }
                Err(error) => {
                    let reason = Reason::Unsupported(error.to_string());
                    return Ok(Decision::unknown("markings", reason));
                }
            },
        };
        branching_turn(asker, &mut self.branching_cases, self.formulas, ctl, turn)
    }

    /// An answer to CTL with a shorter run, if it has one.
    fn with_short_run(&self, mut decision: Decision, turn: &Turn, start: Instant) -> Decision {
        let Some(question) = decision.run_question.clone() else { return decision };
        let RunQuestion { formulas, formula } = &*question;
        let property = Property { net: self.net, formulas, formula: *formula };
        // A run that shows that a formula holds is a violation of the question about all runs.
        let example = decision.example.take();
        let holds = example.is_some();
        if holds {
            decision.verdict = Verdict::Violated(example);
        }
        shorten(property, &mut decision, &turn.effort(start));
        if holds { decision.for_some_run() } else { decision }
    }
}

/// One turn of a formula of CTL: the same way as in the contest ([`QueryCase`]).
pub(super) fn branching_turn<A: Asker>(
    asker: &mut A,
    cases: &mut Waiting<QueryCase<A::Case>>,
    formulas: &Formulas,
    ctl: &Ctl,
    turn: &Turn,
) -> Result<Decision, DecideError> {
    let mut case = cases.take(turn, || QueryCase::branching(formulas, ctl));
    let (_, decision) = case.advance(asker, &turn.limited(), turn.held)?;
    cases.keep(turn, case, &decision);
    Ok(decision)
}

impl<S: Deref<Target = Structure>> Answerer for NetAnswerer<'_, S> {
    fn advance(&mut self, asked: &Asked, turn: &Turn) -> Result<Decision, DecideError> {
        let decision = match asked {
            Asked::Formula(formula) | Asked::SomeRun(formula) => self.formula(*formula, turn)?,
            Asked::Automaton(automaton) => self.automaton(automaton, turn)?,
            Asked::Branching(ctl) => {
                let start = Instant::now();
                let decision = self.branching(ctl, turn)?;
                self.with_short_run(decision, turn, start)
            }
        };
        Ok(asked.about(decision))
    }

    fn trace(&self, asked: &Asked, decision: &Decision) -> Option<Trace> {
        let words = asked.formula().map(|f| (self.formulas, f, self.symbols));
        let of_run = decision.run_question.as_ref();
        let of_run = of_run.map(|q| (&q.formulas, q.formula, self.symbols));
        net_trace(self.net, of_run.or(words), decision)
    }

    fn wording(&self) -> (&Formulas, &Symbols) {
        (self.formulas, self.symbols)
    }

    fn drawn<'d>(&'d self, _: &'d Decision) -> Option<(&'d Net, bool)> {
        Some((self.net, true))
    }
}
