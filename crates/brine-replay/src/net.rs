//! The firing rule of nets, written down once more for replay alone.

use super::{Refusal, ReplayError, Replayable};
use brine_net::{Net, TransitionId};

impl Replayable for Net {
    fn initial(&self) -> Vec<u32> {
        self.initial_marking()
    }

    fn transitions(&self) -> usize {
        Net::transitions(self).len()
    }

    fn name(&self, t: TransitionId) -> String {
        self.transition(t).id().into_owned()
    }

    fn enables(&self, t: TransitionId, marking: &[u32]) -> Result<bool, ReplayError> {
        Ok(enabled(self, t, marking))
    }

    fn step(&self, t: TransitionId, marking: &mut Vec<u32>) -> Result<(), Refusal> {
        for &(p, w) in self.transition(t).pre {
            let tokens = &mut marking[p.index()];
            *tokens = tokens.checked_sub(w).ok_or(Refusal::NotEnabled)?;
        }
        for &(p, w) in self.transition(t).post {
            let tokens = &mut marking[p.index()];
            *tokens = tokens.checked_add(w).ok_or(Refusal::TooManyTokens)?;
        }
        Ok(())
    }

    fn as_net(&self) -> Option<&Net> {
        Some(self)
    }
}

/// Whether each input place has as many tokens as are taken.
pub(crate) fn enabled(net: &Net, t: TransitionId, marking: &[u32]) -> bool {
    net.transition(t).pre.iter().all(|&(p, w)| marking[p.index()] >= w)
}
