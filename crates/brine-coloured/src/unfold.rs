//! Unfolding: from a coloured net to the place/transition net that means the same.
//!
//! Every colour that can occur in a place becomes a place, every binding that can occur
//! becomes a transition (`fixpoint`); the arcs are the multisets under the binding.
//! Colours that are marked at the start but that no binding takes or puts become no
//! places: their tokens never move, so they are only counted ([`PlaceGroup::idle`]).
//!
//! Arcs are drawn straight into the net, with the colours numbered as they are; those that turn
//! out to be idle are left out at the end. Names are made on demand (`names`), so the cost is
//! that of the net itself, of the colours and bindings, and of the sets of the fixpoint.
//!
//! The limits are time and memory. Whether it fits is found out by trying, but what takes more
//! than all memory in the smallest conceivable form is refused before.
//!
//! Order: places by coloured place, then by colour; transitions by coloured transition,
//! then by binding. It does not depend on hashing.

use std::sync::Arc;

use crate::bindings::Bindings;
use crate::fixpoint::{Occurring, occurring};
use crate::groups::{Groups, PlaceGroup, TransitionGroup, Unfolded};
use crate::names::UnfoldedNames;
use crate::net::{ColouredArc, ColouredNet, ColouredPlace};
use crate::position::Position;
use crate::size::TextbookSize;
use brine_net::{NetBuilder, NetError, PlaceId};
use brine_run::{Control, Stop};

/// Bytes that a place takes at least: its colour and tokens, and its entries in two sets and
/// the queue of the fixpoint.
const PLACE_BYTES: u64 = 48;
/// Bytes that a transition takes at least, and an arc.
const TRANSITION_BYTES: u64 = 12;
const ARC_BYTES: u64 = 8;

/// How large an unfolded net may get. By default memory and time are the only limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnfoldLimits {
    /// Most places.
    pub places: u64,
    /// Most transitions.
    pub transitions: u64,
    /// Most arcs.
    pub arcs: u64,
    /// Most steps of the search for bindings.
    pub work: u64,
}

impl Default for UnfoldLimits {
    fn default() -> Self {
        let (places, transitions, arcs, work) = (u64::MAX, u64::MAX, u64::MAX, u64::MAX);
        UnfoldLimits { places, transitions, arcs, work }
    }
}

impl UnfoldLimits {
    /// The same, and what fits into memory and is counted by 32 bits.
    fn within(&self, control: &Control) -> Self {
        let bytes = control.memory_left();
        let most = |own: u64, each: u64| own.min(bytes / each).min(u64::from(u32::MAX));
        UnfoldLimits {
            places: most(self.places, PLACE_BYTES),
            transitions: most(self.transitions, TRANSITION_BYTES),
            arcs: most(self.arcs, ARC_BYTES),
            work: self.work,
        }
    }
}

/// Why a net cannot be unfolded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnfoldError {
    /// A limit was met, or the memory is used up. The text says how large the net could get.
    TooLarge(String),
    /// A budget other than memory ended.
    Stopped(Stop),
    /// A number in the net is too large.
    Invalid {
        /// Where it is.
        at: Position,
        /// What is wrong and what was expected.
        message: String,
    },
}

impl From<Stop> for UnfoldError {
    fn from(stop: Stop) -> Self {
        UnfoldError::Stopped(stop)
    }
}

/// The error for a limit that was met.
pub(crate) fn too_large(net: &ColouredNet) -> UnfoldError {
    UnfoldError::TooLarge(format!("too large to unfold: {}", TextbookSize::of(net)))
}

/// Unfolds a net.
pub fn unfold(
    net: &ColouredNet,
    limits: &UnfoldLimits,
    control: &Control,
) -> Result<Unfolded, UnfoldError> {
    unfold_within(net, &limits.within(control), control).map_err(|error| match error {
        UnfoldError::Stopped(Stop::Memory) => too_large(net),
        error => error,
    })
}

fn unfold_within(
    net: &ColouredNet,
    limits: &UnfoldLimits,
    control: &Control,
) -> Result<Unfolded, UnfoldError> {
    let Occurring { colours, bindings } = occurring(net, limits, control)?;
    let mut draft = UnfoldDraft::new(net, colours, control)?;
    let mut pace = control.pace();
    for (t, list) in bindings.iter().enumerate() {
        for binding in list.iter() {
            pace.steps(1 + draft.transition(t, binding)?)?;
            if draft.arcs > limits.arcs {
                return Err(too_large(net));
            }
        }
    }
    draft.build(bindings.into(), control)
}

/// The unfolded net while its arcs are drawn. Places are numbered over all occurring
/// colours, including those that turn out to be idle.
struct UnfoldDraft<'n> {
    net: &'n ColouredNet,
    /// Of every coloured place, ascending.
    colours: Vec<Vec<u64>>,
    /// Per coloured place: the number of its first colour.
    first: Vec<u32>,
    /// Of every colour, whether it has an arc.
    touched: Vec<bool>,
    /// Of every colour, its tokens at the start.
    initial: Vec<u32>,
    builder: NetBuilder,
    arcs: u64,
    /// The arcs of one transition; kept for their memory.
    sides: [Vec<(PlaceId, u32)>; 2],
}

impl<'n> UnfoldDraft<'n> {
    fn new(
        net: &'n ColouredNet,
        colours: Vec<Vec<u64>>,
        control: &Control,
    ) -> Result<Self, UnfoldError> {
        let mut pace = control.pace();
        let mut first = Vec::with_capacity(colours.len());
        let mut initial = Vec::with_capacity(colours.iter().map(Vec::len).sum());
        let mut builder = NetBuilder::new(&net.name);
        for (place, colours) in net.places.iter().zip(&colours) {
            first.push(initial.len() as u32);
            let marked = initial_marking(place)?;
            for colour in colours {
                pace.step()?;
                let at = marked.binary_search_by_key(colour, |&(c, _)| c);
                let tokens = at.map_or(0, |at| marked[at].1);
                initial.push(tokens);
                builder.unnamed_place(tokens);
            }
        }
        let touched = vec![false; initial.len()];
        let sides = Default::default();
        Ok(UnfoldDraft { net, colours, first, touched, initial, builder, arcs: 0, sides })
    }

    /// Draws the arcs of one binding; how many.
    fn transition(&mut self, t: usize, binding: &[u32]) -> Result<usize, UnfoldError> {
        let net = self.net;
        let transition = &net.transitions[t];
        let mut sides = std::mem::take(&mut self.sides);
        for (side, arcs) in sides.iter_mut().zip([&transition.inputs, &transition.outputs]) {
            side.clear();
            for arc in arcs {
                self.draw(arc, binding, side)?;
            }
        }
        let [pre, post] = &sides;
        self.builder.unnamed_transition(pre, post);
        let drawn = pre.len() + post.len();
        self.arcs += drawn as u64;
        self.sides = sides;
        Ok(drawn)
    }

    fn draw(
        &mut self,
        arc: &ColouredArc,
        binding: &[u32],
        side: &mut Vec<(PlaceId, u32)>,
    ) -> Result<(), UnfoldError> {
        let layout = &self.net.places[arc.place].layout;
        // The fixpoint has evaluated it under a limit already.
        let counts = arc.bag.evaluate(layout, binding, u64::MAX).unwrap_or_default();
        let colours = &self.colours[arc.place];
        for (colour, count) in counts {
            let weight = u32::try_from(count).map_err(|_| {
                let message = format!("weight {count}, expected at most {}", u32::MAX);
                UnfoldError::Invalid { at: arc.at, message }
            })?;
            // Every colour of a binding that can occur can occur.
            let found = colours.binary_search(&colour);
            debug_assert!(found.is_ok(), "an arc of a binding that can occur is lost");
            let Ok(i) = found else { continue };
            let number = self.first[arc.place] + i as u32;
            self.touched[number as usize] = true;
            side.push((PlaceId(number), weight));
        }
        Ok(())
    }

    /// Leaves out what no arc touches, and gives everything its name.
    fn build(
        mut self,
        bindings: Arc<[Bindings]>,
        control: &Control,
    ) -> Result<Unfolded, UnfoldError> {
        control.look()?;
        self.builder.keep_places(&self.touched);
        let mut groups =
            Groups { places: Vec::new(), transitions: Vec::new(), arcs: self.net.arcs };
        let mut colours = Vec::with_capacity(self.touched.len());
        for (p, place) in self.net.places.iter().enumerate() {
            control.look()?;
            let start = colours.len() as u32;
            let mut idle = Vec::new();
            let first = self.first[p] as usize;
            for (number, &colour) in (first..).zip(&self.colours[p]) {
                match self.touched[number] {
                    true => colours.push(colour),
                    false => idle.push(self.initial[number]),
                }
            }
            let (id, name) = (place.id.clone(), place.name.clone());
            let places = start..colours.len() as u32;
            groups.places.push(PlaceGroup { id, name, places, idle });
        }
        let mut next = 0;
        for (transition, list) in self.net.transitions.iter().zip(bindings.iter()) {
            let (id, name) = (transition.id.clone(), transition.name.clone());
            let transitions = next..next + list.len() as u32;
            next = transitions.end;
            groups.transitions.push(TransitionGroup { id, name, transitions });
        }
        let UnfoldDraft { net, builder, .. } = self;
        let names = UnfoldedNames::new(net, &groups, colours, bindings.clone(), control)?;
        let built = builder.build_named(Arc::new(names), control).map_err(|e| match e {
            NetError::Stopped(stop) => UnfoldError::Stopped(stop),
            NetError::TooLarge => too_large(net),
            e => UnfoldError::Invalid { at: Position::START, message: e.to_string() },
        })?;
        Ok(Unfolded { net: built, groups, bindings })
    }
}

/// The tokens of a place at the start, by colour.
fn initial_marking(place: &ColouredPlace) -> Result<Vec<(u64, u32)>, UnfoldError> {
    let bag = place.initial.as_ref();
    // The fixpoint has evaluated it under a limit already.
    let counts = bag.and_then(|b| b.evaluate(&place.layout, &[], u64::MAX).ok());
    let checked = |(colour, count): (u64, u64)| match u32::try_from(count) {
        Ok(tokens) => Ok((colour, tokens)),
        Err(_) => {
            let message = format!("{count} tokens of one colour, expected at most {}", u32::MAX);
            Err(UnfoldError::Invalid { at: place.at, message })
        }
    };
    counts.unwrap_or_default().into_iter().map(checked).collect()
}
