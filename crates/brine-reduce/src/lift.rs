//! From a run of the reduced net to a run of the original net.
//!
//! Most rules need nothing: a step of the reduced net is a step of the original. Agglomerated
//! transitions stand for words of older ones, and are spelled out; what was fired once and for
//! all in the initial marking comes first. Then the run is fired in the original net, and
//! completed where the reduced net had forgotten something:
//!
//! - a cycle that does not lead back, because a part that nobody sees was dropped: what was
//!   dropped is fired as long as it can be, and the cycle goes on until a marking repeats;
//! - a run that stops (in a dead marking, or by steps that stand for nothing): a depth-first
//!   search finds steps that do not change what is seen, to a dead marking or around a cycle.
//!
//! For safety properties a bad prefix is enough, and any way to go on will do.
//!
//! None of this has to be trusted, since the result is replayed. It may fail (an unbounded
//! place that was forgotten never repeats, a search may take too long); then there is no run.
//! Cost: linear in the length of the run, within [`MAX_STEPS`]; the search within
//! [`MAX_WORK`]. All of it looks at the clock now and then.

use super::fusion::Fusion;
use brine_net::{Net, Run, TransitionId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The longest run that is spelled out.
const MAX_STEPS: usize = 2_000_000;
/// Elementary steps of the search for a completion.
const MAX_WORK: u64 = 200_000_000;
/// What a marking that is remembered costs, beside its arcs.
const WORK_OF_A_MARKING: u64 = 200;
/// Elementary steps between two looks at the clock.
const WORK_BETWEEN_LOOKS: u64 = 1 << 18;
/// How often a cycle is repeated in the hope that it closes.
const MAX_ROUNDS: usize = 100;

/// Counts work, and looks at the clock when there was enough of it.
pub(super) struct Patience<'a> {
    /// Whether the time is up.
    late: &'a dyn Fn() -> bool,
    work: u64,
    next_look: u64,
    lost: bool,
}

impl<'a> Patience<'a> {
    pub(super) fn new(late: &'a dyn Fn() -> bool) -> Self {
        Patience { late, work: 0, next_look: WORK_BETWEEN_LOOKS, lost: false }
    }

    pub(super) fn spend(&mut self, work: u64) {
        self.work += work;
        if self.work >= self.next_look {
            self.next_look = self.work + WORK_BETWEEN_LOOKS;
            self.lost |= self.work > MAX_WORK || (self.late)();
        }
    }

    /// Whether it is time to give up.
    pub(super) fn is_lost(&self) -> bool {
        self.lost
    }
}

/// What must be remembered to lift runs.
#[derive(Clone, Debug)]
pub(super) struct Lifting {
    /// Transitions with smaller numbers are original ones.
    originals: usize,
    /// For each further transition, the older ones it consists of.
    words: Vec<Vec<(TransitionId, u32)>>,
    /// Fired at the beginning, oldest first.
    starts: Vec<(TransitionId, u32)>,
    /// Fusions of places, oldest first, each with the number of starts before it.
    fusions: Vec<(Fusion, usize)>,
    /// Transitions that were dropped because nobody sees what they do.
    dropped: Vec<TransitionId>,
    /// Anything may follow the run, once it has gone around its cycle.
    any_end: bool,
}

impl Lifting {
    pub(super) fn new(originals: usize) -> Self {
        Lifting {
            originals,
            words: Vec::new(),
            starts: Vec::new(),
            fusions: Vec::new(),
            dropped: Vec::new(),
            any_end: false,
        }
    }

    /// Says whether the properties only depend on finite prefixes of runs.
    pub(super) fn ends_anyhow(&mut self, any_end: bool) {
        self.any_end = any_end;
    }

    /// The next new transition fires these, so many times each.
    pub(super) fn add_word(&mut self, parts: Vec<(TransitionId, u32)>) {
        let new = self.originals + self.words.len();
        debug_assert!(parts.iter().all(|(t, _)| t.index() < new), "spelling out comes to an end");
        self.words.push(parts);
    }

    /// Places are fused now.
    pub(super) fn add_fusion(&mut self, fusion: Fusion) {
        self.fusions.push((fusion, self.starts.len()));
    }

    /// The transition was fired `times` times, once and for all.
    pub(super) fn add_start(&mut self, t: TransitionId, times: u32) {
        self.starts.push((t, times));
    }

    /// The transition is left out although it can fire.
    pub(super) fn drop_transition(&mut self, t: TransitionId) {
        self.dropped.push(t);
    }

    /// The last original transition of a word, which lends a new one its name.
    pub(super) fn last_of(&self, mut t: TransitionId) -> Option<TransitionId> {
        while t.index() >= self.originals {
            t = self.words[t.index() - self.originals].last()?.0;
        }
        Some(t)
    }

    /// Spells out transitions down to those with numbers below `oldest`, which must not be
    /// less than the number of originals. `None` if that gets too long.
    fn spell(
        &self,
        run: impl DoubleEndedIterator<Item = (TransitionId, u32)>,
        oldest: usize,
    ) -> Option<Vec<TransitionId>> {
        debug_assert!(oldest >= self.originals, "there are no words for originals");
        let mut result = Vec::new();
        let mut stack: Vec<(TransitionId, u32)> = run.rev().collect();
        while let Some((t, times)) = stack.pop() {
            if times == 0 {
                continue;
            }
            if result.len() + stack.len() > MAX_STEPS {
                return None;
            }
            stack.push((t, times - 1));
            if t.index() < oldest {
                result.push(t);
            } else {
                stack.extend(self.words[t.index() - self.originals].iter().rev());
            }
        }
        Some(result)
    }

    /// Lifts a run of the draft's transitions.
    pub(super) fn lift(
        &self,
        net: &Net,
        run: &Run,
        looks_alike: &dyn Fn(&[u32], &[u32]) -> bool,
        late: &dyn Fn() -> bool,
    ) -> Option<Run> {
        let mut run = run.clone();
        let mut starts = self.starts.as_slice();
        let mut patience = Patience::new(late);
        for (fusion, before) in self.fusions.iter().rev() {
            let (older, newer) = starts.split_at(*before);
            starts = older;
            let unfolded = self.unfold(newer, &run, fusion.transitions)?;
            run = fusion.lift(&unfolded, MAX_STEPS, &mut patience)?;
        }
        let Run { prefix, cycle } = self.unfold(starts, &run, self.originals)?;
        let mut builder = RunBuilder::new(net, Patience::new(late));
        builder.fire_all(&prefix).then_some(())?;
        if self.any_end {
            builder.fire_all(&cycle).then_some(())?;
            return builder.rest(&|_, _| true);
        }
        if cycle.is_empty() {
            return builder.rest(looks_alike);
        }
        builder.close(&cycle, || self.spelled_drops())
    }

    /// The run with `starts` before it, spelled out.
    fn unfold(&self, starts: &[(TransitionId, u32)], run: &Run, oldest: usize) -> Option<Run> {
        let once = |list: &[TransitionId]| list.iter().map(|&t| (t, 1)).collect::<Vec<_>>();
        let prefix = starts.iter().copied().chain(once(&run.prefix));
        Some(Run {
            prefix: self.spell(prefix, oldest)?,
            cycle: self.spell(once(&run.cycle).into_iter(), oldest)?,
        })
    }

    fn spelled_drops(&self) -> Vec<Vec<TransitionId>> {
        let spell = |&t: &TransitionId| self.spell(std::iter::once((t, 1)), self.originals);
        self.dropped.iter().filter_map(spell).collect()
    }
}

/// Fires transitions of a net and writes them down.
struct RunBuilder<'a> {
    net: &'a Net,
    marking: Vec<u32>,
    fired: Vec<TransitionId>,
    patience: Patience<'a>,
}

impl<'a> RunBuilder<'a> {
    fn new(net: &'a Net, patience: Patience<'a>) -> Self {
        RunBuilder { net, marking: net.initial_marking(), fired: Vec::new(), patience }
    }

    /// Fires a transition if it is enabled.
    fn fire(&mut self, t: TransitionId) -> bool {
        let arcs = self.net.transition(t);
        self.patience.spend((arcs.pre.len() + arcs.post.len()) as u64);
        let fired = self.net.fire_in_place(t, &mut self.marking);
        if fired {
            self.fired.push(t);
        }
        fired
    }

    /// Takes the last step back.
    fn undo(&mut self) {
        if let Some(t) = self.fired.pop() {
            let arcs = self.net.transition(t);
            arcs.post.iter().for_each(|&(p, w)| self.marking[p.index()] -= w);
            arcs.pre.iter().for_each(|&(p, w)| self.marking[p.index()] += w);
        }
    }

    /// Fires all, or as many as are enabled and then tells that it failed.
    fn fire_all(&mut self, run: &[TransitionId]) -> bool {
        run.iter().all(|&t| self.fire(t))
    }

    fn split(self, at: usize) -> Run {
        Run { prefix: self.fired[..at].to_vec(), cycle: self.fired[at..].to_vec() }
    }

    /// Repeats the cycle until a marking comes again.
    fn close(
        mut self,
        cycle: &[TransitionId],
        drops: impl FnOnce() -> Vec<Vec<TransitionId>>,
    ) -> Option<Run> {
        let start = self.fired.len();
        let before = self.marking.clone();
        self.fire_all(cycle).then_some(())?;
        if self.marking == before {
            return Some(self.split(start));
        }
        let drops = drops();
        let mut seen: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        seen.insert(before, start);
        for _ in 0..MAX_ROUNDS {
            self.drain(&drops);
            if let Some(&at) = seen.get(&self.marking) {
                return Some(self.split(at));
            }
            if self.fired.len() > MAX_STEPS || self.patience.is_lost() {
                return None;
            }
            seen.insert(self.marking.clone(), self.fired.len());
            self.fire_all(cycle).then_some(())?;
        }
        None
    }

    /// Fires what was dropped, as long as something is enabled.
    fn drain(&mut self, drops: &[Vec<TransitionId>]) {
        let mut progress = true;
        while progress && self.fired.len() <= MAX_STEPS && !self.patience.is_lost() {
            progress = false;
            for word in drops {
                let before = self.fired.len();
                if self.fire_all(word) {
                    progress = true;
                } else {
                    while self.fired.len() > before {
                        self.undo();
                    }
                }
            }
        }
    }

    /// Goes on without changing what is seen, to a dead marking or around a cycle: a
    /// depth-first search. Markings are told apart by a hash that is kept up to date.
    fn rest(mut self, looks_alike: &dyn Fn(&[u32], &[u32]) -> bool) -> Option<Run> {
        let start = self.fired.len();
        let seen = self.marking.clone();
        let mut hash = 0;
        let mut on_path: FxHashMap<u64, usize> = FxHashMap::default();
        let mut done: FxHashSet<u64> = FxHashSet::default();
        on_path.insert(hash, start);
        // For each marking of the path: the next transition to try, whether one was enabled.
        let mut stack: Vec<(u32, bool)> = vec![(0, false)];
        while let Some(&mut (ref mut next, ref mut alive)) = stack.last_mut() {
            if self.patience.is_lost() {
                return None;
            }
            let t = TransitionId(*next);
            if t.index() == self.net.transitions().len() {
                if !*alive {
                    let end = self.fired.len();
                    return Some(self.split(end));
                }
                on_path.remove(&hash);
                done.insert(hash);
                stack.pop();
                if let Some(&t) = self.fired.last().filter(|_| self.fired.len() > start) {
                    hash = hash.wrapping_sub(self.change_of_hash(t));
                    self.undo();
                }
                continue;
            }
            *next += 1;
            if !self.fire(t) {
                continue;
            }
            *alive = true;
            let after = hash.wrapping_add(self.change_of_hash(t));
            if let Some(&at) = on_path.get(&after) {
                return Some(self.split(at));
            }
            // In an infinite net there is always another one: memory must end the search.
            self.patience.spend(WORK_OF_A_MARKING + seen.len() as u64 / 8);
            if done.contains(&after) || !looks_alike(&seen, &self.marking) {
                self.undo();
                continue;
            }
            hash = after;
            on_path.insert(hash, self.fired.len());
            stack.push((0, false));
        }
        None
    }

    /// How the hash (a weighted sum of the tokens) changes when `t` fires.
    fn change_of_hash(&self, t: TransitionId) -> u64 {
        let weigh = |side: &[(brine_net::PlaceId, u32)]| {
            side.iter().fold(0_u64, |sum, &(p, w)| {
                sum.wrapping_add(weight_of(p.0).wrapping_mul(u64::from(w)))
            })
        };
        let arcs = self.net.transition(t);
        weigh(arcs.post).wrapping_sub(weigh(arcs.pre))
    }
}

/// A well mixed number for each place.
fn weight_of(p: u32) -> u64 {
    let mut z = (u64::from(p) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z ^ (z >> 31)
}
