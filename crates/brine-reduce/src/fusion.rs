//! How a run is lifted over a fusion of places: tokens are brought where they are needed.
//!
//! Only the tokens of the fused places matter, and what each transition took from and put into
//! each of them before. Before a step, tokens are moved to the places that have too few, on
//! shortest ways, as many at a time as are to spare where the way begins; at the end of a
//! cycle all go back to where they were at its beginning.

use super::draft::Draft;
use super::lift::Patience;
use brine_net::{PlaceId, Run, TransitionId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Tokens per fused place; places are numbered from 0 here.
type Tokens = Vec<(usize, u32)>;

/// What must be remembered of a fusion.
#[derive(Clone, Debug)]
pub(super) struct Fusion {
    /// Transitions with smaller numbers existed at the time.
    pub(super) transitions: usize,
    initial: Vec<u32>,
    /// What transitions took from and put into the places.
    arcs: FxHashMap<TransitionId, (Tokens, Tokens)>,
    /// For each place the moves out of it, and where they lead.
    moves: Vec<Vec<(TransitionId, usize)>>,
}

impl Fusion {
    /// Remembers `places` (sorted) and the transitions around them.
    pub(super) fn new(draft: &Draft, places: &[PlaceId], around: &[TransitionId]) -> Self {
        debug_assert!(places.is_sorted(), "they are searched in");
        let inside = |side: &[(PlaceId, u32)]| -> Tokens {
            let number = |&(p, w): &(PlaceId, u32)| Some((places.binary_search(&p).ok()?, w));
            side.iter().filter_map(number).collect()
        };
        let mut arcs = FxHashMap::default();
        let mut moves = vec![Vec::new(); places.len()];
        for &t in around {
            let here = draft.arcs(t);
            let (pre, post) = (inside(&here.pre), inside(&here.post));
            if let (Some(_), &[(from, _)], &[(to, _)]) =
                (draft.as_move(t), pre.as_slice(), post.as_slice())
            {
                moves[from].push((t, to));
            }
            arcs.insert(t, (pre, post));
        }
        let initial = places.iter().map(|&p| draft.initial(p)).collect();
        Fusion { transitions: draft.arcs.len(), initial, arcs, moves }
    }

    /// The run before the fusion. `None` if tokens are missing, it gets too long, or patience
    /// is lost.
    pub(super) fn lift(
        &self,
        run: &Run,
        max_steps: usize,
        patience: &mut Patience<'_>,
    ) -> Option<Run> {
        let (tokens, fired) = (self.initial.clone(), Vec::new());
        let mut mover = Mover { fusion: self, tokens, fired, max_steps, patience };
        let fire_all = |mover: &mut Mover<'_, '_>, steps: &[TransitionId]| {
            steps.iter().all(|&t| mover.fire(t))
        };
        fire_all(&mut mover, &run.prefix).then_some(())?;
        let prefix = std::mem::take(&mut mover.fired);
        let before: Tokens = mover.tokens.iter().copied().enumerate().collect();
        fire_all(&mut mover, &run.cycle).then_some(())?;
        mover.bring(&before).then_some(())?;
        debug_assert!(before.iter().all(|&(c, n)| mover.tokens[c] >= n), "back where they were");
        Some(Run { prefix, cycle: mover.fired })
    }
}

/// Fires transitions, as far as the fused places are concerned.
struct Mover<'a, 'p> {
    fusion: &'a Fusion,
    tokens: Vec<u32>,
    fired: Vec<TransitionId>,
    /// How many may be fired.
    max_steps: usize,
    patience: &'a mut Patience<'p>,
}

impl Mover<'_, '_> {
    /// Brings the tokens and fires; false if tokens are missing, or the run gets too long.
    fn fire(&mut self, t: TransitionId) -> bool {
        if let Some((pre, post)) = self.fusion.arcs.get(&t) {
            if !self.bring(pre) {
                return false;
            }
            pre.iter().for_each(|&(c, n)| self.tokens[c] -= n);
            for &(c, n) in post {
                self.tokens[c] = self.tokens[c].saturating_add(n);
            }
        }
        self.fired.push(t);
        true
    }

    /// Moves tokens until each of these places has as many as it needs; false if there are not
    /// enough, or the run gets too long: a place may need millions, and each is a step.
    fn bring(&mut self, needed: &[(usize, u32)]) -> bool {
        let need: FxHashMap<usize, u32> = needed.iter().copied().collect();
        for &(c, n) in needed {
            while self.tokens[c] < n {
                self.patience.spend(self.tokens.len() as u64);
                if self.patience.is_lost() {
                    return false;
                }
                let spare =
                    |d: usize| self.tokens[d].saturating_sub(need.get(&d).copied().unwrap_or(0));
                let Some(way) = self.way(c, |d| spare(d) > 0) else { return false };
                let Some(&(_, source)) = way.first() else { return false };
                let many = spare(source).min(n - self.tokens[c]);
                let steps = way.len().saturating_mul(many as usize);
                if self.fired.len().saturating_add(steps) >= self.max_steps {
                    return false;
                }
                self.tokens[source] -= many;
                self.tokens[c] += many;
                for (t, _) in way {
                    self.fired.extend(std::iter::repeat_n(t, many as usize));
                }
            }
        }
        true
    }

    /// A shortest way from a place with a spare token to `target`, as moves and where they
    /// begin: a search from all of them.
    fn way(
        &self,
        target: usize,
        spare: impl Fn(usize) -> bool,
    ) -> Option<Vec<(TransitionId, usize)>> {
        let places = self.tokens.len();
        let mut reached: Vec<Option<(TransitionId, usize)>> = vec![None; places];
        let mut source: Vec<bool> = (0..places).map(|c| c != target && spare(c)).collect();
        let mut queue: VecDeque<usize> = (0..places).filter(|&c| source[c]).collect();
        while let Some(c) = queue.pop_front() {
            for &(t, to) in &self.fusion.moves[c] {
                if reached[to].is_none() && !source[to] {
                    reached[to] = Some((t, c));
                    queue.push_back(to);
                }
            }
            if reached[target].is_some() {
                break;
            }
        }
        let mut way = Vec::new();
        let mut at = target;
        while !std::mem::replace(&mut source[at], true) {
            let (t, from) = reached[at]?;
            way.push((t, from));
            at = from;
        }
        way.reverse();
        Some(way)
    }
}
