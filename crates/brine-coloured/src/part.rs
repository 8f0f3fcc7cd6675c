//! The part of the unfolded net that a run touches.
//!
//! A run is shown, and written to files, as a run of the unfolded net: steps are called
//! `transition[x=value,..]`, places `place[colour,..]`. The unfolded net itself may be too large
//! to exist, but a run touches little of it: [`part_of`] makes a net of the bindings that the
//! run fires and of the colours that they take and put. Colours that only lie there at the start
//! are added while there are few of them.
//!
//! *Invariant:* the run fires in the part exactly as in the whole, since all its arcs are there.
//! What is missing are transitions that it does not fire, so the part says nothing about what is
//! enabled. Cost: the arcs of the run's distinct steps, and the initial marking.

use crate::names::UnfoldedNames;
use crate::net::{ColouredArc, ColouredNet};
use crate::run::{ColouredRun, ColouredStep};
use brine_net::{Net, NetBuilder, PlaceId, Run, TransitionId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Most colours of one arc or one initial marking that are written out.
const WIDEST: u64 = 10_000_000;
/// Untouched colours of the initial marking are shown up to so many.
const UNTOUCHED: usize = 1_000;

/// A colour in a place.
type Spot = (usize, u64);

/// The net of what a run touches, and the run in it; `None` if an arc or the initial marking has
/// too many colours, or more than 32 bits of tokens.
pub fn part_of(net: &ColouredNet, run: &ColouredRun) -> Option<(Net, Run)> {
    let mut part = RunPart::new(net)?;
    let prefix = part.steps(&run.prefix)?;
    let cycle = part.steps(&run.cycle)?;
    Some((part.build()?, Run { prefix, cycle }))
}

/// Tokens that a step takes or puts.
type Side = Vec<(Spot, u32)>;

struct RunPart<'n> {
    net: &'n ColouredNet,
    initial: FxHashMap<Spot, u32>,
    spots: BTreeSet<Spot>,
    /// Distinct steps, with what they take and put.
    steps: Vec<(&'n ColouredStep, [Side; 2])>,
    numbers: FxHashMap<ColouredStep, TransitionId>,
}

impl<'n> RunPart<'n> {
    fn new(net: &'n ColouredNet) -> Option<Self> {
        let mut initial = FxHashMap::default();
        for (p, place) in net.places.iter().enumerate() {
            let Some(bag) = &place.initial else { continue };
            for (colour, count) in bag.evaluate(&place.layout, &[], WIDEST).ok()? {
                initial.insert((p, colour), u32::try_from(count).ok()?);
            }
        }
        let few = initial.len() <= UNTOUCHED;
        let spots = initial.keys().copied().filter(|_| few).collect();
        Some(RunPart { net, initial, spots, steps: Vec::new(), numbers: FxHashMap::default() })
    }

    /// The numbers of these steps.
    fn steps(&mut self, steps: &'n [ColouredStep]) -> Option<Vec<TransitionId>> {
        steps.iter().map(|step| self.step(step)).collect()
    }

    fn step(&mut self, step: &'n ColouredStep) -> Option<TransitionId> {
        if let Some(&number) = self.numbers.get(step) {
            return Some(number);
        }
        let transition = &self.net.transitions[step.transition.index()];
        let sides = [
            self.side(&transition.inputs, &step.binding)?,
            self.side(&transition.outputs, &step.binding)?,
        ];
        let number = TransitionId(self.steps.len() as u32);
        self.spots.extend(sides.iter().flatten().map(|&(spot, _)| spot));
        self.steps.push((step, sides));
        self.numbers.insert(step.clone(), number);
        Some(number)
    }

    fn side(&self, arcs: &[ColouredArc], binding: &[u32]) -> Option<Side> {
        let mut side = Vec::new();
        for arc in arcs {
            let layout = &self.net.places[arc.place].layout;
            for (colour, count) in arc.bag.evaluate(layout, binding, WIDEST).ok()? {
                side.push(((arc.place, colour), u32::try_from(count).ok()?));
            }
        }
        Some(side)
    }

    fn build(self) -> Option<Net> {
        let mut builder = NetBuilder::new(&self.net.name);
        let mut names = UnfoldedNames::new(self.net);
        let mut numbers: FxHashMap<Spot, PlaceId> = FxHashMap::default();
        for &(p, colour) in &self.spots {
            let (id, name) = names.place(self.net, &self.net.places[p], colour);
            let tokens = self.initial.get(&(p, colour)).copied().unwrap_or(0);
            numbers.insert((p, colour), builder.named_place(&id, &name, tokens));
        }
        for (step, sides) in self.steps {
            let transition = &self.net.transitions[step.transition.index()];
            let (id, name) = names.transition(self.net, transition, &step.binding);
            let [pre, post] = sides.map(|side| {
                side.into_iter().map(|(spot, n)| (numbers[&spot], n)).collect::<Vec<_>>()
            });
            builder.named_transition(&id, &name, &pre, &post);
        }
        builder.build().ok()
    }
}
