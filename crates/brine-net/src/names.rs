//! What the nodes of a net are called: an id each, unique in the net, and a name for people.
//!
//! Nets that are read have their texts in one string, id after id, with the name behind the id
//! where it differs: 8 bytes for a node besides the text. Nets that are made from something
//! else, with millions of nodes that nobody asks the names of, say how to make a name on demand
//! ([`NodeNames`]). Either way a net shares its names with its clones.

use crate::{PlaceId, TransitionId};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Names that are made when they are asked for.
///
/// The ids of all places and transitions of a net must differ.
pub trait NodeNames: fmt::Debug + Send + Sync {
    /// The id of a place.
    fn place_id(&self, p: PlaceId) -> Cow<'_, str>;
    /// The name of a place.
    fn place_name(&self, p: PlaceId) -> Cow<'_, str>;
    /// The id of a transition.
    fn transition_id(&self, t: TransitionId) -> Cow<'_, str>;
    /// The name of a transition.
    fn transition_name(&self, t: TransitionId) -> Cow<'_, str>;
}

/// The names of a net.
pub(crate) type SharedNames = Arc<dyn NodeNames>;

/// Names that are kept as text.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextNames {
    pub(crate) places: TextPairs,
    pub(crate) transitions: TextPairs,
}

impl NodeNames for TextNames {
    fn place_id(&self, p: PlaceId) -> Cow<'_, str> {
        Cow::Borrowed(self.places.get(p.index()).0)
    }

    fn place_name(&self, p: PlaceId) -> Cow<'_, str> {
        Cow::Borrowed(self.places.get(p.index()).1)
    }

    fn transition_id(&self, t: TransitionId) -> Cow<'_, str> {
        Cow::Borrowed(self.transitions.get(t.index()).0)
    }

    fn transition_name(&self, t: TransitionId) -> Cow<'_, str> {
        Cow::Borrowed(self.transitions.get(t.index()).1)
    }
}

/// Pairs of an id and a name, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextPairs {
    text: String,
    /// Where the id and the name of each pair end; [`SAME`] if the name is the id.
    ends: Vec<(u32, u32)>,
}

/// Stands for the end of a name that is the id.
const SAME: u32 = u32::MAX;

impl TextPairs {
    pub(crate) fn push(&mut self, id: &str, name: &str) {
        self.text.push_str(id);
        let id_end = self.text.len() as u32;
        if id == name {
            self.ends.push((id_end, SAME));
        } else {
            self.text.push_str(name);
            self.ends.push((id_end, self.text.len() as u32));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The ends are numbers of 32 bits: more text than they reach makes them wrong.
    pub(crate) fn fits(&self) -> bool {
        self.text.len() < SAME as usize
    }

    /// Id and name.
    pub(crate) fn get(&self, i: usize) -> (&str, &str) {
        let start = if i == 0 { 0 } else { self.end(i - 1) };
        let (id_end, name_end) = self.ends[i];
        let id = &self.text[start as usize..id_end as usize];
        match name_end {
            SAME => (id, id),
            end => (id, &self.text[id_end as usize..end as usize]),
        }
    }

    fn end(&self, i: usize) -> u32 {
        match self.ends[i] {
            (id_end, SAME) => id_end,
            (_, end) => end,
        }
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|i| self.get(i).0)
    }
}
