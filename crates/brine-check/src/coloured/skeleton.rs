//! What the skeleton decides.
//!
//! Forgetting colours gives a small plain net, along which every run of the coloured net goes
//! ([`brine_coloured::Skeleton`]). The whole of simplification (`simplify`) works on it: the
//! formula's atoms are sums over all colours, which is what the skeleton's places hold, and
//! `fireable(t)`, which says that some binding is enabled.
//!
//! *What carries over.* Let m be a coloured marking and s(m) what it forgets to. For every
//! reachable m, s(m) is reachable in the skeleton, and every infinite run fires, in the
//! skeleton, the same transitions. So the following are true of all coloured runs because they are
//! true of all firing sequences of the skeleton:
//!
//! - bounds, semiflows, flows, places that never change, marked traps, and whatever no
//!   solution of the state equation satisfies: facts about all reachable markings;
//! - that a transition is dead: if a binding of t is enabled in m, then t is enabled in s(m);
//! - rankings: if every firing of a set of transitions lowers a weighted sum that is never
//!   negative, no infinite firing sequence fires those alone.
//!
//! *What does not.* That t is enabled in s(m) says nothing about m, unless t is exact; so neither
//! does `!fireable(t)` say anything about s(m), and m may be dead though s(m) is not. That
//! something is reachable in the skeleton says nothing at all. Where simplification needs one of
//! these it gets "not known":
//!
//! | fact | for the net itself | here |
//! |---|---|---|
//! | `fireable(t)` true | every input place holds enough | the same |
//! | `fireable(t)` false | some input place does not | the same if t is exact, else nothing |
//! | `deadlock` | so it is for all transitions | so it is for the exact ones |
//! | u needs no more than t | u is enabled whenever t is | the same if u is exact |
//! | t puts what u needs | u is enabled after t | the same if u is exact |
//! | a comparison | of the tokens that are there | the same if all its places are counted |
//! | the initial letter | known | known but for what is enabled by some binding, maybe |
//! | the next markings | the successors, or itself if dead | also itself, if no exact transition is enabled |
//! | a sample of markings | shows what is possible | shows what cannot be excluded |
//!
//! In the last line, only time is at stake. All of it is in one place, `simplify/view.rs`, through
//! which all other files go; what they prove is a statement about all runs, so it does not matter
//! that the skeleton has more.
//!
//! The result is equivalent to the formula on every run of the coloured net: `true` means that
//! the property holds, `false` that every run violates it (so only a run is missing), and
//! anything else is a formula that may be asked instead. Cost: that of simplification on
//! a net as small as the coloured one is written.

use super::ColouredProperty;
use crate::budget::Budget;
use crate::simplify::{Knowledge, NetView, SimplifiedFormula};
use brine_coloured::Skeleton;
use brine_ltl::{Formula, Translations};
use brine_net::{Structure, TransitionId};
use brine_reduce::state_equation::EquationStats;
use brine_run::{Control, Stop};
use std::sync::Arc;

/// Simplifies formulas about one coloured net, by its skeleton.
///
/// ```
/// use brine_check::Budget;
/// use brine_check::coloured::{ColouredProperty, SkeletonSimplifier};
/// use brine_coloured::Skeleton;
/// use brine_ltl::{Formulas, Symbols, parse};
/// use brine_models::philosophers_coloured;
/// use brine_net::Structure;
/// use brine_run::Control;
/// let net = philosophers_coloured(50_000).coloured().unwrap();
/// let skeleton = Skeleton::new(&net, &Control::default()).unwrap();
/// let structure = Structure::new(skeleton.net());
/// let mut simplifier =
///     SkeletonSimplifier::within(&skeleton, &structure, |_| None, &Control::default()).unwrap();
/// let (mut formulas, mut symbols) = (Formulas::new(), Symbols::of_net(skeleton.net()));
/// let formula = parse("G(think + eat <= 50000)", &mut formulas, &mut symbols).unwrap();
/// let property = ColouredProperty { net: &net, formulas: &formulas, formula };
/// let simplified = simplifier.simplify(property, &Budget::default());
/// assert_eq!(simplified.constant(), Some(true));
/// ```
#[derive(Debug)]
pub struct SkeletonSimplifier<'a> {
    knowledge: Knowledge<'a>,
}

impl<'a> SkeletonSimplifier<'a> {
    /// Prepares for questions about the coloured net behind a skeleton; `structure` is the
    /// skeleton's. `initially` says of a transition whether some binding of it is enabled in the
    /// coloured initial marking, where that is known: it makes the first letter complete.
    pub fn within(
        skeleton: &'a Skeleton,
        structure: &'a Structure,
        initially: impl Fn(TransitionId) -> Option<bool>,
        control: &Control,
    ) -> Result<Self, Stop> {
        let view = NetView::of_coloured(skeleton, initially);
        Ok(SkeletonSimplifier { knowledge: Knowledge::new(view, structure, control)? })
    }

    /// The same, sharing translations with others.
    pub fn with_translations(mut self, translations: Arc<Translations>) -> Self {
        self.knowledge.translations = translations;
        self
    }

    /// Simplifies a formula about the coloured net as far as the budget's time allows.
    pub fn simplify(
        &mut self,
        property: ColouredProperty<'_>,
        budget: &Budget,
    ) -> SimplifiedFormula {
        self.knowledge.simplify(property.formulas, property.formula, budget)
    }

    /// The left sides of implications in the formula that are known to be true at no position of
    /// any run, without solving anything.
    pub fn never_true(&mut self, property: ColouredProperty<'_>) -> Vec<Formula> {
        self.knowledge.never_true(property.formulas, property.formula)
    }

    /// Linear programs solved so far.
    pub fn stats(&self) -> EquationStats {
        self.knowledge.stats()
    }
}
