//! Lasso walks: one run of the product at a time, until it bites its tail.
//!
//! A walk fires one transition after the other and keeps nothing but the markings of its own
//! run. Beside the net it leads one run of the automaton, its *focus*, and the set of all
//! states the automaton could be in (up to 64 states). The run is accepted when
//! - the pair (marking, focus) was met before and the focus took edges with all marks since;
//! - the same, but with a larger marking, if that changes nothing for the automaton (`growth`);
//! - or the marking is dead and some possible state of the automaton accepts its letter,
//!   repeated for ever.
//!
//! When the focus cannot go on, another possible state takes its place and a new *era* begins:
//! only pairs met in the same era count as met before, since the new focus did not walk the old
//! one's way. What leads up to the era does not matter: the state is possible, so some run of
//! the automaton led there.
//!
//! *Which transition is fired*: one with the largest pull towards the labels that the
//! automaton needs (`pilot`), as long as the automaton can go on after it; now and then a random one. Where
//! nothing pulls, a cycle is wanted, and ties decide ([`Tie`]). A fixed random order of
//! preference leads to a cycle soon, for the transitions that come last in it are never fired;
//! so does following the most recent change, which stays within one part of the net.
//!
//! *Going home*: where marks have to be collected, a walk may remember the pair at which it took
//! the first of them, and once it has them all the tokens are pulled back to where they were
//! then. Otherwise the parts of a large net that have nothing to do with the property
//! drift, and the same marking does not come again.
//!
//! When a pair is met again without all marks, the walk would go round and round: it takes
//! some random steps, more each time, and a new order of preference.
//!
//! Cost of a step: firing, one look-up, and one look at each enabled transition. Memory: the
//! markings of one walk.

use super::compass::Compass;
use super::growth::Anchor;
use super::pilot::{Course, Pilot};
use crate::fire::Step;
use crate::letters::{Move, Moves};
use crate::store::MarkingId;
use crate::successors::Successors;
use brine_ltl::{Automaton, Edge};
use brine_net::Rng;
use brine_run::{Control, Stop};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Transitions that are tried before a move of the automaton is given up.
const TRIES: u32 = 24;
/// Random steps after a useless cycle: less than two to this power.
const SHAKE_MAX: u32 = 8;
/// Steps after which a walk that has not come home looks for another home.
const HOME_PATIENCE: u32 = 500;
/// Bytes charged for a step of a walk beside the marking.
const BYTES_PER_STEP: u64 = 48;

/// Which of several transitions with the same pull is fired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Tie {
    /// The first in a random order that stays the same.
    Priority,
    /// One that the latest steps enabled or touched.
    Recent,
    /// Any.
    #[default]
    Random,
}

/// The manner of a walk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    pub(crate) tie: Tie,
    /// Whether labels pull.
    pub(crate) guided: bool,
    /// Random steps in a hundred.
    pub(crate) noise: u32,
    /// Whether to return to where marks were taken.
    pub(crate) homing: bool,
    /// For up to so many steps at the beginning the automaton rather stays where it is.
    pub(crate) wait: u32,
    /// Most steps.
    pub(crate) length: u32,
}

/// Where a walk is.
#[derive(Debug, Default)]
struct Here {
    marking: MarkingId,
    letter: u64,
    number: u32,
    focus: u32,
    /// The possible states of the automaton, if it has at most 64.
    set: u64,
}

/// What a walk remembers.
#[derive(Debug, Default)]
struct Trail {
    steps: Vec<Step>,
    /// When a pair was first met in this era.
    seen: FxHashMap<(MarkingId, u32), u32>,
    /// The step after the latest edge with each mark, 0 if there was none.
    marked: Vec<u32>,
    anchor: Anchor,
    /// When the walk was where it wants to return to.
    home: Option<u32>,
    /// When a step last had to do with each transition's inputs.
    stamp: Vec<u32>,
    /// Useless cycles met so far.
    useless: u32,
    /// Random steps still to be taken.
    shake: u32,
    /// Steps during which the automaton rather stays where it is.
    wait: u32,
    salt: u64,
}

/// Takes walks in the product of one net and one automaton.
#[derive(Debug)]
pub(crate) struct Walker<M: Successors> {
    ms: M,
    aut: Arc<Automaton>,
    reader: M::Reader,
    moves: Moves,
    pilot: Pilot,
    rng: Rng,
    style: Style,
    here: Here,
    trail: Trail,
    course: Course,
    /// Some transition is a source of tokens.
    sources: bool,
    enabled: Vec<Step>,
    spare: Vec<Step>,
    candidates: Vec<(f64, u64, Step)>,
    /// By letter: the states that accept it, repeated for ever.
    stutter: FxHashMap<u64, Vec<bool>>,
    /// Steps of all walks.
    pub(crate) steps: u64,
}

impl<M: Successors> Walker<M> {
    pub(crate) fn new(aut: Arc<Automaton>, ms: M) -> Result<Self, Stop> {
        let reader = ms.reader(&aut);
        let sources = ms.has_sources();
        let pilot = Pilot::new(aut.clone(), &ms)?;
        Ok(Walker {
            ms,
            reader,
            moves: Moves::new(aut.clone()),
            aut,
            pilot,
            rng: Rng::new(0),
            style: Style::default(),
            here: Here::default(),
            trail: Trail::default(),
            course: Course::default(),
            sources,
            enabled: Vec::new(),
            spare: Vec::new(),
            candidates: Vec::new(),
            stutter: FxHashMap::default(),
            steps: 0,
        })
    }

    /// The directions that walks follow.
    pub(crate) fn pilot(&mut self) -> &mut Pilot {
        &mut self.pilot
    }

    /// The next walks depend on nothing that is random but this seed.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.ms.reseed(seed);
    }

    /// The walks go on under a new control.
    pub(crate) fn resume(&mut self, control: Control) {
        self.ms.meter_mut().resume(control);
    }

    /// Forgets the last walk, so that it takes no memory until the next one.
    pub(crate) fn forget(&mut self) -> Result<(), Stop> {
        self.trail = Trail::default();
        self.ms.forget()
    }

    /// The markings, for the next question.
    pub(crate) fn into_markings(self) -> M {
        self.ms
    }

    /// The most bytes that walks used.
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.ms.meter().peak()
    }

    /// A new set of markings for the same net.
    pub(crate) fn fresh_markings(&self, control: Control) -> Result<M, Stop> {
        self.ms.fresh(control)
    }

    /// Walks from the initial marking; an accepted run if one was met.
    pub(crate) fn walk(&mut self, style: Style) -> Result<Option<M::Run>, Stop> {
        let bytes = BYTES_PER_STEP * u64::from(style.length);
        self.ms.meter_mut().charge(bytes)?;
        self.style = style;
        let result = self.start().and_then(|()| self.go());
        self.ms.meter_mut().refund(bytes);
        result
    }

    fn start(&mut self) -> Result<(), Stop> {
        self.ms.forget()?;
        let letter = self.ms.letter(&self.reader, MarkingId::INITIAL)?;
        let focus = self.aut.initial().0;
        self.here = Here {
            marking: MarkingId::INITIAL,
            letter,
            number: self.moves.number(letter, self.ms.meter_mut())?,
            focus,
            set: if self.aut.num_states() <= 64 { 1 << focus } else { 0 },
        };
        self.trail = Trail {
            marked: vec![0; self.aut.num_marks() as usize],
            salt: u64::from(self.rng.below(u32::MAX)),
            wait: self.rng.below(self.style.wait),
            anchor: Anchor::new(MarkingId::INITIAL, focus, 0),
            ..Trail::default()
        };
        self.course = Course::default();
        self.enabled.clear();
        self.ms.enabled(MarkingId::INITIAL, &mut self.enabled)
    }

    fn go(&mut self) -> Result<Option<M::Run>, Stop> {
        for _ in 0..self.style.length {
            self.ms.meter_mut().tick()?;
            self.steps += 1;
            if self.enabled.is_empty() {
                return Ok(self.accepts_dead_end().then(|| self.run(self.trail.steps.len())));
            }
            if let Some(start) = self.grown_since().or_else(|| self.met_before()) {
                return Ok(Some(self.run(start)));
            }
            if !self.advance()? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The run so far, whose cycle begins after `start` steps.
    fn run(&self, start: usize) -> M::Run {
        let (prefix, cycle) = self.trail.steps.split_at(start);
        self.ms.run(prefix, cycle)
    }

    /// Whether some possible state accepts the present letter, repeated for ever: in the
    /// automaton that keeps only the edges with that letter every path can be taken, so all
    /// that counts is whether a good component is reachable.
    fn accepts_dead_end(&mut self) -> bool {
        let letter = self.here.letter;
        let aut = &self.aut;
        let accepts = self.stutter.entry(letter).or_insert_with(|| {
            let kept = |e: &&Edge| aut.label(e.label).accepts(letter);
            let edges = aut.edges().iter().filter(kept).copied().collect();
            let (states, marks) = (aut.num_states() as u32, aut.num_marks());
            let rest = Automaton::new(
                aut.atoms().to_vec(),
                aut.labels().to_vec(),
                states,
                aut.initial(),
                marks,
                edges,
            );
            let compass = Compass::new(&rest);
            (0..states).map(|q| !compass.is_lost(q)).collect()
        });
        let possible =
            |q: usize| q == self.here.focus as usize || q < 64 && self.here.set >> q & 1 == 1;
        (0..accepts.len()).any(|q| accepts[q] && possible(q))
    }

    /// If the walk was in a smaller marking at its anchor, with all marks since, and the way
    /// from there can be repeated for ever without the automaton noticing: when that was.
    fn grown_since(&mut self) -> Option<usize> {
        if !self.sources && !self.ms.looks_unbounded() {
            return None;
        }
        let (here, now) = (&self.here, self.trail.steps.len() as u32);
        let anchor = self.trail.anchor;
        let start = anchor.at as usize;
        let grown = anchor.at < now
            && anchor.focus == here.focus
            && self.trail.marked.iter().all(|&m| m > anchor.at)
            && self.repeats_since(anchor.marking, start);
        self.trail.anchor.advance(here.marking, here.focus, now);
        grown.then_some(start)
    }

    fn repeats_since(&self, marking: MarkingId, start: usize) -> bool {
        let cycle = &self.trail.steps[start..];
        self.ms.repeats(self.aut.atoms(), marking, self.here.marking, cycle)
    }

    /// If the present pair was met before and all marks since: when.
    fn met_before(&mut self) -> Option<usize> {
        let now = self.trail.steps.len() as u32;
        let trail = &mut self.trail;
        let pair = (self.here.marking, self.here.focus);
        let first = *trail.seen.entry(pair).or_insert(now);
        if first == now {
            return None;
        }
        if trail.marked.iter().all(|&m| m > first) {
            return Some(first as usize);
        }
        trail.useless += 1;
        let most = 1 << trail.useless.min(SHAKE_MAX);
        trail.shake = 1 + self.rng.below(most);
        trail.salt = u64::from(self.rng.below(u32::MAX));
        if self.rng.chance(50) {
            trail.wait = 1 + self.rng.below(4 * most);
            let other = self.rng.below(64);
            self.change_focus(|_, q| q.wrapping_sub(other) % 64);
        }
        None
    }

    /// One step of net and automaton; false if the automaton cannot go on, as far as is known.
    fn advance(&mut self) -> Result<bool, Stop> {
        loop {
            let wild = self.trail.shake > 0 || self.rng.chance(self.style.noise);
            for step in self.options(wild) {
                if let Some(t) = self.choose(step.state, wild)? {
                    self.take(step, t)?;
                    return Ok(true);
                }
            }
            if self.aut.num_states() <= 64 {
                self.here.set &= !(1 << self.here.focus);
            }
            if !self.change_focus(Compass::rank) {
                return Ok(false);
            }
        }
    }

    /// The moves of the focus, best first.
    fn options(&mut self, wild: bool) -> Vec<Move> {
        let compass = &self.pilot.compass;
        let q = self.here.focus;
        let aim = compass.aim(q, self.trail.wanted());
        let moves = self.moves.of(self.here.number, q);
        let mut options: Vec<(u32, u32, Move)> = moves
            .iter()
            .filter(|m| !compass.is_lost(m.state))
            .map(|&m| {
                let value = if self.trail.wait > 0 {
                    u32::from(m.state != q)
                } else if wild {
                    0
                } else {
                    compass.value(q, aim, m)
                };
                (value, self.rng.below(1 << 16), m)
            })
            .collect();
        options.sort_unstable_by_key(|&(value, random, m)| (value, random, m.state));
        options.into_iter().map(|(_, _, m)| m).collect()
    }

    /// Another possible state becomes the focus, the one that `by` makes smallest. (Marks that the
    /// old one took are older than all pairs of the new era, so they do not count.)
    fn change_focus(&mut self, by: impl Fn(&Compass, u32) -> u32) -> bool {
        let set = self.here.set;
        let possible = (0..64).filter(|&q| set >> q & 1 == 1 && q != self.here.focus);
        let Some(next) = possible.min_by_key(|&q| by(&self.pilot.compass, q)) else {
            return false;
        };
        self.here.focus = next;
        let now = self.trail.steps.len() as u32;
        self.trail.seen.clear();
        self.trail.seen.insert((self.here.marking, next), now);
        self.trail.anchor = Anchor::new(self.here.marking, next, now);
        self.trail.home = None;
        true
    }

    /// A transition after which the automaton, then in state `q`, can go on.
    fn choose(&mut self, q: u32, wild: bool) -> Result<Option<Step>, Stop> {
        let homing = self.is_homing();
        if self.style.guided && !homing {
            let aim = self.pilot.compass.aim(q, self.trail.wanted());
            let place = (self.here.marking, self.here.letter);
            self.pilot.set_course(&mut self.course, (q, aim), place, &self.ms, &mut self.rng);
        }
        self.candidates.clear();
        let (trail, rng) = (&self.trail, &mut self.rng);
        for &t in &self.enabled {
            let pull = match (wild, homing) {
                (true, _) => 0.0,
                (_, true) => self.pilot.home_pull(self.ms.class(t)),
                _ => self.pilot.pull(&self.course, self.ms.class(t)),
            };
            let tie = match self.style.tie {
                _ if wild => u64::from(rng.below(u32::MAX)),
                Tie::Random => u64::from(rng.below(u32::MAX)),
                Tie::Priority => self.ms.preference(t, trail.salt),
                Tie::Recent => {
                    u64::from(trail.stamp.get(t.index()).copied().unwrap_or(0)) << 32
                        | self.ms.preference(t, trail.salt) >> 32
                }
            };
            self.candidates.push((pull, tie, t));
        }
        for _ in 0..TRIES {
            let best = (0..self.candidates.len()).max_by(|&a, &b| {
                let (a, b) = (self.candidates[a], self.candidates[b]);
                a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
            });
            let Some(best) = best else { break };
            let t = self.candidates.swap_remove(best).2;
            if self.survives(q, t)? {
                return Ok(Some(t));
            }
        }
        Ok(None)
    }

    /// Whether all marks were taken since the walk was at home.
    fn is_homing(&self) -> bool {
        self.trail.home.is_some_and(|home| self.trail.marked.iter().all(|&m| m > home))
    }

    /// If the move takes the mark that was waited for, its start becomes home.
    fn consider_home(&mut self, step: Move) {
        let now = self.trail.steps.len() as u32;
        let wanted = self.trail.wanted().is_some_and(|k| step.marks >> k & 1 == 1);
        let lost = self.trail.home.is_none_or(|home| now - home > HOME_PATIENCE);
        if self.style.homing && wanted && lost {
            self.trail.home = Some(now);
            self.pilot.set_home(self.here.marking, &self.ms);
        }
    }

    /// Whether the automaton has a move from `q` after the transition.
    fn survives(&mut self, q: u32, t: Step) -> Result<bool, Stop> {
        let letter = self.letter_after(t)?;
        let number = self.moves.number(letter, self.ms.meter_mut())?;
        Ok(!self.moves.of(number, q).is_empty())
    }

    fn letter_after(&mut self, t: Step) -> Result<u64, Stop> {
        let touched = self.pilot.touched(self.ms.class(t));
        if touched == 0 {
            return Ok(self.here.letter);
        }
        let Here { marking, letter, .. } = self.here;
        self.ms.letter_after(&self.reader, (letter, touched), marking, t)
    }

    /// The focus moves, the transition is fired.
    fn take(&mut self, step: Move, t: Step) -> Result<(), Stop> {
        self.consider_home(step);
        let letter = self.letter_after(t)?;
        let set = self.possible_after();
        let (marking, _) = self.ms.fire(self.here.marking, t)?;
        let number = self.moves.number(letter, self.ms.meter_mut())?;
        self.here = Here { marking, letter, number, focus: step.state, set };
        self.spare.clear();
        self.ms.enabled_after(&self.enabled, t, marking, &mut self.spare)?;
        std::mem::swap(&mut self.enabled, &mut self.spare);
        self.trail.steps.push(t);
        let now = self.trail.steps.len() as u32;
        for (k, marked) in self.trail.marked.iter_mut().enumerate() {
            if step.marks >> k & 1 == 1 {
                *marked = now;
            }
        }
        for &u in self.ms.affected(t) {
            self.trail.stamp(u, now);
        }
        self.trail.shake = self.trail.shake.saturating_sub(1);
        self.trail.wait = self.trail.wait.saturating_sub(1);
        Ok(())
    }

    /// The states that are possible after the next step.
    fn possible_after(&self) -> u64 {
        let mut after = 0;
        let mut rest = self.here.set;
        while rest != 0 {
            let q = rest.trailing_zeros();
            rest &= rest - 1;
            for step in self.moves.of(self.here.number, q) {
                if !self.pilot.compass.is_lost(step.state) {
                    after |= 1 << step.state;
                }
            }
        }
        after
    }
}

impl Trail {
    /// A step had to do with the inputs of another one.
    #[inline]
    fn stamp(&mut self, step: Step, now: u32) {
        if self.stamp.len() <= step.index() {
            self.stamp.resize(step.index() + 1, 0);
        }
        self.stamp[step.index()] = now;
    }

    /// The mark that was not seen for the longest time.
    fn wanted(&self) -> Option<u32> {
        (0..self.marked.len() as u32).min_by_key(|&k| self.marked[k as usize])
    }
}
