//! Which transitions have a binding that is enabled at the start.

use crate::enabling::{Enabling, TokenChange};
use crate::net::ColouredNet;
use brine_run::{Control, Stop};

/// Most colours of an initial marking that are looked at.
const WIDEST: u64 = 10_000_000;

/// Of every transition, whether some binding of it is enabled in the initial marking; an error if
/// that takes too long, or too much room. Cost: the tokens of the initial marking.
pub fn initially_fireable(net: &ColouredNet, control: &Control) -> Result<Vec<bool>, Stop> {
    let mut pace = control.pace();
    let mut enabling = Enabling::new(net, 1, &mut pace)?;
    let mut changes = Vec::new();
    for (p, place) in net.places.iter().enumerate() {
        let Some(bag) = &place.initial else { continue };
        let tokens = bag.evaluate(&place.layout, &[], WIDEST).map_err(|_| Stop::Memory)?;
        pace.steps(tokens.len())?;
        let place = p as u32;
        changes.extend(tokens.into_iter().map(|(colour, new)| TokenChange {
            place,
            colour,
            old: 0,
            new,
        }));
    }
    enabling.advance(net, &changes, &mut pace)?;
    Ok((0..net.transitions.len()).map(|t| !enabling.list(t).is_empty()).collect())
}
