//! From a net to the things a search starts from: place bounds and a firing order.

use crate::layout::{Bound, Layout};
use brine_net::{Bounds, Net, Rng, TransitionId};

/// What is known, or likely, about the tokens in each place.
///
/// A file that calls itself unit-safe makes one bit per place a good guess, but only a
/// guess: firing checks it.
pub fn place_bounds(net: &Net, proven: &Bounds) -> Vec<Bound> {
    let guess = guess(net);
    let bound = |p| match proven.of(p).map(u32::try_from) {
        Some(Ok(bound)) => Bound::Proven(bound),
        _ => guess,
    };
    net.place_ids().map(bound).collect()
}

/// The bounds of places as far as they are known without any analysis of the net.
pub fn guessed_bounds(net: &Net) -> Vec<Bound> {
    vec![guess(net); net.places().len()]
}

fn guess(net: &Net) -> Bound {
    match net.nupn() {
        Some(nupn) if nupn.safe => Bound::Guess(1),
        _ => Layout::unknown_bound(),
    }
}

/// All transitions, in the order of the net for seed 0, shuffled by any other seed.
///
/// ```
/// use brine_explicit::setup::firing_order;
/// use brine_net::{NetBuilder, TransitionId};
/// let mut b = NetBuilder::new("n");
/// let p = b.place("p", 1);
/// for i in 0..9 {
///     b.transition(&format!("t{i}"), &[(p, 1)], &[(p, 1)]);
/// }
/// let net = b.build().unwrap();
/// assert_eq!(firing_order(&net, 0)[3], TransitionId(3));
/// assert_eq!(firing_order(&net, 7), firing_order(&net, 7));
/// assert_ne!(firing_order(&net, 7), firing_order(&net, 8));
/// ```
pub fn firing_order(net: &Net, seed: u64) -> Vec<TransitionId> {
    shuffled(net.transition_ids().collect(), seed)
}

/// The same things in another order for each seed; 0 leaves them as they are.
pub fn shuffled<T>(mut order: Vec<T>, seed: u64) -> Vec<T> {
    if seed != 0 {
        let mut rng = Rng::new(seed);
        for i in (1..order.len()).rev() {
            order.swap(i, rng.index(i + 1));
        }
    }
    order
}
