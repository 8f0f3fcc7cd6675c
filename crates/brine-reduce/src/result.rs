//! The reduced net, and what it says about the original one.

use super::Rule;
use super::draft::{Draft, PlaceFate};
use super::lift::Lifting;
use brine_net::{Net, NetBuilder, NetError, Nupn, PlaceId, Run, TransitionId, Unit};
use brine_run::{Pace, Stop};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// The tokens of an original place, in terms of the reduced net.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceValue {
    /// Always this number.
    Constant(u64),
    /// `factor * place + offset`
    Scaled {
        /// A place of the reduced net.
        place: PlaceId,
        /// Tokens for each token there.
        factor: u32,
        /// Tokens that are always there.
        offset: u32,
    },
    /// Unknown. Observed places are never lost.
    Lost,
}

/// A reduced net.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The net. Places and transitions keep their ids, in the old order; transitions that stand for
    /// several old ones come last.
    pub net: Net,
    values: Vec<PlaceValue>,
    /// For each original transition, the one that is enabled when it is.
    stand_ins: Vec<Option<TransitionId>>,
    /// The draft's number of each transition of the net.
    numbers: Vec<TransitionId>,
    lifting: Lifting,
    counts: [u64; Rule::ALL.len()],
    work: u64,
}

impl Reduced {
    pub(super) fn new(original: &Net, draft: Draft, pace: &mut Pace<'_>) -> Result<Self, Stop> {
        let mut b = NetBuilder::new(original.name());
        let mut place: Vec<Option<PlaceId>> = Vec::with_capacity(original.places().len());
        for (p, old) in original.place_ids().zip(original.places()) {
            pace.step()?;
            let kept = draft.is_kept(p);
            place.push(kept.then(|| b.named_place(&old.id(), &old.name(), draft.initial(p))));
        }
        let numbers = draft.live_transitions();
        let mut names = TransitionNames::new(original);
        let mut number: Vec<Option<TransitionId>> = vec![None; draft.live.len()];
        for &t in &numbers {
            let kept = |side: &[(PlaceId, u32)]| -> Vec<(PlaceId, u32)> {
                side.iter().filter_map(|&(p, w)| place[p.index()].map(|p| (p, w))).collect()
            };
            let arcs = draft.arcs(t);
            pace.steps(1 + arcs.pre.len() + arcs.post.len())?;
            let (id, name) = names.of(t, &draft.lifting);
            number[t.index()] =
                Some(b.named_transition(&id, &name, &kept(&arcs.pre), &kept(&arcs.post)));
        }
        if let Some(nupn) = original.nupn() {
            b.nupn(restrict(nupn, &place));
        }
        let stand_in = |t: TransitionId| {
            let mut t = t;
            while let Some(other) = draft.stand_in[t.index()] {
                t = other;
            }
            number[t.index()]
        };
        let net = match b.build_within(pace.control()) {
            Ok(net) => net,
            Err(NetError::Stopped(stop)) => return Err(stop),
            Err(error) => unreachable!("ids are distinct, places exist, arcs are merged: {error}"),
        };
        let is_lost = |p: PlaceId| value(&draft, p, place[p.index()]) == PlaceValue::Lost;
        debug_assert!(
            !original.place_ids().any(|p| draft.is_observed(p) && is_lost(p)),
            "observed places are never lost"
        );
        Ok(Reduced {
            values: original.place_ids().map(|p| value(&draft, p, place[p.index()])).collect(),
            stand_ins: original.transition_ids().map(stand_in).collect(),
            numbers,
            lifting: draft.lifting,
            counts: draft.counts,
            work: draft.work,
            net,
        })
    }

    /// The tokens of an original place.
    pub fn value(&self, p: PlaceId) -> PlaceValue {
        self.values[p.index()]
    }

    /// The transition that is enabled exactly when the original one is, if that was watched;
    /// `None` if it never is.
    pub fn stand_in(&self, t: TransitionId) -> Option<TransitionId> {
        self.stand_ins[t.index()]
    }

    /// How often each rule was applied.
    pub fn counts(&self) -> impl Iterator<Item = (Rule, u64)> + '_ {
        Rule::ALL.into_iter().zip(self.counts)
    }

    /// Elementary steps that the reduction took: the same for the same input.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether any rule was applied.
    pub fn is_smaller(&self) -> bool {
        self.counts.iter().any(|&n| n > 0)
    }

    /// The run of the original net behind a run of the reduced one; `None` if it was not
    /// found. `looks_alike` tells whether the property sees no difference between two
    /// markings of the original net; lifting gives up when it is `late`. The result has to be
    /// replayed.
    pub fn lift(
        &self,
        original: &Net,
        run: &Run,
        looks_alike: &dyn Fn(&[u32], &[u32]) -> bool,
        late: &dyn Fn() -> bool,
    ) -> Option<Run> {
        debug_assert_eq!(self.values.len(), original.places().len(), "the net that was reduced");
        let old = |list: &[TransitionId]| list.iter().map(|t| self.numbers[t.index()]).collect();
        let run = Run { prefix: old(&run.prefix), cycle: old(&run.cycle) };
        self.lifting.lift(original, &run, looks_alike, late)
    }
}

fn value(draft: &Draft, p: PlaceId, now: Option<PlaceId>) -> PlaceValue {
    let (factor, offset) = draft.unit[p.index()];
    match (draft.fate[p.index()], now) {
        (PlaceFate::Constant(n), _) => {
            PlaceValue::Constant(u64::from(factor) * u64::from(n) + u64::from(offset))
        }
        (PlaceFate::Kept, Some(place)) => PlaceValue::Scaled { place, factor, offset },
        _ => PlaceValue::Lost,
    }
}

/// The units, with the places that are left.
fn restrict(nupn: &Nupn, place: &[Option<PlaceId>]) -> Nupn {
    let unit = |old: &Unit| Unit {
        places: old.places.iter().filter_map(|p| place[p.index()]).collect(),
        ..old.clone()
    };
    Nupn { units: nupn.units.iter().map(unit).collect(), ..nupn.clone() }
}

/// Names of transitions: old ones keep theirs, new ones are called after their last part.
struct TransitionNames<'a> {
    original: &'a Net,
    taken: FxHashSet<Cow<'a, str>>,
    given: FxHashSet<String>,
}

impl<'a> TransitionNames<'a> {
    fn new(original: &'a Net) -> Self {
        let places = original.places().map(|p| p.id());
        let transitions = original.transitions().map(|t| t.id());
        let taken = places.chain(transitions).collect();
        TransitionNames { original, taken, given: FxHashSet::default() }
    }

    fn of(&mut self, t: TransitionId, lifting: &Lifting) -> (Cow<'a, str>, Cow<'a, str>) {
        if t.index() < self.original.transitions().len() {
            let old = self.original.transition(t);
            return (old.id(), old.name());
        }
        let last = lifting.last_of(t).map(|t| self.original.transition(t).id());
        let stem = last.unwrap_or(Cow::Borrowed("idle"));
        let mut id = format!("{stem}~{}", t.0);
        while self.taken.contains(id.as_str()) || !self.given.insert(id.clone()) {
            id.push('~');
        }
        (Cow::Owned(id.clone()), Cow::Owned(id))
    }
}
