//! The hunt for violations behind the common interface.
//!
//! Made to say *violated* fast. Walks prove nothing, but a small search that visits the whole
//! product does. It needs no structural analysis of the net, so it can be asked before
//! anything else is known.

use crate::engine::{BadOption, Engine, Question};
use crate::explicit::verdict_of;
use crate::verdict::{Stats, Verdict};
use brine_explicit::hunt::{HuntOptions, HuntOutcome, Hunter, PlainSource};
use brine_explicit::setup::guessed_bounds;
use brine_net::Net;
use brine_run::{Control, Search, Shared};

/// Looks for a violating run in many cheap ways.
///
/// ```
/// use brine_check::{Budget, HuntEngine, Property, Verdict, decide};
/// use brine_explicit::hunt::HuntOptions;
/// use brine_ltl::{Formulas, Symbols, parse};
/// use brine_net::NetBuilder;
/// let mut b = NetBuilder::new("lamp");
/// let (on, off) = (b.place("on", 1), b.place("off", 0));
/// b.transition("down", &[(on, 1)], &[(off, 1)]);
/// let net = b.build().unwrap();
/// let mut formulas = Formulas::new();
/// let formula = parse("G F on = 1", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
/// let property = Property { net: &net, formulas: &formulas, formula };
/// let mut engine = HuntEngine::new(&net, HuntOptions { rounds: Some(1), ..Default::default() });
/// let decision = decide(&mut engine, property, &Budget::default()).unwrap();
/// assert!(matches!(decision.verdict, Verdict::Violated(Some(_))));
/// ```
#[derive(Debug)]
pub struct HuntEngine<'n> {
    hunter: Hunter<PlainSource<'n>>,
}

impl<'n> HuntEngine<'n> {
    /// An engine for one net.
    pub fn new(net: impl Into<Shared<'n, Net>>, options: HuntOptions) -> Self {
        let net = net.into();
        let bounds = guessed_bounds(&net);
        HuntEngine { hunter: Hunter::new(net, bounds, options) }
    }
}

impl Search for HuntEngine<'_> {
    type Outcome = (Verdict, Stats);

    fn advance(&mut self, control: &Control) -> (Verdict, Stats) {
        let outcome = self.hunter.advance(control);
        let stats = stats_of(&outcome);
        (verdict_of(outcome.run), stats)
    }
}

/// The figures of a hunt.
pub(crate) fn stats_of<R>(outcome: &HuntOutcome<R>) -> Stats {
    // Walks store nothing: of a hunt that ends in one there is nothing to count.
    let searched = outcome.markings > 0;
    Stats {
        product_states: searched.then(|| outcome.stats.states.into()),
        states_stored: searched.then_some(outcome.markings),
        peak_bytes: Some(outcome.peak_bytes),
        emptiness: Some(outcome.search),
        search: searched.then_some(outcome.stats),
        ..Stats::default()
    }
}

impl Engine for HuntEngine<'_> {
    fn name(&self) -> &'static str {
        "hunt"
    }

    fn begin(&mut self, question: Question) -> Result<(), BadOption> {
        self.hunter.begin(question.violations);
        Ok(())
    }

    fn held(&self) -> Option<u64> {
        Some(self.hunter.held())
    }

    fn release(&mut self) {
        self.hunter.release();
    }
}
