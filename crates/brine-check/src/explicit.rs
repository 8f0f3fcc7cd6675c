//! The explicit engine behind the common interface.

use crate::engine::{BadOption, Engine, FairQuestion, Question};
use crate::verdict::{Reason, Stats, Verdict};
use brine_explicit::por::{Por, PorUse};
use brine_explicit::setup::place_bounds;
use brine_explicit::{Checker, Emptiness, Misfit, SearchOptions};
use brine_net::{Net, Run, Structure};
use brine_run::{Control, Search, Shared, Stop};

/// Explicit search over the product.
#[derive(Debug)]
pub struct ExplicitEngine<'n> {
    checker: Checker<'n>,
    emptiness: Option<Emptiness>,
    por: Option<Por>,
    /// Why the question that was taken up is not reduced, if that is for sure.
    unreduced: Option<&'static str>,
}

impl<'n> ExplicitEngine<'n> {
    /// An engine for one net. Without a choice, the emptiness check follows from the
    /// automaton's class; `seed` permutes the firing order (0: as in the net).
    pub fn new(
        net: impl Into<Shared<'n, Net>>,
        structure: &Structure,
        emptiness: Option<Emptiness>,
        seed: u64,
    ) -> Self {
        let net = net.into();
        let bounds = place_bounds(&net, &structure.bounds);
        ExplicitEngine {
            checker: Checker::new(net, bounds, seed),
            emptiness,
            por: None,
            unreduced: None,
        }
    }

    /// The same engine with partial-order reduction, where it applies.
    pub fn with_por(self, por: Option<Por>) -> Self {
        ExplicitEngine { por, ..self }
    }
}

impl Search for ExplicitEngine<'_> {
    type Outcome = (Verdict, Stats);

    fn advance(&mut self, control: &Control) -> (Verdict, Stats) {
        let answer = self.checker.advance(control);
        let stats = Stats {
            product_states: Some(answer.stats.states.into()),
            states_stored: Some(answer.markings),
            peak_bytes: Some(answer.peak_bytes),
            emptiness: Some(answer.search),
            search: Some(answer.stats),
            por: answer.por.or(self.unreduced.map(PorUse::NotApplied)),
            ..Stats::default()
        };
        (verdict_of(answer.run), stats)
    }
}

impl Engine for ExplicitEngine<'_> {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn begin(&mut self, question: Question) -> Result<(), BadOption> {
        let options = SearchOptions {
            emptiness: self.emptiness,
            por: self.por,
            stutter_invariant: question.stutter_invariant,
            reachability: question.reachability,
        };
        self.unreduced = None;
        self.checker.begin(question.violations, options).map_err(bad_option)
    }

    /// The check for events and fairness is Couvreur's; the product is not reduced.
    fn begin_fair(&mut self, question: FairQuestion) -> Result<(), Reason> {
        if let Some(other) = self.emptiness.filter(|&e| e != Emptiness::Couvreur) {
            return Err(Reason::Unsupported(format!(
                "--emptiness {} knows nothing of fires(...) and fairness; couvreur does",
                other.name()
            )));
        }
        self.unreduced = self.por.map(|_| "it does not keep events and fair runs");
        self.checker.begin_fair(question.violations, question.fairness);
        Ok(())
    }

    fn held(&self) -> Option<u64> {
        Some(self.checker.held())
    }

    fn release(&mut self) {
        self.checker.release();
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

pub(crate) fn bad_option(misfit: Misfit) -> BadOption {
    BadOption(format!(
        "--emptiness {} needs a weak automaton, but this property's is {}; \
         leave the option out, or choose couvreur",
        misfit.emptiness.name(),
        misfit.class,
    ))
}
