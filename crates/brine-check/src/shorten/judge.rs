//! Who says whether a candidate still violates the property: replay.

use crate::coloured::ColouredProperty;
use brine_coloured::{ColouredRun, ColouredStep};
use brine_ltl::{Automaton, Formula, Formulas};
use brine_net::{Fairness, Net, Run, TransitionId};
use brine_replay::{
    Replayable, coloured_word, replay_automaton, replay_beginning, replay_coloured,
    replay_coloured_beginning, replay_on, why_fair, word_of,
};
use rustc_hash::FxHashMap;

/// A property, and the model that steps are fired in.
pub(super) trait Judge {
    /// Where steps are fired.
    fn model(&self) -> &dyn Replayable;

    /// Whether the model has all transitions, so that it tells what else is enabled.
    fn is_whole(&self) -> bool;

    /// The formula that is to be violated, if the property is one.
    fn formula(&self) -> Option<(&Formulas, Formula)>;

    /// Whether this is a run that violates the property.
    fn violates(&self, run: &Run) -> bool;

    /// The steps after which a run, which is one, violates the property whatever follows.
    fn violated_after_in(&self, run: &Run) -> Option<usize>;

    /// The same for steps that are no whole run.
    fn violated_after(&self, steps: &[TransitionId]) -> Option<usize>;
}

/// What a run has to violate.
pub(super) enum Asked<'a> {
    /// A formula.
    Formula(&'a Formulas, Formula),
    /// That an automaton accepts nothing.
    Automaton(&'a Automaton),
}

/// For nets and models that are there as a whole.
pub(super) struct WholeJudge<'a> {
    pub(super) model: &'a dyn Replayable,
    pub(super) asked: Asked<'a>,
    /// Which runs of the net count, if not all do.
    pub(super) fair: Option<(&'a Net, &'a Fairness)>,
}

impl Judge for WholeJudge<'_> {
    fn model(&self) -> &dyn Replayable {
        self.model
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn formula(&self) -> Option<(&Formulas, Formula)> {
        match self.asked {
            Asked::Formula(formulas, formula) => Some((formulas, formula)),
            Asked::Automaton(_) => None,
        }
    }

    fn violates(&self, run: &Run) -> bool {
        if self.fair.is_some_and(|(net, fairness)| why_fair(net, fairness, run).is_err()) {
            return false;
        }
        match &self.asked {
            Asked::Formula(formulas, formula) => {
                replay_on(self.model, formulas, *formula, run).is_ok()
            }
            Asked::Automaton(automaton) => replay_automaton(self.model, automaton, run).is_ok(),
        }
    }

    fn violated_after_in(&self, run: &Run) -> Option<usize> {
        let Asked::Formula(formulas, formula) = self.asked else { return None };
        let word = word_of(self.model, formulas, formula, run).ok()?;
        word.violated_after(formulas, formula)
    }

    fn violated_after(&self, steps: &[TransitionId]) -> Option<usize> {
        let Asked::Formula(formulas, formula) = self.asked else { return None };
        replay_beginning(self.model, formulas, formula, steps).ok()
    }
}

/// For coloured nets: steps are fired in the part of the unfolded net that the run touches, and
/// judged on the coloured net.
pub(super) struct ColouredJudge<'a> {
    property: ColouredProperty<'a>,
    part: &'a Net,
    /// The binding of each transition of the part.
    steps: FxHashMap<TransitionId, &'a ColouredStep>,
}

impl<'a> ColouredJudge<'a> {
    pub(super) fn new(
        property: ColouredProperty<'a>,
        part: &'a Net,
        run: &Run,
        coloured: &'a ColouredRun,
    ) -> Self {
        debug_assert_eq!(run.len(), coloured.steps().count(), "the same run");
        ColouredJudge { property, part, steps: run.steps().zip(coloured.steps()).collect() }
    }

    fn of(&self, steps: &[TransitionId]) -> Vec<ColouredStep> {
        steps.iter().map(|t| self.steps[t].clone()).collect()
    }

    /// A run of the part with its bindings.
    pub(super) fn coloured(&self, run: &Run) -> ColouredRun {
        ColouredRun { prefix: self.of(&run.prefix), cycle: self.of(&run.cycle) }
    }
}

impl Judge for ColouredJudge<'_> {
    fn model(&self) -> &dyn Replayable {
        self.part
    }

    fn is_whole(&self) -> bool {
        false
    }

    fn formula(&self) -> Option<(&Formulas, Formula)> {
        Some((self.property.formulas, self.property.formula))
    }

    fn violates(&self, run: &Run) -> bool {
        let ColouredProperty { net, formulas, formula } = self.property;
        replay_coloured(net, formulas, formula, &self.coloured(run)).is_ok()
    }

    fn violated_after_in(&self, run: &Run) -> Option<usize> {
        let ColouredProperty { net, formulas, formula } = self.property;
        let word = coloured_word(net, formulas, formula, &self.coloured(run)).ok()?;
        word.violated_after(formulas, formula)
    }

    fn violated_after(&self, steps: &[TransitionId]) -> Option<usize> {
        let ColouredProperty { net, formulas, formula } = self.property;
        replay_coloured_beginning(net, formulas, formula, &self.of(steps)).ok()
    }
}
