//! A net as events over levels.
//!
//! A Petri net transition acts on each place alone, hence on each group of places
//! alone: it is Kronecker-consistent for every partition of the places. An event is
//! therefore a list of *local steps*, one per level that the transition touches, top
//! level first. No relation diagram is built. The *tails* of these lists are
//! hash-consed, so that events that agree below some level share cache entries there.

use brine_dd::Stop;
use brine_net::order::Layout;
use brine_net::{Interner, Net, PlaceId, Transition, TransitionId};
use brine_run::{Control, Pace};
use rustc_hash::FxHashMap;

use crate::local::LocalSpace;

/// A level of the diagrams: `1` is the lowest level of the net, `0` is below it (the
/// property automaton's, in products).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(pub u32);

impl Level {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The level below; level 0 below level 0, where only [`brine_dd::NodeId::UNIT`] can be.
    #[inline]
    pub fn below(self) -> Level {
        Level(self.0.saturating_sub(1))
    }
}

/// A local step: what a transition does to the places of one level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StepId(u32);

impl StepId {
    pub(crate) const NONE: StepId = StepId(u32::MAX);
}

/// The rest of an event below some level; equal rests have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TailId(pub(crate) u32);

impl TailId {
    /// Nothing left to do: the identity on all levels below.
    pub const DONE: TailId = TailId(0);
}

#[derive(Clone, Debug)]
pub(crate) struct LocalStep {
    pub(crate) level: Level,
    kind: StepKind,
}

#[derive(Clone, Debug)]
enum StepKind {
    /// `v -> v - take + put if v >= take`, on the only place of the level.
    Place { take: u32, put: u32 },
    /// The same on several places, by position in the level; results are remembered.
    Table { take: Vec<(u32, u32)>, put: Vec<(u32, u32)>, memo: Vec<LocalMove> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LocalMove {
    Unknown,
    Disabled,
    To(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Tail {
    pub(crate) step: StepId,
    pub(crate) next: TailId,
}

/// Local effect as a key: level, take, put.
type StepKey = (Level, Vec<(u32, u32)>, Vec<(u32, u32)>);

/// A net seen as events over levels.
#[derive(Clone, Debug)]
pub struct LevelModel {
    /// Index 0 is a placeholder for the automaton's level.
    pub(crate) levels: Vec<LocalSpace>,
    pub(crate) initial: Vec<u32>,
    steps: Vec<LocalStep>,
    /// `tails[0]` is a placeholder for [`TailId::DONE`].
    tails: Vec<Tail>,
    /// Tail of each transition, from its top level on.
    pub(crate) events: Vec<TailId>,
}

impl LevelModel {
    /// Builds the events of `net` over the levels of `layout`.
    ///
    /// # Panics
    /// If `layout` does not name each place exactly once.
    pub fn new(net: &Net, layout: &Layout) -> LevelModel {
        match Self::within(net, layout, &Control::default()) {
            Ok(model) => model,
            Err(stop) => unreachable!("nothing stops it, but: {stop}"),
        }
    }

    /// The same under a control.
    pub fn within(net: &Net, layout: &Layout, control: &Control) -> Result<LevelModel, Stop> {
        let mut pace = control.pace();
        let mut position = vec![None; net.places().len()];
        let mut levels = vec![LocalSpace::new(Vec::new())];
        for (i, places) in layout.levels.iter().enumerate() {
            for (j, p) in places.iter().enumerate() {
                let earlier = position[p.index()].replace((Level(i as u32 + 1), j as u32));
                assert!(earlier.is_none(), "place {} stands in two levels", net.place(*p).id());
            }
            pace.steps(1 + places.len())?;
            levels.push(LocalSpace::new(places.clone()));
        }
        let position: Vec<(Level, u32)> = position.into_iter().flatten().collect();
        assert!(position.len() == net.places().len(), "the layout forgets a place");
        let mut initial = vec![0];
        for space in &mut levels[1..] {
            let marking: Vec<u32> = space.places.iter().map(|&p| net.place(p).initial).collect();
            initial.push(space.number(&marking));
        }
        let mut model = LevelModel {
            levels,
            initial,
            steps: Vec::new(),
            tails: vec![Tail { step: StepId::NONE, next: TailId::DONE }],
            events: Vec::new(),
        };
        model.events = model.add_events(net.transitions(), &position, &mut pace)?;
        Ok(model)
    }

    /// The events of the net run backwards: they put what transitions take and take what
    /// they put.
    pub(crate) fn reversed_events(
        &mut self,
        net: &Net,
        control: &Control,
    ) -> Result<Vec<TailId>, Stop> {
        let mut position = vec![(Level(0), 0); net.places().len()];
        for (level, space) in self.levels.iter().enumerate() {
            for (i, p) in space.places.iter().enumerate() {
                position[p.index()] = (Level(level as u32), i as u32);
            }
        }
        let reversed = net.transitions().map(Transition::reversed);
        self.add_events(reversed, &position, &mut control.pace())
    }

    fn add_events<'t>(
        &mut self,
        transitions: impl Iterator<Item = Transition<'t>>,
        position: &[(Level, u32)],
        pace: &mut Pace<'_>,
    ) -> Result<Vec<TailId>, Stop> {
        let mut events = Vec::new();
        // What is equal is shared among these events, not with those added before.
        let (first_step, first_tail) = (self.steps.len() as u32, self.tails.len() as u32);
        let mut steps: Interner<StepKey> = Interner::new();
        let mut tails: Interner<Tail> = Interner::new();
        for t in transitions {
            // Each arc is hashed several times.
            pace.steps(8 * (1 + t.pre.len() + t.post.len()))?;
            let mut event = TailId::DONE;
            for key in local_steps(t, position) {
                let level = key.0;
                let number = steps.intern(key);
                let step = StepId(first_step + number);
                if step.0 as usize == self.steps.len() {
                    let places = self.levels[level.index()].places.len();
                    self.steps.push(LocalStep::new(&steps[number as usize], places));
                }
                debug_assert!(self.split(event).is_none_or(|(l, ..)| l < level), "top level first");
                let tail = Tail { step, next: event };
                event = TailId(first_tail + tails.intern(tail));
                if event.0 as usize == self.tails.len() {
                    self.tails.push(tail);
                }
            }
            events.push(event);
        }
        Ok(events)
    }

    /// The number of levels of the net.
    pub fn level_count(&self) -> usize {
        self.levels.len() - 1
    }

    /// The marking that a vector of local states (top level first) stands for.
    pub fn marking(&self, vector: &[u32]) -> Vec<u32> {
        let places = self.levels.iter().map(|l| l.places.len()).sum();
        let mut marking = vec![0; places];
        for (space, &value) in self.levels[1..].iter().rev().zip(vector) {
            for (p, tokens) in space.places.iter().zip(space.marking(value)) {
                marking[p.index()] = tokens;
            }
        }
        marking
    }

    /// The vector of local states (top level first) of a marking; `None` if some level never met
    /// its part of the marking, which then was not reached.
    pub fn vector(&self, marking: &[u32]) -> Option<Vec<u32>> {
        let part = |space: &LocalSpace| {
            let tokens = |p: &PlaceId| marking.get(p.index()).copied();
            space.find(&space.places.iter().map(tokens).collect::<Option<Vec<u32>>>()?)
        };
        self.levels[1..].iter().rev().map(part).collect()
    }

    /// The event of a transition.
    pub fn event(&self, t: TransitionId) -> TailId {
        self.events[t.index()]
    }

    /// The first step of a rest and what comes after it; `None` when nothing is left.
    #[inline]
    pub(crate) fn split(&self, tail: TailId) -> Option<(Level, StepId, TailId)> {
        if tail == TailId::DONE {
            return None;
        }
        let Tail { step, next } = self.tails[tail.0 as usize];
        Some((self.steps[step.0 as usize].level, step, next))
    }

    /// The local state after the step, or `None` where it is not possible.
    #[inline]
    pub(crate) fn apply(&mut self, step: StepId, value: u32) -> Result<Option<u32>, Stop> {
        match &self.steps[step.0 as usize].kind {
            StepKind::Place { take, put } => match value.checked_sub(*take) {
                None => Ok(None),
                Some(rest) => rest.checked_add(*put).map(Some).ok_or(Stop::Overflow),
            },
            StepKind::Table { memo, .. } => match memo.get(value as usize) {
                Some(LocalMove::To(v)) => Ok(Some(*v)),
                Some(LocalMove::Disabled) => Ok(None),
                Some(LocalMove::Unknown) | None => self.compute_move(step, value),
            },
        }
    }

    #[cold]
    fn compute_move(&mut self, step: StepId, value: u32) -> Result<Option<u32>, Stop> {
        let LocalStep { level, kind } = &mut self.steps[step.0 as usize];
        let StepKind::Table { take, put, memo } = kind else { return Ok(None) };
        let space = &mut self.levels[level.index()];
        let mut marking = space.marking(value);
        let mut result = LocalMove::Disabled;
        if take.iter().all(|&(i, w)| marking[i as usize] >= w) {
            take.iter().for_each(|&(i, w)| marking[i as usize] -= w);
            for &(i, w) in put.iter() {
                let tokens = &mut marking[i as usize];
                *tokens = tokens.checked_add(w).ok_or(Stop::Overflow)?;
            }
            result = LocalMove::To(space.number(&marking));
        }
        let at = value as usize;
        if memo.len() <= at {
            memo.resize(at + 1, LocalMove::Unknown);
        }
        memo[at] = result;
        Ok(if let LocalMove::To(v) = result { Some(v) } else { None })
    }

    /// True when the local state `value` allows the step.
    pub(crate) fn enabled(&self, step: StepId, value: u32) -> bool {
        let LocalStep { level, kind } = &self.steps[step.0 as usize];
        match kind {
            StepKind::Place { take, .. } => value >= *take,
            StepKind::Table { take, .. } => {
                let space = &self.levels[level.index()];
                take.iter().all(|&(i, w)| space.tokens_in(value, i as usize) >= w)
            }
        }
    }

    /// True when the step takes tokens, so that it may be disabled.
    pub(crate) fn takes(&self, step: StepId) -> bool {
        match &self.steps[step.0 as usize].kind {
            StepKind::Place { take, .. } => *take > 0,
            StepKind::Table { take, .. } => !take.is_empty(),
        }
    }

    /// True when the step changes no local state.
    pub(crate) fn is_test(&self, step: StepId) -> bool {
        match &self.steps[step.0 as usize].kind {
            StepKind::Place { take, put } => take == put,
            StepKind::Table { take, put, .. } => take == put,
        }
    }

    /// True when firing the event never changes a marking.
    pub(crate) fn changes_nothing(&self, mut tail: TailId) -> bool {
        while let Some((_, step, next)) = self.split(tail) {
            if !self.is_test(step) {
                return false;
            }
            tail = next;
        }
        true
    }
}

impl LocalStep {
    fn new((level, take, put): &StepKey, places: usize) -> LocalStep {
        let weight = |arcs: &[(u32, u32)]| arcs.first().map_or(0, |a| a.1);
        let kind = if places == 1 {
            StepKind::Place { take: weight(take), put: weight(put) }
        } else {
            StepKind::Table { take: take.clone(), put: put.clone(), memo: Vec::new() }
        };
        LocalStep { level: *level, kind }
    }
}

/// The local steps of a transition, lowest level first.
fn local_steps(t: Transition<'_>, position: &[(Level, u32)]) -> Vec<StepKey> {
    let mut by_level: FxHashMap<Level, StepKey> = FxHashMap::default();
    let entry = |level| (level, Vec::new(), Vec::new());
    for &(p, w) in t.pre {
        let (level, i) = position[p.index()];
        by_level.entry(level).or_insert_with(|| entry(level)).1.push((i, w));
    }
    for &(p, w) in t.post {
        let (level, i) = position[p.index()];
        by_level.entry(level).or_insert_with(|| entry(level)).2.push((i, w));
    }
    let mut steps: Vec<StepKey> = by_level.into_values().collect();
    for (_, take, put) in &mut steps {
        take.sort_unstable();
        put.sort_unstable();
    }
    steps.sort_unstable();
    steps
}
