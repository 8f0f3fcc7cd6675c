//! Numbers for pairs (marking, automaton state).
//!
//! With few automaton states the number is simply `marking * states + state`: nothing to
//! store, nothing to look up, and most numbers get used. With many, most pairs never occur;
//! then pairs are numbered as they are found, in a table like that of the markings, each packed
//! into one word.

use crate::graph::GraphStateId;
use crate::meter::Meter;
use crate::store::{MarkingId, StateStore};
use brine_run::Stop;

/// Up to this many automaton states, numbers are computed.
const DENSE_STATES: usize = 8;

/// A numbering of pairs.
#[derive(Debug)]
pub enum Pairs {
    /// Numbers are computed.
    Dense {
        /// States of the automaton.
        states: u32,
    },
    /// Numbers are looked up.
    Sparse(StateStore),
}

impl Pairs {
    /// A numbering for an automaton of so many states.
    pub fn new(states: usize) -> Self {
        if states <= DENSE_STATES {
            Pairs::Dense { states: states as u32 }
        } else {
            Pairs::Sparse(StateStore::new(1))
        }
    }

    /// The number of a pair.
    #[inline]
    pub fn number(
        &mut self,
        m: MarkingId,
        q: u32,
        meter: &mut Meter,
    ) -> Result<GraphStateId, Stop> {
        match self {
            // The last number is kept free: searches use it as a sign, or add one.
            Pairs::Dense { states } => {
                m.0.checked_mul(*states)
                    .and_then(|base| base.checked_add(q))
                    .filter(|&id| id < u32::MAX - 1)
                    .map(GraphStateId)
                    .ok_or(Stop::Memory)
            }
            Pairs::Sparse(store) => {
                let pair = u64::from(m.0) << 32 | u64::from(q);
                store.intern(&[pair], meter).map(|(id, _)| GraphStateId(id.0))
            }
        }
    }

    /// The pair of a number.
    #[inline]
    pub fn pair(&self, id: GraphStateId) -> (MarkingId, u32) {
        match self {
            Pairs::Dense { states } => (MarkingId(id.0 / states), id.0 % states),
            Pairs::Sparse(store) => {
                let pair = store.get(MarkingId(id.0))[0];
                (MarkingId((pair >> 32) as u32), pair as u32)
            }
        }
    }
}
