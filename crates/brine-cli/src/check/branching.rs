//! Formulas of CTL on the command line: the same way as in the contest ([`brine_check::QueryCase`]).

use super::turns::{Cases, Turn};
use crate::engine::plain;
use crate::model::keep;
use brine_check::shorten::{Effort, shorten};
use brine_check::{
    Asker, DecideError, Decision, EngineSpec, PlainAsked, PlainAsker, Property, QueryCase, Reason,
    Verdict,
};
use brine_ltl::{Ctl, Formulas};
use brine_net::{Net, Structure};
use brine_run::{Control, Shelf};
use std::ops::Deref;

/// Decides formulas of CTL about a plain net; nothing is made before the first of them.
pub(super) struct PlainBranching<'n, S> {
    spec: EngineSpec,
    net: &'n Net,
    structure: &'n S,
    control: Control,
    asker: Option<PlainAsker<'n>>,
    cases: Cases<QueryCase<PlainAsked<'n>>>,
}

impl<'n, S: Deref<Target = Structure>> PlainBranching<'n, S> {
    pub(super) fn new(spec: EngineSpec, net: &'n Net, structure: &'n S, control: &Control) -> Self {
        PlainBranching {
            spec,
            net,
            structure,
            control: control.clone(),
            asker: None,
            cases: Cases::default(),
        }
    }

    /// One turn of one.
    pub(super) fn decide(
        &mut self,
        formulas: &Formulas,
        ctl: &Ctl,
        turn: &Turn,
    ) -> Result<Decision, DecideError> {
        if self.asker.is_none() {
            match self.spec.build(self.net, self.structure, &self.control).map_err(plain) {
                Ok(decider) => {
                    let asker = PlainAsker::new(self.net, decider, keep(Shelf::default()));
                    let ways = self.spec.markings();
                    self.asker = Some(match ways {
                        Some(ways) => asker.with_markings(self.structure, ways),
                        None => asker,
                    });
                }
                Err(error) => {
                    let reason = Reason::Unsupported(error.to_string());
                    return Ok(Decision::unknown("markings", reason));
                }
            }
        }
        match &mut self.asker {
            Some(asker) => decide(asker, &mut self.cases, formulas, ctl, turn),
            None => unreachable!("it was made above"),
        }
    }
}

/// The same with a shorter run, if it has one.
pub(super) fn shortened(net: &Net, mut decision: Decision, effort: &Effort) -> Decision {
    let Some(question) = decision.run_question.clone() else { return decision };
    let property = Property { net, formulas: &question.formulas, formula: question.formula };
    // A run that shows that a formula holds is a violation of the question about all runs.
    let example = decision.example.take();
    let holds = example.is_some();
    if holds {
        decision.verdict = Verdict::Violated(example);
    }
    shorten(property, &mut decision, effort);
    if holds { decision.for_some_run() } else { decision }
}

/// One turn of a formula of CTL.
pub(super) fn decide<A: Asker>(
    asker: &mut A,
    cases: &mut Cases<QueryCase<A::Case>>,
    formulas: &Formulas,
    ctl: &Ctl,
    turn: &Turn,
) -> Result<Decision, DecideError> {
    let waiting = cases.take(turn.number);
    let mut case = waiting.unwrap_or_else(|| QueryCase::branching(formulas, ctl));
    let (_, decision) = case.advance(asker, &turn.limited(), turn.share.held)?;
    cases.keep(turn.number, case, &decision);
    Ok(decision)
}
