//! Every other question, in terms of those about all runs.
//!
//! | query | asked as |
//! |---|---|
//! | all runs satisfy f | itself |
//! | some run satisfies f | not: all runs satisfy `!f` |
//! | the most that a sum comes to | all runs satisfy `G sum <= k`, for a growing k |
//! | CTL | by [`crate::branching`], after what can be asked as one of the above |
//!
//! So every stage of `auto` (hunt, simplification, reduction, explicit and symbolic search, on plain
//! and on coloured nets) answers all of them, and every run that is shown was replayed.

mod asker;
mod bound;

pub use asker::{Asker, ColouredAsker, PlainAsked, PlainAsker, StoredFormula};
pub use bound::BoundCase;

use crate::budget::Budget;
use crate::decide::{DecideError, Decision};
use crate::verdict::{Reason, Verdict};
use brine_ltl::{Expression, Formula, Formulas};

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QueryAnswer {
    /// Yes.
    Holds,
    /// No.
    Fails,
    /// The most that the sum comes to.
    Number(i64),
    /// None.
    Unknown(Reason),
}

/// A query on its way.
pub struct QueryCase<C> {
    kind: CaseKind<C>,
}

enum CaseKind<C> {
    /// Do all runs satisfy it? The answer is the opposite if `opposite`.
    Runs { case: C, opposite: bool },
    /// How much at most?
    Bound(BoundCase<C>),
}

impl<C> QueryCase<C> {
    /// Do all runs satisfy the formula?
    pub fn all_runs<A: Asker<Case = C>>(asker: &mut A, fs: &Formulas, formula: Formula) -> Self {
        let case = asker.begin(fs, formula);
        QueryCase { kind: CaseKind::Runs { case, opposite: false } }
    }

    /// Does some run satisfy the formula?
    pub fn some_run<A: Asker<Case = C>>(asker: &mut A, fs: &Formulas, formula: Formula) -> Self {
        let mut fs = fs.clone();
        let negation = fs.not(formula);
        let case = asker.begin(&fs, negation);
        QueryCase { kind: CaseKind::Runs { case, opposite: true } }
    }

    /// What is the most that a sum comes to? `seen` is a value that it has in a reachable marking,
    /// `most` one that it never passes.
    pub fn bound(fs: &Formulas, sum: Expression, seen: i64, most: Option<i64>) -> Self {
        QueryCase { kind: CaseKind::Bound(BoundCase::new(fs, sum, seen, most)) }
    }

    /// Goes on within a budget; `held` is how many bytes its search may hold while it is left.
    pub fn advance<A: Asker<Case = C>>(
        &mut self,
        asker: &mut A,
        budget: &Budget,
        held: u64,
    ) -> Result<(QueryAnswer, Decision), DecideError> {
        match &mut self.kind {
            CaseKind::Runs { case, opposite } => {
                let decision = asker.advance(case, budget, held)?;
                let decision = if *opposite { decision.for_some_run() } else { decision };
                Ok((decision.verdict.answer(), decision))
            }
            CaseKind::Bound(case) => case.advance(asker, budget, held),
        }
    }
}

impl Verdict {
    /// The answer that a verdict is.
    pub fn answer(&self) -> QueryAnswer {
        match self {
            Verdict::Holds => QueryAnswer::Holds,
            Verdict::Violated(_) => QueryAnswer::Fails,
            Verdict::Unknown(reason) => QueryAnswer::Unknown(reason.clone()),
        }
    }
}

impl Decision {
    /// A decision about all runs, as one about some run: the run that violates the one shows that
    /// the other holds.
    pub fn for_some_run(mut self) -> Self {
        self.verdict = match self.verdict {
            Verdict::Holds => Verdict::Violated(None),
            Verdict::Violated(run) => {
                self.example = run;
                Verdict::Holds
            }
            unknown @ Verdict::Unknown(_) => unknown,
        };
        self.vacuous.clear();
        self
    }
}
