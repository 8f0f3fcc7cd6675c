//! Turns of growing length for several members, until one of them decides.
//!
//! Which of several ways to an answer is quick cannot be known beforehand: two orders of levels
//! may differ by a factor of a thousand, and so may two engines, or two properties of a file. So
//! each member gets a little work; if none decides, each gets [`GROWTH`] times as much in the next
//! round, and so on. A member that starts over in each of its turns repeats at most a third of
//! its work; one that goes on where it stopped repeats nothing.
//!
//! Members stand in the order in which they would have their turns on one core, and the first *in
//! that order* that decides is the outcome, however many run at a time ([`side_by_side`]). What
//! each gets in a round is fixed when the round begins. So the outcome does not depend on the
//! number of threads.
//!
//! Those that run at a time share the memory. One that runs out of its share has its turn again
//! by itself; one that runs out of all of it is left out from then on.

use crate::side_by_side::{Attempt, side_by_side};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How many times the work of a round the next one gives.
pub const GROWTH: u64 = 4;

/// The work of a round, counted from 0, if the first gives `first`.
pub fn grown(first: u64, round: u32) -> u64 {
    first.saturating_mul(GROWTH.saturating_pow(round))
}

/// Members that take turns.
#[derive(Clone, Debug)]
pub struct Deepening<M> {
    members: Vec<M>,
    /// The work of a turn in the first round.
    first: u64,
    /// How many rounds later than the first one a member begins, by its rank.
    delay: fn(usize) -> u32,
    /// Rounds so far.
    round: u32,
}

/// One member's turn.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Its work.
    pub work: u64,
    /// How many run at the same time and share what there is.
    pub of: usize,
    /// Set when the turn is of no use any more; `None` for a turn by itself.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// What a turn means for those that follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// More work may help.
    Open,
    /// Out of memory: more of it may help.
    Full,
    /// Nothing will help: the member is left out from now on.
    Out,
    /// No other turn is needed.
    Decided,
}

impl<M> Deepening<M> {
    /// Members who all begin with `first` units of work.
    pub fn new(members: Vec<M>, first: u64) -> Self {
        Deepening { members, first, delay: |_| 0, round: 0 }
    }

    /// The same, where a member begins later by so many rounds as its rank says. Those in front
    /// begin at once.
    pub fn with_delays(self, delay: fn(usize) -> u32) -> Self {
        debug_assert_eq!(delay(0), 0);
        Deepening { delay, ..self }
    }

    /// Those who still take part.
    pub fn members(&self) -> &[M] {
        &self.members
    }

    /// Those who still take part.
    pub fn members_mut(&mut self) -> &mut [M] {
        &mut self.members
    }

    /// Leaves the member of this rank out.
    pub fn leave_out(&mut self, rank: usize) {
        self.members.remove(rank);
    }

    /// Rounds so far.
    pub fn rounds(&self) -> u32 {
        self.round
    }

    /// The work of the first member's turn in the next round.
    pub fn next_work(&self) -> u64 {
        grown(self.first, self.round)
    }

    /// The work of each turn of a new round. Delays grow with the rank.
    fn begin_round(&mut self) -> Vec<u64> {
        let round = self.round;
        self.round += 1;
        (0..self.members.len())
            .map_while(|rank| round.checked_sub((self.delay)(rank)))
            .map(|round| grown(self.first, round))
            .collect()
    }

    /// One round, one turn after another. Returns the results of the turns, up to and with the
    /// first that decides.
    pub fn one_by_one<T>(
        &mut self,
        mut turn: impl FnMut(&mut M, Turn) -> T,
        standing: impl Fn(&T) -> Standing,
    ) -> Vec<T> {
        let works = self.begin_round();
        let mut results = Vec::new();
        let mut stays = Vec::new();
        for (member, work) in self.members.iter_mut().zip(works) {
            let result = turn(member, Turn { work, of: 1, cancel: None });
            let now = standing(&result);
            stays.push(!matches!(now, Standing::Full | Standing::Out));
            results.push(result);
            if now == Standing::Decided {
                break;
            }
        }
        self.keep(&stays);
        results
    }

    /// Keeps those that stay; who had no turn stays.
    fn keep(&mut self, stays: &[bool]) {
        let mut stays = stays.iter().copied().chain(std::iter::repeat(true));
        self.members.retain(|_| stays.next().unwrap_or(true));
    }
}

impl<M: Send> Deepening<M> {
    /// One round with at most `threads` turns at a time; `cancel` calls all of them off. Returns
    /// the results of the turns, up to and with the first that decides.
    pub fn round<T: Send>(
        &mut self,
        threads: usize,
        cancel: Option<&AtomicBool>,
        turn: impl Fn(&mut M, Turn) -> T + Sync,
        standing: impl Fn(&T) -> Standing,
    ) -> Vec<T> {
        if threads <= 1 {
            return self.one_by_one(turn, standing);
        }
        let works = self.begin_round();
        let (mut results, mut stays) = (Vec::new(), Vec::new());
        let groups = self.members.chunks_mut(threads).zip(works.chunks(threads));
        'round: for (members, works) in groups {
            let group = at_once(&mut members[..works.len()], works, cancel, &turn, &standing);
            for (i, mut result) in group.into_iter().enumerate() {
                if standing(&result) == Standing::Full && works.len() > 1 {
                    result = turn(&mut members[i], Turn { work: works[i], of: 1, cancel: None });
                }
                let now = standing(&result);
                stays.push(!matches!(now, Standing::Full | Standing::Out));
                results.push(result);
                if now == Standing::Decided {
                    break 'round;
                }
            }
        }
        self.keep(&stays);
        results
    }
}

/// The turns of members that run at the same time, up to and with the first that decides.
fn at_once<M: Send, T: Send>(
    members: &mut [M],
    works: &[u64],
    cancel: Option<&AtomicBool>,
    turn: &(impl Fn(&mut M, Turn) -> T + Sync),
    standing: &impl Fn(&T) -> Standing,
) -> Vec<T> {
    let of = members.len();
    if let [only] = members {
        return vec![turn(only, Turn { work: works[0], of, cancel: None })];
    }
    let attempt = |(member, &work)| -> Attempt<'_, T> {
        Box::new(move |cancel| turn(member, Turn { work, of, cancel: Some(cancel) }))
    };
    let attempts = members.iter_mut().zip(works).map(attempt).collect();
    side_by_side(attempts, cancel, |result| standing(result) == Standing::Decided)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a member needs, and what became of its turns.
    type Need = Result<u64, Standing>;

    /// Rounds until one decides: who, after how many turns, and the work of its last one.
    fn compete(needs: &[Need], delay: fn(usize) -> u32, threads: usize) -> (usize, usize, u64) {
        let members = needs.iter().copied().enumerate().collect();
        let mut deepening = Deepening::new(members, 10).with_delays(delay);
        let mut turns = 0;
        for _ in 0..20 {
            let results = deepening.round(
                threads,
                None,
                |&mut (i, need), turn| match need {
                    Ok(need) if need <= turn.work => (i, turn.work, Standing::Decided),
                    Ok(_) => (i, turn.work, Standing::Open),
                    Err(standing) => (i, turn.work, standing),
                },
                |result| result.2,
            );
            turns += results.len();
            if let Some(&(i, work, Standing::Decided)) = results.last() {
                return (i, turns, work);
            }
        }
        panic!("nobody decides");
    }

    #[test]
    fn the_outcome_does_not_depend_on_threads() {
        let second_later = |rank: usize| u32::from(rank > 1);
        let needs: [&[Need]; 5] = [
            &[Ok(1), Ok(1)],
            &[Ok(300), Ok(100)],
            &[Ok(u64::MAX), Err(Standing::Full), Ok(30), Ok(1)],
            &[Err(Standing::Out), Err(Standing::Full), Ok(u64::MAX), Ok(100)],
            &[Ok(2_000), Ok(2_000), Ok(160), Ok(40), Ok(10)],
        ];
        for needs in needs {
            let alone = compete(needs, second_later, 1);
            let others = [2, 3, 8].map(|threads| compete(needs, second_later, threads));
            assert_eq!(others, [alone; 3], "{needs:?}");
        }
        assert_eq!(compete(needs[4], second_later, 2), (4, 2 + 5, 10));
    }

    #[test]
    fn who_is_out_has_no_more_turns() {
        let (who, turns, _) = compete(&[Err(Standing::Out), Ok(40)], |_| 0, 1);
        assert_eq!((who, turns), (1, 3), "two turns in the first round, one in the second");
    }

    #[test]
    fn who_runs_out_of_a_share_has_all_of_it_once() {
        let mut deepening = Deepening::new(vec![(); 2], 1);
        let results = deepening.round(
            2,
            None,
            |(), turn| turn.of,
            |&of| match of {
                1 => Standing::Open,
                _ => Standing::Full,
            },
        );
        assert_eq!(results, [1, 1]);
        assert_eq!(deepening.members().len(), 2);
    }

    #[test]
    fn work_grows_and_does_not_overflow() {
        assert_eq!([0, 1, 2].map(|round| grown(5, round)), [5, 20, 80]);
        assert_eq!(grown(5, 1_000), u64::MAX);
        let mut deepening = Deepening::new(vec![()], 7);
        assert_eq!((deepening.next_work(), deepening.rounds()), (7, 0));
        deepening.one_by_one(|(), turn| assert_eq!(turn.work, 7), |()| Standing::Open);
        assert_eq!((deepening.next_work(), deepening.rounds()), (28, 1));
    }
}
