//! Orders by name: `[GROUPING/]HEURISTIC[+force][/reversed]`.

use std::fmt;
use std::str::FromStr;

use super::{Heuristic, Hypergraph, Layout, force};
use crate::net::{Net, PlaceId};
use crate::nupn::nupn_grouping;
use crate::structure::Structure;
use brine_run::{Control, Pace, Stop};

/// Which places share a level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Grouping {
    /// The units of the file's NUPN part. Sound whether its claims are true or not:
    /// local states are numbered as they are met.
    Nupn,
    /// Units recovered from semiflows, other places alone.
    Units,
    /// Every place alone.
    Places,
}

impl Grouping {
    /// All groupings, the coarsest first.
    pub const ALL: [Grouping; 3] = [Grouping::Nupn, Grouping::Units, Grouping::Places];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Grouping::Nupn => "nupn",
            Grouping::Units => "units",
            Grouping::Places => "places",
        }
    }

    /// The groups, or `None` if the net has no such structure.
    pub fn groups(self, net: &Net, structure: &Structure) -> Option<Vec<Vec<PlaceId>>> {
        match self {
            Grouping::Nupn => {
                let sound = structure.nupn.as_ref().is_some_and(|check| check.problem.is_none());
                net.nupn().filter(|_| sound).map(nupn_grouping)
            }
            Grouping::Units => {
                let units = &structure.semiflow_units;
                (!units.groups.is_empty()).then(|| units.partition(net.places().len()))
            }
            Grouping::Places => Some(net.place_ids().map(|p| vec![p]).collect()),
        }
    }
}

/// A named order.
///
/// ```
/// use brine_net::order::{Grouping, Heuristic, OrderSpec};
/// let spec: OrderSpec = "units/sloan+force/reversed".parse().unwrap();
/// assert_eq!(spec.grouping, Some(Grouping::Units));
/// assert_eq!(spec.heuristic, Heuristic::Sloan);
/// assert!(spec.force && spec.reversed);
/// assert_eq!(spec.to_string(), "units/sloan+force/reversed");
/// assert!("slown".parse::<OrderSpec>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OrderSpec {
    /// The grouping; the coarsest one that the net has if none is named.
    pub grouping: Option<Grouping>,
    /// The heuristic.
    pub heuristic: Heuristic,
    /// Improve the result by FORCE.
    pub force: bool,
    /// Turn the result upside down.
    pub reversed: bool,
}

impl OrderSpec {
    /// Lays out the net. `None` if it has not got the grouping that is asked for.
    pub fn layout(&self, net: &Net, structure: &Structure) -> Option<Layout> {
        // Nothing stops it.
        self.layout_within(net, structure, &Control::default()).ok().flatten()
    }

    /// The same under a control.
    pub fn layout_within(
        &self,
        net: &Net,
        structure: &Structure,
        control: &Control,
    ) -> Result<Option<Layout>, Stop> {
        let groups = match self.grouping {
            Some(grouping) => grouping.groups(net, structure),
            None => Grouping::ALL.iter().find_map(|g| g.groups(net, structure)),
        };
        let Some(groups) = groups else { return Ok(None) };
        let mut pace = control.pace();
        let h = Hypergraph::new(net, &groups, &structure.facts.dead_transitions, &mut pace)?;
        Ok(Some(Layout::new(&groups, &self.permutation(&h, &mut pace)?)))
    }

    /// The order on the groups, top level first.
    pub fn permutation(&self, h: &Hypergraph, pace: &mut Pace<'_>) -> Result<Vec<u32>, Stop> {
        let order = self.heuristic.order(h, pace)?;
        self.improve(h, order, pace)
    }

    /// What is done to the order of the heuristic.
    pub(super) fn improve(
        &self,
        h: &Hypergraph,
        mut order: Vec<u32>,
        pace: &mut Pace<'_>,
    ) -> Result<Vec<u32>, Stop> {
        if self.force {
            order = force::force(h, &order, pace)?;
        }
        if self.reversed {
            order.reverse();
        }
        Ok(order)
    }
}

impl fmt::Display for OrderSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(grouping) = self.grouping {
            write!(f, "{}/", grouping.name())?;
        }
        f.write_str(self.heuristic.name())?;
        f.write_str(if self.force { "+force" } else { "" })?;
        f.write_str(if self.reversed { "/reversed" } else { "" })
    }
}

/// The text names no order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownOrder(String);

impl fmt::Display for UnknownOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Heuristic::ALL.map(Heuristic::name).join(", ");
        write!(
            f,
            "\"{}\" is no order; expected [nupn/ | units/ | places/] and one of {names}, \
             then optionally +force and /reversed",
            self.0
        )
    }
}

impl std::error::Error for UnknownOrder {}

impl FromStr for OrderSpec {
    type Err = UnknownOrder;

    fn from_str(text: &str) -> Result<Self, UnknownOrder> {
        let unknown = || UnknownOrder(text.to_owned());
        let (rest, reversed) = match text.strip_suffix("/reversed") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let (grouping, rest) = match rest.split_once('/') {
            Some((name, rest)) => {
                let grouping = Grouping::ALL.into_iter().find(|g| g.name() == name);
                (Some(grouping.ok_or_else(unknown)?), rest)
            }
            None => (None, rest),
        };
        let (name, force) = match rest.strip_suffix("+force") {
            Some(name) => (name, true),
            None => (rest, false),
        };
        let heuristic = Heuristic::ALL.into_iter().find(|h| h.name() == name);
        Ok(OrderSpec { grouping, heuristic: heuristic.ok_or_else(unknown)?, force, reversed })
    }
}
