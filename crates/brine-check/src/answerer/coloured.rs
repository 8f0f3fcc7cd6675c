//! Questions about a coloured net, before it is unfolded: `auto` decides them on the coloured net
//! itself, and unfolds it only where it has to. Automata are asked about the unfolded net.

use super::net::branching_turn;
use super::{Answerer, Asked, Turn, Waiting};
use crate::ask::{Asker, ColouredAsker, QueryCase};
use crate::auto::Stages;
use crate::coloured::{
    ColouredAuto, ColouredCase, ColouredModel, ColouredProperty, ColouredQuestion,
};
use crate::decide::{DecideError, Decision};
use crate::engine::BadOption;
use crate::shorten::shorten_coloured;
use crate::show::{Trace, coloured_trace};
use brine_ltl::{Formula, Formulas, Symbols};
use brine_net::Net;
use brine_run::{Search, Shelf};
use std::time::Instant;

/// Answers questions about a coloured net.
pub struct ColouredAnswerer<'n> {
    model: &'n ColouredModel,
    formulas: &'n Formulas,
    symbols: &'n Symbols,
    auto: ColouredAuto<'n>,
    questions: &'n [Option<ColouredQuestion<'n>>],
    cases: Waiting<ColouredCase<'n>>,
    asker: ColouredAsker<'n>,
    branching_cases: Waiting<QueryCase<<ColouredAsker<'n> as Asker>::Case>>,
}

impl<'n> ColouredAnswerer<'n> {
    /// The questions about runs in the form that `auto` takes, by number; `None` for others.
    pub fn questions<'a>(
        model: &'n ColouredModel,
        formulas: &'n Formulas,
        asked: impl IntoIterator<Item = &'a Asked>,
    ) -> Vec<Option<ColouredQuestion<'n>>> {
        let property = |formula| ColouredProperty { net: model.net(), formulas, formula };
        let question = |a: &Asked| a.formula().map(|f| ColouredQuestion::new(property(f)));
        asked.into_iter().map(question).collect()
    }
}

impl<'n> ColouredAnswerer<'n> {
    /// Nothing is done before the first question. What is on the shelves borrows from the shelves,
    /// so they cannot be dropped: a formula of CTL costs its own text, for good.
    pub fn new(
        (model, stages): (&'n ColouredModel, Stages),
        (formulas, symbols): (&'n Formulas, &'n Symbols),
        questions: &'n [Option<ColouredQuestion<'n>>],
        shelves: &'n (Shelf<Formulas>, Shelf<ColouredQuestion<'n>>),
    ) -> Self {
        let auto = ColouredAuto::new(model, stages);
        ColouredAnswerer {
            model,
            formulas,
            symbols,
            asker: ColouredAsker::new(model, auto.clone(), &shelves.0, &shelves.1),
            auto,
            questions,
            cases: Waiting::default(),
            branching_cases: Waiting::default(),
        }
    }

    fn property(&self, formula: Formula) -> ColouredProperty<'n> {
        ColouredProperty { net: self.model.net(), formulas: self.formulas, formula }
    }

    fn formula(&mut self, formula: Formula, turn: &Turn) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let Some(Some(question)) = self.questions.get(turn.number) else {
            let message = format!("question {} is not about runs", turn.number);
            return Err(BadOption(message).into());
        };
        let mut case = self.cases.take(turn, || self.auto.case(question));
        let mut decision = case.advance(&turn.limited().search_control())?;
        case.hold_at_most(turn.held);
        self.cases.keep(turn, case, &decision);
        shorten_coloured(self.property(formula), &mut decision, &turn.effort(start));
        Ok(decision)
    }
}

impl Answerer for ColouredAnswerer<'_> {
    fn advance(&mut self, asked: &Asked, turn: &Turn) -> Result<Decision, DecideError> {
        let decision = match asked {
            Asked::Formula(formula) | Asked::SomeRun(formula) => self.formula(*formula, turn)?,
            Asked::Branching(ctl) => {
                let (asker, cases) = (&mut self.asker, &mut self.branching_cases);
                branching_turn(asker, cases, self.formulas, ctl, turn)?
            }
            Asked::Automaton(_) => {
                let message = "an automaton is asked about the unfolded net";
                return Err(BadOption(message.to_owned()).into());
            }
        };
        Ok(asked.about(decision))
    }

    fn trace(&self, asked: &Asked, decision: &Decision) -> Option<Trace> {
        coloured_trace(self.property(asked.formula()?), self.symbols, decision)
    }

    fn wording(&self) -> (&Formulas, &Symbols) {
        (self.formulas, self.symbols)
    }

    fn drawn<'d>(&'d self, decision: &'d Decision) -> Option<(&'d Net, bool)> {
        decision.run_net.as_deref().map(|part| (part, false))
    }
}
