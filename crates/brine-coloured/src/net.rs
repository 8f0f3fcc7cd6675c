//! The coloured net: checked, flat, not unfolded.

use std::sync::Arc;

use crate::guards::Guard;
use crate::position::Position;
use crate::sorts::{ColourLayout, SimpleId, Sorts};
use crate::terms::Bag;

/// A coloured place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColouredPlace {
    /// The PNML id.
    pub id: String,
    /// The PNML name; equal to the id when the file gives none.
    pub name: String,
    /// The sort of its tokens.
    pub sort: Vec<SimpleId>,
    /// How its colours are numbered.
    pub layout: ColourLayout,
    /// The tokens at the start; no variables.
    pub initial: Option<Bag>,
    /// Where the place is declared.
    pub at: Position,
}

/// A variable of one transition. Variables of product sorts are kept as one per component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its sort.
    pub sort: SimpleId,
    /// How many values the sort has.
    pub size: u32,
    /// The values it may take, ascending, if not all of its sort.
    pub part: Option<Arc<[u32]>>,
}

impl Variable {
    /// May it take this value?
    pub fn admits(&self, value: u32) -> bool {
        self.part.as_ref().is_none_or(|part| part.binary_search(&value).is_ok())
    }

    /// How many values it may take.
    pub fn choices(&self) -> u32 {
        self.part.as_ref().map_or(self.size, |part| part.len() as u32)
    }

    /// The `i`-th of them.
    pub fn choice(&self, i: u32) -> u32 {
        self.part.as_ref().map_or(i, |part| part[i as usize])
    }
}

/// An arc between a transition and a place. There is one for each place and direction:
/// parallel arcs are added up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColouredArc {
    /// Index of the place.
    pub place: usize,
    /// What it takes or puts.
    pub bag: Bag,
    /// Where the first of the arcs is declared.
    pub at: Position,
}

/// A coloured transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColouredTransition {
    /// The PNML id.
    pub id: String,
    /// The PNML name; equal to the id when the file gives none.
    pub name: String,
    /// Its variables, in the order in which its arcs and its guard name them.
    pub variables: Vec<Variable>,
    /// When a binding is allowed.
    pub guard: Guard,
    /// What it takes.
    pub inputs: Vec<ColouredArc>,
    /// What it puts.
    pub outputs: Vec<ColouredArc>,
}

/// A symmetric net with its initial marking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColouredNet {
    /// The net's id.
    pub name: String,
    /// Its simple sorts.
    pub sorts: Sorts,
    /// Its places.
    pub places: Vec<ColouredPlace>,
    /// Its transitions.
    pub transitions: Vec<ColouredTransition>,
    /// How many arcs the file has.
    pub arcs: usize,
}
