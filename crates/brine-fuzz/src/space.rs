//! State spaces: saturation against brute force.

use crate::case::{CaseAnswer, Failure};
use crate::configuration::Configuration;
use crate::subject::Subject;
use brine_check::{SetupError, SpaceQuestion, SpaceSize, SpaceSpec, SpaceStep, state_space};
use brine_net::Net;
use brine_oracle::{StateCounts, count_states};

/// Computes the state space and compares it with what brute force enumerated.
pub(crate) fn check(
    subject: &Subject,
    configuration: &Configuration,
) -> Result<CaseAnswer, Failure> {
    let Subject { net, structure, kripke } = subject;
    let options = configuration.engine().map_err(|e| Failure::new(e.to_string()))?;
    let spec = SpaceSpec::new(&options).map_err(|e| Failure::new(e.to_string()))?;
    let budget = configuration.budget(subject.time());
    let question = SpaceQuestion { net, structure, spec: &spec, budget: &budget, progress: None };
    let mut few = None;
    let size = state_space(&question, &mut |step| {
        // What is told on the way must be right as well.
        let states = match step {
            SpaceStep::Found(found) => &found.states,
            SpaceStep::Solved { states, .. } | SpaceStep::Divided { states, .. } => states,
            _ => return,
        };
        let enough = *states > kripke.markings.len().into() || kripke.complete;
        few = (!enough).then(|| states.clone());
    });
    if let Some(states) = few {
        return Err(Failure::new(format!("{states} states, but there are more")));
    }
    let space = match size {
        Ok(SpaceSize::Unbounded) if kripke.complete => {
            return Err(Failure::new("a growing run of a net with finitely many markings"));
        }
        Ok(SpaceSize::Unbounded) => return Ok(CaseAnswer::Counted),
        Ok(SpaceSize::Finite(space)) => space,
        Err(SetupError::BadOption(_)) => return Ok(CaseAnswer::Refused),
        Err(SetupError::Stop(_)) => return Ok(CaseAnswer::Unknown),
    };
    let Some(expected) = expected(net, kripke.complete, kripke.markings.len()) else {
        return Ok(CaseAnswer::Counted);
    };
    let right = space.states == expected.states.into()
        && space.edges == Some(expected.edges.into())
        && space.max_in_place == expected.max_token_in_place
        && space.max_in_marking == expected.max_token_per_marking;
    if right {
        return Ok(CaseAnswer::Counted);
    }
    Err(Failure::new(format!("{space:?}, expected {expected:?}")))
}

/// The numbers by brute force, if all markings are known.
pub(crate) fn expected(net: &Net, complete: bool, markings: usize) -> Option<StateCounts> {
    if complete { count_states(net, markings) } else { None }
}
