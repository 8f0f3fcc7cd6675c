//! What searches need of the markings of a net, plain or coloured.
//!
//! The product, neighbourhoods, guided searches and walks are written once, over this trait.
//! Markings have numbers ([`MarkingId`]), and so have the steps that lead from one to the next
//! ([`Step`]): in a plain net its transitions, in a coloured net the bindings met so far. What is
//! known beforehand (pulls, touched atoms) is known by *class* of steps: a plain transition is a
//! class of its own, the bindings of a coloured transition are one.
//!
//! Two promises on which verdicts rest: [`Expand::enabled`] gives nothing only in a dead
//! marking; and if a list ever leaves out an enabled step, [`Expand::leaves_out`] says so
//! from then on, and no search over it may claim to have seen everything.

use crate::fire::Step;
use crate::letters::Reader;
use crate::markings::Markings;
use crate::meter::Meter;
use crate::reduction::Reduction;
use crate::space::Space;
use crate::store::{MarkingId, finalise};
use brine_ltl::{Atom, Automaton};
use brine_net::{Net, PlaceId, Run, TransitionId};
use brine_run::{Control, Stop};
use std::fmt::Debug;

/// The states found so far, and the rule that finds more: all that [`Space`] needs, of nets and
/// of any other model.
pub trait Expand: Debug + Sized {
    /// The account of time and memory.
    fn meter(&self) -> &Meter;

    /// The account of time and memory, to be used.
    fn meter_mut(&mut self) -> &mut Meter;

    /// The number of markings found so far.
    fn known(&self) -> usize;

    /// Bytes allocated for them.
    fn allocated(&self) -> u64;

    /// Appends the enabled steps of a marking; always in the same order.
    fn enabled(&mut self, m: MarkingId, out: &mut Vec<Step>) -> Result<(), Stop>;

    /// Appends the enabled steps of `child`, reached by `fired` from a marking whose enabled
    /// steps are `parent`.
    fn enabled_after(
        &mut self,
        parent: &[Step],
        fired: Step,
        child: MarkingId,
        out: &mut Vec<Step>,
    ) -> Result<(), Stop>;

    /// Whether some list of enabled steps was not complete.
    fn leaves_out(&self) -> bool;

    /// Fires an enabled step; the flag says whether the marking is new.
    fn fire(&mut self, from: MarkingId, step: Step) -> Result<(MarkingId, bool), Stop>;
}

/// The markings of a net found so far, as searches see them.
pub trait Successors: Expand {
    /// What a run is written as.
    type Run: Clone + Debug;
    /// The atoms of an automaton, ready to be evaluated.
    type Reader: Debug;
    /// What may leave out edges of the marking graph.
    type Reduction: ReducedEdges<Self>;

    /// The initial marking alone again, for a search, with a meter of its own.
    fn fresh(&self, control: Control) -> Result<Self, Stop>;

    /// Forgets all markings but the initial one, [`MarkingId::INITIAL`] again.
    fn forget(&mut self) -> Result<(), Stop>;

    /// The random numbers that a walk begins with.
    fn reseed(&mut self, seed: u64);

    /// The steps that firing this one, in the step just taken, may have enabled.
    fn affected(&self, fired: Step) -> &[Step];

    /// The class of a step.
    fn class(&self, step: Step) -> usize;

    /// Where a step stands in a random order of preference, one for each salt.
    fn preference(&self, step: Step, salt: u64) -> u64;

    /// The transition of each class.
    fn classes(&self) -> Vec<TransitionId>;

    /// The plain net, or the coloured one without its colours: for directions, nothing else.
    fn shape(&self) -> &Net;

    /// The places in which a step of a class may change something.
    fn changed_places(&self, class: usize) -> Vec<PlaceId>;

    /// The tokens in a place, of all colours.
    fn tokens(&self, m: MarkingId, place: PlaceId) -> u32;

    /// Prepares the atoms of an automaton.
    fn reader(&self, aut: &Automaton) -> Self::Reader;

    /// The letter of a marking: bit i says whether atom i holds.
    fn letter(&mut self, reader: &Self::Reader, m: MarkingId) -> Result<u64, Stop>;

    /// The letter after a step from a marking. `known` is the letter of the marking, and the atoms
    /// in which the other one may differ.
    fn letter_after(
        &mut self,
        reader: &Self::Reader,
        known: (u64, u64),
        m: MarkingId,
        step: Step,
    ) -> Result<u64, Stop>;

    /// Whether some step takes nothing and gives something.
    fn has_sources(&self) -> bool;

    /// Whether there are markings with more tokens than expected.
    fn looks_unbounded(&self) -> bool;

    /// Whether the steps from `small` to `large` can be fired for ever, and the truth of the atoms
    /// repeats.
    fn repeats(&self, atoms: &[Atom], small: MarkingId, large: MarkingId, cycle: &[Step]) -> bool;

    /// A run in words of the net.
    fn run(&self, prefix: &[Step], cycle: &[Step]) -> Self::Run;

    /// The number of its steps, the cycle once.
    fn run_length(run: &Self::Run) -> usize;
}

/// A rule by which edges of the marking graph are left out.
pub trait ReducedEdges<M>: Debug {
    /// The number of edges that a marking keeps.
    fn degree(&mut self, space: &mut Space<M>, m: MarkingId) -> Result<u32, Stop>;

    /// The target of the i-th edge that a marking keeps.
    fn target(&mut self, space: &mut Space<M>, m: MarkingId, i: u32) -> Result<MarkingId, Stop>;
}

impl Expand for Markings<'_> {
    #[inline]
    fn meter(&self) -> &Meter {
        &self.meter
    }

    #[inline]
    fn meter_mut(&mut self) -> &mut Meter {
        &mut self.meter
    }

    #[inline]
    fn known(&self) -> usize {
        self.store().len()
    }

    fn allocated(&self) -> u64 {
        self.store().allocated()
    }

    fn enabled(&mut self, m: MarkingId, out: &mut Vec<Step>) -> Result<(), Stop> {
        Markings::enabled(self, m, out);
        Ok(())
    }

    #[inline]
    fn enabled_after(
        &mut self,
        parent: &[Step],
        fired: Step,
        child: MarkingId,
        out: &mut Vec<Step>,
    ) -> Result<(), Stop> {
        Markings::enabled_after(self, parent, fired, child, out);
        Ok(())
    }

    #[inline]
    fn leaves_out(&self) -> bool {
        false
    }

    #[inline]
    fn fire(&mut self, from: MarkingId, step: Step) -> Result<(MarkingId, bool), Stop> {
        Markings::fire(self, from, step)
    }
}

impl<'n> Successors for Markings<'n> {
    type Run = Run;
    type Reader = Reader;
    type Reduction = Reduction;

    fn fresh(&self, control: Control) -> Result<Self, Stop> {
        self.copy_initial(control)
    }

    fn forget(&mut self) -> Result<(), Stop> {
        self.forget_markings()
    }

    fn reseed(&mut self, _: u64) {}

    #[inline]
    fn affected(&self, fired: Step) -> &[Step] {
        self.firing().affected(fired).unwrap_or_default()
    }

    #[inline]
    fn class(&self, step: Step) -> usize {
        step.index()
    }

    #[inline]
    fn preference(&self, step: Step, salt: u64) -> u64 {
        finalise(salt ^ u64::from(step.0))
    }

    fn classes(&self) -> Vec<TransitionId> {
        self.firing().steps().map(|s| self.firing().transition(s)).collect()
    }

    fn shape(&self) -> &Net {
        self.net()
    }

    fn changed_places(&self, class: usize) -> Vec<PlaceId> {
        let t = self.firing().transition(Step(class as u32));
        crate::fire::effect(self.net().transition(t)).into_iter().map(|(p, _)| p).collect()
    }

    #[inline]
    fn tokens(&self, m: MarkingId, place: PlaceId) -> u32 {
        self.layout().field(place).get(self.store().get(m))
    }

    fn reader(&self, aut: &Automaton) -> Reader {
        if aut.reads_events() {
            Atom::refuse_event();
        }
        Reader::new(aut, self.firing())
    }

    #[inline]
    fn letter(&mut self, reader: &Reader, m: MarkingId) -> Result<u64, Stop> {
        Ok(reader.letter(self.store().get(m), self))
    }

    #[inline]
    fn letter_after(
        &mut self,
        reader: &Reader,
        (old, touched): (u64, u64),
        m: MarkingId,
        step: Step,
    ) -> Result<u64, Stop> {
        self.peek(m, step)?;
        Ok(reader.reread(old, touched, self.peeked(), self))
    }

    fn has_sources(&self) -> bool {
        crate::hunt::has_sources(self.net())
    }

    #[inline]
    fn looks_unbounded(&self) -> bool {
        self.repacks() > 0
    }

    fn repeats(&self, atoms: &[Atom], small: MarkingId, large: MarkingId, cycle: &[Step]) -> bool {
        let (store, firing) = (self.store(), self.firing());
        if !crate::hunt::covers(self.layout(), store.get(large), store.get(small)) {
            return false;
        }
        let cycle: Vec<TransitionId> = cycle.iter().map(|&s| firing.transition(s)).collect();
        crate::hunt::repeats(self.net(), atoms, &self.marking(small), &cycle)
    }

    fn run(&self, prefix: &[Step], cycle: &[Step]) -> Run {
        let name = |&s: &Step| -> TransitionId { self.firing().transition(s) };
        Run { prefix: prefix.iter().map(name).collect(), cycle: cycle.iter().map(name).collect() }
    }
    fn run_length(run: &Run) -> usize {
        run.len()
    }
}
