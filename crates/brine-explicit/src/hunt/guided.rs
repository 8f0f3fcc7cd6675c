//! The product with its edges in an order that leads to acceptance, as far as a limit.
//!
//! Any emptiness check can search it; depth first it goes where the pilot points. For each
//! state the edges are sorted once: first by how much closer the automaton's move comes to its
//! aim, then by the pull of the transition, then by a random order of preference that is the
//! same for all states (see `walk` for why). Nothing is left out, so a search that comes to its
//! end has searched the whole product. One that looks at more states than the limit is
//! stopped with [`Stop::Work`].
//!
//! Memory: 8 bytes for each edge of a state that was looked at, which the limit keeps small.

use super::compass::Aim;
use super::pilot::{Course, Pilot};
use crate::fire::Step;
use crate::graph::{Cursor, Edge, Graph, GraphStateId, Notes};
use crate::letters::Move;
use crate::meter::Meter;
use crate::product::Product;
use crate::store::MarkingId;
use crate::successors::Successors;
use brine_net::Rng;
use brine_run::Stop;

/// A guided product.
#[derive(Debug)]
pub(crate) struct Guided<'p, M: Successors> {
    product: &'p mut Product<M>,
    pilot: &'p mut Pilot,
    rng: Rng,
    salt: u64,
    /// The mark to aim at inside good components.
    mark: Option<u32>,
    /// One course for each automaton state.
    courses: Vec<Course>,
    /// Where the sorted edges of a state are, plus one; first an entry with their number.
    start: Notes<u32>,
    /// Edges as (edge of the net, move of the automaton).
    order: Vec<(u32, u32)>,
    looked_at: usize,
    limit: usize,
    enabled: Vec<Step>,
}

impl<'p, M: Successors> Guided<'p, M> {
    /// The product, sorted by a pilot and a seed, of which `limit` states may be looked at.
    pub(crate) fn new(
        product: &'p mut Product<M>,
        pilot: &'p mut Pilot,
        seed: u64,
        limit: usize,
    ) -> Self {
        let mut rng = Rng::new(seed);
        let marks = product.all_marks().count_ones();
        Guided {
            courses: vec![Course::default(); pilot.states()],
            product,
            pilot,
            salt: u64::from(rng.below(u32::MAX)),
            mark: (marks > 0).then(|| rng.below(marks)),
            rng,
            start: Notes::new(),
            order: Vec::new(),
            looked_at: 0,
            limit,
            enabled: Vec::new(),
        }
    }

    /// Whether a search was stopped by the limit.
    pub(crate) fn is_used_up(&self) -> bool {
        self.looked_at > self.limit
    }

    /// Sorts the edges of a state.
    fn sort_edges(&mut self, s: GraphStateId) -> Result<u32, Stop> {
        self.looked_at += 1;
        if self.is_used_up() {
            return Err(Stop::Work);
        }
        let (m, q) = self.product.pair_of(s);
        let moves: Vec<Move> = self.product.moves(s)?.to_vec();
        self.product.space().enabled(m, &mut self.enabled)?;
        let letter = self.product.letter(m)?;
        let aim = self.pilot.compass.aim(q, self.mark);
        let mut keys: Vec<(u32, f64, u64, (u32, u32))> = Vec::new();
        for (i, &step) in moves.iter().enumerate() {
            let value = self.pilot.compass.value(q, aim, step);
            let next = (step.state, self.pilot.compass.aim(step.state, self.mark));
            self.set_course(next, m, letter);
            let course = &self.courses[step.state as usize];
            for (k, &t) in self.enabled.iter().enumerate() {
                let tie = self.product.markings().preference(t, self.salt);
                let pull = self.pilot.pull(course, self.product.markings().class(t));
                keys.push((value, -pull, tie, (k as u32, i as u32)));
            }
            if self.enabled.is_empty() {
                keys.push((value, 0.0, 0, (0, i as u32)));
            }
        }
        keys.sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then((a.2, a.3).cmp(&(b.2, b.3)))
        });
        let at = self.order.len() as u32;
        let meter = self.product.meter();
        meter.reserve(&mut self.order, keys.len() + 1)?;
        self.order.push((keys.len() as u32, 0));
        self.order.extend(keys.iter().map(|k| k.3));
        self.start.set(s, at + 1, meter)?;
        Ok(at + 1)
    }

    fn set_course(&mut self, (q, aim): (u32, Aim), m: MarkingId, letter: u64) {
        let course = &mut self.courses[q as usize];
        let ms = self.product.space().markings();
        self.pilot.set_course(course, (q, aim), (m, letter), ms, &mut self.rng);
    }
}

impl<M: Successors> Graph for Guided<'_, M> {
    fn initial(&mut self) -> Result<GraphStateId, Stop> {
        self.product.initial()
    }

    fn next(&mut self, s: GraphStateId, cursor: &mut Cursor) -> Result<Option<Edge>, Stop> {
        let at = match self.start.get(s) {
            0 => self.sort_edges(s)?,
            at => at,
        } as usize;
        let count = self.order[at - 1].0;
        if cursor.major == count {
            return Ok(None);
        }
        let (k, i) = self.order[at + cursor.major as usize];
        cursor.major += 1;
        let step = self.product.moves(s)?[i as usize];
        self.product.successor(s, k, step).map(Some)
    }

    fn accepting(&self, s: GraphStateId) -> bool {
        self.product.accepting(s)
    }

    fn all_marks(&self) -> u64 {
        self.product.all_marks()
    }

    fn meter(&mut self) -> &mut Meter {
        self.product.meter()
    }
}
