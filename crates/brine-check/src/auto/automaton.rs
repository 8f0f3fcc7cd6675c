//! `auto` for properties that are automata: rounds of growing work, and nothing that needs a
//! formula.

use super::Auto;
use super::rounds::Rounds;
use super::timeline::Timeline;
use crate::automaton::{Violations, check_run};
use crate::budget::Budget;
use crate::decide::{DecideError, Decision, guarded, look_for_run_if_missing};
use std::time::Instant;

impl Auto<'_> {
    /// Decides that the automaton accepts no run of the net.
    pub fn decide_automaton(
        &mut self,
        violations: &Violations,
        budget: &Budget,
    ) -> Result<Decision, DecideError> {
        let start = Instant::now();
        let question = violations.question(self.net);
        let mut timeline = Timeline::new(start);
        let mut decision = guarded("auto", || {
            let mut rounds = Rounds::new(self.stages, self.order);
            let answer = loop {
                let rest = budget.since(start);
                let round = rounds.play(question, self.structure, &rest, &mut timeline)?;
                if let Some(answer) = round {
                    break answer;
                }
            };
            let (engine, verdict) = (answer.engine, answer.verdict);
            let verdict = look_for_run_if_missing(engine, verdict, question, budget, start)?;
            let automaton = Some(violations.facts());
            Ok(Decision { verdict, stats: answer.stats, automaton, ..Decision::open(engine) })
        })?;
        check_run(self.net, violations, decision.engine, &decision.verdict)?;
        decision.time = start.elapsed();
        decision.timeline = timeline.steps();
        Ok(decision)
    }
}
