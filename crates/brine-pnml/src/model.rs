//! A model as read: the net that the engines see, and what it was in the file.

use brine_coloured::{ColouredNet, Groups, PlaceGroup, Unfolded};
use brine_ltl::{Expression, Named, Symbols};
use brine_net::{Net, PlaceId, TransitionId};

/// A net as its file has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnyNet {
    /// A place/transition net.
    Plain(Net),
    /// A coloured net.
    Coloured(ColouredNet),
}

/// A net that was read, with what the user should know about its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetFile {
    /// What messages call the file.
    pub file: String,
    /// The net.
    pub net: AnyNet,
    /// What the user should know, one line each, with file and position.
    pub warnings: Vec<String>,
}

/// A net, with its coloured side if it was unfolded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// The place/transition net.
    pub net: Net,
    /// For a coloured net: what its places and transitions became.
    pub coloured: Option<Groups>,
    /// What the user should know about the file, one line each, with file and position.
    pub warnings: Vec<String>,
}

impl Model {
    /// A net that was not coloured.
    pub fn new(net: Net) -> Self {
        Model { net, coloured: None, warnings: Vec::new() }
    }

    /// A coloured net that was unfolded.
    pub fn unfolded(unfolded: Unfolded) -> Self {
        let Unfolded { net, groups, .. } = unfolded;
        Model { net, coloured: Some(groups), warnings: Vec::new() }
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
            target: tokens(place),
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

/// The names a formula about the coloured net itself may use: its places, each for the sum of its
/// tokens, and its transitions, each for some binding of it, by their numbers in the net.
pub fn coloured_symbols(net: &ColouredNet) -> Symbols {
    let places = (0..).map(PlaceId).zip(&net.places).map(|(p, place)| Named {
        id: &place.id,
        name: &place.name,
        target: Expression::places(&[p]),
    });
    let transitions = (0..).map(TransitionId).zip(&net.transitions).map(|(t, transition)| Named {
        id: &transition.id,
        name: &transition.name,
        target: vec![t],
    });
    Symbols::of_nodes(places, transitions)
}

/// The tokens that the name of a coloured place stands for: those of its unfolded places, and
/// those that never move.
fn tokens(place: &PlaceGroup) -> Expression {
    let members: Vec<PlaceId> = place.members().collect();
    let constant = i64::try_from(place.idle_tokens()).unwrap_or(i64::MAX);
    Expression { constant, ..Expression::places(&members) }
}
