//! Residuals: what is left of the automaton's labels below some level (`StepConstraint`).
//!
//! MVDBM16 evaluates a proposition at the one component it speaks of. Here an atom may
//! speak of places on any number of levels, so the constraint that goes down the
//! recursion is the *residual* of the labels once the local states above are known: the
//! label state (see [`super::labels`]) and, for each atom that still matters in it, what is
//! known of the atom: the partial sum of a linear one, the guards that a fireability atom
//! has not passed yet. Bounds of places decide linear atoms early. Residuals are hash-consed and steps
//! are remembered, so in the recursion they are small integers.
//!
//! *Invariant.* Two markings that agree with a residual above its level, and are equal
//! below, have the same letter as far as the automaton can tell. So a residual may stand
//! in cache keys for everything above.

use super::control::ControlStates;
use super::labels::{LabelState, LabelStates};
use crate::guards::{GuardSet, Guards, Passed};
use crate::model::{Level, LevelModel};
use brine_ltl::Atom;
use brine_net::{Bounds, Interner, Net, PlaceId};
use rustc_hash::FxHashMap;

/// A residual; equal ones have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Residual(u32);

impl Residual {
    /// The automaton cannot move.
    pub const STUCK: Residual = Residual(0);

    pub(crate) fn raw(self) -> u32 {
        self.0
    }
}

/// What is known of one atom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum AtomProgress {
    Sum(i128),
    Guards(GuardSet),
}

/// An atom, spread over the levels.
#[derive(Debug)]
enum AtomLevels {
    /// `sum <= bound`. Terms by level, highest first: (position in the level,
    /// coefficient); with the least and the largest sum of what stands below the level.
    Linear { bound: i128, levels: Vec<LinearLevel> },
    /// A transition of the set is enabled, or (`negated`) none is.
    Enabled { negated: bool },
}

#[derive(Debug)]
struct LinearLevel {
    level: Level,
    terms: Vec<(usize, i64)>,
    least_below: Option<i128>,
    most_below: Option<i128>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct ResidualEntry {
    labels: LabelState,
    /// The atoms that matter, ascending.
    parts: Box<[(u32, AtomProgress)]>,
    /// The level whose local state is looked at next; 0 when the letter class is known.
    next: Level,
    /// Only edges inside accepting components count.
    inner: bool,
}

/// All residuals met so far.
#[derive(Debug)]
pub(crate) struct Residuals {
    labels: LabelStates,
    shapes: Vec<AtomLevels>,
    guards: Guards,
    entries: Interner<ResidualEntry>,
    stepped: FxHashMap<(Residual, u32), Residual>,
    inner: FxHashMap<Residual, Residual>,
    inner_labels: Vec<bool>,
}

impl Residuals {
    /// The table, and the residual at the very top.
    pub(crate) fn new(
        net: &Net,
        model: &LevelModel,
        bounds: &Bounds,
        control: &ControlStates<'_>,
    ) -> (Self, Residual) {
        let (labels, start) = LabelStates::new(control.automaton());
        let mut residuals = Residuals {
            labels,
            shapes: Vec::new(),
            guards: Guards::new(),
            entries: Interner::new(),
            stepped: FxHashMap::default(),
            inner: FxHashMap::default(),
            inner_labels: control.inner_labels(),
        };
        residuals.add_stuck();
        let position = positions(net, model);
        let mut parts = Vec::new();
        let mut labels = start;
        for (atom, what) in control.automaton().atoms().iter().enumerate() {
            let part = residuals.shape(model, what, &position, bounds);
            match part {
                Ok(part) => parts.push((atom as u32, part)),
                Err(holds) => labels = residuals.labels.restrict(labels, atom as u32, holds),
            }
        }
        let root = residuals.settle(labels, parts, Level(u32::MAX), false);
        (residuals, root)
    }

    /// Makes id 0 the residual without any label.
    fn add_stuck(&mut self) {
        let labels = self.labels.nothing();
        let entry = ResidualEntry { labels, parts: Box::default(), next: Level(0), inner: false };
        let stuck = Residual(self.entries.intern(entry));
        debug_assert_eq!(stuck, Residual::STUCK);
    }

    /// Lays an atom out; returns what is known at the start, or its truth value.
    fn shape(
        &mut self,
        model: &LevelModel,
        atom: &Atom,
        position: &[(Level, usize)],
        bounds: &Bounds,
    ) -> Result<AtomProgress, bool> {
        let negated = matches!(atom, Atom::Deadlock);
        let passed = match atom {
            Atom::Linear(linear) => {
                let levels = linear_levels(&linear.terms, position, bounds);
                self.shapes.push(AtomLevels::Linear { bound: linear.bound.into(), levels });
                return Ok(AtomProgress::Sum(0));
            }
            Atom::Fireable(ts) => self.guards.of_events(model, ts.iter().map(|&t| model.event(t))),
            Atom::Deadlock => self.guards.of_events(model, model.events.iter().copied()),
            Atom::Prop(_) => Passed::Left(GuardSet::NONE),
            Atom::Fires(_) => Atom::refuse_event(),
        };
        self.shapes.push(AtomLevels::Enabled { negated });
        match passed {
            Passed::Enabled => Err(!negated),
            Passed::Left(GuardSet::NONE) => Err(negated),
            Passed::Left(set) => Ok(AtomProgress::Guards(set)),
        }
    }

    /// The residual after `value` at the level it looks at next.
    pub(crate) fn step(&mut self, model: &LevelModel, r: Residual, value: u32) -> Residual {
        if let Some(&s) = self.stepped.get(&(r, value)) {
            return s;
        }
        let ResidualEntry { mut labels, parts, next, inner } = self.entries[r.0 as usize].clone();
        debug_assert!(next > Level(0), "a letter class does not look at levels");
        let mut left = Vec::with_capacity(parts.len());
        for &(atom, part) in &parts {
            match self.step_atom(model, atom, part, next, value) {
                Ok(part) => left.push((atom, part)),
                Err(holds) => labels = self.labels.restrict(labels, atom, holds),
            }
        }
        let result = self.settle(labels, left, next, inner);
        self.stepped.insert((r, value), result);
        result
    }

    /// What is known of an atom after `value` at `level`, or its truth value.
    fn step_atom(
        &mut self,
        model: &LevelModel,
        atom: u32,
        part: AtomProgress,
        level: Level,
        value: u32,
    ) -> Result<AtomProgress, bool> {
        match (&self.shapes[atom as usize], part) {
            (AtomLevels::Linear { bound, levels }, AtomProgress::Sum(sum)) => {
                let Some(here) = levels.iter().find(|l| l.level == level) else {
                    return Ok(part);
                };
                let space = &model.levels[level.index()];
                let tokens = |i: usize| i128::from(space.tokens_in(value, i));
                let add: i128 = here.terms.iter().map(|&(i, c)| i128::from(c) * tokens(i)).sum();
                let sum = sum + add;
                if here.most_below.is_some_and(|most| sum + most <= *bound) {
                    Err(true)
                } else if here.least_below.is_some_and(|least| sum + least > *bound) {
                    Err(false)
                } else {
                    Ok(AtomProgress::Sum(sum))
                }
            }
            (AtomLevels::Enabled { negated }, AtomProgress::Guards(set))
                if self.guards.top(set) == level =>
            {
                let negated = *negated;
                match self.guards.step(model, set, value) {
                    Passed::Enabled => Err(!negated),
                    Passed::Left(GuardSet::NONE) => Err(negated),
                    Passed::Left(set) => Ok(AtomProgress::Guards(set)),
                }
            }
            _ => Ok(part),
        }
    }

    /// The residual of what is known, without what no longer matters.
    fn settle(
        &mut self,
        labels: LabelState,
        mut parts: Vec<(u32, AtomProgress)>,
        above: Level,
        inner: bool,
    ) -> Residual {
        if self.labels.is_stuck(labels) {
            return Residual::STUCK;
        }
        let support = self.labels.support(labels);
        parts.retain(|&(atom, _)| support >> atom & 1 == 1);
        let next_of =
            |&(atom, part): &(u32, AtomProgress)| match (&self.shapes[atom as usize], part) {
                (AtomLevels::Linear { levels, .. }, _) => {
                    levels.iter().map(|l| l.level).find(|&l| l < above).unwrap_or(Level(0))
                }
                (AtomLevels::Enabled { .. }, AtomProgress::Guards(set)) => self.guards.top(set),
                (AtomLevels::Enabled { .. }, AtomProgress::Sum(_)) => Level(0),
            };
        let next = parts.iter().map(next_of).max().unwrap_or(Level(0));
        debug_assert!(next < above, "the levels above are known");
        debug_assert!(next > Level(0) || parts.is_empty(), "an atom stays open below all levels");
        let parts = parts.into();
        Residual(self.entries.intern(ResidualEntry { labels, parts, next, inner }))
    }

    /// The same residual for the edges inside accepting components only.
    pub(crate) fn inner(&mut self, r: Residual) -> Residual {
        if let Some(&i) = self.inner.get(&r) {
            return i;
        }
        let ResidualEntry { labels, parts, next, .. } = self.entries[r.0 as usize].clone();
        let kept = self.labels.project(labels, &self.inner_labels);
        let result = self.settle(kept, parts.into_vec(), Level(next.0 + 1), true);
        self.inner.insert(r, result);
        result
    }

    /// The level that the residual looks at next; 0 when the letter class is known.
    #[inline]
    pub(crate) fn next(&self, r: Residual) -> Level {
        self.entries[r.0 as usize].next
    }

    /// The labels that are true in a residual whose letter class is known, and whether
    /// only edges inside accepting components count.
    pub(crate) fn letter_class(&self, r: Residual) -> (&[u32], bool) {
        debug_assert!(self.next(r) == Level(0), "an open residual is no letter class");
        let entry = &self.entries[r.0 as usize];
        (self.labels.taken(entry.labels), entry.inner)
    }
}

/// Level of each place, and where it stands there.
fn positions(net: &Net, model: &LevelModel) -> Vec<(Level, usize)> {
    let mut position = vec![(Level(0), 0); net.places().len()];
    for (level, space) in model.levels.iter().enumerate().skip(1) {
        for (i, p) in space.places.iter().enumerate() {
            position[p.index()] = (Level(level as u32), i);
        }
    }
    position
}

/// Spreads a sum over the levels, highest first.
fn linear_levels(
    terms: &[(PlaceId, i64)],
    position: &[(Level, usize)],
    bounds: &Bounds,
) -> Vec<LinearLevel> {
    let mut sorted: Vec<(Level, usize, i64, Option<u64>)> = terms
        .iter()
        .map(|&(p, c)| (position[p.index()].0, position[p.index()].1, c, bounds.of(p)))
        .collect();
    sorted.sort_unstable_by_key(|t| (t.0, t.1));
    let (mut least, mut most) = (Some(0i128), Some(0i128));
    let mut levels: Vec<LinearLevel> = Vec::new();
    for run in sorted.chunk_by(|a, b| a.0 == b.0) {
        let terms = run.iter().map(|t| (t.1, t.2)).collect();
        levels.push(LinearLevel { level: run[0].0, terms, least_below: least, most_below: most });
        for &(_, _, c, bound) in run {
            let end = bound.map(|b| i128::from(c) * i128::from(b));
            let side = if c > 0 { &mut most } else { &mut least };
            *side = side.zip(end).map(|(a, b)| a + b);
        }
    }
    levels.reverse();
    levels
}
