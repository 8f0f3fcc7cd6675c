//! Everything the structure of a net tells, computed once.

use crate::invariants::{DEFAULT_WORK, Flows, Semiflows, flows, semiflows};
use crate::{
    Bounds, Dead, Facts, Incidence, Net, NupnCheck, Units, check_nupn, nupn_units, semiflow_units,
};

/// The structural knowledge about one net.
///
/// ```
/// use brine_net::{NetBuilder, Structure};
/// let mut b = NetBuilder::new("switch");
/// let (on, off) = (b.place("on", 1), b.place("off", 0));
/// b.transition("switch_off", &[(on, 1)], &[(off, 1)]);
/// b.transition("switch_on", &[(off, 1)], &[(on, 1)]);
/// let net = b.build().unwrap();
/// let structure = Structure::new(&net);
/// assert!(structure.bounds.is_safe());
/// assert_eq!(structure.units().groups, [vec![on, off]]);
/// ```
#[derive(Clone, Debug)]
pub struct Structure {
    /// Arcs seen from the places.
    pub incidence: Incidence,
    /// P-semiflows.
    pub semiflows: Semiflows,
    /// A basis of all P-invariants.
    pub flows: Flows,
    /// Proven bounds of places.
    pub bounds: Bounds,
    /// What the NUPN part is worth, if there is one.
    pub nupn: Option<NupnCheck>,
    /// Units of a proved NUPN part.
    pub nupn_units: Option<Units>,
    /// Units recovered from semiflows.
    pub semiflow_units: Units,
    /// Simple facts.
    pub facts: Facts,
}

impl Structure {
    /// Analyses a net with the default limit on work, which grows with the net.
    pub fn new(net: &Net) -> Self {
        let arcs: usize = net.transitions().iter().map(|t| t.pre.len() + t.post.len()).sum();
        Self::with_limit(net, DEFAULT_WORK.max(40 * arcs as u64))
    }

    /// Analyses a net; `limit` bounds the elementary steps of each search for invariants.
    pub fn with_limit(net: &Net, limit: u64) -> Self {
        let incidence = Incidence::new(net);
        let semiflows = semiflows(net, &incidence, limit);
        let flows = flows(net, &incidence, limit);
        let mut bounds = Bounds::new(net, &incidence, &semiflows.flows);
        let dead = Dead::new(net, &incidence, &bounds, &semiflows.flows);
        dead.lower_bounds(net, &incidence, &mut bounds);
        let nupn = check_nupn(net, &semiflows.flows, &dead);
        if let (Some(units), Some(check)) = (net.nupn(), &nupn) {
            for (unit, _) in units.units.iter().zip(&check.proved_units).filter(|(_, p)| **p) {
                unit.places.iter().for_each(|&p| bounds.lower(p, 1));
            }
        }
        let facts = Facts::new(net, &incidence, &dead);
        let nupn_units = nupn_units(net, nupn.as_ref());
        let semiflow_units = semiflow_units(net, &semiflows.flows);
        Structure { incidence, semiflows, flows, bounds, nupn, nupn_units, semiflow_units, facts }
    }

    /// The proved units to use as levels: those of the file if they were proved, else
    /// those recovered from semiflows.
    pub fn units(&self) -> &Units {
        self.nupn_units.as_ref().unwrap_or(&self.semiflow_units)
    }
}
