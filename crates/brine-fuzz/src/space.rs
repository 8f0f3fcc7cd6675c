//! State spaces: saturation against brute force.

use crate::case::{Answer, Failure};
use crate::configuration::Configuration;
use crate::subject::Subject;
use brine_net::order::{Candidate, OrderSpec, candidates};
use brine_net::{Net, find_growth};
use brine_oracle::{StateCounts, count_states};
use brine_sat::{measure, reach_with_best};

/// Computes the state space and compares it with what brute force enumerated.
pub(crate) fn check(subject: &Subject, configuration: &Configuration) -> Result<Answer, Failure> {
    let Subject { net, kripke, .. } = subject;
    if kripke.complete && find_growth(net).is_some_and(|growth| growth.replays(net)) {
        return Err(Failure::new("a growing run of a net with finitely many markings"));
    }
    let Some(orders) = orders(subject, configuration)? else { return Ok(Answer::Refused) };
    let budget = configuration.budget(subject.time());
    let control = budget.search_control().resident_beyond(brine_dd::resident_bytes());
    let Ok(found) = reach_with_best(net, &orders, &control) else {
        return Ok(Answer::Unknown);
    };
    let states = found.engine.dd.count(found.reached);
    let space = measure(&found.engine.dd, &found.engine.model, found.reached);
    let Some(expected) = expected(net, kripke.complete, kripke.markings.len()) else {
        let few = states <= kripke.markings.len().into();
        return if few {
            Err(Failure::new(format!("{states} states, but there are more")))
        } else {
            Ok(Answer::Counted)
        };
    };
    let Ok(space) = space else { return Ok(Answer::Unknown) };
    let right = states == expected.states.into()
        && space.edges == expected.edges.into()
        && space.max_in_place == expected.max_token_in_place
        && space.max_in_marking == expected.max_token_per_marking;
    if right {
        return Ok(Answer::Counted);
    }
    Err(Failure::new(format!("{states} states and {space:?}, expected {expected:?}")))
}

/// The numbers by brute force, if all markings are known.
pub(crate) fn expected(net: &Net, complete: bool, markings: usize) -> Option<StateCounts> {
    if complete { count_states(net, markings) } else { None }
}

/// The orders that the options ask for; `None` if the net has no such groups.
fn orders(
    subject: &Subject,
    configuration: &Configuration,
) -> Result<Option<Vec<Candidate>>, Failure> {
    let Subject { net, structure, .. } = subject;
    let Some(name) = configuration.option("--order") else {
        return Ok(Some(candidates(net, structure)));
    };
    let spec: OrderSpec =
        name.parse().map_err(|e: brine_net::order::UnknownOrder| Failure::new(e.to_string()))?;
    let layout = spec.layout(net, structure);
    Ok(layout.map(|layout| vec![Candidate { spec, layout, score: 0.0 }]))
}
