//! A model as read: the net that the engines see, and what it was in the file.

use std::ops::Range;

use brine_ltl::{Expression, Named, Symbols};
use brine_net::{Net, PlaceId, TransitionId};

/// A net, with its coloured side if it was unfolded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// The place/transition net.
    pub net: Net,
    /// For a coloured net: what its places and transitions became.
    pub coloured: Option<Coloured>,
    /// What the user should know about the file, one line each, with file and position.
    pub warnings: Vec<String>,
}

/// What a coloured net looked like, and what it was unfolded to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coloured {
    /// The coloured places.
    pub places: Vec<PlaceGroup>,
    /// The coloured transitions.
    pub transitions: Vec<TransitionGroup>,
    /// How many arcs the coloured net has.
    pub arcs: usize,
}

/// A coloured place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceGroup {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The numbers of its unfolded places.
    pub places: Range<u32>,
    /// Tokens of colours that no transition ever takes or puts: one entry per colour.
    /// They are in every marking, but not in the net.
    pub idle: Vec<u32>,
}

impl PlaceGroup {
    /// The tokens its name stands for: those of its unfolded places, and those that never move.
    fn tokens(&self) -> Expression {
        let members: Vec<PlaceId> = self.members().collect();
        let constant = i64::try_from(self.idle_tokens()).unwrap_or(i64::MAX);
        Expression { constant, ..Expression::places(&members) }
    }

    /// Its unfolded places.
    pub fn members(&self) -> impl Iterator<Item = PlaceId> + use<> {
        self.places.clone().map(PlaceId)
    }

    /// How many of its tokens are not in the net.
    pub fn idle_tokens(&self) -> u64 {
        self.idle.iter().map(|&n| u64::from(n)).sum()
    }
}

/// A coloured transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransitionGroup {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The numbers of its unfolded transitions, one for each binding that can occur.
    pub transitions: Range<u32>,
}

impl TransitionGroup {
    /// Its unfolded transitions.
    pub fn members(&self) -> impl Iterator<Item = TransitionId> + use<> {
        self.transitions.clone().map(TransitionId)
    }
}

impl Model {
    /// A net that was not coloured.
    pub fn new(net: Net) -> Self {
        Model { net, coloured: None, warnings: Vec::new() }
    }

    /// The names a formula may use: those of the coloured places and transitions, if it is
    /// coloured, and of the single ones of the net.
    ///
    /// ```
    /// let model = brine_models::philosophers_coloured(3).unfold().unwrap();
    /// let mut symbols = model.symbols();
    /// assert_eq!(symbols.tokens("think").unwrap().terms.len(), 3);
    /// assert_eq!(symbols.tokens("think[2]").unwrap().terms.len(), 1);
    /// assert_eq!(symbols.transitions("put").unwrap().len(), 3);
    /// ```
    pub fn symbols(&self) -> Symbols {
        let Some(coloured) = &self.coloured else { return Symbols::of_net(&self.net) };
        let places = coloured.places.iter().map(|place| Named {
            id: &place.id,
            name: &place.name,
            target: place.tokens(),
        });
        let transitions = coloured.transitions.iter().map(|transition| Named {
            id: &transition.id,
            name: &transition.name,
            target: transition.members().collect(),
        });
        Symbols::of_groups(&self.net, places, transitions)
    }

    /// Tokens that are in every marking but not in the net; 0 unless it was coloured.
    pub fn idle_tokens(&self) -> u64 {
        let groups = self.coloured.iter().flat_map(|c| &c.places);
        groups.map(PlaceGroup::idle_tokens).sum()
    }

    /// The most of them that have the same place and colour.
    pub fn most_idle_tokens(&self) -> u64 {
        let groups = self.coloured.iter().flat_map(|c| &c.places);
        groups.flat_map(|g| &g.idle).max().map_or(0, |&n| u64::from(n))
    }
}
