//! Restated properties: the same question in other words, and runs lifted back.
//!
//! A [`Restatement`] answers for one thing: its property has the same verdict as the one it
//! was made from, and a violating run of its net stands for one of the net before. There are
//! three: the formula simplified ([`Simplified`](crate::Simplified)), the first steps taken
//! ([`FirstSteps`](crate::FirstSteps)), the net reduced
//! ([`ReducedProperty`](crate::ReducedProperty)). A [`Chain`] is a list of them, each made from
//! the property of the one before; engines are asked about the last.
//!
//! A run goes back through the list, last restatement first. *Invariant:* after each of them it
//! is a violating run of the property on that level, since it is replayed there
//! ([`brine_replay`]). So restatements need not be trusted with runs:
//!
//! - a run that is lost on the way, or is no run where it was lifted to, is left out, and the
//!   violation told without it: lifting may give up halfway;
//! - a run that is one and satisfies the formula there contradicts the verdict: the restatement
//!   was wrong, which is an error and never a verdict.

use crate::budget::Budget;
use crate::decide::{DecideError, FairProperty, Property};
use crate::verdict::Verdict;
use brine_net::Run;
use brine_replay::{ReplayError, replay, replay_fair};
use std::fmt::Debug;

/// A property with the same verdict as another one.
pub trait Restatement: Debug + Send + Sync {
    /// The restated property.
    fn property(&self) -> Property<'_>;

    /// The run of the original net that a violating run of the restated property stands for;
    /// `None` if it is not found within the budget. It is replayed by the caller.
    fn lift(&self, original: Property<'_>, run: Run, budget: &Budget) -> Option<Run>;

    /// Whether a lifted run may be a run of the original net and satisfy the formula although
    /// the restatement is right.
    fn may_lose_the_violation(&self) -> bool {
        false
    }
}

/// Restatements, one made from the other.
///
/// ```
/// use brine_check::{Budget, Chain, ExplicitEngine, FirstSteps, Property, ReducedProperty};
/// use brine_check::{Restatement, Verdict, decide_restated};
/// use brine_ltl::{Formulas, Symbols, parse};
/// use brine_net::{NetBuilder, Structure};
/// use brine_reduce::{Preserves, ReduceOptions};
/// let mut b = NetBuilder::new("relay");
/// let (p, q, r) = (b.place("p", 1), b.place("q", 0), b.place("r", 0));
/// let t = b.transition("t", &[(p, 1)], &[(q, 1)]);
/// let u = b.transition("u", &[(q, 1)], &[(r, 1)]);
/// let net = b.build().unwrap();
/// let mut formulas = Formulas::new();
/// let formula = parse("X G r = 0", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
/// let property = Property { net: &net, formulas: &formulas, formula };
/// let budget = Budget::default();
///
/// let mut chain = Chain::default();
/// chain.push(FirstSteps::new(property, &budget).unwrap());
/// let (class, options) = (Preserves::StutterInvariant, ReduceOptions::default());
/// chain.push(ReducedProperty::new(chain.property(property), class, &options).unwrap());
///
/// let restated = chain.property(property);
/// let structure = Structure::new(restated.net);
/// let mut engine = ExplicitEngine::new(restated.net, &structure, None, 0);
/// let decision = decide_restated(&mut engine, &chain, property, &budget).unwrap();
/// let Verdict::Violated(Some(run)) = decision.verdict else { panic!() };
/// assert_eq!(run.prefix, [t, u]);
/// ```
#[derive(Debug, Default)]
pub struct Chain<'n> {
    restatements: Vec<Box<dyn Restatement + 'n>>,
}

impl<'n> Chain<'n> {
    /// Adds a restatement of the last property.
    pub fn push(&mut self, restatement: impl Restatement + 'n) {
        self.restatements.push(Box::new(restatement));
    }

    /// How many restatements there are.
    pub fn len(&self) -> usize {
        self.restatements.len()
    }

    /// Whether nothing is restated.
    pub fn is_empty(&self) -> bool {
        self.restatements.is_empty()
    }

    /// What is asked in the end, given what was asked originally.
    pub fn property<'a>(&'a self, original: Property<'a>) -> Property<'a> {
        self.restatements.last().map_or(original, |last| last.property())
    }

    /// The verdict on the original property, given that on the last one.
    pub fn lift(
        &self,
        original: Property<'_>,
        verdict: Verdict,
        budget: &Budget,
    ) -> Result<Verdict, ReplayError> {
        let Verdict::Violated(mut run) = verdict else { return Ok(verdict) };
        for (i, restatement) in self.restatements.iter().enumerate().rev() {
            let Some(found) = run else { break };
            let before = match i.checked_sub(1) {
                Some(i) => self.restatements[i].property(),
                None => original,
            };
            run = lift_over(&**restatement, before, found, budget)?;
        }
        Ok(Verdict::Violated(run))
    }

    /// The verdict on the original property that follows from what an engine said about the
    /// last one.
    pub(crate) fn conclude(
        &self,
        original: Property<'_>,
        engine: &'static str,
        verdict: Verdict,
        budget: &Budget,
    ) -> Result<Verdict, DecideError> {
        // Before it is lifted: a run that cannot be lifted is no excuse for a wrong one.
        check_run(self.property(original), engine, &verdict)?;
        self.lift(original, verdict, budget).map_err(|_| DecideError::Restated { engine })
    }
}

/// A run that is shown must be a run of the net, and violate the formula.
pub(crate) fn check_run(
    property: Property<'_>,
    engine: &'static str,
    verdict: &Verdict,
) -> Result<(), DecideError> {
    let Verdict::Violated(Some(run)) = verdict else { return Ok(()) };
    let Property { net, formulas, formula } = property;
    replay(net, formulas, formula, run).map_err(|error| DecideError::Replay { engine, error })
}

/// The same, and it must be fair.
pub(crate) fn check_fair_run(
    asked: FairProperty<'_>,
    engine: &'static str,
    verdict: &Verdict,
) -> Result<(), DecideError> {
    let Verdict::Violated(Some(run)) = verdict else { return Ok(()) };
    let Property { net, formulas, formula } = asked.property;
    replay_fair(net, formulas, formula, asked.fairness, run)
        .map_err(|error| DecideError::Replay { engine, error })
}

/// Lifts a run over one restatement, and replays it in the net before.
fn lift_over(
    restatement: &dyn Restatement,
    before: Property<'_>,
    run: Run,
    budget: &Budget,
) -> Result<Option<Run>, ReplayError> {
    let Some(lifted) = restatement.lift(before, run, budget) else { return Ok(None) };
    match replay(before.net, before.formulas, before.formula, &lifted) {
        Ok(()) => Ok(Some(lifted)),
        Err(ReplayError::Satisfies) if !restatement.may_lose_the_violation() => {
            Err(ReplayError::Satisfies)
        }
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_ltl::{Formula, Formulas, Symbols, parse};
    use brine_net::{Net, NetBuilder, TransitionId};

    /// A switch that can break: on <-> off, on -> broken.
    fn switch() -> Net {
        let mut b = NetBuilder::new("switch");
        let (on, off, broken) = (b.place("on", 1), b.place("off", 0), b.place("broken", 0));
        b.transition("down", &[(on, 1)], &[(off, 1)]);
        b.transition("up", &[(off, 1)], &[(on, 1)]);
        b.transition("break", &[(on, 1)], &[(broken, 1)]);
        b.build().unwrap()
    }

    /// Lifts every run to the same one.
    #[derive(Debug)]
    struct Fixed {
        net: Net,
        formulas: Formulas,
        lifted: Option<Run>,
        may_lose: bool,
    }

    impl Restatement for Fixed {
        fn property(&self) -> Property<'_> {
            Property { net: &self.net, formulas: &self.formulas, formula: Formula::FALSE }
        }

        fn lift(&self, _: Property<'_>, _: Run, _: &Budget) -> Option<Run> {
            self.lifted.clone()
        }

        fn may_lose_the_violation(&self) -> bool {
            self.may_lose
        }
    }

    fn run(prefix: &[u32], cycle: &[u32]) -> Run {
        let ids = |list: &[u32]| list.iter().copied().map(TransitionId).collect();
        Run { prefix: ids(prefix), cycle: ids(cycle) }
    }

    /// What becomes of a run whose lifts, the last restatement first, are these.
    fn lift(lifts: &[Option<Run>], may_lose: bool) -> Result<bool, ReplayError> {
        let net = switch();
        let mut formulas = Formulas::new();
        let formula = parse("F broken >= 1", &mut formulas, &mut Symbols::of_net(&net)).unwrap();
        let mut chain = Chain::default();
        for lifted in lifts.iter().rev() {
            let (net, lifted) = (net.clone(), lifted.clone());
            chain.push(Fixed { net, formulas: formulas.clone(), lifted, may_lose });
        }
        let original = Property { net: &net, formulas: &formulas, formula };
        let found = Verdict::Violated(Some(Run::default()));
        let lifted = chain.lift(original, found, &Budget::default())?;
        let Verdict::Violated(shown) = lifted else { panic!("{lifted:?}") };
        assert!(shown.is_none() || shown == *lifts.last().unwrap());
        Ok(shown.is_some())
    }

    /// Lifting may give up; a run that contradicts the verdict is an error.
    #[test]
    fn lifted_runs_are_shown_left_out_or_errors() {
        assert_eq!(lift(&[Some(run(&[], &[0, 1]))], false), Ok(true));
        assert_eq!(lift(&[Some(run(&[0], &[]))], false), Ok(false), "no run");
        assert_eq!(lift(&[None], false), Ok(false), "not found");
        assert_eq!(lift(&[Some(run(&[2], &[]))], false), Err(ReplayError::Satisfies));
        assert_eq!(lift(&[Some(run(&[2], &[]))], true), Ok(false));
    }

    /// Each restatement gets what the one behind it made of the run, and replays it.
    #[test]
    fn runs_go_through_the_whole_list() {
        let good = Some(run(&[], &[0, 1]));
        let longer = Some(run(&[0, 1], &[0, 1]));
        assert_eq!(lift(&[good.clone(), longer.clone()], false), Ok(true));
        assert_eq!(lift(&[Some(run(&[1], &[])), longer.clone()], false), Ok(false));
        assert_eq!(lift(&[None, longer], false), Ok(false));
        assert_eq!(lift(&[good, Some(run(&[2], &[]))], false), Err(ReplayError::Satisfies));
    }

    #[test]
    fn other_verdicts_stay_what_they_are() {
        let (net, formulas) = (switch(), Formulas::new());
        let property = Property { net: &net, formulas: &formulas, formula: Formula::TRUE };
        let lift = |v| Chain::default().lift(property, v, &Budget::default());
        assert_eq!(lift(Verdict::Holds), Ok(Verdict::Holds));
        assert_eq!(lift(Verdict::Violated(None)), Ok(Verdict::Violated(None)));
    }
}
