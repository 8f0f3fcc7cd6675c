//! The hunt for violations on coloured markings: nothing is unfolded.
//!
//! The same hunt as in plain nets ([`crate::HuntEngine`]), over the markings of the coloured net.
//! It answers with coloured runs, to be replayed on the coloured net. That there is none it
//! says only if it has seen the whole product, every binding of every marking in it.

use crate::engine::Question;
use crate::hunt::stats_of;
use crate::verdict::Stats;
use brine_coloured::{ColouredNet, ColouredRun};
use brine_explicit::coloured::ListLimits;
use brine_explicit::hunt::{ColouredSource, HuntOptions, Hunter};
use brine_run::{Control, Search, Shared, Stop};

/// Looks for a violating run of a coloured net in many cheap ways.
#[derive(Debug)]
pub struct ColouredHunt<'n> {
    hunter: Hunter<ColouredSource<'n>>,
}

impl<'n> ColouredHunt<'n> {
    /// A hunt in one net.
    pub fn new(net: impl Into<Shared<'n, ColouredNet>>, options: HuntOptions) -> Self {
        Self::within(net, ListLimits::default(), options)
    }

    /// A hunt that lists at most so many bindings.
    pub fn within(
        net: impl Into<Shared<'n, ColouredNet>>,
        limits: ListLimits,
        options: HuntOptions,
    ) -> Self {
        ColouredHunt { hunter: Hunter::coloured(net, limits, options) }
    }

    /// Takes up a question. The automaton's places and transitions are the coloured ones.
    pub fn begin(&mut self, question: Question) {
        self.hunter.begin(question.violations);
    }

    /// Bytes that its searches hold while it is left.
    pub fn held(&self) -> u64 {
        self.hunter.held()
    }

    /// Gives them back; the searches begin anew.
    pub fn release(&mut self) {
        self.hunter.release();
    }
}

impl Search for ColouredHunt<'_> {
    /// A run, or none if there is none at all, or why it is not known.
    type Outcome = (Result<Option<ColouredRun>, Stop>, Stats);

    fn advance(&mut self, control: &Control) -> Self::Outcome {
        let outcome = self.hunter.advance(control);
        let stats = stats_of(&outcome);
        (outcome.run, stats)
    }
}
