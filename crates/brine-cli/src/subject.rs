//! What a run is a run of: what its steps are called, and how it is shown.

use crate::model::LanguageModel;
use brine_check::show;
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

impl Subject for Net {
    fn step_name(&self, t: TransitionId) -> String {
        self.transition(t).id.clone()
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
