//! Questions about a model that is no net.

use super::{Answerer, Asked, Turn};
use crate::automaton::Violations;
use crate::decide::{DecideError, Decision};
use crate::engine::BadOption;
use crate::model::{ModelEngine, ModelProperty};
use crate::shorten::{shorten_model, shorten_model_automaton};
use crate::show::{Trace, model_trace};
use brine_ltl::{Automaton, Formula, Formulas, Symbols};
use brine_net::Net;
use brine_pins::Pins;
use std::time::Instant;

/// Answers questions about a model behind the state-vector interface.
pub struct ModelAnswerer<'m> {
    /// The model.
    pub model: &'m dyn Pins,
    /// Who searches it.
    pub engine: ModelEngine,
    /// The store of the formulas.
    pub formulas: &'m Formulas,
    /// The names in them.
    pub symbols: &'m Symbols,
}

impl ModelAnswerer<'_> {
    fn formula(&self, formula: Formula, turn: &Turn) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let property = ModelProperty { model: self.model, formulas: self.formulas, formula };
        let mut decision = self.engine.decide(property, &turn.budget)?;
        shorten_model(property, &mut decision, &turn.effort(start));
        Ok(decision)
    }

    fn automaton(&self, automaton: &Automaton, turn: &Turn) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let violations = Violations::new(automaton.clone(), &turn.budget);
        let rest = turn.budget.since(start);
        let mut decision = self.engine.decide_automaton(self.model, &violations, &rest)?;
        shorten_model_automaton(self.model, &violations, &mut decision, &turn.effort(start));
        Ok(decision)
    }
}

impl Answerer for ModelAnswerer<'_> {
    fn advance(&mut self, asked: &Asked, turn: &Turn) -> Result<Decision, DecideError> {
        let decision = match asked {
            Asked::Formula(formula) | Asked::SomeRun(formula) => self.formula(*formula, turn)?,
            Asked::Automaton(automaton) => self.automaton(automaton, turn)?,
            Asked::Branching(_) => {
                return Err(BadOption("formulas of CTL need a net".to_owned()).into());
            }
        };
        Ok(asked.about(decision))
    }

    fn trace(&self, asked: &Asked, decision: &Decision) -> Option<Trace> {
        let words = asked.formula().map(|f| (self.formulas, f, self.symbols));
        model_trace(self.model, words, decision)
    }

    fn wording(&self) -> (&Formulas, &Symbols) {
        (self.formulas, self.symbols)
    }

    fn drawn<'d>(&'d self, _: &'d Decision) -> Option<(&'d Net, bool)> {
        None
    }
}
