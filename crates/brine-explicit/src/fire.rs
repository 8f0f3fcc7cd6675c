//! The firing rule on packed markings, and which transitions to re-test after a firing.
//!
//! For one layout every transition is compiled into four short lists:
//! - *need*: bits that must be set (inputs of weight 1 from one-bit fields), one mask a word;
//! - *least*: other inputs, as field and smallest value;
//! - *clash*, *room*: outputs into fields whose width is a guess; a one-bit field must be
//!   empty, a wider one must have room. Failing here is an [`Overflow`], not a disabling;
//! - *delta*: what is added to each word. No field over- or underflows, so no carry leaves
//!   a field and one wrapping addition per word is exact.
//!
//! Enabledness is incremental: whether `u` is enabled can change by firing `t` only when
//! `t` changes an input place of `u`. Those `u`, sorted, are `affected(t)`; the enabled list
//! of a successor is the parent's list without them, merged with those that pass the test.
//! Cost: length of the two lists, instead of a test of every transition.
//!
//! Where there is no list to begin with, each transition that needs a one-bit field is looked up by
//! one of them, its *guard*: only those whose guard is set are tested.
//!
//! Transitions are numbered by [`Step`]: their place in the firing order, which a seed permutes.

use crate::layout::{Field, Layout};
use crate::lists::Lists;
use brine_net::{Net, PlaceId, Transition, TransitionId};
use brine_run::{Pace, Stop};
use fixedbitset::FixedBitSet;

/// A transition's place in the firing order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step(pub u32);

impl Step {
    /// The place in the order as `usize`.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The sum of all `affected` lists may not pass this; further lists are left out,
/// and firing such a transition re-tests everything.
const AFFECTED_MAX: usize = 8 << 20;

/// A guessed field has no room for the tokens that this transition puts into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow(pub Step);

/// A field with the tokens taken from it, or put into it.
#[derive(Clone, Copy, Debug)]
struct FieldTest {
    field: Field,
    tokens: u64,
}

impl FieldTest {
    #[inline]
    fn value_in(&self, words: &[u64]) -> u64 {
        (words[self.field.word as usize] >> self.field.shift) & self.field.mask()
    }
}

/// The transitions of a net compiled for one layout.
#[derive(Clone, Debug)]
pub struct Firing {
    original: Vec<TransitionId>,
    need: Lists<(u32, u64)>,
    least: Lists<FieldTest>,
    clash: Lists<(u32, u64)>,
    room: Lists<FieldTest>,
    delta: Lists<(u32, u64)>,
    /// By bit of the words: the transitions that are guarded by it.
    guarded: Lists<Step>,
    /// Those that need no one-bit field.
    unguarded: Vec<Step>,
    affected: Lists<Step>,
    /// `affected` is left out for this transition.
    untracked: Vec<bool>,
}

/// The change of each place that a transition really changes, sorted by place.
pub(crate) fn effect(t: Transition<'_>) -> Vec<(PlaceId, i64)> {
    let mut effect: Vec<(PlaceId, i64)> = t.pre.iter().map(|&(p, w)| (p, -i64::from(w))).collect();
    effect.extend(t.post.iter().map(|&(p, w)| (p, i64::from(w))));
    effect.sort_unstable_by_key(|&(p, _)| p);
    let mut merged: Vec<(PlaceId, i64)> = Vec::with_capacity(effect.len());
    for (p, w) in effect {
        match merged.last_mut() {
            Some((last, sum)) if *last == p => *sum += w,
            _ => merged.push((p, w)),
        }
    }
    merged.retain(|&(_, w)| w != 0);
    merged
}

/// Adds `value` at `word` to a list of (word, value), combining entries of one word.
fn add_word(list: &mut Vec<(u32, u64)>, from: usize, word: u32, value: u64) {
    match list[from..].iter_mut().find(|(w, _)| *w == word) {
        Some((_, v)) => *v = v.wrapping_add(value),
        None => list.push((word, value)),
    }
}

/// Unions of ascending lists of steps.
struct Union {
    /// Empty between two unions.
    bits: FixedBitSet,
}

impl Union {
    fn new(steps: usize) -> Self {
        Union { bits: FixedBitSet::with_capacity(steps) }
    }

    /// Appends the union to `out`, ascending: short ones by sorting; long ones, of which large
    /// nets have thousands, through a bit for each step.
    fn append<'l>(&mut self, lists: impl Iterator<Item = &'l [Step]>, out: &mut Vec<Step>) {
        let first = out.len();
        lists.for_each(|list| out.extend_from_slice(list));
        if out.len() - first <= self.bits.len() / 64 {
            out[first..].sort_unstable();
            let mut kept = first;
            for i in first..out.len() {
                if kept == first || out[kept - 1] != out[i] {
                    out[kept] = out[i];
                    kept += 1;
                }
            }
            out.truncate(kept);
            return;
        }
        debug_assert!(self.bits.is_clear());
        self.bits.extend(out.drain(first..).map(|step| step.index()));
        out.extend(self.bits.ones().map(|step| Step(step as u32)));
        self.bits.clear();
    }
}

impl Firing {
    /// Compiles the transitions of a net, in the given firing order.
    pub fn new(
        net: &Net,
        layout: &Layout,
        order: &[TransitionId],
        pace: &mut Pace<'_>,
    ) -> Result<Self, Stop> {
        let mut firing = Firing {
            original: order.to_vec(),
            need: Lists::new(),
            least: Lists::new(),
            clash: Lists::new(),
            room: Lists::new(),
            delta: Lists::new(),
            guarded: Lists::new(),
            unguarded: Vec::new(),
            affected: Lists::new(),
            untracked: vec![false; order.len()],
        };
        for &t in order {
            let transition = net.transition(t);
            pace.steps(1 + 2 * (transition.pre.len() + transition.post.len()))?;
            firing.compile(layout, transition);
        }
        firing.guard(layout, pace)?;
        firing.link(net, pace)?;
        Ok(firing)
    }

    /// Chooses the guard of each transition: the needed bit that the fewest others need.
    fn guard(&mut self, layout: &Layout, pace: &mut Pace<'_>) -> Result<(), Stop> {
        let bits = |&(word, mask): &(u32, u64)| {
            let set = (0..64).filter(move |bit| mask >> bit & 1 == 1);
            set.map(move |bit| word as usize * 64 + bit)
        };
        let mut needed_by = vec![0_u32; layout.words() * 64];
        self.need.items.iter().flat_map(bits).for_each(|bit| needed_by[bit] += 1);
        let mut guarded: Vec<Vec<Step>> = vec![Vec::new(); needed_by.len()];
        for step in self.steps() {
            let needs = self.need.of(step.index());
            pace.steps(1 + needs.len())?;
            match needs.iter().flat_map(bits).min_by_key(|&bit| needed_by[bit]) {
                Some(bit) => guarded[bit].push(step),
                None => self.unguarded.push(step),
            }
        }
        guarded.into_iter().for_each(|list| self.guarded.add(list));
        Ok(())
    }

    fn compile(&mut self, layout: &Layout, t: Transition<'_>) {
        let (need, clash, delta) =
            (self.need.items.len(), self.clash.items.len(), self.delta.items.len());
        for &(place, w) in t.pre {
            let field = layout.field(place);
            if field.bits == 1 && w == 1 {
                add_word(&mut self.need.items, need, field.word, 1 << field.shift);
            } else if field.bits > 0 || field.base < w {
                // A constant place with too few tokens leaves a test that always fails.
                self.least.items.push(FieldTest { field, tokens: u64::from(w) });
            }
        }
        for (place, change) in effect(t) {
            let field = layout.field(place);
            let change_bits = (change as u64).wrapping_shl(u32::from(field.shift));
            add_word(&mut self.delta.items, delta, field.word, change_bits);
            if change <= 0 || field.proven {
                continue;
            }
            if change == 1 && field.bits == 1 {
                add_word(&mut self.clash.items, clash, field.word, 1 << field.shift);
            } else {
                self.room.items.push(FieldTest { field, tokens: change as u64 });
            }
        }
        self.need.close();
        self.least.close();
        self.clash.close();
        self.room.close();
        self.delta.close();
    }

    /// Computes the `affected` lists.
    fn link(&mut self, net: &Net, pace: &mut Pace<'_>) -> Result<(), Stop> {
        let mut readers: Vec<Vec<Step>> = vec![Vec::new(); net.places().len()];
        for (step, &t) in self.original.iter().enumerate() {
            for &(p, _) in net.transition(t).pre {
                readers[p.index()].push(Step(step as u32));
            }
        }
        let mut union = Union::new(self.original.len());
        for (step, &t) in self.original.iter().enumerate() {
            let changed = effect(net.transition(t));
            let lists = || changed.iter().map(|(p, _)| readers[p.index()].as_slice());
            if self.affected.items.len() + lists().map(<[Step]>::len).sum::<usize>() > AFFECTED_MAX
            {
                self.untracked[step] = true;
            } else {
                union.append(lists(), &mut self.affected.items);
            }
            self.affected.close();
            pace.steps(1 + self.affected.of(step).len())?;
        }
        Ok(())
    }

    /// The number of transitions.
    pub fn len(&self) -> usize {
        self.original.len()
    }

    /// Whether the net has no transition at all.
    pub fn is_empty(&self) -> bool {
        self.original.is_empty()
    }

    /// All transitions, in the firing order.
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        (0..self.len() as u32).map(Step)
    }

    /// The net's transition at this place of the firing order.
    pub fn transition(&self, step: Step) -> TransitionId {
        self.original[step.index()]
    }

    /// Whether a transition is enabled.
    #[inline]
    pub fn enabled(&self, step: Step, words: &[u64]) -> bool {
        let t = step.index();
        self.need.of(t).iter().all(|&(w, mask)| words[w as usize] & mask == mask)
            && self.least.of(t).iter().all(|test| test.value_in(words) >= test.tokens)
    }

    /// Fires an enabled transition: `to` becomes its successor of `from`.
    #[inline]
    pub fn fire(&self, step: Step, from: &[u64], to: &mut [u64]) -> Result<(), Overflow> {
        self.check_room(step, from)?;
        to.copy_from_slice(from);
        for &(w, change) in self.delta.of(step.index()) {
            to[w as usize] = to[w as usize].wrapping_add(change);
        }
        Ok(())
    }

    #[inline]
    fn check_room(&self, step: Step, from: &[u64]) -> Result<(), Overflow> {
        let t = step.index();
        let clash = self.clash.of(t).iter().any(|&(w, mask)| from[w as usize] & mask != 0);
        let full = |r: &FieldTest| r.value_in(from) + r.tokens > r.field.mask();
        if clash || self.room.of(t).iter().any(full) { Err(Overflow(step)) } else { Ok(()) }
    }

    /// The transitions that firing this one may enable or disable, ascending; `None` if that
    /// list was too long to be kept.
    pub(crate) fn affected(&self, fired: Step) -> Option<&[Step]> {
        if self.untracked[fired.index()] { None } else { Some(self.affected.of(fired.index())) }
    }

    /// All enabled transitions of a marking, ascending.
    pub fn enabled_list(&self, words: &[u64], out: &mut Vec<Step>) {
        let first = out.len();
        out.extend(self.unguarded.iter().filter(|&&t| self.enabled(t, words)));
        for (i, &word) in words.iter().enumerate() {
            let mut set = word;
            while set != 0 {
                let list = self.guarded.of(i * 64 + set.trailing_zeros() as usize);
                out.extend(list.iter().filter(|&&t| self.enabled(t, words)));
                set &= set - 1;
            }
        }
        out[first..].sort_unstable();
        debug_assert_eq!(
            out.len() - first,
            self.steps().filter(|&t| self.enabled(t, words)).count(),
            "a transition whose guard is not set is not enabled"
        );
    }

    /// The enabled transitions of `words`, which was reached by firing `fired` in a marking
    /// whose enabled transitions are `parent` (ascending); appended to `out`, ascending.
    pub fn enabled_after(&self, parent: &[Step], fired: Step, words: &[u64], out: &mut Vec<Step>) {
        if self.untracked[fired.index()] {
            return self.enabled_list(words, out);
        }
        let mut rest = parent.iter().copied().peekable();
        for &u in self.affected.of(fired.index()) {
            while let Some(kept) = rest.next_if(|&kept| kept < u) {
                out.push(kept);
            }
            rest.next_if_eq(&u);
            if self.enabled(u, words) {
                out.push(u);
            }
        }
        out.extend(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Bound;
    use brine_net::NetBuilder;
    use brine_run::Control;

    fn plain_fire(net: &Net, t: TransitionId, m: &[u32]) -> Option<Vec<u32>> {
        let t = net.transition(t);
        let mut m = m.to_vec();
        for &(p, w) in t.pre {
            m[p.index()] = m[p.index()].checked_sub(w)?;
        }
        for &(p, w) in t.post {
            m[p.index()] += w;
        }
        Some(m)
    }

    /// Every marking with 0..=3 tokens in three places, against the rule on plain vectors.
    #[test]
    fn firing_equals_the_rule_on_vectors() {
        let mut b = NetBuilder::new("n");
        let p: Vec<PlaceId> = (0..4).map(|i| b.place(&format!("p{i}"), 1)).collect();
        b.transition("move", &[(p[0], 1)], &[(p[1], 1)]);
        b.transition("take2", &[(p[1], 2)], &[(p[2], 1)]);
        b.transition("grow", &[(p[2], 1)], &[(p[2], 2), (p[0], 1)]);
        b.transition("read", &[(p[0], 1), (p[2], 1)], &[(p[0], 1), (p[1], 1)]);
        b.transition("source", &[], &[(p[1], 3)]);
        b.transition("starved", &[(p[3], 2)], &[(p[3], 2)]);
        b.transition("flood", &[], &[(p[0], 9)]);
        let net = b.build().unwrap();
        let order: Vec<TransitionId> =
            (0..net.transitions().len() as u32).rev().map(TransitionId).collect();
        for bound in [Bound::Guess(3), Bound::Guess(20)] {
            let layout = Layout::new(&net, &[bound; 4]);
            let firing =
                Firing::new(&net, &layout, &order, &mut Control::default().pace()).unwrap();
            for code in 0..64u32 {
                let m = [code % 4, code / 4 % 4, code / 16, 1];
                check_marking(&net, &layout, &firing, &m);
            }
        }
    }

    fn check_marking(net: &Net, layout: &Layout, firing: &Firing, m: &[u32]) {
        let from = layout.pack(m);
        let mut enabled = Vec::new();
        firing.enabled_list(&from, &mut enabled);
        let mut to = vec![0; layout.words()];
        for step in firing.steps() {
            let expected = plain_fire(net, firing.transition(step), m);
            assert_eq!(enabled.contains(&step), expected.is_some(), "{step:?} in {m:?}");
            let Some(expected) = expected else { continue };
            let fits = layout
                .fields()
                .iter()
                .zip(&expected)
                .all(|(f, &v)| f.bits == 0 || u64::from(v) <= f.mask());
            match firing.fire(step, &from, &mut to) {
                Ok(()) => assert_eq!(layout.unpack(&to), expected),
                Err(overflow) => assert_eq!((overflow, fits), (Overflow(step), false)),
            }
            if fits {
                let (mut scratch, mut after) = (Vec::new(), Vec::new());
                firing.enabled_list(&to, &mut scratch);
                firing.enabled_after(&enabled, step, &to, &mut after);
                assert_eq!(scratch, after, "after {step:?} in {m:?}");
            }
        }
    }

    #[test]
    fn unions_are_ascending_and_have_no_repeats_whatever_their_length() {
        let mut union = Union::new(640);
        let lists: Vec<Vec<Step>> =
            (1..40).map(|k| (0..640).filter(|i| i % k == 0).map(Step).collect()).collect();
        for (a, b) in lists.iter().zip(lists.iter().rev()) {
            let mut out = vec![Step(7)];
            union.append([a.as_slice(), b.as_slice()].into_iter(), &mut out);
            let naive: std::collections::BTreeSet<Step> = a.iter().chain(b).copied().collect();
            assert_eq!(out[0], Step(7));
            assert!(out[1..].iter().eq(&naive), "{a:?} {b:?}");
        }
    }

    #[test]
    fn one_bit_fields_use_masks_and_detect_the_second_token() {
        let mut b = NetBuilder::new("n");
        let p: Vec<PlaceId> =
            (0..70).map(|i| b.place(&format!("p{i}"), u32::from(i < 3))).collect();
        for i in 0..70 {
            b.transition(&format!("t{i}"), &[(p[i], 1)], &[(p[(i + 7) % 70], 1)]);
        }
        let net = b.build().unwrap();
        let layout = Layout::new(&net, &[Bound::Guess(1); 70]);
        assert_eq!(layout.words(), 2);
        let order: Vec<TransitionId> = net.transition_ids().collect();
        let firing = Firing::new(&net, &layout, &order, &mut Control::default().pace()).unwrap();
        let mut m = vec![0; 70];
        m[0] = 1;
        m[7] = 1;
        let from = layout.pack(&m);
        let mut to = vec![0; 2];
        assert_eq!(firing.fire(Step(0), &from, &mut to), Err(Overflow(Step(0))));
        assert_eq!(firing.fire(Step(7), &from, &mut to), Ok(()));
        assert_eq!(layout.unpack(&to)[14], 1);
        assert!(!firing.enabled(Step(14), &from));
    }
}
