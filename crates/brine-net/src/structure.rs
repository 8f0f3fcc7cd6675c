//! Everything the structure of a net tells, computed once.
//!
//! Under a control that stops it, what is known so far is given back: the arcs seen from the
//! places, which are always there (linear, a tenth of a second for a million arcs), and of the
//! rest whatever was found. A missing invariant, bound or dead transition claims nothing, so
//! engines may build on a structure that is not complete.

use crate::invariants::{DEFAULT_WORK, Flows, Semiflows, flows_within, semiflows_within};
use crate::{
    Bounds, Dead, Facts, Incidence, Net, NupnCheck, Units, check_nupn, nupn_units, semiflow_units,
};
use brine_run::{Control, Stop};

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
    /// Why the analysis is not complete, if it is not.
    pub stopped: Option<Stop>,
}

impl Structure {
    /// Analyses a net with the default limit on work, which grows with the net.
    pub fn new(net: &Net) -> Self {
        Self::with_limit(net, usual_work(net))
    }

    /// The same under a control; `stopped` says whether it got to its end.
    pub fn within(net: &Net, control: &Control) -> Self {
        Self::limited(net, usual_work(net), control)
    }

    /// Analyses a net; `limit` bounds the elementary steps of each search for invariants.
    pub fn with_limit(net: &Net, limit: u64) -> Self {
        Self::limited(net, limit, &Control::default())
    }

    fn limited(net: &Net, limit: u64, control: &Control) -> Self {
        let mut structure = Structure {
            incidence: Incidence::new(net),
            semiflows: Semiflows::default(),
            flows: Flows::default(),
            bounds: Bounds::unknown(net),
            nupn: None,
            nupn_units: None,
            semiflow_units: semiflow_units(net, &[]),
            facts: Facts::default(),
            stopped: None,
        };
        structure.stopped = structure.analyse(net, limit, control).err();
        structure
    }

    /// Fills in one part after the other. Each reads those before it, and is linear but for
    /// the invariants and what has a limit of its own.
    fn analyse(&mut self, net: &Net, limit: u64, control: &Control) -> Result<(), Stop> {
        self.semiflows = semiflows_within(net, &self.incidence, limit, control);
        control.look()?;
        let flows = &self.semiflows.flows;
        let mut bounds = Bounds::new(net, &self.incidence, flows);
        control.look()?;
        let dead = Dead::new(net, &self.incidence, &bounds, flows);
        control.look()?;
        dead.lower_bounds(net, &self.incidence, &mut bounds);
        self.bounds = bounds;
        control.look()?;
        self.facts = Facts::new(net, &self.incidence, &dead);
        control.look()?;
        self.nupn = check_nupn(net, flows, &dead);
        if let (Some(units), Some(check)) = (net.nupn(), &self.nupn) {
            for (unit, _) in units.units.iter().zip(&check.proved_units).filter(|(_, p)| **p) {
                unit.places.iter().for_each(|&p| self.bounds.lower(p, 1));
            }
        }
        control.look()?;
        self.nupn_units = nupn_units(net, self.nupn.as_ref());
        self.semiflow_units = semiflow_units(net, flows);
        self.flows = flows_within(net, &self.incidence, limit, control);
        control.look()
    }

    /// The proved units to use as levels: those of the file if they were proved, else
    /// those recovered from semiflows.
    pub fn units(&self) -> &Units {
        self.nupn_units.as_ref().unwrap_or(&self.semiflow_units)
    }
}

/// The limit of each search for invariants: so many steps for an arc, up to a few seconds. In a net
/// of millions of arcs invariants are found one by one, and what was found serves as well.
fn usual_work(net: &Net) -> u64 {
    (40 * net.arcs() as u64).clamp(DEFAULT_WORK, 2 * DEFAULT_WORK)
}
