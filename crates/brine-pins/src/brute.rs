//! Brute force: all reachable states by whole-state steps, in the simplest way there is.

use std::collections::HashSet;

use crate::interface::{GroupId, ModelError, Pins};

/// All reachable states in breadth-first order, or `None` if there are more than `limit`.
/// Uses [`Pins::step`] alone: no matrix, no short vectors, no diagrams.
///
/// ```
/// use brine_pins::{NetModel, reachable_states};
/// let net = brine_models::fork_join(2);
/// let model = NetModel::new(&net, &brine_net::Structure::new(&net).bounds);
/// assert_eq!(reachable_states(&model, 100)?.unwrap().len(), 5);
/// assert_eq!(reachable_states(&model, 4)?, None);
/// # Ok::<(), brine_pins::ModelError>(())
/// ```
pub fn reachable_states(
    model: &dyn Pins,
    limit: usize,
) -> Result<Option<Vec<Vec<u32>>>, ModelError> {
    let (states, complete) = first_states(model, limit)?;
    Ok(complete.then_some(states))
}

/// The first reachable states, at most `limit`, and whether they are all.
pub(crate) fn first_states(
    model: &dyn Pins,
    limit: usize,
) -> Result<(Vec<Vec<u32>>, bool), ModelError> {
    let initial = model.initial();
    let mut seen = HashSet::from([initial.clone()]);
    let mut states = vec![initial];
    let mut next = 0;
    while next < states.len() {
        for group in (0..model.groups() as u32).map(GroupId) {
            for state in model.step(group, &states[next])? {
                if seen.contains(&state) {
                    continue;
                }
                if states.len() == limit {
                    return Ok((states, false));
                }
                seen.insert(state.clone());
                states.push(state);
            }
        }
        next += 1;
    }
    Ok((states, true))
}
