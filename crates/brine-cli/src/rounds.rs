//! Many properties, none starving the others: the rounds of `check` and of `mcc`.
//!
//! A property can be left after some work and taken up again ([`brine_run::Search`]). So each gets
//! a little in the first round, and in each further one several times as much: the easy ones are
//! answered first, and a hard one holds up nobody. Work is counted, so that the order of answers is
//! the same on every machine. What cannot be left is done in its first turn.
//!
//! Those that wait hold little of the memory together, and the last one that is open need not make
//! room for others.

use brine_run::{Deepening, Standing};

/// The work that each property gets in the first round.
const FIRST_WORK: u64 = 60_000;

/// The part of the memory that searches may hold while they wait for their next turn.
const HELD_SHARE: u64 = 8;

/// What a property may do in its turn, beside its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Share {
    /// Work in all its turns; `None` if nobody waits for it.
    pub(crate) work: Option<u64>,
    /// Bytes that its search may hold afterwards.
    pub(crate) held: u64,
}

impl Share {
    /// One of `open` properties has this much work in this round.
    pub(crate) fn new(open: usize, work: u64, memory: Option<u64>) -> Self {
        let open = open.max(1);
        let held = memory.map_or(u64::MAX, |bytes| bytes / HELD_SHARE / open as u64);
        Share { work: (open > 1).then_some(work), held }
    }

    /// There is no other.
    pub(crate) fn alone() -> Self {
        Share { work: None, held: u64::MAX }
    }
}

/// All members take turns of growing work while there is `more` time, until each is answered or
/// given up. A turn tells whether its member stays open.
pub(crate) fn play<M>(
    members: Vec<M>,
    more: impl Fn() -> bool,
    mut turn: impl FnMut(&mut M, u64) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let mut open = Deepening::new(members, FIRST_WORK);
    while !open.members().is_empty() && more() {
        let turns = open.one_by_one(
            |member, now| turn(member, now.work),
            |result| match result {
                Ok(true) => Standing::Open,
                Ok(false) => Standing::Out,
                Err(_) => Standing::Decided,
            },
        );
        turns.into_iter().collect::<anyhow::Result<Vec<bool>>>()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order in which members that need so much work are answered.
    fn answered(needs: &[u64]) -> Vec<usize> {
        let mut answered = Vec::new();
        let members = needs.iter().copied().enumerate().collect();
        let turn = |&mut (i, need): &mut (usize, u64), work| {
            let open = work < need;
            answered.extend((!open).then_some(i));
            Ok(open)
        };
        play(members, || true, turn).expect("no turn fails");
        answered
    }

    #[test]
    fn easy_ones_come_first() {
        assert_eq!(answered(&[1 << 40, 1, 300_000, 60_000]), [1, 3, 2, 0]);
        assert_eq!(answered(&[]), [0; 0]);
    }

    #[test]
    fn a_turn_that_fails_ends_the_rounds() {
        let mut turns = 0;
        let turn = |_: &mut u8, _| {
            turns += 1;
            anyhow::bail!("no")
        };
        assert!(play(vec![0, 1], || true, turn).is_err());
        assert_eq!(turns, 1);
        let turn = |_: &mut u8, _| unreachable!("there is no time");
        assert!(play(vec![0, 1], || false, turn).is_ok());
    }

    #[test]
    fn the_last_one_need_not_make_room() {
        assert_eq!(Share::new(1, 5, Some(80)), Share { work: None, held: 10 });
        assert_eq!(Share::new(2, 5, Some(80)), Share { work: Some(5), held: 5 });
        assert_eq!(Share::new(2, 5, None).held, u64::MAX);
    }
}
