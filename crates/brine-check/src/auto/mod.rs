//! `auto`: what answers most in the same time.
//!
//! No engine is best. Most contest properties are decided by looking at the net's
//! structure, most violated ones by a short walk, most that hold on large state spaces by
//! diagrams, and each of them fails on what the others do in milliseconds. So a question is
//! taken through stages, the cheap ones first:
//!
//! 1. a short hunt for a violation in the net as it is;
//! 2. the formula is simplified by what the net's structure tells ([`crate::simplify`]);
//! 3. if the formula is not stutter-invariant, the first steps of all runs are taken beforehand,
//!    where it is so after them ([`FirstSteps`](crate::FirstSteps));
//! 4. the net is reduced to what the formula can see ([`ReducedProperty`](crate::ReducedProperty));
//! 5. rounds: a longer hunt for a violation, explicit search with partial-order reduction, and
//!    saturation with several orders, each with so much *work*; in the next round with four
//!    times as much, until one of them decides or the budget ends.
//!
//! Work is counted in steps of the engines, not in seconds, and of engines that run side by
//! side the first in the list wins, not the first in time. So the same question gets the
//! same answer in the same way, on every machine and with any number of threads, unless a
//! limit of time or memory decides: the budget, the limits of simplification, or the time for
//! finding a symbolic run. Then another stage may decide, with another run and other figures;
//! the verdict is the same.
//!
//! An engine that runs out of memory is left out and makes room for the others. Explicit search
//! and the hunt go on in each round with what they have; symbolic search starts over, and with a
//! factor of four, what it repeats is at most a third of its work.

mod automaton;
mod case;
mod rounds;
mod timeline;

pub use case::Case;
pub(crate) use timeline::Timeline;
pub use timeline::Tried;

use crate::budget::Budget;
use crate::decide::{DecideError, Decision, Property};
use crate::simplify::Simplifier;
use brine_ltl::{Formula, Formulas, TranslationCounts, Translations};
use brine_net::order::OrderSpec;
use brine_net::{Net, Structure};
use brine_run::{Control, Search, Stop};
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

/// What `auto` may do; leaving something out shows what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stages {
    /// Simplify formulas by what is known about the net.
    pub simplification: bool,
    /// Reduce the net to what the formula sees.
    pub reduction: bool,
    /// Hunt for violations before and between proper searches.
    pub hunt: bool,
    /// Search explicitly.
    pub explicit: bool,
    /// Search symbolically.
    pub symbolic: bool,
}

impl Default for Stages {
    fn default() -> Self {
        Stages { simplification: true, reduction: true, hunt: true, explicit: true, symbolic: true }
    }
}

/// Answers questions about one net. What one question learns about it serves the next.
///
/// ```
/// use brine_check::{Auto, Budget, Property, Stages, Verdict};
/// use brine_ltl::{Formulas, Symbols, parse};
/// use brine_net::{NetBuilder, Structure};
/// let mut b = NetBuilder::new("lamp");
/// let (on, off) = (b.place("on", 1), b.place("off", 0));
/// b.transition("down", &[(on, 1)], &[(off, 1)]);
/// let net = b.build().unwrap();
/// let mut formulas = Formulas::new();
/// let formula = parse("F off = 1", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
/// let structure = &Structure::new(&net);
/// let mut auto = Auto::new(&net, &structure, Stages::default());
/// let property = Property { net: &net, formulas: &formulas, formula };
/// assert_eq!(auto.decide(property, &Budget::default()).unwrap().verdict, Verdict::Holds);
/// ```
#[derive(Clone)]
pub struct Auto<'n> {
    net: &'n Net,
    structure: &'n dyn Deref<Target = Structure>,
    stages: Stages,
    /// The first stage was done elsewhere, and found nothing.
    hunted: bool,
    order: Option<OrderSpec>,
    /// Once it is needed; shared by all questions.
    simplifier: Arc<Mutex<Option<Simplifier<'n>>>>,
    /// Of all questions so far.
    translations: Arc<Translations>,
}

impl<'n> Auto<'n> {
    /// For questions about a net. Its structure may be one that is worked out when it is
    /// first looked at: many questions are answered before.
    pub fn new(
        net: &'n Net,
        structure: &'n impl Deref<Target = Structure>,
        stages: Stages,
    ) -> Self {
        Auto::of(net, structure, stages)
    }

    /// The same, where the structure is behind two references.
    pub(crate) fn of(
        net: &'n Net,
        structure: &'n dyn Deref<Target = Structure>,
        stages: Stages,
    ) -> Self {
        let (simplifier, translations) = (Arc::default(), Arc::default());
        Auto { net, structure, stages, hunted: false, order: None, simplifier, translations }
    }

    /// The same without the first stage: a hunt in the same net, written down in another way, has
    /// found nothing.
    pub(crate) fn after_hunt(self) -> Self {
        Auto { hunted: true, ..self }
    }

    /// The same with one order of levels for the symbolic engine, where the net has it.
    pub fn with_order(self, order: Option<OrderSpec>) -> Self {
        Auto { order, ..self }
    }

    /// A boolean combination of atoms that is true in the same reachable markings.
    pub(crate) fn simplify_state(
        &self,
        formulas: &mut Formulas,
        state: Formula,
        budget: &Budget,
    ) -> Formula {
        if !self.stages.simplification || budget.time.is_some_and(|time| time.is_zero()) {
            return state;
        }
        let simplified = self.with_simplifier(&budget.control(), |simplifier| {
            simplifier.simplify_everywhere(formulas, state, budget)
        });
        simplified.unwrap_or(state)
    }

    /// Does something with the simplifier, which is made first if there is none.
    fn with_simplifier<R>(
        &self,
        control: &Control,
        act: impl FnOnce(&mut Simplifier<'n>) -> R,
    ) -> Result<R, Stop> {
        let mut kept = self.simplifier.lock().unwrap_or_else(PoisonError::into_inner);
        // Taken out, so that a panic leaves no half-learned one behind.
        let mut simplifier = match kept.take() {
            Some(simplifier) => simplifier,
            None => Simplifier::within(self.net, self.structure, control)?
                .with_translations(self.translations.clone()),
        };
        let result = act(&mut simplifier);
        *kept = Some(simplifier);
        Ok(result)
    }

    /// What it may do.
    pub(crate) fn stages(&self) -> Stages {
        self.stages
    }

    /// Whether there is one.
    fn has_simplifier(&self) -> bool {
        self.simplifier.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// How often automata were made for the questions so far, and how often they were there.
    pub fn translation_counts(&self) -> TranslationCounts {
        self.translations.counts()
    }

    /// The search that decides a property of the net.
    pub fn case(&self, property: Property<'n>) -> Case<'n> {
        Case::new(self.clone(), property)
    }

    /// Decides a property of the net.
    pub fn decide(
        &mut self,
        property: Property<'n>,
        budget: &Budget,
    ) -> Result<Decision, DecideError> {
        self.case(property).advance(&budget.search_control())
    }
}
