//! The markings of one net: layout, firing rule and store, kept in step.
//!
//! All firing goes through here, because a guessed field that overflows changes all three:
//! the layout gets wider fields, the transitions are compiled again and the store is
//! repacked. Ids stay valid, so searches above notice nothing but the time. Fields of
//! proven width are never re-checked; no guess is ever trusted.

use crate::fire::{Firing, Overflow, Step, effect};
use crate::layout::{Bound, Layout};
use crate::meter::Meter;
use crate::store::{Batch, MarkingId, StateStore};
use brine_net::{Net, TransitionId};
use brine_run::{Control, Shared, Stop};

/// A place of unknown bound that needs more bits than this looks unbounded.
pub const RUNAWAY_BITS: u8 = 8;

/// Words of successors that are looked up as one batch.
const BATCH_WORDS: usize = 1 << 20;

/// The reachable markings found so far, and the rule that finds more.
#[derive(Debug)]
pub struct Markings<'n> {
    net: Shared<'n, Net>,
    layout: Layout,
    firing: Firing,
    store: StateStore,
    /// Counts the memory of the store and of whatever is built on it.
    pub meter: Meter,
    scratch: Vec<u64>,
    batch: Batch,
    repacks: u32,
    stop_runaways: bool,
}

impl<'n> Markings<'n> {
    /// Starts with the initial marking, [`MarkingId::INITIAL`].
    ///
    /// `bounds` has one entry per place, `order` names every transition once.
    pub fn new(
        net: impl Into<Shared<'n, Net>>,
        bounds: &[Bound],
        order: &[TransitionId],
        control: Control,
    ) -> Result<Self, Stop> {
        let net = net.into();
        let layout = Layout::new(&net, bounds);
        let firing = Firing::new(&net, &layout, order, &mut control.without_work().pace())?;
        Self::compiled(net, layout, firing, control)
    }

    /// The initial marking alone again, with a meter of its own.
    pub(crate) fn copy_initial(&self, control: Control) -> Result<Self, Stop> {
        Self::compiled(self.net.clone(), self.layout.clone(), self.firing.clone(), control)
    }

    fn compiled(
        net: Shared<'n, Net>,
        layout: Layout,
        firing: Firing,
        control: Control,
    ) -> Result<Self, Stop> {
        let mut store = StateStore::new(layout.words());
        let mut meter = Meter::new(control);
        meter.set_nodes(net.places().len() + net.transitions().len());
        store.intern(&layout.pack(&net.initial_marking()), &mut meter)?;
        let scratch = vec![0; layout.words()];
        let batch = Batch::default();
        Ok(Markings {
            net,
            layout,
            firing,
            store,
            meter,
            scratch,
            batch,
            repacks: 0,
            stop_runaways: false,
        })
    }

    /// The net.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// The layout in force; it may change with every firing.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The compiled transitions.
    pub fn firing(&self) -> &Firing {
        &self.firing
    }

    /// The store.
    pub fn store(&self) -> &StateStore {
        &self.store
    }

    /// How often a guessed width was too small.
    pub fn repacks(&self) -> u32 {
        self.repacks
    }

    /// Whether to stop with [`Stop::Runaway`] when a place without proven bound would need
    /// more than [`RUNAWAY_BITS`] bits.
    pub fn stop_runaways(&mut self, stop: bool) {
        self.stop_runaways = stop;
    }

    /// The tokens of a marking, by place.
    pub fn marking(&self, id: MarkingId) -> Vec<u32> {
        self.layout.unpack(self.store.get(id))
    }

    /// Appends the enabled transitions of a marking, ascending.
    pub fn enabled(&self, id: MarkingId, out: &mut Vec<Step>) {
        self.firing.enabled_list(self.store.get(id), out);
    }

    /// Appends the enabled transitions of `child`, reached by `fired` from a marking whose
    /// enabled transitions are `parent`.
    pub fn enabled_after(
        &self,
        parent: &[Step],
        fired: Step,
        child: MarkingId,
        out: &mut Vec<Step>,
    ) {
        self.firing.enabled_after(parent, fired, self.store.get(child), out);
    }

    /// Fires one enabled transition.
    pub fn fire(&mut self, from: MarkingId, step: Step) -> Result<(MarkingId, bool), Stop> {
        self.peek(from, step)?;
        self.store.intern(&self.scratch, &mut self.meter)
    }

    /// Looks at the successor of a marking by one enabled transition without storing it.
    pub(crate) fn peek(&mut self, from: MarkingId, step: Step) -> Result<(), Stop> {
        while let Err(overflow) = self.firing.fire(step, self.store.get(from), &mut self.scratch) {
            self.widen(from, overflow)?;
        }
        Ok(())
    }

    /// The marking that was looked at last by [`Self::peek`].
    pub(crate) fn peeked(&self) -> &[u64] {
        &self.scratch
    }

    /// Forgets all markings but the initial one, [`MarkingId::INITIAL`] again.
    pub(crate) fn forget_markings(&mut self) -> Result<(), Stop> {
        self.store.clear(&mut self.meter);
        let initial = self.layout.pack(&self.net.initial_marking());
        self.store.intern(&initial, &mut self.meter).map(|_| ())
    }

    /// Fires all the given enabled transitions; `found` gets (successor, is it new) for each.
    pub fn fire_all(
        &mut self,
        from: MarkingId,
        steps: &[Step],
        found: &mut Vec<(MarkingId, bool)>,
    ) -> Result<(), Stop> {
        found.clear();
        // In a large net, all successors at once could be more than the memory holds.
        for part in steps.chunks((BATCH_WORDS / self.layout.words()).max(1)) {
            self.fire_some(from, part, found)?;
        }
        Ok(())
    }

    fn fire_some(
        &mut self,
        from: MarkingId,
        steps: &[Step],
        found: &mut Vec<(MarkingId, bool)>,
    ) -> Result<(), Stop> {
        while let Err(overflow) = self.fill_scratch(from, steps) {
            self.widen(from, overflow)?;
        }
        let words = self.layout.words();
        let all = &self.scratch[..steps.len() * words];
        let result = self.store.intern_batch(all, &mut self.batch, found, &mut self.meter);
        self.scratch.resize(words, 0);
        result
    }

    fn fill_scratch(&mut self, from: MarkingId, steps: &[Step]) -> Result<(), Overflow> {
        let words = self.layout.words();
        self.scratch.resize((steps.len() * words).max(words), 0);
        let source = self.store.get(from);
        for (&step, to) in steps.iter().zip(self.scratch.chunks_exact_mut(words)) {
            self.firing.fire(step, source, to)?;
        }
        Ok(())
    }

    /// Widens the fields that overflow when the transition fires, and those that may be next.
    #[cold]
    fn widen(&mut self, from: MarkingId, Overflow(step): Overflow) -> Result<(), Stop> {
        let mut grow = self.crowded_fields()?;
        let words = self.store.get(from);
        for (p, change) in effect(self.net.transition(self.firing.transition(step))) {
            let field = self.layout.field(p);
            let after = i64::from(field.get(words)) + change;
            grow[p.index()] |= !field.proven && after > field.mask() as i64;
        }
        let layout = self.layout.widened(&grow).ok_or(Stop::Overflow)?;
        let huge = |p: usize| grow[p] && layout.fields()[p].bits > RUNAWAY_BITS;
        if self.stop_runaways && (0..grow.len()).any(huge) {
            return Err(Stop::Runaway);
        }
        let order: Vec<TransitionId> =
            self.firing.steps().map(|s| self.firing.transition(s)).collect();
        let control = self.meter.control();
        // A budget that ends here must leave store, layout and transitions in step.
        let firing = Firing::new(&self.net, &layout, &order, &mut control.pace())?;
        self.store.repack(&self.layout, &layout, &mut self.meter)?;
        self.firing = firing;
        self.layout = layout;
        self.scratch = vec![0; self.layout.words()];
        self.repacks += 1;
        Ok(())
    }

    /// Guessed fields of up to 16 bits in which some marking found so far uses the upper half
    /// of the range: widening them in the same pass saves passes later.
    fn crowded_fields(&mut self) -> Result<Vec<bool>, Stop> {
        let fields = self.layout.fields();
        let mut crowded = vec![false; fields.len()];
        let open: Vec<usize> = (0..fields.len())
            .filter(|&p| !fields[p].proven && (2..=16).contains(&fields[p].bits))
            .collect();
        for id in self.store.ids() {
            self.meter.tick()?;
            let words = self.store.get(id);
            for &p in &open {
                crowded[p] |= u64::from(fields[p].get(words)) > fields[p].mask() / 2;
            }
        }
        Ok(crowded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_net::NetBuilder;

    /// A counter that passes every guess: the widths follow and no value is lost.
    #[test]
    fn guesses_that_fail_are_widened_and_ids_stay() {
        let mut b = NetBuilder::new("n");
        let (p, q) = (b.place("p", 1000), b.place("q", 0));
        b.transition("pour", &[(p, 1)], &[(q, 1)]);
        let net = b.build().unwrap();
        let order: Vec<TransitionId> = net.transition_ids().collect();
        let guess = [Bound::Guess(1), Bound::Guess(1)];
        let mut ms = Markings::new(&net, &guess, &order, Control::default()).unwrap();
        for i in 0..1000 {
            assert_eq!(ms.fire(MarkingId(i), Step(0)).unwrap(), (MarkingId(i + 1), true));
        }
        assert!((0..=1000).all(|i| ms.marking(MarkingId(i)) == [1000 - i, i]));
        assert_eq!(ms.repacks(), 4, "1 -> 2 -> 4 -> 8 -> 16 bits");
        let mut enabled = Vec::new();
        ms.enabled(MarkingId(1000), &mut enabled);
        assert!(enabled.is_empty());
    }

    #[test]
    fn more_than_u32_tokens_is_an_overflow_not_a_wrong_marking() {
        let mut b = NetBuilder::new("n");
        let p = b.place("p", u32::MAX - 1);
        b.transition("add", &[], &[(p, 1)]);
        let net = b.build().unwrap();
        let bounds = [Layout::unknown_bound()];
        let mut ms = Markings::new(&net, &bounds, &[TransitionId(0)], Control::default()).unwrap();
        assert_eq!(ms.fire(MarkingId::INITIAL, Step(0)), Ok((MarkingId(1), true)));
        assert_eq!(ms.marking(MarkingId(1)), [u32::MAX]);
        assert_eq!(ms.fire(MarkingId(1), Step(0)), Err(Stop::Overflow));
    }
}
