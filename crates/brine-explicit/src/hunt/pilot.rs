//! The pilot: which cube of which label to make true next, and what pulls towards it.
//!
//! Joins the automaton's distances (`compass`) with the net's fields (`field`). Walks and
//! searches ask the same pilot, each with its own generator of random numbers.

use super::compass::{Aim, Compass};
use super::field::{Fields, Wish};
use crate::store::MarkingId;
use crate::successors::Successors;
use brine_ltl::{Atom, Automaton, Cube};
use brine_net::{Rng, TransitionId};
use brine_run::Stop;
use std::sync::Arc;

/// Of a long list of transitions, one of which shall be enabled, so many are looked at.
const SAMPLES: usize = 16;

/// Directions for one net and one automaton.
#[derive(Debug)]
pub(crate) struct Pilot {
    aut: Arc<Automaton>,
    pub(crate) compass: Compass,
    fields: Fields,
    /// By class of steps: the atoms whose truth it may change.
    touched: Vec<u64>,
}

/// What is pulled at: the fields of all literals of a cube that do not hold.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Course {
    /// What the course was set for: state, aim, and the literals that do not hold.
    key: Option<(u32, Aim, u64)>,
    cube: Cube,
    fields: Vec<usize>,
}

impl Pilot {
    pub(crate) fn new<M: Successors>(aut: Arc<Automaton>, ms: &M) -> Result<Self, Stop> {
        let fields = Fields::new(ms.shape(), ms.classes(), aut.atoms());
        let touched = fields.touched(ms, &mut ms.meter().control().pace())?;
        Ok(Pilot { compass: Compass::new(&aut), aut, fields, touched })
    }

    /// The number of the automaton's states.
    pub(crate) fn states(&self) -> usize {
        self.aut.num_states()
    }

    /// The atoms whose truth a step of a class may change.
    #[inline]
    pub(crate) fn touched(&self, class: usize) -> u64 {
        self.touched[class]
    }

    /// Sets the course for a run that is in state `q` with an aim, while the net is in
    /// marking `m` with that letter. Kept as it is while nothing of that changes.
    pub(crate) fn set_course<M: Successors>(
        &mut self,
        course: &mut Course,
        (q, aim): (u32, Aim),
        (m, letter): (MarkingId, u64),
        ms: &M,
        rng: &mut Rng,
    ) {
        let same_aim = course.key.is_some_and(|(old, old_aim, _)| (old, old_aim) == (q, aim));
        if !same_aim || rng.below(256) == 0 {
            course.cube = self.pick_cube(q, aim, letter, rng);
            course.key = None;
        }
        let open = course.cube.pos & !letter | course.cube.neg & letter;
        if course.key == Some((q, aim, open)) {
            return;
        }
        course.key = Some((q, aim, open));
        course.fields.clear();
        for i in (0..self.aut.atoms().len()).filter(|i| open >> i & 1 == 1) {
            let truth = course.cube.pos >> i & 1 == 1;
            let wish = match &self.aut.atoms()[i] {
                Atom::Fireable(ts) if truth => Wish::Enabled(nearest(ts, m, ms, rng)),
                _ => Wish::Atom(i, truth),
            };
            course.fields.push(self.fields.number(wish, ms.shape()));
        }
    }

    /// A cube of a label that leads on: one with the fewest literals to change, or any.
    fn pick_cube(&self, q: u32, aim: Aim, letter: u64, rng: &mut Rng) -> Cube {
        let open = |c: &Cube| (c.pos & !letter | c.neg & letter).count_ones();
        let labels = self.compass.labels(q, aim);
        let cubes = || labels.iter().flat_map(|&l| &self.aut.label(l).cubes);
        let fewest = cubes().map(open).min().unwrap_or(0);
        let any = rng.chance(30);
        let fit = |c: &&Cube| any || open(c) == fewest;
        let count = cubes().filter(fit).count() as u32;
        cubes().filter(fit).nth(rng.below(count) as usize).copied().unwrap_or_default()
    }

    /// Makes a marking the one to return to.
    pub(crate) fn set_home<M: Successors>(&mut self, m: MarkingId, ms: &M) {
        self.fields.set_home(ms.shape(), |p| ms.tokens(m, p) > 0);
    }

    /// How much a step of a class pulls back to that marking.
    #[inline]
    pub(crate) fn home_pull(&self, class: usize) -> f64 {
        self.fields.home_pull(class)
    }

    /// How much a step of a class pulls towards the course.
    #[inline]
    pub(crate) fn pull(&self, course: &Course, class: usize) -> f64 {
        course.fields.iter().map(|&f| self.fields.pull(f, class)).sum()
    }
}

/// A transition, of some of the given ones, that lacks the fewest tokens.
fn nearest<M: Successors>(
    ts: &[TransitionId],
    m: MarkingId,
    ms: &M,
    rng: &mut Rng,
) -> TransitionId {
    let missing = |t: TransitionId| -> u64 {
        let inputs = &ms.shape().transition(t).pre;
        let lack = |&(p, w)| u64::from(u32::saturating_sub(w, ms.tokens(m, p)));
        inputs.iter().map(lack).sum()
    };
    let first = rng.below(ts.len() as u32) as usize;
    let some = ts[first..].iter().chain(&ts[..first]).copied().take(SAMPLES);
    some.min_by_key(|&t| missing(t)).unwrap_or(ts[first])
}
