//! Proven upper bounds of the tokens in each place.
//!
//! Sources, the smallest counts: a semiflow y with value v bounds p by floor(v / y(p));
//! a place that no transition that can fire ever raises is bounded by its initial marking;
//! and a place of a NUPN unit that was *proved* safe is bounded by one. A bound here is a theorem
//! about every reachable marking, so engines may build on it. `None` means that none was
//! found, not that the place is unbounded.

use crate::invariants::Semiflow;
use crate::{Incidence, Net, PlaceId};

/// A proven bound for each place, where one was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    bounds: Vec<Option<u64>>,
}

impl Bounds {
    /// Bounds from the initial marking and semiflows.
    ///
    /// ```
    /// use brine_net::{Bounds, Incidence, NetBuilder, invariants::semiflows};
    /// let mut b = NetBuilder::new("n");
    /// let (p, q) = (b.place("p", 5), b.place("q", 0));
    /// let r = b.place("r", 0);
    /// b.transition("t", &[(p, 2)], &[(q, 1), (r, 1)]);
    /// b.transition("u", &[(q, 1)], &[(p, 2)]);
    /// let net = b.build().unwrap();
    /// let incidence = Incidence::new(&net);
    /// let found = semiflows(&net, &incidence, 1000);
    /// let bounds = Bounds::new(&net, &incidence, &found.flows);
    /// assert_eq!(bounds.of(p), Some(5));
    /// assert_eq!(bounds.of(q), Some(2));
    /// assert_eq!(bounds.of(r), None);
    /// ```
    pub fn new(net: &Net, incidence: &Incidence, flows: &[Semiflow]) -> Self {
        let mut bounds = Bounds::unknown(net);
        for p in net.place_ids() {
            if incidence.changers(p).iter().all(|&(_, change)| change < 0) {
                bounds.lower(p, u64::from(net.place(p).initial));
            }
        }
        for flow in flows {
            for &(p, weight) in &flow.weights {
                bounds.lower(p, flow.value / weight);
            }
        }
        debug_assert!(bounds.admit(net), "a bound excludes the initial marking");
        bounds
    }

    /// True when the initial marking keeps all bounds, as every reachable one does.
    pub(crate) fn admit(&self, net: &Net) -> bool {
        let within = |p| self.of(p).is_none_or(|b| u64::from(net.place(p).initial) <= b);
        net.place_ids().all(within)
    }

    /// Nothing is known.
    pub fn unknown(net: &Net) -> Self {
        Bounds { bounds: vec![None; net.places().len()] }
    }

    /// Adds the knowledge that a place never holds more than `bound` tokens.
    pub fn lower(&mut self, p: PlaceId, bound: u64) {
        let old = &mut self.bounds[p.index()];
        *old = Some(old.map_or(bound, |b| b.min(bound)));
    }

    /// The bound of one place, if one is known.
    pub fn of(&self, p: PlaceId) -> Option<u64> {
        self.bounds[p.index()]
    }

    /// The largest bound, if every place has one (0 for a net without places).
    pub fn max(&self) -> Option<u64> {
        self.bounds.iter().try_fold(0, |max, &b| b.map(|b| max.max(b)))
    }

    /// Every place is proved to hold at most one token.
    pub fn is_safe(&self) -> bool {
        self.max().is_some_and(|max| max <= 1)
    }
}
