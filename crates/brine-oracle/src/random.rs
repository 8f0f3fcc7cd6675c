//! Small random nets, the same for the same seed on every machine.

use brine_net::{Net, NetBuilder, PlaceId, Rng};

/// What random nets look like. Transitions mostly move tokens, so many nets are bounded.
///
/// ```
/// use brine_oracle::RandomNets;
/// use brine_net::Rng;
/// let net = RandomNets::default().net(&mut Rng::new(1));
/// assert!(net.places().len() > 0);
/// ```
#[derive(Clone, Debug)]
pub struct RandomNets {
    /// Most places (at least one).
    pub max_places: u32,
    /// Most transitions (at least one).
    pub max_transitions: u32,
    /// Most arcs on each side of a transition.
    pub max_arcs: u32,
    /// Largest weight of an arc.
    pub max_weight: u32,
    /// Most tokens in a place at the start.
    pub max_tokens: u32,
    /// Percentage of transitions whose two sides weigh the same (they keep the number of
    /// tokens, which makes a net of only such transitions bounded).
    pub balanced: u32,
}

impl Default for RandomNets {
    fn default() -> Self {
        RandomNets {
            max_places: 6,
            max_transitions: 6,
            max_arcs: 2,
            max_weight: 1,
            max_tokens: 2,
            balanced: 80,
        }
    }
}

impl RandomNets {
    /// One net.
    pub fn net(&self, rng: &mut Rng) -> Net {
        let mut builder = NetBuilder::new("random");
        let places = 1 + rng.below(self.max_places);
        for i in 0..places {
            builder.place(&format!("p{i}"), rng.below(self.max_tokens + 1));
        }
        for i in 0..1 + rng.below(self.max_transitions) {
            let balanced = rng.chance(self.balanced);
            let inputs =
                if balanced { 1 + rng.below(self.max_arcs) } else { rng.below(self.max_arcs + 1) };
            let outputs = if balanced { inputs } else { rng.below(self.max_arcs + 1) };
            let pre = self.arcs(rng, places, inputs);
            let mut post = self.arcs(rng, places, outputs);
            if balanced {
                post.iter_mut().zip(&pre).for_each(|(out, input)| out.1 = input.1);
            }
            builder.transition(&format!("t{i}"), &pre, &post);
        }
        // Ids are numbered, so they differ, and weights are far from overflow.
        builder.build().unwrap_or_default()
    }

    fn arcs(&self, rng: &mut Rng, places: u32, count: u32) -> Vec<(PlaceId, u32)> {
        (0..count).map(|_| (PlaceId(rng.below(places)), 1 + rng.below(self.max_weight))).collect()
    }
}
