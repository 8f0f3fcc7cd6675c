//! What a run is a run of: what its steps are called, and how it is shown.

use crate::model::LanguageModel;
use brine_check::{Decision, show};
use brine_net::{Net, Run, TransitionId};
use brine_pins::GroupId;

/// A model as far as runs are printed.
pub(crate) trait Subject {
    /// What a step is called.
    fn step_name(&self, t: TransitionId) -> String;

    /// The run for people.
    fn text(&self, run: &Run) -> String;

    /// The run as a DOT graph.
    fn dot(&self, run: &Run) -> String;
}

/// What the run of a decision is a run of: the net that comes with it, or else the subject of the
/// question.
pub(crate) fn of_run<'a>(decision: &'a Decision, asked: &'a dyn Subject) -> &'a dyn Subject {
    decision.run_net.as_deref().map_or(asked, |net| net)
}

impl Subject for Net {
    fn step_name(&self, t: TransitionId) -> String {
        self.transition(t).id().into_owned()
    }

    fn text(&self, run: &Run) -> String {
        show::text(self, run)
    }

    fn dot(&self, run: &Run) -> String {
        show::dot(self, run)
    }
}

impl Subject for LanguageModel {
    fn step_name(&self, t: TransitionId) -> String {
        self.pins().group_name(GroupId(t.0))
    }

    fn text(&self, run: &Run) -> String {
        show::model_text(self.pins(), run)
    }

    fn dot(&self, run: &Run) -> String {
        show::model_dot(self.pins(), run)
    }
}
