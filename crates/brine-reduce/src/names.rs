//! What the nodes of a reduced net are called: old ones as in the original net, whose names are
//! asked when somebody asks for theirs; new transitions after their last part, `stem~number`.

use super::lift::Lifting;
use brine_net::{Net, NodeNames, PlaceId, TransitionId};
use brine_run::{Pace, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::sync::Arc;

/// What stands between the stem and the number of a new id.
const MARK: char = '~';

/// The names of a reduced net.
#[derive(Debug)]
pub(super) struct ReducedNames {
    original: Arc<dyn NodeNames>,
    /// The original number of each place.
    places: Vec<PlaceId>,
    /// The original number of each transition, or one that has a new id.
    transitions: Vec<TransitionId>,
    new: FxHashMap<TransitionId, String>,
}

impl ReducedNames {
    /// Of the places that are left and the transitions, by their numbers in the draft.
    pub(super) fn new(
        original: &Net,
        places: Vec<PlaceId>,
        transitions: &[TransitionId],
        lifting: &Lifting,
        pace: &mut Pace<'_>,
    ) -> Result<Self, Stop> {
        let old = original.transitions().len();
        let mut taken = FxHashSet::default();
        let mut new = FxHashMap::default();
        for &t in transitions.iter().filter(|t| t.index() >= old) {
            pace.step()?;
            if new.is_empty() {
                taken = marked_ids(original, pace)?;
            }
            let last = lifting.last_of(t).map(|t| original.transition(t).id());
            let mut id = format!("{}{MARK}{}", last.unwrap_or(Cow::Borrowed("idle")), t.0);
            while !taken.insert(id.clone()) {
                id.push(MARK);
            }
            new.insert(t, id);
        }
        Ok(ReducedNames {
            original: original.names(),
            places,
            transitions: transitions.to_vec(),
            new,
        })
    }
}

/// The ids of a net that new ones could meet.
fn marked_ids(net: &Net, pace: &mut Pace<'_>) -> Result<FxHashSet<String>, Stop> {
    let mut marked = FxHashSet::default();
    if net.names().may_contain(MARK) {
        for id in net.places().map(|p| p.id()).chain(net.transitions().map(|t| t.id())) {
            pace.step()?;
            if id.contains(MARK) {
                marked.insert(id.into_owned());
            }
        }
    }
    Ok(marked)
}

impl NodeNames for ReducedNames {
    fn place_id(&self, p: PlaceId) -> Cow<'_, str> {
        self.original.place_id(self.places[p.index()])
    }

    fn place_name(&self, p: PlaceId) -> Cow<'_, str> {
        self.original.place_name(self.places[p.index()])
    }

    fn transition_id(&self, t: TransitionId) -> Cow<'_, str> {
        let t = self.transitions[t.index()];
        self.new.get(&t).map_or_else(|| self.original.transition_id(t), |id| id.into())
    }

    fn transition_name(&self, t: TransitionId) -> Cow<'_, str> {
        let t = self.transitions[t.index()];
        self.new.get(&t).map_or_else(|| self.original.transition_name(t), |id| id.into())
    }

    fn may_contain(&self, character: char) -> bool {
        let is_new = character == MARK || character.is_ascii_digit() || "idle".contains(character);
        (!self.new.is_empty() && is_new) || self.original.may_contain(character)
    }
}
