//! `auto` for properties that are automata: rounds of growing work, and nothing that needs a
//! formula.

use super::Auto;
use super::rounds::{RoundAnswer, Rounds};
use super::timeline::Timeline;
use crate::automaton::{Violations, check_run};
use crate::budget::Budget;
use crate::decide::{DecideError, Decision, guarded, look_for_run_if_missing};
use crate::verdict::Reason;
use brine_run::Shared;
use std::time::Instant;

impl Auto<'_> {
    /// Decides that the automaton accepts no run of the net.
    pub fn decide_automaton(
        &mut self,
        violations: &Violations,
        budget: &Budget,
    ) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let mut timeline = Timeline::new(start);
        let mut decision = guarded("auto", || {
            let control = budget.search_control();
            let question = match violations.question() {
                Ok(question) => question,
                Err(reason) => return Ok(Decision::unknown("auto", reason)),
            };
            let (net, structure) = (self.net.into(), Shared::from(&**self.structure));
            let mut rounds = Rounds::new(self.stages, self.order, &net, &structure, &question)?;
            let answer = loop {
                if control.work.is_some_and(|most| rounds.next_work() > most) {
                    break RoundAnswer::none(Reason::Steps);
                }
                if let Some(answer) = rounds.play(&control, &mut timeline) {
                    break answer;
                }
            };
            let (engine, verdict) = (answer.engine, answer.verdict);
            let verdict =
                look_for_run_if_missing(engine, verdict, self.net, question, budget, start)?;
            let automaton = Some(violations.facts());
            Ok(Decision { verdict, stats: answer.stats, automaton, ..Decision::open(engine) })
        })?;
        check_run(self.net, violations, decision.engine, &decision.verdict)?;
        decision.time = start.elapsed();
        decision.timeline = timeline.steps();
        Ok(decision)
    }
}
