//! Unfolding: from a coloured net to the place/transition net that means the same.
//!
//! Every colour that can occur in a place becomes a place, every binding that can occur
//! becomes a transition (`fixpoint`); the arcs are the multisets under the binding.
//! Colours that are marked at the start but that no binding takes or puts become no
//! places: their tokens never move, so they are only counted ([`PlaceGroup::idle`]).
//!
//! Order: places by coloured place, then by colour; transitions by coloured transition,
//! then by binding. It does not depend on hashing.

use crate::fixpoint::{Occurring, occurring};
use crate::groups::{Groups, PlaceGroup, TransitionGroup, Unfolded};
use crate::names::UnfoldedNames;
use crate::net::{ColouredArc, ColouredNet, ColouredPlace};
use crate::position::Position;
use brine_net::{Net, NetBuilder, NetError, PlaceId};
use brine_run::{Control, Pace, Stop};
/// Units of work that a name takes.
const NAME: usize = 8;

/// How large an unfolded net may get.
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
        UnfoldLimits {
            places: 1_000_000,
            transitions: 1_000_000,
            arcs: 20_000_000,
            work: 100_000_000,
        }
    }
}

/// Why a net cannot be unfolded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnfoldError {
    /// A limit was met.
    TooLarge(String),
    /// A budget ended.
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

/// The message for a limit that was met.
pub(crate) fn too_large(what: &str, here: &str) -> UnfoldError {
    UnfoldError::TooLarge(format!(
        "the coloured net unfolds to {what} (at {here}), which is over the limit; a smaller \
         instance of the model may do"
    ))
}

/// Unfolds a net.
pub fn unfold(
    net: &ColouredNet,
    limits: &UnfoldLimits,
    control: &Control,
) -> Result<Unfolded, UnfoldError> {
    let occurring = occurring(net, limits, control)?;
    let mut draft = UnfoldDraft::new(&occurring);
    let mut pace = control.pace();
    for (t, bindings) in occurring.bindings.iter().enumerate() {
        for binding in bindings {
            let before = draft.arcs;
            draft.transition(net, t, binding, limits)?;
            pace.steps(1 + (draft.arcs - before) as usize)?;
        }
    }
    let (built, groups) = draft.build(net, control)?;
    Ok(Unfolded { net: built, groups, bindings: occurring.bindings })
}

/// An unfolded transition: what it takes and what it puts, by numbers of colours.
type Ends = [Vec<(PlaceId, u32)>; 2];

/// The unfolded net while its arcs are drawn. Places are numbered over all occurring
/// colours, including those that turn out to be idle.
struct UnfoldDraft<'o> {
    occurring: &'o Occurring,
    /// Per coloured place: the number of its first colour.
    first: Vec<u32>,
    /// Whether a colour has an arc.
    touched: Vec<bool>,
    /// In the order of the bindings.
    transitions: Vec<Ends>,
    arcs: u64,
}

impl<'o> UnfoldDraft<'o> {
    fn new(occurring: &'o Occurring) -> Self {
        let mut first = Vec::with_capacity(occurring.colours.len());
        let mut next = 0;
        for colours in &occurring.colours {
            first.push(next);
            next += colours.len() as u32;
        }
        let touched = vec![false; next as usize];
        UnfoldDraft { occurring, first, touched, transitions: Vec::new(), arcs: 0 }
    }

    /// Draws the arcs of one binding.
    fn transition(
        &mut self,
        net: &ColouredNet,
        t: usize,
        binding: &[u32],
        limits: &UnfoldLimits,
    ) -> Result<(), UnfoldError> {
        let transition = &net.transitions[t];
        let mut ends = Ends::default();
        for (side, arcs) in ends.iter_mut().zip([&transition.inputs, &transition.outputs]) {
            for arc in arcs {
                self.draw(net, arc, binding, side)?;
            }
            self.arcs += side.len() as u64;
        }
        if self.arcs > limits.arcs {
            let what = format!("more than {} arcs", limits.arcs);
            return Err(too_large(&what, &format!("transition \"{}\"", transition.id)));
        }
        self.transitions.push(ends);
        Ok(())
    }

    fn draw(
        &mut self,
        net: &ColouredNet,
        arc: &ColouredArc,
        binding: &[u32],
        side: &mut Vec<(PlaceId, u32)>,
    ) -> Result<(), UnfoldError> {
        let layout = &net.places[arc.place].layout;
        // The fixpoint has evaluated it under a limit already.
        let counts = arc.bag.evaluate(layout, binding, u64::MAX).unwrap_or_default();
        let colours = &self.occurring.colours[arc.place];
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

    /// Gives the touched colours their final numbers, and everything its name.
    fn build(self, net: &ColouredNet, control: &Control) -> Result<(Net, Groups), UnfoldError> {
        let mut pace = control.pace();
        let mut builder = NetBuilder::new(&net.name);
        let mut names = UnfoldedNames::new(net);
        let mut final_number = vec![PlaceId(0); self.touched.len()];
        let mut next = 0;
        let mut places = Vec::with_capacity(net.places.len());
        for (p, colours) in self.occurring.colours.iter().enumerate() {
            let place = &net.places[p];
            let initial = initial_marking(place)?;
            let mut idle = Vec::new();
            let start = next;
            for (i, &colour) in colours.iter().enumerate() {
                pace.steps(NAME)?;
                let at = initial.binary_search_by_key(&colour, |&(c, _)| c);
                let tokens = at.map_or(0, |at| initial[at].1);
                let number = self.first[p] as usize + i;
                if self.touched[number] {
                    let (id, name) = names.place(net, place, colour);
                    final_number[number] = builder.named_place(&id, &name, tokens);
                    next += 1;
                } else {
                    idle.push(tokens);
                }
            }
            let (id, name) = (place.id.clone(), place.name.clone());
            places.push(PlaceGroup { id, name, places: start..next, idle });
        }
        let transitions =
            self.transitions(net, &mut builder, &mut names, &final_number, &mut pace)?;
        let built = builder.build_within(control).map_err(|e| match e {
            NetError::Stopped(stop) => UnfoldError::Stopped(stop),
            e => UnfoldError::Invalid { at: Position::START, message: e.to_string() },
        })?;
        let groups = Groups { places, transitions, arcs: net.arcs };
        Ok((built, groups))
    }

    fn transitions(
        self,
        net: &ColouredNet,
        builder: &mut NetBuilder,
        names: &mut UnfoldedNames,
        final_number: &[PlaceId],
        pace: &mut Pace<'_>,
    ) -> Result<Vec<TransitionGroup>, Stop> {
        let mut drafts = self.transitions.into_iter();
        let mut groups = Vec::with_capacity(net.transitions.len());
        let mut next = 0;
        for (transition, bindings) in net.transitions.iter().zip(&self.occurring.bindings) {
            let start = next;
            for (binding, [mut pre, mut post]) in bindings.iter().zip(&mut drafts) {
                pace.steps(NAME + pre.len() + post.len())?;
                pre.iter_mut().chain(&mut post).for_each(|(p, _)| *p = final_number[p.index()]);
                let (id, name) = names.transition(net, transition, binding);
                builder.named_transition(&id, &name, &pre, &post);
                next += 1;
            }
            let (id, name) = (transition.id.clone(), transition.name.clone());
            groups.push(TransitionGroup { id, name, transitions: start..next });
        }
        Ok(groups)
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
