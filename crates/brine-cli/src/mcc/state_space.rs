//! The StateSpace examination: four numbers, each printed when it is known.

use super::answers::ContestQuestion;
use super::{Contest, ContestNet};
use crate::engine::plain;
use crate::exit::stop_of;
use crate::model::with_idle_tokens;
use brine_check::{Budget, SpaceQuestion, SpaceSize, SpaceStep, state_space};
use brine_sat::StateSpace;

const STATES: ContestQuestion = ContestQuestion::StateSpace("STATES");
const TRANSITIONS: ContestQuestion = ContestQuestion::StateSpace("TRANSITIONS");
const MAX_TOKEN_PER_MARKING: ContestQuestion = ContestQuestion::StateSpace("MAX_TOKEN_PER_MARKING");
const MAX_TOKEN_IN_PLACE: ContestQuestion = ContestQuestion::StateSpace("MAX_TOKEN_IN_PLACE");
const ALL: [ContestQuestion; 4] = [STATES, TRANSITIONS, MAX_TOKEN_PER_MARKING, MAX_TOKEN_IN_PLACE];

/// What the contest writes for numbers of an unbounded net.
const UNBOUNDED: &str = "+inf";

/// Computes the numbers.
pub(super) fn run(contest: &Contest<'_>, net: ContestNet<'_>) -> anyhow::Result<()> {
    contest.watchdog.answers().ask(ALL);
    let techniques = contest.techniques("symbolic", &[]);
    let say = |question: &ContestQuestion, value: String| {
        contest.watchdog.answers().answer(question, &value, &techniques);
    };
    let budget = Budget {
        time: Some(contest.watchdog.time_left()),
        // Diagrams count the memory of the whole process.
        resident: Some(contest.watchdog.confinement().memory_bytes() / 20 * 19),
        cancel: contest.watchdog.cancel(),
        threads: contest.args.threads.count(),
        ..Budget::default()
    };
    let question = SpaceQuestion {
        net: net.net,
        structure: net.structure,
        spec: &contest.spec.space(),
        budget: &budget,
        progress: None,
    };
    let say_measured = |space: StateSpace| {
        let space = with_idle_tokens(net.model, space);
        if let Some(edges) = space.edges {
            say(&TRANSITIONS, edges.to_string());
        }
        say(&MAX_TOKEN_PER_MARKING, space.max_in_marking.to_string());
        say(&MAX_TOKEN_IN_PLACE, space.max_in_place.to_string());
    };
    let (mut found, mut measured) = (false, false);
    let size = state_space(&question, &mut |step| match step {
        SpaceStep::Found(reached) if !std::mem::replace(&mut found, true) => {
            say(&STATES, reached.states.to_string());
        }
        SpaceStep::Solved { states, .. } | SpaceStep::Divided { states, .. }
            if !std::mem::replace(&mut found, true) =>
        {
            say(&STATES, states.to_string());
        }
        SpaceStep::Measured(space) => {
            measured = true;
            say_measured(space.clone());
        }
        _ => {}
    });
    match size.map_err(plain) {
        Ok(SpaceSize::Unbounded) => {
            for question in &ALL {
                say(question, UNBOUNDED.to_owned());
            }
        }
        Ok(SpaceSize::Finite(space)) => match space.edges {
            Some(edges) if measured => say(&TRANSITIONS, edges.to_string()),
            _ => say_measured(space),
        },
        Err(error) => {
            let Some(stop) = stop_of(&error) else { return Err(error) };
            if contest.args.stats {
                eprintln!("state space: {stop}");
            }
        }
    }
    Ok(())
}
