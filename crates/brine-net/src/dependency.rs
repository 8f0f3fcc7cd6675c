//! What a transition does to a place, in the notation of MKBP14 (Table 1).
//!
//! For nets: an input arc reads and changes (`+`), a loop with equal weights only reads
//! (`r`), no arc copies (`-`). An output arc without input depends on the old value (`+`),
//! unless the place is proved to hold at most one token: then a transition that puts one
//! can only be enabled when the place is empty, and afterwards there is one token whatever
//! was there before. It writes without reading (`w`). An unproved claim of safety does not
//! count. May-write (`W`) does not occur in nets.

use std::fmt;

use crate::{Bounds, Net, PlaceId, TransitionId};

/// How a transition depends on a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PlaceDependency {
    /// `-`: neither read nor written.
    Copy,
    /// `r`: read, not written.
    Read,
    /// `w`: always written, not read.
    Write,
    /// `+`: read and written.
    ReadWrite,
}

impl fmt::Display for PlaceDependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlaceDependency::Copy => "-",
            PlaceDependency::Read => "r",
            PlaceDependency::Write => "w",
            PlaceDependency::ReadWrite => "+",
        })
    }
}

/// The dependencies of a transition that are not [`PlaceDependency::Copy`], by place.
///
/// ```
/// use brine_net::{PlaceDependency::*, PlaceId, Structure, TransitionId, dependencies};
/// let net = brine_models::fork_join(2);
/// let bounds = Structure::new(&net).bounds;
/// // The first row of MKBP14 Table 2: t0 reads and writes p0, writes p1 and p3.
/// let row = dependencies(&net, &bounds, TransitionId(0));
/// assert_eq!(row, [(PlaceId(0), ReadWrite), (PlaceId(1), Write), (PlaceId(3), Write)]);
/// ```
pub fn dependencies(
    net: &Net,
    bounds: &Bounds,
    t: TransitionId,
) -> Vec<(PlaceId, PlaceDependency)> {
    let transition = net.transition(t);
    let weight = |arcs: &[(PlaceId, u32)], p: PlaceId| {
        arcs.binary_search_by_key(&p, |a| a.0).map_or(0, |i| arcs[i].1)
    };
    let mut places: Vec<PlaceId> =
        transition.pre.iter().chain(transition.post).map(|a| a.0).collect();
    places.sort_unstable();
    places.dedup();
    let kind = |p: PlaceId| match (weight(transition.pre, p), weight(transition.post, p)) {
        (taken, put) if taken == put => PlaceDependency::Read,
        (0, 1) if bounds.of(p).is_some_and(|b| b <= 1) => PlaceDependency::Write,
        _ => PlaceDependency::ReadWrite,
    };
    places.into_iter().map(|p| (p, kind(p))).collect()
}
