//! The StateSpace examination: four numbers, each printed when it is known.

use super::Contest;
use super::answers::Question;
use crate::space::{Search, Step, compute, is_unbounded};
use brine_run::Control;
use std::time::Instant;

const STATES: Question = Question::StateSpace("STATES");
const TRANSITIONS: Question = Question::StateSpace("TRANSITIONS");
const MAX_TOKEN_PER_MARKING: Question = Question::StateSpace("MAX_TOKEN_PER_MARKING");
const MAX_TOKEN_IN_PLACE: Question = Question::StateSpace("MAX_TOKEN_IN_PLACE");
const ALL: [Question; 4] = [STATES, TRANSITIONS, MAX_TOKEN_PER_MARKING, MAX_TOKEN_IN_PLACE];

/// What the contest writes for numbers of an unbounded net.
const UNBOUNDED: &str = "+inf";

/// Computes the numbers.
pub(super) fn run(contest: &Contest<'_>) -> anyhow::Result<()> {
    contest.watchdog.answers().ask(ALL);
    let techniques = contest.techniques("symbolic");
    let say = |question: &Question, value: String| {
        contest.watchdog.answers().answer(question, &value, &techniques);
    };
    if is_unbounded(contest.net, contest.structure, &contest.watchdog.control())? {
        for question in &ALL {
            say(question, UNBOUNDED.to_owned());
        }
        return Ok(());
    }
    let control = Control {
        // Diagrams count the memory of the whole process.
        resident: Some(contest.watchdog.confinement().memory_bytes() / 20 * 19),
        deadline: Instant::now().checked_add(contest.watchdog.time_left()),
        cancel: Some(contest.watchdog.cancel()),
        threads: contest.args.threads.count(),
        ..Control::default()
    };
    let candidates =
        contest.args.engine.order.candidates(contest.net, contest.structure, &control)?;
    let search = Search { way: contest.args.engine.way(), candidates, control: &control };
    compute(contest.model, contest.structure, search, |step| match step {
        Step::Found(found) => say(&STATES, found.states.to_string()),
        Step::Measured(space) => {
            say(&TRANSITIONS, space.edges.to_string());
            say(&MAX_TOKEN_PER_MARKING, space.max_in_marking.to_string());
            say(&MAX_TOKEN_IN_PLACE, space.max_in_place.to_string());
        }
        Step::GaveUp(stop) => {
            if contest.args.stats {
                eprintln!("state space: {stop}");
            }
        }
    });
    Ok(())
}
