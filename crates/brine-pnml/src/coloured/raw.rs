//! A symmetric net as the file writes it, and its check as a whole.

use super::check::{TermChecker, TransitionScope};
use super::declarations::Declarations;
use super::tree::Tree;
use crate::xml::{Position, XmlError};
use brine_coloured::net::{ColouredArc, ColouredNet, ColouredPlace, ColouredTransition};
use brine_coloured::sorts::{ColourLayout, DOT};
use brine_coloured::terms::{Bag, BagOp, Component};

/// A place as read.
#[derive(Debug)]
pub(crate) struct RawPlace {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) sort: Tree,
    pub(crate) initial: Option<Tree>,
    pub(crate) at: Position,
}

/// A transition as read.
#[derive(Debug)]
pub(crate) struct RawTransition {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) guard: Option<Tree>,
}

/// An arc as read.
#[derive(Debug)]
pub(crate) struct RawArc {
    pub(crate) place: usize,
    pub(crate) transition: usize,
    pub(crate) input: bool,
    /// `None`: one black token.
    pub(crate) term: Option<Tree>,
    pub(crate) at: Position,
}

/// A net as read.
#[derive(Debug, Default)]
pub(crate) struct RawNet {
    pub(crate) name: String,
    pub(crate) declarations: Vec<Tree>,
    pub(crate) places: Vec<RawPlace>,
    pub(crate) transitions: Vec<RawTransition>,
    pub(crate) arcs: Vec<RawArc>,
}

impl RawNet {
    /// Looks everything up and checks all sorts.
    pub(crate) fn check(self) -> Result<ColouredNet, XmlError> {
        let mut declarations = Declarations::new(&self.declarations)?;
        let mut places = Vec::with_capacity(self.places.len());
        for place in self.places {
            places.push(check_place(&mut declarations, place)?);
        }
        let arcs = self.arcs.len();
        let mut by_transition: Vec<Vec<RawArc>> = Vec::new();
        by_transition.resize_with(self.transitions.len(), Vec::new);
        for arc in self.arcs {
            by_transition[arc.transition].push(arc);
        }
        let mut transitions = Vec::with_capacity(self.transitions.len());
        for (transition, arcs) in self.transitions.into_iter().zip(by_transition) {
            transitions.push(check_transition(&mut declarations, &places, transition, &arcs)?);
        }
        Ok(ColouredNet { name: self.name, sorts: declarations.sorts, places, transitions, arcs })
    }
}

fn check_place(declarations: &mut Declarations, raw: RawPlace) -> Result<ColouredPlace, XmlError> {
    let mut checker = TermChecker::new(declarations, None);
    let sort = checker.sort(&raw.sort)?;
    let initial = raw.initial.map(|tree| checker.bag(&tree, &sort)).transpose()?;
    let layout = ColourLayout::new(&declarations.sorts, &sort).ok_or_else(|| {
        let message = format!("place \"{}\" has 2^63 colours or more, expected fewer", raw.id);
        XmlError::new(raw.at, message)
    })?;
    Ok(ColouredPlace { id: raw.id, name: raw.name, sort, layout, initial, at: raw.at })
}

fn check_transition(
    declarations: &mut Declarations,
    places: &[ColouredPlace],
    raw: RawTransition,
    arcs: &[RawArc],
) -> Result<ColouredTransition, XmlError> {
    let mut scope = TransitionScope::default();
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for arc in arcs {
        let bag = check_arc(declarations, &mut scope, &places[arc.place], arc)?;
        let side = if arc.input { &mut inputs } else { &mut outputs };
        join(side, ColouredArc { place: arc.place, bag, at: arc.at });
    }
    let guard = match &raw.guard {
        Some(tree) => TermChecker::new(declarations, Some(&mut scope)).guard(tree)?,
        None => Vec::new(),
    };
    let TransitionScope { variables, .. } = scope;
    Ok(ColouredTransition { id: raw.id, name: raw.name, variables, guard, inputs, outputs })
}

fn check_arc(
    declarations: &mut Declarations,
    scope: &mut TransitionScope,
    place: &ColouredPlace,
    arc: &RawArc,
) -> Result<Bag, XmlError> {
    match &arc.term {
        Some(tree) => TermChecker::new(declarations, Some(scope)).bag(tree, &place.sort),
        None if place.sort == [DOT] => {
            let colour = vec![Component::Value(0)];
            let ops = vec![BagOp::Push { count: 1, offset: 0, colour }];
            Ok(Bag { sort: place.sort.clone(), ops })
        }
        None => {
            let message = format!(
                "an arc without <hlinscription> at place \"{}\", expected one (only arcs of \
                 black tokens do without)",
                place.id
            );
            Err(XmlError::new(arc.at, message))
        }
    }
}

/// Adds an arc to a side of a transition; arcs to the same place become one.
fn join(side: &mut Vec<ColouredArc>, arc: ColouredArc) {
    match side.iter_mut().find(|a| a.place == arc.place) {
        Some(known) => {
            known.bag.ops.extend(arc.bag.ops);
            known.bag.ops.push(BagOp::Add(2));
        }
        None => side.push(arc),
    }
}
