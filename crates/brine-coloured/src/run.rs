//! Runs of coloured nets: transitions with the values of their variables.

use brine_net::TransitionId;

/// One step: a coloured transition, by number, under a binding.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ColouredStep {
    /// The transition.
    pub transition: TransitionId,
    /// The values of its variables, in their order.
    pub binding: Box<[u32]>,
}

/// A run: a finite beginning, then a cycle for ever. Without a cycle it ends in a dead marking,
/// which repeats for ever.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ColouredRun {
    /// What happens once.
    pub prefix: Vec<ColouredStep>,
    /// What repeats.
    pub cycle: Vec<ColouredStep>,
}

impl ColouredRun {
    /// All steps, the cycle once.
    pub fn steps(&self) -> impl Iterator<Item = &ColouredStep> {
        self.prefix.iter().chain(&self.cycle)
    }
}
