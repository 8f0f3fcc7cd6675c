//! Formulas of CTL on the command line: the same way as in the contest ([`brine_check::QueryCase`]).

use crate::engine::plain;
use crate::model::keep;
use brine_check::{
    Asker, Budget, DecideError, Decision, EngineSpec, PlainAsker, QueryCase, Reason,
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
}

impl<'n, S: Deref<Target = Structure>> PlainBranching<'n, S> {
    pub(super) fn new(spec: EngineSpec, net: &'n Net, structure: &'n S, control: &Control) -> Self {
        PlainBranching { spec, net, structure, control: control.clone(), asker: None }
    }

    /// Decides one.
    pub(super) fn decide(
        &mut self,
        formulas: &Formulas,
        ctl: &Ctl,
        budget: &Budget,
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
            Some(asker) => decide(asker, formulas, ctl, budget),
            None => unreachable!("it was made above"),
        }
    }
}

/// Decides a formula of CTL.
pub(super) fn decide<A: Asker>(
    asker: &mut A,
    formulas: &Formulas,
    ctl: &Ctl,
    budget: &Budget,
) -> Result<Decision, DecideError> {
    let mut case = QueryCase::branching(formulas, ctl);
    case.advance(asker, budget, u64::MAX).map(|(_, decision)| decision)
}
