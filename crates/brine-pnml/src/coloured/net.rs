//! The coloured net: checked, flat, not unfolded.

use std::rc::Rc;

use super::guards::Guard;
use super::sorts::{ColourLayout, SimpleId, Sorts};
use super::terms::Bag;
use crate::xml::Position;

/// A coloured place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ColouredPlace {
    /// The PNML id.
    pub(super) id: String,
    /// The PNML name; equal to the id when the file gives none.
    pub(super) name: String,
    /// The sort of its tokens.
    pub(super) sort: Vec<SimpleId>,
    /// How its colours are numbered.
    pub(super) layout: ColourLayout,
    /// The tokens at the start; no variables.
    pub(super) initial: Option<Bag>,
    /// Where the place is declared.
    pub(super) at: Position,
}

/// A variable of one transition. Variables of product sorts are kept as one per component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Variable {
    /// Its name.
    pub(super) name: String,
    /// Its sort.
    pub(super) sort: SimpleId,
    /// How many values the sort has.
    pub(super) size: u32,
    /// The values it may take, ascending, if not all of its sort.
    pub(super) part: Option<Rc<[u32]>>,
}

impl Variable {
    /// May it take this value?
    pub(super) fn admits(&self, value: u32) -> bool {
        self.part.as_ref().is_none_or(|part| part.binary_search(&value).is_ok())
    }

    /// How many values it may take.
    pub(super) fn choices(&self) -> u32 {
        self.part.as_ref().map_or(self.size, |part| part.len() as u32)
    }

    /// The `i`-th of them.
    pub(super) fn choice(&self, i: u32) -> u32 {
        self.part.as_ref().map_or(i, |part| part[i as usize])
    }
}

/// An arc between a transition and a place. There is one for each place and direction:
/// parallel arcs are added up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ColouredArc {
    /// Index of the place.
    pub(super) place: usize,
    /// What it takes or puts.
    pub(super) bag: Bag,
    /// Where the first of the arcs is declared.
    pub(super) at: Position,
}

/// A coloured transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ColouredTransition {
    /// The PNML id.
    pub(super) id: String,
    /// The PNML name; equal to the id when the file gives none.
    pub(super) name: String,
    /// Its variables, in the order in which its arcs and its guard name them.
    pub(super) variables: Vec<Variable>,
    /// When a binding is allowed.
    pub(super) guard: Guard,
    /// What it takes.
    pub(super) inputs: Vec<ColouredArc>,
    /// What it puts.
    pub(super) outputs: Vec<ColouredArc>,
}

/// A symmetric net with its initial marking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ColouredNet {
    /// The net's id.
    pub(super) name: String,
    /// Its simple sorts.
    pub(super) sorts: Sorts,
    /// Its places.
    pub(super) places: Vec<ColouredPlace>,
    /// Its transitions.
    pub(super) transitions: Vec<ColouredTransition>,
    /// How many arcs the file has.
    pub(super) arcs: usize,
}
