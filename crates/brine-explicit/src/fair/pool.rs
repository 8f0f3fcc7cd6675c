//! What a set of product states and edges has that a fair accepting cycle needs.
//!
//! A cycle through certain states and edges is accepting and fair if
//!
//! - its edges carry all marks of the automaton,
//! - for each weakly fair transition it has an edge that fires it or a state that disables it,
//! - for each strongly fair transition it has an edge that fires it or no state that enables it.
//!
//! A strongly connected set has a cycle through all of its states and edges. So a [`Pool`], the
//! union over all of them, says whether it has such a cycle that visits everything
//! ([`FairSets::is_fair`]), and if not, why not: what is missing for the first two is missing for
//! every subset; what is wrong with the third may be cured by leaving states out
//! ([`FairSets::unfair`]). One bit for each mark, one for each weakly fair transition, two for
//! each strongly fair one.

use super::product::FairEdge;
use crate::fire::Step;
use crate::markings::Markings;
use brine_net::Fairness;

/// The union of what states and edges have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pool {
    /// The automaton's marks.
    marks: u64,
    /// Weakly fair transitions that fire or are disabled somewhere; strongly fair ones that fire;
    /// strongly fair ones that are enabled somewhere.
    words: Box<[u64]>,
}

impl Pool {
    pub(super) fn add(&mut self, other: &Pool) {
        self.marks |= other.marks;
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
    }
}

/// Bits for the transitions that runs must treat fairly.
#[derive(Debug)]
pub(super) struct FairSets {
    all_marks: u64,
    weak: usize,
    strong: usize,
    /// By step: its number among the weakly fair ones, and among the strongly fair ones.
    of_step: Vec<(Option<u32>, Option<u32>)>,
}

fn words(bits: usize) -> usize {
    bits.div_ceil(64)
}

fn set(words: &mut [u64], bit: u32, value: bool) {
    let (word, mask) = (&mut words[bit as usize / 64], 1 << (bit % 64));
    if value { *word |= mask } else { *word &= !mask }
}

fn has(words: &[u64], bit: u32) -> bool {
    words[bit as usize / 64] >> (bit % 64) & 1 == 1
}

impl FairSets {
    pub(super) fn new(fairness: &Fairness, all_marks: u64, ms: &Markings<'_>) -> Self {
        let number = |list: &[_], t| list.binary_search(&t).ok().map(|i| i as u32);
        let of_step = ms.firing().steps().map(|step| {
            let t = ms.firing().transition(step);
            (number(fairness.weak(), t), number(fairness.strong(), t))
        });
        let of_step = of_step.collect();
        let (weak, strong) = (fairness.weak().len(), fairness.strong().len());
        FairSets { all_marks, weak, strong, of_step }
    }

    /// Bytes of a pool.
    pub(super) fn pool_bytes(&self) -> u64 {
        (size_of::<Pool>() + 8 * self.len()) as u64
    }

    fn len(&self) -> usize {
        words(self.weak) + 2 * words(self.strong)
    }

    /// Where the bits of strongly fair transitions begin: that they fire, and are enabled.
    fn at(&self) -> (usize, usize) {
        (words(self.weak), words(self.weak) + words(self.strong))
    }

    /// Nothing.
    pub(super) fn nothing(&self) -> Pool {
        Pool { marks: 0, words: vec![0; self.len()].into() }
    }

    /// Adds what a state has, given the steps that are enabled in it.
    pub(super) fn add_state(&self, pool: &mut Pool, enabled: &[Step]) {
        if self.len() == 0 {
            return;
        }
        let (fires, enables) = self.at();
        let mut waiting = vec![0u64; fires];
        for step in enabled {
            let (weak, strong) = self.of_step[step.index()];
            if let Some(bit) = weak {
                set(&mut waiting, bit, true);
            }
            if let Some(bit) = strong {
                set(&mut pool.words[enables..], bit, true);
            }
        }
        for (word, waiting) in pool.words.iter_mut().zip(waiting) {
            *word |= !waiting;
        }
    }

    /// Adds what an edge has.
    pub(super) fn add_edge(&self, pool: &mut Pool, edge: FairEdge) {
        pool.marks |= edge.marks;
        let Some(step) = edge.step else { return };
        let (weak, strong) = self.of_step[step.index()];
        if let Some(bit) = weak {
            set(&mut pool.words, bit, true);
        }
        if let Some(bit) = strong {
            let fires = self.at().0;
            set(&mut pool.words[fires..], bit, true);
        }
    }

    /// Whether all marks are there and all weakly fair transitions are treated fairly.
    pub(super) fn has_marks(&self, pool: &Pool) -> bool {
        let all = self.all_marks;
        pool.marks & all == all && (0..self.weak as u32).all(|bit| has(&pool.words, bit))
    }

    /// Whether nothing is missing.
    pub(super) fn is_fair(&self, pool: &Pool) -> bool {
        self.has_marks(pool) && self.unfair(pool).next().is_none()
    }

    /// Strongly fair transitions that are enabled somewhere and fired nowhere.
    pub(super) fn unfair<'p>(&self, pool: &'p Pool) -> impl Iterator<Item = u32> + 'p {
        let (fires, enables) = self.at();
        let unfair =
            move |&bit: &u32| has(&pool.words[enables..], bit) && !has(&pool.words[fires..], bit);
        (0..self.strong as u32).filter(unfair)
    }

    /// Whether one of these steps is a strongly fair transition of the list.
    pub(super) fn enables_one(&self, enabled: &[Step], unfair: &[u32]) -> bool {
        let strong = enabled.iter().filter_map(|step| self.of_step[step.index()].1);
        strong.into_iter().any(|bit| unfair.contains(&bit))
    }

    /// Whether strong fairness is asked for anything.
    pub(super) fn has_strong(&self) -> bool {
        self.strong > 0
    }

    /// Whether an edge gives something that the pool needs and has not.
    pub(super) fn helps(&self, pool: &Pool, edge: FairEdge) -> bool {
        let Some(step) = edge.step else { return edge.marks & self.all_marks & !pool.marks != 0 };
        let (weak, strong) = self.of_step[step.index()];
        let (fires, enables) = self.at();
        edge.marks & self.all_marks & !pool.marks != 0
            || weak.is_some_and(|bit| !has(&pool.words, bit))
            || strong.is_some_and(|bit| {
                has(&pool.words[enables..], bit) && !has(&pool.words[fires..], bit)
            })
    }

    /// Whether a state with these enabled steps disables a weakly fair transition for which the
    /// pool has nothing yet.
    pub(super) fn state_helps(&self, pool: &Pool, enabled: &[Step]) -> bool {
        let missing = (0..self.weak as u32).filter(|&bit| !has(&pool.words, bit));
        let is = |step: &Step, bit| self.of_step[step.index()].0 == Some(bit);
        missing.into_iter().any(|bit| !enabled.iter().any(|step| is(step, bit)))
    }
}
