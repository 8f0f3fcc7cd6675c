//! What a run is a run of: what its steps are called, and how it is shown.

use brine_check::{Witness, show};
use brine_net::{Net, TransitionId};
use brine_pins::{GroupId, Pins, gcl};

/// A model as far as runs are printed.
pub(crate) trait Subject {
    /// What a step is called.
    fn step_name(&self, t: TransitionId) -> String;

    /// The run for people.
    fn text(&self, witness: &Witness) -> String;

    /// The run as a DOT graph.
    fn dot(&self, witness: &Witness) -> String;
}

impl Subject for Net {
    fn step_name(&self, t: TransitionId) -> String {
        self.transition(t).id.clone()
    }

    fn text(&self, witness: &Witness) -> String {
        show::text(self, witness)
    }

    fn dot(&self, witness: &Witness) -> String {
        show::dot(self, witness)
    }
}

impl Subject for gcl::Model {
    fn step_name(&self, t: TransitionId) -> String {
        self.group_name(GroupId(t.0))
    }

    fn text(&self, witness: &Witness) -> String {
        show::model_text(self, witness)
    }

    fn dot(&self, witness: &Witness) -> String {
        show::model_dot(self, witness)
    }
}
