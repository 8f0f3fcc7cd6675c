//! The explicit engine behind the common interface.

use crate::budget::Budget;
use crate::engine::{BadOption, Engine, Question};
use crate::verdict::{Stats, Verdict};
use brine_explicit::por::Por;
use brine_explicit::setup::place_bounds;
use brine_explicit::{Checker, Emptiness, Limits, Misfit, SearchOptions, Stop};
use brine_net::{Net, Run, Structure};
use std::time::Instant;

/// Explicit search over the product.
#[derive(Debug)]
pub struct ExplicitEngine<'n> {
    checker: Checker<'n>,
    emptiness: Option<Emptiness>,
    por: Option<Por>,
    steps: Option<u64>,
}

impl<'n> ExplicitEngine<'n> {
    /// An engine for one net. Without a choice, the emptiness check follows from the
    /// automaton's class; `seed` permutes the firing order (0: as in the net).
    pub fn new(
        net: &'n Net,
        structure: &Structure,
        emptiness: Option<Emptiness>,
        seed: u64,
    ) -> Self {
        let checker = Checker::new(net, place_bounds(net, &structure.bounds), seed);
        ExplicitEngine { checker, emptiness, por: None, steps: None }
    }

    /// The same engine with partial-order reduction, where it applies.
    pub fn with_por(self, por: Option<Por>) -> Self {
        ExplicitEngine { por, ..self }
    }

    /// The same engine, giving up after so many steps of work.
    pub fn with_steps(self, steps: u64) -> Self {
        ExplicitEngine { steps: Some(steps), ..self }
    }
}

impl Engine for ExplicitEngine<'_> {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn answer(
        &mut self,
        question: Question<'_>,
        budget: &Budget,
    ) -> Result<(Verdict, Stats), BadOption> {
        let limits = Limits { steps: self.steps, ..limits(budget) };
        let options = SearchOptions {
            emptiness: self.emptiness,
            por: self.por,
            stutter_invariant: question.stutter_invariant,
        };
        let answer =
            self.checker.check(question.violations, options, limits).map_err(bad_option)?;
        let verdict = verdict_of(answer.run);
        let stats = Stats {
            product_states: Some(answer.stats.states.into()),
            states_stored: Some(answer.markings),
            peak_bytes: Some(answer.peak_bytes),
            emptiness: Some(answer.search),
            search: Some(answer.stats),
            por: answer.por,
            ..Stats::default()
        };
        Ok((verdict, stats))
    }
}

/// The limits of a search that begins now.
pub(crate) fn limits(budget: &Budget) -> Limits {
    Limits {
        deadline: budget.deadline(Instant::now()),
        memory: budget.memory,
        resident: budget.resident,
        cancel: Some(budget.cancel.clone()),
        steps: None,
    }
}

/// What the end of a search for a violating run means.
pub(crate) fn verdict_of(run: Result<Option<Run>, Stop>) -> Verdict {
    match run {
        Ok(None) => Verdict::Holds,
        Ok(Some(run)) => Verdict::Violated(Some(run)),
        Err(stop) => Verdict::Unknown(stop.into()),
    }
}

fn bad_option(misfit: Misfit) -> BadOption {
    BadOption(format!(
        "--emptiness {} needs a weak automaton, but this property's is {}; \
         leave the option out, or choose couvreur",
        misfit.emptiness.name(),
        misfit.class,
    ))
}
